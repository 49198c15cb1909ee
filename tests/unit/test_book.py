"""The book of a space follows its store: however it came about, it says what a book that is opened now would say."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from longterm_tools import Hands, by_id, change, claim, day, opened, write

from onrecord import NotFound
from onrecord.derive.book import SPACES, Book, SpacePages
from onrecord.derive.episode_editing import standing_episodes
from onrecord.ports import Batch, Store, Target
from onrecord.records import EPOCH, MANUAL, Change, Episode, Fact, Record
from onrecord.stores.sqlite.memory_store import MemoryStore

SPACE = "ana"
VALUES = ("Lisbon", "Porto", "Faro")
MOMENTS = [day(at) for at in (-1, 0, 2.5, 4, 7, 11, 90)]


def put(store: Store, session: str, *records: Record, drops: Any = ()) -> None:
    store.commit(Batch(space=SPACE, session=session, records=records, drops=drops, time=EPOCH))


def book(store: Store, alone: bool = False) -> Book:
    return Book(store, alone=alone, promoted_at=0.7)


def view(pages: SpacePages) -> list[Any]:
    """Everything that pages say."""
    told: list[Any] = [sorted(pages.facts(), key=lambda fact: fact.id)]
    for moment in MOMENTS:
        told.append(statuses(pages, moment))
        told.append(statuses(pages.known_at(moment), moment))
        for session in ("", "s"):
            held = pages.in_force(session, moment)
            told.append({fact.id for fact in held.facts})
            told.append({fact.id for fact in held.doubtful})
            assert ids(pages, session, moment, "active") == told[-2]
            assert ids(pages, session, moment, "suspect") == told[-1]
    told.append(standing_episodes(pages))
    told.append(sorted(pages.relations.items()))
    return told


def ids(pages: SpacePages, session: str, moment: datetime, status: str) -> set[str]:
    return {fact.id for fact in pages.at(moment) if fact.status == status and session in ("", fact.session)}


def statuses(pages: SpacePages, moment: datetime) -> dict[str, str]:
    return {fact.id: fact.status for fact in pages.at(moment)}


def relation(key: str, source: str, target: str, type: str = "depends_on") -> Record:
    body = {"source": source, "target": target, "type": type, "since": day(2).isoformat()}
    return Record(session="s", kind="relation", plan=MANUAL, key=key, locked=True, body=body, time=day(2))


def episode(key: str, first: int, last: int) -> Record:
    told = Episode(id=key, session="s", kind="decision", title=key, first=first, last=last, began=day(first))
    return replace(told, ended=day(last), time=day(last)).record(MANUAL)


CLAIMS = st.tuples(
    st.sampled_from(VALUES),
    st.integers(0, 6),
    st.sampled_from((0.5, 0.9)),
    st.sampled_from("st"),
    st.sampled_from(("home", "workplace")),
)
EDITS: tuple[dict[str, Any], ...] = (
    {},
    {"value": "Porto"},
    {"attribute": "workplace"},
    {"subject": "Bob"},
    {"subject": "Ana", "attribute": "home"},
)
CHANGES = st.tuples(
    st.integers(0, 5),
    st.integers(0, 10),
    st.sampled_from(("", "active", "archived", "rejected", "forgotten")),
    st.sampled_from(EDITS),
)


@st.composite
def records(draw: st.DrawFn) -> list[Record]:
    """Facts, what was decided about them, how they stand to each other, and episodes."""
    found: list[Record] = []
    sessions: dict[str, str] = {}
    for number, (value, at, sure, session, attribute) in enumerate(draw(st.lists(CLAIMS, max_size=6))):
        fact = claim(value, at, id=f"fact_{number}", confidence=sure, session=session, attribute=attribute)
        sessions[fact.id] = session
        found.append(replace(fact, sources=(), extracted=day(at)).record(MANUAL))
    for number, (of, at, status, values) in enumerate(draw(st.lists(CHANGES, max_size=5))):
        told = change(f"fact_{of}", at, status, **values)
        told = replace(told, id=f"change_{number}", session=sessions.get(told.of, "s"))
        found.append(told.record(0, 0))
    for number, (of, on) in enumerate(draw(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=3))):
        found.append(relation(f"relation_{number}", f"fact_{of}", f"fact_{on}"))
    return [*found, episode("episode_1", 1, 3), change("episode_1", 9, "archived").record(0, 0)]


@given(records(), st.randoms(use_true_random=False), st.booleans())
def test_any_order_and_any_split_of_commits(given: list[Record], rng: random.Random, alone: bool) -> None:
    plain = MemoryStore()
    for record in given:
        put(plain, record.session, record)
    whole = view(book(plain, alone).open(SPACE))
    for _ in range(2):
        rng.shuffle(given)
        store = MemoryStore()
        following = book(store, alone)
        for record in given:
            put(store, record.session, record)
            if rng.random() < 0.5:
                list(following.open(SPACE).facts())
        assert view(following.open(SPACE)) == whole
        assert view(book(store, alone).open(SPACE)) == whole


@given(records(), st.randoms(use_true_random=False))
def test_what_goes_leaves_no_trace(given: list[Record], rng: random.Random) -> None:
    """Records that were dropped or replaced: as if they had never been there."""
    store, plain = MemoryStore(), MemoryStore()
    following = book(store)
    gone = [record for record in given if rng.random() < 0.4]
    for record in given:
        put(store, record.session, record)
        if rng.random() < 0.3:
            view(following.open(SPACE))
    for record in gone:
        put(store, record.session, drops=[(record.kind, record.key)])
        if rng.random() < 0.3:
            view(following.open(SPACE))
    for record in given:
        if record not in gone:
            put(plain, record.session, record)
    assert view(following.open(SPACE)) == view(book(plain).open(SPACE))


def resolved(store: Store, alone: bool = False) -> dict[str, Fact]:
    return by_id(book(store, alone).open(SPACE).facts())


def told(store: Store, *facts: Fact) -> None:
    for fact in facts:
        put(store, fact.session, replace(fact, sources=()).record(MANUAL))


def decided(store: Store, *changes: Change) -> None:
    for one in changes:
        put(store, one.session, one.record(0, 0))


def test_edits_one_after_the_other_bring_a_fact_to_its_new_place() -> None:
    """Neither of the two alone says where it comes to stand."""
    store = MemoryStore()
    following = book(store)
    told(store, claim("Faro", 1, id="theirs", subject="Bob", attribute="workplace"), claim("Porto", 3, id="moved"))
    list(following.open(SPACE).facts())
    decided(store, change("moved", 5, subject="Bob"), change("moved", 6, attribute="workplace"))
    found = by_id(following.open(SPACE).facts())
    assert found["theirs"].superseded_by == "moved"
    assert resolved(store) == found


def test_a_fact_that_was_moved_and_moved_back() -> None:
    store = MemoryStore()
    following = book(store)
    told(store, claim("Lisbon", 1, id="home"), claim("Porto", 3, id="moved"))
    before = by_id(following.open(SPACE).facts())
    assert before["home"].superseded_by == "moved"
    decided(store, change("moved", 5, attribute="workplace"))
    assert by_id(following.open(SPACE).facts())["home"].superseded_by == ""
    decided(store, change("moved", 6, attribute="home"))
    assert by_id(following.open(SPACE).facts())["home"].superseded_by == "moved"


def test_what_is_said_later_where_a_fact_was_moved_to() -> None:
    store = MemoryStore()
    following = book(store)
    told(store, claim("Porto", 3, id="moved"))
    decided(store, change("moved", 5, attribute="workplace"))
    list(following.open(SPACE).facts())
    told(store, claim("Faro", 9, id="new", attribute="workplace"), claim("Lisbon", 1, id="home"))
    found = by_id(following.open(SPACE).facts())
    assert (found["moved"].superseded_by, found["home"].superseded_by) == ("new", "")


@pytest.mark.parametrize("alone", [False, True])
def test_sessions_share_facts_or_not(alone: bool) -> None:
    store = MemoryStore()
    told(store, claim("Lisbon", 1, id="here"), claim("Porto", 3, id="there", session="t"))
    found = resolved(store, alone)
    assert found["here"].superseded_by == ("" if alone else "there")


def test_one_that_is_part_of_another_answers_to_its_own_id() -> None:
    clock = Hands()
    with opened(clock=clock) as memory:
        first = memory.add_fact("Ana lives in Porto.", subject="Ana", attribute="home", value="Porto")
        clock.on(1)
        again = memory.add_fact("She lives in Porto.", subject="Ana", attribute="home", value="Porto")
        assert again.id == first.id
        (member,) = again.confirmed
        assert memory.fact(member) == memory.fact(first.id)
        other = memory.add_fact("The rent is paid.")
        memory.relate(other.id, "depends_on", member)
        assert [one.target for one in memory.relations(member)] == [first.id]
        memory.reject_fact(member)
        assert memory.fact(other.id).status == "suspect"


def test_relations_follow_when_another_claim_comes_first() -> None:
    """It turns out to hold for longer: the fact has another id then, and what rests on it still does."""
    clock = Hands(day(10))
    with opened(clock=clock) as memory:
        known = memory.add_fact("Ana lives in Porto.", subject="Ana", attribute="home", value="Porto")
        other = memory.add_fact("The rent is paid.")
        memory.relate(other.id, "depends_on", known.id)
        clock.on(1)
        first = memory.add_fact("She lives here.", subject="Ana", attribute="home", value="Porto", valid_from=day(0))
        assert first.confirmed == (known.id,)
        memory.reject_fact(first.id)
        assert memory.fact(other.id).status == "suspect"
        assert {one.target for one in memory.relations(other.id)} <= {first.id, known.id}


# Coming and going


def test_an_erased_session_and_an_erased_space() -> None:
    store = MemoryStore()
    following = book(store)
    told(store, claim("Lisbon", 1, id="here"), claim("Porto", 3, id="there", session="t"))
    assert by_id(following.open(SPACE).facts())["here"].superseded_by == "there"
    store.erase(Target(space=SPACE, session="t", time=EPOCH))
    assert by_id(following.open(SPACE).facts())["here"].superseded_by == ""
    store.erase(Target(space=SPACE, time=EPOCH))
    assert list(following.open(SPACE).facts()) == []
    told(store, claim("Faro", 5, id="new"))
    assert set(by_id(following.open(SPACE).facts())) == {"new"}


def test_episodes_are_found_once_until_something_changes() -> None:
    store = MemoryStore()
    put(store, "s", episode("episode_1", 0, 0))
    kept = book(store)
    first = standing_episodes(kept.open(SPACE))
    assert standing_episodes(kept.open(SPACE)) is first
    change = Change(id="change_1", of="episode_1", session="s", status="archived", time=day(2))
    put(store, "s", change.record(0, 0))
    assert [one.status for one in standing_episodes(kept.open(SPACE))] == ["archived"]


def test_more_spaces_than_are_kept_at_hand() -> None:
    store = MemoryStore()
    following = book(store)
    for number in range(SPACES + 5):
        record = replace(claim("Lisbon", 1, id=f"fact_{number}"), sources=()).record(MANUAL)
        store.commit(Batch(space=f"space {number}", session="s", records=[record], time=EPOCH))
        assert set(by_id(following.open(f"space {number}").facts())) == {f"fact_{number}"}
    assert set(by_id(following.open("space 0").facts())) == {"fact_0"}


def test_facts_in_force_change_by_themselves_when_their_time_comes() -> None:
    store = MemoryStore()
    pages = book(store)
    told(store, claim("Lisbon", 1, id="now", valid_until=day(9)), claim("Porto", 2, id="soon", valid_from=day(20)))
    found = [{fact.id for fact in pages.open(SPACE).in_force("", day(at)).facts} for at in (0, 1, 8, 9, 19, 20, 3)]
    assert found == [set(), {"now"}, {"now"}, set(), set(), {"soon"}, {"now"}]


# Damage

HARMED: list[tuple[str, dict[str, Any]]] = [
    ("fact", {}),
    ("fact", {"kind": 7, "text": ["no"], "confidence": "high"}),
    ("fact", {"kind": "nonsense", "text": "x"}),
    ("fact", {"kind": "fact", "text": "x", "valid_from": "yesterday"}),
    ("fact", {"kind": "fact", "text": "x", "said": 5, "valid_from": []}),
    ("fact", {"kind": "fact", "text": "x", "tags": 3, "sources": "abc"}),
    ("fact", {"kind": "fact", "text": "x", "importance": None, "subject": {}, "attribute": 5, "value": []}),
    ("fact", {"kind": "fact", "text": "x", "valid_from": "2026-01-01"}),
    ("episode", {}),
    ("episode", {"title": 5, "began": "once", "participants": 4}),
    ("episode", {"title": "x", "significance": "much", "valence": []}),
    ("change", {}),
    ("change", {"of": "fact_good", "values": 5}),
    ("change", {"of": "fact_good", "status": ["active"]}),
    ("change", {"of": "fact_good", "values": {"valid_from": "once"}}),
    ("change", {"of": "fact_good", "values": {"confidence": "high", "tags": 4}}),
    ("change", {"of": "fact_good", "values": {"text": None, "subject": 7, "kind": "nonsense"}}),
    ("relation", {}),
    ("relation", {"source": 5, "target": [], "type": "nonsense"}),
    ("relation", {"source": "fact_good", "target": "fact_good", "strength": "strong", "since": "once"}),
]


@pytest.mark.parametrize(("kind", "body"), HARMED)
def test_a_damaged_record_harms_no_other(kind: str, body: dict[str, Any]) -> None:
    clock = Hands(day(50))
    with opened(clock=clock) as memory:
        good = replace(claim("Porto", 3, id="fact_good"), sources=(), kind="constraint", tags=("allergy",))
        write(memory, "s", good.record(MANUAL), episode("episode_good", 0, 0))
        harmed = Record(session="s", kind=kind, plan=MANUAL, key=f"{kind}_bad", body=body, time=day(4))
        write(memory, "s", harmed)
        assert "fact_good" in {fact.id for fact in memory.facts()}
        assert memory.fact("fact_good").value == "Porto"
        assert "episode_good" in {one.id for one in memory.episodes()}
        assert isinstance(memory.relations(), list)
        assert "fact_good" in {hit.id for hit in memory.search("Where in Porto does Ana live?")}
        chat = memory.session("s")
        chat.add("user", "Where does Ana live?")
        assert "Porto" in str(chat.context())
        assert "fact_good" in {pin.id.removeprefix("pin_") for pin in chat.pins()}
        assert memory.consolidate(dry_run=True).kept >= 1
        assert memory.facts(as_of=day(40))
        memory.edit_fact("fact_good", value="Faro")
        assert memory.fact("fact_good").value == "Faro"


def test_what_nobody_knows_is_not_found() -> None:
    with opened() as memory, pytest.raises(NotFound, match="no fact"):
        memory.fact("fact_nobody")


def test_a_fact_of_messages_that_are_not_there_is_not_waited_for() -> None:
    """Such as one from a file that was cut off: it is listed, and whoever wants to change it is told."""
    with opened() as memory:
        write(memory, "s", replace(claim("Porto", 0, id="fact_1"), sources=(9,)).record("rules"))
        assert [fact.id for fact in memory.facts()] == ["fact_1"]
        with pytest.raises(NotFound):
            memory.edit_fact("fact_1", value="Faro")


def test_relations_that_lead_nowhere_are_not_listed() -> None:
    with opened(clock=Hands(day(9))) as memory:
        write(memory, "s", replace(claim("Porto", 3, id="fact_1"), sources=()).record(MANUAL))
        write(memory, "s", relation("relation_1", "fact_1", "fact_gone"), relation("relation_2", "fact_1", "fact_1"))
        assert [one.id for one in memory.relations()] == ["relation_2"]
