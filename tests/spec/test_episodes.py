"""What happened: episodes, how many are kept, and the arc of a conversation: t10, t11, and what t18 says of them."""

from __future__ import annotations

from typing import Any

import pytest
from longterm_tools import Hands, chatter, day, opened, tell

from onrecord import InvalidInput, Memory, NotFound, Session
from onrecord.records import EPISODE_KINDS, Episode, EpisodeKind

DECIDED = "We decided to use PostgreSQL for the journal."


def told(chat: Session, title: str, first: int | None = None, last: int | None = None, **more: Any) -> Episode:
    return chat.add_episode(title, first=first, last=last, **more)


def titles(memory: Memory, **wanted: Any) -> list[str]:
    return [episode.title for episode in memory.episodes(**wanted)]


# t10: what an episode is


def test_t10_what_happened_is_found_with_all_its_fields() -> None:
    clock = Hands()
    with opened(clock=clock) as memory:
        chat = memory.session("s")
        for text in ("The old journal is slow.", DECIDED, "I live in Lisbon."):
            tell(chat, text)
            clock.on(1)
        chat.end()
        (episode,) = memory.episodes()
        assert episode.kind == "decision"
        assert "PostgreSQL" in episode.title
        assert "PostgreSQL" in episode.summary
        assert isinstance(episode.context, str)
        assert "PostgreSQL" in episode.outcome
        assert "user" in episode.participants
        assert -1 <= episode.valence <= 1
        assert 0 <= episode.significance <= 1
        assert episode.first <= 2 <= episode.last
        assert day(0) <= episode.began <= episode.ended <= day(2)
        assert (episode.session, episode.status, episode.method) == ("s", "active", "rules")
        assert episode.tokens > 0
        linked = {fact.id for fact in memory.facts() if episode.first <= fact.sources[0] <= episode.last}
        assert linked
        assert set(episode.links) == linked


def test_t10_talk_in_which_nothing_happens_makes_none() -> None:
    with opened() as memory:
        chat = memory.session("s")
        chatter(chat, 30)
        chat.end()
        assert memory.episodes(status=None) == []


def test_t10_making_it_again_gives_the_same() -> None:
    with opened() as memory:
        chat = memory.session("s")
        tell(chat, "The old journal is slow.", DECIDED)
        chatter(chat, 4)
        chat.end()
        before = memory.episodes()
        chat.flush()
        chat.rebuild()
        assert [(one.id, one.title, one.first, one.last) for one in memory.episodes()] == [
            (one.id, one.title, one.first, one.last) for one in before
        ]


@pytest.mark.parametrize("kind", EPISODE_KINDS)
def test_t10_told_by_hand_with_all_its_fields(kind: EpisodeKind) -> None:
    clock = Hands()
    with opened(clock=clock) as memory:
        chat = memory.session("s")
        tell(chat, "The old journal is slow.")
        clock.on(1)
        tell(chat, "I live in Lisbon.")
        clock.on(1)
        made = chat.add_episode(
            "The journal moved",
            kind=kind,
            first=1,
            last=2,
            summary="It is elsewhere now.",
            context="It was slow.",
            outcome="It is quick.",
            participants=["Ana", "Bob"],
            valence=-0.5,
            significance=0.9,
        )
        (found,) = memory.episodes(kind=kind, session="s", significance=0.9)
        assert (found.id, found.kind, found.title, found.summary) == (
            made.id,
            kind,
            "The journal moved",
            "It is elsewhere now.",
        )
        assert (found.context, found.outcome, found.participants) == ("It was slow.", "It is quick.", ("Ana", "Bob"))
        assert (found.valence, found.significance, found.first, found.last) == (-0.5, 0.9, 1, 2)
        assert (found.began, found.ended, found.time, found.method) == (day(0), day(1), day(2), "hand")
        assert found.links == tuple(fact.id for fact in memory.facts())
        assert memory.episodes(significance=0.91) == []
        assert memory.episodes(kind=[one for one in EPISODE_KINDS if one != kind]) == []
        assert memory.episodes(session="other") == []
        assert chat.episodes() == [found]
        assert chat.conversation().milestones == (found.id,)


def test_t10_in_the_order_in_which_they_happened() -> None:
    clock = Hands()
    with opened(clock=clock) as memory:
        chat = memory.session("s")
        for text in ("One.", "Two.", "Three."):
            tell(chat, text)
            clock.on(1)
        for seq in (3, 1, 2):
            told(chat, f"ship {seq}", seq)
        assert titles(memory) == ["ship 1", "ship 2", "ship 3"]


