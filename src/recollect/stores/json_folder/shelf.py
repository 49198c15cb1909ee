"""The sheets of a JSON folder on the disk: a folder for each space, and what was written there last.

    <space>/conversations.json         the conversations, each with what is known of it
    <space>/conversations/<name>.json  the messages of one
    <space>/conversation-chunks.json   summaries; and so on, see `views`

Whoever takes over as the writer looks at all sheets. One that is not what was written last was changed by a person: it
is taken in (see `edits`) before anything is written again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from stat import S_ISREG
from typing import Any

from recollect.errors import StoreError
from recollect.records import Record, digest
from recollect.stores.data import SpaceData
from recollect.stores.json_folder.disk import is_inside, listed, put_file, replace_file, sync_folder
from recollect.stores.json_folder.files import plain_json
from recollect.stores.json_folder.manifest import MACHINERY, WRITTEN
from recollect.stores.json_folder.sheets import (
    CONVERSATIONS,
    Written,
    entry_digest,
    plain_name,
    sheet_bytes,
    sheet_digest,
)
from recollect.stores.json_folder.state import FolderState
from recollect.stores.json_folder.views import MESSAGES, SHEETS, entry_of, entry_of_message, entry_of_session

__all__ = ["Looked", "SheetFile", "Shelf", "look", "name_of", "sheet_of_messages"]

OUTSIDE = "its folder is a link that leads out of the memory, where nothing is written"
ATTRIBUTES = b"* -text -diff -merge\n"  # version control keeps these files as they are, and shows none of them


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetFile:
    """A sheet as it lies there."""

    path: str
    raw: bytes | None  # None where somebody removed it
    time: datetime  # when it was changed
    before: Written | None  # what was written last, if that is known
    strange: str = ""  # why it is not read, where something stands there that is no file


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """What lies on the shelf, beside what was written last."""

    root: Path
    known: dict[str, str] = field(default_factory=dict)  # the digest with which each sheet was written
    changed: dict[str, SheetFile] = field(default_factory=dict)  # sheets that are not what was written

    def sheet(self, path: str) -> SheetFile:
        """A sheet, changed or not."""
        return self.changed.get(path) or _sheet(self.root, path, _written(self.root, path))


def look(root: Path) -> Looked:
    """Look at all sheets. What was written last is read first: a writer puts it in place after the sheet."""
    found = Looked(root=root)
    base = root / MACHINERY / WRITTEN
    for path in sorted(one.relative_to(base).as_posix() for one in base.rglob("*.json")):
        before = _written(root, path)
        if before is not None:
            found.known[path] = before.digest
            sheet = _sheet(root, path, before)
            if sheet.strange or sheet.raw is None or sheet_digest(sheet.raw) != before.digest:
                found.changed[path] = sheet
    for path in _sheets(root):
        if path not in found.known:
            found.changed[path] = _sheet(root, path, None)
    return found


def _sheets(root: Path) -> Iterator[str]:
    """All sheets that are there."""
    for folder in [name for name in listed(root) if not name.startswith(".")]:
        yield from (f"{folder}/{name}" for name in listed(root / folder) if name in SHEETS)
        inside = f"{folder}/{CONVERSATIONS}"
        yield from (f"{inside}/{name}" for name in listed(root / inside) if name.endswith(".json"))


def _written(root: Path, path: str) -> Written | None:
    with suppress(OSError):
        return Written.from_bytes((root / MACHINERY / WRITTEN / path).read_bytes())
    return None


def _sheet(root: Path, path: str, before: Written | None) -> SheetFile:
    now = datetime.now(UTC).replace(microsecond=0)
    place = root / path
    if not is_inside(root, place.parent):
        return SheetFile(path=path, raw=None, time=now, before=before, strange=OUTSIDE)
    try:
        if not S_ISREG(place.stat().st_mode):  # opening a pipe would wait, and reading a device might never end
            return SheetFile(path=path, raw=None, time=now, before=before, strange="this is no regular file")
        with place.open("rb") as file:
            changed = os.fstat(file.fileno()).st_mtime
            time = datetime.fromtimestamp(changed, UTC).replace(microsecond=0)
            return SheetFile(path=path, raw=file.read(), time=time, before=before)
    except (FileNotFoundError, NotADirectoryError):
        why = "this is a link to nothing" if place.is_symlink() else ""
        return SheetFile(path=path, raw=None, time=now, before=before, strange=why)


# What sheets say

Lists = Mapping[str, Mapping[str, dict[str, Any]]]
"""Lists of entries, each entry by its name in the list."""


def name_of(*names: str) -> str:
    """What tells an entry from all others of its kind in a space: a digest, for nothing of what was forgotten stays."""
    return digest(plain_json(names).decode())[:16]


def sheet_of_messages(space: str, session: str) -> str:
    """The path of the sheet with a conversation's messages."""
    return f"{plain_name(space)}/{CONVERSATIONS}/{plain_name(session)}.json"


