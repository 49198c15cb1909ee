"""The SQLite store: one file, many threads and processes. The schema is in `sqlite_migrations`, every statement in
`sqlite.sql`, connections in `sqlite_file`, rows and checksums in `sqlite_rows`, care of damaged files in `sqlite_care`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import apsw

from recollect.errors import Conflict, StoreDamaged
from recollect.policy.placing import refuse_other_content
from recollect.ports import Batch, Placed, Progress, Target
from recollect.records import Draft, Erased, Health, Message, Page, Posting, SessionInfo, digest, to_micros
from recollect.settings import Settings
from recollect.stores.sqlite_care import backup, check
from recollect.stores.sqlite_file import SqliteFile
from recollect.stores.sqlite_lexicon import docs_of, index, posting, unindex
from recollect.stores.sqlite_rows import (
    SQL,
    Row,
    intact,
    message_of,
    message_row,
    query,
    query_one,
    rows_of,
    session_of,
    session_row,
    sum_of,
    tombstone_row,
)

__all__ = ["SqliteStore"]

SESSIONS_KEPT = 10_000  # whose newest number is remembered as proved
ENDLESS = 2**62  # beyond every number
PATIENCE = 0.25  # seconds a forget waits for readers before it answers `pending`


class SqliteStore:
    """Messages in one SQLite file."""

    kind = "sqlite"

    def __init__(self, path: Path, settings: Settings, vfs: str | None = None) -> None:
        self._file = SqliteFile(path, settings, vfs)
        self._sure: dict[int, int] = {}  # session → newest number, as this process last wrote or proved it

    def commit(self, batch: Batch) -> list[Placed]:
        session, last, placed = self._file.write(lambda db: _commit(db, batch, self._sure))
        if len(self._sure) > SESSIONS_KEPT:
            self._sure.clear()
        self._sure[session] = last
        return placed

    def spaces(self) -> list[str]:
        return self._file.read(lambda db: [row[0] for row in query(db, "spaces")])

    def sessions(self, space: str, after: str = "", limit: int = 500) -> list[SessionInfo]:
        def work(db: apsw.Connection) -> list[SessionInfo]:
            rows = query(db, "sessions", space, after, limit)
            return [session_of(row, _last_seq(db, row[0])) for row in rows]

        return self._file.read(work)

    def session(self, space: str, session: str) -> SessionInfo | None:
        def work(db: apsw.Connection) -> SessionInfo | None:
            row = query_one(db, "session", space, session)
            return None if row is None else session_of(row, _last_seq(db, row[0]))

        return self._file.read(work)

    def messages(self, space: str, session: str, page: Page) -> list[Message]:
        def work(db: apsw.Connection) -> list[Message]:
            row = query_one(db, "session", space, session)
            return [] if row is None else _page(db, row[0], session, page)

        return self._file.read(work)

    def find(self, space: str, session: str, id: str) -> Message | None:
        def work(db: apsw.Connection) -> Message | None:
            row = query_one(db, "session", space, session)
            found = row and query_one(db, "message_by_id", row[0], id, digest(id))
            return message_of(found, session) if found else None

        return self._file.read(work)

    def match(self, space: str, terms: Sequence[str], limit: int) -> list[Posting]:
        def work(db: apsw.Connection) -> list[Posting]:
            row = query_one(db, "space_no", space)
            return [posting(db, row[0] if row else None, term, limit) for term in terms]

        return self._file.read(work)

    def erase(self, target: Target) -> Erased:
        erased = self._file.write(lambda db: _erase(db, target))
        return replace(erased, pending=not self._file.settle(PATIENCE)) if erased != Erased() else erased

    def settle(self) -> bool:
        return self._file.settle(PATIENCE)

    def revision(self, space: str, session: str) -> Hashable:
        def work(db: apsw.Connection) -> Hashable:
            row = query_one(db, "session", space, session)
            return None if row is None else (row[0], row[9], _last_seq(db, row[0]))

        return self._file.read(work)

    def check(self, progress: Progress) -> Health:
        return check(self._file, progress)

    def backup(self, target: Path) -> None:
        backup(self._file, target)

    def close(self) -> None:
        self._file.close()


def _last_seq(db: apsw.Connection, session: int) -> int:
    return (query_one(db, "last_seq", session) or (0,))[0] or 0


# Writing


def _commit(db: apsw.Connection, batch: Batch, sure: dict[int, int]) -> tuple[int, int, list[Placed]]:
    """Write the batch; answers the session, its newest number, and where each draft stands."""
    row = query_one(db, "session", batch.space, batch.session)
    last = 0 if row is None else _trusted_last(db, row[0], sure)
    placed, fresh = _plan(db, row[0] if row else None, last, batch)
    if fresh or batch.info:
        row = _written_session(db, row, batch)
    if row is None:
        return 0, 0, placed
    if fresh:
        _append(db, row[0], row[1], fresh)
    return row[0], last + len(fresh), placed


def _plan(
    db: apsw.Connection, session: int | None, start: int, batch: Batch
) -> tuple[list[Placed], list[tuple[int, Draft]]]:
    """Where each draft stands, and those that are new with their numbers; raises if any cannot be placed."""
    last = start
    fresh: dict[int, Draft] = {}
    seen: dict[str, int] = {}  # ids and keys of this batch
    placed: list[Placed] = []
    for draft in batch.drafts:
        seq = seen.get(draft.id) or (draft.key and seen.get(draft.key))
        if seq:
            earlier: Message | None = fresh[seq].placed(batch.session, seq)
        else:
            earlier = _taken(db, session, batch.session, draft, start, last)
        if earlier is not None:
            refuse_other_content(draft, earlier)
            seq = earlier.seq
        else:
            last = seq = last + 1
            fresh[seq] = draft
            if draft.own_id:
                seen[draft.id] = seq
            if draft.key is not None:
                seen[draft.key] = seq
        placed.append(Placed(seq=seq, earlier=earlier))
    return placed, list(fresh.items())


def _taken(db: apsw.Connection, session: int | None, name: str, draft: Draft, start: int, last: int) -> Message | None:
    """The message that holds this draft's number, key or id already, if any."""
    row: Row | None = None
    if draft.seq is not None:
        if draft.seq > last + 1:
            raise Conflict(f"Message {draft.seq} would leave a gap after {last}.", "Import in order, from 1.")
        if draft.seq <= start:
            row = query_one(db, "message", session, draft.seq)
    if row is None and draft.key is not None and session is not None:
        row = query_one(db, "message_by_key", session, draft.key)
    if row is None and draft.own_id and session is not None:
        row = query_one(db, "message_by_id", session, draft.id, digest(draft.id))
    return None if row is None else message_of(row, name)


