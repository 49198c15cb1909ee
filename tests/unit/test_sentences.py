"""A text as its sentences."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.policy.sentences import FENCE, GONE, beginning, sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t ", []),
        ("One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]),
        ("Dr. Smith came at 3.5 p.m. He left.", ["Dr. Smith came at 3.5 p.m.", "He left."]),
        ("Fruit, e.g. pears, i.e. these. Done.", ["Fruit, e.g. pears, i.e. these.", "Done."]),
        ("I live in the U.S. We like it.", ["I live in the U.S.", "We like it."]),
        ("The U.S. Army is big.", ["The U.S. Army is big."]),
        ("Ask J. Smith. Then call Ed. He knows.", ["Ask J. Smith.", "Then call Ed.", "He knows."]),
        ("No. 5 is alive. No. It is not.", ["No. 5 is alive.", "No.", "It is not."]),
        (
            "Version 1.2.3 is out! See https://a.b/c?x=1. Good.",
            ["Version 1.2.3 is out!", "See https://a.b/c?x=1.", "Good."],
        ),
        ("Well... maybe. And then... Nothing", ["Well... maybe.", "And then...", "Nothing"]),
        ('She asked "Really?" and left. "Go." Then.', ['She asked "Really?" and left.', '"Go."', "Then."]),
        ("1. First item. More\n- second item\n* third", ["1. First item.", "More", "- second item", "* third"]),
        ("我们五月飞。你好！真的？好", ["我们五月飞。", "你好！", "真的？", "好"]),
        ("यह है। और यह।", ["यह है।", "और यह।"]),
        ("Wir fliegen am 5. Mai. Es kostet 5. Gut.", ["Wir fliegen am 5. Mai.", "Es kostet 5.", "Gut."]),
        ("i like it. but no", ["i like it.", "but no"]),
        ("The rooms are 5." + " " * 40 + "and more", ["The rooms are 5.", "and more"]),
        ("Part 12." + "\t" * 50 + "page 7", ["Part 12.", "page 7"]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_code_is_one_piece_whatever_stands_in_it() -> None:
    code = "```python\nx = 1. + 2\n\nprint(x)! # Why? So.\n```"
    assert sentences(f"Look:\n{code}\nDone. Fine.") == ["Look:", code, "Done.", "Fine."]


def test_a_fence_that_never_closes_takes_the_rest_only_where_it_opens_a_line() -> None:
    assert sentences("See.\n```\na. b.") == ["See.", "```\na. b."]
    assert sentences("Three marks ``` here. And on.") == ["Three marks ``` here.", "And on."]


@pytest.mark.parametrize(
    "text",
    [
        "." * 500_000,
        "a" * 500_000,
        "One two. " * 50_000,
        ".a" * 200_000,
        FENCE * 50_000,
        "\n" * 500_000,
        "\ud800. " * 9,
    ],
)
def test_hostile_texts_are_split_without_loss(text: str) -> None:
    assert _dense("".join(sentences(text))) == _dense(text)


@given(st.text(alphabet=st.one_of(st.sampled_from(" .!?…\n`\"'。12aBcI-*)"), st.characters()), max_size=200))
def test_only_white_space_is_lost(text: str) -> None:
    found = sentences(text)
    assert _dense("".join(found)) == _dense(text)
    assert all(sentence == sentence.strip() != "" for sentence in found)


def _dense(text: str) -> str:
    return "".join(text.split())


SAID = st.lists(
    st.sampled_from(
        [
            "Booked: Hotel Luna.",
            "The hotel was cancelled!",
            "From 19 to 25 May?",
            "Dr. Smith came at 3.5 p.m.",
            "我们飞。",
        ]
    ),
    min_size=1,
    max_size=9,
)


@given(SAID, st.integers(1, 160))
def test_what_is_shortened_is_made_of_whole_sentences_from_the_start(said: list[str], most: int) -> None:
    text = " ".join(said)
    short = beginning(text, lambda part: len(part) <= most)
    assert len(short) <= most
    if short == text:
        return
    assert short.endswith(GONE)
    whole = sentences(short.removesuffix(GONE))
    if sentences(text)[: len(whole)] != whole:  # not even the first fits
        assert len(f"{sentences(text)[0]} {GONE}") > most
        assert sentences(text)[0].startswith(short.removesuffix(GONE))


def test_a_first_sentence_that_is_too_long_ends_at_a_word() -> None:
    text = "We booked the small hotel by the harbour from 19 to 25 May. Then we cancelled it."
    assert beginning(text, lambda part: len(part) <= 40) == "We booked the small hotel by the…"
    assert beginning(text, lambda part: len(part) <= 62) == f"{sentences(text)[0]} …"
    assert beginning("我们五月飞" * 20, lambda part: len(part) <= 11) == "我们五月飞" * 2 + GONE
