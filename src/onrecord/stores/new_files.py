"""How files of ours are made and replaced: only their owner may read them. A file that is there keeps its mode."""

from __future__ import annotations

import errno
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_IMODE

from onrecord.errors import StoreError, StoreFull, StoreReadOnly

__all__ = ["PART", "READ_ONLY", "create_empty", "keep_mode", "owner_only", "replace_file", "sync_folder", "translated"]

PART = ".part"  # ends the name of a file that is being written
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
READ_ONLY = (errno.EROFS, errno.EACCES, errno.EPERM)

_creating = threading.Lock()


def owner_only(path: str | Path, flags: int) -> int:
    """Open a file as `os.open` does; a new one is for its owner alone. It serves as the `opener=` of `open`."""
    return os.open(path, flags, 0o600)


def create_empty(path: Path) -> None:
    """Make an empty file for its owner alone where there is none, and where the disk allows it.

    No other thread can have opened the file before it is closed here: closing it would drop SQLite's locks.
    """
    with _creating, suppress(OSError):
        os.close(owner_only(path, os.O_RDWR | os.O_CREAT | os.O_EXCL))


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """The system's errors as ours."""
    try:
        yield
    except OSError as error:
        if error.errno in FULL:
            what = f"There is no room left for {path}."
            raise StoreFull(what, "Free some disk space; what was acknowledged is safe.") from error
        kind = StoreReadOnly if error.errno in READ_ONLY else StoreError
        what = f"{error.filename or path}: {error.strerror or error}."
        raise kind(what, "Check the path, its permissions and its disk.") from error


def keep_mode(path: Path, part: Path) -> None:
    """Give a file that is to replace another the mode of that one, if there is one and the system allows it."""
    with suppress(OSError):
        os.chmod(part, S_IMODE(os.stat(path).st_mode))


def replace_file(path: Path, data: bytes, durable: bool) -> None:
    """Put a file in place of another, whole and at once. Of a link nothing but the link goes."""
    part = path.with_name(path.name + PART)
    part.unlink(missing_ok=True)  # what a killed process left
    with open(part, "wb", opener=owner_only) as file:
        file.write(data)
        file.flush()
        if durable:
            os.fsync(file.fileno())
    keep_mode(path, part)
    os.replace(part, path)


def sync_folder(folder: Path) -> None:
    """Make the folder's names as lasting as the files."""
    if sys.platform != "win32":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _after_fork() -> None:
    global _creating
    _creating = threading.Lock()  # another thread of the parent may hold the one that was inherited


if hasattr(os, "register_at_fork"):  # not on Windows, which does not fork
    os.register_at_fork(after_in_child=_after_fork)
