"""Puts a backup in the place of a memory: a checked copy of it, all at once, while no program has the memory open."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from onrecord.errors import InvalidInput, NotFound, StoreBusy, StoreDamaged, StoreError
from onrecord.ports import Progress
from onrecord.records import Health
from onrecord.settings import Settings
from onrecord.stores import is_folder, is_server, open_store
from onrecord.stores.folder.layout import DATABASE, LOCK, find_sheets, open_folder
from onrecord.stores.locks import hold_lock
from onrecord.stores.new_files import sync_folder
from onrecord.stores.unfinished import unfinished

__all__ = ["restore_store"]

PATIENCE = 1_000  # milliseconds that a file may be in use by others


def restore_store(backup: str, address: str, settings: Settings, progress: Progress) -> Health:
    """Put a copy of a backup, a file or a folder, in the place of a store. Returns what its check found."""
    source, target = _places(backup, address)
    target.parent.mkdir(parents=True, exist_ok=True)
    with unfinished(target) as part:
        if source.is_dir():
            _copy_folder(source, part)
        else:
            _copy_file(source, part)
        health = _checked(part, source, address, settings, progress)
        if source.is_dir():
            _replace_folder(part, target, settings)
        else:
            _replace_file(part, target)
    sync_folder(target.parent)
    return health


def _places(backup: str, address: str) -> tuple[Path, Path]:
    """The paths of a backup and of the store that it is to replace; raises if the one cannot replace the other."""
    for place in (backup, address):
        if place == ":memory:" or place.startswith(("http://", "https://")) or is_server(place):
            raise InvalidInput(f"{place.split(':')[0]}: is no file.", "Restore a server with its own tools.")
    source, target = Path(backup).resolve(), Path(address).resolve()
    if not source.exists():
        raise NotFound(f"There is no backup at {backup}.", "Check the path.")
    for path in (source, target):
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise InvalidInput(f"{path} is a device or a pipe.", "Name a file or a folder.")
    if source.is_file() and not source.stat().st_size:
        raise InvalidInput(f"{backup} is empty.", "Name a backup that `onrecord backup` made.")
    if source == target or source in target.parents or target in source.parents:
        raise InvalidInput(f"{backup} and {address} are the same memory.", "Name the backup, then the memory.")
    if source.is_dir() != (target.is_dir() if target.exists() else is_folder(address)):
        raise InvalidInput(
            "One is a file and the other a folder.", f"Use `onrecord copy {backup}` to bring one into the other."
        )
    return source, target


def _checked(part: Path, source: Path, address: str, settings: Settings, progress: Progress) -> Health:
    try:
        store = open_store(str(part), settings)
        try:
            health = replace(store.check(progress), store=address)
        finally:
            store.close()
    except StoreError as error:  # of the copy, which goes
        raise type(error)(*(text.replace(str(part), str(source)) for text in (error.what, error.hint or ""))) from error
    if any(finding.kind != "index" for finding in health.findings):
        what = health.findings[0].what.replace(str(part), str(source))
        raise StoreDamaged(
            f"{source} is damaged ({what}), so nothing was replaced.",
            "Take another backup; or read what is left with `onrecord doctor --rescue NEW.db`, and restore that.",
        )
    return health


# A file


def _copy_file(source: Path, part: Path) -> None:
    """Copy a backup, with its log if it has one, without changing it."""
    import apsw

    from onrecord.stores.new_files import create_empty
    from onrecord.stores.sqlite.inspection import refuse_foreign, size_of

    wal = source.with_name(source.name + "-wal")
    refuse_foreign(source, wal)
    create_empty(part)
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    try:
        db = apsw.Connection(f"{source.as_uri()}?{'mode=ro' if size_of(wal) else 'immutable=1'}", flags=flags)
        db.execute("VACUUM INTO ?", (str(part),)).fetchall()
        db.close()
    except apsw.Error as error:
        raise StoreDamaged(
            f"{source} cannot be copied ({error}), so nothing was replaced.",
            "Read what is left of it with `onrecord doctor --rescue NEW.db`, and restore that.",
        ) from error


def _replace_file(part: Path, target: Path) -> None:
    """Give a file another's name, and take away what lay beside that one. Stopped between the two, the log that stays
    is known as another file's: what takes the place of a file has never had a log."""
    _without_log(part)
    with _alone(target):
        os.replace(part, target)
        for end in ("-wal", "-shm", "-damaged"):
            target.with_name(target.name + end).unlink(missing_ok=True)


def _without_log(part: Path) -> None:
    import apsw

    db = apsw.Connection(str(part))
    db.execute("PRAGMA synchronous = FULL; PRAGMA journal_mode = delete").fetchall()
    db.close()
    handle = os.open(part, os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def _alone(target: Path) -> Iterator[None]:
    """Hold a file that no other connection has open; its log is in it then. One that is damaged is taken as it is."""
    import apsw

    from onrecord.stores.sqlite.inspection import has_foreign_log, refuse_foreign, size_of

    wal = target.with_name(target.name + "-wal")
    if not size_of(target) or has_foreign_log(target, wal):
        yield
        return
    refuse_foreign(target, wal)
    db = apsw.Connection(str(target))
    try:
        db.set_busy_timeout(PATIENCE)
        with suppress(apsw.CorruptError, apsw.NotADBError):
            for pragma in ("locking_mode = exclusive", "journal_mode = delete"):
                db.execute(f"PRAGMA {pragma}").fetchall()
            db.execute("BEGIN EXCLUSIVE")
        yield
    except apsw.BusyError as error:
        raise StoreBusy(
            f"{target} is open elsewhere, so nothing was replaced.", "End the programs that use it, then try again."
        ) from error
    finally:
        db.close(force=True)


# A folder


def _copy_folder(source: Path, part: Path) -> None:
    """Copy the sheets and the database of a folder; what else lies there is not ours."""
    part.mkdir(mode=0o700)
    for sheet in find_sheets(source):
        (part / sheet.parent.name).mkdir(mode=0o700, exist_ok=True)
        shutil.copyfile(sheet, part / sheet.parent.name / sheet.name)
    if (source / DATABASE).exists():
        _copy_file(source / DATABASE, part / DATABASE)


def _replace_folder(part: Path, target: Path, settings: Settings) -> None:
    """Put a database in place of another, and have its sheets written; what else lies in the folder stays. The old
    sheets go first: stopped anywhere, those that are missing are written when the folder is opened."""
    open_folder(target, settings.busy_timeout, durable=True)  # raises if it is not ours
    with hold_lock(target / LOCK, settings.busy_timeout):
        with _alone(target / DATABASE):
            for sheet in find_sheets(target):
                sheet.unlink()
        _replace_file(part / DATABASE, target / DATABASE)
    open_store(str(target), settings).close()
