"""The signals of every passage for one question: what speaks for its being about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.policy.questions import Question
from recollect.policy.times import Span, nearness
from recollect.recall.index import SpaceIndex

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


def signals(index: SpaceIndex, question: Question, vector: Floats | None, spans: Sequence[Span]) -> Signals:
    """Each signal of every passage."""
    words, near = _lexical(index, question.lexemes)
    found: dict[str, NDArray[Any]] = {"words": words, "near": near}
    if vector is not None:
        found["meaning"] = index.matrix.similar(vector)
        found["around"] = index.beside.cosines(found["meaning"])
    asked = [index.speakers[name] for name in question.speakers if name in index.speakers]
    if asked and len(asked) < len(index.speakers):
        side = np.full(len(index.speakers) + 1, -1, np.float32)
        side[asked] = 1
        side[-1] = 0  # what nobody said
        found["speaker"] = index.of_passages(side[index.speaker.values])
    found["self"] = index.of_passages(index.self.values)
    found["rule"] = index.of_passages(index.rule.values)
    if spans:
        found["time"] = index.of_passages(nearness(index.time.values, spans))
    return Signals(found, int(np.count_nonzero(words)))


def _lexical(index: SpaceIndex, lexemes: Sequence[int]) -> tuple[Floats, Floats]:
    """How well the words of each passage match, and how many of them stand there or near."""
    many = len(index.item)
    norm = _norm(index)
    words = np.zeros(many, np.float32)
    near = np.zeros(many + 1, np.float32)  # the last is for neighbours that are not there
    before, after = index.beside.chains()
    scale, total = np.log1p(many), 0.0
    for lexeme in lexemes:
        held, counts = index.postings.find(lexeme)
        rarity = float(np.log1p((many - len(held) + 0.5) / (len(held) + 0.5)) / scale)
        total += rarity
        if len(held):
            words[held] += rarity * (_K1 + 1) * (counts / (counts + norm[held]))
            reach = _REACH if len(held) * 20 < many + 1_000 else _SHORT
            near += rarity * _spread(held, before, after, reach)
    return words, near[:-1] / np.float32(total or 1.0)


def _norm(index: SpaceIndex) -> NDArray[Any]:
    """What BM25 makes of a passage's length. Lengths change little, so it is kept until passages are added."""
    if index.norm is None:
        lengths = index.length.values
        index.norm = _K1 * (1 - _B + _B * lengths / max(1.0, float(lengths.mean())))
    return index.norm


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
