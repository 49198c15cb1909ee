"""Errors as pages, for browsers: the words of the API's error, or the page that asks for a key."""

from __future__ import annotations

import json
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from onrecord.ui.view import HEADERS, rendered, wants_json

__all__ = ["ENTER", "ErrorPages"]

ENTER = "/ui/enter"
KEPT = (b"x-request-id", b"retry-after")
MISSING = {"message": "There is no such page.", "hint": "It may have moved, or its content was forgotten."}


class ErrorPages:
    """Replaces errors in JSON by pages where a browser asked for one."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not _wants_page(Request(scope)):
            await self.app(scope, receive, send)
            return
        failed: Message | None = None
        body = b""

        async def watched(message: Message) -> None:
            nonlocal failed, body
            if message["type"] == "http.response.start" and _is_failure(message):
                failed = message
            if failed is None:
                await send(message)
            else:
                body += message.get("body", b"")

        await self.app(scope, receive, watched)
        if failed is not None:
            page = _page(Request(scope), failed["status"], json.loads(body)["error"])
            page.raw_headers.extend(pair for pair in failed["headers"] if pair[0].lower() in KEPT)
            await page(scope, receive, send)


def _wants_page(request: Request) -> bool:
    is_page = request.url.path.startswith("/ui/") and "text/html" in request.headers.get("accept", "")
    return is_page and not wants_json(request)


def _is_failure(message: Message) -> bool:
    kind = dict(message["headers"]).get(b"content-type", b"")
    return bool(message["status"] >= 400 and kind.startswith(b"application/json"))


def _page(request: Request, status: int, reason: dict[str, str]) -> Response:
    path, query = request.url.path, request.url.query
    if status == 401 and request.method in ("GET", "HEAD") and path != ENTER:
        asked = quote(request.scope["path"] + (f"?{query}" if query else ""), safe="")
        return RedirectResponse(f"{ENTER}?next={asked}", 303, HEADERS)
    missing = status == 404 and "endpoint" not in request.scope
    return rendered(request, "error.html", {"reason": MISSING if missing else reason}, status)
