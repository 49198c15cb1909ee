"""Which hits are answered where tokens are short."""

from __future__ import annotations

from collections.abc import Callable

from recollect.policy.brevity import FRAME, worth
from recollect.recall.hits import Hits, Stage
from recollect.records import Hit

__all__ = ["fitting"]


def fitting(hits: Hits, tokens: int, count: Callable[[str], int], *, as_ranked: bool = False) -> Hits:
    """The hits that fit into so many tokens together, each counted with who said it, in the order they had.

    Those that are worth most for their length are taken first, and what does not fit is passed over; `as_ranked`: the
    first ones are, because their order is a reranker's.
    """
    costs: dict[int, int] = {}
    places = range(len(hits))
    left = tokens
    for at in places if as_ranked else sorted(places, key=lambda at: -worth(hits[at].score, len(hits[at].text) // 4)):
        cost = count(_line(hits[at]))
        if cost <= left:
            costs[at] = cost
            left -= cost
        if left < FRAME:
            break
    said = f"{len(costs)} of {len(hits)} hits take {tokens - left:,} of {tokens:,}"
    return Hits([hits[at] for at in sorted(costs)], [*hits.stages, Stage("tokens", said)], hits.notes)


def _line(hit: Hit) -> str:
    who = hit.name or hit.role
    return hit.text if who is None or hit.text.startswith(f"{who}:") else f"{who}: {hit.text}"
