"""Where a question speaks of the calendar, and which stretch of time each such place means.

`marks` finds the places, from left to right. A mark is weak where its word may be no time at all ("May", "2000",
"the summer"): whoever reads it looks for a word before it that makes it one. What a mark means depends on the moment of
asking and, in "March and May 2023", on its neighbour's year, so a mark carries a rule and not a stretch. Seasons are
those of the north. The one large pattern is compiled at first use.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import NamedTuple

from onrecord.policy.times_calendar import (
    COUNT,
    DAY,
    EARLIEST,
    LATEST,
    LENGTHS,
    LONG,
    PARTS,
    UNIT,
    WEEK,
    DateRange,
    Place,
    Turn,
    away,
    count,
    date_of,
    each_year,
    fixed,
    hours_of,
    midnight,
    months_from,
    months_on,
    one_day,
    pick,
)

__all__ = ["WEEKDAY", "Mark", "marks"]


class Mark(NamedTuple):
    """A place in the text that speaks of the calendar."""

    begin: int
    end: int
    shape: str  # the branch of the pattern that found it
    word: str  # the word that may be something else, as it is written
    place: Place
    turn: Turn = ""
    year: int | None = None
    yearly: bool = False  # comes again each year, so that a neighbour's year can be its own
    weak: bool = False


_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
_FEASTS = {  # month, first day, days
    "christmas eve": (12, 24, 1),
    "christmas day": (12, 25, 1),
    "christmas": (12, 24, 3),
    "new year's eve": (12, 31, 1),
    "new year's day": (1, 1, 1),
    "new year": (1, 1, 1),
    "halloween": (10, 31, 1),
    "valentine's day": (2, 14, 1),
    "thanksgiving": (11, 22, 4),
}
_WEEKDAYS = "mon tue wed thu fri sat sun".split()

SATURDAY, THURSDAY = 5, 3  # as days are counted from Monday

_LONG_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_MONTH = rf"(?:{_LONG_MONTHS}|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec)\b\.?"
WEEKDAY = "(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
_TURN = r"(?:(?:this\s+)?(?:last|past|previous|next|coming|upcoming)|this)"
_YEAR = r"[12][0-9]{3}(?![\w%°]|[.,:/][0-9])"
_OF_YEAR = rf"(?:,?\s+(?:(?:of|in)\s+)?(?P<@y>{_YEAR}))"
_NO_YEAR = r"(?!,?\s+(?:[0-9]{5}|0+\b))"  # a year that cannot be spoils the date before it
_DAY = r"[0-9]{1,2}(?:st|nd|rd|th)?"
_DAYS = rf"(?P<@d>{_DAY})(?:\s*(?:-|–|\bto\b|\band\b)\s*(?:the\s+)?(?P<@e>{_DAY}))?(?![\w%°]|[.,:/][0-9])"
_COUNTED = "words|people|persons|steps|miles|metres|meters|dollars|euros|pounds|bucks|times|calories|users|items|pages"
# What may follow a word that is a time: the end, or a word that begins something else. "In march order" is no time.
_LEAVE_WORDS = (
    "and or with when while where what who how which that we i you he she they it for at about did do does to by from "
    "on in after before until till than is was were are because so but as if"
)
_LEAVE = rf"""(?=\s*(?:$|[?.!,;:)\]"–-]|(?:{"|".join(_LEAVE_WORDS.split())}|of\s+the\s+month|[12][0-9]{{3}})\b))"""

_BRANCHES = {
    "figures": r"(?<![\w./-])(?:(?P<@y>[12][0-9]{3})(?P<@s>[-/.])(?P<@m>[0-9]{1,2})(?P=@s)(?P<@d>[0-9]{1,2})|"
    r"(?P<@a>[0-9]{1,2})(?P<@g>[./-])\s?(?P<@b>[0-9]{1,2})(?P=@g)\s?(?P<@c>[0-9]{4}|[0-9]{2}))(?=$|T[0-9]|[^\w/-])(?!\.[0-9])",
    "daymonth": rf"(?<![\w.,/:-])(?:{WEEKDAY},?\s+(?:the\s+)?)?{_DAYS}\s+(?:of\s+)?(?P<@m>{_MONTH})"
    rf"{_NO_YEAR}{_OF_YEAR}?",
    "monthday": rf"\b(?:{WEEKDAY},?\s+)?(?P<@m>{_MONTH})\s+(?:the\s+)?{_DAYS}{_NO_YEAR}{_OF_YEAR}?",
    "month": rf"\b(?:(?P<@t>{_TURN})\s+)?(?P<@m>{_MONTH})(?!'|-[a-z]|\s+day\b){_NO_YEAR}{_OF_YEAR}?",
    "season": rf"\b(?:(?P<@t>{_TURN})\s+)?(?P<@m>{'|'.join(_SEASONS)})\b(?:\s+(?:break|vacation|holidays?)\b)?(?![-'])"
    rf"(?:{_OF_YEAR}(?:\s*[-–/]\s*[0-9]{{2,4}}\b)?)?",
    "feast": rf"\b(?:(?P<@t>{_TURN})\s+)?(?P<@m>{'|'.join(_FEASTS)})\b(?:'s)?(?!['-]|\s+resolution){_OF_YEAR}?",
    "decade": r"\bthe\s+(?:(?:early|mid|late)[\s-]+)?'?(?P<@y>(?:1[0-9]|20)[0-9]0|[056789]0)'?s\b",
    "ordinal": rf"\bthe\s+(?P<@d>[0-9]{{1,2}})(?:st|nd|rd|th)\b{_LEAVE}",
    "yesterday": r"\b(?:the\s+)?(?P<@w>day\s+before\s+yesterday|day\s+after\s+tomorrow|(?:earlier\s+|later\s+)?today|"
    r"tonight|last\s+night|this\s+(?:morning|afternoon|evening)|(?:yesterday|tomorrow)"
    r"(?:\s+(?:morning|afternoon|evening|night))?)\b",
    "ago": rf"\b(?:(?P<@n>{COUNT})\s+(?P<@u>{UNIT})s?\s+ago|the\s+other\s+(?P<@o>day|night|week))\b",
    "lately": r"\b(?:recently|lately|these\s+days)\b",
    "window": rf"\b(?:(?:(?:in|over|during|for|within|throughout)\s+)?(?:(?:the|these|this)\s+)?(?:last|past)\s+"
    rf"(?P<@n>{COUNT})\s+(?P<@u>{UNIT})s?|(?:(?:in|over|during|for|within|throughout)\s+the\s+(?:last|past)|the\s+past)\s+"
    rf"(?P<@v>{UNIT}))\b(?!\s+of\b|')",
    "unit": rf"\b(?P<@t>{_TURN})\s+(?P<@u>week|weekend|month|year)\b(?!\s+of\b|-)",
    "weekday": rf"\b(?<!every\s)(?<!each\s)(?:(?P<@t>{_TURN})\s+)?(?P<@m>{WEEKDAY})"
    r"(?P<@p>\s+(?:morning|afternoon|evening|night))?\b(?!')",
    "year": rf"(?<![\w.,:/$€£])(?<![0-9]-)(?P<@y>(?:19|20|21)[0-9]{{2}})(?:\s?[-–]\s?(?P<@z>(?:19|20|21)[0-9]{{2}}))?"
    rf"(?![\w%°-]|[.,:/][0-9])(?!\s+(?:{_COUNTED}|{UNIT}s)\b)",
}


@cache
def _pattern() -> re.Pattern[str]:
    """All branches as one pattern. Group names must differ, so each branch puts its own name for the @. Each begins
    with a word or a figure, so none is tried within one."""
    branches = "|".join(f"(?P<{name}>{rule.replace('@', name)})" for name, rule in _BRANCHES.items())
    return re.compile(rf"\b(?=\w)(?:{branches})", re.IGNORECASE)


@cache
def _leave() -> re.Pattern[str]:
    return re.compile(_LEAVE, re.IGNORECASE)


def marks(text: str) -> list[Mark]:
    """The places of a text that speak of the calendar, in order and apart. Impossible dates are none."""
    return [mark for found in _pattern().finditer(text) if (mark := _mark(found)) is not None]


class _Groups:
    """The groups of one branch, by their short names."""

    def __init__(self, found: re.Match[str]) -> None:
        self.shape = str(found.lastgroup)
        self._groups = found.groupdict()
        self.begin, self.end = found.span()
        self.whole = found.string

    def __getitem__(self, name: str) -> str:
        return self._groups.get(self.shape + name) or ""

    @property
    def year(self) -> int | None:
        return int(self["y"]) if self["y"] else None

    @property
    def turn(self) -> Turn:
        said = self["t"].lower().split()
        if not said:
            return ""
        if said[-1] in ("next", "coming", "upcoming"):
            return "next"
        return "this" if said[-1] == "this" else "last"


def _mark(found: re.Match[str]) -> Mark | None:
    groups = _Groups(found)
    place = _READERS[groups.shape](groups)
    if place is None:
        return None
    yearly = groups.shape in _YEARLY
    return Mark(
        begin=groups.begin,
        end=groups.end,
        shape=groups.shape,
        word=groups["m"] or found.group(),
        place=place,
        turn=groups.turn,
        year=groups.year if yearly else None,
        yearly=yearly,
        weak=_weak(groups),
    )


_YEARLY = ("daymonth", "monthday", "month", "season", "feast")


def _weak(groups: _Groups) -> bool:
    """Whether the place is a time only after a word such as "in" or "since"."""
    if groups.year or groups["t"]:
        return groups.shape == "year"
    if groups.shape == "feast":
        return not groups["m"].lower().endswith(("eve", "day"))
    if groups.shape == "weekday":
        return not groups["p"]
    if groups.shape in ("daymonth", "monthday"):
        return groups["m"] in ("may", "march", "mar") and groups["d"].isdigit()
    return groups.shape in ("month", "season", "ordinal")


def _figures(groups: _Groups) -> Place | None:
    if groups["y"]:
        return fixed(one_day(date_of(int(groups["y"]), int(groups["m"]), int(groups["d"]))))
    first, second, year = int(groups["a"]), int(groups["b"]), int(groups["c"])
    short = len(groups["c"]) == 2
    if short and groups["g"] != "/":  # 1.2.23 is more often a version
        return None
    year += 2000 * short
    if year < EARLIEST.year or year >= LATEST.year:
        return None
    # With a slash the month comes first, as in America, where that can be.
    day, month = (second, first) if groups["g"] == "/" and first <= 12 else (first, second)
    told = one_day(date_of(year, month, day))
    # Of a short year only the last decades can be told apart from the one before: 11/22/63 is a book.
    return (lambda now, turn, _: told if told and told.start.year <= now.year + 1 else None) if short else fixed(told)


def _day_of_month(groups: _Groups) -> Place | None:
    month = _MONTHS.index(groups["m"][:3].lower()) + 1
    first = int(groups["d"].rstrip("stndrhSTNDRH"))
    last = int((groups["e"] or groups["d"]).rstrip("stndrhSTNDRH"))

    def make(year: int) -> DateRange | None:
        start, end = date_of(year, month, first), date_of(year, month, last)
        return DateRange(start, end + DAY, DAY) if start and end and start <= end else None

    if groups.year is not None and make(groups.year) is None:
        return None
    return each_year(make)


def _month(groups: _Groups) -> Place | None:
    month = _MONTHS.index(groups["m"][:3].lower()) + 1
    # "may" and "march" without a capital are months only where nothing follows that they could belong to.
    if groups["m"] in ("may", "march", "mar") and not groups.year and not _leave().match(groups.whole, groups.end):
        return None
    return each_year(lambda year: months_from(year, month, 1, WEEK))


def _season(groups: _Groups) -> Place | None:
    if not (groups.year or groups["t"] or _leave().match(groups.whole, groups.end)):
        return None  # "the summer camp"
    first = _SEASONS[groups["m"].lower()]
    return each_year(lambda year: months_from(year, first, 3, 3 * WEEK))


def _feast(groups: _Groups) -> Place | None:
    name = groups["m"].lower()
    month, first, days = _FEASTS[name]

    def make(year: int) -> DateRange:
        start = datetime(year, month, first, tzinfo=UTC)
        if name == "thanksgiving":  # the fourth Thursday
            thursday = start + (THURSDAY - start.weekday()) % 7 * DAY
            return DateRange(thursday, thursday + days * DAY, 3 * DAY)
        early = DAY if name == "new year" else 0 * DAY  # it is celebrated the night before
        return DateRange(start - early, start + days * DAY, 3 * DAY)

    return each_year(make)


def _decade(groups: _Groups) -> Place | None:
    said = groups["y"]
    year = int(said) if len(said) == 4 else int(said) + (2000 if said == "00" else 1900)
    return fixed(months_from(year, 1, 120, timedelta(days=365)))


def _year(groups: _Groups) -> Place | None:
    first, last = int(groups["y"]), int(groups["z"] or groups["y"])
    return fixed(months_from(first, 1, 12 * (last - first + 1), timedelta(days=30))) if first <= last else None


def _ordinal(groups: _Groups) -> Place | None:
    day = int(groups["d"])

    def place(now: datetime, turn: Turn, year: int | None) -> DateRange | None:
        months = (months_on(now.replace(day=1), back) for back in range(-12, 1))
        days = (one_day(date_of(month.year, month.month, day)) for month in months)
        return pick((one for one in days if one), now, turn, (now, now))

    return place if 1 <= day <= 31 else None


_AWAY = {"yesterday": -1, "day before yesterday": -2, "tomorrow": 1, "day after tomorrow": 2, "last night": -1}


def _yesterday(groups: _Groups) -> Place:
    said = " ".join(groups["w"].lower().split())
    days = _AWAY.get(said) or _AWAY.get(said.split()[0], 0)
    part = "night" if said == "tonight" else said.split()[-1]

    def place(now: datetime, turn: Turn, year: int | None) -> DateRange:
        start = midnight(now) + days * DAY
        if part in PARTS:
            return hours_of(start, part)
        return DateRange(start, start + DAY, DAY / 2)

    return place


def _ago(groups: _Groups) -> Place:
    number, unit = (count(groups["n"]), groups["u"].lower()) if groups["n"] else ((1, 6), groups["o"].lower())
    if groups["o"]:
        unit, number = ("week", (1, 3)) if unit == "week" else ("day", (2, 6))
    return lambda now, turn, year: away(now, number, unit, -1)


def _lately(groups: _Groups) -> Place:
    return lambda now, turn, year: DateRange(now - 30 * DAY, now + DAY, 2 * WEEK)


def _window(groups: _Groups) -> Place:
    unit = (groups["u"] or groups["v"]).lower()
    most = count(groups["n"])[1] if groups["n"] else 1
    if unit in LONG:
        months, days = LONG[unit]
        return lambda now, turn, year: DateRange(months_on(now, -most * months), now + DAY, days * DAY / 5)
    return lambda now, turn, year: DateRange(now - most * LENGTHS[unit], now + DAY, LENGTHS[unit] / 2)


def _unit(groups: _Groups) -> Place:
    unit = groups["u"].lower()

    def place(now: datetime, turn: Turn, year: int | None) -> DateRange | None:
        step = {"last": -1, "this": 0, "next": 1}.get(turn, 0)
        today = midnight(now)
        monday = today - today.weekday() * DAY + step * WEEK
        if unit == "week":
            return DateRange(monday, monday + WEEK, 2 * DAY)
        if unit == "weekend":
            return DateRange(monday + SATURDAY * DAY, monday + WEEK, DAY)
        if unit == "month":
            return DateRange(months_on(today.replace(day=1), step), months_on(today.replace(day=1), step + 1), WEEK)
        return months_from(now.year + step, 1, 12, 30 * DAY)

    return place


def _weekday(groups: _Groups) -> Place:
    weekday = _WEEKDAYS.index(groups["m"][:3].lower())
    part = groups["p"].strip().lower()

    def place(now: datetime, turn: Turn, year: int | None) -> DateRange | None:
        today = midnight(now)
        monday = today - today.weekday() * DAY
        days = (monday + (7 * week + weekday) * DAY for week in (-2, -1, 0, 1))
        # Without a word it is the last one: who means today says so.
        found = pick((DateRange(day, day + DAY, DAY) for day in days), today, turn or "last", (monday, monday + WEEK))
        return hours_of(found.start, part) if found and part else found

    return place


_READERS: dict[str, Callable[[_Groups], Place | None]] = {
    "figures": _figures,
    "daymonth": _day_of_month,
    "monthday": _day_of_month,
    "month": _month,
    "season": _season,
    "feast": _feast,
    "decade": _decade,
    "ordinal": _ordinal,
    "yesterday": _yesterday,
    "ago": _ago,
    "lately": _lately,
    "window": _window,
    "unit": _unit,
    "weekday": _weekday,
    "year": _year,
}
