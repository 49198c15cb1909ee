"""Whoever waited for a space that another wrote to finds it as it is then: in every partition, as an ordinary role."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from postgres_tools import QUICK, plain_role_url, server

from onrecord.ports import Revision, Target
from onrecord.records import Block, Page
from onrecord.stores.postgres import PostgresStore
from onrecord.stores.postgres.connection_pool import ConnectionPool, PostgresOperation
from onrecord.stores.postgres.postgres_writing import lock
from onrecord.stores.postgres.schema import migrate
from onrecord.testing.conformance.case import LATER, draft, put

PARTS = 4
SPACES = [f"space {number}" for number in range(12)]  # some in every partition


@pytest.fixture(scope="module")
def url() -> str:
    address = plain_role_url("waiting")
    with closing(ConnectionPool(address, QUICK)) as connections:
        migrate(connections, parts=PARTS)
    return address


@pytest.fixture
def store(url: str) -> Iterator[PostgresStore]:
    with closing(PostgresStore(url, QUICK)) as opened:
        yield opened


def behind_a_writer(store: PostgresStore, space: str, work: Callable[[], object]) -> None:
    """Run `work` so that it waits for the space, which is written to meanwhile."""
    waiting = threading.Thread(target=work)

    def write(turn: PostgresOperation) -> None:
        head = lock(turn)
        assert head is not None
        waiting.start()
        while not _someone_waits():
            waiting.join(0.01)
            assert waiting.is_alive(), "it did not wait"
        head.write(turn)

    store._server.write(space, write)
    waiting.join(30)
    assert not waiting.is_alive()


def _someone_waits() -> bool:
    import psycopg

    asked = "SELECT count(*) FROM pg_stat_activity WHERE datname = 'waiting' AND wait_event_type = 'Lock'"
    with psycopg.connect(server().url("waiting")) as db:
        row = db.execute(asked).fetchone()
    return row is not None and row[0] > 0


@pytest.mark.parametrize("space", SPACES)
def test_nothing_is_taken_for_missing(store: PostgresStore, space: str) -> None:
    put(store, *(draft(f"one {number}") for number in range(3)), space=space)
    at = store.revision(space)
    behind_a_writer(store, space, lambda: store.erase(Target(space=space, session="a", seqs=(2,), time=LATER)))
    behind_a_writer(store, space, lambda: store.count(space, {"n": 1}))
    behind_a_writer(store, space, lambda: put(store, "more", space=space))
    now = store.revision(space)
    behind_a_writer(store, space, lambda: store.save_blocks(space, "p", [Block(number=0, body=b"b")], now))
    behind_a_writer(store, space, lambda: store.make_due(space, "a"))
    assert [message.seq for message in store.messages(space, "a", Page())] == [1, 3, 4]
    assert (store.tally(space), store.plans(space)) == ({"n": 1}, ["p"])
    assert now == Revision(at.born, at.newest + 1, at.removed + 1)
    behind_a_writer(store, space, lambda: store.erase(Target(space=space, time=LATER)))
    assert store.revision(space) == Revision()


def test_sessions_that_are_gone_are_due_no_more(store: PostgresStore) -> None:
    put(store, "one", space="gone")
    behind_a_writer(store, "gone", lambda: store.erase(Target(space="gone", time=LATER)))
    store.make_due("gone", "a")
    assert ("gone", "a") not in store.due(0)
    assert store.check(lambda done: None).findings == ()
