"""How a person comes in where the service asks for keys: the key is typed once, and the browser gets a login in its
place, in a cookie that no script can read and no other site can send."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Form, Request
from starlette.datastructures import Headers
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from onrecord.errors import Denied
from onrecord.service.auth import COOKIE, login_of, refuse_other_pages
from onrecord.service.calling import Desk, open_to_all
from onrecord.service.logins import LIFETIME
from onrecord.ui.view import HEADERS, rendered

__all__ = ["Welcome", "router"]

ENTER = "/ui/enter"

router = APIRouter(include_in_schema=False)


@router.get(ENTER)
@open_to_all
def enter(request: Request, next: str = "/ui/") -> Response:
    """The page that asks for a key."""
    return rendered(request, "enter.html", {"next": _within(next), "problem": ""})


@router.post(ENTER)
@open_to_all
async def entered(request: Request, key: Annotated[str, Form()], next: Annotated[str, Form()] = "/ui/") -> Response:
    """Begin a login with the key, if it is one, and go on to where the person wanted to go."""
    refuse_other_pages(request)  # which could have somebody write into the memory of another
    desk: Desk = request.app.state.desk
    key = key.strip()
    try:
        if not key.isascii():
            raise Denied("A key has plain letters and digits alone.", "Copy it as it was shown when it was made.")
        caller = await desk.auth.caller(request, key)
    except Denied as error:
        return rendered(request, "enter.html", {"next": _within(next), "problem": error.what}, 401)
    answer = RedirectResponse(_within(next), 303, HEADERS)
    if caller.prefix is not None:  # otherwise no key is needed, and what was typed is none of ours to keep
        token, secure = await desk.auth.begin_login(caller.prefix), _is_secure(request)
        kept = int(LIFETIME.total_seconds())
        answer.set_cookie(COOKIE, token, max_age=kept, httponly=True, samesite="strict", secure=secure)
    return answer


@router.post("/ui/leave")
@open_to_all
async def leave(request: Request) -> Response:
    """End the login, and have the browser forget it."""
    refuse_other_pages(request)
    token = login_of(request)
    if token is not None:
        await request.app.state.desk.auth.end_login(token)
    answer = RedirectResponse(ENTER, 303, HEADERS)
    answer.delete_cookie(COOKIE, httponly=True, samesite="strict", secure=_is_secure(request))
    return answer


def _is_secure(request: Request) -> bool:
    """Whether the browser asks over TLS, which may end at a proxy in front."""
    return request.url.scheme == "https" or request.headers.get("x-forwarded-proto") == "https"


def _within(address: str) -> str:
    """A page of ours: nobody is sent elsewhere by a link that somebody else made.

    >>> _within("/ui/facts?space=ana"), _within("//evil.example/ui/"), _within("/ui/\\\\\\\\evil")
    ('/ui/facts?space=ana', '/ui/', '/ui/')
    """
    return address if address.startswith("/ui/") and "\\" not in address and address.isprintable() else "/ui/"


class Welcome:
    """Shows the door to whoever asks for a page without a key."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not _a_page(scope):
            await self.app(scope, receive, send)
            return
        turned_away = False

        async def shown(message: Message) -> None:
            nonlocal turned_away
            if message["type"] == "http.response.start" and message["status"] == 401:
                turned_away = True
            if not turned_away:
                await send(message)

        await self.app(scope, receive, shown)
        if turned_away:
            asked = scope["path"] + ("?" + scope["query_string"].decode("latin-1") if scope["query_string"] else "")
            door = f"{ENTER}?next={quote(asked, safe='')}"
            await RedirectResponse(door, 303, HEADERS)(scope, receive, send)


def _a_page(scope: Scope) -> bool:
    asked = scope["path"].startswith("/ui/") and scope["path"] != ENTER and scope["method"] in ("GET", "HEAD")
    return asked and "text/html" in Headers(scope=scope).get("accept", "")
