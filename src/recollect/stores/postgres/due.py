"""What workers have to do: sessions with messages that nobody has derived from yet.

The list is written in one transaction with the messages, so it needs no queue to be kept; a queue only spreads it.
"""

from __future__ import annotations

from typing import NamedTuple

from recollect.stores.postgres.server import Server

__all__ = ["LOST", "Due", "every_due"]

LOST = 600.0
"""Seconds after which somebody who began with a session, and said no more, is not waited for any longer."""


class Due(NamedTuple):
    """A session that somebody should look at."""

    space: str
    session: str


def every_due(server: Server, quiet: float, limit: int, lost: float) -> list[Due]:
    """Such sessions of all spaces, oldest first."""
    return [Due(*row) for row in server.read(None, "every_due", quiet=quiet, limit=limit, lost=lost)]
