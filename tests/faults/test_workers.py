"""Workers are killed, stopped and woken, told to end; their queue is emptied: what they derive is what one process
alone would have derived, each node once."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
from postgres_tools import fresh_database, plain_role_url
from talk_tools import NODE, nodes, talk

from onrecord import Memory
from onrecord.cli import main
from onrecord.jobs.queue_board import Board
from onrecord.jobs.queue_schema import SCHEMA, prepare
from onrecord.settings import Settings
from onrecord.stores.postgres import PostgresStore

LONG = 120.0  # seconds until a test that waits for something gives up
MESSAGES = 40
TIMES = {
    "quiet": 0.0,
    "begun": 2.0,
    "feed": 0.05,
    "poll": 0.05,
    "beat": 0.1,
    "lost": 3.0,
    "rescue": 0.1,
    "grace": 1.0,
    "tries": 3,
    "wait": 0.0,
}

PROGRAM = """
import json, os, sys, time
from pathlib import Path
from onrecord import Memory
from onrecord.cli import postgres_commands as worker
from onrecord.errors import ModelError
from onrecord.jobs.queue_work import Times

url, folder, times = sys.argv[1], Path(sys.argv[2]), json.loads(sys.argv[3])
real = worker._derive

def say(**words):
    os.write(1, json.dumps(words).encode() + b"\\n")

def derive(parts, space, session, going):
    say(begun=session)
    if (folder / "broken").exists():
        raise ModelError("The model is away.", "a text that nobody may see")
    parts.upkeep.catch_up(space, session, rounds=1)
    if (folder / "hold").exists():
        say(held=session)
    while (folder / "hold").exists():
        time.sleep(0.01)
    answer = real(parts, space, session, going)
    say(ended=session)
    return answer

worker._derive = derive
with Memory(":memory:", profile="hybrid", summarize="inline", embedder=None) as warm:  # loads what deriving needs
    warm.session("s").add_many([("user", "We fly to Lisbon on 5 May, Ana said.")] * 40)
