"""Where the benchmarks of a server measure, and how such a place is filled and left.

A server's database may be somebody's: everything is written to spaces of a prefix of its own, which are erased at the
end however it ends, and a database that holds other spaces is only taken with consent. A million messages of others are
written by the store as far as they differ; the server then copies the rows of whole spaces, every column of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import cycle, islice
from secrets import token_hex
from typing import TYPE_CHECKING, Any, TypeVar

from benchmarks.texts import messages
from recollect.errors import InvalidInput, NotFound
from recollect.memory import Memory
from recollect.ports import Progress, Store, Target
from recollect.records import Role
from recollect.settings import Settings
from recollect.stores import is_server, open_store, shown

if TYPE_CHECKING:
    import psycopg

    Db = psycopg.Connection[tuple[Any, ...]]

__all__ = ["OWN", "SETTINGS", "Others", "Place", "borrowed", "copy_spaces", "levels"]

OWN = "recollect-bench-"
"""How the names of all spaces begin that are made on a server to be measured."""

SPACE = 1_000  # messages in each space of others
DIFFERENT = 50_000  # messages of others: making up a million takes longer than keeping them
SETTINGS = Settings(durability="power", busy_timeout=60.0)
COPIED = ("sessions", "messages", "records", "blocks", "counters", "due")  # tables besides that of spaces

_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A file or a server, and the spaces there that are ours."""

    title: str  # SQLite, PostgreSQL
    address: str
    prefix: str = ""  # with which the names of spaces begin
    empty: bool = True  # whether it held nothing before
    alone: bool = False  # it is never filled with messages of others

    def open(self, space: str, **settings: Any) -> Memory:
        """The memory there, seen through a space of ours; without vectors, unless an embedder is given."""
        return Memory(self.address, space=self.prefix + space, **{"embedder": None, **settings})

    @property
    def is_server(self) -> bool:
        return is_server(self.address)

    def ask(self, work: Callable[[Db], _Answer]) -> _Answer:
        """What `work` answers on a connection to the server."""
        from recollect.stores.postgres.server import Server

        server = Server(self.address, SETTINGS)
        try:
            return server.plainly(work)
        finally:
            server.close()


@contextmanager
def borrowed(url: str, *, consent: bool) -> Iterator[Place]:
    """A server's database to measure in, given back without what was written meanwhile. `consent`: also one that holds
    other people's spaces."""
    if not is_server(url):
        raise InvalidInput(f"{url} is no server.", "Give --db postgresql://…, or --db embedded.")
    store = open_store(url, SETTINGS)
    try:
        held = store.spaces()
        if held and not consent:
            raise _refusal(url, held)
        prefix = f"{OWN}{token_hex(4)}-"
        try:
            yield Place(title="PostgreSQL", address=url, prefix=prefix, empty=not held)
        finally:
            _erase(store, prefix)
    finally:
        store.close()


def _refusal(url: str, held: Sequence[str]) -> InvalidInput:
    left = sum(name.startswith(OWN) for name in held)
    of_ours = f", {left} of them left by a measurement that was killed ({OWN}…)" if left else ""
    return InvalidInput(
        f"{shown(url)} is in use: it holds {len(held):,} spaces{of_ours}.",
        "Measure on an empty database. Or pass --yes: what is there stays as it is, but whoever uses it meanwhile "
        "waits longer, and the room that the messages took is free again only after a VACUUM.",
    )


def _erase(store: Store, prefix: str) -> None:
    for name in store.spaces():
        if name.startswith(prefix):
            with suppress(NotFound):
                store.erase(Target(space=name, time=datetime.now(UTC)))


def levels(others: int) -> list[int]:
    """How many messages of others there are, step by step: a hundredth, a tenth, all."""
    return sorted({max(1, others // 100), max(1, others // 10), others})


class Others:
    """Messages of others in a place, ever more of them, a session of a thousand in each space."""

    def __init__(self, place: Place, most: int) -> None:
        self._place = place
        self._source: Iterator[tuple[Role, str]] = cycle(list(islice(messages(seed=5), min(DIFFERENT, most))))
        self._whole: list[str] = []  # names of spaces that are full, as the store wrote them
        self.held = 0

    def grow(self, size: int, progress: Progress) -> None:
        """Add messages until there are so many."""
        while self.held < size:
            spaces = min(len(self._whole), (size - self.held) // SPACE)
            if self._place.is_server and spaces and len(self._whole) * SPACE >= DIFFERENT:
                added = self._copied(self._whole[:spaces])
            else:
                added = self._written(min(SPACE, size - self.held))
            self.held += added
            progress(added)
        if self._place.is_server:
            self._place.ask(_tidy)

    def _written(self, count: int) -> int:
        name = f"others-{self.held}"
        with self._place.open(name, durability="process", summarize="manual") as memory:
            memory.session("said").add_many(islice(self._source, count))
        if count == SPACE:
            self._whole.append(self._place.prefix + name)
        return count

    def _copied(self, spaces: Sequence[str]) -> int:
        """Copy whole spaces: the texts would be the same ones again, too, if the store wrote them."""
        names = [f"{self._place.prefix}others-{self.held + number * SPACE}" for number in range(len(spaces))]
        self._place.ask(lambda db: copy_spaces(db, spaces, names))
        return len(spaces) * SPACE


def copy_spaces(db: Db, spaces: Sequence[str], names: Sequence[str]) -> None:
    """Have the server write the rows of these spaces once more, under other names."""
    from psycopg import sql

    from recollect.stores.postgres.rows import space_key

    values = ([space_key(space) for space in spaces], [space_key(name) for name in names], list(names))
    pairs = sql.SQL("unnest(%s::uuid[], %s::uuid[], %s::text[]) AS pair (space, copy, name)")
    with db.transaction():
        db.execute("SELECT set_config('recollect.every', 'on', true)")
        db.execute(
            sql.SQL(
                "INSERT INTO recollect.spaces (space, born, newest, removed, sessions, name) "
                "SELECT pair.copy, nextval('recollect.births'), newest, removed, sessions, pair.name "
                "FROM recollect.spaces s JOIN {} ON pair.space = s.space"
            ).format(pairs),
            values,
        )
        for table in COPIED:
            columns = sql.SQL(", ").join(map(sql.Identifier, _columns(db, table)))
            copied = sql.SQL(", ").join(sql.SQL("s.") + sql.Identifier(name) for name in _columns(db, table))
            statement = "INSERT INTO {} (space, {}) SELECT pair.copy, {} FROM {} s JOIN {} ON pair.space = s.space"
            name = sql.Identifier("recollect", table)
            db.execute(sql.SQL(statement).format(name, columns, copied, name, pairs), values)


def _columns(db: Db, table: str) -> list[str]:
    rows = db.execute(
        "SELECT attname FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped "
        "AND attname <> 'space' ORDER BY attnum",
        (f"recollect.{table}",),
    )
    return [str(name) for (name,) in rows.fetchall()]


def _tidy(db: Db) -> None:
    """What the server would do by itself a minute later, in the middle of a measurement."""
    for table in ("spaces", *COPIED):
        db.execute(f"VACUUM (ANALYZE) recollect.{table}")
