"""A server for tests that speaks OpenAI's protocol and fails on command, on this machine only.

Vectors follow from the text alone, so the same text has the same one in every run:

>>> with ScriptedEndpoint(dimension=4) as server:
...     server.misbehave("status 500", times=2)
...     server.base_url.startswith("http://127.0.0.1:")
True

Requests are kept in `requests`. A route is a function from the request's body to the answer's. What it says in a chat
is in `answers`; what may go wrong is in `onrecord.testing.scripted_chat`.
"""

from __future__ import annotations

import json
import socket
import sys
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from hashlib import shake_128
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from struct import pack, unpack
from threading import Event, Thread
from typing import Any

from onrecord.testing.scripted_chat import Answers, Fault, Spoiler, answer_to, events, is_chat

__all__ = ["Fault", "ReceivedRequest", "ScriptedEndpoint", "refused_url", "vector_of"]

Route = Callable[[Mapping[str, Any]], dict[str, Any]]

_CHAT = "/v1/chat/completions"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedRequest:
    """One request."""

    path: str
    headers: Mapping[str, str]  # names in small letters
    body: Any


class ScriptedEndpoint(AbstractContextManager["ScriptedEndpoint"]):
    """Answers at `base_url` while the `with` block lasts. Safe to ask from many threads."""

    def __init__(self, *, dimension: int = 8) -> None:
        self.dimension = dimension
        self.requests: list[ReceivedRequest] = []
        self.answers: Answers = None  # what is said in a chat
        self.retry_after: str | None = None  # the header of an error; None: at once
        self.routes: dict[str, Route] = {
            "/v1/embeddings": self._embeddings,
            "/v1/models": lambda body: {"object": "list", "data": [{"id": "scripted", "object": "model"}]},
            _CHAT: lambda body: answer_to(body, self.answers),
        }
        self.released = Event()  # lets go of those that hang
        self._faults: deque[Fault | Spoiler] = deque()
        self._server = _LocalServer(self)
        self._thread = Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)

    @property
    def base_url(self) -> str:
        """What a client is given as the server's address."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def misbehave(self, fault: Fault | Spoiler, times: int = 1) -> None:
        """Let the next answers go wrong, each in this way or as the function makes it; several calls line up."""
        self._faults.extend([fault] * times)

    def next_fault(self) -> Fault | Spoiler | None:
        """Return what befalls the answer that is due."""
        try:
            return self._faults.popleft()
        except IndexError:
            return None

    def admits(self) -> bool:
        """Return whether the connection that was just made is kept."""
        if self._faults and self._faults[0] == "refused":
            self._faults.popleft()
            return False
        return True

    def __enter__(self) -> ScriptedEndpoint:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.released.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _embeddings(self, body: Mapping[str, Any]) -> dict[str, Any]:
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        data = [
            {"object": "embedding", "index": index, "embedding": vector_of(text, self.dimension)}
            for index, text in enumerate(texts)
        ]
        return {
            "object": "list",
            "model": body["model"],
            "data": data,
            "usage": {"prompt_tokens": 1, "total_tokens": 1},
        }


def refused_url() -> str:
    """Return an address of this machine at which no server listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return f"http://127.0.0.1:{probe.getsockname()[1]}/v1"


def vector_of(text: str, dimension: int) -> list[float]:
    """Return the vector of a text: numbers from -1 to 1, drawn from its hash."""
    drawn = unpack(f"<{dimension}h", shake_128(text.encode()).digest(2 * dimension))
    return [number / 32768 for number in drawn]


class _LocalServer(ThreadingTCPServer):
    """Not the `HTTPServer` of the standard library, which looks its own name up in the network."""

    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 128  # many may come at once, and a client that is turned away waits for a second

    def __init__(self, script: ScriptedEndpoint) -> None:
        self.script = script
        super().__init__(("127.0.0.1", 0), _Handler)

    def verify_request(self, request: Any, client_address: Any) -> bool:
        return self.script.admits()

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), OSError):  # the client may go away before the answer is through
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    """One connection, one request."""

    server: _LocalServer

    def do_GET(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        self._answer(json.loads(self.rfile.read(int(self.headers.get("content-length", 0)))))

    def _answer(self, body: Any) -> None:
        script = self.server.script
        headers = {name.lower(): value for name, value in self.headers.items()}
        script.requests.append(ReceivedRequest(path=self.path, headers=headers, body=body))
        fault = script.next_fault()
        if fault == "hang":
            script.released.wait()
        elif fault == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, pack("ii", 1, 0))
            self.connection.close()
        elif fault != "cut":
            self._reply(fault, body)

    def _reply(self, given: Fault | Spoiler | None, body: Mapping[str, Any]) -> None:
        fault = None if callable(given) else given
        route = self.server.script.routes.get(self.path.partition("?")[0])
        status = 404 if route is None else 200
        if fault and fault.startswith("status "):
            status = int(fault.removeprefix("status "))
        elif self.path == _CHAT and not is_chat(body):
            status = 400
        if route is None or status != 200:
            # As real servers do it: the message repeats what should not be repeated.
            message = f"{self.headers.get('authorization')} asked for {body}"
            self._send(status, json.dumps({"error": {"message": message, "type": "scripted"}}).encode())
            return
        chat = self.path == _CHAT
        answer: Any = [1, 2] if fault == "not an answer" else route(body)
        if callable(given):
            answer = given(answer, body)
        if chat and body.get("stream"):
            self._stream(events(answer, fault))
            if fault == "hang stream":
                self.server.script.released.wait()
        else:
            content = b"<html>Welcome</html>" if fault == "not json" else json.dumps(answer).encode()
            self._send(status, content, sent=len(content) // 2 if fault == "cut stream" else None)

    def _send(self, status: int, content: bytes, sent: int | None = None) -> None:
        """The answer, or only as many bytes of it."""
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        if status != 200 and self.server.script.retry_after is not None:
            self.send_header("retry-after", self.server.script.retry_after)
        else:
            self.send_header("retry-after-ms", "1")  # so that no test waits
        self.end_headers()
        self.wfile.write(content[:sent])

    def _stream(self, pieces: Iterator[bytes]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for piece in pieces:
            self.wfile.write(piece)

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""
