"""SPEC.md t21, t22 and t26: kinds of what a search finds, one meaning of moments, and what episodes are linked with."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from longterm_tools import Hands, chatter, day, opened, tell

from onrecord import Hits, InvalidInput, Memory, NotFound

HOMES = "Where did Jonas live, Oslo or Bergen?"
MOMENTS: list[tuple[dict[str, Any], str]] = [
    ({}, "Bergen"),
    ({"as_of": day(12)}, "Bergen"),
    ({"known_at": day(12)}, "Oslo"),
    ({"as_of": day(5)}, "Oslo"),
    ({"as_of": day(12), "known_at": day(20)}, "Oslo"),
    ({"as_of": day(12), "known_at": day(40)}, "Bergen"),
]


def told_late(memory: Memory, clock: Hands) -> None:
    """On day 30 it is told that somebody moved on day 10."""
    tell(memory.session("s"), "Good morning to all of you.")
    home: dict[str, Any] = {"subject": "Jonas", "attribute": "home"}
    memory.add_fact("Jonas lives in Oslo.", value="Oslo", **home)
    clock.on(30)
    memory.add_fact("Jonas lives in Bergen.", value="Bergen", valid_from=day(10), **home)
    tell(memory.session("s"), "What a lovely day it is.")


def kinds(hits: Hits) -> list[tuple[str, str]]:
    return sorted((hit.kind, hit.type) for hit in hits)


# t21: kinds of long-term memory


def test_t21_a_search_filters_by_kinds_of_facts_and_episodes() -> None:
    with opened() as memory:
        chat = memory.session("s")
        tell(chat, "The ships of the harbour are green.")
        memory.add_fact("Green is what ships wear.", kind="preference")
        fact = memory.add_fact("The ships stay green.", kind="decision")
        episode = chat.add_episode("The ships were painted green", kind="decision")
        chat.add_episode("The green ships sank", kind="issue_found")
        asked = "Which ships are green?"
        assert kinds(memory.search(asked, kinds="decision")) == [("episode", "decision"), ("fact", "decision")]
        assert {hit.id for hit in memory.search(asked, kinds="decision")} == {fact.id, episode.id}
        assert kinds(memory.search(asked, kinds=["message", "issue_found"])) == [
            ("episode", "issue_found"),
            ("message", ""),
        ]
        assert kinds(memory.search(asked, kinds=["fact", "decision"])) == [
            ("episode", "decision"),
            ("fact", "decision"),
            ("fact", "preference"),
        ]
        assert {hit.id for hit in chat.search(asked, kinds="decision")} == {episode.id}
        memory.edit_fact(fact.id, kind="goal")
        assert kinds(memory.search(asked, kinds="decision")) == [("episode", "decision")]
        assert kinds(memory.search(asked, kinds="goal")) == [("fact", "goal")]
        with pytest.raises(InvalidInput, match="poem"):
            memory.search(asked, kinds="poem")


# t22: one meaning of moments


@pytest.mark.parametrize(("moment", "home"), MOMENTS)
def test_t22_facts_searches_and_prompts_mean_the_same(moment: dict[str, Any], home: str) -> None:
    clock = Hands()
    with opened(clock=clock, profile="tiered") as memory:
        told_late(memory, clock)
        assert [fact.value for fact in memory.facts(attribute="home", **moment)] == [home]
        assert {hit.text for hit in memory.search(HOMES, kinds="fact", **moment)} == {f"Jonas lives in {home}."}
        prompt = str(memory.session("s").context(HOMES, **moment))
        assert [name for name in ("Oslo", "Bergen") if f"lives in {name}" in prompt] == [home]


def test_t22_what_was_not_said_yet_is_in_neither() -> None:
    clock = Hands()
    with opened(clock=clock, profile="tiered") as memory:
        told_late(memory, clock)
        chat = memory.session("s")
        moments: list[dict[str, Any]] = [{"as_of": day(12)}, {"known_at": day(12)}]
        for moment in moments:
            assert "lovely" not in str(chat.context(HOMES, **moment))
            assert [hit.text for hit in memory.search("good morning, lovely day", kinds="message", **moment)] == [
                "Good morning to all of you."
            ]


def test_t22_pins_too() -> None:
    clock = Hands()
    with opened(clock=clock) as memory:
        chat = memory.session("s")
        clock.on(10)
        fact = memory.add_fact("I am allergic to nuts.", kind="constraint", valid_from=day(2), importance=1.0)
        later = {pin.id for pin in chat.pins(as_of=day(5))}
        assert later == {pin.id for pin in chat.pins()} == {f"pin_{fact.id}"}
        assert chat.pins(known_at=day(5)) == chat.pins(as_of=day(1)) == []


@pytest.mark.parametrize(
    ("moment", "said"), [("0001-01-01T00:00:00", 0), ("9999-12-31T23:59:59.999999", 2), (datetime.max, 2)]
)
@pytest.mark.parametrize("name", ["as_of", "known_at"])
def test_t22_the_ends_of_the_calendar_are_moments(name: str, moment: str | datetime, said: int) -> None:
    clock = Hands()
    with opened(clock=clock, profile="tiered") as memory:
        told_late(memory, clock)
        chat = memory.session("s")
        past: dict[str, Any] = {name: moment}
        chat.summarize(1, 2)
        assert len(chat.context(HOMES, **past).recent) == said
        assert bool(memory.search("lovely day", kinds="message", **past)) == bool(said)
        assert len(memory.facts(**past)) == bool(said)
        assert chat.pins(**past) == []
        assert len(list(chat.summaries(as_of=moment))) == bool(said)


# t26: links, several episodes of a stretch, what was merged, and weights


def test_t26_an_episode_is_linked_with_facts_and_episodes() -> None:
    with opened() as memory:
        chat = memory.session("s")
        fact = memory.add_fact("The ship is green.")
        first = chat.add_episode("Painted the ship", links=[fact.id])
        second = chat.add_episode("Sold the ship", links=[first.id, fact.id])
        linked = {one.id: one.links for one in memory.episodes()}
        assert linked == {first.id: (fact.id,), second.id: (first.id, fact.id)}
        memory.forget(fact=fact.id)
        assert {one.id: one.links for one in memory.episodes()} == {first.id: (), second.id: (first.id,)}
        with pytest.raises(NotFound, match="fact_of_nothing"):
            chat.add_episode("Lost the ship", links="fact_of_nothing")


def test_t26_a_stretch_may_yield_several() -> None:
    with opened() as memory:
        chat = memory.session("s")
        tell(chat, "We decided to move the whole journal of the harbour to PostgreSQL.")
        chatter(chat, 9)
        tell(chat, "I finally passed the driving exam in Lisbon, after failing it three times!")
        chat.end()
        found = memory.episodes(session="s")
        assert [("journal" in one.title, "exam" in one.title) for one in found] == [(True, False), (False, True)]
        assert found[0].last < found[1].first
        chat.forget(1)
        assert ["exam" in one.title for one in memory.episodes(session="s")] == [True]


def test_t26_a_merged_episode_names_those_it_came_from() -> None:
    with opened() as memory:
        chat = memory.session("s")
        chatter(chat, 4)
        small = chat.add_episode("Lost a rope", first=1, last=2, significance=0.3)
        large = chat.add_episode("Lost the ship", first=2, last=3, significance=0.9)
        assert memory.consolidate().merged == 1
        (left,) = memory.episodes()
        assert (left.id, left.merged) == (large.id, (small.id,))
        memory.restore(small.id)
        assert [one.merged for one in memory.episodes()] == [(), ()]


@pytest.mark.parametrize("profile", ["balanced", "tiered"])
@pytest.mark.parametrize("weight", [-1, float("nan"), float("inf"), True, "much", None])
def test_t26_weights_that_make_no_mean_are_refused(profile: str, weight: Any) -> None:
    with opened(profile=profile) as memory:
        tell(memory.session("s"), "The ships are green.")
        with pytest.raises(InvalidInput) as refused:
            memory.search("ships", weights={"meaning" if profile == "balanced" else "similarity": weight})
        assert refused.value.hint


@pytest.mark.parametrize("profile", ["balanced", "tiered"])
def test_t26_not_all_weights_are_0(profile: str) -> None:
    with opened(profile=profile) as memory:
        tell(memory.session("s"), "The ships are green.")
        names = memory.search("ships").weights
        assert names
        with pytest.raises(InvalidInput, match="weight 0"):
            memory.search("ships", weights=dict.fromkeys(names, 0))


@pytest.mark.parametrize(
    ("given", "bounds"),
    [
        ({"significance": 1.5}, "0 to 1"),
        ({"significance": float("nan")}, "0 to 1"),
        ({"significance": "much"}, "0 to 1"),
        ({"valence": -2}, "-1 to 1"),
        ({"valence": float("nan")}, "-1 to 1"),
        ({"valence": True}, "-1 to 1"),
    ],
)
def test_t26_scores_out_of_bounds_are_refused_alike(given: dict[str, Any], bounds: str) -> None:
    with opened() as memory:
        with pytest.raises(InvalidInput) as refused:
            memory.session("s").add_episode("Painted the ship", **given)
        assert refused.value.hint == f"Pass a number from {bounds}."
        assert memory.episodes() == []
