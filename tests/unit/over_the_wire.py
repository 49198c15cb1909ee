"""Runs any tests with every memory behind a service: pytest -p over_the_wire …"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from client_tools import Wire, a_wire, wire_all


@pytest.fixture(scope="session")
def wire() -> Iterator[Wire]:
    with a_wire() as found:
        yield found


@pytest.fixture(autouse=True)
def _over_the_wire(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    wire_all(wire, monkeypatch)
