"""Client processes of one PostgreSQL server: a program that waits for orders and forks children that carry one out, and
`Clients`, the tests' end of it.

An order is a line of JSON. The children's answers and, once all of them are gone, a line `{"done": …}` come back on one
pipe. A line says what has happened already: an `add` that is answered has returned.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from typing import Any, TypeVar

from onrecord import Memory, StoreBusy
from onrecord.records import Message
from onrecord.stores.postgres import connection_pool
from onrecord.stores.postgres.connection_pool import MOST_CONNECTIONS, ConnectionPool

__all__ = ["LONG", "Clients", "check_nodes", "insisted", "is_free", "server_of", "texts", "wait_for"]

Order = dict[str, Any]
_Answer = TypeVar("_Answer")

LONG = 60.0  # seconds until a client gives up, or one that hangs is ended
PLAIN: dict[str, Any] = {"summarize": "manual", "embedder": "none"}


class Clients:
    """The tests' end: one order at a time."""

    def __init__(self) -> None:
        command = [sys.executable, __file__]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.pids: list[int] = []
        self.statuses: list[int] = []

    def start(self, url: str, *do: str, **order: Any) -> None:
        """Have a child for each of these begin, all at the same moment."""
        assert self._process.stdin
        self._process.stdin.write(json.dumps({"url": url, "do": do, **order}).encode() + b"\n")
        self._process.stdin.flush()
        self.pids = self._line()["pids"]

    def answers(self) -> Iterator[dict[str, Any]]:
        """What the children say, until all are gone."""
        while "done" not in (answer := self._line()):
            yield answer
        self.statuses, self.pids = answer["done"], []

    def run(self, url: str, *do: str, **order: Any) -> list[dict[str, Any]]:
        """Give an order and wait for its end."""
        self.start(url, *do, **order)
        return self.finish()

    def finish(self) -> list[dict[str, Any]]:
        answers = list(self.answers())
        assert not any(self.statuses), f"children ended with {self.statuses}"
        return answers

    def _line(self) -> dict[str, Any]:
        assert self._process.stdout
        line = self._process.stdout.readline()
        assert line, "the clients ended by themselves"
        answer: dict[str, Any] = json.loads(line)
        return answer

    def close(self) -> None:
        assert self._process.stdin
        assert self._process.stdout
        for pid in self.pids:  # a test failed, and nobody waits for them any more
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()


def insisted(work: Callable[[], _Answer], seconds: float = LONG) -> _Answer:
    """What it answers, asked again while the server is away; gives up after so many seconds."""
    end = time.monotonic() + seconds
    while True:
        try:
            return work()
        except StoreBusy:
            if time.monotonic() > end:
                raise


def wait_for(happened: Callable[[], bool]) -> None:
    end = time.monotonic() + LONG
    while not happened():
        assert time.monotonic() < end
        time.sleep(0.02)


def server_of(memory: Memory) -> ConnectionPool:
    """The connections of a memory."""
    server = memory._store._server  # type: ignore[attr-defined]
    assert isinstance(server, ConnectionPool)
    return server


def is_free(memory: Memory) -> bool:
    """Whether no operation is under way, or has left something behind."""
    return server_of(memory)._places._value == MOST_CONNECTIONS


def texts(memory: Memory, session: str = "chat") -> list[str]:
    """What a session holds, which has no gaps."""
    messages = list(memory.session(session).history())
    assert [message.seq for message in messages] == list(range(1, len(messages) + 1))
    return [message.text for message in messages]


def check_nodes(memory: Memory, session: str, **settings: Any) -> int:
    """Compare a session's summaries with those that one process makes of the same messages; answers how many."""
    chat = memory.session(session)
    with Memory(":memory:", **PLAIN | {"durability": "process"} | settings) as alone:
        same = alone.session(session)
        same.add_many([_again(message) for message in chat.history()])
        same.summarize()
        found, expected = (
            [(one.plan, one.level, one.version, one.first, one.last, one.text) for one in side.summaries(plan="all")]
            for side in (chat, same)
        )
    assert len({node[:5] for node in found}) == len(found), "two summaries of one range"
    assert found == expected
    return len(found)


