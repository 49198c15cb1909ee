"""A thread that does one thing at a time, for whoever woke it; nothing is lost if it never runs."""

from __future__ import annotations

import atexit
import logging
import threading
from collections.abc import Callable

__all__ = ["Worker"]


class Worker:
    """Runs `work(what, going)` in a thread of its own, once however often `wake(what)` is called meanwhile. Work that
    takes long asks `going()` now and then, and ends early when that is False."""

    def __init__(self, work: Callable[[str, Callable[[], bool]], object], pause: float = 0.0) -> None:
        self._work = work
        self._pause = pause  # seconds between being woken and beginning: a burst is done at once, and not in its way
        self._waiting: dict[str, None] = {}
        self._news = threading.Condition()
        self._thread: threading.Thread | None = None
        self._stopped = False

    def wake(self, what: str) -> None:
        """Have something done soon. The thread starts with the first call."""
        with self._news:
            if self._stopped:
                return
            self._waiting[what] = None
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="recollect", daemon=True)
                self._thread.start()
                # A thread that is inside a library when the interpreter ends takes the process down with it.
                atexit.register(self.stop)
            self._news.notify_all()

    def stop(self) -> None:
        """Let the work under way end soon, and begin no other."""
        with self._news:
            self._stopped = True
            self._waiting.clear()
            self._news.notify_all()
            thread, self._thread = self._thread, None
        if thread is not None and thread is not threading.current_thread():
            thread.join()
        atexit.unregister(self.stop)

    def _run(self) -> None:
        while True:
            with self._news:
                while not self._waiting and not self._stopped:
                    self._news.wait()
                if self._stopped:
                    return
                what = next(iter(self._waiting))
                if self._pause:
                    self._news.wait_for(lambda: self._stopped, self._pause)
                if self._stopped:
                    return
                del self._waiting[what]
            try:
                self._work(what, lambda: not self._stopped)
            except Exception as error:  # noqa: BLE001 - a thread has nobody to raise to; the work is found again later
                # Only the kind: what an error says may quote the conversation.
                logging.getLogger("recollect").warning("Work in the background failed: %s.", type(error).__name__)
