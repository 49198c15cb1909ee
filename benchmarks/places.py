"""Where latency and sizes are measured: a file, and a PostgreSQL server beside it. A database may be somebody's, so
only an empty one is taken, and it is given back empty however a measurement ends."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import cycle, islice
from typing import Annotated, Any, TypeVar

import typer

from benchmarks.texts import messages
from onrecord.errors import InvalidInput
from onrecord.memory import Memory
from onrecord.ports import Target
from onrecord.settings import Settings
from onrecord.stores import is_server, open_store, shown

SETTINGS = Settings(durability="power", busy_timeout=60.0)
BATCH = 1_000  # messages of others that are added at once, to a session of their own
SPACES = 10  # over which they are spread
DIFFERENT = 50_000  # different ones among them: making up a million takes longer than storing them

Db = Annotated[str | None, typer.Option(help="Also measure an empty PostgreSQL database: postgresql://…, or embedded.")]

_Answer = TypeVar("_Answer")


@dataclass(slots=True)
class Place:
    """A file or a database."""

    title: str
    address: str
    others: int = 0  # messages of others that it holds

    def open(self, space: str, **settings: Any) -> Memory:
        """The memory there; without vectors, unless an embedder is given."""
        return Memory(self.address, space=space, **{"embedder": None, "durability": "process", **settings})

    def fill(self, others: int) -> None:
        """Add messages of others until there are so many."""
        source = cycle(list(islice(messages(seed=5), min(DIFFERENT, others))))
        with self.open("others", summarize="manual") as memory:
            while self.others < others:
                count = min(BATCH, others - self.others)
                space = memory.space(f"others-{self.others // BATCH % SPACES}")
                space.session(f"session-{self.others}").add_many(islice(source, count))
                self.others += count
        if is_server(self.address):  # or the server would do it by itself a minute later, during a measurement
            self.ask(lambda db: db.execute("VACUUM (ANALYZE)"))

    def ask(self, work: Callable[[Any], _Answer]) -> _Answer:
        """What `work` returns on a connection to the server."""
        from onrecord.stores.postgres.connection_pool import ConnectionPool

        with closing(ConnectionPool(self.address, SETTINGS)) as server:
            return server.plainly(work)


@contextmanager
def servers(db: str | None, databases: int) -> Iterator[list[Place]]:
    """The empty databases to measure in: none without `db`, so many of a server that is started for this, or the one
    that is meant. Raises `InvalidInput` for one that is in use."""
    if db is None:
        yield []
    elif db == "embedded":
        from tests.postgres_server import Server

        with Server(durable=True, options={"shared_buffers": "128MB"}) as running:
            running.create_role("onrecord")
            names = [f"onrecord{number}" for number in range(databases)]
            for name in names:
                running.create_database(name, owner="onrecord")
            yield [Place("PostgreSQL", running.url(name, user="onrecord", tcp=True)) for name in names]
    elif not is_server(db):
        raise InvalidInput(f"{db} is no server.", "Give --db postgresql://…, or --db embedded.")
    else:
        with closing(open_store(db, SETTINGS)) as store:
            if spaces := store.spaces():
                what = f"{shown(db)} is in use: it holds {len(spaces):,} spaces."
                raise InvalidInput(what, "Give an empty database.")
            try:
                yield [Place("PostgreSQL", db)]
            finally:
                for name in store.spaces():
                    store.erase(Target(space=name, time=datetime.now(UTC)))
