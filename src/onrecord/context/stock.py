"""What could be in a prompt, what was decided about each thing, and what is in it at last."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from onrecord.context.formats import Spoken
from onrecord.context.head import Counted, Line
from onrecord.context.units import Unit
from onrecord.policy.artefacts import Artefact
from onrecord.records import Message

__all__ = ["Choice", "Packed", "Stock"]


@dataclass(slots=True)
class Stock:
    """What could be in a prompt."""

    system: str = ""
    question: Message | None = None
    after: Sequence[Unit] = ()  # what tools said since the question
    recent: Sequence[Unit] = ()  # messages as they were said, oldest first, without the question
    longest: int = 0  # of these, tokens from which on one is shortened; 0: none is
    asked: Unit | None = None  # a message of the conversation that the question asks for; it is not among these
    wanted: Artefact | None = None  # what it asks for, where that is not near
    brought: Line | None = None  # the same, of another conversation
    refers: bool = False  # whether the question asks for a message that is there
    older: Sequence[Line] = ()  # messages before these, shortened, by value
    recalled: Iterable[Line] = ()  # what was said about the question, the best first; each made when it is asked for
    most_recalled: int | None = None  # at most so many lines of it
    shown: set[int] = field(default_factory=set)  # numbers of messages that are in the prompt: they are not recalled
    pins: Sequence[Line] = ()
    facts: Sequence[Line] = ()
    summaries: Sequence[Sequence[Line]] = ((),)  # the same nodes in several ways, from fine to coarse; oldest first
    gap: Sequence[Line] = ()  # messages that no node covers and that do not fit
    orphans: Sequence[Unit] = ()  # results of tools whose call is not there
    values: Mapping[int, float] = field(default_factory=dict)  # of messages, where not their importance counts
    covered: int = 0  # number of the newest message that the plan's nodes stand for
    notes: list[str] = field(default_factory=list)  # what could not be done as usual in recalling
    confidence: float | None = None  # that what is asked was found; None: nothing was looked for, or that is not known


class Choice(NamedTuple):
    """What was decided about one thing, and why. A prompt makes dozens, so it is made quickly."""

    item: Line | Unit | str
    section: str
    included: bool
    reason: str
    shortened: bool = False


@dataclass(slots=True)
class Packed:
    """What is in the prompt, in order."""

    system: str
    lines: dict[str, list[Line]]
    turns: list[Unit]
    question: Message | None
    after: list[Unit]
    cost: Counted  # of texts
    values: Mapping[int, float]  # of messages, where not their importance counts
    head: str = ""
    recalled: str = ""
    tokens: int = 0
    estimated: int = 0  # by the profile's own estimate, where it keeps to one
    limits: Mapping[str, int] = field(default_factory=dict)  # tokens set aside for sections, and their shares
    choices: list[Choice] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    confidence: float | None = None  # that what is asked was found

    @property
    def parts(self) -> list[Spoken]:
        """The prompt in order."""
        parts: list[Spoken] = [("head", self.head)] if self.head else []
        parts += [("turn", message) for unit in self.turns for message in unit.messages]
        if self.recalled:
            parts.append(("recalled", self.recalled))
        if self.question is not None:
            parts.append(("turn", self.question))
        return parts + [("turn", message) for unit in self.after for message in unit.messages]
