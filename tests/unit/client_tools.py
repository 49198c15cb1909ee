"""Memories that hide behind a service in this process, so that whatever is true of memories can be tried over HTTP."""

from __future__ import annotations

import inspect
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest
import uvicorn

from onrecord import Memory
from onrecord.client import RemoteMemory
from onrecord.service.app import create_app
from onrecord.service.service_settings import Serving
from onrecord.service.space_access import Desk


@contextmanager
def listening(app: Any) -> Iterator[str]:
    """The address at which an application answers."""
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        config = uvicorn.Config(app, log_config=None, access_log=False, lifespan="on", ws="none")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([door],), daemon=True)
        thread.start()
        while not server.started:
            thread.join(0.01)
            assert thread.is_alive(), "the service did not start"
        try:
            yield f"http://127.0.0.1:{door.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(30)


class Wire:
    """One service for many memories, each below a number of its own: starting one for each would take a second."""

    def __init__(self) -> None:
        self._desk: ContextVar[Desk] = ContextVar("desk")
        self._desks: dict[str, Desk] = {}
        with Memory(":memory:", embedder=None) as nobody:
            self._first = create_app(nobody, Serving(db=":memory:"))
        self._usual: Desk = self._first.state.desk
        self._first.state = self  # type: ignore[assignment]
        self.address = ""

    @property
    def desk(self) -> Desk:
        """The one at which the call under way was received."""
        return self._desk.get(self._usual)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            _, number, rest = scope["raw_path"].split(b"/", 2)
            self._desk.set(self._desks[number.decode()])
            scope = scope | {"raw_path": b"/" + rest, "path": "/" + rest.decode()}
        await self._first(scope, receive, send)

    def add(self, memory: Memory) -> str:
        """The address of one more memory."""
        number = str(len(self._desks) + 1)
        self._desks[number] = replace(self._usual, memory=memory)
        return f"{self.address}/{number}"


@contextmanager
def a_wire() -> Iterator[Wire]:
    wire = Wire()
    with listening(wire) as wire.address:
        yield wire


class Wired(RemoteMemory):
    """What `Memory(…)` is while everything goes over the wire: a memory here, and a service in between."""

    def __init__(self, *given: Any, **settings: Any) -> None:
        """It was made whole already."""

    @classmethod
    def made(cls, wire: Wire, *given: Any, **settings: Any) -> Wired:
        local = object.__new__(Memory)
        Memory.__init__(local, *given, **settings)
        found = object.__new__(cls)
        RemoteMemory.__init__(found, wire.add(local), space=local.name)
        found.local = local
        found._store, found._parts = local._store, local._parts  # for tests that look inside
        return found

    local: Memory

    def space(self, name: str) -> RemoteMemory:
        found = super().space(name)
        assert isinstance(found, Wired)
        found.local = self.local
        return found

    def _close(self, *, finish: bool) -> None:
        super()._close(finish=finish)
        self.local._close(finish=finish)


def wire_all(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have every memory that is opened hide behind the service."""
    usual: Any = Memory.__new__

    def anywhere(cls: type, path: object = "", *given: Any, **settings: Any) -> Any:
        if cls is Memory and not str(path).startswith("http"):
            return Wired.made(wire, path, *given, **settings)
        return usual(cls, path, *given, **settings)

    monkeypatch.setattr("onrecord.memory._Anywhere.__new__", anywhere)


def borrow(module: ModuleType, into: dict[str, Any], *, but: set[str]) -> None:
    """Take over the tests of another file, with its fixtures, but for those that are about more than the methods."""
    names = {name for name, value in vars(module).items() if name.startswith("test_") and inspect.isfunction(value)}
    assert but <= names, but - names
    fixtures = {name for name, value in vars(module).items() if type(value).__name__ == "FixtureFunctionDefinition"}
    into.update({name: getattr(module, name) for name in sorted((names | fixtures) - but)})
