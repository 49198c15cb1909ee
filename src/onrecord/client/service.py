"""A service over HTTP: one question, one answer; what goes wrong becomes the error that the library would raise.

A question is put again where that can do no harm. Reading never does. Neither does what says the same twice: adding
(every message has an id, see `telling`), and setting something to a value. Anything else is put again only if it
cannot have arrived: no connection was made, or the service said that it was asked too often. Errors name the host, and
never the key or a word of what was sent.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from random import uniform
from threading import Lock
from time import sleep
from typing import Any
from urllib.parse import quote, urlsplit

import httpx

from onrecord import errors
from onrecord.errors import Denied, InvalidSetting, Limited, OnrecordError, StoreClosed, StoreError
from onrecord.journal.clean import json_text
from onrecord.models.model_server import LONGEST_PAUSE, _checked, _pause, is_here

__all__ = ["Service", "encoded"]

LONGEST_WORK = 3_600.0
"""Seconds within which a service must answer that was asked to make something: a model may have to write it."""

FIRST_PAUSE = 0.2
"""Seconds before a question is put again the first time; twice as long before the next."""

IDLE = 20.0
"""Seconds for which an idle connection is kept: a service lets go of it after thirty."""

CLOSED, REOPEN = "This memory was closed.", "Open it again with Memory(url)."

_PASSING = ("Limited", "StoreBusy", "StoreClosed", "StoreError")
"""Errors that may have passed when the question is put again."""


class _ServiceClient:
    """The client as one process has it: neither connections nor a locked lock may be shared across a fork."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.client: httpx.Client | None = None


class Service:
    """What answers at an address. Safe to share between threads; after a fork each process goes on by itself.

    `timeout` is in seconds and counts for each of the `retries` + 1 attempts.
    """

    def __init__(self, address: str, *, key: str | None, timeout: float, retries: int) -> None:
        self.host = _host_of(address)
        self._address = address.rstrip("/").removesuffix("/v1")  # as chat programs are given it
        self._key = _checked(key)
        self._timeout = timeout
        self._retries = retries
        self._closed = False
        self._by_process: dict[int, _ServiceClient] = {}
        self._transport: httpx.BaseTransport | None = None  # other than the network, in tests

    def __repr__(self) -> str:
        return f"<Service at {self.host}>"

    def close(self) -> None:
        """Let go of the connections. Closing twice is fine."""
        self._closed = True
        connected = self._connected
        with connected.lock:
            client, connected.client = connected.client, None
        if client is not None:
            client.close()

    def ask(
        self,
        method: str,
        path: str,
        space: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        again: bool = False,
        long: bool = False,
    ) -> Any:
        """What the service answers, as JSON. `again`: the question may be put twice; `long`: it may take its time."""
        content = None if body is None else json_text(body, "what is sent").encode()
        response = self._sent(method, path, space, query, content, again=again or method == "GET", long=long)
        return self._json(response)

    def lines(self, path: str, space: str, query: Mapping[str, Any]) -> Iterator[str]:
        """The lines of a long answer, as they come."""
        response = self._sent("GET", path, space, query, None, again=True, long=True, stream=True)
        try:
            yield from _split(response.iter_bytes())
        except httpx.HTTPError:
            raise StoreError(f"The service at {self.host} broke off in its answer.", "Try again.") from None
        finally:
            response.close()

    def upload(self, path: str, space: str, query: Mapping[str, Any], content: Iterable[bytes]) -> Any:
        """What the service answers to a long body, which is sent as it comes, once."""
        return self._json(self._sent("POST", path, space, query, content, again=False, long=True))

    def _sent(
        self,
        method: str,
        path: str,
        space: str,
        query: Mapping[str, Any] | None,
        content: bytes | Iterable[bytes] | None,
        *,
        again: bool,
        long: bool,
        stream: bool = False,
    ) -> httpx.Response:
        """The answer to a question that went well, put as often as it may be."""
        whole = content is None or isinstance(content, bytes)  # what comes piece by piece comes once
        for left in reversed(range(self._retries + 1 if whole else 1)):
            client = self._client()
            try:
                request = self._request(client, method, path, space, query, content, LONGEST_WORK if long else None)
                response = client.send(request, stream=stream)
                if response.is_success:
                    return response
                response.read()
            except RuntimeError:
                raise StoreClosed(CLOSED, REOPEN) from None  # another thread closed it meanwhile
            except httpx.HTTPError as error:
                missed = isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout))
                if not left or not (again or missed):
                    raise self._unreachable(error, lost=not missed and method != "GET") from None
                pause: float | None = None
            else:
                response.close()
                failure = self._failure(response)
                pause = _pause(response.headers)
                if not left or not _may_pass(failure, response, again) or (pause or 0) > LONGEST_PAUSE:
                    raise failure
            sleep(pause or min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (self._retries - left)) * uniform(0.5, 1.0))
        raise AssertionError("the last attempt answers or raises")

    def _request(
        self,
        client: httpx.Client,
        method: str,
        path: str,
        space: str,
        query: Mapping[str, Any] | None,
        content: bytes | Iterable[bytes] | None,
        seconds: float | None,
    ) -> httpx.Request:
        # The usual space is the service's to know, or the key's.
        headers = {} if space == "default" else {"X-Onrecord-Space": quote(space, safe="")}
        if content is not None:
            headers["Content-Type"] = "application/json" if isinstance(content, bytes) else "application/jsonl"
        return client.build_request(
            method,
            self._address + path,
            params=_plain(query or {}),
            content=content,
            headers=headers,
            timeout=httpx.Timeout(seconds or self._timeout, connect=self._timeout),
        )

    @property
    def _connected(self) -> _ServiceClient:
        return self._by_process.setdefault(os.getpid(), _ServiceClient())

    def _client(self) -> httpx.Client:
        if self._closed:
            raise StoreClosed(CLOSED, REOPEN)
        connected = self._connected
        with connected.lock:
            if connected.client is None:
                key = {} if not self._key else {self._key_header(): f"{self._key_scheme()}{self._key}"}
                connected.client = httpx.Client(
                    headers=key | {"User-Agent": "onrecord"},
                    transport=self._transport,
                    limits=httpx.Limits(max_connections=100, keepalive_expiry=IDLE),
                    trust_env=not is_here(self._address),  # what is on this machine is not asked for through a proxy
                )
            return connected.client

    def _key_header(self) -> str:
        """A name and password in the address are for a server before the service, and take the usual header."""
        return "X-Onrecord-Key" if urlsplit(self._address).username else "Authorization"

    def _key_scheme(self) -> str:
        return "Bearer " if self._key_header() == "Authorization" else ""

    def _json(self, response: httpx.Response) -> Any:
        try:
            return response.json()
        except (ValueError, RecursionError):
            raise self._foreign(response.status_code) from None

    def _failure(self, response: httpx.Response) -> OnrecordError:
        """The error that an answer tells of."""
        try:
            told = response.json()["error"]
            code, what, hint = (str(told[name]) for name in ("code", "message", "hint"))
        except (KeyError, TypeError, ValueError, RecursionError):
            return self._foreign(response.status_code)
        if code == "Denied":
            return Denied(what, hint, known=response.status_code != 401)
        if code == "Limited":
            wait = response.headers.get("retry-after", "")
            return Limited(what, hint, seconds=int(wait) if wait.isdecimal() and len(wait) < 10 else 1)
        kind: type[OnrecordError] = getattr(errors, code) if code in errors.__all__ else StoreError
        return kind(what, hint)

    def _foreign(self, status: int) -> StoreError:
        return StoreError(
            f"The server at {self.host} answered with status {status}, and not as onrecord does.",
            "Check the address, and what its log says.",
        )

    def _unreachable(self, error: Exception, *, lost: bool) -> StoreError:
        late = isinstance(error, httpx.TimeoutException)
        what = f"did not answer within {self._timeout:g} s" if late else f"could not be asked ({type(error).__name__})"
        hint = "Check that it runs (onrecord serve), and the address."
        if lost:
            hint = "It may have been done: look before you ask again."
        return StoreError(f"The service at {self.host} {what}.", hint)


