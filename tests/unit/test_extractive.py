"""Summaries by choosing sentences."""

import random
import re
from itertools import islice, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.texts import messages
from onrecord.derive.extractive import SpokenPiece, extract, topics

BANDS = [(100, 150), (200, 250), (300, 350), (400, 450), (500, 750)]
TRIP = [
    SpokenPiece("Ana", "Hi, Ben! How are you?"),
    SpokenPiece("Ben", "Fine, thanks. What about the trip?"),
    SpokenPiece("Ana", "Well, we decided to fly to Lisbon on 5 May. The weather should be nice there, I guess."),
    SpokenPiece("Ben", "Great! I booked the hotel Aurora for 420 euros. It looks nice."),
    SpokenPiece("Ana", "Thank you so much!"),
    SpokenPiece("Ben", "You know, the hotel has a nice garden, and the breakfast is nice too."),
]


def chat(count: int, seed: int = 1) -> list[SpokenPiece]:
    return [SpokenPiece("Ana" if role == "user" else "Ben", text) for role, text in islice(messages(seed), count)]


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def test_decisions_numbers_names_and_dates_come_first_without_greetings() -> None:
    found = extract(TRIP, 10, 22)
    assert found.text == "Ana: We decided to fly to Lisbon on 5 May. Ben: I booked the hotel Aurora for 420 euros."
    assert found.quality == {
        "numbers": 1.0,
        "names": 1.0,
        "dates": 1.0,
        "decisions": 1.0,
        "ratio": pytest.approx(0.3, abs=0.05),
    }


def test_what_was_said_is_not_said_again() -> None:
    pieces = [
        SpokenPiece("Ana", "The server crashed on Friday night."),
        SpokenPiece("Ben", "The server crashed on Friday night!"),
    ]
    assert extract(pieces, 1, 40).text == "Ana: The server crashed on Friday night."


def test_a_name_called_out_goes_with_the_next_sentence_once() -> None:
    pieces = [
        SpokenPiece("A", "Hey, Sam. I want to buy a parrot."),
        SpokenPiece("A", "Hey, Sam. I also want a cage for the parrot."),
    ]
    assert extract(pieces, 1, 40).text == "A: Sam, I want to buy a parrot. I also want a cage for the parrot."


@pytest.mark.parametrize(("least", "most"), BANDS)
def test_the_words_stay_in_their_band(least: int, most: int) -> None:
    for seed in range(3):
        found = extract(chat(200, seed), least, most)
        assert least <= len(found.text.split()) <= most


@pytest.mark.parametrize(("least", "most"), [*BANDS, (1, 1), (3, 5), (20, 21)])
def test_one_endless_sentence_is_cut_to_the_band(least: int, most: int) -> None:
    source = " ".join(text.rstrip(".") for _, text in islice(messages(), 60))
    found = extract([SpokenPiece("user", source)], least, most).text
    assert len(found.split()) <= most
    if most > 2:
        assert len(found.split()) >= least
        assert found.endswith("….") or found[-1] in ".…"


def test_a_text_without_spaces_is_kept_short_by_its_characters() -> None:
    source = "我们决定五月五日飞往里斯本。酒店已经订好了。天气应该很好。" * 3 + "价格是四百二十欧元。大家都很高兴" * 200
    assert 0 < len(extract([SpokenPiece("user", source)], 10, 20).text) <= 20 * 13


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["Ana", "Ben", "user", ""]),
            st.text(alphabet=st.one_of(st.sampled_from(" .,!?\n`1AaeinrtMay:*-#"), st.characters()), max_size=120),
        ),
        max_size=12,
    ),
    st.integers(-1, 60),
    st.integers(-1, 60),
)
def test_any_input_gives_a_summary_within_the_limit(turns: list[tuple[str, str]], least: int, most: int) -> None:
    pieces = [SpokenPiece(*turn) for turn in turns]
    found = extract(pieces, least, most)
    assert found == extract(pieces, least, most)
    assert len(found.text.split()) <= max(0, most)
    assert "\n" not in found.text
    assert all(share >= 0 for share in found.quality.values())
    assert len(topics(pieces)) <= 5


@pytest.mark.parametrize("most", [15, 40, 120])
def test_words_are_only_left_out_and_keep_their_order(most: int) -> None:
    pieces = [*TRIP, *chat(30)]
    found = extract(pieces, most // 2, most).text
    source = iter(words(" ".join(piece.text for piece in pieces)))
    assert all(word in source for word in words(re.sub(r"\b(?:Ana|Ben): ", "", found)))


def test_speakers_are_named_where_they_change() -> None:
    found = extract(chat(40), 80, 120).text
    labels = re.findall(r"\b(Ana|Ben): ", found)
    assert labels
    assert all(one != next_ for one, next_ in pairwise(labels))


@pytest.mark.parametrize("text", ["", " ", "...", "👍", "```\n```"])
def test_nothing_said_gives_nothing(text: str) -> None:
    assert extract([SpokenPiece("user", text)], 10, 20) == ("", {})
    assert extract([], 10, 20) == ("", {})
    assert topics([SpokenPiece("user", text)]) == ()


def test_greetings_and_code_appear_only_where_there_is_nothing_else() -> None:
    code = "```python\nprint('x')\n```"
    assert extract([SpokenPiece("user", "Hello there!"), SpokenPiece("bot", "How are you?")], 1, 20).text.startswith(
        "user: Hello there!"
    )
    assert "print" in extract([SpokenPiece("user", code)], 1, 20).text
    assert "print" not in extract([SpokenPiece("user", f"The parser fails on line 3.\n{code}")], 1, 20).text


def test_hostile_sizes() -> None:
    for text in ("a" * 300_000, "a b. " * 30_000, "Yes, " * 30_000, "(" * 50_000, ", and it " * 20_000):
        assert len(extract([SpokenPiece("user", text)], 50, 100).text.split()) <= 100


def test_an_earlier_summary_keeps_its_share_and_its_speakers() -> None:
    earlier = SpokenPiece("", "Ana: We fly to Lisbon on 5 May. The hotel is called Aurora. Ben: I pay 420 euros.")
    found = extract([earlier, *chat(30)], 60, 80).text
    assert "Ana: We fly to Lisbon on 5 May. The hotel is called Aurora. Ben: I pay 420 euros." in found
    assert len(found.split()) > 40  # the new has its share too


def test_an_earlier_summary_without_speakers_is_not_given_any() -> None:
    earlier = SpokenPiece("", "They fly to Lisbon on 5 May. Deadline: Friday at noon.")
    assert extract([earlier], 5, 30).text == earlier.text


@pytest.mark.parametrize("most", [60, 150])
def test_facts_planted_early_survive_twenty_rounds(most: int) -> None:
    facts = ["allergic to penicillin since 1999", "fly to Lisbon on 5 May", "hotel Aurora costs 420 euros"]
    pieces = [SpokenPiece("Ana", f"I am {facts[0]}. We {facts[1]}."), SpokenPiece("Ben", f"The {facts[2]}.")]
    summary = extract([*pieces, *chat(1)], most // 2, most).text
    for number in range(20):
        source = chat(12, seed=number + 2)
        random.Random(number).shuffle(source)
        summary = extract([SpokenPiece("", summary), *source], most // 2, most).text
        assert len(summary.split()) <= most
    assert [fact for fact in facts if fact not in summary] == []


def test_topics_are_the_telling_words_as_written() -> None:
    found = topics(TRIP)
    assert {"Lisbon", "hotel"} <= set(found)
    assert not {"Ana", "Ben", "nice", "thanks"} & set(found)
    assert topics(TRIP, 1) == found[:1]
