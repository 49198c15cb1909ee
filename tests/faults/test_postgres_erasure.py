"""What was forgotten is gone from the disk of a PostgreSQL server, once its operator has it scrubbed: tables, indexes,
statistics, the write-ahead log and the server's log. What stands in the way is said."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass

import psycopg
import pytest

from onrecord.ports import Batch, Store, Target
from onrecord.records import Block, Erased, ToolCall
from onrecord.settings import Settings
from onrecord.stores.postgres import PostgresStore, postgres_care
from onrecord.stores.postgres.connection_pool import ConnectionPool as Connections
from onrecord.stores.postgres.schema import migrate
from onrecord.testing.conformance.case import LATER, NOON, draft, everything, node
from tests.postgres_server import Server

SETTINGS = Settings(durability="power", busy_timeout=20)
OWNER = "owner"
OPTIONS = {"wal_recycle": "off", "autovacuum": "off", "fsync": "off"}  # power is not the subject here

# One word for each place that a caller can put one in. Those of a session go with it, those of a space with that.
OF_MESSAGES = "text name meta metakey call tool arguments toolcall model original id key encoding".split()
OF_DERIVED = "body recordkey plan recipe block blockplan".split()
OF_SESSION = "session title system sessionmodel sessionmeta kept".split()
OF_SPACE = "space counter".split()


@dataclass
class Ground:
    """A server, a database of a plain role in it, and what was planted there."""

    server: Server
    database: str
    rng: random.Random

    def url(self, user: str = "postgres") -> str:
        return self.server.url(self.database, user=user)

    def do(self, *statements: str) -> None:
        with psycopg.connect(self.url(), autocommit=True) as db:
            for statement in statements:
                db.execute(statement)

    def lying_about(self, words: dict[str, str]) -> set[str]:
        """Those words that some file of the server holds, its log included."""
        found: set[bytes] = set()
        for path in self.server.folder.rglob("*"):
            with suppress(FileNotFoundError):  # removed meanwhile
                if path.is_file():
                    found.update(re.findall(rb"zq[b-z]{14}", path.read_bytes()))
        return {place for place, word in words.items() if word.encode() in found}


@contextmanager
def made_ground(server: Server, name: str) -> Iterator[Ground]:
    server.create_role(OWNER)
    server.create_database(name, owner=OWNER)
    connections = Connections(server.url(name, user=OWNER), SETTINGS)
    migrate(connections, parts=2)  # few, so that spaces share them
    connections.close()
    yield Ground(server, name, random.Random(name))
    server.drop_database(name)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server(durable=True, options=OPTIONS) as running:
        yield running


@pytest.fixture
def ground(server: Server, request: pytest.FixtureRequest) -> Iterator[Ground]:
    with made_ground(server, request.node.name) as made:
        yield made


def opened(ground: Ground, user: str = "postgres") -> closing[PostgresStore]:
    return closing(PostgresStore(ground.url(user), SETTINGS))


def plant(store: Store, ground: Ground, size: int = 0) -> dict[str, str]:
    """A space with a session whose messages 2 and 3 hold a word in every place; another session; words by place."""
    places = (*OF_MESSAGES, *OF_DERIVED, *OF_SESSION, *OF_SPACE)
    words = {place: "zq" + "".join(ground.rng.choices("bcdfghjklmnpqrstvwxyz", k=14)) for place in places}
    long = "".join(ground.rng.choices("abcdefghijklmnop ", k=size))  # too mixed to become smaller
    w, space = words, words["space"]
    call = ToolCall(id=w["call"], name=w["tool"], arguments=w["arguments"])
    drafts = [
        draft(w["kept"]),
        draft(
            f"{w['text']} {long}",
            "assistant",
            name=w["name"],
            id=w["id"],
            key=w["key"],
            model=w["model"],
            encoding=w["encoding"],
            meta={w["metakey"]: w["meta"]},
            tool_calls=(call,),
        ),
        draft(f"half \ud800 {w['original']}{long}", "tool", tool_call_id=w["toolcall"]),
    ]
    info = {"title": w["title"], "system": w["system"], "model": w["sessionmodel"], "meta": {"a": w["sessionmeta"]}}
    store.commit(Batch(space=space, session=w["session"], drafts=drafts, info=info, time=NOON))
    body = {"text": f"{w['body']} {long}"}
    records = [
        node(w["recordkey"], 2, 3, session=w["session"], plan=w["plan"], recipe=w["recipe"], body=body),
        node("fixed", 2, 2, session=w["session"], fixed=True, body=body),
    ]
    store.commit(Batch(space=space, session=w["session"], records=records, time=NOON))
    store.commit(Batch(space=space, session="another", drafts=[draft("harmless")], time=NOON))
    block = Block(number=0, body=(w["block"] + long).encode())
    assert store.save_blocks(space, w["blockplan"], [block], store.revision(space))
    store.count(space, {w["counter"]: 7})
    return words


def erase(store: Store, words: dict[str, str], what: str) -> tuple[Erased, dict[str, str]]:
    """Forget; answers the words that go with it too."""
    seqs = (2, 3) if what == "messages" else None
    target = Target(space=words["space"], session=None if what == "space" else words["session"], seqs=seqs, time=LATER)
    going = [*OF_MESSAGES, *OF_DERIVED]
    going += OF_SESSION if what != "messages" else []
    going += OF_SPACE if what == "space" else []
    return store.erase(target), {place: words[place] for place in going}


def quiet(done: int) -> None:
    """Progress that nobody watches."""


@pytest.mark.parametrize(
    ("what", "size"), [("messages", 0), ("messages", 60_000), ("session", 0), ("session", 60_000), ("space", 60_000)]
)
def test_what_was_forgotten_is_gone_after_a_scrub(ground: Ground, what: str, size: int) -> None:
    with opened(ground) as store:
        words, beside = plant(store, ground, size), plant(store, ground, size)
        ground.do("ANALYZE", "CHECKPOINT")
        assert ground.lying_about(words) == words.keys() - {"key"}  # of keys only a digest is ever kept
        whole = everything(store)
        erased, gone = erase(store, words, what)
        assert (erased.pending, store.settle()) == (True, False)
        ground.do("VACUUM", "ANALYZE", "CHECKPOINT")
        assert ground.lying_about(gone) == gone.keys() - {"key"}  # deleted for everybody, and still there
        done = store.scrub(quiet)
        assert (done.partitions, done.log, done.left) == (1, True, "")
        assert done.bytes > 0
        assert store.settle()
        assert ground.lying_about(gone) == set()
        assert store.check(quiet).findings == ()
        assert everything(store)[beside["space"]] == whole[beside["space"]]
        ground.do("CHECKPOINT")
        assert ground.lying_about(gone) == set()
        assert ground.lying_about(beside) == beside.keys() - {"key"}
        assert store.scrub(quiet).partitions == 0


def test_files_of_the_log_that_are_used_again_are_not_forgotten() -> None:
    options = {**OPTIONS, "wal_recycle": "on", "min_wal_size": "320MB"}
    with Server(durable=True, options=options) as server, made_ground(server, "recycling") as ground:
        with opened(ground) as store:
            gone: dict[str, str] = {}
            for number in range(5):  # in a file each
                erased = erase(store, plant(store, ground), "space")[1]
                gone |= {f"{place} {number}": word for place, word in erased.items()}
                ground.do("SELECT pg_switch_wal()")
            ground.do("CHECKPOINT")  # now they lie ready for use again, one behind the other
            done = store.scrub(quiet)
            assert (done.partitions > 0, done.log) == (True, False)
            assert "wal_recycle" in done.left
            assert not store.settle()
            assert ground.lying_about(gone)
        server.stop()
        server._options["wal_recycle"] = "off"
        server.start()
        with opened(ground) as store:
            assert ground.lying_about(gone)
            done = store.scrub(quiet)
            assert (done.partitions, done.log, done.left) == (0, True, "")  # the tables are not written anew again
            assert store.settle()
            assert ground.lying_about(gone) == set()


def test_rights_that_it_takes(ground: Ground) -> None:
    with opened(ground, OWNER) as store:
        words = plant(store, ground)
        _, gone = erase(store, words, "session")
        done = store.scrub(quiet)
        assert (done.partitions, done.log, store.settle()) == (1, False, False)
        assert "pg_checkpoint" in done.left
        assert "pg_switch_wal" in done.left
        assert ground.lying_about(gone)
        ground.do(
            f"GRANT pg_checkpoint, pg_monitor TO {OWNER}", f"GRANT EXECUTE ON FUNCTION pg_switch_wal() TO {OWNER}"
        )
        done = store.scrub(quiet)
        assert (done.partitions, done.log, done.left, store.settle()) == (0, True, "", True)
        assert ground.lying_about(gone) == set()
        ground.do(f"REVOKE pg_checkpoint, pg_monitor FROM {OWNER}")


@pytest.mark.parametrize("user", ["postgres", OWNER])
def test_somebody_who_still_sees_it(ground: Ground, user: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server copies rows that an old transaction may read into the table that it writes anew. Also a role that may
    not see what others do sees that."""
    monkeypatch.setattr(postgres_care, "PATIENCE", 0.2)
    with opened(ground, user) as store:
        words = plant(store, ground)
        with psycopg.connect(ground.url()) as reader:
            reader.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            reader.execute("SELECT 1")
            _, gone = erase(store, words, "space")
            done = store.scrub(quiet)
            assert (done.partitions, done.log, store.settle()) == (0, False, False)
            assert f"process {reader.info.backend_pid}, since" in done.left
            assert ground.lying_about(gone)
        assert store.scrub(quiet).partitions == 1
        with opened(ground) as above:
            done = above.scrub(quiet)
        assert (done.partitions, done.log, done.left, store.settle()) == (0, True, "", True)
        assert ground.lying_about(gone) == set()


