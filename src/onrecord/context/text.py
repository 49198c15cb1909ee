"""Remembered text, made fit to stand in a prompt: one line, inside a block that it cannot close, and short enough."""

from __future__ import annotations

import re
from typing import Protocol

from onrecord.policy.display import indented, untagged, visible
from onrecord.policy.sentences import GONE, beginning, head

__all__ = ["CLOSE", "OPEN", "clipped", "condensed", "one_line", "quoted", "short_summary", "shortened", "spoken"]

TAG = "memory"
OPEN, CLOSE = f"<{TAG}>", f"</{TAG}>"
MARK = " […] "
"""Stands where something that was said was cut."""

WORD = 24  # characters within which a cut looks for the start of a word


def one_line(text: str) -> str:
    """Text as one line of the memory block. It cannot end the line, holds nothing that people do not see, and nothing
    in it can look like the block's own marks."""
    return untagged(" ".join(visible(text).split()), TAG)


def quoted(text: str) -> str:
    """Text with its lines and their indentation, each behind a mark of quotation: none can look like a heading, a role
    or a line of the block, nor anything in it like the block's own marks."""
    lines = re.split(r"\r\n?|\n", text.strip("\r\n"))
    return untagged("\n".join(f"> {visible(line)}".rstrip() for line in lines), TAG)


def spoken(text: str) -> str:
    """What was said, fit to stand beside what others say: its further lines are behind a space, so that none can pass
    for another speaker's, and nothing looks like the block's own marks."""
    return indented(untagged(text, TAG))


def condensed(text: str, most: int) -> str:
    """What was said as one line of at most `most` characters, its middle left out if need be."""
    line = one_line(text)
    if len(line) <= most:
        return line
    front = (most - len(MARK)) * 2 // 3
    return one_line(head(line, front) + MARK + _tail(line, most - len(MARK) - front))


def clipped(text: str, most: int) -> str:
    """What is derived as one line of at most `most` characters: its first sentences."""
    line = one_line(text)
    return line if len(line) <= most else one_line(beginning(line, lambda part: len(part) <= most))


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
    front = next((text[:size] for size in sizes if counter.text(text[:size]) <= tokens), "")
    return front or (GONE if counter.text(GONE) <= tokens else "")


def short_summary(text: str, tokens: int, counter: Counts) -> str:
    """The first sentences of a summary; which messages it stands for, and when they were said, stays."""
    label, end, rest = text.partition("] ")
    label = label + end if end and text.startswith("[") else ""
    left = tokens - counter.text(label)
    if not label or left <= 0:
        label, left, rest = "", tokens, text
    return label + beginning(rest, lambda part: counter.text(part) <= left)


def _cut(text: str, size: int) -> str:
    return head(text, size) + MARK + _tail(text, size)


def _tail(text: str, size: int) -> str:
    start = len(text) - size
    space = text.find(" ", max(0, start - 1), start + WORD)
    return text[space if space >= 0 else start :].lstrip()
