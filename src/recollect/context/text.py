"""Remembered text, made fit to stand in a prompt: one line, inside a block that it cannot close, and short enough."""

from __future__ import annotations

import re
from typing import Protocol

from recollect.policy.sentences import sentences

__all__ = ["CLOSE", "GONE", "MARK", "OPEN", "condensed", "one_line", "short_summary", "shortened"]

OPEN, CLOSE = "<memory>", "</memory>"
MARK = " […] "
"""Stands where a text was cut."""

WORD = 24  # characters within which a cut looks for the end of a word

GONE = "…"
"""Stands for a text of which nothing fits."""

_TAG = re.compile("<(?=[\\W_]{0,4}" + "[\\W_]{0,2}".join("memory") + ")", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")


def one_line(text: str) -> str:
    """Text as one line of the memory block. It cannot end the line, and nothing in it can look like the block's own
    marks: an opening bracket before anything that reads like them becomes another character."""
    line = " ".join(_CONTROL.sub(" ", text).split())
    return _TAG.sub("‹", line) if "<" in line else line


def condensed(text: str, most: int) -> str:
    """Text as one line of at most `most` characters, its middle left out if need be."""
    line = one_line(text)
    if len(line) <= most:
        return line
    head = (most - len(MARK)) * 2 // 3
    return one_line(_head(line, head) + MARK + _tail(line, most - len(MARK) - head))


class Counts(Protocol):
    """Whatever counts the tokens of a text."""

    def text(self, text: str) -> int: ...


def shortened(text: str, tokens: int, counter: Counts) -> str:
    """Text of at most `tokens` tokens: its middle left out, with a mark there; its beginning alone where even that does
    not fit."""
    if tokens <= 0 or not text:
        return ""
    reach = tokens * 16  # characters; the most that so many tokens of ordinary text have, from either side
    if len(text) <= 2 * reach and counter.text(text) <= tokens:
        return text
    low, high = 0, min(reach, (len(text) - 1) // 2)
    while low < high:  # how many characters of either side fit
        middle = (low + high + 1) // 2
        low, high = (middle, high) if counter.text(_cut(text, middle)) <= tokens else (low, middle - 1)
    if low > 0 and counter.text(_cut(text, low)) <= tokens:
        return _cut(text, low)
    sizes = range(min(len(text), 8 * tokens), 0, -1)
    head = next((text[:size] for size in sizes if counter.text(text[:size]) <= tokens), "")
    return head or (GONE if counter.text(GONE) <= tokens else "")


def _first_sentences(text: str, tokens: int, counter: Counts) -> str:
    """The sentences with which a text begins, as many as fit: who said what stays clear, unlike in a cut middle."""
    kept: list[str] = []
    for sentence in sentences(text):
        if counter.text(" ".join([*kept, sentence, GONE])) > tokens:
            break
        kept.append(sentence)
    return " ".join([*kept, GONE]) if kept else shortened(text, tokens, counter)


def short_summary(text: str, tokens: int, counter: Counts) -> str:
    """The first sentences of a summary; which messages it stands for, and when they were said, stays."""
    label, end, rest = text.partition("] ")
    label = label + end if end and text.startswith("[") else ""
    left = tokens - counter.text(label)
    if label and left > 0:
        return label + _first_sentences(rest, left, counter)
    return _first_sentences(text, tokens, counter)


def _cut(text: str, size: int) -> str:
    return _head(text, size) + MARK + _tail(text, size)


def _head(text: str, size: int) -> str:
    """The beginning, up to the end of a word where one ends near enough."""
    space = text.rfind(" ", max(0, size - WORD), size + 1)
    return text[: space if space > 0 else size].rstrip()


def _tail(text: str, size: int) -> str:
    start = len(text) - size
    space = text.find(" ", max(0, start - 1), start + WORD)
    return text[space if space >= 0 else start :].lstrip()
