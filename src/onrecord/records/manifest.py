"""What comes out for people: a context's sections and candidates, each with its reason, and a session at a glance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from onrecord.records.derived import Pin, Summary
from onrecord.records.facts import Fact
from onrecord.records.messages import Jsonable, Message, Status

__all__ = ["Candidate", "Conversation", "KnownFacts", "Section"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate(Jsonable):
    """One thing that could be in a prompt."""

    kind: str  # system, question, message, pin, fact or summary
    id: str  # of the message, pin or summary; for a fact its label
    section: str  # the part of the prompt it belongs to
    included: bool  # whether it is in the prompt
    reason: str  # why, or why not
    tokens: int = 0  # what it costs, or would
    value: float = 0.0  # how much it matters, from 0 to 1
    parts: Mapping[str, float] = field(default_factory=dict, hash=False)  # what the value is made of
    first: int = 0  # first message that it comes from; 0 for none
    last: int = 0  # last message that it comes from
    session: str = ""  # the conversation it comes from, if that is another one
    origin: str = ""  # where its text came from
    trust: float = 1.0  # how far that can be trusted
    shortened: bool = False  # part of it was left out
    text: str = ""  # its beginning, for people


@dataclass(frozen=True, slots=True, kw_only=True)
class Section(Jsonable):
    """One part of a prompt."""

    name: str  # system, facts, pins, summaries, earlier, recent, recalled, question or frame
    tokens: int = 0  # what it takes of the budget
    items: int = 0  # candidates in it
    left_out: int = 0  # candidates that are not in the prompt
    limit: int = 0  # tokens set aside for it, or its share of the budget; 0: none of its own


@dataclass(frozen=True, slots=True)
class KnownFacts:
    """What is known for long and belongs into a prompt unasked."""

    stamp: object = None  # equal stamps: nothing changed
    pins: tuple[Pin, ...] = ()  # facts that pinned themselves
    wishes: frozenset[str] = frozenset()  # ids of those that the user asked for, to last
    facts: tuple[tuple[Fact, float], ...] = ()  # with what each is worth, the most valuable first
    held: frozenset[str] = frozenset()  # what facts in force say, in small letters, however it may be worded
    gone: tuple[str, ...] = ()  # what was said and does not hold any more, in small letters


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation(Jsonable):
    """A conversation at a glance."""

    id: str  # the session's id
    project: str  # the space it belongs to
    started: datetime | None = None  # when it was first used; None: it was not
    ended: datetime | None = None  # when it was ended
    status: Status = "active"  # active, paused or ended
    turns: int = 0  # messages in all
    recent: tuple[Message, ...] = ()  # those that no chunk covers
    chunks: tuple[Summary, ...] = ()  # the summaries of the others, in order
    facts: tuple[str, ...] = ()  # ids of the facts in force
    milestones: tuple[str, ...] = ()  # ids of its episodes
