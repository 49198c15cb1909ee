"""What a search is asked, and what it answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from onrecord.records.derived import Record
from onrecord.records.messages import EPOCH, Jsonable, Message

__all__ = ["NOW", "FoundItem", "Hit", "Past", "SearchOutcome", "SearchRequest", "SearchStage"]


@dataclass(frozen=True, slots=True)
class Past:
    """A look at another moment than now."""

    as_of: datetime | None = None  # what was true then, for all that is known today
    known_at: datetime | None = None  # what was known then

    def __bool__(self) -> bool:
        return self.moment is not None

    @property
    def moment(self) -> datetime | None:
        """When what is seen was true."""
        return self.as_of or self.known_at

    @property
    def said(self) -> datetime | None:
        """When the last message that is seen was said at the latest."""
        return min((one for one in (self.as_of, self.known_at) if one is not None), default=None)


NOW = Past()


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """What is searched for, and where."""

    text: str  # the question, or some words
    context: str = ""  # more words that bear on it, such as the recent messages
    kinds: frozenset[str] = frozenset()  # only these; empty: all
    types: frozenset[tuple[str, str]] = frozenset()  # of facts, of episodes only these; none of them: all
    sessions: frozenset[str] = frozenset()  # only these; empty: all
    since: datetime | None = None  # only at or after this moment
    until: datetime | None = None  # only before this moment
    past: Past = NOW  # as it is at another moment
    importance: float = 0.0  # at least
    categories: frozenset[str] = frozenset()  # only of one of these; empty: all
    tags: frozenset[str] = frozenset()  # only with one of these; empty: all
    limit: int = 10  # at most so many hits
    tokens: int | None = None  # only what fits into so many together
    weights: Mapping[str, Any] | None = field(default=None, hash=False)  # of single signals, in place of the usual ones
    now: datetime = EPOCH  # what "last week" is relative to, where nothing was said yet


class FoundItem(NamedTuple):
    """One thing that was found, as it is kept. A prompt may look at hundreds, so it is made quickly."""

    item: Message | Record
    score: float  # how well it fits
    names: tuple[str, ...]  # of the signals, the same for all of one search
    values: tuple[float, ...]  # what the score is made of, by signal
    spans: tuple[tuple[int, int], ...] = ()  # of a long text, the best passages; empty: all of it
    probability: float | None = None  # that it bears on the question; None: the ranking is not calibrated

    @property
    def parts(self) -> dict[str, float]:
        """What the score is made of."""
        return dict(zip(self.names, self.values, strict=True))


@dataclass(frozen=True, slots=True)
class SearchStage:
    """One step of a search."""

    name: str
    said: str  # what it did, in words


@dataclass(slots=True, kw_only=True)
class SearchOutcome:
    """What a search found, and how."""

    found: list[FoundItem] = field(default_factory=list)  # the best first
    stages: list[SearchStage] = field(default_factory=list)  # what was done
    notes: list[str] = field(default_factory=list)  # what could not be done as usual
    weights: Mapping[str, float] = field(default_factory=dict)  # what each signal counts by default
    confidence: float | None = None  # that the answer is there; None: the ranking is not calibrated
    missed: bool = False  # the past was asked about, and the answer is hardly there


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit(Jsonable):
    """One thing that was found."""

    kind: str  # message, summary, pin, fact or episode
    id: str  # of that
    session: str  # the conversation it belongs to
    seq: int  # number of the message; of a summary or pin, of the last message it comes from
    text: str  # what was said; of a long message the best passages, each gap marked with […]
    score: float  # how well it fits, higher is better; only the order within one search means something
    probability: float | None = None  # that it bears on the question, from 0 to 1; None under the tiered ranking
    parts: Mapping[str, float] = field(default_factory=dict, hash=False)  # what the score is made of: signal × weight
    first: int = 0  # of a summary or pin: the first message it comes from
    type: str = ""  # of a fact or episode: what kind of these, such as decision
    role: str = ""  # of a message
    name: str | None = None  # who said it
    time: datetime = EPOCH  # when it was said or made
    importance: float = 0.5  # from 0 to 1
    passages: tuple[tuple[int, int], ...] = ()  # of a long message: where the best passages begin and end
