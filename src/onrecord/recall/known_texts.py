"""What a search index is made of: which arrivals are in it, and what blocks that are there tell of their texts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from onrecord.recall.index import text_of
from onrecord.recall.indexed_texts import Texts, analysed, fingerprint, joined
from onrecord.records import SEARCHED, Arrival, Message

__all__ = ["INDEXED", "KnownTexts", "searched"]

INDEXED = ("message", *SEARCHED, "change")
"""The kinds of what comes to a space that an index follows."""


def searched(arrival: Arrival) -> bool:
    """Whether there is something to find; most changes only decide about something."""
    item = arrival.item
    return isinstance(item, Message) or item.kind != "change" or bool(text_of(item))


class KnownTexts:
    """What is known of texts, by fingerprint."""

    def __init__(self, blocks: Sequence[Texts], dimension: int) -> None:
        self._texts = joined(blocks, dimension)
        self._dimension = dimension
        first = np.cumsum(self._texts.parts, dtype=np.int64) - self._texts.parts
        without = self._texts.scales[first] == 0
        self._order = np.lexsort(
            (without, self._texts.prints)
        )  # of two that are the same, one with a vector comes first
        self._prints = self._texts.prints[self._order]

    def of(self, texts: Sequence[str], names: Sequence[str]) -> Texts:
        """Texts taken apart, with their vectors where they are known; `names`: what each is told from others by."""
        prints = np.array([fingerprint(text) for text in names], np.uint64)
        if not len(self._prints):
            return analysed(texts, self._dimension, names)
        at = np.minimum(np.searchsorted(self._prints, prints), len(self._prints) - 1)
        found = self._prints[at] == prints
        if found.all():
            return self._texts.take(self._order[at])
        missing = np.flatnonzero(~found).tolist()
        new = analysed([texts[one] for one in missing], self._dimension, [names[one] for one in missing])
        both = joined([self._texts.take(self._order[at[found]]), new], self._dimension)
        order = np.empty(len(texts), np.int64)
        order[found] = np.arange(int(found.sum()))
        order[~found] = int(found.sum()) + np.arange(len(new.prints))
        return both.take(order)
