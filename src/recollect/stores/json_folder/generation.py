"""The files of one generation: written anew where more is known than they say, or copied to another folder."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from recollect.stores.json_folder.disk import replace_file, set_aside, sync_folder
from recollect.stores.json_folder.files import manifest_bytes
from recollect.stores.json_folder.manifest import COUNTERS, INDEX, MANIFEST, SESSIONS, Manifest, journals
from recollect.stores.json_folder.state import FolderState

__all__ = ["copy_files", "write_files"]


def write_files(root: Path, state: FolderState) -> None:
    """Write the files that changed. What they held before is set aside, to be overwritten by and by."""
    if state.counted:
        # Before the sessions: counters of a space that is gone must not be found by one that has its name now.
        _put(root / COUNTERS, state.counters_file())
        sync_folder(root)
    folder = root / SESSIONS
    written = set()
    for name, data in state.changed_files():
        _put(folder / name, data)
        written.add(name)
    for name in state.gone - written:
        _put(folder / name, b"")
    sync_folder(folder)


def _put(path: Path, data: bytes) -> None:
    """Put a file in place of another, or none where there is nothing to say."""
    set_aside(path)
    if data:
        replace_file(path, data)
    else:
        path.unlink(missing_ok=True)


def copy_files(root: Path, manifest: Manifest, blocks: Iterable[str], part: Path) -> None:
    """Copy a folder as it is now; the caller looks whether the next generation began meanwhile."""
    shutil.rmtree(part, ignore_errors=True)
    for folder in (SESSIONS, INDEX):
        (part / folder).mkdir(parents=True)
    replace_file(part / MANIFEST, manifest.raw or manifest_bytes(1))
    names = [f"{SESSIONS}/{path.name}" for path in (root / SESSIONS).glob("*.json")]
    names += [f"{INDEX}/{name}" for name in blocks]
    for name in [*names, COUNTERS, *journals(root).values()]:
        with suppress(FileNotFoundError):  # there are no counters, or the next generation began
            replace_file(part / name, (root / name).read_bytes())
    for folder in (SESSIONS, INDEX, ""):
        sync_folder(part / folder)