def _message_lists(inside: SpaceData, session: str) -> Lists:
    shown = (entry_of_message(message) for message in inside.sessions[session].messages)
    return {MESSAGES: {str(entry["number"]): entry for entry in shown}}


def _lists(inside: SpaceData, kinds: Mapping[str, str]) -> Lists:
    sessions = [inside.sessions[name] for name in sorted(inside.sessions)]
    lists: dict[str, dict[str, dict[str, Any]]] = {}
    for name, kind in kinds.items():
        if kind == "session":
            lists[name] = {name_of(data.info.id): entry_of_session(data.info) for data in sessions}
            continue
        records: list[Record] = []
        for data in sessions:
            own = [record for record in data.records.values() if record.kind == kind]
            records += sorted(own, key=lambda record: record.place)
        shown = ((name_of(record.session, record.key), entry_of(record)) for record in records)
        lists[name] = {key: entry for key, entry in shown if entry is not None}
    return lists


class Shelf:
    """Writes the sheets of which more is known than they say."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._known: dict[str, str] = {}  # as Looked
        self._changed: set[str] = set()  # sheets that are to be written whatever was written last
        self._whole = False  # every sheet that should be there is, but for what is touched
        self._written: set[Path] = set()  # folders with something new

    def begin(self, looked: Looked) -> None:
        """Go on from what lies there."""
        self._known = dict(looked.known)
        self._changed = set(looked.changed)
        self._whole = False

    @property
    def due(self) -> bool:
        """Whether sheets must be written although nothing more is known."""
        return bool(self._changed)

    def write(self, state: FolderState) -> None:
        """Write the sheets that say less than is known, and remove those of what is gone."""
        wanted: set[str] = set()
        for space in state.spaces():
            wanted |= set(self._write_space(state, space))
        for path in (self._known.keys() | self._changed) - wanted:
            self._remove(path)
        for folder in [folder for folder in self._written if folder.exists()]:
            sync_folder(folder)
        self._written.clear()
        self._changed.clear()
        self._whole = True

    def _write_space(self, state: FolderState, space: str) -> Iterator[str]:
        """Answers the sheets that the space has."""
        inside, folder = state.space_data(space), plain_name(space)
        for session in inside.sessions:
            path = sheet_of_messages(space, session)
            file = state.files[space, session]
            if file.whole and (file.changed or self._is_due(path)):
                about = {"space": space, "conversation": session}
                self._put(path, about, _message_lists(inside, session))
            yield path  # also of a damaged one, whose sheet stays as it is
        for name, kinds in SHEETS.items():
            path = f"{folder}/{name}"
            if self._is_due(path) or any((space, kind) in state.touched for kind in kinds.values()):
                lists = _lists(inside, kinds)
                if not any(lists.values()):
                    continue
                self._put(path, {"space": space}, lists)
            if path in self._known:
                yield path

    def _is_due(self, path: str) -> bool:
        return path in self._changed or (not self._whole and path not in self._known)

    def _put(self, path: str, about: Mapping[str, Any], lists: Lists) -> None:
        raw = sheet_bytes(about, {name: list(entries.values()) for name, entries in lists.items()})
        written = Written(
            digest=sheet_digest(raw),
            entries={
                f"{name} {key}": entry_digest(entry)
                for name, entries in lists.items()
                for key, entry in entries.items()
            },
        )
        if path in self._changed or self._known.get(path) != written.digest:
            base = self._root / MACHINERY / WRITTEN
            if not is_inside(self._root, (self._root / path).parent):
                raise StoreError(f"{path}: {OUTSIDE}.", "Put a folder in place of the link.")
            put_file(self._root / path, raw)
            if not self._known:
                replace_file(base.parent / ".gitattributes", ATTRIBUTES, sync=False)
            (base / path).parent.mkdir(parents=True, exist_ok=True)
            replace_file(base / path, written.to_bytes(), sync=False)
            self._written.add((self._root / path).parent)
            self._known[path] = written.digest

    def _remove(self, path: str) -> None:
        """The sheet first: what was written last must not be missing where the sheet is not."""
        if (self._root / path).exists():
            put_file(self._root / path, b"")
            self._written.add((self._root / path).parent)
        (self._root / MACHINERY / WRITTEN / path).unlink(missing_ok=True)
        self._known.pop(path, None)

    def tidy(self) -> None:
        """Remove the folders of spaces that are gone."""
        for base in (self._root, self._root / MACHINERY / WRITTEN):
            for name in [name for name in listed(base) if not name.startswith(".")]:
                for folder in (base / name / CONVERSATIONS, base / name):
                    with suppress(OSError):  # there is something in it
                        folder.rmdir()
