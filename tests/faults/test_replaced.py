"""A memory whose file is reached through a link, is deleted, or gives way to another."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from onrecord import Memory, StoreDamaged, StoreError, doctor, restore
from onrecord.records import ImportReport

CRASHING = """
import os, sys
from onrecord import Memory
memory = Memory(sys.argv[1], embedder=None, summarize="manual")
for number in range(int(sys.argv[2])):
    memory.session("trip").add("user", f"message {number}")
os._exit(0)
"""


def add_and_crash(path: Path, count: int = 10) -> None:
    """Have a process add messages and end without closing, so that they stand in the log alone."""
    subprocess.run([sys.executable, "-c", CRASHING, str(path), str(count)], check=True)


def texts(path: Path) -> list[str]:
    with Memory(path, embedder=None, summarize="manual") as memory:
        return [message.text or "" for message in memory.session("trip").history()]


def linked(tmp_path: Path, folder: bool = False) -> tuple[Path, Path]:
    for name in ("data", "home"):
        (tmp_path / name).mkdir()
    path, link = tmp_path / "data" / "memory.db", tmp_path / "home" / "other.db"
    link.symlink_to(path, target_is_directory=folder)
    return path, link


def test_rescue_through_a_link_finds_the_log(tmp_path: Path) -> None:
    path, link = linked(tmp_path)
    add_and_crash(path)
    for name, place in (("link", link), ("file", path)):
        report = doctor(place, rescue_to=tmp_path / f"rescued by {name}")
        assert isinstance(report, ImportReport)
        assert report.added == 10
    path.unlink()
    report = doctor(link, rescue_to=tmp_path / "rescued from the log")
    assert isinstance(report, ImportReport)
    assert report.added == 10


def test_damage_found_through_a_link_is_known_to_all(tmp_path: Path) -> None:
    path, link = linked(tmp_path)
    with Memory(link, embedder=None, summarize="manual") as memory:
        memory.session("trip").add_many([("user", "word " * 100)] * 200)
    data = bytearray(path.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 9 * 4096] = bytes(9 * 4096)
    path.write_bytes(data)
    with Memory(link, embedder=None, summarize="manual") as memory:
        assert not memory.check().ok
    assert path.with_name("memory.db-damaged").exists()
    assert [item.name for item in link.parent.iterdir()] == ["other.db"]
    with Memory(path, embedder=None, summarize="manual") as memory, pytest.raises(StoreDamaged):
        memory.session("trip").add("user", "more")


def test_a_memory_stays_where_it_is_when_the_process_moves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with Memory("memory.db", embedder=None, summarize="manual") as memory:
        memory.session("trip").add("user", "one")
        (tmp_path / "elsewhere").mkdir()
        monkeypatch.chdir("elsewhere")
        assert memory.check().ok
        memory.session("trip").add("user", "two")
    assert texts(tmp_path / "memory.db") == ["one", "two"]
    assert not list((tmp_path / "elsewhere").iterdir())


def remove(path: Path) -> None:
    for end in ("", "-wal", "-shm"):
        path.with_name(path.name + end).unlink()


def kept_texts(path: Path) -> list[str]:
    (kept,) = path.parent.glob("memory.db-kept-????????")
    return texts(kept)


@pytest.mark.parametrize("durability", ["power", "process"])
def test_what_was_acknowledged_before_a_file_is_deleted_is_kept(tmp_path: Path, durability: str) -> None:
    path = tmp_path / "memory.db"
    with Memory(path, embedder=None, summarize="manual", durability=durability) as memory:
        chat = memory.session("trip")
        chat.add_many([("user", "one"), ("user", "two")])
        remove(path)
        for _ in range(2):
            with pytest.raises(StoreError, match="deleted or replaced") as raised:
                chat.add("user", "three")
            assert "memory.db-kept-" in str(raised.value.hint)
        with pytest.raises(StoreError, match="deleted or replaced"):
            memory.check()
    assert kept_texts(path) == ["one", "two"]
    assert not path.exists()


LOST_LOGS = {
    "deleted": lambda log: log.unlink(),
    "moved": lambda log: log.rename(log.with_name("elsewhere")),
    "emptied": lambda log: os.truncate(log, 0),
    "cut": lambda log: os.truncate(log, 100),
    "deleted with its index": lambda log: (log.unlink(), log.with_name("memory.db-shm").unlink()),
    "left without its index": lambda log: log.with_name("memory.db-shm").unlink(),
}


@pytest.mark.parametrize("lose", LOST_LOGS.values(), ids=LOST_LOGS)
def test_nothing_is_acknowledged_into_a_lost_log(tmp_path: Path, lose: Callable[[Path], object]) -> None:
    path = tmp_path / "memory.db"
    with Memory(path, embedder=None, summarize="manual") as memory:
        chat = memory.session("trip")
        chat.add("user", "one")
        lose(path.with_name("memory.db-wal"))
        for _ in range(2):
            with pytest.raises(StoreError, match=r"log of .+ was deleted or replaced, or cut"):
                chat.add("user", "two")
    assert kept_texts(path) == ["one"]
    assert not path.with_name("memory.db-damaged").exists()


def test_a_log_that_is_lost_during_a_write_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Memory(path, embedder=None, summarize="manual") as memory:
        write = memory._store._file.write  # type: ignore[attr-defined]
        with pytest.raises(StoreError, match="deleted or replaced"):
            write(lambda db: path.with_name("memory.db-wal").unlink())


def test_a_lost_log_is_moved_into_the_file_when_it_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Memory(path, embedder=None, summarize="manual") as memory:
        memory.session("trip").add("user", "one")
        path.with_name("memory.db-wal").unlink()
    assert texts(path) == ["one"]


def test_closing_leaves_a_log_that_is_not_its_own(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    memory = Memory(path, embedder=None, summarize="manual")
    memory.session("trip").add("user", "one")
    for end in ("-wal", "-shm"):
        path.with_name(path.name + end).unlink()
    add_and_crash(path, 2)
    with pytest.raises(StoreError, match="deleted or replaced"):
        memory.close()
    assert kept_texts(path) == ["one"]
    assert texts(path) == ["message 0", "message 1"]


def test_another_process_does_not_write_into_half_a_log(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    memory = Memory(path, embedder=None, summarize="manual")
    memory.session("trip").add("user", "one")
    path.with_name("memory.db-wal").unlink()
    with pytest.raises(subprocess.CalledProcessError):
        add_and_crash(path)
    with pytest.raises(StoreError, match="deleted or replaced"):
        memory.close()
    assert kept_texts(path) == ["one"]


def test_a_log_that_others_empty_is_no_lost_one(tmp_path: Path) -> None:
    """Another process moves it into the file, by forgetting or flushing, between any two writes."""
    path = tmp_path / "memory.db"
    with Memory(path, embedder=None, summarize="manual") as memory, Memory(path, embedder=None) as other:
        for number in range(5):
            memory.session("trip").add("user", f"{number}")
            assert other.flush()
            if number % 2:
                other.session("trip").add("user", "between")
            assert memory.check().ok
    assert texts(path) == ["0", "1", "between", "2", "3", "between", "4"]


def test_a_link_in_the_place_of_a_file_is_another_place(tmp_path: Path) -> None:
    """Whoever opens the link finds the log of the file that it leads to, so what is written here would be lost."""
    path = tmp_path / "memory.db"
    with Memory(path, embedder=None, summarize="manual") as memory:
        memory.session("trip").add("user", "one")
        path.rename(tmp_path / "moved.db")
        path.symlink_to("moved.db")
        with pytest.raises(StoreError, match="deleted or replaced"):
            memory.session("trip").add("user", "two")
    assert kept_texts(path) == ["one"]


def test_a_file_that_is_replaced_during_a_write_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Memory(path, embedder=None, summarize="manual") as memory:
        memory.session("trip").add("user", "one")
        write = memory._store._file.write  # type: ignore[attr-defined]
        with pytest.raises(StoreError, match="deleted or replaced"):
            write(lambda db: remove(path))


def test_those_who_read_notice_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onrecord.stores.sqlite.file.LOOK", 0.0)
    path = tmp_path / "memory.db"
    with Memory(path, embedder=None, summarize="manual") as memory:
        memory.session("trip").add("user", "one")
        assert list(memory.session("trip").history())
        remove(path)
        with pytest.raises(StoreError, match="deleted or replaced"):
            list(memory.session("trip").history())
    assert kept_texts(path) == ["one"]


@pytest.mark.parametrize("log", [False, True], ids=["alone", "with its log"])
def test_what_was_kept_is_put_back_as_the_errors_say(tmp_path: Path, log: bool) -> None:
    path = tmp_path / "memory.db"
    with Memory(path, embedder=None, summarize="manual") as memory:
        memory.session("trip").add("user", "one")
        (remove if log else Path.unlink)(path)
        with pytest.raises(StoreError, match="deleted or replaced") as raised:
            memory.session("trip").add("user", "two")
    (kept,) = path.parent.glob("memory.db-kept-????????")
    way = f"onrecord restore {kept} --db {path}"
    assert way in str(raised.value.hint)
    if not log:
        with pytest.raises(StoreDamaged, match="lost its content") as damaged:
            texts(path)
        assert way in str(damaged.value.hint)
    assert restore(kept, path).ok
    assert texts(path) == ["one"]


@pytest.mark.parametrize("end", ["", "/"], ids=["file", "folder"])
def test_forgetting_says_that_a_kept_copy_holds_it_still(tmp_path: Path, end: str) -> None:
    place = tmp_path / "data" / "memory"
    path = place / "memory.db" if end else place
    with Memory(f"{place}{end}", embedder=None, summarize="manual") as memory:
        memory.session("trip").add("user", "one")
        path.with_name(path.name + "-wal").unlink()
        with pytest.raises(StoreError, match="deleted or replaced"):
            memory.session("trip").add("user", "two")
    (kept,) = path.parent.glob(f"{path.name}-kept-????????")
    with Memory(f"{place}{end}", embedder=None, summarize="manual") as memory:
        assert [str(kept) in finding.what for finding in memory.check().findings] == [True]
        assert memory.check().ok
        assert memory.forget(session="trip").pending
        assert not memory.flush()
        kept.unlink()
        assert memory.flush()
        assert not memory.check().findings


def test_the_file_that_took_the_place_stays_as_it_is(tmp_path: Path) -> None:
    """Its log is not the one of the file before, and closing that one takes nothing away."""
    path = tmp_path / "memory.db"
    before = Memory(path, embedder=None, summarize="manual")
    before.session("trip").add("user", "one")
    remove(path)
    with Memory(path, embedder=None, summarize="manual") as after:
        after.session("trip").add("user", "another")
        with pytest.raises(StoreError, match="deleted or replaced"):
            before.session("trip").add("user", "two")
        before.close()
        after.session("trip").add("user", "more")
        assert path.with_name("memory.db-wal").stat().st_size > 0
    assert texts(path) == ["another", "more"]
    assert not path.with_name("memory.db-damaged").exists()


def test_a_backup_that_takes_the_place_stays_as_it_is(tmp_path: Path) -> None:
    path, backup = tmp_path / "memory.db", tmp_path / "monday.db"
    with Memory(path, embedder=None, summarize="manual") as memory:
        memory.session("trip").add("user", "monday")
        memory.backup(backup)
        memory.session("trip").add("user", "tuesday")
        backup.replace(path)
        with pytest.raises(StoreError, match="deleted or replaced"):
            memory.session("trip").add("user", "wednesday")
    assert kept_texts(path) == ["monday", "tuesday"]
    path.with_name("memory.db-wal").unlink()
    assert texts(path) == ["monday"]


@pytest.mark.parametrize("replaced", [False, True])
def test_a_folder_that_is_deleted_or_replaced_is_noticed_and_kept(tmp_path: Path, replaced: bool) -> None:
    path, backup = tmp_path / "memory", tmp_path / "monday"
    with Memory(f"{path}/", embedder=None, summarize="manual") as memory:
        memory.session("trip").add("user", "monday")
        memory.backup(f"{backup}/")
        memory.session("trip").add("user", "tuesday")
        path.rename(tmp_path / "gone")
        if replaced:
            backup.rename(path)
        for _ in range(2):
            with pytest.raises(StoreError, match="deleted or replaced"):
                memory.session("trip").add("user", "wednesday")
    (kept,) = path.glob("memory.db-kept-????????") if replaced else tmp_path.glob("memory-kept-????????")
    assert texts(kept) == ["monday", "tuesday"]
    assert path.exists() == replaced
    if replaced:
        assert texts(path) == ["monday"]
