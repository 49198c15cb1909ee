"""What strategies have in common: what they see of a message, what they say is due, and how they are asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, NamedTuple, Protocol

from onrecord.records import Message, Record, Role, digest

__all__ = [
    "AFTER",
    "TOPICS_VERSION",
    "DueNode",
    "PlainPlan",
    "PlannedMessage",
    "Reads",
    "State",
    "Strategy",
    "claim_of",
    "is_claim",
    "key_of",
    "resumed",
    "seen",
]

TOPICS_VERSION = 1
"""Changes whenever `policy.topics` would answer differently: plans that end nodes at topics carry it in their name."""

AFTER = 3
"""Turns from a place on that tell whether a topic begins there. (Here, as plans need not load how that is told.)"""

State = dict[str, Any]
"""What a strategy remembers between two messages: plain JSON."""

Reads = Literal["", "kind", "topics"]
"""What a strategy reads in messages: nothing, whether each is technical, or where topics begin."""

_CLAIM = "claim "


class PlannedMessage(NamedTuple):
    """What a plan sees of a message."""

    seq: int
    role: Role
    tokens: int  # of the text; of a forgotten message its rough size
    whole: int  # with what the chat format adds
    quarters: int  # a quarter of its characters, rounded up
    letters: int = 0  # its characters, where a strategy reads them; 0 of a forgotten message
    technical: bool = False  # where a strategy reads that
    breaks: int = 0  # number of the message at which, as this one shows, a new topic began; 0: at none
    more: bool = False  # whether later messages are there already, and a round may as well cover them too


def seen(message: Message) -> PlannedMessage:
    """What a plan sees of a stored message."""
    whole = message.tokens + message.overhead
    return PlannedMessage(message.seq, message.role, message.tokens, whole, (len(message.text) + 3) // 4)


@dataclass(frozen=True, slots=True, kw_only=True)
class DueNode:
    """A node that is due."""

    first: int  # first message it covers
    last: int  # last message it covers
    until: int  # newest message that the decision rests on
    level: int = 1
    version: int = 1  # rounds of a node that extends
    fresh: int = 0  # first message that the version before does not cover; 0 where there is none before
    fixed: bool = True  # its range does not depend on what the messages say
    of_nodes: bool = False  # made from the nodes below it, not from messages
    number: int = 0  # of a pyramid's node of level 1: 1, 2, 3 …


def key_of(session: str, plan: str, due: DueNode) -> str:
    """A node's id follows from what it covers: making it again gives the same."""
    name = "\0".join((session, plan, str(due.level), str(due.first), str(due.last), str(due.version)))
    return f"summary_{due.last:014x}_{digest(name)[:10]}"


def claim_of(plan: str) -> str:
    """The key of the mark that says who has a model work on a plan, or why that rests."""
    return f"{_CLAIM}{plan}"


def is_claim(record: Record) -> bool:
    """Whether a record is such a mark: it concerns only those who work on this very store."""
    return record.kind == "mark" and record.key.startswith(_CLAIM)


class Strategy(Protocol):
    """How nodes are planned. `plan` names the rules: nodes of another name are of no interest to it."""

    extends: ClassVar[bool]

    @property
    def plan(self) -> str: ...

    @property
    def reads(self) -> Reads: ...

    def begin(self, system: int) -> State:
        """The state before the first message; `system` is the tokens of the system prompt."""

    def step(self, state: State, message: PlannedMessage) -> Iterator[DueNode]:
        """Take in the next message, change the state, and say which nodes are due."""

    def made(self, state: State, due: DueNode, tokens: int) -> None:
        """A node that was due is made; what it brings to a prompt has so many tokens."""

    def lost(self, state: State, merged: int) -> Iterator[DueNode]:
        """The nodes to make again because forgetting removed them; `merged`: what the newest merged node covers."""

    def covered(self, state: State) -> int:
        """Number of the newest message that a node should cover."""

    def may_be_due(self, state: State) -> bool:
        """Whether a node may be due that a fold without the messages' texts does not tell of."""


def resumed(strategy: Strategy, system: int, kept: Mapping[str, Any] | None, last: int) -> State:
    """The state that was kept; the one before the first message where a session of `last` messages cannot have it."""
    state = strategy.begin(system) | deepcopy(dict(kept or {}))
    reached = [strategy.covered(state), state.get("merged", 0), *(seq for seq, _ in state.get("open", ()))]
    reached += [seq for level in state.get("levels", ()) for seq in level]
    return state if max(reached) <= state["at"] <= last else strategy.begin(system)


class PlainPlan:
    """Most strategies read nothing, do not care how long a node's text became, and merge nothing."""

    extends: ClassVar[bool] = False

    @property
    def reads(self) -> Reads:
        return ""

    def may_be_due(self, state: State) -> bool:
        return False

    def made(self, state: State, due: DueNode, tokens: int) -> None:
        pass

    def lost(self, state: State, merged: int) -> Iterator[DueNode]:
        return iter(())

    def covered(self, state: State) -> int:
        return int(state["covered"])
