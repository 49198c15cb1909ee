"""What a server must have, for planning one: room on disk and in the write-ahead log, clients, connections, erasing.

Users are made up: one message in twenty states something to remember, and everything is derived from them.
"""

import multiprocessing
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer

from benchmarks import facts
from benchmarks.figures import Figure, Figures, benchmark, cells, counts
from benchmarks.places import SETTINGS, Place, servers
from benchmarks.texts import FreeEmbedder, messages
from onrecord.memory import Memory
from onrecord.ports import Target
from onrecord.stores import open_store

SESSIONS = 4  # of each user
STATED = 20  # one message in so many states something to remember
ADDED = 500  # messages that are added one by one, for the log
ENOUGH = 100_000  # messages that are there when erasing is forced, so that what a table takes by itself matters little
SECONDS = 4.0  # that clients work, for each kind of operation
HELD = 200  # messages of a client's session before
TOKENS = 3_000  # of a client's prompts
STARTING = 1.5  # seconds in which a client is ready
WAIT = 120.0  # seconds after which a client is given up
ROOM = "Size, bytes a message"
RATES = "Throughput, operations a second, by client processes on the server's machine, durability=power"

# Bytes of each table: rows with their maps, indexes, and what is stored aside because it is long.
TAKEN = """
SELECT parent.relname, sum(pg_table_size(part.oid) - coalesce(aside.bytes, 0)), sum(pg_indexes_size(part.oid)),
       sum(coalesce(aside.bytes, 0))
FROM pg_class parent JOIN pg_namespace room ON room.oid = parent.relnamespace AND room.nspname = 'onrecord'
JOIN pg_inherits i ON i.inhparent = parent.oid JOIN pg_class part ON part.oid = i.inhrelid
CROSS JOIN LATERAL (SELECT pg_total_relation_size(nullif(part.reltoastrelid, 0)) AS bytes) aside
WHERE parent.relkind = 'p' GROUP BY parent.relname ORDER BY 4 DESC, 2 DESC
"""
LOGGED = "SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn"
CONNECTED = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"

Url = Annotated[str, typer.Option(help="An empty PostgreSQL database: postgresql://…, or embedded.")]
Users = Annotated[int, typer.Option(min=2, help="How many users there are, each with a space.")]
Messages = Annotated[int, typer.Option("--messages", min=10, help="How many messages each has.")]
Clients = Annotated[str, typer.Option(help="How many processes work at once.")]


@benchmark
def sizes(db: Url = "embedded", users: Users = 16, count: Messages = 1_000, clients: Clients = "1,2,4,8") -> Figures:
    """Measure what a server must have: room on disk and in the log for each message, and what clients can do.

    Example: python -m benchmarks sizes --db embedded --users 4 --json figures.json
    """
    numbers = counts(clients, "--clients")
    with servers(db, 1) as places:
        yield from _room(places[0], users, count)
        for number in numbers:
            yield from _rates(places[0], number)
        yield _scrubbed(places[0], users)


# Room


def _room(server: Place, users: int, count: int) -> Figures:
    with server.open("tables"):
        pass
    _pack(server)
    before, began = _taken(server), server.ask(_logged)
    for user in range(users):
        _make(server, user, count)
    logged, after = server.ask(_logged) - began, _taken(server)
    _pack(server)
    packed = sum(map(sum, _taken(server).values())) - sum(map(sum, before.values()))
    rows = {name: [now - then for now, then in zip(taken, before[name], strict=True)] for name, taken in after.items()}
    rows["all"] = [sum(parts) for parts in zip(*rows.values(), strict=True)]
    for name, parts in rows.items():
        columns = zip(("rows", "indexes", "TOAST", "all"), (*parts, sum(parts)), strict=True)
        yield from cells(ROOM, name, {column: (bytes / users / count, "n") for column, bytes in columns})
    with tempfile.TemporaryDirectory(prefix="onrecord-bench-") as folder:
        file = Place("SQLite", str(Path(folder, "memory.db")))
        for user in range(users):
            _make(file, user, count)
        size = sum(part.stat().st_size for part in Path(folder).iterdir())
    for name, amount in (
        ("all, written anew (VACUUM FULL)", packed),
        ("a SQLite file", size),
        ("write-ahead log, one of many with all that is derived", logged),
        ("write-ahead log, a message added by itself", _logged_alone(server) * users * count),
    ):
        yield from cells(ROOM, name, {"all": (amount / users / count, "n")})


