"""A disk that is full or read-only: everything can be read, nothing is written, and no thread complains."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from onrecord import Memory, StoreFull, StoreReadOnly

STORES = ["memory.db", "folder/"]


def mount(*command: str) -> None:
    if os.geteuid() != 0 or subprocess.run(["mount", *command], capture_output=True).returncode:
        pytest.skip("file systems cannot be mounted here")


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    """A small disk of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount("-t", "tmpfs", "-o", "size=3m", "tmpfs", str(folder))
    yield folder
    subprocess.run(["umount", "-l", folder], check=True)


def fill(memory: Memory) -> None:
    for n in range(20):
        memory.session("trip").add("user", f"I live in Porto {n}. We decided to take the train.")
    memory.session("trip").summarize(1, 4)


def read_everything(memory: Memory, place: Path) -> None:
    chat = memory.session("trip")
    assert len(list(chat.history())) == 20
    assert len(memory.search("Porto")) == 10
    assert chat.context("Where do I live?", tokens=400).tokens <= 400
    assert [summary.first for summary in chat.summaries(plan="all")][-1:] == [1]
    assert memory.facts() is not None
    assert memory.episodes() is not None
    assert chat.arc().beginning
    assert chat.pins() is not None
    assert chat.conversation().turns == 20
    assert memory.check().ok
    assert memory.export(place / "export.jsonl") > 20
    memory.backup(place / "copy")
    with Memory(place / "copy") as copy:
        assert len(list(copy.session("trip").history())) == 20


def log_of(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("learned", [True, False])
def test_a_read_only_disk_is_read(
    place: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, store: str, learned: bool
) -> None:
    with Memory(f"{place}/{store}", summarize="background" if learned else "manual") as memory:
        fill(memory)
        known = len(memory.facts()) if learned else 0
    assert known or not learned
    mount("-o", "remount,ro", str(place))
    with Memory(f"{place}/{store}") as memory:
        read_everything(memory, tmp_path)
        assert len(memory.facts()) == known
        with pytest.raises(StoreReadOnly):
            memory.session("trip").add("user", "One more.")
        assert memory.flush()
        assert memory.session("trip").info().last_seq == 20
    assert log_of(caplog) == []
    with Memory(f"{place}/{store}") as memory:
        assert memory.check().ok


@pytest.mark.parametrize("store", STORES)
def test_a_full_disk_is_read(place: Path, tmp_path: Path, store: str) -> None:
    with Memory(f"{place}/{store}") as memory:
        fill(memory)
    occupied = place / "occupied"
    with Memory(f"{place}/{store}") as memory:
        occupy(occupied)
        read_everything(memory, tmp_path)
    (tmp_path / "export.jsonl").unlink()
    (tmp_path / "copy").rename(tmp_path / "first")
    with Memory(f"{place}/{store}") as memory:  # opened when there is no room
        read_everything(memory, tmp_path)
        with pytest.raises(StoreFull):
            memory.session("trip").add("user", "One more. " * 10_000)
        occupied.unlink()
        assert memory.session("trip").add("user", "Room again.").seq == 21
        assert memory.flush()
    with Memory(f"{place}/{store}") as memory:
        assert memory.check().ok


def occupy(path: Path) -> None:
    with suppress(OSError), path.open("wb", buffering=0) as file:
        while file.write(bytes(4096)):
            pass


def test_a_log_that_cannot_be_read_is_not_passed_over(place: Path) -> None:
    """The process was killed, and the disk is read-only then: what the log holds must not be missing in silence."""
    path = place / "memory.db"
    code = "import os, sys; from onrecord import Memory; Memory(sys.argv[1]).session('s').add('user', 'x'); os._exit(0)"
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)
    path.with_name("memory.db-shm").unlink()
    mount("-o", "remount,ro", str(place))
    with pytest.raises(StoreReadOnly, match="has a log"):
        Memory(path)
