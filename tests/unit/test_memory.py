"""Memory and Session through their public names, on every embedded store."""

import copy
import io
import os
import pickle
import threading
import tracemalloc
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, asdict, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from onrecord import Conflict, Forgotten, InvalidInput, Memory, Message, NotFound, StoreClosed, doctor


@pytest.fixture(params=[":memory:", "memory.db", "folder/"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == ":memory:":
        return ":memory:"
    return os.path.join(tmp_path, request.param)


@pytest.fixture(params=["memory.db", "folder/"])
def lasting(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A place that survives being closed."""
    return os.path.join(tmp_path, request.param)


@pytest.fixture
def memory(place: str) -> Iterator[Memory]:
    with Memory(place, durability="process") as opened:
        yield opened


def test_what_is_added_comes_back(memory: Memory) -> None:
    chat = memory.session("trip")
    receipt = chat.add("user", "We fly to Lisbon.", name="Ana", time="2026-05-05T09:00", id="m1", meta={"a": [1, None]})
    assert (receipt.id, receipt.seq, receipt.tokens, receipt.importance) == ("m1", 1, 5, 0.3)
    (message,) = chat.history()
    assert message.text == "We fly to Lisbon."
    assert message.time == datetime(2026, 5, 5, 9, tzinfo=UTC)
    assert (message.name, dict(message.meta), message.encoding) == ("Ana", {"a": [1, None]}, "o200k_base")
    assert message.overhead == 6  # 3 for the message, 1 for the role, 2 for the name


def test_ids_of_ours_say_what_they_are_and_sort_by_time(memory: Memory) -> None:
    chat = memory.session("trip")
    ids = [chat.add("user", str(n)).id for n in range(50)]
    assert all(id.startswith("msg_") for id in ids)
    assert sorted(ids) == ids
    assert len(set(ids)) == 50


def test_history_by_number_page_time_and_role(memory: Memory) -> None:
    chat = memory.session("trip")
    start = datetime(2026, 1, 1, tzinfo=UTC)
    for n in range(10):
        chat.add("user" if n % 2 == 0 else "assistant", str(n + 1), time=start + timedelta(days=n))

    def numbers(**parts: object) -> list[int]:
        return [message.seq for message in chat.history(**parts)]  # type: ignore[arg-type]

    assert numbers() == list(range(1, 11))
    assert numbers(limit=3) == [1, 2, 3]
    assert numbers(limit=3, after=3) == [4, 5, 6]
    assert numbers(last=2) == [9, 10]
    assert numbers(last=2, before=5) == [3, 4]
    assert numbers(after=2, before=5) == [3, 4]
    assert numbers(since=start + timedelta(days=7), until=start + timedelta(days=9)) == [8, 9]
    assert numbers(role="assistant", last=2) == [8, 10]
    assert numbers(role=["user", "assistant"], limit=2) == [1, 2]
    assert numbers(limit=0) == numbers(last=0) == []
    for bad in ({"limit": -1}, {"after": "x"}, {"role": "wizard"}, {"limit": 1, "last": 1}, {"since": "soon"}):
        with pytest.raises(InvalidInput):
            chat.history(**bad)


def test_a_long_history_is_read_in_pages(memory: Memory) -> None:
    chat = memory.session("long")
    chat.add_many([("user", str(n)) for n in range(1, 1002)])
    assert [int(message.text) for message in chat.history()] == list(range(1, 1002))
    assert [message.seq for message in chat.history(limit=700, after=200)] == list(range(201, 901))


def test_a_long_history_takes_constant_memory(tmp_path: Path) -> None:
    with Memory(tmp_path / "memory.db", durability="process", summarize="manual") as memory:
        chat = memory.session("long")
        chat.add_many([("user", f"message {n} " + "x" * 500) for n in range(10_000)])
        next(chat.history())  # what is loaded once does not count
        tracemalloc.start()
        assert sum(1 for _ in chat.history()) == 10_000
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert peak < 1_000_000  # a page or two; all of them would be ten times that


def test_a_key_makes_adding_repeatable(memory: Memory) -> None:
    chat = memory.session("trip")
    first = chat.add("user", "Hello", key="k1")
    again = chat.add("user", "Hello", key="k1")
    assert (again.id, again.seq, again.repeated) == (first.id, 1, True)
    with pytest.raises(Conflict):
        chat.add("user", "Other", key="k1")
    with pytest.raises(Conflict):
        chat.add_many([("user", "new"), {"role": "user", "text": "Other", "key": "k1"}])
    assert [message.text for message in chat.history()] == ["Hello"]
    chat.forget(1)
    with pytest.raises(Forgotten):
        chat.add("user", "Hello", key="k1")


def test_a_forgotten_message_keeps_its_number_and_nothing_else(memory: Memory) -> None:
    chat = memory.session("trip")
    for n in range(1, 4):
        chat.add("user", f"secret {n}", id=f"id-{n}", name="Ana", meta={"x": n})
    assert chat.forget("id-2").messages == 1
    assert chat.forget(2).messages == 0
    assert [message.seq for message in chat.history()] == [1, 3]
    stone = list(chat.history(forgotten=True))[1]
    assert (stone.seq, stone.text, stone.name, dict(stone.meta), stone.state) == (2, "", None, {}, "forgotten")
    assert stone.id != "id-2"
    assert chat.add("user", "next").seq == 4
    with pytest.raises(Forgotten):
        chat.add("user", "secret 2", id="id-2")


def test_forget_wants_to_know_what(memory: Memory) -> None:
    chat = memory.session("trip")
    chat.add("user", "x")
    for wrong in ({}, {"session": "trip", "space": "default"}, {"space": "default", "messages": 1}):
        with pytest.raises(InvalidInput):
            memory.forget(**wrong)
    with pytest.raises(InvalidInput):
        chat.forget()
    with pytest.raises(NotFound):
        chat.forget("no such id")
    with pytest.raises(NotFound):
        memory.forget(session="nobody")
    assert memory.forget(session="trip").sessions == 1
    assert memory.spaces() == []


def test_spaces_never_see_each_other(memory: Memory) -> None:
    ana, ben = memory.space("ana"), memory.space("ben")
    ana.session("chat").add("user", "mine", id="same", key="same")
    ben.session("chat").add("user", "his", id="same", key="same")
    assert [message.text for message in ana.session("chat").history()] == ["mine"]
    assert (ana.name, memory.spaces()) == ("ana", ["ana", "ben"])
    assert memory.forget(space="ana").spaces == 1
    assert [message.text for message in ben.session("chat").history()] == ["his"]


def test_what_is_known_of_a_session(memory: Memory) -> None:
    chat = memory.session("trip")
    assert chat.info().last_seq == 0
    chat.update(title="Lisbon", status="paused", model="gpt-4o", system="Be kind.", meta={"tag": "x"})
    chat.add("user", "x")
    known = chat.update(status="ended")
    assert (known.title, known.status, known.model, known.system) == ("Lisbon", "ended", "gpt-4o", "Be kind.")
    assert (dict(known.meta), known.last_seq) == ({"tag": "x"}, 1)
    assert list(memory.sessions()) == [known]
    for wrong in ({"status": "asleep"}, {"colour": "red"}, {"title": ""}, {"meta": 3}):
        with pytest.raises(InvalidInput):
            chat.update(**wrong)


def test_export_and_import_lose_nothing_and_repeat_nothing(memory: Memory, tmp_path: Path) -> None:
    chat = memory.session("trip")
    chat.update(title="T", meta={"a": 1})
    chat.add("user", "broken \0 text", key="k", name="Ana", importance=0.9)
    chat.add("assistant", "", tool_calls=[{"id": "c", "name": "f", "arguments": "{}"}], model="m")
    chat.add("tool", "result", tool_call_id="c")
    chat.add("user", "gone")
    chat.forget(4)
    memory.session("empty").update(title="nothing said")
    file = tmp_path / "out.jsonl"
    assert memory.export(file) == 1 + 2 + 4 + 1
    copy = memory.space("copy")
    assert copy.import_(file).added == 4
    second = copy.import_(file)
    assert (second.added, second.present, second.sessions) == (0, 4, 2)
    everything = {"forgotten": True}
    assert list(copy.session("trip").history(**everything)) == list(chat.history(**everything))  # type: ignore[arg-type]
    known = [[replace(info, changes=0) for info in one.sessions()] for one in (copy, memory)]
    assert known[0] == known[1]
    with pytest.raises(Forgotten):
        copy.session("trip").add("user", "gone", id=list(chat.history(forgotten=True))[3].id)
    one = io.StringIO()
    assert memory.export(one, session="empty") == 3
    copy.session("trip").forget(1)
    assert copy.import_(file).forgotten == 1


@pytest.mark.parametrize(
    "lines",
    [
        ["not json"],
        ["[]"],
        ['{"format":"other"}'],
        ['{"format":"onrecord-export","version":1}', '{"message":{}}'],
        ['{"format":"onrecord-export","version":1}', '{"session":{}}'],
        ['{"format":"onrecord-export","version":1}', '{"session":{"id":"s"}}', '{"what":1}'],
        ['{"format":"onrecord-export","version":1}', '{"session":{"id":"s"}}', '{"message":{"seq":"x"}}'],
    ],
)
def test_a_foreign_file_is_refused_by_line(memory: Memory, lines: list[str]) -> None:
    with pytest.raises(InvalidInput):
        memory.import_(lines)


def test_a_closed_memory_says_so(memory: Memory) -> None:
    chat = memory.session("s")
    memory.close()
    memory.close()
    with pytest.raises(StoreClosed):
        chat.add("user", "x")
    with pytest.raises(StoreClosed):
        list(chat.history())


def test_it_survives_being_closed(lasting: str) -> None:
    with Memory(lasting) as memory, memory.session("trip") as chat:
        chat.add("user", "Hello")
    with Memory(lasting) as memory:
        assert [message.text for message in memory.session("trip").history()] == ["Hello"]
        assert memory.check().ok


def test_backup_is_a_whole_memory_and_replaces_nothing(lasting: str, tmp_path: Path) -> None:
    target = tmp_path / ("copy.db" if lasting.endswith(".db") else "copy/")
    with Memory(lasting) as memory:
        memory.session("trip").add("user", "Hello")
        memory.backup(target)
        with pytest.raises(InvalidInput):
            memory.backup(target)
    with Memory(target) as copy:
        assert [message.text for message in copy.session("trip").history()] == ["Hello"]
        assert copy.check().ok


def test_a_backup_made_while_others_write_is_of_one_moment(tmp_path: Path) -> None:
    with Memory(tmp_path / "memory.db", durability="process") as memory:
        chat, done = memory.session("trip"), threading.Event()
        chat.add("user", "0")

        def write() -> None:
            while not done.is_set():
                chat.add_many([("user", "a"), ("user", "b")])

        thread = threading.Thread(target=write)
        thread.start()
        try:
            memory.backup(tmp_path / "copy.db")
        finally:
            done.set()
            thread.join()
    with Memory(tmp_path / "copy.db") as copied:
        seqs = [message.seq for message in copied.session("trip").history()]
        assert seqs == list(range(1, len(seqs) + 1))
        assert len(seqs) % 2 == 1  # no half of a batch
        assert copied.check().ok


def test_doctor_looks_and_rescues(lasting: str, tmp_path: Path) -> None:
    with Memory(lasting) as memory:
        memory.session("trip").add("user", "Hello")
    assert doctor(lasting).ok  # type: ignore[union-attr]
    target = tmp_path / "rescued.db"
    doctor(lasting, rescue_to=target)
    with Memory(target) as rescued:
        assert [message.text for message in rescued.session("trip").history()] == ["Hello"]
    with pytest.raises(InvalidInput):
        doctor(lasting, rescue_to=target)
    with pytest.raises(NotFound):
        doctor(tmp_path / "nothing.db")


def test_addresses_that_cannot_be_opened_are_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="mysql://"):
        Memory("mysql://localhost/x")
    assert list(tmp_path.iterdir()) == []


def test_a_restored_backup_is_as_good_as_the_memory(tmp_path: Path) -> None:
    with Memory(tmp_path / "memory.db") as memory:
        memory.session("trip").add("user", "Hello")
        memory.backup(tmp_path / "copy.db")
    with Memory(tmp_path / "copy.db", busy_timeout=0) as copy, Memory(tmp_path / "copy.db", busy_timeout=0) as other:
        reading = copy.session("trip").history()
        next(reading)
        assert other.session("trip").add("user", "Again").seq == 2  # nobody waits: the copy has a log too
        assert (tmp_path / "copy.db-wal").exists()


def test_what_a_caller_does_to_a_message_stays_with_the_caller(place: str) -> None:
    with Memory(place) as memory:
        chat = memory.session("trip")
        chat.update(meta={"a": [1]})
        chat.add("user", "x", meta={"a": [1]})
        message = next(chat.history())
        message.meta["a"].append(2)
        chat.info().meta["a"].append(2)
        assert next(chat.history()).meta == {"a": [1]} == chat.info().meta
    if place != ":memory:":
        with Memory(place) as memory:
            assert next(memory.session("trip").history()).meta == {"a": [1]}


def test_records_are_ordinary_values(memory: Memory) -> None:
    chat = memory.session("trip")
    chat.add("user", "x")
    message, info = next(chat.history()), chat.info()
    assert pickle.loads(pickle.dumps(message)) == copy.deepcopy(message) == message
    assert {message: 1}[next(chat.history())] == 1
    assert asdict(info)["id"] == "trip"
    with pytest.raises(FrozenInstanceError):
        message.text = "y"  # type: ignore[misc]


def test_a_built_message_has_every_field_in_its_place(memory: Memory) -> None:
    chat = memory.session("trip")
    calls = [{"id": "c", "name": "f", "arguments": "{}"}]
    parts = {"name": "n", "id": "i", "model": "m", "tool_call_id": "tc", "importance": 0.25, "meta": {"a": 1}}
    chat.add("assistant", "t\0", time="2026-01-01", key="k", tool_calls=calls, **parts)  # type: ignore[arg-type]
    message = next(chat.history())
    assert Message.from_dict(message.to_dict()) == message
    assert (message.name, message.id, message.model, message.tool_call_id) == ("n", "i", "m", "tc")
    assert (message.importance, dict(message.meta), message.state) == (0.25, {"a": 1}, "kept")
    assert message.tool_calls[0].name == "f"
    assert message.original == '"t\\u0000"'


def test_an_export_never_harms_the_memory_or_an_earlier_export(place: str, tmp_path: Path) -> None:
    memory = Memory(place)
    memory.session("trip").add("user", "Hello")
    if place != ":memory:":
        inside = [place, f"{place}-wal"] if place.endswith(".db") else [f"{place}onrecord.json", f"{place}new.jsonl"]
        for target in inside:
            with pytest.raises(InvalidInput):
                memory.export(target)
    out = tmp_path / "out.jsonl"
    memory.export(out)
    whole = out.read_text()
    memory.close()
    with pytest.raises(StoreClosed):
        memory.export(out)
    assert out.read_text() == whole
    assert not [path for path in tmp_path.iterdir() if path.suffix == ".onrecord-part"]


@pytest.mark.parametrize("path", [5, [], b"x", "", "a\0b", "\ud800.db"])
def test_what_is_no_path_is_refused(path: object) -> None:
    with pytest.raises(InvalidInput):
        Memory(path)  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [True, 0, -1, 1.5, None, 2**70, "\ud800", [1.5], b"x"])
def test_what_names_no_message_is_refused(memory: Memory, wrong: object) -> None:
    chat = memory.session("trip")
    chat.add("user", "x")
    with pytest.raises(InvalidInput):
        memory.forget(session="trip", messages=[wrong])  # type: ignore[list-item]
    assert len(list(chat.history())) == 1


def test_files_that_cannot_be_used_are_named(memory: Memory, tmp_path: Path) -> None:
    memory.session("trip").add("user", "x")
    (tmp_path / "latin.jsonl").write_bytes(b"caf\xff")
    for wrong in (lambda: memory.export(tmp_path), lambda: memory.import_(tmp_path / "latin.jsonl")):
        with pytest.raises(InvalidInput):
            wrong()
    for missing in (lambda: memory.export(tmp_path / "no" / "x"), lambda: memory.import_(tmp_path / "no.jsonl")):
        with pytest.raises(NotFound):
            missing()
    with pytest.raises(NotFound):
        memory.export(tmp_path / "x", session="nobody")


def test_many_tombstones_are_passed_in_few_steps(memory: Memory) -> None:
    chat = memory.session("trip")
    chat.add_many([("user", str(n)) for n in range(1, 1501)])
    memory.forget(session="trip", messages=range(2, 1500))
    assert [message.seq for message in chat.history(limit=2)] == [1, 1500]
    assert [message.seq for message in chat.history(last=2)] == [1, 1500]
