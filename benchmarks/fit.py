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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.recall import HEADLINES, inside
from benchmarks.recall_data import A_QUESTION, Held, Question
from recollect.errors import InvalidInput
from recollect.policy import fusion
from recollect.policy.brevity import worth
from recollect.policy.fusion import WEIGHTS
from recollect.ports import Progress
from recollect.recall.index import SpaceIndex
from recollect.recall.search import Search, question_of
from recollect.recall.spaces import Spaces
from recollect.records import Asked

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["Example", "Fitted", "Row", "examples", "fit", "learn", "plain", "source", "tables"]

SIGNALS = tuple(WEIGHTS)
RIDGE = 1e-3  # how strongly weights are pulled towards 0; signals are taken in units of how much they vary
STEPS = 60
ENOUGH = 1e-10  # a step that gains less is the last
SHIPPED, CROSSED, FITTED = "weights of today", "learned, cross-validated", "learned from all"
TOP, BUDGET = 10, 2_000
ALL_THERE = f"all in {BUDGET}"
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """How good some weights are on a set."""

    set: str
    who: str  # which weights; or the signal that was left out
    questions: int
    trained: bool  # whether the set was trained on
    scores: dict[str, float]  # in percent; of a signal that was left out, what is lost or won


@dataclass(frozen=True, slots=True, kw_only=True)
class Fitted:
    """What was learned."""

    weights: dict[str, float]
    rows: list[Row]
    without: list[Row]


def examples(places: Sequence[Held], progress: Progress = lambda done: None) -> list[Example]:
    """Every question of every conversation; progress receives what `recall_data.work` counts for questions."""
    found = []
    for place in places:
        with place.index() as (spaces, index):
            owners = place.owners(index)
            for question in place.conversation.questions:
                found.append(_example(place, question, _signals(spaces, index, question.text), owners))
                progress(A_QUESTION)
    return found


def _signals(spaces: Spaces, index: SpaceIndex, question: str) -> NDArray[Any]:
    """What a search adds up: a row for each passage of the space, a column for each signal."""
    ones = dict.fromkeys(SIGNALS, 1.0)
    asked = Asked(text=question, weights=ones)
    read = question_of(index, asked, by_name=spaces.knows_names)
    parts = Search(spaces).fused(index, asked, read, spaces.vector(read.meant), []).signals
    nothing = np.zeros(len(index.item))
    return np.stack([parts.get(name, nothing) for name in SIGNALS], axis=1).astype(float)


def _example(place: Held, question: Question, signals: NDArray[Any], owners: NDArray[Any]) -> Example:
    conversation, sizes = place.conversation, list(place.sizes)
    for hit in place.memory.search(question.text, kinds="message", limit=len(sizes)):
        if hit.passages:
            sizes[place.turn(hit)] = place.count(hit.text)
    mine = owners >= 0
    gold = np.array(sorted(question.gold))
    return Example(conversation.set, conversation.id, signals[mine], owners[mine], gold, tuple(sizes))


# Learning


def learn(found: Sequence[Example], train: Sequence[str] = (), step: Progress = lambda done: None) -> Fitted:
    """The weights learned from some sets, or from all, and how good they are; `step` is told of each learning, of
    which there is one for each conversation, one for each signal and one of all."""
    sets = list(dict.fromkeys(one.set for one in found))
    own = [one for one in found if not train or one.set in train]
    if not own:
        raise InvalidInput("There is nothing to learn from.", f"There are the sets {', '.join(sets)}.")
    weights = _rounded(fit(own))
    step(1)
    fitted = [_scores(one, weights) for one in found]
    crossed = _crossed(found, own, fitted, step)
    shipped = [_scores(one, np.array([WEIGHTS[name] for name in SIGNALS])) for one in found]
    rows = []
    for name in sets:
        for who, scores in ((SHIPPED, shipped), (CROSSED, crossed), (FITTED, fitted)):
            if scores and (who != CROSSED or any(one.set == name for one in own)):
                rows.append(_row(name, who, found, scores, own))
    without = []
    for number, signal in enumerate(SIGNALS):
        less = fit(own, [at for at in range(len(SIGNALS)) if at != number])
        step(1)
        lost = [_lost(_scores(one, less), before) for one, before in zip(found, fitted, strict=True)]
        without += [_row(name, signal, found, lost, own) for name in sets]
    return Fitted(weights=dict(zip(SIGNALS, weights.tolist(), strict=True)), rows=rows, without=without)


def fit(found: Sequence[Example], columns: Sequence[int] | None = None) -> NDArray[Any]:
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
    found: Sequence[Example], own: Sequence[Example], fitted: Sequence[dict[str, float]], step: Progress
) -> list[dict[str, float]]:
    """The scores of each question by weights learned without its conversation; empty if there is only one."""
    conversations = list(dict.fromkeys((one.set, one.conversation) for one in own))
    if len(conversations) < 2:
        return []
    weights = {}
    for key in conversations:
        weights[key] = _rounded(fit([one for one in own if (one.set, one.conversation) != key]))
        step(1)
    keys = [(one.set, one.conversation) for one in found]
    return [
        _scores(one, weights[key]) if key in weights else before
        for one, key, before in zip(found, keys, fitted, strict=True)
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


def _lost(now: Mapping[str, float], before: Mapping[str, float]) -> dict[str, float]:
    return {kind: score - before[kind] for kind, score in now.items()}


def _row(
    name: str, who: str, found: Sequence[Example], scores: Sequence[dict[str, float]], own: Sequence[Example]
) -> Row:
    mine = [score for one, score in zip(found, scores, strict=True) if one.set == name]
    return Row(
        set=name,
        who=who,
        questions=len(mine),
        trained=any(one.set == name for one in own),
        scores={kind: round(float(np.mean([score[kind] for score in mine])), 2) for kind in mine[0]},
    )


# Reporting


def plain(fitted: Fitted) -> dict[str, object]:
    """All of it, for JSON."""
    return asdict(fitted)


def source(weights: Mapping[str, float]) -> str:
    """The weights as the table in `recollect.policy.fusion` has them, to be pasted."""
    rows = [
        row.group(0).replace(f'"{row.group(1)}": {row.group(2)},', f'"{row.group(1)}": {weights[row.group(1)]:.1f},')
        for row in _ROW.finditer(inspect.getsource(fusion))
        if row.group(1) in weights
    ]
    return "\n".join(["WEIGHTS: Mapping[str, float] = {", *rows, "}"])


def tables(fitted: Fitted) -> Iterator[Table]:
    """How good the weights are, and what each signal adds."""
    from rich.table import Table

    shown = Table(title="% of the evidence found, with", title_justify="left")
    for head in ("set", "questions", "", *fitted.rows[0].scores):
        shown.add_column(head, justify="left" if head in ("set", "") else "right")
    for row in fitted.rows:
        name = row.set if row.trained else f"{row.set} (never trained on)"
        shown.add_row(name, str(row.questions), row.who, *(f"{score:.1f}" for score in row.scores.values()))
    yield shown
    names = list(dict.fromkeys(row.set for row in fitted.without))
    shown = Table(title=f"Without a signal: {' / '.join(HEADLINES)}", title_justify="left")
    for head in ("without", *names):
        shown.add_column(head, justify="left" if head == "without" else "right")
    for signal in dict.fromkeys(row.who for row in fitted.without):
        cells = [
            " / ".join(f"{row.scores[kind]:+.1f}" for kind in HEADLINES) for row in fitted.without if row.who == signal
        ]
        shown.add_row(signal, *cells)
    yield shown
