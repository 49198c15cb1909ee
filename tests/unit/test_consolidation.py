"""What consolidation takes out of use and what it merges: the rules, exactly, and that it can be undone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from longterm_tools import START, Hands, claim, day, opened, write

from onrecord import Memory
from onrecord.policy.consolidating import faded, over_many, overlapping
from onrecord.policy.decay import decay
from onrecord.records import Consolidated, Episode, Fact

NOW = day(100)


def fact(age: float, importance: float, times: int = 0, **more: Any) -> Fact:
    """A fact that was said so long ago and never taken since, unless `times` says otherwise."""
    said = claim("Porto", 100 - age, importance=importance, **more)
    return replace(said, decay=decay(said.said, times, NOW), access_count=times)


def fades(given: Fact, *, spare: bool = True) -> bool:
    return bool(faded([given], NOW, days=30, floor=0.3, spare=spare))


@pytest.mark.parametrize(
    ("age", "importance", "times", "gone"),
    [
        (31, 0.5, 0, True),  # 0.5 x 0.49 = 0.24
        (30, 0.5, 0, False),  # not older than thirty days
        (30.001, 0.5, 0, True),
        (31, 0.62, 0, False),  # 0.62 x 0.4886 = 0.303
        (31, 0.61, 0, True),  # 0.61 x 0.4886 = 0.298
        (29, 0.0, 0, False),
        (31, 0.0, 0, True),
        (60, 0.8, 0, True),  # 0.8 x 0.25
        (60, 0.8, 2, False),  # 0.8 x 0.45
        (500, 0.6, 5, False),  # half stays for ever: 0.6 x 0.5 is not less than 0.3
        (500, 0.59, 5, True),
        (500, 1.0, 0, True),
        (0, 0.1, 0, False),
    ],
)
def test_t18_older_than_thirty_days_and_importance_times_decay_under_0_3(
    age: float, importance: float, times: int, gone: bool
) -> None:
    assert fades(fact(age, importance, times)) is gone


@given(st.floats(0, 400), st.floats(0, 1), st.integers(0, 9))
def test_t18_the_rule_everywhere(age: float, importance: float, times: int) -> None:
    given = fact(age, importance, times)
    older = given.said < day(70)
    assert fades(given) is (older and importance * given.decay < 0.3)


@pytest.mark.parametrize("lasting", [{"kind": "constraint"}, {"tags": ("standing",)}, {"method": "hand"}])
def test_what_could_do_harm_when_forgotten_stays_where_a_profile_says_so(lasting: dict[str, Any]) -> None:
    given = fact(300, 0.5, **lasting)
    assert not fades(given)
    assert fades(given, spare=False)


def test_a_step_says_why() -> None:
    (step,) = faded([replace(fact(60, 0.5), tokens=7)], NOW, days=30, floor=0.3, spare=True)
    assert step == Consolidated(
        id="fact_Porto_40",
        action="archived",
        why="60 days old; importance 0.50 x decay 0.25 = 0.12 < 0.30",
        tokens=7,
        text="Ana lives in Porto.",
    )


# Episodes


def episode(id: str, first: int, last: int, significance: float = 0.5, **more: Any) -> Episode:
    given: dict[str, Any] = {"session": "s", "kind": "decision", "title": id, "tokens": 5, "ended": day(last)}
    return Episode(id=id, first=first, last=last, significance=significance, **given | more)


def merges(*episodes: Episode) -> dict[str, str]:
    return {step.id: step.into for step in overlapping(episodes)}


def test_t18_of_two_that_overlap_the_more_significant_stays() -> None:
    assert merges(episode("a", 1, 10, 0.9), episode("b", 5, 20, 0.5)) == {"b": "a"}
    assert merges(episode("a", 1, 10, 0.4), episode("b", 5, 20, 0.5)) == {"a": "b"}
    assert merges(episode("a", 1, 10), episode("b", 10, 20, 0.6)) == {"a": "b"}
    assert merges(episode("a", 1, 100, 0.3), episode("b", 5, 6, 0.9), episode("c", 50, 60, 0.2)) == {"a": "b"}


def test_those_beside_each_other_stay() -> None:
    assert merges(episode("a", 1, 10), episode("b", 11, 20), episode("c", 5, 15, session="t")) == {}
    assert merges(episode("a", 0, 0), episode("b", 0, 0)) == {}  # told by hand, of no messages


def test_what_is_part_of_a_part_is_part_of_the_whole() -> None:
    chain = episode("a", 1, 10, 0.5), episode("b", 8, 12, 0.7), episode("c", 11, 20, 0.9)
    assert merges(*chain) == {"a": "c", "b": "c"}


def test_what_a_person_brought_back_is_not_merged_again() -> None:
    event = {"status": "active", "time": day(9).isoformat(), "by": "hand"}
    one, other = episode("a", 1, 10, 0.9), episode("b", 5, 20, 0.5, history=(event,))
    assert merges(one, other) == {}


SPANS = st.lists(st.tuples(st.integers(1, 30), st.integers(0, 12), st.floats(0, 1), st.sampled_from("st")), max_size=9)


@given(SPANS)
def test_after_merging_nothing_overlaps_and_nothing_alone_goes(spans: list[tuple[int, int, float, str]]) -> None:
    episodes = [
        episode(f"episode_{number}", first, first + more, weight, session=session)
        for number, (first, more, weight, session) in enumerate(spans)
    ]
    steps = overlapping(episodes)
    gone = {step.id for step in steps}
    left = [one for one in episodes if one.id not in gone]
    assert overlapping(left) == []
    by_id = {one.id: one for one in episodes}
    for step in steps:
        assert step.into not in gone
        assert by_id[step.into].session == by_id[step.id].session
        assert any(meet(by_id[step.id], other) for other in episodes if other.id != step.id)


def meet(one: Episode, other: Episode) -> bool:
    return one.session == other.session and one.first <= other.last and other.first <= one.last


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, 50)), max_size=20), st.integers(0, 12))
def test_t10_over_the_limit_the_least_significant_go(given: list[tuple[float, int]], most: int) -> None:
    episodes = [episode(f"episode_{at:02}", 1, last, weight) for at, (weight, last) in enumerate(given)]
    gone = {step.id for step in over_many(episodes, most)}
    stay = [one for one in episodes if one.id not in gone]
    assert len(stay) == min(most, len(episodes))
    least = min(((one.significance, one.ended) for one in stay), default=(2.0, START))
    assert all((one.significance, one.ended) <= least for one in episodes if one.id in gone)


def test_t10_of_equals_the_oldest_goes() -> None:
    episodes = [episode("a", 1, 9), episode("b", 1, 3), episode("c", 1, 6)]
    assert [step.id for step in over_many(episodes, 2)] == ["b"]


# Through a memory


def tiered(**more: Any) -> Memory:
    """The profile whose rules are the design's own."""
    return opened(profile="tiered", **more)


