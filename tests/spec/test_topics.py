"""What the designs wished for and have now: the adaptive threshold (h21), and summaries at topic changes (r07)."""

from typing import Any

import pytest

from onrecord import Memory, Session

TRAIN = [
    ("user", "I need a train from Porto to Coimbra on Friday morning."),
    ("assistant", "There are six trains on Friday morning. When would you like to leave Porto?"),
    ("user", "The train at 8:40 is fine."),
    ("assistant", "Your train from Porto is booked. Anything else?"),
]
SOUP = [
    ("user", "Can you write a recipe for a lentil soup with carrots?"),
    ("assistant", "Fry onions and carrots, add the lentils and a litre of stock."),
    ("user", "How long does the soup cook?"),
    ("assistant", "The lentils are soft after half an hour."),
    ("user", "Should the carrots go in with the lentils?"),
    ("assistant", "Yes, carrots and lentils cook together."),
]
CODE = ("user", "The function `load()` in app.py raises KeyError: 'id', here is the stack trace.")


def ranges(chat: Session) -> list[tuple[int, int]]:
    return [(one.first, one.last) for one in chat.summaries(level=1)]


def talked(memory: Memory, turns: Any) -> Session:
    chat = memory.session("s")
    for role, text in turns:
        chat.add(role, text)
    return chat


@pytest.mark.parametrize(("adaptive", "expected"), [(False, [(1, 15)]), (True, [(1, 10)])])
def test_h21_technical_talk_is_summarised_after_ten_messages(adaptive: bool, expected: list[tuple[int, int]]) -> None:
    with Memory(":memory:", profile="hybrid", options={"adaptive": adaptive}, summarize="inline") as memory:
        assert ranges(talked(memory, [CODE] * 15)) == expected


def test_h21_long_messages_are_too_and_others_are_not() -> None:
    for text, expected in (("so it is " * 80, [(1, 10)]), ("so it is", [(1, 15)])):
        with Memory(":memory:", profile="hybrid", options={"adaptive": True}, summarize="inline") as memory:
            assert ranges(talked(memory, [("user", text)] * 15)) == expected


def test_h21_the_adaptive_threshold_is_off_as_a_rule() -> None:
    with Memory(":memory:", profile="hybrid", summarize="inline") as memory:
        assert ranges(talked(memory, [CODE] * 14)) == []


def test_r07_balanced_ends_a_node_where_a_topic_ends() -> None:
    with Memory(":memory:", summarize="inline") as memory:
        assert ranges(talked(memory, TRAIN + SOUP)) == [(1, 4)]
    with Memory(":memory:", options={"topics": False}, summarize="inline") as memory:
        assert ranges(talked(memory, TRAIN + SOUP)) == []


def test_r07_rolling_summarises_a_topic_that_left_the_window() -> None:
    turns = TRAIN + SOUP + SOUP[2:]
    for topics, expected in ((False, []), (True, [(1, 4)])):
        options = {"topics": topics, "keep": 8, "from_messages": 100}
        with Memory(":memory:", profile="rolling", options=options, summarize="inline") as memory:
            assert ranges(talked(memory, turns)) == expected


def test_r07_thresholds_are_options_quality_is_kept_and_a_correction_survives() -> None:
    options = {"from_messages": 6, "keep": 2, "again": 4}
    with Memory(":memory:", profile="rolling", options=options, summarize="inline") as memory:
        chat = talked(memory, TRAIN + SOUP[:2])
        (first,) = chat.summaries()
        assert (first.first, first.last) == (1, 4)
        assert first.quality
        chat.edit_summary(first.id, "The train is at 9:40, not at 8:40.")
        for role, text in SOUP[2:]:
            chat.add(role, text)  # type: ignore[arg-type]
        *_, newest = chat.summaries()
        assert newest.last == 8
        assert "9:40" in newest.text


def test_r07_detailed_and_high_level_summaries_side_by_side() -> None:
    with Memory(":memory:", options={"units": 4, "least": 4}, summarize="inline") as memory:
        chat = talked(memory, (TRAIN + SOUP) * 4)
        assert {one.level for one in chat.summaries()} >= {1, 2}
