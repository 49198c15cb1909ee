"""Facts over time: since when each value of a thing holds, and on how many days something was said.

Every drawing is 1,000 units wide and is stretched to the page by its template; words stand next to it, not in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

__all__ = ["DayColumn", "LifeBar", "lifelines", "tide"]

WIDE = 1000.0
THIN = 8.0  # the least that can be seen, and met with a finger


class LifeBar(NamedTuple):
    """Where the line of a value runs."""

    x: float
    width: float


def lifelines(
    lives: Sequence[tuple[datetime, datetime | None]], now: datetime, marks: int = 4
) -> tuple[list[LifeBar], list[datetime]]:
    """Return a bar for each beginning and end, and moments at even distances from the left end to the right.

    The scale runs from the first beginning to now, or to the last end.

    >>> from datetime import UTC
    >>> day = lambda n: datetime(2026, 5, n, tzinfo=UTC)
    >>> lifelines([(day(1), day(6))], day(11))[0]
    [LifeBar(x=0.0, width=500.0)]
    """
    first = min(since for since, _ in lives)
    last = max(now, *(since for since, _ in lives), *(until for _, until in lives if until))
    unit = WIDE / max((last - first).total_seconds(), 1.0)
    bars = []
    for since, until in lives:
        width = min(WIDE, max(THIN, unit * ((until or last) - since).total_seconds()))
        x = min(unit * (since - first).total_seconds(), WIDE - width)
        bars.append(LifeBar(round(x, 2), round(width, 2)))
    step = (last - first) / (marks - 1)
    return bars, [*(first + step * mark for mark in range(marks - 1)), last]


class DayColumn(NamedTuple):
    """How much was said on some days."""

    x: float
    width: float
    height: float  # from 0 to 100
    facts: int
    first: date
    last: date


def tide(days: Iterable[date], first: date, last: date, limit: int = 120) -> list[DayColumn]:
    """Return how often each day comes, in at most `limit` columns; those without any are left out.

    >>> [(c.x, c.width, c.height) for c in tide([date(2026, 5, 1)] * 2 + [date(2026, 5, 4)],
    ...     date(2026, 5, 1), date(2026, 5, 4))]
    [(0.0, 250.0, 100.0), (750.0, 250.0, 50.0)]
    """
    total = (last - first).days + 1
    each = -(-total // limit)
    counts = Counter((day - first).days // each for day in days)
    highest = max(counts.values(), default=1)
    width = WIDE * each / total
    return [
        DayColumn(
            x=round(width * at, 2),
            width=round(min(width, WIDE - width * at), 2),
            height=round(100 * count / highest, 1),
            facts=count,
            first=first + timedelta(days=at * each),
            last=first + timedelta(days=min(at * each + each, total) - 1),
        )
        for at, count in sorted(counts.items())
    ]
