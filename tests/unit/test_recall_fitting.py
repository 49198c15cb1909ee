"""Searches within a budget of tokens: never more than that, and the most for it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recall_tools import opened

from onrecord.errors import InvalidInput
from onrecord.models.tokenizers import counter_for
from onrecord.policy.brevity import worth
from onrecord.recall.hits import Hits

count = counter_for(None).text


def taken(hits: Hits) -> int:
    return sum(count(f"{hit.name or hit.role}: {hit.text}") for hit in hits)


@settings(max_examples=40, deadline=None)
@given(
    said=st.lists(st.text(st.sampled_from("river boat é鱼 .\n"), max_size=400), min_size=1, max_size=30),
    tokens=st.integers(1, 300),
)
def test_the_hits_never_take_more_than_they_may(said: list[str], tokens: int) -> None:
    with opened() as memory:
        memory.session("a").add_many([("user", text) for text in said])
        hits = memory.search("river boat", tokens=tokens, kinds="message")
        assert taken(hits) <= tokens
        every = memory.search("river boat", kinds="message", limit=100)
        assert [hit for hit in every if hit in list(hits)] == list(hits)  # in the same order
        left = [hit for hit in every if hit not in list(hits)]
        room = tokens - taken(hits)
        assert room < 5 or all(count(f"user: {hit.text}") > room for hit in left)  # nothing more would fit


def test_short_evidence_leaves_room_for_more() -> None:
    long = "The boat on the river " + "that we looked at for so very long on all those summer evenings " * 6
    with opened() as memory:
        chat = memory.session("a")
        chat.add_many([("user", f"{long}{number}") for number in range(3)])
        chat.add_many([("user", f"A boat on the river, number {number}.") for number in range(3)])
        hits = memory.search("boat on the river", tokens=60)
        assert [len(hit.text) < 50 for hit in hits] == [True] * 3
        assert f"{taken(hits)} of 60 are taken" in hits.explain()


def test_ten_hits_unless_tokens_are_given() -> None:
    with opened() as memory:
        memory.session("a").add_many([("user", f"boat {number}") for number in range(40)])
        assert len(memory.search("boat")) == 10
        assert len(memory.search("boat", tokens=1_000)) == 40
        assert len(memory.search("boat", tokens=1_000, limit=7)) == 7
        assert len(memory.session("a").search("boat", tokens=30)) < 10
        assert [hit.text for hit in memory.search("boat", tokens=12, limit=1)] == ["boat 39"]
        assert list(memory.search("boat", tokens=2)) == []


@pytest.mark.parametrize("wrong", [0, -1, 1.5, "2000", True])
def test_tokens_must_be_a_number_from_one(wrong: object) -> None:
    with opened() as memory, pytest.raises(InvalidInput, match="tokens"):
        memory.search("boat", tokens=wrong)  # type: ignore[arg-type]


class Longest:
    """A reranker that likes long texts."""

    def rerank(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        return [len(text) for text in texts]


def test_what_a_reranker_put_first_is_taken_first() -> None:
    with opened(reranker=Longest()) as memory:
        memory.session("a").add_many([("user", "boat " * 20), ("user", "A boat."), ("user", "boat " * 9)])
        assert [len(hit.text.split()) for hit in memory.search("boat", tokens=35)] == [20, 9]


def test_one_that_fails_changes_nothing() -> None:
    class Broken:
        def rerank(self, question: str, texts: Sequence[str]) -> Sequence[float]:
            raise RuntimeError

    with opened(reranker=Broken()) as memory, opened() as plain:
        for one in (memory, plain):
            one.session("a").add_many([("user", "boat " * 20), ("user", "A boat."), ("user", "boat " * 9)])
        assert [hit.seq for hit in memory.search("boat", tokens=20)] == [
            hit.seq for hit in plain.search("boat", tokens=20)
        ]


def test_what_is_long_does_not_hide_what_fits() -> None:
    with opened() as memory:
        long = "The boat on the river " + "that we looked at for so very long on all those summer evenings " * 9
        memory.session("a").add_many([("user", f"{long}{number}") for number in range(30)])
        memory.session("a").add_many([("user", f"boat {number}") for number in range(5)])
        assert len(memory.search("boat on the river", tokens=40)) == 5
        assert len(memory.search("boat on the river", tokens=40, limit=2)) == 2


def test_a_fact_stands_in_for_a_message_that_does_not_fit() -> None:
    with opened(summarize="inline") as memory:
        chat = memory.session("a")
        chat.add("user", "I am allergic to penicillin. " + "We talked about the weather for a long time. " * 40)
        chat.add("user", "Noted.")
        assert [fact.text for fact in memory.facts()]
        asked = "What is the user allergic to?"
        assert {hit.kind for hit in memory.search(asked, kinds=("message", "fact"))} == {"message"}
        assert "fact" in {hit.kind for hit in memory.search(asked, kinds=("message", "fact"), tokens=40)}


def test_a_profile_with_a_measure_of_its_own_gives_the_first_that_fit() -> None:
    with opened(profile="tiered") as memory:
        chat = memory.session("a")
        chat.add(
            "user", "Penicillin is what I am allergic to, so the doctor must never give me penicillin, not even once."
        )
        chat.add_many([("user", f"penicillin {number}?") for number in range(9)])
        best = memory.search("Is the user allergic to penicillin?", limit=1)[0]
        assert best in memory.search("Is the user allergic to penicillin?", tokens=60)


def test_a_text_is_worth_less_the_longer_it_is() -> None:
    assert worth(7.0, 10) > worth(7.0, 20) > worth(6.0, 20)
