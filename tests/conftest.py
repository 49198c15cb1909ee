"""For all tests: no network, by construction; the same examples in every run."""

import os
import socket
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import settings

from onrecord import Memory
from onrecord.profiles import PROFILES

# Ordinary runs repeat their examples, so that a red one means the change; `make fuzz` looks for new ones. How long an
# example takes is no matter of right or wrong.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.register_profile("fuzz", deadline=None)
settings.load_profile("fuzz" if os.environ.get("ONRECORD_FUZZ") else "repeatable")


@pytest.fixture(autouse=True, scope="session")
def _no_network() -> None:
    """Whoever opens a connection to another machine fails the test. This machine, by number, is fine: servers that a
    test starts itself, and the pairs of sockets that event loops use."""

    def guard(connect: Any) -> Any:
        def guarded(self: socket.socket, address: Any) -> Any:
            if self.family != socket.AF_UNIX and address[0] not in ("127.0.0.1", "::1"):
                raise AssertionError(f"a test wants to connect to {address}")
            return connect(self, address)

        return guarded

    socket.socket.connect = guard(socket.socket.connect)  # type: ignore[method-assign]
    socket.socket.connect_ex = guard(socket.socket.connect_ex)  # type: ignore[method-assign]


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memories summarise before `add` returns, unless a test says otherwise: so that what is there does not depend on
    when a thread ran."""
    defaults: Any = Memory.__init__.__kwdefaults__
    monkeypatch.setitem(defaults, "summarize", "inline")


@pytest.fixture(autouse=True)
def _rules_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Facts are found by rules alone, unless a test asks for a model's: so that a test of summaries can count calls."""
    alone = {name: replace(profile, model_facts=False) for name, profile in PROFILES.items()}
    monkeypatch.setattr("onrecord.memory.PROFILES", alone)


@pytest.fixture(autouse=True)
def _no_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    """Memories find by words alone, unless a test names an embedder: loading one takes a second of each process."""
    monkeypatch.setattr("onrecord.models.embedders.AUTO", False)
