"""Ids that say what they are, sort by the time they were made, and never repeat: `msg_0643b0c0e7a1f2_9c41d70be2`."""

from __future__ import annotations

import os
import threading

from onrecord.ports import Clock
from onrecord.records import to_micros

__all__ = ["TimeIds"]


class TimeIds:
    """Strictly rising within one process, unique across processes by 40 random bits."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last = 0
        self._lock = threading.Lock()

    def new(self, kind: str) -> str:
        with self._lock:
            self._last = max(self._last + 1, to_micros(self._clock()))
            micros = self._last
        return f"{kind}_{micros:014x}_{os.urandom(5).hex()}"
