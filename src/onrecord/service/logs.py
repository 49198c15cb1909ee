"""The log of a service: one line for each request, for people or for programs.

A line says which route was taken, never the path with its ids or the query; which key came, by its first digits; and of
an error its kind and where it was raised, never its words: they may be private.
"""

from __future__ import annotations

import json
import logging
import re
import secrets
import sys
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import PurePath
from traceback import walk_tb
from typing import Any, Literal, TextIO

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from onrecord.service.error_responses import Json
from onrecord.service.forms import failure
from onrecord.service.logins import TOKEN
from onrecord.service.metrics import NO_ROUTE, Metrics, known_method

__all__ = ["Format", "LogLines", "Logged", "configure", "template"]

Format = Literal["json", "text"]

ABOUT = "onrecord"
"""Where in a request's scope is said what is known of it: "request", its id; and, once the caller is known, "key" and
"tenant"."""

GONE = 499
"""The status that is logged where the caller left, or the service stopped, before there was an answer."""

FRAMES = 5
"""Places of an error that are logged, the last being where it was raised."""

UNLESS_SAID = ((b"x-content-type-options", b"nosniff"), (b"cache-control", b"no-store"))
"""Headers of every answer that does not have its own: it is of the type that it names, and people's conversations are
for no cache."""

_ENCODER = json.JSONEncoder(default=str)
_ID = re.compile("[A-Za-z0-9._-]{1,64}")
_PLAIN = re.compile(r"[\w./:{}<>+-]+", re.ASCII)
_KNOWN = frozenset(logging.LogRecord("", 0, "", 0, "", None, None).__dict__) | {"message", "asctime", "color_message"}

logger = logging.getLogger("onrecord.service")


class LogLines(logging.Formatter):
    """A line of time, level, logger, event, and what else was said: a JSON object, or for people the first four, then
    name=value."""

    def __init__(self, format: Format) -> None:
        super().__init__()
        self._format = format

    def format(self, record: logging.LogRecord) -> str:
        said = _said(record)
        if self._format == "json":
            return _ENCODER.encode(said)
        head = [str(said.pop(name)) for name in ("time", "level", "logger")]
        event = json.dumps(said.pop("event"))[1:-1]
        return " ".join([*head, event, *(f"{name}={_shown(value)}" for name, value in said.items())])


def _said(record: logging.LogRecord) -> dict[str, Any]:
    event = record.getMessage()
    if record.name.partition(".")[0] != "onrecord":
        event = event.partition("\n")[0]  # behind it others spell out objects, and with them what those hold
    said: dict[str, Any] = {
        "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
        "level": record.levelname.lower(),
        "logger": record.name,
        "event": event,
    }
    said |= {name: value for name, value in vars(record).items() if name not in _KNOWN and value is not None}
    if record.exc_info and record.exc_info[1] is not None:
        said |= _trouble(record.exc_info[1])
    return said


def _shown(value: object) -> str:
    text = str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text)


def _trouble(error: BaseException) -> dict[str, str]:
    """Of an error, its kind and the way to it."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    places = [(PurePath(frame.f_code.co_filename).parts[-3:], line) for frame, line in walk_tb(error.__traceback__)]
    where = " > ".join(f"{'/'.join(parts)}:{line}" for parts, line in places[-FRAMES:])
    return {"error": type(error).__qualname__, "where": where}


def configure(format: Format = "text", level: str = "info", stream: TextIO | None = None) -> None:
    """Have this process log in one form, to standard error. Doing it again changes it."""
    handler = _Ours(stream or sys.stderr)
    handler.setFormatter(LogLines(format))
    root = logging.getLogger()
    for old in [handler for handler in root.handlers if isinstance(handler, _Ours)]:
        root.removeHandler(old)
    root.addHandler(handler)
    root.setLevel(logging.WARNING)  # others name addresses, with what stands in them
    logging.getLogger("onrecord").setLevel(level.upper())
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):  # its own handlers would say everything twice
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).propagate = True


class _Ours(logging.StreamHandler[TextIO]):
    """The handler that `configure` made."""


class Logged:
    """Logs every request and counts it, names it by an id, and turns what is unforeseen into an answer.

    What is behind it must hand the scope on as it is, not a copy: the route is found in it. The caller is named in
    `scope["onrecord"]`, as "key" (its first digits) and "tenant".
    """

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app = app
        self.metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        id = _given_id(scope) or secrets.token_hex(8)
        scope[ABOUT] = {"request": id}
        answer = _LoggedResponse(send, id)
        trouble: dict[str, str] = {}
        began = time.perf_counter()
        self.metrics.began()
        try:
            await self.app(scope, receive, answer.send)
        except ClientDisconnect:
            pass  # the caller has left
        except Exception as error:  # noqa: BLE001 - the edge of the service: it is reported, without its words
            trouble = _trouble(error)
            if not answer.status:
                hint = f"Try again; if it stays, tell the operator of the service: request {id}."
                await Json(failure("Internal", "Something went wrong inside.", hint), 500)(scope, receive, answer.send)
        finally:
            self._log(scope, id, answer, time.perf_counter() - began, trouble)

    def _log(self, scope: Scope, id: str, answer: _LoggedResponse, seconds: float, trouble: Mapping[str, str]) -> None:
        route, method, status = template(scope), known_method(scope["method"]), answer.status or GONE
        self.metrics.ended(route, method, status, seconds)
        about = scope.get(ABOUT) or {}
        said = {
            "method": method,
            "route": route,
            "status": status,
            "ms": round(seconds * 1000, 1),
            "bytes": answer.bytes,
            "key": about.get("key"),
            "tenant": about.get("tenant"),
            "memory": about.get("memory"),
            "tokens": about.get("tokens"),
            "request": id,
            **trouble,
        }
        level = logging.ERROR if trouble else logging.WARNING if status >= 500 else logging.INFO
        logger.log(level, "request failed" if trouble else "request", extra=said)


class _LoggedResponse:
    """An answer on its way out: its status and size are noted, and it gets the request's id and what all have."""

    def __init__(self, send: Send, id: str) -> None:
        self._send = send
        self._id = id
        self.status = 0
        self.bytes = 0

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            own = [pair for pair in message.get("headers", ()) if pair[0].lower() != b"x-request-id"]
            names = {name.lower() for name, _ in own}
            more = [pair for pair in UNLESS_SAID if pair[0] not in names]
            message = {**message, "headers": [*own, *more, (b"x-request-id", self._id.encode())]}
        elif message["type"] == "http.response.body":
            self.bytes += len(message.get("body", b""))
        await self._send(message)


def template(scope: Scope) -> str:
    """The route that a request took, with the names of its parts instead of what stood there."""
    within = (scope.get("fastapi") or {}).get("effective_route_context")  # knows routers' prefixes
    paths = (getattr(place, name, None) for place in (within, scope.get("route")) for name in ("path_format", "path"))
    return next((str(path) for path in paths if path), NO_ROUTE)


def _given_id(scope: Scope) -> str | None:
    given = [value for name, value in scope["headers"] if name == b"x-request-id"]
    text = given[0].decode("latin-1") if len(given) == 1 else ""
    is_key = text.startswith(("rk_", TOKEN))  # which is no name for anything
    return text if _ID.fullmatch(text) and not is_key else None