def old(memory: Memory, count: int = 3, at: float = 0) -> None:
    """Facts that nobody asked for, each of its own session and day."""
    for number in range(count):
        one = claim(f"town {number}", at, id=f"fact_{number}", subject=f"friend {number}", sources=(), tokens=4)
        write(memory, "s", replace(one, importance=0.5).record("rules"))


def test_t18_the_report_and_what_it_did() -> None:
    clock = Hands(day(61))
    with tiered(clock=clock) as memory:
        old(memory)
        kept = memory.add_fact("The harbour is deep.")
        report = memory.consolidate()
        assert (report.archived, report.merged, report.tokens_reclaimed, report.kept) == (3, 0, 12, 1)
        assert (report.refreshed, report.dry_run) == (4, False)
        assert {(step.id, step.action) for step in report.steps} == {(f"fact_{at}", "archived") for at in range(3)}
        assert [fact.id for fact in memory.facts()] == [kept.id]
        gone = memory.fact("fact_0")
        assert gone.status == "archived"
        assert gone.history[-1]["by"] == "consolidation"
        assert "importance 0.50 x decay" in gone.history[-1]["why"]


def test_t18_twice_does_nothing_more() -> None:
    clock = Hands(day(61))
    with tiered(clock=clock) as memory:
        old(memory)
        assert memory.consolidate().archived == 3
        again = memory.consolidate()
        assert (again.archived, again.merged, again.steps) == (0, 0, ())


