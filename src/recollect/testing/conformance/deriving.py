"""Derived records: written, replaced, read in pages, outrun, and gone with the messages they came from."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from itertools import product
from threading import Barrier
from typing import Any, cast

import pytest

from recollect.errors import Conflict, InvalidInput, Outrun
from recollect.ports import Batch, Placed, Store, Target
from recollect.records import Erased, Query, Record, SessionInfo
from recollect.testing.conformance.case import (
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
    texts,
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
        put(store, "one")
        derive(store, node("k" * 1_200, plan="p" * 1_200))
        assert len(derived(store)) == 1
        with pytest.raises(InvalidInput):
            derive(store, node("文" * 500, plan="里" * 500))
        assert len(derived(store)) == 1

    def test_records_come_back_as_they_were_given(self, store: Store) -> None:
        put(store, "one", "two", "three")
        full = Record(
            session="a",
            kind="summary",
            plan="balanced/ü",
            key="sum_文",
            level=3,
            first=1,
            last=2,
            until=3,
            fixed=True,
            locked=True,
            recipe="model 2",
            time=datetime(2026, 5, 5, 1, 2, 3, 456789, tzinfo=UTC),
            body=DEEP,
        )
        least = Record(session="a", kind="mark", plan="p", key="k")
        empty = replace(full, key="empty", body={}, fixed=False)
        derive(store, full, least, empty)
        assert derived(store, plan="balanced/ü") == [empty, full]
        assert derived(store, kind="mark") == [least]
        assert derived(store, kind="pin") == []

    def test_what_a_caller_does_to_a_body_changes_nothing(self, store: Store) -> None:
        body = {"a": {"b": ["kept"]}}
        derive(store, node("n", body=body))
        body["a"]["b"].append("changed")
        for _ in range(2):
            (found,) = derived(store)
            assert found.body == {"a": {"b": ["kept"]}}
            cast(Any, found.body)["a"]["b"].append("changed")

    def test_bodies_are_json(self, store: Store) -> None:
        derive(store, node("n", body={"a": ("x", ["y"])}))
        assert [record.body for record in derived(store)] == [{"a": ["x", ["y"]]}]
        before = everything(store)
        for bad in ({"a": float("nan")}, {"a": object()}):
            with pytest.raises((TypeError, ValueError)):
                derive(store, node("m"), node("bad", body=bad), info={"title": "T"}, drafts=[draft("x")])
            assert everything(store) == before

    def test_records_make_a_session_but_drops_and_scores_do_not(self, store: Store) -> None:
        derive(store, drops=[("summary", "n")], scores={1: 0.5})
        assert store.spaces() == []
        derive(store, node("n", kind="pin"))
        assert store.session("s", "a") == SessionInfo(id="a", created=NOON, changes=1)
        assert put(store, "one") == [Placed(seq=1)]

    def test_a_record_of_another_session_is_refused(self, store: Store) -> None:
        with pytest.raises(ValueError, match="session"):
            derive(store, node("n"), node("m", session="b"), drafts=[draft("x")])
        assert store.spaces() == []

    def test_the_same_kind_and_key_replaces(self, store: Store) -> None:
        put(store, "one", "two", "three")
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
        assert derived(store) == [node("m")]
        assert derived(store, kind="pin") == [node("n", kind="pin")]
        derive(store, node("m", plan="q"), drops=[("summary", "m")])
        assert derived(store) == [node("m", plan="q")]

    def test_scores_are_the_importance_of_what_is_kept(self, store: Store) -> None:
        put(store, "one", draft("two", id="2"), "three")
        before = read(store)
        forget(store, 3)
        tombstone = read(store)[2]
        derive(store, scores={1: 0.75, 2: 1, 3: 0.5, 4: 0.5, 0: 0.5, -1: 0.5})
        first, second, third = read(store)
        assert (first, second) == (replace(before[0], importance=0.75), replace(before[1], importance=1.0))
        assert third == tombstone
        assert put(store, draft("two", id="2"))[0].earlier == second
        assert store.check(lambda n: None).ok

    def test_messages_and_records_in_one_batch(self, store: Store) -> None:
        put(store, "one")
        placed = derive(store, node("n", 1, 2), drafts=[draft("two")], info={"title": "T"}, scores={1: 1.0, 2: 0.0})
        assert placed == [Placed(seq=2)]
        assert [message.importance for message in read(store)] == [1.0, 0.0]
        assert derived(store) == [node("n", 1, 2)]
        assert changes(store) == 1
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
            assert changes(store) == count
            assert [info.changes for info in store.sessions("s")] == [count]
        for seqs, count in (((1,), 6), ((1,), 6), ((99,), 6), ((2, 3), 7)):
            forget(store, *seqs)
            assert changes(store) == count
        put(store, "one", session="b")
        assert (changes(store), changes(store, session="b")) == (7, 0)
        forget(store)
        put(store, "anew")
        assert changes(store) == 0

    # Outrun

    def test_a_changed_session_is_not_written(self, store: Store) -> None:
        derive(store, node("n", kind="pin"), unless_changed=0)
        put(store, "one")
        derive(store, node("m", 1), unless_changed=1)
        before = everything(store)
        for seen in (0, 1, 3):
            with pytest.raises(Outrun):
                derive(
                    store,
                    node("late", 1),
                    drafts=[draft("late")],
                    info={"title": "late"},
                    drops=[("summary", "m")],
                    scores={1: 1.0},
                    unless_changed=seen,
                )
            with pytest.raises(Outrun):
                derive(store, drafts=[draft("late")], unless_changed=seen)
        assert everything(store) == before
        forget(store, 1)
        with pytest.raises(Outrun):
            derive(store, node("late", 1), unless_changed=2)
        assert derived(store) == []

    def test_what_a_forgotten_session_gave_is_not_written(self, store: Store) -> None:
        put(store, "one", "two", "three")
        late = node("late", 1, 2, until=3)
        derive(store, late, unless_changed=0)
        forget(store)
        with pytest.raises(Outrun):
            derive(store, late, unless_changed=0)
        assert store.spaces() == []
        put(store, "anew", "anew")
        with pytest.raises(Outrun):
            derive(store, late, drafts=[], unless_changed=0)
        assert (derived(store), changes(store)) == ([], 0)

    def test_a_session_that_was_begun_anew_is_another_one(self, store: Store) -> None:
        put(store, "one")
        derive(store, node("n", 1), unless_changed=0, born=NOON)
        with pytest.raises(Outrun):
            derive(store, node("m", 1), unless_changed=1, born=LATER)
        forget(store)
        with pytest.raises(Outrun):  # not even where there are no changes to outrun
            derive(store, node("m", kind="pin"), unless_changed=0, born=NOON)
        assert store.spaces() == []
        store.commit(Batch(space="s", session="a", drafts=[draft("anew")], time=LATER))
        with pytest.raises(Outrun):
            derive(store, node("m", 1), unless_changed=0, born=NOON)
        derive(store, node("m", 1), unless_changed=0, born=LATER)
        assert [record.key for record in derived(store)] == ["m"]

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
            assert sum(won) == 1
            assert [record.body for record in derived(store, key=f"{turn}")] == [{"by": won.index(True)}]
            assert changes(store) == seen + 1

    # Reading

    def test_every_query(self, store: Store) -> None:
        put(store, *(["x"] * 9))
        given = [
            node(f"{plan}{level}{last}{key}", last, plan=plan, level=level, body=None if key == "z" else {})
            for plan, level, last, key in product(("p", "pa", "q"), (1, 2), (0, 3, 9), ("", "z"))
        ]
        derive(store, *given[::-1], *(replace(record, kind="pin", plan="p") for record in given[:3]))
        ordered = sorted(given, key=lambda record: record.place)
        assert derived(store) == ordered
        for plan, level, after, before, limit, newest, empty, beyond in product(
            (None, "p", "pa", "none"),
            (None, 1, 2, 7),
            (0, 3, 9),
            (None, 0, 3, 99),
            (0, 1, 4, 500),
            (False, True),
            (False, True),
            (None, given[0].place, ordered[7].place, ("p", 1, 3, ""), ("pa", 2, 99, "x"), ("", 0, 0, "")),
        ):
            query = Query(
                kind="summary",
                plan=plan,
                level=level,
                after=after,
                before=before,
                limit=limit,
                newest=newest,
                empty=empty,
                beyond=beyond,
            )
            fitting = [record for record in ordered if query.wants(record)]
            expected = fitting[max(0, len(fitting) - limit) :] if newest else fitting[:limit]
            assert store.records("s", "a", query) == expected, query

    def test_one_by_its_key(self, store: Store) -> None:
        put(store, "one", "two")
        derive(store, node("n", 1), node("m", 2), node("n", 2, kind="pin", plan="q"))
        assert derived(store, key="n") == [node("n", 1)]
        assert derived(store, key="n", kind="pin", plan="q", after=1) == [node("n", 2, kind="pin", plan="q")]
        for query in (
            {"key": "N"},
            {"key": ""},
            {"plan": "q"},
            {"level": 2},
            {"after": 1},
            {"before": 1},
            {"limit": 0},
        ):
            assert derived(store, **{"key": "n"} | query) == []
        assert derived(store, key="n", empty=True) == derived(store, key="n", beyond=node("n", 1).place) == []
        assert derived(store, key="n", newest=True, limit=1) == [node("n", 1)]

    def test_page_by_page(self, store: Store) -> None:
        names = ["B", "a", "a b", "é", "中", "\uffee", "\U0001f9e0"]
        places = product(names, (0, 1, 10), names)
        given = [node(f"{name} {plan} {level}", plan=plan, level=level) for plan, level, name in places]
        derive(store, *given)
        given.sort(key=lambda record: record.place)  # texts by code point
        found: list[Record] = []
        query = Query(kind="summary", limit=10)
        while page := store.records("s", "a", query):
            found += page
            query = replace(query, beyond=page[-1].place)
        assert found == given
        assert derived(store, newest=True, limit=3) == given[-3:]

    def test_records_stay_where_they_are(self, store: Store) -> None:
        for space, session in product(("s", "S", "t"), ("a", "A", "b")):
            body = {"in": f"{space} {session}"}
            derive(store, node("n", session=session, body=body), space=space, session=session)
        derive(store, space="S", drops=[("summary", "n")])
        forget(store, session="b")
        forget(store, space="t", session=None)
        left = {("s", "a"), ("s", "A"), ("S", "A"), ("S", "b")}
        for space, session in product(("s", "S", "t"), ("a", "A", "b")):
            expected = [{"in": f"{space} {session}"}] if (space, session) in left else []
            assert [record.body for record in derived(store, space, session)] == expected
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
        ]
        emptied = [
            node("fixed", 4, fixed=True),
            node("wide", 1, 9, fixed=True, level=2),
            node("until", 1, 2, until=4, fixed=True),
            node("until later", 2, 3, until=9, fixed=True, recipe="r", time=LATER),
            node("locked and fixed", 4, locked=True, fixed=True),
        ]
        already = node("emptied already", 4, 5, fixed=True, body=None)
        gone = [
            node("loose", 4),
            node("manual", 3, 5, plan="manual"),
            node("locked", 4, 6, locked=True),
            node("pin", 4, kind="pin"),
            node("important", 1, 4, kind="important"),
            node("mark", 1, 9, kind="mark"),
            node("loose and empty", 4, body=None),
        ]
        derive(store, *stay, *emptied, already, *gone)
        assert forget(store, 4) == Erased(messages=1, records=len(emptied) + len(gone))
        kept = [*stay, already, *(replace(record, body=None, locked=False) for record in emptied)]
        for kind in ("summary", "pin", "important", "mark"):
            expected = sorted((record for record in kept if record.kind == kind), key=lambda record: record.place)
            assert derived(store, kind=kind) == expected
        assert derived(store, empty=True) == [record for record in derived(store) if record.body is None]
        assert store.check(lambda n: None).records == len(kept)

    def test_only_what_is_newly_forgotten_takes_records_along(self, store: Store) -> None:
        put(store, "one", "two", "three")
        forget(store, 2)
        anew = node("made anew", 1, 3, fixed=True)
        derive(store, anew, node("pin", 3, kind="pin"), node("none", 2))
        assert forget(store, 2, 99) == Erased()
        assert (derived(store), changes(store)) == ([node("none", 2), anew], 2)
        assert forget(store, 2, 3) == Erased(messages=1, records=2)
        assert derived(store) == [node("none", 2), replace(anew, body=None)]
        assert derived(store, kind="pin") == []
        derive(store, anew)
        assert derived(store, key=anew.key) == [anew]
        assert derived(store, empty=True) == []

    def test_several_messages_at_once(self, store: Store) -> None:
        put(store, *(["x"] * 20))
        derive(store, *(node(f"{number:02}", number, number + 1, fixed=number % 2 == 0) for number in range(1, 20)))
        assert forget(store, 3, 17, 10, 3).records == 6
        assert [record.key for record in derived(store, empty=True)] == ["02", "10", "16"]
        missing = {f"{number:02}" for number in range(1, 20)} - {record.key for record in derived(store)}
        assert missing == {"03", "09", "17"}

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
        assert derived(store, session="b") == []
        assert derived(store, "t") == [node("n")]
        assert store.check(lambda n: None).records == 1

    def test_forgetting_nothing_takes_nothing(self, store: Store) -> None:
        put(store, "one")
        derive(store, node("n", 1))
        assert store.erase(Target(space="s", session="a", seqs=(), time=LATER)) == Erased()
        assert forget(store, 7) == forget(store, 1, session="b") == forget(store, 1, space="t") == Erased()
        assert (derived(store), changes(store)) == ([node("n", 1)], 1)

    def test_many_records(self, store: Store) -> None:
        put(store, *(f"text {number}" for number in range(1, 301)))
        body = {"text": "word " * 200}
        for start in range(1, 300, 50):
            derive(store, *(node(f"{number:03}", number, number + 1, body=body) for number in range(start, start + 50)))
        assert len(derived(store)) == 300
        forget(store, 150)
        assert len(derived(store)) == 298
        assert texts(store)[149] == ""
        assert store.check(lambda n: None).ok
