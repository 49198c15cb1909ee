"""Copying one store into another: nothing is lost, nothing is doubled, nothing forgotten comes back."""

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from onrecord import Memory
from onrecord.derive.learner import SWEPT
from onrecord.errors import Conflict, StoreDamaged
from onrecord.journal import copying
from onrecord.journal.copying import PLACES, Copied, copy_space
from onrecord.journal.transfer import export_lines
from onrecord.policy.planned import claim_of
from onrecord.policy.plans import is_claim
from onrecord.ports import Batch, Placed, Revision, Store
from onrecord.recall.spaces import WORDS_ONLY, Spaces
from onrecord.recall.vector_copying import copy_vectors
from onrecord.records import BLOCK, Block
from onrecord.settings import Settings
from onrecord.stores import open_store
from onrecord.testing.conformance.case import (
    LATER,
    NOON,
    RICH,
    derive,
    derived,
    draft,
    everything,
    forget,
    known,
    node,
    put,
    read,
    texts,
)

SETTINGS = Settings(durability="process", busy_timeout=1.0)
PLACES_OF_STORES = (":memory:", "memory.db", "folder/")

Opened = Callable[[str], Store]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    """Opens stores of every kind, each at a place of its own."""
    stores: list[Store] = []

    def work(place: str) -> Store:
        folder = tmp_path / str(len(stores))
        folder.mkdir()
        address = place if place == ":memory:" else f"{folder}/{place}"
        stores.append(open_store(address, SETTINGS))
        return stores[-1]

    yield work
    for store in stores:
        store.close()


@pytest.fixture(params=PLACES_OF_STORES)
def source(request: pytest.FixtureRequest, opened: Opened) -> Store:
    return opened(request.param)


@pytest.fixture(params=PLACES_OF_STORES)
def target(request: pytest.FixtureRequest, opened: Opened) -> Store:
    return opened(request.param)


def copied(source: Store, target: Store) -> Copied:
    """All spaces of a store into another."""
    return sum((copy_space(source, target, space, lambda done: None) for space in source.spaces()), Copied())


def content(store: Store) -> dict[str, Any]:
    """All that reading gives but what concerns this store alone: how often a session was changed, and claims."""
    return {
        space: [
            (replace(info, changes=0), messages, [record for record in records if not is_claim(record)])
            for info, messages, records in sessions
        ]
        for space, sessions in everything(store).items()
    }


def exported(store: Store) -> dict[str, list[str]]:
    return {space: list(export_lines(store, space, None, lambda done: None)) for space in store.spaces()}


def same(one: Store, other: Store) -> bool:
    tallies = [{space: store.tally(space) for space in store.spaces()} for store in (one, other)]
    return content(one) == content(other) and exported(one) == exported(other) and tallies[0] == tallies[1]


def fill(store: Store) -> None:
    """Two spaces with everything that a store can hold: sessions that take turns, tombstones, records of each kind."""
    about: dict[str, Any] = {"title": "A trip", "model": "m", "system": "Be brief.", "meta": {"deep": [1, {"é": None}]}}
    put(store, *RICH[:-1], **about, created=LATER)
    put(store, "b one", "b two", session="b", status="ended", ended=LATER)
    put(store, "a later", draft("with key", key="k2", id="own"))
    put(store, *(f"b {number}" for number in range(5)), session="b")
    put(store, session="empty", title="nothing was said")
    put(store, "elsewhere", space="other")
    derive(store, *(node(f"{kind} one", 1, 2, kind=kind) for kind in ("summary", "pin", "important", "mark")))
    derive(store, node("fact", 4, kind="fact", locked=True), node("fixed", 3, 4, fixed=True), node("late", 6))
    derive(store, node(claim_of("p"), kind="mark"))
    put(store, "a newest")
    for kind in ("episode", "change", "relation"):
        derive(store, node(kind, 1, session="b", kind=kind, recipe="rules 2", plan="manual"), session="b")
    forget(store, 4, 5)
    forget(store, 6, 7, session="b")  # the last ones: nothing follows them
    store.count("s", {"2026-05-05 in model": 123, "refused x": -2, "paused": 1})