def test_t18_a_dry_run_changes_nothing() -> None:
    clock = Hands(day(61))
    with tiered(clock=clock) as memory:
        old(memory)
        before, revision = memory.facts(status=None), memory._store.revision("default")
        report = memory.consolidate(dry_run=True)
        assert (report.archived, report.dry_run) == (3, True)
        assert memory.facts(status=None) == before
        assert memory._store.revision("default") == revision
        assert memory.consolidate().steps == report.steps


def test_t18_restored_it_is_there_and_stays_for_a_while() -> None:
    clock = Hands(day(61))
    with tiered(clock=clock) as memory:
        old(memory, 1)
        memory.consolidate()
        assert memory.facts() == []
        assert memory.restore("fact_0").status == "active"
        assert [fact.id for fact in memory.facts()] == ["fact_0"]
        clock.on(1)
        assert memory.consolidate().archived == 0  # a person wanted it
        clock.on(31)
        assert memory.consolidate().archived == 1


def test_t18_said_again_it_is_not_old() -> None:
    clock = Hands(day(61))
    with tiered(clock=clock) as memory:
        old(memory, 1)
        write(memory, "t", claim("town 0", 60, id="again", subject="friend 0", session="t", sources=()).record("rules"))
        (fact,) = memory.facts()
        assert fact.decay > 0.9
        assert memory.consolidate().archived == 0


def test_t18_what_said_the_same_is_out_of_use_without_it_too() -> None:
    clock = Hands()
    with tiered(clock=clock) as memory:
        for name in "st":
            memory.session(name).add("user", "I live in Lisbon.")
        clock.on(200)
        assert memory.consolidate().archived == 1
        memory.forget(session="s", messages=1)
        (fact,) = memory.facts(status=None)
        assert (fact.session, fact.status) == ("t", "archived")


def test_t18_taken_it_stays() -> None:
    clock = Hands(day(31))
    with tiered(clock=clock) as memory:
        old(memory, 1)
        memory.search("town 0", kinds="fact")
        clock.on(29)
        assert memory.consolidate().archived == 0


@pytest.mark.parametrize(("options", "archived"), [({"archive_days": 90}, 0), ({"archive_floor": 0.05}, 0), ({}, 3)])
def test_t18_the_options(options: dict[str, Any], archived: int) -> None:
    with tiered(clock=Hands(day(61)), options=options) as memory:
        old(memory)
        assert memory.consolidate().archived == archived


def test_t18_of_a_session_that_is_forgotten_meanwhile() -> None:
    """Nothing comes back with it."""
    clock = Hands(day(61))
    with tiered(clock=clock) as memory:
        old(memory)
        consolidator = memory._parts.knowing.consolidator
        steps = consolidator.run("default", dry_run=True).steps
        assert len(steps) == 3
        memory.forget(session="s")
        consolidator._write("default", steps, clock(), lambda done: None)
        assert list(memory.sessions()) == []


def test_t18_it_forgets_the_accesses_of_what_is_gone() -> None:
    clock = Hands()
    with tiered(clock=clock) as memory:
        gone = memory.add_fact("The harbour is deep.").id
        stays = memory.add_fact("The harbour is old.").id
        memory.search("harbour", kinds="fact")
        memory.flush()
        memory.forget(fact=gone)
        memory.consolidate()
        names = " ".join(memory._store.tally("default", "taken"))
        assert stays in names
        assert gone not in names


def test_t18_progress_is_told() -> None:
    done: list[int] = []
    with tiered(clock=Hands(day(61))) as memory:
        old(memory)
        memory.consolidate(progress=done.append)
    assert sum(done) == 3


@pytest.mark.parametrize("said", ["I'm allergic to penicillin.", "Always answer in metric units."])
def test_balanced_keeps_what_could_do_harm_when_it_is_forgotten(said: str) -> None:
    clock = Hands()
    with opened(clock=clock) as memory:
        memory.session("s").add("user", said)
        clock.on(3_000)
        assert memory.consolidate().archived == 0
        assert {fact.text for fact in memory.facts()} == {said}
