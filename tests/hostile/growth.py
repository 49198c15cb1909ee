"""How the time that a function takes grows with its text.

`growth(function, kind, sizes)` measures it in CPU time; its `fault` says what is wrong with it, if anything.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Sequence
from itertools import pairwise
from math import log
from typing import NamedTuple

from tests.hostile.grammar import text_of
from tests.hostile.readers import Read

__all__ = ["A_MEGABYTE", "Growth", "growth"]

A_MEGABYTE = 1.0  # seconds that a million characters may take
SLACK = 3.0  # times n log n, for what a busy machine adds
SHORT = 0.03  # seconds; below, the clock says little about growth


class Growth(NamedTuple):
    """What reading one kind of text took."""

    kind: str
    sizes: tuple[int, ...]  # characters; without those after a fault
    seconds: tuple[float, ...]  # of CPU time

    @property
    def fault(self) -> str:
        """Say which size took too long, or took more than n log n of the size before; empty if none did."""
        measured = list(zip(self.sizes, self.seconds, strict=True))
        for (size, before), (larger, after) in pairwise(measured):
            allowed = SLACK * max(before, SHORT) * larger * log(larger) / (size * log(size))
            if after > allowed:
                return f"{self.kind}: {before:.2f} s for {size:,} characters, {after:.2f} s for {larger:,}"
        for size, seconds in measured:
            if seconds > A_MEGABYTE * size / 1e6 + SHORT * SLACK:
                return f"{self.kind}: {seconds:.2f} s for {size:,} characters"
        return ""


def growth(function: Read, kind: str, sizes: Sequence[int]) -> Growth:
    """Measure `function` on texts of one `kind` of the grammar, from the smallest size on, up to the first fault. What
    seems slow is measured three times, and the shortest counts."""
    found = Growth(kind, (), ())
    for size in sorted(sizes):
        text = text_of(kind, size)
        for attempt in range(3):
            seconds = min(_seconds(function, text), found.seconds[-1] if attempt else float("inf"))
            done = len(found.sizes) - bool(attempt)
            found = Growth(kind, (*found.sizes[:done], size), (*found.seconds[:done], seconds))
            if not found.fault or seconds > 5:
                break
        if found.fault:
            break
    return found


def _seconds(function: Read, text: str) -> float:
    gc.collect()
    began = time.thread_time()
    function(text)
    return time.thread_time() - began
