"""The schema in the database: which version it has, bringing it up to this one, and who may use it.

Versions are steps that are only ever added to, and run under a lock, so that any number of processes may begin at once.
Each says which version a program must know at least: programs of two versions work side by side while a new one is
rolled out, unless a step says otherwise.
"""

from __future__ import annotations

import re
from typing import Any

import psycopg
from psycopg import sql

from onrecord import former
from onrecord.errors import InvalidInput, StoreError, StoreVersion
from onrecord.stores.postgres.connection_pool import ConnectionPool
from onrecord.stores.sql import migrations

__all__ = ["PARTITIONS", "bypasses", "grant", "migrate", "partitions", "ready", "version"]

PARTITIONS = 16
"""Into which each table is cut. A forced erasure rewrites one of them at a time."""

OLDEST = 150_000  # the first version of PostgreSQL that will do
ADVISORY = "SELECT pg_advisory_xact_lock(%s)"
LOCK = 0x7265636F6C6C  # the advisory lock under which the schema and who may use it change
TABLES = ("spaces", "sessions", "messages", "records", "blocks", "counters", "due", "erasures", "flags", "versions")

_Db = psycopg.Connection[tuple[Any, ...]]


def ready(server: ConnectionPool) -> None:
    """Bring the schema up to this version if it is behind; raise if it is of a version that this program cannot use."""
    server.plainly(_refuse_unfit)
    if server.plainly(_version) < len(migrations("postgres")):
        migrate(server)
    server.plainly(_refuse_newer)


def _refuse_unfit(db: _Db) -> None:
    row = db.execute("SELECT current_setting('server_encoding')").fetchone()
    if row is None or row[0] != "UTF8":
        raise StoreError("The database does not keep all letters: its encoding is not UTF8.", "Make one that does.")
    if db.info.server_version < OLDEST:
        raise StoreError(f"This is PostgreSQL {db.info.server_version // 10_000}.", "It takes version 15 or newer.")


def version(server: ConnectionPool) -> int:
    """The schema's version; 0 where there is none."""
    return server.plainly(_version)


def migrate(server: ConnectionPool, parts: int = PARTITIONS) -> list[int]:
    """Run the steps that are missing; answers their numbers."""
    if not 1 <= parts <= 1024:
        raise InvalidInput(f"{parts} partitions cannot be made.", "Choose 1 to 1024.")
    return server.plainly(lambda db: _migrated(db, server.name, parts))


def _migrated(db: _Db, name: str, parts: int) -> list[int]:
    done: list[int] = []
    try:
        with db.transaction():
            db.execute(ADVISORY, (LOCK,))
            _rename(db)
            for number, step in enumerate(migrations("postgres")[_version(db) :], _version(db) + 1):
                if number == 1:
                    _begin(db, parts)
                db.execute(step, prepare=False)  # several statements
                db.execute("INSERT INTO onrecord.versions (version, least) VALUES (%s, %s)", (number, _least(step)))
                done.append(number)
    except psycopg.errors.InsufficientPrivilege as error:
        hint = "Let a role that may create schemas run `onrecord migrate --grant ROLE`."
        raise StoreVersion(f"{name} has no schema of this version, and this role may not make it.", hint) from error
    return done


def _rename(db: _Db) -> None:
    """Rename the schema that onrecord made under its former name, and what its policies read."""
    if _version(db) or db.execute("SELECT 1 FROM pg_namespace WHERE nspname = %s", (former.NAME,)).fetchone() is None:
        return
    db.execute(sql.SQL("ALTER SCHEMA {} RENAME TO onrecord").format(sql.Identifier(former.NAME)))
    policies = "SELECT tablename, policyname, qual FROM pg_policies WHERE schemaname = 'onrecord'"
    for table, policy, condition in db.execute(policies).fetchall():
        changed = condition.replace(f"'{former.NAME}.", "'onrecord.")
        named = sql.SQL("ALTER POLICY {} ON {}").format(sql.Identifier(policy), sql.Identifier("onrecord", table))
        db.execute(named + sql.SQL(" USING (" + changed + ")"))


def _begin(db: _Db, parts: int) -> None:
    db.execute("CREATE SCHEMA IF NOT EXISTS onrecord")
    db.execute(
        "CREATE TABLE onrecord.versions (version integer PRIMARY KEY, least integer NOT NULL, "
        "time timestamptz NOT NULL DEFAULT now())"
    )
    db.execute("SELECT set_config('onrecord.partitions', %s, true)", (str(parts),))


def _least(step: str) -> int:
    """Which version a program must know at least to use a database that has this step."""
    found = re.match(r"-- least: (\d+)\n", step)
    assert found is not None, "a migration begins with `-- least: VERSION`"
    return int(found[1])


def _version(db: _Db) -> int:
    # Not to_regclass: it may remember that there was no such table before somebody else made it.
    there = "SELECT 1 FROM pg_catalog.pg_tables WHERE schemaname = 'onrecord' AND tablename = 'versions'"
    if db.execute(there).fetchone() is None:
        return 0
    row = db.execute("SELECT coalesce(max(version), 0) FROM onrecord.versions").fetchone()
    return 0 if row is None else int(row[0])


def _refuse_newer(db: _Db) -> None:
    known = len(migrations("postgres"))
    row = db.execute("SELECT max(version), max(least) FROM onrecord.versions").fetchone()
    if row is not None and row[1] > known:
        raise StoreVersion(f"The schema has version {row[0]}; this onrecord knows up to {known}.", "Upgrade onrecord.")


def partitions(db: _Db) -> int:
    """Into how many parts the tables are cut."""
    row = db.execute("SELECT count(*) FROM pg_inherits WHERE inhparent = 'onrecord.messages'::regclass").fetchone()
    return 0 if row is None else int(row[0])


def grant(server: ConnectionPool, role: str) -> None:
    """Let a role use the memory, without owning it: it may read and write rows of the space that it names."""

    def work(db: _Db) -> None:
        who = sql.Identifier(role)
        if db.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,)).fetchone() is None:
            raise StoreError(f"There is no role {role}.", f"Make it: createuser {role}.")
        with db.transaction():
            db.execute(ADVISORY, (LOCK,))  # the server refuses concurrent grants
            db.execute(sql.SQL("GRANT USAGE ON SCHEMA onrecord TO {}").format(who))
            for table in TABLES:
                rights = "SELECT" if table == "versions" else "SELECT, INSERT, UPDATE, DELETE"
                db.execute(sql.SQL(f"GRANT {rights} ON onrecord.{table} TO {{}}").format(who))
            db.execute(sql.SQL("GRANT USAGE ON SEQUENCE onrecord.births TO {}").format(who))
        # All that the server does where one may not grant is warn.
        granted = db.execute("SELECT has_table_privilege(%s, 'onrecord.messages', 'INSERT')", (role,)).fetchone()
        if granted is None or not granted[0]:
            raise StoreError(f"Nothing was granted to {role}: the tables are another's.", "Run this as their owner.")

    server.plainly(work)


def bypasses(server: ConnectionPool) -> bool:
    """Whether this role is above row-level security, as superusers are."""
    asked = "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user"
    return server.plainly(lambda db: bool((db.execute(asked).fetchone() or (False,))[0]))
