"""The measures of topic boundaries, on cases that can be counted by hand."""

from __future__ import annotations

import json
from io import StringIO
from itertools import pairwise
from pathlib import Path

import pytest
from rich.console import Console
from topic_tools import MATTERS, starts, talk

from benchmarks import segments
from benchmarks.segments import Figure, even, fit, load, measure, pk, plain, tables, text_tiling, window_diff
from recollect import InvalidInput
from recollect.policy.topics import WEIGHTS


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
    done: list[int] = []
    found = {one.who: one for one in measure(folder, done.append)}
    assert len(found) == len(done) == 6
    assert found[segments.OURS].pk < min(one.pk for name, one in found.items() if name != segments.OURS)
    assert found[segments.OURS].f1 > 0.7
    assert found[segments.NONE].recall == 0.0
    assert found[segments.COUNTED].precision == found[segments.COUNTED].recall
    assert found[segments.OURS].us > 0


def test_figures_are_shown(folder: Path) -> None:
    found = measure(folder)
    console = Console(file=StringIO(), width=120)
    for table in tables(found):
        console.print(table)
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert "talks" in shown
    assert all(one.who in shown for one in found)
    figures = plain(found)["figures"]
    assert isinstance(figures, list)
    assert [Figure(**one) for one in figures] == found


@pytest.mark.parametrize("content", ["", "[{}]", '[{"turns": ["a"], "segments": [2]}]', "[]", '{"a": 1}'])
def test_what_is_no_such_folder_is_refused(tmp_path: Path, content: str) -> None:
    (tmp_path / "x.json").write_text(content)
    with pytest.raises(InvalidInput):
        load(tmp_path)
    with pytest.raises(InvalidInput):
        load(tmp_path / "missing.json")


def test_weights_are_learned_from_joined_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(segments, "CONVERSATIONS", 12)
    whole = [{"speaker": who, "text": text} for who, text in talk(24)]
    short = [[{"speaker": "", "text": text} for text in matter] for matter in MATTERS]
    for name in ("taskmaster4", "tiage", "qmsum"):
        entries = [*short, whole[4:], whole] if name != "taskmaster4" else short
        (tmp_path / f"{name}.json").write_text(json.dumps([{"id": "x", "turns": turns} for turns in entries]))
    found = fit(tmp_path)
    assert list(found) == list(WEIGHTS)
    assert found["near"] < 0
    assert found["asked"] < 0
    assert fit(tmp_path) == found