def _trusted_last(db: apsw.Connection, session: int, sure: dict[int, int]) -> int:
    """The newest number, proved once by its row's checksum: the next number must not follow from damage."""
    last = _last_seq(db, session)
    if last and sure.get(session) != last and not intact(query(db, "message", session, last)[0]):
        raise StoreDamaged(
            f"The newest message of a session (number {last}) is damaged, so nothing is added to it.",
            "Run `recollect doctor --rescue NEW.db`.",
        )
    return last


def _written_session(db: apsw.Connection, row: Row | None, batch: Batch) -> Row:
    """The session's row, made or changed as the batch says."""
    if row is None:
        info = replace(SessionInfo(id=batch.session, created=batch.time), **batch.info)
        values = session_row(0, _space_no(db, batch.space), info, 0)[1:]
        row = (query_one(db, "add_session", *values) or ())[:1] + values
        db.execute(SQL["seal_session"], (sum_of(row), row[0]))
    elif batch.info:
        if not intact(row):
            raise StoreDamaged(f"The record of session {batch.session!r} is damaged.", "Run `recollect doctor`.")
        info = replace(session_of(row, 0), **batch.info)
        _set_session(db, session_row(row[0], row[1], info, row[9] + 1))
    return row


def _set_session(db: apsw.Connection, row: Row) -> None:
    """Write a session's columns, all but the checksum, and the checksum."""
    db.execute(SQL["set_session"], (*row[3:], sum_of(row), row[0]))


