"""A memory whose file is reached through a link."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from recollect import Memory, StoreDamaged, doctor
from recollect.records import ImportReport

CRASHING = """
import os, sys
from recollect import Memory
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
