"""Where a new topic begins in a conversation, told from the turns close by.

A decision looks at no more than the last `BEFORE` turns before a place and the first `AFTER` from it on: at the words
and fields that both sides share, at how one turn answers the other, and at what people say when they open or close a
matter. There is no state, no corpus and no model: any worker, late or early, decides the same, and forgetting a message
can only move what is decided close to it. A topic begins where that is surer than one turn earlier and one turn later.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from math import exp, log1p
from typing import NamedTuple

from onrecord.policy.planned import AFTER, TOPICS_VERSION
from onrecord.policy.topics_signs import HeardTurn, hear

__all__ = [
    "AFTER",
    "BEFORE",
    "BY_HAND",
    "TOPICS_VERSION",
    "WEIGHTS",
    "TopicTracker",
    "TopicTurn",
    "begins",
    "boundaries",
]

BEFORE = 6
"""Turns before a place that tell whether a topic begins there."""

REACH = BEFORE + AFTER + 1  # turns before the newest that tell whether it shows a beginning
LEAST = 2  # turns of a topic
SURE = 0.5  # from here on a new topic begins

# Learned by `python -m training topics`, a logistic regression over pieces of different dialogues joined together
# (Taskmaster-4, TIAGE without its labels, QMSum), cut where nobody waits for an answer.
WEIGHTS: dict[str, float] = {
    "any": -1.58,
    "asked": -1.96,
    "wished": -0.52,
    "wished asks": -0.9,
    "closed": 1.19,
    "answers": -1.67,
    "reacts": -0.31,
    "reacts asks": 0.3,
    "links": -1.38,
    "greets": 1.79,
    "closes": -0.33,
    "asks": 0.23,
    "asks unasked": 0.49,
    "asks you": 0.78,
    "wishes": 1.52,
    "serves": -0.12,
    "brings": 0.44,
    "points": -0.35,
    "brief": 0.14,
    "near": -1.82,
    "tail near": -0.75,
    "far": -0.49,
    "ahead": 0.12,
    "reply": 0.38,
    "across": -1.41,
    "held": 0.75,
    "fresh": 0.31,
    "field near": -0.28,
    "field far": 0.37,
    "field new": 0.21,
    "field across": -0.61,
}
BY_HAND: dict[str, float] = {
    "shifts": 1.5,  # "by the way": too rare there
    "assistant": -2.0,  # whoever is asked seldom opens a matter: no roles were learned from
}


class TopicTurn(NamedTuple):
    """What one side says at a time."""

    role: str  # user or assistant, or the name of who speaks
    text: str


def begins(before: Sequence[TopicTurn], after: Sequence[TopicTurn]) -> float:
    """How surely a new topic begins with the first turn of `after`, from 0 to 1."""
    return _sure(_heard(before[-BEFORE:]), _heard(after[:AFTER]))


def boundaries(turns: Sequence[TopicTurn]) -> list[int]:
    """Positions at which a new topic begins; the first turn does not count. A topic has two turns or more."""
    heard = _heard(turns)
    return [at for at in range(LEAST, len(heard) - 1) if _peak(heard, at)]


class TopicTracker:
    """Follows a conversation and says, as turns come, where a new topic began: `AFTER` turns after it did, and just
    what `boundaries` says of the whole. It can set in anywhere, once it knows the `REACH` turns before."""

    def __init__(self) -> None:
        self._heard: deque[tuple[int, HeardTurn]] = deque(maxlen=REACH + 1)

    def know(self, number: int, role: str, text: str) -> None:
        """Take in a turn; its number may be any."""
        self._heard.append((number, hear(role, text)))

    def take(self, number: int, role: str, text: str) -> int:
        """Take in a turn: the number of the one at which, as it shows, a new topic began; 0 where none did."""
        self.know(number, role, text)
        at = len(self._heard) - 1 - AFTER
        if at < LEAST or not _peak([heard for _, heard in self._heard], at):
            return 0
        return self._heard[at][0]


def _heard(turns: Iterable[TopicTurn]) -> list[HeardTurn]:
    return [hear(turn.role, turn.text) for turn in turns]


def _peak(heard: Sequence[HeardTurn], at: int) -> bool:
    """Whether a topic begins here: sure enough, and surer than at its neighbours, or topics would have one turn."""
    sure = _sure_at(heard, at)
    return sure >= SURE and sure > _sure_at(heard, at - 1) and sure >= _sure_at(heard, at + 1)


def _sure_at(heard: Sequence[HeardTurn], at: int) -> float:
    return _sure(heard[max(0, at - BEFORE) : at], heard[at : at + AFTER])


def _sure(before: Sequence[HeardTurn], after: Sequence[HeardTurn]) -> float:
    if not before or not after:
        return 0.0
    weights = WEIGHTS | BY_HAND
    return 1 / (1 + exp(-sum(weights.get(name, 0.0) * value for name, value in signals(before, after).items())))


def signals(before: Sequence[HeardTurn], after: Sequence[HeardTurn]) -> dict[str, float]:
    """What speaks for or against a new topic with the first turn of `after`, by the names in `WEIGHTS`."""
    return _acts(before[-1], after[0]) | _words(before, after) | _fields(before, after)


def _acts(last: HeardTurn, here: HeardTurn) -> dict[str, float]:
    """How a turn takes up the one before."""
    return {
        "any": 1.0,
        "asked": last.asks and not last.closes,
        "wished": last.wishes and not last.asks,
        "wished asks": last.wishes and here.asks,
        "closed": last.closes,
        "answers": here.answers,
        "reacts": here.reacts,
        "reacts asks": here.reacts and here.asks,
        "links": here.links,
        "shifts": here.shifts,
        "greets": here.greets,
        "closes": here.closes,
        "asks": here.asks,
        "asks unasked": here.asks and not last.asks,
        "asks you": here.asks_you,
        "wishes": here.wishes,
        "serves": here.serves,
        "brings": here.brings,
        "points": here.points,
        "brief": here.brief,
        "assistant": here.assistant,
    }


def _words(before: Sequence[HeardTurn], after: Sequence[HeardTurn]) -> dict[str, float]:
    """Which words come back."""
    here = after[0]
    near, far, ahead = _joined(before[-2:]), _joined(before[:-2]), _joined(after[1:])
    fresh = sum(weight for word, weight in here.content.items() if word not in near and word not in far)
    return {
        "near": _any(here.content, near),
        "tail near": _any(here.tail, near),
        "far": _any(here.content, far),
        "ahead": _any(here.content, ahead),
        "reply": _any(here.content, after[1].content) if len(after) > 1 else 0.0,
        "across": _share(_joined(after), _joined(before[-3:])),
        "held": _share(near, _joined(before[-4:-2])),
        "fresh": log1p(fresh),
    }


def _fields(before: Sequence[HeardTurn], after: Sequence[HeardTurn]) -> dict[str, float]:
    """Which fields come back."""
    here = after[0].fields
    near, far = _about(before[-2:]), _about(before[:-2])
    one, other = _about(before[-3:]), _about(after)
    return {
        "field near": len(here & near) / len(here) if here else 0.0,
        "field far": len(here & far) / len(here) if here else 0.0,
        "field new": bool(here and near) and not here & (near | far),
        "field across": len(one & other) / min(len(one), len(other)) if one and other else 0.0,
    }


def _joined(turns: Sequence[HeardTurn]) -> dict[str, float]:
    found: dict[str, float] = {}
    for turn in turns:
        found.update(turn.content)
    return found


def _about(turns: Sequence[HeardTurn]) -> frozenset[str]:
    return frozenset().union(*(turn.fields for turn in turns))


def _shared(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    return sum(weight for word, weight in one.items() if word in other)


def _any(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """How surely something is shared, from 0 to 1: one rare word says nearly as much as three."""
    return 1 - exp(-_shared(one, other))


def _share(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """What is shared, beside what could be."""
    return _shared(one, other) / (1 + min(sum(one.values()), sum(other.values())))
