"""Every store passes the shipped suite."""

from __future__ import annotations

from pathlib import Path

from recollect.ports import Store
from recollect.settings import Settings
from recollect.stores.json_folder import JsonFolderStore
from recollect.stores.memory import MemoryStore
from recollect.stores.sqlite import SqliteStore
from recollect.testing.conformance import StoreSuite

SETTINGS = Settings(durability="power", busy_timeout=10)


class TestMemory(StoreSuite):
    persistent = False

    def open(self, path: Path) -> Store:
        return MemoryStore()


class TestJsonFolder(StoreSuite):
    drops_all_blocks = True

    def open(self, path: Path) -> Store:
        return JsonFolderStore(path, SETTINGS)


class TestSqlite(StoreSuite):
    def open(self, path: Path) -> Store:
        return SqliteStore(path, SETTINGS)
