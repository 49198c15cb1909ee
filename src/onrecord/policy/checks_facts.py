"""Whether the numbers, names and dates of a summary were said.

Lenient with forms ("1,200" is "1200", "two" is 2, half of a full name is that name) and with what is only counted or
rounded; strict with everything else, because one wrong figure in a memory is worse than a plainer summary.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from onrecord.policy.checks_dates import Calendar, supported, without
from onrecord.policy.checks_figures import figured
from onrecord.policy.checks_reading import OTHER_STOPS, SummarySources, plain_words, root
from onrecord.policy.signs import COMMON, names

__all__ = ["Figures", "date_not_said", "name_not_said", "number_not_said"]

COUNTED = 3  # up to here a number may only count what was said ("two options")
_NEAR = 0.1  # how far "about 400" may be from what was said

_NUMBER = re.compile(
    r"(?<![A-Za-z0-9_.])(?:\d+(?:[.,]\d+)*)(?:\s?(k|thousand|million|mio|m|bn|billion)\b)?", re.IGNORECASE
)
_ANY_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_SCALES = {"k": 1e3, "thousand": 1e3, "million": 1e6, "mio": 1e6, "m": 1e6, "bn": 1e9, "billion": 1e9}
_GROUPED = re.compile(r"\d{1,3}(?:[.,]\d{3})+")
_ROUGHLY = re.compile(
    r"(?:about|around|nearly|almost|roughly|approximately|over|under|more than|less than|some|~|etwa|rund|casi|"
    r"unos|environ|約)\s*[$€£¥]?\s*$",
    re.IGNORECASE,
)
_TOTAL = re.compile(r"\b(?:total|altogether|in all|together|sum|combined|left|remaining|difference|overall)\b", re.I)
_THING = re.compile(r"(?:(?:st|nd|rd|th)\b)?[\s-]*(%|[$€£]|[\u3040-\u9fff]|[^\W\d_]+)?")
_UNIT_NAMES = {
    "%": "percent", "€": "euro", "$": "dollar", "£": "pound", "km": "kilometer", "kilometre": "kilometer",
    "kg": "kilo", "kilogram": "kilo", "gram": "g", "min": "minute", "hr": "hour", "sec": "second", "night": "day",
}  # fmt: skip
_LENGTHS = frozenset("second minute hour day week month year decade".split())
_WORTH = {
    "half": {0.5, 50.0, 30.0},
    "quarter": {0.25, 25.0, 15.0},
    "couple": {2.0},
    "both": {2.0},
    "twice": {2.0},
    "second": {2.0},
    "pair": {2.0},
    "third": {3.0},
}
_WORTH_WORD = re.compile(rf"\b({'|'.join(_WORTH)})\b(?:\s+([^\W\d_]+))?")

# Who may speak in a summary without having been named.
_ROLES = frozenset(
    "user users assistant ai customer agent client speaker speakers human bot model person conversation caller doctor "
    "patient nurse teacher student parent parents mother father mom dad sister brother grandmother grandfather family "
    "friend friends team company english german french spanish italian summary".split()
)
_PERSON_VERBS = frozenset(
    "said says told tells asked asks wants wanted likes loves lives thinks thought called calls agreed agrees "
    "suggested suggests offered offers bought sold booked joined joins".split()
)
_ENDS_OF_NOUNS = ("ing", "ly", "ed", "tion", "ness", "ment", "able", "ful", "ous", "less", "body", "thing", "s")
_TITLE = re.compile(r"(?:Herr|Frau|Dr\.|Prof\.|Señora?|Madame|Monsieur)\s$")
_HONOURED = re.compile(r"([\u4e00-\u9fff\u30a0-\u30ff]{1,6})(?:さん|様|くん|ちゃん|先生)")
_KIN = frozenset("母父兄姉医者皆客")


class Figures:
    """The numbers of a text by value, and the values said of each thing."""

    def __init__(self, text: str, calendar: Calendar | None = None) -> None:
        self.low = text.lower()
        self.values: set[float] = set()
        if calendar is not None:
            self._add_hours(calendar)
        for figure in dict.fromkeys(_ANY_FIGURE.findall(text)):
            self.values |= _values(figure)
            self.values.update(float(part) for part in re.findall(r"\d+", figure)[:8])
        self.of: dict[str, set[float]] = {}
        for found, values in _numbers(text):
            self.values |= values
            self.of.setdefault(_thing(text, found), set()).update(values)
        for found in _WORTH_WORD.finditer(self.low):
            worth = _WORTH[found[1]]
            self.values |= worth
            thing = _unit(found[2]) if found[2] else ""
            if thing:
                self.of.setdefault(thing, set()).update(worth)

    def _add_hours(self, calendar: Calendar) -> None:
        """The hours of the times said, however the day is counted."""
        for minute in calendar.values.get("clock", set()):
            self.values.add(float(minute // 60))


def number_not_said(text: str, said: SummarySources) -> str | None:
    """The first number that has no support."""
    text = figured(text, said.language)
    if _NUMBER.search(text) is None:
        return None
    figures = Figures(said.figured, said.calendar)
    bare = without(text, Calendar(text).found)
    for found, values in _numbers(bare):
        if not _number_said(bare, found, values, figures):
            return found.group()
    return None


def _number_said(text: str, found: re.Match[str], values: set[float], figures: Figures) -> bool:
    thing = _thing(text, found)
    others = figures.of.get(thing, set()) if thing else set()
    if 1.0 in values or values & figures.values:  # "a week", "once": nearly everything says 1
        return not _of_another(thing, values, figures)
    if others:
        return _rough(text, found, values, others)
    small = len(values) == 1 and min(values) <= COUNTED and thing not in _LENGTHS
    return small or _rough(text, found, values, figures.values) or _summed(text, values, figures.values)


def _of_another(thing: str, values: set[float], figures: Figures) -> bool:
    """Whether the number was said, but of something else: other lengths of time, or this thing had another number."""
    if not thing or values & figures.of.get("", set()) or values & figures.of.get(thing, set()):
        return False
    if thing in figures.of:
        return not (1.0 in values and re.search(rf"\b(?:an?|one) {re.escape(thing[:4])}", figures.low))
    if thing not in _LENGTHS:
        return False
    return any(values & figures.of.get(length, set()) for length in _LENGTHS if length != thing)


def _rough(text: str, found: re.Match[str], values: set[float], given: set[float]) -> bool:
    if not _ROUGHLY.search(text, max(0, found.start() - 24), found.start()):
        return False
    return any(abs(one - value) <= _NEAR * one for one in given for value in values)


def _summed(text: str, values: set[float], given: set[float]) -> bool:
    if len(given) > 40 or not _TOTAL.search(text):
        return False
    return any(a + b in values or a - b in values or a * b in values for a in given for b in given)


def _numbers(text: str) -> Iterator[tuple[re.Match[str], set[float]]]:
    for found in _NUMBER.finditer(text):
        scale = _SCALES[found[1].lower()] if found[1] else 1.0
        figure = _ANY_FIGURE.match(found.group())
        values = _values(figure.group()) if figure else set()
        yield found, {round(value * scale, 6) for value in values}


def _values(figure: str) -> set[float]:
    """What a figure may be worth: 1.200 is a thousand for some and little over one for others."""
    figure = figure[:40]
    if figure.isdecimal():
        return {float(figure)}
    found = set()
    if _GROUPED.fullmatch(figure):
        found.add(float(re.sub("[.,]", "", figure)))
    if figure.count(".") + figure.count(",") <= 1:
        found.add(float(figure.replace(",", ".")))
    elif not found:
        head, _, tail = figure.rpartition("." if figure.rfind(".") > figure.rfind(",") else ",")
        found.add(float(re.sub("[.,]", "", head) + "." + tail))
    return found


def _thing(text: str, found: re.Match[str]) -> str:
    """What a number counts: the word behind it, or the currency before it."""
    before = text[found.start() - 1 : found.start()]
    if before in _UNIT_NAMES:
        return _UNIT_NAMES[before]
    after = _THING.match(text, found.end())
    return _unit(after[1]) if after and after[1] else ""


def _unit(word: str) -> str:
    low = word.lower()
    if low in COMMON and low not in ("people", "times"):
        return ""
    plain = low if low in _UNIT_NAMES or low in _LENGTHS else low.removesuffix("s")
    plain = _UNIT_NAMES.get(plain, plain)
    return plain if plain in _LENGTHS or plain in _UNIT_NAMES.values() else root(plain)


def date_not_said(text: str, said: SummarySources) -> str | None:
    """The first part of a date that has no support."""
    for mention in Calendar(figured(text, said.language)).found:
        if not supported(mention, said.calendar):
            return mention.text
    return None


def name_not_said(text: str, said: SummarySources) -> str | None:
    """The first name of which a part was not said."""
    for found in _HONOURED.finditer(text):
        if not _KIN & set(found[1]) and found[1][-2:] not in said.whole:
            return found.group()
    german = said.language == "de"
    for name in dict.fromkeys(names(text)):
        parts = [
            word for word in plain_words(name) if word not in COMMON and word not in _ROLES and word not in OTHER_STOPS
        ]
        if german and len(parts) == 1 and not _titled(text, name):
            continue  # every noun has a capital there
        if parts and not _named(parts, name, text, said):
            return name
    return None


def _titled(text: str, name: str) -> bool:
    return _TITLE.search(text[: text.find(name)]) is not None


def _named(parts: list[str], name: str, text: str, said: SummarySources) -> bool:
    if all(said.has(part) for part in parts):
        return True
    if name.isupper() and len(name) <= 6:
        return _initials(name.lower(), said)
    return " " not in name and _begins_a_sentence(name, text) and not _like_a_person(name, text)


def _initials(letters: str, said: SummarySources) -> bool:
    """Whether it stands for words in a row that were said: NYC for New York City."""
    return letters in "".join(word[0] for word in re.findall(r"\w+", said.low))


def _begins_a_sentence(name: str, text: str) -> bool:
    """Whether every place the word stands at begins a sentence: then the capital proves nothing."""
    return not re.search(rf"[\w,'’)]\s+{re.escape(name)}\b", text)


def _like_a_person(name: str, text: str) -> bool:
    """Whether what begins a sentence is somebody: by the word behind it, and no noun's ending."""
    if name.lower().endswith(_ENDS_OF_NOUNS):
        return False
    after = text[text.find(name) + len(name) :]
    return after.startswith(("'s ", "’s ")) or (after.split() or [""])[0].lower() in _PERSON_VERBS
