"""JSON values out of a text that is too long to hold: the items of an array, or objects that begin their lines.

A value that cannot be read becomes a `Broken`, and reading goes on behind it. Only the current value is in memory, and
none that is longer than `LONGEST`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, cast

__all__ = ["LONGEST", "Broken", "JsonArray", "line_values", "lines_of"]

LONGEST = 64 * 1024 * 1024
"""Characters of one value, which is one conversation."""

Value = tuple[int, Any]
"""The number of an item, or of the line where an object begins, from 1; and the value or a `Broken`."""

_DECODER = json.JSONDecoder()
_BETWEEN = re.compile(r"[\s,]*")
_INDENTED = ("", " ", "\t", "\r", "]", "}")  # how a line begins that goes on with the value above it
_OUTSIDE = re.compile(r'"[^"\\]*"|["\[\]{}]')
_INSIDE = re.compile(r'["\\]')
_LOOSE = re.compile(r"[\s,\]\[{}\"]")


@dataclass(frozen=True, slots=True)
class Broken:
    """A value that cannot be read."""

    why: str


def line_values(chunks: Iterable[str], longest: int = LONGEST) -> Iterator[Value]:
    """Yield the values of a text of which each begins a line; of a value on several lines the others are indented."""
    for number, text in _blocks(chunks, longest):
        if text is None:
            yield number, _too_long(longest)
            continue
        at = _gap_end(text, 0)
        while at < len(text):
            value, at = _decoded(text, at)
            yield number, value
            at = _gap_end(text, at)


def _blocks(chunks: Iterable[str], longest: int) -> Iterator[tuple[int, str | None]]:
    """Yield each line with the indented ones below it; None for what is too long."""
    first, block = 1, cast("str | None", "")
    for number, line in lines_of(chunks, longest):
        if line is None or line[:1] not in _INDENTED:
            yield first, block
            first, block = number, line
        elif block is not None:
            block += "\n" + line
            block = block if len(block) <= longest else None
    yield first, block


def lines_of(chunks: Iterable[str], longest: int) -> Iterator[tuple[int, str | None]]:
    """Yield numbered lines; None for one that is too long."""
    parts: list[str] = []
    length, number = 0, 1
    for chunk in chunks:
        first, *others = chunk.split("\n")
        length += len(first)
        parts.append(first)
        if length > longest:
            parts.clear()
        for other in others:
            yield number, None if length > longest else "".join(parts)
            number, length, parts = number + 1, len(other), [other]
    yield number, None if length > longest else "".join(parts)


def _gap_end(text: str, at: int) -> int:
    """Return the place behind the spaces and commas that stand between values."""
    found = _BETWEEN.match(text, at)
    return found.end() if found else at


def _decoded(text: str, at: int) -> tuple[Any, int]:
    """Return the value at a place and where it ends; behind a `Broken` that is the text's end."""
    try:
        value, end = _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        why = f"It is not JSON: {error.msg[:1].lower()}{error.msg[1:]}."
    except ValueError:
        why = "It holds a number that is too long."
    except RecursionError:
        why = "It is nested too deeply."
    else:
        return (value if isinstance(value, (dict, list)) else _no_container()), end
    return Broken(why), len(text)


def _no_container() -> Broken:
    return Broken("It is neither an object nor a list.")


def _too_long(longest: int) -> Broken:
    return Broken(f"It has more than {longest:,} characters.")


class JsonArray:
    """Reads the items of a JSON array, chunk by chunk."""

    def __init__(self, chunks: Iterable[str], longest: int = LONGEST) -> None:
        self._chunks = iter(chunks)
        self._longest = longest
        self._text = ""
        self._at = 0

    def values(self) -> Iterator[Value]:
        self._next()
        self._at += 1  # behind the bracket
        number = 1
        while char := self._next():
            if char == "]":
                return
            yield number, self._value()
            number += 1
        yield number, Broken("The file ends too early: it was cut off.")

    def _next(self) -> str:
        """Go to the next character that begins an item or ends the array, and return it; "" at the end of the text."""
        while True:
            self._at = _gap_end(self._text, self._at)
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def _more(self) -> bool:
        """Go on to the next chunk that is not empty."""
        self._text, self._at = next((chunk for chunk in self._chunks if chunk), ""), 0
        return bool(self._text)

    def _value(self) -> Any:
        """Take the item that begins here, whatever nonsense it holds, so that reading can go on behind it."""
        scanner = _ItemScanner(self._text[self._at])
        parts: list[str] = []
        length = 0
        while (end := scanner.end(self._text, self._at)) is None:
            length += len(self._text) - self._at
            parts.append(self._text[self._at :])
            if length > self._longest:
                parts.clear()
            if not self._more():
                return Broken("The file ends in the middle of it.")
        length += end - self._at
        text = "".join(parts) + self._text[self._at : end]
        self._at = end
        if scanner.loose:
            return _no_container()
        return _too_long(self._longest) if length > self._longest else _decoded(text, 0)[0]


class _ItemScanner:
    """Finds where an item of an array ends, in chunks that follow each other."""

    def __init__(self, first: str) -> None:
        self.loose = first not in "[{"  # a number, a word or a text: none of it is of use
        self._bare = self.loose and first != '"'
        self._begun = False
        self._depth = 0
        self._quoted = False
        self._escaped = False  # the first character of the next chunk is

    def end(self, text: str, at: int) -> int | None:
        """Return the place behind the item; None if it is not in this chunk."""
        if self._bare:
            found = _LOOSE.search(text, at if self._begun else at + 1)
            self._begun = True
            return found.start() if found else None
        if self._escaped and at < len(text):
            at, self._escaped = at + 1, False
        while found := (_INSIDE if self._quoted else _OUTSIDE).search(text, at):
            at = found.end()
            char = found[0]
            if char == "\\":
                self._escaped = at >= len(text)
                at += 1
            elif char == '"':
                self._quoted = not self._quoted
            elif len(char) == 1:  # anything longer is a whole text
                self._depth += 1 if char in "[{" else -1
            if self._depth <= 0 and not self._quoted:
                return at
        return None
