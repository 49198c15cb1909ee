"""Scores of messages by simple signs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.policy.importance import importance, loose_importance, telling_importance
from onrecord.records import ROLES


@pytest.mark.parametrize(
    ("text", "loose", "whole"),
    [
        ("Thanks!", 0.5, 0.5),
        ("Can you explain how authentication works?", 0.7, 0.7),
        ("what a day", 0.7, 0.7),
        ("Whatever", 0.7, 0.5),
        ("a classic malfunction", 0.65, 0.5),
        ("the class has a function", 0.65, 0.65),
        ("tissue", 0.6, 0.5),
        ("two problems", 0.6, 0.6),
        ("x" * 201, 0.6, 0.6),
    ],
)
def test_signs(text: str, loose: float, whole: float) -> None:
    assert loose_importance("user", text) == loose
    assert importance("user", text) == whole


def test_an_assistant_counts_a_little_more() -> None:
    assert importance("assistant", "Fine.") == loose_importance("assistant", "Fine.") == 0.55


def test_all_signs_together_are_one() -> None:
    text = "Why does this function raise an error? " + "x" * 200
    assert importance("assistant", text) == loose_importance("assistant", text) == 1.0


@pytest.mark.parametrize(
    ("more", "less"),
    [
        ("I'm allergic to penicillin.", "Shall I look for a flat?"),
        ("We decided to fly to Lisbon on 5 May.", "Wow, that sounds amazing! What was it like?"),
        ("My sister Ana moved to Porto in 2019.", "Thanks!"),
    ],
)
def test_what_tells_something_that_lasts_scores_higher(more: str, less: str) -> None:
    assert telling_importance("user", more) > telling_importance("user", less) + 0.2
    assert 0.1 <= telling_importance("user", less) < telling_importance("user", more) <= 1.0


@given(st.sampled_from(ROLES), st.text())
def test_scores_stay_in_range_and_whole_words_never_score_higher(role: str, text: str) -> None:
    assert 0.5 <= importance(role, text) <= loose_importance(role, text) + 0.2  # type: ignore[arg-type]
    assert loose_importance(role, text) <= 1.0  # type: ignore[arg-type]
