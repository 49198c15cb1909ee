"""Learns how much each signal of a search counts, from labelled conversations.

For a question, the weights give each passage of the conversation a score, and a softmax over the scores gives the
chance that it belongs to the evidence. The weights are those under which the passages of the evidence are likeliest,
all of a message counted alike, pulled towards 0 a little. Each set counts the same, and each question of a set. There
is one best answer, which Newton's method finds; no chance is in it. The signals come from searches in which every
weight is 1, so they are what a search adds up.

Weights are judged on conversations that they were not learned from: each conversation in turn is left out, and sets
that are not trained on are never seen at all. What a hit costs is what a search with the weights of today shows of it.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from benchmarks.figures import Data, Figures, benchmark, cells
from benchmarks.recall import HEADLINES, inside
from benchmarks.recall_data import COUNT, Embedder, Held, Question, check_sets, held, load
from onrecord.errors import InvalidInput
from onrecord.policy import fusion
from onrecord.policy.brevity import worth
from onrecord.policy.fusion import WEIGHTS
from onrecord.recall.index import SpaceIndex
from onrecord.recall.search import Search, question_of
from onrecord.recall.spaces import Spaces
from onrecord.records import SearchRequest

__all__ = ["CROSSED", "FITTED", "SHIPPED", "SIGNALS", "Example", "examples", "fit", "fitted", "learn", "source"]

SIGNALS = tuple(WEIGHTS)
RIDGE = 1e-3  # how strongly weights are pulled towards 0; signals are taken in units of how much they vary
STEPS = 60
ENOUGH = 1e-10  # a step that gains less is the last
SHIPPED, CROSSED, FITTED = "weights of today", "learned, cross-validated", "learned from all"
FOUND = "% of the evidence found, with"
WITHOUT = "What is lost without a signal, in points"
TOP, BUDGET = 10, 2_000
ALL_THERE = f"all in {BUDGET:,}"
_ROW = re.compile(r'^ {4}"(\w+)": (-?[\d.]+),(?:\s*#.*)?$', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Example:
    """One question: the signals of each message, and which of them are the evidence."""

    set: str
    conversation: str
    signals: NDArray[Any]  # a row for each passage, a column for each of SIGNALS
    owners: NDArray[Any]  # of each passage: the number of its message
    gold: NDArray[Any]  # numbers of messages
    sizes: tuple[int, ...]  # tokens of each message, as far as a search shows it

    def scores(self, weights: NDArray[Any]) -> NDArray[Any]:
        """Of each message that of its best passage."""
        found = np.full(len(self.sizes), -np.inf)
        np.maximum.at(found, self.owners, self.signals @ weights)
        return found


Train = Annotated[list[str] | None, typer.Option(help="Learn from this set only; may be repeated.", metavar="NAME")]


@benchmark
def fit(data: Data, train: Train = None, embedder: Embedder = "auto") -> Figures:
    """Learn how much each signal of a search counts; sets that are not learned from show whether it carries over.

    Example: python -m benchmarks fit --data conversations/ --train realtalk --train beam-100k
    """
    conversations = load(data)
    check_sets(conversations, train or ())
    with held(conversations, embedder) as places:
        found = examples(places)
    yield from learn(found, train or ())


def examples(places: Sequence[Held]) -> list[Example]:
    """Every question of every conversation."""
    found = []
    for place in places:
        with place.index() as (spaces, index):
            owners = place.owners(index)
            found += [
                _example(place, question, _signals(spaces, index, question.text), owners)
                for question in place.conversation.questions
            ]
    return found


def _signals(spaces: Spaces, index: SpaceIndex, question: str) -> NDArray[Any]:
    """What a search adds up: a row for each passage of the space, a column for each signal."""
    ones = dict.fromkeys(SIGNALS, 1.0)
    asked = SearchRequest(text=question, weights=ones)
    read = question_of(index, asked, by_name=spaces.knows_names)
    parts = Search(spaces).fused(index, asked, read, spaces.vector(read.meant), []).signals
    nothing = np.zeros(len(index.item))
    return np.stack([parts.get(name, nothing) for name in SIGNALS], axis=1).astype(float)


def _example(place: Held, question: Question, signals: NDArray[Any], owners: NDArray[Any]) -> Example:
    conversation, sizes = place.conversation, list(place.sizes)
    for hit in place.memory.search(question.text, kinds="message", limit=len(sizes)):
        if hit.passages:
            sizes[place.turn(hit)] = COUNT(hit.text)
    mine = owners >= 0
    gold = np.array(sorted(question.gold))
    return Example(conversation.set, conversation.id, signals[mine], owners[mine], gold, tuple(sizes))


# Learning


def learn(found: Sequence[Example], train: Sequence[str] = ()) -> Figures:
    """The weights learned from some sets, or from all, and how good they are."""
    sets = list(dict.fromkeys(example.set for example in found))
    own = [example for example in found if not train or example.set in train]
    if not own:
        raise InvalidInput("There is nothing to learn from.", f"There are the sets {', '.join(sets)}.")
    weights = _rounded(fitted(own))
    learned = [_scores(example, weights) for example in found]
    today = np.array([WEIGHTS[name] for name in SIGNALS])
    compared = {
        SHIPPED: [_scores(example, today) for example in found],
        CROSSED: _crossed(found, own, learned),
        FITTED: learned,
    }
    for name in sets:
        trained = any(example.set == name for example in own)
        for title, scores in compared.items():
            if scores and (trained or title != CROSSED):
                row = f"{name}{'' if trained else ' (never trained on)'}, {title}"
                yield from cells(
                    FOUND, row, {kind: (value, "%") for kind, value in _means(name, found, scores).items()}
                )
    for number, signal in enumerate(SIGNALS):
        less = fitted(own, [at for at in range(len(SIGNALS)) if at != number])
        scores = [_scores(example, less) for example in found]
        for name in sets:
            now, before = _means(name, found, scores), _means(name, found, learned)
            columns = {f"{name}, {kind}": (now[kind] - before[kind], "points") for kind in HEADLINES}
            yield from cells(WITHOUT, signal, columns)
    yield source(dict(zip(SIGNALS, weights.tolist(), strict=True)))


def _means(name: str, found: Sequence[Example], scores: Sequence[dict[str, float]]) -> dict[str, float]:
    own = [score for example, score in zip(found, scores, strict=True) if example.set == name]
    return {kind: float(np.mean([score[kind] for score in own])) for kind in own[0]}


def fitted(found: Sequence[Example], columns: Sequence[int] | None = None) -> NDArray[Any]:
    """The weights under which the evidence is likeliest; those of other columns are 0."""
    used = list(range(len(SIGNALS))) if columns is None else list(columns)
    share = _shares(found)
    spread = np.sqrt(sum(part * one.signals[:, used].var(axis=0) for part, one in zip(share, found, strict=True)))
    unit = np.where(spread > 1e-9, spread, 1.0)
    inputs = [one.signals[:, used] / unit for one in found]
    weights = np.zeros(len(used))
    evidence = [np.isin(one.owners, one.gold) for one in found]
    loss, slope, bend = _loss(weights, inputs, evidence, share)
    for _ in range(STEPS):
        change = np.linalg.solve(bend, slope)
        size = 1.0
        while size > 1e-6:  # a step that is too long is halved
            new = _loss(weights - size * change, inputs, evidence, share)
            if new[0] <= loss:
                break
            size /= 2
        gained = loss - new[0]
        if gained < ENOUGH:
            break
        weights = weights - size * change
        loss, slope, bend = new
    whole = np.zeros(len(SIGNALS))
    whole[used] = weights / unit
    return whole


def _loss(
    weights: NDArray[Any], inputs: Sequence[NDArray[Any]], evidence: Sequence[NDArray[Any]], share: Sequence[float]
) -> tuple[float, NDArray[Any], NDArray[Any]]:
    """How unlikely the evidence is, with the first and second derivatives."""
    loss = RIDGE / 2 * float(weights @ weights)
    slope = RIDGE * weights
    bend = RIDGE * np.eye(len(weights))
    for part, values, told in zip(share, inputs, evidence, strict=True):
        scores = values @ weights
        scores -= scores.max()
        chances = np.exp(scores)
        total = chances.sum()
        chances /= total
        mean = chances @ values
        loss += part * float(np.log(total) - scores[told].mean())
        slope = slope + part * (mean - values[told].mean(axis=0))
        bend = bend + part * ((values * chances[:, None]).T @ values - np.outer(mean, mean))
    return loss, slope, bend


def _shares(found: Sequence[Example]) -> list[float]:
    """How much each question counts: sets alike, and the questions of a set alike."""
    sets = [one.set for one in found]
    return [1 / len(set(sets)) / sets.count(one.set) for one in found]


def _crossed(
    found: Sequence[Example], own: Sequence[Example], learned: Sequence[dict[str, float]]
) -> list[dict[str, float]]:
    """The scores of each question by weights learned without its conversation; empty if there is only one."""
    keys = [(example.set, example.conversation) for example in own]
    if len(set(keys)) < 2:
        return []
    weights = {
        left_out: _rounded(fitted([example for example, key in zip(own, keys, strict=True) if key != left_out]))
        for left_out in dict.fromkeys(keys)
    }
    return [
        _scores(example, weights[key]) if (key := (example.set, example.conversation)) in weights else before
        for example, before in zip(found, learned, strict=True)
    ]


def _rounded(weights: NDArray[Any]) -> NDArray[Any]:
    return np.round(weights, 1) + 0.0  # never -0.0


def _scores(one: Example, weights: NDArray[Any]) -> dict[str, float]:
    scores = one.scores(weights)
    newer = -np.arange(len(scores))
    order = np.lexsort((newer, -scores)).tolist()
    worths = np.array([worth(score, size) for score, size in zip(scores.tolist(), one.sizes, strict=True)])
    worthy = np.lexsort((newer, -worths))
    gold = set(one.gold.tolist())
    there = len(inside(worthy.tolist(), one.sizes, BUDGET) & gold)
    counts = (len(set(order[:TOP]) & gold) / len(gold), there / len(gold), float(there == len(gold)))
    return {kind: 100 * count for kind, count in zip((*HEADLINES, ALL_THERE), counts, strict=True)}


def source(weights: Mapping[str, float]) -> str:
    """The weights as the table in `onrecord.policy.fusion` has them, to be pasted."""
    rows = [
        row.group(0).replace(f'"{row.group(1)}": {row.group(2)},', f'"{row.group(1)}": {weights[row.group(1)]:.1f},')
        for row in _ROW.finditer(inspect.getsource(fusion))
        if row.group(1) in weights
    ]
    return "\n".join(["WEIGHTS: Mapping[str, float] = {", *rows, "}"])
