"""Messages: committed under numbers, once for each id and key; read in pages, by their ids, by session and space."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from itertools import product
from typing import Any

import pytest

from onrecord.errors import Conflict, Forgotten
from onrecord.ports import Batch, Placed, Store
from onrecord.records import Draft, Message, Page, SessionInfo, ToolCall, digest
from onrecord.testing.conformance.case import (
    LATER,
    NOON,
    RICH,
    StoreCase,
    again,
    draft,
    everything,
    fed,
    forget,
    known,
    put,
    read,
    texts,
)

__all__ = ["Messages"]

NAMED = pytest.mark.parametrize("parts", [{"id": "i"}, {"key": "k"}], ids=str)
OTHER: tuple[dict[str, Any], ...] = (
    {"text": "other"},
    {"role": "assistant"},
    {"name": "Ann"},
    {"tool_call_id": "c"},
    {"tool_calls": (ToolCall(id="c", name="f"),)},
    {"original": '"x"'},
)


class Messages(StoreCase):
    """`commit`, `spaces`, `sessions`, `session`, `messages` and `find`."""

    def test_numbers_are_1_2_3_in_each_session(self, store: Store) -> None:
        assert (put(store), store.spaces(), store.session("s", "a"), read(store)) == ([], [], None, [])
        assert put(store, "one", "two") == [Placed(seq=1), Placed(seq=2)]
        assert put(store, "other", session="b") == [Placed(seq=1)]
        assert put(store, "three") == [Placed(seq=3)]
        assert [(message.seq, message.text) for message in read(store)] == [(1, "one"), (2, "two"), (3, "three")]

    def test_messages_come_back_as_they_were_given(self, store: Store) -> None:
        given = [*RICH, draft("word " * 200_000 + "的" * 10), draft("x" * 1_000_000)]
        put(store, *given)
        assert read(store) == [item.placed("a", seq) for seq, item in enumerate(given, 1)]
        assert fed(store) == [f"a {seq}" for seq in range(1, len(given) + 1)]

    @pytest.mark.parametrize(
        ("bad", "info", "error"),
        [
            (draft("other content", id="taken"), {}, Conflict),
            (draft("gap", id="g", seq=9), {}, Conflict),
            (draft("fine"), {"nonsense": 1}, TypeError),
        ],
        ids=["conflict", "gap", "unknown field"],
    )
    def test_a_batch_with_an_error_stores_nothing(
        self, store: Store, bad: Draft, info: dict[str, Any], error: type[Exception]
    ) -> None:
        first = draft("first", id="taken")
        with pytest.raises(error):
            put(store, first, "second", bad, "fourth", session="new", title="T", **info)
        assert (store.spaces(), store.sessions("s"), store.session("s", "new")) == ([], [], None)
        put(store, first, title="kept")
        before = everything(store)
        with pytest.raises(error):
            put(store, "second", bad, "fourth", title="lost", **info)
        assert (everything(store), fed(store)) == (before, ["a 1"])

    def test_threads_share_the_numbers(self, store: Store) -> None:
        def work(thread: int) -> list[int]:
            return [put(store, f"{thread} {n}", f"{thread} {n} b")[1].seq for n in range(8)]

        with ThreadPoolExecutor(8) as pool:
            given = [seq for seqs in pool.map(work, range(8)) for seq in seqs]
        assert [message.seq for message in read(store)] == list(range(1, 129))
        assert sorted(given) == list(range(2, 129, 2))
        for thread in range(8):
            own = [text for text in texts(store) if text.startswith(f"{thread} ")]
            assert own == [f"{thread} {n}{mark}" for n in range(8) for mark in ("", " b")]

    # Ids and keys

    @pytest.mark.parametrize("parts", [{"id": "i"}, {"key": "k"}, {"id": "i", "key": "k"}], ids=str)
    def test_the_same_again_is_answered_not_added(self, store: Store, parts: dict[str, str]) -> None:
        put(store, "before", draft("text", **parts))
        kept = read(store)[1]
        retry = draft("text", time=LATER, importance=0.9, meta={"retry": 1}, **parts)
        earlier = Placed(seq=2, earlier=kept)
        assert put(store, retry, "after", retry) == [earlier, Placed(seq=3), earlier]
        assert texts(store) == ["before", "text", "after"]

    @NAMED
    @pytest.mark.parametrize("other", OTHER, ids=lambda other: next(iter(other)))
    def test_other_content_is_a_conflict(self, store: Store, parts: dict[str, str], other: dict[str, Any]) -> None:
        put(store, draft("text", **parts))
        with pytest.raises(Conflict) as caught:
            put(store, replace(draft("text", **parts), **other))
        assert not isinstance(caught.value, Forgotten)
        assert texts(store) == ["text"]

    def test_twice_in_one_batch(self, store: Store) -> None:
        item, keyed = draft("text", id="i"), draft("keyed", key="k")
        earlier = [Placed(seq=1, earlier=item.placed("a", 1)), Placed(seq=2, earlier=keyed.placed("a", 2))]
        placed = put(store, item, keyed, item, replace(keyed, id="made_other"))
        assert placed == [Placed(seq=1), Placed(seq=2), *earlier]
        assert texts(store) == ["text", "keyed"]

    @pytest.mark.parametrize("stored", [True, False])
    def test_a_key_counts_before_an_id(self, store: Store, stored: bool) -> None:
        both = [draft("same", id="i1", key="k1"), draft("same", id="i2", key="k2")]
        if stored:
            put(store, *both)
        mixed = draft("same", id="i2", key="k1")
        assert put(store, *([] if stored else both), mixed)[-1].seq == 1
        assert texts(store) == ["same", "same"]

    def test_ids_are_no_keys_and_both_belong_to_their_session(self, store: Store) -> None:
        for space, session in product("st", "ab"):
            drafts = [draft(f"{space}{session}", id="i", key="k"), draft("two", id=digest("k"))]
            assert put(store, *drafts, space=space, session=session) == [Placed(seq=1), Placed(seq=2)]
        for space, session in product("st", "ab"):
            assert texts(store, space=space, session=session) == [f"{space}{session}", "two"]

    @NAMED
    def test_a_forgotten_message_is_not_added_again(self, store: Store, parts: dict[str, str]) -> None:
        put(store, draft("text", **parts), "more")
        forget(store, 1)
        for content in ("text", "other"):
            with pytest.raises(Forgotten):
                put(store, "new", draft(content, **parts))
        assert texts(store, Page()) == ["more"]

    # Imports

    def test_an_import_keeps_numbers_and_what_is_there(self, store: Store) -> None:
        put(store, draft("one", id="1"), draft("two", id="2"), "three")
        forget(store, 2)
        old = read(store)
        put(store, *map(again, old), space="t")
        assert read(store, space="t") == old
        placed = put(store, *map(again, old), space="t")
        assert placed == [Placed(seq=message.seq, earlier=message) for message in old]
        assert store.find("t", "a", "2") == old[1]
        with pytest.raises(Forgotten):
            put(store, draft("two", id="2"), space="t")

    def test_an_import_neither_brings_back_nor_forgets(self, store: Store) -> None:
        put(store, "one", "two")
        old = read(store)
        forget(store, 1)
        placed = put(store, *map(again, old))
        assert [place.earlier and place.earlier.state for place in placed] == ["forgotten", "kept"]
        assert put(store, again(old[1].tombstone(LATER))) == [Placed(seq=2, earlier=old[1])]
        assert texts(store) == ["", "two"]

    @pytest.mark.parametrize(
        ("id", "text", "seq"),
        [("3", "three", 3), ("1", "changed", 1), ("2", "other", 1), ("x", "one", 0), ("x", "one", -1)],
    )
    def test_an_import_leaves_no_gap_and_changes_no_number(self, store: Store, id: str, text: str, seq: int) -> None:
        put(store, draft("one", id="1"))
        with pytest.raises(Conflict):
            put(store, draft(text, id=id, seq=seq))
        assert texts(store) == ["one"]
        placed = put(store, draft("two", id="2", seq=2), draft("three", id="3", seq=3))
        assert placed == [Placed(seq=2), Placed(seq=3)]

    def test_one_number_twice_in_a_batch(self, store: Store) -> None:
        first = draft("one", id="1", seq=1)
        with pytest.raises(Conflict):
            put(store, first, draft("other", id="2", seq=1))
        assert store.session("s", "a") is None
        assert [place.seq for place in put(store, first, draft("one", id="2", seq=1), "two")] == [1, 1, 2]
        assert texts(store) == ["one", "two"]

    # Reading

    def test_what_is_known_of_a_session(self, store: Store) -> None:
        expected = SessionInfo(id="a", title="Trip", system="Be kind.\n", meta={"a": [1, {"b": None}]}, created=NOON)
        put(store, title="Trip", system="Be kind.\n", meta={"a": [1, {"b": None}]})
        assert known(store) == expected
        assert (store.sessions("s"), read(store)) == ([store.session("s", "a")], [])
        info = {"status": "ended", "model": "m", "ended": LATER}
        store.commit(Batch(space="s", session="a", drafts=[draft("x", id="i")], info=info, time=LATER))
        expected = replace(expected, status="ended", model="m", ended=LATER, last_seq=1)
        assert known(store) == expected
        put(store, draft("x", id="i"), title=None, meta={}, created=LATER)  # a repeated message, and news
        expected = replace(expected, title=None, meta={}, created=LATER)
        assert known(store) == expected
        put(store, "y", ended=None)
        assert known(store) == replace(expected, ended=None, last_seq=2)

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
        assert store.sessions("s", "\U0010ffff") == store.sessions("unknown") == []

    def test_nothing_crosses_a_space(self, store: Store) -> None:
        spaces = ("default/s", "s", "s ", "S", "ṡ")
        for space in spaces:
            put(store, draft(f"in {space}", id="i"), "lisbon", space=space, title=space)
        for space in spaces:
            assert texts(store, space=space) == [f"in {space}", "lisbon"]
            assert [info.title for info in store.sessions(space)] == [space]
            assert fed(store, space) == ["a 1", "a 2"]
        forget(store, space="S", session=None)
        put(store, "more", space="s ")
        assert texts(store) == ["in s", "lisbon"]
        assert texts(store, space="S") == fed(store, "S") == []
        assert store.spaces() == sorted({*spaces} - {"S"})

    def test_every_page(self, store: Store) -> None:
        roles = ("system", "user", "assistant", "tool")
        for n in range(12):  # times go back and forth
            put(store, draft(f"m{n + 1}", role=roles[n % 4], time=NOON + timedelta(hours=(n * 5) % 12)))
        forget(store, 2, 3, 7, 12)
        whole = read(store)
        assert [message.seq for message in whole] == list(range(1, 13))
        times = (None, NOON + timedelta(hours=3), NOON + timedelta(hours=9))
        choices: dict[str, tuple[Any, ...]] = {"after": (0, 1, 6, 12, 99), "before": (None, 0, 1, 8, 99)}
        choices |= {"limit": (0, 1, 3, 500), "newest": (False, True), "since": times, "until": times}
        choices |= {"roles": ((), ("user",), ("tool", "assistant")), "forgotten": (False, True)}
        for values in product(*choices.values()):
            page = Page(**dict(zip(choices, values, strict=True)))
            end = 99 if page.before is None else page.before
            fitting = [message for message in whole if page.after < message.seq < end and page.wants(message)]
            expected = fitting[max(0, len(fitting) - page.limit) :] if page.newest else fitting[: page.limit]
            assert read(store, page) == expected, page

    def test_find_by_id(self, store: Store) -> None:
        put(store, draft("one", id="i"), draft("two", id="I"), draft("three", id="文 🧠"))
        one, two, three = read(store)
        assert [store.find("s", "a", id) for id in ("i", "I", "文 🧠", "j", "")] == [one, two, three, None, None]
        assert store.find("s", "b", "i") is store.find("t", "a", "i") is None

    def test_find_a_forgotten_message_by_its_id(self, store: Store) -> None:
        put(store, draft("one", id="i", key="k", name="Ann", role="assistant", tokens=200))
        forget(store, 1)
        parts: dict[str, Any] = {"id": digest("i"), "key": digest("k"), "role": "assistant", "state": "forgotten"}
        tombstone = Message(session="a", seq=1, time=LATER, tokens=192, **parts)  # its length in steps of 64
        assert store.find("s", "a", "i") == store.find("s", "a", digest("i")) == tombstone
        assert (read(store), read(store, Page())) == ([tombstone], [])
