"""Messages that others replaced: an edited one, an answer that was made again.

A message whose meta says `{"replaces": [first, last]}` stands for the messages of these numbers, which come before it.
They stay in the journal; only prompts no longer show them. What is no such range says nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from operator import itemgetter

from onrecord.records import Message

__all__ = ["Ranges", "is_replaced", "joined", "replaced_by"]

Ranges = Sequence[tuple[int, int]]
"""First and last numbers, in order and apart."""


def replaced_by(messages: Iterable[Message]) -> list[tuple[int, int]]:
    """What these messages replace."""
    given = [message for message in messages if message.meta and "replaces" in message.meta]
    return [span for message in given if (span := _span(message)) is not None]


def joined(ranges: Ranges, more: Ranges) -> Ranges:
    """Ranges and more of them, in order and apart."""
    found: list[tuple[int, int]] = []
    for first, last in sorted([*ranges, *more]):
        if found and first <= found[-1][1] + 1:
            found[-1] = found[-1][0], max(last, found[-1][1])
        else:
            found.append((first, last))
    return found


def is_replaced(ranges: Ranges, seq: int) -> bool:
    """Whether a number lies in one of the ranges."""
    at = bisect_right(ranges, seq, key=itemgetter(0)) - 1
    return at >= 0 and seq <= ranges[at][1]


def _span(message: Message) -> tuple[int, int] | None:
    given = message.meta["replaces"]
    if not isinstance(given, list) or [type(number) for number in given] != [int, int]:
        return None
    first, last = given
    return (first, last) if 1 <= first <= last < message.seq else None
