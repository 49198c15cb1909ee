"""What may be left out of a sentence."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onrecord import Memory
from onrecord.policy.trimming import bare, heading, hollow, lone_name, shorter


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Well, you know, we fly on 5 May, sir.", "we fly on 5 May."),
        ("- **Nov 1:** Set up  the   project.", "Nov 1: Set up the project."),
        ("1. [x] Book the hotel", "Book the hotel"),
        ("Look at this [image: a photo of a dog]", "Look at this"),
        ("No, it is red.", "No, it is red."),
        ("So what?", "what?"),
        ("Well", "Well"),
    ],
)
def test_bare(sentence: str, expected: str) -> None:
    assert bare(sentence) == expected


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("We fly on 5 May (a Friday), and we stay there for two weeks.", "We fly on 5 May"),
        ("The hotel is booked for all of us, which is a relief.", "The hotel is booked for all of us"),
    ],
)
def test_a_clause_that_stands_for_itself_may_go(sentence: str, expected: str) -> None:
    assert shorter(sentence)[-1] == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "I would come with you, but I am ill today.",
        "If it rains tomorrow, we will stay at home and read.",
        "To make a good plan for this, we need a list.",
        "We fly on 5 May.",
    ],
)
def test_a_clause_that_changes_the_rest_stays(sentence: str) -> None:
    assert shorter(sentence) == []


@pytest.mark.parametrize(
    "sentence",
    ["Nice to meet you!", "How are you?", "Thanks for your advice.", "Good luck, Maria.", "Why?", "| --- | --- |"],
)
def test_hollow(sentence: str) -> None:
    assert hollow(sentence)


@pytest.mark.parametrize("sentence", ["We fly on Friday.", "The server crashed again.", "我们飞往里斯本。", "x" * 300])
def test_not_hollow(sentence: str) -> None:
    assert not hollow(sentence)


def test_headings_and_labels_of_lists() -> None:
    assert all(map(heading, ("## Set up", "**Milestones:**", "- Add income", "Milestones:", "1. **Login**")))
    assert not any(
        map(heading, ("", "- Pay 5 euros by Friday at noon", "We fly.", "5 May it is.", "C:\\x is the path we use"))
    )


def test_a_name_that_is_only_called() -> None:
    assert lone_name("Hi, Sam.", "Sam.") == "Sam"
    assert lone_name("Hi Mrs. White!", bare("Hi Mrs. White!")) == "Mrs. White"
    assert lone_name("Purple.", "Purple.") == lone_name("Hallo!", "Hallo!") == ""
    assert lone_name("1. Add Income", "Add Income") == ""


@given(
    st.text(
        alphabet=st.one_of(st.sampled_from(" ,.!?()Wwell, yes, and but becauseI-*[]"), st.characters()), max_size=200
    )
)
def test_words_are_only_taken_away(sentence: str) -> None:
    short = bare(sentence)
    for text in (short, *shorter(short)):
        rest = iter("".join(sentence.split()))
        assert all(letter in rest for letter in "".join(text.split()))
    hollow(short)
    if sentence:
        heading(sentence)


WORDS = ["we met", "tuesday in the old town hall", "and then we", "because it", "but it was cold", "which", "42"]
PIECES = [*"( ) — ; , : - ** # “ … [x]".split(), *WORDS, "(tags allergy, standing)", "\n", "| a | b |"]


@given(st.lists(st.sampled_from(PIECES), max_size=24).map(" ".join))
def test_whatever_the_brackets_nothing_empty_is_left(text: str) -> None:
    for short in shorter(bare(text)):
        assert short.strip()
        assert len(short) < len(bare(text))


def test_a_sentence_in_brackets_is_no_aside() -> None:
    assert shorter("(We met on Tuesday in the old town hall near the river and spoke for hours.)") == []
    assert all(shorter("(tags allergy, standing); what you write by hand weighs what you say."))


@settings(max_examples=40)
@given(st.lists(st.lists(st.sampled_from(PIECES), min_size=1, max_size=20).map(" ".join), min_size=12, max_size=30))
def test_any_talk_can_be_summarised(texts: list[str]) -> None:
    with Memory(":memory:", embedder=None, summarize="manual") as memory:
        chat = memory.session("s")
        chat.add_many([("user" if number % 2 else "assistant", text) for number, text in enumerate(texts)])
        chat.summarize(1, len(texts))