def encoded(*parts: str) -> str:
    """The path of something; ids may hold anything.

    >>> encoded("sessions", "a/b", "messages"), encoded("sessions", "..")
    ('/v1/sessions/a%2Fb/messages', '/v1/sessions/%2E%2E')
    """
    return "/v1/" + "/".join(_encoded(part) for part in parts)


def _encoded(part: str) -> str:
    """Dots alone mean a place to whoever reads an address, unless they are spelled out."""
    return part.replace(".", "%2E") if part in (".", "..") else quote(part, safe="")


def _host_of(address: str) -> str:
    """Host and port, for messages: an address may hold a password."""
    try:
        parts = urlsplit(address)
        host = parts.hostname if parts.port is None else f"{parts.hostname}:{parts.port}"
        httpx.URL(address)
    except (ValueError, httpx.InvalidURL):
        parts, host = urlsplit(""), None
    if not host or parts.query or parts.fragment or not address.isprintable():
        raise InvalidSetting("The address of the service is not one.", "Use one such as http://127.0.0.1:8787.")
    return host


def _plain(query: Mapping[str, Any]) -> httpx.QueryParams:
    """A query as it stands in an address: what is None is left out, several values repeat the name."""
    pairs: list[tuple[str, str | int | float | bool | None]] = []
    for name, value in query.items():
        several = value if isinstance(value, (list, tuple)) else [value]
        pairs += [(name, _text(one)) for one in several if one is not None]
    return httpx.QueryParams(pairs)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.isoformat() if isinstance(value, datetime) else str(value)


def _may_pass(failure: OnrecordError, response: httpx.Response, again: bool) -> bool:
    """Whether another attempt may go well, and can do no harm."""
    if isinstance(failure, errors.Limited) or response.status_code == 429:
        return True  # nothing was begun
    return again and response.status_code in (502, 503, 504) and type(failure).__name__ in _PASSING


def _split(pieces: Iterable[bytes]) -> Iterator[str]:
    """Lines as JSON Lines means them: ended by a line feed alone, whatever else a text may hold."""
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            yield line.decode() + "\n"
    if rest:
        yield rest.decode() + "\n"
