"""How a space grew: what was said on which day, what was made of it, and how much shorter it became.

A store answers no such question at once, so it is counted by following what came to the space: the first time in
pieces, each a fraction of a second; from then on only what is new. What was forgotten since is taken off at the next
whole count, a minute later at most.
"""

from __future__ import annotations

import time
from array import array
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from threading import Lock

from onrecord.memory import Memory, engine_of
from onrecord.ports import Revision, Store
from onrecord.records import Arrival, Message, Record

__all__ = ["LAYERS", "Compressed", "Grown", "Growth"]

LAYERS = {"message": "messages", "summary": "summaries", "fact": "facts", "pin": "pins", "episode": "episodes"}
"""What is counted, and what a chart calls it."""

UNREADABLE = "unreadable"  # the kind of the marks on messages that a recipe could not read; no layer of a chart
PAGE = 500
RECOUNT = 60.0  # seconds between two whole counts of a space
FEW = 2_000  # items that are counted anew at once
KEPT = 32  # spaces whose counts are kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Compressed:
    """What summaries save."""

    messages: int = 0  # that summaries stand for
    tokens: int = 0  # of these messages
    nodes: int = 0  # topmost summaries that stand for them
    standing: int = 0  # tokens of these

    @property
    def saved(self) -> float:
        """The part of the tokens that is saved, from 0 to 1."""
        return max(0.0, 1 - self.standing / self.tokens) if self.tokens else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Grown:
    """What was counted of a space by a moment; it stays as it is while the count goes on."""

    whole: bool  # nothing was left to count
    tokens: int  # of all messages
    sessions: int  # conversations that were talked in
    kinds: Mapping[str, int]
    days: Mapping[date, Mapping[str, int]]
    compressed: Compressed


@dataclass(slots=True)
class _SessionGrowth:
    """The messages of one session, by number: their tokens and days."""

    tokens: array[int] = field(default_factory=lambda: array("q"))
    days: array[int] = field(default_factory=lambda: array("i"))  # as ordinals; 0: it is gone

    def put(self, seq: int, tokens: int, day: int) -> None:
        missing = seq - len(self.tokens)
        if missing > 0:
            self.tokens.extend([0] * missing)
            self.days.extend([0] * missing)
        self.tokens[seq - 1], self.days[seq - 1] = tokens, day


