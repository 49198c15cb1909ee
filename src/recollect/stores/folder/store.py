"""The store of a folder: SQLite's, which also keeps a sheet of each conversation up to date.

The database is what counts; a sheet follows it on `settle`, `erase` and `close`, never on `commit`. One process at a
time looks at the sheets, behind a lock. Whatever stops it, what is found later is one of these:

- a sheet as it was written, now or before: it is written again if it says less than the database;
- no sheet: it is written (so what is forgotten first leaves its sheet, then the database);
- anything else: somebody edited it, or brought it here. It is taken in, or refused with its line.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from recollect.errors import InvalidInput, RecollectError, StoreBusy, StoreDamaged, StoreReadOnly
from recollect.journal.transfer import all_sessions, keep_secrets
from recollect.ports import Progress, Target
from recollect.records import Erased, Finding, Health, SessionInfo
from recollect.settings import Settings
from recollect.stores.folder.disk import (
    ASIDE,
    PART,
    remove_file,
    scrub,
    sync_folder,
    take_place,
    translated,
    write_part,
)
from recollect.stores.folder.edits import find_edits
from recollect.stores.folder.layout import DATABASE, alone, find_sheets, find_strangers, open_folder, sheet_path
from recollect.stores.folder.sheets import MARKS, SheetMark, SoundStore, how_far, sheet_bytes, sheet_digest
from recollect.stores.sqlite import SqliteStore
from recollect.stores.unfinished import sweep, unfinished

__all__ = ["FolderStore"]


class _Place(NamedTuple):
    """A conversation, and where its sheet lies."""

    space: str
    info: SessionInfo
    path: Path


class FolderStore(SqliteStore):
    """Messages in an SQLite file in a folder, and in sheets beside it."""

    def __init__(self, path: Path, settings: Settings) -> None:
        self._root = path.absolute()
        self._settings = settings
        self._durable = settings.durability == "power"
        self._sound = SoundStore(self)
        self._behind: set[Path] = set()  # sheets that are to be written, whatever their marks say
        with translated(self._root), suppress(StoreReadOnly):
            open_folder(self._root, settings.busy_timeout, self._durable)
        super().__init__(self._root / DATABASE, settings)
        try:
            with suppress(StoreBusy, StoreDamaged, StoreReadOnly):  # then the database is read as it is
                self._open_sheets()
        except BaseException:
            super().close()
            raise

    def tally(self, space: str, prefix: str = "") -> dict[str, int]:
        found = super().tally(space, prefix)
        return {name: value for name, value in found.items() if not name.startswith(MARKS)}

    def erase(self, target: Target) -> Erased:
        with self._alone():
            places = [place for place in self._places(target.space) if target.session in (None, place.info.id)]
            self._take_in(place.path for place in places)
            for place in places:
                remove_file(place.path)
            erased = super().erase(target)
            sweep(self._root.parent)
            self._mark(target.space, {place.path: SheetMark() for place in places})
            for folder in {place.path.parent for place in places}:
                with suppress(OSError):
                    folder.rmdir()
            with suppress(RecollectError, OSError):  # they are not there, and written another time
                self._write_sheets()
            return erased

    def settle(self) -> bool:
        self._file.refuse_replaced()
        with suppress(StoreDamaged, StoreReadOnly):
            try:
                self._update_sheets()
            except StoreBusy:
                return False
        return super().settle()

    def check(self, progress: Progress) -> Health:
        health = super().check(progress)
        sheets = list(find_sheets(self._root))
        found = [Finding(kind="skipped", what=f"{name} is not ours; it is left alone.") for name in self._strangers()]
        marks = self._marks()
        for path in sheets:
            if sheet_digest(path) not in SheetMark.of(path, marks)[:2]:
                what = f"{path.parent.name}/{path.name} was edited; it is taken in when the memory is opened."
                found.append(Finding(kind="edited", what=what))
        return replace(
            health,
            store=f"folder {self._root}",
            bytes=health.bytes + sum(path.stat().st_size for path in sheets),
            findings=(*health.findings, *found),
        )

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
        with suppress(RecollectError):  # what cannot be written now is written when it is opened again
            self._file.refuse()
            self._file.refuse_replaced()
            self._update_sheets()
        super().close()

    # Sheets

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the lock of those who look at the sheets."""
        self._file.refuse()
        with translated(self._root), alone(self._root, self._settings.busy_timeout):
            yield

    def _open_sheets(self) -> None:
        """Take in what was edited or brought here, and finish what others could not."""
        with self._alone():
            for end in (ASIDE, PART):
                for path in self._root.glob(f"*/*.jsonl{end}"):
                    scrub(path)
            self._take_in(find_sheets(self._root))
            self._write_sheets()

    def _update_sheets(self) -> None:
        with self._alone():
            self._write_sheets()

    def _places(self, space: str) -> Iterator[_Place]:
        for info in all_sessions(self._sound, space):
            yield _Place(space, info, sheet_path(self._root, space, info.id))

    def _marks(self) -> dict[str, int]:
        return {
            name: value
            for space in self.spaces()
            for name, value in super(FolderStore, self).tally(space, MARKS).items()
        }

    def _mark(self, space: str, marks: dict[Path, SheetMark]) -> None:
        held = super().tally(space, MARKS)
        changes = [mark.changes(path, held).items() for path, mark in marks.items()]
        if any(changes):
            self.count(space, dict(item for items in changes for item in items))

    def _take_in(self, paths: Iterable[Path]) -> None:
        """Take in those sheets that were edited: all of them, or none where one cannot be understood."""
        marks = self._marks()
        edited: list[tuple[Path, int]] = []
        for path in paths:
            mark, digest = SheetMark.of(path, marks), sheet_digest(path)
            if digest not in (mark.now, 0):
                self._behind.add(path)
                edited += [] if digest == mark.before else [(path, digest)]
        found = [(find_edits(self._sound, path, self._went_on(path, marks)), digest) for path, digest in edited]
        for edits, digest in found:
            self._sound.commit(edits.batch)
            keep_secrets(self, edits.batch.space, edits.secrets)
            self._mark(edits.batch.space, {edits.path: SheetMark(now=digest)})

    def _went_on(self, path: Path, marks: dict[str, int]) -> Callable[[SessionInfo], bool]:
        return lambda info: SheetMark.of(path, marks).at != how_far(info)

    def _due(self, space: str) -> list[_Place]:
        """The conversations whose sheets say less than the database."""
        marks = super().tally(space, MARKS)
        return [
            place
            for place in self._places(space)
            if place.path in self._behind
            or SheetMark.of(place.path, marks).at != how_far(place.info)
            or not place.path.exists()
        ]

    def _write_sheets(self) -> None:
        for space in self.spaces():
            if due := self._due(space):
                self._take_in(place.path for place in due)
                self._write_space(space, self._due(space))

    def _write_space(self, space: str, due: list[_Place]) -> None:
        """Write sheets beside those that are there, mark both as ours, and then put them in place."""
        marks: dict[Path, SheetMark] = {}
        for place in due:
            if place.path.parent.is_symlink():
                raise InvalidInput(f"{place.path.parent} is a link, so no sheet is written there.", "Remove the link.")
            with suppress(StoreDamaged):
                data = sheet_bytes(self._sound, space, place.info.id)
                place.path.parent.mkdir(mode=0o700, exist_ok=True)
                write_part(place.path, data, self._durable)
                part = place.path.with_name(place.path.name + PART)
                before = sheet_digest(place.path)
                marks[place.path] = SheetMark(now=sheet_digest(part), before=before, at=how_far(place.info))
        self._mark(space, marks)
        for path in marks:
            take_place(path)
            self._behind.discard(path)
        for folder in {self._root, *(path.parent for path in marks)} if marks and self._durable else ():
            sync_folder(folder)

    def _strangers(self) -> Iterator[str]:
        with translated(self._root):
            yield from find_strangers(self._root)
