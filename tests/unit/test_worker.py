"""The worker: one thread, one thing at a time, once however often it was woken; stopping is prompt and final."""

from __future__ import annotations

import logging
import subprocess
import sys
import threading
from collections.abc import Callable

import pytest

from onrecord.errors import Outrun
from onrecord.jobs.background import Worker

LONG = 30  # seconds until a test that hangs gives up


class Work:
    """Work that waits at a gate, and notes what it did."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.ended_early: list[str] = []
        self.threads: set[threading.Thread] = set()
        self.begun = threading.Semaphore(0)
        self.gate = threading.Semaphore(0)
        self.over = threading.Semaphore(0)

    def __call__(self, what: str, going: Callable[[], bool]) -> None:
        self.threads.add(threading.current_thread())
        self.begun.release()
        while not self.gate.acquire(timeout=0.01):
            if not going():
                self.ended_early.append(what)
                return
        self.done.append(what)
        self.over.release()
        if what == "bad":
            raise ValueError("what Ana said about her salary")


def test_the_thread_starts_with_the_first_call() -> None:
    before = threading.active_count()
    worker = Worker(Work())
    assert threading.active_count() == before
    worker.stop()
    assert threading.active_count() == before


def test_woken_often_works_once() -> None:
    work = Work()
    worker = Worker(work)
    worker.wake("a")
    assert work.begun.acquire(timeout=LONG)
    for what in ("b", "c", "b", "a", "b", "c"):  # while it is at work: each once more, in the order of asking
        worker.wake(what)
    for _ in range(4):
        work.gate.release()
        assert work.over.acquire(timeout=LONG)
    worker.wake("d")
    work.gate.release()
    assert work.over.acquire(timeout=LONG)
    worker.stop()
    assert work.done == ["a", "b", "c", "a", "d"]
    assert len(work.threads) == 1


def test_an_error_is_logged_by_its_kind_alone_and_work_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    work = Work()
    worker = Worker(work)
    with caplog.at_level(logging.WARNING, "onrecord"):
        for what in ("bad", "good"):
            worker.wake(what)
            work.gate.release()
            assert work.over.acquire(timeout=LONG)
        worker.stop()
    assert work.done == ["bad", "good"]
    assert [record.getMessage() for record in caplog.records] == ["Work in the background failed: ValueError."]
    assert all(record.exc_info is None and "salary" not in record.getMessage() for record in caplog.records)


def test_work_that_others_outran_is_done_once_more(caplog: pytest.LogCaptureFixture) -> None:
    tried: list[str] = []
    done = threading.Event()

    def work(what: str, going: Callable[[], bool]) -> None:
        tried.append(what)
        if len(tried) == 1:
            raise Outrun("The session was changed meanwhile.", "Read it again.")
        done.set()

    worker = Worker(work)
    worker.wake("a")
    assert done.wait(LONG)
    worker.stop()
    assert tried == ["a", "a"]
    assert caplog.records == []


def test_stop_ends_the_work_under_way_and_begins_no_other() -> None:
    work = Work()
    worker = Worker(work)
    worker.wake("long")
    assert work.begun.acquire(timeout=LONG)
    worker.wake("never")
    worker.stop()
    (thread,) = work.threads
    assert not thread.is_alive()
    assert work.ended_early == ["long"]
    assert work.done == []


def test_waking_after_stop_does_nothing() -> None:
    work = Work()
    worker = Worker(work)
    before = threading.active_count()
    worker.stop()
    worker.wake("late")
    assert worker._thread is None
    worker.stop()
    assert threading.active_count() == before
    assert not work.threads


def test_stop_while_idle_joins() -> None:
    work = Work()
    worker = Worker(work)
    worker.wake("a")
    work.gate.release()
    assert work.over.acquire(timeout=LONG)
    (thread,) = work.threads
    worker.stop()
    assert not thread.is_alive()


def test_the_work_may_stop_its_own_worker() -> None:
    stopped = threading.Event()

    def work(what: str, going: Callable[[], bool]) -> None:
        worker.stop()
        assert not going()
        stopped.set()

    worker = Worker(work)
    worker.wake("a")
    assert stopped.wait(LONG)
    worker.wake("b")


PROGRAM = """
import threading
from onrecord.jobs.background import Worker
begun = threading.Event()
def work(what, going):
    begun.set()
    while going():
        threading.Event().wait(0.01)
    print("ended", flush=True)
Worker(work).wake("a")
begun.wait()
"""


def test_a_process_that_ends_lets_the_work_end_first() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", PROGRAM], check=True, capture_output=True, text=True, timeout=LONG
    )
    assert done.stdout == "ended\n"
    assert not done.stderr
