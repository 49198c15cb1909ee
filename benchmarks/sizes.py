"""What a server must have, for planning one: room on disk and in the write-ahead log, clients, connections, erasing.

Users are made up: each has a space with a few sessions, in which every twentieth message states something to remember,
with summaries, facts and vectors of 384 numbers. What their rows take is the difference to what the tables took
before. The same users are written to a SQLite file.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, cast

from benchmarks import clients as several
from benchmarks import facts
from benchmarks.places import SETTINGS, Place, copy_spaces
from benchmarks.server_latency import about
from benchmarks.texts import FreeEmbedder
from benchmarks.texts import messages as made_up
from benchmarks.timing import markdown
from recollect.ports import Progress, Target
from recollect.records import Role
from recollect.stores import open_store

if TYPE_CHECKING:
    from benchmarks.places import Db
    from recollect.stores.postgres import PostgresStore

__all__ = ["Amount", "Measured", "measure", "plain", "report"]

SESSIONS = 4  # of each user
STATED = 20  # every so manieth message states something to remember
ADDED = 500  # messages that are added one by one, for the log
ENOUGH = 300_000_000  # bytes that are there when erasing is forced
SECONDS = 4.0  # that clients work, for each kind of operation

# Bytes of each table: rows with their maps, indexes, and what is stored aside because it is long.
TAKEN = """
SELECT parent.relname, sum(pg_table_size(part.oid) - coalesce(aside.bytes, 0)), sum(pg_indexes_size(part.oid)),
       sum(coalesce(aside.bytes, 0))
FROM pg_class parent JOIN pg_namespace room ON room.oid = parent.relnamespace AND room.nspname = 'recollect'
JOIN pg_inherits i ON i.inhparent = parent.oid JOIN pg_class part ON part.oid = i.inhrelid
CROSS JOIN LATERAL (SELECT pg_total_relation_size(nullif(part.reltoastrelid, 0)) AS bytes) aside
WHERE parent.relkind = 'p' GROUP BY parent.relname ORDER BY parent.relname
"""
LOGGED = "SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Amount:
    """Bytes that the users' rows take in one table."""

    table: str
    rows: int  # bytes of them, with their maps
    indexes: int
    aside: int  # what is too long for a row: TOAST

    @property
    def bytes(self) -> int:
        return self.rows + self.indexes + self.aside


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """All figures of one run."""

    server: str  # what it is
    users: int
    messages: int  # of each user
    records: dict[str, int]  # how many of each kind a user has, on the average
    amounts: tuple[Amount, ...]  # by table
    packed: int  # bytes of all tables once they were written anew; 0: not tried, others use the database
    file: int  # bytes of a SQLite file with the same users
    log: float  # bytes of the write-ahead log for a message that is added by itself, not derived from
    log_in_all: float  # the same for messages added by the thousand, with everything that was derived from them
    rates: tuple[several.Rate, ...]
    scrubbed: int = 0  # bytes that a forced erasure wrote anew; 0: not tried
    scrub_seconds: float = 0.0


def measure(server: Place, users: int, messages: int, clients: Sequence[int], progress: Progress) -> Measured:
    """Make the users on the server and in a file, and measure; the users stay there."""
    if server.empty:
        server.ask(_pack)
    before, began = server.ask(_taken), server.ask(_logged)
    for user in range(users):
        _make(server, user, messages)
        progress(1)
    logged, after = server.ask(_logged) - began, server.ask(_taken)
    records = server.ask(lambda db: _kinds(db, server.prefix, users))
    packed = 0
    if server.empty:
        server.ask(_pack)
        packed = _all(server.ask(_taken)) - _all(before)
    file = _in_file(users, messages, progress)
    log = _added(server)
    rates = tuple(rate for number in clients for rate in several.measure(server, number, SECONDS))
    scrubbed, seconds = _scrubbed(server, users) if server.empty else (0, 0.0)
    amounts = [
        Amount(table=table, **{name: now - before[table][name] for name, now in taken.items()})
        for table, taken in after.items()
    ]
    return Measured(
        server=about(server),
        users=users,
        messages=messages,
        records=records,
        amounts=tuple(sorted(amounts, key=lambda one: -one.bytes)),
        packed=packed,
        file=file,
        log=log,
        log_in_all=logged / (users * messages),
        rates=rates,
        scrubbed=scrubbed,
        scrub_seconds=seconds,
    )


