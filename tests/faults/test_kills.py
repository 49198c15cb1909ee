"""A process may be killed at any moment: what was acknowledged is there, nothing is there by half, and work goes on."""

from __future__ import annotations

import os
import random
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import apsw
import pytest
from disk_tools import read_files, telling_text

from onrecord import Memory
from onrecord.records import Query

ROUNDS_PER_SESSION = 10  # so that looking at a whole session after each kill stays cheap
BATCH = 7
FORGETTABLE = 40
STORES = ["memory.db", "folder/"]
WAYS = [
    ("add", "power", "own"),
    ("add", "process", "inherited"),
    ("add_many", "power", "inherited"),
    ("add_many", "process", "own"),
]
"""What is done, how durably, and whether the child opens the memory or inherits it open (a folder has one writing
process, so there it cannot). The kills are shared out."""

Start = Callable[..., Any]


def kill_one(worker: Any, rng: random.Random, most: int, **order: Any) -> list[dict[str, Any]]:
    """Carry out an order, kill it after some answers, anywhere within the next, and say what it had answered."""
    worker.start(**order)
    source = worker.answers()
    answers: list[dict[str, Any]] = []
    wanted = rng.randrange(most)
    while len(answers) < wanted and (answer := next(source, None)):
        answers.append(answer)
    for _ in range(rng.randrange(20_000)):
        pass
    os.kill(worker.pids[0], signal.SIGKILL)
    answers += source
    assert worker.statuses[0] in (-signal.SIGKILL, 0), "the child failed by itself"
    return answers


def length_of_whole(path: str, session: str) -> int:
    """How many messages the session has, all of them whole and numbered without a gap."""
    with Memory(path) as memory:
        messages = list(memory.session(session).history())
    found = [(message.seq, message.text, message.state) for message in messages]
    assert found == [(seq, telling_text(session, seq), "kept") for seq in range(1, len(messages) + 1)]
    return len(messages)


def check_all(path: str) -> None:
    """Nothing is wrong with the store, by its own judgement and by SQLite's."""
    with Memory(path) as memory:
        assert memory.check().findings == ()
    if Path(path).is_file():
        db = apsw.Connection(path)
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        db.close()


