"""Stretches of time by the calendar: the newest May, two weeks ago, three months from the first of June.

All of it stays between two far bounds, in UTC, so that no sum overflows whatever the moment of asking is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Literal, NamedTuple

__all__ = [
    "COUNT",
    "DAY",
    "EARLIEST",
    "LATEST",
    "LENGTHS",
    "LONG",
    "PARTS",
    "UNIT",
    "WEEK",
    "DateRange",
    "Place",
    "Turn",
    "away",
    "count",
    "date_of",
    "each_year",
    "fixed",
    "hours_of",
    "length",
    "midnight",
    "months_from",
    "months_on",
    "one_day",
    "pick",
    "settled",
]

EARLIEST = datetime(1000, 1, 1, tzinfo=UTC)
LATEST = datetime(3000, 1, 1, tzinfo=UTC)
"""The open ends: far from any message and from the ends of what a datetime holds, so that no sum overflows."""

DAY = timedelta(days=1)
WEEK = 7 * DAY
Turn = Literal["", "last", "this", "next"]


class DateRange(NamedTuple):
    """From a moment to another, and how far outside is still meant."""

    start: datetime
    end: datetime
    slack: timedelta


Place = Callable[[datetime, Turn, int | None], DateRange | None]

NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()
_VAGUE = {"couple": (2, 3), "few": (2, 6), "several": (3, 8)}
LENGTHS = {
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": DAY,
    "night": DAY,
    "week": WEEK,
    "weekend": WEEK,
}
LONG = {"month": (1, 30), "year": (12, 365), "decade": (120, 3650)}  # months, and about how many days
PARTS = {"morning": (0, 12), "afternoon": (12, 18), "evening": (17, 30), "night": (17, 30)}  # hours of a day

COUNT = rf"(?:[0-9]{{1,4}}|(?:a\s+)?couple(?:\s+of)?|(?:a\s+)?few|several|{'|'.join(NUMBERS[1:])}|an?)"
UNIT = "(?:minute|hour|day|night|week|month|year|decade)"


def settled(now: datetime) -> datetime:
    """The moment of asking in UTC, far enough from the ends for every sum here."""
    if now.tzinfo is None or not 1001 < now.year < 2998:
        now = now.replace(tzinfo=UTC, year=min(max(now.year, 1001), 2998), day=min(now.day, 28))
    return now.astimezone(UTC)


def midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def months_on(moment: datetime, months: int) -> datetime:
    """That many months later, on the first where the day does not exist, within what can be counted."""
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    return moment.replace(year=min(max(year, 900), 3100), month=month + 1, day=min(moment.day, 28))


def date_of(year: int, month: int, day: int) -> datetime | None:
    try:
        return datetime(year, month, day, tzinfo=UTC)
    except ValueError:
        return None


def pick(found: Iterable[DateRange], now: datetime, turn: Turn, cycle: tuple[datetime, datetime]) -> DateRange | None:
    """Of what comes again and again, the one that is meant: without a word for it, the newest that has begun."""
    known = list(found)
    if turn == "next":
        return next((one for one in known if one.start > now), None)
    if turn == "this":
        running = (one for one in known if one.start <= now < one.end)
        return next(running, None) or next((one for one in known if cycle[0] <= one.start < cycle[1]), None)
    fits = [one for one in known if (one.end if turn == "last" else one.start) <= now]
    return fits[-1] if fits else None


def fixed(stretch: DateRange | None) -> Place | None:
    return None if stretch is None else lambda now, turn, year: stretch


def each_year(make: Callable[[int], DateRange | None]) -> Place | None:
    """What comes once a year. A date that is in no year of eight, leap years among them, does not exist."""
    if not any(map(make, range(2000, 2008))):
        return None

    def place(now: datetime, turn: Turn, year: int | None) -> DateRange | None:
        if year is not None:
            return make(year)
        around = (make(one) for one in range(now.year - 9, now.year + 10))
        cycle = (datetime(now.year, 1, 1, tzinfo=UTC), datetime(now.year + 1, 1, 1, tzinfo=UTC))
        return pick((one for one in around if one), now, turn, cycle)

    return place


def one_day(day: datetime | None) -> DateRange | None:
    return None if day is None else DateRange(day, day + DAY, DAY)


def months_from(year: int, month: int, months: int, slack: timedelta) -> DateRange:
    start = datetime(year, month, 1, tzinfo=UTC)
    return DateRange(start, months_on(start, months), slack)


def hours_of(day: datetime, part: str) -> DateRange:
    first, last = PARTS[part]
    return DateRange(day + timedelta(hours=first), day + timedelta(hours=last), DAY / 2)


def count(said: str) -> tuple[int, int]:
    """The least and the most that a number in words means: "a few" is two to six."""
    words = said.lower().split()
    for word in words:
        if word in _VAGUE:
            return _VAGUE[word]
    known = int(words[0]) if words[0].isdigit() else NUMBERS.index(words[0]) if words[0] in NUMBERS else 1
    return known, known


def away(moment: datetime, number: tuple[int, int], unit: str, sign: int) -> DateRange:
    """The stretch that lies so many units before or after a moment, as wide as one unit, since people round."""
    near, far = sorted((sign * number[0], sign * number[1]))
    if unit in LONG:
        months, days = LONG[unit]
        first, last, wide = months_on(moment, near * months), months_on(moment, far * months), days * DAY
    else:
        wide = LENGTHS[unit]
        first, last = moment + near * wide, moment + far * wide
    if wide == DAY:
        return DateRange(midnight(first), midnight(last) + DAY, DAY)
    if wide < DAY:
        return DateRange(first - wide, last + wide, max(6 * wide, LENGTHS["hour"]))
    first, last = midnight(first) + DAY / 2, midnight(last) + DAY / 2
    return DateRange(midnight(first - wide / 2), midnight(last + wide / 2), wide / 3)


def length(unit: str) -> timedelta:
    """About how long a unit is, in days where it is not always the same."""
    name = unit.lower()
    return LONG[name][1] * DAY if name in LONG else LENGTHS[name]
