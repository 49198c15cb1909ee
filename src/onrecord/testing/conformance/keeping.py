"""Erasing, settling, counting, checks, copies, closing and opening again."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from onrecord.errors import Forgotten, InvalidInput, StoreClosed
from onrecord.ports import Placed, Revision, Store, Target
from onrecord.records import Block, Erased, SessionInfo
from onrecord.testing.conformance.case import (
    LATER,
    NOON,
    PLACE,
    RICH,
    StoreCase,
    changes,
    derive,
    derived,
    draft,
    everything,
    fed,
    forget,
    known,
    node,
    put,
    read,
    texts,
)

__all__ = ["Keeping"]

MOST = 2**63 - 1
NAMES = ("2026-11-16 in openai/gpt-4.1-mini", "", "Zoë 里斯本 👩‍🚀", "\r\n\t\u2028 \"'; --", "n" * 200, "里" * 200)
UNCOUNTED = {
    "long": {"n" * 201: 1},
    "broken": {"\ud800": 1},
    "no text": {7: 1},
    "float": {"n": 1.0},
    "text": {"n": "1"},
    "none": {"n": None},
    "large": {"n": 2**63},
    "small": {"n": -(2**63) - 1},
}


def whole(store: Store) -> object:
    """All that a store gives, spaces apart."""

    def beside(space: str) -> object:
        plans = {plan: store.blocks(space, plan) for plan in store.plans(space)}
        return store.feed(space, 0), store.revision(space), store.tally(space), plans

    return everything(store), [beside(space) for space in store.spaces()]


def fill(store: Store) -> None:
    put(store, *RICH, title="T", meta={"k": ["é", 1]})
    put(store, "lisbon", session="日本 / ..", space="ä")
    put(store, "lisbon", draft("keyed", key="k"), session="b")
    body = {"é": ["\ud800", None, 1.5]}
    derive(store, node("n", 1, 3, fixed=True), node("文 / ..", 2, body=body), node("p", kind="pin"), scores={2: 0.125})
    derive(store, node("m", session="b"), node("gone", session="b"), session="b")
    derive(store, session="b", drops=[("summary", "gone")])
    forget(store, 1)
    blocks = [Block(number=0, body=b"\0\xff\n"), Block(number=1, body=b"x" * 9_999)]
    assert store.save_blocks("s", "é 文", blocks, store.revision("s"))
    store.count("s", {"settled": 1})


class Keeping(StoreCase):
    """`erase`, `settle`, `check`, `backup`, `close`, `count` and `tally`."""

    # Erasing

    def test_erase_messages(self, store: Store) -> None:
        put(store, draft("one two", id="1"), "two three", "three", draft("", key="k"))
        assert forget(store, 2, 4, 2, 99, 0, -1) == Erased(messages=2)
        assert [message.state for message in read(store)] == ["kept", "forgotten"] * 2
        assert texts(store) == ["one two", "", "three", ""]
        assert fed(store) == ["a 1", "a 3"]
        assert forget(store, 2, 4) == Erased()
        assert forget(store, 1, 2) == Erased(messages=1)
        assert known(store) == SessionInfo(id="a", created=NOON, last_seq=4)
        assert put(store, "five") == [Placed(seq=5)]

    def test_erase_a_session(self, store: Store) -> None:
        put(store, draft("one two", id="i", key="k"), "two", title="T")
        put(store, "two", session="b")
        forget(store, 2)
        assert forget(store) == Erased(messages=1, sessions=1)
        assert (store.session("s", "a"), store.find("s", "a", "i")) == (None, None)
        assert (read(store), fed(store)) == ([], ["b 1"])
        assert forget(store) == Erased()
        assert put(store, draft("other", id="i", key="k")) == [Placed(seq=1)]
        assert store.session("s", "a") == SessionInfo(id="a", created=NOON, last_seq=1)

    def test_erase_a_space(self, store: Store) -> None:
        put(store, "one two", "two")
        put(store, "two", session="b")
        put(store, session="c", title="empty")
        put(store, "two", space="t")
        assert forget(store, session=None) == Erased(messages=3, sessions=3, spaces=1)
        assert (store.spaces(), store.sessions("s"), fed(store)) == (["t"], [], [])
        assert forget(store, session=None) == Erased()
        assert put(store, "again") == [Placed(seq=1)]
        assert fed(store, "t") == ["a 1"]

    def test_a_space_goes_with_its_last_session(self, store: Store) -> None:
        put(store, "one")
        forget(store)
        assert (store.spaces(), store.check(lambda n: None).spaces) == ([], 0)
        assert forget(store, session=None) == Erased()

    def test_erase_what_is_not_there(self, store: Store) -> None:
        assert forget(store, 1) == forget(store) == forget(store, session=None) == Erased()
        put(store, "one")
        derive(store, node("n", 1))
        before = everything(store)
        assert forget(store, 1, session="b") == forget(store, session="b") == Erased()
        assert forget(store, 1, space="t") == forget(store, 7) == Erased()
        assert store.erase(Target(space="s", session="a", seqs=(), time=LATER)) == Erased()
        assert everything(store) == before

    def test_nothing_erased_lingers(self, store: Store) -> None:
        put(store, "one", "two")
        report = store.erase(Target(space="s", session="a", seqs=(1,), time=LATER))
        assert report == Erased(messages=1, pending=self.on_a_server)
        assert store.settle() is not self.on_a_server

    # The whole store

    def test_a_sound_store_has_no_findings(self, store: Store) -> None:
        assert store.check(lambda n: None).ok
        put(store, *RICH)
        put(store, session="b", title="empty")
        put(store, "x", space="t")
        derive(store, node("n", 1, 2, fixed=True), node("m", 2), node("gone", 1))
        forget(store, 1)
        done: list[int] = []
        health = store.check(done.append)
        assert health.ok
        assert (health.spaces, health.sessions, health.messages, health.tombstones) == (2, 3, len(RICH), 1)
        assert (health.records, sum(done)) == (2, len(RICH) + 1)
        assert json.dumps(health.to_dict())

    def test_settling_changes_nothing(self, store: Store) -> None:
        assert store.settle()
        put(store, *RICH)
        assert store.save_blocks("s", "p", [Block(number=0, body=b"x")], store.revision("s"))
        store.count("s", {"n": 1})
        before = whole(store)
        assert store.settle()
        assert whole(store) == before
        assert put(store, "more") == [Placed(seq=len(RICH) + 1)]

    def test_opening_again_keeps_everything(self, tmp_path: Path) -> None:
        if not self.persistent:
            pytest.skip("nothing is meant to survive")
        store = self.open(tmp_path / PLACE)
        fill(store)
        for turn in range(4):
            before = whole(store)
            store.close()
            store = self.open(tmp_path / PLACE)
            assert whole(store) == before
            assert store.check(lambda n: None).ok
            (again,) = put(store, draft("keyed", key="k"), session="b")
            assert (again.seq, again.earlier is None) == (2, False)
            with pytest.raises(Forgotten):
                put(store, replace(RICH[0], own_id=True))
            put(store, "lisbon", session="b")
            store.count("s", {"n": 1, f"turn {turn}": turn})
            if turn % 2:
                store.settle()
            store.count("s", {"n": 1})
        assert store.tally("s")["n"] == 8
        forget(store, session=None)
        store.close()
        store = self.open(tmp_path / PLACE)
        put(store, "again")
        assert (store.tally("s"), store.plans("s"), texts(store)) == ({}, [], ["again"])
        store.close()

    def test_a_backup_is_a_store_of_its_own(self, store: Store, tmp_path: Path) -> None:
        fill(store)
        target = tmp_path / "copies" / PLACE
        if not self.persistent or self.on_a_server:
            with pytest.raises(InvalidInput):
                store.backup(target)
            return
        store.count("s", {"fresh": 2})
        before = whole(store)
        store.backup(target)
        put(store, "later")
        store.count("s", {"later": 3})
        forget(store, 2)
        after = whole(store)
        with pytest.raises(InvalidInput):
            store.backup(target)
        copy = self.open(target)
        assert whole(copy) == before
        put(copy, "other")
        copy.count("s", {"own": 4})
        copy.close()
        assert whole(store) == after

    def test_a_closed_store_says_so(self, tmp_path: Path) -> None:
        store = self.open(tmp_path / PLACE)
        put(store, "one")
        store.close()
        store.close()
        uses: list[Callable[[], object]] = [
            lambda: put(store, "two"),
            store.spaces,
            lambda: store.sessions("s"),
            lambda: store.session("s", "a"),
            lambda: read(store),
            lambda: store.find("s", "a", "i"),
            lambda: derived(store),
            lambda: derive(store, node("n", 1)),
            lambda: forget(store, 1),
            store.settle,
            lambda: store.revision("s"),
            lambda: store.feed("s", 0),
            lambda: store.blocks("s", "p"),
            lambda: store.plans("s"),
            lambda: store.save_blocks("s", "p", [], Revision()),
            lambda: store.drop_blocks("s", "p"),
            lambda: store.tally("s"),
            lambda: store.count("s", {"n": 1}),
            lambda: store.check(lambda n: None),
        ]
        if self.persistent and not self.on_a_server:
            uses.append(lambda: store.backup(tmp_path / "copy"))
        for use in uses:
            with pytest.raises(StoreClosed):
                use()
        store.close()

    # Counters: small numbers that a space keeps

    def test_counters_add_up(self, store: Store) -> None:
        """For each space by itself, where there is one; at nought they are left out."""
        store.count("s", {"n": 1})
        assert (store.tally("s"), store.spaces()) == ({}, [])
        put(store, "one")
        put(store, "one", space="t")
        assert store.tally("s") == {}
        given = {"in": 5, "out": 2, "never": 0}
        store.count("s", given)
        given["in"] = store.tally("s")["in"] = 99  # what is given and returned stays the caller's
        for counts in ({"in": 7, "calls": 1}, {"out": -3}, {}):
            store.count("s", counts)
        store.count("t", {"n": 2})
        assert (store.tally("s"), store.tally("t")) == ({"in": 12, "out": -1, "calls": 1}, {"n": 2})
        store.count("s", {"in": -12})
        assert store.tally("s") == {"out": -1, "calls": 1}
        store.count("s", {"in": 1})
        assert store.tally("s") == {"in": 1, "out": -1, "calls": 1}

    def test_a_counter_is_raised_to_what_it_must_be_at_least(self, store: Store) -> None:
        put(store, "one")
        store.count("s", {"n": 2}, {"seen": 10})
        store.count("s", {}, {"seen": 7, "n": 5})
        assert store.tally("s") == {"n": 5, "seen": 10}
        store.count("s", {"seen": 1}, {"seen": 30, "never": 0})
        assert store.tally("s") == {"n": 5, "seen": 30}

    def test_counters_are_listed_by_how_their_names_begin(self, store: Store) -> None:
        put(store, "one")
        accesses = {"access a": 1, "access b": 2, "access \U0010ffff!": 6}
        others = {"accessed": 3, "acces": 4, "b": 5}
        store.count("s", accesses | others)
        assert (store.tally("s", "access "), store.tally("s", "z")) == (accesses, {})
        assert store.tally("s") == accesses | others

    def test_counting_changes_nothing_else(self, store: Store) -> None:
        put(store, *RICH)
        derive(store, node("n", 1, 2))
        before = everything(store), store.revision("s"), store.spaces(), changes(store), fed(store)
        store.count("s", {"n": 1, "lisbon": 2})
        assert (everything(store), store.revision("s"), store.spaces(), changes(store), fed(store)) == before
        health = store.check(lambda n: None)
        assert (health.ok, health.messages) == (True, len(RICH))

    @pytest.mark.parametrize("session", [None, "a"])
    def test_counters_go_with_their_space_alone(self, store: Store, session: str | None) -> None:
        """Also where it goes because its last session does; not with messages or other sessions."""
        put(store, "one", "two")
        for place in ({"session": "b"}, {"space": "t"}):
            put(store, "one", **place)
        store.count("s", {"n": 1})
        store.count("t", {"n": 2})
        assert store.settle()
        forget(store, 1)
        forget(store, session="b")
        store.count("s", {"m": 1})
        assert store.tally("s") == {"n": 1, "m": 1}
        assert forget(store, session=session) == Erased(messages=1, sessions=1, spaces=int(session is None))
        assert store.tally("s") == {}
        put(store, "again")
        assert (store.tally("s"), store.tally("t")) == ({}, {"n": 2})
        store.count("s", {"n": 3})
        assert store.tally("s") == {"n": 3}

    def test_names_and_numbers_come_back_as_they_were(self, store: Store, tmp_path: Path) -> None:
        put(store, "one")
        values = dict(zip(NAMES, (1, -1, MOST, -MOST - 1, 2**53 + 1, 7), strict=True))
        store.count("s", values)
        assert store.tally("s") == values
        assert store.settle()
        assert store.tally("s") == values
        if self.persistent:
            store.close()
            again = self.open(tmp_path / PLACE)
            assert again.tally("s") == values
            again.close()

    @pytest.mark.parametrize("given", UNCOUNTED.values(), ids=UNCOUNTED)
    def test_what_cannot_be_counted_is_refused(self, store: Store, given: dict[Any, Any]) -> None:
        """With everything that came with it, and whether there is a space or not."""
        for expected in ({}, {"n": 5}):
            with pytest.raises(InvalidInput):
                store.count("s", {"fine": 1} | given)
            assert store.tally("s") == expected
            put(store, "one")
            store.count("s", {"n": 5} if not expected else {})

    @pytest.mark.parametrize("sign", [1, -1])
    def test_a_counter_that_would_overflow_stays(self, store: Store, sign: int) -> None:
        put(store, "one")
        store.count("s", {"n": sign * MOST})
        with pytest.raises(InvalidInput, match="64 bits"):
            store.count("s", {"fine": 1, "n": sign * 2})
        assert store.tally("s") == {"n": sign * MOST}
        store.count("s", {"n": -sign * MOST})
        assert store.tally("s") == {}

    def test_threads_lose_no_count(self, store: Store) -> None:
        put(store, "one")
        names = [f"thread {number}" for number in range(4)]

        def work(name: str) -> None:
            for _ in range(25):
                store.count("s", {"all": 1, name: 2})

        with ThreadPoolExecutor(len(names)) as pool:
            list(pool.map(work, names))
        assert store.tally("s") == {"all": 100, **dict.fromkeys(names, 50)}
