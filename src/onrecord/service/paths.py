"""Ids in paths may hold anything, a slash too: so a path is routed as it was sent, and its parts decoded later."""

from __future__ import annotations

from urllib.parse import unquote

from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["AsSent", "decoded"]


def decoded(part: str) -> str:
    """A part of a path as it was meant.

    >>> decoded("a%2Fb%20c")
    'a/b c'
    """
    return unquote(part)


class AsSent:
    """Hands a path on as it was sent: servers decode it first, and then a slash within an id ends the id."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope.get("raw_path"):
            scope["path"] = scope["raw_path"].partition(b"?")[0].decode("utf-8", "replace")
        await self.app(scope, receive, send)
