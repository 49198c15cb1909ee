"""The measurement of facts: shares are of what is labelled, and the test half stays unseen."""

import json
from pathlib import Path

import pytest

from benchmarks.facts import Row, figures, load, measure, plain, tables
from recollect.errors import InvalidInput


def row(kind: str, *kinds: str, part: str = "dev") -> Row:
    return Row(text="…", kind=kind, kinds=frozenset(kinds or (kind,)), part=part)


def test_precision_is_of_what_is_claimed_and_recall_of_what_is_labelled() -> None:
    rows = [row("fact"), row("fact"), row("none"), row("goal", "goal", "fact")]
    found = [frozenset({"fact"}), frozenset[str](), frozenset({"fact"}), frozenset({"fact"})]
    told = {one.kind: one for one in figures(rows, found)}
    assert (told["fact"].labelled, told["fact"].claimed) == (2, 3)
    assert (told["fact"].precision, told["fact"].recall) == (0.667, 0.5)
    assert told["goal"].recall == 1.0  # found as what it may be called too
    assert set(told) == {"fact", "goal"}


def test_other_sets_are_also_measured_without_telling_wishes_from_limits() -> None:
    told = {one.kind: one for one in figures([row("constraint", part="more")], [frozenset({"preference"})])}
    assert (told["constraint"].recall, told["preference or constraint"].recall) == (0.0, 1.0)


def test_our_own_set_is_measured_in_two_halves() -> None:
    measured = measure()
    assert {one.part for one in measured.figures} == {"dev", "test"}
    unseen = {one.text for one in load() if one.part == "test"} - {one.text for one in load() if one.part == "dev"}
    assert unseen
    assert not unseen & {text for _, _, text in measured.mistakes}
    dev = [one for one in measured.figures if one.part == "dev"]
    assert all(one.precision >= 0.9 for one in dev)
    assert all(one.recall >= 0.7 for one in dev)


def test_a_folder_adds_labels_and_conversations(tmp_path: Path) -> None:
    (tmp_path / "labelled.jsonl").write_text(json.dumps({"text": "I prefer tea.", "kind": "preference"}) + "\n")
    recall = tmp_path / "recall"
    recall.mkdir()
    messages = [
        {"id": "a", "session": "s", "speaker": "Ana", "text": "I live in Porto.", "time": "2024-05-01T10:00:00"},
        {"id": "b", "session": "s", "speaker": "assistant", "text": "I live in Oslo.", "time": None},
    ]
    questions = [{"id": "q", "text": "Where?", "category": "x", "gold": ["a"], "answer": "Porto"}]
    told = {"name": "own", "conversations": [{"id": "1", "messages": messages, "questions": questions}]}
    (recall / "own.json").write_text(json.dumps(told))
    measured = measure(tmp_path)
    assert "labelled" in {one.part for one in measured.figures}
    (flow,) = measured.flows
    assert (flow.set, flow.messages, flow.per_hundred["fact"]) == ("own", 1, 100.0)
    assert [(one.subject, one.value) for one in measured.sample] == [("Ana", "Porto")]
    assert json.loads(json.dumps(plain(measured)))["sample"][0]["value"] == "Porto"
    assert len(list(tables(measured))) == 4


def test_a_file_of_another_shape_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "labelled.jsonl"
    file.write_text('{"text": "x", "kind": "rumour"}\n')
    with pytest.raises(InvalidInput, match="does not hold labelled sentences"):
        load(file)
