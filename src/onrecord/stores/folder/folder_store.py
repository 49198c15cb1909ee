"""The store of a folder: SQLite's, which also keeps a sheet of each conversation up to date.

The database is what counts; a sheet follows it on `settle`, `erase` and `close`, never on `commit`. One process at a
time looks at the sheets, behind a lock. Whatever stops it, what is found later is one of these:

- a sheet as its mark says: it is written again if it says less than the database;
- no sheet: it is written (so what is forgotten first leaves its sheet, then the database);
- another sheet: it was edited, brought here, or was stopped before the mark was set. It is compared with the
  database, and what is new in it is taken in, or refused with its line.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from onrecord.errors import InvalidInput, OnrecordError, StoreBusy, StoreDamaged, StoreReadOnly
from onrecord.journal.contents import all_sessions, keep_secrets
from onrecord.ports import Progress, Target
from onrecord.records import Erased, Finding, Health, SessionInfo
from onrecord.settings import Settings
from onrecord.stores.folder.edits import find_edits
from onrecord.stores.folder.layout import DATABASE, LOCK, find_sheets, find_strangers, open_folder, sheet_path
from onrecord.stores.folder.sheets import MARKS, SheetMark, SoundStore, sheet_bytes, sheet_digest
from onrecord.stores.locks import hold_lock
from onrecord.stores.new_files import PART, replace_file, sync_folder, translated
from onrecord.stores.sqlite import SqliteStore
from onrecord.stores.unfinished import sweep, unfinished

__all__ = ["FolderStore"]


class FolderStore(SqliteStore):
    """Messages in an SQLite file in a folder, and in sheets beside it."""

    def __init__(self, path: Path, settings: Settings) -> None:
        self._root = path.absolute()
        self._settings = settings
        self._durable = settings.durability == "power"
        self._sound = SoundStore(self)
        with translated(self._root), suppress(StoreReadOnly):
            open_folder(self._root, settings.busy_timeout, self._durable)
        super().__init__(self._root / DATABASE, settings)
        try:
            with suppress(StoreBusy, StoreDamaged, StoreReadOnly), self._alone():  # else the database is read as it is
                for part in self._root.glob(f"*/*.jsonl{PART}"):
                    part.unlink()
                known = {path for space in self.spaces() for _, path in self._places(space)}
                self._take_in(sorted(known.union(find_sheets(self._root))))
                self._write_sheets()
        except BaseException:
            super().close()
            raise

    def tally(self, space: str, prefix: str = "") -> dict[str, int]:
        found = super().tally(space, prefix)
        return {name: value for name, value in found.items() if not name.startswith(MARKS)}

    def erase(self, target: Target) -> Erased:
        with self._alone():
            paths = [path for info, path in self._places(target.space) if target.session in (None, info.id)]
            self._take_in(paths if target.seqs is not None else ())
            for path in paths:
                path.unlink(missing_ok=True)
            for folder in {path.parent for path in paths}:
                with suppress(OSError):  # others are left
                    folder.rmdir()
            erased = super().erase(target)
            self._mark(target.space, dict.fromkeys(paths, SheetMark()))
            sweep(self._root.parent)
            with suppress(OnrecordError, OSError):  # sheets that are not there are written another time
                self._write_sheets()
            return erased

    def settle(self) -> bool:
        self._file.refuse_replaced()
        try:
            with suppress(StoreDamaged, StoreReadOnly), self._alone():
                self._write_sheets()
        except StoreBusy:
            return False
        return super().settle()

    def check(self, progress: Progress) -> Health:
        health = super().check(progress)
        counters = self._counters()
        size, found = 0, [f"{name} is not ours; it is left alone." for name in find_strangers(self._root)]
        for path in find_sheets(self._root):
            size += path.stat().st_size
            if SheetMark.of(path, counters).digest != sheet_digest(path.read_bytes()):
                found.append(f"{path.parent.name}/{path.name} was edited; it is taken in when the memory is opened.")
        findings = (Finding(kind="skipped", what=what) for what in found)
        health = replace(health, store=f"folder {self._root}", bytes=health.bytes + size)
        return replace(health, findings=(*health.findings, *findings))

    def backup(self, target: Path) -> None:
        if target.exists():
            raise InvalidInput(f"{target} is there already.", "Name a new folder; a backup never replaces anything.")
        with translated(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            with unfinished(target) as part:
                part.mkdir(mode=0o700)
                super().backup(part / DATABASE)
                FolderStore(part, self._settings).close()  # which writes its sheets
                os.rename(part, target)
                sync_folder(target.parent)

    def close(self) -> None:
        with suppress(OnrecordError):  # what cannot be written now is written when it is opened again
            self._file.refuse_replaced()
            with self._alone():
                self._write_sheets()
        super().close()

    # Sheets

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the lock of those who look at the sheets."""
        self._file.refuse()
        with translated(self._root), hold_lock(self._root / LOCK, self._settings.busy_timeout):
            yield

    def _places(self, space: str) -> Iterator[tuple[SessionInfo, Path]]:
        """The conversations of a space, and where their sheets lie."""
        return ((info, sheet_path(self._root, space, info.id)) for info in all_sessions(self._sound, space))

    def _counters(self) -> dict[str, int]:
        """The marks of all sheets."""
        found = [SqliteStore.tally(self, space, MARKS) for space in self.spaces()]
        return {name: value for counters in found for name, value in counters.items()}

    def _mark(self, space: str, marks: dict[Path, SheetMark]) -> None:
        counters = super().tally(space, MARKS)
        self.count(
            space, {name: by for path, mark in marks.items() for name, by in mark.changes(path, counters).items()}
        )

    def _take_in(self, paths: Iterable[Path]) -> None:
        """Take in what was edited: all of it, or nothing where a sheet cannot be understood."""
        counters = self._counters()
        edits = []
        for path in paths:
            data = path.read_bytes() if path.is_file() else b""
            mark, digest = SheetMark.of(path, counters), sheet_digest(data)
            if digest not in (0, mark.digest):
                edits.append((find_edits(self._sound, path, data, mark), path, SheetMark(digest)))
        for (batch, secrets), _, _ in edits:
            self._sound.commit(batch)
            keep_secrets(self, batch.space, secrets)
        for space in {batch.space for (batch, _), _, _ in edits}:
            self._mark(space, {path: mark for (batch, _), path, mark in edits if batch.space == space})

    def _due(self, space: str) -> list[tuple[SessionInfo, Path]]:
        """The conversations whose sheets say less than the database."""
        counters = super().tally(space, MARKS)
        places = self._places(space)
        return [(info, path) for info, path in places if SheetMark.of(path, counters).behind(info) or not path.exists()]

    def _write_sheets(self) -> None:
        for space in self.spaces():
            if due := self._due(space):
                self._take_in(path for _, path in due)
                marks = dict(self._written(space, self._due(space)))
                for folder in {self._root, *(path.parent for path in marks)} if self._durable else ():
                    sync_folder(folder)
                self._mark(space, marks)

    def _written(self, space: str, due: list[tuple[SessionInfo, Path]]) -> Iterator[tuple[Path, SheetMark]]:
        """Write sheets, and return their marks."""
        for info, path in due:
            if path.parent.is_symlink():
                raise InvalidInput(f"{path.parent} is a link, so no sheet is written there.", "Remove the link.")
            with suppress(StoreDamaged):
                data = sheet_bytes(self._sound, space, info.id)
                path.parent.mkdir(mode=0o700, exist_ok=True)
                if path.is_symlink() or not path.is_file() or path.read_bytes() != data:
                    replace_file(path, data, self._durable)
                yield path, SheetMark.made(data, info)
