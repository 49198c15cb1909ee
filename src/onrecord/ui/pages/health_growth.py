"""How a space grew: what was added on which day, and how much shorter its summaries are.

A store has no such figures, so they are counted by following its changes: at first in steps of a fraction of a second,
later only what is new. What was forgotten is taken off by counting again, in a large space once a minute at most.
"""

from __future__ import annotations

import time
from array import array
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from threading import Lock
from typing import NamedTuple

from onrecord.memory import Memory, engine_of
from onrecord.ports import Revision, Store
from onrecord.records import Message, Record

__all__ = ["KINDS", "Growth", "SpaceGrowth"]

KINDS = {"message": "messages", "summary": "summaries", "fact": "facts", "pin": "pins", "episode": "episodes"}
UNREADABLE = "unreadable"  # marks messages that fact extraction failed on
PAGE = 500
RECOUNT = 60.0  # seconds
SMALL = 2_000  # items that are counted again at once
SPACES = 8  # whose counts are kept


class Growth:
    """The counts of the spaces that were looked at last."""

    def __init__(self) -> None:
        self._spaces: OrderedDict[str, SpaceGrowth] = OrderedDict()
        self._lock = Lock()

    @contextmanager
    def of(self, memory: Memory, seconds: float) -> Iterator[SpaceGrowth]:
        """Yield the count of a space after so many seconds of counting; it stays as it is within the block."""
        engine = engine_of(memory)
        with self._lock:
            found = self._spaces.get(memory.name) or SpaceGrowth(memory.name, engine.profile.strategy.plan)
            now = engine.store.revision(memory.name)
            if found.is_stale(now):
                found = SpaceGrowth(memory.name, found.plan, now)
            self._spaces[memory.name] = found
            self._spaces.move_to_end(memory.name)
            while len(self._spaces) > SPACES:
                self._spaces.popitem(last=False)
            found.follow(engine.store, now, seconds)
            yield found


class Saving(NamedTuple):
    """What summaries save."""

    messages: int  # that summaries cover
    tokens: int  # of these messages
    summaries: int  # the topmost that cover them
    summary_tokens: int


@dataclass(slots=True)
class SpaceGrowth:
    """What was counted of a space."""

    space: str
    plan: str  # whose summaries are in prompts
    revision: Revision = field(default_factory=Revision)  # when the count began
    began: float = field(default_factory=time.monotonic)
    after: int = 0  # number of the last change that was counted
    whole: bool = False  # nothing is left to count
    tokens: int = 0  # of all messages
    kinds: Counter[str] = field(default_factory=Counter)
    days: defaultdict[date, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    sessions: defaultdict[str, array[int]] = field(default_factory=lambda: defaultdict(lambda: array("q")))
    """Tokens of each message, by session and number; -1: there is none."""
    newest: dict[str, date] = field(default_factory=dict)  # day of the newest message, by session
    records: dict[tuple[str, str, str], date] = field(default_factory=dict)  # by session, kind and key: where it counts
    summaries: dict[tuple[str, str], tuple[int, int, int]] = field(default_factory=dict)  # first, last, tokens

    def is_stale(self, now: Revision) -> bool:
        """Return whether something was removed since the count began, and it is time to count again."""
        due = self.kinds.total() < SMALL or (self.whole and time.monotonic() > self.began + RECOUNT)
        return now.born != self.revision.born or (now.removed != self.revision.removed and due)

    def follow(self, store: Store, now: Revision, seconds: float) -> None:
        """Count what is new, as long as there is time."""
        until = time.monotonic() + seconds
        self.whole = self.after >= now.newest
        while not self.whole:
            page = store.feed(self.space, self.after, PAGE, (*KINDS, UNREADABLE))
            for arrival in page:
                self._add(arrival.item)
                self.after = arrival.number
            self.whole = not page
            if time.monotonic() > until:
                return

    def _add(self, item: Message | Record) -> None:
        if isinstance(item, Message):
            row = self.sessions[item.session]
            row.extend([-1] * (item.seq - len(row)))
            row[item.seq - 1] = item.tokens
            self.tokens += item.tokens
            self.newest[item.session] = item.time.date()
            self._count(item.time.date(), "message")
        elif item.kind == UNREADABLE:
            self.kinds[UNREADABLE] += 1
        else:
            self._add_record(item)

    def _add_record(self, record: Record) -> None:
        name = (record.session, record.kind, record.key)
        if (before := self.records.pop(name, None)) is not None:  # it was written again
            self._count(before, record.kind, -1)
        body = record.body
        if body is None:
            self.summaries.pop((record.session, record.key), None)
            return
        said = body.get("ended") or body.get("said")
        newest = self.newest.get(record.session, record.time.date())
        self.records[name] = day = date.fromisoformat(str(said)[:10]) if said else newest
        self._count(day, record.kind)
        if record.kind == "summary" and record.plan == self.plan:
            self.summaries[record.session, record.key] = record.first, record.last, int(body.get("tokens", 0))

    def _count(self, day: date, kind: str, count: int = 1) -> None:
        self.days[day][kind] += count
        self.kinds[kind] += count

    def saving(self) -> Saving:
        """Return what the topmost summaries of each conversation cover, and what they save."""
        rows = [*self._covers()]
        return Saving(sum(row[0] for row in rows), sum(row[1] for row in rows), len(rows), sum(row[2] for row in rows))

    def _covers(self) -> Iterator[tuple[int, int, int]]:
        """Yield messages, tokens and tokens of the summary, for each that no other covers."""
        session, covered = "", 0
        by_place = sorted((key[0], first, -last, tokens) for key, (first, last, tokens) in self.summaries.items())
        for name, first, last, summary_tokens in by_place:
            if name != session:
                session, covered = name, 0
            if first > covered:
                tokens = [count for count in self.sessions[name][first - 1 : -last] if count >= 0]
                yield len(tokens), sum(tokens), summary_tokens
                covered = -last
