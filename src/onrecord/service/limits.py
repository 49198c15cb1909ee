"""How much a caller may send: so many requests a second, bodies of so many bytes, and so many imports at once."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import AsyncIterable, AsyncIterator, Callable
from contextlib import asynccontextmanager
from tempfile import TemporaryFile
from threading import Lock
from typing import IO

from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from onrecord.errors import Limited, TooLarge
from onrecord.service.error_responses import failed

__all__ = ["LimitBody", "Rate", "Uploads"]

UPLOADS, UPLOAD_SECONDS = 4, 3_600.0
"""Imports that a tenant may have under way at once, and seconds within which all of one must have come."""

MOST_CALLERS = 10_000
"""Callers that a rate remembers; the least recent one is forgotten, and has a full bucket again."""

ROUNDING = 1e-6
"""Seconds that adding and taking away times may be off by."""


class Rate:
    """A bucket for each caller, which holds `burst` requests and is filled by `per_second`. 0 a second: no limit.

    Of a bucket only the moment is kept at which it is full again: everything else follows from it.
    """

    def __init__(
        self,
        per_second: float,
        burst: float,
        *,
        clock: Callable[[], float] = time.monotonic,
        most: int = MOST_CALLERS,
    ) -> None:
        self.per_second = per_second
        self._every = 1 / per_second if per_second > 0 else 0.0
        self._room = (max(burst, 1.0) - 1.0) * self._every
        self._clock = clock
        self._most = most
        self._full: OrderedDict[str, float] = OrderedDict()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._full)

    def allow(self, who: str) -> float:
        """Take a request out of the caller's bucket: 0; or, if there is none, the seconds until there is one."""
        if not self._every:
            return 0.0
        with self._lock:
            now = self._clock()
            full = max(self._full.get(who, now), now)
            wait = full - self._room - now
            if wait > ROUNDING:
                self._full.move_to_end(who)
                return wait
            self._full[who] = full + self._every
            self._full.move_to_end(who)
            while len(self._full) > self._most:
                self._full.popitem(last=False)
        return 0.0


class Uploads:
    """Imports on their way in, each in a file on the disk that has no name. A tenant has few of them at once, with no
    more bytes together than the largest import. For one event loop."""

    def __init__(self, most_bytes: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most_bytes
        self._clock = clock
        self._count: Counter[str | None] = Counter()
        self._bytes: Counter[str | None] = Counter()

    @asynccontextmanager
    async def received(self, tenant: str | None, body: AsyncIterable[bytes]) -> AsyncIterator[IO[bytes]]:
        """Return the file with all of a body, which is gone afterwards. Raises `Limited` over one of the limits."""
        if self._count[tenant] >= UPLOADS:
            raise Limited(f"{UPLOADS} imports are under way already.", "Wait for one to be answered.", seconds=10)
        size = 0
        self._count[tenant] += 1
        try:
            with TemporaryFile("w+b") as file:
                end = self._clock() + UPLOAD_SECONDS
                async for piece in body:
                    size += len(piece)
                    self._bytes[tenant] += len(piece)
                    if self._bytes[tenant] > self._most:
                        what = f"The imports under way have more than {self._most:,} bytes together."
                        raise Limited(what, "Send one after the other.", seconds=10)
                    if self._clock() > end:
                        what = f"The import did not come within {UPLOAD_SECONDS:,.0f} s."
                        raise Limited(what, "Send it faster, or one session at a time.", seconds=10)
                    await run_in_threadpool(file.write, piece)
                yield file
        finally:
            self._count[tenant] -= 1
            self._bytes[tenant] -= size
            if not self._count[tenant]:
                del self._count[tenant], self._bytes[tenant]


class LimitBody:
    """Refuses bodies over a limit, which may depend on the route: at once where the length is said, else when more has
    come. What is behind it never sees a byte over the limit."""

    def __init__(self, app: ASGIApp, most: Callable[[Scope], int]) -> None:
        self.app = app
        self.most = most

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        most = self.most(scope)
        if _length(scope) > most:
            await _refuse(most, scope, receive, send)
            return
        body = _CountedBody(most, scope, receive, send)
        try:
            await self.app(scope, body.receive, body.send)
        except* _Over:
            pass  # it was answered when it happened


class _Over(Exception):
    """More came than may: reading the body stops here."""


class _CountedBody:
    """One request on its way through, counted."""

    def __init__(self, most: int, scope: Scope, receive: Receive, send: Send) -> None:
        self._most = most
        self._scope = scope
        self._receive = receive
        self._send = send
        self._came = 0
        self._answered = False  # the application has begun to
        self._over = False

    async def receive(self) -> Message:
        if self._over:
            return self._end()
        message = await self._receive()
        self._came += len(message.get("body", b""))
        if self._came > self._most:
            self._over = True
            if not self._answered:
                await _refuse(self._most, self._scope, self._receive, self._send)
            return self._end()
        return message

    def _end(self) -> Message:
        """End the body: an application that has begun to answer loses the caller, another one stops at once."""
        if self._answered:
            return {"type": "http.disconnect"}
        raise _Over

    async def send(self, message: Message) -> None:
        if self._over and not self._answered:
            return  # the caller has had our answer
        self._answered = True
        await self._send(message)


def _length(scope: Scope) -> int:
    """The length that the caller said; 0 where they said none, and it is counted."""
    found = [value for name, value in scope["headers"] if name == b"content-length"]
    return max((int(value) for value in found if value.isdigit()), default=0)


async def _refuse(most: int, scope: Scope, receive: Receive, send: Send) -> None:
    error = TooLarge(f"The body is over the limit of {most:,} bytes.", "Send less at once, in several requests.")
    # What is still to come of the body is not read, so nothing else can come on this connection.
    await failed(error, headers={"Connection": "close"})(scope, receive, send)
