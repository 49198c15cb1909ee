"""Which facts reach a prompt without being asked for: the vital ones as pins, wishes and the like as lines of what is
known. Everything else is left to searches: it would take the room of what bears on the question.

Both are chosen by what they are and never by how often they were read, so that a prompt stays the same from turn to
turn until something new is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from heapq import nsmallest
from itertools import islice
from typing import NamedTuple

from onrecord.policy.automatic import is_automatic
from onrecord.policy.secrets import secrets
from onrecord.records import Fact, Pin

__all__ = ["Chosen", "beside", "chosen", "worth"]

# How much it matters that a fact is in every prompt; 0: only where it bears on the question.
_KINDS = {"constraint": 0.7, "preference": 0.6, "goal": 0.5}
_TAGS = {"allergy": 0.95, "health": 0.9, "standing": 0.85}
_PERSONAL = frozenset({"name", "home", "employer", "job", "age", "birthday", "pronouns", "language"})
_WHO = 0.55  # what a person is called, and where they live and work
MOST = 2_000  # facts that are looked at closely
_REMINDED = 0.9  # as sure is a plain fact that somebody asked to be remembered
_VITAL = 0.72  # from here on a fact is pinned
_SETTLED = 0.5  # decisions and dates, which are pinned behind the vital,
_MOST_SETTLED = 3  # as many, the newest
_SURE = 0.8  # a decision that is as sure


class Chosen(NamedTuple):
    """The facts of a space that a prompt should hold."""

    pins: tuple[Fact, ...]  # the most important first
    lines: tuple[Fact, ...]  # the most valuable first


def worth(fact: Fact) -> float:
    """From 0 to 1."""
    told = max(_KINDS.get(fact.kind, 0.0), *(_TAGS.get(tag, 0.0) for tag in fact.tags), 0.0)
    if fact.kind == "fact" and fact.confidence >= _REMINDED:
        told = max(told, _KINDS["preference"])
    who = _WHO if fact.attribute in _PERSONAL and fact.subject == fact.speaker else 0.0
    given = fact.importance if fact.method == "hand" else 0.0
    found = max(told, who, given, _SETTLED if _is_settled(fact) else 0.0)
    return 0.0 if found and secrets(fact.text) else found  # one that a person noted is for who asks for it


def chosen(facts: Iterable[Fact], pins: int, lines: int, unpinned: Iterable[str] = ()) -> Chosen:
    """The best of the facts in force: so many pins, so many lines. What may be pinned is among the lines too, for a
    prompt that has no room for so many pins; what was unpinned is among neither. What one sentence says twice is there
    once."""
    left = set(unpinned)
    told = [(-value, -fact.said.timestamp(), fact.id, fact) for fact in facts if (value := worth(fact))]
    ranked = _once([fact for *_, fact in nsmallest(MOST, [one for one in told if is_automatic(one[-1])])])
    vital = [fact for fact in ranked if worth(fact) >= _VITAL and fact.id not in left]
    settled = [fact for fact in ranked if _is_settled(fact) and fact not in vital and fact.id not in left]
    newest = sorted(settled, key=lambda fact: (fact.said, fact.id), reverse=True)
    pinned = tuple([*vital, *newest[:_MOST_SETTLED]][:pins])
    shown = (fact for fact in ranked if fact.id not in left and not _is_settled(fact))
    return Chosen(pinned, tuple(islice(shown, lines)))


def beside(own: Sequence[Pin], auto: Iterable[Pin]) -> list[Pin]:
    """The automatic pins that say something which the person's own do not, in their words or from their messages."""
    texts = {pin.text.casefold() for pin in own}
    sources = {pin.source for pin in own if pin.source}
    return [pin for pin in auto if pin.text.casefold() not in texts and pin.source not in sources]


def _once(facts: list[Fact]) -> list[Fact]:
    first: dict[tuple[str, str], Fact] = {}
    for fact in facts:
        first.setdefault((fact.speaker, fact.text), fact)
    return list(first.values())


def _is_settled(fact: Fact) -> bool:
    """Decisions that are sure, and dates."""
    return (fact.kind == "decision" and fact.confidence >= _SURE) or "date" in fact.tags
