"""Questions: whose words could answer them, and how whoever is asked about would say it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from recall_tools import index_of, message

from onrecord.policy.lexemes import lexemes
from onrecord.policy.nicknames import called_out, is_nickname
from onrecord.policy.questions import Question, read_question
from onrecord.policy.terms import words

PAIR = ("Caroline", "Melanie")
CHAT = ("user", "assistant")


def called(*names: str) -> dict[str, set[str]]:
    """Speakers by the words of their names, as an index has them."""
    found: dict[str, set[str]] = {}
    for name in names:
        for word in words(name):
            found.setdefault(word, set()).add(name)
    return found


def read(text: str, *names: str, unknown: Callable[[str], bool] = lambda word: False) -> Question:
    return read_question(text, called(*(names or PAIR)), unknown)


# First person


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("When did Caroline's sister move?", "When did my sister move?"),
        ("When did Caroline’s sister move?", "When did my sister move?"),
        ("When did Caroline go camping?", "When did I go camping?"),
        ("caroline and MELANIE", "I and I"),
        ("Did Caroline call Melanie's mother?", "Did I call my mother?"),
        ("Caroline", "I"),
        ("Caroline's", "my"),
        ("Ask  Caroline\nnow", "Ask  I\nnow"),
        ("(Caroline), Melanie!", "(I), I!"),
        ("What did Carolines say?", "What did Carolines say?"),
        ("Where is the carol?", "Where is the carol?"),
    ],
)
def test_a_speaker_speaks_of_himself(asked: str, meant: str) -> None:
    assert read(asked).meant == meant


@pytest.mark.parametrize(
    ("name", "asked", "meant"),
    [
        ("Maria Lopez", "When did Maria Lopez move?", "When did I move?"),
        ("Maria Lopez", "Whose is Maria Lopez's dog?", "Whose is my dog?"),
        ("Maria Lopez", "Does Lopez know?", "Does I know?"),
        ("O'Brien", "Where is O'Brien's hat?", "Where is my hat?"),
        ("José", "When did José arrive?", "When did I arrive?"),
        ("José", "When did Jose arrive?", "When did I arrive?"),
        ("José", "Where is JOSÉ’S hat?", "Where is my hat?"),
        ("Владимир", "Где живет Владимир?", "Где живет I?"),
        ("محمد", "أين يسكن محمد؟", "أين يسكن I؟"),
        ("李明", "李明 likes tea", "I likes tea"),
    ],
)
def test_names_of_every_kind(name: str, asked: str, meant: str) -> None:
    found = read(asked, name, "Somebody Else")
    assert found.speakers == {name}
    assert found.meant == meant


@pytest.mark.parametrize("name", ["Anne-Marie", "Ms Lee-Obuya", "王小明", "J. R. Smith", "Jose\u0301"])
def test_names_whose_words_are_cut_otherwise_still_tell_who_is_meant(name: str) -> None:
    found = read(f"When did {name} call about the boat?", name, "Bob")
    assert found.speakers == {name}
    assert set(lexemes("call about the boat")) == set(found.lexemes) - set(lexemes("Ms"))
    assert "about the boat" in found.meant


@pytest.mark.parametrize(("name", "meant"), [("Anne-Marie", "When did I call?"), ("Jose\u0301", "When did I call?")])
def test_a_name_is_one_person_however_it_is_written(name: str, meant: str) -> None:
    assert read(f"When did {name} call?", name, "Bob").meant == meant


def test_a_name_of_two_speakers_means_both() -> None:
    found = read("Is Smith at home?", "Ann Smith", "Ben Smith", "Cy")
    assert found.speakers == {"Ann Smith", "Ben Smith"}


def test_names_are_no_words_to_look_for() -> None:
    found = read("When did Caroline plan the picnic with Caroline's plans?")
    assert found.lexemes == tuple(dict.fromkeys(lexemes("plan picnic")))


def test_an_ordinary_word_is_no_name() -> None:
    found = read("What will the weather be?", "Will", "Ann")
    assert found.meant == "What will the weather be?"
    assert not found.speakers


def test_a_name_that_is_an_ordinary_word_is_a_name_where_it_is_written_as_one() -> None:
    found = read("When did Will go camping?", "Will", "Ann")
    assert (found.meant, found.speakers) == ("When did I go camping?", frozenset({"Will"}))


def test_short_words_are_no_names() -> None:
    assert read("Al or Bo?", "Al", "Bo").speakers == set()
    assert read("明 在哪里?", "明", "Bo").speakers == {"明"}


# Misspelt


def test_a_misspelt_name_counts_only_if_nobody_ever_said_the_word() -> None:
    asked = "When did Carolyn paint the sunrise?"
    assert read(asked, unknown=lambda word: word == "carolyn").speakers == {"Caroline"}
    assert read(asked, unknown=lambda word: word == "carolyn").meant == "When did I paint the sunrise?"
    assert read(asked, unknown=lambda word: False).speakers == set()
    assert read("When did Karoline paint?", unknown=lambda word: True).speakers == set()  # another first letter
    assert read("When was the carnival?", unknown=lambda word: True).speakers == set()
    assert read("Did Ane go?", "Anne", "Bob", unknown=lambda word: True).speakers == set()  # too short to tell


def test_misspelt_names_are_not_looked_for_in_a_crowd() -> None:
    crowd = [f"speaker{number:03}x" for number in range(65)]
    assert read("Did Carolin go?", "Caroline", *crowd, unknown=lambda word: True).speakers == set()


# Roles


@pytest.mark.parametrize(
    ("asked", "who"),
    [
        ("Where do I live?", "user"),
        ("What is the user's dog called?", "user"),
        ("What did you recommend for the garden?", "assistant"),
        ("Remind me of the list you gave me", "assistant"),
        ("your suggestion for dinner", "assistant"),
        ("the recipe that you told me", "assistant"),
        ("Do you know where I live?", "user"),
    ],
)
def test_a_user_asks_about_himself_unless_he_asks_what_he_was_told(asked: str, who: str) -> None:
    found = read(asked, *CHAT)
    assert found.speakers == {who}
    assert found.meant == asked


def test_other_names_of_the_same_roles() -> None:
    assert read("Where do I live?", "human", "ai").speakers == {"human"}
    assert read("What did you say?", "human", "ai").speakers == {"ai"}
    assert read("What did you say?", "Caroline", "Melanie").speakers == set()


def test_a_name_goes_before_a_role() -> None:
    assert read("What did you tell Caroline?", "Caroline", "assistant").speakers == {"Caroline"}


# Odd ones


def test_nobody_speaks() -> None:
    found = read_question("When did Caroline go?", {})
    assert (found.meant, found.speakers) == ("When did Caroline go?", frozenset())


@pytest.mark.parametrize("text", ["", " ", "?!", "\n", "\ud800", "'s", "’s ’s", "the of and"])
def test_questions_that_ask_nothing(text: str) -> None:
    found = read(text)
    assert (found.text, found.meant, found.lexemes, found.speakers) == (text, text, (), frozenset())


def test_a_huge_question_is_read_in_part() -> None:
    found = read("Caroline " + "x" * 1_000_000)
    assert len(found.text) == 2_000
    assert found.speakers == {"Caroline"}


@given(
    st.lists(st.sampled_from(["Caroline", "Melanie's", " ", "'", "-", "’s", "dog", "\n", ", ", "?"]), max_size=25),
)
def test_all_but_names_stays_as_it_was_asked(pieces: list[str]) -> None:
    text = "".join(pieces)
    found = read(text)
    assert found.text == text
    kept = [word for word in words(found.meant) if word not in ("i", "my")]
    names = set(called(*PAIR))
    assert [word for word in kept if word in words(text)] == [word for word in words(text) if word not in names]
    assert all(number for number in found.lexemes)
    assert len(set(found.lexemes)) == len(found.lexemes)


@given(st.text(max_size=200), st.lists(st.text(min_size=1, max_size=10), max_size=4))
def test_any_question_among_any_speakers(text: str, names: list[str]) -> None:
    found = read_question(text, called(*names), lambda word: True, lambda word: None)
    assert found.speakers <= set(names)
    assert found.text == text


# Nicknames


def test_calling_somebody() -> None:
    assert called_out("Hey Kate! How are you?") == ["kate"]
    assert called_out("Kate, look at this") == []  # it may be a place, or anything
    assert called_out("Hi, Kate!") == ["kate"]
    assert called_out("It was great. Thanks, Kate!") == ["kate"]
    assert called_out("I saw Kate yesterday") == []
    assert called_out("hey there!") == []
    assert called_out("x" * 200 + " Hey Kate!") == []


@pytest.mark.parametrize("text", ["Thanks, Kate!", "Hey, Kate!", "Wow, Kate, that is great", "Thanks!"])
def test_a_greeting_is_no_name(text: str) -> None:
    assert called_out(text) == (["kate"] if "Kate" in text else [])


def test_a_nickname_is_called_often_and_by_one_of_the_two() -> None:
    assert is_nickname(3, 3, 0)
    assert not is_nickname(2, 2, 0)
    assert not is_nickname(3, 3, 1)
    assert is_nickname(6, 17, 3)
    assert not is_nickname(3, 16, 0)


def test_a_nickname_tells_whom_a_question_is_about() -> None:
    said = [("Bob", "Hey Kate! How was the race?"), ("Emi", "Great, I came in third")] * 4
    index = index_of([message(text, seq, name=name) for seq, (name, text) in enumerate(said, 1)])
    assert index.nicknamed("kate") == "Emi"
    assert index.nicknamed("bob") is None
    found = read_question("When was the race of Kate?", index.called, nicknamed=index.nicknamed)
    assert (found.speakers, found.meant) == (frozenset({"Emi"}), "When was the race of I?")


def test_no_nicknames_among_three_or_where_both_say_it() -> None:
    said = [("Bob", "Hey Kate! How was it?"), ("Emi", "Fine")] * 4
    three = index_of([message(text, seq, name=name) for seq, (name, text) in enumerate([*said, ("Cy", "Hm")], 1)])
    assert three.nicknamed("kate") is None
    both = [("Bob", "Hey Kate! How was it?"), ("Emi", "Kate told me all")] * 4
    index = index_of([message(text, seq, name=name) for seq, (name, text) in enumerate(both, 1)])
    assert index.nicknamed("kate") is None
