"""Which summary nodes should exist: a fold over the journal, message by message.

A strategy looks at one message after the other, keeps a small state, and says which nodes are due. It never asks when
or where it runs, so two workers, a late one and a rebuild all plan the same ranges. `Threshold` alone takes in at once
what is there already (`Seen.more`). The state is plain JSON: it is stored beside the nodes, so that nothing is folded
twice.

Lengths come from `rough_size` where forgetting a message must not move what was planned after it (`fixed` nodes).
Where exact tokens decide, a node depends on every message up to the one that made it due (`until`): when one of these
is forgotten, the node goes, and the fold goes on from the one before.

Some strategies read what messages say (`reads`): whether they are technical, and where a new topic begins. Both are
told from a few messages close by. A forgotten message says nothing any more: fixed nodes that are made keep their
ranges, and only what is planned anew, near to it, may come out another way.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from onrecord.policy.planned import (
    AFTER,
    TOPICS_VERSION,
    DueNode,
    PlainPlan,
    PlannedMessage,
    Reads,
    State,
    Strategy,
    claim_of,
    is_claim,
    key_of,
    resumed,
    seen,
)
from onrecord.records import rough_size

__all__ = [
    "FROM_MESSAGES",
    "Chunks",
    "DueNode",
    "Extending",
    "Flat",
    "PlannedMessage",
    "Pyramid",
    "Reads",
    "State",
    "Strategy",
    "Threshold",
    "claim_of",
    "is_claim",
    "key_of",
    "resumed",
    "seen",
]

FROM_MESSAGES = 2
"""Up to this level a pyramid's nodes are made from messages, so that errors do not compound; above from nodes."""

SOON = 10  # messages of a node of dense ones
DENSE_SHARE, DENSE_LENGTH = 0.7, 500  # technical messages, or characters of one on average, from which they are dense
ENDED = 4  # messages of a topic that ended, from which they are worth a round


@dataclass(frozen=True, slots=True, kw_only=True)
class Flat(PlainPlan):
    """Nodes of `every` messages, one after the other; with `adaptive`, of 10 where these are technical or long."""

    every: int = 15
    adaptive: bool = False

    @property
    def plan(self) -> str:
        return f"flat-{self.every}{'-adaptive' if self.adaptive else ''}"

    @property
    def reads(self) -> Reads:
        return "kind" if self.adaptive else ""

    def begin(self, system: int) -> State:
        return {"at": 0, "covered": 0} | ({"kind": [0, 0, 0]} if self.adaptive else {})

    def step(self, state: State, message: PlannedMessage) -> Iterator[DueNode]:
        state["at"] = message.seq
        if self.adaptive and message.letters:
            said, technical, letters = state["kind"]
            state["kind"] = [said + 1, technical + message.technical, letters + message.letters]
        while message.seq - state["covered"] >= (size := self._size(state)):
            first, last = state["covered"] + 1, state["covered"] + size
            state["covered"] = last
            if self.adaptive:
                state["kind"] = [0, 0, 0]
            yield DueNode(first=first, last=last, until=last)

    def _size(self, state: State) -> int:
        """Messages of the node that is open: decided once, when there are as many as a node of dense ones has."""
        if not self.adaptive or state["at"] - state["covered"] != SOON:
            return self.every
        said, technical, letters = state["kind"]
        dense = technical > DENSE_SHARE * said or letters > DENSE_LENGTH * said
        return SOON if dense else self.every

    def may_be_due(self, state: State) -> bool:
        return self.adaptive and state["at"] - state["covered"] == SOON


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunks(PlainPlan):
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

    def step(self, state: State, message: PlannedMessage) -> Iterator[DueNode]:
        state["at"] = message.seq
        while message.seq - state["covered"] > self.over:
            first, last = state["covered"] + 1, state["covered"] + self.size
            state["covered"], state["live"] = last, state["live"] + 1
            yield DueNode(first=first, last=last, until=last)
            if state["live"] > self.most:
                yield self._merge(state)

    def _merge(self, state: State) -> DueNode:
        due = self._merged(state["merged"])
        state["merged"], state["live"] = due.last, state["live"] - 1
        return due

    def _merged(self, before: int) -> DueNode:
        last = (before or self.size) + self.size
        fresh = before + 1 if before else 0
        version = last // self.size - 1
        return DueNode(
            first=1, last=last, until=last, level=2, version=version, fresh=fresh, fixed=False, of_nodes=True
        )

    def lost(self, state: State, merged: int) -> Iterator[DueNode]:
        """The merges to do again when those after `merged` were forgotten."""
        while merged < state["merged"]:
            due = self._merged(merged)
            merged = due.last
            yield due


