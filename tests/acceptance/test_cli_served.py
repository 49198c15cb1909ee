"""The command line on a memory that is served: the same commands, with an address for a place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_tools import Cli
from service_tools import Served, key_of, serving


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path / "served.db") as served:
        yield served


def test_commands_work_over_the_wire(cli: Cli, service: Served, tmp_path: Path) -> None:
    db = ("--db", service.url)
    assert cli("add", "trip", "We fly to Lisbon on 5 May.", *db).code == 0
    assert cli("pin", "trip", "Allergic to penicillin", *db).code == 0
    assert "Lisbon" in cli("history", "trip", *db).out
    assert "Lisbon" in cli("search", "Lisbon", *db).out
    assert "penicillin" in cli("context", "trip", "What must the doctor know?", *db).out
    explained = json.loads(cli("explain", "trip", "When?", "--json", *db).out)
    assert explained["manifest"]
    assert "trip" in cli("sessions", *db).out
    assert cli("export", str(tmp_path / "trip.jsonl"), *db).code == 0
    assert cli("doctor", *db).code == 0
    assert cli("forget", "--session", "trip", "--message", "1", "--yes", *db).code == 0
    assert "Lisbon" not in cli("history", "trip", *db).out


def test_a_key_comes_from_the_environment(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = key_of(tmp_path / "served.db", "read")
    with serving(tmp_path / "served.db") as served:
        refused = cli("sessions", "--db", served.url)
        assert refused.code == 2
        assert "wants a key" in refused.err
        monkeypatch.setenv("ONRECORD_KEY", key)
        assert cli("sessions", "--db", served.url).code == 0
        denied = cli("add", "trip", "Hello.", "--db", served.url)
        assert denied.code == 2
        assert "no scope write" in denied.err
        assert key not in refused.err + denied.err


@pytest.mark.parametrize(
    "command",
    [("serve",), ("keys", "list"), ("worker",), ("migrate",), ("scrub",), ("backup", "b.db"), ("copy", "x.db")],
)
def test_what_needs_the_memory_itself_says_so(cli: Cli, service: Served, command: tuple[str, ...]) -> None:
    given = (*command, service.url) if command[0] == "copy" else (*command, "--db", service.url)
    done = cli(*given)
    assert done.code in (1, 2, 3)
    assert done.err.startswith("Error:")
    assert "Hint:" in done.err


@pytest.mark.parametrize("command", ["worker", "jobs", "migrate", "scrub"])
def test_what_is_about_all_spaces_takes_none(cli: Cli, command: str) -> None:
    done = cli(command, "--db", "postgresql://127.0.0.1:9/none", "--space", "ana")
    assert done.code == 2
    assert "all spaces" in done.err


def test_a_service_that_is_not_there(cli: Cli) -> None:
    done = cli("sessions", "--db", "http://127.0.0.1:9")
    assert done.code == 3
    assert "127.0.0.1:9" in done.err
