"""The store itself: each method of the port is one short transaction over the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

import apsw

from onrecord.errors import StoreDamaged, StoreError
from onrecord.policy.placing import place
from onrecord.ports import Batch, Placed, Progress, Revision, Target
from onrecord.records import (
    Arrival,
    Block,
    Draft,
    Erased,
    Health,
    Message,
    Page,
    Query,
    Record,
    SessionInfo,
    digest,
    to_micros,
)
from onrecord.settings import Settings
from onrecord.stores.batches import changes_something, refuse_misplaced, refuse_outrun
from onrecord.stores.counting import refuse_uncountable
from onrecord.stores.sqlite.blocks import drop_blocks, drop_blocks_about, read_blocks, read_plans, save_blocks
from onrecord.stores.sqlite.change_feed import count_removal, newest, read_feed, revision_of
from onrecord.stores.sqlite.counters import add_to_counters, read_counters
from onrecord.stores.sqlite.derived_rows import (
    ENDLESS,
    bury_records,
    note_replaced,
    read_records,
    record_rows,
    write_derived,
)
from onrecord.stores.sqlite.file import SqliteFile
from onrecord.stores.sqlite.inspection import kept_files
from onrecord.stores.sqlite.scrub import UNKNOWN, Traces, traces_of
from onrecord.stores.sqlite.sqlite_care import backup, check
from onrecord.stores.sqlite.sqlite_rows import (
    SQL,
    Row,
    changes_of,
    intact,
    message_of,
    message_row,
    paged,
    query,
    query_one,
    rows_of,
    session_of,
    session_row,
    sum_of,
    tombstone_row,
)
from onrecord.stores.unfinished import sweep

__all__ = ["SqliteStore"]

SESSIONS_KEPT = 10_000  # whose newest number is remembered as proved
ROUND = 500  # rows read at once where the first did not fill the page
MOST_ROWS = 2_000  # messages or records that are held at once to know what to search for
PATIENCE = 0.25  # seconds a forget waits for readers before it answers `pending`


class SqliteStore:
    """Messages in one SQLite file."""

    def __init__(self, path: Path, settings: Settings, vfs: str | None = None) -> None:
        self._file = SqliteFile(path, settings, vfs)
        self._sure: dict[int, int] = {}  # session → newest number, as this process last wrote or proved it

    def commit(self, batch: Batch) -> list[Placed]:
        session, last, placed = self._file.write(lambda db: _commit(db, batch, self._sure))
        if len(self._sure) > SESSIONS_KEPT:
            self._sure.clear()
        if last:
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
            row = query_one(db, "session_no", space, session)
            return [] if row is None else _page(db, row[0], session, page)

        return self._file.read(work)

    def find(self, space: str, session: str, id: str) -> Message | None:
        def work(db: apsw.Connection) -> Message | None:
            row = query_one(db, "session", space, session)
            found = row and query_one(db, "message_by_id", row[0], id, digest(id))
            return message_of(found, session) if found else None

        return self._file.read(work)

    def records(self, space: str, session: str, query: Query) -> list[Record]:
        def work(db: apsw.Connection) -> list[Record]:
            row = query_one(db, "session_no", space, session)
            return [] if row is None else read_records(db, row[0], session, query)

        return self._file.read(work)

    def feed(self, space: str, after: int, limit: int = 500, kinds: Sequence[str] = ()) -> list[Arrival]:
        return self._file.read(lambda db: read_feed(db, space, after, limit, kinds))

    def revision(self, space: str) -> Revision:
        return self._file.read(lambda db: revision_of(db, space))

    def blocks(self, space: str, plan: str, after: int = -1, limit: int = 64) -> list[Block]:
        return self._file.read(lambda db: read_blocks(db, space, plan, after, limit))

    def plans(self, space: str) -> list[str]:
        return self._file.read(lambda db: read_plans(db, space))

    def save_blocks(self, space: str, plan: str, blocks: Sequence[Block], at: Revision) -> bool:
        return self._file.write(lambda db: save_blocks(db, space, plan, blocks, at))

    def drop_blocks(self, space: str, plan: str) -> None:
        self._file.write(lambda db: drop_blocks(db, space, plan))

    def tally(self, space: str, prefix: str = "") -> dict[str, int]:
        return self._file.read(lambda db: read_counters(db, space, prefix))

    def count(self, space: str, changes: Mapping[str, int], at_least: Mapping[str, int] | None = None) -> None:
        refuse_uncountable(changes)
        refuse_uncountable(at_least or {})
        self._file.write(lambda db: add_to_counters(db, space, changes, at_least or {}))

    def erase(self, target: Target) -> Erased:
        def work(db: apsw.Connection) -> Erased:
            erased, traces = _erase(db, target, self._file.token)
            self._file.forgotten(traces)
            return erased

        erased = self._file.write(work)
        try:
            return replace(erased, pending=not self._clean())
        except StoreError:  # such as a full disk: it is gone for everyone, but perhaps not yet for a byte search
            return replace(erased, pending=True)

    def settle(self) -> bool:
        return self._clean()

    def _clean(self) -> bool:
        """Leave nothing forgotten in the file; False also where it may stand in a copy that was kept."""
        sweep(self._file.path.parent)
        return self._file.settle(PATIENCE) and not kept_files(self._file.path)

    def check(self, progress: Progress) -> Health:
        return check(self._file, progress)

    def backup(self, target: Path) -> None:
        backup(self._file, target)

    def close(self) -> None:
        self._file.close()


def _last_seq(db: apsw.Connection, session: int) -> int:
    last = int(query(db, "last_seq", session)[0][0])
    return last if last >= 0 else int(query(db, "last_whole_seq", session)[0][0] or 0)


# Writing


def _commit(db: apsw.Connection, batch: Batch, sure: dict[int, int]) -> tuple[int, int, list[Placed]]:
    """Write the batch; answers the session, its newest number if that is proved, and where each draft stands."""
    row = query_one(db, "session", batch.space, batch.session)
    if batch.unless_changed is not None or batch.born is not None:
        refuse_outrun(batch, None if row is None else session_of(row, 0))
    last = _trusted_last(db, row[0], sure) if row is not None and batch.drafts else 0
    placed, fresh = place(
        batch.drafts, batch.session, last, _SqliteExisting(db, row[0] if row else None, batch.session), batch.secrets
    )
    changed = changes_something(batch)
    if changed:
        refuse_misplaced(batch, max(0 if row is None else _last_seq(db, row[0]), last + len(fresh)))
    if fresh or batch.info or batch.records or (row is not None and changed):
        row = _written_session(db, row, batch, changed)
    if row is None:
        return 0, 0, placed
    if fresh:
        _append(db, row[0], row[1], fresh)
    if changed:
        write_derived(db, row[1], row[0], batch)
    return row[0], last + len(fresh), placed


class _SqliteExisting:
    """What a session holds, for the placing of drafts."""

    def __init__(self, db: apsw.Connection, session: int | None, name: str) -> None:
        self._db = db
        self._session = session
        self._name = name

    def by_seq(self, seq: int) -> Message | None:
        return self._found("message", seq)

    def by_key(self, key: str) -> Message | None:
        return self._found("message_by_key", key)

    def by_id(self, id: str) -> Message | None:
        return self._found("message_by_id", id, digest(id))

    def _found(self, statement: str, *values: object) -> Message | None:
        row = None if self._session is None else query_one(self._db, statement, self._session, *values)
        return None if row is None else message_of(row, self._name)


def _trusted_last(db: apsw.Connection, session: int, sure: dict[int, int]) -> int:
    """The newest number, proved once by its row's checksum: the next number must not follow from damage."""
    last = int(query(db, "last_seq", session)[0][0])
    if last and sure.get(session) != last:
        newest = query_one(db, "message", session, last)
        if newest is None or not intact(newest):
            raise _damaged(f"The newest message of a session (number {last}) is damaged, so nothing is added to it.")
    return last