@pytest.mark.parametrize(
    ("store", "do", "durability", "memory"),
    [(store, *way) for store in STORES for way in WAYS if (store, way[2]) != ("folder/", "inherited")],
)
def test_acknowledged_messages_survive(
    tmp_path: Path, start_worker: Start, kills: int, store: str, do: str, durability: str, memory: str
) -> None:
    path, seed = f"{tmp_path}/{store}", f"{do} {durability} {memory}"
    rng = random.Random(seed)
    worker = start_worker(path if memory == "inherited" else "")
    lengths: dict[str, int] = {}
    for turn in range(-(-kills // len(WAYS))):
        session, size = f"chat {turn // ROUNDS_PER_SESSION}", BATCH if do == "add_many" else 1
        before = lengths.get(session, 0)
        answers = kill_one(worker, rng, 25, do=do, path=path, session=session, durability=durability, batch=BATCH)
        acknowledged = max((answer["seq"] for answer in answers), default=before)
        length = lengths[session] = length_of_whole(path, session)
        assert length - acknowledged in (0, size), f"turn {turn}, seed {seed!r}"
        if turn % ROUNDS_PER_SESSION == 0:
            check_all(path)
    check_all(path)
    assert {session: length_of_whole(path, session) for session in lengths} == lengths


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("durability", ["power", "process"])
def test_derived_records_are_written_together_or_not_at_all(
    tmp_path: Path, start_worker: Start, kills: int, store: str, durability: str
) -> None:
    path, seed = f"{tmp_path}/{store}", f"derive {durability}"
    rng, worker = random.Random(seed), start_worker()
    version = 0
    for turn in range(-(-kills // len(WAYS))):
        order = {"path": path, "session": "chat", "durability": durability, "batch": BATCH, "version": version}
        answers = kill_one(worker, rng, 15, do="derive", **order)
        acknowledged = max((answer["version"] for answer in answers), default=version)
        with Memory(path) as memory:
            info = memory.session("chat").info()
            found = memory._store.records("default", "chat", Query(kind="summary", plan="p"))
        version = info.changes
        assert version - acknowledged in (0, 1), f"turn {turn}, seed {seed!r}"
        names = [f"last {version}", *(f"node {number}" for number in range(BATCH))] if version else []
        assert [record.key for record in found] == names, f"turn {turn}, seed {seed!r}"
        expected = {"text": telling_text("chat", version)}
        assert all(record.body == expected for record in found), f"turn {turn}, seed {seed!r}"
    check_all(path)


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("durability", ["power", "process"])
def test_what_was_counted_survives(
    tmp_path: Path, start_worker: Start, kills: int, store: str, durability: str
) -> None:
    path, seed = f"{tmp_path}/{store}", f"count {durability}"
    rng, worker = random.Random(seed), start_worker()
    with Memory(path) as memory:
        memory.session("chat").add("user", "one")
    total = 0
    for turn in range(-(-kills // len(WAYS))):
        answers = kill_one(worker, rng, 25, do="count", path=path, durability=durability, count=1_000_000)
        with Memory(path) as memory:
            found = memory._store.tally("default")
            if turn % 2:
                assert memory.flush()
        more = found.get("one", 0) - total - len(answers)
        assert more in (0, 1), f"turn {turn}, seed {seed!r}"
        total += len(answers) + more
        assert found == ({"one": total, "two": 2 * total} if total else {}), f"turn {turn}, seed {seed!r}"
    check_all(path)


def test_processes_count_at_once(tmp_path: Path, start_worker: Start) -> None:
    path = f"{tmp_path}/memory.db"
    with Memory(path) as memory:
        memory.session("chat").add("user", "one")
    start_worker().run(do="count", path=path, count=25, together=4)
    with Memory(path) as memory:
        assert memory._store.tally("default") == {"one": 100, "two": 200}


@pytest.mark.parametrize("store", STORES)
@pytest.mark.parametrize("durability", ["power", "process"])
def test_a_forgotten_message_is_whole_or_gone(
    tmp_path: Path, start_worker: Start, kills: int, store: str, durability: str
) -> None:
    path, seed = f"{tmp_path}/{store}", f"forget {durability}"
    rng, worker = random.Random(seed), start_worker()
    for turn in range(-(-kills // len(WAYS))):
        session = f"chat{turn}"
        with Memory(path, durability="process") as memory:
            memory.session(session).add_many(("user", telling_text(session, n)) for n in range(1, FORGETTABLE + 1))
        seqs = rng.sample(range(1, FORGETTABLE + 1), FORGETTABLE)
        answers = kill_one(worker, rng, 15, do="forget", path=path, session=session, seqs=seqs, durability=durability)
        gone = [answer["seq"] for answer in answers]
        at_once = [answer["seq"] for answer in answers if not answer["pending"]]
        assert left_over(tmp_path, session, at_once) == [], f"turn {turn}, seed {seed!r}"
        in_flight = seqs[len(gone)] if len(gone) < len(seqs) else None
        with Memory(path) as memory:
            messages = {message.seq: message for message in memory.session(session).history(forgotten=True)}
            assert sorted(messages) == list(range(1, FORGETTABLE + 1))
            for seq, message in messages.items():
                expected = ("forgotten", "") if seq in gone else ("kept", telling_text(session, seq))
                both = [expected, ("forgotten", "")] if seq == in_flight else [expected]
                assert (message.state, message.text) in both, f"turn {turn}, seed {seed!r}"
            if in_flight is not None and messages[in_flight].state == "forgotten":
                assert memory.flush()
                assert left_over(tmp_path, session, [in_flight]) == [], f"turn {turn}, seed {seed!r}"
            again = [*gone, in_flight or 1]
            memory.session(session).forget(*again)
            assert memory.flush()
            assert left_over(tmp_path, session, again) == [], f"turn {turn}, seed {seed!r}"
    check_all(path)


def left_over(folder: Path, session: str, seqs: list[int]) -> list[int]:
    """Those messages whose texts still lie in some file."""
    files = read_files(folder).values()
    begins = {seq: f"{session} says {seq} with".encode() for seq in seqs}
    return [seq for seq, begin in begins.items() if any(begin in data for data in files)]