def test_everything_goes_there_and_back(source: Store, target: Store, opened: Opened) -> None:
    fill(source)
    report = copied(source, target)
    assert same(source, target)
    assert (report.spaces, report.sessions, report.messages, report.present, report.counters) == (2, 4, 19, 0, 4)
    assert not any(is_claim(record) for record in derived(target, kind="mark"))
    back = opened("back.db")
    copied(target, back)
    assert same(source, back)
    assert source.find("s", "a", RICH[3].id) == back.find("s", "a", RICH[3].id)
    assert read(back)[3].state == "forgotten"
    assert target.check(lambda done: None).ok


def test_a_second_run_changes_nothing(source: Store, target: Store) -> None:
    fill(source)
    copied(source, target)
    before = everything(target), [target.revision(space) for space in target.spaces()]
    report = copied(source, target)
    assert not report.changed
    assert report.present == 19
    assert (everything(target), [target.revision(space) for space in target.spaces()]) == before


def test_what_is_new_at_the_source_follows(source: Store, target: Store) -> None:
    fill(source)
    copied(source, target)
    put(source, "newer", session="b", title="named by now")
    put(source, "a new conversation", session="c")
    derive(source, node("newer", 1, session="b"), session="b")
    source.commit(Batch(space="s", session="a", scores={1: 0.75}, time=NOON))
    source.count("s", {"refused x": 2, "paused": -1, "more": 4})
    report = copied(source, target)
    assert same(source, target)
    assert (report.messages, report.records, report.described, report.counters) == (2, 1, 2, 3)


def test_what_was_forgotten_at_the_source_is_forgotten(source: Store, target: Store) -> None:
    fill(source)
    copied(source, target)
    forget(source, 1, 8)
    report = copied(source, target)
    assert (report.forgotten, report.messages) == (2, 0)
    assert same(source, target)
    assert [one.state for one in read(target)][:2] == ["forgotten", "kept"]
    assert derived(target, key="summary one") == []
    assert derived(target, key="late") != []


def test_what_was_forgotten_at_the_target_stays_forgotten(source: Store, target: Store) -> None:
    put(source, "one", "two", "three")
    derive(source, node("of two", 1, 2), node("its place", 2, 3, fixed=True), node("of three", 3))
    copied(source, target)
    forget(target, 2)
    derive(source, node("again", 2, 3), node("place again", 1, 2, fixed=True))
    put(source, "four")
    assert copied(source, target).messages == 1
    assert texts(target) == ["one", "", "three", "four"]
    assert [(record.key, record.body is None) for record in derived(target)] == [
        ("place again", True),
        ("its place", True),
        ("of three", False),
    ]
    assert not copied(source, target).changed


def test_what_the_target_made_anew_without_a_message_stays(opened: Opened) -> None:
    source, target = opened("memory.db"), opened(":memory:")
    put(source, "one", "two")
    derive(source, node("n", 1, 2, fixed=True))
    copied(source, target)
    forget(target, 2)
    derive(target, node("n", 1, 2, fixed=True, body={"text": "without it"}))
    assert not copied(source, target).changed
    assert derived(target)[0].body == {"text": "without it"}


def test_records_that_the_source_has_no_more_go(source: Store, target: Store) -> None:
    put(source, "one", "two")
    derive(source, node("old", 1), node("moved", 1), node("pinned", 1, kind="pin", locked=True), node("stays", 2))
    copied(source, target)
    derive(target, node(claim_of("p"), kind="mark"))
    derive(source, node("moved", 1, 2, level=2), node("new", 2), drops=[("summary", "old"), ("pin", "pinned")])
    report = copied(source, target)
    assert (report.records, report.removed) == (2, 2)
    assert same(source, target)
    assert [is_claim(record) for record in derived(target, kind="mark")] == [True]


