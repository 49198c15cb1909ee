"""A thread that does one thing at a time; nothing is lost if it never runs."""

from __future__ import annotations

import atexit
import logging
import os
import threading
from collections.abc import Callable, Hashable
from time import monotonic
from typing import Any, Generic, TypeVar
from weakref import WeakSet, ref

from onrecord.errors import Outrun, StoreReadOnly

__all__ = ["Worker"]

What = TypeVar("What", bound=Hashable)


class Worker(Generic[What]):
    """Runs `work(what, going)` in a thread of its own, once for a burst of `wake(what)`.

    Something is done `pause` seconds after it was last asked for, or at most `longest` after it was first; a clock that
    goes back makes nothing wait. Work that takes long calls `going()` now and then, and ends early when that is False.
    A worker that is dropped without `stop` is collected: its thread ends once the current work is done.
    """

    def __init__(
        self,
        work: Callable[[What, Callable[[], bool]], object],
        pause: float = 0.0,
        longest: float | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._work = work
        self._pause = pause
        self._longest = pause if longest is None else longest
        self._clock = clock
        self._asked: dict[What, tuple[float, float]] = {}  # first and last time
        self._news = threading.Condition()
        self._thread: threading.Thread | None = None
        self._stopped = False
        self._current: list[What] = []  # what is being done: one thing or none
        self._process = os.getpid()

    def wake(self, what: What) -> None:
        """Have something done soon. The thread starts with the first call."""
        with self._news:
            if self._stopped:
                return
            now, waits = self._clock(), what in self._asked
            self._asked[what] = (self._asked.get(what, (now, now))[0], now)
            if waits and self._thread is not None:
                return  # the thread looks at the clock in time: waking it at every message would cost more than adding
            if self._thread is None:
                thread = threading.Thread(target=_run, args=(ref(self), self._news), name="onrecord", daemon=True)
                thread.start()
                self._thread = thread  # only now: there may be no room for another thread
                _stop_at_exit(self)
            self._news.notify_all()

    def look(self) -> None:
        """Read the clock again: it may have moved on by itself."""
        with self._news:
            self._news.notify_all()

    def open(self) -> list[What]:
        """Return what is being done, and what waits, in order."""
        with self._news:
            return [*self._current, *self._asked]

    def take(self, what: What) -> None:
        """Take something out that waits: another thread does it."""
        with self._news:
            self._asked.pop(what, None)

    def stop(self) -> list[What]:
        """Let the current work end soon, and begin no other; return what was not begun or may not be whole."""
        if self._process != os.getpid():
            return []  # all of it is the parent's, and so is the lock, whichever thread holds it
        with self._news:
            left = [*self._current, *self._asked]
            self._stopped = True
            self._news.notify_all()
            thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            thread.join()
        return left

    def _do(self, what: What) -> None:
        try:
            self._work(what, lambda: not self._stopped)
        except Outrun:
            self.wake(what)  # others wrote meanwhile: once more, a little later
        except StoreReadOnly:
            pass  # what is there is read; nothing can be kept beside it
        except Exception as error:  # noqa: BLE001 - there is no caller to raise to; the work is found again later
            # Only the kind: what an error says may quote the conversation.
            logging.getLogger("onrecord").warning("Work in the background failed: %s.", type(error).__name__)
        with self._news:
            self._current = []
            self._news.notify_all()

    def _next(self) -> float | None:
        """Begin what is due, or return the seconds to wait, None without end. The caller holds the lock."""
        now = self._clock()
        waits: list[float] = []
        for what, (first, last) in self._asked.items():
            left = min(last + self._pause, first + self._longest) - now
            if left <= 0 or now < first:
                del self._asked[what]
                self._current = [what]
                return 0.0
            waits.append(left)
        return min(waits, default=None)


def _run(alive: ref[Worker[Any]], news: threading.Condition) -> None:
    """The thread: it holds its worker while it works, not while it waits, so that what is dropped can be collected."""
    dropped: list[bool] = []

    def drop(_: object) -> None:
        with news:
            dropped.append(True)
            news.notify_all()

    if (worker := alive()) is not None:
        alive = ref(worker, drop)
    while True:
        with news:
            worker = alive()
            if worker is None or worker._stopped:
                return
            left = worker._next()
            if not worker._current:
                worker = None
                if not dropped:
                    news.wait(left)
                continue
        worker._do(worker._current[0])


# A thread that is inside a library when the interpreter ends takes the process down with it.
_running: WeakSet[Worker[Any]] = WeakSet()


def _stop_at_exit(worker: Worker[Any]) -> None:
    _running.add(worker)
    atexit.unregister(_stop_all)  # again, so that it is called before what libraries registered meanwhile
    atexit.register(_stop_all)


def _stop_all() -> None:
    for worker in list(_running):
        worker.stop()
