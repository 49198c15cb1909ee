"""A lock that a process holds by an open file, until it closes it or ends."""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from onrecord.errors import StoreBusy, StoreReadOnly
from onrecord.stores.new_files import READ_ONLY, owner_only

__all__ = ["hold_lock", "take_lock"]

BINARY = getattr(os, "O_BINARY", 0)

if sys.platform == "win32":
    import msvcrt

    def _lock(handle: int) -> None:
        msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def take_lock(path: Path) -> int | None:
    """A handle that holds the lock until it is closed, which the system does when the process ends; None if another
    has it. After a fork the parent's copy of the handle keeps the lock."""
    try:
        handle = owner_only(path, os.O_RDWR | os.O_CREAT | BINARY)
    except OSError as error:
        if error.errno not in READ_ONLY:
            raise
        what = f"{path.parent} is read, not written: {error.strerror}."
        raise StoreReadOnly(what, "Copy it to a disk that can be written, or see to its permissions.") from None
    try:
        _lock(handle)
    except OSError as error:
        os.close(handle)
        if error.errno in (errno.EACCES, errno.EAGAIN, errno.EDEADLK):
            return None
        raise
    return handle


@contextmanager
def hold_lock(path: Path, patience: float) -> Iterator[None]:
    """Hold a lock. Raises StoreBusy if others hold it for `patience` seconds."""
    until = time.monotonic() + patience
    while (lock := take_lock(path)) is None:
        if time.monotonic() > until:
            raise StoreBusy(f"Another process works in {path.parent}.", "Try again in a moment.")
        time.sleep(0.005)
    try:
        yield
    finally:
        os.close(lock)
