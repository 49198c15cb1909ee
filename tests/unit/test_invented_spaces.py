"""Anyone who may read can invent names of spaces and sessions: reading what does not exist leaves nothing behind."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from postgres_tools import empty_store_url
from recall_tools import Toy
from service_tools import key_of, serving

from onrecord import Memory, NotFound

MARK = "never made"
ROUNDS = 40
GROWTH = 1_000
"""Bytes that a round may leave: less than an index of nothing takes, and more than a driver forgets again later."""


@pytest.fixture(params=["memory", "folder", "sqlite", "postgres"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    place = {
        "memory": ":memory:",
        "folder": f"{tmp_path}/notes/",
        "sqlite": f"{tmp_path}/memory.db",
    }.get(request.param) or empty_store_url("invented")
    with Memory(place, embedder=Toy()) as opened:
        opened.session("s").add("user", "I live in Porto.")
        yield opened


def _read(memory: Memory, number: int) -> None:
    space = memory.space(f"{MARK} {number}")
    session = space.session("s")
    assert list(space.search("tea")) == []
    assert session.context("Tea?", tokens=300).messages()
    assert list(session.history()) + list(space.sessions()) + list(space.facts()) + list(space.episodes()) == []
    space.spent()
    with suppress(NotFound):
        session.summaries()


def _holders() -> list[str]:
    """What holds a name that was invented, or something by it."""
    gc.collect()
    found = [one for one in gc.get_objects() if isinstance(one, (dict, set, list, tuple))]
    return [type(one).__name__ for one in found if any(isinstance(name, str) and name.startswith(MARK) for name in one)]


def _growth(read: Callable[[int], None]) -> float:
    """Bytes that a round leaves, once the first rounds have made what all need."""
    for number in range(ROUNDS):
        read(number)
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for number in range(ROUNDS, 3 * ROUNDS):
            read(number)
        gc.collect()
        return (tracemalloc.get_traced_memory()[0] - before) / (2 * ROUNDS)
    finally:
        tracemalloc.stop()


def test_reading_a_space_that_does_not_exist_leaves_nothing(memory: Memory) -> None:
    assert _growth(lambda number: _read(memory, number)) < GROWTH
    assert _holders() == []
    assert memory.spaces() == ["default"]


def test_a_space_that_comes_to_exist_is_found_at_once_and_stays_cached(memory: Memory) -> None:
    space = memory.space(f"{MARK} and then made")
    assert list(space.search("Lisbon")) == []
    space.session("s").add("user", "I flew to Lisbon.")
    assert [hit.text for hit in space.search("Lisbon", kinds=["message"])] == ["I flew to Lisbon."]
    assert space.name in space._parts.recall.bytes
    memory.forget(space=space.name)
    assert list(space.search("Lisbon")) == []
    assert space.name not in space._parts.recall.bytes


def test_asking_the_service_for_a_space_that_does_not_exist_leaves_nothing(tmp_path: Path) -> None:
    key = key_of(tmp_path / "memory.db", "read", tenant="acme")
    with serving(tmp_path / "memory.db", rate=0) as served:

        def read(number: int) -> None:
            for method, path, body in (
                ("POST", "/v1/search", {"text": "tea"}),
                ("POST", "/v1/sessions/s/context", {"question": "Tea?", "tokens": 300}),
                ("GET", "/v1/facts", None),
                ("GET", "/v1/sessions", None),
                ("GET", "/ui/", None),
            ):
                answer = served.call(method, path, body, key=key, space=f"{MARK}-{number}")
                assert answer.status_code == 200, (path, answer.text)
            served.call("GET", "/v1/contexts/ctx_none", key=key, space=f"{MARK}-{number}")

        assert _growth(read) < 10 * GROWTH
        assert served.memory._parts.recall.bytes == {}
