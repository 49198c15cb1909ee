"""Which facts hold, and from when until when: whatever the order in which they came."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from longterm_tools import Hands, by_id, change, claim, day, opened

from onrecord.policy.validity import key_of_fact, resolve, status_at, suspects
from onrecord.records import FACT_KINDS, Change, Fact, FactStatus, Relation

VALUES = ("Lisbon", "Porto", "Faro")
AT = 0.7


def resolved(facts: Sequence[Fact], *changes: Change, at: float = AT) -> dict[str, Fact]:
    told: dict[str, list[Change]] = {}
    for one in changes:
        told.setdefault(one.of, []).append(one)
    return by_id(resolve(facts, told, at))


def at_any_order(facts: Sequence[Fact], *changes: Change) -> dict[str, Fact]:
    """What facts amount to, in every order of arrival."""
    whole = resolved(facts, *changes)
    for order in permutations(facts):
        assert resolved(order, *changes) == whole
    return whole


# Same, and other


@pytest.mark.parametrize("words", [("Lisbon", "Lisbon"), ("Lisbon", "lisbon."), ("New  York", "new york")])
def test_the_same_said_again_is_one_fact_and_surer(words: tuple[str, str]) -> None:
    first, again = claim(words[0], 1), claim(words[1], 5, id="fact_again")
    (found,) = at_any_order([first, again]).values()
    assert (found.id, found.confirmed, found.status) == (first.id, (again.id,), "active")
    assert found.confidence == pytest.approx(1 - 0.2 * 0.2)
    assert (found.valid_from, found.valid_until) == (day(1), None)
    assert found.sources == (2, 6)


def test_confidence_grows_with_each_time_and_never_reaches_one() -> None:
    told = [claim("Lisbon", at) for at in range(12)]
    sure = [next(iter(resolved(told[:count]).values())).confidence for count in range(1, 13)]
    assert sure == sorted(sure)
    assert sure[0] == 0.8
    assert sure[2] > sure[1] > sure[0]
    assert sure[-1] == 0.99


def test_a_person_who_was_sure_is_not_made_less_sure() -> None:
    (found,) = resolved([claim("Lisbon", 1, confidence=1.0), claim("Lisbon", 2)]).values()
    assert found.confidence == 1.0


def test_the_importance_is_that_of_whoever_gave_most() -> None:
    (found,) = resolved([claim("Lisbon", 1, importance=0.2), claim("Lisbon", 2, importance=0.9)]).values()
    assert found.importance == 0.9


def test_another_value_ends_the_older_where_it_begins() -> None:
    old, new = claim("Lisbon", 1), claim("Porto", 5)
    found = at_any_order([old, new])
    assert (found[old.id].valid_until, found[old.id].superseded_by) == (day(5), new.id)
    assert (found[new.id].valid_from, found[new.id].valid_until) == (day(5), None)
    assert found[new.id].supersedes == (old.id,)
    assert found[new.id].superseded_by == ""
    assert found[old.id].history[-1] == {
        "status": "superseded",
        "time": day(5).isoformat(),
        "why": f"replaced by {new.id}",
    }


def test_pasted_words_do_not_end_a_wish_that_was_said_plainly() -> None:
    def wish(value: str, at: float, **more: Any) -> Fact:
        return claim(value, at, kind="preference", **more)

    first, again = wish("Porto", 5, tags=("indirect",)), wish("Porto", 6, tags=("indirect",))
    found = at_any_order([wish("Lisbon", 1), first, again])
    assert {fact.value: fact.status for fact in found.values()} == {"Lisbon": "active", "Porto": "pending"}
    assert found[first.id].contradicts == ("fact_Lisbon_1",)
    found = at_any_order([wish("Lisbon", 1), first, wish("Porto", 7)])  # now in words of their own
    assert found["fact_Lisbon_1"].superseded_by == first.id
    found = at_any_order([wish("Lisbon", 1), first], change(first.id, 8, "active"))
    assert found["fact_Lisbon_1"].superseded_by == first.id
    assert resolved([first])[first.id].status == "active"  # nothing was said against it
    found = at_any_order([claim("Lisbon", 1), claim("Porto", 5, tags=("indirect",))])  # where one lives is no wish
    assert found["fact_Lisbon_1"].superseded_by == "fact_Porto_5"


def test_there_and_back_again() -> None:
    first, other, again = claim("Lisbon", 1), claim("Porto", 5), claim("Lisbon", 9)
    found = at_any_order([first, other, again])
    assert [(one.valid_from, one.valid_until) for one in found.values()] == [
        (day(1), day(5)),
        (day(5), day(9)),
        (day(9), None),
    ]
    assert found[again.id].supersedes == (other.id,)
    assert found[again.id].confirmed == ()


def test_what_ended_by_itself_before_is_not_replaced() -> None:
    old, new = claim("Lisbon", 1, valid_until=day(3)), claim("Porto", 5)
    found = at_any_order([old, new])
    assert (found[old.id].valid_until, found[old.id].superseded_by) == (day(3), "")
    assert found[new.id].supersedes == ()
    assert status_at(found[old.id], day(4)) == "archived"


def test_what_would_end_later_is_ended_by_the_next() -> None:
    old, new = claim("Lisbon", 1, valid_until=day(90)), claim("Porto", 5)
    found = at_any_order([old, new])
    assert (found[old.id].valid_until, found[old.id].superseded_by) == (day(5), new.id)


def test_what_was_said_later_of_the_same_moment_corrects() -> None:
    said, corrected = claim("Lisbon", 3, valid_from=day(1)), claim("Porto", 4, valid_from=day(1))
    found = at_any_order([said, corrected])
    assert (found[said.id].valid_from, found[said.id].valid_until) == (day(1), day(1))
    assert [status_at(found[one.id], day(2)) for one in (said, corrected)] == ["superseded", "active"]


# One and the same moment


def test_two_values_of_one_moment_contradict_and_both_hold() -> None:
    one, other = claim("Lisbon", 1), claim("Porto", 1)
    found = at_any_order([one, other])
    assert found[one.id].contradicts == (other.id,)
    assert found[other.id].contradicts == (one.id,)
    assert {fact.status for fact in found.values()} == {"active"}
    assert {fact.valid_until for fact in found.values()} == {None}


def test_one_moment_with_the_same_said_twice() -> None:
    told = [claim(value, 1, id=id) for value, id in (("Porto", "a"), ("Lisbon", "b"), ("Porto", "c"))]
    found = at_any_order(told)
    assert {id: (fact.confirmed, fact.contradicts) for id, fact in found.items()} == {
        "a": (("c",), ("b",)),
        "b": ((), ("a",)),
    }


@pytest.mark.parametrize("known", VALUES)
def test_what_is_said_with_its_contrary_goes_on(known: str) -> None:
    """Whatever the alphabet says of the two."""
    others = [value for value in VALUES if value != known]
    for other in others:
        before, again, contrary = claim(known, 1), claim(known, 5, id="again"), claim(other, 5)
        found = at_any_order([before, again, contrary])
        assert found[before.id].valid_until is None
        assert found[before.id].contradicts == (contrary.id,)
        assert found[contrary.id].contradicts == (before.id,)
        assert found[contrary.id].supersedes == ()


def test_one_of_two_said_again_ends_the_other() -> None:
    one, other, again = claim("Lisbon", 1), claim("Porto", 1), claim("Porto", 5, id="again")
    found = at_any_order([one, other, again])
    assert (found[one.id].valid_until, found[one.id].superseded_by) == (day(5), other.id)
    assert (found[other.id].confirmed, found[other.id].supersedes) == (("again",), (one.id,))


def test_two_of_one_moment_replace_what_was_before() -> None:
    old, one, other = claim("Faro", 1), claim("Lisbon", 5), claim("Porto", 5)
    found = at_any_order([old, one, other])
    assert found[old.id].superseded_by in (one.id, other.id)
    assert found[one.id].supersedes == found[other.id].supersedes == (old.id,)


# Waiting


def test_t17_what_is_not_sure_waits_and_ends_nothing() -> None:
    sure, unsure = claim("Lisbon", 1), claim("Porto", 5, confidence=0.5)
    found = at_any_order([sure, unsure])
    assert (found[sure.id].status, found[sure.id].valid_until) == ("active", None)
    assert (found[unsure.id].status, found[unsure.id].promoted) == ("pending", False)
    assert found[unsure.id].contradicts == (sure.id,)
    assert found[sure.id].contradicts == (unsure.id,)


def test_t17_said_in_two_messages_it_counts() -> None:
    told = [claim("Porto", 5, confidence=0.5), claim("Porto", 6, confidence=0.5)]
    found = at_any_order([claim("Lisbon", 1), *told])
    assert found[told[0].id].promoted
    assert found[told[0].id].status == "active"
    assert found["fact_Lisbon_1"].superseded_by == told[0].id
    assert {"status": "active", "time": day(6).isoformat(), "why": "said again"} in found[told[0].id].history


def test_t17_found_twice_in_one_message_it_is_said_once() -> None:
    told = [claim("Porto", 5, confidence=0.5), claim("Porto", 5, confidence=0.5, kind="goal", id="goal")]
    assert {fact.status for fact in at_any_order(told).values()} == {"pending"}


@pytest.mark.parametrize(("at", "status"), [(0.5, "active"), (0.8, "active"), (0.81, "pending")])
def test_t17_the_threshold(at: float, status: str) -> None:
    (found,) = resolved([claim("Porto", 5)], at=at).values()
    assert found.status == status


def test_what_waits_between_two_of_the_same_parts_them_not() -> None:
    sure, unsure, again = claim("Lisbon", 1), claim("Porto", 5, confidence=0.5), claim("Lisbon", 9, confidence=0.5)
    found = at_any_order([sure, unsure, again])
    assert set(found) == {sure.id, unsure.id}
    assert found[sure.id].confirmed == (again.id,)


def test_what_waits_of_what_held_before_is_not_part_of_it() -> None:
    old, new, unsure = claim("Lisbon", 1), claim("Porto", 5), claim("Lisbon", 9, confidence=0.5)
    found = at_any_order([old, new, unsure])
    assert found[unsure.id].status == "pending"
    assert (found[new.id].valid_until, found[old.id].confirmed) == (None, ())


# Decided by people


def test_t17_promoted_by_hand() -> None:
    sure, unsure = claim("Lisbon", 1), claim("Porto", 5, confidence=0.5)
    found = at_any_order([sure, unsure], change(unsure.id, 7, "active"))
    assert (found[unsure.id].status, found[unsure.id].promoted) == ("active", True)
    assert found[sure.id].valid_until == day(5)


def test_a_rejected_fact_never_holds_and_the_older_holds_again() -> None:
    old, new = claim("Lisbon", 1), claim("Porto", 5)
    found = at_any_order([old, new], change(new.id, 7, "rejected"))
    assert (found[old.id].valid_until, found[old.id].superseded_by) == (None, "")
    assert {status_at(found[new.id], day(at)) for at in (0, 5, 6, 8, 900)} == {"rejected"}


def test_rejected_and_said_again_it_counts_anew() -> None:
    first, again = claim("Porto", 1), claim("Porto", 9, id="again")
    found = at_any_order([first, again], change(first.id, 5, "rejected"))
    assert (found[first.id].status, found["again"].status) == ("rejected", "active")


def test_what_is_decided_about_one_claim_recalled_nothing_of_another() -> None:
    first, again = claim("Porto", 1), claim("Porto", 3, id="again")
    found = at_any_order([first, again], change(first.id, 5, "rejected"))
    assert (found[first.id].status, found["again"].status) == ("rejected", "active")


def test_archived_it_is_out_of_use_from_then_on_and_still_true() -> None:
    old, new = claim("Lisbon", 1), claim("Porto", 5)
    found = at_any_order([old, new], change(new.id, 7, "archived"))
    assert found[old.id].valid_until == day(5)
    assert [status_at(found[new.id], day(at)) for at in (4, 5, 6, 7, 8)] == [
        "pending",
        "active",
        "active",
        "archived",
        "archived",
    ]


def test_archiving_what_waits_makes_it_no_truth() -> None:
    sure, unsure = claim("Lisbon", 1), claim("Porto", 5, confidence=0.5)
    found = at_any_order([sure, unsure], change(unsure.id, 7, "archived"))
    assert (found[sure.id].status, found[sure.id].valid_until) == ("active", None)
    assert (found[unsure.id].status, found[unsure.id].promoted) == ("archived", False)


def test_archived_and_restored() -> None:
    one = claim("Lisbon", 1)
    found = resolved([one], change(one.id, 7, "archived"), change(one.id, 9, "active"))
    assert found[one.id].status == "active"
    assert [event["status"] for event in found[one.id].history] == ["pending", "archived", "active"]


@pytest.mark.parametrize("since", [9, 0])
def test_archived_and_said_again_it_is_in_use_again(since: float) -> None:
    """Also if it is said to have held for longer than was known."""
    one, again = claim("Lisbon", 1), claim("Lisbon", 9, id="again", valid_from=day(since))
    (found,) = at_any_order([one, again], change(one.id, 7, "archived")).values()
    assert found.status == "active"


def test_an_edit_of_the_value_concerns_the_chain() -> None:
    old, new = claim("Lisbon", 1), claim("Porto", 5)
    found = at_any_order([old, new], change(new.id, 7, value="Lisbon", text="Ana lives in Lisbon."))
    assert set(found) == {old.id}
    assert found[old.id].confirmed == (new.id,)


def test_an_edit_that_moves_a_fact_concerns_both_chains() -> None:
    home, moved = claim("Lisbon", 1), claim("Porto", 5)
    work = claim("Faro", 2, id="work", attribute="workplace")
    found = at_any_order([home, moved, work], change(moved.id, 7, attribute="workplace"))
    assert found[home.id].valid_until is None
    assert (found["work"].valid_until, found["work"].superseded_by) == (day(5), moved.id)
    assert found[moved.id].supersedes == ("work",)
    assert found[moved.id].method == "hand"


def test_an_edit_of_the_validity() -> None:
    old, new = claim("Lisbon", 1), claim("Porto", 5)
    found = at_any_order([old, new], change(new.id, 7, valid_from=day(3).isoformat()))
    assert (found[old.id].valid_until, found[new.id].valid_from) == (day(3), day(3))
    before = at_any_order([old, new], change(new.id, 7, valid_from=day(0).isoformat()))
    assert (before[new.id].valid_until, before[old.id].valid_until) == (day(1), None)


def test_later_edits_win() -> None:
    one = claim("Lisbon", 1)
    told = [change(one.id, 3, value="Porto", importance=0.9), change(one.id, 5, value="Faro")]
    for order in permutations(told):
        assert (resolved([one], *order)[one.id].value, resolved([one], *order)[one.id].importance) == ("Faro", 0.9)


def test_forgetting_the_newer_revives_the_older() -> None:
    old, new = claim("Lisbon", 1), claim("Porto", 5)
    assert resolved([old, new])[old.id].valid_until == day(5)
    assert resolved([old])[old.id].valid_until is None
    assert set(resolved([old, new], change(new.id, 7, "forgotten"))) == {old.id}


def test_forgetting_a_message_revives_the_older_through_the_memory() -> None:
    clock = Hands()
    with opened(clock=clock) as memory:
        chat = memory.session("s")
        chat.add("user", "I live in Lisbon.")
        clock.on(5)
        chat.add("user", "I live in Porto.")
        assert [fact.value for fact in memory.facts(attribute="home")] == ["Porto"]
        memory.forget(session="s", messages=2)
        (home,) = memory.facts(attribute="home", status=None)
        assert (home.value, home.status, home.valid_until, home.superseded_by) == ("Lisbon", "active", None, "")


# About something else

OTHERS: list[dict[str, Any]] = [
    {"value": "Faro", "subject": "Bob"},
    {"value": "Faro", "attribute": "workplace"},
    {"value": "", "subject": "", "attribute": "", "text": "Ana lives in Faro."},
]


@pytest.mark.parametrize("other", OTHERS)
def test_what_is_about_something_else_changes_nothing(other: dict[str, Any]) -> None:
    beside, home, moved = claim(**other, at=3, id="beside"), claim("Lisbon", 1), claim("Porto", 5)
    found = at_any_order([home, beside, moved])
    assert found["beside"] == resolved([beside])["beside"]
    assert {id: one for id, one in found.items() if id != "beside"} == resolved([home, moved])


def test_without_an_attribute_only_the_same_words_are_the_same() -> None:
    said = {"subject": "user", "attribute": ""}
    told = [
        claim("", 1, id="a", text="The plan is good.", **said),
        claim("", 2, id="b", text="The plan is bad.", **said),
        claim("", 3, id="c", text="the plan  is good", **said),
    ]
    found = at_any_order(told)
    assert {id: fact.confirmed for id, fact in found.items()} == {"a": ("c",), "b": ()}


# Any of it, in any order

FACTS = st.builds(
    lambda value, at, back, sure, kind, until, session: claim(
        value,
        at,
        valid_from=day(max(0, at - back)),
        valid_until=None if until is None else day(at + until),
        confidence=sure,
        kind=kind,
        session=session,
        sources=(at + 1,),
    ),
    st.sampled_from(VALUES),
    st.integers(0, 6),
    st.integers(0, 3),
    st.sampled_from((0.4, 0.6, 0.7, 0.9)),
    st.sampled_from(FACT_KINDS[:2]),
    st.sampled_from((None, None, None, 2)),
    st.sampled_from("st"),
)
EDITS: tuple[dict[str, Any], ...] = (
    {},
    {"value": "Porto"},
    {"attribute": "workplace"},
    {"subject": "Bob"},
    {"tags": ["x"]},
)
DECIDED = st.tuples(
    st.integers(0, 7),
    st.floats(0, 12),
    st.sampled_from(("", "active", "archived", "rejected", "forgotten")),
    st.sampled_from(EDITS),
)


@st.composite
def stories(draw: st.DrawFn) -> tuple[list[Fact], list[Change]]:
    """What was said about a home, and what was decided about it."""
    facts = [claimed(fact, number) for number, fact in enumerate(draw(st.lists(FACTS, max_size=7)))]
    told = [
        Change(id=f"change_{number}", of=f"fact_{of}", session="s", status=status, values=values, time=day(at))
        for number, (of, at, status, values) in enumerate(draw(st.lists(DECIDED, max_size=4)))
    ]
    return facts, told


def claimed(fact: Fact, number: int) -> Fact:
    return Fact(**{name: getattr(fact, name) for name in fact.__slots__} | {"id": f"fact_{number}"})


def promoted_chains(found: Mapping[str, Fact]) -> list[list[Fact]]:
    chains: dict[tuple[str, str], list[Fact]] = {}
    for fact in found.values():
        if fact.promoted and fact.status != "rejected":
            chains.setdefault(key_of_fact(fact), []).append(fact)
    return list(chains.values())


@given(stories(), st.randoms(use_true_random=False))
def test_no_order_of_arrival_matters(story: tuple[list[Fact], list[Change]], rng: random.Random) -> None:
    facts, told = story
    whole = resolved(facts, *told)
    for _ in range(3):
        rng.shuffle(facts)
        rng.shuffle(told)
        assert resolved(facts, *told) == whole


@given(stories())
def test_links_lead_both_ways_and_to_what_is_there(story: tuple[list[Fact], list[Change]]) -> None:
    facts, told = story
    found = resolved(facts, *told)
    for fact in found.values():
        assert fact.id not in (*fact.supersedes, *fact.contradicts, fact.superseded_by)
        assert all(fact.id in found[other].contradicts for other in fact.contradicts)
        if fact.superseded_by:
            assert fact.id in found[fact.superseded_by].supersedes
        for other in fact.supersedes:
            after = found[found[other].superseded_by]
            assert after.id == fact.id or after.valid_from == fact.valid_from
            assert found[other].valid_until == after.valid_from or after.valid_from < (
                found[other].valid_until or day(0)
            )


@given(stories())
def test_each_claim_is_told_once(story: tuple[list[Fact], list[Change]]) -> None:
    facts, told = story
    found = resolved(facts, *told)
    members = sorted(id for fact in found.values() for id in (fact.id, *fact.confirmed))
    assert len(members) == len(set(members))
    gone = {fact.id for fact in facts} - set(members)
    assert not gone or any(one.status == "forgotten" for one in told)
    for one in told:
        if one.status == "forgotten":
            assert one.of not in members


@given(stories())
def test_intervals_do_not_overlap_but_at_one_moment(story: tuple[list[Fact], list[Change]]) -> None:
    facts, told = story
    for chain in promoted_chains(resolved(facts, *told)):
        for one in chain:
            for other in chain:
                if one.id != other.id and other.id not in one.contradicts:
                    assert not meets(one, other)


def meets(one: Fact, other: Fact) -> bool:
    """Whether there is a moment at which both hold."""
    end = datetime.max.replace(tzinfo=day(0).tzinfo)
    start = max(one.valid_from, other.valid_from)
    return start < min(one.valid_until or end, other.valid_until or end)


@given(stories(), st.floats(0, 12))
def test_rejected_and_waiting_facts_never_hold(story: tuple[list[Fact], list[Change]], at: float) -> None:
    facts, told = story
    for fact in resolved(facts, *told).values():
        if fact.status in ("rejected", "pending"):
            assert status_at(fact, day(at)) == fact.status
        if not fact.promoted:
            assert not fact.supersedes


@given(stories())
def test_of_what_is_sure_and_has_no_end_the_newest_holds(story: tuple[list[Fact], list[Change]]) -> None:
    sure = [one for one in story[0] if one.valid_until is None and one.confidence >= AT]
    newest = max(((one.valid_from, one.said) for one in sure), default=None)
    holding = {fact.value for fact in resolved(sure).values() if status_at(fact, day(90)) == "active"}
    assert holding == {one.value for one in sure if (one.valid_from, one.said) == newest}


# Suspects


def rests(*pairs: str) -> list[Relation]:
    return [Relation(source=pair[0], type="depends_on", target=pair[1]) for pair in pairs]


@pytest.mark.parametrize("status", ["superseded", "rejected"])
def test_what_rests_on_what_no_longer_holds_is_suspect(status: FactStatus) -> None:
    statuses: dict[str, FactStatus] = {"a": status, "b": "active", "c": "active", "d": "active"}
    assert suspects(statuses, rests("ba", "cb")) == {"b", "c"}
    assert suspects(statuses, [Relation(source="b", type="related_to", target="a")]) == set()


def test_suspects_in_a_circle() -> None:
    statuses: dict[str, FactStatus] = {"a": "rejected", "b": "active", "c": "active"}
    assert suspects(statuses, rests("ba", "cb", "bc", "cc")) == {"b", "c"}


def test_what_is_out_of_use_shakes_nothing_and_is_not_shaken() -> None:
    statuses: dict[str, FactStatus] = {"a": "archived", "b": "active", "c": "rejected", "d": "pending", "e": "active"}
    assert suspects(statuses, rests("ba", "dc", "ed", "bx")) == set()


# Two times: when it is true, and when it was known


def test_as_of_and_believed_are_two_things() -> None:
    clock = Hands(day(0))
    with opened(clock=clock) as memory:
        memory.add_fact("Ana lives in Lisbon.", subject="Ana", attribute="home", value="Lisbon")
        clock.on(150)
        memory.add_fact(
            "Ana lives in Porto since March.", subject="Ana", attribute="home", value="Porto", valid_from=day(60)
        )
        homes = [memory.facts(as_of=day(at), attribute="home") for at in (30, 59, 60, 100, 160)]
        assert [[fact.value for fact in one] for one in homes] == [["Lisbon"], ["Lisbon"], *[["Porto"]] * 3]
        known = [memory.facts(known_at=day(at), attribute="home") for at in (30, 100, 149, 150, 160)]
        assert [[fact.value for fact in one] for one in known] == [*[["Lisbon"]] * 3, ["Porto"], ["Porto"]]
        both = memory.facts(as_of=day(100), known_at=day(120), attribute="home")
        assert [fact.value for fact in both] == ["Lisbon"]
        assert memory.facts(as_of=day(-1), attribute="home") == []
        assert memory.facts(known_at=day(-1), attribute="home", status=None) == []
