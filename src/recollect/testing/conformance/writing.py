"""Committing: numbers, batches, ids and keys, imports."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from recollect.errors import Conflict, Forgotten
from recollect.ports import Placed, Store
from recollect.records import Draft, Page, ToolCall, digest
from recollect.testing.conformance.case import (
    LATER,
    RICH,
    StoreCase,
    again,
    draft,
    everything,
    fed,
    forget,
    put,
    read,
    texts,
)

__all__ = ["Writing"]


class Writing(StoreCase):
    """`commit`, and what it may not do."""

    def test_numbers_are_1_2_3_in_each_session(self, store: Store) -> None:
        assert put(store, "one", "two") == [Placed(seq=1), Placed(seq=2)]
        assert put(store, "other", session="b") == [Placed(seq=1)]
        assert put(store, "three") == [Placed(seq=3)]
        assert [(message.seq, message.text) for message in read(store)] == [(1, "one"), (2, "two"), (3, "three")]

    def test_messages_come_back_as_they_were_given(self, store: Store) -> None:
        put(store, *RICH)
        assert read(store) == [item.placed("a", seq) for seq, item in enumerate(RICH, 1)]

    def test_a_text_of_a_megabyte(self, store: Store) -> None:
        text = "word " * 200_000 + "的" * 10
        put(store, text, "x" * 1_000_000)
        assert texts(store) == [text, "x" * 1_000_000]
        assert fed(store) == ["a 1", "a 2"]

    def test_a_commit_of_nothing_makes_nothing(self, store: Store) -> None:
        assert put(store) == []
        assert store.spaces() == []
        assert store.session("s", "a") is None

    @pytest.mark.parametrize(
        "bad",
        [draft("other content", id="taken"), draft("gap", id="g", seq=9)],
        ids=["conflict", "gap"],
    )
    def test_a_batch_with_an_error_stores_nothing(self, store: Store, bad: Draft) -> None:
        first = draft("first", id="taken")
        with pytest.raises(Conflict):
            put(store, first, "second", bad, "fourth", session="new", title="T")
        assert (store.spaces(), store.sessions("s"), store.session("s", "new")) == ([], [], None)
        put(store, first, title="kept")
        before = everything(store)
        with pytest.raises(Conflict):
            put(store, "second", bad, "fourth", title="lost")
        assert everything(store) == before
        assert fed(store) == ["a 1"]

    def test_an_unknown_field_of_a_session_stores_nothing(self, store: Store) -> None:
        for session in ("a", "b"):
            with pytest.raises(TypeError):
                put(store, "text", session=session, nonsense=1)
            assert store.session("s", session) is None
            assert read(store, session=session) == []
        assert store.spaces() == []

    def test_threads_share_the_numbers(self, store: Store) -> None:
        def work(thread: int) -> list[int]:
            return [put(store, f"{thread} {n}", f"{thread} {n} b")[1].seq for n in range(8)]

        with ThreadPoolExecutor(8) as pool:
            given = [seq for seqs in pool.map(work, range(8)) for seq in seqs]
        messages = read(store)
        assert [message.seq for message in messages] == list(range(1, 129))
        assert sorted(given) == list(range(2, 129, 2))
        for thread in range(8):
            own = [message.text for message in messages if message.text.startswith(f"{thread} ")]
            assert own == [f"{thread} {n}{mark}" for n in range(8) for mark in ("", " b")]

    @pytest.mark.parametrize("parts", [{"id": "i"}, {"key": "k"}, {"id": "i", "key": "k"}], ids=str)
    def test_the_same_again_is_answered_not_added(self, store: Store, parts: dict[str, str]) -> None:
        put(store, "before", draft("text", **parts))
        (kept,) = read(store, Page(after=1))
        retry = draft("text", time=LATER, importance=0.9, meta={"retry": 1}, **parts)
        assert put(store, retry, "after", retry) == [
            Placed(seq=2, earlier=kept),
            Placed(seq=3),
            Placed(seq=2, earlier=kept),
        ]
        assert texts(store) == ["before", "text", "after"]

    @pytest.mark.parametrize("parts", [{"id": "i"}, {"key": "k"}], ids=str)
    @pytest.mark.parametrize(
        "other",
        [
            {"text": "other"},
            {"role": "assistant"},
            {"name": "Ann"},
            {"tool_call_id": "c"},
            {"tool_calls": (ToolCall(id="c", name="f"),)},
            {"original": '"x"'},
        ],
        ids=lambda other: next(iter(other)),
    )
    def test_other_content_is_a_conflict(self, store: Store, parts: dict[str, str], other: dict[str, Any]) -> None:
        put(store, draft("text", **parts))
        with pytest.raises(Conflict) as caught:
            put(store, replace(draft("text", **parts), **other))
        assert not isinstance(caught.value, Forgotten)
        assert texts(store) == ["text"]

    def test_twice_in_one_batch(self, store: Store) -> None:
        item, keyed = draft("text", id="i"), draft("keyed", key="k")
        placed = put(store, item, keyed, item, replace(keyed, id="made_other"))
        assert placed == [
            Placed(seq=1),
            Placed(seq=2),
            Placed(seq=1, earlier=item.placed("a", 1)),
            Placed(seq=2, earlier=keyed.placed("a", 2)),
        ]
        assert texts(store) == ["text", "keyed"]

    @pytest.mark.parametrize("stored", [True, False])
    def test_a_key_counts_before_an_id(self, store: Store, stored: bool) -> None:
        first, second = draft("same", id="i1", key="k1"), draft("same", id="i2", key="k2")
        mixed = draft("same", id="i2", key="k1")
        if stored:
            put(store, first, second)
            assert [place.seq for place in put(store, mixed)] == [1]
        else:
            assert [place.seq for place in put(store, first, second, mixed)] == [1, 2, 1]

    def test_an_id_is_not_a_key(self, store: Store) -> None:
        put(store, draft("one", key="k"), draft("two", id=digest("k")))
        assert texts(store) == ["one", "two"]

    def test_ids_and_keys_belong_to_their_session(self, store: Store) -> None:
        for space, session in product("st", "ab"):
            item = draft(f"{space}{session}", id="i", key="k")
            assert put(store, item, space=space, session=session) == [Placed(seq=1)]
        assert {texts(store, space=space, session=session)[0] for space, session in product("st", "ab")} == {
            "sa",
            "sb",
            "ta",
            "tb",
        }

    @pytest.mark.parametrize("parts", [{"id": "i"}, {"key": "k"}], ids=str)
    def test_a_forgotten_message_is_not_added_again(self, store: Store, parts: dict[str, str]) -> None:
        put(store, draft("text", **parts), "more")
        forget(store, 1)
        for content in ("text", "other"):
            with pytest.raises(Forgotten):
                put(store, "new", draft(content, **parts))
        assert texts(store, Page()) == ["more"]

    def test_an_import_keeps_numbers_and_what_is_there(self, store: Store) -> None:
        put(store, draft("one", id="1"), draft("two", id="2"), "three")
        forget(store, 2)
        old = read(store)
        put(store, *(again(message) for message in old), space="t")
        assert read(store, space="t") == old
        assert put(store, *(again(message) for message in old), space="t") == [
            Placed(seq=message.seq, earlier=message) for message in old
        ]
        assert store.find("t", "a", "2") == old[1]
        with pytest.raises(Forgotten):
            put(store, draft("two", id="2"), space="t")

    def test_an_import_does_not_bring_back_what_was_forgotten(self, store: Store) -> None:
        put(store, "one", "two")
        old = read(store)
        forget(store, 1)
        placed = put(store, *(again(message) for message in old))
        assert [place.earlier and place.earlier.state for place in placed] == ["forgotten", "kept"]
        assert texts(store, Page()) == ["two"]

    def test_a_tombstone_does_not_forget_what_is_there(self, store: Store) -> None:
        put(store, "one")
        (kept,) = read(store)
        assert put(store, again(kept.tombstone(LATER))) == [Placed(seq=1, earlier=kept)]
        assert texts(store) == ["one"]

    def test_an_import_cannot_leave_a_gap_or_change_a_number(self, store: Store) -> None:
        put(store, draft("one", id="1"))
        for item in (draft("three", id="3", seq=3), draft("changed", id="1", seq=1), draft("other", id="2", seq=1)):
            with pytest.raises(Conflict):
                put(store, item)
        assert put(store, draft("two", id="2", seq=2), draft("three", id="3", seq=3)) == [
            Placed(seq=2),
            Placed(seq=3),
        ]

    def test_one_number_twice_in_a_batch(self, store: Store) -> None:
        first = draft("one", id="1", seq=1)
        with pytest.raises(Conflict):
            put(store, first, draft("other", id="2", seq=1))
        assert store.session("s", "a") is None
        placed = put(store, first, draft("one", id="2", seq=1), "two")
        assert [place.seq for place in placed] == [1, 1, 2]
        assert texts(store) == ["one", "two"]

    def test_a_number_is_at_least_1(self, store: Store) -> None:
        put(store, "one")
        for seq in (0, -1):
            with pytest.raises(Conflict):
                put(store, draft("one", id="x", seq=seq))
        assert texts(store) == ["one"]
