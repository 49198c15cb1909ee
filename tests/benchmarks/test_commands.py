from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cli_tools import Outcome

from benchmarks.commands import main
from onrecord.testing.scripted_server import ScriptedEndpoint

Bench = Callable[..., Outcome]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Bench:
    for name in [name for name in os.environ if name.startswith("ONRECORD_")]:
        monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)

    def measure(*arguments: object) -> Outcome:
        code = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return measure


def _refused(done: Outcome) -> None:
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("Error: ")


def test_help_opens_with_a_sentence_and_an_example(command: Bench) -> None:
    done = command("latency", "--help")
    usage, sentence, example = [line.strip() for line in done.out.splitlines() if line.strip()][:3]
    assert usage.startswith("Usage: python -m benchmarks latency")
    assert sentence.endswith(".")
    assert example.startswith("Example: python -m benchmarks latency")
    assert command().code == 2


def test_lists_of_counts_are_checked_before_anything_starts(command: Bench) -> None:
    for counts in ("many", "0", "1,,2", "9" * 5000):
        _refused(command("latency", "--sizes", counts))
        _refused(command("service", "--clients", counts))


def test_facts_prints_figures_a_sample_and_mistakes(command: Bench, tmp_path: Path) -> None:
    out = tmp_path / "figures.json"
    done = command("facts", "--json", out)
    assert done.code == 0
    assert "Facts found in labelled sentences" in done.out
    assert "Mistakes outside the test half" in done.out
    found = json.loads(out.read_text())
    assert {figure["table"].rpartition(", ")[2] for figure in found} == {"dev", "test"}
    messages = [
        {"id": f"m{at}", "session": "s", "speaker": "Ana", "text": text, "time": f"2024-05-0{at + 1}T09:00"}
        for at, text in enumerate(("I live in Lisbon.", "I'm allergic to penicillin.", "I have lived in Porto since."))
    ]
    question = {"id": "q", "text": "Where does Ana live?", "category": "one", "gold": ["m2"], "answer": "Porto"}
    own = {"name": "own", "conversations": [{"id": "c", "messages": messages, "questions": [question]}]}
    (tmp_path / "recall").mkdir()
    (tmp_path / "recall" / "own.json").write_text(json.dumps(own))
    more = command("facts", "--data", tmp_path, "--sample", 1, "--json", out)
    assert more.code == 0, more.err
    assert "A sample of them" in more.out
    (number,) = (figure["value"] for figure in json.loads(out.read_text()) if figure["column"] == "facts")
    assert number == 100  # in a hundred messages
    _refused(command("facts", "--data", tmp_path / "nowhere"))


def test_segments_prints_a_table_a_set(command: Bench, tmp_path: Path) -> None:
    turns = ["Hello, I need a taxi.", "Where to?", "To the station.", "Booked.", "Any good film on?", "Yes, at eight."]
    (tmp_path / "few.json").write_text(json.dumps([{"id": "a", "turns": turns, "segments": [4, 2]}]))
    done = command("segments", "--data", tmp_path, "--json", tmp_path / "out.figures")
    assert done.code == 0
    assert "Topics of 1 dialogues of few" in done.out
    figures: list[dict[str, Any]] = json.loads((tmp_path / "out.figures").read_text())
    assert {figure["row"] for figure in figures} >= {"onrecord", "no boundary"}
    (tmp_path / "few.json").write_text("[{}]")
    _refused(command("segments", "--data", tmp_path))


TALK = [
    ("Ana", "We leave for Lisbon on 5 May, and the tickets cost 1200 euros for both of us, which is fine with me."),
    ("Ben", "Good. I will book the hotel Aurora near the river for four nights, and I will bring my old camera."),
    ("Ana", "Please take the blue suitcase, since mine is broken, and do not forget the adapter this time."),
    ("Ben", "It is packed already, together with the map, the guide and the letters for your aunt."),
]


def test_models_writes_a_report(command: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = tmp_path / "talks.json"
    entry = {"id": "1", "messages": [{"speaker": who, "text": text} for who, text in TALK], "summary": "x"}
    data.write_text(json.dumps([entry] * 3))
    report, figures = tmp_path / "texts.md", tmp_path / "figures.json"
    with ScriptedEndpoint() as endpoint:
        endpoint.answers = ["They leave for Lisbon on 5 May."]
        monkeypatch.setenv("ONRECORD_UPSTREAM", endpoint.base_url)
        given = ["--data", data, "--model", "openai/scripted", "--report", report, "--json", figures]
        done = command("models", *given)
    assert done.code == 0, done.err
    assert "| summaries | 3 |" in done.out
    assert "They leave for Lisbon on 5 May." in report.read_text(encoding="utf-8")
    assert json.loads(figures.read_text())[0]["value"] == 3


def test_a_model_that_cannot_be_asked_is_refused(command: Bench, tmp_path: Path) -> None:
    done = command("models", "--data", tmp_path, "--model", "gpt-4o")
    _refused(done)
    assert "local/FILE.gguf" in done.err
