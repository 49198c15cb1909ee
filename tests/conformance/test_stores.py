"""Every store passes the shipped suite."""

from __future__ import annotations

from pathlib import Path

from onrecord.ports import Store
from onrecord.settings import Settings
from onrecord.stores.folder import FolderStore
from onrecord.stores.in_memory import MemoryStore
from onrecord.stores.sqlite import SqliteStore
from onrecord.testing.conformance import StoreSuite

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
