"""The derived records of a session in two stores: what differs, and how the target becomes like the source."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property

from onrecord.journal.contents import all_messages, all_records, paired
from onrecord.ports import Batch, Store
from onrecord.records import EPOCH, KINDS, Query, Record, SessionInfo

__all__ = ["Differences"]

BATCH = 500  # records written at once


class Differences:
    """What is to be written to a session of the target, and what is to go. Leases stay where they are.

    `ahead`: the session went on by itself, so it only gets what it lacks.
    """

    def __init__(self, source: Store, target: Store, space: str, session: str, *, ahead: bool) -> None:
        self._source = source
        self._target = target
        self._space = space
        self._session = session
        self._ahead = ahead

    def settle(self, info: SessionInfo) -> tuple[int, int]:
        """Write what differs, and return how many records were written, and how many went.

        Raises `Outrun` if the session changed since it was looked at.
        """
        changes, written, dropped = info.changes, 0, 0
        records: list[Record] = []
        drops: list[tuple[str, str]] = []
        for found in self._all():
            if isinstance(found, Record):
                records.append(found)
            else:
                drops.append(found)
            if len(records) + len(drops) >= BATCH:
                self._commit(records, drops, info.last_seq, changes)
                written, dropped, changes = written + len(records), dropped + len(drops), changes + 1
                records, drops = [], []
        if records or drops:
            self._commit(records, drops, info.last_seq, changes)
        return written + len(records), dropped + len(drops)

    def _commit(self, records: list[Record], drops: list[tuple[str, str]], last: int, changes: int) -> None:
        batch = Batch(space=self._space, session=self._session, records=records, drops=drops, time=EPOCH)
        if all(record.until <= last for record in records):  # one of later messages than there are never gets in
            batch = replace(batch, unless_changed=changes)
        self._target.commit(batch)

    def _all(self) -> Iterator[Record | tuple[str, str]]:
        """Yield records to write, and kind and key of those that go."""
        ours, theirs = (all_records(store, self._space, self._session) for store in (self._source, self._target))
        for our, their in paired(ours, theirs, _place):
            if our is None:
                assert their is not None
                if self._goes(their):
                    yield their.kind, their.key
            elif our != their and (wanted := self._wanted(our, their)) is not None:
                yield wanted

    def _goes(self, their: Record) -> bool:
        """Return whether a record that has no such place at the source goes; one that moved is replaced anyway."""
        stays = self._ahead or their.comes_from(self._barred) or self._held(self._source, their)
        return not stays

    def _wanted(self, our: Record, their: Record | None) -> Record | None:
        """Return what is written of a record that differs: all of it, only its place, or nothing."""
        barred = our.comes_from(self._barred)
        if (barred or self._ahead) and (their is not None or self._held(self._target, our)):
            return None  # the target made it again without what is forgotten there, or went on by itself
        return our.tombstone() if barred else our

    def _held(self, store: Store, record: Record) -> bool:
        return bool(store.records(self._space, self._session, Query(kind=record.kind, key=record.key, limit=1)))

    @cached_property
    def _barred(self) -> list[int]:
        """The numbers that are forgotten at the target and not at the source."""
        ours, theirs = (all_messages(store, self._space, self._session) for store in (self._source, self._target))
        return [
            their.seq
            for our, their in zip(ours, theirs, strict=False)
            if their.state == "forgotten" and our.state != "forgotten"
        ]


def _place(record: Record) -> tuple[int, tuple[str, int, int, str]]:
    return KINDS.index(record.kind), record.place
