"""Between records and rows of the SQLite file: the columns, their order, and the checksum that every row carries."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any, TypeVar
from zlib import crc32

import apsw

from onrecord.errors import StoreDamaged
from onrecord.records import (
    EPOCH,
    ROLES,
    Draft,
    Message,
    Record,
    SessionInfo,
    digest,
    rough_size,
    to_micros,
)
from onrecord.stores.batches import body_text, more_text
from onrecord.stores.built import message_from, record_from, session_from
from onrecord.stores.sql import statements

__all__ = [
    "DOC_BITS",
    "MESSAGE_COLUMNS",
    "RECORD_COLUMNS",
    "SESSION_COLUMNS",
    "SPACE_COLUMNS",
    "SQL",
    "Row",
    "at_one_moment",
    "changes_of",
    "count_of",
    "intact",
    "message_of",
    "message_row",
    "number_after",
    "paged",
    "query",
    "query_one",
    "readable",
    "record_of",
    "record_row",
    "rows_of",
    "session_of",
    "session_row",
    "sum_of",
    "tombstone_row",
]

Row = tuple[Any, ...]
SQL = statements("sqlite")
_Answer = TypeVar("_Answer")

DOC_BITS = 40  # a number is space * 2^40 + n: see `arrivals`
SPACE_COLUMNS = 4
SESSION_COLUMNS = 12
RECORD_COLUMNS = 14
MESSAGE_COLUMNS = 15

# By number of columns, a pattern that joins them: nearly twice as fast as join, and every row read or written needs it.
_JOINED = tuple("\x1f".join(["%s"] * count) for count in range(MESSAGE_COLUMNS + 1))


def sum_of(row: Row) -> int:
    """CRC-32 over all columns but the last, which holds it."""
    # It starts from the number of NULLs, since those read like the text "None".
    return crc32((_JOINED[len(row)] % row).encode(), row.count(None))


def intact(row: Row) -> bool:
    """Whether the checksum in the last column is that of the others."""
    return bool(row[-1] == sum_of(row[:-1]))


def rows_of(db: apsw.Connection, sql: str, values: Row) -> list[Row]:
    """The rows of a statement over one table, also where damaged text cannot be decoded any more."""
    try:
        return db.execute(sql, values).fetchall()
    except UnicodeDecodeError:
        table = sql.split("FROM ")[1].split()[0]
        columns = _columns(db, table)
        raw = ", ".join(f"CAST({column} AS BLOB), typeof({column})" for column in columns)
        return [_decoded(row) for row in db.execute(f"SELECT {raw} FROM {sql.split('FROM ', 1)[1]}", values).fetchall()]


def _columns(db: apsw.Connection, table: str) -> list[str]:
    try:
        return [str(row[1]) for row in db.execute(f"PRAGMA table_info({table})").fetchall()]
    except UnicodeDecodeError:
        hint = "Read what is left into a new file with `onrecord doctor --rescue`."
        raise StoreDamaged("The names of the file's columns are damaged.", hint) from None


def _decoded(row: Row) -> Row:
    """Values from (bytes, type) pairs; what is not UTF-8 stays bytes."""
    return tuple(_value(raw, kind) for raw, kind in zip(row[::2], row[1::2], strict=True))


def _value(raw: bytes | None, kind: str) -> int | float | str | bytes | None:
    if raw is None or kind == "blob":
        return raw
    if kind in ("integer", "real"):
        return (int if kind == "integer" else float)(raw)
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw


def query(db: apsw.Connection, name: str, *values: object) -> list[Row]:
    """All rows of a named statement."""
    return rows_of(db, SQL[name], values)


def paged(db: apsw.Connection, name: str, *values: object, column: int = 0) -> Iterator[Row]:
    """All rows of a named statement that takes the number in this column from which to go on, a page at a time."""
    after: Any = -(2**63)  # damage may have made numbers negative
    while rows := query(db, name, *values, after):
        yield from rows
        after = number_after(rows[-1][column], after)


def number_after(number: Any, before: Any) -> Any:
    """The number itself. Of a damaged table SQLite gives rows in no order, and would give the same ones without end."""
    try:
        ordered = before < number
    except TypeError:
        ordered = isinstance(before, (int, float))  # texts, which only damage makes, stand behind all numbers
    if not ordered:
        raise apsw.CorruptError("The numbers of rows are in no order.")
    return number


def query_one(db: apsw.Connection, name: str, *values: object) -> Row | None:
    """The first row of a named statement, if any."""
    rows = rows_of(db, SQL[name], values)
    return rows[0] if rows else None


def at_one_moment(db: apsw.Connection, look: Callable[[], _Answer]) -> _Answer:
    """What `look` finds while nothing that others write can be seen."""
    db.execute("BEGIN")
    try:
        return look()
    finally:
        db.execute("ROLLBACK")


def message_row(draft: Draft, doc: int, session: int, seq: int) -> Row:
    """The row of a draft that becomes number `seq`."""
    row = (
        doc,
        session,
        seq,
        draft.id,
        draft.role,
        draft.name,
        None if draft.state == "forgotten" else draft.text,
        draft.tokens,
        draft.overhead,
        draft.encoding,
        draft.importance,
        to_micros(draft.time),
        draft.key,
        more_text(draft),
    )
    return (*row, sum_of(row))


def tombstone_row(row: Row, time: datetime, secret: str) -> Row:
    """The row that stays when the message is forgotten: number, role and rough length, and digests of id and key."""
    role = row[4] if row[4] in ROLES else "user"
    key = row[12] if isinstance(row[12], str) else None  # damage may have made it anything
    key = digest(key, secret) if key and secret else key
    size = rough_size(row[7]) if isinstance(row[7], int) and row[7] > 0 else 0
    gone = (*row[:3], digest(readable(row[3]), secret), role, None, None, size, 0, "", 0.5, to_micros(time), key, None)
    return (*gone, sum_of(gone))


def message_of(row: Row, session: str) -> Message:
    """The message in a row; state "damaged", with what can still be read, if the checksum does not match."""
    if not intact(row):
        return _damaged(row, session)
    return message_from(session, *row[2:-1])


def session_row(no: int, space: int, info: SessionInfo, changes: int) -> Row:
    """All columns of a session but its checksum."""
    return (
        no,
        space,
        info.id,
        info.title,
        info.status,
        info.model,
        info.system,
        json.dumps(dict(info.meta)) if info.meta else None,
        to_micros(info.created or EPOCH),
        None if info.ended is None else to_micros(info.ended),
        changes,
    )


def session_of(row: Row, last_seq: int) -> SessionInfo:
    """The session in a row; flagged, with what can still be read, if the checksum does not match."""
    if not intact(row):
        return SessionInfo(
            id=readable(row[2]),
            title=readable(row[3]) or None,
            last_seq=last_seq,
            changes=changes_of(row),
            damaged=True,
        )
    id, title, status, model, system, meta, created, ended, changes = row[2:-1]
    return session_from(id, title, status, model, system, meta, created, ended, changes, last_seq)


def changes_of(row: Row) -> int:
    """How often the session was changed, as its row says."""
    return count_of(row[10])


def count_of(value: object) -> int:
    """What a column has counted; 0 where damage made it something else."""
    return value if isinstance(value, int) and 0 <= value < 1 << 53 else 0


def record_row(record: Record, no: int, session: int) -> Row:
    """The row of a derived record."""
    row = (
        no,
        session,
        record.kind,
        record.plan,
        record.level,
        record.first,
        record.last,
        record.until,
        record.key,
        record.fixed + 2 * record.locked,
        record.recipe,
        to_micros(record.time),
        body_text(record.body),
    )
    return (*row, sum_of(row))


def record_of(row: Row, session: str) -> Record | None:
    """The derived record in a row, or None if the checksum does not match."""
    if not intact(row):
        return None
    _, _, kind, plan, level, first, last, until, key, *rest, _ = row
    return record_from(session, kind, plan, key, level, first, last, until, *rest)


def readable(value: object) -> str:
    """A text as far as it can be read."""
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return "" if value is None else str(value)


def _damaged(row: Row, session: str) -> Message:
    return Message(
        session=session,
        seq=row[2] if isinstance(row[2], int) else 0,
        id=readable(row[3]),
        role=row[4] if row[4] in ROLES else "user",
        text=readable(row[6]),
        name=readable(row[5]) or None,
        time=EPOCH,
        state="damaged",
    )
