"""Many at once: threads that search, add and forget; a process that was forked; and work in the background."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from recall_tools import Toy, blocks_of, opened, texts_of, told

from onrecord.recall.indexed_texts import fingerprint

LONG = 60  # seconds until a test that hangs gives up


@pytest.mark.parametrize("kind", [":memory:", "memory.db"])
def test_searching_adding_and_forgetting_at_once(tmp_path: Path, kind: str) -> None:
    toy = Toy()
    place = kind if kind == ":memory:" else tmp_path / kind
    turns = 25

    def add(number: int) -> None:
        for turn in range(turns):
            told(memory, f"s{number}", f"Thread {number} saw ship {turn}")

    def forget(number: int) -> None:
        chat = memory.session("gone")
        for turn in range(turns):
            seq = chat.add("user", f"The password {turn} is marzipan").seq
            chat.forget(seq)
            assert all(f"password {turn} " not in text for text in texts_of(memory.search("marzipan password")))

    def search(number: int) -> None:
        for turn in range(turns):
            hits = memory.search(f"ship {turn}", limit=1_000)
            assert len({(hit.session, hit.seq) for hit in hits}) == len(hits)
            if turn % 5 == 0:
                memory.rebuild(vectors=True)

    with opened(place, toy) as memory:
        with ThreadPoolExecutor(6) as pool:
            work = [pool.submit(job, number) for number, job in enumerate([add, add, forget, search, search])]
            for one in work:
                one.result(LONG)
        assert len(memory.search("ship", limit=1_000)) == 2 * turns
        memory.flush()
        kept = blocks_of(memory, toy.name, toy.dimension)
        prints = sorted(number for texts in kept.values() for number in texts.prints.tolist())
        expected = [f"Thread {number} saw ship {turn}" for number in (0, 1) for turn in range(turns)]
        assert prints == sorted(fingerprint(text) for text in expected)
        if isinstance(place, Path):
            assert memory.check().ok


def test_searches_of_other_spaces_do_not_wait_for_each_other() -> None:
    inside, go_on = threading.Event(), threading.Event()

    class Slow(Toy):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            if any("slow" in text for text in texts):
                inside.set()
                assert go_on.wait(LONG)
            return super().embed(texts)

    with opened(embedder=Slow()) as memory, ThreadPoolExecutor(1) as pool:
        told(memory.space("one"), "s", "slow ship")
        told(memory.space("two"), "s", "fast ship")
        waiting = pool.submit(memory.space("one").search, "ship")
        assert inside.wait(LONG)
        assert texts_of(memory.space("two").search("ship")) == ["fast ship"]
        go_on.set()
        assert texts_of(waiting.result(LONG)) == ["slow ship"]


def test_adding_and_searching_do_not_wait_for_vectors_that_are_made_in_the_background() -> None:
    inside, go_on = threading.Event(), threading.Event()

    class Slow(Toy):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            if threading.current_thread() is not threading.main_thread():
                inside.set()
                assert go_on.wait(LONG)
            return super().embed(texts)

    with opened(embedder=Slow()) as memory:
        told(memory, "s", *(f"Ship {number}" for number in range(70)))
        assert inside.wait(LONG)
        told(memory, "s", "A walrus")
        assert texts_of(memory.search("walrus", limit=1)) == ["A walrus"]
        go_on.set()


def test_closing_ends_the_work_in_the_background(tmp_path: Path) -> None:
    toy = Toy()
    memory = opened(tmp_path / "memory.db", toy)
    told(memory, "s", *(f"Ship {number}" for number in range(2_000)))
    memory.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "onrecord"]
    memory.close()


def forked(work: object) -> None:
    """Run something in a child of this process; fails if it hangs or fails there."""
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        signal.alarm(LONG)
        try:
            work()  # type: ignore[operator]
        except BaseException:  # noqa: BLE001 - the parent must hear of it, whatever it is
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) == 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_forked_process_searches_by_itself(tmp_path: Path) -> None:
    with opened(tmp_path / "memory.db", Toy()) as memory:
        told(memory, "s", *(f"Ship {number}" for number in range(100)))
        memory.search("ship")
        spaces = memory._parts.recall._own

        def child() -> None:
            assert len(memory.search("ship", limit=200)) == 100
            told(memory, "t", "A walrus of the child")
            assert texts_of(memory.search("walrus", limit=1)) == ["A walrus of the child"]
            assert memory.session("t").context("Where is ship 7?").tokens
            memory.close()

        with spaces._lock:  # another thread is at it while the process is forked
            forked(child)
        assert texts_of(memory.search("walrus", limit=1)) == ["A walrus of the child"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no forks here")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")
def test_a_fork_while_the_worker_works(tmp_path: Path) -> None:
    inside, go_on = threading.Event(), threading.Event()

    class Slow(Toy):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            if threading.current_thread().name == "onrecord":
                inside.set()
                assert go_on.wait(LONG)
            return super().embed(texts)

    with opened(tmp_path / "memory.db", Slow()) as memory:
        told(memory, "s", *(f"Ship {number}" for number in range(100)))
        assert inside.wait(LONG)

        def child() -> None:
            go_on.set()
            assert len(memory.search("ship", limit=200)) == 100
            memory.flush()
            memory.close()

        forked(child)
        go_on.set()
        assert len(memory.search("ship", limit=200)) == 100
