"""What the benchmarks measure against, started for them: a PostgreSQL server, and one that answers chat requests."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection

from recollect.errors import InvalidInput

__all__ = ["numbers", "server", "upstream"]

WAITING = 128  # callers that may wait to be let in: one who is turned away tries again only after a second


@contextmanager
def server(db: str, databases: int) -> Iterator[list[str]]:
    """The address that is meant. A server of our own runs as PostgreSQL does by default, and has empty databases."""
    if db != "embedded":
        yield [db]
        return
    from recollect.testing.postgres import Server

    with Server(durable=True, options={"shared_buffers": "128MB"}) as running:
        running.create_role("recollect")
        names = [f"recollect{number}" for number in range(databases)]
        for name in names:
            running.create_database(name, owner="recollect")
        yield [running.url(name, user="recollect", tcp=True) for name in names]


@contextmanager
def upstream() -> Iterator[str]:
    """The address of a server that answers chat requests at once, in a process of its own."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_answer, args=(theirs,), daemon=True)
    process.start()
    theirs.close()
    try:
        yield ours.recv()
    finally:
        ours.close()
        process.join(5.0)
        if process.is_alive():
            process.terminate()
            process.join()
        process.close()


def _answer(pipe: Connection) -> None:
    from recollect.testing.endpoint import ScriptedEndpoint

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever started it
    with ScriptedEndpoint() as endpoint, suppress(EOFError, OSError):
        endpoint._server.socket.listen(WAITING)
        pipe.send(endpoint.base_url)
        pipe.recv()  # until nobody asks any more


def numbers(given: str, option: str) -> list[int]:
    """The counts that an option lists."""
    parts = [part.strip().replace("_", "") for part in given.split(",")]
    if not all(part.isascii() and part.isdigit() and len(part) <= 9 and int(part) > 0 for part in parts):
        raise InvalidInput(f"{option} {given} is not a list of counts.", "Write it as in 1000,100000.")
    return [int(part) for part in parts]
