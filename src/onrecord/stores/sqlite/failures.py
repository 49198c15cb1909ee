"""What SQLite's errors mean, as errors of ours."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

import apsw

from onrecord.errors import StoreBusy, StoreDamaged, StoreError, StoreFull, StoreReadOnly

__all__ = ["FileErrors", "lacks_index"]

_NO_INDEX = (apsw.SQLITE_IOERR_SHMSIZE, apsw.SQLITE_IOERR_SHMOPEN, apsw.SQLITE_IOERR_SHMMAP)  # of the log


class _OpenedFile(Protocol):
    """What an error is about."""

    path: Path

    @property
    def writable(self) -> bool: ...

    def mark_damaged(self, why: str) -> None: ...


class FileErrors:
    """A context manager without state, so that one object serves every call."""

    __slots__ = ("_file",)

    def __init__(self, file: _OpenedFile) -> None:
        self._file = file

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, (apsw.Error, OSError)):
            raise self._ours(error) from error

    def _ours(self, error: Exception) -> StoreError:
        path = self._file.path
        if isinstance(error, (apsw.ReadOnlyError, apsw.CantOpenError)) and path.exists() and not self._file.writable:
            hint = "Copy it to a disk that can be written, or see to its permissions."
            return StoreReadOnly(f"{path} is read, not written.", hint)
        if isinstance(error, apsw.BusyError):
            return StoreBusy(f"{path} is held by another process.", "Try again, or raise busy_timeout.")
        if isinstance(error, apsw.FullError) or lacks_index(error):
            return StoreFull(
                f"There is no room left for {path}.", "Free some disk space; what was acknowledged is safe."
            )
        if isinstance(error, (apsw.CorruptError, apsw.NotADBError)):
            self._file.mark_damaged(str(error))
            return StoreDamaged(
                f"{path} is damaged ({error}).",
                "It is read where possible and not written any more; run `onrecord doctor --rescue NEW.db` on it.",
            )
        return StoreError(f"{path}: {error}.", "Check the path, its permissions and its disk.")


def lacks_index(error: Exception) -> bool:
    """Whether the index of the log, which lies beside the file, could not be made."""
    return getattr(error, "extendedresult", 0) in _NO_INDEX
