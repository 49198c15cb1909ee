"""PostgreSQL restarts, is killed, is asked by many at once: what was acknowledged is there, once, and work goes on."""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
import warnings
from collections.abc import Iterator
from functools import partial
from typing import Any

import psycopg
import pytest
from fork_tools import forks, in_child
from network_tools import Proxy
from postgres_clients import LONG, Clients, check_nodes, insisted, is_free, server_of, texts, wait_for
from postgres_tools import fresh_database, plain_role_url
from postgres_tools import server as shared_server

from onrecord import Memory, Session, StoreClosed, StoreError, StoreFull
from onrecord.errors import StoreVersion
from onrecord.stores.postgres.connection_pool import MOST_CONNECTIONS
from onrecord.stores.sql import migrations
from onrecord.testing.scripted_server import ScriptedEndpoint
from tests.postgres_server import Server

PROFILE: dict[str, Any] = {"profile": "hybrid"}
"""Summaries of short ranges."""


@pytest.fixture
def clients() -> Iterator[Clients]:
    started = Clients()
    yield started
    started.close()


@pytest.fixture
def url() -> Iterator[str]:
    with fresh_database() as name:
        yield plain_role_url(name)


def name_of(url: str) -> str:
    return str(psycopg.conninfo.conninfo_to_dict(url)["dbname"])


def connections(database_url: str) -> int:
    """How many of onrecord's the database has."""
    with psycopg.connect(shared_server().url()) as db:
        asked = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'onrecord' AND datname = %s"
        row = db.execute(asked, (name_of(database_url),)).fetchone()
    return 0 if row is None else int(row[0])


def all_there(memory: Memory, session: str, answers: list[dict[str, Any]]) -> int:
    """Check that every acknowledged message is there under its number, each once, without gaps; answers how many."""
    messages = list(memory.session(session).history())
    assert [message.seq for message in messages] == list(range(1, len(messages) + 1))
    texts = {message.seq: message.text for message in messages}
    assert len(set(texts.values())) == len(texts), "a message is there twice"
    said = {answer["seq"]: answer["text"] for answer in answers if "seq" in answer}
    assert said.items() <= texts.items()
    assert memory.check().findings == ()
    return len(messages)


# The server goes away


def disturb(server: Server, rounds: int) -> None:
    for turn in range(rounds):
        time.sleep(1.0)
        if turn % 3 == 2:
            server.kill()
            server.start()
        else:
            server.restart("fast" if turn % 3 == 0 else "immediate")
    time.sleep(0.5)


def test_what_was_acknowledged_outlives_restarts_and_kills(clients: Clients, kills: int) -> None:
    rounds = 3 if kills < 100 else kills // 10
    with Server(durable=True) as server:
        server.create_role("app")
        server.create_database("app", owner="app")
        url = server.url("app", user="app")
        seconds = rounds * 10.0  # more than enough: the children are told when it is over
        order: dict[str, Any] = {"session": "chat", "settings": PROFILE | {"busy_timeout": 5}, "seconds": seconds}
        with Memory(url, **PROFILE, busy_timeout=LONG, summarize="manual") as memory:
            until = time.monotonic() + 3.0 * rounds + 1.0
            clients.start(url, "add", "add", "add", "summarize", **order, until=until)
            disturb(server, rounds)
            answers = clients.finish()
            memory.session("chat").summarize()
            held = all_there(memory, "chat", answers)
            acknowledged = sum("seq" in answer for answer in answers)
            assert held == acknowledged > 0  # whoever got no answer asked again with the same key
            assert check_nodes(memory, "chat", **PROFILE) > 0


def reaches(chat: Session, seq: int) -> bool:
    return chat.info().last_seq == seq


