"""Where content came from, as the platform saw it, and how far it can be trusted."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from onrecord.records import ROLES, Message

__all__ = ["HAND", "INDIRECT", "TRUST", "origin_of", "origins_of", "sorted_origins", "speaker_of", "trust_of"]

HAND = "hand"
"""The origin of what a person or program wrote into the memory directly."""

INDIRECT = "indirect"
"""Tags a fact whose message may hold other words than its sender's own."""

TRUST = {HAND: 1.0, "system": 1.0, "user": 0.9, "assistant": 0.7, "imported": 0.5, "tool": 0.3}
"""By origin. A derived record has the least of its sources'."""


def origin_of(message: Message) -> str:
    """A message's origin: its role, or "imported" where its meta says that it was brought in from elsewhere."""
    if message.role != "tool" and message.meta.get("imported"):
        return "imported"
    return message.role


def speaker_of(message: Message) -> str | None:
    """Return the name of who speaks, where it says more than the role."""
    return None if (message.name or "").casefold() in ROLES else message.name


def origins_of(messages: Iterable[Message]) -> tuple[str, ...]:
    """The origins of what messages say, the most trusted first."""
    return sorted_origins({origin_of(message) for message in messages if message.text})


def sorted_origins(found: Collection[str]) -> tuple[str, ...]:
    """The most trusted first."""
    return tuple(origin for origin in TRUST if origin in found)


def trust_of(origins: Iterable[str]) -> float:
    """The least trust of several origins."""
    return min((TRUST.get(origin, 0.0) for origin in origins), default=1.0)
