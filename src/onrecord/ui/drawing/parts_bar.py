"""Scores as bars: what each is the sum of. A score with a probability is as long as that, of a full bar; others are on
one scale, what speaks against to the left of nought."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

__all__ = ["WIDTH", "ScoreBar", "Segment", "bars", "probability_bar"]

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
class ScoreBar:
    """One score."""

    zero: float  # where nought is
    segments: tuple[Segment, ...]


def bars(scores: Sequence[Mapping[str, float]]) -> list[ScoreBar]:
    """A bar for each score, in the order of its parts. What is nought has no width.

    >>> [(one.x, one.width) for one in bars([{"words": 3.0, "speaker": -1.0}])[0].segments]
    [(250.0, 750.0), (0.0, 250.0)]
    """
    under = max((-_sum(parts, -1) for parts in scores), default=0.0)
    over = max((_sum(parts, 1) for parts in scores), default=0.0)
    unit = WIDTH / (under + over) if under + over > 0 else 0.0
    return [_bar(parts, under * unit, unit) for parts in scores]


def probability_bar(parts: Mapping[str, float], probability: float) -> ScoreBar:
    """A bar as long as the probability, shared by what speaks for it; what speaks against has no width.

    >>> [(one.x, one.width) for one in probability_bar({"words": 3.0, "near": 1.0, "self": -1.0}, 0.4).segments]
    [(0.0, 300.0), (300.0, 100.0), (400.0, 0.0)]
    """
    unit = probability * WIDTH / (_sum(parts, 1) or 1.0)
    ends = list(accumulate((max(0.0, value) * unit for value in parts.values()), initial=0.0))
    segments = zip(parts.items(), pairwise(ends), strict=True)
    return ScoreBar(0.0, tuple(Segment(name, value, start, end - start) for (name, value), (start, end) in segments))


def _sum(parts: Mapping[str, float], sign: int) -> float:
    return sum(value for value in parts.values() if value * sign > 0)


def _bar(parts: Mapping[str, float], zero: float, unit: float) -> ScoreBar:
    left = right = zero
    segments = []
    for name, value in parts.items():
        width = abs(value) * unit
        if value < 0:
            left -= width
        segments.append(Segment(name, value, left if value < 0 else right, width))
        if value > 0:
            right += width
    return ScoreBar(zero, tuple(segments))
