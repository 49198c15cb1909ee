"""How present a memory is: it fades by half in thirty days without an access, and each access keeps some of it."""

from __future__ import annotations

from datetime import datetime

__all__ = ["HALF_LIFE", "decay"]

HALF_LIFE = 30.0  # days
_AN_ACCESS, _MOST_OF_ACCESS = 0.1, 0.5
_DAY = 86_400.0


def decay(since: datetime, accesses: int, now: datetime) -> float:
    """From 0 to 1; `since`: the last access, or when it was said where there was none. A moment to come is now."""
    days = max(0.0, (now - since).total_seconds() / _DAY)
    return float(min(1.0, 0.5 ** (days / HALF_LIFE) + min(_AN_ACCESS * accesses, _MOST_OF_ACCESS)))
