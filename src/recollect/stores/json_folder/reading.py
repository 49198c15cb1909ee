"""How a JSON folder is read: all files of one generation, then only what was added to its journal."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from recollect.errors import StoreBusy
from recollect.stores.json_folder.disk import read_from
from recollect.stores.json_folder.edits import Edits, find_edits
from recollect.stores.json_folder.generation import copy_files, copy_tree
from recollect.stores.json_folder.manifest import (
    COUNTERS,
    MACHINERY,
    SESSIONS,
    WRITTEN,
    Manifest,
    journal_name,
    read_manifest,
)
from recollect.stores.json_folder.shelf import Looked, look
from recollect.stores.json_folder.state import FolderState

__all__ = ["FolderFiles"]

ATTEMPTS = 100  # to read the folder between two generations
LIVES = 32  # bits for the spaces that are born between two readings

_Answer = TypeVar("_Answer")


class FolderFiles:
    """The files of a folder, and what was read of them last."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.home = root / MACHINERY  # the files for programs
        self._loads = 0
        self.fresh()

    def fresh(self) -> None:
        """Nothing was read yet."""
        self.state: FolderState | None = None
        self.manifest = Manifest(home=self.home)

    @property
    def journal(self) -> Path:
        return self.manifest.home / journal_name(self.manifest.generation)

    def refreshed(self) -> FolderState:
        """What the folder holds now, whoever wrote it."""
        state = self.state
        if state is None or read_manifest(self.root) != self.manifest:
            return self._load()
        raw, seen = read_from(self.journal, state.consumed)
        if seen == state.journal_look:
            return state
        state.read_journal(raw, self.journal.name)
        state.journal_look = seen
        return state if raw and not state.damage else self._load()  # a line may have been taken back

    def _load(self) -> FolderState:
        self._loads += 1  # each reading begins a life of its own: what was removed is counted in memory alone
        (looked, state), self.manifest = self._between_generations(self._read)
        state.edited = bool(looked.changed)
        self.state = state
        return state

    def all_read(self) -> tuple[FolderState, Edits]:
        """All of it, read anew, and what people changed in the sheets."""

        def work(manifest: Manifest) -> tuple[FolderState, Edits]:
            looked, state = self._read(manifest)
            return state, find_edits(looked, state)

        return self._between_generations(work)[0]

    def copy(self, blocks: Callable[[], Iterable[str]], part: Path) -> None:
        """Copy the folder as it is now."""

        def work(manifest: Manifest) -> None:
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir(mode=0o700, parents=True)
            copy_files(manifest, blocks(), part / MACHINERY)
            looked = look(self.root)
            copy_tree(self.root, [f"{MACHINERY}/{WRITTEN}/{path}" for path in looked.known], part)
            copy_tree(self.root, sorted({*looked.known, *looked.changed}), part)

        self._between_generations(work)

    def _read(self, manifest: Manifest) -> tuple[Looked, FolderState]:
        looked = look(self.root)  # first: what a writer puts into a sheet is in the other files by then
        state = FolderState(births=self._loads << LIVES)
        state.damage += manifest.findings
        state.read_sessions(manifest.home / SESSIONS)
        state.read_counters(manifest.home / COUNTERS)
        for name in manifest.journals:
            raw, state.journal_look = read_from(manifest.home / name, 0)
            state.read_journal(raw, name)
        state.arrange()
        return looked, state

    def _between_generations(self, work: Callable[[Manifest], _Answer]) -> tuple[_Answer, Manifest]:
        """Do something with the files of one generation; again, if the next one began meanwhile."""
        for _ in range(ATTEMPTS):
            manifest = read_manifest(self.root)
            answer = work(manifest)
            if read_manifest(self.root) == manifest:
                return answer, manifest
        raise StoreBusy(f"{self.root} is written without a pause.", "Try again.")
