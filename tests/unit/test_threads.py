"""Threads that tenants share: what one of them asks for keeps no other waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from threading import Event

import pytest

from onrecord.errors import Limited
from onrecord.service import threads
from onrecord.service.threads import Threads


def run(test: Callable[[Threads], Awaitable[None]], share: int = 2) -> None:
    async def whole() -> None:
        pool = Threads(share, "test")
        try:
            await asyncio.wait_for(test(pool), 30)
        finally:
            pool.close()

    asyncio.run(whole())


def test_a_tenant_that_floods_keeps_no_other_waiting() -> None:
    async def test(pool: Threads) -> None:
        go = Event()
        flood = [asyncio.create_task(pool.run("evil", go.wait)) for _ in range(50)]
        await asyncio.sleep(0)
        assert await pool.run("good", lambda: "answer") == "answer"
        assert not any(call.done() for call in flood)
        go.set()
        assert all(await asyncio.gather(*flood))

    run(test)


def test_tenants_that_wait_take_turns() -> None:
    async def test(pool: Threads) -> None:
        go, order = Event(), list[str]()
        busy = [asyncio.create_task(pool.run(name, go.wait)) for name in ("one", "two")]
        await asyncio.sleep(0)
        calls = [
            asyncio.create_task(pool.run(name, lambda name=name: order.append(name)))  # type: ignore[misc]
            for name in ("evil", "evil", "evil", "good", "good")
        ]
        await asyncio.sleep(0)
        go.set()
        await asyncio.gather(*busy, *calls)
        assert order == ["evil", "good", "evil", "good", "evil"]

    run(test, share=1)


def test_no_more_of_a_tenant_wait_than_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "WAITING", 3)

    async def test(pool: Threads) -> None:
        go = Event()
        calls = [asyncio.create_task(pool.run("evil", go.wait)) for _ in range(5)]
        await asyncio.sleep(0)
        with pytest.raises(Limited):
            await pool.run("evil", go.wait)
        assert await pool.run("good", lambda: 1) == 1
        go.set()
        await asyncio.gather(*calls)
        assert await pool.run("evil", lambda: 1) == 1

    run(test)


def test_who_does_not_wait_for_the_end_gives_no_thread_back_before() -> None:
    async def test(pool: Threads) -> None:
        go = Event()
        left = asyncio.create_task(pool.run("evil", go.wait, abandon=True))
        await asyncio.sleep(0)
        left.cancel()
        waits = asyncio.create_task(pool.run("evil", lambda: 1))
        gone = asyncio.create_task(pool.run("evil", lambda: 2))
        await asyncio.sleep(0.05)
        assert left.cancelled()
        assert not waits.done()
        gone.cancel()
        go.set()
        assert await waits == 1
        assert await pool.run("evil", lambda: 3) == 3

    run(test, share=1)


def test_errors_are_those_of_the_work() -> None:
    async def test(pool: Threads) -> None:
        for _ in range(5):
            with pytest.raises(ZeroDivisionError):
                await pool.run(None, lambda: 1 // 0)

    run(test)
