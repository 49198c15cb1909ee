"""Every store passes the shipped suite."""

from __future__ import annotations

from pathlib import Path

from onrecord.ports import Store
from onrecord.settings import Settings
from onrecord.stores.folder import FolderStore
from onrecord.stores.sqlite import SqliteStore
from onrecord.stores.sqlite.memory_store import MemoryStore
from onrecord.testing.conformance import StoreSuite
from tests.reference_store import ReferenceStore

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


class TestReference(StoreSuite):
    """The store with which the others are compared."""

    persistent = False

    def open(self, path: Path) -> Store:
        return ReferenceStore()
