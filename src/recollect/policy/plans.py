"""Which summary nodes should exist: a fold over the journal, message by message.

A strategy looks at one message after the other, keeps a small state, and says which nodes are due. It never asks when
or where it runs, so two workers, a late one and a rebuild all plan the same ranges. The state is plain JSON: it is
stored beside the nodes, so that nothing is folded twice.

Lengths come from `rough_size` where forgetting a message must not move what was planned after it (`fixed` nodes).
Where exact tokens decide, a node depends on every message up to the one that made it due (`until`): when one of these
is forgotten, the node goes, and the fold goes on from the one before.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, Protocol

from recollect.records import Message, Record, Role, digest, rough_size

__all__ = [
    "FROM_MESSAGES",
    "Chunks",
    "Due",
    "Extending",
    "Flat",
    "Pyramid",
    "Seen",
    "State",
    "Strategy",
    "Threshold",
    "claim_of",
    "is_claim",
    "seen",
]

FROM_MESSAGES = 2
"""Up to this level a pyramid's nodes are made from messages, so that errors do not compound; above from nodes."""

_CLAIM = "claim "

State = dict[str, Any]
"""What a strategy remembers between two messages: plain JSON."""


class Seen(NamedTuple):
    """What a plan sees of a message."""

    seq: int
    role: Role
    tokens: int  # of the text; of a forgotten message its rough size
    whole: int  # with what the chat format adds
    quarters: int  # a quarter of its characters, rounded up


