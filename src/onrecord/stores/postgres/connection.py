"""One connection to PostgreSQL: its waits end at a deadline, its statements go out together, and it is given back clean
or closed."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg
from psycopg.abc import RV, PQGen

__all__ = ["DeadlineConnection", "PendingResult", "pipeline", "reusable", "rolled_back"]

WAITED = 0.1  # seconds between looks at the clock while the server is silent
ACTIVE = psycopg.pq.TransactionStatus.ACTIVE

Row = tuple[Any, ...]


class DeadlineConnection(psycopg.Connection[Row]):
    """A connection whose waits end at a deadline."""

    until: float | None = None
    batch: psycopg.Pipeline | None = None  # statements under way together

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self._process = os.getpid()

    def __del__(self, *more: Any) -> None:
        if self._process == os.getpid():  # a parent's connection is none of its child's business
            super().__del__(*more)

    def wait(self, gen: PQGen[RV], interval: float = WAITED, timeout: float | None = None) -> RV:
        if self.until is not None:
            timeout = max(0.0, self.until - time.monotonic())
        try:
            return super().wait(gen, interval, timeout)
        except psycopg.OperationalError:
            if timeout is not None and not self.closed and self.info.transaction_status == ACTIVE:
                self.close()  # nobody will read the rest
                with suppress(psycopg.Error, RuntimeError):
                    gen.close()
            raise


class PendingResult:
    """What the server answers to a statement; waited for when somebody wants to know.

    The server then answers all that it was asked, and waits itself: only so it notices a client that says no more.
    """

    __slots__ = ("_cursor", "_db")

    def __init__(self, db: DeadlineConnection, cursor: psycopg.Cursor[Row]) -> None:
        self._db, self._cursor = db, cursor

    def fetchall(self) -> list[Row]:
        return self._heard().fetchall()

    def fetchone(self) -> Row | None:
        return self._heard().fetchone()

    @property
    def rowcount(self) -> int:
        return self._heard().rowcount

    def _heard(self) -> psycopg.Cursor[Row]:
        if self._cursor.pgresult is None and self._db.batch is not None:
            self._db.batch.sync()
        return self._cursor


@contextmanager
def pipeline(db: DeadlineConnection) -> Iterator[None]:
    """Statements go out without waiting for each answer. Unlike psycopg's own, it says nothing when a broken connection
    cannot be left in order: it is closed anyway."""
    pipeline = db.pipeline()
    db.batch = pipeline.__enter__()
    try:
        yield
    except BaseException:
        with suppress(psycopg.Error):
            pipeline.__exit__(None, None, None)
        raise
    finally:
        db.batch = None
    pipeline.__exit__(None, None, None)


def rolled_back(db: DeadlineConnection) -> bool:
    """End a transaction that failed; False if the connection is of no use any more."""
    status = psycopg.pq.TransactionStatus
    if db.closed or db.info.transaction_status not in (status.IDLE, status.INTRANS, status.INERROR):
        return False
    try:
        if db.info.transaction_status != status.IDLE:
            db.execute("ROLLBACK")
        return True
    except psycopg.Error:
        return False


def reusable(db: DeadlineConnection) -> bool:
    """Whether nothing of the last operation is left on it."""
    return (
        not db.closed
        and db.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
        and db.info.pipeline_status == psycopg.pq.PipelineStatus.OFF
    )
