"""Plans that read what messages say: nodes that end where topics do, and smaller ones of dense messages (h21, r07)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from talk_tools import nodes, ranges
from topic_tools import starts, talk

from onrecord import InvalidSetting, Memory, Session
from onrecord.derive.seeing import Seeing
from onrecord.policy.plans import DueNode, Extending, Flat, PlannedMessage, Pyramid, State, Strategy
from onrecord.policy.topics import AFTER, REACH
from onrecord.profiles import PROFILES, Profile, options_of, with_options
from onrecord.records import Message, Page, Query
from onrecord.settings import ProfileName

PLANS: dict[str, Strategy] = {
    "adaptive": Flat(every=15, adaptive=True),
    "pyramid": Pyramid(units=8, fan=2, topics=True, least=3),
    "extending": Extending(from_messages=14, from_tokens=4_000, keep=5, again=8, topics=True),
}
OPTIONS: dict[ProfileName, dict[str, Any]] = {
    "hybrid": {"adaptive": True},
    "balanced": {"units": 8, "fan": 2, "topics": True, "least": 3},
    "rolling": {"from_messages": 14, "keep": 5, "again": 8, "topics": True},
}
profiles = pytest.mark.parametrize("profile", OPTIONS)
quick = settings(max_examples=40, deadline=None)
slow = settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
roles = st.sampled_from(["user", "assistant", "user", "assistant", "tool"])
sights = st.lists(st.tuples(roles, st.integers(0, 200), st.integers(0, 900), st.booleans(), st.booleans()), max_size=60)
CODE = "The function parse_rows() raises a ValueError in config.yaml"


def journal_of(made: Sequence[tuple[Any, int, int, bool, bool]]) -> list[PlannedMessage]:
    """Messages of which some show that a topic began a few messages ago, as a window would."""
    found = []
    for seq, (role, size, letters, technical, breaks) in enumerate(made, start=1):
        begun = seq - AFTER if breaks and role != "tool" and seq > AFTER and made[seq - AFTER - 1][0] != "tool" else 0
        found.append(PlannedMessage(seq, role, size, size + 4, size, letters, technical and letters > 0, begun))
    return found


journals = sights.map(journal_of)


def folded(
    plan: Strategy, journal: Sequence[PlannedMessage], state: State | None = None
) -> tuple[list[DueNode], State]:
    state = plan.begin(0) if state is None else state
    return [due for message in journal for due in plan.step(state, message)], state


# The rules alone


@pytest.mark.parametrize("name", PLANS)
@quick
@given(journals)
def test_no_message_is_covered_twice_and_none_is_left_between(name: str, journal: list[PlannedMessage]) -> None:
    covered = 0
    for due in folded(PLANS[name], journal)[0]:
        if due.level == 1:
            assert due.first == (1 if PLANS[name].extends else covered + 1)
            assert covered < due.last <= due.until <= len(journal)
            covered = due.last


@pytest.mark.parametrize("name", PLANS)
@quick
@given(journals, st.integers(0, 60))
def test_the_state_is_plain_json_and_the_fold_can_stop_anywhere(
    name: str, journal: list[PlannedMessage], at: int
) -> None:
    whole, end = folded(PLANS[name], journal)
    first, state = folded(PLANS[name], journal[:at])
    second, other = folded(PLANS[name], journal[at:], json.loads(json.dumps(state)))
    assert first + second == whole
    assert json.dumps(other) == json.dumps(end)


@pytest.mark.parametrize("name", PLANS)
@quick
@given(journals)
def test_whoever_reads_no_texts_misses_nothing_that_may_be_due(name: str, journal: list[PlannedMessage]) -> None:
    """As notes are taken while messages are added: what they say is not known there, and must not be needed."""
    plan = PLANS[name]
    state: State = plan.begin(0)
    blind: State | None = None
    for message in journal:
        blind = json.loads(json.dumps(state)) if blind is None else blind
        told = list(plan.step(blind, message._replace(letters=0, technical=False, breaks=0))) or plan.may_be_due(blind)
        due = list(plan.step(state, message))
        assert told or not due
        blind = None if told else blind


@quick
@given(journals)
def test_a_pyramids_nodes_have_a_least_and_a_most(journal: list[PlannedMessage]) -> None:
    plan = Pyramid(units=8, topics=True, least=3)
    for due in folded(plan, journal)[0]:
        if due.level == 1:
            inside = journal[due.first - 1 : due.last]
            units = [1 + one.tokens // 64 for one in inside]
            assert journal[due.last].role != "tool"
            assert sum(units) >= 3
            talked = [at for at, one in enumerate(inside) if one.role != "tool"]
            assert sum(units[: talked[-1]]) < 8 if talked else True


@quick
@given(journals)
def test_levels_stand_on_full_nodes(journal: list[PlannedMessage]) -> None:
    found = folded(PLANS["pyramid"], journal)[0]
    for level in range(2, 6):
        below = [due for due in found if due.level == level - 1]
        for number, due in enumerate(due for due in found if due.level == level):
            children = below[2 * number : 2 * number + 2]
            assert (due.first, due.last) == (children[0].first, children[-1].last)


def plain_talk(count: int, breaks: dict[int, int] | None = None) -> list[PlannedMessage]:
    return [
        PlannedMessage(seq, "user", 10, 14, 10, 40, False, (breaks or {}).get(seq, 0)) for seq in range(1, count + 1)
    ]


def spans(plan: Strategy, journal: Sequence[PlannedMessage]) -> list[tuple[int, int]]:
    return [(due.first, due.last) for due in folded(plan, journal)[0] if due.level == 1]


def test_a_pyramids_node_ends_where_a_topic_does() -> None:
    plan = Pyramid(units=12, topics=True, least=6)
    assert spans(plan, plain_talk(30)) == [(1, 12), (13, 24)]
    assert spans(plan, plain_talk(30, {11: 8})) == [(1, 7), (8, 19)]
    assert spans(plan, plain_talk(30, {9: 6})) == [(1, 12), (13, 24)]  # it would be too small
    assert spans(plan, plain_talk(30, {14: 11})) == [(1, 12), (13, 24)]  # it is full before that shows


def test_a_round_is_due_when_a_topic_that_ended_leaves_the_window() -> None:
    plan = Extending(topics=True)
    assert spans(plan, plain_talk(41)) == [(1, 10), (1, 20), (1, 30)]
    assert spans(plan, plain_talk(41, {11: 8})) == [(1, 7), (1, 17), (1, 27)]
    assert spans(plan, plain_talk(41, {7: 4})) == [(1, 10), (1, 20), (1, 30)]  # too little
    assert spans(plan, plain_talk(30, {28: 25})) == [(1, 10), (1, 20)]  # it is still in the window
    first = folded(plan, plain_talk(41, {11: 8}))[0][0]
    assert (first.last, first.until) == (7, 17)


def test_h21_dense_messages_make_smaller_nodes() -> None:
    plan = Flat(adaptive=True)
    assert spans(plan, plain_talk(31)) == [(1, 15), (16, 30)]
    technical = [one._replace(technical=one.seq % 5 != 0) for one in plain_talk(31)]
    assert spans(plan, technical) == [(1, 10), (11, 20), (21, 30)]
    assert spans(plan, [one._replace(technical=one.seq % 10 > 3) for one in plain_talk(20)]) == [(1, 15)]
    assert spans(plan, [one._replace(letters=501) for one in plain_talk(31)]) == [(1, 10), (11, 20), (21, 30)]
    assert spans(plan, [one._replace(letters=500) for one in plain_talk(31)]) == [(1, 15), (16, 30)]
    half_forgotten = [one._replace(letters=0 if one.seq % 2 else 600) for one in plain_talk(20)]
    assert spans(plan, half_forgotten) == [(1, 10), (11, 20)]
    assert spans(Flat(adaptive=True, every=6), technical) == [(1, 6), (7, 12), (13, 18), (19, 24), (25, 30)]
    assert spans(Flat(), technical) == [(1, 15), (16, 30)]


def test_names_change_only_with_the_option() -> None:
    assert (Flat().plan, Pyramid().plan) == ("flat-15", "pyramid-12-4")
    assert (Extending().plan, Pyramid(least=3).plan) == ("rolling-20-8000-10-10", "pyramid-12-4")
    off: list[Strategy] = [Flat(), Pyramid(), Extending()]
    on: list[Strategy] = [Flat(adaptive=True), Pyramid(topics=True), Pyramid(topics=True, least=4)]
    assert len({plan.plan for plan in (*off, *on, Extending(topics=True))}) == 7
    assert not any(plan.reads for plan in off)
    assert {*Pyramid().begin(0)} == {"at", "first", "units", "nodes", "levels"}


# What is seen of messages


def test_topics_are_seen_alike_from_anywhere() -> None:
    said = [
        Message(session="s", seq=seq, id=str(seq), role=role, text=text)  # type: ignore[arg-type]
        for seq, (role, text) in enumerate(noisy(90), start=1)
    ]

    def messages(page: Page) -> list[Message]:
        found = [one for one in said if page.before is not None and one.seq < page.before and page.wants(one)]
        return found[-page.limit :]

    sees = Seeing("topics", messages)
    whole = [sees(one).breaks for one in said]
    assert sum(map(bool, whole)) > 8
    for start in range(0, len(said), 13):
        late = Seeing("topics", messages)
        assert [late(one).breaks for one in said[start:]] == whole[start:]


def noisy(count: int) -> list[tuple[str, str]]:
    """With tools, and calls of them that say nothing, between what is said."""
    found: list[tuple[str, str]] = []
    for at, turn in enumerate(talk(count)):
        found += [("assistant", ""), ("tool", '{"rows": 7}')] * (REACH if at % 11 == 5 else 0) + [turn]
    return found


# Through the public door


def opened(profile: ProfileName, path: Path | str = ":memory:", summarize: Any = "inline") -> Memory:
    return Memory(path, profile=profile, options=OPTIONS[profile], summarize=summarize)


def said(count: int) -> list[tuple[str, str]]:
    """A conversation about one matter after the other, in the middle of it one about code."""
    code = [("assistant" if at % 2 else "user", f"{CODE}, line {at}") for at in range(14)]
    return [*talk(26), *code, *talk(count)][:count]


def added(chat: Session, turns: Sequence[tuple[str, str]]) -> Session:
    for role, text in turns:
        chat.add(role, text)  # type: ignore[arg-type]
    return chat


@pytest.fixture(scope="module")
def one_by_one() -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for profile in OPTIONS:
        with opened(profile) as memory:
            found[profile] = nodes(added(memory.session("s"), said(64)))
    return found


@profiles
def test_something_is_planned_by_what_is_said(profile: ProfileName, one_by_one: dict[str, list[Any]]) -> None:
    with Memory(":memory:", profile=profile, summarize="inline") as memory:
        counted = nodes(added(memory.session("s"), said(64)))
    assert {node[3:5] for node in one_by_one[profile]} != {node[3:5] for node in counted}
    assert len({node[0] for node in [*one_by_one[profile], *counted]}) == 2


@profiles
@slow
@given(batches=st.lists(st.tuples(st.integers(1, 20), st.booleans()), min_size=1, max_size=6))
def test_late_and_early_workers_plan_the_same(
    profile: ProfileName, batches: list[tuple[int, bool]], one_by_one: dict[str, list[Any]]
) -> None:
    turns = said(64)
    with opened(profile, summarize="manual") as memory:
        chat, at = memory.session("s"), 0
        for count, run in [*batches, (64, True)]:
            added(chat, turns[at : at + count])
            at += count
            if run:
                chat.summarize()
        assert nodes(chat) == one_by_one[profile]
        assert chat.due() == []
        chat.rebuild()
        assert nodes(chat) == one_by_one[profile]


@profiles
def test_two_workers_in_turn_plan_the_same(
    profile: ProfileName, tmp_path: Path, one_by_one: dict[str, list[Any]]
) -> None:
    path = tmp_path / "m.db"
    with opened(profile, path) as one, opened(profile, path) as two:
        for at, turn in enumerate(said(64)):
            added((one if at % 3 else two).session("s"), [turn])
        one.session("s").summarize()
        assert nodes(one.session("s")) == nodes(two.session("s")) == one_by_one[profile]


@profiles
def test_forgetting_leaves_what_is_made_in_its_place(profile: ProfileName) -> None:
    with opened(profile) as memory:
        chat = added(memory.session("s"), said(64))
        before = ranges(chat)
        chat.forget(20, 33, 34)
        chat.summarize()
        if profile == "rolling":
            edges = [last for _, last in ranges(chat)]
            assert edges[0] == before[0][1]
            assert all(later > earlier for earlier, later in pairwise(edges))
        else:
            assert ranges(chat) == before
        found = nodes(added(chat, said(20)))
        if profile == "rolling":
            chat.rebuild()
            assert nodes(chat) == found


@profiles
def test_marks_hold_no_words(profile: ProfileName) -> None:
    with opened(profile) as memory:
        added(memory.session("s"), said(64))
        for record in memory._store.records("default", "s", Query(kind="mark")):
            assert "guitar" not in json.dumps(dict(record.body or {}))
            if record.plan == "learned":
                continue  # it names its rules
            assert all(not isinstance(value, str) for value in (record.body or {}).values())


def test_nodes_mix_fewer_topics() -> None:
    """Boundaries inside a node, of all there are: with topics, fewer nodes are about two matters."""

    def mixed(options: dict[str, Any]) -> float:
        with Memory(":memory:", options=options, summarize="manual") as memory:
            chat = added(memory.session("s"), talk(120))
            chat.summarize()
            found = ranges(chat, level=1)
        inside = [any(first <= start < last for start in starts(120)) for first, last in found]
        return sum(inside) / len(inside)

    assert mixed({"topics": True, "units": 8, "least": 3}) < mixed({"topics": False, "units": 8}) - 0.2


def test_options_of_profiles() -> None:
    assert options_of(PROFILES["hybrid"])["adaptive"] is False
    assert options_of(PROFILES["rolling"])["topics"] is False
    assert options_of(PROFILES["balanced"])["topics"] in (False, True)
    with pytest.raises(InvalidSetting, match="topics"):
        Memory(":memory:", options={"topics": 1})
    with pytest.raises(InvalidSetting, match="adaptive"):
        Memory(":memory:", options={"adaptive": True})


SECTIONS = ("facts", "recalled", "refill")


@pytest.mark.parametrize("profile", PROFILES.values(), ids=lambda profile: profile.name)
def test_options_that_a_profile_does_not_look_at_are_refused(profile: Profile) -> None:
    listed = options_of(profile)
    for other in PROFILES.values():
        for name, value in options_of(other).items():
            if name in listed:
                assert profile == with_options(profile, {name: listed[name]}) or name == "tokens"
                continue
            with pytest.raises(InvalidSetting, match=f"{profile.name} has no option '{name}'") as refused:
                with_options(profile, {name: value})
            assert other.name in refused.value.hint  # whose it is
            assert "tokens" in refused.value.hint  # what there is
    there = {section: any(name.partition("_")[0] == section for name in listed) for section in SECTIONS}
    assert there == {section: section in profile.order for section in SECTIONS}


def test_every_option_is_one_of_some_profile() -> None:
    listed = {name for profile in PROFILES.values() for name in options_of(profile)}
    fixed = {"name", "importance", "strategy", "bands", "bounds_chats", "layout", "order", "letters", "brief"}
    assert {part.name for part in fields(Profile)} - fixed - {"otherwise", "recalls"} <= listed
    with pytest.raises(InvalidSetting, match="recalled") as refused:
        Memory(":memory:", profile="rolling", options={"recalled": 5})
    assert "for balanced and tiered" in refused.value.hint
