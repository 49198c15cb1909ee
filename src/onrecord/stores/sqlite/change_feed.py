"""The order in which things came to a space: the numbers, the feed that follows them, and how far a space is.

Messages, and the kinds of derived records that are followed, are numbered 1, 2, 3 … within its space. Its row in the
file has space * 2^40 + that number, so one space's rows lie together, and the newest number is found by two seeks.
Other records, which are written again with nearly every message, are numbered in the upper half of that range.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import apsw

from onrecord.ports import Revision
from onrecord.records import FED, Arrival, Message, Record
from onrecord.stores.sqlite.sqlite_rows import (
    DOC_BITS,
    SQL,
    Row,
    at_one_moment,
    count_of,
    intact,
    message_of,
    number_after,
    query,
    query_one,
    readable,
    record_of,
    sum_of,
)

__all__ = ["count_removal", "newest", "number_record", "read_feed", "revision_of", "start_of"]

HALF = 1 << (DOC_BITS - 1)  # numbers from here on are of records that nobody follows


def start_of(space: int) -> int:
    """What a space's numbers are added to."""
    return space << DOC_BITS


def newest(db: apsw.Connection, space: int) -> int:
    """The highest number of what is followed in a space, as rows have it."""
    start = start_of(space)
    found = query(db, "newest", start, start + HALF)[0]
    return max(start, *(number or 0 for number in found))


def number_record(db: apsw.Connection, space: int, kind: str, before: int) -> int:
    """The number for a new row of a kind, where `before` is the newest of what is followed."""
    if kind in FED:
        return before + 1
    start = start_of(space) + HALF
    return int(query(db, "newest_other", start, start + HALF)[0][0] or start) + 1


def revision_of(db: apsw.Connection, space: str) -> Revision:
    """How far a space is: one statement, so that all of it is of one moment."""
    row = query_one(db, "revision", space, DOC_BITS, HALF)
    if row is None:
        return Revision()
    born, removed, message, record = row
    return Revision(born, max(start_of(born), message or 0, record or 0) - start_of(born), count_of(removed))


def count_removal(db: apsw.Connection, space: int) -> None:
    """Say that earlier arrivals of a space are not true any more. A damaged row is counted too, but not sealed."""
    row = query_one(db, "space", space)
    if row is not None:
        counted = (*row[:2], count_of(row[2]) + 1)
        db.execute(SQL["count_removal"], (counted[2], sum_of(counted) if intact(row) else row[3], space))


def read_feed(db: apsw.Connection, space: str, after: int, limit: int, kinds: Sequence[str]) -> list[Arrival]:
    """A page of what came to a space after a number; only of some kinds, if any are given."""
    row = query_one(db, "space_no", space)
    if row is None or row[0] >> (63 - DOC_BITS):  # a damaged number, which no row can have
        return []
    start = start_of(row[0])
    return at_one_moment(db, lambda: _page(db, start, start + max(0, after), limit, kinds))


def _page(db: apsw.Connection, start: int, after: int, limit: int, kinds: Sequence[str]) -> list[Arrival]:
    """The first page that is not all damage."""
    names: dict[int, str | None] = {}
    while rows := _rows(db, after, start + HALF, limit, kinds):
        if found := list(_sound(db, rows, start, names)):
            return found
        after = number_after(rows[-1][0], after)
    return []


def _rows(db: apsw.Connection, after: int, end: int, limit: int, kinds: Sequence[str]) -> Sequence[Row]:
    """The next rows of both tables. Each table gives as many as are asked for, so none is missing among the first."""
    messages = query(db, "feed_messages", after, end, limit) if not kinds or "message" in kinds else []
    if tuple(kinds) == ("message",):
        return messages  # looking through all records for none takes as long as there are records
    if kinds:
        records = query(db, "feed_records_of", after, end, f" {' '.join(kinds)} ", limit)
    else:
        records = query(db, "feed_records", after, end, limit)
    return sorted([*messages, *records], key=_number)[:limit] if records else messages


def _number(row: Row) -> Any:
    return row[0]


def _sound(db: apsw.Connection, rows: Sequence[Row], start: int, names: dict[int, str | None]) -> Iterator[Arrival]:
    for row in rows:
        if row[1] not in names:
            session = query_one(db, "session_by_no", row[1])
            names[row[1]] = None if session is None else readable(session[2])
        name = names[row[1]]
        item = None if name is None else _item(row, name)
        if item is not None:
            yield Arrival(number=row[0] - start, item=item)


def _item(row: Row, session: str) -> Message | Record | None:
    if isinstance(row[2], str):  # a record's kind, where a message has its number in the session
        return record_of(row, session)
    message = message_of(row, session)
    return message if message.state == "kept" else None
