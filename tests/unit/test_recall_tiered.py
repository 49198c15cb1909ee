"""The tiered design's five scores: each by itself, of passages as of messages, and kept as long as nothing came."""

from __future__ import annotations

import math

import pytest
from recall_tools import START, arrivals, index_of, message, noted

from onrecord.recall.indexed_texts import analysed
from onrecord.recall.tiered import TIERED_WEIGHTS, tiered_signals

NOW = START.timestamp()


def scores(texts: list[str], question: str, name: str) -> list[float]:
    index = index_of([message(text, seq, time=START) for seq, text in enumerate(texts, 1)])
    return tiered_signals(index, question, NOW).passages[name].tolist()  # type: ignore[no-any-return]


def test_the_weights_are_those_of_the_scoring_section() -> None:
    assert dict(TIERED_WEIGHTS) == {"semantic": 0.4, "keyword": 0.3, "recency": 0.2, "importance": 0.1, "access": 0.0}


def test_the_same_text_is_as_near_as_can_be() -> None:
    texts = ["red kayak on a lake", "blue canoe", "green boat"]
    assert scores(texts, "red kayak on a lake", "semantic") == pytest.approx([1, 0, 0])
    assert scores(texts, "red kayak on a lake", "keyword") == pytest.approx([1, 0, 0])


def test_cosine_by_hand() -> None:
    texts = ["kayak kayak lake", "kayak moon", "lake sun"]
    kayak, lake, moon = math.log(3 / 2), math.log(3 / 2), math.log(3)
    first = kayak * 1 * kayak / (kayak * math.hypot(kayak, lake / 2))
    second = kayak * kayak / (kayak * math.hypot(kayak, moon))
    assert scores(texts, "kayak", "semantic") == pytest.approx([first, second, 0])
    assert scores(texts, "kayak lake star", "keyword") == pytest.approx([2 / 3, 1 / 3, 1 / 3])


def test_a_word_that_is_everywhere_tells_nothing() -> None:
    assert scores(["kayak red", "kayak blue"], "kayak", "semantic") == [0, 0]
    assert scores(["kayak red", "kayak blue"], "kayak", "keyword") == [1, 1]


@pytest.mark.parametrize("question", ["", "the of", "???", "walrus"])
def test_questions_that_nothing_answers(question: str) -> None:
    for name in ("semantic", "keyword"):
        assert scores(["red kayak", "", "the"], question, name) == [0, 0, 0]


def test_recency_halves_every_thirty_days() -> None:
    index = index_of([message("kayak", time=START), message("kayak", 2, time=START)])
    for days, expected in ((0, 1), (30, 0.5), (60, 0.25), (7.5, 0.5**0.25), (-10, 1)):
        found = tiered_signals(index, "kayak", NOW + days * 86_400).passages
        assert found["recency"].tolist() == pytest.approx([expected] * 2, abs=1e-6)
        assert found["access"].tolist() == [0, 0]


def test_importance_is_the_messages_own() -> None:
    index = index_of([message("kayak", importance=0.25), message("kayak", 2, importance=1.0)])
    assert tiered_signals(index, "kayak", NOW).passages["importance"].tolist() == [0.25, 1]


def test_passages_of_long_messages_have_scores_of_their_own() -> None:
    long = " ".join(f"Sentence {number} is about bread and butter." for number in range(60)) + " A kayak!"
    index = index_of([message(long), message("Something else", 2, importance=0.9)])
    found = tiered_signals(index, "kayak", NOW)
    assert found.matched == 1
    best = index.of_items(found.passages["semantic"])
    assert best[0] > 0
    assert best[1] == 0
    assert len(found.passages["importance"]) == len(index.item)
    assert found.passages["importance"].tolist()[-1] == pytest.approx(0.9)


def test_what_follows_from_all_words_is_made_once_until_something_came(monkeypatch: pytest.MonkeyPatch) -> None:
    index = index_of([message("red kayak"), message("blue canoe", 2)])
    made: list[int] = []
    real = index.postings.entries
    monkeypatch.setattr(index.postings, "entries", noted(made, 1, real))
    before = tiered_signals(index, "kayak", NOW).passages["semantic"]
    tiered_signals(index, "canoe", NOW)
    assert len(made) == 1
    index.extend(arrivals([message("red kayak", 3)], 2), analysed(["red kayak"], 0))
    after = tiered_signals(index, "kayak", NOW).passages["semantic"]
    assert len(made) == 2
    assert after[2] == after[0]
    assert len(before) == 2