def _make(place: Place, user: int, count: int) -> None:
    """A user with so many messages and everything that is derived from them."""
    conversation = list(islice(facts.conversation(user + 1, STATED), count))
    length = -(-count // SESSIONS)
    with place.open(f"user-{user}", summarize="inline", embedder=FreeEmbedder()) as memory:
        for number, start in enumerate(range(0, count, length)):
            memory.session(f"session-{number}").add_many(conversation[start : start + length])
        memory.rebuild(vectors=True)
        memory.flush()


def _taken(server: Place) -> dict[str, list[int]]:
    rows = server.ask(lambda db: db.execute(TAKEN).fetchall())
    return {table: list(map(int, amounts)) for table, *amounts in rows}


def _pack(server: Place) -> None:
    """Write all tables anew, without what earlier versions of rows left in them."""
    for table in _taken(server):
        server.ask(
            lambda db: db.execute(f"VACUUM (FULL) onrecord.{table}")  # noqa: B023
        )


def _logged(db: Any) -> int:
    return int(db.execute(LOGGED).fetchone()[0])


def _logged_alone(server: Place) -> float:
    with server.open("logged", summarize="manual", durability="power") as memory:
        session, source = memory.session("said"), messages(seed=7)
        session.add(*next(source))
        began = server.ask(_logged)
        for turn in islice(source, ADDED):
            session.add(*turn)
        return (server.ask(_logged) - began) / ADDED


# Clients


def _rates(server: Place, clients: int) -> Iterator[Figure]:
    start = time.time() + STARTING * (1 + clients)  # by then all are ready
    with multiprocessing.get_context("spawn").Pool(clients) as pool:
        tasks = [(server.address, number, start, SECONDS) for number in range(clients)]
        working = pool.starmap_async(_work, tasks, chunksize=1)
        time.sleep(start + SECONDS / 2 - time.time())
        connections = server.ask(lambda db: db.execute(CONNECTED).fetchone()[0])
        done = working.get(WAIT)
    columns = {}
    for at, name in enumerate(("adds", "turns (an add and a context)")):
        columns[name] = sum(rates[at][0] for rates in done), "n"
        columns[f"{name}, cores of clients"] = sum(rates[at][1] for rates in done), "ratio"
    yield from cells(RATES, f"{clients}", columns | {"connections": (connections, "n")})


def _work(address: str, number: int, start: float, seconds: float) -> list[tuple[float, float]]:
    """In a client's process: operations a second and cores taken, of adds, then of turns."""
    with Memory(address, space=f"client-{number}", embedder=None, busy_timeout=WAIT / 2) as memory:
        session, source = memory.session("said"), messages(seed=number + 1)

        def turn() -> None:
            session.add("user", next(source)[1])
            session.context(tokens=TOKENS)

        session.add_many(islice(source, HELD))
        turn()  # the first one reads everything
        session.flush()
        adds = _rate(lambda: session.add(*next(source)), start, seconds)
        session.flush()
        return [adds, _rate(turn, start + 2 * seconds, seconds)]


def _rate(operation: Callable[[], object], start: float, seconds: float) -> tuple[float, float]:
    time.sleep(max(0.0, start - time.time()))
    count, used, begun = 0, time.process_time(), time.monotonic()
    while (taken := time.monotonic() - begun) < seconds:
        operation()
        count += 1
    return count / taken, (time.process_time() - used) / taken


# Erasing


def _scrubbed(server: Place, users: int) -> str:
    """Erase every second user, then force their bytes off the disk."""
    server.fill(ENOUGH)
    store: Any = open_store(server.address, SETTINGS)
    try:
        for user in range(0, users, 2):
            store.erase(Target(space=f"user-{user}", time=datetime.now(UTC)))
        start = time.perf_counter()
        size = store.scrub(lambda _: None).bytes
        seconds = time.perf_counter() - start
    finally:
        store.close()
    return (
        f"Forced erasure wrote {size / 1e6:,.0f} MB of tables anew in {seconds:,.1f} s: {seconds / size * 1e9:,.0f} s "
        "for each GB of the partitions that hold something erased."
    )
