"""Nobody sees another space: the database itself lets nothing through, whatever a statement asks for; and whatever ten
tenants with confusable names do through the store and the memory, nothing of another comes back."""

from __future__ import annotations

import io
import json
import random
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import psycopg
import pytest
from postgres_tools import PLAIN, QUICK, fresh_database, server

from onrecord import Memory
from onrecord.errors import InvalidInput, OnrecordError, StoreError
from onrecord.ports import Batch, Store, Target
from onrecord.records import Block, Page, Query, ToolCall
from onrecord.stores.postgres import PostgresStore
from onrecord.stores.postgres.connection_pool import ConnectionPool
from onrecord.stores.postgres.postgres_rows import space_key
from onrecord.stores.postgres.schema import grant, migrate
from onrecord.testing.conformance.case import LATER, NOON, derive, draft, node, put

TABLES = ("spaces", "sessions", "messages", "records", "blocks", "counters", "due")
GUEST = "guest"  # may use the tables, and does not own them
OURS, THEIRS = space_key("s"), space_key("t")

# One tenant has every tenth of them; the neighbours are other tenants' names.
NAMES = (
    *("a", "a/b", "a/", "/b", "b", "a/b/c", "%", "a%", "_", "a_"),
    *("A", "а", "ɑ", "ａ", "á", "a\u0301", "ä", "a\u0308", "æ", "ae"),
    *("a ", " a", "a\u00a0", "a\u200b", "a\u2060", "a\ufe0f", "aa", "aaa", "a.b", "a:b"),
    *("a'b", 'a"b', "a;--", "a\\", "a\\b", "$1", "%(space)s", "{}", "*", "null"),
    *(str(OURS), str(OURS).upper(), "", "on", "onrecord", "default", "Default", "DEFAULT", "s", "S"),
)
TENANTS = 10
PLANTED = re.compile(r"planted(\d)x")


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    """Two spaces that hold something in every table, and a role that was granted their use."""
    with fresh_database() as name:
        with closing(ConnectionPool(server().url(name, user=PLAIN), QUICK)) as owner:
            migrate(owner, parts=4)
            server().create_role(GUEST)
            grant(owner, GUEST)
        with closing(PostgresStore(server().url(name, user=PLAIN), QUICK)) as store:
            for space in ("s", "t"):
                put(store, "one", "two", space=space)
                put(store, "three", space=space, session="b")
                derive(store, node("k", 1, 2), space=space)
                store.save_blocks(space, "p", [Block(number=0, body=b"b")], store.revision(space))
                store.count(space, {"in": 1})
        yield name


@pytest.fixture(params=[PLAIN, GUEST])
def db(database: str, request: pytest.FixtureRequest) -> Iterator[psycopg.Connection[Any]]:
    """A connection of the tables' owner, or of a role that was granted their use; its transaction is rolled back."""
    with psycopg.connect(server().url(database, user=request.param)) as connection:
        yield connection
        connection.rollback()


def enter(db: psycopg.Connection[Any], space: object) -> None:
    db.execute("SELECT set_config('onrecord.space', %s, true)", (str(space),))


def held(database: str, table: str, space: object) -> list[str]:
    """All rows of a space, as one who is above all that sees them."""
    with psycopg.connect(server().url(database)) as above:
        rows = above.execute(f"SELECT to_jsonb(t) FROM onrecord.{table} t WHERE space = %s", (space,))
        return [json.dumps(row) for (row,) in rows.fetchall()]


# What the database lets through


@pytest.mark.parametrize("table", TABLES)
def test_statements_without_a_condition_reach_one_space(db: psycopg.Connection[Any], database: str, table: str) -> None:
    count = len(held(database, table, OURS))
    assert count == len(held(database, table, THEIRS)) > 0
    enter(db, OURS)
    assert set(db.execute(f"SELECT space FROM onrecord.{table}").fetchall()) == {(OURS,)}
    assert db.execute(f"SELECT count(*) FROM onrecord.{table} WHERE space = %s", (THEIRS,)).fetchone() == (0,)
    assert db.execute(f"UPDATE onrecord.{table} SET space = space").rowcount == count
    assert db.execute(f"DELETE FROM onrecord.{table}").rowcount == count
    assert len(held(database, table, THEIRS)) == count


