"""The files of one generation: written anew where more is known than they say, or copied to another folder."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from recollect.stores.json_folder.disk import put_file, replace_file, sync_folder
from recollect.stores.json_folder.files import manifest_bytes
from recollect.stores.json_folder.manifest import COUNTERS, INDEX, MACHINERY, MANIFEST, SESSIONS, Manifest, journals
from recollect.stores.json_folder.state import FolderState

__all__ = ["copy_files", "copy_tree", "write_all", "write_files"]


def write_files(home: Path, state: FolderState) -> None:
    """Write the files that changed. What they held before is set aside, to be overwritten by and by."""
    if state.counted:
        # Before the sessions: counters of a space that is gone must not be found by one that has its name now.
        put_file(home / COUNTERS, state.counters_file())
        sync_folder(home)
    folder = home / SESSIONS
    written = set()
    for name, data in state.changed_files():
        put_file(folder / name, data)
        written.add(name)
    for name in state.gone - written:
        put_file(folder / name, b"")
    sync_folder(folder)


def write_all(root: Path, state: FolderState) -> None:
    """Write everything that is known into a new folder."""
    root.mkdir(mode=0o700)
    (root / MACHINERY / SESSIONS).mkdir(parents=True)
    replace_file(root / MACHINERY / MANIFEST, manifest_bytes(1))
    for file in state.files.values():
        file.changed = True
    state.counted = True
    write_files(root / MACHINERY, state)


def copy_files(manifest: Manifest, blocks: Iterable[str], part: Path) -> None:
    """Copy the files for programs as they are now; the caller looks whether the next generation began meanwhile."""
    home = manifest.home
    shutil.rmtree(part, ignore_errors=True)
    for folder in (SESSIONS, INDEX):
        (part / folder).mkdir(parents=True)
    replace_file(part / MANIFEST, manifest.raw or manifest_bytes(1))
    names = [f"{SESSIONS}/{path.name}" for path in (home / SESSIONS).glob("*.json")]
    names += [f"{INDEX}/{name}" for name in blocks]
    for name in [*names, COUNTERS, *journals(home).values()]:
        with suppress(FileNotFoundError):  # there are no counters, or the next generation began
            replace_file(part / name, (home / name).read_bytes())
    for folder in (SESSIONS, INDEX, ""):
        sync_folder(part / folder)


def copy_tree(root: Path, paths: Iterable[str], part: Path) -> None:
    """Copy some more files."""
    for path in paths:
        with suppress(FileNotFoundError):
            if not (root / path).is_file():
                continue  # what stands there instead of a file is no part of the memory
            raw = (root / path).read_bytes()
            (part / path).parent.mkdir(parents=True, exist_ok=True)
            replace_file(part / path, raw)
