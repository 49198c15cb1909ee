"""The way to PostgreSQL fails, or a client of it does: operations end in time, and nobody else is held up for long."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from typing import Any

import psycopg
import pytest
from network_tools import Proxy
from postgres_clients import LONG, Clients, insisted, is_free, server_of, texts, wait_for
from postgres_tools import empty_store_url, fresh_database, plain_role_url, server

from onrecord import Memory, StoreBusy

PATIENCE = 4.0  # seconds that clients wait here; the stated times are parts of it
GIVEN: dict[str, Any] = {"summarize": "manual", "durability": "process", "busy_timeout": PATIENCE}


@pytest.fixture(scope="module")
def template() -> str:
    """A database with the schema, to be copied: making it takes a second."""
    empty_store_url("template")
    return "template"


@pytest.fixture
def database(template: str) -> Iterator[str]:
    with fresh_database(template) as name:
        yield name


@pytest.fixture
def direct(database: str) -> Iterator[Memory]:
    """Somebody whose way to the server is fine."""
    with Memory(plain_role_url(database), **GIVEN) as memory:
        yield memory


@pytest.fixture
def network() -> Iterator[Proxy]:
    with Proxy(server().port) as between:
        yield between


@pytest.fixture
def far(direct: Memory, database: str, network: Proxy) -> Iterator[Memory]:
    """Somebody whose way is not; nothing was written through it yet, so its first COMMIT goes out as a word."""
    with Memory(plain_role_url(database, port=network.port), **GIVEN) as memory:
        yield memory
        network.thaw()


# Nobody knows whether it was committed


@pytest.mark.parametrize("key", [None, "a key"])
@pytest.mark.parametrize("arrives", [True, False])
def test_a_message_is_added_once_when_its_commit_is_not_answered(
    direct: Memory, far: Memory, network: Proxy, key: str | None, arrives: bool
) -> None:
    def happen() -> None:
        if not arrives:
            network.cut()
            return
        network.drop_answers()
        threading.Thread(target=mend).start()

    def mend() -> None:
        wait_for(lambda: len(texts(direct)) == 1)
        network.thaw()

    network.when(b"COMMIT", happen)
    receipt = far.session("chat").add("user", "one", key=key)
    assert (receipt.seq, receipt.repeated) == (1, False)
    assert [(message.id, message.text) for message in direct.session("chat").history()] == [(receipt.id, "one")]


def test_a_second_try_tells_what_was_there_before_from_what_is_new(direct: Memory, far: Memory, network: Proxy) -> None:
    first = direct.session("chat").add("user", "one", key="a key")
    network.when(b"onrecord.messages", network.cut)
    given = [{"role": "user", "text": "one", "key": "a key"}, {"role": "user", "text": "two"}]
    again, new = far.session("chat").add_many(given)
    assert network.connections > 1
    assert (again.id, again.seq, again.repeated) == (first.id, 1, True)
    assert (new.seq, new.repeated) == (2, False)


@pytest.mark.parametrize("arrives", [True, False])
def test_what_is_counted_is_never_counted_twice(direct: Memory, far: Memory, network: Proxy, arrives: bool) -> None:
    direct.session("chat").add("user", "one")
    network.when(b"COMMIT", network.drop_answers if arrives else network.cut)
    with pytest.raises(StoreBusy, match="tally"):
        far._store.count(far.name, {"calls": 1})
    network.thaw()
    wait_for(lambda: bool(far._store.tally(far.name)) == arrives)
    far._store.count(far.name, {"calls": 1})
    assert direct._store.tally(direct.name) == {"calls": 1 + arrives}


def test_what_breaks_before_the_commit_is_counted_after_all(direct: Memory, far: Memory, network: Proxy) -> None:
    direct.session("chat").add("user", "one")
    network.when(b"onrecord.spaces", network.cut)
    far._store.count(far.name, {"calls": 1})
    assert direct._store.tally(direct.name) == {"calls": 1}


# Half-open connections


OPERATIONS: dict[str, Callable[[Memory], object]] = {
    "add": lambda memory: memory.session("chat").add("user", "two", key="two"),
    "read": lambda memory: list(memory.session("chat").history()),
    "context": lambda memory: memory.session("chat").context("What?"),
    "forget": lambda memory: memory.session("other").forget(1),
    "count": lambda memory: memory._store.count(memory.name, {"calls": 1}),
}


def test_operations_end_when_nothing_goes_through_any_more(direct: Memory, far: Memory, network: Proxy) -> None:
    """And the same memory works when it does again."""
    direct.session("chat").add("user", "one")
    direct.session("other").add("user", "secret")
    far.session("chat").info()
    network.freeze()
    with ThreadPoolExecutor(len(OPERATIONS)) as pool:
        ended = [pool.submit(work, far) for work in OPERATIONS.values()]
        assert [type(one.exception(LONG)) for one in ended] == [StoreBusy] * len(OPERATIONS)
    wait_for(lambda: is_free(far))  # something may still be seen to in the background
    network.thaw()
    for work in OPERATIONS.values():
        insisted(partial(work, far))
    assert texts(direct) == ["one", "two"]


def test_a_memory_opened_on_a_silent_network_gives_up(database: str, network: Proxy) -> None:
    network.when(b"plan_cache_mode", network.freeze)  # it let us in, and then nothing
    with pytest.raises(StoreBusy):
        Memory(plain_role_url(database, port=network.port), **GIVEN)
    network.thaw()
    Memory(plain_role_url(database, port=network.port), **GIVEN).close()


def test_the_most_impatient_still_give_the_server_a_moment(database: str) -> None:
    with Memory(plain_role_url(database), **GIVEN | {"busy_timeout": 0}) as memory:
        assert memory.session("chat").add("user", "one").seq == 1
        assert texts(memory) == ["one"]


@contextmanager
def stopped(pids: list[int]) -> Iterator[None]:
    """Processes that are there, and do nothing."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


