"""A memory on PostgreSQL: what only a server makes different."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from postgres_tools import empty_store_url

from onrecord import Memory
from onrecord.errors import Conflict, InvalidSetting
from onrecord.journal.copying import copy_space
from onrecord.memory import doctor
from onrecord.ports import Progress
from onrecord.records import Health, SessionInfo
from onrecord.stores import shown
from onrecord.stores.sqlite.memory_store import MemoryStore
from onrecord.testing.conformance.case import NOON, draft, forget, put, texts


@pytest.fixture
def url() -> str:
    return empty_store_url("memories")


@pytest.fixture
def memory(url: str) -> Iterator[Memory]:
    with Memory(url) as opened:
        yield opened


def test_the_bytes_of_a_forgotten_fact_are_still_to_go(memory: Memory) -> None:
    memory.session("s").add("user", "I live in Lisbon.")
    (fact,) = memory.facts(attribute="home")
    assert memory.flush()
    assert memory.forget(fact=fact.id).pending
    assert not memory.flush()


def test_a_large_batch_is_added_once_however_often_it_is_sent(memory: Memory) -> None:
    batch = [{"role": "user", "text": f"message {number}", "id": f"id {number}"} for number in range(3_000)]
    with memory.space("large") as view:
        chat = view.session("s")
        assert [receipt.seq for receipt in chat.add_many(batch)] == list(range(1, 3_001))
        assert all(receipt.repeated for receipt in chat.add_many(batch))
        assert chat.info().last_seq == 3_000


def test_deriving_is_left_to_workers(url: str) -> None:
    with Memory(url, summarize="worker", profile="rolling") as memory:
        chat = memory.session("s")
        for number in range(30):
            chat.add("user", f"I like tea number {number}.")
        assert list(chat.summaries()) == []
        assert memory._store.due(0) == [("default", "s")]  # type: ignore[attr-defined]
        chat.flush()
        assert list(chat.summaries())
    with pytest.raises(InvalidSetting, match="PostgreSQL"):
        Memory(":memory:", summarize="worker")


def test_a_doctor_looks_at_a_server(url: str, memory: Memory) -> None:
    memory.session("s").add("user", "Hello")
    health = doctor(url)
    assert isinstance(health, Health)
    assert (health.ok, health.messages) == (True, 1)


@pytest.mark.parametrize(
    ("address", "seen"),
    [
        ("memory.db", "memory.db"),
        ("postgresql://ana@host/db", "postgresql://ana@host/db"),
        ("postgresql://ana:secret@host:5432/db", "postgresql://ana:***@host:5432/db"),
        ("postgresql://ana:se/cr@et@host/db", "postgresql://ana:***@host/db"),
        ("postgresql://host/db?password=secret&port=1", "postgresql://host/db?password=***&port=1"),
        ("postgresql://host/db?sslpassword=secret", "postgresql://host/db?sslpassword=***"),
    ],
)
def test_no_password_is_shown(address: str, seen: str) -> None:
    assert shown(address) == seen


class _Changing(MemoryStore):
    """A store in which something happens while it is copied."""

    def __init__(self) -> None:
        super().__init__()
        self.then: list[Progress] = []

    def sessions(self, *given: Any, **more: Any) -> list[SessionInfo]:
        found = super().sessions(*given, **more)
        while self.then:
            self.then.pop()(0)
        return found


def test_two_conversations_of_one_name_are_not_mixed() -> None:
    """One that began at the source while it was copied waits for the next time; one that was begun again there is
    another."""
    source, target = _Changing(), MemoryStore()
    put(source, "one")
    put(target, *(draft(f"T{number}") for number in range(3)), session="late")
    source.then = [lambda done: put(source, *(draft(f"S{number}") for number in range(5)), session="late")]  # type: ignore[list-item]
    assert copy_space(source, target, "s", lambda done: None).apart == 1
    with pytest.raises(Conflict, match="late"):
        copy_space(source, target, "s", lambda done: None)
    assert texts(target, session="late") == ["T0", "T1", "T2"]

    source, target = _Changing(), MemoryStore()
    put(source, "A1", "A2")

    def begin_anew(done: int) -> None:
        forget(source)
        put(source, "B1", "B2", "B3", created=NOON.replace(year=2027))

    source.then = [begin_anew]
    with pytest.raises(Conflict, match="begun again"):
        copy_space(source, target, "s", lambda done: None)
    assert not any(text.startswith("B") for text in texts(target))
