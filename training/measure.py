"""How well vectors alone find the evidence: the share of it among the first ten turns, and within 2,000 tokens.

Measured like the row "dense" of the benchmark `recall`: a turn is as near as its best passage, a turn that does not
fit into what is left of the tokens is skipped. Used while learning, where the whole benchmark would take too long.
Plain likeness is measured by sentences that say the same and sentences that only look so (`likeness.tsv`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.batches import spoken
from training.talks import Talk

__all__ = ["Asked", "found", "likeness", "of_talks"]

TOP, ROOM = 10, 2_000
PAIRS = Path(__file__).parent / "likeness.tsv"

Encode = Callable[[Sequence[str]], NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Asked:
    """One conversation, ready to be measured."""

    set: str
    passages: Sequence[str]
    owners: Sequence[int]  # of each passage: the number of its turn
    sizes: Sequence[int]  # of each turn: its tokens
    questions: Sequence[tuple[str, Sequence[int], str]]  # what is asked, the turns that answer, the kind of question


def of_talks(name: str, talks: Sequence[Talk], together: int = 12) -> list[Asked]:
    """Talks as conversations to be measured, several in one, because a single short one would be too easy."""
    made = []
    for start in range(0, len(talks), together):
        passages: list[str] = []
        questions: list[tuple[str, Sequence[int], str]] = []
        for talk in talks[start : start + together]:
            first = len(passages)
            passages += [spoken(turn, "named") for turn in talk.turns]
            questions += [(one.text, [first + at for at in one.gold], talk.source) for one in talk.questions]
        sizes = [len(text) // 4 + 1 for text in passages]
        made.append(Asked(name, passages, range(len(passages)), sizes, questions))
    return made


def found(asked: Sequence[Asked], encode: Encode) -> dict[str, tuple[float, float]]:
    """In percent, by set: in the first ten, and within 2,000 tokens."""
    scores: dict[str, list[tuple[float, float]]] = {}
    for one in asked:
        rows = encode(one.passages)
        questions = encode([text for text, _, _ in one.questions])
        near = np.full((len(questions), len(one.sizes)), -2.0)
        for passage, owner in enumerate(one.owners):
            near[:, owner] = np.maximum(near[:, owner], questions @ rows[passage])
        for row, (_, gold, _) in zip(near, one.questions, strict=True):
            order = np.argsort(-row, kind="stable")
            scores.setdefault(one.set, []).append(_shares(order, set(gold), one.sizes))
    return {
        name: (100 * float(np.mean([top for top, _ in all_])), 100 * float(np.mean([room for _, room in all_])))
        for name, all_ in scores.items()
    }


def _shares(order: NDArray[Any], gold: set[int], sizes: Sequence[int]) -> tuple[float, float]:
    left, held = ROOM, 0
    for turn in order:
        if sizes[turn] <= left:
            left -= sizes[turn]
            held += int(turn) in gold
    return len(gold & {int(turn) for turn in order[:TOP]}) / len(gold), held / len(gold)


def likeness(encode: Encode) -> float:
    """How often a pair of sentences that say the same is nearer than a pair that does not, in percent."""
    rows = [line.split("\t") for line in PAIRS.read_text("utf-8").splitlines()]
    near = (encode([row[1] for row in rows]) * encode([row[2] for row in rows])).sum(axis=1)
    same = np.array([row[0] == "1" for row in rows])
    return 100 * float((near[same][:, None] > near[~same][None]).mean())
