"""How the files of a folder are replaced and removed: at once, for their owner alone, zeros over what was there."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_ISREG

from recollect.errors import StoreError, StoreFull, StoreReadOnly
from recollect.stores.locks import READ_ONLY
from recollect.stores.new_files import keep_mode, owner_only

__all__ = [
    "ASIDE",
    "PART",
    "remove_file",
    "replace_file",
    "scrub",
    "sync_folder",
    "take_place",
    "translated",
    "write_part",
]

PART = ".part"  # ends the name of a file that is being written
ASIDE = ".gone"  # ends the name of a file that is being overwritten with zeros

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
LINKLESS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS)  # file systems that know no second name for a file
ZEROS = bytes(1 << 20)

if sys.platform == "darwin":
    import fcntl


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """The system's errors as ours."""
    try:
        yield
    except OSError as error:
        if error.errno in FULL:
            raise StoreFull(
                f"There is no room left for {path}.", "Free some disk space; what was acknowledged is safe."
            ) from error
        kind = StoreReadOnly if error.errno in READ_ONLY else StoreError
        what = f"{error.filename or path}: {error.strerror or error}."
        raise kind(what, "Check the path, its permissions and its disk.") from error


def _sync(handle: int) -> None:
    """Not only to the disk's own cache, where the system can tell the difference."""
    if sys.platform == "darwin":
        fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
    else:
        os.fsync(handle)


def sync_folder(folder: Path) -> None:
    """Make the folder's names as lasting as the files."""
    if sys.platform != "win32":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def replace_file(path: Path, data: bytes, durable: bool) -> None:
    """Put a file in the place of another."""
    write_part(path, data, durable)
    take_place(path)


def write_part(path: Path, data: bytes, durable: bool) -> None:
    """Write what is to take the place of a file beside it."""
    part = path.with_name(path.name + PART)
    scrub(part)  # what a killed process left, or a link: what that leads to is not ours to write
    with open(part, "wb", opener=owner_only) as file:
        file.write(data)
        file.flush()
        if durable:
            _sync(file.fileno())
    keep_mode(path, part)


def take_place(path: Path) -> None:
    """Put the part of a file in its place at once, and remove what was there from the disk."""
    aside = path.with_name(path.name + ASIDE)
    scrub(aside)
    with suppress(FileNotFoundError):
        try:
            os.link(path, aside, follow_symlinks=False)
        except OSError as error:
            if error.errno not in LINKLESS:
                raise
    os.replace(path.with_name(path.name + PART), path)
    scrub(aside)


def remove_file(path: Path) -> None:
    """Remove a file, and what it held from the disk. Stopped halfway, it has another name."""
    aside = path.with_name(path.name + ASIDE)
    scrub(aside)
    with suppress(FileNotFoundError):
        os.replace(path, aside)
    scrub(aside)


def scrub(path: Path) -> None:
    """Overwrite a file with zeros, down to the disk, and remove it; one that has another name only loses this one,
    and of a link nothing but the link goes."""
    with suppress(FileNotFoundError):
        if S_ISREG((stat := path.lstat()).st_mode) and stat.st_nlink == 1:
            with path.open("r+b") as file:
                left = stat.st_size
                while left:
                    left -= file.write(ZEROS[:left])
                file.flush()
                _sync(file.fileno())
        path.unlink()
