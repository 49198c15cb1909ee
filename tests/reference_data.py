"""What a store holds in memory: sessions, and spaces with the order in which things came to them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from itertools import islice

from onrecord.ports import Revision
from onrecord.records import BLOCK, FED, Arrival, Block, Message, Query, Record, SessionInfo, digest

__all__ = ["Place", "SessionData", "SpaceData", "own_message", "own_record"]

Place = tuple[str, int | tuple[str, str]]
"""A session and, in it, a message's number or a derived record's kind and key."""


@dataclass(slots=True)
class SessionData:
    """One session: its messages by number, where their ids and keys stand, and what is derived from them."""

    info: SessionInfo
    messages: list[Message] = field(default_factory=list)  # message n stands at n - 1
    ids: dict[str, int] = field(default_factory=dict)
    keys: dict[str, int] = field(default_factory=dict)
    records: dict[tuple[str, str], Record] = field(default_factory=dict)  # by kind and key
    ordered: dict[str, list[Record]] = field(default_factory=dict)  # by kind, each in its order; made when asked for

    def append(self, message: Message) -> None:
        self.messages.append(message)
        self.ids[message.id] = message.seq
        if message.key is not None:
            self.keys[message.key] = message.seq

    def by_seq(self, seq: int) -> Message | None:
        return self.messages[seq - 1]

    def by_key(self, key: str) -> Message | None:
        seq = self.keys.get(key)
        return None if seq is None else self.messages[seq - 1]

    def by_id(self, id: str) -> Message | None:
        seq = self.ids.get(id) or self.ids.get(digest(id))
        return None if seq is None else self.messages[seq - 1]

    def living(self, seqs: Sequence[int]) -> list[int]:
        """Those of the numbers whose messages are there and not forgotten, in order."""
        there = (seq for seq in set(seqs) if 1 <= seq <= len(self.messages))
        return sorted(seq for seq in there if self.messages[seq - 1].state != "forgotten")

    def known(self) -> SessionInfo:
        return replace(self.info, last_seq=len(self.messages), meta=deepcopy(dict(self.info.meta)))

    def score(self, scores: Mapping[int, float]) -> None:
        """Set the importance of messages that are kept."""
        for seq, importance in scores.items():
            if 1 <= seq <= len(self.messages) and self.messages[seq - 1].state == "kept":
                self.messages[seq - 1] = replace(self.messages[seq - 1], importance=importance)

    def page_of_records(self, query: Query) -> list[Record]:
        if query.kind not in self.ordered:
            chosen = (record for record in self.records.values() if record.kind == query.kind)
            self.ordered[query.kind] = sorted(chosen, key=_place)
        part = self.ordered[query.kind]
        if query.plan is not None:
            start = bisect_left(part, query.plan, key=_plan)
            part = part[start : bisect_right(part, query.plan, start, key=_plan)]
        fitting = (record for record in (reversed(part) if query.newest else part) if query.wants(record))
        found = list(islice(fitting, query.limit))
        return found[::-1] if query.newest else found

    def losing(self, seqs: Sequence[int]) -> list[Record]:
        """The derived records that lose something when these messages are forgotten."""
        touched = [record for record in self.records.values() if record.comes_from(seqs)]
        return [record for record in touched if record.body is not None or record.tombstone() is None]

    def bury(self, seq: int, tombstone: Message) -> None:
        """Put a tombstone in place of a message."""
        gone = self.messages[seq - 1]
        del self.ids[gone.id]
        self.messages[seq - 1] = tombstone
        self.ids[tombstone.id] = seq
        if gone.key is not None and tombstone.key is not None and self.keys.pop(gone.key, 0):
            self.keys[tombstone.key] = seq


@dataclass(slots=True)
class SpaceData:
    """One space: its sessions, what came to it in which order, the blocks of its search index, and its counters."""

    born: int  # no other space of the store has had it
    sessions: dict[str, SessionData] = field(default_factory=dict)
    newest: int = 0  # the highest number that was given
    removed: int = 0  # see Revision
    line: list[int] = field(default_factory=list)  # the numbers in order; those of what went stay, and are skipped
    arrived: dict[int, Place] = field(default_factory=dict)  # what a feed gives
    numbers: dict[Place, int] = field(default_factory=dict)  # the same, the other way round
    blocks: dict[str, dict[int, Block]] = field(default_factory=dict)  # by plan and number
    counters: dict[str, int] = field(default_factory=dict)  # by name, none of them 0

    @property
    def revision(self) -> Revision:
        return Revision(self.born, self.newest, self.removed)

    def append(self, data: SessionData, messages: Iterable[Message]) -> None:
        """Put new messages into a session, each under the number with which it arrives."""
        for message in messages:
            data.append(message)
            self.newest += 1
            if message.state == "kept":
                self._arrive((data.info.id, message.seq))

    def derive(
        self,
        data: SessionData,
        records: Iterable[Record],
        drops: Iterable[tuple[str, str]] = (),
        scores: Mapping[int, float] | None = None,
    ) -> None:
        """Take out and put in derived records of a session, and set the importance of messages that are kept."""
        for kind, key in drops:
            self._replaced(data, kind, key)
            data.records.pop((kind, key), None)
        for record in records:
            self._replaced(data, record.kind, record.key)
            data.records[record.kind, record.key] = record
            if record.kind in FED:
                self.newest += 1
                if record.body is not None:
                    self._arrive((data.info.id, (record.kind, record.key)))
        data.ordered.clear()
        self.removed += bool(scores)
        data.score(scores or {})

    def bury(self, data: SessionData, tombstones: Iterable[Message]) -> None:
        """Put tombstones in place of messages of a session."""
        for tombstone in tombstones:
            self._leave((data.info.id, tombstone.seq))
            data.bury(tombstone.seq, tombstone)
            self.removed += 1

    def bury_records(self, data: SessionData, seqs: Sequence[int]) -> int:
        """Take what came from these messages out of the derived records; answers how many lost something."""
        losing = data.losing(seqs)
        for record in losing:
            self.derive(data, (), [(record.kind, record.key)])
            if left := record.tombstone():
                data.records[record.kind, record.key] = left
        return len(losing)

    def remove(self, data: SessionData) -> None:
        """Take a whole session out."""
        self.removed += 1
        del self.sessions[data.info.id]
        for message in data.messages:
            self._leave((data.info.id, message.seq))
        for name in data.records:
            self._leave((data.info.id, name))

    def set_counters(self, values: Mapping[str, int]) -> None:
        """Give counters these values; those that are 0 go."""
        self.counters.update(values)
        for name in [name for name, value in values.items() if not value]:
            del self.counters[name]

    def feed(self, after: int, kinds: Sequence[str]) -> Iterator[Arrival]:
        """What came, in order; only of some kinds, if any are given."""
        for at in range(bisect_right(self.line, after), len(self.line)):
            place = self.arrived.get(self.line[at])
            if place and (not kinds or _kind(place) in kinds):
                yield Arrival(number=self.line[at], item=self._item(place))

    def _item(self, place: Place) -> Message | Record:
        session, name = place
        data = self.sessions[session]
        return own_message(data.messages[name - 1]) if isinstance(name, int) else own_record(data.records[name])

    def _arrive(self, place: Place) -> None:
        self.line.append(self.newest)
        self.arrived[self.newest] = place
        self.numbers[place] = self.newest

    def _replaced(self, data: SessionData, kind: str, key: str) -> None:
        if kind in FED and (kind, key) in data.records:
            self._leave((data.info.id, (kind, key)))
            self.removed += 1

    def _leave(self, place: Place) -> None:
        """It goes, and with it the blocks that hold something of it."""
        number = self.numbers.pop(place, None)
        if number is not None:
            del self.arrived[number]
            for blocks in self.blocks.values():
                blocks.pop(number // BLOCK, None)


def own_message(message: Message) -> Message:
    """The message as a caller gets it: what they do to its meta must not change what is kept."""
    return replace(message, meta=deepcopy(dict(message.meta)))


def own_record(record: Record) -> Record:
    """The derived record as a caller gets it."""
    return replace(record, body=deepcopy(record.body))


def _kind(place: Place) -> str:
    return "message" if isinstance(place[1], int) else place[1][0]


def _place(record: Record) -> tuple[str, int, int, str]:
    return record.place


def _plan(record: Record) -> str:
    return record.plan
