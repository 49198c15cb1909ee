"""Tokens by turn, as two lines below each other: the prompts that were sent, and all that was said until then.

Places across are percentages of the drawing's width, and places down are pixels, so that it fits any screen without
being stretched.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from onrecord.ui.drawing.time_columns import rounded

__all__ = ["HEIGHT", "Plot", "PlotMark", "PlottedTurn", "plot_of"]

HEIGHT = 200
"""Pixels from the highest number down to nought."""

TICKS = 3  # numbers at the side, at most


@dataclass(frozen=True, slots=True, kw_only=True)
class PlottedTurn:
    """What one turn takes."""

    number: int  # of the turns of its conversation
    seq: int  # of the user's message
    memory: int  # tokens of its prompt
    whole: int  # tokens of all that was said until then


@dataclass(frozen=True, slots=True, kw_only=True)
class PlotMark:
    """A turn in the drawing."""

    turn: PlottedTurn
    x: float  # percent
    memory_y: float  # pixels from above
    whole_y: float
    start: float  # percent; from here on, a pointer is nearest to it
    width: float  # percent


@dataclass(frozen=True, slots=True, kw_only=True)
class Plot:
    """The two lines, and the budget as a third."""

    ticks: tuple[tuple[int, float], ...]  # round numbers of tokens, and where they stand
    budget_y: float
    marks: tuple[PlotMark, ...]
    memory: str  # the lines, as places of a path that is a hundred wide
    whole: str
    height: int = HEIGHT


def plot_of(turns: Sequence[PlottedTurn], budget: int) -> Plot:
    """The drawing of two turns or more in their order.

    >>> turns = [PlottedTurn(number=n, seq=2 * n - 1, memory=30, whole=30 * n) for n in (1, 2, 3)]
    >>> drawn = plot_of(turns, budget=60)
    >>> drawn.ticks, drawn.budget_y, drawn.whole
    (((30, 133.3), (60, 66.7), (90, 0.0)), 66.7, '0.0 133.3 L 50.0 66.7 L 100.0 0.0')
    """
    most = max(budget, *(max(turn.memory, turn.whole) for turn in turns))
    step = rounded(-(-most // TICKS))
    first, last = turns[0].number, turns[-1].number
    places = [round(100 * (turn.number - first) / (last - first), 2) for turn in turns]
    middles = [(left + right) / 2 for left, right in pairwise(places)]
    marks = [
        PlotMark(
            turn=turn,
            x=x,
            memory_y=_down(turn.memory, most),
            whole_y=_down(turn.whole, most),
            start=round(start, 2),
            width=round(end - start, 2),
        )
        for turn, x, start, end in zip(turns, places, [0.0, *middles], [*middles, 100.0], strict=True)
    ]
    return Plot(
        ticks=tuple((tokens, _down(tokens, most)) for tokens in range(step, most + 1, step)),
        budget_y=_down(budget, most),
        marks=tuple(marks),
        memory=_path((mark.x, mark.memory_y) for mark in marks),
        whole=_path((mark.x, mark.whole_y) for mark in marks),
    )


def _down(tokens: int, most: int) -> float:
    return round(HEIGHT * (1 - tokens / most), 1)


def _path(places: Iterable[tuple[float, float]]) -> str:
    return " L ".join(f"{x} {y}" for x, y in places)