def _damaged(what: str) -> StoreDamaged:
    return StoreDamaged(what, "Run `onrecord doctor --rescue NEW.db`.")


def _written_session(db: apsw.Connection, row: Row | None, batch: Batch, changed: bool) -> Row:
    """The session's row, made or changed as the batch says."""
    if row is None:
        info = replace(SessionInfo(id=batch.session, created=batch.time), **batch.info)
        values = session_row(0, _space_no(db, batch.space), info, int(changed))[1:]
        row = (query_one(db, "add_session", *values) or ())[:1] + values
        db.execute(SQL["seal_session"], (sum_of(row), row[0]))
    elif batch.info:
        if not intact(row):
            raise _damaged(f"The row of session {batch.session!r} is damaged, so it is not changed.")
        changed_row = session_row(row[0], row[1], replace(session_of(row, 0), **batch.info), row[10] + 1)
        note_replaced(db, row, changed_row)
        _set_session(db, changed_row)
    elif changed:
        _count_change(db, row)
    return row


def _set_session(db: apsw.Connection, row: Row) -> None:
    """Write a session's columns, all but the checksum, and the checksum."""
    db.execute(SQL["set_session"], (*row[3:], sum_of(row), row[0]))


def _count_change(db: apsw.Connection, row: Row) -> None:
    """Add one to a session's changes. A damaged row is counted too, but not sealed: it stays known as damaged."""
    if intact(row):
        _set_session(db, (*row[:10], row[10] + 1))
    else:
        db.execute(SQL["count_change"], (changes_of(row) + 1, row[0]))