def _user(user: int) -> str:
    return f"user-{user}"


def _make(place: Place, user: int, count: int) -> None:
    """A user with so many messages and everything that is derived from them."""
    said = list(islice(_said(user), count))
    length = -(-count // SESSIONS)
    with place.open(_user(user), durability="process", summarize="inline", embedder=FreeEmbedder()) as memory:
        for number, start in enumerate(range(0, count, length)):
            memory.session(f"session-{number}").add_many(said[start : start + length])
        memory.rebuild(vectors=True)
        memory.flush()


def _said(user: int) -> Iterator[tuple[Role, str]]:
    """A made-up conversation; every twentieth message is one of the labelled sentences that state something."""
    stated = [row.text for row in facts.load() if row.kind != facts.NONE]
    start = user * 50 % len(stated)
    told = cycle([*stated[start:], *stated[:start]])
    for number, (role, text) in enumerate(made_up(seed=user + 1)):
        yield (role, text) if number % STATED else ("user", next(told))


def _taken(db: Db) -> dict[str, dict[str, int]]:
    found = db.execute(TAKEN).fetchall()
    names = ("rows", "indexes", "aside")
    return {table: dict(zip(names, map(int, bytes), strict=True)) for table, *bytes in found}


def _pack(db: Db) -> None:
    """Write all tables anew, without what earlier versions of rows left in them."""
    for table in _taken(db):
        db.execute(f"VACUUM (FULL) recollect.{table}")


def _all(taken: Mapping[str, Mapping[str, int]]) -> int:
    return sum(sum(parts.values()) for parts in taken.values())


def _logged(db: Db) -> int:
    return int(cast("tuple[Any]", db.execute(LOGGED).fetchone())[0])


def _kinds(db: Db, prefix: str, users: int) -> dict[str, int]:
    """How many records of each kind a user has."""
    from recollect.stores.postgres.rows import space_key

    with db.transaction():
        db.execute("SELECT set_config('recollect.every', 'on', true)")
        rows: list[tuple[str, int]] = db.execute(
            "SELECT kind, count(*) FROM recollect.records WHERE space = ANY(%s) GROUP BY kind",
            ([space_key(prefix + _user(user)) for user in range(users)],),
        ).fetchall()
    return {kind: round(count / users) for kind, count in sorted(rows, key=lambda row: -row[1])}


def _in_file(users: int, count: int, progress: Progress) -> int:
    """Bytes of a SQLite file with the same users, once it is closed."""
    with tempfile.TemporaryDirectory(prefix="recollect-bench-") as folder:
        place = Place(title="SQLite", address=str(Path(folder, "memory.db")))
        for user in range(users):
            _make(place, user, count)
            progress(1)
        return sum(part.stat().st_size for part in Path(folder).iterdir())


def _added(server: Place) -> float:
    """Bytes of the log for each message that is added by itself."""
    with server.open("logged", summarize="manual") as memory:
        session, source = memory.session("said"), made_up(seed=7)
        session.add(*next(source))
        began = server.ask(_logged)
        for turn in islice(source, ADDED):
            session.add(*turn)
        return (server.ask(_logged) - began) / ADDED


def _scrubbed(server: Place, users: int) -> tuple[int, float]:
    """Erase every second user, then force their bytes off the disk: how many bytes are written anew, in which time.
    Before that the server copies the users until there is enough to write, so that what a table takes by itself does
    not count for much."""
    names = [server.prefix + _user(user) for user in range(users)]
    for number in range(ENOUGH // max(1, _all(server.ask(_taken)))):
        copies = [f"{name}-{number}" for name in names]
        server.ask(partial(copy_spaces, spaces=names, names=copies))
    store = cast("PostgresStore", open_store(server.address, SETTINGS))
    try:
        for name in names[::2]:
            store.erase(Target(space=name, time=datetime.now(UTC)))
        start = perf_counter()
        done = store.scrub(lambda _: None)
        return done.bytes, round(perf_counter() - start, 3)
    finally:
        store.close()


def plain(measured: Measured) -> dict[str, object]:
    """The figures as a plain dictionary, for JSON."""
    return asdict(measured)


# The report


def report(measured: Measured) -> str:
    """The figures as Markdown."""
    parts = (_room(measured), _rates(measured.rates), _erasing(measured))
    return "\n\n".join("\n".join(lines) for part in parts if (lines := list(part)))


def _room(measured: Measured) -> Iterator[str]:
    all_messages = measured.users * measured.messages
    kinds = ", ".join(f"{count} {kind}" for kind, count in measured.records.items() if count)
    yield (
        f"Bytes a message, of {measured.users:,} users with {measured.messages:,} messages each, vectors of "
        f"{FreeEmbedder.dimension} numbers, and these records: {kinds}:"
    )
    yield ""
    rows = [_row(one.table, [one], measured) for one in measured.amounts if one.bytes]
    rows.append(_row("all", measured.amounts, measured))
    for name, bytes in (("all, written anew (VACUUM FULL)", measured.packed), ("a SQLite file", measured.file)):
        if bytes:
            rows.append([name, "", "", "", f"{bytes / all_messages:,.0f}", _kb(measured, bytes)])
    yield from markdown(["table", "rows", "indexes", "TOAST", "all", "a user"], rows)
    yield ""
    yield f"{measured.server}."
    yield (
        f"Write-ahead log: {measured.log:,.0f} bytes for a message added by itself, {measured.log_in_all:,.0f} for one "
        "of many with everything that is derived from it."
    )


def _row(name: str, amounts: Sequence[Amount], measured: Measured) -> list[str]:
    count = measured.users * measured.messages
    parts = [sum(one.rows for one in amounts), sum(one.indexes for one in amounts), sum(one.aside for one in amounts)]
    return [name, *(f"{part / count:,.0f}" for part in (*parts, sum(parts))), _kb(measured, sum(parts))]


def _kb(measured: Measured, bytes: int) -> str:
    return f"{bytes / measured.users / 1000:,.0f} kB"


def _rates(rates: Sequence[several.Rate]) -> Iterator[str]:
    if not rates:
        return
    yield "Operations a second by client processes on this machine, beside the server, durability=power:"
    yield ""
    found = {(rate.what, rate.clients): rate for rate in rates}
    rows = []
    for number in sorted({rate.clients for rate in rates}):
        adds, turns = found[several.ADDS, number], found[several.TURNS, number]
        most = max(adds.connections, turns.connections)
        rows.append([f"{number}", *(f"{one.second:,.0f} ({one.cores:.1f})" for one in (adds, turns)), f"{most}"])
    head = ["clients", f"{several.ADDS} (cores of clients)", several.TURNS, "connections, at most"]
    yield from markdown(head, rows)


def _erasing(measured: Measured) -> Iterator[str]:
    if not measured.scrubbed:
        yield "Forced erasure was not tried: it makes others wait for their data. Measure it on an empty database."
        return
    seconds, size = measured.scrub_seconds, measured.scrubbed
    yield (
        f"Forced erasure wrote {size / 1e6:,.0f} MB of tables anew in {seconds:,.1f} s: {seconds / size * 1e9:,.0f} s "
        "for each GB of the partitions that hold something erased."
    )
