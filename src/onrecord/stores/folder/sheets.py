"""A sheet as bytes, and the mark in the database by which an edit is told from what was written."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple, Self

from onrecord.errors import StoreDamaged
from onrecord.journal.transfer import export_lines
from onrecord.records import Message, Page, Query, Record, SessionInfo, digest
from onrecord.stores.checked import CheckedStore

__all__ = ["MARKS", "SheetMark", "SoundStore", "sheet_bytes", "sheet_digest"]

MARKS = "sheet "
"""Begins the names of the counters that are marks."""


class SoundStore(CheckedStore):
    """A store of which nothing is read that is damaged, and no key of a service: sheets go to others."""

    def messages(self, space: str, session: str, page: Page) -> list[Message]:
        found = super().messages(space, session, page)
        if any(message.state == "damaged" for message in found):
            raise StoreDamaged(f"A message of session {session!r} is damaged.", "Run `onrecord doctor`.")
        return found

    def records(self, space: str, session: str, query: Query) -> list[Record]:
        return [] if query.kind == "key" else super().records(space, session, query)


def sheet_bytes(store: SoundStore, space: str, session: str) -> bytes:
    """The sheet of a conversation: its part of an export, without the closing line, which would change with every other
    line. Raises StoreDamaged if something is damaged: the sheet that is there may be all that is left of it."""
    *lines, _ = export_lines(store, space, session, lambda done: None)
    return "".join(lines).encode()


def sheet_digest(data: bytes) -> int:
    """A number for what a sheet says, as a counter can keep it; 0 where it is empty or not there."""
    return int.from_bytes(blake2b(data, digest_size=8).digest()) >> 1 or 1 if data else 0


class SheetMark(NamedTuple):
    """What is known of a sheet: two counters of its space."""

    digest: int = 0  # of what was written, or taken in; 0: nothing was
    at: int = 0  # how far the conversation was when it was written; 0: it is to be written again

    @classmethod
    def of(cls, path: Path, counters: Mapping[str, int]) -> Self:
        return cls(*(counters.get(name, 0) for name in _names(path)))

    @classmethod
    def made(cls, data: bytes, info: SessionInfo) -> Self:
        return cls(sheet_digest(data), _how_far(info))

    def behind(self, info: SessionInfo) -> bool:
        """Whether the conversation went on since the sheet was written."""
        return self.at != _how_far(info)

    def changes(self, path: Path, counters: Mapping[str, int]) -> dict[str, int]:
        """What to add to the counters, so that they say this."""
        return {name: value - counters.get(name, 0) for name, value in zip(_names(path), self, strict=True)}


def _how_far(info: SessionInfo) -> int:
    """A number that grows with everything that is written to a session."""
    return info.last_seq + info.changes + 1


def _names(path: Path) -> list[str]:
    return [f"{MARKS}{digest(f'{path.parent.name}/{path.name}')} {part}" for part in SheetMark._fields]
