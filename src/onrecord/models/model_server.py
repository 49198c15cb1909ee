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
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from onrecord.errors import InvalidSetting, ModelError, ModelUnreachable

if TYPE_CHECKING:
    import openai

__all__ = ["LONGEST_PAUSE", "Served", "clean_key", "host_of", "is_here", "wanted_pause"]

LONGEST_PAUSE = 30.0
"""Seconds that a server may make us wait before it is asked again; whoever asked is told of a longer pause instead."""

_HINTS = {
    401: "Check the key.",
    403: "Check the key and what it may do.",
    404: "Check the name of the model and the address of the server.",
    413: "Ask for less at a time.",
    429: "Wait, or ask for less at a time.",
}


class _ModelClient:
    """The client as one process has it: neither connections nor a locked lock may be shared across a fork."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.client: openai.OpenAI | None = None


class Served:
    """A model on a server: what all kinds of them share. Safe to share between threads.

    `timeout` is in seconds and counts for each of the `retries` + 1 attempts. `purpose` stands in errors: what is
    asked for.
    """

    def __init__(
        self, address: str, *, purpose: str, key: str | None = None, timeout: float = 30.0, retries: int = 2
    ) -> None:
        self._host = host_of(address)
        self._address = address
        self._purpose = purpose
        self._key = clean_key(key)
        self._timeout = timeout
        self._retries = retries
        self._by_process: dict[int, _ModelClient] = {}

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self._purpose} at {self._host}>"

    def close(self) -> None:
        """Let go of the connections; the next question makes new ones."""
        connected = self._connected
        with connected.lock:
            client, connected.client = connected.client, None
        if client is not None:
            client.close()

    @property
    def _connected(self) -> _ModelClient:
        return self._by_process.setdefault(os.getpid(), _ModelClient())

    def _client(self) -> openai.OpenAI:
        try:
            import openai
        except ModuleNotFoundError:
            raise ModelError(
                f"Asking the server {self._host} needs the package openai, which is not there.",
                "Run: pip install 'onrecord[models]'",
            ) from None
        connected = self._connected
        with connected.lock:
            if connected.client is None:
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
                connected.client = client
            return connected.client

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Turns what the client raises into our errors."""
        import openai

        try:
            yield
        except openai.APITimeoutError:
            raise self._unreachable(
                f"did not answer within {self._timeout:g} s", "Try again, or allow more time."
            ) from None
        except openai.APIStatusError as error:
            raise self._refused(error) from None
        except openai.APIConnectionError as error:
            kind = type(error.__cause__ or error).__name__
            raise self._unreachable(f"could not be asked ({kind})", "Check that it runs and can be reached.") from None
        except openai.OpenAIError:
            raise self._failed("answered with an error", "See what the server's log says.") from None
        except _transport_errors():  # while an answer was being read
            raise self._broke_off() from None

    def _failed(self, what: str, hint: str) -> ModelError:
        return ModelError(self._said(what), hint)

    def _unreachable(self, what: str, hint: str) -> ModelUnreachable:
        return ModelUnreachable(self._said(what), hint)

    def _broke_off(self) -> ModelError:
        return self._failed("broke off in the middle of its answer", "Try again.")

    def _refused(self, error: openai.APIStatusError) -> ModelError:
        what = f"answered with status {error.status_code}"
        pause = wanted_pause(error.response.headers)
        if pause is not None and pause > LONGEST_PAUSE:
            return self._failed(f"{what} and wants to be left alone", f"Try again in {pause:.0f} s.")
        other = "Try again later." if error.status_code >= 500 else "See what the server's log says."
        return self._failed(what, _HINTS.get(error.status_code, other))

    def _said(self, what: str) -> str:
        return f"The server {self._host}, asked for {self._purpose}, {what}."


def host_of(address: str) -> str:
    """Host and port, for messages: an address may hold a password."""
    try:
        parts = urlsplit(address)
        host = parts.hostname if parts.port is None else f"{parts.hostname}:{parts.port}"
    except ValueError:
        parts, host = None, None
    if parts is None or not host or parts.scheme not in ("http", "https"):
        raise InvalidSetting("The address of the server is not one.", "Use one such as http://localhost:11434/v1.")
    return host


def is_here(address: str) -> bool:
    """Whether an address is one of this machine.

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
    """A key that can stand in a header; an error while it is sent would show it."""
    if key and not (key.isascii() and key.isprintable()):
        raise InvalidSetting("The key holds characters that no key has.", "See whether it was copied whole.")
    return key


def _transport_errors() -> tuple[type[Exception], ...]:
    """What the library under the client raises; which library that is depends on the client's version."""
    return tuple(sys.modules[name].HTTPError for name in ("httpx2", "httpx") if name in sys.modules)


def _refuse_long_pause(response: Any) -> None:
    """The client obeys this header of a server; without it, it would wait for two minutes."""
    pause = wanted_pause(response.headers)
    if pause is not None and pause > LONGEST_PAUSE:
        response.headers["x-should-retry"] = "false"


def wanted_pause(headers: Mapping[str, str]) -> float | None:
    """The seconds for which a server wants to be left alone, if it says so: as a number, or as a date."""
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
