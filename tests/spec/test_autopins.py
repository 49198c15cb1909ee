"""Facts that pin themselves: h21."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from longterm_tools import Hands, chatter, claim, day, opened, tell

from onrecord import NotFound, Session
from onrecord.policy.unasked_facts import chosen, worth
from onrecord.records import FACT_KINDS, Fact, Pin

ALLERGY = "I'm allergic to penicillin."
ORDER = "Always answer in metric units."
DECISION = "We decided to use SQLite for the journal."


def pinned(chat: Session, **more: Any) -> list[str]:
    return [pin.text for pin in chat.pins(**more)]


def known(chat: Session) -> list[str]:
    """What a prompt shows unasked."""
    context = chat.context("What should I tell the doctor?")
    return [one.text for one in context.manifest if one.section in ("pins", "facts") and one.included]


def autos(chat: Session) -> list[Pin]:
    return [pin for pin in chat.pins() if pin.type == "auto"]


# What is pinned


@pytest.mark.parametrize("said", [ALLERGY, ORDER, DECISION])
def test_h21_what_must_not_be_missed_pins_itself(said: str) -> None:
    clock = Hands()
    with opened(clock=clock) as memory:
        chat = memory.session("s")
        chatter(chat, 2)
        tell(chat, said)
        (pin,) = chat.pins()
        assert (pin.type, pin.text, pin.source, pin.session) == ("auto", said, 3, "s")
        assert pin.id.startswith("pin_fact_")
        assert 0.5 <= pin.importance <= 1
        assert pin.tokens > 0
        assert (pin.origin, pin.time) == ("user", day(0))


def test_h21_a_date() -> None:
    with opened() as memory:
        memory.add_fact("The lease ends on 1 June 2027.", tags=["date"], importance=0.5)
        memory.add_fact("The sea is salty.", importance=0.5)
        assert pinned(memory.session("s")) == ["The lease ends on 1 June 2027."]


def test_h21_the_most_important_first() -> None:
    with opened() as memory:
        chat = memory.session("s")
        tell(chat, DECISION, ORDER, ALLERGY)
        assert pinned(chat) == [ALLERGY, ORDER, DECISION]


@pytest.mark.parametrize("said", ["I live in Lisbon.", "I prefer dark mode.", "Is penicillin dangerous?"])
def test_h21_the_rest_is_not(said: str) -> None:
    with opened() as memory:
        tell(memory.session("s"), said)
        assert memory.session("s").pins() == []


def test_h21_what_waits_is_not_pinned_until_it_counts() -> None:
    with opened() as memory:
        chat = memory.session("s")
        fact = memory.add_fact("No nuts.", kind="constraint", tags=["allergy"], confidence=0.4)
        assert pinned(chat) == []
        memory.promote_fact(fact.id)
        assert pinned(chat) == ["No nuts."]


def test_h21_one_sentence_is_one_pin() -> None:
    with opened() as memory:
        for attribute in ("units", "distances"):
            memory.add_fact(ORDER, kind="constraint", tags=["standing"], subject="user", attribute=attribute, value="x")
        assert pinned(memory.session("s")) == [ORDER]


# Where


def test_h21_it_is_in_the_prompt_of_every_session() -> None:
    with opened() as memory:
        tell(memory.session("s"), ALLERGY)
        other = memory.session("other")
        tell(other, "Good morning!")
        context = other.context("What should I tell the doctor?")
        assert ALLERGY in str(context)
        shown = [one for one in context.manifest if one.section == "pins" and one.included]
        assert [one.text for one in shown] == [ALLERGY]
        assert pinned(other) == [ALLERGY]
        assert other.pins()[0].source is None  # a message of another conversation


def test_h21_in_hybrid_each_session_has_its_own() -> None:
    with opened(profile="hybrid") as memory:
        chat = memory.session("s")
        tell(chat, ALLERGY)
        assert pinned(chat) == [ALLERGY]
        assert pinned(memory.session("other")) == []
        assert ALLERGY not in str(memory.session("other").context("What should I tell the doctor?"))


@pytest.mark.parametrize("profile", ["progressive", "rolling"])
def test_h21_designs_without_them_have_none(profile: str) -> None:
    with opened(profile=profile) as memory:
        tell(memory.session("s"), ALLERGY)
        assert memory.session("s").pins() == []


# How many


@pytest.mark.parametrize(("profile", "most"), [("balanced", 12), ("hybrid", 3)])
def test_h21_not_more_than_the_profile_allows(profile: str, most: int) -> None:
    with opened(profile=profile) as memory:
        for number in range(20):
            memory.add_fact(f"No nuts of sort {number}.", kind="constraint", tags=["allergy"], session="s")
        assert len(autos(memory.session("s"))) == most


@pytest.mark.parametrize("most", [0, 1, 2])
def test_h21_the_limit_is_an_option(most: int) -> None:
    with opened(options={"auto_pins": most}) as memory:
        chat = memory.session("s")
        tell(chat, DECISION, ORDER, ALLERGY)
        assert pinned(chat) == [ALLERGY, ORDER][:most]


def test_h21_pins_of_people_do_not_count() -> None:
    with opened(options={"auto_pins": 1}) as memory:
        chat = memory.session("s")
        chat.pin("Call the harbour.")
        tell(chat, ALLERGY)
        assert sorted(pinned(chat)) == ["Call the harbour.", ALLERGY]


# As things change


def test_h21_replaced_when_it_is_superseded() -> None:
    clock = Hands()
    with opened(clock=clock) as memory:
        chat = memory.session("s")
        tell(chat, DECISION)
        clock.on(1)
        tell(chat, "We decided to use PostgreSQL for the journal.")
        assert pinned(chat) == ["We decided to use PostgreSQL for the journal."]
        assert pinned(chat, as_of=day(0.5)) == [DECISION]
        chat.forget(2)
        assert pinned(chat) == [DECISION]


def test_h21_a_person_s_pin_is_never_touched() -> None:
    clock = Hands()
    with opened(clock=clock) as memory:
        chat = memory.session("s")
        tell(chat, DECISION)
        mine = chat.pin(DECISION, source=1, importance=0.9)
        assert chat.pins() == [mine]  # once, and as the person has it
        clock.on(1)
        tell(chat, "We decided to use PostgreSQL for the journal.")
        assert mine in chat.pins()
        chat.unpin(mine.id)
        assert pinned(chat) == ["We decided to use PostgreSQL for the journal."]


def test_h21_unpinned_it_stays_away_and_stays_a_fact() -> None:
    clock = Hands()
    with opened(clock=clock) as memory:
        chat = memory.session("s")
        tell(chat, ALLERGY, ORDER)
        chat.unpin(next(pin.id for pin in chat.pins() if pin.text == ALLERGY))
        assert pinned(chat) == [ORDER]
        clock.on(1)
        tell(chat, ALLERGY)
        chat.rebuild()
        assert pinned(chat) == pinned(memory.session("other")) == [ORDER]
        assert ALLERGY in {fact.text for fact in memory.facts()}
        with pytest.raises(NotFound):
            chat.unpin("pin_fact_nobody")


def test_h21_unpinned_with_all_that_says_it_in_one_sentence() -> None:
    with opened() as memory:
        chat = memory.session("s")
        for attribute in ("units", "distances"):
            memory.add_fact(ORDER, kind="constraint", tags=["standing"], subject="user", attribute=attribute, value="x")
        chat.unpin(chat.pins()[0].id)
        assert pinned(chat) == []


@pytest.mark.parametrize("way", ["message", "session", "fact", "reject", "archive"])
def test_h21_it_goes_with_what_it_came_from(way: str) -> None:
    with opened() as memory:
        chat = memory.session("s")
        tell(chat, ALLERGY)
        other = memory.session("other")
        tell(other, "Good morning!")
        (fact,) = memory.facts()
        acts: dict[str, Any] = {
            "message": lambda: chat.forget(1),
            "session": lambda: memory.forget(session="s"),
            "fact": lambda: memory.forget(fact=fact.id),
            "reject": lambda: memory.reject_fact(fact.id),
            "archive": lambda: memory.archive(fact.id),
        }
        assert known(other) == [ALLERGY]
        acts[way]()
        assert pinned(chat) == pinned(other) == known(other) == []
        if way in ("message", "session"):  # otherwise the message may be found
            assert ALLERGY not in str(other.context("What should I tell the doctor?"))


def test_h21_an_edit_is_what_is_pinned() -> None:
    clock = Hands()
    with opened(clock=clock) as memory:
        chat = memory.session("s")
        tell(chat, ALLERGY)
        clock.on(1)
        memory.edit_fact(memory.facts()[0].id, "Allergic to penicillin and nuts.")
        assert pinned(chat) == ["Allergic to penicillin and nuts."]


def test_h21_reading_changes_no_pin() -> None:
    """However often facts are found, the prompt begins the same."""
    clock = Hands()
    with opened(clock=clock, options={"auto_pins": 2}) as memory:
        chat = memory.session("s")
        tell(chat, DECISION, ORDER, ALLERGY, "Good morning!")
        before = str(chat.context("What should I tell the doctor?"))
        for _ in range(5):
            memory.search("SQLite journal", kinds="fact")
            clock.on(3)
        assert str(chat.context("What should I tell the doctor?")) == before


def test_h21_the_pins_of_a_space_that_was_opened_again(tmp_path: Path) -> None:
    with opened(tmp_path / "m.db") as memory:
        tell(memory.session("s"), ALLERGY, ORDER)
        memory.session("s").unpin(memory.session("s").pins()[1].id)
    with opened(tmp_path / "m.db") as memory:
        assert pinned(memory.session("s")) == [ALLERGY]


# The choice itself

FACTS = st.lists(
    st.builds(
        lambda kind, sure, tags, at, words: claim(
            "Porto", at, kind=kind, confidence=sure, tags=tuple(tags), text=f"Text {words}", id=f"fact_{at}_{words}"
        ),
        st.sampled_from(FACT_KINDS),
        st.sampled_from((0.7, 0.8, 0.9)),
        st.lists(st.sampled_from(("allergy", "health", "standing", "date", "other")), max_size=2),
        st.integers(0, 9),
        st.integers(0, 5),
    ),
    max_size=12,
    unique_by=lambda fact: fact.id,
)


@given(FACTS, st.integers(0, 6), st.integers(0, 6), st.randoms(use_true_random=False))
def test_the_choice_depends_on_no_order_and_repeats_no_text(facts: list[Fact], pins: int, lines: int, rng: Any) -> None:
    found = chosen(facts, pins, lines)
    rng.shuffle(facts)
    assert chosen(facts, pins, lines) == found
    for shown in (found.pins, found.lines):
        texts = [fact.text for fact in shown]
        assert len(texts) == len(set(texts))
    assert len(found.pins) <= pins
    assert len(found.lines) <= lines
    ranks = [worth(fact) for fact in found.lines]
    assert ranks == sorted(ranks, reverse=True)


@given(FACTS, st.sets(st.integers(0, 5)))
def test_what_was_unpinned_is_not_pinned(facts: list[Fact], words: set[int]) -> None:
    away = {fact.id for fact in facts if fact.text in {f"Text {word}" for word in words}}
    found = chosen(facts, 99, 99, away)
    assert away.isdisjoint(fact.id for fact in found.pins)


def test_pins_of_a_session_that_nobody_used(tmp_path: Path) -> None:
    with opened(tmp_path / "m.db") as memory:
        assert memory.session("nobody").pins() == []
        assert list(memory.sessions()) == []
