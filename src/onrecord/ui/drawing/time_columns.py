"""Columns over time: how much there was on each day, week, month or year. The unit leaves few enough to read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta
from typing import NamedTuple

__all__ = ["HEIGHT", "WIDTH", "Chart", "TimeColumn", "chart_of", "rounded"]

WIDTH, HEIGHT = 960.0, 220.0  # of the drawing, in its own units
COLUMNS = 36
GAP = 0.28  # of a column's width
LABELS = 8
WIDEST = 96.0  # a column, however few there are


class TimeColumn(NamedTuple):
    """What there was in one period."""

    label: str
    x: float
    width: float
    counts: Counter[str]  # by name
    marked: str  # where the label below is anchored: start or end; "": there is none


@dataclass(frozen=True, slots=True)
class Chart:
    """The columns of a chart."""

    unit: str  # day, week, month or year
    top: int  # the highest value, as a round number
    columns: list[TimeColumn]
    width: float = WIDTH
    height: float = HEIGHT


class TimeUnit(NamedTuple):
    """A unit of time."""

    name: str
    start: Callable[[date], date]  # of the period of a day
    step: timedelta  # from a start into the next period
    label: Callable[[date], str]


def chart_of(days: Mapping[date, Counter[str]]) -> Chart | None:
    """Return a chart of counts by day and name; None if there is nothing.

    >>> drawn = chart_of({date(2026, 5, 1): Counter(a=3), date(2026, 5, 3): Counter(a=1, b=1)})
    >>> drawn.unit, drawn.top, [(column.label, column.counts.total()) for column in drawn.columns]
    ('day', 3, [('1 May 2026', 3), ('2 May 2026', 0), ('3 May 2026', 2)])
    """
    counted = sorted(day for day, counts in days.items() if counts.total())
    if not counted:
        return None
    unit = _unit(counted[0], counted[-1])
    sums = {first: Counter[str]() for first in _starts(unit, counted[0], counted[-1])}
    for day in counted:
        sums[unit.start(day)] += days[day]
    step = min(WIDTH / len(sums), WIDEST / (1 - GAP))
    width, every = round(step * (1 - GAP), 2), -(-len(sums) // LABELS)
    columns = []
    for at, (first, counts) in enumerate(sums.items()):
        anchor = "end" if every > 1 and at > len(sums) - every else "start"
        marked = "" if at % every else anchor
        columns.append(TimeColumn(unit.label(first), round(at * step + step * GAP / 2, 2), width, counts, marked))
    return Chart(unit.name, rounded(max(counts.total() for counts in sums.values())), columns)


def _unit(first: date, last: date) -> TimeUnit:
    days = (last - first).days
    if days < COLUMNS:
        return TimeUnit("day", lambda day: day, timedelta(1), lambda day: f"{day:%-d %b} {day.year}")
    if days < COLUMNS * 7 - 6:
        monday = TimeUnit("week", lambda day: day - timedelta(day.weekday()), timedelta(7), str)
        return monday._replace(label=lambda day: f"Week of {day:%-d %b} {day.year}")
    if (last.year - first.year) * 12 + last.month - first.month < COLUMNS:
        return TimeUnit("month", lambda day: day.replace(day=1), timedelta(32), lambda day: f"{day:%b} {day.year}")
    years = -(-(last.year - first.year + 1) // COLUMNS)  # of very long times, some together

    def start(day: date) -> date:
        return date(day.year - (day.year - first.year) % years, 1, 1)

    if years == 1:
        return TimeUnit("year", start, timedelta(366), lambda day: str(day.year))
    return TimeUnit(f"{years} years", start, timedelta(366 * years), lambda day: f"From {day.year}")


def _starts(unit: TimeUnit, first: date, last: date) -> list[date]:
    starts = [unit.start(first)]
    with suppress(OverflowError):  # the calendar ends with the year 9999
        while (following := unit.start(starts[-1] + unit.step)) <= last:
            starts.append(following)
    return starts


def rounded(value: int) -> int:
    """Return the next number that is easy to read.

    >>> [rounded(value) for value in (1, 7, 12, 43, 180, 2_600)]
    [1, 8, 20, 50, 200, 3000]
    """
    power = int(10 ** (len(str(value)) - 1))
    return next(step * power for step in (1, 2, 3, 4, 5, 6, 8, 10) if step * power >= value)
