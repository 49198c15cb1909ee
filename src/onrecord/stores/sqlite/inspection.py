"""Whether a file is a memory, and nothing but one: seen before SQLite opens it, and before any statement is run on it.

SQLite applies a log to the file beside it, whoever's both are, and runs the triggers and views that a file brings
along. So the headers are read first, without SQLite, and the definitions are compared with those of our own schema.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from functools import cache
from pathlib import Path

import apsw

from onrecord.errors import StoreDamaged, StoreError, StoreVersion
from onrecord.stores.sql import migrations
from onrecord.stores.sqlite.pages import MAGIC, first_page_in_log

__all__ = ["APPLICATION", "has_foreign_log", "kept_files", "refuse_foreign", "refuse_foreign_schema", "size_of"]

APPLICATION = 0x7265636F  # in the file's header
SMALLEST = 512  # bytes of the smallest SQLite file that is not empty
WITHOUT_LOG = b"\1\1"  # in the header of a file that is in no use of a log, such as a backup
_COMMENT = re.compile(r"--[^\n]*")


def size_of(path: Path) -> int:
    """Bytes of a file; 0 if it is not there."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def kept_files(path: Path) -> list[Path]:
    """What was kept of a file that was deleted or replaced while it was open, beside it or its folder; oldest first."""
    places = [(place.parent, re.compile(re.escape(place.name) + "-kept-[0-9a-f]{8}")) for place in (path, path.parent)]
    found = [kept for parent, name in places for kept in parent.glob("*-kept-*") if name.fullmatch(kept.name)]
    return sorted((kept for kept in found if kept.is_file()), key=os.path.getmtime)


def has_foreign_log(path: Path, wal: Path, vfs: str | None = None) -> bool:
    """Whether the log beside a file is not its own: the file says in its header that it has used none, or it is newer
    than the log and the two make no sound database."""
    log = size_of(wal)  # before the header, which says that there is a log before there is one
    header = _header(path, vfs) if log > 0 and size_of(path) >= SMALLEST else b""
    if header[:16] != MAGIC:
        return False
    return header[18:20] == WITHOUT_LOG or (_is_newer(path, wal, vfs) and not _is_whole(path, vfs))


def refuse_foreign(path: Path, wal: Path, vfs: str | None = None) -> None:
    """Raise unless the file is empty, or a memory with its own log and no second name. Nothing is changed."""
    log = size_of(wal)
    size = size_of(path)
    if size == 0 and log > 0:
        way = [f"What it held: `onrecord restore {kept} --db {path}`." for kept in kept_files(path)[-1:]]
        raise _not_ours(path, "has lost its content, but not its log", *way)
    if size == 0:
        return
    if size < SMALLEST:
        raise _not_ours(path, "is not a SQLite file")
    if os.stat(path).st_nlink > 1:
        raise StoreError(
            f"{path} has a second name (a hard link), under which its log is not found; nothing was changed.",
            "Remove one of the two, or make a real copy with `cp`.",
        )
    if has_foreign_log(path, wal, vfs):
        raise StoreError(
            f"{wal} is the log of another file than {path}; nothing was changed.",
            "If a backup was put in its place, do it again with `onrecord restore`, which takes the log away.",
        )
    header = _header(path, vfs)
    if log > 0 and not (header[:16] == MAGIC and _application(header) == APPLICATION):
        number, page = first_page_in_log(wal)
        header = page if number == 1 else header  # that of a new file may be there alone
    if header[:16] != MAGIC:
        raise _not_ours(path, "is not a SQLite file")
    holds_something = header[103:105] != b"\0\0"  # the number of definitions
    if _application(header) != APPLICATION and (_application(header) != 0 or holds_something):
        raise StoreVersion(f"{path} belongs to another program.", "Give another path; nothing was changed.")


def _is_newer(path: Path, wal: Path, vfs: str | None) -> bool:
    """Whether a file was written after its log, and not by moving the log into it, which begins with its first page."""
    with suppress(FileNotFoundError):
        if path.stat().st_mtime_ns > wal.stat().st_mtime_ns:
            number, page = first_page_in_log(wal)
            return number > 0 and _read(path, vfs, len(page), (number - 1) * len(page)) != page
    return False


def _is_whole(path: Path, vfs: str | None) -> bool:
    """Whether a file and its log make a sound database. Neither is changed."""
    db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE, vfs=vfs)
    try:
        db.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        return db.execute("PRAGMA quick_check(1)").fetchall() == [("ok",)]
    except (apsw.CorruptError, apsw.NotADBError):
        return False
    finally:
        db.close()


def _header(path: Path, vfs: str | None) -> bytes:
    return _read(path, vfs, SMALLEST)


def _read(path: Path, vfs: str | None, length: int, offset: int = 0) -> bytes:
    """Part of the file, read by SQLite's file layer: closing it otherwise would drop this process's locks."""
    file = apsw.VFSFile(vfs or "", str(path.absolute()), [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY, 0])
    try:
        return file.xRead(length, offset)
    finally:
        file.xClose()


def _application(header: bytes) -> int:
    return int.from_bytes(header[68:72])


def _not_ours(
    path: Path,
    why: str,
    hint: str = "Give another path; if this was a memory, run `onrecord doctor --rescue NEW.db` on it.",
) -> StoreDamaged:
    return StoreDamaged(f"{path} {why}; nothing was changed.", hint)


def refuse_foreign_schema(db: apsw.Connection, path: Path, version: int) -> None:
    """Raise if the file defines anything but the tables and indexes of our schema, such as triggers or views."""
    found = _definitions(db)
    if found != _schema(version):
        names = sorted({name for name, _ in found ^ _schema(version)})
        raise StoreDamaged(
            f"{path} has other definitions than a memory ({', '.join(names[:3])}), so nothing in it is run.",
            "Run `onrecord doctor --rescue NEW.db` on it, which reads what it holds.",
        )


@cache
def _schema(version: int) -> frozenset[tuple[str, str]]:
    db = apsw.Connection(":memory:")
    for step in migrations("sqlite")[:version]:
        db.execute(step).fetchall()
    return _definitions(db)


def _definitions(db: apsw.Connection) -> frozenset[tuple[str, str]]:
    """Name and text of all that is defined; texts without comments and spaces, which differ between versions."""
    sql = (
        "SELECT CAST(name AS BLOB), CAST(type || ' ' || tbl_name || ' ' || ifnull(sql, '') AS BLOB) FROM sqlite_schema"
    )
    rows = [(_text(name), _text(text)) for name, text in db.execute(sql)]
    return frozenset(
        (name, "".join(_COMMENT.sub("", text).split()))
        for name, text in rows
        if not (name.startswith("sqlite_stat") and text.startswith("table "))  # figures that ANALYZE leaves
    )


def _text(value: object) -> str:
    return value.decode(errors="replace") if isinstance(value, bytes) else ""
