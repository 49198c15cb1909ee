"""Lines through time and through a conversation: since when something held, when things were said, what happened where.

Every drawing is 1,000 units wide and is stretched to the page by its template; words stand beside it, not in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

__all__ = [
    "DayColumn",
    "Life",
    "LifeBar",
    "LifeEvent",
    "LifeStretch",
    "Lifelines",
    "Stretches",
    "lifelines",
    "stretches",
    "tide",
]

WIDE = 1000.0
THIN = 8.0  # the least that can be seen, and met with a finger
LANE = 44.0  # height of a lane of stretches
LOW = 8.0  # height of what hardly mattered


@dataclass(frozen=True, slots=True, kw_only=True)
class Life:
    """Something that held for a time."""

    id: str
    since: datetime
    until: datetime | None = None  # None: it still does


@dataclass(frozen=True, slots=True, kw_only=True)
class LifeBar:
    """Where its line runs."""

    id: str
    x: float
    width: float
    open: bool  # it has no end yet


@dataclass(frozen=True, slots=True, kw_only=True)
class Lifelines:
    """Lines that share one scale."""

    bars: tuple[LifeBar, ...]
    days: tuple[datetime, ...]  # moments at even distances, from the left end to the right


def lifelines(lives: Sequence[Life], now: datetime, marks: int = 4) -> Lifelines:
    """A bar for each, in the given order; the scale goes from the first beginning to now, or to the last end.

    >>> from datetime import UTC
    >>> day = lambda n: datetime(2026, 5, n, tzinfo=UTC)
    >>> [bar] = lifelines([Life(id="a", since=day(1), until=day(6))], day(11)).bars
    >>> bar.x, bar.width, bar.open
    (0.0, 500.0, False)
    """
    if not lives:
        return Lifelines(bars=(), days=())
    first = min(one.since for one in lives)
    last = max([now, *(one.since for one in lives), *(one.until for one in lives if one.until is not None)])
    whole = max((last - first).total_seconds(), 1.0)

    def at(moment: datetime) -> float:
        return WIDE * (moment - first).total_seconds() / whole

    bars = [_bar(one.id, at(one.since), at(one.until or last), one.until is None) for one in lives]
    step = (last - first) / (marks - 1)
    return Lifelines(bars=tuple(bars), days=(*(first + step * mark for mark in range(marks - 1)), last))


def _bar(id: str, start: float, end: float, open: bool) -> LifeBar:
    width = min(WIDE, max(THIN, end - start))
    return LifeBar(id=id, x=round(min(start, WIDE - width), 2), width=round(width, 2), open=open)


@dataclass(frozen=True, slots=True, kw_only=True)
class DayColumn:
    """How much was said in some days."""

    x: float
    width: float
    height: float  # from 0 to 100, the most being 100
    count: int
    first: date
    last: date


def tide(days: Iterable[date], first: date, last: date, most: int = 120) -> tuple[DayColumn, ...]:
    """How often each day comes, from the first to the last, several in a column where there are many; empty columns
    are left out.

    >>> [(c.x, c.width, c.height) for c in tide([date(2026, 5, 1)] * 2 + [date(2026, 5, 4)],
    ...     date(2026, 5, 1), date(2026, 5, 4))]
    [(0.0, 250.0, 100.0), (750.0, 250.0, 50.0)]
    """
    total = (last - first).days + 1
    each = -(-total // most)
    counts = Counter((day - first).days // each for day in days)
    highest = max(counts.values(), default=1)
    wide = WIDE * each / total
    return tuple(
        DayColumn(
            x=round(wide * at, 2),
            width=round(min(wide, WIDE - wide * at), 2),
            height=round(100 * count / highest, 1),
            count=count,
            first=first + timedelta(days=at * each),
            last=first + timedelta(days=min(at * each + each, total) - 1),
        )
        for at, count in sorted(counts.items())
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class LifeEvent:
    """Something that happened in messages of a conversation."""

    id: str
    first: int
    last: int
    weight: float  # how much it mattered, from 0 to 1


@dataclass(frozen=True, slots=True, kw_only=True)
class LifeStretch:
    """Where it is drawn: the more it mattered, the higher."""

    id: str
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretches:
    """A conversation as a line."""

    height: float
    lanes: tuple[float, ...]  # the ground of each lane
    stretches: tuple[LifeStretch, ...]


def stretches(told: Sequence[LifeEvent], messages: int) -> Stretches:
    """What happened, over the numbers of the messages; what happened at once stands in lanes above each other.

    >>> drawn = stretches([Told(id="a", first=1, last=50, weight=1), Told(id="b", first=40, last=60, weight=0)], 100)
    >>> [(one.id, one.x, one.y, one.width, one.height) for one in drawn.stretches]
    [('a', 0.0, 0.0, 500.0, 40.0), ('b', 390.0, 76.0, 210.0, 8.0)]
    """
    ends: list[float] = []  # of each lane
    placed: list[tuple[LifeEvent, int, float, float]] = []
    for one in sorted(told, key=lambda one: (one.first, -one.last, one.id)):
        start = WIDE * (max(one.first, 1) - 1) / max(messages, 1)
        width = min(WIDE, max(THIN, WIDE * (one.last - one.first + 1) / max(messages, 1)))
        start = max(0.0, min(start, WIDE - width))
        lane = next((number for number, end in enumerate(ends) if end <= start + 0.01), len(ends))
        ends[lane : lane + 1] = [start + width]
        placed.append((one, lane, start, width))
    drawn = tuple(_stretch(*place) for place in placed)
    count = max(len(ends), 1)
    return Stretches(height=count * LANE, lanes=tuple(LANE * (lane + 1) - 4 for lane in range(count)), stretches=drawn)


def _stretch(one: LifeEvent, lane: int, x: float, width: float) -> LifeStretch:
    height = LOW + (LANE - 4 - LOW) * min(1.0, max(0.0, one.weight))
    ground = LANE * (lane + 1) - 4
    return LifeStretch(
        id=one.id, x=round(x, 2), y=round(ground - height, 2), width=round(width, 2), height=round(height, 2)
    )
