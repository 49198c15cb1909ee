"""What contexts need of a session, kept at hand between two turns and never older than the store.

Before each use the session's row says whether anything changed, in this process or another. Appended messages are
read and added; after any other change everything is read anew. Bounded by sessions and by messages.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import pairwise
from typing import Any

from onrecord.context.replacing import Ranges, is_replaced, joined, replaced_by
from onrecord.context.units import Unit, cost_of, units_of
from onrecord.errors import StoreError
from onrecord.policy.plans import Chunks, Flat, Pyramid, State, Strategy, claim_of, resumed
from onrecord.policy.windows import NodeSpan, WindowEdge, cover, longest_shown
from onrecord.ports import Counter, Store
from onrecord.profiles import Profile
from onrecord.records import MANUAL, Message, Page, Pin, Query, Record, SessionInfo, just_after

__all__ = ["Shelf", "Shelves"]

SESSIONS = 256  # at hand at once
MESSAGES = 50_000  # at hand at once, of all sessions together
FIRST = 64  # messages read at first; then twice as many, until they fill the budget
SPARE = 2_000  # tokens kept at hand beyond twice the budget
AT_LEAST = 16  # messages at hand, however long they are
POOL = 100  # of the newest messages compete for what is left, where a profile limits the recent ones
LAST = 10  # messages that are shown where nothing derived can be read


_BELOW = Query(kind="summary", limit=64)


@dataclass(slots=True)
class Shelf:
    """One session, as the store had it."""

    info: SessionInfo
    encoding: str  # by which the costs are counted
    messages: list[Message] = field(default_factory=list)  # the newest, without forgotten and replaced ones, in order
    units: list[Unit] = field(default_factory=list)  # the same in pieces
    reaches: int = 1  # number from which on all messages are at hand
    tokens: int = 0  # of all units
    most: int = 0  # the largest budget it was asked for
    replaced: Ranges = ()  # numbers that messages at hand replace, in order
    damaged: int = 0  # messages that could not be read
    opening: Message | None = None  # a system prompt that the journal begins with
    derived: bool = False  # whether opening, pins and nodes were read
    depth: int = 0  # the budget for which nodes were read
    failed: str = ""  # why they could not be
    missing: bool = False  # whether there should be more nodes
    trouble: str = ""  # why a model's summary is not there
    pins: list[Pin] = field(default_factory=list)
    nodes: list[Record] = field(default_factory=list)  # the newest of level 1, or all that are shown, oldest first
    edges: list[WindowEdge] = field(default_factory=list)  # the ends of these
    override: Record | None = None  # important data that were set by hand
    covers: dict[int, list[list[Record]]] = field(default_factory=dict)  # by window start: from fine to coarse
    memo: dict[Any, Any] = field(default_factory=dict)  # what was made of the derived records
    prompt: Any = None  # the last prompt that was built from it


class Shelves:
    """The shelves of one store and profile."""

    def __init__(self, store: Store, profile: Profile) -> None:
        self._store = store
        self._profile = profile
        self._strategy: Strategy = profile.strategy
        self._held: OrderedDict[tuple[str, str], Shelf] = OrderedDict()
        self._messages = 0  # on all of them
        self._lock = threading.Lock()

    def past(
        self,
        space: str,
        session: str,
        counter: Callable[[SessionInfo], Counter],
        tokens: int,
        moment: datetime | None,
        before: int | None,
    ) -> Shelf:
        """The session as it was at a moment, or when message `before` had not been said yet: the messages so far, and
        what was made of them alone. It is not kept."""
        info = self._store.session(space, session) or SessionInfo(id=session)
        until = None if moment is None else just_after(moment)
        newest = self._store.messages(space, session, Page(until=until, before=before, newest=True, limit=1))
        info = replace(info, last_seq=newest[0].seq if newest else 0)
        using = counter(info)
        shelf = Shelf(info, using.encoding, reaches=info.last_seq + 1)
        self._derived(space, shelf, tokens)
        shelf.missing = False
        if moment is not None:
            shelf.pins = [pin for pin in shelf.pins if pin.time <= moment]
            if shelf.override is not None and shelf.override.time > moment:
                shelf.override = None
        self._extend(space, shelf, using, tokens)
        return shelf

    def take(self, space: str, session: str, counter: Callable[[SessionInfo], Counter], tokens: int) -> Shelf:
        """The session as it is now, with at least the newest messages that `tokens` can hold. It is the caller's alone
        until it is given back: whoever asks meanwhile gets another."""
        info = self._store.session(space, session) or SessionInfo(id=session)
        using = counter(info)
        with self._lock:
            held = self._taken_out(space, session)
        shelf = held if held is not None and _same(held.info, info) and held.encoding == using.encoding else None
        if shelf is None:
            shelf = Shelf(info, using.encoding, prompt=None if held is None else held.prompt, reaches=info.last_seq + 1)
        if not shelf.derived or tokens > shelf.depth:
            self._derived(space, shelf, tokens)
        self._append(space, shelf, info, using)
        self._extend(space, shelf, using, tokens)
        self._trim(shelf, tokens)
        return shelf

    def give_back(self, space: str, session: str, shelf: Shelf) -> None:
        """Keep a shelf for the next time, unless something could not be read, which may be there again then, or
        nothing is there."""
        if not shelf.failed and (shelf.info.last_seq or shelf.info.changes):
            with self._lock:
                self._taken_out(space, session)  # somebody else may have been quicker
                self._held[space, session] = shelf
                self._messages += len(shelf.messages)
                self._evict()

    def drop(self, space: str, session: str) -> None:
        """Forget what is at hand of a session."""
        with self._lock:
            self._taken_out(space, session)

    def _taken_out(self, space: str, session: str) -> Shelf | None:
        held = self._held.pop((space, session), None)
        self._messages -= 0 if held is None else len(held.messages)
        return held

    def newest_user(self, space: str, shelf: Shelf) -> Message | None:
        """The newest message of the user, however far back it is."""
        found = next((message for message in reversed(shelf.messages) if message.role == "user"), None)
        before = shelf.reaches
        while found is None and before > 1:
            page = Page(before=before, roles=("user",), newest=True, limit=1)
            older = self._store.messages(space, shelf.info.id, page)
            if not older or older[0].state != "kept":
                break
            before = older[0].seq
            found = None if is_replaced(shelf.replaced, before) else older[0]
        return found

    def cover(self, space: str, shelf: Shelf, start: int) -> list[list[Record]]:
        """The nodes that stand for what is before `start`, in several ways from fine to coarse."""
        if start not in shelf.covers:
            shelf.covers = {start: self._covers(space, shelf, start)}  # the start moves seldom
        return shelf.covers[start]

    # Reading

    def _append(self, space: str, shelf: Shelf, info: SessionInfo, counter: Counter) -> None:
        """The messages that came since the shelf was filled."""
        last = shelf.info.last_seq
        if info.last_seq > last and shelf.reaches <= last:
            fresh = self._store.messages(space, info.id, Page(after=last, limit=info.last_seq - last))
            self._take(shelf, [message for message in fresh if message.seq <= info.last_seq], counter)
        elif info.last_seq > last:
            shelf.reaches = info.last_seq + 1
        shelf.info = info

    def _take(self, shelf: Shelf, fresh: Sequence[Message], counter: Counter) -> None:
        shelf.damaged += sum(message.state == "damaged" for message in fresh)
        kept = [message for message in fresh if message.state == "kept"]
        start = len(shelf.messages)
        shelf.messages += kept
        if _replace(shelf, kept):
            shelf.messages = _shown(shelf, shelf.messages)
            shelf.units = []
            shelf.memo.pop("ranked", None)  # lines of messages that are replaced now
            start = 0
        elif kept and kept[0].role == "tool":  # results complete the call before them, which stood as it was until now
            while start and not shelf.messages[start].tool_calls:
                start -= 1
            while shelf.units and shelf.units[-1].seq >= shelf.messages[start].seq:
                shelf.units.pop()
        shelf.units += units_of(shelf.messages[start:], cost_of(counter))
        shelf.tokens = sum(unit.cost for unit in shelf.units)

    def _extend(self, space: str, shelf: Shelf, counter: Counter, tokens: int) -> None:
        """Older messages, until the budget is filled or there are none."""
        size = FIRST
        floor = self._floor(shelf)
        while shelf.reaches > floor and len(shelf.messages) < MESSAGES:
            if sum(self._shown_costs(shelf, tokens)) >= tokens and len(shelf.messages) >= AT_LEAST:
                break
            page = Page(before=shelf.reaches, after=max(0, shelf.reaches - 1 - size), limit=size, newest=True)
            found = self._store.messages(space, shelf.info.id, page)
            shelf.damaged += sum(message.state == "damaged" for message in found)
            kept = [message for message in found if message.state == "kept"]
            _replace(shelf, kept)
            shelf.messages = _shown(shelf, kept) + shelf.messages
            shelf.reaches, size = page.after + 1, size * 2
            shelf.units = units_of(shelf.messages, cost_of(counter))
            shelf.tokens = sum(unit.cost for unit in shelf.units)

    def _floor(self, shelf: Shelf) -> int:
        """Number of the oldest message that a prompt could show."""
        if isinstance(self._strategy, Pyramid):
            return 1
        oldest = shelf.info.last_seq - POOL if self._profile.recent else 0
        if isinstance(self._strategy, Flat):
            return max(1, oldest)
        return max(1, oldest, shelf.nodes[-1].last + 1 if shelf.nodes else 1)

    def _derived(self, space: str, shelf: Shelf, tokens: int) -> None:
        shelf.derived, shelf.depth, shelf.covers = True, tokens, {}
        first = self._store.messages(space, shelf.info.id, Page(limit=1, before=2))
        shelf.opening = first[0] if first and first[0].role == "system" and first[0].state == "kept" else None
        if not shelf.info.changes:
            return  # nothing but messages was ever written
        try:
            self._read_derived(space, shelf, tokens)
        except StoreError as error:
            shelf.failed = error.what
            shelf.pins, shelf.nodes, shelf.edges, shelf.override = [], [], [], None

    def _read_derived(self, space: str, shelf: Shelf, tokens: int) -> None:
        session = shelf.info.id
        pins = [Pin.of(record) for record in self._store.records(space, session, Query(kind="pin", limit=10_000))]
        shelf.pins = sorted(pins, key=lambda pin: (pin.importance, pin.time, pin.id), reverse=True)
        manual = self._store.records(space, session, Query(kind="important", limit=1))
        shelf.override = manual[0] if manual else None
        shelf.nodes = self._shown(space, session, tokens, shelf.info.last_seq + 1)
        shelf.edges = [WindowEdge(node.last, int((node.body or {}).get("number", 0))) for node in shelf.nodes]
        marks = {mark.key: dict(mark.body or {}) for mark in self._store.records(space, session, Query(kind="mark"))}
        state = resumed(self._strategy, 0, marks.get(self._strategy.plan), shelf.info.last_seq)
        shelf.missing = self._missing(shelf, state)
        shelf.trouble = str(marks.get(claim_of(self._strategy.plan), {}).get("trouble", ""))

    def _shown(self, space: str, session: str, tokens: int, end: int) -> list[Record]:
        """Nodes of messages before `end`."""
        read = self._store.records
        newest = Query(kind="summary", plan=self._strategy.plan, level=1, newest=True, limit=1, before=end)
        if isinstance(self._strategy, Pyramid):
            return read(space, session, replace(newest, limit=16 + tokens // 200))
        if isinstance(self._strategy, Chunks):
            merged = read(space, session, replace(newest, level=2))
            after = merged[0].last if merged else 0
            return merged + read(space, session, replace(newest, after=after, limit=self._strategy.most + 1))
        if self._strategy.extends:
            return read(space, session, newest)
        most = max(1, self._profile.summaries)
        by_hand = read(space, session, Query(kind="summary", plan=MANUAL, newest=True, limit=most, before=end))
        found = [*read(space, session, replace(newest, limit=most)), *by_hand]
        return sorted(found, key=lambda record: (record.last, record.time))[-most:]

    def _stand_in(
        self,
        space: str,
        shelf: Shelf,
        waiting: Sequence[Record],
        levels: dict[int, list[NodeSpan]],
        records: dict[str, Record],
    ) -> None:
        """For nodes that wait to be made again, those below them."""
        for node in waiting:
            shelf.missing = True
            below = replace(_BELOW, plan=node.plan, level=node.level - 1, after=node.first - 1, before=node.last + 1)
            found = self._store.records(space, shelf.info.id, below)
            fresh = [one for one in found if one.key not in records]
            records |= {one.key: one for one in fresh}
            spans = [NodeSpan(one.first, one.last, one.level, one.key) for one in fresh if one.body is not None]
            levels[node.level - 1] = levels.get(node.level - 1, []) + spans
            if node.level > 2:
                self._stand_in(space, shelf, [one for one in found if one.body is None], levels, records)

    def _missing(self, shelf: Shelf, state: State) -> bool:
        """Whether nodes are not there that the plan has made: damaged, or forgotten and not made again."""
        nodes = [node for node in shelf.nodes if node.plan == self._strategy.plan]
        if any(node.body is None for node in nodes):
            return True
        newest = nodes[-1].last if nodes else 0
        if self._strategy.covered(state) > newest:
            return True
        return any(later.first != node.last + 1 for node, later in pairwise(nodes))

    def _covers(self, space: str, shelf: Shelf, start: int) -> list[list[Record]]:
        records = {node.key: node for node in shelf.nodes}
        levels = {1: [NodeSpan(node.first, node.last, 1, node.key) for node in shelf.nodes]}
        level, plan = 2, self._strategy.plan
        while True:
            query = Query(kind="summary", plan=plan, level=level, before=start, newest=True, limit=12)
            found = self._store.records(space, shelf.info.id, query)
            if not found:
                break
            records |= {node.key: node for node in found}
            levels[level] = [
                NodeSpan(node.first, node.last, level, node.key) for node in found if node.body is not None
            ]
            self._stand_in(space, shelf, [node for node in found if node.body is None], levels, records)
            level += 1
        ways = [[records[span.key] for span in cover(levels, start, detail)] for detail in (4, 2, 0)]
        return [way for number, way in enumerate(ways) if way not in ways[:number]]

    def longest(self, tokens: int) -> int:
        """Tokens from which on a message is shortened in a prompt of so many; 0: none is."""
        return longest_shown(int(self._profile.recent_share * tokens)) if isinstance(self._strategy, Pyramid) else 0

    def _shown_costs(self, shelf: Shelf, tokens: int) -> list[int]:
        longest = self.longest(tokens)
        return [min(unit.cost, longest or unit.cost) for unit in shelf.units]

    def _trim(self, shelf: Shelf, tokens: int) -> None:
        """Let go of the oldest messages when far more are at hand than any budget so far could show."""
        shelf.most = max(shelf.most, tokens)
        if shelf.tokens < 2 * shelf.most + SPARE or len(shelf.units) <= AT_LEAST:
            return
        costs = self._shown_costs(shelf, shelf.most)
        left, gone = sum(costs), 0
        if left < 2 * shelf.most + SPARE:
            return
        while len(costs) - gone > AT_LEAST and left - costs[gone] > shelf.most + SPARE // 2:
            left -= costs[gone]
            gone += 1
        del shelf.units[:gone]
        shelf.tokens = sum(unit.cost for unit in shelf.units)
        shelf.memo.pop("older", None)  # lines of messages that are let go of
        shelf.reaches = shelf.units[0].seq
        shelf.messages = [message for message in shelf.messages if message.seq >= shelf.reaches]

    def _evict(self) -> None:
        while len(self._held) > 1 and (len(self._held) > SESSIONS or self._messages > MESSAGES):
            self._messages -= len(self._held.popitem(last=False)[1].messages)


def _shown(shelf: Shelf, messages: list[Message]) -> list[Message]:
    """The messages that no later one replaces."""
    ranges = shelf.replaced
    return [message for message in messages if not is_replaced(ranges, message.seq)] if ranges else messages


def _replace(shelf: Shelf, fresh: Sequence[Message]) -> bool:
    """Note what these messages replace; answers whether there is anything."""
    ranges = replaced_by(fresh)
    if ranges:
        shelf.replaced = joined(shelf.replaced, ranges)
    return bool(ranges)


def _same(held: SessionInfo, now: SessionInfo) -> bool:
    return held.changes == now.changes and held.created == now.created and held.last_seq <= now.last_seq
