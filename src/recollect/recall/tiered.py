"""The tiered design's own ranking: a weighted mean of five scores, each from 0 to 1, as its document gives them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.policy.lexemes import lexemes
from recollect.recall.fused import Signals
from recollect.recall.index import SpaceIndex

__all__ = ["THRESHOLD", "TIERED_WEIGHTS", "Tiered"]

TIERED_WEIGHTS: Mapping[str, float] = {
    "semantic": 0.4,  # cosine of the TF-IDF vectors
    "keyword": 0.3,  # share of the question's words that stand there
    "recency": 0.2,  # halves every thirty days
    "importance": 0.1,
    "access": 0.0,  # how often it was found before; messages do not count that
}
THRESHOLD = 0.3
"""What scores no more is not found."""

_HALF_LIFE = 30 * 86_400.0  # seconds


class Tiered:
    """Scores the items of one index; what follows from all its words is made again when it has grown."""

    def __init__(self) -> None:
        self._made: tuple[SpaceIndex | None, int] = (None, 0)
        self._most: NDArray[Any] = np.empty(0)  # per passage: how often its most frequent word stands there
        self._norms: NDArray[Any] = np.empty(0)  # per passage: length of its TF-IDF vector

    def signals(self, index: SpaceIndex, text: str, now: float) -> Signals:
        """The five scores of every passage."""
        self._prepare(index)
        passages = len(index.item)
        asked = Counter(lexemes(text))
        most = max(asked.values(), default=1)
        dot = np.zeros(passages, np.float32)
        held = np.zeros(passages, np.float32)
        length = 0.0
        for lexeme, count in asked.items():
            found, counts = index.postings.find(lexeme)
            if len(found):
                idf = np.log(passages / len(found))
                weight = count / most * idf
                length += weight**2
                dot[found] += weight * idf * counts / self._most[found]
                held[found] += 1
        lengths = self._norms * np.float32(np.sqrt(length))
        cosine = np.clip(np.divide(dot, lengths, out=np.zeros_like(dot), where=lengths > 0), 0, 1)
        age = np.maximum(0.0, now - index.time.values)
        made = {
            "semantic": cosine,
            "keyword": held / max(1, len(asked)),
            "recency": index.of_passages(0.5 ** (age / _HALF_LIFE)),
            "importance": index.of_passages(index.importance.values),
            "access": np.zeros(passages, np.float32),
        }
        return Signals(made, int(np.count_nonzero(held)))

    def _prepare(self, index: SpaceIndex) -> None:
        if self._made[0] is index and self._made[1] == len(index):
            return
        lexeme, passage, count = index.postings.entries()
        passages = len(index.item)
        self._most = np.ones(passages, np.float32)
        np.maximum.at(self._most, passage, count.astype(np.float32))
        idf = np.log(passages / np.maximum(1, np.bincount(lexeme))) if len(lexeme) else np.empty(0)
        weights = count / self._most[passage] * idf[lexeme]
        self._norms = np.sqrt(np.bincount(passage, weights=weights**2, minlength=passages)).astype(np.float32)
        self._made = (index, len(index))
