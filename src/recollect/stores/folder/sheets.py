"""A sheet as bytes, and the marks in the database by which an edit is told from what was written.

A mark is three counters of the space: digests of the sheet as it is written now and as it was before (a process may be
stopped between the two), and how far the conversation was.
"""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple, Self

from recollect.errors import StoreDamaged
from recollect.journal.transfer import export_lines
from recollect.records import Message, Page, SessionInfo, digest
from recollect.stores.checked import CheckedStore

__all__ = ["MARKS", "SheetMark", "SoundStore", "how_far", "sheet_bytes", "sheet_digest"]

MARKS = "sheet "
"""Begins the names of the counters that are marks."""


def sheet_bytes(store: SoundStore, space: str, session: str) -> bytes:
    """The sheet of a conversation: its part of an export, without the closing line, which would change with every other
    line. Raises StoreDamaged if something is damaged: the sheet that is there may be all that is left of it."""
    *lines, _ = export_lines(store, space, session, lambda done: None)
    return "".join(lines).encode()


class SoundStore(CheckedStore):
    """A store of which nothing is read that is damaged."""

    def messages(self, space: str, session: str, page: Page) -> list[Message]:
        found = super().messages(space, session, page)
        if any(message.state == "damaged" for message in found):
            raise StoreDamaged(f"A message of session {session!r} is damaged.", "Run `recollect doctor`.")
        return found


def sheet_digest(path: Path) -> int:
    """A number for what a file holds, as a counter can keep it; 0 where there is no file."""
    try:
        with path.open("rb") as file:
            made = blake2b(digest_size=8)
            while piece := file.read(1 << 20):
                made.update(piece)
            return int.from_bytes(made.digest()) >> 1 or 1
    except FileNotFoundError:
        return 0


class SheetMark(NamedTuple):
    """What is known of a sheet that was written."""

    now: int = 0  # digest of what was written last; 0: nothing was
    before: int = 0  # of what was there before
    at: int = 0  # how far the conversation was then

    @classmethod
    def of(cls, path: Path, marks: Mapping[str, int]) -> Self:
        return cls(*(marks.get(name, 0) for name in _names(path)))

    def changes(self, path: Path, marks: Mapping[str, int]) -> dict[str, int]:
        """What to add to the counters, so that they say this."""
        values = zip(_names(path), self, strict=True)
        return {name: change for name, value in values if (change := value - marks.get(name, 0))}


def how_far(info: SessionInfo) -> int:
    """A number that grows with everything that is written to a session."""
    return info.last_seq + info.changes + 1


def _names(path: Path) -> list[str]:
    name = digest(f"{path.parent.name}/{path.name}")
    return [f"{MARKS}{name} {part}" for part in SheetMark._fields]
