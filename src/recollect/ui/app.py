"""The service with its pages: the same process, the same keys, the same answers."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import FastAPI
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.staticfiles import StaticFiles

from recollect.memory import Memory
from recollect.service import app as service
from recollect.service.failing import handlers
from recollect.service.logs import configure
from recollect.service.serving import Serving
from recollect.ui.door import Welcome
from recollect.ui.door import router as door
from recollect.ui.pages import ROUTERS
from recollect.ui.pages.health_growth import Growth
from recollect.ui.view import STATIC, Guarded, rendered, wants_json

__all__ = ["create_app", "served"]

Handler = Callable[[Request, Exception], Awaitable[Response]]


def create_app(memory: Memory, serving: Serving) -> FastAPI:
    """The application over one memory, which it closes at the end."""
    app = service.create_app(memory, serving)
    app.state.growth = Growth()  # what the page of health counts on
    for router in [door, *ROUTERS]:
        app.router.routes.extend(_with_head(route) for route in router.routes)
    for path in ("/", "/ui"):
        app.add_api_route(path, _home, methods=["GET", "HEAD"], include_in_schema=False)
    app.mount("/ui/static", Guarded(StaticFiles(packages=[("recollect.ui", STATIC)])))
    for kind, handler in handlers.items():
        app.add_exception_handler(kind, _as_page(handler))
    app.add_middleware(Welcome)
    return app


def _home(request: Request) -> Response:
    asked = request.url.query
    return RedirectResponse("/ui/" + (f"?{asked}" if asked else ""))


def _with_head(route: BaseRoute) -> BaseRoute:
    """A page that can be got also says what it would answer; the server leaves the body out."""
    if isinstance(route, Route) and "GET" in (route.methods or ()):
        route.methods = {*(route.methods or ()), "HEAD"}
    return route


def served() -> FastAPI:
    """The application of one process of `recollect serve`, which has left word of what it decided."""
    serving = Serving.handed_over()
    configure(serving.log)
    app = create_app(serving.open(), serving)
    service.settle()
    return app


def _as_page(handler: Any) -> Handler:
    """The same answer to what went wrong, as a page where a page was asked for."""

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
        return rendered(request, "error.html", {"reason": reason, "status": told.status_code}, told.status_code)

    return answer
