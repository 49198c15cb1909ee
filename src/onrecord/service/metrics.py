"""What a service counts and measures, for Prometheus. No label comes from a caller: routes are templates, and methods
are those that HTTP knows.

Several processes of one service add their figures up through files in the folder that PROMETHEUS_MULTIPROC_DIR names;
it must be set before prometheus_client is loaded, and the folder empty. `shared_figures` sees to both.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

__all__ = ["FOLDER", "METHODS", "NO_ROUTE", "TYPE", "Metrics", "Outcome", "known_method", "shared_figures"]

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The variable of the environment that names the folder of figures of several processes."""

TYPE = "text/plain; version=0.0.4; charset=utf-8"
"""The media type of `text`."""

METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))

NO_ROUTE = "none"
"""Stands for the route of a request that led nowhere."""

Outcome = Literal["ok", "bypassed", "upstream_error"]
"""What became of a chat request: with memory; without, since memory failed; the server behind did not answer well."""

_FIGURES = re.compile(r"(?:counter|summary|histogram|gauge_[a-z]+)_\d+\.db")  # as prometheus_client names them
_ANSWERS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)  # seconds
_UPSTREAM = (0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160, 320)  # models take their time
_TOKENS = (250, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000)


def known_method(method: str) -> str:
    """The method of a request, as long as it is one of HTTP's.

    >>> known_method("POST"), known_method("X-MADE-UP")
    ('POST', 'other')
    """
    return method if method in METHODS else "other"


class Metrics:
    """The figures of one application, in a registry of its own."""

    def __init__(self) -> None:
        from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector

        self._registry = own = CollectorRegistry()
        labels = ("route", "method", "status")
        self._requests = Counter("onrecord_requests", "Requests that were answered.", labels, registry=own)
        self._seconds = Histogram(
            "onrecord_request_seconds", "How long answers took.", ("route",), registry=own, buckets=_ANSWERS
        )
        self._flying = Gauge(
            "onrecord_requests_in_flight", "Requests being answered.", registry=own, multiprocess_mode="livesum"
        )
        added = Counter("onrecord_messages_added", "Messages that were added.", registry=own)
        built = Histogram(
            "onrecord_context_tokens", "Tokens of prompts that were built.", registry=own, buckets=_TOKENS
        )
        self._proxied = Counter(
            "onrecord_proxy_requests", "Chat requests that were passed on.", ("outcome",), registry=own
        )
        self._upstream = Histogram(
            "onrecord_upstream_seconds", "How long the server behind took.", registry=own, buckets=_UPSTREAM
        )
        self.added, self.built = added.inc, built.observe  # so many messages; a prompt of so many tokens
        for outcome in ("ok", "bypassed", "upstream_error"):
            self._proxied.labels(outcome)  # so that each is there from the beginning, as 0
        if FOLDER not in os.environ:
            ProcessCollector(registry=own)

    def began(self) -> None:
        """Count a request that came."""
        self._flying.inc()

    def ended(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count a request that was answered. `route` is a template."""
        self._flying.dec()
        self._requests.labels(route, known_method(method), str(status)).inc()
        self._seconds.labels(route).observe(seconds)

    def proxied(self, outcome: Outcome, seconds: float | None = None) -> None:
        """A chat request was passed on; `seconds`: that the server behind took, if it was asked."""
        self._proxied.labels(outcome).inc()
        if seconds is not None:
            self._upstream.observe(seconds)

    def text(self) -> bytes:
        """All figures, in Prometheus' text format; of several processes, their sums."""
        from prometheus_client import CollectorRegistry, generate_latest

        registry = self._registry
        if FOLDER in os.environ:
            from prometheus_client.multiprocess import MultiProcessCollector

            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)

    def close(self) -> None:
        """This process ends: what it was at is not being answered any more."""
        if FOLDER in os.environ:
            from prometheus_client.multiprocess import mark_process_dead

            mark_process_dead(os.getpid())  # type: ignore[no-untyped-call]


@contextmanager
def shared_figures() -> Iterator[None]:
    """Name an empty folder in the environment, for the figures of several processes."""
    given = os.environ.get(FOLDER)
    if given:
        Path(given).mkdir(parents=True, exist_ok=True)
        for old in Path(given).glob("*.db"):
            if _FIGURES.fullmatch(old.name):  # and nothing else: a memory may lie there
                old.unlink()
        yield
        return
    with TemporaryDirectory(prefix="onrecord-figures-") as folder:
        os.environ[FOLDER] = folder
        try:
            yield
        finally:
            del os.environ[FOLDER]