@pytest.mark.parametrize("table", TABLES)
def test_nothing_is_written_into_another_space(db: psycopg.Connection[Any], database: str, table: str) -> None:
    theirs = held(database, table, THEIRS)[0]
    enter(db, OURS)
    written = f"INSERT INTO onrecord.{table} SELECT * FROM jsonb_populate_record(NULL::onrecord.{table}, %s::jsonb)"
    for statement, value in ((written, theirs), (f"UPDATE onrecord.{table} SET space = %s", THEIRS)):
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"), db.transaction():
            db.execute(statement, (value,))


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("named", [None, "", "00000000-0000-0000-0000-000000000000"])
def test_without_a_space_there_is_nothing(db: psycopg.Connection[Any], table: str, named: str | None) -> None:
    with db.transaction():
        enter(db, OURS)  # what an earlier transaction named does not hold any more
    db.commit()
    if named is not None:
        enter(db, named)
    assert db.execute(f"SELECT count(*) FROM onrecord.{table}").fetchone() == (0,)
    assert db.execute(f"UPDATE onrecord.{table} SET space = space").rowcount == 0
    assert db.execute(f"DELETE FROM onrecord.{table}").rowcount == 0


def test_a_space_is_named_by_its_key_alone(db: psycopg.Connection[Any]) -> None:
    for odd in ("s", "%", "' OR true --", "{}"):
        enter(db, odd)
        with pytest.raises(psycopg.errors.InvalidTextRepresentation), db.transaction():
            db.execute("SELECT 1 FROM onrecord.messages")


@pytest.mark.parametrize("table", TABLES)
def test_partitions_are_reached_through_their_table_alone(db: psycopg.Connection[Any], table: str) -> None:
    enter(db, OURS)
    for part in range(4):
        name = f"onrecord.{table}_{part}"
        if db.info.user == GUEST:
            with pytest.raises(psycopg.errors.InsufficientPrivilege), db.transaction():
                db.execute(f"SELECT 1 FROM {name}")
        else:
            assert db.execute(f"SELECT count(*) FROM {name}").fetchone() == (0,)
            assert db.execute(f"DELETE FROM {name}").rowcount == 0
            with db.cursor().copy(f"COPY {name} TO STDOUT") as copy:
                assert list(copy) == []


@pytest.mark.parametrize("table", TABLES)
def test_copying(db: psycopg.Connection[Any], database: str, table: str) -> None:
    enter(db, OURS)
    with db.cursor().copy(f"COPY (SELECT space FROM onrecord.{table}) TO STDOUT") as copy:
        assert {bytes(line).strip().decode() for line in copy} == {str(OURS)}
    with pytest.raises(psycopg.errors.FeatureNotSupported, match="row-level security"):
        db.execute(f"COPY onrecord.{table} FROM STDIN")


def test_truncating_is_for_the_owner_of_the_tables_alone(db: psycopg.Connection[Any], database: str) -> None:
    """Row-level security does not look at it: whoever owns the tables may empty them. Applications should not."""
    if db.info.user == GUEST:
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            db.execute("TRUNCATE onrecord.messages")
    else:
        db.execute("TRUNCATE onrecord.messages")
        db.rollback()
    assert held(database, "messages", THEIRS)


def test_views_show_what_their_owner_may_see(database: str) -> None:
    with psycopg.connect(server().url(database, user=PLAIN), autocommit=True) as owner:
        owner.execute("CREATE VIEW onrecord.shown AS SELECT space FROM onrecord.messages")
        owner.execute(f"GRANT SELECT ON onrecord.shown TO {GUEST}")
    with psycopg.connect(server().url(database, user=GUEST)) as guest:
        assert guest.execute("SELECT count(*) FROM onrecord.shown").fetchone() == (0,)
        enter(guest, OURS)
        assert set(guest.execute("SELECT space FROM onrecord.shown").fetchall()) == {(OURS,)}


# Tenants


