"""A command line in this process, with a memory of its own."""

from __future__ import annotations

import io
import os
import sys
from functools import cache
from pathlib import Path

import pytest
import typer.main
from cli_tools import Cli, Outcome

from recollect.cli import main

build_once = cache(typer.main.get_command)  # from the functions of all commands, which takes longer than most tests


@pytest.fixture
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [name for name in os.environ if name.startswith("RECOLLECT_")] + ["FORCE_COLOR", "GITHUB_ACTIONS"]:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("RECOLLECT_DB", str(tmp_path / "memory.db"))
    monkeypatch.setenv("RECOLLECT_EMBEDDER", "none")  # loading one takes a second: tests about meaning name it
    monkeypatch.chdir(tmp_path)
    return tmp_path / "memory.db"


@pytest.fixture
def cli(db: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    monkeypatch.setattr(typer.main, "get_command", build_once)

    def run(*arguments: object, stdin: bytes = b"") -> Outcome:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return run
