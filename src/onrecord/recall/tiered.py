"""The tiered design's own ranking: a weighted mean of five scores, each from 0 to 1, as its document gives them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from onrecord.policy.lexemes import lexemes
from onrecord.profiles import Profile
from onrecord.recall.fused import Signals
from onrecord.recall.index import SpaceIndex
from onrecord.records import Message

__all__ = ["TIERED_WEIGHTS", "Tiers", "tiered_signals", "tiers_of"]

TIERED_WEIGHTS: Mapping[str, float] = {
    "semantic": 0.4,  # cosine of the TF-IDF vectors
    "keyword": 0.3,  # share of the question's words that stand there
    "recency": 0.2,  # halves every thirty days
    "importance": 0.1,
    "access": 0.0,  # how often it was found before; only facts and episodes count that
}


class Tiers(NamedTuple):
    """How a profile ranks by this design."""

    relevance: float  # what scores no more is not found
    weights: Mapping[str, float]


def tiers_of(profile: Profile) -> Tiers | None:
    """This ranking, for the profile that has it."""
    if profile.name != "tiered":
        return None
    given = {"recency": profile.recency_weight, "importance": profile.importance_weight}
    return Tiers(profile.relevance, {**TIERED_WEIGHTS, **given})


_HALF_LIFE = 30 * 86_400.0  # seconds


def tiered_signals(index: SpaceIndex, text: str, now: float, taken: Mapping[str, int] | None = None) -> Signals:
    """The five scores of every passage; `taken`: how often records were found before, by their keys."""
    weighed = _weighed(index)
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
            dot[found] += weight * idf * counts / weighed.most[found]
            held[found] += 1
    lengths = weighed.lengths * np.float32(np.sqrt(length))
    cosine = np.clip(np.divide(dot, lengths, out=np.zeros_like(dot), where=lengths > 0), 0, 1)
    age = np.maximum(0.0, now - index.time.values)
    made = {
        "semantic": cosine,
        "keyword": held / max(1, len(asked)),
        "recency": index.of_passages(0.5 ** (age / _HALF_LIFE)),
        "importance": index.of_passages(index.importance.values),
        "access": _accessed(index, taken or {}),
    }
    return Signals(made, int(np.count_nonzero(held)))


def _accessed(index: SpaceIndex, taken: Mapping[str, int]) -> NDArray[Any]:
    """How often each item was found before, as a share of what was found most often."""
    if not taken:
        return np.zeros(len(index.item), np.float32)
    times = [0 if isinstance(item, Message) else taken.get(item.key, 0) for item in index.items]
    return index.of_passages(np.array(times, np.float32) / max(taken.values()))


class _TieredWeights(NamedTuple):
    """What follows from all words; made again at the first search after something was added."""

    most: NDArray[Any]  # per passage: how often its most frequent word stands there
    lengths: NDArray[Any]  # per passage: of its TF-IDF vector


def _weighed(index: SpaceIndex) -> _TieredWeights:
    if "tiered" not in index.memo:
        lexeme, passage, count = index.postings.entries()
        passages = len(index.item)
        most = np.ones(passages, np.float32)
        np.maximum.at(most, passage, count.astype(np.float32))
        idf = np.log(passages / np.maximum(1, np.bincount(lexeme))) if len(lexeme) else np.empty(0)
        weights = count / most[passage] * idf[lexeme]
        squares = np.bincount(passage, weights=weights**2, minlength=passages)
        index.memo["tiered"] = _TieredWeights(most, np.sqrt(squares).astype(np.float32))
    found: _TieredWeights = index.memo["tiered"]
    return found
