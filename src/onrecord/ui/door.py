"""Login of the pages: a key is typed once, and the browser gets a token in a cookie in its place, which no script can
read and no other site can send."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from onrecord.errors import Denied
from onrecord.service.auth import COOKIE, login_of, refuse_other_pages
from onrecord.service.logins import LIFETIME
from onrecord.service.routing import open_to_all
from onrecord.ui.error_pages import ENTER
from onrecord.ui.view import HEADERS, rendered

__all__ = ["router"]

router = APIRouter(include_in_schema=False)


@router.get(ENTER)
@open_to_all
def enter(request: Request, next: str = "/ui/") -> Response:
    """Show the page that asks for a key."""
    return rendered(request, "enter.html", {"next": _within(next), "problem": ""})


@router.post(ENTER)
@open_to_all
async def entered(request: Request, key: Annotated[str, Form()], next: Annotated[str, Form()] = "/ui/") -> Response:
    """Begin a login with the key, and go on to the page that was asked for."""
    refuse_other_pages(request)
    desk = request.app.state.desk
    key = key.strip()
    try:
        if not key.isascii():
            raise Denied("A key has only letters, digits and underscores.", "Copy it as it was shown when it was made.")
        caller = await desk.auth.caller(request, key)
    except Denied as error:
        return rendered(request, "enter.html", {"next": _within(next), "problem": error.what}, 401)
    answer = RedirectResponse(_within(next), 303, HEADERS)
    if caller.prefix is not None:  # otherwise no key is needed
        token, secure = await desk.auth.begin_login(caller.prefix), _is_secure(request)
        kept = int(LIFETIME.total_seconds())
        answer.set_cookie(COOKIE, token, max_age=kept, httponly=True, samesite="strict", secure=secure)
    return answer


@router.post("/ui/leave")
@open_to_all
async def leave(request: Request) -> Response:
    """End the login, and delete its cookie."""
    refuse_other_pages(request)
    token = login_of(request)
    if token is not None:
        await request.app.state.desk.auth.end_login(token)
    answer = RedirectResponse(ENTER, 303, HEADERS)
    answer.delete_cookie(COOKIE, httponly=True, samesite="strict", secure=_is_secure(request))
    return answer


def _is_secure(request: Request) -> bool:
    """Return whether the browser uses TLS, which may end at a proxy in front."""
    return request.url.scheme == "https" or request.headers.get("x-forwarded-proto") == "https"


def _within(address: str) -> str:
    """Return an address if it is one of our pages, or the first page.

    >>> _within("/ui/facts?space=ana"), _within("//evil.example/ui/"), _within("/ui/\\\\\\\\evil")
    ('/ui/facts?space=ana', '/ui/', '/ui/')
    """
    return address if address.startswith("/ui/") and "\\" not in address and address.isprintable() else "/ui/"
