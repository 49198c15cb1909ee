"""How pages are made: from templates that escape everything, with links that keep the space.

With `format=json` a page answers what the API answers to the same question.
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
from starlette.staticfiles import StaticFiles

from onrecord.journal.clean import clean_time
from onrecord.memory import Memory, engine_of
from onrecord.policy.secrets import masked
from onrecord.records import Fact
from onrecord.service.error_responses import Json
from onrecord.service.space_access import ServiceCall, needs
from onrecord.version import __version__

__all__ = [
    "EMPTY",
    "Look",
    "LookAdmin",
    "LookErase",
    "LookWrite",
    "PageFiles",
    "PageQuery",
    "Tokens",
    "View",
    "every_fact",
    "plain_lines",
    "rendered",
    "wants_json",
]

HEADERS = {
    # A browser runs and loads nothing but our own files.
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
    """One request for a page about a space."""

    request: Request
    call: ServiceCall

    @property
    def memory(self) -> Memory:
        """The space, and nothing else."""
        return self.call.memory

    def may(self, scope: str) -> bool:
        """Return whether the key has a scope: read, write, erase or admin."""
        return scope in self.call.caller.scopes

    def link(self, *path: str, **query: Any) -> str:
        """Return the address of a page about this space."""
        return link(self.call.space, self.call.desk.serving.space, *path, **query)

    def page(self, template: str, values: Mapping[str, Any], twin: Callable[[], Any] | None = None) -> Response:
        """Return a page; or, with `format=json`, its twin: what the API answers to the same question."""
        if twin is not None and wants_json(self.request):
            return Json(twin())
        return rendered(self.request, template, {**values, "view": self, "link": self.link, "twin": twin is not None})

    def part(self, template: str, values: Mapping[str, Any]) -> Response:
        """Return a part of a page, for its script."""
        return rendered(self.request, template, {**values, "view": self, "link": self.link, "twin": False})

    def go(self, *path: str, **query: Any) -> Response:
        """Redirect to another page, after something was done."""
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


def every_fact(memory: Memory, as_of: str = "") -> list[Fact]:
    """Return every fact of the space, the newest first, with its status now or at a moment; much quicker than
    `Memory.facts`, as it does not say how often each was found."""
    moment = clean_time(as_of, "as_of") if as_of else None
    facts = engine_of(memory).learned(memory.name).facts
    with facts.book.locked():
        found = list(facts.book.open(memory.name).at(moment or facts.clock()))
    return sorted(found, key=lambda fact: (fact.said, fact.session, fact.id), reverse=True)


def link(space: str, usual: str, *path: str, **query: Any) -> str:
    """Return the address of a page; the space is in it unless it is the default one.

    >>> link("ana", "default", "sessions", "trip/1", after=20, kind=None)
    '/ui/sessions/trip%2F1?space=ana&after=20'
    """
    values = {"space": space if space != usual else None, **query}
    query_string = urlencode({name: value for name, value in values.items() if value not in (None, "")}, doseq=True)
    return "/ui/" + "/".join(quote(part, safe="") for part in path) + (f"?{query_string}" if query_string else "")


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
    """Return a text of several lines from a form, where browsers end lines with two characters.

    >>> plain_lines("one\\r\\ntwo")
    'one\\ntwo'
    """
    return text.replace("\r\n", "\n").replace("\r", "\n")


def wants_json(request: Request) -> bool:
    """Return whether the JSON twin of a page is asked for."""
    return request.query_params.get("format") == "json"


def rendered(request: Request, template: str, values: Mapping[str, Any], status: int = 200) -> HTMLResponse:
    """Return a template as a response."""
    usual = {"here": str(request.url.path), "version": __version__, "view": None, "link": None, "twin": False}
    made = environment().get_template(template).render(**usual | dict(values), json_address=_twin(request))
    return HTMLResponse(made, status, HEADERS)


def _twin(request: Request) -> str:
    asked = [(name, value) for name, value in request.query_params.multi_items() if name != "format"]
    return f"{request.url.path}?{urlencode([*asked, ('format', 'json')])}"


@cache
def environment() -> Environment:
    """Return the templates. Values are escaped; one that is missing is an error."""
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


# Filters


def day(time: datetime) -> str:
    """Return a day for people.

    >>> day(datetime(2026, 5, 5, tzinfo=UTC))
    '5 May 2026'
    """
    return f"{time.astimezone(UTC):%-d %b %Y}"


def moment(time: datetime) -> str:
    """Return a day and a time for people.

    >>> moment(datetime(2026, 5, 5, 9, 30, tzinfo=UTC))
    '5 May 2026, 09:30'
    """
    return f"{time.astimezone(UTC):%-d %b %Y, %H:%M}"


def number(value: float) -> str:
    """Return a number with commas.

    >>> number(12345), number(0.12345)
    ('12,345', '0.123')
    """
    return f"{value:,}" if isinstance(value, int) else f"{value:,.3g}"


def percent(value: float) -> str:
    """Return a share in percent, rounded, but 0 and 100 only where they are exact.

    >>> percent(0.256), percent(0.9996), percent(0.0001), percent(1.0)
    ('26 %', '99.9 %', '0.1 %', '100 %')
    """
    part = value * 100
    if 0 < part < 100 and round(part) in (0, 100):
        return f"{min(99.9, max(0.1, part)):.1f} %"
    return f"{part:.0f} %"


def plural(count: int, what: str) -> str:
    """Return a count with its noun.

    >>> plural(1, "message"), plural(1200, "message")
    ('1 message', '1,200 messages')
    """
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"


class PageFiles(StaticFiles):
    """Our own files, with the headers of pages; a browser asks whether they changed."""

    def file_response(self, *args: Any, **options: Any) -> Response:
        answer = super().file_response(*args, **options)
        answer.headers.update(HEADERS | {"Cache-Control": "no-cache"})
        return answer
