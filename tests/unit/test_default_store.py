"""The memory that is opened where none is named: the same for the library and the command line."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from typer.testing import CliRunner

from onrecord import AsyncMemory, Memory, former
from onrecord.cli.program import app
from onrecord.default_store import default_path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the default memory lies."""
    monkeypatch.delenv("ONRECORD_DB", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setattr("sys.platform", "linux")
    return tmp_path / "data" / "onrecord"


def test_the_library_and_the_command_line_open_the_same_file(folder: Path) -> None:
    with Memory(embedder=None) as memory:
        memory.session("trip").add("user", "We fly on 5 May.")
    assert (folder / "memory.db").exists()
    assert folder.stat().st_mode & 0o077 == 0
    shown = CliRunner().invoke(app, ["history", "trip"])
    assert "We fly on 5 May." in shown.output
    assert CliRunner().invoke(app, ["path"]).output.strip() == str(folder / "memory.db") == default_path()


def test_an_asynchronous_memory_opens_it_too(folder: Path) -> None:
    async def add() -> int:
        async with AsyncMemory(embedder=None) as memory:
            return (await memory.session("trip").add("user", "Hello")).seq

    assert asyncio.run(add()) == 1
    assert (folder / "memory.db").exists()


def test_a_memory_of_the_former_name_is_found_there(folder: Path) -> None:
    previous = folder.parent / former.NAME / "memory.db"
    previous.parent.mkdir(parents=True)
    with Memory(previous, embedder=None) as memory:
        memory.session("trip").add("user", "Hello")
    with Memory(embedder=None) as memory:
        assert memory.session("trip").info().last_seq == 1
    assert not (folder / "memory.db").exists()
