"""Connections as the service takes them: HTTP/1.1 as uvicorn speaks it, with limits on what comes before a key is read.

A stranger may hold connections open, send headers without end, or send them a byte at a time. None of this may take the
memory, the files or the threads with which others are served.
"""

from __future__ import annotations

import sys
from asyncio import BaseTransport, TimerHandle
from http import HTTPStatus
from typing import Any, Literal, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from onrecord.service.error_responses import Json
from onrecord.service.forms import failure
from onrecord.service.logs import UNLESS_SAID

__all__ = ["HttpConnection"]

CONNECTIONS = 1_000
"""Connections of a process; half as many from one address. Fewer where the process may not open twice as many files."""

LINE, HEADERS, HEADER_BYTES = 16_384, 100, 65_536
"""Bytes of an address with its query, number of headers, and bytes of all that stands before or behind a body."""

PIPELINED = 16
"""Requests of one connection that wait for the answers to earlier ones."""

PATIENCE, TRICKLE = 10.0, 10_240
"""Seconds within which headers must be complete, and within each of which so many bytes of a body must come."""

UNREAD = 30.0
"""Seconds for which a caller may read nothing of an answer that no buffer holds any more."""

LINGER = 2.0
"""Seconds for which what a refused caller goes on to send is thrown away; a connection cut at once loses its answer."""

Refusal = tuple[int, str, str, str]  # status, code, message, hint

BAD = (400, "InvalidInput", "This is not HTTP/1.1.", "Send a valid request.")
CROWDED = (503, "Limited", "There are too many connections.", "Close some, or try again.")
SLOW = (408, "InvalidInput", f"The request did not come within {PATIENCE:.0f} s.", "Send it faster.")
LONG_LINE = (414, "TooLarge", f"The address has more than {LINE:,} bytes.", "Send long texts in a body.")
LONG_HEADERS = (
    431,
    "TooLarge",
    f"There are more than {HEADERS} headers, or {HEADER_BYTES:,} bytes of them.",
    "Send fewer.",
)


class HttpConnection(HttpToolsProtocol):
    """One connection to the service."""

    _part: Literal["", "head", "body"] = "head"  # what has to come of a request; nothing between two of them
    _unread = 0  # bytes since a request was complete, or something of a body came
    _came = 0  # bytes since the timer began
    _timer: TimerHandle | None = None
    _reading: TimerHandle | None = None  # while the caller does not
    _idle_since = 0.0
    _evicted = False
    _refusal: Refusal | None = None

    def connection_made(self, transport: BaseTransport) -> None:
        super().connection_made(cast("Any", transport))
        self._idle_since = self.loop.time()
        everyone = [other for other in self.connections if isinstance(other, HttpConnection) and not other._evicted]
        neighbours = [other for other in everyone if other.client and self.client and other.client[0] == self.client[0]]
        if self._has_room(neighbours, _most() // 2) and self._has_room(everyone, _most()):
            self._watch()
        else:
            self._write(CROWDED)
            self.transport.close()

    def _has_room(self, connections: list[HttpConnection], most: int) -> bool:
        """Whether these are few enough, if need be without the one that has been idle longest."""
        if len(connections) <= most:
            return True
        idle = [other for other in connections if other is not self and other._is_idle()]
        if idle:
            min(idle, key=lambda other: other._idle_since)._evict()
        return bool(idle)

    def _is_idle(self) -> bool:
        """Whether nothing is asked, or nothing is read of the answer."""
        return self._is_answered() or self.flow.write_paused

    def _is_answered(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def _evict(self) -> None:
        self._evicted = True
        self.transport.abort()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._idle_since = self.loop.time()
        self._reading = self.loop.call_later(UNREAD, self._evict)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._reading is not None:
            self._reading.cancel()

    def connection_lost(self, exc: Exception | None) -> None:
        self._unwatch()
        if self._reading is not None:
            self._reading.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refusal is not None:
            return
        self._part = self._part or "head"
        self._unread += len(data)
        self._came += len(data)
        super().data_received(data)
        if self._refusal is None and self._unread > HEADER_BYTES:
            self._refuse(LONG_HEADERS)
        if self._refusal is None and self._part:
            self._watch()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._part = "head"

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        self._ensure(len(self.url) <= LINE, LONG_LINE)

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        self._ensure(len(self.headers) <= HEADERS, LONG_HEADERS)

    def on_headers_complete(self) -> None:
        size = len(self.url) + sum(len(name) + len(value) for name, value in self.headers)
        self._ensure(size <= HEADER_BYTES, LONG_HEADERS)
        self._ensure(len(self.pipeline) < PIPELINED, CROWDED)
        super().on_headers_complete()
        self._part, self._unread = "body", 0
        self._unwatch()

    def on_body(self, body: bytes) -> None:
        super().on_body(body)
        self._unread = 0

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._part, self._unread = "", 0
        self._unwatch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._idle_since = self.loop.time()

    def _ensure(self, holds: bool, refusal: Refusal) -> None:
        """Raise in the parser, which stops then and has `send_400_response` called."""
        if not holds:
            self._refusal = refusal
            raise ValueError(refusal[2])

    def send_400_response(self, msg: str) -> None:
        self._refuse(self._refusal or BAD)

    def _watch(self) -> None:
        if self._timer is None:
            self._came = 0
            self._timer = self.loop.call_later(PATIENCE, self._look)

    def _unwatch(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _look(self) -> None:
        """Refuse a request that does not get on; while we ourselves keep it waiting, it may take its time."""
        self._timer = None
        ours = self.flow.read_paused if self._part == "body" else not self._is_answered()
        if ours or (self._part == "body" and self._came >= TRICKLE):
            self._watch()
        else:
            self._refuse(SLOW)

    def _refuse(self, refusal: Refusal) -> None:
        self._refusal = refusal
        self._unwatch()
        unanswered = not self.cycle.response_started if self._part == "body" else self._is_answered()
        if not unanswered:
            self.transport.abort()  # it would stand in the middle of another answer
            return
        self._write(refusal)
        self.transport.write_eof()
        self._timer = self.loop.call_later(LINGER, self.transport.abort)

    def _write(self, refusal: Refusal) -> None:
        status, code, what, hint = refusal
        answer = Json(failure(code, what, hint), status)
        headers = [*answer.raw_headers, *UNLESS_SAID, (b"connection", b"close")]
        lines = b"".join(b"%b: %b\r\n" % pair for pair in headers)
        phrase = HTTPStatus(status).phrase.encode()
        self.transport.write(b"HTTP/1.1 %d %b\r\n%b\r\n%b" % (status, phrase, lines, bytes(answer.body)))


def _most() -> int:
    """How many connections a process takes: a half of its files is for the memory."""
    if sys.platform == "win32":
        return CONNECTIONS
    import resource

    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return CONNECTIONS if files == resource.RLIM_INFINITY else min(CONNECTIONS, files // 2)
