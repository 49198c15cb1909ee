"""The server that chat requests go on to. Its address comes from the operator alone; of what callers send, it sees the
body, their authorization where none is configured, and a few headers that only mean something there."""

from __future__ import annotations

import json
from typing import Any

import httpx
from starlette.requests import Request

from onrecord.errors import InvalidInput, InvalidSetting, ModelUnreachable
from onrecord.models.model_server import host_of, is_here
from onrecord.service.calling import ServiceCall
from onrecord.service.logins import TOKEN
from onrecord.version import __version__

__all__ = ["Upstream", "as_bytes", "authorization_of", "returned"]

CONNECT, SILENCE = 10.0, 600.0  # seconds to be reached in, and between two pieces of an answer

_WAITING = {"timeout": httpx.Timeout(SILENCE, connect=CONNECT).as_dict()}

_OURS = {"accept": b"*/*", "accept-encoding": b"identity", "user-agent": f"onrecord/{__version__}".encode()}
"""Headers of every request."""

_SENT = ("openai-organization", "openai-project", "openai-beta", "http-referer", "x-title")
"""Headers of a caller that go on: whom a provider bills, and what it shows."""

_RETURNED = ("content-type", "retry-after", "x-request-id", "openai-processing-ms")
"""Headers of an answer that reach the caller, beside x-ratelimit-…; cookies, and what is about a connection, do not."""


class Upstream:
    """The connections to it, made when it is first asked."""

    def __init__(self, address: str | None, key: str | None) -> None:
        self._address = None if address is None else address.rstrip("/")
        self._host = "" if address is None else host_of(address)
        self._key = key
        self._client: httpx.AsyncClient | None = None
        self._urls: dict[str, httpx.URL] = {}  # by path, of which there are few: reading an address takes its time

    def check(self) -> None:
        """Raise if there is none."""
        if self._address is None:
            raise InvalidSetting(
                "This service passes no chat requests on.", "Start it with ONRECORD_UPSTREAM, the address of a server."
            )

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()

    async def ask(
        self, method: str, path: str, call: ServiceCall, request: Request, content: bytes | None
    ) -> httpx.Response:
        """Its answer, of which only the head has come."""
        self.check()
        # As the bytes that came: they may hold what is no ASCII.
        headers = _OURS | {name: request.headers[name].encode("latin-1") for name in _SENT if name in request.headers}
        if self._key:
            headers["authorization"] = f"Bearer {self._key}".encode()
        elif given := authorization_of(call, request):
            headers["authorization"] = given.encode()
        if content is not None:
            headers["content-type"] = b"application/json"
        try:
            # Made here, not by the client: that reads the address anew, and sends cookies that came for somebody else.
            told = [(name.encode(), value) for name, value in headers.items()]
            made = httpx.Request(method, self._url(path, request), headers=told, content=content, extensions=_WAITING)
            return await self._connected().send(made, stream=True)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ModelUnreachable(
                f"The upstream {self._host} could not be asked ({type(error).__name__}).", "Try again."
            ) from None

    def _url(self, path: str, request: Request) -> httpx.URL:
        """Where it is asked; what the caller asked for beside the body goes along, but the space is ours."""
        if path not in self._urls:
            base = httpx.URL(str(self._address))
            if self._key:  # a user and a password in the address are for servers that get no key
                base = base.copy_with(userinfo=b"")
            self._urls[path] = base.copy_with(path=base.path.rstrip("/") + path)
        query: list[tuple[str, Any]] = [pair for pair in request.query_params.multi_items() if pair[0] != "space"]
        return self._urls[path].copy_merge_params(query) if query else self._urls[path]

    def _connected(self) -> httpx.AsyncClient:
        if self._client is None:
            assert self._address is not None
            self._client = httpx.AsyncClient(
                trust_env=not is_here(self._address),  # a proxy of the environment is for what is elsewhere
                limits=httpx.Limits(max_connections=None),
            )
        return self._client


def authorization_of(call: ServiceCall, request: Request) -> str | None:
    """The caller's own authorization for the upstream: never a key of ours."""
    given = request.headers.get("authorization", "").strip()
    ours = call.desk.auth.needs_keys and "x-onrecord-key" not in request.headers
    if not given or ours or given.partition(" ")[2].strip().startswith(("rk_", TOKEN)):
        return None
    if not (given.isascii() and given.isprintable()):
        raise InvalidInput("The header Authorization holds characters that no key has.", "See whether it is whole.")
    return given


def returned(answer: httpx.Response) -> dict[str, str]:
    """The headers of an answer that reach the caller."""
    return {
        name: value for name, value in answer.headers.items() if name in _RETURNED or name.startswith("x-ratelimit-")
    }


def as_bytes(body: Any) -> bytes:
    """A body as it is sent."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
