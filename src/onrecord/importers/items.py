"""JSON values out of a text that is too long to hold: of an array, of lines, or one after the other.

A value that cannot be read is told of, and reading goes on behind it. Nothing is held but the value at hand, and none
that is longer than `LONGEST`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Literal

__all__ = ["LONGEST", "Broken", "Layout", "layout_of", "lines_of", "values_of"]

LONGEST = 64 * 1024 * 1024
"""Characters of one value, which is one conversation."""

LONGEST_TOKEN = 16  # characters of a part of JSON that is not understood if it is cut: a word, an escape
LOOKED_AT = 10  # lines of which one must be JSON by itself, for the text to be one of lines

Layout = Literal["array", "lines", "values"]
Value = tuple[int, Any]
"""The number of a value, or of its line, from 1, and the value; or a Broken."""

_DECODER = json.JSONDecoder()
_VISIBLE = re.compile(r"\S")
_BETWEEN = re.compile(r"[\s,]*")
_OUTSIDE = re.compile(r'"[^"\\]*"|["\[\]{}]')
_INSIDE = re.compile(r'["\\]')
_LOOSE = re.compile(r"[\s,\]\[{}\"]")


@dataclass(frozen=True, slots=True)
class Broken:
    """A value that cannot be read."""

    why: str


def layout_of(chunks: Callable[[], Iterable[str]]) -> Layout | None:
    """How the values of a text stand in it; None: it holds nothing that looks like JSON."""
    first = next((found[0] for chunk in chunks() if (found := _VISIBLE.search(chunk))), "")
    if first != "{":
        return "array" if first == "[" else None
    lines = (line for _, line in lines_of(_beginning(chunks()), LONGEST) if line is not None and line.strip())
    return "lines" if any(_is_object(line) for line in islice(lines, LOOKED_AT)) else "values"


def _beginning(chunks: Iterable[str]) -> Iterator[str]:
    """As much of a text as one value may have."""
    length = 0
    for chunk in chunks:
        yield chunk
        length += len(chunk)
        if length > LONGEST:
            return


def _is_object(line: str) -> bool:
    """Whether a line by itself is an object; one that stands further right is a part of something."""
    return line.startswith("{") and isinstance(_parsed(line), dict)


def values_of(chunks: Iterable[str], layout: Layout, longest: int = LONGEST) -> Iterator[Value]:
    """The values of a text."""
    if layout == "lines":
        for number, line in lines_of(chunks, longest):
            if line is None:
                yield number, Broken(_too_long(longest))
            elif line.strip():
                yield number, _parsed(line)
        return
    yield from _Reader(chunks, longest).values(array=layout == "array")


def lines_of(chunks: Iterable[str], longest: int) -> Iterator[tuple[int, str | None]]:
    """Numbered lines; None for one that is too long."""
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


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        return Broken(f"It is not JSON: {error.msg[:1].lower()}{error.msg[1:]}.")
    except ValueError:
        return Broken("It holds a number that is too long.")
    except RecursionError:
        return Broken("It is nested too deeply.")


def _too_long(longest: int) -> str:
    return f"It has more than {longest:,} characters."


class _Reader:
    """Reads value after value, chunk by chunk."""

    def __init__(self, chunks: Iterable[str], longest: int) -> None:
        self._chunks = iter(chunks)
        self._longest = longest
        self._text = ""
        self._at = 0

    def values(self, *, array: bool) -> Iterator[Value]:
        if array and self._next() == "[":
            self._at += 1
        number = 0
        while char := self._next():
            if array and char == "]":
                return
            number += 1
            yield number, self._value()
        if array:
            yield number + 1, Broken("The file ends too early: it was cut off.")

    def _next(self) -> str:
        """The next character that is part of a value or ends the array; nothing at the end of the text."""
        while True:
            found = _BETWEEN.match(self._text, self._at)
            self._at = found.end() if found else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def _more(self) -> bool:
        """Go on to the next chunk that holds something."""
        self._text, self._at = next((chunk for chunk in self._chunks if chunk), ""), 0
        return bool(self._text)

    def _value(self) -> Any:
        if self._text[self._at] not in "[{":
            return self._loose()
        while True:
            try:
                value, end = _DECODER.raw_decode(self._text, self._at)
            except json.JSONDecodeError as error:
                if not (self._may_go_on(error) and self._grow()):
                    return self._found()
            except (ValueError, RecursionError):
                return self._found()
            else:
                length, self._at = end - self._at, end
                return value if length <= self._longest else Broken(_too_long(self._longest))

    def _may_go_on(self, error: json.JSONDecodeError) -> bool:
        """Whether it is for the end of the chunk that a value cannot be read."""
        return error.pos >= len(self._text) - LONGEST_TOKEN or error.msg.startswith("Unterminated string")

    def _grow(self) -> bool:
        """Have twice as much of the text at hand, so that reading a long value again and again stays cheap."""
        length = len(self._text) - self._at
        if length > self._longest:
            return False
        parts = [self._text[self._at :]]
        for chunk in self._chunks:
            parts.append(chunk)
            length -= len(chunk)
            if length <= 0:
                break
        self._text, self._at = "".join(parts), 0
        return len(parts) > 1

    def _found(self) -> Any:
        """A value that is not JSON, or too long: its end is looked for, so that reading can go on behind it."""
        scanner = _Scanner()
        parts: list[str] = []
        length = 0
        while True:
            end = scanner.end(self._text, self._at)
            part = self._text[self._at : len(self._text) if end is None else end]
            length += len(part)
            if length <= self._longest:
                parts.append(part)
            else:
                parts.clear()
            if end is not None:
                self._at = end
                return _parsed("".join(parts)) if length <= self._longest else Broken(_too_long(self._longest))
            if not self._more():
                return Broken("The file ends in the middle of it.")

    def _loose(self) -> Any:
        """Something that is neither an object nor an array: none of it is of use, so it is only passed over."""
        quoted = self._text[self._at] == '"'
        scanner = _Scanner(quoted=quoted)
        self._at += 1
        while True:
            end = scanner.end(self._text, self._at) if quoted else _loose_end(self._text, self._at)
            if end is not None or not self._more():
                self._at = len(self._text) if end is None else end
                return Broken("It is neither an object nor a list.")


def _loose_end(text: str, at: int) -> int | None:
    found = _LOOSE.search(text, at)
    return found.start() if found else None


class _Scanner:
    """Finds where a value ends, whatever nonsense it holds, in texts that follow each other."""

    def __init__(self, *, quoted: bool = False) -> None:
        self._depth = 0
        self._quoted = quoted
        self._escaped = False  # the first character of the next text is

    def end(self, text: str, at: int) -> int | None:
        """The place behind the value; None: it is not in this text."""
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
