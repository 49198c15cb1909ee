"""What went wrong, told as a page where a page was asked for: the same words as the API's, with a way back."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from onrecord.ui.view import rendered, wants_json

__all__ = ["Unforeseen", "as_page"]

Handler = Callable[[Request, Exception], Awaitable[Response]]


def as_page(handler: Any) -> Handler:
    """The same answer to what went wrong, as a page."""

    async def answer(request: Request, error: Exception) -> Response:
        told: Response = await handler(request, error)
        if not request.url.path.startswith("/ui/") or wants_json(request):
            return told
        reason = json.loads(bytes(told.body))["error"]
        if isinstance(error, HTTPException) and told.status_code == 404:
            reason = {
                "message": "There is no such page.",
                "hint": "It may have moved, or what it was about was forgotten.",
            }
        return rendered(request, "error.html", {"reason": reason}, told.status_code)

    return answer


class Unforeseen:
    """The same for what no handler sees: a fault of ours, and what is refused before a page is looked for."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not _wants_page(scope):
            await self.app(scope, receive, send)
            return
        failed: Message | None = None
        body = b""

        async def seen(message: Message) -> None:
            nonlocal failed, body
            if message["type"] == "http.response.start" and _is_failure(message):
                failed = message
            if failed is None:
                await send(message)
            else:
                body += message.get("body", b"")

        await self.app(scope, receive, seen)
        if failed is not None:
            page = rendered(Request(scope), "error.html", {"reason": json.loads(body)["error"]}, failed["status"])
            kept = [pair for pair in failed["headers"] if pair[0].lower() in (b"x-request-id", b"retry-after")]
            page.raw_headers.extend(kept)
            await page(scope, receive, send)


def _wants_page(scope: Scope) -> bool:
    request = Request(scope)
    shown = scope["path"].startswith("/ui/") and "text/html" in request.headers.get("accept", "")
    return shown and not wants_json(request)


def _is_failure(message: Message) -> bool:
    kind = Headers(raw=message["headers"]).get("content-type", "")
    return bool(message["status"] >= 400 and kind.startswith("application/json"))
