"""Ids that say what they are, sort by the time they were made, and never repeat: `msg_0mz4k1c2x9a_7f3q2k9d`."""

from __future__ import annotations

import os
import threading

from recollect.ports import Clock
from recollect.records import to_micros

__all__ = ["TimeIds"]

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_TIME_WIDTH = 11  # microseconds in base 36: enough until the year 6000, so the text sorts as the time does


def _base36(number: int) -> str:
    out = ""
    while number:
        number, digit = divmod(number, 36)
        out = _DIGITS[digit] + out
    return out


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
        return f"{kind}_{_base36(micros):0>{_TIME_WIDTH}}_{os.urandom(5).hex()}"
