"""AsyncMemory is Memory, awaited: the same names with the same parameters."""

import asyncio
import inspect
from pathlib import Path

import pytest

from recollect import AsyncMemory, AsyncSession, Memory, Session


def public(kind: type) -> dict[str, object]:
    return {name: value for name, value in vars(kind).items() if not name.startswith("_")}


@pytest.mark.parametrize(("sync", "async_"), [(Memory, AsyncMemory), (Session, AsyncSession)])
def test_every_name_is_there_with_the_same_parameters(sync: type, async_: type) -> None:
    assert set(public(sync)) == set(public(async_))
    for name, value in public(sync).items():
        if inspect.isfunction(value):
            twin = public(async_)[name]
            assert inspect.signature(value).parameters == inspect.signature(twin).parameters, name  # type: ignore[arg-type]


def test_the_same_answers_awaited(tmp_path: Path) -> None:
    async def use() -> None:
        async with AsyncMemory(tmp_path / "memory.db", durability="process") as memory:
            assert memory.name == "default"
            async with memory.session("trip") as chat:
                assert (await chat.add("user", "Hello")).seq == 1
                await chat.add_many([("user", str(n)) for n in range(500)])
                assert [message.seq async for message in chat.history(after=490)] == list(range(491, 502))
                assert (await chat.update(title="T")).title == "T"
                assert (await chat.info()).last_seq == 501
                assert (await chat.forget(1)).messages == 1
            assert chat.id == "trip"
            assert [info.id async for info in memory.sessions()] == ["trip"]
            assert await memory.export(tmp_path / "out.jsonl") == 504
            other = memory.space("other")
            assert (await other.import_(tmp_path / "out.jsonl")).added == 501
            assert await memory.spaces() == ["default", "other"]
            await memory.backup(tmp_path / "copy.db")
            assert (await memory.check()).ok
            assert (await memory.forget(session="trip")).sessions == 1
            assert await memory.flush()
            assert "default" in repr(memory)
            assert "trip" in repr(chat)

    asyncio.run(use())


def test_many_tasks_share_one_memory(tmp_path: Path) -> None:
    async def use() -> list[int]:
        async with AsyncMemory(tmp_path / "memory.db", durability="process") as memory:
            receipts = await asyncio.gather(*(memory.session("s").add("user", str(n)) for n in range(100)))
            return [receipt.seq for receipt in receipts]

    assert sorted(asyncio.run(use())) == list(range(1, 101))
