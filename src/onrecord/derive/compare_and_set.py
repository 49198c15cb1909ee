"""One write to a session as it is: looked at, made and committed, and again if someone changes it in between."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from onrecord.errors import Outrun
from onrecord.ports import Batch, Clock, Store
from onrecord.records import Record, SessionInfo

__all__ = ["Written", "written"]

Written = tuple[Sequence[Record], Sequence[tuple[str, str]]]
"""Records to write, and kind and key of those to take out."""

Make = Callable[[SessionInfo | None], Written]
"""Makes it of what is known of the session; None: it is not there."""


def written(store: Store, clock: Clock, space: str, session: str, make: Make, *, forgets: bool = False) -> Written:
    """Write what is made of the session as it is; what was forgotten meanwhile must not come back. Return it.
    `forgets`: what it takes out is to leave the disk."""
    while True:
        info = store.session(space, session)
        records, drops = made = make(info)
        batch = Batch(
            space=space,
            session=session,
            records=records,
            drops=drops,
            unless_changed=0 if info is None else info.changes,
            born=None if info is None else info.created,
            forgets=forgets,
            time=clock(),
        )
        try:
            store.commit(batch)
            return made
        except Outrun:
            continue