def _space_no(db: apsw.Connection, name: str) -> int:
    row = query_one(db, "space_no", name)
    if row is None:
        row = query_one(db, "add_space", name) or ()
        db.execute(SQL["seal_space"], (sum_of(row), row[0]))
    elif not intact(row):
        raise _damaged(f"The row of space {name!r} is damaged, so no session is added to it.")
    return int(row[0])


def _append(db: apsw.Connection, session: int, space: int, fresh: Sequence[tuple[int, Draft]]) -> None:
    doc = newest(db, space)
    rows = [message_row(draft, doc + n, session, seq) for n, (seq, draft) in enumerate(fresh, 1)]
    db.executemany(SQL["add_message"], rows)


# Reading


def _page(db: apsw.Connection, session: int, name: str, page: Page) -> list[Message]:
    """Rows until the page is full. Unfiltered numbers are gapless, so a number that is missing is damage to report."""
    low: int | float = page.after
    high: int | float = ENDLESS if page.before is None else page.before
    sql = SQL[("filtered" if page.filtered else "messages") + ("_before" if page.newest else "_after")]
    filters = _filters(page) if page.filtered else ()
    found: list[Message] = []
    last = page.after  # the newest number that was found or reported missing
    asked = page.limit
    while len(found) < page.limit:
        rows = rows_of(db, sql, (session, low, high, asked, *filters))
        messages = [message_of(row, name) for row in rows]
        cut = False  # whether reported gaps filled the page before all its rows were shown
        if not (page.newest or page.filtered or _gapless(messages, last)):
            messages = list(islice(_without_gaps(messages, last), asked))
            cut = len(messages) == asked
        found += [message for message in messages if message.state == "kept" or page.wants(message)]
        if len(rows) < asked or not isinstance(rows[-1][2], (int, float)):
            break  # texts stand behind all numbers, so only damage is left
        last = messages[-1].seq if messages else last
        if page.newest:
            high = rows[-1][2]
        else:
            low = last if cut else rows[-1][2]
        asked = max(asked, ROUND)  # many tombstones in a row must not mean as many queries
    return found[: page.limit][::-1] if page.newest else found[: page.limit]


