"""How a route is done and described: in the tenant's share of the threads, by the types of its function."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial, wraps
from inspect import iscoroutinefunction
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from fastapi import APIRouter
from fastapi.datastructures import DefaultPlaceholder
from fastapi.routing import APIRoute
from starlette.responses import Response

from onrecord.service.error_responses import FAILURES, Json
from onrecord.service.responses import Listed
from onrecord.service.space_access import Pool, ServiceCall

__all__ = ["Computing", "Threaded", "api_router", "in_turn", "open_to_all"]


def in_turn(work: Callable[..., Any], pool: Pool = "long") -> Callable[..., Awaitable[Any]]:
    """Make a function a route that is done in a pool of threads: a few run at once, the others wait in turn."""

    @wraps(work)
    async def run(**given: Any) -> Any:
        call: ServiceCall = given["call"] if "call" in given else given["look"].call
        return await call.run(partial(work, **given), pool)

    return run


class Threaded(APIRoute):
    """A route whose work is done in the tenant's share of the threads, unless it says how it is done itself.

    What it returns is sent as `Json` has it. In the API's description stand its name, which is the library's, and
    the type that it returns, `list[…]` as a page.
    """

    pool: Pool = "other"

    def __init__(self, path: str, endpoint: Callable[..., Any], **more: Any) -> None:
        returned = get_type_hints(endpoint, include_extras=True).get("return")
        if isinstance(more["response_model"], DefaultPlaceholder):
            if get_origin(returned) is list:
                more["response_model"] = Listed[get_args(returned)[0]]  # type: ignore[misc]
            elif isinstance(returned, UnionType):
                more["responses"] = more["responses"] | {200: {"model": returned, "description": "Done."}}
                more["response_model"] = None
        if more["include_in_schema"]:
            more["operation_id"] = more["operation_id"] or endpoint.__name__
        work = endpoint if iscoroutinefunction(endpoint) else in_turn(endpoint, self.pool)
        super().__init__(path, _sent(work), **more | {"response_description": "Done."})


class Computing(Threaded):
    """A route whose work is to compute: the interpreter does so in one thread at a time, and few threads share it."""

    pool = "computing"


def _sent(work: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Response]]:
    @wraps(work)
    async def send(**given: Any) -> Response:
        done = await work(**given)
        return done if isinstance(done, Response) else Json(done)

    return send


def api_router(tag: str, route: type[Threaded] = Threaded) -> APIRouter:
    """Return a router of the API."""
    return APIRouter(tags=[tag], responses=FAILURES, route_class=route)


def open_to_all(work: Callable[..., Any]) -> Callable[..., Any]:
    """Marks a route that needs no key, on purpose."""
    work.open_to_all = True  # type: ignore[attr-defined]
    return work
