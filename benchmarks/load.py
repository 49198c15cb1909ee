"""Clients of a service that cost little, because they share the machine with what they measure.

All of them live in one process: plain sockets, and requests that were made before. Each waits for its answer before it
asks again, at once or after a pause. Of an answer only the head is looked at; any status but 200 ends the measurement
with what was answered.
"""

from __future__ import annotations

import gc
import json
import multiprocessing
import signal
import socket
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, suppress
from dataclasses import dataclass
from itertools import cycle
from multiprocessing.connection import Connection
from selectors import EVENT_READ, BaseSelector, DefaultSelector
from time import perf_counter, process_time
from types import TracebackType
from typing import Any

from recollect.errors import RecollectError, StoreError

__all__ = ["Done", "Load", "Plan", "drive", "post"]

LONG = 300.0  # seconds after which an answer that does not come is given up
PIECE = 262_144  # bytes that are read at once
END = b"\r\n\r\n"
SAID = 500  # characters of a wrong answer that are shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What clients ask."""

    port: int  # of this machine
    scripts: Sequence[Sequence[bytes]]  # whole requests, in turn, of each client
    seconds: float | None = None  # for which they ask; None: everything once
    warm: int = 0  # requests of each client before, which do not count
    pause: float = 0.0  # seconds for which a client rests after an answer
    sign: bytes = b""  # what the head of every answer must hold, in small letters


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What became of it."""

    times: list[float]  # milliseconds from a request to the end of its answer, sorted
    seconds: float  # from the first request to the last answer
    cores: float  # processor time that the clients took, in seconds a second

    @property
    def second(self) -> float:
        """Requests a second, of all clients together."""
        return len(self.times) / self.seconds


def post(path: str, body: Any = None, **headers: str) -> bytes:
    """A whole request. Underscores in the names of headers stand for dashes."""
    content = b"" if body is None else json.dumps(body).encode()
    told: Mapping[str, object] = {
        "Host": "127.0.0.1",
        "Content-Type": "application/json",
        "Content-Length": len(content),
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    lines = [f"POST {path} HTTP/1.1", *(f"{name}: {value}" for name, value in told.items())]
    return "\r\n".join(lines).encode() + END + content


class Load(AbstractContextManager["Load"]):
    """The process in which the clients live, while the `with` block lasts."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self._pipe, self._theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(self._theirs,), daemon=True)

    def run(self, plan: Plan) -> Done:
        """Carry a plan out."""
        self._pipe.send(plan)
        try:
            done = self._pipe.recv()
        except EOFError:
            raise StoreError("The clients of the measurement ended.", "See what they said above.") from None
        if isinstance(done, RecollectError):
            raise done
        assert isinstance(done, Done)
        return done

    def __enter__(self) -> Load:
        self._process.start()
        self._theirs.close()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._pipe.close()
        self._process.join(1.0)
        if self._process.is_alive():  # it still waits for an answer
            self._process.terminate()
            self._process.join()
        self._process.close()


