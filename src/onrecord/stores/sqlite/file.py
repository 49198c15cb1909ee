"""One SQLite file: its connections and its rules.

One connection writes, behind a lock; readers take a connection each and give it back, so that nobody waits for a
writer (WAL). A file found damaged is marked by a small file beside it and is read, never written, by every process
until `doctor` finds it whole or it is replaced. Forks are the matter of `forks`, errors that of `failures`.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import apsw

from onrecord.errors import StoreClosed, StoreDamaged, StoreError, StoreReadOnly, StoreVersion
from onrecord.settings import Settings
from onrecord.stores.new_files import create_empty, owner_only
from onrecord.stores.sql import migrations
from onrecord.stores.sqlite.failures import FileErrors, lacks_index
from onrecord.stores.sqlite.forks import Gate, watch_forks
from onrecord.stores.sqlite.inspection import APPLICATION, refuse_foreign, refuse_foreign_schema, size_of
from onrecord.stores.sqlite.replaced import OpenedFiles
from onrecord.stores.sqlite.scrub import REPLACED, UNKNOWN, Traces, unused_bytes
from onrecord.stores.sqlite.sqlite_rows import SQL, at_one_moment, query

__all__ = ["SqliteFile"]

_OPEN = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE
_READERS_KEPT = 8
LOOK = 1.0  # seconds between looks at the path for those who read; each write looks

_Answer = TypeVar("_Answer")


class SqliteFile:
    """Connections to one file."""

    def __init__(self, path: Path, settings: Settings, vfs: str | None = None) -> None:
        self.path = path
        self.wal = path.with_name(path.name + "-wal")
        self.marker = path.with_name(path.name + "-damaged")  # its presence says: found damaged
        self._marker_name = str(self.marker)  # asked about at every write: a Path takes longer
        self._settings = settings
        self._vfs = vfs
        self._closed = False
        self._ours = False  # until the file has shown that it is a memory
        self._behind = False  # of an older version still, because it was found damaged
        self._forked_in_use = False
        self._errors = FileErrors(self)  # around everything that calls SQLite
        self._opened = OpenedFiles(path)
        self._looked = 0.0  # when the paths were last found to lead to these
        self.gate = Gate()  # lets a fork wait for operations
        self._lock = threading.Lock()  # around the writing connection
        self._writer: apsw.Connection | None = None
        self._readers: list[apsw.Connection] = []
        self.token = os.urandom(8).hex()  # names this process's own unfinished forgetting
        self._traces = Traces()  # of what was forgotten here and may still stand in unused parts of pages
        with self._errors:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._writer = self._prepared()
            # Meanwhile, or by being opened: layers of containers copy a file that is to be written.
            if self._opened.replaced:
                self._drop_connections()
                self._writer = self._prepared()
        watch_forks(self)

    def write(self, work: Callable[[apsw.Connection], _Answer]) -> _Answer:
        """Run `work` in one transaction: all of it is committed, or nothing."""
        with self.gate, self._lock, self._errors:
            self.refuse()
            self._refuse_damaged()
            db = self._writer = self._writer or self._connect()
            self.refuse_replaced(db)
            if self._behind:
                self._migrate(db)
            version = db.execute("BEGIN IMMEDIATE; PRAGMA user_version").fetchall()[0][0]
            try:
                self._refuse_newer(version)
                self._opened.see_log()
                answer = work(db)
                db.execute("COMMIT")
            except BaseException:
                self._undo(db)
                raise
            self.refuse_replaced(db)  # or it would be acknowledged, and lost with the file
            return answer

    def read(self, work: Callable[[apsw.Connection], _Answer]) -> _Answer:
        """Run `work` on a connection of its own; it must leave no statement open."""
        with self.gate, self._errors:
            self.refuse()
            try:
                db = self._readers.pop()
            except IndexError:
                db = self._connect_to_read()
            try:
                if (now := time.monotonic()) - self._looked > LOOK:
                    self.refuse_replaced(db)
                    self._looked = now
                return work(db)
            finally:
                if len(self._readers) < _READERS_KEPT and not self._closed and not _is_makeshift(db):
                    self._readers.append(db)
                else:
                    db.close()

    def read_afresh(self, work: Callable[[apsw.Connection], _Answer]) -> _Answer:
        """Run `work` on a new connection, which remembers no page as it was before it was damaged."""
        with self.gate, self._errors:
            self.refuse()
            db = self._connect_to_read()
            try:
                return work(db)
            finally:
                db.close()

    def forgotten(self, traces: Traces) -> None:
        """Remember what to search for when the file settles; called while writing, so that nobody settles before."""
        self._traces |= traces

    def settle(self, patience: float) -> bool:
        """Move the log into the file and cut it to nothing, and leave nothing forgotten in unused parts of pages.

        False if a reader, or another writer, stood in the way, or the disk is read-only.
        """
        if not self.writable:
            return size_of(self.wal) == 0 and not self.read(lambda db: query(db, "chores"))
        with self.gate, self._lock, self._errors:
            self.refuse()
            if self.damaged:
                return size_of(self.wal) == 0
            db = self._writer = self._writer or self._connect()
            self.refuse_replaced(db)
            db.set_busy_timeout(int(patience * 1000))
            try:
                return self._settled(db)
            except apsw.BusyError:
                return False
            finally:
                db.set_busy_timeout(int(self._settings.busy_timeout * 1000))

    def _settled(self, db: apsw.Connection) -> bool:
        if not _checkpointed(db):
            return False
        chores = query(db, "chores")
        if all(token == REPLACED for (token,) in chores):
            return True  # nobody forgot anything
        db.execute("BEGIN IMMEDIATE")
        try:
            if size_of(self.wal) > 0:
                return False  # someone wrote in between; what is in the file now is not all there is
            rebuild = self._left(db, self._traces if chores == [(self.token,)] else UNKNOWN)
        finally:
            db.execute("ROLLBACK")
        if rebuild:
            db.execute("PRAGMA temp_store = FILE")  # rebuilding in memory would need as much of it as the file has
            try:
                db.execute("VACUUM")
            finally:
                db.execute("PRAGMA temp_store = MEMORY")
        db.executemany(SQL["delete_chore"], chores)
        self._traces = Traces()
        return _checkpointed(db)

    def _left(self, db: apsw.Connection, wanted: Traces) -> bool:
        """Whether unused parts of pages hold what was forgotten, or anything, if another process forgot."""
        words: set[bytes] = set()
        for unused in unused_bytes(self.path, self._vfs):
            if not wanted.known or any(piece in unused for piece in wanted.pieces):
                return True
            words.update(word for word in wanted.words if word in unused)
        return any(not query(db, "is_said", word.decode(errors="ignore"))[0][0] for word in words)

    def close(self) -> None:
        """Close all connections; the last one to close moves the log into the file."""
        if self._closed:
            return
        self._closed = True
        with self.gate, self._errors:
            another = self._opened.has_other_log
            try:
                if another and self._opened.kept is None:
                    self.refuse_replaced(self._writer)
            finally:
                self._drop_connections(leave_log=another)

    def _drop_connections(self, leave_log: bool = False) -> None:
        with self._lock:
            connections = [self._writer] if self._writer is not None else []
            while self._readers:
                connections.append(self._readers.pop())
            self._writer = None
            self._opened.log_closed()
            for db in connections:
                if leave_log:
                    db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
                db.close()

    def after_fork_in_child(self, idle: bool) -> None:
        """Let go of what was inherited, without touching the log: the parent may be using it."""
        self.gate, self._lock = Gate(), threading.Lock()
        self._opened = OpenedFiles(self.path, self._opened.file)
        self.token, self._traces = os.urandom(8).hex(), Traces()
        if not idle:
            self._forked_in_use = True
            return
        self._drop_connections(leave_log=True)

    def refuse_replaced(self, db: apsw.Connection | None = None) -> None:
        """Raise if the path leads to another file than `db` has, or to none; what `db` has is kept beside it then."""
        try:
            self._opened.refuse_replaced(db)
        except StoreError:
            self._looked = 0.0  # those who read look too
            raise

    @property
    def damaged(self) -> bool:
        return os.path.exists(self._marker_name)

    @property
    def writable(self) -> bool:
        return os.access(self.path, os.W_OK)

    def mark_damaged(self, why: str) -> None:
        if not self._ours or self._opened.replaced:
            return  # nothing is left beside other files
        # A full or read-only disk cannot be written anyway, so the mark changes nothing.
        with suppress(OSError), open(self.marker, "w", encoding="utf-8", opener=owner_only) as file:
            file.write(why + "\n")

    def refuse(self) -> None:
        """Raise if this object can no longer be used."""
        if self._closed:
            raise StoreClosed("This memory was closed.", "Open it again with Memory(path).")
        if self._forked_in_use:
            raise StoreError("This process was forked in the middle of an operation on this memory.", "Fork earlier.")

    def _refuse_damaged(self) -> None:
        if self.damaged:
            raise StoreDamaged(
                f"{self.path} was found damaged, so it is read but not written.",
                f"Run `onrecord doctor --rescue NEW.db` on it; {self.marker.name} says what was found.",
            )

    def _connect_to_read(self) -> apsw.Connection:
        """A connection for reading; one for a single read where the index of the log cannot be kept beside the file."""
        try:
            db = self._connect()
            db.execute("SELECT 1 FROM sqlite_schema").fetchall()
            return db
        except (apsw.CantOpenError, apsw.IOError) as error:
            if not os.path.exists(self.path):
                raise
            if self.writable:
                return self._read_alone(error)
        if size_of(self.wal) > 0:
            hint = f"Copy {self.path.name} and {self.wal.name} to a disk that can be written, and open them there."
            raise StoreReadOnly(f"{self.path} has a log that cannot be read on a read-only disk.", hint)
        return self._connect("?immutable=1")  # without a log, nothing but the file is to be read

    def _read_alone(self, error: apsw.Error) -> apsw.Connection:
        """Read with the log's index in memory, which only one process at a time can: the disk has no room for it."""
        if not lacks_index(error):
            raise error
        db = self._connect("?")
        db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        db.pragma("locking_mode", "exclusive")
        return db

    def _connect(self, query: str = "") -> apsw.Connection:
        self.refuse_replaced()
        name = f"{self.path.absolute().as_uri()}{query}" if query else str(self.path)
        flags = _OPEN | (apsw.SQLITE_OPEN_URI if query else 0)
        db = apsw.Connection(name, flags=flags, vfs=self._vfs)
        db.set_busy_timeout(int(self._settings.busy_timeout * 1000))
        # Without this SQLite plans many statements anew for each value bound to them, because of the partial index.
        db.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
        full = self._settings.durability == "power"
        for pragma in (
            f"synchronous = {'FULL' if full else 'NORMAL'}",
            f"fullfsync = {'ON' if full else 'OFF'}",
            "secure_delete = ON",
            "temp_store = MEMORY",
            "cell_size_check = ON",
            "trusted_schema = OFF",
        ):
            db.execute(f"PRAGMA {pragma}").fetchall()
        return db

    def _prepared(self) -> apsw.Connection | None:
        """The writing connection, once the schema is there and is ours; None where the disk cannot be written.
        A damaged or foreign file is left as it is.

        (The file is looked at through SQLite only: closing it by any other hand would drop this process's locks.)
        """
        refuse_foreign(self.path, self.wal, self._vfs)
        create_empty(self.path)  # SQLite makes the files beside it as this one is
        self._opened.see_file()
        db: apsw.Connection | None = None
        try:
            db = self._connect_to_read()
            version = at_one_moment(db, lambda: self._known_version(db))
            if self._ours and (_is_makeshift(db) or db.readonly("main")):
                self._behind = version < len(migrations("sqlite"))
                db.close()
                return None
            if db.pragma("journal_mode") != "wal":  # a new file, or a backup that was restored
                self._use_wal(db)
            if version < len(migrations("sqlite")):
                self._upgrade(db, version)
            self._ours = True
            self._opened.see_log()
            return db
        except BaseException:
            if db is not None:
                db.close()
            raise

    def _known_version(self, db: apsw.Connection) -> int:
        """The schema's version, once the schema is seen to be ours."""
        version = self._version(db)
        self._ours = version > 0
        refuse_foreign_schema(db, self.path, version)
        return version

    def _version(self, db: apsw.Connection) -> int:
        """The schema's version, if the file is ours or empty."""
        # One statement, so that another process cannot make the schema between two looks.
        rows: list[tuple[int, int, int]] = db.execute(  # type: ignore[assignment]
            "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema) "
            "FROM pragma_application_id, pragma_user_version"
        ).fetchall()
        application, version, tables = rows[0]
        if application != APPLICATION and not (application == 0 and tables == 0):
            raise StoreVersion(f"{self.path} belongs to another program.", "Give another path; nothing was changed.")
        self._refuse_newer(version)
        return version

    def _refuse_newer(self, version: Any) -> None:
        if version > (known := len(migrations("sqlite"))):
            raise StoreVersion(
                f"{self.path} has version {version}; this onrecord knows up to {known}.", "Upgrade onrecord."
            )

    def _use_wal(self, db: apsw.Connection) -> None:
        """Switching needs the file alone and does not wait by itself when another process is switching too."""
        until = time.monotonic() + self._settings.busy_timeout
        while True:
            try:
                if db.pragma("journal_mode", "wal") == "wal":
                    return
                raise StoreError(f"{self.path} cannot use a write-ahead log.", "Put it on a local disk.")
            except apsw.BusyError:
                if time.monotonic() > until:
                    raise
                time.sleep(0.005)

    def _upgrade(self, db: apsw.Connection, version: int) -> None:
        """Bring the file up to this version; one that is damaged is not written, and read as it is."""
        self._behind = version > 0 and self.damaged
        if self._behind:
            return
        try:
            self._migrate(db)
        except apsw.CorruptError as error:
            if version == 0:
                raise
            self._behind = True
            self.mark_damaged(str(error))

    def _migrate(self, db: apsw.Connection) -> None:
        db.execute("BEGIN IMMEDIATE")
        try:
            # Another process may have done it while we waited for the lock.
            for number, step in enumerate(migrations("sqlite")[self._version(db) :], self._version(db) + 1):
                db.execute(step).fetchall()
                db.pragma("user_version", number)
            db.pragma("application_id", APPLICATION)
            db.execute("COMMIT")
            self._behind = False
        except BaseException:
            self._undo(db)
            raise

    def _undo(self, db: apsw.Connection) -> None:
        """Roll back; a connection that cannot is given up, so that the next call starts clean."""
        try:
            if db.in_transaction:
                db.execute("ROLLBACK")
        except apsw.Error:
            if db is self._writer:
                self._writer = None
                self._opened.log_closed()
            db.close(force=True)


def _is_makeshift(db: apsw.Connection) -> bool:
    """Whether the connection is for a single read: see `_connect_to_read`."""
    return bool(db.open_flags & apsw.SQLITE_OPEN_URI)


def _checkpointed(db: apsw.Connection) -> bool:
    """Move the whole log into the file and cut it; False if someone was using it."""
    busy, _, _ = db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0]
    return not busy