class Tenant:
    """Someone whose every text holds a word that nobody else writes."""

    def __init__(self, number: int, rng: random.Random) -> None:
        self.number = str(number)
        self.word = f"planted{number}x"
        self.spaces = NAMES[number::TENANTS]
        self.rng = rng

    def space(self) -> str:
        return self.rng.choice(self.spaces)

    def session(self) -> str:
        return self.rng.choice(("a", "a/b", "%"))

    def text(self) -> str:
        return f"{self.word} {self.rng.choice(('one', 'two', ''))}"

    def drafts(self) -> list[Any]:
        """Some, whose ids and keys others use too."""
        w = self.word
        return [
            draft(
                self.text(),
                id=self.rng.choice((None, "i", "j", w)),
                key=self.rng.choice((None, None, "k", w)),
                name=self.rng.choice((None, w)),
                meta=self.rng.choice(({}, {w: w})),
                tool_calls=self.rng.choice(((), (ToolCall(id=w, name=w, arguments=w),))),
            )
            for _ in range(self.rng.randrange(4))
        ]


def seen_to(store: PostgresStore, space: str, session: str) -> None:
    store.make_due(space, session)
    store.done_due(space, session, store.take_due(space, session))


def do_something(store: PostgresStore, tenant: Tenant) -> Any:
    """One operation out of all, in a space of the tenant; answers what came of it."""
    rng, w = tenant.rng, tenant.word
    space, session = tenant.space(), tenant.session()
    record = node(rng.choice(("k", w)), 1, rng.randrange(1, 4), session=session, body={"text": w}, plan=w)
    batch = Batch(space=space, session=session, drafts=tenant.drafts(), info={"title": w, "meta": {w: w}}, time=NOON)
    derived = Batch(space=space, session=session, records=[record], drops=[("summary", w)], scores={1: 0.5}, time=NOON)
    page = Page(after=rng.randrange(3), limit=rng.randrange(5), newest=rng.random() < 0.5, forgotten=True)
    seqs = rng.choice((None, (1, 2), (3,), (2,)))
    blocks = [Block(number=rng.randrange(2), body=w.encode())]
    operations: tuple[Callable[[], Any], ...] = (
        *[lambda: store.commit(batch)] * 6,
        *[lambda: store.commit(derived)] * 3,
        lambda: store.spaces(),
        lambda: store.sessions(space, rng.choice(("", "a", "%"))),
        lambda: store.session(space, session),
        lambda: store.messages(space, session, page),
        lambda: store.find(space, session, rng.choice(("i", "j", w, "%"))),
        lambda: store.records(space, session, Query(kind="summary", plan=rng.choice((None, w)), level=1)),
        lambda: store.records(space, session, Query(kind="summary", key=rng.choice((None, "k")))),
        lambda: store.feed(space, rng.randrange(3), kinds=rng.choice(((), ("message",), ("summary",)))),
        lambda: store.revision(space),
        lambda: (store.blocks(space, w), store.plans(space)),
        *[lambda: store.save_blocks(space, w, blocks, store.revision(space))] * 2,
        lambda: store.drop_blocks(space, w),
        lambda: store.tally(space, rng.choice(("", "planted", "%"))),
        *[lambda: store.count(space, {w: 1, "in": 1}, {"most": rng.randrange(9)})] * 2,
        lambda: store.erase(Target(space=space, session=rng.choice((None, *[session] * 5)), seqs=seqs, time=LATER)),
        lambda: store.settle(),
        lambda: store.due(0),
        lambda: seen_to(store, space, session),
        lambda: store.all_due(),
        lambda: store.set_flag("paused", rng.random() < 0.5),
        lambda: store.flag("paused"),
        lambda: store.check(lambda done: None),
        lambda: store.commit(Batch(space=space, session=session, drafts=[draft(w, seq=99)], time=NOON)),
        lambda: store.commit(Batch(space=space, session=session, drafts=[draft(f"{w} other", id="i")], time=NOON)),
    )
    try:
        return rng.choice(operations)()
    except OnrecordError as error:
        return error, error.__cause__


def everything_of(store: Store, tenant: Tenant) -> list[Any]:
    whole = Page(limit=10_000, forgotten=True)
    return [
        (info, store.messages(space, info.id, whole), store.feed(space, 0), store.tally(space), store.plans(space))
        for space in tenant.spaces
        for info in store.sessions(space)
    ]


