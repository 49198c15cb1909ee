"""Prompts that chat requests were passed on with, at hand for a while."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from recollect.context.prompt import Context
from recollect.ports import Store

__all__ = ["Contexts"]


class Contexts:
    """The newest prompts, for whoever wants to know why. Once anything was forgotten in a space, by whatever process,
    none of it is shown any more: it may hold what is gone."""

    MOST = 256

    def __init__(self, store: Store) -> None:
        self._store = store
        self._held: OrderedDict[tuple[str, str], tuple[object, Context]] = OrderedDict()
        self._lock = Lock()

    def keep(self, space: str, id: str, context: Context) -> None:
        """Keep one; the oldest goes."""
        state = self._state(space)
        with self._lock:
            self._held[space, id] = state, context
            while len(self._held) > self.MOST:
                self._held.popitem(last=False)

    def get(self, space: str, id: str) -> Context | None:
        """The prompt of this id, if it was for this space and is still at hand."""
        state = self._state(space)
        with self._lock:
            found = self._held.get((space, id))
            if found is not None and found[0] != state:
                del self._held[space, id]
                return None
        return None if found is None else found[1]

    def _state(self, space: str) -> object:
        at = self._store.revision(space)
        return at.born, at.removed
