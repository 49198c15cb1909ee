"""The queue of the workers, on a real server, with a list of due sessions that is kept here."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import psycopg
import pytest
from postgres_tools import fresh_database, plain_role_url, server
from procrastinate import App, PsycopgConnector
from procrastinate.jobs import Job, Status
from procrastinate.schema import SchemaManager

from onrecord.errors import ModelError, NotFound, StoreError, StoreVersion
from onrecord.jobs.queue import Queue
from onrecord.jobs.queue_board import Board
from onrecord.jobs.queue_jobs import JobQueue
from onrecord.jobs.queue_schema import OURS, SCHEMA, address, check, prepare
from onrecord.jobs.queue_work import Chore, Going, JobWork, Times, WorkerReport

QUICK = Times(quiet=0.0, feed=0.02, poll=0.02, beat=0.05, lost=1.0, rescue=0.05, grace=0.2, tries=3, wait=0.0, down=0.1)
LONG = 60.0  # seconds until a test that waits for something gives up
SECRET = "the doctor said it is nothing"


class Due:
    """A list of due sessions, as a store keeps it."""

    def __init__(self, *sessions: tuple[str, str]) -> None:
        self._lock = threading.Lock()
        self.taken: dict[tuple[str, str], float | None] = dict.fromkeys(sessions)
        self.paused = False

    def say(self, space: str, session: str) -> None:
        with self._lock:
            self.taken[space, session] = None

    def due(self, quiet: float, limit: int, lost: float) -> list[tuple[str, str]]:
        with self._lock:
            now = time.monotonic()
            return [who for who, at in self.taken.items() if at is None or at <= now - lost][:limit]

    def take_due(self, space: str, session: str) -> str:
        with self._lock:
            if (space, session) in self.taken:
                self.taken[space, session] = time.monotonic()
            return str(self.taken.get((space, session)))

    def done_due(self, space: str, session: str, token: str) -> None:
        with self._lock:
            if token == str(self.taken.get((space, session))):
                self.taken.pop((space, session), None)

    def flag(self, name: str) -> bool:
        return self.paused


class Deriving:
    """What jobs do: it counts, and does what a test says."""

    def __init__(self, act: Callable[[str, str, Going], float | None] = lambda space, session, going: None) -> None:
        self.act = act
        self.begun: list[tuple[str, str]] = []

    def __call__(self, space: str, session: str, going: Going) -> float | None:
        self.begun.append((space, session))
        return self.act(space, session, going)

    def work(self, spaces: list[str] | None = None, *chores: Chore) -> JobWork:
        return JobWork(derive=self, spaces=lambda: spaces or [], chores=chores)


@pytest.fixture
def url() -> Iterator[str]:
    with fresh_database() as name:
        found = plain_role_url(name)
        prepare(found)
        yield found


def until(done: Callable[[], object]) -> None:
    end = time.monotonic() + LONG
    while not done():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


@contextmanager
def working(url: str, due: Due, work: JobWork, times: Times = QUICK, concurrency: int = 2) -> Iterator[Queue]:
    """A worker in a thread."""
    queue = Queue(url, cast(Any, due), work, concurrency=concurrency, times=times)
    loops: list[asyncio.AbstractEventLoop] = []
    ended: list[WorkerReport] = []

    async def run() -> None:
        loops.append(asyncio.get_running_loop())
        ended.append(await queue.run())

    thread = threading.Thread(target=lambda: asyncio.run(run()))
    thread.start()
    try:
        yield queue
    finally:
        until(lambda: loops)
        loops[0].call_soon_threadsafe(queue.stop)
        thread.join(LONG)
        assert ended, "the worker did not end in order"


def once(url: str, due: Due, work: JobWork, times: Times = QUICK) -> WorkerReport:
    return asyncio.run(Queue(url, cast(Any, due), work, times=times).once())


def rows(url: str, query: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(address(url), autocommit=True) as db:
        cursor = db.execute(query.encode())
        return cursor.fetchall() if cursor.description else []


# The tables


def test_many_prepare_the_tables_at_once() -> None:
    with fresh_database() as name:
        url = plain_role_url(name)
        with ThreadPoolExecutor(6) as threads:
            did = list(threads.map(lambda _: prepare(url), range(6)))
        assert any(did)
        assert not prepare(url)
        check(url)
        places = rows(url, "SELECT DISTINCT schemaname FROM pg_tables WHERE tablename LIKE 'procrastinate%'")
        assert places == [(SCHEMA,)]


def test_a_role_without_rights_is_told_whom_to_ask() -> None:
    with fresh_database() as name:
        server().create_role("guest")
        guest = server().url(name, user="guest")
        with pytest.raises(StoreVersion, match="onrecord migrate as the owner"):
            check(guest)
        with pytest.raises(StoreVersion, match="onrecord migrate as the owner"):
            Board(guest).jobs()
        prepare(plain_role_url(name), roles=["guest"])
        check(guest)
        due, deriving = Due(("ana", "trip")), Deriving()
        assert once(guest, due, deriving.work()).ended == 1
        assert deriving.begun == [("ana", "trip")]


def test_tables_of_an_older_procrastinate_are_brought_up() -> None:
    files = sorted(Path(SchemaManager.get_migrations_path()).glob("*.sql"))
    older = [file for file in files if file.stem < "03.03"]
    with fresh_database() as name:
        url = plain_role_url(name)
        with psycopg.connect(address(url), autocommit=True) as db:
            db.execute(f"CREATE SCHEMA {SCHEMA}".encode())
            for file in older:
                db.execute(file.read_bytes())
            db.execute(OURS.encode())
            db.execute("INSERT INTO applied (migration) VALUES (%s)", [older[-1].stem])
        check(url)
        assert [row[0] for row in rows(url, "SELECT migration FROM applied ORDER BY 1")] == [
            older[-1].stem,
            *(file.stem for file in files[len(older) :]),
        ]
        assert once(url, Due(("ana", "trip")), Deriving().work()).ended == 1


def test_tables_of_a_newer_procrastinate_are_left_alone(url: str) -> None:
    rows(url, "INSERT INTO applied (migration) VALUES ('99.00.00_01_pre_other')")
    with pytest.raises(StoreVersion, match="newer procrastinate"):
        check(url)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "procrastinate", None)
    with pytest.raises(StoreError, match=r"pip install 'onrecord\[postgres\]'"):
        prepare("postgresql://nowhere/none")


def test_an_error_does_not_tell_the_password() -> None:
    with pytest.raises(StoreError) as caught:
        prepare("postgresql://ana:pa55word@127.0.0.1:1/none")
    assert "pa55word" not in str(caught.value)


# What becomes of jobs


def test_every_due_session_is_derived_once(url: str) -> None:
    sessions = [(f"space {number % 3}", "x" * 200 + str(number)) for number in range(40)]
    due, deriving = Due(*sessions), Deriving()
    assert once(url, due, deriving.work()) == WorkerReport(ended=40)
    assert sorted(deriving.begun) == sorted(sessions)
    assert not due.taken
    assert rows(url, "SELECT id FROM procrastinate_jobs") == []


def test_two_workers_share_the_work(url: str) -> None:
    sessions = [("ana", str(number)) for number in range(60)]
    due, deriving = Due(*sessions), Deriving(lambda space, session, going: time.sleep(0.01))
    times = replace(QUICK, lost=LONG)  # on a busy machine neither is taken for dead
    with working(url, due, deriving.work(), times), working(url, due, deriving.work(), times):
        until(lambda: not due.taken)
    assert sorted(deriving.begun) == sorted(sessions)


def test_messages_that_come_meanwhile_are_seen_to_afterwards(url: str) -> None:
    due = Due(("ana", "trip"))
    at_once: list[int] = []
    running = threading.Semaphore(1)

    def act(space: str, session: str, going: Going) -> None:
        assert running.acquire(blocking=False), "two at once"
        if len(at_once) < 3:
            due.say(space, session)
        at_once.append(1)
        time.sleep(0.05)
        running.release()

    with working(url, due, Deriving(act).work()):
        until(lambda: not due.taken)
    assert len(at_once) == 4


def test_a_dead_letter_is_kept_and_tried_again_when_asked(url: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "onrecord")
    broken = threading.Event()
    broken.set()

    def act(space: str, session: str, going: Going) -> None:
        if broken.is_set() and session == "bad":
            raise ModelError("The model is away.", SECRET)
        if broken.is_set() and session == "worse":
            raise ValueError(SECRET)

    due, deriving = Due(("ana", "bad"), ("ana", "good"), ("ana", "worse")), Deriving(act)
    board = Board(url)
    with working(url, due, deriving.work(), replace(QUICK, begun=0.05)):
        until(lambda: board.counts()["failed"] == 2 and ("ana", "good") not in due.taken)
        time.sleep(0.3)  # the list says again and again that they are due
        counts = board.counts()
        tries = [deriving.begun.count(("ana", name)) for name in ("bad", "good", "worse")]
        found = {job.session: job for job in board.jobs()}
        broken.clear()
        assert board.retry(found["bad"].id) == 1
        until(lambda: ("ana", "bad") not in due.taken)
        assert board.retry() == 1
        until(lambda: not due.taken)
    assert counts == {"waiting": 0, "running": 0, "failed": 2}
    assert tries == [3, 1, 3]
    assert [(found[name].kind, found[name].what, found[name].tries) for name in ("bad", "worse")] == [
        ("ModelError", "The model is away.", 3),
        ("ValueError", None, 3),
    ]
    assert board.jobs() == []
    assert SECRET not in caplog.text
    assert SECRET not in str(rows(url, "SELECT * FROM troubles"))


def test_waits_grow_from_try_to_try(url: str) -> None:
    def act(space: str, session: str, going: Going) -> None:
        raise ModelError("The model is away.", "Wait.")

    due, times = Due(("ana", "trip")), replace(QUICK, wait=1000.0)
    assert once(url, due, Deriving(act).work(), times).failed == 1
    (job,) = Board(url).jobs()
    assert (job.state, job.tries) == ("waiting", 1)
    [(first,)] = rows(url, "SELECT extract(epoch FROM scheduled_at - now())::float FROM procrastinate_jobs")
    rows(url, "UPDATE procrastinate_jobs SET scheduled_at = now()")
    once(url, due, Deriving(act).work(), times)
    [(second,)] = rows(url, "SELECT extract(epoch FROM scheduled_at - now())::float FROM procrastinate_jobs")
    assert second > 2 * first > 1000


def test_what_waits_for_something_is_not_counted_as_tried(url: str) -> None:
    due = Due(("ana", "trip"))
    assert once(url, due, Deriving(lambda space, session, going: 500.0).work()).failed == 0
    (job,) = Board(url).jobs()
    assert (job.state, job.tries, job.kind) == ("waiting", 0, None)
    assert due.taken
    assert once(url, due, Deriving().work(), replace(QUICK, begun=0.0)).ended == 0  # not before then
    assert Board(url).retry(job.id) == 1
    assert once(url, due, Deriving().work()).ended == 1
    assert not due.taken


def test_a_dropped_job_is_gone(url: str) -> None:
    due = Due(("ana", "trip"))
    once(url, due, Deriving(lambda space, session, going: 500.0).work())
    board, store = Board(url), cast(Any, due)
    (job,) = board.jobs()
    board.discard(store, job.id)
    with pytest.raises(NotFound):
        board.discard(store, job.id)
    assert (board.jobs(), due.taken) == ([], {})
    assert board.retry(job.id) == 0


def test_paused_nothing_begins(url: str) -> None:
    due, deriving = Due(("ana", "trip")), Deriving()
    due.paused = True
    assert once(url, due, deriving.work()) == WorkerReport(paused=True)
    with working(url, due, deriving.work()):
        time.sleep(0.3)
        assert not deriving.begun
        due.paused = False
        until(lambda: not due.taken)
    assert deriving.begun == [("ana", "trip")]


def test_an_emptied_queue_loses_nothing(url: str) -> None:
    due = Due(*[("ana", str(number)) for number in range(10)])
    blocked = threading.Event()

    def act(space: str, session: str, going: Going) -> None:
        blocked.wait(LONG)

    deriving = Deriving(act)
    with working(url, due, deriving.work(), replace(QUICK, begun=1.0)):
        until(lambda: len(deriving.begun) == 2 and Board(url).counts()["waiting"] == 8)
        rows(url, "DELETE FROM procrastinate_jobs")
        blocked.set()
        until(lambda: not due.taken)
    assert {session for _, session in deriving.begun} == {str(number) for number in range(10)}


def test_chores_are_done_for_the_spaces_that_need_them_once_a_day(url: str) -> None:
    done: list[str] = []
    spaces = [f"space {number}" for number in range(7)]
    chore = Chore(
        name="tidy",
        cron="0 0 * * *",
        due=lambda space: space != "space 3",
        run=lambda space, going: done.append(space),
    )
    work = Deriving().work(spaces, chore)
    once(url, Due(), work)
    assert sorted(done) == [space for space in spaces if space != "space 3"]
    once(url, Due(), work)
    assert len(done) == 6
    assert Board(url).jobs() == []


# Workers that end, or seem to


def test_a_worker_that_is_told_to_end_gives_its_job_back(url: str) -> None:
    due = Due(("ana", "trip"), ("ana", "stuck"))
    free = threading.Event()

    def act(space: str, session: str, going: Going) -> float:
        while going() if session == "trip" else not free.is_set():
            time.sleep(0.01)
        return 0.0

    deriving = Deriving(act)
    with working(url, due, deriving.work()) as queue:
        until(lambda: len(deriving.begun) == 2)
    assert queue.busy
    assert [(job.state, job.tries) for job in Board(url).jobs()] == [("waiting", 0)] * 2
    free.set()
    until(lambda: not queue.busy)
    assert once(url, due, Deriving().work()).ended == 2
    assert not due.taken


@contextmanager
def jobs_of(url: str) -> Iterator[tuple[JobQueue, asyncio.Runner]]:
    with asyncio.Runner() as runner:
        app = App(connector=PsycopgConnector(conninfo=address(url), min_size=1))
        app.job_manager = JobQueue(app.connector, 0.01)
        runner.run(app.connector.open_async())
        yield app.job_manager, runner
        runner.run(app.connector.close_async())


def test_a_job_that_another_took_over_is_not_touched(url: str) -> None:
    with jobs_of(url) as (jobs, runner):
        first = runner.run(jobs.register_worker())
        job = Job(
            queue="q", lock="l", queueing_lock="l", task_name="derive", task_kwargs={"space": "a", "session": "s"}
        )
        runner.run(jobs.defer_job_async(job))
        mine = runner.run(jobs.fetch_job(None, first))
        assert mine is not None
        rows(url, "UPDATE procrastinate_workers SET last_heartbeat = now() - interval '1 hour'")
        second = runner.run(jobs.register_worker())
        assert runner.run(jobs.rescue(30, 5)) == 1  # the first is struck off the list, too
        assert rows(url, "SELECT id FROM procrastinate_workers") == [(second,)]
        theirs = runner.run(jobs.fetch_job(None, second))
        assert theirs is not None
        assert (mine.id, theirs.attempts) == (theirs.id, 1)
        for late in (
            jobs.finish_job(mine, Status.SUCCEEDED, True),
            jobs.finish_job(mine, Status.FAILED, False),
            jobs.retry_job(mine),
            jobs.put_back(mine, 100),
            jobs.note(mine, "Some", "trouble"),
        ):
            runner.run(late)
        assert rows(url, "SELECT status::text, attempts FROM procrastinate_jobs") == [("doing", 1)]
        assert rows(url, "SELECT * FROM troubles") == []
        runner.run(jobs.finish_job(theirs, Status.SUCCEEDED, True))
        assert rows(url, "SELECT * FROM procrastinate_jobs") == []


def test_a_worker_that_was_struck_off_puts_itself_on_the_list(url: str) -> None:
    with jobs_of(url) as (jobs, runner):
        worker = runner.run(jobs.register_worker())
        rows(url, "DELETE FROM procrastinate_workers")
        runner.run(jobs.defer_job_async(Job(queue="q", lock="l", queueing_lock="l", task_name="derive")))
        time.sleep(0.05)  # longer than it should be silent
        job = runner.run(jobs.fetch_job(None, worker))
        assert job is not None
        assert job.worker_id == worker


def test_a_job_that_kills_its_workers_is_given_up(url: str) -> None:
    with jobs_of(url) as (jobs, runner):
        runner.run(jobs.defer_job_async(Job(queue="q", lock="l", queueing_lock="l", task_name="derive")))
        for _ in range(3):
            worker = runner.run(jobs.register_worker())
            assert runner.run(jobs.fetch_job(None, worker)) is not None
            rows(url, "DELETE FROM procrastinate_workers")
            assert runner.run(jobs.rescue(30, 3)) == 1
    (job,) = Board(url).jobs()
    assert (job.state, job.kind, job.tries) == ("failed", "WorkerLost", 3)


def test_a_job_whose_end_could_not_be_said_is_not_kept_for_ever(url: str) -> None:
    with jobs_of(url) as (jobs, runner):
        runner.run(jobs.defer_job_async(Job(queue="q", lock="l", queueing_lock="l", task_name="derive")))
        worker = runner.run(jobs.register_worker())
        job = runner.run(jobs.fetch_job(None, worker))
        assert job is not None
        assert runner.run(jobs.rescue(30, 3)) == 0  # it is at it
        with psycopg.connect(address(url)) as db:
            db.execute("LOCK procrastinate_jobs")
            with pytest.raises(TimeoutError):
                runner.run(asyncio.wait_for(jobs.finish_job(job, Status.SUCCEEDED, True), 0.2))
        assert runner.run(jobs.rescue(30, 3)) == 1
        assert rows(url, "SELECT status::text, attempts FROM procrastinate_jobs") == [("todo", 1)]


def test_a_job_for_which_another_waits_goes_when_it_is_put_back(url: str) -> None:
    with jobs_of(url) as (jobs, runner):
        worker = runner.run(jobs.register_worker())
        twin = Job(queue="q", lock="l", queueing_lock="l", task_name="derive")
        runner.run(jobs.defer_job_async(twin))
        held = runner.run(jobs.fetch_job(None, worker))
        assert held is not None
        runner.run(jobs.defer_job_async(twin))
        runner.run(jobs.retry_job(held))
        assert rows(url, "SELECT status::text FROM procrastinate_jobs") == [("todo",)]


def test_the_database_may_go_away_for_a_while() -> None:
    with fresh_database() as name:
        url = plain_role_url(name, tcp=True)
        prepare(url)
        due, deriving = Due(), Deriving()
        with working(url, due, deriving.work()):
            due.say("ana", "before")
            until(lambda: not due.taken)
            server().restart()
            due.say("ana", "after")
            until(lambda: not due.taken)
        assert ("ana", "after") in deriving.begun  # the other may have come again: nobody could write down its end


def test_once_says_that_the_database_is_away(caplog: pytest.LogCaptureFixture) -> None:
    class Gone(Due):
        def due(self, quiet: float, limit: int, lost: float) -> list[tuple[str, str]]:
            raise psycopg.OperationalError(SECRET)

    with fresh_database() as name:
        prepare(plain_role_url(name))
        with pytest.raises(StoreError, match="OperationalError") as caught:
            once(plain_role_url(name), Gone(), Deriving().work())
    assert SECRET not in str(caught.value)


def test_nothing_of_it_loads_with_the_command_line() -> None:
    program = "import sys, onrecord.cli; assert not {'procrastinate', 'psycopg', 'asyncio.runners'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)
