"""The schema of the PostgreSQL store: its versions side by side, who may do what, and addresses that lead nowhere."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Event

import psycopg
import pytest
from postgres_tools import PLAIN, QUICK, fresh_database, server

from onrecord import Memory
from onrecord.errors import InvalidInput, OnrecordError, StoreBusy, StoreError, StoreVersion
from onrecord.jobs import queue_schema
from onrecord.records import Block, Query
from onrecord.stores.postgres import PostgresStore, schema
from onrecord.stores.postgres.connection import DeadlineConnection
from onrecord.stores.postgres.connection_pool import ConnectionPool
from onrecord.stores.sql import migrations
from onrecord.testing.conformance.case import derive, derived, draft, forget, node, put, texts

NEXT = """-- least: {least}
ALTER TABLE onrecord.messages ADD COLUMN mood text;
CREATE TABLE onrecord.moods (space uuid NOT NULL, name text);
"""
SECRET = "geheimwort"


@pytest.fixture
def database() -> Iterator[str]:
    """One with the schema of this version, in two parts."""
    with fresh_database() as name:
        with closing(connected(name)) as made:
            schema.migrate(made, parts=2)
        yield name


def connected(database: str, user: str = PLAIN) -> ConnectionPool:
    return ConnectionPool(server().url(database, user=user), QUICK)


def opened(database: str, user: str = PLAIN) -> closing[PostgresStore]:
    return closing(PostgresStore(server().url(database, user=user), QUICK))


def role(name: str) -> str:
    server().create_role(name)
    return name


def asked(database: str, query: str) -> list[tuple[object, ...]]:
    with psycopg.connect(server().url(database), autocommit=True) as db:
        return db.execute(query).fetchall()


@pytest.fixture
def upgrade(monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], list[int]]:
    """Runs `migrate` of a later program, which knows one step more."""

    def run(database: str, step: str) -> list[int]:
        with monkeypatch.context() as later, closing(connected(database)) as connections:
            later.setattr(schema, "migrations", lambda store: (*migrations("postgres"), step))
            return schema.migrate(connections)

    return run


# Versions


def test_an_old_program_goes_on_while_a_new_one_changes_the_schema(
    database: str, upgrade: Callable[[str, str], list[int]]
) -> None:
    written = 0
    going, done = Event(), Event()

    def work(store: PostgresStore) -> int:
        nonlocal written
        while not (done.is_set() and written % 5 == 0):
            written += 1
            put(store, f"text {written}")
            assert texts(store)[-1] == f"text {written}"
            assert store.feed("s", written - 1)
            derive(store, node("k", 1, written))
            if written == 20:
                going.set()
        return written

    with opened(database) as old, ThreadPoolExecutor(1) as pool:
        working = pool.submit(work, old)
        assert going.wait(60)
        assert upgrade(database, NEXT.format(least=1)) == [2]
        done.set()
        last = working.result()
        assert texts(old) == [f"text {number}" for number in range(1, last + 1)]
        assert schema.version(old._server) == 2
    with opened(database) as old:
        put(old, "another")
        assert texts(old)[-1] == "another"
        assert old.check(lambda n: None).version == 2
    assert asked(database, "SELECT count(mood) FROM onrecord.messages") == [(0,)]


def test_a_program_that_is_too_old_is_told_so(database: str, upgrade: Callable[[str, str], list[int]]) -> None:
    assert upgrade(database, NEXT.format(least=2)) == [2]
    with pytest.raises(StoreVersion, match="version 2; this onrecord knows up to 1"):
        PostgresStore(server().url(database, user=PLAIN), QUICK)


def test_a_step_that_fails_leaves_nothing(database: str, upgrade: Callable[[str, str], list[int]]) -> None:
    with pytest.raises(StoreError, match="division by zero"):
        upgrade(database, NEXT.format(least=1) + "SELECT 1 / 0;")
    assert asked(database, "SELECT to_regclass('onrecord.moods')") == [(None,)]
    assert asked(database, "SELECT version FROM onrecord.versions") == [(1,)]
    with opened(database) as store:
        put(store, "text")
    assert upgrade(database, NEXT.format(least=1)) == [2]


def test_of_many_who_migrate_at_once_one_does(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = (*migrations("postgres"), NEXT.format(least=1))
    monkeypatch.setattr(schema, "migrations", lambda store: steps)

    def run(connections: ConnectionPool) -> list[int]:
        return schema.migrate(connections, parts=2)

    with fresh_database() as name, ThreadPoolExecutor(8) as pool:
        made = [connected(name) for _ in range(8)]
        done = list(pool.map(run, made))
        for connections in made:
            connections.close()
        assert sorted(done) == [*[[]] * 7, [1, 2]]
        assert asked(name, "SELECT version, least FROM onrecord.versions ORDER BY version") == [(1, 1), (2, 1)]


def test_parts(database: str) -> None:
    with closing(connected(database)) as connections:
        assert connections.plainly(schema.partitions) == 2
        with pytest.raises(InvalidInput, match="0 partitions"):
            schema.migrate(connections, parts=0)


# Who may do what


def test_a_role_without_rights_is_told_so(database: str) -> None:
    stranger = role("stranger")
    with fresh_database() as empty, pytest.raises(StoreVersion, match="migrate --grant") as first:
        PostgresStore(server().url(empty, user=stranger), QUICK)
    assert "may not make it" in first.value.what
    with pytest.raises(StoreError, match=r"may not do that .* permission denied .* migrate --grant"):
        PostgresStore(server().url(database, user=stranger), QUICK)


def test_a_granted_role_does_what_the_store_does(database: str) -> None:
    with closing(connected(database)) as owner:
        schema.grant(owner, role("guest"))
        schema.grant(owner, "guest")  # once more does no harm
    with opened(database, "guest") as store:
        put(store, draft("one", id="i", key="k"), "two", title="T")
        put(store, draft("one", id="i", key="k"))
        put(store, "beside", space="t")
        derive(store, node("n", 1, 2), node("m", 2, 2, fixed=True), scores={1: 0.9})
        assert store.save_blocks("s", "p", [Block(number=0, body=b"b")], store.revision("s"))
        store.count("s", {"in": 1})
        store.count("s", {"in": -1}, {"out": 2})
        assert (texts(store), store.tally("s"), store.plans("s")) == (["one", "two"], {"out": 2}, ["p"])
        assert [len(store.feed("s", 0)), len(derived(store)), store.spaces()] == [4, 2, ["s", "t"]]
        assert {item.session for item in store.due(0)} == {"a"}
        store.done_due("s", "a", store.take_due("s", "a"))
        assert store.all_due() == 2
        assert len(store.due(0)) == 2
        store.set_flag("paused", True)
        assert store.flag("paused")
        store.set_flag("paused", False)
        assert forget(store, 2).messages == 1
        assert store.find("s", "a", "i") is not None
        assert store.records("s", "a", Query(kind="summary", empty=True))
        assert store.check(lambda n: None).findings == ()
        assert forget(store, session=None).spaces == 1
        assert not store.settle()
        with pytest.raises(StoreError, match="not the owner"):
            store.scrub(lambda n: None)
        assert not store.settle()


def test_many_grant_at_once(database: str) -> None:
    role("guest")
    url = server().url(database, user=PLAIN)

    def granted(_: int) -> None:
        with closing(connected(database)) as owner:
            schema.grant(owner, "guest")
        queue_schema.prepare(url, ["guest"])

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(granted, range(40))) == [None] * 40


def test_a_granted_role_changes_no_schema(database: str, upgrade: Callable[[str, str], list[int]]) -> None:
    with closing(connected(database)) as owner:
        schema.grant(owner, role("guest"))
        with pytest.raises(StoreError, match="There is no role nobody_there"):
            schema.grant(owner, "nobody_there")
    with closing(connected(database, "guest")) as guest:
        for change in ("DROP TABLE onrecord.flags", "TRUNCATE onrecord.messages", "DELETE FROM onrecord.versions"):
            with pytest.raises(StoreError, match="may not do that"):
                guest.plainly(lambda db, change=change: db.execute(change))  # type: ignore[misc]


def test_who_is_above_row_level_security(database: str) -> None:
    for user, above in (("postgres", True), (PLAIN, False)):
        with closing(connected(database, user)) as connections:
            assert schema.bypasses(connections) is above


def test_it_is_said_how_many_sessions_became_due(database: str) -> None:
    with opened(database) as store:
        put(store, title="nothing said yet")
        assert store.all_due() == 1


# Addresses that lead nowhere


@pytest.fixture
def tries(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """One item for each time that somebody tried to connect."""
    made: list[object] = []
    connect = DeadlineConnection.connect.__func__  # type: ignore[attr-defined]

    def counted(kind: type[DeadlineConnection], /, *given: object, **more: object) -> object:
        made.append(kind)
        return connect(kind, *given, **more)

    monkeypatch.setattr(DeadlineConnection, "connect", classmethod(counted))
    return made


@pytest.mark.parametrize(
    ("url", "what"),
    [
        ("postgresql://plain:{secret}@127.0.0.1:{port}/missing", '"missing" does not exist'),
        ("postgresql://unknown:{secret}@127.0.0.1:{port}/postgres", '"unknown" does not exist'),
        ("postgresql://plain@127.0.0.1:{port}/missing?password={secret}", '"missing" does not exist'),
        ("postgresql://u:{secret}@127.0.0.1:port/x", "port"),
        ("postgresql://u:{secret}@127.0.0.1/x?nonsense=1", "nonsense"),
        ("postgresql://u:{secret}%zz@127.0.0.1/x", "no PostgreSQL address"),
        ("postgresql://u:{secret}@[::1/x", "no PostgreSQL address"),
    ],
)
def test_an_address_that_leads_nowhere_is_refused_at_once(url: str, what: str, tries: list[object]) -> None:
    """Without a second try, and without its password."""
    with pytest.raises(OnrecordError, match=what) as raised:
        Memory(url.format(secret=SECRET, port=server().port), busy_timeout=1.5)
    assert len(tries) <= 1
    assert SECRET not in str(raised.value) + repr(raised.value)
    assert SECRET not in "".join(traceback.format_exception(raised.value))


@pytest.mark.parametrize("where", ["127.0.0.1:1/x", "/x?host=/nowhere"])
def test_a_server_that_is_not_there_is_looked_for_no_longer_than_it_takes_to_restart(where: str) -> None:
    with pytest.raises(StoreBusy, match=r"could not be reached for 2 s: .*(refused|nowhere)") as raised:
        Memory(f"postgresql://nobody:{SECRET}@{where}", busy_timeout=3600)
    assert SECRET not in "".join(traceback.format_exception(raised.value))


def test_no_password_is_shown(database: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(0)
    url = server().url(database, user=PLAIN, tcp=True).replace(f"{PLAIN}@", f"{PLAIN}:{SECRET}@")
    with Memory(url) as memory:
        memory.session("s").add("user", "text")
        health = memory.check()
        server_side = asked(database, "SELECT query || application_name FROM pg_stat_activity WHERE query IS NOT NULL")
        shown = [memory, memory._store, memory._store._server, health, server_side, caplog.text]  # type: ignore[attr-defined]
        assert SECRET not in repr(shown)
        assert health.store.endswith(f"/{database}")
    with pytest.raises(OnrecordError) as closed:
        memory.session("s").add("user", "text")
    assert SECRET not in repr(closed.value)
