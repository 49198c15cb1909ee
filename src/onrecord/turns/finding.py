"""Finds the conversation that a request belongs to, and lays the request beside it.

Space and conversation are named by a header, then by the request's `metadata`, the space also by its `user`. A
conversation without a name is known by how it begins: by its instructions and the first thing that the
user says.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from onrecord.memory import Memory
from onrecord.records import Message, SessionInfo
from onrecord.session import Session
from onrecord.turns.aligning import Aligned, align, visible
from onrecord.turns.saying import ChatRequest

__all__ = ["Place", "find", "session_of", "space_of"]

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
    for name in names_by_age(base, count):
        place = _beside(memory.session(name), request, derived=True)
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


# Names

NEWEST = 64
"""Conversations that begin the same: so many of them, the newest, are looked at."""

SURE = 2
"""How sure it is that a conversation goes with a request which only adds to it; the most."""


def space_of(body: Mapping[str, Any], header: str | None = None) -> str | None:
    """The space that a request names; None: it names none."""
    user = body.get("user")
    return header or _named(body, "space") or (user if isinstance(user, str) and user else None)


def session_of(body: Mapping[str, Any], header: str | None = None) -> str | None:
    """The conversation that a request names; None: it is known by how it begins."""
    return header or _named(body, "session")


def _named(body: Mapping[str, Any], name: str) -> str | None:
    given = body.get("metadata")
    value = given.get(name) if isinstance(given, Mapping) else None
    return value if isinstance(value, str) and value else None


def derived_name(request: ChatRequest) -> str:
    """The name of the first conversation that begins like this. Figures in the instructions do not count: many programs
    write the time there."""
    system = re.sub(r"\d+", "#", request.system).strip()
    return "chat-" + sha256(f"{system}\0{request.opening}".encode("utf-8", "replace")).hexdigest()[:16]


def name_of(name: str, number: int) -> str:
    """The name of the first, second … conversation that begins the same."""
    return name if number == 1 else f"{name}-{number}"


def names_by_age(name: str, count: int) -> Iterator[str]:
    """Names of the newest of so many conversations, the newest first."""
    return (name_of(name, number) for number in range(count, max(0, count - NEWEST), -1))


def fits(aligned: Aligned, view: Sequence[Message], request: ChatRequest) -> tuple[int, int] | None:
    """How well a conversation that begins like a request goes with it, to be compared; None: it is another one.

    The opening alone says little, and may be another user's: it must be all that is held."""
    opens = request.opens
    if len(request.said) <= opens < len(view):
        return None
    if aligned.kind in ("added", "retried"):
        beside = aligned.matched in (aligned.new, len(view))
        return (aligned.new, SURE) if aligned.matched and beside else None
    return (aligned.matched, int(aligned.kind == "again")) if aligned.matched > opens else None
