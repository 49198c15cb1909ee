"""Which facts and episodes a search may find: those that stand, now or at the moment that is asked about.

Whoever knows that is asked once for a state of the index and of the facts; the answer is kept with the index.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from onrecord.recall.index import SpaceIndex
from onrecord.records import Message, Record, SearchRequest

__all__ = ["Stands", "everything", "standing", "type_of"]

_KINDS = ("fact", "episode")


class Stands(Protocol):
    """Knows what stands."""

    def view(self, space: str, asked: SearchRequest) -> tuple[object, Callable[[Record], Record | None]]:
        """A stamp, equal as long as nothing changes, and what a record is as it stands; None: it is not to be found."""

    def taken(self, space: str) -> Mapping[str, int]:
        """How often facts and episodes were found before, by id."""


def type_of(record: Record) -> str:
    """Of a fact or episode: what kind of these."""
    return str((record.body or {}).get("kind", "")) if record.kind in _KINDS else ""


class _Everything:
    """Finds whatever is there."""

    def view(self, space: str, asked: SearchRequest) -> tuple[object, Callable[[Record], Record | None]]:
        return None, lambda record: record

    def taken(self, space: str) -> Mapping[str, int]:
        return {}


everything: Stands = _Everything()


class CurrentItems(NamedTuple):
    """What of an index stands."""

    mask: NDArray[Any] | None  # by item; None: all
    changed: Mapping[int, Record]  # records that are not what they were, by item

    def items(self, index: SpaceIndex, rows: Sequence[int]) -> list[Message | Record]:
        """Items by their numbers, as they are now."""
        found = [index.items[row] for row in rows]
        return [self.changed.get(row, item) for row, item in zip(rows, found, strict=True)] if self.changed else found


def standing(index: SpaceIndex, space: str, asked: SearchRequest, stands: Stands) -> CurrentItems:
    """What of an index a question may find."""
    numbers = [at for at, kind in enumerate(index.kinds) if kind in _KINDS]
    said = index.time.values <= asked.past.said.timestamp() if asked.past.said else None
    if not numbers or (asked.kinds and asked.kinds.isdisjoint(_KINDS)):
        return CurrentItems(said, {})
    keeps = not asked.past and not asked.types
    typed = {kind for kind, _ in asked.types}
    stamp, view = stands.view(space, asked)
    known = index.memo.get("standing")
    if known is not None and keeps and known[0] == stamp:
        held: CurrentItems = known[1]
        return held
    mask = np.ones(len(index), bool) if said is None else said
    changed: dict[int, Record] = {}
    for row in np.flatnonzero(np.isin(index.kind.values, numbers)).tolist():
        item = index.items[row]
        assert isinstance(item, Record)
        now = view(item)
        mask[row] = now is not None and (now.kind not in typed or (now.kind, type_of(now)) in asked.types)
        if now is not None and now is not item:
            changed[row] = now
    held = CurrentItems(mask, changed)
    if keeps:
        index.memo["standing"] = (stamp, held)
    return held
