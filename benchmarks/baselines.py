"""Other ways to rank the turns of a conversation, for comparison.

They share nothing with the search but the vectors, so that a mistake there cannot make both look alike.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Baselines", "Words", "fused"]

K1, B = 1.2, 0.75  # the usual figures of BM25
PLACES = 60  # the usual constant of reciprocal-rank fusion

_WORD = re.compile(r"\w+")

Order = NDArray[Any]
"""Numbers of turns, the best first."""


class Words:
    """BM25 over whole turns, with words as they are written but for their case."""

    def __init__(self, texts: Sequence[str]) -> None:
        held = [Counter(_words(text)) for text in texts]
        sizes = np.array([sum(counts.values()) for counts in held], float)
        self._norm = K1 * (1 - B + B * sizes / max(1.0, float(sizes.mean()) if len(sizes) else 1.0))
        self._turns = len(texts)
        self._where: dict[str, list[tuple[int, int]]] = {}
        for at, counts in enumerate(held):
            for word, count in counts.items():
                self._where.setdefault(word, []).append((at, count))

    def scores(self, question: str) -> NDArray[Any]:
        scores = np.zeros(self._turns)
        for word in set(_words(question)):
            found = self._where.get(word, [])
            rarity = math.log(1 + (self._turns - len(found) + 0.5) / (len(found) + 0.5))
            for at, count in found:
                scores[at] += rarity * count * (K1 + 1) / (count + self._norm[at])
        return scores


class Baselines:
    """The baselines over one conversation."""

    def __init__(
        self,
        texts: Sequence[str],
        sizes: Sequence[int],
        vectors: NDArray[Any] | None = None,
        owners: NDArray[Any] | None = None,
    ) -> None:
        """`sizes`: tokens of each turn; `vectors` with `owners`: the turn that each is of."""
        self._words = Words(texts)
        self._sizes = sizes
        self._turns = len(texts)
        self._vectors = vectors
        self._owners = owners

    def orders(self, question: str, vector: NDArray[Any] | None, gold: Collection[int]) -> dict[str, Order]:
        """The turns as each baseline ranks them, by its name."""
        found = {"BM25": _best_first(self._words.scores(question))}
        if vector is not None and self._vectors is not None:
            found["dense"] = _best_first(self._dense(vector))
            found["BM25 + dense"] = fused([found["BM25"], found["dense"]])
        newest = np.arange(self._turns)[::-1]
        found["newest first"] = newest
        # The shortest first: no other order has more of the evidence in a budget.
        evidence = sorted(gold, key=lambda at: (self._sizes[at], at))
        found["gold first"] = np.array([*evidence, *(at for at in newest if at not in gold)], int)
        return found

    def _dense(self, vector: NDArray[Any]) -> NDArray[Any]:
        """The cosine of each turn; of a long one that of its best part."""
        assert self._vectors is not None
        assert self._owners is not None
        scores = np.full(self._turns, -1.0)
        np.maximum.at(scores, self._owners, self._vectors @ vector)
        return scores


def fused(orders: Sequence[Order]) -> Order:
    """Reciprocal-rank fusion: the sum of 1 / (60 + place)."""
    scores = np.zeros(len(orders[0]))
    for order in orders:
        scores[order] += 1 / (PLACES + 1 + np.arange(len(order)))
    return _best_first(scores)


def _best_first(scores: NDArray[Any]) -> Order:
    """Turns by score, of equals the newest first."""
    last = len(scores) - 1
    return last - np.argsort(-scores[::-1], kind="stable")


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())
