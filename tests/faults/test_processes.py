"""Many at once, processes and threads, on one file: every message gets a number of its own, and nobody must wait."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import apsw
import pytest
from disk_tools import hold_reader

from onrecord import Memory, StoreBusy, StoreDamaged
from onrecord.settings import Settings
from onrecord.stores.sqlite import SqliteStore

MANY = 8
EACH = 25

Start = Callable[..., Any]


def placed(answers: list[dict[str, Any]]) -> dict[int, str]:
    """Texts by number, as the receipts said; two receipts never name one number."""
    found = {answer["seq"]: answer["text"] for answer in answers}
    assert len(found) == len(answers)
    return found


def kept(path: Path, session: str = "chat") -> dict[int, str]:
    with Memory(path) as memory:
        assert memory.check().findings == ()
        return {message.seq: message.text for message in memory.session(session).history()}


def test_processes_add_to_one_session(tmp_path: Path, start_worker: Start) -> None:
    path = tmp_path / "memory.db"
    answers = start_worker().run(do="compete", path=str(path), session="chat", count=EACH, together=MANY)
    assert sorted(placed(answers)) == list(range(1, MANY * EACH + 1))
    assert kept(path) == placed(answers)


def test_processes_create_one_file_at_once(tmp_path: Path, start_worker: Start) -> None:
    worker = start_worker()
    for turn in range(12):
        path = tmp_path / f"{turn}.db"
        answers = worker.run(do="compete", path=str(path), session="chat", count=1, together=3)
        assert kept(path) == placed(answers), f"turn {turn}"
        assert sorted(placed(answers)) == [1, 2, 3], f"turn {turn}"


def test_a_file_appears_while_it_is_being_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process makes the file between two looks at it: it is taken for ours, not for another program's."""
    path, settings = tmp_path / "memory.db", Settings(durability="process", busy_timeout=0.0)
    hooks: list[Callable[[apsw.Connection], None]] = []
    monkeypatch.setattr(apsw, "connection_hooks", hooks)
    made: list[bool] = []

    def make(event: dict[str, Any]) -> None:
        if "sqlite_schema" in event["sql"] and not made:
            made.append(True)
            with suppress(StoreBusy):  # the first one may hold the file while it looks: just as well
                SqliteStore(path, settings).close()

    def watch(db: apsw.Connection) -> None:
        if not made:
            db.trace_v2(apsw.SQLITE_TRACE_STMT, make)

    hooks.append(watch)
    SqliteStore(path, settings).close()
    assert made


@pytest.mark.parametrize("parent", ["busy", "idle"])
def test_parent_and_children_share_a_memory(tmp_path: Path, start_worker: Start, parent: str) -> None:
    path = tmp_path / "memory.db"
    worker = start_worker(path)
    order = {"do": "compete", "session": "chat", "count": EACH, "together": 3}
    answers = worker.run(**order, parent="compete" if parent == "busy" else None)
    assert len(answers) == EACH * (4 if parent == "busy" else 3)
    assert sorted(placed(answers)) == list(range(1, len(answers) + 1))
    assert kept(path) == placed(answers)


def test_a_child_goes_on_after_its_parent_closed(tmp_path: Path, start_worker: Start) -> None:
    """What the parent does with its memory must not take away the file, or its log, under the child's."""
    path = tmp_path / "memory.db"
    worker = start_worker(path)
    answers = worker.run(do="linger", session="chat", count=5, close=True)
    assert kept(path) == placed(answers)
    assert len(answers) == 10


def test_a_child_can_flush(tmp_path: Path, start_worker: Start) -> None:
    worker = start_worker(tmp_path / "memory.db")
    worker.run(do="compete", session="chat", count=2)
    assert worker.run(do="flush") == [{"flushed": True}]


def test_readers_and_writers_do_not_wait(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Memory(path, busy_timeout=0) as memory, Memory(path, busy_timeout=0) as other:
        chat = memory.session("chat")
        chat.add_many(("user", f"number {n}") for n in range(1, 1001))
        reading = chat.history()
        first = [next(reading) for _ in range(10)]
        other.session("chat").add("user", "number 1001")
        with hold_reader(path):
            other.session("chat").add("user", "number 1002")
            chat.forget(1002)
        texts = [message.text for message in [*first, *reading]]
        assert texts[:1001] == [f"number {n}" for n in range(1, 1002)]


def test_a_writer_at_work_blocks_writers_only(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Memory(path, busy_timeout=0) as memory:
        chat = memory.session("chat")
        chat.add("user", "before")
        db = apsw.Connection(str(path))
        db.execute("BEGIN IMMEDIATE; CREATE TABLE other (x)")
        assert [message.text for message in chat.history()] == ["before"]
        assert [info.last_seq for info in memory.sessions()] == [1]
        with pytest.raises(StoreBusy):
            chat.add("user", "meanwhile")
        with pytest.raises(StoreBusy):
            chat.forget(1)
        db.execute("ROLLBACK")
        db.close()
        assert chat.add("user", "after").seq == 2


def test_threads_share_a_memory(tmp_path: Path) -> None:
    failures: list[BaseException] = []
    answers: list[dict[str, Any]] = []
    with Memory(tmp_path / "memory.db", durability="process") as memory:
        chat, gate = memory.session("chat"), threading.Barrier(MANY)

        def work(name: int) -> None:
            try:
                gate.wait()
                for turn in range(EACH):
                    text = f"{name} turn {turn}"
                    answers.append({"seq": chat.add("user", text).seq, "text": text})
                    seqs = [message.seq for message in chat.history(last=5)]
                    assert seqs == list(range(seqs[0], seqs[0] + len(seqs)))
            except BaseException as error:
                failures.append(error)
                raise

        threads = [threading.Thread(target=work, args=(name,)) for name in range(MANY)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failures == []
    assert kept(tmp_path / "memory.db") == placed(answers)
    assert sorted(placed(answers)) == list(range(1, MANY * EACH + 1))


def test_a_fork_does_not_starve_behind_readers(tmp_path: Path) -> None:
    with Memory(tmp_path / "memory.db", durability="process") as memory:
        chat, done = memory.session("chat"), threading.Event()
        chat.add("user", "before")

        def read() -> None:
            while not done.is_set():
                list(chat.history())

        threads = [threading.Thread(target=read) for _ in range(4)]
        for thread in threads:
            thread.start()
        try:
            for turn in range(3):
                child = os.fork()
                if child == 0:
                    os._exit(0 if chat.add("user", f"child {turn}").seq == turn + 2 else 1)
                assert os.waitpid(child, 0)[1] == 0
        finally:
            done.set()
            for thread in threads:
                thread.join()
        assert [message.text for message in chat.history()] == ["before", "child 0", "child 1", "child 2"]


def test_a_foreign_file_gets_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "photo.jpg"
    path.write_bytes(b"\xff\xd8" + bytes(range(256)) * 40)
    with pytest.raises(StoreDamaged):
        Memory(path)
    assert list(tmp_path.iterdir()) == [path]


def test_checking_while_others_write_finds_nothing_wrong(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Memory(path, durability="process") as memory, Memory(path, durability="process") as other:
        memory.session("chat").add_many([("user", str(n)) for n in range(600)])
        seen: list[int] = []

        def meanwhile(count: int) -> None:
            if not seen:
                other.session("new").add("user", "meanwhile")
            seen.append(count)

        assert memory.check(progress=meanwhile).findings == ()
