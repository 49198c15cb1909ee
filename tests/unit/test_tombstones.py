"""Ids and keys of forgotten messages: digests that only the store itself can make, known again wherever they go."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from postgres_tools import empty_store_url

from onrecord import Memory
from onrecord.errors import Forgotten
from onrecord.journal.copying import copy_space
from onrecord.ports import Target
from onrecord.records import EPOCH, digest

PHONE, ORDER = "+4917012345", "order-4417"


@pytest.fixture(params=[":memory:", "memory.db", "folder/", "postgres"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "postgres":
        return empty_store_url("tombstones")
    return ":memory:" if request.param == ":memory:" else f"{tmp_path}/{request.param}"


def opened(address: str) -> Memory:
    return Memory(address, embedder=None, summarize="manual")


def forgotten(memory: Memory) -> None:
    chat = memory.session("s")
    chat.add("user", "hello", id=PHONE, key=ORDER)
    chat.add("user", "another")
    chat.forget(PHONE)


def refuses(memory: Memory) -> None:
    chat = memory.session("s")
    with pytest.raises(Forgotten):
        chat.add("user", "again", id=PHONE)
    with pytest.raises(Forgotten):
        chat.add("user", "again", key=ORDER)
    assert [message.text for message in chat.history()] == ["another"]


def test_nobody_can_guess_at_what_was_forgotten_and_it_stays_so(address: str) -> None:
    with opened(address) as memory:
        forgotten(memory)
        (grave,) = (message for message in memory.session("s").history(forgotten=True) if message.state == "forgotten")
        assert grave.id not in (PHONE, digest(PHONE))
        assert grave.key not in (ORDER, digest(ORDER), digest(digest(ORDER)))
        assert memory._store.find("default", "s", PHONE) == grave
        refuses(memory)
        if address != ":memory:":
            memory.close()
            with opened(address) as again:
                assert list(again.session("s").history(forgotten=True))[0] == grave  # noqa: RUF015
                refuses(again)


def test_the_same_id_has_other_digests_in_other_spaces(address: str) -> None:
    with opened(address) as memory:
        for space in ("one", "two"):
            forgotten(memory.space(space))
        one, two = (next(memory.space(name).session("s").history(forgotten=True)) for name in ("one", "two"))
        assert one.id != two.id
        assert one.key != two.key


def test_older_digests_without_a_secret_are_known_again(address: str) -> None:
    with opened(address) as memory:
        chat = memory.session("s")
        chat.add("user", "hello", id=PHONE, key=ORDER)
        chat.add("user", "another")
        memory._store._inner.erase(Target(space="default", session="s", seqs=(1,), time=EPOCH))  # type: ignore[attr-defined]
        assert next(chat.history(forgotten=True)).id == digest(PHONE)
        refuses(memory)
        chat.add("user", "third", id="third")
        chat.forget("third")
        refuses(memory)


def test_exports_and_copies_bring_what_was_forgotten(address: str, tmp_path: Path) -> None:
    with opened(address) as memory, opened(":memory:") as other, opened(f"{tmp_path}/copy.db") as copy:
        forgotten(memory)
        exported = StringIO()
        memory.export(exported)
        for _ in range(2):
            other.import_(exported.getvalue().splitlines())
            refuses(other)
        for _ in range(2):
            copy_space(memory._store, copy._store, "default", lambda done: None)
            refuses(copy)
        masked = StringIO()
        memory.export(masked, mask_secrets=True)
        assert '"tombstones"' not in masked.getvalue()


def test_what_was_forgotten_at_both_is_no_conflict_for_a_copy(address: str) -> None:
    with opened(address) as memory, opened(":memory:") as other:
        chat = memory.session("s")
        chat.add_many([("user", "hello"), ("user", "another")])
        copy_space(memory._store, other._store, "default", lambda done: None)
        for one in (memory, other):
            one.session("s").forget(1)
        copy_space(memory._store, other._store, "default", lambda done: None)
        assert [message.text for message in other.session("s").history()] == ["another"]


def test_a_backup_knows_what_was_forgotten(tmp_path: Path) -> None:
    with opened(f"{tmp_path}/memory.db") as memory:
        forgotten(memory)
        memory.backup(tmp_path / "backup.db")
    with opened(f"{tmp_path}/backup.db") as backup:
        refuses(backup)
