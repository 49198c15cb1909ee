"""How much a caller may send: so many requests a second, and bodies of so many bytes."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from recollect.errors import TooLarge
from recollect.service.failing import failed

__all__ = ["LimitBody", "Rate"]

MOST_CALLERS = 10_000
"""Callers that a rate keeps in mind; whoever called least recently is forgotten, and has a full bucket again."""

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
        body = _Body(most, scope, receive, send)
        try:
            await self.app(scope, body.receive, body.send)
        except* _Over:
            pass  # it was answered when it happened


class _Over(Exception):
    """More came than may: whoever reads the body stops here."""


class _Body:
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
        """What the application is told: who has begun to answer loses the caller; anybody else stops at once."""
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
