"""Prompts that chat requests were passed on with, at hand for a while."""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import NamedTuple

from onrecord.context.prompt import Context
from onrecord.ports import Store

__all__ = ["Contexts", "ErasureState"]


class ErasureState(NamedTuple):
    """What was erased in a space so far: two that are equal mean that nothing was in between."""

    born: int = 0  # tells it from one of the same name that was erased before; 0: there is none
    removed: int = 0


class Contexts:
    """The newest prompts, to be explained. Once anything was forgotten in a space, by any process,
    none of it is shown any more: it may hold what is gone."""

    MOST = 256
    LONGEST = 200_000  # tokens of one

    def __init__(self, store: Store) -> None:
        self._store = store
        self._held: OrderedDict[tuple[str, str], tuple[ErasureState, Context]] = OrderedDict()
        self._lock = Lock()

    def state(self, space: str) -> ErasureState:
        """How a space is; to be asked before a prompt is built that is to be kept."""
        at = self._store.revision(space)
        return ErasureState(at.born, at.removed)

    def keep(self, space: str, id: str, context: Context, state: ErasureState) -> None:
        """Keep one that was built in a space that was so before; the oldest goes. Very long ones are not kept."""
        if context.tokens > self.LONGEST:
            return
        now = self.state(space)
        if state == ErasureState() and not now.removed:
            state = now  # the space came into being with this very turn
        if state != now:
            return
        with self._lock:
            self._held[space, id] = state, context
            self._held.move_to_end((space, id))
            while len(self._held) > self.MOST:
                self._held.popitem(last=False)

    def get(self, space: str, id: str) -> Context | None:
        """The prompt of this id, if it was for this space and is still at hand."""
        state = self.state(space)
        with self._lock:
            found = self._held.get((space, id))
            if found is not None and found[0] != state:
                del self._held[space, id]
                return None
        return None if found is None else found[1]
