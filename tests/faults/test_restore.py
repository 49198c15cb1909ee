"""A backup in the place of a memory: all of it, checked, and never under anybody who has the memory open."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from onrecord import InvalidInput, Memory, NotFound, StoreBusy, StoreDamaged, StoreError, StoreVersion, restore

ADDING = """
import os, sys
from onrecord import Memory
memory = Memory(sys.argv[1], embedder=None, summarize="manual")
memory.session("trip").add_many([("user", "tuesday")] * 60)
print("ready", flush=True)
sys.stdin.read()
os._exit(0)
"""


def opened(path: str) -> Memory:
    return Memory(path, embedder=None, summarize="manual")


def texts(path: str) -> list[str]:
    with opened(path) as memory:
        assert memory.check().ok
        return [message.text or "" for message in memory.session("trip").history()]


def start_adding(path: str) -> subprocess.Popen[bytes]:
    """A process that has added messages and has the memory open; when its input ends it dies, and its log stays."""
    process = subprocess.Popen([sys.executable, "-c", ADDING, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdout
    assert process.stdout.readline()
    return process


@pytest.fixture(params=["", "/"], ids=["file", "folder"])
def places(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[str, str]:
    """A memory and its backup."""
    path, backup = f"{tmp_path}/memory{request.param}", f"{tmp_path}/monday{request.param}"
    with opened(path) as memory:
        memory.session("trip").add("user", "monday")
        memory.backup(backup)
    return path, backup


def contents(path: str) -> dict[str, bytes]:
    """A file or folder and what lies beside it under its name, without the index of a log, which holds no data."""
    place = Path(path)
    found = [*place.parent.glob(f"{place.name}*"), *place.rglob("*")]
    return {str(one): one.read_bytes() for one in found if one.is_file() and not one.name.endswith(("-shm", "lock"))}


def test_what_came_after_the_backup_goes(places: tuple[str, str]) -> None:
    path, backup = places
    start_adding(path).communicate()
    before = contents(backup)
    assert restore(backup, path).messages == 1
    assert contents(backup) == before
    assert texts(path) == ["monday"]
    assert restore(Path(backup), Path(path)).ok
    assert texts(path) == ["monday"]
    assert len(list(Path(path).parent.iterdir())) == 2


def test_a_memory_that_is_not_there_is_made(places: tuple[str, str]) -> None:
    _, backup = places
    target = f"{Path(backup).parent}/new/place" + backup[len(backup.rstrip("/")) :]
    assert restore(backup, target).ok
    assert texts(target) == ["monday"]


def test_nothing_is_replaced_while_others_have_it_open(places: tuple[str, str]) -> None:
    path, backup = places
    process = start_adding(path)
    before = contents(path)
    with pytest.raises(StoreBusy, match="nothing was replaced"):
        restore(backup, path)
    assert contents(path) == before
    process.communicate()
    with opened(path) as memory:
        memory.session("trip").add("user", "more")
        with pytest.raises(StoreBusy, match="nothing was replaced"):
            restore(backup, path)
    assert len(texts(path)) == 62


def test_a_damaged_backup_replaces_nothing(places: tuple[str, str]) -> None:
    path, backup = places
    place = Path(backup) if os.path.isfile(backup) else Path(backup, "memory.db")
    place.write_bytes(place.read_bytes().replace(b"monday", b"mundus"))
    before = contents(path)
    with pytest.raises((StoreDamaged, StoreVersion)):
        restore(backup, path)
    assert contents(path) == before


def test_a_backup_that_was_laid_over_a_file_with_a_log_can_be_restored(tmp_path: Path) -> None:
    path, backup = f"{tmp_path}/memory.db", f"{tmp_path}/monday.db"
    with opened(path) as memory:
        memory.session("trip").add("user", "monday")
        memory.backup(backup)
    start_adding(path).communicate()
    Path(path).write_bytes(Path(backup).read_bytes())
    Path(path + "-damaged").write_text("as it was found\n")
    with pytest.raises(StoreError, match="log of another file"):
        opened(path)
    assert restore(backup, path).ok
    assert texts(path) == ["monday"]
    assert sorted(one.name for one in tmp_path.iterdir()) == ["memory.db", "monday.db"]


def test_a_damaged_memory_gives_way(tmp_path: Path) -> None:
    path, backup = tmp_path / "memory.db", tmp_path / "monday.db"
    with opened(str(path)) as memory:
        memory.session("trip").add("user", "monday")
        memory.backup(backup)
    data = path.read_bytes()
    path.write_bytes(data[:4096] + os.urandom(len(data) - 4096))
    assert restore(backup, path).ok
    assert texts(str(path)) == ["monday"]


def test_what_cannot_be_restored_is_named(tmp_path: Path) -> None:
    path, backup = tmp_path / "memory.db", tmp_path / "monday.db"
    with opened(str(path)) as memory:
        memory.backup(backup)
    with pytest.raises(NotFound):
        restore(tmp_path / "nowhere", path)
    for source, target in ((path, path), (backup, f"{tmp_path}/folder/"), (backup, ":memory:"), ("http://a", path)):
        with pytest.raises(InvalidInput):
            restore(source, target)
    (tmp_path / "letter.txt").write_text("Dear Ana, " * 100)
    for source, target in ((tmp_path / "letter.txt", path), (backup, tmp_path / "letter.txt")):
        with pytest.raises(StoreDamaged, match="is not a SQLite file"):
            restore(source, target)
    assert (tmp_path / "letter.txt").read_text() == "Dear Ana, " * 100


def test_a_device_keeps_its_place_and_nothing_is_no_backup(tmp_path: Path) -> None:
    path, pipe, empty = f"{tmp_path}/memory", f"{tmp_path}/pipe", tmp_path / "empty"
    os.mkfifo(pipe)
    empty.touch()
    with opened(path) as memory:
        memory.session("trip").add("user", "monday")
        memory.backup(f"{tmp_path}/backup")
    for backup, target in ((f"{tmp_path}/backup", pipe), (pipe, path), (str(empty), path)):
        with pytest.raises(InvalidInput) as refused:
            restore(backup, target)
        assert refused.value.hint
    assert Path(pipe).is_fifo()
    assert texts(path) == ["monday"]


def test_errors_name_the_backup_and_not_the_copy_that_is_checked(places: tuple[str, str]) -> None:
    path, backup = places
    file = backup if os.path.isfile(backup) else f"{backup}memory.db"
    with closing(apsw.Connection(file)) as db:
        db.execute("PRAGMA user_version = 99")
    with pytest.raises(StoreVersion) as newer:
        restore(backup, path)
    with closing(apsw.Connection(file)) as db:
        db.execute("PRAGMA user_version = 2; CREATE VIEW other AS SELECT 1")
    with pytest.raises(StoreDamaged) as foreign:
        restore(backup, path)
    for error in (newer.value, foreign.value):
        assert str(error).startswith(f"{file} has ")
        assert "onrecord-part" not in str(error)
