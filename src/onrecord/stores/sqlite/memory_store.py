"""The store in memory: SQLite's own, on one connection that one thread at a time uses. Nothing survives the process."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import apsw

from onrecord.errors import InvalidInput, StoreClosed
from onrecord.ports import Progress
from onrecord.records import Health
from onrecord.stores.sql import migrations
from onrecord.stores.sqlite.scrub import Traces
from onrecord.stores.sqlite.sqlite_care import check_rows
from onrecord.stores.sqlite.sqlite_store import SqliteStore

__all__ = ["MemoryStore"]

_Result = TypeVar("_Result")


class MemoryStore(SqliteStore):
    """Messages in a database without a file."""

    _file: MemoryDatabase  # type: ignore[assignment]

    def __init__(self) -> None:
        self._file = MemoryDatabase()
        self._sure = {}

    def check(self, progress: Progress) -> Health:
        counts: dict[str, int] = {}
        findings = self._file.read(lambda db: check_rows(db, counts, progress))
        return Health(store="memory", version=len(migrations("sqlite")), findings=tuple(findings), **counts)

    def backup(self, target: Path) -> None:
        raise InvalidInput("A memory without a file has nothing to back up.", "Use export instead.")

    def _clean(self) -> bool:
        return self._file.read(lambda db: True)


class MemoryDatabase:
    """The connection, with the methods of `SqliteFile` that a store calls."""

    token = ""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._closed = False
        self._db = apsw.Connection(":memory:")
        self._db.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)  # as in `SqliteFile`
        for step in migrations("sqlite"):
            self._db.execute(step)
        self._db.pragma("user_version", len(migrations("sqlite")))

    def write(self, work: Callable[[apsw.Connection], _Result]) -> _Result:
        """Run `work` in one transaction."""

        def transaction(db: apsw.Connection) -> _Result:
            db.execute("BEGIN")
            try:
                result = work(db)
                db.execute("COMMIT")
                return result
            except BaseException:
                db.execute("ROLLBACK")
                raise

        return self.read(transaction)

    def read(self, work: Callable[[apsw.Connection], _Result]) -> _Result:
        """Run `work` while no other thread does."""
        with self._lock:
            if self._closed:
                raise StoreClosed("This memory was closed.", "Open it again with Memory(path).")
            return work(self._db)

    def forgotten(self, traces: Traces) -> None:
        """Keep nothing: there is no file in which it could be found."""

    def close(self) -> None:
        with self._lock:
            if not self._closed:
                self._closed = True
                self._db.close()
