"""Backups and exports of processes that were killed: what they leave goes, before anybody forgets what it holds."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from onrecord import Memory

SECRET = "The door code is 4711 heron."
MAKING = """
import itertools, sys
from onrecord import Memory
memory = Memory(sys.argv[1], embedder=None, summarize="manual")
print("ready", flush=True)
for number in itertools.count():
    getattr(memory, sys.argv[2])(f"{sys.argv[3]}.{number}")
"""


def filled(tmp_path: Path, place: str) -> str:
    address = os.path.join(tmp_path, place)
    with Memory(address, embedder=None, summarize="manual", durability="process") as memory:
        memory.session("trip").add("user", SECRET)
        memory.session("trip").add_many([("user", f"{number} " + "word " * 200) for number in range(2_000)])
    return address


def parts(folder: Path) -> list[Path]:
    return list(folder.glob("*.onrecord-part"))


def killed_while_making(address: str, what: str, target: str) -> list[Path]:
    """What a process leaves that is killed while it makes a backup or an export."""
    folder = Path(target).parent
    process = subprocess.Popen([sys.executable, "-c", MAKING, address, what, target], stdout=subprocess.PIPE)
    assert process.stdout
    process.stdout.readline()
    for _ in range(100):
        until = time.monotonic() + 30
        while not list(folder.glob("*.onrecord-part/copy")) and time.monotonic() < until:
            time.sleep(0.0005)
        process.send_signal(signal.SIGSTOP)  # it may be done with this one already
        if left := parts(folder):
            process.kill()
            break
        process.send_signal(signal.SIGCONT)
    process.wait()
    process.stdout.close()
    return left


@pytest.mark.skipif(os.name == "nt", reason="nothing is stopped there")
@pytest.mark.parametrize("what", ["backup", "export"])
@pytest.mark.parametrize("place", ["memory.db", "folder/"])
def test_what_a_killed_process_leaves_is_swept(tmp_path: Path, place: str, what: str) -> None:
    address = filled(tmp_path, place)
    target = f"{tmp_path}/copy"
    with Memory(address, embedder=None, summarize="manual") as memory:
        assert memory.session("trip").info().last_seq == 2_001
        assert killed_while_making(address, what, target)
        memory.session("trip").forget(1)
        assert not parts(tmp_path)
    assert killed_while_making(address, what, target)
    Memory(address, embedder=None, summarize="manual").close()
    assert not parts(tmp_path)
    (tmp_path / "elsewhere").mkdir()
    assert killed_while_making(address, what, f"{tmp_path}/elsewhere/copy")
    with Memory(address, embedder=None, summarize="manual") as memory:
        memory.export(tmp_path / "elsewhere" / "another.jsonl")
    assert not parts(tmp_path / "elsewhere")


def test_what_a_living_process_makes_stays(tmp_path: Path) -> None:
    address = filled(tmp_path, "memory.db")
    stays = tmp_path / "notes.12345678.part"
    stays.write_text("not ours")
    with Memory(address, embedder=None, summarize="manual") as memory:

        def progress(_: int) -> None:
            (part,) = parts(tmp_path)
            Memory(address, embedder=None, summarize="manual").close()
            assert (part / "copy").exists()

        assert memory.export(tmp_path / "trip.jsonl", progress=progress) > 2_000
    assert stays.exists()
    assert not parts(tmp_path)
