"""Connections to one PostgreSQL database, and what happens when one breaks.

An operation takes one connection, and gives it back. All its statements go out together where they can (libpq's
pipeline), so that it costs one round trip to read and two to write. Each begins by naming its space: row-level security
lets nothing else through. What fails because the server went away, or does not answer, is tried again until a deadline.

The pool is a list: no thread of its own, so that a process may fork, and a connection is made by whoever needs it,
within that deadline.

Nobody is held up for long by a client that vanished: the server ends its transaction sooner than a try of somebody who
waits for the same space ends, and whoever waits for a space leaves the queue when its try ends, heard of or not.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar
from uuid import UUID
from weakref import WeakSet

import psycopg
from psycopg import conninfo

from onrecord.errors import InvalidInput, StoreBusy, StoreClosed
from onrecord.settings import Settings
from onrecord.stores import shown
from onrecord.stores.postgres.connection import DeadlineConnection, PendingResult, pipeline, reusable, rolled_back
from onrecord.stores.postgres.postgres_errors import cause, is_broken, is_gone, said
from onrecord.stores.postgres.postgres_rows import SQL, space_key

__all__ = ["Ambiguous", "ConnectionPool", "PostgresOperation"]

MOST_CONNECTIONS = 16  # at a time; whoever needs one more waits
LEAST_PATIENCE = 1.0  # seconds that even the most impatient give a server
OPENING = 2.0  # seconds for the first connection: longer than a restart takes, not long for a typing error
TRIES = 3  # that fit into the deadline when the server does not answer at all
VANISHED = 0.15  # of the deadline: how long a client in the middle of a write may be silent; less than a try
QUEUED = 0.3  # of the deadline: how long one waits for a space that another writes to; less than a try
TIMED = 170_000  # the first version of PostgreSQL that ends a transaction after a time
LONGEST = 600.0  # seconds for what may take its time
PAUSE = 0.05  # seconds before the next try
DEFAULTS = {
    "application_name": "onrecord",
    "connect_timeout": "5",
    "keepalives_idle": "10",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "25000",  # the same for what was sent and never arrived
    "client_encoding": "utf8",
}

_Answer = TypeVar("_Answer")
Row = tuple[Any, ...]


class Ambiguous(Exception):
    """The connection broke while the server committed: nobody knows whether it did."""


class _Again(Exception):
    """Someone else came first: begin anew."""


class PostgresOperation:
    """The statements of one operation in one space."""

    def __init__(self, db: DeadlineConnection, space: UUID | None, retried: bool) -> None:
        self._db = db
        self._space = space
        self.retried = retried  # an earlier try may have been committed
        self.committing = False
        self._entered = self.ask("enter_every" if space is None else "enter_space")

    def ask(self, statement: str, /, **values: object) -> PendingResult:
        """Send a statement; its rows are waited for when somebody fetches them."""
        return PendingResult(self._db, self._db.execute(SQL[statement], {"space": self._space, **values}))

    def rows(self, statement: str, /, **values: object) -> list[Row]:
        return self.ask(statement, **values).fetchall()

    def take_time(self) -> None:
        """Wait for as long as it takes from here on, now that the server has answered."""
        if self._db.info.server_version >= TIMED:
            self._db.execute("SET LOCAL transaction_timeout = 0")
        self._db.execute(f"SET LOCAL idle_in_transaction_session_timeout = {int(LONGEST * 1000)}")
        self._entered.fetchall()
        self._db.until = time.monotonic() + LONGEST

    def begin_anew(self) -> None:
        """Give this try up, and make another."""
        raise _Again


class ConnectionPool:
    """The connections of one store."""

    def __init__(self, url: str, settings: Settings) -> None:
        self._settings = settings
        self._given: dict[str, Any] = {**DEFAULTS, **_parts(url)}
        self.name = shown(url)
        self._closed = False
        self._met = False  # until a connection was made: then the address is right
        self._patience = max(settings.busy_timeout, LEAST_PATIENCE)
        self._idle: list[DeadlineConnection] = []
        self._begin_empty()
        _servers.add(self)

    def _begin_empty(self) -> None:
        self._lock = threading.Lock()
        self._places = threading.BoundedSemaphore(MOST_CONNECTIONS)
        self._idle = []

    def after_fork(self) -> None:
        """In a child: let go of the parent's connections, without a word to the server."""
        for db in self._idle:
            with suppress(OSError, psycopg.Error):
                os.close(db.pgconn.socket)
        self._begin_empty()

    def read_all(self, statement: str) -> list[Row]:
        """The rows of a statement of care, over all spaces, however long it takes."""

        def work(db: psycopg.Connection[Row]) -> list[Row]:
            with db.transaction():
                db.execute(SQL["enter_every"])
                return db.execute(SQL[statement]).fetchall()

        return self.plainly(work)

    def read(self, space: str | None, statement: str, /, **values: object) -> list[Row]:
        """The rows of one statement, which sees one moment. None: of care, over all spaces."""
        key = None if space is None else space_key(space)

        def work(db: DeadlineConnection, retried: bool) -> list[Row]:
            with pipeline(db):
                answer = PostgresOperation(db, key, retried).ask(statement, **values)
            return answer.fetchall()

        return self._tried(work)

    def write(
        self, space: str | None, work: Callable[[PostgresOperation], _Answer], *, slow: bool = False, again: bool = True
    ) -> _Answer:
        """Run `work` in one transaction. `slow`: it may take its time once the server has answered; `again`: doing it
        twice does no harm, so it is also tried again when nobody knows whether the first try was committed."""
        key = None if space is None else space_key(space)

        def one(db: DeadlineConnection, retried: bool) -> _Answer:
            turn: PostgresOperation | None = None
            try:
                with pipeline(db):
                    db.execute("BEGIN")
                    turn = PostgresOperation(db, key, retried)
                    if slow:
                        turn.take_time()
                    answer = work(turn)
                    turn.committing = True
                    db.execute("COMMIT")
                return answer
            except psycopg.Error as error:
                if turn is not None and turn.committing and not again and is_gone(error):
                    raise Ambiguous from error
                raise

        return self._tried(one)

    def plainly(self, work: Callable[[psycopg.Connection[Row]], _Answer]) -> _Answer:
        """Run `work` on a connection without a transaction around it, however long it takes: for care of the database
        itself, where doing it twice does no harm."""

        def one(db: DeadlineConnection, retried: bool) -> _Answer:
            db.execute("; ".join(self._limits(db, none=True)), prepare=False)
            db.until = None
            try:
                answer = work(db)
                db.execute("; ".join(self._limits(db)), prepare=False)
            except BaseException:
                db.close()  # it still has no limits
                raise
            return answer

        return self._tried(one)

    def _tried(self, work: Callable[[DeadlineConnection, bool], _Answer]) -> _Answer:
        """What `work` answers, tried again while the server is away and there is time."""
        patience = self._patience if self._met else min(self._patience, OPENING)
        end = time.monotonic() + patience
        made = 0
        while True:
            made += 1
            try:
                with self._connected(end) as db:
                    db.until = min(end, time.monotonic() + self._patience / TRIES)
                    return work(db, made > 1)
            except _Again as again:
                if time.monotonic() > end:
                    raise StoreBusy(f"Others were faster on {self.name}, again and again.", "Try again.") from again
            except psycopg.Error as error:
                error = cause(error)
                if is_broken(error):
                    self._let_go()  # the others will not be better
                if not is_gone(error) or time.monotonic() + PAUSE > end:
                    raise said(error, self.name, patience) from error
                time.sleep(PAUSE)

    @contextmanager
    def _connected(self, end: float) -> Iterator[DeadlineConnection]:
        """A connection for one operation. One that is not clean afterwards is closed."""
        self.refuse_closed()
        places = self._places
        if not places.acquire(timeout=max(0.0, end - time.monotonic())):
            raise StoreBusy(f"All {MOST_CONNECTIONS} connections to {self.name} are in use.", "Use fewer threads.")
        try:
            db = self._taken(end)
            clean = False
            try:
                yield db
                clean = True
            except Exception:
                clean = rolled_back(db)
                raise
            finally:
                self._give_back(db, clean)
        finally:
            places.release()

    def _taken(self, end: float) -> DeadlineConnection:
        with self._lock:
            if self._idle:
                return self._idle.pop()
        left = max(2, min(int(self._given["connect_timeout"]), int(end - time.monotonic())))
        db = DeadlineConnection.connect(
            autocommit=True, prepare_threshold=0, **{**self._given, "connect_timeout": left}
        )
        db.prepared_max = 200
        db.until = max(end, time.monotonic() + LEAST_PATIENCE)
        try:
            db.execute("; ".join([*self._rules(), *self._limits(db)]), prepare=False)  # several statements
        except BaseException:
            db.close()
            raise
        self._met = True
        return db

    def _rules(self) -> list[str]:
        return [
            # Statements are planned once: each finds its rows by one index, whatever the values are.
            "SET plan_cache_mode = force_generic_plan",
            # A client that vanished in the middle of a write must not hold its space for longer.
            f"SET idle_in_transaction_session_timeout = {int(self._patience * VANISHED * 1000)}",
            # The server, too, looks whether the other side is still there. (0 is all it can where there is no TCP.)
            "SET tcp_keepalives_idle = 10",
            "SET tcp_keepalives_interval = 5",
            "SET tcp_keepalives_count = 3",
            *(["SET synchronous_commit = off"] if self._settings.durability == "process" else []),
        ]

    def _limits(self, db: DeadlineConnection, *, none: bool = False) -> list[str]:
        """The server gives up what its client has given up: waiting for a space, and the whole of a try."""
        parts = {"lock_timeout": QUEUED} | (
            {"transaction_timeout": 1 / TRIES} if db.info.server_version >= TIMED else {}
        )
        return [f"SET {name} = {0 if none else int(self._patience * part * 1000)}" for name, part in parts.items()]

    def _give_back(self, db: DeadlineConnection, clean: bool) -> None:
        with self._lock:
            if clean and not self._closed and reusable(db):
                self._idle.append(db)
                return
        with suppress(psycopg.Error):
            db.close()

    def refuse_closed(self) -> None:
        if self._closed:
            raise StoreClosed("This memory was closed.", "Open it again with Memory(url).")

    def close(self) -> None:
        self._closed = True
        self._let_go()

    def _let_go(self) -> None:
        """Close the idle connections."""
        with self._lock:
            idle, self._idle = self._idle, []
        for db in idle:
            db.close()


def _parts(url: str) -> dict[str, Any]:
    """What an address says. What the driver says of one that it cannot read is kept back: it may quote a password."""
    hint = "Write postgresql://USER@HOST/DB."
    try:
        given: dict[str, Any] = conninfo.conninfo_to_dict(url)
    except psycopg.ProgrammingError as error:
        told = f": {error}" if str(error).startswith("invalid URI query parameter") else ""
        raise InvalidInput(f"This is no PostgreSQL address{told}.", hint) from None
    for name in ("connect_timeout", "port"):
        if not str(given.get(name, 0)).replace(",", "").isdecimal():
            raise InvalidInput(f"This is no PostgreSQL address: its {name} is not a number.", hint)
    return given


_servers: WeakSet[ConnectionPool] = WeakSet()


def _after_fork() -> None:
    for server in list(_servers):
        server.after_fork()


if hasattr(os, "register_at_fork"):  # not on Windows, which does not fork
    os.register_at_fork(after_in_child=_after_fork)