def test_t10_a_search_and_a_prompt_find_them_and_count() -> None:
    with opened(profile="tiered") as memory:
        made = told(memory.session("s"), "The harbour was flooded", summary="Water stood in the harbour.")
        hits = memory.search("When was the harbour flooded?", kinds="episode")
        assert [hit.id for hit in hits] == [made.id]
        assert "harbour was flooded" in str(memory.session("t").context("When was the harbour flooded?"))
        assert memory.episodes()[0].access_count == 2


def test_t10_archived_and_restored() -> None:
    clock = Hands()
    with opened(clock=clock) as memory:
        made = told(memory.session("s"), "The harbour was flooded")
        clock.on(1)
        assert memory.archive(made.id).status == "archived"
        assert memory.episodes() == []
        assert titles(memory, status="archived") == titles(memory, status=None) == ["The harbour was flooded"]
        assert list(memory.search("harbour", kinds="episode")) == []
        assert titles(memory, as_of=day(0.5)) == ["The harbour was flooded"]
        assert titles(memory, as_of=day(2)) == []
        clock.on(1)
        memory.restore(made.id)
        (found,) = memory.episodes()
        assert [event["status"] for event in found.history] == ["archived", "active"]
        assert memory.search("harbour", kinds="episode")[0].id == made.id


def test_t10_at_most_a_hundred_the_least_significant_are_archived_first() -> None:
    with opened() as memory:
        chat = memory.session("s")
        for number in range(105):
            told(chat, f"ship {number}", significance=((number * 37) % 105) / 105)
        report = memory.consolidate()
        assert (report.archived, report.merged, report.kept) == (5, 0, 100)
        left = memory.episodes()
        assert len(left) == 100
        assert {one.title for one in memory.episodes(status="archived")} == {
            f"ship {number}" for number in range(105) if (number * 37) % 105 < 5
        }
        assert min(one.significance for one in left) == 5 / 105
        assert memory.consolidate().archived == 0


def test_t10_the_limit_is_an_option() -> None:
    with opened(options={"episodes": 2}) as memory:
        chat = memory.session("s")
        for number in range(4):
            told(chat, f"ship {number}", significance=number / 10)
        memory.consolidate()
        assert titles(memory) == ["ship 2", "ship 3"]
        memory.restore(memory.episodes(status="archived")[0].id)
        memory.consolidate()
        assert titles(memory) == ["ship 0", "ship 3"]  # a person wanted it more than the others


def test_t10_a_forgotten_message_takes_what_was_told_of_it_along() -> None:
    with opened() as memory:
        chat = memory.session("s")
        tell(chat, "One.", "Two.", "Three.")
        told(chat, "both", 1, 2)
        told(chat, "last", 3)
        told(chat, "of none")
        chat.forget(2)
        assert sorted(titles(memory)) == ["last", "of none"]


def test_t10_an_episode_is_made_again_without_a_forgotten_message() -> None:
    with opened() as memory:
        chat = memory.session("s")
        tell(chat, "The zyxomma journal is slow.", DECIDED, "That was hard work.")
        chat.end()
        (before,) = memory.episodes()
        chat.forget(1)
        chat.flush()
        (after,) = memory.episodes()
        assert "PostgreSQL" in after.title
        assert "zyxomma" not in str(after.to_dict())
        assert after.id == before.id
        chat.forget(2)
        chat.flush()
        assert memory.episodes(status=None) == []


# t18: merging


def overlapping(memory: Memory) -> None:
    chat = memory.session("s")
    chatter(chat, 9)
    told(chat, "the storm", 1, 5, significance=0.8)
    told(chat, "the rain", 4, 6, significance=0.3)
    told(chat, "the sun", 7, 9, significance=0.1)


def test_t18_episodes_that_overlap_are_merged() -> None:
    with opened() as memory:
        overlapping(memory)
        rain, storm = memory.episodes()[1], memory.episodes()[0]
        report = memory.consolidate()
        assert (report.merged, report.archived, report.kept) == (1, 0, 2)
        (step,) = report.steps
        assert (step.id, step.action, step.into, step.tokens) == (rain.id, "merged", storm.id, rain.tokens)
        assert report.tokens_reclaimed == rain.tokens
        assert titles(memory) == ["the storm", "the sun"]
        (gone,) = memory.episodes(status="archived")
        assert gone.history[-1]["by"] == "consolidation"
        assert storm.id in gone.history[-1]["why"]
        assert memory.consolidate().steps == ()


