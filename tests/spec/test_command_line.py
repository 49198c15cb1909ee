"""SPEC.md g01: the command line scores, lists what is due, shows and clears important data, ends a session, and sets
its system prompt, title and model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from onrecord import Memory
from onrecord.cli import main

pytestmark = pytest.mark.embedded


class Shell:
    """Runs commands on one memory."""

    def __init__(self, db: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.db, self._capsys = db, capsys

    def run(self, *arguments: str, code: int = 0) -> str:
        done = main([*arguments, "--db", str(self.db), "--embedder", "none"])
        captured = self._capsys.readouterr()
        assert done == code, captured.err
        return captured.out

    def json(self, *arguments: str) -> Any:
        return json.loads(self.run(*arguments, "--json"))


@pytest.fixture
def shell(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.setenv("ONRECORD_SUMMARIZE", "manual")
    db = tmp_path / "memory.db"
    with Memory(db, embedder=None, summarize="manual") as memory:
        memory.session("trip").add_many(
            ("user", f"I decided on day {day} to visit museum {day}; see https://museum.example/{day}.")
            for day in range(1, 33)
        )
    return Shell(db, capsys)


def test_g01_a_session_is_described_and_what_is_due_is_listed(shell: Shell) -> None:
    assert shell.json("session", "trip")["due"][0] == [1, 16]
    assert "Summaries due: 1-16" in shell.run("session", "trip")
    described = shell.json("session", "trip", "--title", "Lisbon", "--system", "Be brief.", "--model", "gpt-4o")
    assert (described["title"], described["system"], described["model"]) == ("Lisbon", "Be brief.", "gpt-4o")
    assert (shell.json("session", "trip")["model"], shell.json("sessions")["title"]) == ("gpt-4o", "Lisbon")
    shell.run("summarize", "trip")
    assert [1, 16] not in shell.json("session", "trip")["due"]
    shell.run("session", "nowhere", code=1)


def test_g01_messages_are_scored(shell: Shell) -> None:
    def importance() -> list[float]:
        lines = shell.run("history", "trip", "--last", "2", "--json").splitlines()
        return [json.loads(line).get("importance", 0.5) for line in lines]

    before = importance()
    shell.run("session", "trip", "--score", "31=0.11", "--score", "32=0.99")
    assert importance() == [0.11, 0.99]
    shell.run("session", "trip", "--rescore")
    assert importance() == before
    for wrong in ("3", "3=much", "x=0.5"):
        shell.run("session", "trip", "--score", wrong, code=2)
    shell.run("session", "trip", "--score", "99=0.5", code=1)


def test_g01_important_data_are_shown_and_cleared(shell: Shell) -> None:
    assert "no important data" in shell.run("important", "trip")
    shell.run("summarize", "trip")
    assert "source urls: https://museum.example/1" in shell.run("important", "trip")
    assert shell.json("important", "trip", "--clear") == {}
    assert "no important data" in shell.run("important", "trip")


def test_g01_a_session_is_ended(shell: Shell) -> None:
    shell.run("session", "trip", "--summary", "We saw them all.", code=2)
    assert shell.json("session", "trip", "--end", "--summary", "We saw them all.")["status"] == "ended"
    closing = [json.loads(line) for line in shell.run("summaries", "trip", "--json").splitlines()][-1]
    assert (closing["first"], closing["last"], closing["text"]) == (1, 32, "We saw them all.")
