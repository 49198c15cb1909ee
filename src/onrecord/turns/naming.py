"""Which space and which conversation a request belongs to.

Whoever names them, names them: a header, then the request's `metadata`, for the space also its `user`. A conversation
that nobody names is known by how it begins: by its instructions and the first thing that the user says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from typing import Any

from onrecord.records import Message
from onrecord.turns.aligning import Aligned
from onrecord.turns.saying import ChatRequest

__all__ = ["NEWEST", "SURE", "derived_name", "fits", "name_of", "names_by_age", "session_of", "space_of"]

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


@cache
def _digits() -> re.Pattern[str]:
    return re.compile(r"\d+")


def derived_name(request: ChatRequest) -> str:
    """The name of the first conversation that begins like this. Figures in the instructions do not count: many programs
    write the time there."""
    begins = f"{_digits().sub('#', request.system).strip()}\0{request.opening}"
    return "chat-" + sha256(begins.encode("utf-8", "replace")).hexdigest()[:16]


def name_of(name: str, number: int) -> str:
    """The name of the first, second … conversation that begins the same."""
    return name if number == 1 else f"{name}-{number}"


def names_by_age(name: str, count: int) -> Iterator[str]:
    """Names of the newest of so many conversations, the newest first."""
    return (name_of(name, number) for number in range(count, max(0, count - NEWEST), -1))


def fits(aligned: Aligned, view: Sequence[Message], request: ChatRequest) -> tuple[int, int] | None:
    """How well a conversation that begins like a request goes with it, to be compared; None: it is another one.

    The opening alone says little, and may be somebody else's: it must be all that is held."""
    opens = request.opens
    if len(request.said) <= opens < len(view):
        return None
    if aligned.kind in ("added", "retried"):
        beside = aligned.matched in (aligned.new, len(view))
        return (aligned.new, SURE) if aligned.matched and beside else None
    return (aligned.matched, int(aligned.kind == "again")) if aligned.matched > opens else None