def _space_no(db: apsw.Connection, name: str) -> int:
    row = query_one(db, "space_no", name)
    if row is None:
        row = (*(query_one(db, "add_space", name) or ()), name)
        db.execute(SQL["seal_space"], (sum_of(row), row[0]))
    return int(row[0])


def _append(db: apsw.Connection, session: int, space: int, fresh: Sequence[tuple[int, Draft]]) -> None:
    first, last = docs_of(space)
    doc = (query_one(db, "last_doc", first, last) or (None,))[0] or first
    rows = [message_row(draft, doc + n, session, seq) for n, (seq, draft) in enumerate(fresh, 1)]
    db.executemany(SQL["add_message"], rows)
    index(db, ((row[0], draft.terms) for row, (_, draft) in zip(rows, fresh, strict=True)))


# Reading


def _page(db: apsw.Connection, session: int, name: str, page: Page) -> list[Message]:
    """Rows until the page is full. Unfiltered numbers are gapless, so a number that is missing is damage to report."""
    low, high = page.after, ENDLESS if page.before is None else page.before
    sql = SQL[("filtered" if page.filtered else "messages") + ("_before" if page.newest else "_after")]
    filters = _filters(page) if page.filtered else ()
    found: list[Message] = []
    while len(found) < page.limit:
        asked = page.limit - len(found)
        rows = rows_of(db, sql, (session, low, high, asked, *filters))
        messages = [message_of(row, name) for row in rows]
        if not (page.newest or page.filtered):
            messages = list(islice(_without_gaps(messages, low), asked))
        found.extend(message for message in messages if page.wants(message))
        if len(rows) < asked:
            break
        low, high = (low, messages[-1].seq) if page.newest else (messages[-1].seq, high)
    return found[::-1] if page.newest else found


def _filters(page: Page) -> tuple[int | None, int | None, str]:
    since, until = (None if time is None else to_micros(time) for time in (page.since, page.until))
    return since, until, " ".join(page.roles)


def _without_gaps(messages: list[Message], after: int) -> Iterator[Message]:
    for message in messages:
        if message.state == "damaged" and message.seq != after + 1:
            continue  # its number is not to be trusted; the place it left is reported instead
        for missing in range(after + 1, message.seq):
            yield Message(session=message.session, seq=missing, id="", role="user", state="damaged")
        yield message
        after = message.seq


# Erasing


def _erase(db: apsw.Connection, target: Target) -> Erased:
    space = query_one(db, "space_no", target.space)
    if space is None:
        return Erased()
    if target.session is None:
        return _erase_space(db, space[0])
    row = query_one(db, "session", target.space, target.session)
    if row is None:
        return Erased()
    if target.seqs is None:
        return _erase_sessions(db, [row[0]])
    rows = [found for seq in sorted(set(target.seqs)) if (found := query_one(db, "message", row[0], seq))]
    rows = [found for found in rows if found[6] is not None]
    for found in rows:
        db.execute(SQL["bury_message"], tombstone_row(found, target.time))
    if rows and intact(row):
        _set_session(db, (*row[:9], row[9] + 1))
    return Erased(messages=len(rows), terms=unindex(db, rows))


def _erase_space(db: apsw.Connection, space: int) -> Erased:
    sessions = [row[0] for row in query(db, "sessions_of_space", space)]
    erased = _erase_sessions(db, sessions)
    db.execute(SQL["delete_space"], (space,))
    return replace(erased, spaces=1)


def _erase_sessions(db: apsw.Connection, sessions: Sequence[int]) -> Erased:
    rows = [row for no in sessions for row in query(db, "messages_after", no, -1, ENDLESS, ENDLESS)]
    for no in sessions:
        db.execute(SQL["delete_messages"], (no,))
        db.execute(SQL["delete_session"], (no,))
    rows = [row for row in rows if row[6] is not None]
    return Erased(messages=len(rows), sessions=len(sessions), terms=unindex(db, rows))
