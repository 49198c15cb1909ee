"""Keeps what a file held that was deleted or replaced while it was open."""

from __future__ import annotations

from pathlib import Path

import apsw

from recollect.stores.identity import kept_name
from recollect.stores.new_files import create_empty

__all__ = ["keep"]


def keep(db: apsw.Connection, path: Path) -> Path | None:
    """Write what a connection still has of a file into a new one beside it, or beside its folder if that is gone; None
    where that cannot be done."""
    kept = kept_name(path if path.parent.exists() else path.parent)
    try:
        create_empty(kept)
        db.execute("VACUUM INTO ?", (str(kept),)).fetchall()
        return kept
    except (apsw.Error, OSError):
        kept.unlink(missing_ok=True)
        return None
