"""Requests of a caller who sends nonsense: to every route, in every place where something may be sent.

`requests(seed)` makes them without end; `send(app, some)` sends them to an application without a server between, and
gives what was answered. A mostly right request gets further than one that is wrong everywhere, so most have one or two
odd places.
"""

from __future__ import annotations

import asyncio
import json
from base64 import urlsafe_b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from functools import cache
from random import Random
from typing import Any
from urllib.parse import quote_from_bytes, urlencode

from fastapi.openapi.utils import get_openapi
from starlette.types import ASGIApp, Message

from onrecord import Memory
from onrecord.service.keys import RESERVED
from onrecord.service.service_settings import Serving
from onrecord.ui.site import create_app

__all__ = ["CURSORS", "NUMBERS", "TEXTS", "Answer", "Nonsense", "Request", "operations", "requests", "send"]


@dataclass(frozen=True, slots=True)
class Request:
    """What is sent."""

    method: str
    path: str  # percent-encoded, with the query
    headers: tuple[tuple[bytes, bytes], ...] = ()
    body: bytes = b""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    request: Request
    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def is_typed(self) -> bool:
        """Whether it is no fault of ours, and says what was wrong in the one shape of errors, or on a page."""
        if self.status < 400 or self.headers.get("content-type", "").startswith("text/html"):
            return 200 <= self.status < 500
        if self.request.method == "HEAD":
            return self.status != 500
        with suppress(ValueError, KeyError):
            error = json.loads(self.body)["error"]
            return self.status != 500 and bool(error["code"] and error["message"])
        return False


TEXTS = (
    "", " ", "s", "s", "0", "a", "-1", "1", "nan", "inf", "1e400", "true", "null", "None", "[]", "{}", "'", '"',
    "%", "%00", "%zz", "\\",
    "\x00", "\x01", "\x1b[2J", "\r\nX: y", "\n", "\t", "\u200b", "\u202e", "\ufeff", "\ufffe", "\U000e0041", "é",
    "日本語", "🙂", "ⅷ", "²", "٣",
    "..", "../..", "a/b", "/", "//", "/etc/passwd", "C:\\", f"a/../{RESERVED}", RESERVED, "$(id)",
    "`id`", "'; DROP TABLE messages; --",
    "<script>", "{{7*7}}", "${7}", "<memory>", "x" * 511, "x" * 513, "x" * 70_000, "🙂" * 2_000, "\ud800",
    "a\udfffb", "🙂\ud83d",
    "2026-05-05", "2026-02-30", "2026-05-05T25:00", "9999-12-31T23:59:59.999999+14:00", "0001-01-01T00:00:00-14:00",
    "9999-12-31T23:59:59-14:00",
    "10000-01-01", "-1-01-01", "P1D", "1d", "2026-W01", "now", "1700000000", "2026-05-05T10:00:00+99:99",
    "openai", "text", "balanced", "tiered", "user", "system", "fact", "message", "decision", "active", "balanced:1",
    "rk_00000000_" + "a" * 43, "Bearer x", "gpt-4o", "openai/gpt-4o", "(" * 5_000, "9" * 5_000, "-" * 5_000,
    "* OR *", "NEAR(a b)", '"a" AND', "^a", "a:b",
)  # fmt: skip

PLAIN = ("s", "I live in Porto.", "2026-05-05", "1")

SIZES = (0, 1, 2, 30)

NUMBERS = (
    0, 1, 2, 3, 5, 100, 1000, -1, -2, 2**31, 2**31 - 1, 2**53, 2**53 + 1, 2**63 - 1, 2**63, -(2**63) - 1, 2**64,
    10**30, 10**400,
    0.0, -0.0, 0.5, 1.0, 1.5, -0.1, 1e-320, 1e308, -1e308, float("nan"), float("inf"), float("-inf"),
)  # fmt: skip


def _cursors() -> Iterator[str]:
    places: tuple[Any, ...] = ([], [0], [0, "s", "x"], [10**400, "", ""], [-1, "\ud800", "a"], [0, "p", 1, 2, "x"])
    for place in (*places, [True, "", ""], {}, "s", None, 1.5):
        yield urlsafe_b64encode(json.dumps(place).encode()).decode()
    yield from ("====", "AAAA", "gA==", "WzBd=", "W" * 5_000, "[0]", "=", "é")
    for depth in (1_400, 50_000):  # the first is no longer than a cursor may be
        yield urlsafe_b64encode(b"[" * depth).decode()


CURSORS = tuple(_cursors())

BODIES = (
    b"", b"{", b"}", b"null", b"[]", b'"a"', b"1", b"{}", b"{}{}", b'{"a":1,"a":2}', b"\xff\xfe", b"\xef\xbb\xbf{}",
    b"\x00", b'{"text": "\xff"}',
    b'{"text": "\\ud800"}', b"[" * 100_000, b'{"a":' * 50_000, b"1" * 100_000, b'{"text": 1e999}', b"NaN", b"-",
    b"\r\n\r\n", b"a=b&c=d",
    b'--x\r\nContent-Disposition: form-data; name="key"; filename="a"\r\n\r\nb\r\n--x--\r\n', b"--x\r\n", b"%",
    b"=&=&=",
    b'{"onrecord": 1}\n', b'{"type":"space"}\n', b'\n\n\n', b'{"type": "message", "session": "s", "seq": -1}\n',
    b"{}\n" * 1_000,
)  # fmt: skip

