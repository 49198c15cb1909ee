"""Values out of a file that anybody may have written: each is what it should be, or an error says what it is."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from onrecord.errors import InvalidInput
from onrecord.journal.clean import LONGEST_NAME, clean_name, clean_time
from onrecord.records import EPOCH

__all__ = [
    "HINT",
    "a_list",
    "a_moment",
    "a_name",
    "a_text",
    "an_object",
    "branch",
    "mark",
    "shown",
    "title_of",
]

HINT = "Everything else of the file is brought in."
MILLISECONDS = 100_000_000_000  # a number of seconds over this would be in the year 5138: it counts milliseconds
LONGEST_MARK = 120  # characters of a file's name

_KINDS = {
    dict: "an object",
    list: "a list",
    str: "a text",
    bool: "true or false",
    int: "a number",
    float: "a number",
}


def an_object(value: object, what: str) -> Mapping[str, Any]:
    """A JSON object; nothing given is an empty one."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise _wrong(value, what, "an object")
    return value


def a_list(value: object, what: str) -> list[Any]:
    """A JSON array; nothing given is an empty one."""
    if value is None:
        return []
    if not isinstance(value, list):
        raise _wrong(value, what, "a list")
    return value


def a_text(value: object, what: str) -> str:
    """A text; nothing given is an empty one."""
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _wrong(value, what, "a text")
    return value


def a_name(value: object, what: str) -> str | None:
    """An id or a name, if there is one; whole numbers are fine."""
    if value is None or value == "":
        return None
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**64:
        return str(value)
    if not isinstance(value, str):
        raise _wrong(value, what, "a text")
    if len(value) > LONGEST_NAME:
        raise InvalidInput(f"{what} has {len(value):,} characters, more than {LONGEST_NAME}.", HINT)
    return clean_name(value, what)


def a_moment(value: object, what: str) -> datetime | None:
    """A moment, if there is one: seconds or milliseconds since 1970, or an ISO text; without a zone it is UTC."""
    if value is None or value == "":
        return None
    if isinstance(value, str) and len(value) <= LONGEST_MARK:
        return clean_time(value, what)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise _wrong(value, what, "a time")
    try:
        seconds = value / 1_000 if abs(value) > MILLISECONDS else value
        if math.isfinite(seconds):
            return (EPOCH + timedelta(seconds=seconds)).astimezone(UTC)
    except OverflowError:
        pass
    raise InvalidInput(f"{what} is out of range.", HINT)


def title_of(value: object) -> str | None:
    """A title as it can be kept: one line, not endless; what is no text is none."""
    if not isinstance(value, str):
        return None
    return _plain(value, LONGEST_NAME) or None


def mark(kind: str, name: object = None) -> str:
    """What stands for something that is no text.

    >>> mark("image"), mark("file", "notes [old].txt")
    ('[image]', '[file: notes (old).txt]')
    """
    said = _plain(name, LONGEST_MARK).replace("[", "(").replace("]", ")") if isinstance(name, str) else ""
    return f"[{kind}: {said}]" if said else f"[{kind}]"


def _plain(text: str, most: int) -> str:
    """A text in one line without control characters and broken Unicode, cut where it is too long."""
    part = text[: 4 * most]
    kept = "".join(" " if unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") else char for char in part)
    line = " ".join(kept.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def branch(leaf: str, parents: Mapping[str, object]) -> list[str]:
    """The nodes from the root of a tree to a leaf; a parent that is not in it ends it."""
    found: list[str] = []
    seen: set[str] = set()
    at: object = leaf
    while isinstance(at, str) and at in parents:
        if at in seen:
            raise InvalidInput(f"Its tree of messages runs in a circle, at {shown(at)}.", HINT)
        seen.add(at)
        found.append(at)
        at = parents[at]
    return found[::-1]


def shown(value: object) -> str:
    """A foreign value in an error: never long."""
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"


def _wrong(value: object, what: str, wanted: str) -> InvalidInput:
    kind = next((name for kind, name in _KINDS.items() if type(value) is kind), "null")
    return InvalidInput(f"{what} is {kind}, not {wanted}.", HINT)
