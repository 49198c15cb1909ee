"""Which of what was found is answered where tokens are short."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from onrecord.policy.brevity import worth
from onrecord.policy.passages import shown
from onrecord.recall.index import said_by, text_of
from onrecord.recall.picking import without_repeats
from onrecord.records import FoundItem, Message, SearchStage

__all__ = ["candidates", "fitting"]

_LEAST, _MOST = 500, 10_000  # that are looked at
_SHORT = 5  # tokens that few messages stay under


def candidates(tokens: int) -> int:
    """Among how many of the best is looked for what fits."""
    return min(_MOST, max(_LEAST, tokens // _SHORT))


def fitting(
    found: Sequence[FoundItem], tokens: int, limit: int, count: Callable[[str], int], *, as_ranked: bool = False
) -> tuple[list[FoundItem], SearchStage]:
    """What fits into so many tokens together, at most so many items, each counted with who said it, in their order.

    What is worth most for its length is taken first, and what does not fit is passed over; `as_ranked`: the first
    is taken first, because the order is a reranker's, or its scores are of another measure.
    """
    lengths = [_about(one) for one in found]
    order: Sequence[int] = range(len(found))
    if not as_ranked:
        order = sorted(order, key=lambda at: -worth(found[at].score, lengths[at]))
    costs: dict[int, int] = {}
    left = tokens
    for at in order:
        if not left or len(costs) == limit:
            break
        if lengths[at] > left:  # most of the rest, once little is left
            continue
        cost = count(said_by(found[at].item, shown(text_of(found[at].item), found[at].spans)))
        if cost <= left:
            costs[at] = cost
            left -= cost
    kept = without_repeats([found[at] for at in sorted(costs)])
    there = {id(one) for one in kept}
    used = sum(cost for at, cost in costs.items() if id(found[at]) in there)
    return kept, SearchStage("tokens", f"{used:,} of {tokens:,} are taken")


def _about(one: FoundItem) -> int:
    """Its tokens, without counting what may not be taken."""
    if isinstance(one.item, Message) and not one.spans:
        return one.item.tokens
    return (sum(end - start for start, end in one.spans) or len(text_of(one.item))) // 4
