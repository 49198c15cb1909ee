"""Care of a PostgreSQL database: checking what it holds, and having erased bytes leave the disk.

A DELETE hides a row; VACUUM gives its room away without overwriting it; the index and the write-ahead log hold copies.
They are gone when the partition was written anew without them (VACUUM FULL), and the log's old files were removed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql

from recollect.ports import Progress
from recollect.records import Finding, Health
from recollect.stores.postgres.rows import SQL
from recollect.stores.postgres.schema import partitions, version
from recollect.stores.postgres.server import Server

__all__ = ["Scrubbed", "check", "scrub"]

HOLDING = ("spaces", "sessions", "messages", "records", "blocks", "counters", "due")  # something of a space

_Db = psycopg.Connection[tuple[Any, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scrubbed:
    """What `scrub` did, and what it could not."""

    partitions: int = 0  # parts of the tables that were written anew
    bytes: int = 0  # of them, before
    log: bool = False  # whether the write-ahead log was cut off too
    left: str = ""  # what may still lie on the disk, and what to do about it


def check(server: Server, progress: Progress) -> Health:
    """Count everything, and look for gaps and strays. Bytes are the server's own matter: its checksums cover them."""
    spaces, sessions, messages, tombstones, records, size = server.read(None, "count_everything")[0]
    progress(messages + tombstones)
    findings = [
        Finding(kind="missing", what=f"{held} messages are there, numbered up to {last}.", space=space, session=session)
        for space, session, held, last in server.read(None, "sessions_with_gaps")
    ]
    findings += [
        Finding(kind="missing", what=f"{count} {what} belong to nothing.", space=space)
        for what, space, count in server.read(None, "strays")
    ]
    return Health(
        store=server.name,
        version=version(server),
        spaces=spaces,
        sessions=sessions,
        messages=messages,
        tombstones=tombstones,
        records=records,
        bytes=size,
        findings=tuple(findings),
    )


def scrub(server: Server, progress: Progress) -> Scrubbed:
    """Write the partitions anew from which something was erased, then cut off the write-ahead log."""
    return server.plainly(lambda db: _scrubbed(db, progress))


def _scrubbed(db: _Db, progress: Progress) -> Scrubbed:
    began = db.execute("SELECT clock_timestamp()").fetchone()
    parts = partitions(db)
    touched = [part for (part,) in db.execute(SQL["erased_partitions"], {"parts": parts}).fetchall()]
    size = 0
    for part in touched:
        for table in HOLDING:
            size += _rewritten(db, f"{table}_{part}")
        progress(1)
    db.execute(SQL["note_rewritten"], {"began": (began or (None,))[0]})
    left = _cut_log(db)
    if not left:
        db.execute(SQL["forget_erasures"])
        db.execute("VACUUM (FULL) recollect.erasures")
    return Scrubbed(partitions=len(touched), bytes=size, log=not left, left=left)


def _rewritten(db: _Db, table: str) -> int:
    name = sql.Identifier("recollect", table)
    row = db.execute("SELECT pg_total_relation_size(%s::regclass)", (f"recollect.{table}",)).fetchone()
    db.execute(sql.SQL("VACUUM (FULL) {}").format(name))
    return 0 if row is None else int(row[0])


def _cut_log(db: _Db) -> str:
    """Have the server begin a new file of its log and let go of the old ones; answers what stood in the way."""
    try:
        recycles = (db.execute("SHOW wal_recycle").fetchone() or ("on",))[0]
        db.execute("SELECT pg_switch_wal()")
        db.execute("CHECKPOINT")
        db.execute("SELECT pg_switch_wal()")
        db.execute("CHECKPOINT")
    except psycopg.errors.InsufficientPrivilege:
        return (
            "The write-ahead log holds what was erased until the server has written over it. "
            "Run this as a superuser, or grant pg_checkpoint and EXECUTE ON FUNCTION pg_switch_wal()."
        )
    if recycles == "on":
        return (
            "The server uses old files of its write-ahead log again without emptying them. "
            "Set wal_recycle = off in postgresql.conf (ALTER SYSTEM SET wal_recycle = off), reload, and run this again."
        )
    return ""
