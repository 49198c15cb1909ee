"""Measuring whether prompts recall only what belongs."""

import json
from pathlib import Path

import pytest

from benchmarks.commands import main
from benchmarks.recall_data import requests

TALK = {
    "name": "kitchen",
    "conversations": [
        {
            "id": "c1",
            "messages": [
                {"id": f"m{at}", "session": "s", "speaker": speaker, "text": text}
                for at, (speaker, text) in enumerate(
                    [
                        ("user", "The oven broke on Monday, the repair cost 240 euros."),
                        ("assistant", "Ask whether the warranty still holds."),
                        ("user", "My neighbour Greta lent me her waffle iron."),
                        ("assistant", "Then there will be waffles on Sunday."),
                    ]
                )
            ],
            "questions": [
                {"id": "q1", "text": "What did the repair of the oven cost?", "category": "single", "gold": ["m0"]},
                {"id": "q2", "text": "Who lent me a waffle iron?", "category": "single", "gold": ["m2"]},
            ],
        }
    ],
}


def test_the_command_says_what_it_saw(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "recall"
    folder.mkdir()
    (folder / "kitchen.json").write_text(json.dumps(TALK), "utf-8")
    unanswerable = {"kitchen": {"c1": ["Which submarine did Ottilie buy?"]}}
    (tmp_path / "unanswerable.json").write_text(json.dumps(unanswerable), "utf-8")
    out = tmp_path / "figures.json"
    main(["prompts", "--data", str(folder), "--embedder", "none", "--json", str(out)])
    assert "kitchen" in capsys.readouterr().out
    figures = {figure["column"]: figure["value"] for figure in json.loads(out.read_text("utf-8"))}
    assert figures["openers"] == len(requests("test", asks=False))
    assert (figures["questions"], figures["unanswerable"]) == (2, 1)
    assert figures["silent, %"] > 90  # of this little, hardly anything is like a greeting or a task
    assert figures["AUC"] == 1.0
    assert 0 <= figures["ECE, hits"] <= 1
