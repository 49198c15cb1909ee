"""How often facts and episodes were taken by a search or a prompt, and when last. A read only notes it in memory; it is
written in batches, as counters of the space, which hold nothing but ids and numbers."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from onrecord.ports import Store
from onrecord.records import from_micros, to_micros

__all__ = ["Access", "Accesses"]

BATCH = 256
"""So many are worth writing."""

_TIMES, _LAST = "taken ", "taken_last "


class Access(NamedTuple):
    """How often something was taken, and when last."""

    times: int
    last: datetime


@dataclass(slots=True)
class _SpaceAccesses:
    written: dict[str, Access] | None = None  # what the store had when it was read
    waiting: dict[str, Access] = field(default_factory=dict)


class Accesses:
    """The accesses in the spaces of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._spaces: dict[str, _SpaceAccesses] = {}
        self._lock = threading.Lock()

    def note(self, space: str, ids: Iterable[str], now: datetime) -> bool:
        """They were taken; says whether there is enough to write."""
        with self._lock:
            held = self._spaces.setdefault(space, _SpaceAccesses())
            for id in ids:
                held.waiting[id] = _more(held.waiting.get(id), Access(1, now))
            return len(held.waiting) >= BATCH

    def of(self, space: str) -> dict[str, Access]:
        """What is known of a space, with what is not written yet."""
        with self._lock:
            held = self._spaces.setdefault(space, _SpaceAccesses())
            if held.written is None:
                held.written = _read(self._store, space)
            known = dict(held.written)
            for id, access in held.waiting.items():
                known[id] = _more(known.get(id), access)
            if not known:
                del self._spaces[space]  # there may be no such space
            return known

    def write(self, space: str) -> None:
        """Write what waits, and look at the store anew the next time: others count too."""
        with self._lock:
            held = self._spaces.pop(space, _SpaceAccesses())
        if held.waiting:
            times = {_TIMES + id: access.times for id, access in held.waiting.items()}
            last = {_LAST + id: to_micros(access.last) for id, access in held.waiting.items()}
            try:
                self._store.count(space, times, last)
            except BaseException:
                self._put_back(space, held.waiting)  # another time
                raise

    def _put_back(self, space: str, waiting: dict[str, Access]) -> None:
        with self._lock:
            held = self._spaces.setdefault(space, _SpaceAccesses())
            for id, access in waiting.items():
                held.waiting[id] = _more(held.waiting.get(id), access)

    def write_all(self) -> None:
        for space in list(self._spaces):
            self.write(space)

    def forget(self, space: str, kept: Iterable[str]) -> None:
        """Drop what is known of everything but these."""
        self.write(space)
        stay = set(kept)
        tally = self._store.tally(space, _TIMES.strip())
        gone = {name: -value for name, value in tally.items() if name.partition(" ")[2] not in stay}
        if gone:
            self._store.count(space, gone)


def _more(known: Access | None, new: Access) -> Access:
    return new if known is None else Access(known.times + new.times, max(known.last, new.last))


def _read(store: Store, space: str) -> dict[str, Access]:
    tally = store.tally(space, _TIMES.strip())
    # Two that tidied up at once may have taken more away than there was.
    ids = [name.removeprefix(_TIMES) for name, times in tally.items() if name.startswith(_TIMES) and times > 0]
    return {id: Access(tally[_TIMES + id], from_micros(max(0, tally.get(_LAST + id, 0)))) for id in ids}
