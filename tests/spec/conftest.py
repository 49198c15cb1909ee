"""Every behaviour of the designs holds on the embedded stores and on a PostgreSQL server: each test runs twice, the
second time with every address standing for a database of its own; but for those that are about a file's own damage."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from postgres_tools import empty_store_url

from onrecord.ports import Store
from onrecord.settings import Settings
from onrecord.stores import is_folder, open_store


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    alone = metafunc.definition.get_closest_marker("embedded")
    metafunc.parametrize("_stores", ["embedded"] if alone else ["embedded", "postgres"], indirect=True)


@pytest.fixture(autouse=True)
def _stores(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if request.param == "embedded":
        yield
        return
    databases: dict[str, str] = {}
    opened: list[Store] = []

    def opening(address: str, settings: Settings) -> Store:
        if is_folder(address):
            return open_store(address, settings)
        name = f"{address} {len(databases)}" if address == ":memory:" else address
        if name not in databases:
            databases[name] = empty_store_url(f"spec_{len(databases)}")
        opened.append(open_store(databases[name], settings))
        return opened[-1]

    monkeypatch.setattr("onrecord.memory.open_store", opening)
    yield
    for store in opened:
        store.close()
