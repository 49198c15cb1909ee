"""What holds for every store alike: no derived record comes out of it that is not what its kind says, and ids and keys
of forgotten messages are kept as digests that only it can make."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Never

from onrecord.errors import StoreDamaged, StoreError
from onrecord.ports import TOMBSTONES, Batch, Placed, Progress, Store, Target, secrets_of
from onrecord.records import (
    KINDS,
    Arrival,
    Erased,
    Finding,
    Health,
    Message,
    Page,
    Query,
    Record,
    SessionInfo,
    digest,
    fault_of,
)

__all__ = ["CheckedStore"]

PAGE = 500
ENDLESS = 2**53  # more records than any session has


class CheckedStore:
    """Any store, without the derived records that cannot be read as what their kind says. To every reader these are
    missing, like damaged ones; `check` reports them.

    The digests are made with a secret of the space, which is made when it is first needed, and stands in the name of a
    counter. Tombstones from elsewhere come with theirs. Older ones have digests without a secret."""

    def __init__(self, store: Store) -> None:
        self._inner = store

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def commit(self, batch: Batch) -> list[Placed]:
        if any(draft.own_id or draft.key is not None for draft in batch.drafts):
            batch = replace(batch, secrets=secrets_of(self._inner, batch.space))
        return self._inner.commit(batch)

    def find(self, space: str, session: str, id: str) -> Message | None:
        found = self._inner.find(space, session, id)
        for secret in () if found else secrets_of(self._inner, space):
            found = found or self._inner.find(space, session, digest(id, secret))
        return found

    def erase(self, target: Target) -> Erased:
        if target.seqs and not secrets_of(self._inner, target.space):
            self._inner.count(target.space, {f"{TOMBSTONES}{os.urandom(16).hex()}": 1})
        found = secrets_of(self._inner, target.space) if target.seqs else ()
        return self._inner.erase(replace(target, secret=found[0] if found else ""))

    def messages(self, space: str, session: str, page: Page) -> list[Message]:
        found = self._inner.messages(space, session, page)
        return found if not found or found[-1].seq > page.after else self._endless()

    def sessions(self, space: str, after: str = "", limit: int = PAGE) -> list[SessionInfo]:
        found = self._inner.sessions(space, after, limit)
        if found and found[-1].id <= after:  # an id is damaged, which `check` tells: the others are listed once
            return [] if after else sorted(found, key=lambda one: one.id)
        return found

    def _endless(self) -> Never:
        """A page that ends before it begins would be read again without end."""
        raise StoreDamaged("Rows are in no order: the store is damaged.", "Run onrecord doctor.")

    def records(self, space: str, session: str, query: Query) -> list[Record]:
        page = self._inner.records(space, session, query)
        if page and query.beyond is not None and page[-1].place <= query.beyond:
            self._endless()
        found = [record for record in page if not fault_of(record)]
        if len(found) < len(page) == query.limit:  # those left out do not take the place of others
            page = self._inner.records(space, session, replace(query, limit=ENDLESS))
            found = [record for record in page if not fault_of(record)]
            found = found[-query.limit :] if query.newest else found[: query.limit]
        return found

    def feed(self, space: str, after: int, limit: int = 500, kinds: Sequence[str] = ()) -> list[Arrival]:
        while page := self._inner.feed(space, after, limit, kinds):
            if page[-1].number <= after:
                self._endless()
            found = [one for one in page if not (isinstance(one.item, Record) and fault_of(one.item))]
            if found:
                return found
            after = page[-1].number
        return []

    def check(self, progress: Progress) -> Health:
        health = self._inner.check(progress)
        findings: list[Finding] = []
        with suppress(StoreError):  # then the store's own findings say so
            findings = list(self._unreadable())
        return replace(health, findings=(*health.findings, *findings))

    def _unreadable(self) -> Iterator[Finding]:
        for space, session, record in self._all_records():
            if fault := fault_of(record):
                what = f"The {record.kind} {record.key!r} cannot be read, and counts as missing: {fault}."
                yield Finding(kind="unreadable", what=what, space=space, session=session)

    def _all_records(self) -> Iterator[tuple[str, str, Record]]:
        for space in self._inner.spaces():
            after, more = "", True
            while more and (sessions := self.sessions(space, after, PAGE)):
                after, more = sessions[-1].id, sessions[-1].id > after  # or the id is damaged
                for session in sessions:
                    for kind in KINDS:
                        query = Query(kind=kind, limit=PAGE)
                        while page := self._inner.records(space, session.id, query):
                            yield from ((space, session.id, record) for record in page)
                            query = replace(query, beyond=page[-1].place)
