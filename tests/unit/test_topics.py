"""Where topics begin: told from what is close by, the same for whoever looks, and as people would."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from topic_tools import starts, talk

from onrecord.policy.technical import technical
from onrecord.policy.topics import AFTER, BEFORE, BY_HAND, WEIGHTS, TopicTracker, TopicTurn, begins, boundaries, signals
from onrecord.policy.topics_fields import fields_of
from onrecord.policy.topics_signs import hear

WORDS = "train soup Oslo guitar why yes thanks I need a please what is the price of it anyway 7 dentist wind ?".split()
turns = st.builds(
    TopicTurn,
    st.sampled_from(["user", "assistant", "Ana"]),
    st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join),
)
talks = st.lists(turns, max_size=40)


@settings(max_examples=60, deadline=None)
@given(talks)
def test_a_topic_has_two_turns_or_more(said: list[TopicTurn]) -> None:
    edges = [0, *boundaries(said), max(2, len(said))]
    assert all(later - earlier >= 2 for earlier, later in pairwise(edges))


@settings(max_examples=60, deadline=None)
@given(talks, st.integers(0, 39), turns)
def test_a_turn_moves_only_boundaries_near_it(said: list[TopicTurn], at: int, other: TopicTurn) -> None:
    changed = [*said[:at], other, *said[at + 1 :]]
    far = [place for place in range(len(said)) if not at - AFTER - 1 < place <= at + BEFORE + 1]
    before, after = boundaries(said), boundaries(changed[: len(said)])
    assert [place for place in before if place in far] == [place for place in after if place in far]


@settings(max_examples=60, deadline=None)
@given(talks, st.integers(0, 39))
def test_one_who_follows_comes_to_the_same_from_anywhere(said: list[TopicTurn], at: int) -> None:
    assert followed(said) == [place for place in boundaries(said) if place + AFTER < len(said)]
    assert [place for place in followed(said, at) if place > at] == [place for place in followed(said) if place > at]


def followed(said: Sequence[TopicTurn], at: int = 0) -> list[int]:
    """Where topics begin for one who follows from a turn on, and knows what was close before it."""
    following = TopicTracker()
    for place in range(max(0, at - BEFORE - AFTER - 1), min(at, len(said))):
        following.know(place, *said[place])
    return [found for place in range(at, len(said)) if (found := following.take(place, *said[place]))]


@settings(max_examples=60, deadline=None)
@given(talks, talks)
def test_nothing_beyond_what_is_close_counts(before: list[TopicTurn], after: list[TopicTurn]) -> None:
    assert 0 <= begins(before, after) <= 1
    assert begins(before, after) == begins(before[-BEFORE:], after[:AFTER])


def test_topics_are_found_where_they_begin() -> None:
    said, wanted = [TopicTurn(*one) for one in talk(120)], set(starts(120))
    found = set(boundaries(said))
    assert len(found & wanted) >= 0.7 * len(wanted)
    assert len(found & wanted) >= 0.85 * len(found)


def test_an_answer_begins_nothing() -> None:
    asked = [TopicTurn("A", "The soup is good."), TopicTurn("B", "Which herbs go into the soup?")]
    assert begins(asked, [TopicTurn("A", "Fresh thyme.")]) < 0.2
    assert begins(asked, [TopicTurn("A", "Yes, it needs some.")]) < 0.2


def test_signs_of_an_end_and_of_a_beginning_raise_it() -> None:
    cooking = [TopicTurn("A", "Fry the onions first."), TopicTurn("B", "The onions are brown.")]
    wish = [TopicTurn("A", "I need a train to Porto."), TopicTurn("B", "When would you like to leave?")]
    plain = begins(cooking, wish)
    assert begins([*cooking[:1], TopicTurn("B", "Thanks, that's all about the onions!")], wish) > plain
    assert begins(cooking, [TopicTurn("A", "By the way, I need a train to Porto."), wish[1]]) > plain
    assert begins(cooking, [TopicTurn("A", "I need a pan for the brown onions."), wish[1]]) < plain
    assert begins(cooking, [TopicTurn("A", "And is it hot enough?"), wish[1]]) < plain
    assert begins(cooking, [TopicTurn("assistant", "I need a train to Porto."), wish[1]]) < plain


def test_odd_texts_are_taken() -> None:
    for text in ("", " ", "?", "😀", "里斯本在哪里？", "x" * 100_000, "word " * 20_000, "\n\n\x00"):
        assert 0 <= begins([TopicTurn("A", text)], [TopicTurn("A", text)]) <= 1
    assert begins([], [TopicTurn("A", "Hello.")]) == begins([TopicTurn("A", "Hello.")], []) == 0.0
    assert boundaries([]) == boundaries([TopicTurn("A", "Hello.")]) == []


def test_a_long_turn_is_read_at_both_ends() -> None:
    heard = hear("user", "The cellar is wet. " + "It rained. " * 400 + "Can you find a plumber in Graz?")
    assert heard.asks
    assert {"cellar", "plumber"} <= {*heard.content}


def test_every_signal_has_a_weight() -> None:
    heard = hear("user", "Hello")
    assert {*signals([heard], [heard])} == {*WEIGHTS} | {*BY_HAND}
    assert not {*WEIGHTS} & {*BY_HAND}


def test_words_that_differ_share_a_field() -> None:
    assert fields_of(["guitar"]) & fields_of(["song"])
    assert not fields_of(["guitar"]) & fields_of(["dentist"])
    assert fields_of(["qwertz"]) == frozenset()


@pytest.mark.parametrize(
    "text",
    [
        "```\nx = 1\n```",
        "Why does `len(names)` fail?",
        "Traceback (most recent call last):",
        "I get TypeError: 'int' is not iterable",
        "SELECT name FROM rooms WHERE floor = 2",
        "Run pip install onrecord first.",
        "The setting is in config.yaml",
        "parse_args() returns too early",
        "Our API answers 500 on POST /orders",
        "The function returns a string, but the test wants an integer.",
        "Deploy the server again after the migration.",
    ],
)
def test_technical_messages_are_known(text: str) -> None:
    assert technical(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "We had soup and a salad, and the waiter was slow.",
        "My class went to the museum, and the children loved it.",
        "The train leaves at 8:40; I booked two seats near the window.",
        "She works in Graz as a nurse and likes to swim.",
        "Is the table free on Friday? We are five.",
        "Mail me at ana@example.com.",
        "I bought an iPhone for my dad - it was cheap, really...",
    ],
)
def test_ordinary_messages_are_not_technical(text: str) -> None:
    assert not technical(text)