def _work(pipe: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever started it
    with suppress(EOFError, OSError):  # whoever started it is gone
        while True:
            plan = pipe.recv()
            try:
                pipe.send(drive(plan))
            except RecollectError as error:
                pipe.send(error)
            except OSError as error:
                pipe.send(StoreError(f"The service cannot be reached ({error}).", "Did it end? Try again."))


def drive(plan: Plan) -> Done:
    """Carry a plan out, in this process."""
    gc.disable()  # it would be counted as time of the service
    try:
        with DefaultSelector() as selector, ExitStack() as stack:
            clients = [_Client(plan, script, selector) for script in plan.scripts]
            for client in clients:
                stack.callback(client.close)
            _ask(clients, selector, lambda client: len(client.times) < plan.warm)
            for client in clients:
                client.times.clear()
            used, start = process_time(), perf_counter()
            _ask(clients, selector, _until(plan, start), plan.pause)
            seconds = perf_counter() - start
            cores = (process_time() - used) / seconds
    finally:
        gc.enable()
    return Done(times=sorted(one for client in clients for one in client.times), seconds=seconds, cores=cores)


def _until(plan: Plan, start: float) -> Callable[[_Client], bool]:
    """Whether a client goes on asking; every client asks at least once."""
    if plan.seconds is None:
        return lambda client: len(client.times) < len(client.script)
    end = start + plan.seconds
    return lambda client: not client.times or perf_counter() < end


def _ask(
    clients: Sequence[_Client], selector: BaseSelector, more: Callable[[_Client], bool], pause: float = 0.0
) -> None:
    """Let each client ask as long as it has more, and wait for the last answer. Those that rest begin one after the
    other, so that they do not ask all at once."""
    now = perf_counter()
    resting = deque((now + pause * at / len(clients), client) for at, client in enumerate(clients))
    waiting = 0
    while resting or waiting:
        while resting and resting[0][0] <= perf_counter():
            client = resting.popleft()[1]
            if more(client):
                client.ask()
                waiting += 1
        if not waiting and not resting:
            return
        ready = selector.select(max(0.0, resting[0][0] - perf_counter()) if resting else LONG)
        if not ready and not resting:
            raise StoreError(f"The service did not answer for {LONG:.0f} s.", "Look at what else the machine does.")
        for key, _ in ready:
            if not key.data.waits:
                key.data.close()  # nothing was asked, so the server hung up
            elif key.data.answered():
                waiting -= 1
                resting.append((perf_counter() + pause, key.data))


class _Client:
    """One connection, one request at a time."""

    def __init__(self, plan: Plan, script: Sequence[bytes], selector: BaseSelector) -> None:
        self.script = script
        self.times: list[float] = []
        self._requests = cycle(script)
        self._port, self._sign, self._selector = plan.port, plan.sign, selector
        self._socket: socket.socket | None = None
        self._begun = 0.0
        self._came = b""
        self._size = 0  # of the whole answer; 0: not known yet
        self._last = False  # nothing more can be asked on this connection
        self.waits = False  # for an answer

    def ask(self) -> None:
        """Send the next request; a server that hangs up after each answer is called again, which takes its time."""
        self._came, self._size, self._last, self.waits = b"", 0, False, True
        self._begun = perf_counter()
        if self._socket is None:
            self._socket = socket.create_connection(("127.0.0.1", self._port))
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._selector.register(self._socket, EVENT_READ, self)
        self._socket.sendall(next(self._requests))

    def answered(self) -> bool:
        """Read what has come; whether that was the end of the answer."""
        assert self._socket is not None
        piece = self._socket.recv(PIECE)
        if not piece:
            raise StoreError("The service hung up in the middle of an answer.", "Did it end? Try again.")
        self._came += piece
        if not self._size and not self._look():
            return False
        if len(self._came) < self._size if self._size > 0 else not self._came.endswith(b"0" + END):
            return False
        self.times.append((perf_counter() - self._begun) * 1000)
        self.waits = False
        self._check()
        if self._last:
            self.close()
        return True

    def _look(self) -> bool:
        """Find out how long the answer is, once its head is there; -1: it comes in chunks."""
        end = self._came.find(END)
        if end < 0:
            return False
        head = self._came[:end].lower()
        self._last = b"connection: close" in head or head.startswith(b"http/1.0")
        _, found, length = head.partition(b"content-length:")
        self._size = end + len(END) + int(length.partition(b"\r\n")[0]) if found else -1
        return True

    def _check(self) -> None:
        """Raise unless it is the answer that was asked for."""
        head, _, body = self._came.partition(END)
        if head[9:12] != b"200":
            what = self.script[0].partition(b" HTTP")[0].decode()
            raise StoreError(f"{what} was answered {head[9:12].decode()}: {_shown(body)}", "That ends the measurement.")
        if self._sign and self._sign not in head.lower():
            raise StoreError(
                f"An answer's head has no {self._sign.decode()!r}: {_shown(head)}", "That ends the measurement."
            )

    def close(self) -> None:
        """Hang up. Doing it twice is fine."""
        if self._socket is not None:
            self._selector.unregister(self._socket)
            self._socket.close()
            self._socket = None


def _shown(said: bytes) -> str:
    return said.decode("utf-8", "replace")[:SAID]