def test_an_application_killed_before_it_heard_of_its_commit(clients: Clients, url: str, kills: int) -> None:
    """The same key again, from a new process: there is one message."""
    with Memory(url) as memory, Proxy(shared_server().port) as network:
        chat = memory.session("chat")
        chat.add("user", "before")
        for turn in range(1 if kills < 100 else kills // 20):
            through = plain_role_url(name_of(url), port=network.port)
            order = {"session": "chat", "text": f"the order {turn}", "key": f"order {turn}"}
            network.when(b"COMMIT", network.drop_answers)
            clients.start(through, "once", **order)
            wait_for(partial(reaches, chat, turn + 2))
            os.kill(clients.pids[0], signal.SIGKILL)
            assert list(clients.answers()) == []
            network.thaw()
            assert clients.run(url, "once", **order) == [
                {"seq": turn + 2, "repeated": True, "id": list(chat.history())[-1].id}
            ]
            assert [message.text for message in chat.history(last=1)] == [f"the order {turn}"]


# Many at once


def test_many_processes_summarise_while_others_add(clients: Clients, url: str, kills: int) -> None:
    """Each range is summarised once, and as one process alone would have done it."""
    each = 10 if kills < 100 else 100
    order: dict[str, Any] = {"session": "chat", "count": each, "total": each * 4, "settings": PROFILE}
    answers = clients.run(url, *["summarize"] * 16, *["add"] * 4, **order)
    with Memory(url, **PROFILE) as memory:
        assert all_there(memory, "chat", answers) == each * 4
        made = check_nodes(memory, "chat", **PROFILE)
    assert sum(answer.get("made", 0) for answer in answers) == made > 0


def test_many_processes_summarise_by_a_model(clients: Clients, url: str) -> None:
    with ScriptedEndpoint() as endpoint:
        upstream: dict[str, Any] = {"upstream": endpoint.base_url, "upstream_key": "sk-test", "model": "openai/gpt-4o"}
        order: dict[str, Any] = {"session": "chat", "count": 15, "total": 30, "settings": PROFILE | upstream}
        answers = clients.run(url, *["summarize"] * 4, *["add"] * 2, **order)
        assert endpoint.requests
        with Memory(url, **PROFILE, **upstream, summarize="manual") as memory:
            assert all_there(memory, "chat", answers) == 30
            made = check_nodes(memory, "chat", **PROFILE, **upstream)
    assert sum(answer.get("made", 0) for answer in answers) == made > 0


@pytest.mark.parametrize("together", [2, 8])
def test_processes_begin_with_an_empty_database(clients: Clients, url: str, together: int) -> None:
    answers = clients.run(url, *["add"] * together, session="chat", count=1)
    with Memory(url) as memory:
        assert all_there(memory, "chat", answers) == together
    with psycopg.connect(url) as db:
        steps = db.execute("SELECT version FROM onrecord.versions ORDER BY version").fetchall()
    assert steps == [(number,) for number in range(1, len(migrations("postgres")) + 1)]


def in_threads(count: int, work: Any) -> None:
    """Run it that many times at once; raises what one of them raised."""
    failures: list[BaseException] = []
    gate = threading.Barrier(count)

    def one(number: int) -> None:
        try:
            gate.wait()
            work(number)
        except BaseException as error:
            failures.append(error)
            raise

    threads = [threading.Thread(target=one, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONG)
    assert not failures
    assert not any(thread.is_alive() for thread in threads)


def test_more_threads_than_connections(url: str) -> None:
    answers: list[dict[str, Any]] = []
    with Memory(url, durability="process", busy_timeout=LONG, summarize="manual") as memory:
        chat = memory.session("chat")

        def work(number: int) -> None:
            for turn in range(4):
                text = f"{number} {turn}"
                answers.append({"seq": chat.add("user", text).seq, "text": text})
                assert chat.history(last=3)

        in_threads(MOST_CONNECTIONS * 2, work)
        assert 1 < connections(url) <= MOST_CONNECTIONS
        assert all_there(memory, "chat", answers) == MOST_CONNECTIONS * 2 * 4
        assert is_free(memory)
    wait_for(lambda: connections(url) == 0)


def test_a_memory_is_closed_under_threads_that_use_it(url: str) -> None:
    """What was answered is there; the others hear that it was closed, and no connection is left."""
    answers: list[dict[str, Any]] = []
    memory = Memory(url, durability="process", busy_timeout=LONG, summarize="manual")

    def work(number: int) -> None:
        try:
            for turn in range(1_000_000):
                text = f"{number} {turn}"
                answers.append({"seq": memory.session("chat").add("user", text).seq, "text": text})
                if number == 0 and turn == 5:
                    memory.close()
        except StoreClosed:
            pass

    in_threads(8, work)
    wait_for(lambda: connections(url) == 0)
    with Memory(url) as again:
        assert all_there(again, "chat", answers) == len(answers) > 0


def test_an_interrupted_operation_leaves_nothing_behind(url: str) -> None:
    """Ctrl-C while it waits for a space: the memory goes on, the message is not there, and nobody is held up."""
    with Memory(url, busy_timeout=LONG) as memory, psycopg.connect(url) as other:
        chat = memory.session("chat")
        chat.add("user", "one")
        other.execute("SELECT set_config('onrecord.every', 'on', true)")
        other.execute("SELECT 1 FROM onrecord.spaces FOR UPDATE")
        threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            chat.add("user", "two")
        other.rollback()
        assert chat.add("user", "three").seq == 2
        assert is_free(memory)
        assert all_there(memory, "chat", [{"seq": 2, "text": "three"}]) == 2


# Forks


def backend(memory: Memory) -> int:
    """The number of a process that serves it."""
    return int(server_of(memory).plainly(lambda db: db.info.backend_pid))


@forks
def test_a_forked_child_has_connections_of_its_own(url: str) -> None:
    memory = Memory(url, durability="process", summarize="manual")
    chat = memory.session("chat")
    chat.add("user", "parent 1")
    mine = backend(memory)
    sockets = [db.pgconn.socket for db in server_of(memory)._idle]

    def child() -> None:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            for socket in sockets:
                with pytest.raises(OSError, match="Bad file"):
                    os.fstat(socket)
            assert chat.add("user", "child 1").seq == 2
            assert backend(memory) != mine
            gc.collect()
            memory.close()
            assert told == []

    assert in_child(child) == 0
    assert chat.add("user", "parent 2").seq == 3
    assert backend(memory) == mine
    assert texts(memory) == ["parent 1", "child 1", "parent 2"]
    memory.close()


@forks
def test_a_process_forks_while_its_threads_are_at_work(url: str) -> None:
    """In the middle of their operations: children inherit no lock that nobody gives back, and no connection."""
    memory = Memory(url, durability="process", summarize="manual")
    chat, over = memory.session("chat"), threading.Event()
    chat.add("user", "begun")

    def work(number: int) -> None:
        for turn in range(1_000_000):
            if over.is_set():
                return
            chat.add("user", f"thread {number} {turn}")

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    try:
        ended = [in_child(partial(chat.add, "user", f"child {turn}")) for turn in range(6)]
    finally:
        over.set()
        for thread in threads:
            thread.join(LONG)
    assert ended == [0] * 6
    found = texts(memory)
    assert len(set(found)) == len(found)
    assert {f"child {turn}" for turn in range(6)} <= set(found)
    assert is_free(memory)
    memory.close()


# Rights and room


def test_whoever_may_not_use_the_database_hears_what_to_do() -> None:
    running = shared_server()
    running.create_role("guest")
    with fresh_database() as name:
        with pytest.raises(StoreVersion, match="--grant"):
            Memory(running.url(name, user="guest"))
        Memory(plain_role_url(name)).close()
        with pytest.raises(StoreError, match="--grant"):
            Memory(running.url(name, user="guest"))


@pytest.mark.parametrize(("database", "user"), [("nothing", "plain"), ("postgres", "nobody_at_all")])
def test_an_address_that_leads_nowhere_is_said_at_once(database: str, user: str) -> None:
    """Not after the time that a server which is away is waited for."""
    with pytest.raises(StoreError, match=r"does not exist.*Check") as raised:
        Memory(shared_server().url(database, user=user), busy_timeout=3600)
    assert type(raised.value) is StoreError


def test_a_full_disk_is_said_and_the_memory_goes_on(url: str) -> None:
    with Memory(url) as memory:
        chat = memory.session("chat")
        chat.add("user", "before")
        with psycopg.connect(url, autocommit=True) as db:
            db.execute(
                "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$"
            )
            db.execute("CREATE TRIGGER t BEFORE INSERT ON onrecord.messages FOR EACH ROW EXECUTE FUNCTION full_disk()")
            with pytest.raises(StoreFull, match="could not extend file"):
                chat.add("user", "too much")
            assert [message.text for message in chat.history()] == ["before"]
            db.execute("DROP TRIGGER t ON onrecord.messages")
        assert chat.add("user", "after").seq == 2


def test_a_server_that_comes_back_is_waited_for_at_opening() -> None:
    with Server() as server:
        url = server.url()
        Memory(url).close()
        server.stop()
        late = threading.Timer(1.0, server.start)
        late.start()
        with Memory(url, busy_timeout=LONG) as memory:
            late.join()
            assert insisted(lambda: memory.session("chat").add("user", "one").seq) == 1