@pytest.mark.parametrize("user", [PLAIN, "postgres"])
def test_nothing_of_another_tenant_comes_back(user: str) -> None:
    """Also where row-level security does not hold: the statements alone are enough."""
    rng = random.Random(user)
    tenants = [Tenant(number, rng) for number in range(TENANTS)]
    own = 0
    with fresh_database() as name, closing(ConnectionPool(server().url(name, user=PLAIN), QUICK)) as owner:
        migrate(owner, parts=2)
        with closing(PostgresStore(server().url(name, user=user), QUICK)) as store:
            for _ in range(2_000):
                tenant = rng.choice(tenants)
                found = set(PLANTED.findall(repr(do_something(store, tenant))))
                assert found <= {tenant.number}
                own += len(found)
            for tenant in tenants:
                assert set(PLANTED.findall(repr(everything_of(store, tenant)))) == {tenant.number}
            assert store.check(lambda done: None).findings == ()
        assert own > 200  # it could have been seen
        said = kept_statistics(name)
    assert PLANTED.findall(said) == []
    assert len(said) > 10_000
    assert not PLANTED.search(server().log.read_text(errors="replace"))


def kept_statistics(database: str) -> str:
    """All that the server keeps of columns' values to plan by."""
    with psycopg.connect(server().url(database), autocommit=True) as above:
        above.execute("ANALYZE")
        return repr(above.execute("SELECT s::text FROM pg_statistic s").fetchall())


def test_names_that_are_no_names() -> None:
    with fresh_database() as name, closing(PostgresStore(server().url(name, user=PLAIN), QUICK)) as store:
        put(store, "planted0x", space="a")
        for odd in ("a\0", "a\0b"):
            with pytest.raises((StoreError, ValueError)) as refused:
                put(store, "text", space=odd)
            assert "planted0x" not in repr(refused.value)
            assert store.sessions(odd) == []
        with pytest.raises(UnicodeEncodeError):
            store.sessions("a\ud800")
        assert store.spaces() == ["a"]
        for odd in ("a\0", "a\ud800", "", "a\n"):
            with pytest.raises(InvalidInput):
                Memory(server().url(name, user=PLAIN), space=odd)


def test_nothing_of_another_tenant_comes_back_through_the_memory() -> None:
    rng = random.Random(7)
    tenants = [Tenant(number, rng) for number in range(4)]
    seen = 0
    with fresh_database() as name, closing(ConnectionPool(server().url(name, user=PLAIN), QUICK)) as owner:
        migrate(owner, parts=2)
        with Memory(server().url(name, user=PLAIN), durability="process") as whole:
            for _ in range(240):
                tenant = rng.choice(tenants)
                memory = whole.space(rng.choice([space for space in tenant.spaces[:3] if space]))
                found = set(PLANTED.findall(repr(remember(memory, tenant))))
                assert found <= {tenant.number}
                seen += len(found)
    assert seen > 60
    assert not PLANTED.search(server().log.read_text(errors="replace"))


def remember(memory: Memory, tenant: Tenant) -> Any:
    """One thing that a person does with a memory."""
    rng, w = tenant.rng, tenant.word
    chat = memory.session(rng.choice(("a", "b")))
    said = (f"I live in {w}.", f"My name is {w}.", f"My dog is called {w}.", f"We decided to use {w} for the launch.")

    def exported() -> str:
        lines = io.StringIO()
        memory.export(lines)
        return lines.getvalue()

    operations: tuple[Callable[[], Any], ...] = (
        *[lambda: chat.add("user", rng.choice(said))] * 5,
        lambda: memory.search(f"Where do I live? planted{rng.randrange(4)}x"),
        lambda: memory.search("What is the name of the dog?"),
        lambda: chat.context(f"What did we decide about planted{tenant.number}x?", tokens=2_000),
        lambda: memory.facts(),
        lambda: chat.pin(f"{w} matters") if list(chat.history()) else None,
        exported,
        lambda: (list(chat.history()), list(memory.sessions())),
        lambda: chat.forget(1),
        lambda: (memory.spent(), memory.episodes(), memory.relations()),
    )
    try:
        answer = rng.choice(operations)()
        return getattr(answer, "messages", answer), answer
    except OnrecordError as error:
        return error
