"""What the tests of the JSON folder share: a folder, ways to look into it, and ways to harm it."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from recollect.settings import Settings
from recollect.stores.json_folder import JsonFolderStore

SETTINGS = Settings(durability="power", busy_timeout=0)
HOME = ".machinery"
FILE = "a-9ccccfe64abd.json"  # of session "a" in space "s", for programs


@pytest.fixture(name="root")
def folder_root(tmp_path: Path) -> Path:
    return tmp_path / "memory"


@pytest.fixture(name="store")
def folder_store(root: Path) -> Iterator[JsonFolderStore]:
    store = opened(root)
    yield store
    store.close()


def opened(root: Path) -> JsonFolderStore:
    return JsonFolderStore(root, SETTINGS)


def files(root: Path) -> dict[str, bytes]:
    return {str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def journal(root: Path) -> Path:
    (path,) = (root / HOME).glob("journal-*.jsonl")
    return path


def change(path: Path, old: bytes, new: bytes) -> None:
    raw = path.read_bytes()
    assert raw.count(old) == 1
    path.write_bytes(raw.replace(old, new))


def killed(store: JsonFolderStore, root: Path) -> None:
    """Leave the folder as it is now, as a killed process does."""
    state = files(root)
    store.close()
    for path in [path for path in root.rglob("*") if path.is_file()]:
        path.unlink()
    for name, raw in state.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(raw)


def failing(*_: object, **__: object) -> NoReturn:
    raise OSError(errno.ENOSPC, "full")
