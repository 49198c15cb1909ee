"""Threads for work that blocks, shared by tenants: none can take them all, and those who wait take turns."""

from __future__ import annotations

from asyncio import AbstractEventLoop, CancelledError, Future, get_running_loop, wrap_future
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from anyio import CancelScope

from onrecord.errors import Limited

__all__ = ["Threads"]

WAITING = 200
"""Calls of one tenant that may wait for a thread."""

_Answer = TypeVar("_Answer")


class Threads:
    """A pool of threads. A tenant has up to `share` of them at once, and there are half as many again for others.

    For one event loop: only the work itself is done elsewhere.
    """

    def __init__(self, share: int, name: str) -> None:
        self._share = share
        self._free = share + (share + 1) // 2
        self._pool = ThreadPoolExecutor(self._free, f"onrecord-{name}")
        self._running: Counter[str | None] = Counter()
        self._waiting: OrderedDict[str | None, deque[Future[None]]] = OrderedDict()

    async def run(self, tenant: str | None, work: Callable[[], _Answer], *, abandon: bool = False) -> _Answer:
        """Return what the work returns, which begins when it is the tenant's turn. Raises `Limited` if too many calls
        of the tenant wait.

        Args:
            abandon: A caller who is cancelled does not wait for the end of the work. Its thread is taken until then.
        """
        loop = get_running_loop()
        await self._turn(loop, tenant)
        job = self._pool.submit(work)
        job.add_done_callback(lambda _: self._ended(loop, tenant))
        with CancelScope(shield=not abandon):
            answer = await wrap_future(job)
        return answer  # noqa: RET504 - a scope might swallow an error, for all that types say

    def close(self) -> None:
        """Begin nothing any more."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    async def _turn(self, loop: AbstractEventLoop, tenant: str | None) -> None:
        if self._may_begin(tenant):  # no other call that waits could begin
            self._begin(tenant)
            return
        waiting = self._waiting.setdefault(tenant, deque())
        if len(waiting) >= WAITING:
            raise Limited(f"{WAITING} calls wait already.", "Wait for some to be answered.", seconds=1)
        turn: Future[None] = loop.create_future()
        waiting.append(turn)
        try:
            await turn
        except CancelledError:
            if not turn.cancelled():  # it had just come
                self._release(tenant)
            raise

    def _may_begin(self, tenant: str | None) -> bool:
        return self._free > 0 and self._running[tenant] < self._share

    def _begin(self, tenant: str | None) -> None:
        self._free -= 1
        self._running[tenant] += 1

    def _ended(self, loop: AbstractEventLoop, tenant: str | None) -> None:
        with suppress(RuntimeError):  # the loop is closed
            loop.call_soon_threadsafe(self._release, tenant)

    def _release(self, tenant: str | None) -> None:
        """Give the thread of a call that has ended to the next one."""
        self._free += 1
        self._running[tenant] -= 1
        if not self._running[tenant]:
            del self._running[tenant]
        for other in [tenant for tenant in self._waiting if self._may_begin(tenant)]:
            if self._let_begin(other):
                return

    def _let_begin(self, tenant: str | None) -> bool:
        """Whether a call of this tenant was still waiting, and begins now. The tenant is the last in turn then."""
        waiting = self._waiting[tenant]
        while waiting:
            turn = waiting.popleft()
            if not turn.cancelled():
                self._begin(tenant)
                turn.set_result(None)
                self._waiting.move_to_end(tenant)
                return True
        del self._waiting[tenant]
        return False
