"""The service with its pages: the same process and the same keys."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from onrecord.memory import Memory
from onrecord.service import app as service
from onrecord.service.logs import configure
from onrecord.service.service_settings import Serving
from onrecord.ui.door import router as door
from onrecord.ui.error_pages import ErrorPages
from onrecord.ui.pages import ROUTERS
from onrecord.ui.pages.health_growth import Growth
from onrecord.ui.view import PageFiles

__all__ = ["create_app", "served"]


def create_app(memory: Memory, serving: Serving) -> FastAPI:
    """Return the application over one memory, which it closes at the end."""
    app = service.create_app(memory, serving)
    app.state.growth = Growth()
    for router in [door, *ROUTERS]:
        app.router.routes.extend(_with_head(route) for route in router.routes)
    for path in ("/", "/ui"):
        app.add_api_route(path, _home, methods=["GET", "HEAD"], include_in_schema=False)
    app.mount("/ui/static", PageFiles(packages=[("onrecord.ui", "static")]))
    app.add_middleware(ErrorPages)
    return app


def _home(request: Request) -> Response:
    query = request.url.query
    return RedirectResponse("/ui/" + (f"?{query}" if query else ""))


def _with_head(route: BaseRoute) -> BaseRoute:
    """Let a page also be asked for by HEAD; the server leaves the body out."""
    if isinstance(route, Route) and "GET" in (route.methods or ()):
        route.methods = {*(route.methods or ()), "HEAD"}
    return route


def served() -> FastAPI:
    """Return the application of one process of `onrecord serve`, by the settings that it handed over."""
    serving = Serving.handed_over()
    configure(serving.log)
    app = create_app(serving.open(), serving)
    service.settle()
    return app
