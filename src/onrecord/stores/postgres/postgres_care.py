"""Care of a PostgreSQL database: checking what it holds, and having erased bytes leave the disk.

A DELETE hides a row; VACUUM gives its room away without overwriting it; the index and the write-ahead log hold copies.
They are gone when nobody can see the old rows any more, the partition was written anew without them (VACUUM FULL), and
every file that the log had by then was removed. What other machines have copied (standbys, archives of the log,
backups) is theirs to remove.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, LiteralString

import psycopg
from psycopg import sql

from onrecord.errors import StoreError
from onrecord.ports import Progress
from onrecord.records import Finding, Health
from onrecord.stores.postgres.connection_pool import ConnectionPool
from onrecord.stores.postgres.postgres_rows import SQL
from onrecord.stores.postgres.schema import partitions, version

__all__ = ["Scrubbed", "check", "scrub"]

HOLDING = ("spaces", "sessions", "messages", "records", "blocks", "counters", "due")  # something of a space

PATIENCE = 60.0
"""Seconds that `scrub` waits for the transactions that were there before it."""

PAUSE = 0.05  # seconds between looks at them

# Whoever may still see rows as they were before this transaction: then they are copied into the table written anew.
OLDER = """
SELECT format('process %%s, since %%s', pid, coalesce(xact_start, backend_start)::timestamptz(0))
FROM pg_stat_activity
WHERE pid <> pg_backend_pid() AND (datname IS NULL OR datname = current_database())
  AND greatest(age(backend_xmin), age(backend_xid)) > age(%(now)s::xid)
