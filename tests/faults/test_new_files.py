"""What onrecord makes on a disk: who may read it."""

import os
from collections.abc import Iterator
from pathlib import Path
from stat import S_IMODE

import pytest

from onrecord import Memory, doctor

pytestmark = pytest.mark.skipif(os.name == "nt", reason="no such modes")


@pytest.fixture
def generous() -> Iterator[None]:
    """A process whose files everybody may read and write."""
    mask = os.umask(0)
    yield
    os.umask(mask)


def modes(folder: Path) -> dict[str, int]:
    return {str(path.relative_to(folder)): S_IMODE(path.stat().st_mode) for path in folder.rglob("*") if path.is_file()}


@pytest.mark.usefixtures("generous")
@pytest.mark.parametrize("place", ["memory.db", "folder/"])
def test_files_are_for_their_owner_alone(tmp_path: Path, place: str) -> None:
    address, end = os.path.join(tmp_path, place), place[-1:] if place.endswith("/") else ""
    with Memory(address, embedder=None) as memory:
        memory.session("trip").add("user", "We fly to Lisbon.")
        memory.backup(f"{tmp_path}/backup{end}")
        memory.export(tmp_path / "trip.jsonl")
        assert memory.check().ok
        found = modes(tmp_path)
        assert len(found) >= 4
        assert set(found.values()) == {0o600}
        if not end:
            memory._store._file.mark_damaged("a test")  # type: ignore[attr-defined]
    doctor(address, rescue_to=f"{tmp_path}/rescued{end}")
    assert set(modes(tmp_path).values()) == {0o600}
    folders = [tmp_path / "folder", tmp_path / "backup", tmp_path / "rescued"] if end else []
    assert all(S_IMODE(folder.stat().st_mode) == 0o700 for folder in folders)


def test_what_is_there_keeps_its_mode(tmp_path: Path) -> None:
    for name in ("memory.db", "trip.jsonl"):
        (tmp_path / name).touch()
        (tmp_path / name).chmod(0o640)
    with Memory(tmp_path / "memory.db", embedder=None) as memory:
        memory.session("trip").add("user", "We fly to Lisbon.")
        memory.export(tmp_path / "trip.jsonl")
        assert set(modes(tmp_path).values()) == {0o640}
