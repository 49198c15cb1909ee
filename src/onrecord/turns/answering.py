"""Keeping an answer: once, and only while what it answers is kept itself."""

from __future__ import annotations

from onrecord.records import digest
from onrecord.session import Session

__all__ = ["answer_key", "is_kept"]


def answer_key(seq: int) -> str:
    """What the answer to the message of this number is kept under: there is one."""
    return digest(f"answer:{seq}")


def is_kept(session: Session, seq: int, id: str) -> bool:
    """Whether a message is still there. A conversation that was forgotten begins with the same numbers again, so the id
    counts as well."""
    found = next(session.history(after=seq - 1, before=seq + 1, limit=1), None)
    return found is not None and found.id == id
