"""How pages are made: templates that escape everything, links that keep the space, and answers that load nothing from
elsewhere.

A page is a function from what a caller may see to a template and its values. Its twin, asked for with `format=json`, is
what the API itself answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import Annotated, Any
from urllib.parse import quote, urlencode

from fastapi import Depends, Request
from jinja2 import Environment, PackageLoader, StrictUndefined
from pydantic import AfterValidator, BaseModel, BeforeValidator, Field
from pydantic_core import PydanticCustomError
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from onrecord.memory import Memory
from onrecord.policy.secrets import masked
from onrecord.service.calling import ServiceCall, needs
from onrecord.service.error_responses import Json
from onrecord.version import __version__

__all__ = [
    "EMPTY",
    "STATIC",
    "Look",
    "LookAdmin",
    "LookErase",
    "LookWrite",
    "PageFiles",
    "PageQuery",
    "Tokens",
    "View",
    "plain_lines",
    "rendered",
    "wants_json",
]

STATIC = "static"

HEADERS = {
    # Whatever a message says, a browser runs and loads nothing but our own files.
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",  # people's conversations
}


@dataclass(frozen=True, slots=True)
class View:
    """One look at a space: who looks, and at what."""

    request: Request
    call: ServiceCall

    @property
    def memory(self) -> Memory:
        """The space that is looked at, and nothing else."""
        return self.call.memory

    def may(self, scope: str) -> bool:
        """Whether who looks may do this, too: read, write, erase or admin."""
        return scope in self.call.caller.scopes

    def link(self, *path: str, **query: Any) -> str:
        """The address of a page about this space: parts of the path, and what the page is to show."""
        return link(self.call.space, self.call.desk.serving.space, *path, **query)

    def page(self, template: str, values: Mapping[str, Any], twin: Callable[[], Any] | None = None) -> Response:
        """The page; or, where it is asked for, its twin: what the API answers to the same question."""
        if twin is not None and wants_json(self.request):
            return Json(twin())
        return rendered(self.request, template, {**values, "view": self, "link": self.link, "twin": twin is not None})

    def part(self, template: str, values: Mapping[str, Any]) -> Response:
        """A piece of a page, for the script of a page that puts it in its place."""
        return rendered(self.request, template, {**values, "view": self, "link": self.link, "twin": False})

    def go(self, *path: str, **query: Any) -> Response:
        """On to another page, after something was done."""
        return RedirectResponse(self.link(*path, **query), 303, HEADERS)


EMPTY = BeforeValidator(lambda value: None if value == "" else value)
"""Takes a field that was left empty as None."""

MOST_TOKENS = 200_000  # of a prompt on a page; the API builds longer ones


def _within(tokens: int) -> int:
    if tokens > MOST_TOKENS:
        raise PydanticCustomError("too_many", f"is more than a page shows; ask for {MOST_TOKENS:,} at most")
    return tokens


Tokens = Annotated[Annotated[int, Field(ge=1), AfterValidator(_within)] | None, EMPTY]
"""The budget of a prompt."""


class PageQuery(BaseModel):
    """What a page shows, as it stands in its address."""

    def but(self, **changes: Any) -> dict[str, Any]:
        """Return the same with some changes, from the first page on, for another address."""
        return self.model_dump(by_alias=True, exclude={"cursor", "part"}) | changes


def link(space: str, usual: str, *path: str, **query: Any) -> str:
    """The address of a page; the space stands in it unless it is the usual one.

    >>> link("ana", "default", "sessions", "trip/1", after=20, kind=None)
    '/ui/sessions/trip%2F1?space=ana&after=20'
    """
    asked = {"space": space if space != usual else None, **query}
    told = urlencode({name: value for name, value in asked.items() if value not in (None, "")}, doseq=True)
    return "/ui/" + "/".join(quote(part, safe="") for part in path) + (f"?{told}" if told else "")


def _viewing(scope: Any) -> Callable[..., Any]:
    called = needs(scope)

    async def view(request: Request) -> View:
        return View(request, await called(request))

    view.scope = scope  # type: ignore[attr-defined]
    return view


Look = Annotated[View, Depends(_viewing("read"))]
LookWrite = Annotated[View, Depends(_viewing("write"))]
LookErase = Annotated[View, Depends(_viewing("erase"))]
LookAdmin = Annotated[View, Depends(_viewing("admin"))]


def plain_lines(text: str) -> str:
    """What was typed into a field of several lines: browsers end its lines with two characters, whatever was there.

    >>> plain_lines("one\\r\\ntwo")
    'one\\ntwo'
    """
    return text.replace("\r\n", "\n").replace("\r", "\n")


def wants_json(request: Request) -> bool:
    """Whether the twin of a page is asked for."""
    return request.query_params.get("format") == "json"


def rendered(request: Request, template: str, values: Mapping[str, Any], status: int = 200) -> HTMLResponse:
    """A page as it is sent."""
    usual = {"here": str(request.url.path), "version": __version__, "view": None, "link": None, "twin": False}
    made = environment().get_template(template).render(**usual | dict(values), json_address=_twin(request))
    return HTMLResponse(made, status, HEADERS)


def _twin(request: Request) -> str:
    asked = [(name, value) for name, value in request.query_params.multi_items() if name != "format"]
    return f"{request.url.path}?{urlencode([*asked, ('format', 'json')])}"


@cache
def environment() -> Environment:
    """The templates. Everything that is put into one is escaped; what a template forgets to be given is an error."""
    made = Environment(
        loader=PackageLoader("onrecord.ui"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    made.filters.update(masked=masked, day=day, moment=moment, number=number, percent=percent, plural=plural)
    return made


# Words and figures, as people read them


def day(time: datetime) -> str:
    """A day.

    >>> day(datetime(2026, 5, 5, tzinfo=UTC))
    '5 May 2026'
    """
    return f"{time.astimezone(UTC):%-d %b %Y}"


def moment(time: datetime) -> str:
    """A day and a time.

    >>> moment(datetime(2026, 5, 5, 9, 30, tzinfo=UTC))
    '5 May 2026, 09:30'
    """
    return f"{time.astimezone(UTC):%-d %b %Y, %H:%M}"


def number(value: float) -> str:
    """A figure, with commas.

    >>> number(12345), number(0.12345)
    ('12,345', '0.123')
    """
    return f"{value:,}" if isinstance(value, int) else f"{value:,.3g}"


def percent(value: float) -> str:
    """Rounded, but nothing and all are said only where they are meant.

    >>> percent(0.256), percent(0.9996), percent(0.0001), percent(1.0)
    ('26 %', '99.9 %', '0.1 %', '100 %')
    """
    part = value * 100
    if 0 < part < 100 and round(part) in (0, 100):
        return f"{min(99.9, max(0.1, part)):.1f} %"
    return f"{part:.0f} %"


def plural(count: int, what: str) -> str:
    """So many of something.

    >>> plural(1, "message"), plural(1200, "message")
    ('1 message', '1,200 messages')
    """
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


class PageFiles:
    """Files of our own, with the headers of pages; a browser may keep them for an hour."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept = [(name, value) for name, value in message["headers"] if name.lower() != b"cache-control"]
                more = HEADERS | {"Cache-Control": "no-cache"}
                message["headers"] = [*kept, *((name.lower().encode(), value.encode()) for name, value in more.items())]
            await send(message)

        await self.app(scope, receive, with_headers)