def test_t18_a_merged_episode_can_be_brought_back_and_stays() -> None:
    clock = Hands()
    with opened(clock=clock) as memory:
        overlapping(memory)
        memory.consolidate()
        clock.on(1)
        memory.restore(memory.episodes(status="archived")[0].id)
        clock.on(1)
        assert memory.consolidate().steps == ()
        assert titles(memory) == ["the storm", "the rain", "the sun"]


def test_t18_a_dry_run_merges_nothing() -> None:
    with opened() as memory:
        overlapping(memory)
        assert memory.consolidate(dry_run=True).merged == 1
        assert len(memory.episodes()) == 3


# t11: the arc


def test_t11_three_thirds_and_what_mattered_most() -> None:
    with opened() as memory:
        chat = memory.session("s")
        for word in ("alder", "birch", "cedar"):
            for number in range(4):
                tell(chat, f"The {word} in garden {number} needs much more water than the neighbours think.")
        low, high, most = (
            told(chat, title, seq, significance=weight)
            for title, seq, weight in (("small", 2, 0.69), ("late", 9, 0.95), ("early", 3, 0.7))
        )
        arc = chat.arc()
        assert (arc.session, arc.ranges) == ("s", ((1, 4), (5, 8), (9, 12)))
        for part, word in zip((arc.beginning, arc.middle, arc.end), ("alder", "birch", "cedar"), strict=True):
            assert word in part
        assert "cedar" not in arc.beginning + arc.middle
        assert [one.id for one in arc.moments] == [most.id, high.id]
        assert low.id not in str(arc)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 7, 100])
def test_t11_of_any_length(count: int) -> None:
    with opened() as memory:
        chat = memory.session("s")
        chat.add_many([("user", f"The alder number {number} is green.") for number in range(count)])
        arc = chat.arc()
        covered = [seq for first, last in arc.ranges for seq in range(first, last + 1)]
        assert covered == list(range(1, count + 1))
        assert bool(arc.beginning) == (count > 0)
        assert arc.moments == ()


def test_t11_what_is_archived_or_forgotten_is_not_in_it() -> None:
    with opened() as memory:
        chat = memory.session("s")
        tell(chat, "The zyxomma is green.", "The birch is green.", "The cedar is green.")
        made = told(chat, "storm", 2, significance=0.9)
        memory.archive(made.id)
        chat.forget(1)
        arc = chat.arc()
        assert arc.moments == ()
        assert "zyxomma" not in str(arc.to_dict())
        assert "birch" in arc.middle


# What comes in

BROKEN = "a\ud800b"
BAD: list[dict[str, Any]] = [
    *[{"title": one} for one in ("", "  ", None, 5, BROKEN, "nul\0")],
    *[{"title": "x", "kind": one} for one in ("nonsense", None, 5)],
    *[{"title": "x", "valence": one} for one in (-1.1, 2, "good", None, True, float("nan"))],
    *[{"title": "x", "significance": one} for one in ("much", None, float("nan"))],
    *[{"title": "x", name: one} for name in ("summary", "context", "outcome") for one in (5, None, BROKEN)],
    *[{"title": "x", "participants": one} for one in (5, [5], [""], ["x" * 600])],
    *[{"title": "x", "first": one} for one in (0, -1, "1", 1.5, True, 10**30)],
    {"title": "x", "first": 2, "last": 1},
    {"title": "x", "first": 1, "last": "2"},
]


@pytest.mark.parametrize("given", BAD)
def test_what_cannot_be_is_refused_with_a_hint(given: dict[str, Any]) -> None:
    with opened() as memory:
        chat = memory.session("s")
        tell(chat, "One.", "Two.")
        with pytest.raises(InvalidInput) as refused:
            chat.add_episode(**given)
        assert refused.value.hint
        assert memory.episodes(status=None) == []


def test_messages_that_are_not_there() -> None:
    with opened() as memory:
        chat = memory.session("s")
        tell(chat, "One.")
        with pytest.raises(NotFound):
            told(chat, "x", 2, 5)
        with pytest.raises((NotFound, InvalidInput)):
            told(chat, "x", 1, 500)
        assert memory.episodes(status=None) == []


def test_an_end_needs_a_beginning() -> None:
    with opened() as memory:
        chat = memory.session("s")
        tell(chat, "One.", "Two.")
        with pytest.raises(InvalidInput):
            told(chat, "x", None, 2)
