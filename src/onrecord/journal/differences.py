"""The derived records of a session in two stores: what differs, and how the second becomes like the first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any, TypeVar

from onrecord.policy.plans import is_claim
from onrecord.ports import Batch, Store
from onrecord.records import EPOCH, KINDS, Page, Query, Record, SessionInfo

__all__ = ["Differences", "paired"]

BATCH = 500  # records or messages read or written at once

_Item = TypeVar("_Item")


def paired(
    one: Iterator[_Item], other: Iterator[_Item], key: Callable[[_Item], Any]
) -> Iterator[tuple[_Item | None, _Item | None]]:
    """The items of two sorted iterators side by side; None where one of them has none with that key."""
    ours, theirs = next(one, None), next(other, None)
    while ours is not None or theirs is not None:
        if theirs is None or (ours is not None and key(ours) < key(theirs)):
            yield ours, None
            ours = next(one, None)
        elif ours is None or key(theirs) < key(ours):
            yield None, theirs
            theirs = next(other, None)
        else:
            yield ours, theirs
            ours, theirs = next(one, None), next(other, None)


class Differences:
    """What is to be written to a session of the target, and what is to go. Claims stay where they are.

    `ahead`: the session went on by itself, so it only gets what it lacks; `alone`: nobody but the writer of this wrote
    to it, so nothing was forgotten in it by others.
    """

    def __init__(self, source: Store, target: Store, space: str, session: str, *, ahead: bool, alone: bool) -> None:
        self._source = source
        self._target = target
        self._space = space
        self._session = session
        self._ahead = ahead
        self._alone = alone

    def settle(self, info: SessionInfo) -> tuple[int, int]:
        """Write what differs, some hundred records a transaction; answers how many were written, and how many went.
        Raises Outrun if others changed the session since it was looked at."""
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
        if all(record.until <= last for record in records):  # one that says more than there is would never be let in
            batch = replace(batch, unless_changed=changes)
        self._target.commit(batch)

    def _all(self) -> Iterator[Record | tuple[str, str]]:
        """Records to write, and kind and key of those that go."""
        for kind in KINDS:
            for ours, theirs in paired(self._of(self._source, kind), self._of(self._target, kind), _place):
                if ours is None:
                    assert theirs is not None
                    if self._goes(theirs):
                        yield theirs.kind, theirs.key
                elif ours != theirs and (wanted := self._wanted(ours, theirs)) is not None:
                    yield wanted

    def _goes(self, theirs: Record) -> bool:
        """Whether a record that stands at no such place at the source is to go; one that moved is replaced anyway."""
        stays = self._ahead or theirs.comes_from(self._barred) or self._held(self._source, theirs)
        return not stays

    def _wanted(self, ours: Record, theirs: Record | None) -> Record | None:
        """What is to be written of a record that differs: all of it, only its place, or nothing."""
        barred = ours.comes_from(self._barred)
        if (barred or self._ahead) and (theirs is not None or self._held(self._target, ours)):
            return None  # the target made it anew without what is forgotten there, or went on by itself
        return ours.tombstone() if barred else ours

    def _held(self, store: Store, record: Record) -> bool:
        return bool(store.records(self._space, self._session, Query(kind=record.kind, key=record.key, limit=1)))

    def _of(self, store: Store, kind: str) -> Iterator[Record]:
        query = Query(kind=kind, limit=BATCH)
        while page := store.records(self._space, self._session, query):
            yield from (record for record in page if not is_claim(record))
            query = replace(query, beyond=page[-1].place)

    @cached_property
    def _barred(self) -> list[int]:
        """The numbers that are forgotten at the target and not at the source."""
        found: list[int] = []
        page = Page(limit=BATCH, forgotten=True)
        while not self._alone and (theirs := self._target.messages(self._space, self._session, page)):
            gone = {message.seq for message in theirs if message.state == "forgotten"}
            if gone:
                ours = self._source.messages(self._space, self._session, replace(page, before=theirs[-1].seq + 1))
                found += sorted(gone.intersection(message.seq for message in ours if message.state != "forgotten"))
            page = replace(page, after=theirs[-1].seq)
        return found


def _place(record: Record) -> tuple[str, int, int, str]:
    return record.place
