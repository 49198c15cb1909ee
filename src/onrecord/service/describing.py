"""The API's description. What every call may carry is added here, once: calls read it by hand, in a tenth of the time
that the framework would take to hand each header over."""

from __future__ import annotations

from functools import cache
from typing import Any

from fastapi import FastAPI, Response
from jinja2 import Environment, PackageLoader

from onrecord.service.auth import OPEN
from onrecord.service.error_responses import Json

__all__ = ["describe"]

_KEYS = {
    "Bearer": {"type": "http", "scheme": "bearer", "description": "A key made by `onrecord keys create`."},
    "Header": {
        "type": "apiKey",
        "in": "header",
        "name": "X-Onrecord-Key",
        "description": "The key, where Authorization belongs to another server.",
    },
}

_SPACE = [
    {
        "name": "X-Onrecord-Space",
        "in": "header",
        "required": False,
        "schema": {"type": "string", "maxLength": 2048},
        "description": "The space, percent-encoded where it is not ASCII; left out: the key's, or the service's own.",
    },
    {
        "name": "space",
        "in": "query",
        "required": False,
        "schema": {"type": "string", "maxLength": 512},
        "description": "The same, for where no header can be sent.",
    },
]


def describe(app: FastAPI) -> None:
    """Have an application describe itself, with keys and spaces; what strangers may ask for is written once."""
    made = app.openapi

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _completed(made())
        return app.openapi_schema

    @cache
    def written() -> tuple[bytes, bytes]:
        return bytes(Json(described()).body), _page(described()).encode()

    async def for_programs() -> Response:
        return Response(written()[0], media_type="application/json")

    async def for_people() -> Response:
        return Response(written()[1], media_type="text/html")

    app.openapi = described  # type: ignore[method-assign]
    app.add_api_route("/openapi.json", for_programs, include_in_schema=False)
    app.add_api_route("/docs", for_people, include_in_schema=False)


def _completed(found: dict[str, Any]) -> dict[str, Any]:
    found.setdefault("components", {})["securitySchemes"] = _KEYS
    for path, methods in found["paths"].items():
        for operation in methods.values() if path not in OPEN else ():
            operation["security"] = [{name: []} for name in _KEYS] + [{}]
            operation["parameters"] = [*operation.get("parameters", ()), *_SPACE]
    return found


def _page(found: dict[str, Any]) -> str:
    """The description as a page that needs nothing from outside: no scripts, no fonts, no network."""
    rooms: dict[str, list[Any]] = {}
    for path, methods in found["paths"].items():
        for method, operation in methods.items():
            rooms.setdefault(operation["tags"][0], []).append((method, path, operation))
    templates = Environment(loader=PackageLoader("onrecord.service"), autoescape=True, trim_blocks=True)
    values = {"info": found["info"], "schemas": found["components"]["schemas"], "rooms": rooms}
    return templates.get_template("api.html").render(values)
