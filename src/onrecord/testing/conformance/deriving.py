"""Derived records: written, replaced, read in pages, outrun, and gone with the messages they came from."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from itertools import product
from threading import Barrier
from typing import Any, cast

import pytest

from onrecord.errors import Conflict, InvalidInput, Outrun
from onrecord.ports import Batch, Placed, Store
from onrecord.records import Erased, Query, Record, SessionInfo
from onrecord.testing.conformance.case import (
    LATER,
    NOON,
    StoreCase,
    changes,
    derive,
    derived,
    draft,
    everything,
    forget,
    node,
    put,
    read,
)

__all__ = ["Deriving"]

DEEP: dict[str, Any] = {
    "text": "lines\r\n\t\u2028 “quotes” \\ \" '; DROP TABLE",
    "文 🧠": [1, -2.5, None, True, {"deep": [{"er": []}, {}]}, "é\ud800 and \0"],
    "": {},
    "large": 2**53,
}


class Deriving(StoreCase):
    """`records`, and what `commit` and `erase` do to them."""

    def test_names_of_records_have_an_end(self, store: Store) -> None:
        derive(store, node("k" * 1_200, plan="p" * 1_200))
        with pytest.raises(InvalidInput):
            derive(store, node("文" * 500, plan="里" * 500))
        assert len(derived(store)) == 1

    def test_records_come_back_as_they_were_given(self, store: Store) -> None:
        put(store, "one", "two", "three")
        time = datetime(2026, 5, 5, 1, 2, 3, 456789, tzinfo=UTC)
        full = node(
            "sum_文",
            1,
            2,
            until=3,
            plan="balanced/ü",
            level=3,
            fixed=True,
            locked=True,
            recipe="m 2",
            time=time,
            body=DEEP,
        )
        least = Record(session="a", kind="mark", plan="p", key="k")
        empty = replace(full, key="empty", body={}, fixed=False)
        derive(store, full, least, empty)
        assert derived(store, plan="balanced/ü") == [empty, full]
        assert (derived(store, kind="mark"), derived(store, kind="pin")) == ([least], [])

    def test_bodies_are_json_and_stay_the_stores(self, store: Store) -> None:
        body: dict[str, Any] = {"a": ("x", ["kept"])}
        derive(store, node("n", body=body))
        body["a"][1].append("changed")
        for _ in range(2):
            (found,) = derived(store)
            assert found.body == {"a": ["x", ["kept"]]}
            cast(Any, found.body)["a"][1].append("changed")
        before = everything(store)
        for bad in ({"a": float("nan")}, {"a": object()}):
            with pytest.raises((TypeError, ValueError)):
                derive(store, node("m"), node("bad", body=bad), info={"title": "T"}, drafts=[draft("x")])
            assert everything(store) == before

    def test_records_make_a_session_but_drops_and_scores_do_not(self, store: Store) -> None:
        derive(store, drops=[("summary", "n")], scores={1: 0.5})
        with pytest.raises(ValueError, match="session"):
            derive(store, node("n"), node("m", session="b"), drafts=[draft("x")])
        assert store.spaces() == []
        derive(store, node("n", kind="pin"))
        assert store.session("s", "a") == SessionInfo(id="a", created=NOON, changes=1)
        assert put(store, "one") == [Placed(seq=1)]

    def test_the_same_kind_and_key_replaces(self, store: Store) -> None:
        derive(store, node("n", 1), node("n", 1, kind="pin"), node("m", 2))
        other = node("n", 2, 3, plan="q", level=2, fixed=True, locked=True, recipe="r", time=LATER, body={"b": 1})
        derive(store, other)
        assert derived(store) == [node("m", 2), other]
        assert derived(store, kind="pin") == [node("n", 1, kind="pin")]
        derive(store, node("n", 3), node("n", 1, body=None), node("n", 2))  # the last of them counts
        assert derived(store) == [node("m", 2), node("n", 2)]

    def test_drops_come_before_records(self, store: Store) -> None:
        derive(store, node("n"), node("m"), node("n", kind="pin"))
        derive(store, drops=[("summary", "n"), ("summary", "unknown"), ("mark", "m"), ("summary", "n")])
        assert (derived(store), derived(store, kind="pin")) == ([node("m")], [node("n", kind="pin")])
        derive(store, node("m", plan="q"), drops=[("summary", "m")])
        assert derived(store) == [node("m", plan="q")]

    def test_scores_are_the_importance_of_what_is_kept(self, store: Store) -> None:
        put(store, "one", draft("two", id="2"), "three")
        forget(store, 3)
        one, two, tombstone = read(store)
        derive(store, scores={1: 0.75, 2: 1, 3: 0.5, 4: 0.5, 0: 0.5, -1: 0.5})
        scored = replace(two, importance=1.0)
        assert read(store) == [replace(one, importance=0.75), scored, tombstone]
        assert put(store, draft("two", id="2"))[0].earlier == scored
        assert store.check(lambda n: None).ok

    def test_messages_and_records_in_one_batch(self, store: Store) -> None:
        put(store, "one")
        placed = derive(store, node("n", 1, 2), drafts=[draft("two")], info={"title": "T"}, scores={1: 1.0, 2: 0.0})
        assert placed == [Placed(seq=2)]
        assert [message.importance for message in read(store)] == [1.0, 0.0]
        assert (derived(store), changes(store)) == ([node("n", 1, 2)], 1)
        before = everything(store)
        with pytest.raises(Conflict):
            derive(store, node("m", 1), drafts=[draft("gap", id="g", seq=9)], drops=[("summary", "n")], scores={1: 0.5})
        assert everything(store) == before

    def test_what_counts_as_a_change(self, store: Store) -> None:
        steps: list[tuple[dict[str, Any], int]] = [
            ({"drafts": [draft("one"), draft("two")]}, 0),
            ({"info": {"title": "T"}}, 1),
            ({"records": [node("n", 1), node("m", 2)], "info": {"title": "U"}, "scores": {1: 1.0}}, 2),
            ({"drops": [("summary", "n")]}, 3),
            ({"scores": {1: 0.5}}, 4),
            ({"drafts": [draft("three")]}, 4),
            ({}, 4),
            ({"drafts": [draft("four")], "records": [node("n", 4)]}, 5),
        ]
        for parts, count in steps:
            store.commit(Batch(space="s", session="a", time=NOON, **parts))
            assert [changes(store)] == [info.changes for info in store.sessions("s")] == [count]
        for seqs, count in (((1,), 6), ((1,), 6), ((99,), 6), ((2, 3), 7)):
            forget(store, *seqs)
            assert changes(store) == count
        put(store, "one", session="b")
        assert (changes(store), changes(store, session="b")) == (7, 0)
        forget(store)
        put(store, "again")
        assert changes(store) == 0

    # Outrun

    def test_a_changed_session_is_not_written(self, store: Store) -> None:
        derive(store, node("n", kind="pin"), unless_changed=0)
        put(store, "one")
        derive(store, node("m", 1), unless_changed=1)
        before = everything(store)
        late: dict[str, Any] = {"drafts": [draft("late")], "info": {"title": "late"}, "scores": {1: 1.0}}
        for seen in (0, 1, 3):
            with pytest.raises(Outrun):
                derive(store, node("late", 1), drops=[("summary", "m")], unless_changed=seen, **late)
            with pytest.raises(Outrun):
                derive(store, drafts=[draft("late")], unless_changed=seen)
        assert everything(store) == before
        forget(store, 1)
        with pytest.raises(Outrun):
            derive(store, node("late", 1), unless_changed=2)
        assert derived(store) == []

    def test_what_a_forgotten_session_gave_is_not_written(self, store: Store) -> None:
        """Not in its place, and not in a session that was begun again, which is another one."""
        put(store, "one")
        derive(store, node("n", 1), unless_changed=0, born=NOON)
        with pytest.raises(Outrun):
            derive(store, node("m", 1), unless_changed=1, born=LATER)
        forget(store)
        for late in (node("m", 1), node("m", kind="pin")):  # also where there are no changes to outrun
            with pytest.raises(Outrun):
                derive(store, late, unless_changed=0, born=NOON)
        with pytest.raises(Outrun):
            derive(store, node("m", 1), unless_changed=0)
        assert store.spaces() == []
        store.commit(Batch(space="s", session="a", drafts=[draft("again")], time=LATER))
        with pytest.raises(Outrun):
            derive(store, node("m", 1, 2), unless_changed=0)
        with pytest.raises(Outrun):
            derive(store, node("m", 1), unless_changed=0, born=NOON)
        assert (derived(store), changes(store)) == ([], 0)
        derive(store, node("m", 1), unless_changed=0, born=LATER)
        assert derived(store) == [node("m", 1)]

    def test_of_two_at_once_one_wins(self, store: Store) -> None:
        put(store, "one")
        for turn in range(10):
            seen, barrier = changes(store), Barrier(4)

            def work(thread: int, turn: int = turn, seen: int = seen, barrier: Barrier = barrier) -> bool:
                barrier.wait()
                try:
                    derive(store, node(f"{turn}", 1, body={"by": thread}), unless_changed=seen)
                except Outrun:
                    return False
                return True

            with ThreadPoolExecutor(4) as pool:
                won = list(pool.map(work, range(4)))
            assert (sum(won), changes(store)) == (1, seen + 1)
            assert [record.body for record in derived(store, key=f"{turn}")] == [{"by": won.index(True)}]

    # Reading

    def test_every_query(self, store: Store) -> None:
        given = [
            node(f"{plan}{level}{last}{key}", last, plan=plan, level=level, body=None if key == "z" else {})
            for plan, level, last, key in product(("p", "pa", "q"), (1, 2), (0, 3, 9), ("", "z"))
        ]
        derive(store, *given[::-1], *(replace(record, kind="pin", plan="p") for record in given[:3]))
        ordered = sorted(given, key=lambda record: record.place)
        assert derived(store) == ordered
        places = (None, given[0].place, ordered[7].place, ("p", 1, 3, ""), ("pa", 2, 99, "x"), ("", 0, 0, ""))
        choices: dict[str, tuple[Any, ...]] = {"plan": (None, "p", "pa", "none"), "level": (None, 1, 2, 7)}
        choices |= {"after": (0, 3, 9), "before": (None, 0, 3, 99), "limit": (0, 1, 4, 500), "beyond": places}
        choices |= {"newest": (False, True), "empty": (False, True)}
        for values in product(*choices.values()):
            query = Query(kind="summary", **dict(zip(choices, values, strict=True)))
            fitting = [record for record in ordered if query.wants(record)]
            expected = fitting[max(0, len(fitting) - query.limit) :] if query.newest else fitting[: query.limit]
            assert store.records("s", "a", query) == expected, query

    def test_one_by_its_key(self, store: Store) -> None:
        derive(store, node("n", 1), node("m", 2), node("n", 2, kind="pin", plan="q"))
        assert derived(store, key="n") == derived(store, key="n", newest=True, limit=1) == [node("n", 1)]
        assert derived(store, key="n", kind="pin", plan="q", after=1) == [node("n", 2, kind="pin", plan="q")]
        queries: list[dict[str, Any]] = [
            {"key": "N"},
            {"key": ""},
            {"plan": "q"},
            {"level": 2},
            {"after": 1},
            {"before": 1},
        ]
        for query in (*queries, {"limit": 0}, {"empty": True}, {"beyond": node("n", 1).place}):
            assert derived(store, **{"key": "n"} | query) == []

    def test_page_by_page(self, store: Store) -> None:
        names = ["B", "a", "a b", "é", "中", "\uffee", "\U0001f9e0"]
        places = product(names, (0, 1, 10), names)
        given = [node(f"{name} {plan} {level}", plan=plan, level=level) for plan, level, name in places]
        derive(store, *given)
        given.sort(key=lambda record: record.place)  # texts by code point
        found: list[Record] = []
        while page := derived(store, limit=10, beyond=found[-1].place if found else None):
            found += page
        assert found == given
        assert derived(store, newest=True, limit=3) == given[-3:]

    def test_records_stay_where_they_are(self, store: Store) -> None:
        for space, session in product("sSt", "aAb"):
            derive(store, node(f"{space}{session}", session=session), space=space, session=session)
        derive(store, space="S", drops=[("summary", "Sa")])
        forget(store, session="b")
        forget(store, space="t", session=None)
        left = {"sa", "sA", "SA", "Sb"}
        for space, session in product("sSt", "aAb"):
            assert [record.key for record in derived(store, space, session)] == sorted(left & {space + session})
        assert derived(store, "none") == derived(store, "s", "none") == []

    # Erasing

    def test_what_came_from_a_forgotten_message_goes_or_is_emptied(self, store: Store) -> None:
        put(store, *(f"text {number}" for number in range(1, 10)))
        stay = [
            node("before", 1, 3),
            node("after", 5, 9, fixed=True),
            node("free", locked=True, kind="pin"),
            node("free fixed", fixed=True, kind="pin"),
            node("until the one before", 1, 2, until=3, fixed=True),
            node("emptied already", 4, 5, fixed=True, body=None),
        ]
        emptied = [
            node("fixed", 4, fixed=True),
            node("wide", 1, 9, fixed=True, level=2),
            node("until", 1, 2, until=4, fixed=True),
            node("until later", 2, 3, until=9, fixed=True, recipe="r", time=LATER),
            node("locked and fixed", 4, locked=True, fixed=True),
        ]
        gone = [
            node("loose", 4),
            node("manual", 3, 5, plan="manual"),
            node("locked", 4, 6, locked=True),
            node("pin", 4, kind="pin"),
            node("important", 1, 4, kind="important"),
            node("mark", 1, 9, kind="mark"),
            node("loose and empty", 4, body=None),
        ]
        derive(store, *stay, *emptied, *gone)
        assert forget(store, 4) == Erased(messages=1, records=len(emptied) + len(gone))
        kept = [*stay, *(replace(record, body=None, locked=False) for record in emptied)]
        for kind in ("summary", "pin", "important", "mark"):
            expected = sorted((record for record in kept if record.kind == kind), key=lambda record: record.place)
            assert derived(store, kind=kind) == expected
        assert derived(store, empty=True) == [record for record in derived(store) if record.body is None]
        assert store.check(lambda n: None).records == len(kept)

    def test_only_what_is_newly_forgotten_takes_records_along(self, store: Store) -> None:
        put(store, "one", "two", "three")
        forget(store, 2)
        again = node("made again", 1, 3, fixed=True)
        derive(store, again, node("pin", 3, kind="pin"), node("none", 2))
        before = everything(store)
        assert forget(store, 2, 99) == forget(store, 2, session="b") == forget(store, 2, space="t") == Erased()
        assert everything(store) == before
        assert forget(store, 2, 3) == Erased(messages=1, records=2)
        assert derived(store) == [node("none", 2), replace(again, body=None)]
        assert derived(store, kind="pin") == []
        derive(store, again)
        assert (derived(store, key=again.key), derived(store, empty=True)) == ([again], [])

    def test_several_messages_at_once(self, store: Store) -> None:
        put(store, *(["x"] * 301))
        body = {"text": "word " * 200}
        for start in range(1, 300, 50):
            numbers = range(start, start + 50)
            derive(store, *(node(f"{n:03}", n, n + 1, fixed=n % 2 == 0, body=body) for n in numbers))
        assert len(derived(store)) == 300
        assert forget(store, 3, 170, 11, 3).records == 6
        assert [record.key for record in derived(store, empty=True)] == ["002", "010", "170"]
        missing = {f"{number:03}" for number in range(1, 301)} - {record.key for record in derived(store)}
        assert missing == {"003", "011", "169"}
        assert store.check(lambda n: None).ok

    def test_sessions_and_spaces_take_their_records_along(self, store: Store) -> None:
        put(store, "one", "two")
        derive(store, node("n", 1, fixed=True), node("m"), node("p", kind="pin", locked=True))
        derive(store, node("n", session="b"), session="b")
        derive(store, node("n", session="c"), node("empty", body=None, session="c"), session="c")
        derive(store, node("n"), space="t")
        forget(store, 1)
        assert forget(store) == Erased(messages=1, sessions=1, records=3)
        assert derived(store) == derived(store, kind="pin") == []
        put(store, "one")
        assert derived(store) == []
        assert forget(store, session=None) == Erased(messages=1, sessions=3, spaces=1, records=3)
        assert (derived(store, session="b"), derived(store, "t")) == ([], [node("n")])
        assert store.check(lambda n: None).records == 1
