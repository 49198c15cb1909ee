"""Probabilities of hits and the confidence of a search: their inputs, how they are learned, and what is shipped."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from benchmarks.prompts import calibration_error, separation
from benchmarks.recall_data import Conversation, Question, Turn, requests
from onrecord import Memory
from onrecord.policy.brevity import pays
from onrecord.policy.relevance import (
    HIT,
    SEARCH,
    Calibration,
    QuestionTraits,
    relevance,
    search_features,
    speaker_lead,
)
from onrecord.recall.calibrations import FILE, GENERAL, WORDS, calibration, wording
from training import relevance as calibrate
from training.relevance import CalibrationCase, learn, wrong_person

FLAT = Calibration(np.array([1.0, *[0.0] * len(SEARCH)]), np.array([1.0, *[0.0] * len(HIT)]), None)


def test_a_hit_is_never_likelier_than_the_search_is_sure_and_the_better_is_the_likelier() -> None:
    scores = np.array([3.0, 1.0, -2.0])
    found = relevance(FLAT, QuestionTraits("What?", 1), {"near": scores}, scores)
    assert found.confidence == pytest.approx(1 / (1 + np.exp(-3.0)), abs=1e-4)
    assert found.probabilities == sorted(found.probabilities, reverse=True)
    assert all(0 <= likely <= found.confidence for likely in found.probabilities)


def test_the_inputs_are_those_of_the_best_hit_and_of_the_question() -> None:
    signals = {"near": np.array([0.1, 0.9]), "meaning": np.array([0.2, 0.8])}
    traits = QuestionTraits("Wann war das？", 3, wording=9.0, lead=0.5)
    features = dict(zip(SEARCH, search_features(traits, signals, np.array([1.0, 2.0])), strict=True))
    assert features == pytest.approx(
        {"best": 2, "near": 0.9, "meaning": 0.8, "around": 0, "lead": 0.5, "words": np.log(4), "wording": 4, "mark": 1}
    )


def test_what_the_other_said_better_speaks_against_the_one_who_is_asked_about() -> None:
    scores, side = np.array([5.0, 7.0, 1.0]), np.array([1.0, -1.0, 0.0])
    assert speaker_lead({"speaker": side}, scores, 0.0) == pytest.approx(-2.0)
    assert speaker_lead({}, scores, 0.0) == 0.0
    assert speaker_lead({"speaker": np.zeros(3)}, scores, 1.0) == 0.0


def test_a_long_line_must_be_likelier_than_a_short_one() -> None:
    assert pays(0.01, 50)
    assert not pays(0.01, 800)
    assert not pays(0.0, 1)


def test_the_question_itself_said_before_answers_nothing() -> None:
    with Memory(":memory:", embedder="none") as memory:
        chat = memory.session("s")
        for _ in range(3):
            chat.add("user", "Which zeppelin did Ottilie fly?")
        hits = memory.search("Which zeppelin did Ottilie fly?")
        assert hits.confidence == 0.0
        assert [hit.probability for hit in hits] == [0.0] * 3
        chat.add("user", "Ottilie flew the zeppelin Bodensee.")
        assert (memory.search("Which zeppelin did Ottilie fly?").confidence or 0) > 0


def test_an_empty_space_has_no_answer() -> None:
    with Memory(":memory:", embedder="none") as memory:
        assert memory.search("anything").confidence == 0.0


def test_probabilities_do_not_depend_on_the_weights_of_one_call() -> None:
    with Memory(":memory:", embedder="none") as memory:
        chat = memory.session("s")
        chat.add_many([("user", "The kayak is red."), ("user", "The boat is blue."), ("user", "Nothing happened.")])
        plain, changed = memory.search("kayak"), memory.search("kayak", weights={"words": 40.0})
        assert plain.confidence == changed.confidence
        assert [hit.probability for hit in plain][:1] == [hit.probability for hit in changed][:1]
        assert [hit.score for hit in plain][:1] != [hit.score for hit in changed][:1]


# What is shipped


def test_the_file_has_a_row_for_each_way_to_search() -> None:
    rows = json.loads(Path(str(FILE)).read_text("utf-8"))
    assert sorted(rows) == sorted([WORDS, GENERAL, "onrecord-encoder"])
    for name, row in rows.items():
        assert (len(row["search"]), len(row["hit"])) == (len(SEARCH) + 1, len(HIT) + 1)
        assert (row["wording"] is None) is (name == WORDS)
    assert Path(str(FILE)).stat().st_size < 30_000


def test_versions_of_an_encoder_share_a_row_and_an_unknown_one_gets_the_general() -> None:
    assert calibration("onrecord-encoder@1.1.0") == calibration("onrecord-encoder@9")
    assert calibration("another/model").search is calibration(GENERAL).search
    assert calibration("another/model").wording is None
    assert wording("another/model", np.ones(3)) is None
    assert wording(None, None) is None


# Learning


def _cases(asked: int = 200) -> list[CalibrationCase]:
    """Questions whose best hit is high, and talk whose best hit is low; the evidence is the first hit."""
    drawn = np.random.default_rng(3)
    found = []
    for number in range(asked):
        for kind, level in (("evidence", 9.0), ("nothing", 4.0), ("elsewhere", 4.5), ("wrong person", 7.0)):
            scores = level + np.array([0.0, -2.0, -3.0]) + drawn.normal(size=3) / 2
            search = search_features(QuestionTraits("?", 3), {"near": scores / 18}, scores)
            hits = np.stack([scores, scores - scores.max(), np.zeros(3), np.log1p(np.arange(3))], axis=1)
            gold = np.array([kind == "evidence", False, False])
            vector = drawn.normal(size=4) + np.array([2.0 if kind != "nothing" else -2.0, 0, 0, 0])
            found.append(CalibrationCase("one", kind, f"{kind} {number}", search, hits, gold, vector))
    return found


def test_what_is_planted_is_learned_and_always_the_same() -> None:
    row = learn(_cases())
    assert row == learn(_cases())
    learned = Calibration(*(np.array(row[part]) for part in Calibration._fields))
    assert learned.wording is not None
    assert learned.wording[0] > abs(learned.wording[1:4]).max()  # the number of the vector that tells them apart
    near = {"near": np.array([0.5, 0.1, 0.1])}
    high = relevance(learned, QuestionTraits("?", 3, wording=3.0), near, np.array([9.0, 7.0, 6.0]))
    low = relevance(learned, QuestionTraits("?", 3, wording=-3.0), near, np.array([4.0, 2.0, 1.0]))
    assert high.confidence > 0.8
    assert low.confidence < 0.1
    assert high.probabilities[0] > 0.6 > 0.2 > high.probabilities[1]


def test_a_row_is_written_beside_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "calibration.json"
    monkeypatch.setattr(calibrate, "FILE", file)
    for _ in range(2):
        calibrate.write(None, {"search": [1.0], "hit": [2.0], "wording": None})
    assert json.loads(file.read_text("utf-8")) == {WORDS: {"search": [1.0], "hit": [2.0], "wording": None}}


def test_a_question_is_put_about_the_wrong_person_where_two_with_names_speak() -> None:
    turns = (Turn("s", "Ana Lima", "I moved."), Turn("s", "Tom", "Oh."))
    talk = Conversation("x", "1", turns, ())
    wrong = wrong_person(talk, Question("q", "When did Ana move?", "", frozenset({0})))
    assert wrong is not None
    assert (wrong.text, wrong.gold) == ("When did Tom move?", frozenset())
    assert wrong_person(talk, Question("q", "When did she move?", "", frozenset({0}))) is None
    with_assistant = Conversation("x", "1", (Turn("s", "user", "I moved."), Turn("s", "assistant", "Oh.")), ())
    assert wrong_person(with_assistant, Question("q", "When did the user move?", "", frozenset({0}))) is None


def test_the_messages_to_judge_by_are_none_of_those_to_learn_from() -> None:
    for asking in (True, False):
        learned = {request.text.lower() for request in requests("train", asks=asking)}
        judged = {request.text.lower() for request in requests("test", asks=asking)}
        assert len(judged) >= 300
        assert not learned & judged


# Figures


def test_how_far_probabilities_are_from_what_came_true() -> None:
    assert calibration_error([0.8] * 10, [True] * 8 + [False] * 2) == pytest.approx(0.0)
    assert calibration_error([1.0, 1.0], [False, False]) == pytest.approx(1.0)
    assert calibration_error([0.5, 0.5], [True, False], [1.0, 0.0]) == pytest.approx(0.5)


def test_how_well_two_kinds_are_told_apart() -> None:
    assert separation([2, 3], [0, 1]) == 1.0
    assert separation([1], [1]) == 0.5
    assert separation([], [1]) is None


def test_by_words_alone_a_question_of_which_no_word_was_said_has_no_answer() -> None:
    with Memory(":memory:", embedder="none") as memory:
        memory.session("s").add_many([("user", "My dog is called Rex."), ("assistant", "A good name!")])
        assert memory.search("When did I sell my sailing boat?").confidence == 0.0
        assert (memory.search("What is my dog called?").confidence or 0) > 0.5


def test_the_united_states_are_not_us() -> None:
    with Memory(":memory:", embedder="none") as memory:
        memory.session("s").add_many([("user", "I live in the US."), ("assistant", "Since when?")])
        assert "about any speaker" in memory.search("How does the US Senate work?").explain()
        assert "about user" in memory.search("What did they ask us?").explain()
