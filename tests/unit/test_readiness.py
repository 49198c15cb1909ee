"""Whether a service is ready: its store answers, and the spaces that were asked for lately work."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from onrecord import Memory
from onrecord.service.readiness import EVERY, Readiness
from onrecord.service.service_settings import Serving
from onrecord.ui.site import create_app


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(tmp_path / "memory.db", embedder=None)


@pytest.fixture
def client(memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    monkeypatch.setattr("onrecord.service.readiness.EVERY", 0.0)
    with TestClient(create_app(memory, Serving(db=str(tmp_path / "memory.db"))), base_url="http://127.0.0.1") as client:
        yield client


def asked(client: TestClient, space: str) -> None:
    given = {"role": "user", "text": f"I live in Porto, says {space}."}
    client.post("/v1/sessions/s/messages", json=given, headers={"X-Onrecord-Space": space}).raise_for_status()


def ready(client: TestClient) -> tuple[int, dict[str, object]]:
    answer = client.get("/readyz")
    return answer.status_code, answer.json()


def breaking(monkeypatch: pytest.MonkeyPatch, where: str, space: str) -> None:
    """Have search, facts or context of a space raise."""

    def broken(self: object, *given: object, **more: object) -> object:
        if getattr(self, "_space", "") == space:
            raise IndexError("of a reader")
        return real(self, *given, **more)

    name = "onrecord.session.Session.context" if where == "context" else f"onrecord.memory.Memory.{where}"
    module, kind, method = name.rsplit(".", 2)
    real = getattr(getattr(__import__(module, fromlist=[kind]), kind), method)
    monkeypatch.setattr(name, broken)


@pytest.mark.parametrize("what", ["search", "facts", "context"])
def test_a_space_that_fails_is_seen(
    what: str, client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked(client, "a")
    asked(client, "b")
    assert ready(client) == (200, {"status": "ready"})
    breaking(monkeypatch, what, "a")
    assert ready(client) == (200, {"status": "ready", "failing": 1})  # the others are served
    assert "IndexError" in caplog.text
    assert "of a reader" not in caplog.text
    breaking(monkeypatch, what, "b")
    status, told = ready(client)
    assert (status, told["failing"]) == (503, 2)
    monkeypatch.undo()


def test_messages_that_cannot_be_read_are_counted(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(text: str, **more: object) -> object:
        raise IndexError

    monkeypatch.setattr("onrecord.derive.learner.claims", broken)
    asked(client, "a")
    assert ready(client) == (200, {"status": "ready", "unreadable": 1})


def test_a_few_spaces_are_tried_now_and_then(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1_000.0]
    monkeypatch.setattr("onrecord.service.readiness.monotonic", lambda: now[0])
    searched: list[str] = []
    real = Memory.search

    def search(self: Memory, text: str, **more: Any) -> object:
        searched.append(self.name)
        return real(self, text, **more)

    monkeypatch.setattr(Memory, "search", search)
    readiness = Readiness(memory)
    for number in range(9):
        readiness.asked(f"space {number}", None)
    readiness.look()
    readiness.look()
    assert searched == ["space 5", "space 6", "space 7", "space 8"]
    now[0] += EVERY
    readiness.look()
    assert len(searched) == 8
    assert memory.spaces() == []  # spaces that do not exist stay so
