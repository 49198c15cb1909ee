"""A disk that fails or is full: each operation is whole or refused by an error of ours; nothing acknowledged goes."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import apsw
import pytest
from disk_tools import search_bytes, telling_text

from onrecord import Erased, Memory, OnrecordError, StoreError, StoreFull
from onrecord.testing.faults import FaultVfs, Operation

BEFORE = 30
SECRET = "plumbago"


@dataclass(frozen=True)
class Step:
    """Something to do while the disk fails, and how to tell afterwards whether it was done."""

    do: Callable[[Memory], object]
    done: Callable[[Memory], bool]
    undone: Callable[[Memory], bool]


def state(memory: Memory) -> list[tuple[int, str]]:
    return [(message.seq, message.text) for message in memory.session("chat").history()]


def expected(last: int = BEFORE) -> list[tuple[int, str]]:
    return [(seq, telling_text("chat", seq)) for seq in range(1, last + 1)]


def add(memory: Memory) -> object:
    return memory.session("chat").add("user", telling_text("chat", BEFORE + 1))


def add_many(memory: Memory) -> object:
    chat = memory.session("chat")
    return chat.add_many(("user", telling_text("chat", seq)) for seq in range(BEFORE + 1, BEFORE + 41))


def forget(memory: Memory) -> Erased:
    return memory.forget(session="other", messages=1)


def forget_session(memory: Memory) -> Erased:
    return memory.forget(session="other")


def texts(memory: Memory) -> list[str]:
    return [message.text for message in memory.session("other").history()]


def unchanged(memory: Memory) -> bool:
    return state(memory) == expected() and len(texts(memory)) == 2 and memory.session("chat").info().title is None


STEPS = {
    "add": Step(add, lambda memory: state(memory) == expected(BEFORE + 1), unchanged),
    "add_many": Step(add_many, lambda memory: state(memory) == expected(BEFORE + 40), unchanged),
    "forget": Step(forget, lambda memory: texts(memory) == ["stays"], unchanged),
    "forget_session": Step(forget_session, lambda memory: texts(memory) == [], unchanged),
    "update": Step(
        lambda memory: memory.session("chat").update(title="new", system="long " * 2000),
        lambda memory: memory.session("chat").info().title == "new",
        unchanged,
    ),
    "flush": Step(Memory.flush, unchanged, unchanged),
}
FAULTS: list[tuple[Operation, type[apsw.Error], bool]] = [
    ("write", apsw.IOError, False),
    ("write", apsw.FullError, True),
    ("read", apsw.IOError, False),
    ("sync", apsw.IOError, False),
    ("truncate", apsw.IOError, False),
]


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with some messages, to be copied for each fault."""
    path = tmp_path_factory.mktemp("prepared") / "memory.db"
    with Memory(path) as memory:
        memory.session("chat").add_many(("user", text) for _, text in expected())
        memory.session("other").add_many([("user", SECRET), ("user", "stays")])
    return path


def fresh(prepared: Path, folder: Path) -> Path:
    """A copy of it in a folder of its own, which is empty again each time."""
    shutil.rmtree(folder / "copy", ignore_errors=True)
    (folder / "copy").mkdir()
    return Path(shutil.copy(prepared, folder / "copy" / "memory.db"))


def attempt(work: Callable[[], object]) -> bool:
    """Whether it was done; if not, the error must be one of ours."""
    try:
        work()
    except OnrecordError as error:
        assert isinstance(error, StoreError)  # noqa: PT017
        return False
    return True


def go_on(memory: Memory, step: Step, acknowledged: bool) -> None:
    """The disk works again: what was acknowledged is there, the rest is whole or absent, and the store can write."""
    assert step.done(memory) or (not acknowledged and step.undone(memory))
    chat = memory.session("next")
    assert chat.add("user", "afterwards").seq == len(list(chat.history()))


