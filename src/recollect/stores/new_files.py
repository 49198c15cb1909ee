"""How files of ours are made: only their owner may read them. A file that is there already keeps its mode."""

from __future__ import annotations

import os
import threading
from contextlib import suppress
from pathlib import Path
from stat import S_IMODE

__all__ = ["create_empty", "keep_mode", "owner_only"]

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


def keep_mode(path: Path, part: Path) -> None:
    """Give a file that is to replace another the mode of that one, if there is one and the system allows it."""
    with suppress(OSError):
        os.chmod(part, S_IMODE(os.stat(path).st_mode))


def _after_fork() -> None:
    global _creating
    _creating = threading.Lock()  # another thread of the parent may hold the one that was inherited


if hasattr(os, "register_at_fork"):  # not on Windows, which does not fork
    os.register_at_fork(after_in_child=_after_fork)
