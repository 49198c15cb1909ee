"""The signals of every passage for one question: what speaks for its being about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log1p
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from onrecord.policy.questions import Question
from onrecord.policy.times import TimeSpan, nearness
from onrecord.recall.index import SpaceIndex

__all__ = ["Signals", "signals"]

_K1, _B = 1.2, 0.75  # the usual figures of BM25
_REACH = 6  # passages to either side whose words count
_SHORT = 2  # the same for words that are everywhere
_FALL = 0.85  # how much less with each passage of distance

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Signals:
    """What speaks for each passage, by name. A signal that says nothing about this question is left out."""

    passages: dict[str, NDArray[Any]]
    matched: int = 0  # passages that hold one of the words

    def summed(self, weights: Mapping[str, float]) -> NDArray[Any]:
        """The score of every passage."""
        scores = np.zeros(len(next(iter(self.passages.values()))), np.float32)
        for name, values in self.passages.items():
            if weights[name]:
                scores += np.float32(weights[name]) * values
        return scores


def signals(index: SpaceIndex, question: Question, vector: Floats | None, spans: Sequence[TimeSpan]) -> Signals:
    """Each signal of every passage."""
    words, near, matched = _lexical(index, question.lexemes)
    found: dict[str, NDArray[Any]] = {"words": words, "near": near}
    if vector is not None:
        near_by = index.matrix.similar(vector)
        found["meaning"] = _filled(index, near_by)
        found["around"] = _filled(index, index.beside.cosines(near_by))
    side = _sides(index, question)
    if side is not None:
        found["speaker"] = index.of_passages(side[index.speaker.values])
    if question.asks:
        found["self"] = index.of_passages(index.self.values)
    if spans:
        found["time"] = index.of_passages(nearness(index.time.values, spans))
    return Signals(found, matched)


def _filled(index: SpaceIndex, values: NDArray[Any]) -> NDArray[Any]:
    """What is not known yet is taken to be as near as the others are on average, so that it is ranked by the rest."""
    missing = index.without_vector()
    if not missing:
        return values
    known = np.ones(len(values), bool)
    known[missing] = False
    filled = values.copy()
    filled[missing] = values[known].mean() if known.any() else 0
    return filled


def _sides(index: SpaceIndex, question: Question) -> Floats | None:
    """For each speaker: 1 if asked about, -1 if not, 0 if that cannot be told; the last is for what nobody said."""
    asked = [index.speakers[name] for name in question.speakers if name in index.speakers]
    if not asked or len(asked) == len(index.speakers):
        return None
    side = np.full(len(index.speakers) + 1, -1 if question.others is None else 0, np.float32)
    side[[index.speakers[name] for name in question.others or () if name in index.speakers]] = -1
    side[asked] = 1
    side[-1] = 0
    return side


def _lexical(index: SpaceIndex, lexemes: Sequence[int]) -> tuple[Floats, Floats, int]:
    """How well the words of each passage match; how many of them stand there or near; how many passages hold one."""
    stats = _stats(index)
    words = np.zeros(len(index.item), np.float32)
    near = np.zeros(len(index.item) + 1, np.float32)  # the last is for neighbours that are not there
    before, after = index.beside.chains()
    scale, total = log1p(stats.said), 0.0
    for lexeme in lexemes:
        held, counts = index.postings.find(lexeme)
        said = len(held) if stats.message is None else int(np.count_nonzero(stats.message[held]))
        rarity = log1p((stats.said - said + 0.5) / (said + 0.5)) / scale
        total += rarity
        if len(held):
            words[held] += rarity * (_K1 + 1) * (counts / (counts + stats.norm[held]))
            reach = _REACH if len(held) * 20 < len(index.item) + 1_000 else _SHORT
            near += rarity * _spread(held, before, after, reach)
    return words, near[:-1] / np.float32(total or 1.0), int(np.count_nonzero(words))


class _Stats(NamedTuple):
    """What is counted over messages alone: a summary says their words a second time."""

    said: int  # passages of messages
    message: NDArray[Any] | None  # which passages are a message's; None: all
    norm: NDArray[Any]  # per passage: what BM25 makes of its length


def _stats(index: SpaceIndex) -> _Stats:
    if "stats" not in index.memo:
        message = index.of_passages(index.kind.values) == 0
        said = int(np.count_nonzero(message))
        lengths = index.length.values
        mean = float(lengths[message].mean()) if said else 0.0
        norm = _K1 * (1 - _B + _B * lengths / max(1.0, mean))
        index.memo["stats"] = _Stats(max(1, said), None if said == len(message) else message, norm)
    found: _Stats = index.memo["stats"]
    return found


def _spread(held: NDArray[Any], before: NDArray[Any], after: NDArray[Any], reach: int) -> Floats:
    """1 for these passages, less for those around them in the same session."""
    steps = []
    back, on = held, held
    for _ in range(reach):
        back, on = before[back], after[on]
        steps.append((back, on))
    found = np.zeros(len(before), np.float32)
    for distance in range(reach, 0, -1):  # far ones first, so that near ones win
        found[steps[distance - 1][0]] = found[steps[distance - 1][1]] = _FALL**distance
    found[held] = 1
    return found
