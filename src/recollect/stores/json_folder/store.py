"""The JSON folder: a memory that people can read and version control can follow, kept by one writing process.

It is the reference store with files (see `files` for what is in them). A commit is a line in the journal; `settle`
writes the files anew, those that changed, and then begins the next generation with an empty journal:

    counters.json, session files  →  sheets for people  →  manifest.json (the generation)  →  old files and journal
    overwritten with zeros

Stopped anywhere, the files of either generation with the journal that belongs to it say the same (see `state`). What
people changed in the sheets while nothing ran becomes lines of the journal before anything else is written.
Whoever does not hold the lock reads: it looks at generation and journal before each answer, and takes in what is new.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TypeVar
from weakref import WeakSet

from recollect.errors import InvalidInput, RecollectError, StoreBusy, StoreClosed, StoreDamaged, StoreReadOnly
from recollect.ports import Batch, Placed, Progress, Revision, Target
from recollect.records import Arrival, Block, Erased, Finding, Health, Message, Page, Query, Record, SessionInfo
from recollect.settings import Settings
from recollect.stores.batches import fits
from recollect.stores.counting import refuse_uncountable
from recollect.stores.json_folder.blocks import BlockFolder
from recollect.stores.json_folder.disk import (
    PART,
    append_line,
    replace_file,
    scrub,
    sync_folder,
    translated,
)
from recollect.stores.json_folder.edits import MEND, Edits, find_edits
from recollect.stores.json_folder.files import VERSION, Entry, entry_line, manifest_bytes, read_journal
from recollect.stores.json_folder.generation import copy_files, write_files
from recollect.stores.json_folder.lock import FolderLock
from recollect.stores.json_folder.manifest import (
    MANIFEST,
    SESSIONS,
    Manifest,
    leftovers,
    read_manifest,
)
from recollect.stores.json_folder.reading import FolderFiles
from recollect.stores.json_folder.shelf import Shelf, look
from recollect.stores.json_folder.state import FolderState
from recollect.stores.unfinished import sweep, unfinished

__all__ = ["JsonFolderStore"]

_Answer = TypeVar("_Answer")


class JsonFolderStore:
    """Messages in a folder of JSON files."""

    kind = "json"

    def __init__(self, path: Path, settings: Settings) -> None:
        self._root = path.absolute()
        self._files = FolderFiles(self._root)
        self._home = self._files.home
        self._index = BlockFolder(self._home)
        self._shelf = Shelf(self._root)
        self._notes: list[Finding] = []  # what people changed in sheets and nobody was told yet
        self._durable = settings.durability == "power"
        self._lock = FolderLock(self._root)
        self._size: int | None = None  # acknowledged bytes of the journal, while this store is the one that writes
        self._closed = False
        self._fresh()
        with translated(path):
            read_manifest(self._root)  # refuses what is not ours; the rest is read on first use
        _open_stores.add(self)

    def commit(self, batch: Batch) -> list[Placed]:
        with self._writing, translated(self._root):
            state = self._writable()
            placed, entry = state.prepare(batch)
            if entry is not None:
                self._record(state, entry)
            return placed

    def spaces(self) -> list[str]:
        return self._current().spaces()

    def sessions(self, space: str, after: str = "", limit: int = 500) -> list[SessionInfo]:
        return self._current().sessions(space, after, limit)

    def session(self, space: str, session: str) -> SessionInfo | None:
        return self._current().session(space, session)

    def messages(self, space: str, session: str, page: Page) -> list[Message]:
        return self._current().messages(space, session, page)

    def find(self, space: str, session: str, id: str) -> Message | None:
        return self._current().find(space, session, id)

    def records(self, space: str, session: str, query: Query) -> list[Record]:
        return self._current().records(space, session, query)

    def feed(self, space: str, after: int, limit: int = 500, kinds: Sequence[str] = ()) -> list[Arrival]:
        return self._current().feed(space, after, limit, kinds)

    def revision(self, space: str) -> Revision:
        return self._current().revision(space)

    def blocks(self, space: str, plan: str, after: int = -1, limit: int = 64) -> list[Block]:
        state = self._current()
        with translated(self._root):
            return list(islice(self._index.blocks(space, plan, after, state.outline), limit))

    def plans(self, space: str) -> list[str]:
        self._alive()
        with translated(self._root):
            return self._index.plans(space)

    def save_blocks(self, space: str, plan: str, blocks: Sequence[Block], at: Revision) -> bool:
        def work(state: FolderState) -> bool:
            if fits(state.revision(space), at):
                self._index.write(space, plan, blocks, at.newest, state.outline)
            return fits(state.revision(space), at)

        return self._indexing(space, work) or False

    def drop_blocks(self, space: str, plan: str) -> None:
        self._indexing(space, lambda _: self._index.drop(space, plan))

    def tally(self, space: str, prefix: str = "") -> dict[str, int]:
        return self._current().tally(space, prefix)

    def count(self, space: str, changes: Mapping[str, int], at_least: Mapping[str, int] | None = None) -> None:
        refuse_uncountable(changes)
        refuse_uncountable(at_least or {})
        with self._writing, translated(self._root):
            if space in self.spaces():  # nothing is made, and nobody waited for, where there is nothing to count
                state = self._writable()
                entry = state.counting(space, changes, at_least or {})
                if entry is not None:
                    self._record(state, entry)

    def _indexing(self, space: str, work: Callable[[FolderState], _Answer]) -> _Answer | None:
        """Write blocks. One that only reads does so too, but neither waits for a writer, who makes blocks as well, nor
        becomes one; None if there is a writer, no such space, or a disk that cannot be written."""
        with self._writing, translated(self._root):
            idle = not self._lock.held
            try:
                return work(self._writable()) if space in self.spaces() else None
            except (StoreBusy, StoreReadOnly):
                return None
            finally:
                if idle:
                    self._let_go()

    def erase(self, target: Target) -> Erased:
        with self._writing, translated(self._root):
            state = self._writable()
            entry = state.erasure(target)
            if entry is None:
                return Erased()
            erased = self._record(state, entry)
            sweep(self._root.parent)
            try:
                self._flush(state)
            except OSError:
                return replace(erased, pending=True)  # the journal has it: the next flush, or opening, finishes it
            return erased

    def settle(self) -> bool:
        with self._writing, translated(self._root):
            idle = not self._lock.held
            if idle and not self._current().erasing and not leftovers(self._root, read_manifest(self._root)):
                return True
            try:
                self._flush(self._writable())
            except (StoreBusy, StoreDamaged, StoreReadOnly):
                return False
            if idle:
                self._let_go()  # it was only to clean up after a writer that is no more
            return True

    def check(self, progress: Progress) -> Health:
        self._alive()
        with translated(self._root):
            state, edits = self._files.all_read()
            health = state.check(progress)
            size = 0
            for path in self._root.rglob("*"):
                with suppress(FileNotFoundError):  # a writer goes on meanwhile
                    size += path.stat().st_size if path.is_file() else 0
            told, self._notes = self._notes, []
            found = (*health.findings, *edits.problems, *edits.notes, *told, *self._index.findings())
            return replace(health, store=f"{self.kind} {self._root}", version=VERSION, bytes=size, findings=found)

    def backup(self, target: Path) -> None:
        self._alive()
        if target.exists():
            raise InvalidInput(f"{target} is there already.", "Name a new folder; a backup never replaces anything.")
        with translated(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            with unfinished(target) as part:
                self._files.copy(self._index.names, part)
                os.rename(part, target)
                sync_folder(target.parent)

    def close(self) -> None:
        with self._writing:
            if self._closed:
                return
            self._closed = True
            try:
                if self._size is not None and self._files.state is not None and not self._lock.replaced:
                    with translated(self._root):
                        self._flush(self._files.state)
            finally:
                self._let_go()

    def _fresh(self) -> None:
        self._writing = threading.RLock()
        self._refreshing = threading.Lock()
        self._files.fresh()

    def after_fork(self) -> None:
        """In the child: the lock and the journal are the parent's, and what is in memory may be half-done."""
        self._let_go()
        self._fresh()

    def _alive(self) -> None:
        if self._closed:
            raise StoreClosed("This memory was closed.", "Open it again with Memory(path).")

    # Reading

    def _current(self) -> FolderState:
        """What the folder holds now."""
        self._alive()
        state = self._files.state
        if state is not None and self._size is not None:
            return state  # nobody else writes
        with self._refreshing, translated(self._root):
            state = (
                self._files.state
                if self._files.state is not None and self._size is not None
                else self._files.refreshed()
            )
        return self._taken_in() if state.edited else state

    def _taken_in(self) -> FolderState:
        """Take in what people changed in the sheets, as far as nobody writes here and it can be understood; otherwise
        the folder is read as it was."""
        with self._writing:
            idle = not self._lock.held
            with suppress(RecollectError), translated(self._root):
                self._writable()
            if idle:
                self._let_go()
            if self._files.state is None:
                return self._current()
            self._files.state.edited = False
            return self._files.state

    # Writing

    def _writable(self) -> FolderState:
        """What the folder holds, once it is ours to write."""
        self._alive()
        self._lock.refuse_replaced(self._files.state)
        if self._size is not None and self._files.state is not None:
            return self._files.state
        read_manifest(self._root)  # before anything is made in a folder that is not ours
        self._root.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not self._lock.take():
            raise StoreBusy(
                f"Another process or Memory writes to {self._root}.", "Close it, or read only: reading goes on."
            )
        try:
            return self._taken_over()
        except BaseException:
            self._let_go()
            raise

    def _taken_over(self) -> FolderState:
        """Take in what others wrote, and finish what the last writer could not."""
        manifest = read_manifest(self._root)
        if not manifest.raw:
            (self._home / SESSIONS).mkdir(parents=True, exist_ok=True)
            replace_file(self._home / MANIFEST, manifest_bytes(1))
            sync_folder(self._home)
        elif manifest.home != self._home:
            self._move_in(manifest)
        with self._refreshing:
            state = self._files.refreshed()
            state.refuse_damage()
            if self._files.journal.exists():
                append_line(
                    self._files.journal, state.consumed, b"", self._durable
                )  # cuts off what was never acknowledged
            self._size = state.consumed
        looked = look(self._root)
        self._shelf.begin(looked)
        self._take_edits(state, find_edits(looked, state))
        with suppress(OSError):  # where this fails, writing may still go on; `settle` says so
            if state.erasing or looked.changed:
                self._flush(state)
            self._sweep()
            self._index.drop_others(state.spaces())
        return state

    def _move_in(self, manifest: Manifest) -> None:
        """Give a folder of version 1 a place for what is not for people. The old files go when the next are written."""
        part = self._home.with_name(self._home.name + PART)
        copy_files(manifest, (), part)
        os.rename(part, self._home)
        sync_folder(self._root)

    def _take_edits(self, state: FolderState, found: Edits) -> None:
        """Write down what people changed in the sheets."""
        if found.problems:
            raise StoreDamaged(f"The folder is read but not written: {found.problems[0].what}", MEND)
        for edit in found.edits:
            entry = state.editing(edit)
            if entry is not None:
                self._record(state, entry)
        self._notes += found.notes

    def _record(self, state: FolderState, entry: Entry) -> Erased:
        """Write the entry down, then do what was written: nothing that the caller may change later is kept."""
        assert self._size is not None
        line = entry_line(entry)
        (written,), _ = read_journal(line)
        assert written is not None
        if state.removes(entry):
            self._index.drop(entry.space)  # before: nobody may find blocks of what the journal says is gone
        try:
            append_line(self._files.journal, self._size, line, self._durable)
            self._size += len(line)
            erased = state.apply(written)
        except OSError:
            raise  # the journal is as it was, and so is the memory
        except BaseException:
            self._size = self._files.state = None  # what reached the disk decides, so all is read anew
            raise
        self._lock.refuse_replaced(state)  # or it would be acknowledged, and lost with the folder
        return erased

    def _flush(self, state: FolderState) -> None:
        """Write the files that changed, and begin the next generation."""
        if self._size or state.gone or self._shelf.due:
            write_files(self._home, state)
            self._shelf.write(state)
            self._begin_generation(state)
        self._sweep()

    def _begin_generation(self, state: FolderState) -> None:
        generation = self._files.manifest.generation + 1
        try:
            replace_file(self._home / MANIFEST, manifest_bytes(generation))
            self._files.manifest = Manifest(home=self._home, raw=manifest_bytes(generation), generation=generation)
            self._size = 0
            state.settled()
        except OSError:
            raise  # the old generation stands
        except BaseException:
            self._size = self._files.state = None  # what reached the disk decides, so all is read anew
            raise
        sync_folder(self._home)

    def _sweep(self) -> None:
        """Overwrite and remove what is of no generation any more."""
        for path in leftovers(self._root, self._files.manifest):
            scrub(path)
        self._shelf.tidy()

    def _let_go(self) -> None:
        self._size = None
        self._lock.release()


_open_stores: WeakSet[JsonFolderStore] = WeakSet()


def _after_fork() -> None:
    for store in list(_open_stores):
        store.after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
