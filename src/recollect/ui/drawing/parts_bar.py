"""Scores as bars: what each is the sum of, all on one scale, what speaks against to the left of nought."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["WIDTH", "Bar", "Segment", "bars"]

WIDTH = 1_000.0
"""Units across a bar; how wide they are drawn is the page's affair."""


@dataclass(frozen=True, slots=True)
class Segment:
    """One part of a score."""

    name: str
    value: float
    x: float  # where it begins
    width: float


@dataclass(frozen=True, slots=True)
class Bar:
    """One score."""

    zero: float  # where nought is
    segments: tuple[Segment, ...]


def bars(scores: Sequence[Mapping[str, float]]) -> list[Bar]:
    """A bar for each score, in the order of its parts. What is nought has no width.

    >>> [(one.x, one.width) for one in bars([{"words": 3.0, "speaker": -1.0}])[0].segments]
    [(250.0, 750.0), (0.0, 250.0)]
    """
    under = max((-_sum(parts, -1) for parts in scores), default=0.0)
    over = max((_sum(parts, 1) for parts in scores), default=0.0)
    unit = WIDTH / (under + over) if under + over > 0 else 0.0
    return [_bar(parts, under * unit, unit) for parts in scores]


def _sum(parts: Mapping[str, float], sign: int) -> float:
    return sum(value for value in parts.values() if value * sign > 0)


def _bar(parts: Mapping[str, float], zero: float, unit: float) -> Bar:
    left = right = zero
    segments = []
    for name, value in parts.items():
        width = abs(value) * unit
        if value < 0:
            left -= width
        segments.append(Segment(name, value, left if value < 0 else right, width))
        if value > 0:
            right += width
    return Bar(zero, tuple(segments))
