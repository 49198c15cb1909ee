"""Routes that are read directly answer as the framework would have; long prompts keep nobody but prompts waiting."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Event
from typing import Any

import pytest
from service_tools import key_of, serving, session_path

from onrecord import Context, Session
from onrecord.service.app import COMPUTING
from onrecord.service.service_settings import Serving

OTHERWISE = {"Content-Type": "application/json; charset=utf-8"}  # the framework reads this


def test_what_is_read_directly_is_answered_as_by_the_framework(tmp_path: Path) -> None:
    with serving(tmp_path / "m.db") as served:
        served.ok("POST", session_path("a/b c", "/messages"), {"role": "user", "text": "The kayak is red"})
        for path, body in (
            (session_path("a/b c", "/context"), b'{"question": "The kayak?", "format": "text"}'),
            (session_path("a/b c", "/search"), b'{"text": "kayak"}'),
            ("/v1/search", b'{"text": "kayak", "limit": 3}'),
            ("/v1/search", b'{"text": "kayak", "limit": 0}'),
            ("/v1/search", b'{"text": 5}'),
            ("/v1/search", b'{"text": "kayak", "more": 1}'),
            ("/v1/search", b"[1]"),
            ("/v1/search", b"{"),
            ("/v1/search", b"\xff"),
            ("/v1/search", b"[" * 100_000),
            ("/v1/search", b""),
        ):
            plain = served.call("POST", path, content=body, headers={"Content-Type": "application/json"})
            other = served.call("POST", path, content=body, headers=OTHERWISE)
            assert (plain.status_code, _told(plain.json())) == (other.status_code, _told(other.json())), (path, body)
        assert "kayak" in served.ok("POST", session_path("a/b c", "/context"), {"format": "text"})["prompt"]


def _told(answer: dict[str, Any]) -> dict[str, Any]:
    """What does not depend on what was asked before."""
    return {name: value for name, value in answer.items() if name != "stable"}


def test_a_scope_is_needed_all_the_same(tmp_path: Path) -> None:
    key = key_of(tmp_path / "m.db", "write")
    with serving(tmp_path / "m.db") as served:
        served.fails(403, "Denied", "POST", "/v1/search", {"text": "kayak"}, key=key)
        served.fails(403, "Denied", "POST", "/v1/search", {"text": 5}, key=key)


def test_prompts_that_take_long_keep_only_prompts_waiting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go = Barrier(COMPUTING + 1, timeout=60), Event()
    build = Session.context

    def slow(session: Session, *given: Any, **more: Any) -> Context:
        begun.wait()
        assert go.wait(60)
        return build(session, *given, **more)

    with serving(tmp_path / "m.db") as served, ThreadPoolExecutor() as pool:
        served.ok("POST", session_path("s", "/messages"), {"role": "user", "text": "The kayak is red"})
        monkeypatch.setattr(Session, "context", slow)
        asked = [pool.submit(served.ok, "POST", session_path("s", "/context"), {}) for _ in range(COMPUTING)]
        begun.wait()
        assert served.ok("POST", session_path("s", "/messages"), {"role": "user", "text": "It is mine"})["seq"] == 2
        assert served.ok("GET", "/healthz")
        go.set()
        assert all(one.result()["prompt"] for one in asked)


def test_who_waits_for_other_machines_does_so_in_more_threads() -> None:
    for db, embedder, waits in (
        ("m.db", None, False),
        ("m.db", "none", False),
        ("m.db", "auto", False),
        ("m.db", "local:some/folder", False),
        ("m.db", "openai/text-embedding-3-small", True),
        ("postgresql://localhost/m", None, True),
    ):
        assert Serving(db=db, memory={"embedder": embedder}).waits is waits
