"""Asks an ASGI application without a server, message by message, so that a test sees what it would not see of one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.types import ASGIApp, Message

__all__ = ["Answer", "ask"]


@dataclass
class Answer:
    """What an application sent, and what it was sent."""

    scope: dict[str, Any]
    sent: list[Message] = field(default_factory=list)
    taken: int = 0  # messages that it asked for

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"]) if self.sent else 0

    @property
    def headers(self) -> dict[str, str]:
        return {name.decode().lower(): value.decode() for name, value in self.sent[0]["headers"]}

    @property
    def body(self) -> bytes:
        return b"".join(message.get("body", b"") for message in self.sent[1:])

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def ask(
    app: ASGIApp,
    path: str = "/",
    *,
    method: str = "GET",
    query: str = "",
    headers: Mapping[str, str] | None = None,
    chunks: Iterable[bytes] = (),
    scope: Mapping[str, Any] | None = None,
) -> Answer:
    """One request; the body comes in these chunks, then the caller leaves."""
    given = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query.encode(),
        "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in (headers or {}).items()],
        "client": ("127.0.0.1", 5),
        "server": ("127.0.0.1", 80),
    }
    answer = Answer(given | dict(scope or {}))
    pieces = list(chunks) or [b""]

    async def receive() -> Message:
        answer.taken += 1
        at = answer.taken
        if at > len(pieces):
            return {"type": "http.disconnect"}
        return {"type": "http.request", "body": pieces[at - 1], "more_body": at < len(pieces)}

    async def send(message: Message) -> None:
        answer.sent.append(message)

    asyncio.run(app(answer.scope, receive, send))  # type: ignore[arg-type]
    return answer
