"""A service over HTTP: one request, one response; what goes wrong becomes the error that the library would raise.

A request is sent again where that can do no harm. Reading never does. Neither does what says the same twice: adding
(every message has an id, see `wire`), and setting something to a value. Anything else is sent again only if it
cannot have arrived: no connection was made, or the service said that it was asked too often. Errors name the host, and
never the key or a word of what was sent.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from random import uniform
from threading import Lock
from time import sleep
from typing import Any
from urllib.parse import quote, urlsplit

import httpx

from onrecord import errors
from onrecord.errors import Denied, InvalidSetting, Limited, OnrecordError, StoreClosed, StoreError
from onrecord.journal.clean import clean_name, json_text
from onrecord.models.model_server import LONGEST_PAUSE, clean_key, is_here, wanted_pause

__all__ = ["Service", "ServiceRequest"]

LONGEST_WORK = 3_600.0
"""Seconds within which a service must answer that was asked to make something: a model may have to write it."""

FIRST_PAUSE = 0.2
"""Seconds before a request is sent again the first time; twice as long before the next."""

IDLE = 20.0
"""Seconds for which an idle connection is kept: a service lets go of it after thirty."""

CLOSED, REOPEN = "This memory was closed.", "Open it again with Memory(url)."

_PASSING = ("Limited", "StoreBusy", "StoreClosed", "StoreError")
"""Errors that may have passed when the request is sent again."""


@dataclass(frozen=True, slots=True)
class ServiceRequest:
    """One request to a service."""

    verb: str
    path: str
    space: str
    query: Mapping[str, Any] | None = None
    body: Any = None  # JSON, or the pieces of a long body, which are sent once
    again: bool = False  # it may be sent twice
    long: bool = False  # it may take its time

    @property
    def content(self) -> bytes | Iterable[bytes] | None:
        return json_text(self.body, "what is sent").encode() if isinstance(self.body, Mapping) else self.body

    @property
    def headers(self) -> dict[str, str]:
        """The usual space is the service's to know, or the key's."""
        headers = {} if self.space == "default" else {"X-Onrecord-Space": quote(self.space, safe="")}
        if self.content is not None:
            headers["Content-Type"] = "application/json" if isinstance(self.content, bytes) else "application/jsonl"
        return headers

    def may_pass(self, failure: OnrecordError, status: int) -> bool:
        """Whether another attempt may go well, and can do no harm."""
        if isinstance(failure, Limited) or status == 429:
            return True  # nothing was begun
        return self.repeatable and status in (502, 503, 504) and type(failure).__name__ in _PASSING

    @property
    def repeatable(self) -> bool:
        return self.again or self.verb == "GET"


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
        _check(timeout, retries)
        self.host = _host_of(address)
        self._address = address.rstrip("/").removesuffix("/v1")  # as chat programs are given it
        self._headers = {"User-Agent": "onrecord"}
        if key := clean_key(key):
            # A name and password in the address are for a server before the service, and take the usual header.
            ours = {"X-Onrecord-Key": key} if urlsplit(address).username else {"Authorization": f"Bearer {key}"}
            self._headers |= ours
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

    def ask(self, request: ServiceRequest) -> Any:
        """Return what the service answers, as JSON."""
        response = self._sent(request)
        try:
            return response.json()
        except (ValueError, RecursionError):
            raise self._foreign(response.status_code) from None

    def lines(self, request: ServiceRequest) -> Iterator[str]:
        """Yield the lines of a long answer, as they come."""
        response = self._sent(request, stream=True)
        try:
            yield from split_lines(response.iter_bytes())
        except httpx.HTTPError:
            raise StoreError(f"The service at {self.host} broke off in its answer.", "Try again.") from None
        finally:
            response.close()

    def _sent(self, request: ServiceRequest, *, stream: bool = False) -> httpx.Response:
        """Return the response to a request that went well, sent as often as it may be."""
        whole = request.content is None or isinstance(request.content, bytes)
        for left in reversed(range(self._retries + 1 if whole else 1)):
            pause: float | None = None
            try:
                response = self._answer(request, stream)
                if response.is_success:
                    return response
                response.read()
            except RuntimeError:
                raise StoreClosed(CLOSED, REOPEN) from None  # another thread closed it meanwhile
            except httpx.HTTPError as error:
                missed = isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout))
                if not left or not (request.repeatable or missed):
                    raise self._unreachable(error, lost=not missed and request.verb != "GET") from None
            else:
                response.close()
                failure = self._failure(response)
                pause = wanted_pause(response.headers)
                passes = request.may_pass(failure, response.status_code) and (pause or 0) <= LONGEST_PAUSE
                if not left or not passes:
                    raise failure
            sleep(pause or min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (self._retries - left)) * uniform(0.5, 1.0))
        raise AssertionError("the last attempt answers or raises")

    def _answer(self, request: ServiceRequest, stream: bool) -> httpx.Response:
        """Send a request once."""
        client = self._client()
        seconds = LONGEST_WORK if request.long else self._timeout
        sent = client.build_request(
            request.verb,
            self._address + request.path,
            params=_params(request.query or {}),
            content=request.content,
            headers=request.headers,
            timeout=httpx.Timeout(seconds, connect=self._timeout),
        )
        return client.send(sent, stream=stream)

    @property
    def _connected(self) -> _ServiceClient:
        return self._by_process.setdefault(os.getpid(), _ServiceClient())

    def _client(self) -> httpx.Client:
        if self._closed:
            raise StoreClosed(CLOSED, REOPEN)
        connected = self._connected
        with connected.lock:
            if connected.client is None:
                connected.client = httpx.Client(
                    headers=self._headers,
                    transport=self._transport,
                    limits=httpx.Limits(max_connections=100, keepalive_expiry=IDLE),
                    trust_env=not is_here(self._address),  # what is on this machine is not asked for through a proxy
                )
            return connected.client

    def _failure(self, response: httpx.Response) -> OnrecordError:
        """Return the error that an answer reports."""
        try:
            reported = response.json()["error"]
            code, what, hint = (str(reported[name]) for name in ("code", "message", "hint"))
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


def _check(timeout: object, retries: object) -> None:
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not 0 < timeout < float("inf"):
        raise InvalidSetting(f"timeout={timeout!r} is no number of seconds.", "Pass one over 0.")
    if isinstance(retries, bool) or not isinstance(retries, int) or not 0 <= retries <= 100:
        raise InvalidSetting(f"retries={retries!r} is no number of attempts.", "Pass one from 0 to 100.")


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


def _params(query: Mapping[str, Any]) -> httpx.QueryParams:
    """A query as it stands in an address: several values repeat the name."""
    pairs: list[tuple[str, str | int | float | bool | None]] = []
    for name, value in query.items():
        several = isinstance(value, (str, list))
        items = value if isinstance(value, list) else [value]
        pairs += [(name, clean_name(item, name) if several else json_text(item, name)) for item in items]
    return httpx.QueryParams(pairs)


def split_lines(pieces: Iterable[bytes]) -> Iterator[str]:
    """Yield lines as JSON Lines means them: ended by a line feed alone, whatever else a text may hold."""
    rest = b""
    for piece in pieces:
        *whole, rest = (rest + piece).split(b"\n")
        for line in whole:
            yield line.decode() + "\n"
    if rest:
        yield rest.decode() + "\n"