def _again(message: Message) -> dict[str, Any]:
    return {"role": message.role, "text": message.text, "time": message.time}


# The children's end


def say(**answer: object) -> None:
    os.write(1, json.dumps(answer).encode() + b"\n")


def add(memory: Memory, me: int, order: Order) -> None:
    """Add messages, each with a key of its own, as many as wanted or until the time is over."""
    chat = memory.session(order["session"])
    for turn in range(order.get("count", 1_000_000)):
        if time.monotonic() > order.get("until", float("inf")):
            return
        key, text = f"{me} {turn}", f"Client {me} moves crate {turn} to hall {(me * 7 + turn) % 19}, as planned."
        receipt = insisted(lambda key=key, text=text: chat.add("user", text, key=key))  # type: ignore[misc]
        say(seq=receipt.seq, text=text, id=receipt.id)


def once(memory: Memory, me: int, order: Order) -> None:
    """Add one message with the key of the order."""
    receipt = memory.session(order["session"]).add("user", order["text"], key=order["key"])
    say(seq=receipt.seq, repeated=receipt.repeated, id=receipt.id)


def crowd(memory: Memory, me: int, order: Order) -> None:
    """Add from several threads, for ever."""

    def one(number: int) -> None:
        for turn in range(1_000_000):
            memory.session("crowd").add("user", f"{number} {turn}")

    threads = [threading.Thread(target=one, args=(number,)) for number in range(order["threads"])]
    for thread in threads:
        thread.start()
    say(begun=True)
    for thread in threads:
        thread.join()


def summarize(memory: Memory, me: int, order: Order) -> None:
    """Make what is due, again and again, until all messages are there, or the time is over; then once more."""
    chat = memory.session(order["session"])
    made, going, end = 0, True, order.get("until", time.monotonic() + LONG)
    while going:
        over = time.monotonic() > end
        going = not over and insisted(chat.info).last_seq < order.get("total", float("inf"))
        made += len(insisted(chat.summarize).made)
        time.sleep(0.05)  # many of them must not keep the others from adding
    say(made=made)


WORK: dict[str, Callable[[Memory, int, Order], None]] = {
    "add": add,
    "crowd": crowd,
    "once": once,
    "summarize": summarize,
}


def work(me: int, order: Order) -> None:
    """What a child does: wait until all are there, then open a memory and work."""
    signal.alarm(int(LONG * 2 + order.get("seconds", 0)))
    os.read(order["gate"], 1)
    if not order.get("timed", True):
        connection_pool.TIMED = 10**9  # as with a PostgreSQL that has no time limit for a whole transaction
    settings = PLAIN | order.get("settings", {})
    with insisted(lambda: Memory(order["url"], **settings)) as memory:
        WORK[order["do"][me]](memory, me, order)


def fork(me: int, order: Order) -> int:
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        work(me, order)
        status = 0
    except BaseException:  # noqa: BLE001 - whatever it is, the test must hear of it
        traceback.print_exc()
    os._exit(status)


@cache
def warm(*settings: str) -> None:
    """Import once what children would each import to summarise."""
    if "upstream" in settings:
        import openai  # noqa: F401
    with Memory(":memory:", profile="hybrid", **PLAIN) as memory:
        memory.session("chat").add_many([("user", f"Crate {number} stands in the hall.") for number in range(20)])
        memory.session("chat").summarize()


def obey(order: Order) -> None:
    """Fork the children, let them start together, and wait for all."""
    if "summarize" in order["do"]:
        warm(*order.get("settings", ()))
    gate, start = os.pipe()
    children = [fork(me, order | {"gate": gate}) for me in range(len(order["do"]))]
    say(pids=children)
    os.write(start, b"x" * len(children))
    statuses = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    os.close(gate)
    os.close(start)
    say(done=statuses)


def main() -> None:
    for line in sys.stdin:
        obey(json.loads(line))


if __name__ == "__main__":
    main()
