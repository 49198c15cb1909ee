"""Where the data lie: one port, several stores. `open_store` chooses by the address; a store's library loads then."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from onrecord.errors import InvalidInput, NotFound, StoreError
from onrecord.ports import Progress, Store
from onrecord.records import Message, Record, SessionInfo
from onrecord.settings import Settings
from onrecord.stores.checked import CheckedStore
from onrecord.stores.unfinished import sweep

__all__ = ["driver", "is_folder", "is_part_of", "is_server", "open_store", "salvage", "shown"]

BESIDE = ("", "-wal", "-shm", "-journal", "-damaged")  # endings of the files that belong to a SQLite file


def open_store(address: str, settings: Settings) -> Store:
    """The store at an address: `:memory:`, `postgresql://…`, a folder (it exists, or ends in a slash), or a
    SQLite file. A path through links means what they lead to: the files beside it, such as its log, lie there. Derived
    records that cannot be read are missing to every reader."""
    return cast(Store, CheckedStore(_opened(address, settings)))


def _opened(address: str, settings: Settings) -> Store:
    if address == ":memory:":
        from onrecord.stores.sqlite.memory_store import MemoryStore

        return MemoryStore()
    if is_server(address):
        return _postgres(address, settings)
    path = Path(address).resolve()
    sweep(path.parent)
    if is_folder(address):
        from onrecord.stores.folder import FolderStore

        return FolderStore(path, settings)
    from onrecord.stores.sqlite import SqliteStore

    return SqliteStore(path, settings)


def is_server(address: str) -> bool:
    """Whether the address is that of a database server; raises for an unknown kind."""
    if "://" not in address:
        if address.startswith(("postgresql:", "postgres:")):
            raise InvalidInput("This address of a server lacks its slashes.", "Write postgresql://USER@HOST/DB.")
        return False
    kind = address.split("://")[0]
    if kind not in ("postgresql", "postgres"):
        raise InvalidInput(f"This version cannot open {kind}:// addresses.", "Give postgresql://…, or a file's path.")
    return True


def shown(address: str) -> str:
    """An address as people may see it: without a password."""
    if "://" not in address:
        return address
    place, mark, rest = address.partition("?")
    hidden = re.sub(r"(password=)[^&]*", r"\1***", rest)
    return re.sub(r"(://[^/@:]*:).*@", r"\1***@", place) + mark + hidden


def _postgres(address: str, settings: Settings) -> Store:
    with driver():
        from onrecord.stores.postgres import PostgresStore

    return PostgresStore(address, settings)


@contextmanager
def driver() -> Iterator[None]:
    """Around what imports the driver for PostgreSQL: where it is missing, says what to install."""
    try:
        yield
    except ImportError as error:
        raise StoreError("The driver for PostgreSQL is not here.", "Run: pip install 'onrecord[postgres]'") from error


def is_folder(address: str) -> bool:
    """Whether the address means a folder rather than a file."""
    return address.endswith(("/", "\\")) or os.path.isdir(address)


def is_part_of(address: str, path: Path) -> bool:
    """Whether a path is one of the files of the store at an address."""
    if address == ":memory:" or is_server(address):
        return False
    store, file = Path(address).resolve(), path.resolve()
    if is_folder(address):
        return file == store or store in file.parents
    return file in [store.with_name(store.name + ending) for ending in BESIDE]


def salvage(address: str, progress: Progress) -> Iterator[tuple[str, SessionInfo, Message | Record]]:
    """Everything that a damaged store still holds, as (space, session, item): the messages of each session in order,
    then its derived records."""
    if is_server(address):
        raise InvalidInput("What a server holds is not read without it.", "Restore a backup of the server.")
    path = Path(address).resolve()
    if not path.exists() and not path.with_name(path.name + "-wal").exists():
        raise NotFound(f"There is nothing at {address}.", "Check the path.")
    if is_folder(address):
        from onrecord.stores.folder.edits import readable as readable_folder

        return readable_folder(path, progress)
    from onrecord.stores.sqlite.sqlite_care import readable

    return readable(path, progress)
