"""A message that a recipe cannot read is marked and passed over; everything else goes on."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from model_tools import Scripted, first_words

from recollect import Memory
from recollect.records import Finding

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
    "facts": "recollect.derive.learner.claims",
    "topics of stretches": "recollect.derive.learner.boundaries",
    "episodes": "recollect.derive.learner.told",
    "episode texts": "recollect.derive.learner.redacted",
    "sentences": "recollect.derive.nodes.read",
    "summaries": "recollect.derive.nodes.extract",
    "important data": "recollect.policy.important.extract",
    "words": "recollect.recall.texts.lexemes",
    "passages": "recollect.recall.texts.passages",
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
    memory.flush()
    memory.consolidate()
    memory.estimate()


@pytest.mark.parametrize("reader", READERS)
def test_a_reader_that_raises_on_a_message_stops_nothing(
    reader: str, place: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    breaks(monkeypatch, READERS[reader])
    with opened(place) as memory, caplog.at_level(logging.WARNING, "recollect"):
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
    [("balanced", "recollect.policy.topics.hear"), ("hybrid", "recollect.policy.technical.technical")],
)
def test_a_plan_goes_on_that_cannot_see_what_a_message_is(
    profile: str, reader: str, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    breaks(monkeypatch, reader)
    with opened(place, profile=profile, options={"adaptive": True} if profile == "hybrid" else {}) as memory:
        told(memory)
        everything_works(memory, learns=profile == "balanced")
        assert {finding.seq for finding in skipped(memory)} == {3, 9, 15, 21}


@pytest.mark.parametrize("check", ["recollect.derive.writer.support_refusal", "recollect.derive.writer.noted"])
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
    monkeypatch.setattr("recollect.derive.learner.FACTS", "facts-1000")
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
