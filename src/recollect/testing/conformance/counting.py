"""Counters: small numbers that a space keeps beside what was said."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from recollect.errors import InvalidInput
from recollect.ports import Store
from recollect.records import Erased
from recollect.testing.conformance.case import (
    PLACE,
    RICH,
    StoreCase,
    changes,
    derive,
    everything,
    fed,
    forget,
    node,
    put,
)

__all__ = ["Counting"]

MOST = 2**63 - 1
NAMES = ("2026-11-16 in openai/gpt-4.1-mini", "", "Zoë 里斯本 👩‍🚀", "\r\n\t\u2028 \"'; --", "n" * 200, "里" * 200)
THREADS, TURNS = 4, 25


class Counting(StoreCase):
    """`count` and `tally`."""

    def test_counters_add_up(self, store: Store) -> None:
        put(store, "one")
        assert store.tally("s") == {}
        store.count("s", {"in": 5, "out": 2})
        store.count("s", {"in": 7, "calls": 1})
        store.count("s", {"out": -3})
        store.count("s", {})
        assert store.tally("s") == {"in": 12, "out": -1, "calls": 1}

    def test_a_counter_at_nought_is_left_out(self, store: Store) -> None:
        put(store, "one")
        store.count("s", {"in": 5, "never": 0, "out": 1})
        store.count("s", {"in": -5})
        assert store.tally("s") == {"out": 1}
        store.count("s", {"in": 1})
        assert store.tally("s") == {"in": 1, "out": 1}

    def test_a_counter_is_raised_to_what_it_must_be_at_least(self, store: Store) -> None:
        put(store, "one")
        store.count("s", {"n": 2}, {"seen": 10})
        store.count("s", {}, {"seen": 7, "n": 5})
        assert store.tally("s") == {"n": 5, "seen": 10}
        store.count("s", {"seen": 1}, {"seen": 30, "never": 0})
        assert store.tally("s") == {"n": 5, "seen": 30}

    def test_counters_are_listed_by_how_their_names_begin(self, store: Store) -> None:
        put(store, "one")
        store.count("s", {"access a": 1, "access b": 2, "accessed": 3, "acces": 4, "b": 5, "access \U0010ffff!": 6})
        assert store.tally("s", "access ") == {"access a": 1, "access b": 2, "access \U0010ffff!": 6}
        assert store.tally("s", "z") == {}
        assert len(store.tally("s")) == 6

    def test_each_space_counts_for_itself(self, store: Store) -> None:
        put(store, "one")
        put(store, "one", space="t")
        store.count("s", {"n": 1})
        store.count("t", {"n": 2})
        assert (store.tally("s"), store.tally("t")) == ({"n": 1}, {"n": 2})

    def test_without_a_space_nothing_is_counted(self, store: Store) -> None:
        store.count("s", {"n": 1})
        assert (store.tally("s"), store.spaces()) == ({}, [])
        put(store, "one")
        assert store.tally("s") == {}

    def test_counting_changes_nothing_else(self, store: Store) -> None:
        put(store, *RICH)
        derive(store, node("n", 1, 2))
        before = everything(store), store.revision("s"), store.spaces(), changes(store), fed(store)
        store.count("s", {"n": 1, "lisbon": 2})
        assert (everything(store), store.revision("s"), store.spaces(), changes(store), fed(store)) == before
        health = store.check(lambda n: None)
        assert health.ok
        assert health.messages == len(RICH)

    def test_counters_stay_when_messages_or_sessions_go(self, store: Store) -> None:
        put(store, "one", "two")
        put(store, "one", session="b")
        store.count("s", {"n": 1})
        forget(store, 1)
        assert store.tally("s") == {"n": 1}
        forget(store)
        assert store.tally("s") == {"n": 1}

    @pytest.mark.parametrize("session", [None, "a"])
    def test_counters_go_with_their_space(self, store: Store, session: str | None) -> None:
        """Also where it goes because its last session does."""
        put(store, "one")
        put(store, "one", space="t")
        store.count("s", {"n": 1})
        store.count("t", {"n": 2})
        assert store.settle()
        store.count("s", {"m": 1})
        assert forget(store, session=session) == Erased(messages=1, sessions=1, spaces=int(session is None))
        assert store.tally("s") == {}
        put(store, "again")
        assert (store.tally("s"), store.tally("t")) == ({}, {"n": 2})
        store.count("s", {"n": 3})
        assert store.tally("s") == {"n": 3}

    def test_what_is_given_stays_the_callers(self, store: Store) -> None:
        put(store, "one")
        given = {"n": 1}
        store.count("s", given)
        given["n"] = 9
        store.tally("s")["n"] = 7
        assert store.tally("s") == {"n": 1}

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

    @pytest.mark.parametrize(
        "given",
        [{"n" * 201: 1}, {"\ud800": 1}, {7: 1}, {"n": 1.0}, {"n": "1"}, {"n": None}, {"n": 2**63}, {"n": -(2**63) - 1}],
        ids=["long", "broken", "no text", "float", "text", "none", "large", "small"],
    )
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

    def test_threads_lose_nothing(self, store: Store) -> None:
        put(store, "one")
        gate = threading.Barrier(THREADS)

        def work(name: str) -> None:
            gate.wait()
            for _ in range(TURNS):
                store.count("s", {"all": 1, name: 2})

        threads = [threading.Thread(target=work, args=(f"thread {number}",)) for number in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        each = {f"thread {number}": 2 * TURNS for number in range(THREADS)}
        assert store.tally("s") == {"all": THREADS * TURNS, **each}

    def test_reopening_keeps_counters(self, tmp_path: Path) -> None:
        if not self.persistent:
            pytest.skip("nothing is meant to survive")
        expected: dict[str, int] = {}
        for turn in range(4):
            store = self.open(tmp_path / PLACE)
            assert store.tally("s") == expected
            put(store, "more")
            store.count("s", {"n": 1, f"turn {turn}": turn})
            if turn % 2:
                assert store.settle()
            store.count("s", {"n": 1})
            expected = {"n": 2 * turn + 2, **{f"turn {number}": number for number in range(1, turn + 1)}}
            assert store.check(lambda n: None).ok
            store.close()
        store = self.open(tmp_path / PLACE)
        forget(store, session=None)
        store.close()
        store = self.open(tmp_path / PLACE)
        put(store, "anew")
        assert store.tally("s") == {}
        store.close()

    def test_a_backup_holds_the_counters(self, store: Store, tmp_path: Path) -> None:
        if not self.persistent or self.on_a_server:
            pytest.skip("there is nothing to copy")
        put(store, "one")
        store.count("s", {"settled": 1})
        assert store.settle()
        store.count("s", {"fresh": 2})
        target = tmp_path / "copies" / PLACE
        store.backup(target)
        store.count("s", {"later": 3})
        copy = self.open(target)
        assert copy.tally("s") == {"settled": 1, "fresh": 2}
        copy.count("s", {"own": 4})
        copy.close()
        assert store.tally("s") == {"settled": 1, "fresh": 2, "later": 3}
