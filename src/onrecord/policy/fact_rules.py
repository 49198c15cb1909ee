"""Long-term facts of one message, by precise rules over its sentences. English, without a model.

Only people state facts: users, and speakers with a name. What is asked, imagined, quoted, retold, wished for the moment
or remembered from before is none. A claim says what it is about (subject, attribute) so that a later one about the same
takes its place; what one may have several of (an allergy, a pet) has the thing in its attribute. Where that cannot be
told safely both are empty, and the text speaks for itself.

Tags: "standing", an order to the assistant that lasts; "allergy"; "health"; "date", where the value is one; "indirect",
where the message is no short plain turn.
"""

from __future__ import annotations

import re
from collections import Counter
from datetime import datetime
from functools import cache
from typing import NamedTuple

from onrecord.policy.automatic import plainly_said
from onrecord.policy.fact_reading import Stated, stated
from onrecord.policy.fact_text import own_sentences, shown, valid
from onrecord.policy.fact_tidy import built, tidied
from onrecord.policy.fact_values import FactStatement
from onrecord.policy.fact_words import category
from onrecord.policy.trust import INDIRECT
from onrecord.records import FactKind, Role

__all__ = ["FACTS_VERSION", "Statement", "claims", "tells"]

FACTS_VERSION = "6"
"""Names the rules."""

_CONFIDENCE = {"decision": 0.8, "goal": 0.8}
_USUAL, _HEDGED, _EXPLICIT = 0.7, 0.5, 0.9
_LEAST_SPACES = 2  # two words state nothing
_LOOKED_AT = 200  # characters
_OF_SELF = ("i'm ", "i’m ", "im ", "we're ", "we’re ")  # "I'm diabetic" is a statement of two words
_NOBODY = frozenset(("assistant", "ai", "bot", "system", "tool", "chatgpt", "claude"))


class Statement(NamedTuple):
    """A fact that a message states."""

    kind: FactKind
    text: str  # the sentence as it was said, without greeting and request
    subject: str  # "user" or the speaker's name, "we", or whom or what it is about
    attribute: str  # what of it; "" where that cannot be said safely
    value: str
    confidence: float  # 0 to 1
    category: str  # health, food, work, home, family, travel, finance, technology, style, schedule, people, other
    tags: tuple[str, ...]
    since: datetime | None  # from when it holds, if it is said
    until: datetime | None  # until when


def tells(role: Role, text: str) -> bool:
    """Whether a message may state a fact at all: a first look that costs next to nothing."""
    if role not in ("user", "assistant"):
        return False
    if text.count(" ", 0, _LOOKED_AT) < _LEAST_SPACES and text.count(" ") < _LEAST_SPACES:
        return text[:6].lower().startswith(_OF_SELF)
    # A short question without a clause before it asks and states nothing.
    return not (
        len(text) < _LOOKED_AT and text.endswith("?") and "," not in text and ". " not in text and "\n" not in text
    )


def claims(text: str, *, role: Role, name: str | None, time: datetime) -> list[Statement]:
    """The facts that a message states."""
    named = name is not None and name.strip().lower() not in _NOBODY
    if not tells(role, text) or (role == "assistant" and not named):
        return []
    speaker = name.strip() if name and name.strip() and named and name.strip().lower() != "user" else "user"
    found: dict[tuple[str, str, str, str], Statement] = {}
    marks = () if plainly_said(text) else (INDIRECT,)
    for sentence in own_sentences(text):
        text_shown = shown(sentence)
        if not text_shown:
            continue
        for said, clause in _apart(stated(text_shown, speaker), speaker):
            claim = _claim(said._replace(tags=(*said.tags, *marks)), _kept(clause), time)
            found.setdefault((claim.kind, claim.subject, claim.attribute, claim.value or claim.text), claim)
    return _settled(list(found.values()))


def _apart(told: list[Stated], speaker: str) -> list[Stated]:
    """Statements in their usual form; those that share a clause each get words of their own, where there are any."""
    tidy = [one._replace(said=tidied(one.said, one.text, speaker)) for one in told]
    shared = Counter(one.text for one in tidy)
    return [one._replace(text=built(one.said, speaker) or one.text) if shared[one.text] > 1 else one for one in tidy]


def _settled(found: list[Statement]) -> list[Statement]:
    """Without what only denies, where the same message says what holds instead: "no longer Stripe, we use Adyen"."""
    kept: list[Statement] = []
    for one in found:
        about = [other for other in found if (other.subject, other.attribute) == (one.subject, one.attribute)]
        denied = {other.value.removeprefix("not ") for other in about if _denies(other)}
        held = {other.value for other in about if not _denies(other)} - denied
        if not (held if _denies(one) else one.value in denied):
            kept.append(one)
    return kept


def _denies(claim: Statement) -> bool:
    return claim.value.startswith("not ") or claim.value == "none"


def _kept(clause: str) -> str:
    return clause[:1].upper() + clause[1:]


def _claim(said: FactStatement, text: str, time: datetime) -> Statement:
    ahead = "ahead" in said.tags
    since, until = valid(text, time, ahead=ahead, began=_may_begin(said))
    if "date" in said.tags:  # the date is what is said, not when that began
        since = None
        until = None if said.attribute == "date" else until
    attribute = said.attribute if said.value else ""
    return Statement(
        kind=said.kind,
        text=text,
        subject=said.subject,
        attribute=attribute,
        value=said.value if attribute else "",
        confidence=_sure(said, text),
        category=said.category or category(text),
        tags=tuple(tag for tag in said.tags if tag != "ahead"),
        since=since,
        until=until,
    )


def _may_begin(said: FactStatement) -> bool:
    """Whether a time beside it tells when it began: of people's lives, not of what is wanted or limited."""
    return said.kind not in ("goal", "constraint") and "date" not in said.tags


def _sure(said: FactStatement, text: str) -> float:
    if said.confidence in (_HEDGED, _EXPLICIT):
        return said.confidence
    if _hedged().search(text):
        return _HEDGED
    if _explicit().search(text):
        return _EXPLICIT
    return _CONFIDENCE.get(said.kind, _USUAL)


@cache
def _hedged() -> re.Pattern[str]:
    return re.compile(r"\b(?:i think|i guess|probably|i believe|most likely|tentatively|kind of|sort of|kinda)\b", re.I)


@cache
def _explicit() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:always|never|from now on|settled|that's final|allergic|allergy|non-negotiable|officially|permanently|"
        r"for good|mandatory|under no circumstances)\b",
        re.I,
    )