memory = Memory(url, profile="hybrid", summarize="manual", embedder=None)
say(ready=True)
done = worker.serve(memory, url, concurrency=2, times=Times(**times))
say(done=done.ended)
"""


class Started:
    """A worker in a process of its own, and what it says."""

    def __init__(self, url: str, folder: Path, **times: float) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        words = [sys.executable, "-W", "error", "-c", PROGRAM, url, str(folder), json.dumps(TIMES | times)]
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE)
        self.said: list[dict[str, Any]] = []
        self._lines: queue.Queue[dict[str, Any]] = queue.Queue()
        self._thread = threading.Thread(target=self._read)
        self._thread.start()

    def _read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.said.append(json.loads(line))
        self.process.stdout.close()

    def begun(self) -> list[str]:
        return [one["begun"] for one in self.said if "begun" in one]

    def holds(self) -> bool:
        return any("held" in one for one in self.said)

    def send(self, number: int) -> None:
        self.process.send_signal(number)

    def end(self) -> int:
        """Tell it to end, and wait; answers its exit code."""
        self.send(signal.SIGTERM)
        code = self.process.wait(LONG)
        self._thread.join(LONG)
        return code

    def close(self) -> None:
        with suppress(ProcessLookupError):
            os.kill(self.process.pid, signal.SIGCONT)
        self.process.kill()
        self.process.wait(LONG)
        self._thread.join(LONG)


Start = Callable[..., Started]


@pytest.fixture
def url() -> Iterator[str]:
    with fresh_database() as name:
        found = plain_role_url(name, tcp=True)
        prepare(found)
        yield found


@pytest.fixture
def start(url: str, tmp_path: Path) -> Iterator[Start]:
    """Starts workers, and ends them with the test; `hold`: it stops in the middle of its first session."""
    started: list[Started] = []

    def one(*, hold: bool = False, **times: float) -> Started:
        folder = tmp_path / str(len(started))
        folder.mkdir()
        if hold:
            (folder / "hold").touch()
        started.append(Started(url, folder, **times))
        until(lambda: started[-1].said)
        return started[-1]

    yield one
    for worker in started:
        worker.close()


def until(done: Callable[[], object]) -> None:
    end = time.monotonic() + LONG
    while not done():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.02)


def fill(url: str, *sessions: str) -> None:
    with Memory(url, profile="hybrid", summarize="worker", embedder=None) as memory:
        for session in sessions:
            first = memory.session(session).info().last_seq + 1
            memory.session(session).add_many(talk(first, first + MESSAGES - 1))


def idle(url: str) -> bool:
    """Whether nothing is left to do. The list is asked for through a store: no row of it is seen otherwise."""
    store = PostgresStore(url, Settings(durability="process", busy_timeout=60.0))
    try:
        return not store.due(0.0, 1, 0.0) and not any(Board(url).counts().values())
    finally:
        store.close()


def alone(rounds: int = 1) -> list[NODE]:
    """The nodes that one process makes of a session."""
    with Memory(":memory:", profile="hybrid", summarize="inline", embedder=None) as memory:
        chat = memory.session("chat")
        chat.add_many(talk(1, rounds * MESSAGES))
        chat.summarize()
        return nodes(chat)


def derived(url: str, session: str) -> list[NODE]:
    with Memory(url, profile="hybrid", summarize="manual", embedder=None) as memory:
        return nodes(memory.session(session))


def cli(*words: str) -> int:
    return main(list(words))


def test_two_workers_make_each_node_once(url: str, start: Start) -> None:
    names = [f"session {number}" for number in range(12)]
    workers = [start(hold=True, lost=LONG), start(hold=True, lost=LONG)]  # on a busy machine neither is taken for dead
    fill(url, *names)
    until(lambda: all(worker.holds() for worker in workers))
    for worker in workers:
        (worker.folder / "hold").unlink()
    until(lambda: idle(url))
    assert [worker.end() for worker in workers] == [0, 0]
    begun = [name for worker in workers for name in worker.begun()]
    assert sorted(begun) == sorted(names)
    expected = alone()
    assert expected
    assert all(derived(url, name) == expected for name in names)


def test_a_killed_workers_job_is_run_once_more(url: str, start: Start) -> None:
    fill(url, "trip")
    first = start(hold=True)
    until(first.holds)
    first.send(signal.SIGKILL)
    first.process.wait(LONG)
    (job,) = Board(url).jobs()
    assert job.state == "running"
    second = start()
    until(lambda: idle(url))
    assert second.end() == 0
    assert second.begun() == ["trip"]
    assert derived(url, "trip") == alone()


def test_a_worker_that_wakes_after_another_took_over_does_no_harm(url: str, start: Start) -> None:
    fill(url, "trip")
    first = start(hold=True)
    until(first.holds)
    first.send(signal.SIGSTOP)
    second = start()
    until(lambda: idle(url))
    with psycopg.connect(url, autocommit=True) as db:  # as if it had been away for much longer
        db.execute(f"DELETE FROM {SCHEMA}.procrastinate_workers WHERE last_heartbeat < now() - interval '1 s'".encode())
    (first.folder / "hold").unlink()
    first.send(signal.SIGCONT)
    until(lambda: any("ended" in one for one in first.said))
    assert second.end() == 0
    assert second.begun() == ["trip"]
    assert derived(url, "trip") == alone()
    fill(url, "trip", "other")  # and it goes on as before
    until(lambda: idle(url))
    assert first.end() == 0
    assert sorted(first.begun()) == ["other", "trip", "trip"]
    assert (derived(url, "trip"), derived(url, "other")) == (alone(2), alone())


def test_an_emptied_queue_loses_nothing(url: str, start: Start) -> None:
    names = [f"session {number}" for number in range(6)]
    fill(url, *names)
    first = start(hold=True)
    until(lambda: first.holds() and Board(url).counts()["waiting"])
    with psycopg.connect(url, autocommit=True) as db:
        db.execute(f"DELETE FROM {SCHEMA}.procrastinate_jobs".encode())
    first.send(signal.SIGKILL)
    first.process.wait(LONG)
    second = start()
    until(lambda: idle(url))
    assert second.end() == 0
    assert all(derived(url, name) == alone() for name in names)


def test_a_worker_told_to_end_finishes_or_gives_back(url: str, start: Start) -> None:
    fill(url, "trip")
    first = start(hold=True)
    until(first.holds)
    assert first.end() == 0
    (job,) = Board(url).jobs()
    assert (job.state, job.tries) == ("waiting", 0)
    second = start()
    until(lambda: idle(url))
    assert second.end() == 0
    assert derived(url, "trip") == alone()


def test_dead_letters_and_pauses_by_the_command_line(
    url: str, start: Start, capsys: pytest.CaptureFixture[str]
) -> None:
    worker = start()
    (worker.folder / "broken").touch()
    fill(url, "trip")
    until(lambda: Board(url).counts()["failed"])
    assert worker.begun() == ["trip"] * 3
    assert cli("jobs", "--db", url) == 0
    shown = capsys.readouterr().out
    assert "ModelError  The model is away." in shown
    assert "nobody may see" not in shown
    assert cli("jobs", "--json", "--db", url) == 0
    listed = json.loads(capsys.readouterr().out)
    assert (listed["paused"], listed["counts"]) == (False, {"waiting": 0, "running": 0, "failed": 1})
    (job,) = listed["jobs"]
    assert (job["session"], job["state"], job["kind"], job["tries"]) == ("trip", "failed", "ModelError", 3)
    assert cli("jobs", "pause", "--db", url) == 0
    time.sleep(0.5)  # every worker has read it
    (worker.folder / "broken").unlink()
    assert cli("jobs", "retry", str(job["id"]), "--db", url) == 0
    fill(url, "other")
    time.sleep(0.5)
    assert worker.begun() == ["trip"] * 3
    assert cli("jobs", "--db", url) == 0
    assert "paused" in capsys.readouterr().out.splitlines()[-1]
    assert cli("jobs", "resume", "--db", url) == 0
    until(lambda: idle(url))
    assert worker.end() == 0
    assert (derived(url, "trip"), derived(url, "other")) == (alone(), alone())


def test_a_dead_letter_is_dropped_and_stays_away(url: str, start: Start) -> None:
    worker = start()
    (worker.folder / "broken").touch()
    fill(url, "trip")
    until(lambda: Board(url).counts()["failed"])
    assert cli("jobs", "drop", str(Board(url).jobs()[0].id), "--db", url) == 0
    assert idle(url)
    assert cli("jobs", "drop", "1", "--db", url) == 1
    assert worker.end() == 0


def test_once_does_what_is_due_and_ends(url: str, capsys: pytest.CaptureFixture[str]) -> None:
    fill(url, "trip", "other")
    words = ["--db", url, "--profile", "hybrid", "--embedder", "none"]
    assert cli("worker", "--once", *words) == 0
    assert idle(url)
    assert (derived(url, "trip"), derived(url, "other")) == (alone(), alone())
    capsys.readouterr()
    assert cli("worker", "--once", "--replan", "--json", *words) == 0
    assert json.loads(capsys.readouterr().out)["ended"] >= 2
    assert derived(url, "trip") == alone()
    assert cli("worker", "--once", "--db", "memory.db") == 2
