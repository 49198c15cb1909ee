"""Copies that are not whole yet: each has a folder of its own beside its target.

A process that is killed cannot clean up, and what it leaves may hold what is forgotten later. So the folder has a lock,
which the system releases when the process ends: a folder whose lock is free is swept.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from onrecord import former
from onrecord.errors import StoreError
from onrecord.stores.locks import take_lock

__all__ = ["sweep", "unfinished"]

LOCK, COPY = "lock", "copy"
NAME = re.compile(rf".*\.[0-9a-f]{{8}}\.(onrecord|{former.NAME})-part", re.DOTALL)


@contextmanager
def unfinished(target: Path) -> Iterator[Path]:
    """Yield where to make the file or folder that the caller then moves to `target`. What is left there goes, and so
    does what killed processes left beside the target."""
    sweep(target.parent)
    folder, lock = _begin(target)
    try:
        yield folder / COPY
    finally:
        _remove(folder, lock)


def sweep(parent: Path) -> None:
    """Remove the copies in a folder that no process makes any more."""
    with suppress(OSError):
        for name in filter(NAME.fullmatch, os.listdir(parent)):
            folder = parent / name
            with suppress(OSError, StoreError):
                if not folder.is_symlink() and (lock := take_lock(folder / LOCK)) is not None:
                    _remove(folder, lock)


def _begin(target: Path) -> tuple[Path, int]:
    while True:
        folder = target.with_name(f"{target.name}.{os.urandom(4).hex()}.onrecord-part")
        folder.mkdir(mode=0o700)
        with suppress(FileNotFoundError):
            lock = take_lock(folder / LOCK)
            if lock is not None and (folder / LOCK).exists():
                return folder, lock  # else another process swept it before it was locked


def _remove(folder: Path, lock: int) -> None:
    import shutil  # takes longer to load than all of a memory's start may

    shutil.rmtree(folder, ignore_errors=True)
    os.close(lock)
    if os.name == "nt":  # which removes no file that is open
        shutil.rmtree(folder, ignore_errors=True)
