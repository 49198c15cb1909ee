"""From scores to items: the best that may be found, each with the parts of its score and the passages to show."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from onrecord.policy.relevance import Calibration, QuestionTraits, relevance
from onrecord.policy.terms import words
from onrecord.recall.index import SpaceIndex, text_of
from onrecord.records import FoundItem, Message, Record, SearchRequest, SearchStage

__all__ = ["Ranked", "best_of", "best_passages", "default_scores", "found_of", "without_repeats"]

_SIGNS = 3  # characters by which a question may differ from itself
_SHOWN = 1_300  # characters of a long message's best passages that are shown


@dataclass(slots=True)
class Ranked:
    """Every passage with its score."""

    passages: NDArray[Any]
    signals: Mapping[str, NDArray[Any]]  # what the scores are the sum of,
    weights: Mapping[str, float]  # each so many times
    defaults: Mapping[str, float]  # the weights without the caller's
    stages: list[SearchStage]
    notes: list[str]
    calibration: Calibration | None = None  # turns scores into probabilities; None: this ranking has no such
    question: QuestionTraits | None = None  # what the calibration takes of the question

    @property
    def needs_memory(self) -> bool:
        return self.question is not None and self.question.needs_memory


def best_of(
    index: SpaceIndex,
    asked: SearchRequest,
    ranked: Ranked,
    limit: int,
    over: float | None,
    standing: NDArray[Any] | None,
) -> tuple[NDArray[Any], list[float], int]:
    """The best that may be found, of equals the newest first; their scores; and how many may be."""
    allowed = _allowed(index, asked, standing)
    scores = index.of_items(ranked.passages)
    if allowed is not None:
        scores = np.where(allowed, scores, np.float32(-np.inf))
    many = len(index) if allowed is None else int(np.count_nonzero(allowed))
    wanted = min(limit, many)
    if not wanted:
        return np.empty(0, np.intp), [], many
    least = np.partition(scores, len(scores) - wanted)[len(scores) - wanted]
    above, equal = (scores > least).nonzero()[0], (scores == least).nonzero()[0]
    rows = np.concatenate([above, equal[len(equal) - (wanted - len(above)) :]])  # of equals, the newest
    rows = rows[np.lexsort((-rows, -scores[rows]))]
    best = scores[rows].astype(np.float64)
    if over is not None:
        rows, best = rows[best > over], best[best > over]
    return rows, best.round(4).tolist(), many


def _allowed(index: SpaceIndex, asked: SearchRequest, standing: NDArray[Any] | None) -> NDArray[Any] | None:
    """Which items the filters let through; None: all."""
    masks: list[NDArray[Any]] = [] if standing is None else [standing]
    if asked.kinds:
        masks.append(np.array([kind in asked.kinds for kind in index.kinds], bool)[index.kind.values])
    if asked.sessions:
        masks.append(np.isin(index.session.values, [index.sessions.get(name, -1) for name in asked.sessions]))
    if asked.since is not None:
        masks.append(index.time.values >= asked.since.timestamp())
    if asked.until is not None:
        masks.append(index.time.values < asked.until.timestamp())
    if asked.importance > 0:
        masks.append(index.importance.values >= asked.importance - 1e-6)
    for name, wanted in (("category", asked.categories), ("tags", asked.tags)):
        if wanted:
            masks.append(np.fromiter((_labelled(item, name, wanted) for item in index.items), bool, len(index)))
    return None if not masks else masks[0] if len(masks) == 1 else np.logical_and.reduce(masks)


def _labelled(item: Message | Record, name: str, wanted: frozenset[str]) -> bool:
    """Whether an item has one of these labels, in what the caller said of it: any JSON."""
    given = (item.meta if isinstance(item, Message) else item.body or {}).get(name)
    labels = given if isinstance(given, list) else [given]
    return any(isinstance(label, str) and label in wanted for label in labels)


def without_repeats(found: list[FoundItem]) -> list[FoundItem]:
    """Without the facts whose messages were found too: nothing is said twice."""
    if not any(isinstance(one.item, Record) for one in found):
        return found
    said = {(one.item.session, one.item.seq) for one in found if isinstance(one.item, Message)}
    return [one for one in found if isinstance(one.item, Message) or not _said_there(one.item, said)]


def _said_there(record: Record, said: set[tuple[str, int]]) -> bool:
    return record.kind == "fact" and (record.session, record.last) in said


def found_of(
    index: SpaceIndex, ranked: Ranked, rows: NDArray[Any], items: list[Message | Record], scores: list[float]
) -> tuple[list[FoundItem], float | None]:
    """What was chosen, with the parts of its scores: those of its best passage; and the confidence of the search."""
    if not items:
        return [], None if ranked.calibration is None else 0.0
    best, spans = best_passages(index, rows, ranked.passages)
    names = tuple(name for name in ranked.signals if ranked.weights[name])
    weights = [ranked.weights[name] for name in names]
    columns = np.array([ranked.signals[name][best] for name in names], np.float64)
    parts = (columns.reshape(len(names), len(items)).T * weights).round(4).tolist()
    confidence, likely = _relevance(ranked, best, items)
    rows_of_found = zip(items, scores, repeat(names, len(items)), map(tuple, parts), spans, likely, strict=True)
    return list(map(FoundItem._make, rows_of_found)), confidence


def _relevance(
    ranked: Ranked, best: NDArray[Any], items: Sequence[Message | Record]
) -> tuple[float | None, Sequence[float | None]]:
    """The confidence, and the probability of each item, by the default weights whatever the caller's. The question
    itself, where it was said before, answers nothing."""
    if ranked.calibration is None or ranked.question is None:
        return None, [None] * len(best)
    others = [at for at, item in enumerate(items) if not _same(text_of(item), ranked.question.text)]
    if not others:
        return 0.0, [0.0] * len(best)
    found = relevance(ranked.calibration, ranked.question, *default_scores(ranked, best[others]))
    likely = [0.0] * len(best)
    for at, probability in zip(others, found.probabilities, strict=True):
        likely[at] = probability
    return found.confidence, likely


def _same(text: str, question: str) -> bool:
    """Whether a text is the question, but for case and signs."""
    return abs(len(text) - len(question)) <= _SIGNS and words(text) == words(question)


def default_scores(ranked: Ranked, passages: NDArray[Any]) -> tuple[dict[str, NDArray[Any]], NDArray[Any]]:
    """The signals of some passages, and their scores by the default weights."""
    signals = {name: values[passages].astype(np.float64) for name, values in ranked.signals.items()}
    return signals, sum((ranked.defaults[name] * values for name, values in signals.items()), np.zeros(len(passages)))


def best_passages(
    index: SpaceIndex, rows: NDArray[Any], fit: NDArray[Any]
) -> tuple[NDArray[Any], list[tuple[tuple[int, int], ...]]]:
    """The best passage of each item; and, of a long one, the best few in their order, as much as may be shown."""
    firsts = index.first.values
    spans: list[tuple[tuple[int, int], ...]] = [()] * len(rows)
    best = firsts[rows]
    if len(index.item) > len(firsts):
        ends = np.append(firsts, len(index.item))[rows + 1]
        for at in (ends - best > 1).nonzero()[0].tolist():
            best[at], spans[at] = _best_few(index, slice(int(best[at]), int(ends[at])), fit)
    return best, spans


def _best_few(index: SpaceIndex, part: slice, fit: NDArray[Any]) -> tuple[int, tuple[tuple[int, int], ...]]:
    spans = index.span.values[part]
    room = _SHOWN
    kept: list[tuple[int, int]] = []
    order = np.argsort(-fit[part], kind="stable")
    for at in order:
        start, end = spans[at].tolist()
        if kept and end - start > room:
            break
        kept.append((start, end))
        room -= end - start
    return part.start + int(order[0]), tuple(sorted(kept))
