"""A message that a recipe cannot read is marked and passed over; everything else goes on."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from model_tools import Scripted, first_words
from postgres_tools import empty_store_url

from onrecord import Memory
from onrecord.cli.postgres_commands import work_of
from onrecord.guard import Guard
from onrecord.policy.fact_rules import claims
from onrecord.profiles import PROFILES
from onrecord.records import Finding, Message, Role

BAD = "The zyxt is a word that breaks a reader. I live in Zyxtown and I am allergic to zyxt."
TALK = (
    ("user", "I live in Porto. My sister is Ana. We decided to use PostgreSQL for the shop."),
    ("assistant", "Noted: PostgreSQL for the shop."),
    ("user", BAD),
    ("assistant", "All right, the cabinet of figures is kept."),
    ("user", "I am allergic to peanuts. The invoice 4711 of 5 May is paid."),
    ("assistant", "I will remember the peanuts."),
)

READERS = {
    "facts": "onrecord.derive.learner.claims",
    "topics of stretches": "onrecord.derive.learner.boundaries",
    "episodes": "onrecord.derive.learner.told",
    "episode texts": "onrecord.derive.learner.redacted",
    "sentences": "onrecord.derive.nodes.read",
    "summaries": "onrecord.derive.nodes.extract",
    "important data": "onrecord.policy.important.extract",
    "words": "onrecord.recall.indexed_texts.lexemes",
    "passages": "onrecord.recall.indexed_texts.passages",
}
"""Where something of a message is read, by what is made of it."""


@pytest.fixture(params=["memory.db", "folder/"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    return f"{tmp_path}/{request.param}"


def breaks(monkeypatch: pytest.MonkeyPatch, where: str, what: str = "zyxt") -> None:
    """Have a reader raise on every text with a word in it."""
    module, _, name = where.rpartition(".")
    real: Callable[..., Any] = getattr(__import__(module, fromlist=[name]), name)

    def broken(*given: Any, **more: Any) -> Any:
        if what in repr(given).lower():
            raise IndexError(what)
        return real(*given, **more)

    monkeypatch.setattr(where, broken)


def opened(place: str, **more: Any) -> Memory:
    return Memory(place, durability="process", **{"profile": "balanced", "options": SHORT} | more)


SHORT = {"tokens": 400}


def told(memory: Memory, sessions: str = "abc") -> None:
    for name in sessions:
        for _ in range(4):
            for role, text in TALK:
                memory.session(name).add(role, text)  # type: ignore[arg-type]
        memory.session(name).end()


def skipped(memory: Memory) -> list[Finding]:
    return [finding for finding in memory.check().findings if finding.kind == "skipped"]


def everything_works(memory: Memory, *, learns: bool = True) -> None:
    assert memory.search("peanuts")
    assert not learns or any("peanuts" in fact.text for fact in memory.facts())
    memory.episodes()
    for name in "abc":
        session = memory.session(name)
        session.summarize()
        assert session.context("What am I allergic to?", tokens=400).messages()
        assert session.arc().beginning
    memory.flush()
    memory.consolidate()
    memory.estimate()


@pytest.mark.parametrize("reader", READERS)
def test_a_reader_that_raises_on_a_message_stops_nothing(
    reader: str, place: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    breaks(monkeypatch, READERS[reader])
    with opened(place) as memory, caplog.at_level(logging.WARNING, "onrecord"):
        told(memory)
        everything_works(memory)
        found = skipped(memory)
        assert (
            {3, 9}
            <= {finding.seq for finding in found}
            <= ({3, 9, 15, 21} if "recall" not in READERS[reader] else set(range(25)))
        )
        assert {finding.session for finding in found} == {"a", "b", "c"}
        assert memory.check().ok
    assert "zyxt" not in caplog.text.lower()
    assert "could not read message 3" in caplog.text
    with opened(place) as memory:  # the marks stay
        assert skipped(memory) == found
        memory.session("a").rebuild()
        everything_works(memory)
        assert skipped(memory)
        assert memory.search("peanuts")
        memory.session("a").forget(*[one.seq or 0 for one in found if one.session == "a"])
        assert {finding.session for finding in skipped(memory)} == {"b", "c"}


@pytest.mark.parametrize(
    ("profile", "reader"),
    [("balanced", "onrecord.policy.topics.hear"), ("hybrid", "onrecord.policy.technical.technical")],
)
def test_a_plan_goes_on_that_cannot_see_what_a_message_is(
    profile: str, reader: str, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    breaks(monkeypatch, reader)
    with opened(place, profile=profile, options={"adaptive": True} if profile == "hybrid" else {}) as memory:
        told(memory)
        everything_works(memory, learns=profile == "balanced")
        assert {finding.seq for finding in skipped(memory)} == {3, 9, 15, 21}


@pytest.mark.parametrize("check", ["onrecord.derive.writer.support_refusal", "onrecord.derive.writer.noted"])
def test_a_check_that_raises_refuses_the_models_text(
    check: str, place: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    breaks(monkeypatch, check)
    model = Scripted(first_words)
    with opened(place, model=model) as memory:
        told(memory)
        everything_works(memory)
        assert model.calls
        assert memory.session("a").summaries()
        assert memory.session("a").summarize(first=1, last=6)
    assert "zyxt" not in caplog.text.lower()


def test_another_version_of_a_recipe_tries_again(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch, opened(place) as memory:
        breaks(patch, READERS["facts"])
        told(memory)
        assert skipped(memory)
        assert not [fact for fact in memory.facts() if "Zyxtown" in fact.text]
    with opened(place) as memory:
        memory.flush()
        assert not [fact for fact in memory.facts() if "Zyxtown" in fact.text]
    monkeypatch.setattr("onrecord.derive.learner.FACTS", "facts-1000")
    with opened(place) as memory:
        for name in "abc":
            memory.session(name).summarize()
        assert [fact for fact in memory.facts() if "Zyxtown" in fact.text]
        assert skipped(memory) == []


class Reading:
    """An embedder that fails at some texts."""

    name, dimension = "reading-1", 8

    def __init__(self) -> None:
        self.fails = ("zyxt",)

    def embed(self, texts: Sequence[str]) -> Any:
        if any(word in text.lower() for text in texts for word in self.fails):
            raise IndexError
        return np.array([np.cos(np.arange(8.0) * len(text)) for text in texts], np.float32)


def test_an_embedder_that_raises_on_a_message_makes_the_vectors_of_the_others(place: str) -> None:
    embedder = Reading()
    with opened(place, embedder=embedder) as memory:
        told(memory)
        everything_works(memory)
        found = [finding for finding in skipped(memory) if "reading-1" in finding.what]
        assert {finding.seq for finding in found} >= {3, 9, 15, 21}
        hits = memory.search("I am allergic to peanuts. The invoice 4711 of 5 May is paid.", limit=40)
        assert hits
        assert hits.notes == ()  # none that says that it was found by words alone
    with opened(place, embedder=embedder) as memory:
        assert memory.search("peanuts", limit=40).notes == ()
        assert [finding for finding in skipped(memory) if "reading-1" in finding.what] == found


def test_an_embedder_that_is_down_leaves_no_mark(place: str) -> None:
    embedder = Reading()
    embedder.fails = ("",)
    with opened(place, embedder=embedder) as memory:
        told(memory)
        memory.search("peanuts")
        memory.flush()
        assert skipped(memory) == []


SAID = (
    "I live in Porto.",
    "My sister Ana works at the harbour since 2019.",
    "We decided to use PostgreSQL for the shop.",
    "I am allergic to peanuts.",
    "The invoice 4711 of 5 May is paid; it was 420 euros.",
    "By the way, which paint holds on a wet wall?",
    "The boat leaves at 9:30 from the old pier, and Ben has the tickets.",
    "All right, thank you. That solved it.",
)


def known(memory: Memory, but: int) -> tuple[object, ...]:
    """What is made of the messages but the hostile one, and what is found of them."""
    session = memory.session("s")
    session.summarize()
    facts = sorted((fact.text, fact.sources) for fact in memory.facts(status=None))
    summaries = [(one.first, one.last, one.level, one.text, one.data) for one in session.summaries()]
    hits = sorted({hit.seq for text in SAID for hit in memory.search(text, kinds="message", limit=100)} - {but, None})
    return facts, summaries, hits


@pytest.mark.embedded
@settings(max_examples=5, phases=[Phase.generate])
@given(
    said=st.lists(st.sampled_from(SAID), min_size=18, max_size=26),
    at=st.floats(0, 1),
    hostile=st.sampled_from(("{} zyxt.", "zyxt {}", "{}\n" * 20 + "zyxt")),
    tail=st.sampled_from(SAID),
)
def test_a_hostile_message_changes_nothing_of_the_others(said: list[str], at: float, hostile: str, tail: str) -> None:
    """As if it had been forgotten: that, too, leaves its number, and nothing else."""
    place = 1 + int(at * (len(said) - 1))
    spoken = [*said[: place - 1], hostile.replace("{}", tail), *said[place - 1 :]]
    texts: list[tuple[Role, str]] = [
        ("user" if number % 2 else "assistant", text) for number, text in enumerate(spoken, 1)
    ]
    found = []
    for forgotten in (True, False):
        with pytest.MonkeyPatch.context() as patch, opened(":memory:", options={}) as memory:
            for reader in (*READERS.values(), "onrecord.policy.topics.hear"):
                breaks(patch, reader)
            session = memory.session("s")
            session.add_many(texts[:place])
            if forgotten:
                session.forget(place)
            session.add_many(texts[place:])
            found.append(known(memory, place))
            session.rebuild()
            found.append(known(memory, place))
    assert found[0] == found[1] == found[2] == found[3]


def test_a_message_that_takes_too_long_is_given_up_and_the_others_are_read(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    spent = [0.0]

    def slow(text: str, **more: Any) -> Any:
        spent[0] += 60.0 if "zyxt" in text else 0.01  # of the processor
        return claims(text, **more)

    monkeypatch.setattr("onrecord.guard.thread_time", lambda: spent[0])
    monkeypatch.setattr("onrecord.derive.learner.claims", slow)
    with opened(place) as memory:
        told(memory, "a")
        assert {(one.seq, "too slow" in one.what) for one in skipped(memory)} == {(at, True) for at in (3, 9, 15, 21)}
        assert not [fact for fact in memory.facts() if "Zyxtown" in fact.text]
        assert [fact for fact in memory.facts() if "peanuts" in fact.text]
        before = spent[0]
        memory.session("a").summarize()
        memory.session("a").add("user", "I am allergic to shrimps.")
        assert spent[0] - before < 1  # what was marked is not read again


@pytest.mark.embedded
def test_many_messages_that_take_long_together_are_no_ones_fault() -> None:
    memory = Memory(":memory:", durability="process")
    with memory:
        told(memory, "a")
        guard, spent = Guard(memory._store, memory.name, "a"), [0.0]
        messages = list(memory.session("a").history())

        def work(given: Sequence[Message]) -> int:
            spent[0] += 2.0 * len(given)
            return len(given)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("onrecord.guard.thread_time", lambda: spent[0])
            assert guard.read("recipe-1", messages, work, lambda: 0) == len(messages)
        assert guard.marks == []


@pytest.mark.embedded
def test_what_fails_without_any_message_is_no_messages_fault() -> None:
    with Memory(":memory:", durability="process") as memory:
        told(memory, "a")
        guard = Guard(memory._store, memory.name, "a")
        messages = list(memory.session("a").history())

        def work(given: Sequence[Message]) -> str:
            raise KeyError(given)

        assert guard.read("recipe-1", messages, work, lambda: "nothing") == "nothing"
        assert [(mark.first, mark.last) for mark in guard.marks] == [(1, len(messages))]


@pytest.mark.embedded
def test_a_worker_goes_on_past_a_message_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    for reader in READERS.values():
        breaks(monkeypatch, reader)
    with Memory(empty_store_url("worker_unreadable"), summarize="worker", durability="process") as memory:
        told(memory, "a")
        work = work_of(memory._parts)
        assert work.derive(memory.name, "a", lambda: True) is None  # nothing is left to be done, or tried again
        assert {finding.seq for finding in skipped(memory)} >= {3, 9, 15, 21}
        assert [fact for fact in memory.facts() if "peanuts" in fact.text]
        assert memory.session("a").summaries()


def test_a_prompt_leaves_out_what_it_cannot_look_through_for_secrets(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    breaks(monkeypatch, "onrecord.context.pack.kinds_of")
    breaks(monkeypatch, "onrecord.context.pack.redacted")
    with opened(place, options={}) as memory:
        told(memory, "a")
        context = memory.session("b").context("Where is Zyxtown, and what of zyxt or peanuts?", tokens=2_000)
        assert "peanuts" in str(context.messages())
        assert "zyxt is a word that" not in str(context.messages())


@pytest.mark.embedded
def test_readers_that_fail_deep_down_stop_neither_writing_nor_reading(
    place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in list(sys.modules.values()):
        for name in ("sentences", "redacted", "terms", "words", "importance", "loose_importance", "hollow", "numbers"):
            reader = vars(module).get(name) if module.__name__.startswith("onrecord.") else None
            if isinstance(reader, FunctionType) and reader.__module__.startswith("onrecord.policy."):
                breaks(monkeypatch, f"{module.__name__}.{name}")
    with opened(place) as memory:
        told(memory)
        everything_works(memory)
        assert memory.session("a").info().last_seq == 24
        memory.rebuild()
        everything_works(memory)


def test_a_message_that_cannot_be_scored_is_kept(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(role: str, text: str) -> float:
        if "zyxt" in text:
            raise IndexError
        return 0.0

    monkeypatch.setattr("onrecord.memory.PROFILES", {"tiered": replace(PROFILES["tiered"], importance=broken)})
    with opened(place, profile="tiered", options={}) as memory:
        memory.session("a").add("user", BAD)
        memory.session("a").add("user", "I live in Porto.")
        assert [message.importance for message in memory.session("a").history()] == [0.5, 0.0]
