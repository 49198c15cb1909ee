"""Many at work on one session with one model: one result and at most two calls for it, whoever is killed meanwhile."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from model_tools import Scripted, first_words
from talk_tools import fill, nodes, ranges, say, talk

from onrecord import Memory, Session
from onrecord.derive.leases import AT_IT, Claims
from onrecord.derive.spending import Waits
from onrecord.records import Query, Record
from onrecord.testing.scripted_server import ScriptedEndpoint

LONG = 60  # seconds until a test that hangs gives up
LOOSE = {"kept_floor": 0.0}
PROFILES = ["balanced", "hybrid", "tiered", "progressive", "rolling"]
OPTIONS: dict[str, dict[str, Any]] = {"progressive": LOOSE | {"over": 900, "keep": 300}}
COUNT = 50


class Hands:
    """A clock that somebody sets."""

    def __init__(self) -> None:
        self.now = datetime.now(UTC)

    def __call__(self) -> datetime:
        return self.now


def faithful(prompt: str) -> str:
    return "{}" if "JSON object" in prompt else first_words(prompt)


def opened(path: str | Path, model: Any, profile: str = "hybrid", **more: Any) -> Memory:
    given: dict[str, Any] = {"summarize": "manual", "durability": "process", "busy_timeout": 60.0}
    given["options"] = OPTIONS.get(profile, LOOSE)
    return Memory(path, profile=profile, model=model, **given | more)


def filled(path: str | Path, profile: str = "hybrid", count: int = 0) -> None:
    with opened(path, "gpt-4o", profile) as memory:
        memory.session("s").add_many(talk(1, count or COUNT))


# Many at once

PROGRAM = """
import json, sys, threading
from onrecord import Memory
path, address, profile, threads, options = sys.argv[1:]
memory = Memory(
    path, profile=profile, model="openai/gpt-4o", upstream=address, upstream_key="k", summarize="manual",
    options=json.loads(options), busy_timeout=60.0,
)
chat = memory.session("s")
print("ready", flush=True)
sys.stdin.readline()
at_it = [threading.Thread(target=chat.summarize) for _ in range(int(threads))]
for thread in at_it:
    thread.start()
for thread in at_it:
    thread.join()
