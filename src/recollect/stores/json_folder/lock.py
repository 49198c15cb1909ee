"""The lock of a JSON folder's writer, which also shows whether the folder is still the one that was opened."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from recollect.stores.identity import Identity, identity_of, kept_name, replaced_error
from recollect.stores.json_folder.generation import write_all
from recollect.stores.json_folder.manifest import LOCK
from recollect.stores.json_folder.state import FolderState
from recollect.stores.locks import take_lock

__all__ = ["FolderLock"]


class FolderLock:
    """Held by one process at a time, until it releases it, drops it or ends."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._path = root / LOCK
        self._handle: int | None = None
        self._file: Identity | None = None  # what is locked
        self._kept: Path | None = None

    @property
    def held(self) -> bool:
        return self._handle is not None

    def take(self) -> bool:
        """Take the lock if nobody has it, and say whether it is held."""
        if self._handle is None:
            self._handle = take_lock(self._path)
            self._file = identity_of(str(self._path))
        return self.held

    def release(self) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None

    __del__ = release

    @property
    def replaced(self) -> bool:
        """Whether the folder that was locked was deleted, or another one has its name."""
        return self.held and identity_of(str(self._path)) != self._file

    def refuse_replaced(self, state: FolderState | None) -> None:
        """Raise if the folder was deleted or replaced; what it held is written beside it then."""
        if not self.replaced:
            return
        if self._kept is None and state is not None:
            with suppress(OSError):
                kept = kept_name(self._root)
                write_all(kept, state)
                self._kept = kept
        raise replaced_error(self._root, self._kept)