@dataclass(frozen=True, slots=True, kw_only=True)
class Extending(PlainPlan):
    """One node that always extends: first at `from_messages` messages or `from_tokens` estimated tokens, then every
    `again` messages; the newest `keep` messages stay as they are. With `topics` also as soon as a topic that ended is
    among those that do not stay, up to its end."""

    extends: ClassVar[bool] = True
    from_messages: int = 20
    from_tokens: int = 8_000
    keep: int = 10
    again: int = 10
    topics: bool = False

    @property
    def plan(self) -> str:
        name = f"rolling-{self.from_messages}-{self.from_tokens}-{self.keep}-{self.again}"
        return f"{name}-topics.{TOPICS_VERSION}" if self.topics else name

    @property
    def reads(self) -> Reads:
        return "topics" if self.topics else ""

    def begin(self, system: int) -> State:
        return {"at": 0, "covered": 0, "version": 0, "size": 0} | ({"breaks": []} if self.topics else {})

    def step(self, state: State, message: PlannedMessage) -> Iterator[DueNode]:
        state["at"] = message.seq
        if state["version"] == 0:
            state["size"] += message.quarters
            long = message.seq >= self.from_messages or state["size"] >= self.from_tokens
            ready = long and message.seq > self.keep
        else:
            ready = message.seq - (state["covered"] + self.keep) >= self.again
        ended = self._ended(state, message) if self.topics else 0
        if ended or ready:
            yield _extended(state, ended or message.seq - self.keep, message.seq)

    def _ended(self, state: State, message: PlannedMessage) -> int:
        """Number of the last message of the newest topic that ended and is worth a round; 0 where none is."""
        if message.breaks:
            state["breaks"].append(message.breaks)
        state["breaks"] = [at for at in state["breaks"] if at - 1 >= state["covered"] + ENDED]
        return max((at - 1 for at in state["breaks"] if at - 1 <= message.seq - self.keep), default=0)

    def may_be_due(self, state: State) -> bool:
        return self.topics and state["at"] - self.keep >= state["covered"] + ENDED


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold(PlainPlan):
    """One node that extends whenever system prompt, memory and the messages not covered pass `over` tokens; the newest
    messages that fit `keep` tokens stay as they are, or half of what the others leave of `over`, so that there is room
    for those to come. Messages that are there already are taken in first, all in one round."""

    extends: ClassVar[bool] = True
    over: int = 3_000
    keep: int = 1_000
    least: int = 500  # tokens that are kept even where the system prompt leaves no room for them

    @property
    def plan(self) -> str:
        return f"threshold-{self.over}-{self.keep}-{self.least}"

    def begin(self, system: int) -> State:
        return {"at": 0, "covered": 0, "version": 0, "memory": 0, "system": system, "open": [], "sum": 0}

    def step(self, state: State, message: PlannedMessage) -> Iterator[DueNode]:
        state["at"] = message.seq
        state["open"].append((message.seq, message.whole))
        state["sum"] += message.whole
        left = self.over - state["system"] - state["memory"]
        if state["sum"] > left and not message.more:
            start = self._window(state, min(self.keep, max(self.least, left // 2)))
            gone = sum(whole for seq, whole in state["open"] if seq < start)
            # Where little is left, no round makes much room: only one that moves the window far is worth its price.
            crowded = state["version"] and left < 2 * self.least
            if start > state["covered"] + 1 and gone >= (self.least if crowded else 1):
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

    def made(self, state: State, due: DueNode, tokens: int) -> None:
        state["memory"] = tokens
        state["open"] = [item for item in state["open"] if item[0] > due.last]
        state["sum"] = sum(whole for _, whole in state["open"])


def _extended(state: State, last: int, until: int) -> DueNode:
    fresh = state["covered"] + 1
    state["covered"] = last
    state["version"] += 1
    version = state["version"]
    return DueNode(first=1, last=last, until=until, version=version, fresh=fresh if version > 1 else 0, fixed=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pyramid(PlainPlan):
    """Nodes of level 1 cover up to `units` short messages, fewer long ones; a node of the next level covers `fan` of
    them, and so on: n messages need O(log n) nodes in a prompt. A node never ends between a tool's call and result.
    With `topics` a node of `least` units ends where a new topic begins."""

    units: int = 12  # a message counts one, and one more for every 64 tokens
    fan: int = 4
    topics: bool = False
    least: int = 6

    @property
    def plan(self) -> str:
        name = f"pyramid-{self.units}-{self.fan}"
        return f"{name}-topics.{TOPICS_VERSION}-{self.least}" if self.topics else name

    @property
    def reads(self) -> Reads:
        return "topics" if self.topics else ""

    def begin(self, system: int) -> State:
        state: State = {"at": 0, "first": 1, "units": 0, "nodes": 0, "levels": []}
        return state | ({"open": []} if self.topics else {})

    def covered(self, state: State) -> int:
        return int(state["first"]) - 1

    def step(self, state: State, message: PlannedMessage) -> Iterator[DueNode]:
        if self.topics and message.breaks:
            yield from self._break(state, message.breaks)
        if state["units"] >= self.units and message.role != "tool":
            yield from self._close(state, message.seq - 1)
        if self.topics and message.role != "tool":
            state["open"].append([message.seq, state["units"]])
        state["units"] += 1 + rough_size(message.tokens) // 64
        state["at"] = message.seq

    def _break(self, state: State, begun: int) -> Iterator[DueNode]:
        """A topic began a few messages ago: the open node ends before it, if it is not too small then."""
        before = next((units for seq, units in state["open"] if seq == begun), 0)
        if before < max(1, self.least):
            return
        left = state["units"] - before
        open_ = [[seq, units - before] for seq, units in state["open"] if seq >= begun]
        yield from self._close(state, begun - 1)
        state["units"], state["open"] = left, open_

    def may_be_due(self, state: State) -> bool:
        """Whether a topic may have begun behind enough units: that shows only some messages later."""
        if not self.topics:
            return False
        return any(units >= max(1, self.least) and seq <= state["at"] - AFTER for seq, units in state["open"])

    def _close(self, state: State, last: int) -> Iterator[DueNode]:
        """The open node ends here; so do those above it that are full now."""
        first = state["first"]
        state["first"], state["units"], state["nodes"] = last + 1, 0, state["nodes"] + 1
        if self.topics:
            state["open"] = []
        yield DueNode(first=first, last=last, until=last, number=state["nodes"])
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
            yield DueNode(first=first, last=last, until=last, level=level, of_nodes=of_nodes)
