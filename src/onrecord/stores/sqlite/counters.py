"""The counters of spaces in the SQLite file: narrow rows without a checksum, since a number that is a little wrong does
no harm. One that is no number any more counts as 0, and is replaced when it is next counted."""

from __future__ import annotations

from collections.abc import Mapping

import apsw

from onrecord.stores.counting import countable, counted
from onrecord.stores.sqlite.sqlite_rows import SQL, Row, query, query_one

__all__ = ["add_to_counters", "broken_counters", "read_counters"]

SINCE = 2  # the schema's version; a file that was found damaged before it got there stays as it is


def read_counters(db: apsw.Connection, space: str, prefix: str) -> dict[str, int]:
    """The counters of a space by name, or those whose names begin so."""
    end: str | bytes = prefix[:-1] + chr(ord(prefix[-1]) + 1) if prefix else b""  # bytes come after all texts
    rows = query(db, "counters", space, prefix, end) if _has_counters(db) else []
    return {name: value for _, name, value in rows if countable(name, value)}


def add_to_counters(db: apsw.Connection, space: str, changes: Mapping[str, int], at_least: Mapping[str, int]) -> None:
    """Add to the counters of a space, and raise others, if it is there."""
    row = query_one(db, "space_no", space)
    if row is None:
        return
    held = {name: _value(db, row[0], name) for name in (*changes, *at_least)}
    for name, value in counted(held, changes, at_least).items():
        if value:
            db.execute(SQL["put_counter"], (row[0], name, value))
        else:
            db.execute(SQL["delete_counter"], (row[0], name))


def broken_counters(db: apsw.Connection) -> list[Row]:
    """Rows that hold what was never counted."""
    return query(db, "broken_counters") if _has_counters(db) else []


def _value(db: apsw.Connection, space: int, name: str) -> int:
    row = query_one(db, "counter", space, name)
    return row[2] if row is not None and countable(row[1], row[2]) else 0


def _has_counters(db: apsw.Connection) -> bool:
    return int(db.pragma("user_version")) >= SINCE
