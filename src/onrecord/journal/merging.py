"""Where an import, a copy or a rescue writes: what is new goes in, what is there or was forgotten here stays."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

from onrecord.errors import Outrun
from onrecord.journal.contents import all_messages
from onrecord.ports import Batch, Placed, Progress, Store
from onrecord.records import EPOCH, Draft, ImportReport, Query, Record, SessionInfo

__all__ = ["Arrivals"]

BATCH = 500
WRITTEN = ("title", "status", "model", "system", "meta", "created", "ended")  # of a session that is new


class Arrivals:
    """Writes what arrives, session after session, some hundred items a transaction, and counts it."""

    def __init__(self, store: Store, progress: Progress) -> None:
        self.report = ImportReport()
        self.last = 0  # the session's newest number, with what waits to be written
        self._store = store
        self._progress = progress
        self._met: set[tuple[str, str]] = set()
        self._session = SessionInfo(id="")
        self._space = ""
        self._waiting: list[Draft] = []
        self._records: list[Record] = []
        self._own: set[int] = set()  # numbers that are forgotten where this comes from as well
        self._barred: list[int] = []  # numbers that are forgotten here and not there, as of `_seen`
        self._seen: int | None = None  # the session's changes then

    def begin(self, space: str, info: SessionInfo) -> None:
        """Go on with this session; what is known of it is written where it is new."""
        self.write()
        self._space, self._session = space, info
        there = self._store.session(space, info.id)
        if there is None:
            self._commit(info={name: getattr(info, name) for name in WRITTEN})
        self.last = 0 if there is None else there.last_seq
        self._own, self._barred, self._seen = set(), [], None
        self._met.add((space, info.id))
        self.report = replace(self.report, sessions=len(self._met))

    def add(self, draft: Draft, own: bool = False) -> None:
        """Add a message; `own` says that a forgotten one was forgotten where it comes from, and did not get lost."""
        if self._records:
            self.write()
        if own and draft.state == "forgotten":
            self._own.add(draft.seq or 0)
        self._waiting.append(draft)
        self.last = max(self.last, draft.seq or 0)
        if len(self._waiting) >= BATCH:
            self.write()

    def add_record(self, record: Record) -> None:
        """Add a derived record of the session, whose messages came before it."""
        self._records.append(replace(record, session=self._session.id))
        if len(self._records) >= BATCH:
            self.write()

    def skip(self) -> None:
        """Count a message that is there already."""
        self.report = replace(self.report, present=self.report.present + 1)
        self._progress(1)

    def write(self) -> None:
        """Write what waits."""
        drafts, self._waiting = self._waiting, []
        if drafts:
            self.report = _counted(self.report, drafts, self._commit(drafts=drafts))
            self._progress(len(drafts))
        records, self._records = self._records, []
        while records and not self._written(records):
            pass  # the session changed meanwhile, so all is judged again

    def _commit(self, **parts: Any) -> list[Placed]:
        time = self._session.created or EPOCH
        return self._store.commit(Batch(space=self._space, session=self._session.id, time=time, **parts))

    def _written(self, records: list[Record]) -> bool:
        """Write those records that are new here, without what was forgotten here; return False if outrun."""
        info = self._store.session(self._space, self._session.id)
        if info is None:
            return True  # it was forgotten meanwhile
        if self._seen != info.changes:
            self._barred, self._seen = self._forgotten(), info.changes
        fresh = [left for record in records if (left := self._let_in(record, info.last_seq))]
        try:
            self._commit(records=fresh, unless_changed=info.changes)
        except Outrun:
            return False
        self._seen = info.changes + bool(fresh)
        self.report = replace(self.report, records=self.report.records + len(fresh))
        return True

    def _let_in(self, record: Record, last: int) -> Record | None:
        """Return what of a record may be written: all of it, only its place, or nothing."""
        query = Query(kind=record.kind, key=record.key, limit=1)
        if record.until > last or self._store.records(self._space, self._session.id, query):
            return None
        return record.tombstone() if record.comes_from(self._barred) else record

    def _forgotten(self) -> list[int]:
        """Return the numbers that are forgotten here, and were not where the records come from."""
        messages = all_messages(self._store, self._space, self._session.id)
        return [found.seq for found in messages if found.state == "forgotten" and found.seq not in self._own]


def _counted(report: ImportReport, drafts: list[Draft], placed: list[Placed]) -> ImportReport:
    count = Counter(
        "added"
        if place.earlier is None
        else "forgotten"
        if place.earlier.state == "forgotten" != draft.state
        else "present"
        for draft, place in zip(drafts, placed, strict=True)
    )
    return replace(report, **{name: getattr(report, name) + many for name, many in count.items()})
