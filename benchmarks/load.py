"""Clients of a service that cost little, because they share the machine with what they measure.

All live in one process, with requests that were made before. Each waits for its answer before it asks again.
"""

import asyncio
import gc
import json
import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import cycle
from time import perf_counter, process_time
from typing import Any, NamedTuple

from onrecord.errors import StoreError

LONG = 300.0  # seconds after which an answer that does not come is given up
END = b"\r\n\r\n"
SHOWN = 500  # characters of a wrong answer that are shown


class Plan(NamedTuple):
    """What clients ask."""

    port: int  # of this machine
    scripts: Sequence[Sequence[bytes]]  # whole requests, in turn, of each client
    seconds: float | None = None  # for which they ask; None: everything once
    warm: int = 0  # requests of each client before, which do not count
    pause: float = 0.0  # seconds for which a client rests after an answer
    sign: bytes = b""  # what the head of every answer must hold, in small letters


class Done(NamedTuple):
    """What became of it."""

    times: list[float]  # milliseconds from a request to the end of its answer, sorted
    rate: float  # requests a second, of all clients together
    cores: float  # processor time that the clients took, in seconds a second


def process() -> ProcessPoolExecutor:
    """A process of its own. Ctrl-C is for the one that started it."""
    context = multiprocessing.get_context("spawn")
    ignored = (signal.SIGINT, signal.SIG_IGN)
    return ProcessPoolExecutor(1, mp_context=context, initializer=signal.signal, initargs=ignored)


def post(path: str, body: Any = None, **headers: str) -> bytes:
    """A whole request. Underscores in the names of headers stand for dashes."""
    content = b"" if body is None else json.dumps(body).encode()
    fields = {"Host": "127.0.0.1", "Content-Type": "application/json", "Content-Length": len(content), **headers}
    lines = [f"POST {path} HTTP/1.1", *(f"{name.replace('_', '-')}: {value}" for name, value in fields.items())]
    return "\r\n".join(lines).encode() + END + content


def drive(plan: Plan) -> Done:
    """Carry a plan out, in this process. Raises `StoreError`."""
    gc.disable()  # it would be counted as time of the service
    try:
        return asyncio.run(_drive(plan))
    except (EOFError, OSError) as error:  # it hung up, it did not answer in time, it cannot be reached
        raise StoreError(f"The service failed: {error!r}.", "Did it end? Try again.") from None
    finally:
        gc.enable()


async def _drive(plan: Plan) -> Done:
    clients = [_Client(plan, script) for script in plan.scripts]
    try:
        for _ in range(plan.warm):
            await asyncio.gather(*(client.ask() for client in clients))
        for client in clients:
            client.times.clear()
        used, start = process_time(), perf_counter()
        waits = [plan.pause * at / len(clients) for at in range(len(clients))]  # they do not begin all at once
        await asyncio.gather(*(client.work(start, wait) for client, wait in zip(clients, waits, strict=True)))
        spent = perf_counter() - start
    finally:
        for client in clients:
            client.close()
    times = sorted(time for client in clients for time in client.times)
    return Done(times, len(times) / spent, (process_time() - used) / spent)


class _Client:
    """One connection, one request at a time."""

    def __init__(self, plan: Plan, script: Sequence[bytes]) -> None:
        self._plan, self._script = plan, script
        self._requests: Iterator[bytes] = cycle(script)
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.times: list[float] = []

    async def work(self, start: float, wait: float) -> None:
        """Ask everything once, or until the time is up, and once at least."""
        await asyncio.sleep(wait)
        seconds = self._plan.seconds
        end = None if seconds is None else start + seconds
        while not self.times or (len(self.times) < len(self._script) if end is None else perf_counter() < end):
            await self.ask()
            await asyncio.sleep(self._plan.pause)

    async def ask(self) -> None:
        begun = perf_counter()
        async with asyncio.timeout(LONG):
            if self._streams is None:  # a server that hangs up after each answer is called again, which takes its time
                self._streams = await asyncio.open_connection("127.0.0.1", self._plan.port)
            reader, writer = self._streams
            writer.write(next(self._requests))
            head = await reader.readuntil(END)
            _, sized, length = head.lower().partition(b"content-length:")
            body = reader.readexactly(int(length.split()[0])) if sized else reader.readuntil(b"0" + END)
            content = await body
        self.times.append((perf_counter() - begun) * 1000)
        if b"connection: close" in head.lower() or head.startswith(b"HTTP/1.0"):
            self.close()
        if head[9:12] != b"200":
            what, status = self._script[0].partition(b" HTTP")[0].decode(), head[9:12].decode()
            raise StoreError(f"{what} was answered {status}: {content[:SHOWN]!r}", "That ends the measurement.")
        if self._plan.sign not in head.lower():
            raise StoreError(f"{self._plan.sign!r} is not in an answer's head: {head!r}", "That ends the measurement.")

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None
