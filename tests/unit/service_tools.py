"""A service on a real socket, in a thread of this process, and a client that speaks plain HTTP to it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any

import httpx
import uvicorn

from onrecord import Memory
from onrecord.cli.serve_commands import _config
from onrecord.service.keys import Keys
from onrecord.service.service_settings import Serving
from onrecord.ui.site import create_app

__all__ = ["Served", "key_of", "serving", "session_path"]


@dataclass(slots=True)
class Served:
    """A service that runs."""

    url: str
    memory: Memory
    http: httpx.Client

    def call(
        self, method: str, path: str, body: Any = None, *, key: str | None = None, space: str | None = None, **more: Any
    ) -> httpx.Response:
        """One request; a body becomes JSON."""
        headers: dict[str, str] = dict(more.pop("headers", {}))
        if key is not None:
            headers["Authorization"] = f"Bearer {key}"
        if space is not None:
            headers["X-Onrecord-Space"] = space
        if body is not None:
            more["json"] = body
        return self.http.request(method, path, headers=headers, **more)

    def ok(self, method: str, path: str, body: Any = None, **more: Any) -> Any:
        """The answer of a request that must go well."""
        answer = self.call(method, path, body, **more)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def fails(self, status: int, code: str, method: str, path: str, body: Any = None, **more: Any) -> Mapping[str, str]:
        """The error of a request that must fail in this way."""
        answer = self.call(method, path, body, **more)
        assert answer.status_code == status, (answer.status_code, answer.text)
        error: Mapping[str, str] = answer.json()["error"]
        assert set(error) == {"code", "message", "hint"}
        assert error["code"] == code
        return error


@contextmanager
def serving(place: Path | str, *, memory: Mapping[str, Any] | None = None, **settings: Any) -> Iterator[Served]:
    """A service on a memory, until the block ends; it finishes what is under way first."""
    told = Serving(db=str(place), memory={"embedder": None, "summarize": "inline", **(memory or {})}, **settings)
    opened = told.open()
    server = uvicorn.Server(_config(create_app(opened, told), port=0))
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the service did not start"
        sleep(0.005)
    port = server.servers[0].sockets[0].getsockname()[1]
    url = f"http://127.0.0.1:{port}"
    try:
        with httpx.Client(base_url=url, timeout=30, trust_env=False) as http:
            yield Served(url, opened, http)
    finally:
        server.should_exit = True
        thread.join()


def key_of(place: Path | str, *scopes: str, tenant: str | None = None, space: str | None = None) -> str:
    """A key for a memory; all scopes if none is named."""
    with Memory(str(place), embedder=None) as memory:
        chosen = scopes or ("read", "write", "erase", "admin")
        return Keys(memory._store, memory._clock).create(scopes=chosen, tenant=tenant, space=space)[0]


def session_path(session: str, rest: str = "") -> str:
    """The path of a session, whatever its id holds."""
    from urllib.parse import quote

    return f"/v1/sessions/{quote(session, safe='').replace('.', '%2E')}{rest}"  # a path's dots mean something
