"""The times that a question names: spans of the calendar ("in May 2023", "a week ago") and events ("before we moved").

English, and dates in figures in any language. A word that may be no time ("may", "march", "second") is taken for one
only where its neighbours say so: a wrong span hides the right messages, a missed one only fails to help.

What no year is told of is the newest that is not after the moment of asking. A span that lies in the future has twice
the way to it for its slack, so that the moment of asking is still near: people speak of what is coming before it comes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING

from onrecord.policy.times_calendar import COUNT, EARLIEST, LATEST, UNIT, DateRange, away, count, length, settled
from onrecord.policy.times_events import Relation, events
from onrecord.policy.times_rules import Mark, marks

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Anchor", "TimeSpan", "nearness", "times"]

LONGEST = 2000
"""Characters of a question that are read: more is a pasted text."""

_LEAD = 64  # characters before a mark in which the words that belong to it are looked for
_SHORTLY = timedelta(days=14)


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeSpan:
    """A stretch of time that a question names."""

    start: datetime
    end: datetime
    text: str
    slack: timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """A time that is told by an event, which is to be searched for."""

    relation: Relation
    offset: timedelta | None
    event: str
    text: str


_SIDE = r"(?:before|after|prior\s+to|following)"
_WORDS_BEFORE = (
    rf"(?:(?<![\w'-])(?:(?P<count>{COUNT})\s+(?P<unit>{UNIT})s?\s+(?P<far>{_SIDE})|"
    rf"(?:the\s+)?(?P<near>day|night|week|weekend|month|year)\s+(?P<next>{_SIDE})|"
    rf"(?P<soon>shortly|right|just|soon|immediately)\s+(?P<close>{_SIDE})|"
    r"(?P<word>in|on|at|during|since|until|till|up\s+to|before|after|prior\s+to|by|around|between|from|throughout|over|for|"
    r"of|as\s+of|celebrat(?:e|es|ed|ing)|spen(?:d|t|ding)))\s+)?(?P<the>the\s+)?"
    r"(?:(?P<part>early|late|mid|beginning\s+of|start\s+of|end\s+of|middle\s+of|first\s+half\s+of|second\s+half\s+of|"
    r"first\s+week\s+of|last\s+week\s+of)(?:\s+(?:the\s+)?|-))?"
    r"(?P<fill>(?:morning|afternoon|evening|night|day|week|weekend|month|year)\s+(?:of\s+)?(?:the\s+)?)?\Z"
)
_BETWEEN = r"\s*,?\s*(?P<join>and|or|to|through|until|till|-|–|before|after|prior\s+to|on|as\s+of)\s*(?:the\s+)?"
_ONWARD = r"\s+(?:on|onwards?|forwards?)\b(?!\s+(?:the|my|our|his|her|a)\b)"

_ANY = frozenset(("during", "since", "until", "till", "up to", "before", "after", "prior to", "by", "around", "as of"))
# Words that make a time of a word that is not always one.
_MAKES: dict[str, frozenset[str]] = {
    "month": _ANY | {"in", "throughout"},
    "monthday": _ANY | {"on", "in"},
    "daymonth": _ANY | {"on", "in"},
    "year": _ANY | {"in", "throughout", "of"},
    "season": _ANY | {"in", "throughout", "over", "for"},
    "weekday": _ANY - {"during"} | {"on"},
    "ordinal": _ANY - {"during"} | {"on"},
    "feast": _ANY | {"in", "on", "at", "over", "for", "celebrate", "spend"},
}
_TOLD = frozenset(("yesterday", "ago", "lately", "window", "unit"))  # whole by themselves: a word before is not theirs
_OPENING = frozenset(("since", "until", "till", "up to", "before", "after", "prior to", "by", "around"))
_FALLS = frozenset(("in", "during", "since", "until", "over", "for"))  # "after the fall" is an accident
_NAMES = frozenset(("april", "may", "june", "august", "jan"))  # also people
_SAYS = r"(?:\s+and\s+i)?\s+(?:said|told|was|is|has|had|left|came|went|got|moved|[a-z]{2,}ed)\b"
_PARTS = {"early": (0.0, 0.35), "beginning of": (0.0, 0.35), "start of": (0.0, 0.35), "first half of": (0.0, 0.5)} | {
    "mid": (0.3, 0.7),
    "middle of": (0.3, 0.7),
    "second half of": (0.5, 1.0),
    "late": (0.65, 1.0),
    "end of": (0.65, 1.0),
}


@cache
def _rule(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


@cache
def _hint() -> re.Pattern[str]:
    """A word that stands in every expression of time. Most questions have none, and need no closer look."""
    return re.compile(
        r"\d|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|to-?day|to-?night|tomorrow|"
        r"yester|morning|afternoon|evening|night|noon|day|week|month|year|decade|ago|recent|late|early|earlier|last|past|"
        r"next|this|summer|winter|spring|autumn|fall|christmas|thanksgiving|halloween|valentine|new year|before|after|"
        r"during|since|until|till|when|while|between|around|following|prior|first|second|third|centur|eve)",
        re.IGNORECASE,
    )


def times(question: str, now: datetime) -> tuple[TimeSpan | Anchor, ...]:
    """What a question says about the time that it asks about, in its order. Most questions say nothing."""
    text = question[:LONGEST].replace("’", "'").replace("\0", " ")
    if _hint().search(text) is None:
        return ()
    moment = settled(now)
    found: list[tuple[int, TimeSpan | Anchor]] = []
    masked = text
    for begin, end, stretch in _stretches(text, moment):
        span = _span(stretch, text[begin:end], moment)
        if span is not None:
            found.append((begin, span))
            masked = masked[:begin] + "\0" * (end - begin) + masked[end:]
    for begin, end, relation, offset, event in events(masked):
        found.append((begin, Anchor(relation=relation, offset=offset, event=event, text=text[begin:end])))
    found.sort(key=lambda one: one[0])
    return tuple(one for _, one in found)


def _span(stretch: DateRange, text: str, now: datetime) -> TimeSpan | None:
    start, end = max(stretch.start, EARLIEST), min(stretch.end, LATEST)
    # Plans are made before: at the moment of asking a future span is still near, long before it no more.
    slack = max(stretch.slack, 2 * (start - now)) if start > now else stretch.slack
    return TimeSpan(start=start, end=end, text=text.strip(), slack=slack) if start < end else None


def nearness(seconds: NDArray[np.float64], spans: Sequence[TimeSpan]) -> NDArray[np.float32]:
    """How well each moment fits the nearest span: 1 inside, 0.37 where the slack ends, then soon nothing."""
    import numpy as np

    best = np.zeros(len(seconds), dtype=np.float64)
    for span in spans:
        start, end = span.start.timestamp(), span.end.timestamp()
        outside = np.maximum(np.maximum(start - seconds, seconds - end), 0.0)
        best = np.maximum(best, np.exp(-((outside / max(span.slack.total_seconds(), 1.0)) ** 2)))
    return best.astype(np.float32)


# (begin, end, stretch) of each place in the text
_Found = tuple[int, int, DateRange]


def _stretches(text: str, now: datetime) -> list[_Found]:
    """The stretches of the calendar that the text names. "Recently" beside another one adds nothing, and goes."""
    found = list(_read(text, marks(text), now))
    clear = [stretch for vague, stretch in found if not vague]
    return clear or [stretch for _, stretch in found]


def _read(text: str, known: list[Mark], now: datetime) -> Iterator[tuple[bool, _Found]]:
    """Each mark with the words before it, and with its neighbour where both are one range."""
    past, at, accepted = 0, 0, False
    while at < len(known):
        mark = known[at]
        follower = known[at + 1] if at + 1 < len(known) else None
        lead = _lead(text, past, mark)
        pair = _pair(text, lead, mark, follower, now) if follower else None
        if pair is not None and follower is not None:
            begin, stretch = pair
            yield False, (begin, follower.end, stretch)
            past, at, accepted = follower.end, at + 2, False
            continue
        joined = accepted and at > 0 and _join(text, known[at - 1], mark) in ("and", "or")
        accepted = (joined or not mark.weak or _meant(text, lead, mark)) and mark.end > past
        if accepted:
            single = _single(text, lead, _borrowed(text, mark, follower), now)
            if single is not None:
                begin = mark.begin if mark.shape in _TOLD and _word(lead) not in _OPENING else lead.start()
                yield mark.shape == "lately", (begin, mark.end, single)
            past = mark.end
        at += 1


def _lead(text: str, past: int, mark: Mark) -> re.Match[str]:
    """The words before a mark that belong to it. Every part of the pattern may be absent, so it always matches."""
    from_ = max(past, mark.begin - _LEAD)
    found = _rule(_WORDS_BEFORE).search(text, from_, mark.begin)
    assert found is not None
    return found


def _join(text: str, first: Mark, second: Mark) -> str:
    found = _rule(_BETWEEN).fullmatch(text, first.end, second.begin) if second.begin - first.end < 24 else None
    return " ".join(found["join"].lower().split()) if found else ""


def _word(lead: re.Match[str]) -> str:
    word = " ".join((lead["word"] or "").lower().split())
    return "celebrate" if word.startswith("celebrat") else "spend" if word.startswith("spen") else word


def _meant(text: str, lead: re.Match[str], mark: Mark) -> bool:
    """Whether the words around a weak mark make it a time."""
    word, name = _word(lead), mark.word.lower().rstrip(".")
    if mark.shape == "month" and name in _NAMES and _rule(_SAYS).match(text, mark.end) and word != "in":
        return False
    if lead["part"] or lead["far"] or lead["next"] or lead["close"]:
        return True
    if name == "fall":
        return word in _FALLS
    if word == "from" and _rule(_ONWARD).match(text, mark.end):
        return True
    if name in ("summer", "winter") and lead["the"]:
        return True
    if lead["fill"] and mark.shape in ("month", "year"):
        return True
    return word in _MAKES.get(mark.shape, ())


def _borrowed(text: str, mark: Mark, follower: Mark | None) -> Mark:
    """In "May and June 2023" the first takes its year from the second."""
    if not (follower and mark.yearly and mark.year is None and not mark.turn and follower.year):
        return mark
    return mark._replace(year=follower.year) if _join(text, mark, follower) in ("and", "or") else mark


def _pair(text: str, lead: re.Match[str], first: Mark, second: Mark, now: datetime) -> tuple[int, DateRange] | None:
    """Two marks that are one stretch: a range, or a weekday told by a date ("the Sunday before 7 May")."""
    join, word = _join(text, first, second), _word(lead)
    if join in ("before", "after", "prior to", "on", "as of") and first.shape in ("weekday", "unit"):
        date = second.place(now, second.turn, second.year)
        if date is None or second.weak:
            return None
        told = first.place(date.start, "next" if join == "after" else first.turn or "last", None)
        return (lead.start(), told) if told else None
    if (word == "between" and join in ("and", "-", "–")) or (word == "from" and join not in ("", "and", "or", "on")):
        stretch = _range(first, second, now)
        return (lead.start(), stretch) if stretch else None
    return None


def _range(first: Mark, second: Mark, now: datetime) -> DateRange | None:
    """From the one to the other. The one without a year lies where the order is right."""
    start = first.place(now, first.turn, first.year or second.year)
    end = second.place(now, second.turn, second.year or first.year)
    if start and end and first.yearly and second.yearly and start.start >= end.end:
        if first.year is None:
            start = first.place(now, "", start.start.year - 1)
        elif second.year is None:
            end = second.place(now, "", end.start.year + 1)
    if not start or not end:
        return None
    if start.start >= end.end and first.shape == second.shape == "weekday":
        return DateRange(start.start - timedelta(days=7), end.end, start.slack)
    return DateRange(min(start.start, end.start), max(start.end, end.end), max(start.slack, end.slack))


def _single(text: str, lead: re.Match[str], mark: Mark, now: datetime) -> DateRange | None:
    """What a mark means after the words before it."""
    told = mark.place(now, mark.turn, mark.year)
    if told is None:
        return None
    told = _part(told, " ".join((lead["part"] or "").lower().split()))
    side = lead["far"] or lead["next"] or lead["close"]
    if side:
        return _beside(lead, told, -1 if side.lower().startswith(("before", "prior")) else 1)
    if (lead["fill"] or "").lower().startswith("week") and told.end - told.start <= timedelta(days=1):
        return DateRange(told.start, told.start + timedelta(days=7), told.slack)  # "the week of 7 May"
    word = _word(lead)
    return _open("since" if word == "from" and _rule(_ONWARD).match(text, mark.end) else word, told)


def _part(told: DateRange, part: str) -> DateRange:
    if not part:
        return told
    week, whole = length("week"), told.end - told.start
    if part == "first week of":
        return DateRange(told.start, told.start + week, week / 3)
    if part == "last week of":
        return DateRange(told.end - week, told.end, week / 3)
    first, last = _PARTS[part]
    return DateRange(told.start + first * whole, told.start + last * whole, told.slack)


def _beside(lead: re.Match[str], told: DateRange, sign: int) -> DateRange:
    """Two weeks before a date, the week after it, shortly before it."""
    if lead["count"]:
        return away(told.start, count(lead["count"]), lead["unit"].lower(), sign)
    if lead["near"] and lead["near"].lower() in ("day", "night"):
        return away(told.start, (1, 1), "day", sign)
    wide = _SHORTLY if lead["soon"] else length(lead["near"])
    if sign < 0:
        return DateRange(told.start - wide, told.start, told.slack)
    return DateRange(told.end, told.end + wide, told.slack)


def _open(word: str, told: DateRange) -> DateRange:
    """Since, until, before and after are open at one end."""
    if word in ("before", "prior to"):
        return DateRange(EARLIEST, told.start, told.slack)
    if word in ("until", "till", "up to", "by"):
        return DateRange(EARLIEST, told.end, told.slack)
    if word == "after":
        return DateRange(told.end, LATEST, told.slack)
    if word == "since":
        return DateRange(told.start, LATEST, told.slack)
    return DateRange(told.start, told.end, 2 * told.slack) if word == "around" else told
