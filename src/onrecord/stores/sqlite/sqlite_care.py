"""Care of a SQLite file: check every item, copy it while others write, and read what a damaged one still holds."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import apsw

from onrecord.errors import InvalidInput, StoreError
from onrecord.ports import Progress
from onrecord.records import Finding, Health, Message, Record, SessionInfo
from onrecord.stores.new_files import create_empty
from onrecord.stores.sql import migrations
from onrecord.stores.sqlite.blocks import block_intact
from onrecord.stores.sqlite.counters import broken_counters
from onrecord.stores.sqlite.file import SqliteFile
from onrecord.stores.sqlite.inspection import kept_files, size_of
from onrecord.stores.sqlite.pages import table_rows
from onrecord.stores.sqlite.sqlite_rows import (
    DOC_BITS,
    MESSAGE_COLUMNS,
    RECORD_COLUMNS,
    SESSION_COLUMNS,
    SPACE_COLUMNS,
    Row,
    at_one_moment,
    intact,
    message_of,
    paged,
    record_of,
    session_of,
)
from onrecord.stores.unfinished import unfinished

__all__ = ["backup", "check", "check_rows", "readable"]


STRUCTURE_FINDINGS = 100  # as many as anyone reads; the first already says that the file must be rescued


def backup(file: SqliteFile, target: Path) -> None:
    """A compact copy of one moment, whole or not there at all; writers go on meanwhile."""
    if target.exists():
        raise InvalidInput(f"{target} is there already.", "Name a new file; a backup never replaces anything.")
    target.parent.mkdir(parents=True, exist_ok=True)
    with unfinished(target) as part:
        create_empty(part)
        file.read(lambda db: db.execute("VACUUM INTO ?", (str(part),)).fetchall())
        handle = os.open(part, os.O_RDWR)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
        os.link(part, target)  # unlike a rename, this refuses to replace what appeared meanwhile


# Checking


def check(file: SqliteFile, progress: Progress) -> Health:
    """Look at every page and row; mark the file damaged, or whole, as its structure turns out to be."""
    file.refuse()
    file.refuse_replaced()
    findings = _structure(file)
    counts: dict[str, int] = {}
    try:
        findings += file.read(lambda db: at_one_moment(db, lambda: check_rows(db, counts, progress)))
    except StoreError as error:
        findings.append(Finding(kind="unreadable", what=error.what))
    if any(finding.kind in ("structure", "unreadable") for finding in findings):
        file.mark_damaged("\n".join(finding.what for finding in findings))
    else:
        with suppress(OSError):  # a read-only disk keeps it
            file.marker.unlink(missing_ok=True)
    what = "{} was kept of a lost file, and forgetting does not reach it: take from it what is missing, then delete it."
    findings += [Finding(kind="skipped", what=what.format(kept)) for kept in kept_files(file.path)]
    return Health(
        store=f"sqlite {file.path}",
        version=len(migrations("sqlite")),
        bytes=size_of(file.path) + size_of(file.wal),
        findings=tuple(findings),
        **counts,
    )


def _structure(file: SqliteFile) -> list[Finding]:
    sql = f"PRAGMA integrity_check({STRUCTURE_FINDINGS})"
    try:
        lines = file.read_afresh(lambda db: db.execute(sql).fetchall())
        return [Finding(kind="structure", what=str(line)) for (line,) in lines if line != "ok"]
    except StoreError as error:
        return [Finding(kind="structure", what=error.what)]


def check_rows(db: apsw.Connection, counts: dict[str, int], progress: Progress) -> list[Finding]:
    """Look at every row; count what is there into `counts`."""
    counts |= dict.fromkeys(("spaces", "sessions", "messages", "tombstones", "records"), 0)
    findings: list[Finding] = []
    spaces: dict[int, str] = {}
    for row in paged(db, "all_spaces"):
        counts["spaces"] += 1
        spaces[row[0]] = str(row[1])
        if not intact(row):
            findings.append(
                Finding(kind="checksum", what=f"The row of space {row[1]!r} was changed.", space=str(row[1]))
            )
    sessions: dict[int, tuple[str | None, str]] = {}
    for row in paged(db, "all_sessions"):
        counts["sessions"] += 1
        sessions[row[0]] = (spaces.get(row[1]), str(row[2]))
        if not intact(row):
            findings.append(_finding("checksum", "The row of the session was changed.", sessions[row[0]]))
        elif row[1] not in spaces:
            findings.append(_finding("missing", "The session's space is not there.", sessions[row[0]]))
    findings += _records(db, sessions, counts)
    findings += _messages(db, sessions, counts, progress)
    return findings + _blocks(db, spaces) + _counters(db, spaces)


def _records(db: apsw.Connection, sessions: dict[int, tuple[str | None, str]], counts: dict[str, int]) -> list[Finding]:
    findings: list[Finding] = []
    for row in paged(db, "all_records"):
        place = sessions.get(row[1], (None, f"number {row[1]}"))
        if not intact(row):
            what = "The row of a derived record was changed; it is left out, and can be made again."
            findings.append(_finding("checksum", what, place))
            continue
        counts["records"] += 1
        if row[1] not in sessions:
            findings.append(_finding("missing", "The session of a derived record is not there.", place))
    return findings


def _messages(
    db: apsw.Connection, sessions: dict[int, tuple[str | None, str]], counts: dict[str, int], progress: Progress
) -> list[Finding]:
    """Checksums and numbers of all messages."""
    findings: list[Finding] = []
    last: dict[int, int] = {}
    for row in paged(db, "all_messages"):
        progress(1)
        place = sessions.get(row[1], (None, f"number {row[1]}"))
        if not intact(row):
            findings.append(_finding("checksum", "The message's row was changed.", place, row[2]))
            last[row[1]] = last.get(row[1], 0) + 1
            continue
        counts["tombstones" if row[6] is None else "messages"] += 1
        expected = last.get(row[1], 0) + 1
        if row[1] not in sessions:
            findings.append(_finding("missing", "The message's session is not there.", place, row[2]))
        elif row[2] != expected:
            findings.append(_finding("missing", f"Messages {expected} to {row[2] - 1} are not there.", place, expected))
        last[row[1]] = row[2]
    return findings


def _blocks(db: apsw.Connection, spaces: dict[int, str]) -> list[Finding]:
    """The blocks of the search index that were changed, or whose space is not there."""
    broken = [row for row in paged(db, "all_blocks") if row[1] not in spaces or not block_intact(row)]
    what = "A part of the search index was changed; it is left out, and made again by itself."
    return [Finding(kind="index", what=what, space=spaces.get(row[1])) for row in broken]


def _counters(db: apsw.Connection, spaces: dict[int, str]) -> list[Finding]:
    """The counters that hold something else than a number."""
    what = "A counter was changed; it begins again at 0."
    return [Finding(kind="checksum", what=what, space=spaces.get(row[0])) for row in broken_counters(db)]


def _finding(kind: str, what: str, place: tuple[str | None, str], seq: int | None = None) -> Finding:
    return Finding(kind=kind, what=what, space=place[0], session=place[1], seq=seq)  # type: ignore[arg-type]


# Rescue


def readable(path: Path, progress: Progress) -> Iterator[tuple[str, SessionInfo, Message | Record]]:
    """Everything that the file's bytes still hold, without SQLite's help: the messages of each session in order, then
    its derived records.

    Every row proves itself by its checksum. Of two rows with one number a tombstone wins: nothing forgotten comes back.
    """
    shelf = apsw.Connection("")  # a temporary file of SQLite's own: a rescue must not need the memory to hold it all
    columns = ", ".join(f"c{number}" for number in range(MESSAGE_COLUMNS))
    shelf.execute(f"CREATE TABLE carved ({columns}, part, rank)")
    spaces: dict[int, str] = {}
    sessions: dict[int, Row] = {}
    with shelf:
        for row in _own_rows(path, progress):
            if len(row) == MESSAGE_COLUMNS and isinstance(row[1], int) and isinstance(row[2], int):
                _shelve(shelf, row, 0, 0 if not intact(row) else 2 if row[6] is None else 1)
            elif len(row) == RECORD_COLUMNS and intact(row):
                _shelve(shelf, (*row, None), 1, row[0])
            elif len(row) == SESSION_COLUMNS and (intact(row) or row[0] not in sessions):
                sessions[row[0]] = row
            elif len(row) == SPACE_COLUMNS and intact(row):
                spaces[row[0]] = row[1]
    order = "c1, part, c2, CASE part WHEN 1 THEN c8 END, rank DESC"
    last: Row = ()
    place: tuple[int, str, SessionInfo] | None = None  # of the message before, with the number of its session
    for row in shelf.execute(f"SELECT * FROM carved ORDER BY {order}"):
        derived = row[-2] == 1
        if (name := (row[1], derived, row[2], row[8] if derived else None)) == last:
            continue
        last = name
        if not derived or place is None or place[0] != row[1]:  # a record stands where its session's messages do
            place = (row[1], *_place(row[1], row[0], spaces, sessions))
        _, space, info = place
        item = record_of(row[:RECORD_COLUMNS], info.id) if derived else message_of(row[:MESSAGE_COLUMNS], info.id)
        if item is not None:
            yield space, info, item


def _shelve(shelf: apsw.Connection, row: Row, part: int, rank: int) -> None:
    shelf.execute(f"INSERT INTO carved VALUES ({', '.join('?' * (MESSAGE_COLUMNS + 2))})", (*row, part, rank))


def _place(number: int, arrival: int, spaces: dict[int, str], sessions: dict[int, Row]) -> tuple[str, SessionInfo]:
    """The space and session of a row, under names of ours where theirs are lost."""
    session = sessions.get(number)
    space = session[1] if session is not None and intact(session) else arrival >> DOC_BITS
    info = SessionInfo(id="") if session is None else session_of(session, 0)
    if not info.id:
        info = SessionInfo(id=f"rescued-{number}")
    return spaces.get(space, f"rescued-{space}"), info


def _own_rows(path: Path, progress: Progress) -> Iterator[Row]:
    """Rows as SQLite would give them: the number in its column, REAL columns as floats."""
    for carved in table_rows(path, progress):
        row = (carved.rowid, *carved.values[1:])
        if len(row) == MESSAGE_COLUMNS and isinstance(row[10], int):
            row = (*row[:10], float(row[10]), *row[11:])
        yield row
