"""What the benchmarks of latency share: calls that are timed, and the figures that come of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from time import perf_counter
from typing import Any

__all__ = ["Figure", "Work", "alternating", "figure", "markdown", "shown", "times"]

WARM_UP = 50  # calls that do not count, or a fifth if there are few

Work = Callable[[Any], object]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One measured operation; or, with another unit, one measured amount, the same as p50 and p95."""

    who: str = "recollect"  # or a peer, with its version
    what: str  # the operation
    size: int  # messages in the file
    p50: float  # milliseconds; for add_many per batch of 1000
    p95: float
    note: str = ""
    topic: str = "journal"  # which table it belongs to: journal, search, vectors
    space: int = 0  # messages in the space that is searched
    alone: bool = False  # the space has a file of its own
    unit: str = "ms"


def figure(what: str, size: int, taken: Sequence[float], **more: Any) -> Figure:
    """A figure of calls that were timed."""
    return Figure(what=what, size=size, p50=_at(taken, 0.5), p95=_at(taken, 0.95), **more)


def times(work: Work, inputs: Sequence[Any], prepare: Work | None = None, seconds: float = inf) -> list[float]:
    """Milliseconds of each call, sorted; the first few warm up and do not count. After so many seconds no other call
    begins."""
    return alternating([work], inputs, None if prepare is None else [prepare], seconds)[0]


def alternating(
    works: Sequence[Work], inputs: Sequence[Any], prepares: Sequence[Work] | None = None, seconds: float = inf
) -> list[list[float]]:
    """The same for several works in turn, so that whatever else the machine does meanwhile meets all of them."""
    taken: list[list[float]] = [[] for _ in works]
    end = perf_counter() + seconds
    for number, given in enumerate(inputs):
        order = range(len(works)) if number % 2 == 0 else reversed(range(len(works)))
        for at in order:
            if prepares is not None:
                prepares[at](given)
            start = perf_counter()
            works[at](given)
            taken[at].append((perf_counter() - start) * 1000)
        if perf_counter() > end:
            break
    return [sorted(one[min(WARM_UP, len(one) // 5) :]) for one in taken]


def shown(one: Figure) -> str:
    """p50 and p95 as a table has them."""
    return f"{one.p50:.3f} / {one.p95:.3f}" if one.p95 < 10 else f"{one.p50:.1f} / {one.p95:.1f}"


def markdown(head: list[str], rows: list[list[str]]) -> list[str]:
    """The lines of a table."""
    return [f"| {' | '.join(row)} |" for row in (head, ["---", *["--:"] * (len(head) - 1)], *rows)]


def _at(taken: Sequence[float], share: float) -> float:
    return round(taken[min(len(taken) - 1, int(len(taken) * share))], 4)
