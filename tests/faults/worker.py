"""A program that the fault tests start, and may kill: it waits for orders and forks a child for each.

Forking from a process that has imported everything makes a child cheap. An order is a line of JSON; the children's
answers and, once all of them are gone, a line `{"done": …}` come back on one pipe. A line says what has happened
already: an `add` that is answered has returned.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any

from disk_tools import telling_text

from onrecord import Memory
from onrecord.ports import Batch
from onrecord.records import EPOCH, Record

Order = dict[str, Any]


def say(**answer: object) -> None:
    os.write(1, json.dumps(answer).encode() + b"\n")


def add(memory: Memory, order: Order) -> None:
    """Continue the session, one message at a time."""
    chat = memory.session(order["session"])
    first = chat.info().last_seq + 1
    for seq in range(first, first + order.get("count", 1_000_000)):
        say(seq=chat.add("user", telling_text(chat.id, seq)).seq)


def add_many(memory: Memory, order: Order) -> None:
    """Continue the session in batches."""
    chat, size = memory.session(order["session"]), order["batch"]
    first = chat.info().last_seq + 1
    while True:
        say(seq=chat.add_many([("user", telling_text(chat.id, seq)) for seq in range(first, first + size)])[-1].seq)
        first += size


def compete(memory: Memory, order: Order) -> None:
    """Add to a session that others add to as well; each text says who wrote it."""
    chat = memory.session(order["session"])
    for turn in range(order["count"]):
        text = f"{os.getpid()} turn {turn}"
        say(seq=chat.add("user", text).seq, text=text)


def linger(memory: Memory, order: Order) -> None:
    """Add, wait until the parent has closed its memory, and add again."""
    compete(memory, order)
    os.write(order["told"], b"x")
    os.read(order["gate"], 1)
    compete(memory, order)


def forget(memory: Memory, order: Order) -> None:
    chat = memory.session(order["session"])
    for seq in order["seqs"]:
        say(seq=seq, pending=chat.forget(seq).pending)


def derive(memory: Memory, order: Order) -> None:
    """Write the same derived records again and again, each time all of them with the next version; one is dropped and
    another put in its place."""
    names = [f"node {number}" for number in range(order["batch"])]
    for version in range(order["version"] + 1, 1_000_000):
        body = {"text": telling_text(order["session"], version)}
        records = [
            Record(session=order["session"], kind="summary", plan="p", key=key, body=body)
            for key in (*names, f"last {version}")
        ]
        drops = [("summary", f"last {version - 1}")]
        batch = Batch(space=memory.name, session=order["session"], records=records, drops=drops, time=EPOCH)
        memory._store.commit(batch)
        say(version=version)


def count(memory: Memory, order: Order) -> None:
    """Add to two counters together, again and again."""
    for turn in range(order["count"]):
        memory._store.count(memory.name, {"one": 1, "two": 2})
        say(turn=turn)


def flush(memory: Memory, order: Order) -> None:
    say(flushed=memory.flush())


WORK: dict[str, Callable[[Memory, Order], None]] = {
    "add": add,
    "add_many": add_many,
    "compete": compete,
    "count": count,
    "derive": derive,
    "flush": flush,
    "forget": forget,
    "linger": linger,
}


def work(memory: Memory | None, order: Order) -> None:
    """What a child does: wait until all are there, then work, on the memory it inherited or one of its own."""
    os.read(order["gate"], 1)
    settings = {"durability": order.get("durability", "process"), "busy_timeout": 60.0}
    own = memory or Memory(order["path"], **settings)
    WORK[order["do"]](own, order)
    own.close()


def fork(memory: Memory | None, order: Order) -> int:
    child = os.fork()
    if child:
        return child
    status = 1
    try:
        work(memory, order)
        status = 0
    finally:
        os._exit(status)


def obey(memory: Memory | None, order: Order) -> None:
    """Fork as many children as are wanted, let them start together, and wait for all."""
    gate, start = os.pipe()
    heard, told = os.pipe()
    order |= {"gate": gate, "told": told}
    children = [fork(memory, order) for _ in range(order.get("together", 1))]
    say(pids=children)
    os.write(start, b"x" * len(children))
    if memory is not None and order.get("parent"):
        WORK[order["parent"]](memory, order)
    if memory is not None and order.get("close"):
        os.read(heard, 1)
        memory.close()
        os.write(start, b"x")
    statuses = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    for end in (gate, start, heard, told):
        os.close(end)
    say(done=statuses)


def main(inherited: str) -> None:
    """With a path, the memory there is open before the forks, and the children go on using it."""
    memory = Memory(inherited, busy_timeout=60.0) if inherited else None
    if memory is not None:
        list(memory.session("before").history())
    for line in sys.stdin:
        obey(memory, json.loads(line))


if __name__ == "__main__":
    main(sys.argv[1])
