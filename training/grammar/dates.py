"""Times and numbers as people write them: in words, in figures, relative, exact.

Each maker draws one phrase; `MAKERS` names them, and a slot of that name in a table draws from its maker.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

__all__ = ["MAKERS", "MONTHS", "WEEKDAYS"]

MONTHS = "January February March April May June July August September October November December".split()
WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
SEASONS = ("spring", "summer", "autumn", "winter")
WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()


def number(rng: Random, low: int, high: int) -> str:
    """A number in words or figures."""
    value = rng.randint(low, high)
    return WORDS[value] if value <= 20 and rng.random() < 0.6 else f"{value:,}"


def ordinal(value: int) -> str:
    """1st, 2nd, 3rd, 4th."""
    if value in (11, 12, 13):
        return f"{value}th"
    return f"{value}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(value % 10, 'th') }"


def day(rng: Random) -> str:
    """A day of the year, without a preposition."""
    month, number_ = rng.choice(MONTHS), rng.randint(1, 28)
    shapes = (
        f"the {ordinal(number_)} of {month}",
        f"{month} {ordinal(number_)}",
        f"{month} {number_}",
        f"{number_} {month}",
        f"{month[:3]} {number_}",
        f"{MONTHS.index(month) + 1}/{number_}",
        f"the {ordinal(number_)}" if number_ > 3 else f"{month} {number_}",
    )
    return rng.choice(shapes)


def recent(rng: Random) -> str:
    """A time not long ago."""
    unit, most = rng.choice((("days", 6), ("weeks", 6), ("months", 5)))
    return rng.choice(
        (
            f"last {rng.choice(WEEKDAYS)}",
            f"{number(rng, 2, most)} {unit} ago",
            "yesterday",
            f"on {rng.choice(WEEKDAYS)}",
            f"last {rng.choice(('week', 'weekend', 'month', 'night'))}",
            f"on {day(rng)}",
            f"on {day(rng)}",
            f"the {rng.choice(('other day', 'day before yesterday', 'week before last'))}",
            f"a {rng.choice(('week', 'month', 'couple of weeks', 'few days'))} ago",
            f"this {rng.choice(('morning', 'week', 'Monday', 'Tuesday'))}",
        )
    )


def inyear(rng: Random) -> str:
    """A time years ago."""
    year = rng.randint(1998, 2023)
    return rng.choice(
        (
            f"in {year}",
            f"back in {year}",
            f"in {rng.choice(SEASONS)} {year}",
            f"in the {rng.choice(SEASONS)} of {year}",
            f"in {rng.choice(MONTHS)} {year}",
            f"{number(rng, 2, 20)} years ago",
        )
    )


def past(rng: Random) -> str:
    """Any time before now."""
    if rng.random() < 0.5:
        return recent(rng)
    return rng.choice(
        (
            f"in {rng.choice(MONTHS)}",
            f"back in {rng.choice(MONTHS)}",
            f"last {rng.choice((*SEASONS, 'year', rng.choice(MONTHS)))}",
            inyear(rng),
            f"at the {rng.choice(('end', 'beginning', 'start'))} of {rng.choice(MONTHS)}",
        )
    )


def soon(rng: Random) -> str:
    """A time in the coming days or weeks."""
    return rng.choice(
        (
            f"next {rng.choice(WEEKDAYS)}",
            f"this {rng.choice(WEEKDAYS)}",
            f"on {rng.choice(WEEKDAYS)}",
            f"in {number(rng, 2, 6)} {rng.choice(('days', 'weeks'))}",
            f"on {day(rng)}",
            f"on {day(rng)}",
            f"on {day(rng)}",
            "tomorrow",
            "the week after next",
            f"a week on {rng.choice(WEEKDAYS)}",
        )
    )


def later(rng: Random) -> str:
    """A time in the coming months."""
    return rng.choice(
        (
            f"in {rng.choice(MONTHS)}",
            f"next {rng.choice((*SEASONS, 'year', 'month', rng.choice(MONTHS)))}",
            f"at the end of {rng.choice(MONTHS)}",
            f"on {day(rng)}",
            f"in {number(rng, 2, 9)} months",
            f"in early {rng.choice(MONTHS)}",
            f"over {rng.choice(('Easter', 'Christmas', 'the holidays', 'the summer', 'half-term', 'New Year'))}",
        )
    )


def since(rng: Random) -> str:
    """A time up to now, after a present perfect."""
    return rng.choice(
        (
            f"since {rng.randint(1999, 2023)}",
            f"since {rng.choice(MONTHS)}",
            f"for {number(rng, 2, 20)} years",
            f"for {rng.choice(('about', 'almost', 'over', 'nearly'))} {number(rng, 2, 15)} years",
            f"for {number(rng, 2, 11)} months",
            f"since {rng.choice(('last', 'the end of last'))} {rng.choice((*SEASONS, 'year'))}",
            "for ages, must be " + number(rng, 10, 25) + " years",
        )
    )


def lately(rng: Random) -> str:
    """As `since`, but not for long."""
    return rng.choice(
        (
            f"since {rng.choice(MONTHS)}",
            f"for {number(rng, 2, 11)} months",
            f"for {number(rng, 2, 4)} years",
            f"since {rng.choice(('last', 'the end of last'))} {rng.choice((*SEASONS, 'year'))}",
            "for about a year",
        )
    )


def money(rng: Random, low: int, high: int) -> str:
    """A price."""
    value = round(rng.uniform(low, high), -1 if high > 100 else 0)
    sign = rng.choice("$$$££€€")
    return rng.choice((f"{sign}{value:,.0f}", f"{sign}{value:,.0f}", f"{value:.0f} {_coin(sign, rng)}"))


def _coin(sign: str, rng: Random) -> str:
    names = {"$": ("dollars", "bucks"), "£": ("pounds", "quid"), "€": ("euros", "euros")}
    return rng.choice(names[sign])


def clock(rng: Random) -> str:
    """A time of day."""
    hour = rng.randint(1, 11)
    return rng.choice(
        (
            f"{hour}:{rng.choice(('15', '30', '45', '00', '20', '10'))}",
            f"half past {WORDS[hour]}",
            f"{hour} {rng.choice(('am', 'pm'))}",
            f"quarter {rng.choice(('past', 'to'))} {WORDS[hour]}",
            f"{WORDS[hour]} o'clock",
        )
    )


MAKERS: dict[str, Callable[[Random], str]] = {
    "past": past,
    "recent": recent,
    "inyear": inyear,
    "soon": soon,
    "later": later,
    "since": since,
    "lately": lately,
    "day": day,
    "time": clock,
    "month": lambda rng: rng.choice(MONTHS),
    "weekday": lambda rng: rng.choice(WEEKDAYS),
    "season": lambda rng: rng.choice(SEASONS),
    "year": lambda rng: str(rng.randint(1985, 2023)),
    "n": lambda rng: number(rng, 2, 9),
    "few": lambda rng: number(rng, 2, 5),
    "count": lambda rng: number(rng, 12, 400),
    "age": lambda rng: number(rng, 21, 67),
    "kidage": lambda rng: number(rng, 2, 15),
    "youth": lambda rng: number(rng, 5, 17),
    "dur": lambda rng: f"{number(rng, 2, 12)} {rng.choice(('months', 'years', 'weeks'))}",
    "years": lambda rng: f"{number(rng, 2, 20)} years",
    "hours": lambda rng: f"{number(rng, 2, 9)} hours",
    "mins": lambda rng: f"{rng.choice((15, 20, 25, 30, 35, 40, 45, 50, 90))} minutes",
    "km": lambda rng: f"{number(rng, 3, 60)} {rng.choice(('km', 'kilometres', 'miles', 'k'))}",
    "cheap": lambda rng: money(rng, 8, 95),
    "price": lambda rng: money(rng, 110, 980),
    "dear": lambda rng: money(rng, 1200, 19000),
    "pct": lambda rng: f"{rng.randint(3, 40)}%",
}
