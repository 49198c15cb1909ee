"""A command line in this process, with a memory of its own; and a browser that looks at the pages."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
import typer.main
from browser_tools import Browsing, Looker, started
from cli_tools import Cli, Outcome

from onrecord.cli import main

build_once = cache(typer.main.get_command)  # from the functions of all commands, which takes longer than most tests


@pytest.fixture
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in [name for name in os.environ if name.startswith("ONRECORD_")] + ["FORCE_COLOR", "GITHUB_ACTIONS"]:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("ONRECORD_DB", str(tmp_path / "memory.db"))
    monkeypatch.setenv("ONRECORD_EMBEDDER", "none")  # loading one takes a second: tests about meaning name it
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


@pytest.fixture(scope="session")
def browsing() -> Iterator[Browsing]:
    """Chromium, once in each process that runs tests."""
    with started() as browsing:
        yield browsing


@pytest.fixture
def browser_page(browsing: Browsing, tmp_path: Path) -> Iterator[Looker]:
    """Opens pages over a memory: `page = browser_page(fill, phone=True)`, then `page.goto("/ui/")`."""
    with browsing.at_work() as browser:
        looker = Looker(browser, tmp_path / "pages.db")
        try:
            yield looker
        finally:
            looker.close()
        assert looker.problems() == []