def verify(path: Path, name: str, acknowledged: bool) -> None:
    """The same for one who opens the file anew; a forget that failed can be done again."""
    step = STEPS[name]
    with Memory(path) as memory:
        go_on(memory, step, acknowledged)
        assert memory.check().findings == ()
        if name.startswith("forget"):
            if step.undone(memory):
                step.do(memory)
            assert memory.flush()
            assert search_bytes(path.parent, SECRET) == []


@pytest.mark.parametrize(("operation", "error", "torn"), FAULTS)
@pytest.mark.parametrize("name", STEPS)
def test_each_operation_of_the_disk_may_fail(
    prepared: Path,
    tmp_path: Path,
    disk: FaultVfs,
    name: str,
    operation: Operation,
    error: type[apsw.Error],
    torn: bool,
) -> None:
    struck = number = 0
    while struck == number:
        number += 1
        path = fresh(prepared, tmp_path)
        memory = Memory(path)
        disk.fail(operation, on=number, error=error, torn=torn)
        acknowledged = attempt(partial(STEPS[name].do, memory))
        disk.heal()
        struck = disk.failed
        go_on(memory, STEPS[name], acknowledged)
        memory.close()
        verify(path, name, acknowledged)
    assert acknowledged


@pytest.mark.parametrize(
    ("operation", "error"),
    [("write", apsw.IOError), ("write", apsw.FullError), ("sync", apsw.IOError), ("open", apsw.CantOpenError)],
)
def test_making_a_file_may_fail_anywhere(
    tmp_path: Path, disk: FaultVfs, operation: Operation, error: type[apsw.Error]
) -> None:
    struck = number = 0
    while struck == number:
        number += 1
        path = tmp_path / str(number) / "memory.db"
        disk.fail(operation, on=number, error=error)
        made = attempt(lambda path=path: Memory(path).close())  # type: ignore[misc]
        disk.heal()
        struck = disk.failed
        with Memory(path) as memory:
            assert memory.session("chat").add("user", "first").seq == 1
            assert memory.check().findings == ()
    assert made


@pytest.mark.parametrize("operation", ["write", "sync", "delete"])
def test_closing_may_fail_anywhere(prepared: Path, tmp_path: Path, disk: FaultVfs, operation: Operation) -> None:
    struck = number = 0
    while struck == number:
        number += 1
        path = fresh(prepared, tmp_path)
        memory = Memory(path)
        add_many(memory)
        disk.fail(operation, on=number)
        attempt(memory.close)
        disk.heal()
        struck = disk.failed
        verify(path, "add_many", True)


@pytest.mark.parametrize("name", ["add", "add_many", "update", "forget"])
def test_a_full_disk_is_said_to_be_full(prepared: Path, tmp_path: Path, disk: FaultVfs, name: str) -> None:
    """Reading goes on, and writing does as soon as there is room again."""
    after, full = 0, True
    while full:
        path = fresh(prepared, tmp_path)
        with Memory(path) as memory:
            disk.fill(after)
            try:
                STEPS[name].do(memory)
                full = disk.failed > 0
            except StoreFull:
                full = True
            for _ in range(3):
                with pytest.raises(StoreFull):
                    add_many(memory)
                assert state(memory)[:BEFORE] == expected()
            disk.heal()
            go_on(memory, STEPS[name], not full)
            assert add(memory)
            disk.failed = 0
        verify_whole(path)
        after += 1


def verify_whole(path: Path) -> None:
    with Memory(path) as memory:
        assert memory.check().findings == ()
        assert state(memory)[:BEFORE] == expected()


def test_adding_until_the_disk_is_full(tmp_path: Path, disk: FaultVfs) -> None:
    """Every receipt that was given stays good."""
    for after in range(1, 60, 7):
        path = tmp_path / f"{after}.db"
        with Memory(path) as memory:
            disk.fill(after)
            last = 0
            with suppress(StoreFull):
                while True:
                    last = memory.session("chat").add("user", telling_text("chat", last + 1)).seq
            assert state(memory) == expected(last)
            disk.heal()
            assert memory.session("chat").add("user", telling_text("chat", last + 1)).seq == last + 1
        with Memory(path) as memory:
            assert state(memory) == expected(last + 1)
            assert memory.check().findings == ()
