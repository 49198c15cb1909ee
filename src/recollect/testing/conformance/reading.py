"""Reading: sessions, spaces, pages, finding by id."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import product

from recollect.ports import Batch, Store
from recollect.records import Message, Page, SessionInfo, digest
from recollect.testing.conformance.case import (
    LATER,
    NOON,
    StoreCase,
    draft,
    fed,
    forget,
    known,
    put,
    read,
    texts,
)

__all__ = ["Reading"]


class Reading(StoreCase):
    """`spaces`, `sessions`, `session`, `messages` and `find`."""

    def test_what_is_known_of_a_session(self, store: Store) -> None:
        put(store, title="Trip", system="Be kind.\n", meta={"a": [1, {"b": None}]})
        expected = SessionInfo(
            id="a", title="Trip", system="Be kind.\n", meta={"a": [1, {"b": None}]}, created=NOON, last_seq=0
        )
        assert known(store) == expected
        assert store.sessions("s") == [store.session("s", "a")]
        store.commit(
            Batch(
                space="s",
                session="a",
                drafts=[draft("x")],
                info={"status": "ended", "model": "m", "ended": LATER},
                time=LATER,
            )
        )
        expected = replace(expected, status="ended", model="m", ended=LATER, last_seq=1)
        assert known(store) == expected
        put(store, title=None, meta={}, created=LATER)
        assert known(store) == replace(expected, title=None, meta={}, created=LATER)
        put(store, "y", ended=None)
        assert known(store) == replace(expected, title=None, meta={}, created=LATER, ended=None, last_seq=2)

    def test_what_is_known_changes_with_repeated_messages_too(self, store: Store) -> None:
        put(store, draft("x", id="i"))
        put(store, draft("x", id="i"), title="T")
        assert known(store) == SessionInfo(id="a", title="T", created=NOON, last_seq=1)

    def test_sessions_come_by_code_point_in_pages(self, store: Store) -> None:
        names = ["B", "Z", "a", "a b", "a-b", "ab", "é", "Ω", "中", "\uffee", "\U0001f9e0", "\U0010fffd"]
        for name in reversed(names):
            put(store, "x", session=name)
            put(store, "x", session="elsewhere", space=name)
        assert [info.id for info in store.sessions("s")] == names
        assert store.spaces() == sorted([*names, "s"])
        for limit in (0, 1, 5, 12, 13):
            assert [info.id for info in store.sessions("s", limit=limit)] == names[:limit]
        for place, name in enumerate(names):
            assert [info.id for info in store.sessions("s", name, 2)] == names[place + 1 : place + 3]
        assert [info.id for info in store.sessions("s", "aa")] == names[5:]
        assert store.sessions("s", "\U0010ffff") == []
        assert store.sessions("unknown") == []

    def test_nothing_crosses_a_space(self, store: Store) -> None:
        for space in ("s", "S", "s ", "ṡ", "default/s"):
            put(store, draft(f"in {space}", id="i"), "lisbon", space=space, title=space)
        for space in ("s", "S", "s ", "ṡ", "default/s"):
            assert texts(store, space=space) == [f"in {space}", "lisbon"]
            assert [info.title for info in store.sessions(space)] == [space]
            assert fed(store, space) == ["a 1", "a 2"]
        forget(store, space="S", session=None)
        put(store, "more", space="s ")
        assert texts(store) == ["in s", "lisbon"]
        assert texts(store, space="S") == []
        assert fed(store, "S") == []
        assert store.spaces() == sorted(["s", "s ", "ṡ", "default/s"])

    def test_every_page(self, store: Store) -> None:
        roles = ("system", "user", "assistant", "tool")
        for n in range(12):  # times go back and forth
            put(store, draft(f"m{n + 1}", role=roles[n % 4], time=NOON + timedelta(hours=(n * 5) % 12)))
        forget(store, 2, 3, 7, 12)
        whole = read(store)
        assert [message.seq for message in whole] == list(range(1, 13))
        times = (None, NOON + timedelta(hours=3), NOON + timedelta(hours=9))
        for after, before, limit, newest, since, until, chosen, forgotten in product(
            (0, 1, 6, 12, 99),
            (None, 0, 1, 8, 99),
            (0, 1, 3, 500),
            (False, True),
            times,
            times,
            ((), ("user",), ("tool", "assistant")),
            (False, True),
        ):
            page = Page(
                after=after,
                before=before,
                limit=limit,
                newest=newest,
                since=since,
                until=until,
                roles=chosen,  # type: ignore[arg-type]
                forgotten=forgotten,
            )
            fitting = [
                message
                for message in whole
                if after < message.seq < (99 if before is None else before) and page.wants(message)
            ]
            expected = fitting[max(0, len(fitting) - limit) :] if newest else fitting[:limit]
            assert read(store, page) == expected, page

    def test_pages_of_nothing(self, store: Store) -> None:
        assert read(store) == []
        put(store, title="empty")
        assert read(store) == []
        assert read(store, session="unknown") == []

    def test_find_by_id(self, store: Store) -> None:
        put(store, draft("one", id="i"), draft("two", id="I"), draft("three", id="文 🧠"))
        one, two, three = read(store)
        assert [store.find("s", "a", id) for id in ("i", "I", "文 🧠", "j", "")] == [one, two, three, None, None]
        assert store.find("s", "b", "i") is None
        assert store.find("t", "a", "i") is None

    def test_find_a_forgotten_message_by_its_id(self, store: Store) -> None:
        put(store, draft("one", id="i", key="k", name="Ann", role="assistant", tokens=200))
        forget(store, 1)
        tombstone = Message(
            session="a",
            seq=1,
            id=digest("i"),
            role="assistant",
            time=LATER,
            tokens=192,  # how long it was, in steps of 64
            key=digest("k"),
            state="forgotten",
        )
        assert store.find("s", "a", "i") == store.find("s", "a", digest("i")) == tombstone
        assert read(store) == [tombstone]
        assert read(store, Page()) == []
