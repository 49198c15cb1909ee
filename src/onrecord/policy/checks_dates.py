"""Whether the days and times of a summary were said, in whatever form: "5 May" is "May 5th", 4 pm is 16:00.

A date is compared by its parts. A day of a month needs that day with that month, or the day alone where the month was
said; a weekday needs that weekday: "tomorrow" made into a weekday is a guess, since nothing says which day it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

__all__ = ["Calendar", "Mention", "mentions", "supported", "without"]

_MONTH_WORDS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar januari janvier enero janeiro gennaio",
            "february feb februar februari février febrero fevereiro febbraio",
            "march mar märz mars marzo março",
            "april apr avril abril aprile",
            "may mai mayo maio maggio",
            "june jun juni juin junio junho giugno",
            "july jul juli juillet julio julho luglio",
            "august aug août agosto",
            "september sep sept septembre septiembre setembro settembre",
            "october oct oktober octobre octubre outubro ottobre",
            "november nov novembre noviembre novembro",
            "december dec dezember décembre diciembre dezembro dicembre",
        ),
        1,
    )
    for name in names.split()
}
_ALSO_VERBS = frozenset("may march mar mars dec jun mai sep".split())  # a month only where the capital says so
_WEEKDAY_WORDS = {
    name: number
    for number, names in enumerate(
        (
            "monday mon montag lundi lunes 月曜",
            "tuesday tue tues dienstag mardi martes 火曜",
            "wednesday wed mittwoch mercredi miércoles 水曜",
            "thursday thu thurs donnerstag jeudi jueves 木曜",
            "friday fri freitag vendredi viernes 金曜",
            "saturday sat samstag sonnabend samedi sábado 土曜",
            "sunday sun sonntag dimanche domingo 日曜",
        )
    )
    for name in names.split()
}
_ALSO_WORDS = frozenset("mon tue wed thu fri sat sun".split())
_SPANS = "day|night|week|weekend|month|year|quarter|morning|afternoon|evening|spring|summer|autumn|fall|winter"
_FORWARD, _BACK = frozenset(("next", "coming", "in")), frozenset(("last", "past", "ago"))
_DAY = 24 * 60
_GROUPS = re.compile(r"(?<=\d)[.,](?=\d{3}\b)")  # of thousands
_BEFORE_DATE = re.compile(r"\b(?:on|by|until|till|from|of|since|before|after)\s$", re.IGNORECASE)


class Mention(NamedTuple):
    """A part of a date: its kind, what it may mean, and where it stands."""

    kind: str  # pair (of day and month), month, weekday, year, clock, turn ("next week"), word ("tomorrow")
    values: frozenset[Any]
    start: int
    end: int
    text: str


class Calendar:
    """What some text says of days and times, and its figures beside them."""

    def __init__(self, text: str) -> None:
        self.found = tuple(mentions(text))
        self.values: dict[str, set[Any]] = {}
        for mention in self.found:
            self.values.setdefault(mention.kind, set()).update(mention.values)
        self.loose = {int(figure) for figure in re.findall(r"(?<!\d)\d{1,2}(?!\d)", without(text, self.found))}
        self.low = text.lower()
        self.years = {int(figure) for figure in re.findall(r"(?<!\d)\d{4}(?!\d)", _GROUPS.sub("", text))}
        months = {month for _, month in self.values.get("pair", set())}
        self.values.setdefault("month", set()).update(months)


def without(text: str, found: Sequence[Mention]) -> str:
    """The text with its dates blanked."""
    parts, end = [], 0
    for mention in found:
        parts += [text[end : mention.start], " " * (mention.end - mention.start)]
        end = mention.end
    return "".join((*parts, text[end:]))


def supported(mention: Mention, said: Calendar) -> bool:
    """Whether what was said has this part of a date."""
    if mention.values & said.values.get(mention.kind, set()):
        return True
    return _CHECKS[mention.kind](mention, said)


def _pair(mention: Mention, said: Calendar) -> bool:
    months = said.values.get("month", set())
    return any(day in said.loose and month in months for day, month in mention.values)


def _clock(mention: Mention, said: Calendar) -> bool:
    """An hour may have been said without saying that it is one: "at three"."""
    return any(
        minute % 60 == 0 and minute // 60 in {*said.loose, *(one + 12 for one in said.loose)}
        for minute in mention.values
    )


def _turn(mention: Mention, said: Calendar) -> bool:
    """ "Next week" wants the week said, and not only as a past one."""
    turns = said.values.get("turn", set())
    for direction, span in mention.values:
        opposite = "-" if direction == "+" else "+"
        if re.search(rf"\b{span}", said.low) and (opposite, span) not in turns:
            return True
    return False


def _word(mention: Mention, said: Calendar) -> bool:
    near = {"tonight": ("evening", "today", "night"), "tomorrow": ("next day",), "yesterday": ("day before",)}
    return any(word in said.low for value in mention.values for word in near.get(str(value), ()))


_CHECKS: dict[str, Callable[[Mention, Calendar], bool]] = {
    "pair": _pair,
    "month": lambda mention, said: False,
    "weekday": lambda mention, said: False,
    "year": lambda mention, said: bool(mention.values & said.years),
    "clock": _clock,
    "turn": _turn,
    "word": _word,
}


def mentions(text: str) -> Iterator[Mention]:
    """The parts of dates in a text whose number words are figures, in order."""
    starts, pattern = _starts_and_pattern()
    low = text.lower()
    end = 0
    for start in starts.finditer(low if len(low) == len(text) else text):
        at = start.start()
        found = pattern.match(text, at) if at >= end else None
        read = _READ[found.lastgroup or ""](found) if found is not None else None
        if found is not None and read is not None:
            end = found.end()
            yield Mention(read[0], read[1], at, end, found.group().strip())


_Read = tuple[str, frozenset[Any]] | None


def _iso(found: re.Match[str]) -> _Read:
    _, month, day = map(int, re.split("[-/]", found.group()))
    return "pair", frozenset({(day, month)})


def _numeric(found: re.Match[str]) -> _Read:
    one, two, _ = map(int, re.split("[/.]", found.group()))
    return "pair", frozenset({(one, two), (two, one)})


def _day_and_month(found: re.Match[str]) -> _Read:
    day = re.search(r"\d+", found.group())
    month = re.search(r"[^\W\d_]{3,}\.?$|^[^\W\d_]+", found.group().strip())
    word = month.group().rstrip(".") if month else ""
    if word in _ALSO_VERBS and found.lastgroup == "monthday" and not _behind_on(found):
        return None  # "may 20 people come?"
    number = _MONTH_WORDS.get(word.lower())
    return None if day is None or number is None else ("pair", frozenset({(int(day.group()), number)}))


def _behind_on(found: re.Match[str]) -> bool:
    return _BEFORE_DATE.search(found.string, max(0, found.start() - 8), found.start()) is not None


def _month(found: re.Match[str]) -> _Read:
    word = found.group()
    if word.lower() in _ALSO_VERBS and (not word[0].isupper() or _starts(found)):
        return None
    return "month", frozenset({_MONTH_WORDS[word.lower()]})


def _starts(found: re.Match[str]) -> bool:
    """Whether the word begins a sentence, where every word has a capital."""
    before = found.string[: found.start()].rstrip(" \t\"'“‘(")
    return not before or before[-1] in ".!?:;\n"


def _cjk(found: re.Match[str]) -> _Read:
    _, month, day = re.fullmatch(r"(?:(\d{4})年)?(\d{1,2})月(?:(\d{1,2})日)?", found.group()).groups()  # type: ignore[union-attr]
    return ("month", frozenset({int(month)})) if day is None else ("pair", frozenset({(int(day), int(month))}))


def _weekday(found: re.Match[str]) -> _Read:
    word = found.group().lower()
    if word in _ALSO_WORDS and not found.group()[0].isupper():
        return None
    return "weekday", frozenset({_WEEKDAY_WORDS[word if word in _WEEKDAY_WORDS else word.removesuffix("s")]})


def _time(found: re.Match[str]) -> _Read:
    figures = [int(figure) for figure in re.findall(r"\d+", found.group())]
    hour, minute = figures[0], figures[1] if len(figures) > 1 else 0
    if hour > 24 or minute > 59:
        return None
    low = found.group().lower().replace(".", "")
    at = hour * 60 + minute
    before = found.string[max(0, found.start() - 2) : found.start()]
    if "pm" in low or before == "午後":
        return "clock", frozenset({(hour % 12 + 12) * 60 + minute})
    if "am" in low or before == "午前":
        return "clock", frozenset({(hour % 12) * 60 + minute})
    return "clock", frozenset({at, (at + _DAY // 2) % _DAY} if hour <= 12 else {at})


def _direction(found: re.Match[str]) -> _Read:
    word, span = found.group().lower().split()[::-1][:2][::-1]
    sign = "+" if word in _FORWARD else "-" if word in _BACK else "0"
    return "turn", frozenset({(sign, span)})


_READ: dict[str, Callable[[re.Match[str]], _Read]] = {
    "iso": _iso,
    "numeric": _numeric,
    "cjk": _cjk,
    "daymonth": _day_and_month,
    "monthday": _day_and_month,
    "time": _time,
    "turn": _direction,
    "month": _month,
    "weekday": _weekday,
    "year": lambda found: ("year", frozenset({int(found.group())})),
    "word": lambda found: ("word", frozenset({found.group().lower()})),
}


@cache
def _starts_and_pattern() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What a date may begin with, in small letters, and what one looks like: this alone would be ten times slower."""
    months = "|".join(sorted(_MONTH_WORDS, key=lambda word: -len(word)))
    latin = [word for word in _WEEKDAY_WORDS if word.isalpha() and word[0] < "\u0250"]
    weekdays = "|".join(sorted(latin, key=lambda word: -len(word)))
    day = r"\d{1,2}(?:st|nd|rd|th|er|\.|º)?"
    parts = {
        "iso": r"(?<!\d)\d{4}[-/]\d{1,2}[-/]\d{1,2}(?!\d)",
        "numeric": r"(?<![\d.])\d{1,2}[/.]\d{1,2}[/.](?:\d{4}|\d\d)(?![\d.])",
        "cjk": r"(?:\d{4}年)?\d{1,2}月(?:\d{1,2}日)?",
        "daymonth": rf"(?<![\d.,:])\b{day}\s+(?:of\s+|de\s+)?(?:{months})\b",
        "monthday": rf"\b(?:{months})\.?\s+(?:the\s+)?\d{{1,2}}(?:st|nd|rd|th)?(?![\w:]|[.,]\d)",
        "time": r"(?<!\d)\d{1,2}(?::\d\d(?:\s?[ap]\.?m\b\.?)?|\s?[ap]\.?m\b\.?|\s?o['’]?clock\b|"
        r"\s?Uhr\b|\s?heures?\b|\s?h(?:\s?\d\d)?\b|時(?:\d{1,2}分)?)(?![:\d])",
        "turn": rf"\b(?:next|last|coming|past)\s+(?:{_SPANS})\b",
        "month": rf"\b(?:{months})\b",
        "weekday": rf"\b(?:(?:{weekdays})s?)\b|[月火水木金土日]曜",
        "year": r"(?<![\w.,])(?:19|20)\d\d(?![\w]|[.,]\d)",
        "word": r"\b(?:tomorrow|yesterday|tonight)\b",
    }
    starts = "|".join((*_MONTH_WORDS, *latin, *"next last coming past tomorrow yesterday tonight".split()))
    whole = "|".join(f"(?P<{name}>{pattern})" for name, pattern in parts.items())
    return re.compile(rf"[0-9]+|\b(?:{starts})|[月火水木金土日]曜"), re.compile(whole, re.IGNORECASE)