TYPES = (
    "application/json", "application/json", "application/json; charset=utf-16", "application/jsonl", "text/plain",
    "", "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x", "multipart/form-data", "multipart/form-data; boundary=" + "y" * 500, "\xff",
    "application/json;;;=",
)  # fmt: skip

HEADERS = (
    ("Accept", ("text/html", "*/*", "\xff", "a" * 5_000)),
    ("X-Request-Id", ("", "a", "é", "x" * 5_000, "rk_00000000")),
    ("X-Onrecord-Space", TEXTS),
    ("X-Onrecord-Session", TEXTS),
    ("X-Onrecord-Tokens", TEXTS),
    ("X-Onrecord-Key", TEXTS),
    ("Authorization", ("Bearer", "Bearer ", "Basic a", "bearer rk_", "\xff", " ", "Bearer " + "x" * 5_000)),
    ("Cookie", ("onrecord_login", "onrecord_login=", "onrecord_login=\xff", "onrecord_login=rl_a", "=", ";;;")),
    ("Cookie", ("a=b; " * 999, 'a="\\777"')),
    ("Idempotency-Key", TEXTS),
    ("Host", ("", "[", "[::1", "localhost:99999", "evil.example", "127.0.0.1", "\xff", ":")),
    ("Origin", ("null", "http://127.0.0.1", "http://evil.example", "\xff", "")),
    ("Sec-Fetch-Site", ("same-origin", "cross-site", "none", "?")),
    ("Content-Length", ("0", "-1", "1", "x", "9" * 400, "²", "0x10", "")),
    ("X-Forwarded-For", ("127.0.0.1", "a", "1.2.3.4, 5.6.7.8", "\xff")),
    ("X-Forwarded-Proto", ("https", "javascript", "")),
    ("Range", ("bytes=0-", "bytes=-1", "bytes=9-1", "lines=1-2", "bytes=" + "0-1," * 500)),
    ("If-None-Match", ("*", '""', "\xff")),
    ("If-Modified-Since", ("x", "Thu, 99 Foo 9999 99:99:99 GMT", "Sun, 06 Nov 1994 08:49:37 GMT")),
    ("Expect", ("100-continue", "x")),
)  # fmt: skip

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "BREW", "")


@cache
def _description() -> dict[str, Any]:
    """Every route of the API and of the pages, with what it takes."""
    with Memory(":memory:", embedder=None) as memory:
        app = create_app(memory, Serving(db=":memory:"))
    # Copies: the routes themselves are shared by all applications.
    routes: list[Any] = [copy(route) for route in app.routes if hasattr(route, "include_in_schema")]
    for route in routes:
        route.include_in_schema = True
        if route.path.startswith("/ui"):  # pages are named as the operations that they show
            route.operation_id = f"{route.name}_{route.path}"
        route.methods = set(route.methods) - {"HEAD"}  # it would be described twice under one name
    return get_openapi(title="", version="", routes=routes)


def operations() -> list[tuple[str, str, dict[str, Any]]]:
    """Return every path and method, with its description."""
    paths = _description()["paths"]
    return [(path, method, one) for path, methods in paths.items() for method, one in methods.items()]


def requests(seed: int) -> Iterator[Request]:
    """Yield requests without end, the same ones for the same seed; the first ones take each route once."""
    random = Random(seed)
    described = operations()
    nonsense = Nonsense(random, _description()["components"]["schemas"])
    while True:
        random.shuffle(described)
        for path, method, operation in described:
            yield nonsense.request(path, method.upper(), operation)


