"""Prompts that chat requests were passed on with, at hand for a while."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from recollect.context.prompt import Context

__all__ = ["Contexts"]


class Contexts:
    """The newest prompts that chat requests were passed on with, for whoever wants to know why."""

    MOST = 256

    def __init__(self) -> None:
        self._held: OrderedDict[tuple[str, str], Context] = OrderedDict()
        self._lock = Lock()

    def keep(self, space: str, id: str, context: Context) -> None:
        """Keep one; the oldest goes."""
        with self._lock:
            self._held[space, id] = context
            while len(self._held) > self.MOST:
                self._held.popitem(last=False)

    def get(self, space: str, id: str) -> Context | None:
        """The prompt of this id, if it was for this space and is still at hand."""
        with self._lock:
            return self._held.get((space, id))
