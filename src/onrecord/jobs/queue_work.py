"""What a worker needs: what is due, what to do about it, and how long to wait for what."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

__all__ = ["PAGE", "PAUSED", "Chore", "Going", "JobWork", "Times", "Trouble", "WorkerReport"]

PAUSED = "paused"
"""The flag in the store that keeps all workers from beginning anything."""

PAGE = 500
"""Sessions, or spaces, that become jobs at once."""

Going = Callable[[], bool]
"""Returns whether to go on; work that takes long calls it now and then, and ends early."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chore:
    """Work that is done now and then for each space."""

    name: str
    cron: str  # when the spaces are looked through, in UTC
    due: Callable[[str], bool]  # whether a space needs it
    run: Callable[[str, Going], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class JobWork:
    """What the jobs do."""

    derive: Callable[[str, str, Going], float | None]
    """Everything that is due for a session. Seconds: something is in the way, look again then; raises what is to be
    tried again."""
    spaces: Callable[[], Iterable[str]]
    chores: Sequence[Chore] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Times:
    """Seconds, and how often."""

    quiet: float = 2.0  # since the first message that was not derived from
    begun: float = 600.0  # since a worker began with a session and reported no more, before it is due again
    feed: float = 1.0  # between two looks at what is due, and at whether work is paused
    poll: float = 1.0  # between two looks for a job, while there is none
    beat: float = 5.0  # between two signs of life of a worker
    lost: float = 30.0  # without one, its jobs are given to others
    rescue: float = 10.0  # between two looks for such jobs
    grace: float = 20.0  # that jobs have to end in when the worker is stopped
    tries: int = 5  # after which a job is a dead letter
    wait: float = 10.0  # before the second try
    growth: float = 3.0  # of the wait, from one try to the next
    down: float = 30.0  # at most, before the database is tried again


class Trouble(Exception):
    """What may be shown of an error: its kind, and onrecord's own words for it. Others may quote messages."""

    def __init__(self, kind: str, what: str) -> None:
        super().__init__(f"{kind}: {what}" if what else kind)
        self.kind = kind
        self.what = what


@dataclass(slots=True)
class WorkerReport:
    """What a worker did so far."""

    ended: int = 0  # jobs
    failed: int = 0  # tries
    back: int = 0  # jobs that were given back, for another time
    paused: bool = False  # nothing was begun, because the work is paused
