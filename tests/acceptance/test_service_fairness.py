"""One tenant floods the service with work that takes long; another is answered meanwhile, and so is who asks for its
health."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryFile
from threading import Event, Semaphore
from typing import IO, Any

import pytest
from service_tools import key_of, serving, session_path

from onrecord import Memory, Session
from onrecord.service import proxy
from onrecord.service.limits import UPLOADS
from onrecord.service.routes import ROUTERS
from onrecord.service.routing import Threaded
from onrecord.testing.scripted_server import ScriptedEndpoint
from onrecord.ui.pages import ROUTERS as PAGES

FLOOD = 60

CHAT = {"model": "gpt-4o", "messages": [{"role": "user", "content": "Hello"}]}
MESSAGE = {"role": "user", "text": "We fly to Lisbon on 5 May."}


@pytest.mark.parametrize(
    ("kind", "name", "method", "path", "body"),
    [
        (Session, "context", "POST", session_path("s", "/context"), {"question": "When?"}),
        (Session, "add", "POST", session_path("s", "/messages"), MESSAGE),
        (Session, "history", "GET", session_path("s", "/messages"), None),
        (Memory, "search", "GET", "/ui/recall?q=Lisbon", None),
        (Memory, "episodes", "GET", "/ui/episodes", None),
        (Session, "flush", "POST", session_path("s", "/flush"), None),
        (proxy, "_begin", "POST", "/v1/chat/completions", CHAT),
    ],
)
def test_a_tenant_that_floods_keeps_no_other_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: Any, name: str, method: str, path: str, body: Any
) -> None:
    place, go, begun = tmp_path / "m.db", Event(), Event()
    evil, good = (key_of(place, "read", "write", tenant=tenant) for tenant in ("evil", "good"))

    def slow(work: Callable[..., Any]) -> Callable[..., Any]:
        def run(self: Any, *given: Any, **more: Any) -> Any:
            space = self.call.memory.name if kind is proxy else self.name if kind is Memory else self._space
            if space.startswith("evil/"):
                begun.set()
                assert go.wait(60)
            return work(self, *given, **more)

        return run

    with (
        ScriptedEndpoint() as upstream,
        serving(place, upstream=upstream.base_url, rate=0.0) as served,
        ThreadPoolExecutor(FLOOD) as pool,
    ):
        upstream.answers = ["Hello."] * 2 * FLOOD
        for key in (evil, good):
            served.ok("POST", session_path("s", "/messages"), MESSAGE, key=key)
        original = getattr(kind, name)
        monkeypatch.setattr(kind, name, slow(original))
        flood = [pool.submit(served.call, method, path, body, key=evil) for _ in range(FLOOD)]
        assert begun.wait(20)
        answer = served.call(method, path, body, key=good)
        assert answer.status_code == 200, answer.text
        assert answer.headers.get("x-onrecord-memory", "used") == "used"
        assert served.ok("GET", "/healthz")
        assert served.ok("GET", "/readyz")
        assert not any(call.done() for call in flood)
        go.set()
        assert {call.result().status_code for call in flood} == {200}


def test_unfinished_imports_of_a_tenant_are_few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place, begun, go = tmp_path / "m.db", Semaphore(0), Event()
    evil, good = (key_of(place, "write", tenant=tenant) for tenant in ("evil", "good"))

    def opened(mode: str) -> IO[bytes]:
        begun.release()
        return TemporaryFile(mode)

    def endless() -> Iterator[bytes]:
        yield b"x"
        assert go.wait(30)

    monkeypatch.setattr("onrecord.service.limits.TemporaryFile", opened)
    with serving(place) as served, ThreadPoolExecutor(UPLOADS) as pool:
        flood = [pool.submit(served.call, "POST", "/v1/import", key=evil, content=endless()) for _ in range(UPLOADS)]
        assert all(begun.acquire(timeout=20) for _ in flood)
        error = served.fails(429, "Limited", "POST", "/v1/import", key=evil, content=b"x")
        assert f"{UPLOADS} imports are under way" in error["message"]
        served.fails(422, "InvalidInput", "POST", "/v1/import", key=good, content=b"x")
        go.set()
        assert {call.result().status_code for call in flood} == {422}
        served.fails(422, "InvalidInput", "POST", "/v1/import", key=evil, content=b"x")


def test_every_route_that_blocks_does_so_in_its_tenants_threads() -> None:
    for router in (*ROUTERS, *PAGES):
        assert all(isinstance(route, Threaded) for route in router.routes)
