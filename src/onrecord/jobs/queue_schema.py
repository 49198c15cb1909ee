"""The tables of the queue: procrastinate's own and two of ours, in a schema of their own beside the memory.

procrastinate ships one file with all tables, and a file for each step since; it keeps no account of which steps a
database has seen. We do, in `applied`: a new database gets all tables at once, an older one the steps it lacks, in
order, each in a transaction of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from onrecord import former
from onrecord.errors import StoreError, StoreVersion
from onrecord.stores import shown

if TYPE_CHECKING:
    from psycopg import Connection

__all__ = ["FEEDING", "MIGRATING", "SCHEMA", "address", "check", "connected", "needed", "prepare"]

SCHEMA = "onrecord_jobs"
"""The PostgreSQL schema that holds the queue."""

FORMER = f"{former.NAME}_jobs"

ASLEEP = 10_000  # milliseconds after which the server ends the transaction of a worker that says no more

MIGRATING, FEEDING = 7_203_771_001, 7_203_771_002
"""Advisory locks: one process at a time makes tables, and one turns due sessions into jobs."""

OURS = """
CREATE TABLE applied (
    migration text PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now()
);
CREATE TABLE troubles (
    job bigint PRIMARY KEY REFERENCES procrastinate_jobs ON DELETE CASCADE,
    kind text NOT NULL,
    what text NOT NULL,
    at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX jobs_by_lock ON procrastinate_jobs (lock);
ALTER TABLE procrastinate_jobs ALTER COLUMN args SET STATISTICS 0;  -- they would be copies of names
"""

# procrastinate's functions name no schema: emptying a table from elsewhere would hit a trigger that does not find its
# own.
BOUND = f"""
DO $$ DECLARE called regprocedure; BEGIN
    FOR called IN SELECT oid::regprocedure FROM pg_proc WHERE pronamespace = '{SCHEMA}'::regnamespace LOOP
        EXECUTE format('ALTER FUNCTION %s SET search_path = {SCHEMA}', called);
    END LOOP;
END $$
"""

GRANTS = (
    "GRANT USAGE ON SCHEMA {schema} TO {role}",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schema} TO {role}",
    "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA {schema} TO {role}",
)


def needed() -> None:
    """Raise a `StoreError` that says what to install, unless everything is there."""
    try:
        import procrastinate  # noqa: F401
        import psycopg  # noqa: F401
        import psycopg_pool  # noqa: F401
    except ModuleNotFoundError as error:
        raise StoreError(
            f"Workers need the package {error.name}, which is not there.", "Run: pip install 'onrecord[postgres]'"
        ) from None


def address(url: str) -> str:
    """Return how to connect to the queue of the memory at a URL."""
    from psycopg.conninfo import conninfo_to_dict, make_conninfo

    given = str(conninfo_to_dict(url).get("options") or "")
    # A worker that was stopped in the middle of a transaction must not hold up the others.
    options = f"{given} -c search_path={SCHEMA} -c idle_in_transaction_session_timeout={ASLEEP}".strip()
    return make_conninfo(url, options=options, application_name="onrecord worker", connect_timeout=10)


@contextmanager
def connected(url: str) -> Iterator[Connection]:
    """Connect to the queue, each statement a transaction. Errors do not show the URL, which may hold a password."""
    needed()
    import psycopg

    try:
        with psycopg.connect(address(url), autocommit=True) as db:
            yield db
    except (psycopg.errors.InsufficientPrivilege, psycopg.errors.InvalidSchemaName, psycopg.errors.UndefinedTable):
        raise StoreVersion(
            "The tables for jobs are not there, or this role may not use or make them.",
            "Run onrecord migrate as the owner of the database.",
        ) from None
    except psycopg.Error as error:
        raise StoreError(
            f"{shown(url)}: {' '.join(str(error).split())}.", "Check the address, and that it runs."
        ) from None


def prepare(url: str, roles: Sequence[str] = ()) -> bool:
    """Make the tables, or bring them up to the procrastinate that is installed; return whether there was any to make.

    `roles` may then use them without owning them. Safe to call again, and by many processes at once.
    """
    from psycopg import sql

    done = False
    with connected(url) as db:
        while _step(db):
            done = True
        with db.transaction():
            if roles:
                db.execute("SELECT pg_advisory_xact_lock(%s)", [MIGRATING])  # the server refuses concurrent grants
            for role in roles:
                for grant in GRANTS:
                    db.execute(sql.SQL(grant).format(schema=sql.Identifier(SCHEMA), role=sql.Identifier(role)))
    return done


def check(url: str) -> None:
    """Make the tables those of the procrastinate that is installed, as far as this role may. Raises if they are not."""
    with connected(url) as db:
        state, newest = _applied(db), max(_steps())
    if state is None or state < newest:
        prepare(url)
    elif state > newest:
        raise StoreVersion(
            f"The tables for jobs are those of a newer procrastinate ({state}).",
            "Run: pip install --upgrade 'onrecord[postgres]'",
        )


def _step(db: Connection) -> bool:
    """Take a step towards the tables of today, alone; return False if they are there."""
    with db.transaction():
        if _applied(db) == max(_steps()):
            return False  # without the lock and any right, as nearly always
        db.execute("SELECT pg_advisory_xact_lock(%s)", [MIGRATING])
        _rename(db)
        state = _applied(db)
        if state is None:
            from procrastinate.schema import SchemaManager

            db.execute(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}".encode())
            db.execute(SchemaManager.get_schema().encode())
            db.execute(OURS.encode())
            name = max(_steps())
        else:
            left = sorted(name for name in _steps() if name > state)
            if not left:
                return False
            name = left[0]
            db.execute(_steps()[name].read_bytes())
        db.execute(BOUND.encode())
        db.execute("INSERT INTO applied (migration) VALUES (%s)", [name])
        return True


def _rename(db: Connection) -> None:
    """Rename the tables that onrecord made under its former name."""
    named = "SELECT 1 FROM pg_namespace WHERE nspname = %s"
    if db.execute(named, [FORMER]).fetchone() is not None and db.execute(named, [SCHEMA]).fetchone() is None:
        db.execute(f"ALTER SCHEMA {FORMER} RENAME TO {SCHEMA}".encode())
        db.execute(BOUND.encode())


def _applied(db: Connection) -> str | None:
    """Return the last step that the tables have seen; None if there are no tables."""
    # Not to_regclass: after a wait for the lock it would answer from a cache of before.
    there = "SELECT 1 FROM pg_tables WHERE schemaname = %s AND tablename = 'applied'"
    if db.execute(there, [SCHEMA]).fetchone() is None:
        return None
    row = db.execute('SELECT max(migration COLLATE "C") FROM applied').fetchone()
    return None if row is None else row[0]


def _steps() -> dict[str, Path]:
    """Return procrastinate's migrations, by names that sort as they are to be applied."""
    from procrastinate.schema import SchemaManager

    return {file.stem: file for file in Path(SchemaManager.get_migrations_path()).glob("*.sql")}
