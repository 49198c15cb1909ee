"""Derived records in the SQLite file: reading a page of them, writing a batch's, and what forgetting does to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import apsw

from onrecord.ports import Batch
from onrecord.records import FED, Query, Record
from onrecord.stores.sqlite.blocks import drop_blocks_about
from onrecord.stores.sqlite.change_feed import count_removal, newest, number_record
from onrecord.stores.sqlite.scrub import REPLACED
from onrecord.stores.sqlite.sqlite_rows import (
    SESSION_COLUMNS,
    SQL,
    Row,
    intact,
    query,
    query_one,
    record_of,
    record_row,
    rows_of,
    sum_of,
)

__all__ = ["bury_records", "note_replaced", "read_records", "record_rows", "write_derived"]

ENDLESS = 2**62  # beyond every number
BEHIND = b""  # beyond every text: SQLite puts bytes after texts
BEFORE = -1  # before every number
SESSION_TEXTS = (3, 5, 6, 7)  # columns of a session that hold a caller's words and can be set again


# Reading


def read_records(db: apsw.Connection, session: int, name: str, wanted: Query) -> list[Record]:
    """A page of a session's records. Damaged ones are left out, and do not take the place of others."""
    if wanted.key is not None or wanted.empty:
        found = [record for row in _few(db, session, wanted) if (record := record_of(row, name))]
        fitting = [record for record in found if wanted.wants(record)]
        return fitting[max(0, len(fitting) - wanted.limit) :] if wanted.newest else fitting[: wanted.limit]
    sql, values = _asked(session, wanted)
    rows = rows_of(db, sql, (*values, wanted.limit))
    records = [record for row in rows if (record := record_of(row, name))]
    if len(records) < len(rows):
        rows = rows_of(db, sql, (*values, ENDLESS))
        records = [record for row in rows if (record := record_of(row, name))][: wanted.limit]
    return records[::-1] if wanted.newest else records


def _few(db: apsw.Connection, session: int, wanted: Query) -> list[Row]:
    if wanted.key is not None:
        return query(db, "record_by_key", session, wanted.kind, wanted.key)
    return query(db, "empty_records", session, wanted.kind)


def _asked(session: int, wanted: Query) -> tuple[str, Row]:
    """The statement that reads a page in the index's own order, and its values but the limit."""
    way = "before" if wanted.newest else "after"
    before = ENDLESS if wanted.before is None else wanted.before
    if wanted.plan is not None and wanted.level is not None:
        low = _low(wanted, wanted.plan, wanted.level)
        return SQL[f"records_of_level_{way}"], (session, wanted.kind, wanted.plan, wanted.level, *low, before)
    start = (wanted.plan or "", BEFORE, BEFORE, "")
    start = start if wanted.beyond is None else max(start, wanted.beyond)
    until = BEHIND if wanted.plan is None else wanted.plan
    return SQL[f"records_{way}"], (session, wanted.kind, *start, until, wanted.level, wanted.after, before)


def _low(wanted: Query, plan: str, level: int) -> tuple[int, str | bytes]:
    """The number and key, within a plan's level, behind which the page begins."""
    if wanted.beyond is not None and wanted.beyond > (plan, level, wanted.after or BEFORE, ""):
        if wanted.beyond[:2] != (plan, level):
            return ENDLESS, BEHIND
        if not wanted.after or wanted.beyond[2] > wanted.after:
            return wanted.beyond[2:]
    return (wanted.after, BEHIND) if wanted.after else (BEFORE, "")


# Writing


def write_derived(db: apsw.Connection, space: int, session: int, batch: Batch) -> None:
    """Take out and put in what the batch says, and set the importance of messages that are kept and sound."""
    last = newest(db, space)  # before anything goes: within a transaction no number comes twice
    replaced: list[int] = []
    for kind, key in batch.drops:
        if old := query_one(db, "record_by_key", session, kind, key):
            note_replaced(db, old)
            db.execute(SQL["delete_record"], (old[0],))
            replaced += [old[0]] if kind in FED else []
    for record in batch.records:
        old = query_one(db, "record_by_key", session, record.kind, record.key)
        fed = record.kind in FED
        number = old[0] if old and not fed else number_record(db, space, record.kind, last)
        last = number if fed else last
        row = record_row(record, number, session)
        if old:
            note_replaced(db, old, row)
        db.execute(SQL["put_record"], row)
        replaced += [old[0]] if old and fed else []
    drop_blocks_about(db, space, replaced)
    if replaced or batch.scores:
        count_removal(db, space)
    _score(db, session, batch.scores)


def _score(db: apsw.Connection, session: int, scores: Mapping[int, float]) -> None:
    for seq, importance in scores.items():
        row = query_one(db, "message", session, seq) or ()
        if row and row[6] is not None and intact(row):
            scored = (*row[:10], float(importance), *row[11:14])
            db.execute(SQL["score_message"], (scored[10], sum_of(scored), row[0]))


def note_replaced(db: apsw.Connection, old: Row, new: Row | None = None) -> None:
    """Note that a session's or a record's text is replaced or dropped. Copies of it may stand in unused parts of pages,
    and a later `forget` does not know the text any more, so it takes anything that is left there for it."""
    columns = SESSION_TEXTS if len(old) == SESSION_COLUMNS else () if old[2] == "mark" else (12,)
    if any(old[column] is not None and (new is None or new[column] != old[column]) for column in columns):
        db.execute(SQL["add_chore"], (REPLACED,))


# Forgetting


def record_rows(db: apsw.Connection, session: int) -> Iterator[Row]:
    """All records of a session, one at a time: together they may be too much to hold."""
    for (no,) in query(db, "record_numbers", session):
        if row := query_one(db, "record", no):
            yield row


def bury_records(db: apsw.Connection, session: int, seqs: Sequence[int]) -> list[Row]:
    """Take what came from these messages out of the records; answers the rows as they were.

    A damaged record goes in any case: what it came from cannot be known.
    """
    gone: list[Row] = []
    for row in record_rows(db, session):
        record = record_of(row, "")
        if record is not None and not record.comes_from(seqs):
            continue
        left = None if record is None else record.tombstone()
        if left is None:
            db.execute(SQL["delete_record"], (row[0],))
        elif row[12] is not None:
            emptied = record_row(left, row[0], session)  # in place: replacing the row would move its neighbours
            db.execute(SQL["empty_record"], (emptied[9], emptied[13], row[0]))
        else:
            continue
        gone.append(row)
    return gone