def backends(database: str) -> list[int]:
    with psycopg.connect(server().url()) as db:
        asked = "SELECT pid FROM pg_stat_activity WHERE application_name = 'onrecord' AND datname = %s"
        return [pid for (pid,) in db.execute(asked, (database,)).fetchall()]


def test_connections_that_all_fell_silent_are_replaced_at_once(direct: Memory, database: str) -> None:
    """However many a memory has: as after a firewall forgot them."""
    gate = threading.Barrier(8)
    chat = direct.session("chat")

    def use(number: int) -> None:
        def work(turn: Any) -> int:
            gate.wait()
            return number

        server_of(direct).write(f"space {number}", work)

    threads = [threading.Thread(target=use, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONG)
    silent = backends(database)
    assert len(silent) == 8
    with stopped(silent):
        assert chat.add("user", "one").seq == 1
        assert chat.add("user", "two").seq == 2


@pytest.mark.parametrize("timed", [True, False])
def test_a_writer_that_vanished_does_not_hold_its_space(
    direct: Memory, far: Memory, network: Proxy, monkeypatch: pytest.MonkeyPatch, timed: bool
) -> None:
    """It had locked the space and was about to write. Others read at once, and write within their patience; also where
    the server has no time limit for a whole transaction."""
    direct.session("chat").add("user", "before")
    if not timed:
        monkeypatch.setattr("onrecord.stores.postgres.connection_pool.TIMED", 10**9)
        server_of(far)._let_go()
    network.when(b"INSERT INTO onrecord.messages", network.freeze)
    failures: list[BaseException] = []

    def vanish() -> None:
        try:
            far.session("chat").add("user", "lost", key="lost")
        except StoreBusy as error:
            failures.append(error)

    vanishing = threading.Thread(target=vanish)
    vanishing.start()
    wait_for(lambda: network._frozen)
    assert texts(direct) == ["before"]
    assert direct.session("chat").add("user", "after").seq == 2
    vanishing.join(LONG)
    assert [type(error) for error in failures] == [StoreBusy]
    network.thaw()
    assert insisted(lambda: far.session("chat").add("user", "lost", key="lost").seq) == 3
    assert texts(direct) == ["before", "after", "lost"]


@pytest.mark.parametrize("timed", [True, False])
def test_a_crowd_that_stopped_does_not_hold_its_space(
    direct: Memory, database: str, clients: Clients, timed: bool
) -> None:
    """A machine with many writers stands still: those who wait for the space do not take their turns one by one."""
    clients.start(plain_role_url(database), "crowd", threads=12, settings=GIVEN, timed=timed)
    answers = clients.answers()
    assert next(answers) == {"begun": True}
    wait_for(lambda: len(backends(database)) > 8 and bool(texts(direct, "crowd")))
    with stopped(clients.pids):
        for turn in range(3):
            # A server that is busy itself may need a second look; a dozen turns would take longer than this.
            text = f"direct {turn}"
            assert insisted(lambda text=text: direct.session("crowd").add("user", text, key=text).seq, 10.0) > 1  # type: ignore[misc]
    os.kill(clients.pids[0], signal.SIGKILL)
    assert list(answers) == []
    texts(direct, "crowd")
    assert direct.check().findings == ()


@pytest.fixture
def clients() -> Iterator[Clients]:
    started = Clients()
    yield started
    started.close()


# All of it together


def trouble(network: Proxy, rng: random.Random) -> None:
    """One thing that goes wrong for a while."""
    what = rng.choice(["cut", "delay", "freeze", "drop", "refuse", "late"])
    match what:
        case "cut":
            network.cut()
        case "late":
            network.after(rng.randrange(5_000), network.cut)
        case "delay":
            network.delay(rng.uniform(0.0, 0.3))
        case "freeze":
            network.freeze()
        case "drop":
            network.drop_answers()
        case "refuse":
            network.refuse()
            network.cut()
    time.sleep(rng.uniform(0.1, 1.0))
    network.delay(0.0)
    network.allow()
    network.thaw()
    time.sleep(rng.uniform(0.0, 0.3))


class Crew:
    """Threads that use two memories until it is over; the one that goes directly must never be told to wait."""

    def __init__(self, direct: Memory, far: Memory) -> None:
        self.direct, self.far = direct, far
        self.heard: dict[str, int] = {}  # numbers of acknowledged messages
        self.failures: list[BaseException] = []
        self._over = threading.Event()
        jobs = [(self._add, far, "far one"), (self._add, far, "far two"), (self._add, direct, "direct")]
        jobs += [(self._use, far, name) for name in OPERATIONS if name != "add"] + [(self._use, direct, "read")]
        self._threads = [threading.Thread(target=self._guarded, args=job) for job in jobs]
        for thread in self._threads:
            thread.start()

    def _guarded(self, work: Callable[[Memory, str, int], None], memory: Memory, name: str) -> None:
        turn = 0
        try:
            while not self._over.is_set():
                turn += 1
                work(memory, name, turn)
        except BaseException as error:  # noqa: BLE001 - the test must hear of it, whatever it is
            self.failures.append(error)

    def _add(self, memory: Memory, name: str, turn: int) -> None:
        text = f"{name} {turn}"

        def add() -> int:
            return memory.session("chat").add("user", text, key=text).seq

        self.heard[text] = insisted(add) if memory is self.far else add()

    def _use(self, memory: Memory, name: str, turn: int) -> None:
        try:
            OPERATIONS[name](memory)
        except StoreBusy:
            if memory is self.direct:
                raise

    def end(self) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join(LONG * 2)
        assert not any(thread.is_alive() for thread in self._threads)


def test_clients_on_a_bad_network(direct: Memory, far: Memory, network: Proxy, kills: int) -> None:
    """Every operation succeeds or says StoreBusy; the others' never do; what was acknowledged is there once."""
    direct.session("chat").add("user", "first")
    direct.session("other").add("user", "secret")
    crew, rng = Crew(direct, far), random.Random(1)
    try:
        for _ in range(6 if kills < 100 else kills // 2):
            trouble(network, rng)
    finally:
        crew.end()
    assert not crew.failures
    found = texts(far)
    assert len(set(found)) == len(found)
    assert {text: found[seq - 1] for text, seq in crew.heard.items()} == {text: text for text in crew.heard}
    wait_for(lambda: is_free(far))  # something may still be seen to in the background
    assert direct.check().findings == ()
