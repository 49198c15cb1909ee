"""How a JSON folder writes: whole files at once, lines one after the other, nothing erased left behind."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from stat import S_ISREG

from recollect.errors import StoreError, StoreFull
from recollect.stores.new_files import keep_mode, owner_only

__all__ = [
    "ASIDE",
    "PART",
    "append_line",
    "is_inside",
    "listed",
    "put_file",
    "read_from",
    "replace_file",
    "scrub",
    "set_aside",
    "sync_folder",
    "translated",
]

PART = ".tmp"  # ends the name of a file that is being written
ASIDE = ".gone"  # ends the name of a file that was replaced and is to be overwritten with zeros

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
LINKLESS = (errno.EPERM, errno.EOPNOTSUPP, errno.ENOSYS)  # file systems that know no second name for a file
ZEROS = bytes(1 << 20)
BINARY = getattr(os, "O_BINARY", 0)

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
        what = f"{error.filename or path}: {error.strerror or error}."
        raise StoreError(what, "Check the path, its permissions and its disk.") from error


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


def listed(folder: Path) -> list[str]:
    """The names in a folder; none where there is no folder."""
    try:
        return sorted(os.listdir(folder))
    except (FileNotFoundError, NotADirectoryError):
        return []


def is_inside(root: Path, folder: Path) -> bool:
    """Whether a folder is part of another one, wherever links lead; one that is not there yet will be."""
    return not any(one.is_symlink() for one in _upto(root, folder)) or folder.resolve().is_relative_to(root.resolve())


def _upto(root: Path, folder: Path) -> Iterator[Path]:
    while folder != root and folder != folder.parent:
        yield folder
        folder = folder.parent


def read_from(path: Path, start: int) -> tuple[bytes, tuple[int, int] | None]:
    """The bytes from `start` on, and the file's size and time just before they were read."""
    try:
        with path.open("rb") as file:
            stat = os.fstat(file.fileno())
            file.seek(start)
            return file.read(max(0, stat.st_size - start)), (stat.st_size, stat.st_mtime_ns)
    except FileNotFoundError:
        return b"", None


def replace_file(path: Path, data: bytes, sync: bool = True) -> None:
    """Put a file in place of another: whoever looks, or whenever the machine stops, finds one of them whole. Without
    `sync`, for what can be made again, only when the process stops."""
    part = path.with_name(path.name + PART)
    if part.is_symlink() or (part.exists() and not part.is_file()):
        part.unlink()  # what a link leads to is not ours to write, and a pipe would wait
    try:
        with open(part, "wb", opener=owner_only) as file:
            file.write(data)
            file.flush()
            if sync:
                _sync(file.fileno())
        keep_mode(path, part)
        os.replace(part, path)
    except BaseException:
        with suppress(OSError):
            part.unlink(missing_ok=True)
        raise


def put_file(path: Path, data: bytes) -> None:
    """Put a file in place of another, or none where there is nothing to say. What was there before is set aside, to be
    overwritten by and by."""
    path.parent.mkdir(parents=True, exist_ok=True)
    set_aside(path)
    if data:
        replace_file(path, data)
    else:
        path.unlink(missing_ok=True)


def set_aside(path: Path) -> None:
    """Give a file a second name, so that its bytes can still be overwritten once the first one is another file's."""
    aside = path.with_name(path.name + ASIDE)
    if aside.exists() or aside.is_symlink():
        scrub(aside)
    if path.is_symlink():
        return  # only the link goes: what it leads to is not ours
    try:
        os.link(path, aside)
    except FileNotFoundError:
        return
    except OSError as error:
        if error.errno not in LINKLESS:
            raise


def scrub(path: Path) -> None:
    """Overwrite a file with zeros, down to the disk, and remove it; one that has another name only loses this one,
    and of a link nothing but the link goes."""
    with suppress(FileNotFoundError):
        if not S_ISREG(path.lstat().st_mode):
            path.unlink()
            return
        with path.open("r+b") as file:
            left = file.seek(0, os.SEEK_END) if os.fstat(file.fileno()).st_nlink == 1 else 0
            file.seek(0)
            while left:
                left -= file.write(ZEROS[:left])
            file.flush()
            _sync(file.fileno())
        path.unlink()


def append_line(path: Path, size: int, line: bytes, sync: bool) -> None:
    """Add a line to a file of `size` acknowledged bytes: it is there whole, or the file is as long as before."""
    handle = owner_only(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | BINARY)
    try:
        _trim(handle, size)
        rest = memoryview(line)
        while rest:
            rest = rest[os.write(handle, rest) :]
        if sync:
            _sync(handle)
            if not size:  # the file may be new
                sync_folder(path.parent)
    except BaseException:
        with suppress(OSError):
            _trim(handle, size)  # where this fails too, the next line tries again before it is written
        raise
    finally:
        os.close(handle)


def _trim(handle: int, size: int) -> None:
    """Cut off what was never acknowledged."""
    if os.fstat(handle).st_size != size:
        os.ftruncate(handle, size)
        _sync(handle)