def test_many_records_of_a_session(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onrecord.journal.differences.BATCH", 7)
    source, target = opened("memory.db"), opened("folder/")
    put(source, "one", "two")
    put(target, "one", "two")
    derive(target, *(node(f"old {number}", 1, level=number % 3) for number in range(40)))
    derive(source, *(node(f"new {number}", 2, kind="fact", level=number % 3) for number in range(50)))
    with pytest.raises(Conflict):  # the same texts, but not the same messages
        copied(source, target)
    fresh = opened("folder/")
    copied(source, fresh)
    derive(source, *(node(f"more {number}", 2, level=number % 3) for number in range(40)))
    derive(source, drops=[("fact", f"new {number}") for number in range(0, 50, 2)])
    report = copied(source, fresh)
    assert (report.records, report.removed) == (40, 25)
    assert same(source, fresh)


@pytest.mark.parametrize(
    "other",
    [
        {"text": "another"},
        {"role": "assistant"},
        {"meta": {"x": 1}},
        {"time": LATER},
        {"id": "another"},
        {"tokens": 9},
    ],
)
def test_something_else_under_a_number_is_refused(source: Store, target: Store, other: Mapping[str, Any]) -> None:
    one, two = draft("one", id="1"), draft("two", id="2")
    put(source, one, two, "three", title="ours")
    put(target, one, replace(two, **other), title="theirs")
    before = everything(target)
    with pytest.raises(Conflict, match=r"Message 2 of session 'a' in space 's'"):
        copied(source, target)
    assert everything(target) == before


def test_a_forgotten_message_of_another_is_no_copy(opened: Opened) -> None:
    source, target = opened(":memory:"), opened("memory.db")
    put(source, "one")
    put(target, "another")
    forget(target, 1)
    with pytest.raises(Conflict, match=r"Message 1 of session 'a' in space 's'"):
        copied(source, target)
    with pytest.raises(Conflict):
        copied(target, source)
    assert texts(source) == ["one"]


def test_a_session_that_went_on_at_the_target_keeps_what_it_has(source: Store, target: Store) -> None:
    put(source, "one", "two", title="ours")
    derive(source, node("n", 1), node("gone", 2))
    source.count("s", {"spent": 5, "less": 1})
    copied(source, target)
    put(target, "three", title="theirs")
    derive(target, node("n", 1, body={"text": "remade"}), node("own", 3, kind="pin"), drops=[("summary", "gone")])
    target.count("s", {"spent": 2, "less": -1})
    derive(source, node("more", 2))
    report = copied(source, target)
    assert (report.ahead, report.records, report.removed, report.counters) == (1, 2, 0, 1)
    assert (texts(target)[2], known(target).title, target.tally("s")) == ("three", "theirs", {"spent": 7, "less": 1})
    assert [record.key for record in derived(target)] == ["n", "gone", "more"]
    assert derived(target)[0].body == {"text": "remade"}
    assert len(derived(target, kind="pin")) == 1
    put(source, "another three")
    with pytest.raises(Conflict, match="Message 3"):
        copied(source, target)


def test_sessions_and_spaces_of_others_stay(source: Store, target: Store) -> None:
    put(source, "one")
    put(target, "theirs", session="t")
    put(target, "far away", space="z")
    assert copied(source, target).apart == 1
    assert (texts(target), texts(target, session="t"), texts(target, space="z")) == (["one"], ["theirs"], ["far away"])


def test_one_space_alone(source: Store, target: Store) -> None:
    fill(source)
    copy_space(source, target, "other", lambda done: None)
    assert target.spaces() == ["other"]
    assert content(target)["other"] == content(source)["other"]


class Stopped(Exception):
    """A copy that is killed."""


class Mortal:
    """A store that dies after so many writes; what it wrote stays."""

    def __init__(self, store: Store, lives: int) -> None:
        self._store = store
        self._lives = lives

    def __getattr__(self, name: str) -> Any:
        if name in ("commit", "erase", "count", "save_blocks"):
            if not self._lives:
                raise Stopped
            self._lives -= 1
        return getattr(self._store, name)


@pytest.mark.parametrize("seed", range(6))
def test_killed_anywhere_it_ends_with_the_same(opened: Opened, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    monkeypatch.setattr(copying, "BATCH", 3)
    monkeypatch.setattr("onrecord.journal.merging.BATCH", 3)
    monkeypatch.setattr("onrecord.journal.differences.BATCH", 2)
    source, target = opened(":memory:"), opened("memory.db")
    fill(source)
    for number in range(30):
        put(source, f"more {number}", session=chance.choice("abc"))
        derive(source, node(f"m{number}", 1, kind=chance.choice(("fact", "summary", "mark", "important"))))
    rounds = 0
    while True:
        try:
            copied(source, Mortal(target, 1 + chance.randrange(4)))
            break
        except Stopped:
            rounds += 1
            if rounds == 3:
                forget(source, 2, 9)
                put(source, "meanwhile", session="b")
    assert rounds > 3
    assert same(source, target)
    assert not copied(source, target).changed


def test_others_may_write_to_the_target_meanwhile(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    source, target = opened(":memory:"), opened("memory.db")
    put(source, "one", "secret", "three")
    derive(source, node("of the secret", 1, 2), node("of three", 3), node("m", kind="mark"))
    commit = target.commit

    def outrun(batch: Batch) -> list[Placed]:
        placed = commit(batch)
        if batch.drafts:
            forget(target, 2)
        return placed

    monkeypatch.setattr(target, "commit", outrun)
    copied(source, target)
    assert texts(target) == ["one", "", "three"]
    assert [record.key for record in derived(target)] == ["of three"]
    assert len(derived(target, kind="mark")) == 1


def test_damage_is_not_copied_and_spoils_no_copy(tmp_path: Path, opened: Opened) -> None:
    import apsw

    source, target, empty = opened("memory.db"), opened(":memory:"), opened(":memory:")
    put(source, "one", "two", "three")
    copied(source, target)
    db = apsw.Connection(str(tmp_path / "0" / "memory.db"))
    db.execute("UPDATE messages SET text = 'other' WHERE seq = 2")
    db.close()
    assert not copied(source, target).changed
    assert texts(target) == ["one", "two", "three"]
    with pytest.raises(StoreDamaged, match=r"Message 2 of session 'a' in space 's'"):
        copied(source, empty)


def test_a_counter_that_is_a_place_stays_where_it_is(source: Store, target: Store) -> None:
    assert SWEPT in PLACES
    put(source, "one", "two")
    source.count("s", {SWEPT: 2, "other": 2})
    copied(source, target)
    assert target.tally("s") == {"other": 2}
    assert not copied(source, target).changed


def test_progress_counts_the_messages(opened: Opened) -> None:
    source, target = opened("memory.db"), opened(":memory:")
    fill(source)
    done: list[int] = []
    copy_space(source, target, "s", done.append)
    assert sum(done) == 18
    done.clear()
    copy_space(source, target, "s", done.append)
    assert sum(done) == 18


# Vectors


class Letters:
    """An embedder that counts letters, and what it was asked."""

    name = "letters"
    dimension = 26

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Any) -> NDArray[np.float32]:
        self.asked += texts
        rows = [[1.0 + text.lower().count(chr(97 + at)) for at in range(26)] for text in texts]
        return np.array(rows, np.float32)


def vectors(source: Store, target: Store) -> int:
    return copy_vectors(source, target, "s", lambda done: None)


def index(store: Store) -> list[str]:
    """Bring the index of a space up to date; answers what had to be embedded."""
    embedder = Letters()
    Spaces(store, embedder, 1 << 30).catch_up("s")
    return embedder.asked


def spoken(store: Store, many: int = 2 * BLOCK + 40) -> None:
    """Enough messages for three blocks, of two sessions, with gaps in the numbers."""
    for start in range(0, many, 20):
        drafts = [draft(f"message {number} of many") for number in range(start, start + 20)]
        put(store, *drafts, session=f"chat {start // 20 % 2}")
        at = node("n", 1, session="chat 0", body={"text": f"summary as of {start}"})
        derive(store, at, session="chat 0")  # each replaces the last
    forget(store, 3, session="chat 1")


def test_vectors_come_along_whatever_their_numbers(source: Store, target: Store) -> None:
    spoken(source)
    assert len(index(source)) > 2 * BLOCK
    put(target, "something that was there before", "and more")
    index(target)
    copied(source, target)
    numbers = [[arrival.number for arrival in store.feed("s", 0, 1_000)] for store in (source, target)]
    assert numbers[0] != numbers[1]
    assert vectors(source, target) > 2 * BLOCK
    assert index(target) == []
    assert vectors(source, target) == 0


def test_blocks_hold_nothing_but_what_stands_at_their_numbers(opened: Opened) -> None:
    source, target = opened("memory.db"), opened("memory.db")
    spoken(source)
    index(source)
    copied(source, target)
    forget(target, 7, session="chat 0")
    vectors(source, target)
    spaces = Spaces(target, Letters(), 1 << 30)
    assert spaces.whole("s")  # every block is what it would be if it were made here
    assert index(target) == []


def test_vectors_that_the_source_lacks_stay_missing(opened: Opened) -> None:
    source, target = opened("memory.db"), opened("folder/")
    spoken(source)
    index(source)
    put(source, "said after the index was made", session="chat 0")
    copied(source, target)
    vectors(source, target)
    assert index(target) == ["said after the index was made"]
    assert vectors(source, target) == 0  # the target knows more by now
    assert index(target) == []


def test_blocks_without_vectors_come_too(opened: Opened) -> None:
    source, target = opened("folder/"), opened("memory.db")
    spoken(source)
    Spaces(source, None, 1 << 30).catch_up("s")
    copied(source, target)
    done: list[int] = []
    assert copy_vectors(source, target, "s", done.append) == 0  # there are none
    assert target.plans("s") == source.plans("s") == [WORDS_ONLY]
    assert Spaces(target, None, 1 << 30).whole("s")
    assert sum(done) == len(target.feed("s", 0, 1_000))


def test_vectors_are_not_written_over_what_changed_meanwhile(opened: Opened, monkeypatch: pytest.MonkeyPatch) -> None:
    source, target = opened("memory.db"), opened("memory.db")
    spoken(source)
    index(source)
    copied(source, target)
    save = target.save_blocks
    seen: list[int] = []

    def outrun(space: str, plan: str, blocks: list[Block], at: Revision) -> bool:
        if not seen:
            forget(target, 1, session="chat 0")
        seen.append(blocks[0].number)
        return save(space, plan, blocks, at)

    monkeypatch.setattr(target, "save_blocks", outrun)
    vectors(source, target)
    assert seen[:2] == [0, 0]
    assert index(target) == []


def test_a_search_in_the_copy_embeds_only_the_question(tmp_path: Path) -> None:
    with Memory(tmp_path / "a.db", embedder=Letters(), summarize="inline", durability="process") as memory:
        chat = memory.session("trip")
        chat.add_many([("user", f"We saw church number {number} and liked it.") for number in range(300)])
        chat.pin("Allergic to penicillin")
        memory.search("churches")
        memory.flush()
        before = [(hit.kind, hit.id, hit.score) for hit in memory.search("penicillin", limit=20)]
    embedder = Letters()
    with Memory(tmp_path / "folder/", embedder=embedder, durability="process") as other:
        with Memory(tmp_path / "a.db", embedder=None, durability="process") as memory:
            copy_space(memory._store, other._store, "default", lambda done: None)
            copy_vectors(memory._store, other._store, "default", lambda done: None)
        after = [(hit.kind, hit.id, hit.score) for hit in other.search("penicillin", limit=20)]
    assert embedder.asked == ["penicillin"]
    assert after == before
