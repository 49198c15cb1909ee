"""The bar of a score, and the words of a question in a text."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.policy.lexemes import lexemes
from onrecord.ui.pages.recall_page import WIDTH, marked, score_bar

values = st.floats(min_value=-1e6, max_value=1e6, allow_nan=False)


@given(st.dictionaries(st.sampled_from(["words", "near", "self"]), values), st.floats(0, 1))
def test_a_bar_with_a_probability_is_as_long_as_that(parts: dict[str, float], probability: float) -> None:
    segments = score_bar(parts, probability)
    assert [part.name for part in segments] == list(parts)
    assert all(part.width >= 0 for part in segments)
    assert all(part.width == 0 for part in segments if part.value <= 0)
    speaks = any(value > 0 for value in parts.values())
    assert sum(part.width for part in segments) == pytest.approx(probability * WIDTH if speaks else 0, abs=1e-6)


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
