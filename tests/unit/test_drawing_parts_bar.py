"""Bars of scores: on one scale, nothing outside, nothing over another."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.policy.lexemes import lexemes
from onrecord.ui.drawing.parts_bar import WIDTH, bars, probability_bar
from onrecord.ui.pages.recall_page import marked

values = st.floats(min_value=-1e6, max_value=1e6, allow_nan=False)
scores = st.lists(st.dictionaries(st.sampled_from(["words", "near", "time", "self"]), values), max_size=6)


@given(scores)
def test_parts_stand_side_by_side_on_one_scale(parts: list[dict[str, float]]) -> None:
    drawn = bars(parts)
    assert len(drawn) == len(parts)
    for bar, score in zip(drawn, parts, strict=True):
        assert [one.name for one in bar.segments] == list(score)
        assert bar.zero == drawn[0].zero
        end = 0.0
        for one in sorted(bar.segments, key=lambda one: one.x):
            if one.width > 1e-6:
                assert one.x >= end - 1e-6
                end = one.x + one.width
                assert one.x + one.width <= bar.zero + 1e-6 if one.value < 0 else one.x >= bar.zero - 1e-6
        assert end <= WIDTH + 1e-6


def test_the_same_value_is_as_long_in_every_bar() -> None:
    one, other = bars([{"words": 2.0, "self": 4.0}, {"near": -2.0, "words": 2.0}])
    assert one.segments[0].width == other.segments[0].width == other.segments[1].width
    assert one.segments[1].width == 2 * one.segments[0].width


def test_nothing_at_all_has_no_width() -> None:
    assert bars([]) == []
    assert [one.width for one in bars([{"words": 0.0}])[0].segments] == [0.0]


@given(st.dictionaries(st.sampled_from(["words", "near", "self"]), values), st.floats(0, 1))
def test_a_bar_with_a_probability_is_as_long_as_that(parts: dict[str, float], probability: float) -> None:
    segments = probability_bar(parts, probability).segments
    assert [one.name for one in segments] == list(parts)
    assert all(one.width >= 0 for one in segments)
    assert all(one.width == 0 for one in segments if one.value <= 0)
    speaks = any(value > 0 for value in parts.values())
    assert sum(one.width for one in segments) == pytest.approx(probability * WIDTH if speaks else 0, abs=1e-6)


@given(st.text(max_size=80), st.text(max_size=20))
def test_marked_pieces_are_the_text(text: str, asked: str) -> None:
    pieces = marked(text, frozenset(lexemes(asked)))
    assert "".join(piece for _, piece in pieces) == text
    assert all(one[0] != other[0] for one, other in pairwise(pieces))


@pytest.mark.parametrize(
    ("text", "asked", "wanted"),
    [
        ("Planning plans.", "we planned it", ["Planning", "plans"]),
        ("The café, CAFE and caff", "cafe", ["café", "CAFE"]),
        ("我喜欢东京塔", "东京", ["东京"]),
        ("with the", "with the", []),
    ],
)
def test_the_words_of_a_question_are_marked_as_a_search_compares_them(text: str, asked: str, wanted: list[str]) -> None:
    assert [piece for match, piece in marked(text, frozenset(lexemes(asked))) if match] == wanted
