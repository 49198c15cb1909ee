"""Columns over time: how much there was on each day, week, month or year, in layers above each other.

The unit is the smallest that leaves few enough columns to read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta

__all__ = ["Chart", "Layer", "TimeColumn", "chart_of", "rounded"]

WIDTH, HEIGHT = 960.0, 220.0  # of the drawing, in its own units
MOST = 36  # columns
GAP = 0.28  # of a column's width
LABELS = 8  # times that are written below, at most
WIDEST = 96.0  # a column, however few there are


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One part of a column."""

    name: str
    count: int
    y: float  # its upper edge
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeColumn:
    """What there was in one stretch of time."""

    label: str  # the stretch, as people say it
    x: float
    width: float
    total: int
    layers: tuple[Layer, ...]  # from below
    marked: str  # where its label stands below it: start or end; "": nowhere


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """The columns, and what the drawing says of them."""

    unit: str  # day, week, month or year
    most: int  # the height of the highest column, as a round number
    columns: tuple[TimeColumn, ...]
    width: float = WIDTH
    height: float = HEIGHT


def chart_of(counts: Mapping[date, Mapping[str, int]], names: Sequence[str]) -> Chart | None:
    """A chart of what there was by day, in layers of these names from below; None where there is nothing.

    >>> drawn = chart_of({date(2026, 5, 1): {"a": 3}, date(2026, 5, 3): {"a": 1, "b": 1}}, ["a", "b"])
    >>> drawn.unit, drawn.most, [(one.label, one.total) for one in drawn.columns]
    ('day', 3, [('1 May 2026', 3), ('2 May 2026', 0), ('3 May 2026', 2)])
    """
    days = sorted(day for day, many in counts.items() if any(many.values()))
    if not days:
        return None
    unit, start, later = _unit(days[0], days[-1])
    stretches = _stretches(start(days[0]), days[-1], later)
    sums = {first: dict.fromkeys(names, 0) for first in stretches}
    for day in days:
        for name in names:
            sums[start(day)][name] += counts[day].get(name, 0)
    most = rounded(max(sum(one.values()) for one in sums.values()))
    step = min(WIDTH / len(stretches), WIDEST / (1 - GAP))
    columns = [
        TimeColumn(
            label=_label(unit, first),
            x=round(at * step + step * GAP / 2, 2),
            width=round(step * (1 - GAP), 2),
            total=sum(sums[first].values()),
            layers=_layers(sums[first], most),
            marked=_marked(at, len(stretches)),
        )
        for at, first in enumerate(stretches)
    ]
    return Chart(unit=unit, most=most, columns=tuple(columns))


def _marked(at: int, many: int) -> str:
    every = -(-many // LABELS)
    if at % every:
        return ""
    return "end" if many > LABELS and at > many - every else "start"


def _layers(many: Mapping[str, int], most: int) -> tuple[Layer, ...]:
    made, y = [], HEIGHT
    for name, count in many.items():
        height = HEIGHT * count / most
        y -= height
        if count:
            made.append(Layer(name=name, count=count, y=round(y, 2), height=round(height, 2)))
    return tuple(made)


def rounded(most: int) -> int:
    """The next number over it that is easy to read.

    >>> [rounded(many) for many in (1, 7, 12, 43, 180, 2_600)]
    [1, 8, 20, 50, 200, 3000]
    """
    power = 1
    while True:
        for step in (1, 2, 3, 4, 5, 6, 8):
            if step * power >= most:
                return step * power
        power *= 10


# Stretches of time

Start = Callable[[date], date]


def _unit(first: date, last: date) -> tuple[str, Start, Start]:
    """The unit, where a day's stretch begins, and where the next one does."""
    days = (last - first).days
    if days < MOST:
        return "day", lambda day: day, lambda day: day + timedelta(1)
    if days < MOST * 7 - 6:
        return "week", lambda day: day - timedelta(day.weekday()), lambda day: day + timedelta(7)
    if (last.year - first.year) * 12 + last.month - first.month < MOST:
        return "month", lambda day: day.replace(day=1), lambda day: (day.replace(day=28) + timedelta(4)).replace(day=1)
    step = -(-(last.year - first.year + 1) // MOST)  # of very long times, some years together
    return (
        "year" if step == 1 else f"{step} years",
        lambda day: date(day.year - (day.year - first.year) % step, 1, 1),
        lambda day: date(min(day.year + step, 9999), 1, 1),
    )


def _stretches(first: date, last: date, later: Start) -> list[date]:
    found = [first]
    with suppress(OverflowError):  # the calendar ends with the year 9999
        while (following := later(found[-1])) <= last and following > found[-1]:
            found.append(following)
    return found


def _label(unit: str, first: date) -> str:
    if unit == "day":
        return f"{first:%-d %b} {first.year}"
    if unit == "week":
        return f"Week of {first:%-d %b} {first.year}"
    if unit == "month":
        return f"{first:%b} {first.year}"
    return str(first.year) if unit == "year" else f"From {first.year}"