def _filters(page: Page) -> tuple[int | None, int | None, str]:
    since, until = (None if time is None else to_micros(time) for time in (page.since, page.until))
    return since, until, " ".join(page.roles)


def _gapless(messages: list[Message], after: int) -> bool:
    """Whether the numbers follow each other; those of damaged messages prove nothing."""
    if any(message.state == "damaged" for message in messages):
        return False
    return not messages or (messages[-1].seq - after == len(messages) and messages[0].seq == after + 1)


def _without_gaps(messages: list[Message], after: int) -> Iterator[Message]:
    for message in messages:
        if message.state == "damaged" and message.seq != after + 1:
            continue  # its number is not to be trusted; the place it left is reported instead
        for missing in range(after + 1, message.seq):
            yield Message(session=message.session, seq=missing, id="", role="user", state="damaged")
        yield message
        after = message.seq


# Erasing


def _erase(db: apsw.Connection, target: Target, token: str) -> tuple[Erased, Traces]:
    """Take out what the target names; answers what went, and what to search for in unused parts of pages."""
    space = query_one(db, "space_no", target.space)
    session = query_one(db, "session", target.space, target.session) if target.session is not None else None
    if space is None or (target.session is not None and session is None):
        return Erased(), Traces()
    if session is not None and target.seqs is not None:
        erased, traces = _bury(db, session, target)
    else:
        sessions = query(db, "sessions_of_space", space[0]) if session is None else [session]
        erased, traces = _erase_sessions(db, space[0], sessions)
        if not query(db, "sessions_of_space", space[0]):
            db.execute(SQL["delete_space"], (space[0],))
            traces |= traces_of([space])
            erased = replace(erased, spaces=int(session is None))
    if erased != Erased():
        count_removal(db, space[0])
        db.execute(SQL["delete_stray_blocks"])
        db.execute(SQL["delete_stray_counters"])
        db.execute(SQL["add_chore"], (token,))
    return erased, traces


def _bury(db: apsw.Connection, session: Row, target: Target) -> tuple[Erased, Traces]:
    """Leave tombstones in place of some messages of a session, and take out what came of them."""
    found = [query_one(db, "message", session[0], seq) for seq in sorted(set(target.seqs or ()))]
    rows = [row for row in found if row is not None and row[6] is not None]
    for row in rows:
        db.execute(SQL["bury_message"], tombstone_row(row, target.time, target.secret))
    if not rows:
        return Erased(), Traces()
    _count_change(db, session)
    derived = bury_records(db, session[0], [row[2] for row in rows])
    drop_blocks_about(db, session[1], [row[0] for row in [*rows, *derived]])
    return Erased(messages=len(rows), records=len(derived)), traces_of([*rows, *derived])


def _erase_sessions(db: apsw.Connection, space: int, sessions: Sequence[Row]) -> tuple[Erased, Traces]:
    """Take out whole sessions; what to search for is unknown if that is too much to hold."""
    count = sum(query(db, "count_texts", session[0])[0][0] for session in sessions)
    derived = sum(len(query(db, "record_numbers", session[0])) for session in sessions)
    traces = UNKNOWN
    if max(count, derived) < MOST_ROWS:
        texts = (row for session in sessions for row in paged(db, "texts_of_session", session[0], column=2))
        records = (row for session in sessions for row in record_rows(db, session[0]))
        traces = traces_of([*texts, *records, *sessions])
    for session in sessions:
        drop_blocks_about(db, space, (row[0] for row in query(db, "numbers_of_session", session[0])))
        db.execute(SQL["delete_messages"], (session[0],))
        db.execute(SQL["delete_records"], (session[0],))
        db.execute(SQL["delete_session"], (session[0],))
    return Erased(messages=count, sessions=len(sessions), records=derived), traces
