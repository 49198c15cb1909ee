"""The measures of topic boundaries, on cases that can be counted by hand."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from topic_tools import starts, talk

from benchmarks.segments import _methods, _scores, even, load, pk, text_tiling, window_diff
from onrecord import InvalidInput


def test_what_is_right_costs_nothing() -> None:
    assert pk([4, 8], [4, 8], 12) == window_diff([4, 8], [4, 8], 12) == 0.0


def test_pk_counts_pairs_that_are_wrongly_together_or_apart() -> None:
    # k = 2: pairs (0,2) … (5,7); the boundary at 4 parts (2,4) and (3,5).
    assert pk([4], [], 8) == pytest.approx(2 / 6)
    assert pk([], [4], 8) == 1.0  # k = 4: 4 parts each of (0,4) … (3,7)
    assert pk([4], [5], 8) == pytest.approx(2 / 6)


def test_window_diff_counts_boundaries_that_are_close_together() -> None:
    # (2,4) has one boundary and is told one; (3,5) one and two: only WindowDiff sees that.
    assert pk([4], [4, 5], 8) == pytest.approx(1 / 6)
    assert window_diff([4], [4, 5], 8) == pytest.approx(2 / 6)


def test_a_dialogue_shorter_than_the_window_counts_as_right() -> None:
    assert pk([], [], 1) == window_diff([], [1], 2) == 0.0


def test_even_parts() -> None:
    assert even(12, 3) == [4, 8]
    assert even(10, 1) == even(10, 0) == []
    assert even(2, 5) == [1]


def test_text_tiling_finds_where_words_change() -> None:
    soup, train = "soup lentils carrots stock soup", "train ticket platform station train"
    assert text_tiling([soup] * 5 + [train] * 5) == [5]
    assert text_tiling([soup]) == text_tiling([]) == []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    texts = [text for _, text in talk(48)]
    edges = [0, *starts(48), 48]
    lengths = [later - earlier for earlier, later in pairwise(edges)]
    (tmp_path / "talks.json").write_text(json.dumps([{"id": 0, "turns": texts, "segments": lengths}]))
    return tmp_path


def test_all_methods_are_measured(folder: Path) -> None:
    cases = load(folder)
    scores = {method: _scores(cases, method, work) for method, work in _methods(cases).items()}
    assert len(scores) == 6
    ours = scores.pop("onrecord")
    assert ours["Pk"] < min(values["Pk"] for values in scores.values())
    assert ours["F1"][0] > 70
    assert ours["µs a turn"][0] > 0
    assert scores["no boundary"]["F1"][0] == 0.0


@pytest.mark.parametrize("content", ["", "[{}]", '[{"turns": ["a"], "segments": [2]}]', "[]", '{"a": 1}'])
def test_what_is_no_such_folder_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "x.json").write_text(content)
    with pytest.raises(InvalidInput):
        load(tmp_path)
    with pytest.raises(InvalidInput):
        load(tmp_path / "missing.json")
