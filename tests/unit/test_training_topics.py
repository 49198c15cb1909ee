"""Weights of topics are learned again from plain dialogues."""

import json
from pathlib import Path

import pytest
from topic_tools import MATTERS, talk

from onrecord.policy.topics import WEIGHTS
from training import topics


def test_weights_are_learned_from_joined_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(topics, "CONVERSATIONS", 12)
    whole = [{"speaker": who, "text": text} for who, text in talk(24)]
    short = [[{"speaker": "", "text": text} for text in matter] for matter in MATTERS]
    for name in ("taskmaster4", "tiage", "qmsum"):
        entries = [*short, whole[4:], whole] if name != "taskmaster4" else short
        (tmp_path / f"{name}.json").write_text(json.dumps([{"id": "x", "turns": turns} for turns in entries]))
    found = topics.fit(tmp_path)
    assert list(found) == list(WEIGHTS)
    assert found["near"] < 0
    assert found["asked"] < 0
    assert topics.fit(tmp_path) == found
