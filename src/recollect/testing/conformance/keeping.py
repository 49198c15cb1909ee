"""Erasing, settling, checks, copies, closing and opening again."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from recollect.errors import Forgotten, InvalidInput, StoreClosed
from recollect.ports import Placed, Revision, Store, Target
from recollect.records import Erased, SessionInfo
from recollect.testing.conformance.case import (
    LATER,
    NOON,
    PLACE,
    RICH,
    StoreCase,
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


class Keeping(StoreCase):
    """`erase`, `settle`, `check`, `backup` and `close`."""

    def test_erase_messages(self, store: Store) -> None:
        put(store, draft("one two", id="1"), "two three", "three", draft("", key="k"))
        assert forget(store, 2, 4, 2, 99, 0, -1) == Erased(messages=2)
        assert [(message.text, message.state) for message in read(store)] == [
            ("one two", "kept"),
            ("", "forgotten"),
            ("three", "kept"),
            ("", "forgotten"),
        ]
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
        assert store.session("s", "a") is None
        assert (read(store), store.find("s", "a", "i"), fed(store)) == ([], None, ["b 1"])
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
        assert store.spaces() == []
        assert forget(store, session=None) == Erased()
        assert store.check(lambda n: None).spaces == 0

    def test_erase_what_is_not_there(self, store: Store) -> None:
        assert forget(store, 1) == forget(store) == forget(store, session=None) == Erased()
        put(store, "one")
        assert forget(store, 1, session="b") == forget(store, session="b") == Erased()
        assert forget(store, 1, space="t") == forget(store, 7) == Erased()
        assert store.erase(Target(space="s", session="a", seqs=(), time=LATER)) == Erased()
        assert texts(store) == ["one"]

    def test_nothing_erased_lingers(self, store: Store) -> None:
        put(store, "one", "two")
        report = store.erase(Target(space="s", session="a", seqs=(1,), time=LATER))
        assert report == Erased(messages=1, pending=self.on_a_server)
        assert store.settle() is not self.on_a_server

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
        assert health.records == 2
        assert sum(done) == len(RICH) + 1
        assert json.dumps(health.to_dict())

    def test_settling_changes_nothing(self, store: Store) -> None:
        assert store.settle()
        put(store, *RICH)
        before = everything(store)
        assert store.settle()
        assert everything(store) == before
        assert put(store, "more") == [Placed(seq=len(RICH) + 1)]

    def test_reopening_keeps_everything(self, tmp_path: Path) -> None:
        if not self.persistent:
            pytest.skip("nothing is meant to survive")
        store = self.open(tmp_path / PLACE)
        put(store, *RICH, title="T", meta={"k": ["é", 1]})
        put(store, "lisbon", session="日本 / ..", space="ä")
        put(store, "lisbon", draft("keyed", key="k"), session="b")
        put(store, "lisbon")
        derive(
            store, node("n", 1, 3, fixed=True), node("文 / ..", 2, body={"é": ["\ud800", None, 1.5]}), scores={2: 0.125}
        )
        derive(store, node("m", session="b"), node("gone", session="b"), session="b")
        derive(store, session="b", drops=[("summary", "gone")])
        forget(store, 1)
        for _ in range(3):
            before, found = everything(store), fed(store)
            store.close()
            store = self.open(tmp_path / PLACE)
            assert everything(store) == before
            assert fed(store) == found
            assert store.check(lambda n: None).ok
            (again,) = put(store, draft("keyed", key="k"), session="b")
            assert again.seq == 2
            assert again.earlier is not None
            put(store, "lisbon", session="b")
            with pytest.raises(Forgotten):
                put(store, replace(RICH[0], own_id=True))
        store.close()

    def test_a_backup_is_a_store_of_its_own(self, store: Store, tmp_path: Path) -> None:
        put(store, *RICH, title="T")
        derive(store, node("n", 1, 2), node("m", kind="pin"))
        if not self.persistent or self.on_a_server:
            with pytest.raises(InvalidInput):
                store.backup(tmp_path / "copy")
            return
        before = everything(store)
        target = tmp_path / "copies" / PLACE
        store.backup(target)
        put(store, "later")
        with pytest.raises(InvalidInput):
            store.backup(target)
        copy = self.open(target)
        assert everything(copy) == before
        put(copy, "other")
        copy.close()

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
