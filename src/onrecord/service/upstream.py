"""The server that chat requests go on to. Its address comes from the operator alone; of what callers send, it sees the
body, their authorization where none is configured, and a few headers that only mean something there."""

from __future__ import annotations

import json
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

import httpx
from starlette.requests import Request

from onrecord.errors import InvalidInput, InvalidSetting, ModelUnreachable
from onrecord.models.model_server import host_of, is_here
from onrecord.service.logins import TOKEN
from onrecord.service.space_access import ServiceCall
from onrecord.version import __version__

__all__ = ["Upstream", "as_bytes", "authorization_of", "returned"]

CONNECT, SILENCE = 10.0, 600.0  # seconds to be reached in, and between two pieces of an answer

_OURS = {"Accept": "*/*", "Accept-Encoding": "identity", "User-Agent": f"onrecord/{__version__}"}
"""Headers of every request."""

_SENT = ("openai-organization", "openai-project", "openai-beta", "http-referer", "x-title")
"""Headers of a caller that go on: whom a provider bills, and what it shows."""

_RETURNED = ("content-type", "retry-after", "x-request-id", "openai-processing-ms")
"""Headers of an answer that reach the caller, beside x-ratelimit-…; cookies, and what is about a connection, do not."""


class Upstream:
    """The connections to it, made when it is first asked."""

    def __init__(self, address: str | None, key: str | None) -> None:
        self._address = address
        self._host = "" if address is None else host_of(address)
        self._key = key
        self._client: httpx.AsyncClient | None = None

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
        headers = [
            (name.encode(), request.headers[name].encode("latin-1")) for name in _SENT if name in request.headers
        ]
        if authorization := f"Bearer {self._key}" if self._key else authorization_of(call, request):
            headers.append((b"authorization", authorization.encode()))
        if content is not None:
            headers.append((b"content-type", b"application/json"))
        # What the caller asked for beside the body goes along, but the space is ours.
        query: list[tuple[str, Any]] = [pair for pair in request.query_params.multi_items() if pair[0] != "space"]
        try:
            client = self._connected()
            made = client.build_request(method, path, params=query or None, headers=headers, content=content)
            return await client.send(made, stream=True)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise ModelUnreachable(
                f"The upstream {self._host} could not be asked ({type(error).__name__}).", "Try again."
            ) from None

    def _connected(self) -> httpx.AsyncClient:
        if self._client is None:
            base = httpx.URL(str(self._address))
            place = base.copy_with(query=None)
            self._client = httpx.AsyncClient(
                base_url=place.copy_with(userinfo=b"") if self._key else place,  # a user is for servers without a key
                params=base.params,
                headers=_OURS,
                cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),  # one that came is another caller's
                trust_env=not is_here(str(self._address)),  # a proxy of the environment is for what is elsewhere
                limits=httpx.Limits(max_connections=None),
                timeout=httpx.Timeout(SILENCE, connect=CONNECT),
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
