"""How an upstream is asked: at its address as it was given, with the caller's headers as they came, and no cookies."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import pytest
from service_tools import serving

ANSWER = json.dumps({"choices": [{"message": {"role": "assistant", "content": "Hi"}, "finish_reason": "stop"}]})


class _Baker(BaseHTTPRequestHandler):
    """Answers every chat request with a cookie, and notes those that come back."""

    protocol_version = "HTTP/1.1"
    came: ClassVar[list[tuple[str | None, str | None]]] = []
    asked: ClassVar[list[tuple[str, str | None, str | None]]] = []  # the path, and two headers

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.came.append((self.headers["Cookie"], self.headers["User-Agent"]))
        self.asked.append((self.path, self.headers["X-Title"], self.headers["Authorization"]))
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Set-Cookie", "who=ann; Path=/")
        self.send_header("Content-Length", str(len(ANSWER)))
        self.end_headers()
        self.wfile.write(ANSWER.encode())

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is said."""


@pytest.fixture
def upstream() -> Iterator[str]:
    _Baker.came.clear()
    _Baker.asked.clear()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Baker)
    server.daemon_threads = True
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_a_cookie_of_the_upstream_reaches_no_caller_and_does_not_come_back(upstream: str, tmp_path: Path) -> None:
    with serving(tmp_path / "memory.db", upstream=upstream) as served:
        for space in ("ann", "ben"):
            body = {"model": "m", "messages": [{"role": "user", "content": "Hello"}]}
            headers = {"X-Onrecord-Space": space}
            answer = served.http.post("/v1/chat/completions", json=body, headers=headers)
            assert (answer.status_code, answer.headers["x-onrecord-memory"]) == (200, "used")
            assert "set-cookie" not in answer.headers
    assert [cookie for cookie, _ in _Baker.came] == [None, None]
    assert all(agent and agent.startswith("onrecord/") for _, agent in _Baker.came)


BODY = {"model": "m", "messages": [{"role": "user", "content": "Hello"}]}


def test_headers_go_on_as_the_bytes_that_came(upstream: str, tmp_path: Path) -> None:
    with serving(tmp_path / "memory.db", upstream=upstream) as served:
        answer = served.http.post("/v1/chat/completions", json=BODY, headers={b"X-Title": "Café".encode()})
        assert answer.status_code == 200
    (_, title, _) = _Baker.asked[-1]
    assert title is not None
    assert title.encode("latin-1").decode("utf-8") == "Café"


def test_an_address_may_have_a_query_and_a_user(upstream: str, tmp_path: Path) -> None:
    there = upstream.replace("http://", "http://ann:secret@") + "/?api-version=2"
    with serving(tmp_path / "memory.db", upstream=there, upstream_key="sk-1") as served:
        assert served.http.post("/v1/chat/completions", json=BODY).status_code == 200
    assert _Baker.asked[-1] == ("/v1/chat/completions?api-version=2", None, "Bearer sk-1")
