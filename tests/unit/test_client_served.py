"""A client and a service on a real socket: awaited, and with keys."""

import asyncio
from pathlib import Path
from threading import Thread
from time import sleep

import pytest
from network_tools import Proxy
from service_tools import key_of, serving

from onrecord import AsyncMemory, Denied, Memory, StoreError


def test_awaited_it_works_the_same(tmp_path: Path) -> None:
    async def use(address: str) -> None:
        async with AsyncMemory(address) as memory:
            async with memory.session("trip") as chat:
                await asyncio.gather(*(chat.add("user", str(n)) for n in range(20)))
                assert [message.seq async for message in chat.history()] == list(range(1, 21))
            lines = await memory.export(tmp_path / "out.jsonl")
            report = await memory.space("other").import_(tmp_path / "out.jsonl")
            assert (report.added, lines) == (20, 23 + report.records)

    with serving(tmp_path / "memory.db") as service:
        asyncio.run(use(service.url))


def test_a_key_opens_what_it_may(tmp_path: Path) -> None:
    place = tmp_path / "memory.db"
    reader, bound = key_of(place, "read"), key_of(place, "read", "write", tenant="acme", space="ana")
    with serving(place) as service:
        for key in (None, "rk_00000000_wrong"):
            with Memory(service.url, key=key) as stranger, pytest.raises(Denied) as denied:
                stranger.spaces()
            assert not denied.value.known
        with Memory(service.url, key=reader) as memory:
            assert memory.spaces() == []
            with pytest.raises(Denied, match="write") as denied:
                memory.session("s").add("user", "x")
            assert denied.value.known
            with pytest.raises(Denied):
                memory.check()
        with Memory(service.url, key=bound, space="ana") as memory:
            memory.session("s").add("user", "x")
            assert memory.spaces() == ["ana"]
            with pytest.raises(Denied):
                memory.space("ben").session("s").add("user", "x")
            with pytest.raises(Denied):
                memory.forget(session="s")
        with Memory(service.url, key=reader, space="acme/ana") as other, pytest.raises(Denied):
            list(other.sessions())


# A network that fails


@pytest.mark.parametrize("key", [None, "k"])
def test_an_answer_that_is_lost_on_the_way_doubles_nothing(tmp_path: Path, key: str | None) -> None:
    with serving(tmp_path / "memory.db") as service, Proxy(int(service.url.rpartition(":")[2])) as network:
        there = service.memory.session("s")

        def mend() -> None:
            while not list(there.history()):
                sleep(0.01)
            network.thaw()

        def lose() -> None:
            network.drop_answers()
            Thread(target=mend).start()

        with Memory(f"http://127.0.0.1:{network.port}") as memory:
            network.when(b"/messages", lose)
            receipt = memory.session("s").add("user", "once", key=key)
            assert (receipt.seq, receipt.repeated) == (1, False)
            assert [(one.id, one.text) for one in there.history()] == [(receipt.id, "once")]
            if key is not None:
                assert memory.session("s").add("user", "once", key=key).repeated
            network.when(b"/pins", network.cut)
            with pytest.raises(StoreError, match="may have been done"):
                memory.session("s").pin("x")
            assert len(list(memory.session("s").history())) == 1


def test_nobody_there_is_said_with_the_address() -> None:
    with Memory("http://127.0.0.1:1", retries=1) as memory, pytest.raises(StoreError, match=r"127\.0\.0\.1:1 .*serve"):
        memory.session("s").add("user", "x")
