"""The PostgreSQL store passes the shipped suite, on a real server, as a role that row-level security holds for."""

from __future__ import annotations

from pathlib import Path

import pytest
from postgres_tools import QUICK, empty_store_url

from onrecord.ports import Store
from onrecord.stores.postgres import PostgresStore
from onrecord.testing.conformance import StoreSuite


class TestPostgres(StoreSuite):
    on_a_server = True

    @pytest.fixture(autouse=True)
    def _empty(self) -> None:
        self.url = empty_store_url("conformance")

    def open(self, path: Path) -> Store:
        return PostgresStore(self.url, QUICK)
