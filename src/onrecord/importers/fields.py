"""Typed reads of foreign JSON: each value is what it should be, or an `InvalidInput` says what it is."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

from onrecord.errors import InvalidInput
from onrecord.journal.clean import LONGEST_NAME, clean_name, clean_time
from onrecord.records import EPOCH

__all__ = ["HINT", "branch", "expect", "mark", "name_in", "objects_in", "shown", "text_in", "time_in", "title_in"]

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
_Kind = TypeVar("_Kind", dict[str, Any], list[Any], str)


def expect(kind: type[_Kind], value: object, what: str) -> _Kind:
    """Return `value` if it is a JSON object, list or text as `kind` says; an empty one for null."""
    if value is None:
        return kind()
    if not isinstance(value, kind):
        raise _mismatch(value, what, _KINDS[kind])
    return value


def text_in(value: Mapping[str, Any], key: str) -> str:
    """Return the text under a key, "" without one."""
    return expect(str, value.get(key), key)


def objects_in(value: Mapping[str, Any], key: str, what: str) -> list[dict[str, Any]]:
    """Return the objects of the list under a key; `what` names an item in errors."""
    return [expect(dict, item, what) for item in expect(list, value.get(key), key)]


def name_in(value: Mapping[str, Any], key: str) -> str | None:
    """Return the id or name under a key, if there is one; whole numbers are fine."""
    name = value.get(key)
    if name is None or name == "":
        return None
    if isinstance(name, int) and not isinstance(name, bool) and abs(name) < 2**64:
        return str(name)
    name = expect(str, name, key)
    if len(name) > LONGEST_NAME:
        raise InvalidInput(f"{key} has {len(name):,} characters, more than {LONGEST_NAME}.", HINT)
    return clean_name(name, key)


def time_in(value: Mapping[str, Any], key: str) -> datetime | None:
    """Return the time under a key, if there is one.

    It is an ISO text, in UTC where it names no zone, or a number of seconds or milliseconds since 1970.
    """
    time = value.get(key)
    if time is None or time == "":
        return None
    if isinstance(time, str) and len(time) <= LONGEST_MARK:
        return clean_time(time, key)
    if isinstance(time, bool) or not isinstance(time, (int, float)):
        raise _mismatch(time, key, "a time")
    try:
        seconds = time / 1_000 if abs(time) > MILLISECONDS else time
        if math.isfinite(seconds):
            return (EPOCH + timedelta(seconds=seconds)).astimezone(UTC)
    except OverflowError:
        pass
    raise InvalidInput(f"{key} is out of range.", HINT)


def title_in(value: Mapping[str, Any], key: str) -> str | None:
    """Return the title under a key in one line, shortened; None where there is no text."""
    return _one_line(value.get(key), LONGEST_NAME) or None


def mark(kind: str, name: object = None) -> str:
    """Return what stands for a part that is no text.

    >>> mark("image"), mark("file", "notes [old].txt")
    ('[image]', '[file: notes (old).txt]')
    """
    label = _one_line(name, LONGEST_MARK).replace("[", "(").replace("]", ")")
    return f"[{kind}: {label}]" if label else f"[{kind}]"


def _one_line(text: object, limit: int) -> str:
    """Return a text without control characters and broken Unicode, cut where it is too long."""
    if not isinstance(text, str):
        return ""
    visible = "".join(
        " " if unicodedata.category(char) in ("Cc", "Cs", "Zl", "Zp") else char for char in text[: 4 * limit]
    )
    line = " ".join(visible.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def branch(leaf: str, parents: Mapping[str, object]) -> list[str]:
    """Return the nodes from the root of a tree to a leaf; a parent that is not in it ends the branch."""
    nodes: dict[str, None] = {}
    node: object = leaf
    while isinstance(node, str) and node in parents:
        if node in nodes:
            raise InvalidInput(f"Its tree of messages runs in a circle, at {shown(node)}.", HINT)
        nodes[node] = None
        node = parents[node]
    return list(nodes)[::-1]


def shown(value: object) -> str:
    """Return a foreign value as an error shows it: at most 60 characters."""
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"


def _mismatch(value: object, what: str, wanted: str) -> InvalidInput:
    return InvalidInput(f"{what} is {_KINDS.get(type(value), 'null')}, not {wanted}.", HINT)
