"""Every store passes the shipped suite."""

from __future__ import annotations

from pathlib import Path

from recollect.ports import Store
from recollect.settings import Settings
from recollect.stores.folder import FolderStore
from recollect.stores.memory import MemoryStore
from recollect.stores.sqlite import SqliteStore
from recollect.testing.conformance import StoreSuite

SETTINGS = Settings(durability="power", busy_timeout=10)


class TestMemory(StoreSuite):
    persistent = False

    def open(self, path: Path) -> Store:
        return MemoryStore()


class TestFolder(StoreSuite):
    def open(self, path: Path) -> Store:
        return FolderStore(path, SETTINGS)


class TestSqlite(StoreSuite):
    def open(self, path: Path) -> Store:
        return SqliteStore(path, SETTINGS)