@dataclass(slots=True)
class _Tally:
    """What was counted of a space, as far as it was followed."""

    plan: str  # whose summaries stand in prompts
    revision: Revision = field(default_factory=Revision)  # of the space when the count began
    after: int = 0  # the last arrival that was counted
    whole: bool = False  # nothing was left to count when it was last looked
    tokens: int = 0  # of all messages
    kinds: Counter[str] = field(default_factory=Counter)
    days: dict[date, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    _sessions: dict[str, _SessionGrowth] = field(default_factory=lambda: defaultdict(_SessionGrowth))
    _records: dict[tuple[str, str, str], date] = field(default_factory=dict)  # session, kind, key: where it counts
    _nodes: dict[tuple[str, str], tuple[int, int, int]] = field(default_factory=dict)  # session, key: first to last
    _compressed: tuple[int, Compressed] = (-1, Compressed())

    def grown(self) -> Grown:
        """The count as it stands."""
        return Grown(
            whole=self.whole,
            tokens=self.tokens,
            sessions=len(self._sessions),
            kinds=Counter(self.kinds),
            days={day: Counter(many) for day, many in self.days.items()},
            compressed=self.compressed(),
        )

    def add(self, arrivals: list[Arrival]) -> None:
        """Count what came."""
        for arrival in arrivals:
            if isinstance(arrival.item, Message):
                self._add_message(arrival.item)
            else:
                self._add_record(arrival.item)
        self.after = arrivals[-1].number

    def _add_message(self, message: Message) -> None:
        day = message.time.date()
        self._sessions[message.session].put(message.seq, message.tokens, day.toordinal())
        self.tokens += message.tokens
        self._count(day, "message")

    def _add_record(self, record: Record) -> None:
        if record.kind == UNREADABLE:
            self.kinds[UNREADABLE] += 1
            return
        name = (record.session, record.kind, record.key)
        if (counted := self._records.pop(name, None)) is not None:  # written anew
            self.days[counted][LAYERS[record.kind]] -= 1
            self.kinds[record.kind] -= 1
        if record.body is None:
            self._nodes.pop((record.session, record.key), None)
            return
        self._records[name] = day = self._day(record)
        self._count(day, record.kind)
        if record.kind == "summary" and record.plan == self.plan:
            tokens = int(record.body.get("tokens", 0))
            self._nodes[record.session, record.key] = (record.first, record.last, tokens)

    def _day(self, record: Record) -> date:
        """The day of the newest message that it comes from; where there is none, that on which it was made."""
        told = self._sessions.get(record.session)
        day = told.days[record.last - 1] if told is not None and 0 < record.last <= len(told.days) else 0
        return date.fromordinal(day) if day else record.time.date()

    def _count(self, day: date, kind: str) -> None:
        self.days[day][LAYERS[kind]] += 1
        self.kinds[kind] += 1

    def compressed(self) -> Compressed:
        """What the topmost summaries of each conversation stand for, and what they save."""
        if self._compressed[0] != self.after:
            by_session = defaultdict(list)
            for (session, _), node in self._nodes.items():
                by_session[session].append(node)
            found = [one for session, nodes in by_session.items() for one in self._cover(session, nodes)]
            many, tokens, standing = (sum(column) for column in zip(*found, strict=True)) if found else (0, 0, 0)
            made = Compressed(messages=many, tokens=tokens, nodes=len(found), standing=standing)
            self._compressed = (self.after, made)
        return self._compressed[1]

    def _cover(self, session: str, nodes: list[tuple[int, int, int]]) -> Iterator[tuple[int, int, int]]:
        told = self._sessions[session]
        covered = 0
        for first, last, standing in sorted(nodes, key=lambda node: (node[0], -node[1])):
            if first > covered:
                here = slice(first - 1, last)
                yield sum(1 for day in told.days[here] if day), sum(told.tokens[here]), standing
                covered = last


class Growth:
    """The counts of the spaces that were looked at."""

    def __init__(self) -> None:
        self._spaces: OrderedDict[str, _SpaceGrowth] = OrderedDict()
        self._lock = Lock()

    def of(self, memory: Memory, seconds: float) -> Grown:
        """The count of a space: as it is after so many seconds of counting, if there is more to count."""
        with self._lock:
            held = self._spaces.setdefault(memory.name, _SpaceGrowth(engine_of(memory).profile.strategy.plan))
            self._spaces.move_to_end(memory.name)
            while len(self._spaces) > KEPT:
                self._spaces.popitem(last=False)
        return held.follow(engine_of(memory).store, memory.name, seconds)


class _SpaceGrowth:
    """One space: the count that is shown, and the one that will take its place."""

    def __init__(self, plan: str) -> None:
        self._plan = plan
        self._lock = Lock()
        self._shown = self._next = _Tally(plan)
        self._counted = 0.0  # when it was last counted from the beginning

    def follow(self, store: Store, space: str, seconds: float) -> Grown:
        with self._lock:
            until = time.monotonic() + seconds
            now = store.revision(space)
            if self._is_stale(now):
                self._next = _Tally(self._plan, revision=now)
                self._counted = time.monotonic()
                if now.born != self._shown.revision.born:
                    self._shown = self._next
            self._next.whole = self._next.after >= now.newest or _counted(self._next, store, space, until)
            if self._next.whole:
                self._shown = self._next
            return self._shown.grown()

    def _is_stale(self, now: Revision) -> bool:
        """Whether something went since the count began, and it is time to count anew."""
        begun = self._next.revision
        if now.born != begun.born:
            return True
        few = sum(self._next.kinds.values()) < FEW
        rested = self._next.whole and time.monotonic() > self._counted + RECOUNT
        return now.removed != begun.removed and (few or rested)


def _counted(tally: _Tally, store: Store, space: str, until: float) -> bool:
    """Count on, as long as there is time; answers whether nothing is left."""
    while page := store.feed(space, tally.after, PAGE, (*LAYERS, UNREADABLE)):
        tally.add(page)
        if time.monotonic() > until:
            return False
    return True
