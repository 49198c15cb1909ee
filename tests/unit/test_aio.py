"""AsyncMemory is Memory, awaited: the same names with the same parameters."""

import asyncio
import inspect
from pathlib import Path

import pytest

from onrecord import AsyncMemory, AsyncSession, Memory, Session


def public(kind: type) -> dict[str, object]:
    parts = [part for part in reversed(kind.__mro__) if part.__module__.startswith("onrecord.")]
    return {name: value for part in parts for name, value in vars(part).items() if not name.startswith("_")}


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
            lines = await memory.export(tmp_path / "out.jsonl")
            other = memory.space("other")
            report = await other.import_(tmp_path / "out.jsonl")
            assert (report.added, lines) == (501, 504 + report.records)
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


def test_prompts_pins_and_summaries_awaited() -> None:
    async def use() -> None:
        async with AsyncMemory(":memory:", profile="hybrid", options={"every": 10}) as memory:
            chat = memory.session("trip")
            await chat.add_many([("user" if n % 2 else "assistant", f"Stop {n} of the tram.") for n in range(1, 26)])
            pin = await chat.pin("Allergic to penicillin", source=1, importance=0.9, type="concept")
            assert await chat.pins() == [pin]
            context = await chat.context("What now?", tokens=500)
            assert context.tokens <= 500
            assert "Allergic to penicillin" in str(context)
            await chat.unpin(pin.id)
            assert await chat.pins() == []
            assert [(one.first, one.last) async for one in chat.summaries(level=1)] == [(1, 10), (11, 20)]
            (made,) = (await chat.summarize(2, 4)).made
            assert [one.id async for one in chat.summaries(plan="manual")] == [made.id]
            assert (await chat.edit_summary(made.id, "Mine.")).locked
            assert not (await chat.lock_summary(made.id, False)).locked
            assert await chat.due() == []
            await chat.set_important({"key_decisions": ["Take the tram."]})
            assert (await chat.important()).key_decisions == ("Take the tram.",)
            compression = await chat.compression()
            assert compression is not None
            assert compression.keep_from == 21
            assert [message.seq for message in (await chat.conversation()).recent] == [21, 22, 23, 24, 25]
            assert await chat.rescore({1: 0.3}) == 1
            assert await chat.rebuild() == 2
            assert await memory.rebuild(session="trip") == 2
            closing = await chat.end("All done.")
            assert closing is not None
            assert closing.text == "All done."
            assert (await chat.info()).status == "ended"

    asyncio.run(use())


def test_what_is_due_is_made_when_asked() -> None:
    async def use() -> None:
        async with AsyncMemory(":memory:", profile="rolling", summarize="manual") as memory:
            chat = memory.session("trip")
            await chat.add_many([("user", f"Stop {n}.") for n in range(20)])
            assert await chat.due() == [(1, 10)]
            assert len((await chat.summarize()).made) == 1
            assert await chat.due() == []

    asyncio.run(use())
