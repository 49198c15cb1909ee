"""What was derived from messages that a person changed afterwards: it goes, as if they had been forgotten.

What a person or program asked for by hand stays, and so does what a person wrote: nobody knows better than they do.
Facts are looked for again from the beginning, and so are episodes: where one ends depends on what is said around it.
"""

from __future__ import annotations

from collections.abc import Sequence

from recollect.records import MANUAL, Record
from recollect.stores.data import SessionData
from recollect.stores.json_folder.views import HAND

__all__ = ["outdated"]

LOOKED = ("learned", "facts-read")  # the marks of how far facts were looked for, by rules and by a model


def outdated(data: SessionData, seqs: Sequence[int]) -> tuple[tuple[Record, ...], tuple[tuple[str, str], ...]]:
    """What is to be put and taken out when these messages say something else than before."""
    if not seqs:
        return (), ()
    going = {("mark", key): None for key in LOOKED if ("mark", key) in data.records}
    if going:
        going |= {name: None for name, one in data.records.items() if one.kind == "episode" and _made(one)}
    puts = []
    for record in filter(_made, data.losing(sorted(seqs))):
        left = record.tombstone()
        if left is None:
            going[record.kind, record.key] = None
        elif (record.kind, record.key) not in going:
            puts.append(left)
    return tuple(puts), tuple(going)


def _made(record: Record) -> bool:
    """Whether it says what a program read in messages, and no person changed it."""
    return record.plan != MANUAL and record.recipe != HAND
