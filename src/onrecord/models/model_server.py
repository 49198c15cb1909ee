"""A server that speaks OpenAI's protocol, whatever is asked of it.

The official client makes the connection and tries again where that may help, with its own pauses; a server that wants
a longer one is given up at once. What goes wrong becomes a ModelError, and a ModelUnreachable where nothing was
answered at all: it names the server and what to do, and holds neither the key nor a word of what was sent.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from email.utils import parsedate_to_datetime
from ipaddress import ip_address
from math import isfinite
from threading import Lock
from time import time
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import urlsplit
from weakref import WeakSet

from onrecord.errors import InvalidSetting, ModelError, ModelUnreachable

if TYPE_CHECKING:
    import openai

__all__ = ["INSTALL", "LONGEST_PAUSE", "Served", "clean_key", "host_of", "in_each_process", "is_here", "wanted_pause"]

INSTALL = "Run: pip install 'onrecord[models]'"

LONGEST_PAUSE = 30.0
"""Seconds that a server may make us wait before it is asked again; a longer pause is an error at once."""

_HINTS = {
    401: "Check the key.",
    403: "Check the key and what it may do.",
    404: "Check the name of the model and the address of the server.",
    413: "Ask for less at a time.",
    429: "Wait, or ask for less at a time.",
}


class _ProcessBound(Protocol):
    def begin_process(self) -> None: ...


_bound: WeakSet[_ProcessBound] = WeakSet()


def in_each_process(item: _ProcessBound) -> None:
    """Call `item.begin_process()` in every child that is forked: a lock may be held by a thread that is not there."""
    _bound.add(item)


def _after_fork() -> None:
    for item in list(_bound):
        item.begin_process()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


class Served:
    """A model on a server: what all kinds of them share.

    Safe to share between threads; after a fork each process makes its own connections.

    Args:
        address: The base URL of the server.
        model: Which model is asked.
        purpose: What it is asked for, as errors say it.
        name: What the model is called here; by default as `model`.
        key: The server's key.
        timeout: Seconds for each of the `retries` + 1 attempts.
        retries: How often a request is repeated that may succeed then.
    """

    def __init__(
        self,
        address: str,
        *,
        model: str = "",
        purpose: str,
        name: str | None = None,
        key: str | None = None,
        timeout: float = 30.0,
        retries: int = 2,
    ) -> None:
        self.name = name or model
        self._host = host_of(address)
        self._address = address
        self._model = model
        self._purpose = purpose
        self._key = clean_key(key)
        self._timeout = timeout
        self._retries = retries
        self._connected: openai.OpenAI | None = None
        self.begin_process()
        in_each_process(self)

    def begin_process(self) -> None:
        """Let go of locks and connections that belong to the parent; they are not closed, as it still uses them."""
        self._lock = Lock()
        self._parents, self._connected = self._connected, None

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._purpose} at {self._host}>"

    def close(self) -> None:
        """Close the connections; the next request makes new ones."""
        with self._lock:
            client, self._connected = self._connected, None
        if client is not None:
            client.close()

    def _client(self) -> openai.OpenAI:
        try:
            import openai
        except ModuleNotFoundError:
            raise ModelError(
                f"Asking the server {self._host} needs the package openai, which is not there.", INSTALL
            ) from None
        with self._lock:
            if self._connected is None:
                key = self._key or "none"
                # The header is given because the client would let a variable of the environment replace it.
                client = openai.OpenAI(
                    api_key=key,
                    base_url=self._address,
                    timeout=self._timeout,
                    max_retries=self._retries,
                    default_headers={"Authorization": f"Bearer {key}"},
                    http_client=openai.DefaultHttpxClient(
                        timeout=self._timeout, event_hooks={"response": [_refuse_long_pause]}
                    ),
                )
                client.organization = client.project = None  # also from there, and maybe meant for another server
                self._connected = client
            return self._connected

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Turn what the client raises into our errors."""
        import openai

        try:
            yield
        except openai.APITimeoutError:
            what = f"did not answer within {self._timeout:g} s"
            raise ModelUnreachable(self._sentence(what), "Try again, or allow more time.") from None
        except openai.APIStatusError as error:
            raise self._refused(error) from None
        except openai.APIConnectionError as error:
            what = f"could not be asked ({type(error.__cause__ or error).__name__})"
            raise ModelUnreachable(self._sentence(what), "Check that it runs and can be reached.") from None
        except openai.OpenAIError:
            raise self._failed("answered with an error", "See what the server's log says.") from None
        except _transport_errors():  # while an answer was being read
            raise self._broke_off() from None

    def _failed(self, what: str, hint: str) -> ModelError:
        return ModelError(self._sentence(what), hint)

    def _broke_off(self) -> ModelError:
        return self._failed("broke off in the middle of its answer", "Try again.")

    def _refused(self, error: openai.APIStatusError) -> ModelError:
        what = f"answered with status {error.status_code}"
        pause = wanted_pause(error.response.headers)
        if pause is not None and pause > LONGEST_PAUSE:
            return self._failed(f"{what} and wants to be left alone", f"Try again in {pause:.0f} s.")
        other = "Try again later." if error.status_code >= 500 else "See what the server's log says."
        return self._failed(what, _HINTS.get(error.status_code, other))

    def _sentence(self, what: str) -> str:
        return f"The server {self._host}, asked for {self._purpose}, {what}."


def host_of(address: str) -> str:
    """Return host and port, for messages: an address may hold a password. Raises `InvalidSetting` if there is none."""
    try:
        parts = urlsplit(address)
        host = parts.hostname if parts.port is None else f"{parts.hostname}:{parts.port}"
    except ValueError:
        parts, host = None, None
    if parts is None or not host or parts.scheme not in ("http", "https"):
        raise InvalidSetting("The address of the server is not one.", "Use one such as http://localhost:11434/v1.")
    return host


def is_here(address: str) -> bool:
    """Return whether an address is one of this machine.

    >>> is_here("http://localhost:11434/v1"), is_here("http://127.0.0.2/"), is_here("http://127.0.0.1.example.org/")
    (True, True, False)
    """
    host_of(address)
    host = urlsplit(address).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def clean_key(key: str | None) -> str | None:
    """Return a key that can stand in a header; an error while it is sent would show it."""
    if key and not (key.isascii() and key.isprintable()):
        raise InvalidSetting("The key holds characters that no key has.", "See whether it was copied whole.")
    return key


def _transport_errors() -> tuple[type[Exception], ...]:
    """Return what the library under the client raises; which library that is depends on the client's version."""
    return tuple(sys.modules[name].HTTPError for name in ("httpx2", "httpx") if name in sys.modules)


def _refuse_long_pause(response: Any) -> None:
    """Set the header that the client obeys; without it, it would wait for two minutes."""
    pause = wanted_pause(response.headers)
    if pause is not None and pause > LONGEST_PAUSE:
        response.headers["x-should-retry"] = "false"


def wanted_pause(headers: Mapping[str, str]) -> float | None:
    """Return the seconds for which a server wants to be left alone, if it says so: as a number, or as a date."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            pause = float(headers.get(name, "")) * unit
        except ValueError:
            continue
        return pause if isfinite(pause) else None
    try:
        return parsedate_to_datetime(headers.get("retry-after", "")).timestamp() - time()
    except (ValueError, OverflowError):
        return None