UNION ALL
SELECT format('the prepared transaction %%s', gid) FROM pg_prepared_xacts
WHERE database = current_database() AND age(transaction) > age(%(now)s::xid)
UNION ALL
SELECT format('the replication slot %%s', slot_name) FROM pg_replication_slots WHERE age(xmin) > age(%(now)s::xid)
"""

# Files of the log; those that are used again lie ready under later names.
LOG_FILES = "SELECT name FROM pg_ls_waldir() WHERE name ~ '^[0-9A-F]{24}$'"

_Db = psycopg.Connection[tuple[Any, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scrubbed:
    """What `scrub` did, and what it could not."""

    partitions: int = 0  # parts of the tables that were written anew
    bytes: int = 0  # of them, before
    log: bool = False  # whether the write-ahead log was cut off too
    left: str = ""  # what may still lie on the disk, and what to do about it


def check(server: ConnectionPool, progress: Progress) -> Health:
    """Count everything, and look for gaps and strays. Bytes are the server's own matter: its checksums cover them."""
    spaces, sessions, messages, tombstones, records, size = server.read_all("count_everything")[0]
    progress(messages + tombstones)
    findings = [
        Finding(kind="missing", what=f"{held} messages are there, numbered up to {last}.", space=space, session=session)
        for space, session, held, last in server.read_all("sessions_with_gaps")
    ]
    findings += [
        Finding(kind="missing", what=f"{count} {what} belong to nothing.", space=space)
        for what, space, count in server.read_all("strays")
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


def scrub(server: ConnectionPool, progress: Progress) -> Scrubbed:
    """Write the partitions anew from which something was erased, then cut off the write-ahead log."""
    return server.plainly(lambda db: _scrubbed(db, progress))


def _scrubbed(db: _Db, progress: Progress) -> Scrubbed:
    began = _answer(db, "SELECT clock_timestamp()")
    _drop_jobs_of_nobody(db)
    older = _wait_for_older(db)
    if older:
        what = f"A transaction may still see what was erased, so the server keeps it: {', '.join(older)}."
        return Scrubbed(left=f"{what} End that, and run this again.")
    # Whatever was erased until `began` is committed by now, and seen by nobody.
    if not _answer(db, SQL["lingers"]):
        return Scrubbed(log=True)
    parts = partitions(db)
    touched = [part for (part,) in db.execute(SQL["erased_partitions"], {"parts": parts}).fetchall()]
    size = 0
    for part in touched:
        for table in HOLDING:
            size += _rewritten(db, f"{table}_{part}")
        progress(1)
    if touched and _has_queue(db):
        size += sum(_rewritten(db, table, "onrecord_jobs") for table in ("procrastinate_jobs", "troubles"))
    db.execute(SQL["note_rewritten"], {"began": began})
    left = _cut_log(db)
    if not left:
        db.execute(SQL["forget_erasures"])
        db.execute("VACUUM (FULL) onrecord.erasures")
    return Scrubbed(partitions=len(touched), bytes=size, log=not left, left=left)


def _drop_jobs_of_nobody(db: _Db) -> None:
    """The workers' queue names spaces and sessions; those that are gone are not to be named any longer."""
    if _has_queue(db):
        with db.transaction():
            db.execute(SQL["enter_every"])
            db.execute(SQL["delete_jobs_of_nobody"])


def _has_queue(db: _Db) -> bool:
    return _answer(db, "SELECT to_regclass('onrecord_jobs.procrastinate_jobs')") is not None


def _wait_for_older(db: _Db) -> list[str]:
    """Wait for the end of every transaction that began before; answers who is still there."""
    now = _answer(db, "SELECT pg_current_xact_id()::xid::text")
    until = time.monotonic() + PATIENCE
    while True:
        older = [who for (who,) in db.execute(OLDER, {"now": now}).fetchall()]
        if not older or time.monotonic() > until:
            return older
        time.sleep(PAUSE)


def _rewritten(db: _Db, table: str, schema: str = "onrecord") -> int:
    """Write a table anew, into another file; answers how many bytes it had."""
    name = f"{schema}.{table}"
    size = int(_answer(db, "SELECT pg_total_relation_size(%s::regclass)", name))
    before = _answer(db, "SELECT pg_relation_filenode(%s::regclass)", name)
    db.execute(sql.SQL("VACUUM (FULL) {}").format(sql.Identifier(schema, table)))
    if _answer(db, "SELECT pg_relation_filenode(%s::regclass)", name) == before:  # all that the server does is warn
        raise StoreError(f"This role may not write {name} anew: it is not the owner.", "Run this as its owner.")
    return size


def _cut_log(db: _Db) -> str:
    """Have the server let go of every file that its log has now; answers what stood in the way."""
    try:
        recycles = _answer(db, "SHOW wal_recycle") == "on"
        files = {name for (name,) in db.execute(LOG_FILES).fetchall()}
        if not recycles:
            _write_beyond(db, max(files, default=""))
        db.execute("CHECKPOINT")
        left = sorted(files & {name for (name,) in db.execute(LOG_FILES).fetchall()})
    except psycopg.errors.InsufficientPrivilege:
        return (
            "The write-ahead log holds what was erased until the server has removed its files. Run this as a superuser,"
            " or grant pg_checkpoint, pg_monitor and EXECUTE ON FUNCTION pg_switch_wal() to this role."
        )
    if recycles:
        return (
            "The server uses old files of its write-ahead log again without emptying them. "
            "Set wal_recycle = off in postgresql.conf (ALTER SYSTEM SET wal_recycle = off), reload, and run this again."
        )
    if left:
        return (
            f"The server still keeps {len(left)} old files of its write-ahead log, {left[0]} and later: for a"
            " replication slot, for its archive, or because of wal_keep_size. Let it go on, and run this again."
        )
    return ""


def _write_beyond(db: _Db, last: str) -> None:
    """Have the log go on behind its last file. Those that were made ready for use again count too: they are not removed
    before it has come past them."""
    while True:
        db.execute("SELECT pg_logical_emit_message(false, 'onrecord', '')")  # a file without a record is not left
        db.execute("SELECT pg_switch_wal()")
        if _answer(db, "SELECT pg_walfile_name(pg_current_wal_insert_lsn())") > last:
            return


def _answer(db: _Db, asked: LiteralString, *values: object) -> Any:
    row = db.execute(asked, values).fetchone()
    return None if row is None else row[0]
