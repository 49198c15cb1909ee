"""How much several processes do at once in one place, each in a space of its own.

Each is a client as an application would be: its own memory with the settings that are the default, but for vectors. It
adds messages for a while, then takes turns: a message and the prompt for it. The clients share the machine with the
server, so the processor time that they took is told beside the rate.
"""

from __future__ import annotations

import multiprocessing
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

from benchmarks.places import Place
from benchmarks.texts import messages
from recollect.errors import RecollectError, StoreError
from recollect.memory import Memory

__all__ = ["ADDS", "TURNS", "Rate", "measure"]

ADDS, TURNS = "adds", "turns (an add and a context)"
SESSION = 200  # messages that each client's session holds before
TOKENS = 3_000  # of the contexts
LONG = 120.0  # seconds after which a client that says nothing is given up
LOOK = 0.1  # seconds between two looks at the connections
NEWER = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = current_user "
    "AND backend_start > %s AND pid <> pg_backend_pid()"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """What so many clients did together."""

    where: str  # title of the place
    what: str
    clients: int  # processes
    second: float  # operations a second, all together
    cores: float  # processor time that the clients took, in seconds a second
    connections: int  # most that the server had from them at a time; 0: it is a file


def measure(place: Place, clients: int, seconds: float) -> Iterator[Rate]:
    """The rates of so many clients: each works for `seconds` per kind of operation."""
    context = multiprocessing.get_context("spawn")
    since = _moment(place) if place.is_server else None
    with ExitStack() as stack:
        pipes: list[Connection] = []
        for number in range(clients):
            ours, theirs = context.Pipe()
            space = f"{place.prefix}client-{clients}-{number}"
            process = context.Process(target=_work, args=(theirs, place.address, space, number, seconds), daemon=True)
            process.start()
            theirs.close()
            stack.callback(_ended, process, ours)
            pipes.append(ours)
        for what in (ADDS, TURNS):
            _heard(pipes)  # all are ready
            for pipe in pipes:
                pipe.send("go")
            connections = _most_connections(place, pipes, since)
            done = _heard(pipes)
            yield Rate(
                where=place.title,
                what=what,
                clients=clients,
                second=round(sum(count / taken for count, taken, _ in done), 1),
                cores=round(sum(used / taken for _, taken, used in done), 2),
                connections=connections,
            )


def _ended(process: BaseProcess, pipe: Connection) -> None:
    """Let a client go: one that has nothing more to do ends by itself."""
    pipe.close()
    process.join(LONG / 10)
    if process.is_alive():
        process.terminate()
        process.join(LONG)
    process.close()


def _heard(pipes: Sequence[Connection]) -> list[Any]:
    """What each of the clients says next."""
    said = []
    for pipe in pipes:
        try:
            word = pipe.recv() if pipe.poll(LONG) else None
        except EOFError:
            word = None
        if word is None:
            raise StoreError("A client of the measurement ended, or hangs.", "See what it said above, and try again.")
        if isinstance(word, RecollectError):
            raise word
        said.append(word)
    return said


def _most_connections(place: Place, pipes: Sequence[Connection], since: Any) -> int:
    """Count the connections of clients again and again until all are done."""
    if not place.is_server:
        return 0

    def count(db: Any) -> int:
        most, waiting = 0, list(pipes)
        while waiting:
            most = max(most, db.execute(NEWER, (since,)).fetchone()[0])
            ready = wait(waiting, LOOK)
            waiting = [pipe for pipe in waiting if pipe not in ready]
        return most

    return place.ask(count)


def _moment(place: Place) -> Any:
    """What time it is on the server."""
    return place.ask(lambda db: (db.execute("SELECT clock_timestamp()").fetchone() or (None,))[0])


# In the client's process


def _work(pipe: Connection, address: str, space: str, number: int, seconds: float) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever started it
    try:
        with Memory(address, space=space, embedder=None, busy_timeout=LONG / 2) as memory:
            for operation in _operations(memory, number):
                pipe.send("ready")
                pipe.recv()
                pipe.send(_counted(operation, seconds))
            with suppress(EOFError):
                pipe.recv()  # until nobody measures any more: ending takes time of others
    except RecollectError as error:
        pipe.send(error)
    except (EOFError, OSError):
        pass  # whoever started it is gone


def _operations(memory: Memory, number: int) -> Iterator[Callable[[], object]]:
    session, source = memory.session("said"), messages(seed=number + 1)
    session.add_many(islice(source, SESSION))
    session.flush()

    def turn() -> None:
        session.add("user", next(source)[1])
        session.context(tokens=TOKENS)

    yield lambda: session.add(*next(source))
    session.flush()
    turn()  # the first one reads everything
    yield turn


def _counted(operation: Callable[[], object], seconds: float) -> tuple[int, float, float]:
    """How often it was done, in which time, and in how much processor time of this process."""
    count, used, start = 0, time.process_time(), time.monotonic()
    while (taken := time.monotonic() - start) < seconds:
        operation()
        count += 1
    return count, taken, time.process_time() - used
