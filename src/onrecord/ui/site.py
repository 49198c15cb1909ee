"""The service with its pages: the same process, the same keys, the same answers."""

from __future__ import annotations

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.staticfiles import StaticFiles

from onrecord.memory import Memory
from onrecord.service import app as service
from onrecord.service.error_responses import handlers
from onrecord.service.logs import configure
from onrecord.service.service_settings import Serving
from onrecord.ui.door import Welcome
from onrecord.ui.door import router as door
from onrecord.ui.error_pages import Unforeseen, as_page
from onrecord.ui.pages import ROUTERS
from onrecord.ui.pages.health_growth import Growth
from onrecord.ui.view import STATIC, PageFiles

__all__ = ["create_app", "served"]


def create_app(memory: Memory, serving: Serving) -> FastAPI:
    """The application over one memory, which it closes at the end."""
    app = service.create_app(memory, serving)
    app.state.growth = Growth()  # what the page of health counts on
    for router in [door, *ROUTERS]:
        app.router.routes.extend(_with_head(route) for route in router.routes)
    for path in ("/", "/ui"):
        app.add_api_route(path, _home, methods=["GET", "HEAD"], include_in_schema=False)
    app.mount("/ui/static", PageFiles(StaticFiles(packages=[("onrecord.ui", STATIC)])))
    for kind, handler in handlers.items():
        app.add_exception_handler(kind, as_page(handler))
    app.add_middleware(Unforeseen)
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
    """The application of one process of `onrecord serve`, which has left word of what it decided."""
    serving = Serving.handed_over()
    configure(serving.log)
    app = create_app(serving.open(), serving)
    service.settle()
    return app