def seen(message: Message) -> Seen:
    """What a plan sees of a stored message."""
    whole = message.tokens + message.overhead
    return Seen(message.seq, message.role, message.tokens, whole, (len(message.text) + 3) // 4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
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


def key_of(session: str, plan: str, due: Due) -> str:
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

    def begin(self, system: int) -> State:
        """The state before the first message; `system` is the tokens of the system prompt."""

    def step(self, state: State, message: Seen) -> Iterator[Due]:
        """Take in the next message, change the state, and say which nodes are due."""

    def made(self, state: State, due: Due, tokens: int) -> None:
        """A node that was due is made; what it brings to a prompt has so many tokens."""

    def lost(self, state: State, merged: int) -> Iterator[Due]:
        """The nodes to make again because forgetting removed them; `merged`: what the newest merged node covers."""

    def covered(self, state: State) -> int:
        """Number of the newest message that a node should cover."""


class _Plain:
    """Most strategies do not care how long a node's text became, and merge nothing."""

    extends: ClassVar[bool] = False

    def made(self, state: State, due: Due, tokens: int) -> None:
        pass

    def lost(self, state: State, merged: int) -> Iterator[Due]:
        return iter(())

    def covered(self, state: State) -> int:
        return int(state["covered"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Flat(_Plain):
    """Nodes of `every` messages, one after the other."""

    every: int = 15

    @property
    def plan(self) -> str:
        return f"flat-{self.every}"

    def begin(self, system: int) -> State:
        return {"at": 0, "covered": 0}

    def step(self, state: State, message: Seen) -> Iterator[Due]:
        state["at"] = message.seq
        while message.seq - state["covered"] >= self.every:
            first, last = state["covered"] + 1, state["covered"] + self.every
            state["covered"] = last
            yield Due(first=first, last=last, until=last)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunks(_Plain):
    """When more than `over` messages are not covered, the oldest `size` of them become a node. When there are more
    than `most` nodes, the oldest two merge into one of level 2, which goes on taking in the next oldest."""

    over: int = 20
    size: int = 10
    most: int = 50

    @property
    def plan(self) -> str:
        return f"chunks-{self.over}-{self.size}-{self.most}"

    def begin(self, system: int) -> State:
        return {"at": 0, "covered": 0, "live": 0, "merged": 0}

    def step(self, state: State, message: Seen) -> Iterator[Due]:
        state["at"] = message.seq
        while message.seq - state["covered"] > self.over:
            first, last = state["covered"] + 1, state["covered"] + self.size
            state["covered"], state["live"] = last, state["live"] + 1
            yield Due(first=first, last=last, until=last)
            if state["live"] > self.most:
                yield self._merge(state)

    def _merge(self, state: State) -> Due:
        due = self._merged(state["merged"])
        state["merged"], state["live"] = due.last, state["live"] - 1
        return due

    def _merged(self, before: int) -> Due:
        last = (before or self.size) + self.size
        fresh = before + 1 if before else 0
        version = last // self.size - 1
        return Due(first=1, last=last, until=last, level=2, version=version, fresh=fresh, fixed=False, of_nodes=True)

    def lost(self, state: State, merged: int) -> Iterator[Due]:
        """The merges to do again when those after `merged` were forgotten."""
        while merged < state["merged"]:
            due = self._merged(merged)
            merged = due.last
            yield due


@dataclass(frozen=True, slots=True, kw_only=True)
class Extending(_Plain):
    """One node that always extends: first at `from_messages` messages or `from_tokens` estimated tokens, then every
    `again` messages; the newest `keep` messages stay as they are."""

    extends: ClassVar[bool] = True
    from_messages: int = 20
    from_tokens: int = 8_000
    keep: int = 10
    again: int = 10

    @property
    def plan(self) -> str:
        return f"rolling-{self.from_messages}-{self.from_tokens}-{self.keep}-{self.again}"

    def begin(self, system: int) -> State:
        return {"at": 0, "covered": 0, "version": 0, "size": 0}

    def step(self, state: State, message: Seen) -> Iterator[Due]:
        state["at"] = message.seq
        if state["version"] == 0:
            state["size"] += message.quarters
            long = message.seq >= self.from_messages or state["size"] >= self.from_tokens
            ready = long and message.seq > self.keep
        else:
            ready = message.seq - (state["covered"] + self.keep) >= self.again
        if ready:
            yield _extended(state, message.seq - self.keep, message.seq)


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold(_Plain):
    """One node that extends whenever system prompt, memory and the messages not covered pass `over` tokens; the newest
    messages that fit `keep` tokens, or what the others leave of `over`, stay as they are. From the second round on
    `slack` tokens are left free too, or every message would start another round."""

    extends: ClassVar[bool] = True
    over: int = 3_000
    keep: int = 2_500
    slack: int = 300
    least: int = 500  # tokens that are kept even where the system prompt leaves no room for them

    @property
    def plan(self) -> str:
        return f"threshold-{self.over}-{self.keep}-{self.slack}-{self.least}"

    def begin(self, system: int) -> State:
        return {"at": 0, "covered": 0, "version": 0, "memory": 0, "system": system, "open": [], "sum": 0}

    def step(self, state: State, message: Seen) -> Iterator[Due]:
        state["at"] = message.seq
        state["open"].append((message.seq, message.whole))
        state["sum"] += message.whole
        if state["system"] + state["memory"] + state["sum"] > self.over:
            left = self.over - state["system"] - state["memory"] - (self.slack if state["version"] else 0)
            start = self._window(state, min(self.keep, max(self.least, left)))
            gone = sum(whole for seq, whole in state["open"] if seq < start)
            # Where the system prompt leaves less than `least`, no round brings the sum under `over`: only one that
            # moves the window by `slack` is worth its price.
            crowded = state["version"] and left < self.least
            if start > state["covered"] + 1 and gone >= (self.slack if crowded else 1):
                yield _extended(state, start - 1, message.seq)

    def _window(self, state: State, room: int) -> int:
        """Number of the first message that stays: the newest that fit `room`, and always the newest one."""
        start = state["open"][-1][0]
        for seq, tokens in reversed(state["open"]):
            room -= tokens
            if room < 0:
                break
            start = seq
        return int(start)

    def made(self, state: State, due: Due, tokens: int) -> None:
        state["memory"] = tokens
        state["open"] = [item for item in state["open"] if item[0] > due.last]
        state["sum"] = sum(whole for _, whole in state["open"])


def _extended(state: State, last: int, until: int) -> Due:
    fresh = state["covered"] + 1
    state["covered"] = last
    state["version"] += 1
    version = state["version"]
    return Due(first=1, last=last, until=until, version=version, fresh=fresh if version > 1 else 0, fixed=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pyramid(_Plain):
    """Nodes of level 1 cover up to `units` short messages, fewer long ones; a node of the next level covers `fan` of
    them, and so on: n messages need O(log n) nodes in a prompt. A node never ends between a tool's call and result."""

    units: int = 12  # a message counts one, and one more for every 64 tokens
    fan: int = 4

    @property
    def plan(self) -> str:
        return f"pyramid-{self.units}-{self.fan}"

    def begin(self, system: int) -> State:
        return {"at": 0, "first": 1, "units": 0, "nodes": 0, "levels": []}

    def covered(self, state: State) -> int:
        return int(state["first"]) - 1

    def step(self, state: State, message: Seen) -> Iterator[Due]:
        if state["units"] >= self.units and message.role != "tool":
            yield from self._close(state, message.seq - 1)
        state["units"] += 1 + rough_size(message.tokens) // 64
        state["at"] = message.seq

    def _close(self, state: State, last: int) -> Iterator[Due]:
        """The open node ends here; so do those above it that are full now."""
        first = state["first"]
        state["first"], state["units"], state["nodes"] = last + 1, 0, state["nodes"] + 1
        yield Due(first=first, last=last, until=last, number=state["nodes"])
        for level in range(2, len(state["levels"]) + 3):
            if len(state["levels"]) < level - 1:
                state["levels"].append([])
            open_children = state["levels"][level - 2]
            open_children.append(first)
            if len(open_children) < self.fan:
                return
            first = open_children[0]
            open_children.clear()
            of_nodes = level > FROM_MESSAGES
            yield Due(first=first, last=last, until=last, level=level, of_nodes=of_nodes)
