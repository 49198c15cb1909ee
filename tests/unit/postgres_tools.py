"""A PostgreSQL server for the tests of this process, started when the first one asks for it."""

from __future__ import annotations

import atexit
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from threading import Lock

import psycopg

from onrecord.settings import Settings
from onrecord.stores.postgres.connection_pool import ConnectionPool as Postgres
from onrecord.stores.postgres.schema import migrate
from tests.postgres_server import Server

__all__ = ["PLAIN", "QUICK", "empty_store_url", "fresh_database", "plain_role_url", "server"]

PLAIN = "plain"  # a role without special rights: for superusers, row-level security does not hold

QUICK = Settings(durability="process", busy_timeout=10)

_starting = Lock()
_started: list[Server] = []
_numbers = count(1)
_prepared: set[str] = set()


def server() -> Server:
    """The one of this process; it runs, unless a test stopped it, and is removed when the process ends."""
    with _starting:
        if not _started:
            made = Server()
            atexit.register(made.close)
            made.start()
            made.create_role(PLAIN)
            _started.append(made)
        return _started[0]


def plain_role_url(database: str, *, tcp: bool = False, port: int | None = None) -> str:
    """Where the plain role finds its database of this name, which is made if it is missing."""
    running = server()
    if not running.has_database(database):
        running.create_database(database, owner=PLAIN)
    return running.url(database, user=PLAIN, tcp=tcp, port=port)


@contextmanager
def fresh_database(template: str | None = None) -> Iterator[str]:
    """The name of a database of the plain role, empty or a copy, that nobody else uses and that is removed again."""
    running, name = server(), f"fresh_{next(_numbers)}"
    running.create_database(name, template, owner=PLAIN)
    try:
        yield name
    finally:
        running.drop_database(name)


def empty_store_url(database: str = "empty") -> str:
    """A database of the plain role whose schema is there and whose tables are empty: made once, wiped each time."""
    url = plain_role_url(database)
    if database not in _prepared:
        prepared = Postgres(url, QUICK)
        migrate(prepared, parts=2)
        prepared.close()
        _prepared.add(database)
    with psycopg.connect(server().url(database), autocommit=True) as db:
        for table in ("spaces", "sessions", "messages", "records", "blocks", "counters", "due", "erasures", "flags"):
            db.execute(f"DELETE FROM onrecord.{table}")
    return url
