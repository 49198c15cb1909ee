"""The files of a JSON folder that are for people, as bytes and back; nothing here touches the disk.

A sheet is one JSON object: a few words about itself, then lists of entries, a line for each field of an entry, so that
version control shows what changed and nothing else. A sheet that people have edited is read with the line of each
entry, to be able to tell them where something is wrong.

What was written last is known by digests, one for the whole sheet and one for each entry (see `Written`): that tells
what a person changed, added or took out.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from math import isfinite
from typing import Any, NoReturn

from recollect.records import digest
from recollect.stores.json_folder.files import BROKEN, plain_json, seal, unseal

__all__ = [
    "CONVERSATIONS",
    "NotUnderstood",
    "Sheet",
    "Written",
    "entry_digest",
    "plain_name",
    "read_sheet",
    "sheet_bytes",
    "sheet_digest",
]

CONVERSATIONS = "conversations"  # the folder of a space's conversations
TAKEN = "lock sessions index con prn aux nul".split()  # names that mean something else here, or on some system
_PLAIN = re.compile("[a-z0-9]+(-[a-z0-9]+)*")
_DIGESTED = re.compile("(.*-)?[0-9a-f]{12}")  # the end of a name that was made
_SPACE = re.compile(r"[ \t\r\n]*")


class NotUnderstood(Exception):
    """Something in a sheet that cannot be taken in, and the line where it stands."""

    def __init__(self, line: int, why: str) -> None:
        super().__init__(why)
        self.line = line
        self.why = why


def plain_name(name: str) -> str:
    """A name for a file or folder: the name itself where it is safe on every system, otherwise what can be read of it
    with enough of a digest to be its own."""
    if len(name) <= 40 and _PLAIN.fullmatch(name) and not _DIGESTED.fullmatch(name) and name not in TAKEN:
        return name
    known = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub("[^a-z0-9]+", "-", known)[:40].strip("-")
    return f"{slug}-{digest(name)[:12]}".lstrip("-")


# Writing


def sheet_bytes(about: Mapping[str, Any], lists: Mapping[str, Sequence[Mapping[str, Any]]]) -> bytes:
    """The sheet: what it is about, then its lists."""
    parts = [b"  %s: %s" % (plain_json(name), plain_json(value)) for name, value in about.items()]
    parts += [b"  %s: %s" % (plain_json(name), _list(entries)) for name, entries in lists.items()]
    return b"{\n" + b",\n".join(parts) + b"\n}\n"


def _list(entries: Sequence[Mapping[str, Any]]) -> bytes:
    return b"[\n" + b",\n".join(_entry(entry) for entry in entries) + b"\n  ]" if entries else b"[]"


def _entry(entry: Mapping[str, Any]) -> bytes:
    if any(isinstance(value, (list, dict)) for value in entry.values()):  # what stands in these stays on one line
        fields = [b"%s: %s" % (plain_json(name), plain_json(value)) for name, value in entry.items()]
        return b"    {\n      " + b",\n      ".join(fields) + b"\n    }"
    return b"    {\n      " + plain_json(entry, ",\n      ")[1:-1] + b"\n    }"


# Reading


@dataclass(slots=True)
class Sheet:
    """What a sheet says."""

    about: dict[str, Any] = field(default_factory=dict)
    lists: dict[str, list[tuple[int, Any]]] = field(default_factory=dict)  # entries, each with its line


def read_sheet(raw: bytes) -> Sheet:
    """What a sheet says, however a person laid it out; raises NotUnderstood if it is no JSON object."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotUnderstood(raw.count(b"\n", 0, error.start) + 1, "this is not UTF-8 text") from None
    try:
        sheet, end = _object(text, _skip(text, 0), _Lines(text))
        if _skip(text, end) != len(text):
            raise json.JSONDecodeError("Extra data", text, end)
        return sheet
    except json.JSONDecodeError as error:
        raise NotUnderstood(error.lineno, f"this is not JSON: {error.msg}") from None
    except RecursionError:
        raise NotUnderstood(1, "lists stand in each other too deep") from None


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number")


def _finite(digits: str) -> float:
    value = float(digits)
    return value if isfinite(value) else _no_number(digits)


_decoder = json.JSONDecoder(parse_constant=_no_number, parse_float=_finite)


def _value(text: str, at: int) -> tuple[Any, int]:
    try:
        return _decoder.raw_decode(text, at)
    except json.JSONDecodeError:
        raise
    except ValueError as error:
        raise json.JSONDecodeError(str(error), text, at) from None


class _Lines:
    """Tells lines of a text, each search going on from where the last one ended."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._line = 1

    def line(self, at: int) -> int:
        """The line of a place that lies behind those asked for before."""
        self._line += self._text.count("\n", self._at, at)
        self._at = at
        return self._line


def _object(text: str, at: int, lines: _Lines) -> tuple[Sheet, int]:
    sheet = Sheet()
    at, more = _opened(text, at, "{", "}")
    while more:
        name, at = _value(text, at)
        at = _skip(text, at)
        if not isinstance(name, str) or text[at : at + 1] != ":":
            raise json.JSONDecodeError("Expecting a name and ':'", text, at)
        at = _skip(text, at + 1)
        if text[at : at + 1] == "[":
            sheet.lists[name], at = _entries(text, at, lines)
        else:
            sheet.about[name], at = _value(text, at)
        at, more = _next(text, at, "}")
    return sheet, at


def _entries(text: str, at: int, lines: _Lines) -> tuple[list[tuple[int, Any]], int]:
    found = []
    at, more = _opened(text, at, "[", "]")
    while more:
        line = lines.line(at)
        value, at = _value(text, at)
        found.append((line, value))
        at, more = _next(text, at, "]")
    return found, at


def _opened(text: str, at: int, begin: str, end: str) -> tuple[int, bool]:
    """Behind the beginning of an object or list, or behind its end if nothing is in it."""
    if text[at : at + 1] != begin:
        raise json.JSONDecodeError(f"Expecting '{begin}'", text, at)
    at = _skip(text, at + 1)
    return (at + 1, False) if text[at : at + 1] == end else (at, True)


def _next(text: str, at: int, end: str) -> tuple[int, bool]:
    """At the next item of an object or list, or behind its end."""
    at = _skip(text, at)
    if text[at : at + 1] == end:
        return at + 1, False
    if text[at : at + 1] != ",":
        raise json.JSONDecodeError(f"Expecting ',' or '{end}'", text, at)
    return _skip(text, at + 1), True


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return at if found is None else found.end()


# What was written last


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What a sheet said when it was written: digests, nothing of what it says. Where it is lost, nothing is: only what
    a person took out of the sheet cannot be told any more."""

    digest: str  # of the whole sheet
    entries: Mapping[str, str] = field(hash=False)  # a digest for each entry, by its name

    def to_bytes(self) -> bytes:
        return seal({"digest": self.digest, "entries": dict(self.entries)}) + b"\n"

    @classmethod
    def from_bytes(cls, raw: bytes) -> Written | None:
        """None if it was changed."""
        data = unseal(raw.strip())
        try:
            return None if data is None else cls(**data)
        except BROKEN:
            return None


def sheet_digest(raw: bytes) -> str:
    return blake2b(raw, digest_size=16).hexdigest()


def entry_digest(entry: Any) -> str:
    """The same for the same fields, in whatever order they stand."""
    return blake2b(json.dumps(entry, sort_keys=True).encode(), digest_size=8).hexdigest()