def test_an_erasure_that_is_not_committed_yet_is_not_taken_for_done(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_care, "PATIENCE", 0.2)
    with opened(ground) as store:
        words = plant(store, ground)
        with psycopg.connect(ground.url()) as writer:
            writer.execute("INSERT INTO onrecord.erasures (space) SELECT space FROM onrecord.spaces")
            writer.execute("DELETE FROM onrecord.messages")
            assert store.scrub(quiet).left
        assert not store.settle()
        assert store.scrub(quiet).partitions == 1
        assert ground.lying_about({"text": words["text"]}) == set()


def test_files_of_the_log_that_somebody_needs(ground: Ground) -> None:
    with opened(ground) as store:
        words = plant(store, ground)
        _, gone = erase(store, words, "space")
        ground.do("SELECT pg_create_physical_replication_slot('standby', true)")
        try:
            done = store.scrub(quiet)
        finally:
            ground.do("SELECT pg_drop_replication_slot('standby')")
        assert (done.partitions, done.log, store.settle()) == (1, False, False)
        assert "replication slot" in done.left
        assert ground.lying_about(gone)
        done = store.scrub(quiet)
        assert (done.partitions, done.log, done.left, store.settle()) == (0, True, "", True)
        assert ground.lying_about(gone) == set()


def test_nothing_to_do(ground: Ground) -> None:
    with opened(ground) as store:
        plant(store, ground)
        assert store.settle()
        done = store.scrub(quiet)
        assert (done.partitions, done.bytes, done.left) == (0, 0, "")