memory.close()
"""


class Process:
    """Another process that summarises the session, once it is told to begin."""

    def __init__(self, path: Path, server: ScriptedEndpoint, profile: str = "hybrid", threads: int = 1):
        command = [sys.executable, "-c", PROGRAM, str(path), server.base_url, profile, str(threads)]
        command.append(json.dumps(OPTIONS.get(profile, LOOSE)))
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def begin(self) -> None:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "ready\n"
        self.process.stdin.write("\n")
        self.process.stdin.flush()

    def end(self, kill: bool = False) -> int:
        if kill:
            self.process.kill()
        self.process.communicate(timeout=LONG)
        return self.process.returncode


def prompts(server: ScriptedEndpoint) -> list[str]:
    return [str(asked.body["messages"][-1]["content"]) for asked in server.requests]


@pytest.mark.parametrize("profile", ["hybrid", "progressive"])
def test_threads_and_processes_come_to_one_result_at_one_price(tmp_path: Path, profile: str) -> None:
    path, begun = tmp_path / "memory.db", threading.Event()
    filled(path, profile)

    def said(body: Mapping[str, Any]) -> str:
        assert begun.wait(LONG)  # until all are at it
        return faithful(str(body["messages"][-1]["content"]))

    with ScriptedEndpoint() as server:
        server.answers = said
        processes = [Process(path, server, profile, threads=3) for _ in range(3 if profile == "hybrid" else 2)]
        for process in processes:
            process.begin()
        begun.set()
        assert {process.end() for process in processes} == {0}
        counts = Counter(prompts(server))
    alone = opened(":memory:", Scripted(faithful, name="openai/gpt-4o"), profile)
    with opened(path, "gpt-4o", profile) as memory, alone:
        chat = memory.session("s")
        assert chat.due() == []
        assert {one.method for one in chat.summaries()} == {"model"}
        assert len(set(ranges(chat))) == len(ranges(chat)) > (profile == "hybrid")
        texts = [text for text in counts if "JSON object" not in text]
        assert len(texts) == len(ranges(chat))
        alone.session("s").add_many(talk(1, COUNT))
        alone.session("s").summarize()
        assert nodes(chat) == nodes(alone.session("s"))
    assert set(counts.values()) == {1}


@pytest.mark.parametrize("elsewhere", [False, True], ids=["here", "from another machine"])
@pytest.mark.parametrize(
    ("kills", "method", "refused"), [(1, "model", ()), (2, "keyword", ("asked_twice",))], ids=["once", "twice"]
)
def test_another_takes_over_from_those_that_were_killed_but_a_third_asks_nobody(
    kills: int,
    method: str,
    refused: tuple[str, ...],
    elsewhere: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "memory.db"
    filled(path, count=15)
    begun = threading.Semaphore(0)
    clock, model = Hands(), Scripted(faithful)
    with ScriptedEndpoint() as server:

        def said(body: Mapping[str, Any]) -> str:
            begun.release()
            server.released.wait()
            return ""

        server.answers = said
        for _ in range(kills):
            process = Process(path, server)
            process.begin()
            assert begun.acquire(timeout=LONG)
            assert process.end(kill=True) == -signal.SIGKILL
        with opened(path, model, clock=clock, summarize="inline") as memory:
            if elsewhere:
                monkeypatch.setattr("onrecord.derive.leases.gethostname", lambda: "another")
                chat = fill(memory.session("s"), 16, 16)  # while the claim lasts: nobody waits, nobody asks
                assert (ranges(chat), model.calls) == ([], 0)
                clock.now += timedelta(minutes=6)
            (made,) = memory.session("s").summarize().made
            assert memory._store.records("default", "s", Query(kind="mark", key="claim flat-15")) == []
        assert (made.method, made.refused) == (method, refused)
        assert len(server.requests) + model.calls == 2


# The claim itself


def test_a_claim_is_for_one_at_a_time_and_expires(tmp_path: Path) -> None:
    clock = Hands()
    filled(tmp_path / "memory.db")
    with opened(tmp_path / "memory.db", None) as memory:
        mine, other = Claims(memory._store, clock), Claims(memory._store, clock)
        claim = mine.take("default", memory.session("s").info(), "p")
        assert mine.calling(claim, "node")
        with pytest.raises(Waits, match=AT_IT):
            other.take("default", memory.session("s").info(), "p", insist=True)
        mine.take("default", memory.session("s").info(), "p")
        clock.now += timedelta(seconds=301)
        again = other.take("default", memory.session("s").info(), "p")
        assert again.calls == {"node": 1}
        assert other.calling(again, "node")
        assert not other.calling(again, "node")


def test_after_trouble_it_rests_unless_somebody_insists(tmp_path: Path) -> None:
    clock = Hands()
    filled(tmp_path / "memory.db")
    with opened(tmp_path / "memory.db", None) as memory:
        mine = Claims(memory._store, clock)
        claim = mine.take("default", memory.session("s").info(), "p")
        assert mine.calling(claim, "node")
        mine.give_up(claim, "It broke.")
        with pytest.raises(Waits, match=r"It broke\."):
            mine.take("default", memory.session("s").info(), "p")
        assert mine.take("default", memory.session("s").info(), "p", insist=True).calls == {}
        clock.now += timedelta(minutes=11)
        assert mine.take("default", memory.session("s").info(), "p").calls == {}


def test_a_claim_of_a_clock_that_went_back_since_holds_nobody_up(tmp_path: Path) -> None:
    clock = Hands()
    filled(tmp_path / "memory.db")
    with opened(tmp_path / "memory.db", None) as memory:
        mine = Claims(memory._store, clock)
        assert mine.calling(mine.take("default", memory.session("s").info(), "p"), "node")
        clock.now -= timedelta(days=365)
        assert Claims(memory._store, clock).take("default", memory.session("s").info(), "p").calls == {"node": 1}


@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_process_is_somebody_else(tmp_path: Path) -> None:
    filled(tmp_path / "memory.db")
    with opened(tmp_path / "memory.db", None) as memory:
        mine = Claims(memory._store, Hands())
        assert mine.calling(mine.take("default", memory.session("s").info(), "p"), "node")
        child = os.fork()
        if not child:
            with suppress(Waits):
                mine.take("default", memory.session("s").info(), "p")
                os._exit(1)
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


# Killed at any step


class Killed(BaseException):
    """As if the process ended here."""


def dying(memory: Memory, patch: pytest.MonkeyPatch, step: int, after: bool) -> list[int]:
    """From a write on (before or after it), none goes through any more; answers a list with an entry for each."""
    done: list[int] = []
    for name in ("commit", "count"):
        write = getattr(memory._store, name)

        def dead(*given: Any, write: Callable[..., Any] = write) -> Any:
            done.append(len(done))
            if len(done) > step or (len(done) == step and not after):
                raise Killed
            answer = write(*given)
            if len(done) == step:
                raise Killed
            return answer

        patch.setattr(memory._store, name, dead)
    return done


@pytest.mark.parametrize("after", [False, True])
@pytest.mark.parametrize("profile", ["hybrid", "progressive", "balanced"])
def test_whoever_is_killed_at_any_step_leaves_nothing_by_half(tmp_path: Path, profile: str, after: bool) -> None:
    count = {"hybrid": 30, "progressive": 45, "balanced": 34}[profile]
    model = Scripted(faithful, name="openai/gpt-4o")
    with opened(":memory:", model, profile) as memory:
        memory.session("s").add_many(talk(1, count))
        memory.session("s").summarize()
        whole = nodes(memory.session("s"))
    assert len(whole) > (profile != "progressive")  # that makes one of all
    step, steps = 0, 99
    while step < steps:
        step += 1
        path = tmp_path / f"{step}.db"
        filled(path, profile, count)
        model, clock = Scripted(faithful, name="openai/gpt-4o"), Hands()
        with opened(path, model, profile, clock=clock) as memory, pytest.MonkeyPatch.context() as patch:
            done = dying(memory, patch, step, after)
            try:
                memory.session("s").summarize()
                steps = step
            except Killed:
                assert len(done) >= step
            assert nodes(memory.session("s")) == whole[: len(nodes(memory.session("s")))]
        clock.now += timedelta(seconds=301)
        with opened(path, model, profile, clock=clock) as memory:
            memory.session("s").summarize()
            assert nodes(memory.session("s")) == whole, f"step {step}"
            assert {one.method for one in memory.session("s").summaries()} == {"model"}
        assert max(Counter(model.prompts).values()) <= 2
    assert 5 < steps < 40


# Somebody comes between


def between(memory: Memory, profile: str, act: Callable[[Session], object]) -> Scripted:
    """Summarise a conversation; while the model thinks for the first time, somebody does something."""
    acted: list[bool] = []

    def said(prompt: str) -> str:
        if not acted:
            acted.append(True)
            act(memory.session("s"))
        return faithful(prompt)

    model = memory._parts.model
    assert isinstance(model, Scripted)
    model.said = [said]
    memory.session("s").add_many(talk(1, COUNT))
    memory.session("s").summarize()
    assert acted
    return model


def everything(memory: Memory) -> list[Record]:
    return memory._store.records("default", "s", Query(kind="summary", limit=500))


@pytest.mark.parametrize("profile", PROFILES)
def test_what_is_forgotten_while_a_model_thinks_is_in_no_summary(profile: str, tmp_path: Path) -> None:
    secret = say(1).partition(". ")[0]  # what the model is about to answer with
    with opened(tmp_path / "memory.db", Scripted(faithful), profile) as memory:
        model = between(memory, profile, lambda chat: chat.forget(1))
        chat = memory.session("s")
        assert secret in model.prompts[0]
        assert not any(secret in text for text in model.prompts[1:])
        assert not any(secret in str(record.body) for record in everything(memory))
        assert chat.due() == []
        assert {one.method for one in chat.summaries()} == {"model"}
        assert max(Counter(model.prompts).values()) == 1
        with opened(":memory:", Scripted(faithful), profile) as other:
            other.session("s").add_many(talk(1, COUNT))
            other.session("s").forget(1)
            other.session("s").summarize()
            assert nodes(chat) == nodes(other.session("s"))


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("act", ["pin", "set", "update"])
def test_whatever_else_is_done_meanwhile_no_model_is_asked_twice(profile: str, act: str) -> None:
    acts: dict[str, Callable[[Session], object]] = {
        "pin": lambda chat: chat.pin("Tea, no coffee."),
        "set": lambda chat: chat.set_important({"user_preferences": {"drink": "tea"}}),
        "update": lambda chat: chat.update(title="The house"),
    }
    with opened(":memory:", Scripted(faithful), profile) as memory:
        model = between(memory, profile, acts[act])
        assert set(Counter(model.prompts).values()) == {1}
        texts = [text for text in model.prompts if "JSON object" not in text]
        assert len(texts) == len(ranges(memory.session("s"))) > (profile != "progressive")


@pytest.mark.parametrize("whole", ["session", "space"])
def test_a_session_that_is_forgotten_while_a_model_thinks_does_not_come_back(whole: str, tmp_path: Path) -> None:
    with opened(tmp_path / "memory.db", Scripted(faithful)) as memory:
        gone = {"session": "s"} if whole == "session" else {"space": "default"}
        between(memory, "hybrid", lambda chat: memory.forget(**gone))
        assert (list(memory.sessions()), everything(memory)) == ([], [])


# Making it again


@pytest.mark.parametrize("profile", PROFILES)
def test_a_rebuild_asks_anew_but_not_for_what_is_locked(profile: str) -> None:
    model = Scripted(faithful)
    with opened(":memory:", model, profile) as memory:
        chat = memory.session("s")
        chat.add_many(talk(1, COUNT))
        chat.summarize()
        before, asked = nodes(chat), model.calls
        assert chat.rebuild() == len(before)
        assert (nodes(chat), model.calls) == (before, 2 * asked + 1)  # and once before anything was thrown away
        first = next(iter(chat.summaries()))
        chat.lock_summary(first.id)
        model.said, model.asked = ["Never mind."], []
        chat.rebuild()
        assert next(iter(chat.summaries())).text == first.text
        assert not any(say(first.first) in text for text in model.prompts if first.level > 1 or profile == "hybrid")


def test_a_rebuild_asks_a_model_that_failed_before() -> None:
    model = Scripted("")
    with opened(":memory:", model) as memory:
        chat = memory.session("s")
        chat.add_many(talk(1, 15))
        chat.summarize()
        assert [one.method for one in chat.summaries()] == ["keyword"]
        model.said = [faithful]
        chat.rebuild()
        assert [(one.method, one.refused) for one in chat.summaries()] == [("model", ())]


def test_what_is_cleared_while_a_model_thinks_is_made_once() -> None:
    with opened(":memory:", Scripted(faithful), "rolling") as memory:
        model = between(memory, "rolling", lambda chat: chat.clear())
        assert set(Counter(model.prompts).values()) == {1}
        assert ranges(memory.session("s")) == [(1, 10), (1, 20), (1, 30), (1, 40)]
