"""Finds the conversation that a request belongs to, and lays the request beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from onrecord.memory import Memory
from onrecord.records import Message, SessionInfo
from onrecord.session import Session
from onrecord.turns.aligning import Aligned, align, visible
from onrecord.turns.naming import SURE, derived_name, fits, name_of, names_by_age
from onrecord.turns.saying import ChatRequest

__all__ = ["Place", "find"]

PAGE = 16
"""Messages read at first, beside twice as many as the request has; eight times as many while that is not enough, and"""
MOST = 32_768
"""at most so many."""
FEW = 4
"""Messages read at first where one alone came for a conversation that was named: only the newest are laid beside it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a request stands."""

    session: Session
    info: SessionInfo  # as it was before the messages were read: whatever came since is in the view
    view: list[Message]
    aligned: Aligned


def find(memory: Memory, request: ChatRequest, name: str | None) -> Place:
    """The conversation of this name, or the one that begins like the request and goes with it best, or a new one."""
    if name is not None:
        return _beside(memory.session(name), request, derived=False)
    base = derived_name(request)
    count = _count(lambda number: memory.session(name_of(base, number)).info().last_seq > 0)
    best: tuple[int, int] | None = None
    found: Place | None = None
    for one in names_by_age(base, count):
        place = _beside(memory.session(one), request, derived=True)
        rank = fits(place.aligned, place.view, request)
        if rank is not None and (best is None or rank > best):
            best, found = rank, place
            if len(request.said) > request.opens and rank >= (len(request.said) - 1, SURE):
                break  # none could go with it better
    return found or _beside(memory.session(name_of(base, count + 1)), request, derived=True)


def _beside(session: Session, request: ChatRequest, *, derived: bool) -> Place:
    info = session.info()
    size = FEW if len(request.said) == 1 and not derived else PAGE + 2 * len(request.said)
    while True:
        messages = list(session.history(last=size)) if info.last_seq else []
        view, whole = visible(messages), len(messages) < size
        aligned = align(view, request.said, whole=whole, derived=derived, begun=bool(request.begun))
        if whole or aligned.sure or size >= MOST:
            return Place(session=session, info=info, view=view, aligned=aligned)
        size *= 8


def _count(is_there: Callable[[int], bool]) -> int:
    """How many there are, numbered from 1, asking few times."""
    low, high = 0, 1
    while is_there(high):
        low, high = high, high * 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if is_there(middle) else (low, middle)
    return low
