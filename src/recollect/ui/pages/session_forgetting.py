"""What else goes when a message is forgotten, in numbers that the page after it can tell."""

from __future__ import annotations

from collections.abc import Mapping

from recollect.memory import Memory
from recollect.records import Erased, Query

__all__ = ["counted", "touched"]

KINDS = {"summary": "summaries", "fact": "facts", "episode": "episodes", "pin": "pins"}
SEEN = 500  # records of a kind and level that are looked at
HIGHEST = 24  # levels of summaries


def touched(memory: Memory, session: str, seq: int) -> dict[str, int]:
    """How many derived records of each kind come from a message, as far as they are near to it."""
    return {name: _from(memory, session, kind, seq) for kind, name in KINDS.items()}


def _from(memory: Memory, session: str, kind: str, seq: int) -> int:
    found = set()
    for level in range(HIGHEST):
        query = Query(kind=kind, level=level, after=seq - 1, limit=SEEN)
        records = memory._store.records(memory.name, session, query)
        if not records and level:
            break
        found |= {record.key for record in records if record.comes_from((seq,))}
    return len(found)


def counted(erased: Erased, before: Mapping[str, int]) -> dict[str, int | None]:
    """What the address of the next page tells of it; zeros are left out."""
    told = {"messages": erased.messages, "records": erased.records, "pending": int(erased.pending), **before}
    return {name: value or None for name, value in told.items()}
