"""Routes that compute: long prompts keep nothing but prompts waiting."""

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


def test_a_scope_is_needed_whatever_is_sent(tmp_path: Path) -> None:
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
