"""For all tests: no network, by construction."""

import socket

import pytest


@pytest.fixture(autouse=True, scope="session")
def _no_network() -> None:
    """Whoever opens a connection in a test fails it; local pairs of sockets, as event loops use them, are fine."""

    def refuse(self: socket.socket, address: object) -> None:
        raise AssertionError(f"a test wants to connect to {address}")

    socket.socket.connect = refuse  # type: ignore[method-assign, assignment]
    socket.socket.connect_ex = refuse  # type: ignore[method-assign, assignment]
