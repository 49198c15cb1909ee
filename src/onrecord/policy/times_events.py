"""Times that a question tells by an event: "two days after the interview", "before we moved", "when I was in Lisbon".

An event is what follows the word, up to the end of its clause. It must look like one: a thing with an article or an
owner, a name, a doing ("after meeting Maria") or a clause in the past. A clause in the present ("when I cook") tells of
a habit and no time. The word "when" that asks, openly or in "do you know when", names no time either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from functools import cache
from typing import Literal, NamedTuple

from onrecord.policy.times_calendar import COUNT, UNIT, count, length

__all__ = ["Relation", "TimeEvent", "events"]

Relation = Literal["before", "after", "around"]

_LONGEST_EVENT = 120  # characters
_SIDES: dict[str, Relation] = {
    "before": "before",
    "prior to": "before",
    "until": "before",
    "till": "before",
    "after": "after",
    "following": "after",
    "since": "after",
}
_WORD = (
    rf"(?<![\w'-])(?:(?:(?P<count>{COUNT})\s+(?P<unit>{UNIT})s?|(?:the\s+)?(?P<near>day|week|month|year)|"
    r"(?P<soon>shortly|right|just|soon|immediately))\s+(?=(?:before|after|prior)\b))?"
    r"(?P<word>before|after|prior\s+to|following|since|until|till|during|while|when|"
    r"(?:around|at|about)\s+the\s+time(?:\s+(?:of|when|that))?|"
    r"the\s+(?:day|night|week|weekend|month|year)(?:\s+(?:when|that))?)\s+"
)
_EVENT = rf"(?:[^?.!,;:\n\0]|[.,:](?=\w)){{1,{_LONGEST_EVENT}}}"
_CUT = (
    r"\s+(?:and\s+)?(?:when|while|before|after|since|until|because|so\s+that|what|who|whom|where|how|why)\b.*|"
    r"\s+and\s+(?:did|do|does|is|was|were|then|also)\b.*|"
    r"(?:\s+(?:on|in|at|by|of|the|and|or|from|for|to|around|during|last|this))+\s*$"
)
# After these, the next word is no time: "looked after the dog", "named after her", "do you know when he left".
_NOT_AFTER = r"\b(?:look\w*|nam(?:e|ed|ing)|chas\w+|takes|one)\s+$"
_ASKING = r"(?:^|[.?!;:\n]\s*|\b(?:know|tell|me|us|say|wonder|exactly|recall|remember|sure|or|out|is|was|since)\s+)$"

_OWNERS = r"(?:the|my|our|his|her|their|your|its|an?|[A-Z]\w+(?:\s[A-Z]\w+)?'s?)"
_PEOPLE = r"(?:i|we|he|she|they|you|it|everyone|someone)"
_IDLE = (
    r"(?:an?|the)\s+(?:while|moment|bit|time|times|day|days|night|nights|week|weeks|weekend|weekends|month|months|year|years|"
    rf"morning|afternoon|evening|fact|other|next|same|recent|following|past|last|first|long|few|couple|{UNIT}s?|rest)\b"
)
_NO_DOING = "anything|something|everything|nothing|during|morning|evening|thing|spring|being|king|string|following"
_STRONG = (
    "was were had did got went met left came began bought broke brought built chose fell felt found flew gave grew "
    "heard held kept knew lost made paid ran said saw sold sent spoke spent taught told took thought won wore wrote "
    "quit became ate drove drank sang slept swam caught forgot hurt split stood woke threw rode rose sat led fought "
    "hid drew shot sought stuck stole tore could would"
)
_NO_PAST = "need|feed|speed|seed|indeed|exceed|succeed|proceed|hundred"
_PAST = rf"\b(?:{'|'.join(_STRONG.split())}|(?!(?:{_NO_PAST})\b)[a-z]{{2,}}ed)\b"


class TimeEvent(NamedTuple):
    """Where in the text a time is told by an event, and how."""

    begin: int
    end: int
    relation: Relation
    offset: timedelta | None
    event: str


@cache
def _rule(pattern: str, flags: int = re.IGNORECASE) -> re.Pattern[str]:
    return re.compile(pattern, flags)


def events(text: str) -> Iterator[TimeEvent]:
    """The events that tell a time, in order. What is already read as a time stands in the text as null characters."""
    past = 0
    for found in _rule(_WORD).finditer(text):
        if found.start() < past:
            continue
        body = _rule(_EVENT).match(text, found.end())
        if body is None:
            continue
        event = _rule(_CUT, re.IGNORECASE | re.DOTALL).sub("", body.group()).rstrip()
        word = " ".join(found["word"].lower().split())
        if _tells(word, text, found, event):
            past = found.end() + len(event)
            yield TimeEvent(found.start(), past, _SIDES.get(word, "around"), _offset(found), event)


def _offset(found: re.Match[str]) -> timedelta | None:
    """How far from the event: none where only the order is told, nothing at all for "right after"."""
    if found["soon"]:
        return timedelta()
    if found["count"]:
        return sum(count(found["count"])) * length(found["unit"]) / 2
    return length(found["near"]) if found["near"] else None


def _tells(word: str, text: str, found: re.Match[str], event: str) -> bool:
    """Whether the words after the word are an event, and the word before it lets it tell a time."""
    before = text[max(0, found.start() - 40) : found.start()]
    if word == "when" or word.endswith((" when", " that")):
        return not _asks(word, text, before, found.end() + len(event)) and _clause(event)
    if word == "while":
        return _clause(event) or _doing(event) or _rule(r"(?:in|at|on|visiting)\s+\w").match(event) is not None
    if word.startswith("the "):
        return _clause(event)
    if word in ("after", "before") and _rule(_NOT_AFTER).search(before):
        return False
    if word == "following":
        return (
            _thing(event) and _rule(r"[\w,]\s+$").search(before) is not None and not _rule(r"\bthe\s+$").search(before)
        )
    if word == "during":
        return _thing(event)
    return _thing(event) or _doing(event) or _clause(event)


def _asks(word: str, text: str, before: str, end: int) -> bool:
    """Whether "when" asks. At the beginning it does, unless a comma and the real question follow its clause."""
    if word != "when" or not _rule(_ASKING).search(before):
        return False
    opens = not before.strip() or before.rstrip()[-1] in ".?!;:"
    return not (opens and text[end : end + 1] == ",")


def _thing(event: str) -> bool:
    """A noun with an article or an owner, or a name, that is no plain length of time."""
    if _rule(_IDLE).match(event) or _rule(rf"{COUNT}\s+(?:\w+\s+)?{UNIT}s?\b").match(event):
        return False
    if _rule(_OWNERS + r"\s+\w{2,}", 0).match(event):
        return True
    return _rule(r"[A-Z]\w+", 0).match(event) is not None and not _rule(_PEOPLE + r"\b").match(event)


def _doing(event: str) -> bool:
    return _rule(rf"(?!(?:{_NO_DOING})\b)[a-z]{{2,}}ing\b").match(event) is not None


def _clause(event: str) -> bool:
    """Somebody or something, and a verb in the past."""
    subject = _rule(rf"(?:{_PEOPLE}\b|(?i:{_OWNERS})\s+\w+|(?-i:[A-Z]\w+))").match(event)
    return subject is not None and _rule(_PAST).search(event, subject.end()) is not None
