"""Models on the command line: what they would take, what they took, and what they write."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from cli_tools import Cli
from talk_tools import say, who_speaks

from onrecord import Memory
from onrecord.testing.scripted_server import ScriptedEndpoint

TALK = [
    ("Ana", "We leave for Lisbon on 5 May, and the tickets cost 1200 euros for both of us, which is fine with me."),
    ("Ben", "Good. I will book the hotel Aurora near the river for four nights, and I will bring my old camera."),
    ("Ana", "Please take the blue suitcase, since mine is broken, and do not forget the adapter this time."),
    ("Ben", "It is packed already, together with the map, the guide and the letters for your aunt."),
]


def filled(db: Path, count: int) -> None:
    with Memory(db, profile="hybrid", summarize="manual") as memory:
        memory.session("s").add_many([(who_speaks(seq), say(seq)) for seq in range(1, count + 1)])


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedEndpoint]:
    """A server that the command line is told of by the environment."""
    with ScriptedEndpoint() as server:
        monkeypatch.setenv("ONRECORD_UPSTREAM", server.base_url)
        monkeypatch.setenv("ONRECORD_UPSTREAM_KEY", "secret")
        monkeypatch.setenv("ONRECORD_MODEL", "openai/scripted")
        monkeypatch.setenv("ONRECORD_PROFILE", "hybrid")
        yield server


def test_a_dry_run_says_what_would_be_made_and_makes_nothing(cli: Cli, db: Path, server: ScriptedEndpoint) -> None:
    filled(db, 45)
    said = cli("summarize", "s", "--dry-run")
    assert said.code == 0
    assert "3 summaries would be made by openai/scripted; with facts: 3 calls, about" in said.out
    found = cli("summarize", "s", "--dry-run", "--json").json
    assert (found["summaries"], found["model"]) == (3, "openai/scripted")
    assert found["tokens_in"] > 1000
    assert server.requests == []
    assert cli("summaries", "s", "--json").lines == []
    plain = cli("summarize", "s", "--dry-run", "--model", "gpt-4o")
    assert plain.out == "3 summaries would be made, without a model.\n"


def test_a_model_writes_and_what_it_took_is_shown(cli: Cli, db: Path, server: ScriptedEndpoint) -> None:
    filled(db, 30)
    server.answers = [say(1).partition(". ")[0] + ".", "They fly to Mars for 99 billion dollars."]
    assert cli("summarize", "s").code == 0
    one, two = cli("summaries", "s", "--json").lines
    assert (one["method"], one["model"], two["method"]) == ("model", "openai/scripted", "keyword")
    assert two["refused"][0].startswith("unsupported")
    assert "  unsupported" in cli("summaries", "s").out
    spent = cli("spent")
    assert re.search(r"openai/scripted +2 ", spent.out)
    assert f"refused  {two['refused'][0]}: 1" in spent.out
    assert "tokens today." in spent.out
    assert cli("spent", "--json").json["today"] > 0


def test_models_are_paused_and_go_on(cli: Cli, db: Path, server: ScriptedEndpoint) -> None:
    filled(db, 15)
    assert "Models are paused." in cli("spent", "--pause").out
    assert "resume" in cli("summarize", "s").out
    assert server.requests == []
    assert cli("spent", "--resume").out.endswith("0 tokens today.\n")
    assert cli("summarize", "s").code == 0
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "command",
    [
        ["add", "s", "Hello"],
        ["summarize", "s"],
        ["rebuild"],
        ["forget", "--session", "s", "--message", "1", "--yes"],
        ["summaries", "s", "ID", "Another text."],
        ["chat", "s"],
        ["import", "-"],
    ],
)
def test_what_a_model_may_write_needs_its_key(cli: Cli, db: Path, command: list[str]) -> None:
    filled(db, 1)
    done = cli(*command, "--model", "openai/gpt-4.1-mini")
    assert done.code == 2
    assert "ONRECORD_UPSTREAM_KEY" in done.err
    assert cli("history", "s", "--json").json["text"] == say(1)  # nothing else happened


@pytest.mark.parametrize("model", ["openai/gpt-4o", "openai/openai/gpt-4o", "local/not/there.gguf"])
def test_reading_needs_nothing_of_the_model(
    cli: Cli, db: Path, tmp_path: Path, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(db, 15)
    assert cli("summarize", "s", "--profile", "hybrid").code == 0
    monkeypatch.setenv("ONRECORD_PROFILE", "hybrid")
    (one,) = cli("summaries", "s", "--json").lines
    monkeypatch.setenv("ONRECORD_MODEL", model)
    for command in (
        ["history", "s"],
        ["sessions"],
        ["search", "boiler"],
        ["context", "s", "What did we say?"],
        ["explain", "s"],
        ["pin", "s", "Tea"],
        ["pins", "s"],
        ["summaries", "s"],
        ["summaries", "s", one["id"]],
        ["summaries", "s", one["id"], "--lock"],
        ["spent"],
        ["export"],
        ["backup", str(tmp_path / "copy.db")],
        ["doctor"],
        ["path"],
    ):
        done = cli(*command)
        assert done.code == 0, (command, done.err)
    if model.endswith("gpt-4o"):
        assert cli("context", "s", "--json").json["encoding"] == "o200k_base"  # counted as its model does


def test_limits_come_from_the_environment(
    cli: Cli, db: Path, server: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(db, 15)
    monkeypatch.setenv("ONRECORD_DAILY_TOKENS", "1")
    monkeypatch.setenv("ONRECORD_OVER_LIMIT", "wait")
    assert cli("summarize", "s").code == 0
    assert cli("summaries", "s", "--json").lines == []
    monkeypatch.setenv("ONRECORD_OVER_LIMIT", "")
    assert cli("summarize", "s").code == 0
    assert cli("summaries", "s", "--json").json["refused"] == ["daily_limit"]
    assert server.requests == []


@pytest.mark.parametrize(("variable", "value"), [("DAILY_TOKENS", "many"), ("DAILY_TOKENS", "-1"), ("OVER_LIMIT", "7")])
def test_a_limit_that_is_none_is_refused(
    cli: Cli, db: Path, variable: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"ONRECORD_{variable}", value)
    done = cli("add", "s", "Hello")
    assert done.code == 2
    assert variable.lower() in done.err
    assert not db.exists()
