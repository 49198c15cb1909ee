"""Summaries in the background: once after a burst, never lost, finished by flush and close, in the right process."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from model_tools import Scripted, first_words
from talk_tools import fill, nodes, ranges, say, talk

from onrecord import Memory, ModelError

LONG = 30  # seconds until a test that hangs gives up
LOOSE = {"kept_floor": 0.0}


class Hands:
    """A clock that somebody sets."""

    def __init__(self) -> None:
        self.now = datetime(2026, 5, 5, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def on(self, memory: Memory, seconds: float) -> None:
        """So much later; whoever waits for it looks again."""
        self.now += timedelta(seconds=seconds)
        memory._parts.deriving.look()


class Watched(Scripted):
    """A faithful model that says when it was begun with, and by whom."""

    def __init__(self) -> None:
        super().__init__(first_words)
        self.begun = threading.Semaphore(0)
        self.threads: list[str] = []

    def complete(self, messages: Any, **more: Any) -> Any:
        self.threads.append(threading.current_thread().name)
        self.begun.release()
        return super().complete(messages, **more)


def opened(model: Any, path: str | Path = ":memory:", **more: Any) -> Memory:
    given: dict[str, Any] = {"profile": "hybrid", "summarize": "background", "durability": "process", "options": LOOSE}
    return Memory(path, model=model, **given | more)


def ours() -> list[threading.Thread]:
    return [thread for thread in threading.enumerate() if thread.name == "onrecord"]


@contextmanager
def hanging(model: Scripted) -> Iterator[threading.Event]:
    """The model waits; in the end it is let go, whatever happened."""
    model.gate = threading.Event()
    try:
        yield model.gate
    finally:
        model.gate.set()


# When


def test_a_burst_is_summarised_once_when_it_is_over() -> None:
    clock, model = Hands(), Watched()
    with opened(model, clock=clock) as memory:
        chat = memory.session("s")
        for seq in range(1, 31):
            fill(chat, seq, seq)
            clock.on(memory, 0.9)
        assert model.calls == 0
        clock.on(memory, 1.1)
        assert model.begun.acquire(timeout=LONG)
        assert model.begun.acquire(timeout=LONG)
        memory.flush()
        assert ranges(chat) == [(1, 15), (16, 30)]
        assert (model.calls, set(model.threads)) == (2, {"onrecord"})


def test_a_stream_that_never_pauses_is_summarised_after_fifteen_pauses() -> None:
    clock, model = Hands(), Watched()
    with opened(model, clock=clock, debounce=10.0) as memory:
        chat = fill(memory.session("s"), 1, 15)
        for seq in range(16, 31):
            clock.on(memory, 9.9)
            fill(chat, seq, seq)
        assert not model.begun.acquire(timeout=0.05)  # 148.5 seconds
        assert memory._parts.deriving.open() == [("default", "s")]
        clock.on(memory, 1.5)
        assert model.begun.acquire(timeout=LONG)


def test_a_clock_that_goes_back_keeps_nobody_waiting() -> None:
    clock, model = Hands(), Watched()
    with opened(model, clock=clock) as memory:
        fill(memory.session("s"), 1, 15)
        clock.on(memory, -3600)
        assert model.begun.acquire(timeout=LONG)


def test_adding_does_not_wait_for_a_model_that_thinks() -> None:
    model = Watched()
    with hanging(model) as gate, opened(model, debounce=0) as memory:
        chat = fill(memory.session("s"), 1, 15)
        assert model.begun.acquire(timeout=LONG)
        fill(chat, 16, 29)
        assert chat.context("What now?").tokens > 0
        assert chat.search("boiler")
        assert ranges(chat) == []  # it still thinks
        gate.set()
        memory.flush()
        assert ranges(chat) == [(1, 15)]


# Finishing


@pytest.mark.parametrize("close", [Memory.flush, Memory.close])
def test_flush_and_close_finish_what_waits(close: Callable[[Memory], object], tmp_path: Path) -> None:
    model = Watched()
    memory = opened(model, tmp_path / "memory.db", debounce=3600.0)
    for name in ("a", "b"):
        fill(memory.session(name), 1, 30)
    assert model.calls == 0
    close(memory)
    assert model.calls == 4
    memory.close()
    with opened(None, tmp_path / "memory.db") as again:
        assert [ranges(again.session(name)) for name in ("a", "b")] == [[(1, 15), (16, 30)]] * 2


@pytest.mark.parametrize("close", [Memory.flush, Memory.close])
def test_flush_and_close_wait_for_what_is_under_way(close: Callable[[Memory], object], tmp_path: Path) -> None:
    model = Watched()
    told: list[str] = []

    def said(prompt: str) -> str:
        told.append(first_words(prompt))
        return told[-1]

    def closing() -> None:
        close(memory)
        told.append("closed")

    model.said = [said]
    with hanging(model) as gate:
        memory = opened(model, tmp_path / "memory.db", debounce=0)
        fill(memory.session("s"), 1, 15)
        assert model.begun.acquire(timeout=LONG)
        ended = threading.Thread(target=closing)
        ended.start()
        gate.set()
        ended.join(LONG)
    memory.close()
    assert told == [first_words(model.prompts[0]), "closed"]  # whoever waited did not ask again
    with opened(None, tmp_path / "memory.db") as again:
        assert ranges(again.session("s")) == [(1, 15)]


def test_flushing_finishes_every_space_that_waits() -> None:
    model = Watched()
    with opened(model, debounce=3600.0) as memory:
        other = memory.space("other")
        mine, theirs = fill(memory.session("s"), 1, 15), fill(other.session("s"), 1, 15)
        memory.flush()
        assert (ranges(mine), ranges(theirs)) == ([(1, 15)], [(1, 15)])
        assert [day["calls"] for day in (*memory.spent().days, *other.spent().days)] == [1, 1]


def test_closing_a_view_finishes_all_and_ends_the_thread(tmp_path: Path) -> None:
    before = ours()
    model = Watched()
    memory = opened(model, tmp_path / "memory.db", debounce=3600.0)
    fill(memory.session("s"), 1, 15)
    fill(memory.space("other").session("s"), 1, 15)
    assert len(ours()) == len(before) + 1
    memory.space("third").close()
    assert (model.calls, ours()) == (2, before)


def test_closing_does_not_ask_a_model_that_had_trouble_again() -> None:
    model = Scripted(ModelError("It broke.", "Wait."))
    options = {"over": 900, "keep": 300}
    with opened(model, profile="progressive", debounce=3600.0, options=options) as memory:
        chat = fill(memory.session("s"), 1, 40)
        assert "wrote no summary" in chat.summarize().note
        asked = model.calls
        fill(chat, 41, 42)
        assert memory._parts.deriving.open()
    assert model.calls == asked


def test_a_model_with_a_mistake_of_its_own_holds_nobody_up() -> None:
    model = Scripted(ZeroDivisionError("a mistake"))
    with opened(model, debounce=3600.0) as memory, ThreadPoolExecutor(1) as one, ThreadPoolExecutor(1) as two:
        chat = fill(memory.session("s"), 1, 15)
        for thread in (one, two):
            with pytest.raises(ZeroDivisionError):
                thread.submit(chat.summarize).result(LONG)
        (made,) = chat.summarize().made
        assert (made.refused, made.method, model.calls) == (("asked_twice",), "keyword", 2)


def test_there_is_no_thread_until_something_is_due() -> None:
    before = ours()
    with opened(Watched(), debounce=3600.0) as memory:
        memory.session("s").context("What now?")
        assert ours() == before
        fill(memory.session("s"), 1, 15)
        assert len(ours()) == len(before) + 1
    assert ours() == before


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit])
def test_whoever_is_interrupted_does_not_wait_for_a_model(error: type[BaseException], tmp_path: Path) -> None:
    model, path = Watched(), tmp_path / "memory.db"

    def interrupted() -> None:
        with opened(model, path, debounce=3600.0) as memory:
            fill(memory.session("s"), 1, 15)
            raise error

    with pytest.raises(error):
        interrupted()
    assert model.calls == 0
    with opened(model, path) as memory:
        assert ranges(memory.session("s")) == []
        assert [(one.first, one.last) for one in memory.session("s").summarize().made] == [(1, 15)]


def test_whoever_fails_otherwise_finishes() -> None:
    model = Watched()
    with suppress(ValueError), opened(model, debounce=3600.0) as memory:
        fill(memory.session("s"), 1, 15)
        raise ValueError
    assert model.calls == 1


# How much


@pytest.mark.parametrize("profile", ["balanced", "hybrid", "tiered", "rolling"])
def test_a_large_batch_comes_to_the_same_nodes_as_without_a_hurry(profile: str) -> None:
    count, models = 110, (Watched(), Watched())
    with opened(models[0], profile=profile, debounce=0) as memory, opened(models[1], profile=profile) as other:
        chat, slow = memory.session("s"), other.session("s")
        chat.add_many(talk(1, count))
        memory.flush()
        other._parts.derives = False
        for first in range(1, count, 40):
            slow.add_many(talk(first, min(count, first + 39)))
        slow.summarize()
        assert nodes(chat) == nodes(slow)
        assert len(nodes(chat)) > 6
        assert models[0].calls == models[1].calls < len(nodes(chat)) + 3


def test_a_batch_of_thousands_is_summarised_while_others_add() -> None:
    model = Watched()
    with opened(model, debounce=0, options=LOOSE | {"every": 200}) as memory:
        chat = memory.session("s")
        chat.add_many(talk(1, 2_000))
        fill(chat, 2_001, 2_010)
        memory.flush()
        assert ranges(chat) == [(first, first + 199) for first in range(1, 2_000, 200)]
        assert {one.method for one in chat.summaries()} == {"model"}
        assert model.calls == 10


def test_a_batch_is_summarised_whole_before_it_returns_if_asked_for() -> None:
    model = Watched()
    with opened(model, summarize="inline") as memory:
        chat = memory.session("s")
        chat.add_many(talk(1, 150))
        assert len(ranges(chat)) == 10


def test_two_sessions_do_not_hold_each_other_up() -> None:
    clock, model = Hands(), Watched()
    with opened(model, clock=clock) as memory:
        quiet, busy = memory.session("quiet"), memory.session("busy")
        fill(quiet, 1, 15)
        fill(busy, 1, 15)
        clock.on(memory, 1.5)
        fill(busy, 16, 16)
        clock.on(memory, 0.6)
        assert model.begun.acquire(timeout=LONG)
        assert memory._parts.deriving.open()[-1] == ("default", "busy")
        assert say(1) in model.prompts[0]
        clock.on(memory, 2)
        assert model.begun.acquire(timeout=LONG)
        memory.flush()
        assert ranges(quiet) == ranges(busy) == [(1, 15)]


# Processes


def _forked(work: Callable[[], bool]) -> int:
    """The status of a child that does some work and goes without ceremony; one that hangs is killed."""
    child = os.fork()
    if child:
        ended = threading.Timer(LONG, os.kill, (child, signal.SIGKILL))
        ended.start()
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        ended.cancel()
        return status
    right = False
    try:
        right = work()
    finally:
        os._exit(0 if right else 1)


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_fork_leaves_the_work_that_waits_to_its_parent(tmp_path: Path) -> None:
    model = Watched()
    with opened(model, tmp_path / "memory.db", debounce=3600.0) as memory:
        chat = fill(memory.session("s"), 1, 15)

        def child() -> bool:
            memory.flush()
            idle = model.calls == 0 and not ranges(chat)
            own = fill(memory.session("own"), 1, 15)  # what it begins itself it also does
            memory.flush()
            right = idle and model.calls == 1 and ranges(own) == [(1, 15)]
            memory.close()
            return right

        assert _forked(child) == 0
        assert (model.calls, ranges(chat)) == (0, [])
        memory.flush()
        assert (model.calls, ranges(chat)) == (1, [(1, 15)])


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_fork_in_the_middle_of_a_call_ends_by_itself(tmp_path: Path) -> None:
    model = Watched()
    with hanging(model) as gate, opened(model, tmp_path / "memory.db", debounce=0) as memory:
        fill(memory.session("s"), 1, 15)
        assert model.begun.acquire(timeout=LONG)
        worker = memory._parts.deriving

        def child() -> bool:
            left = worker.stop()  # as at the end of a process
            memory.close()
            return left == [] and model.calls == 1

        with worker._news:  # somebody else may hold any lock at such a moment
            assert _forked(child) == 0
        gate.set()


PROGRAM = """
import os, signal, sys
sys.path[:0] = sys.argv[2:]
from model_tools import Scripted, first_words
from onrecord import Memory
from talk_tools import fill
memory = Memory(sys.argv[1], profile="hybrid", model=Scripted(first_words), summarize="background", debounce=3600.0)
fill(memory.session("s"), 1, 29)
print("added", flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.parametrize("then", ["add", "summarize", "rebuild"])
def test_a_killed_process_loses_nothing(then: str, tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    command = [sys.executable, "-c", PROGRAM, str(path), str(Path(__file__).parent)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert (done.stdout, done.returncode) == ("added\n", -signal.SIGKILL), done.stderr
    with opened(Watched(), path, summarize="inline") as memory:
        chat = memory.session("s")
        assert (len(list(chat.history())), ranges(chat)) == (29, [])
        steps: dict[str, Callable[[], object]] = {"add": lambda: fill(chat, 30, 30), "summarize": chat.summarize}
        steps.get(then, chat.rebuild)()
        with opened(Watched(), summarize="inline") as other:
            assert nodes(chat)[:1] == nodes(fill(other.session("s"), 1, 29))


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="counts descriptors by /proc")
@pytest.mark.parametrize("end", [".db", "/"])
def test_a_memory_that_nobody_closed_or_holds_lets_go(tmp_path: Path, end: str) -> None:
    gc.collect()
    before, threads = len(os.listdir("/proc/self/fd")), threading.active_count()
    for number in range(100):
        memory = Memory(f"{tmp_path}/{number}{end}", embedder=None)
        memory.session("trip").add("user", "I live in Porto.")
    del memory
    until = time.monotonic() + 10
    while threading.active_count() > threads and time.monotonic() < until:  # work under way may end
        gc.collect()
        time.sleep(0.01)
    gc.collect()
    assert threading.active_count() == threads
    assert len(os.listdir("/proc/self/fd")) <= before
    for number in range(0, 100, 10):
        with Memory(f"{tmp_path}/{number}{end}", embedder=None) as again:
            assert [message.text for message in again.session("trip").history()] == ["I live in Porto."]