class Nonsense:
    """Makes requests, and values of a JSON schema; `schemas` are those that it may refer to."""

    def __init__(self, random: Random, schemas: Mapping[str, Any]) -> None:
        self._random = random
        self._schemas = schemas

    def request(self, path: str, method: str, operation: Mapping[str, Any]) -> Request:
        random = self._random
        odd = random.choice((0.0, 0.15, 0.15, 0.5, 1.0))
        query: list[tuple[str, str]] = []
        headers: list[tuple[str, str]] = [("Host", "127.0.0.1")]
        for one in operation.get("parameters", ()):
            if one["in"] == "path":
                path = path.replace(
                    f"{{{one['name']}}}",
                    quote_from_bytes(self._text(one, odd).encode("utf-8", "surrogatepass"), safe=""),
                )
            elif one.get("required") or random.random() < 0.3:
                (query if one["in"] == "query" else headers).append((one["name"], self._text(one, odd)))
        if random.random() < odd / 5:
            path = random.choice(
                ("/" + path, path + "/", path.replace("v1", "v2"), "/..;" + path, path + "%00", path + "%", path + "\\")
            )
        if random.random() < odd / 5:
            method = random.choice(METHODS)
        while random.random() < odd / 2:
            name, values = random.choice(HEADERS)
            headers = [pair for pair in headers if random.random() < 0.5 or pair[0] != name]
            headers.append((name, random.choice(values)))
        body = self._body(operation, headers, odd)
        if query:
            path += "?" + urlencode(query, errors="surrogatepass")
        elif random.random() < odd / 5:
            path += random.choice(("?", "?&&&", "?%ff=%00", "?space", "?a=b&a=c", "?" + "a=b&" * 2_000))
        told = (
            (name.lower().encode(), value.encode("utf-8", "replace").replace(b"\r\n", b" ")) for name, value in headers
        )
        return Request(method, path, tuple(told), body)

    def _text(self, parameter: Mapping[str, Any], odd: float) -> str:
        if parameter["name"] == "cursor":
            return self._random.choice(CURSORS)
        if parameter["name"] in ("session", "space") and self._random.random() >= odd:
            return self._random.choice("sstu")
        value = self.value(parameter.get("schema", {}), odd)
        return value if isinstance(value, str) else json.dumps(value)

    def _body(self, operation: Mapping[str, Any], headers: list[tuple[str, str]], odd: float) -> bytes:
        random = self._random
        content = operation.get("requestBody", {}).get("content", {})
        if not content or random.random() < odd / 4:
            if content or random.random() < odd / 4:
                headers.append(("Content-Type", random.choice(TYPES)))
                return random.choice(BODIES)
            return b""
        media, shape = next(iter(content.items()))
        headers.append(("Content-Type", random.choice(TYPES) if random.random() < odd / 4 else media))
        value = self.value(shape.get("schema", {}), odd)
        if media == "application/json":
            return json.dumps(value).encode()
        if isinstance(value, dict):
            return urlencode(
                {name: one if isinstance(one, str) else json.dumps(one) for name, one in value.items()},
                errors="surrogatepass",
            ).encode()
        return random.choice(BODIES)

    def value(self, schema: Mapping[str, Any], odd: float, depth: int = 0) -> Any:
        """A value of a shape, or, by chance, one that is not."""
        random = self._random
        if "$ref" in schema:
            return self.value(self._schemas[schema["$ref"].rpartition("/")[2]], odd, depth)
        if "anyOf" in schema:
            return self.value(random.choice(schema["anyOf"]), odd, depth)
        if random.random() < odd / (1 + (depth == 0)) and schema.get("type") != "object":
            return self._odd(depth)
        if "enum" in schema:
            return random.choice(schema["enum"])
        make: Callable[[], Any] = {
            "string": lambda: random.choice(TEXTS if random.random() < 0.3 else PLAIN),
            "integer": lambda: random.choice((0, 1, 2, 20, 300)),
            "number": lambda: random.choice((0, 0.5, 1)),
            "boolean": lambda: random.random() < 0.5,
            "null": lambda: None,
            "array": lambda: [self.value(schema.get("items", {}), odd, depth + 1) for _ in range(random.choice(SIZES))],
        }.get(schema.get("type", ""), lambda: self._object(schema, odd, depth))
        return make()

    def _object(self, schema: Mapping[str, Any], odd: float, depth: int) -> dict[str, Any]:
        random = self._random
        needed = schema.get("required", ())
        found = {
            name: self.value(part, odd, depth + 1)
            for name, part in schema.get("properties", {}).items()
            if (name in needed and random.random() >= odd / 8) or random.random() < 0.4
        }
        if not schema.get("properties") or random.random() < odd / 4:
            found[random.choice(TEXTS)] = self._odd(depth + 1)
        return found

    def _odd(self, depth: int) -> Any:
        random = self._random
        kind = random.random()
        if kind < 0.45:
            return random.choice(TEXTS)
        if kind < 0.75:
            return random.choice(NUMBERS)
        if kind < 0.85 or depth > 4:
            return random.choice((True, False, None, [], {}))
        if kind < 0.9:
            return json.loads("[" * 200 + "]" * 200)
        if kind < 0.95:
            return [self._odd(depth + 1) for _ in range(3)]
        return {random.choice(TEXTS): self._odd(depth + 1) for _ in range(2)}


def send(app: ASGIApp, some: Iterable[Request]) -> list[Answer]:
    """Send requests to an application, one after the other, and return its answers. What it raises is raised."""

    async def every() -> list[Answer]:
        return [await _answer(app, request) for request in some]

    return asyncio.run(every())


async def _answer(app: ASGIApp, request: Request) -> Answer:
    path, _, query = request.path.partition("?")
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": request.method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode("utf-8", "replace"),
        "root_path": "",
        "query_string": query.encode(),
        "headers": list(request.headers),
        "client": ("127.0.0.1", 5),
        "server": ("127.0.0.1", 80),
    }
    sent: list[Message] = []
    came = [{"type": "http.request", "body": request.body, "more_body": False}]

    async def receive() -> Message:
        return came.pop() if came else {"type": "http.disconnect"}

    async def out(message: Message) -> None:
        sent.append(message)

    await app(scope, receive, out)
    if not sent:
        return Answer(request, 0, {}, b"")
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in sent[0]["headers"]}
    return Answer(request, sent[0]["status"], headers, b"".join(one.get("body", b"") for one in sent[1:]))
