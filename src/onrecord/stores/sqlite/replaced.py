"""What becomes of a file, or of its log, while it is open: it may be deleted, or another one may take its name."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import apsw

from onrecord.errors import StoreError
from onrecord.stores.new_files import create_empty

__all__ = ["OpenedFiles"]

Identity = tuple[int, int]  # of a file, whatever its name: device and inode

_FRAME, _LOG_HEADER = 24, 32  # bytes in a log before each page, and before all


class OpenedFiles:
    """A file, its log and the log's index as they were opened, to be compared with what their paths lead to now."""

    def __init__(self, path: Path, file: Identity | None = None) -> None:
        self.file = file
        self._path = path
        self._name, self._log_name, self._index_name = str(path), f"{path}-wal", f"{path}-shm"
        self._log: Identity | None = None  # while a connection has it open: without any, SQLite removes it
        self._index: Identity | None = None
        self._log_size = 0
        self._keeping = threading.Lock()  # around keeping what another file took the place of
        self.kept: Path | None = None

    def see_file(self) -> None:
        """Remember the file that is opened next."""
        self.file = _identity_of(self._name)

    def see_log(self) -> None:
        """Remember the log that a connection has open, unless it is known."""
        if self._log is None:
            self._log, self._index = _identity_of(self._log_name), _identity_of(self._index_name)

    def log_closed(self) -> None:
        self._log = None

    @property
    def has_other_log(self) -> bool:
        """Whether another log has the name of the one that is open."""
        return self._log is not None and _identity_of(self._log_name) not in (self._log, None)

    @property
    def replaced(self) -> bool:
        """Whether the file that was opened was deleted, or another one has its name."""
        return self.file is not None and _identity_of(self._name) != self.file

    def refuse_replaced(self, db: apsw.Connection | None) -> None:
        """Raise if one was deleted, replaced or cut; what `db` still has of them is kept beside the file then."""
        replaced = self.replaced
        if not replaced and (self._log is None or self._log_whole(db)):
            return
        with self._keeping:
            if self.kept is None and db is not None:
                self.kept = _keep(db, self._path)
        raise _replaced_error(self._path, self.kept, f"{self._path}" if replaced else f"The log of {self._path}")

    def _log_whole(self, db: apsw.Connection | None) -> bool:
        try:
            log = os.lstat(self._log_name)
        except OSError:
            return False
        if (log.st_dev, log.st_ino) != self._log or _identity_of(self._index_name) != self._index:
            return False
        # Another process may have cut what it moved into the file. It may do so between two looks, not thrice.
        if 0 < self._log_size <= log.st_size or (db and any(_has_its_frames(db, self._log_name) for _ in range(3))):
            self._log_size = log.st_size
            return True
        return db is None


def _has_its_frames(db: apsw.Connection, log: str) -> bool:
    """Whether a log is as long as its index says."""
    frames, _ = db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_NOOP)
    return frames <= 0 or os.stat(log).st_size >= _LOG_HEADER + frames * (_FRAME + db.pragma("page_size"))


def _identity_of(path: str) -> Identity | None:
    """The file that has this path now, no link to it; None: there is none. It takes 2 microseconds."""
    try:
        stat = os.lstat(path)
    except OSError:
        return None
    return stat.st_dev, stat.st_ino


def _keep(db: apsw.Connection, path: Path) -> Path | None:
    """Write what a connection still has of a file into a new one beside it, or beside its folder if that is gone; None
    where that cannot be done."""
    place = path if path.parent.exists() else path.parent
    kept = place.with_name(f"{place.name}-kept-{os.urandom(4).hex()}")
    try:
        create_empty(kept)
        db.execute("VACUUM INTO ?", (str(kept),)).fetchall()
        return kept
    except (apsw.Error, OSError):
        kept.unlink(missing_ok=True)
        return None


def _replaced_error(path: Path, kept: Path | None, what: str) -> StoreError:
    hint = "Close this memory and open it again. To lay a backup back, use `onrecord restore`."
    if kept:
        hint = f"All it held is in {kept}. Close this memory, then run `onrecord restore {kept} --db {path}`."
    problem = f"{what} was deleted or replaced, or cut, while it was open, so the memory is not used any more."
    return StoreError(problem, hint)
