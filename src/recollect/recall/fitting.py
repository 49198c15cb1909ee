"""Which of what was found is answered where tokens are short."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from recollect.policy.brevity import worth
from recollect.policy.passages import shown
from recollect.recall.hits import Stage
from recollect.recall.index import said_by, text_of
from recollect.records import Found, Message

__all__ = ["candidates", "fitting"]

_LEAST, _MOST = 500, 10_000  # that are looked at
_SHORT = 5  # tokens that few messages stay under


def candidates(tokens: int) -> int:
    """Among how many of the best is looked for what fits."""
    return min(_MOST, max(_LEAST, tokens // _SHORT))


def fitting(
    found: Sequence[Found], tokens: int, limit: int, count: Callable[[str], int], *, as_ranked: bool = False
) -> tuple[list[Found], Stage]:
    """What fits into so many tokens together, at most so many items, each counted with who said it, in their order.

    What is worth most for its length is taken first, and what does not fit is passed over; `as_ranked`: the first
    is taken first, because the order is a reranker's, or its scores are of another measure.
    """
    places = range(len(found))
    order = places if as_ranked else sorted(places, key=lambda at: -worth(found[at].score, _about(found[at])))
    taken: list[int] = []
    left = tokens
    for at in order:
        if not left or len(taken) == limit:
            break
        if _about(found[at]) > left:  # most of the rest, once little is left
            continue
        cost = count(said_by(found[at].item, shown(text_of(found[at].item), found[at].spans)))
        if cost <= left:
            taken.append(at)
            left -= cost
    return [found[at] for at in sorted(taken)], Stage(
        "tokens", f"{len(taken)} hits take {tokens - left:,} of {tokens:,}"
    )


def _about(one: Found) -> int:
    """Its tokens, without counting what may not be taken."""
    if isinstance(one.item, Message) and not one.spans:
        return one.item.tokens
    return (sum(end - start for start, end in one.spans) or len(text_of(one.item))) // 4
