"""Whether prompts recall only what belongs: nothing for talk that asks for nothing, and probabilities that hold.

Each conversation is a memory. It is sent the messages of the held-out half of `openers.jsonl` that ask for nothing, its
own questions, and questions that it does not answer (`unanswerable.json` in the folder of the data or beside it).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.recall_data import A_QUESTION, Conversation, Held, held
from benchmarks.requests import requests, unanswerable
from recollect.ports import Embedder, Progress

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["PromptFigures", "calibration_error", "measure", "separation", "table"]

BUDGET = 4_000
LET_THROUGH = 0.95  # share of the questions with evidence that a threshold must let through
HITS = 20  # of each search whose probabilities are judged
BINS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptFigures:
    """What was seen on one set."""

    set: str
    openers: int
    silent: float  # share of the openers for which nothing was recalled
    most_lines: int  # recalled for one of the others
    questions: int
    unanswerable: int
    separation: float | None  # how often an answerable question has more confidence than an unanswerable one
    flagged: float | None  # share of the unanswerable below the confidence that lets 95 % of the others through
    confidence_error: float  # of the confidence: questions with evidence beside openers, half and half
    hit_error: float  # of the probability of hits


@dataclass(slots=True)
class _SeenOfSet:
    lines: list[int] = field(default_factory=list)  # recalled for each opener
    idle: list[float] = field(default_factory=list)  # confidence for each opener
    answerable: list[float] = field(default_factory=list)
    unanswerable: list[float] = field(default_factory=list)
    probabilities: list[float] = field(default_factory=list)  # of hits
    gold: list[bool] = field(default_factory=list)  # whether these hits are evidence


def measure(
    conversations: Sequence[Conversation], data: Path, embedder: str | Embedder | None, progress: Progress
) -> list[PromptFigures]:
    """Return the figures of each set. Progress receives what `recall_data.work` counts."""
    seen: dict[str, _SeenOfSet] = {}
    with held(conversations, embedder, "balanced", progress) as places:
        for place in places:
            _look(place, data, seen.setdefault(place.conversation.set, _SeenOfSet()))
            progress(A_QUESTION * len(place.conversation.questions))
    return [_figures(name, own) for name, own in seen.items()]


def _look(place: Held, data: Path, seen: _SeenOfSet) -> None:
    chat = place.memory.session("a new conversation")
    for request in requests("test", asks=False):
        context = chat.context(request.text, tokens=BUDGET)
        lines = [line for line in context.manifest if line.section == "recalled" and line.included]
        seen.lines.append(sum(line.kind != "note" for line in lines))
        seen.idle.append(context.confidence or 0.0)
    for text in unanswerable(data, place.conversation):
        seen.unanswerable.append(place.memory.search(text, kinds="message").confidence or 0.0)
    for question in place.conversation.questions:
        hits = place.memory.search(question.text, kinds="message", limit=HITS)
        seen.answerable.append(hits.confidence or 0.0)
        seen.probabilities += [hit.probability or 0.0 for hit in hits]
        seen.gold += [place.turn(hit) in question.gold for hit in hits]


def _figures(name: str, seen: _SeenOfSet) -> PromptFigures:
    least = float(np.quantile(seen.answerable, 1 - LET_THROUGH))
    both = seen.answerable + seen.idle
    there = [True] * len(seen.answerable) + [False] * len(seen.idle)
    each = [0.5 / len(seen.answerable)] * len(seen.answerable) + [0.5 / len(seen.idle)] * len(seen.idle)
    return PromptFigures(
        set=name,
        openers=len(seen.lines),
        silent=float(np.mean([lines == 0 for lines in seen.lines])),
        most_lines=max(seen.lines),
        questions=len(seen.answerable),
        unanswerable=len(seen.unanswerable),
        separation=separation(seen.answerable, seen.unanswerable),
        flagged=float(np.mean(np.array(seen.unanswerable) < least)) if seen.unanswerable else None,
        confidence_error=calibration_error(both, there, each),
        hit_error=calibration_error(seen.probabilities, seen.gold),
    )


def separation(more: Sequence[float], less: Sequence[float]) -> float | None:
    """Return how often one of `more` is above one of `less`, equal ones counted half (AUC); None without any."""
    if not more or not less:
        return None
    above = np.subtract.outer(np.asarray(more), np.asarray(less))
    return float(np.mean((above > 0) + 0.5 * (above == 0)))


def calibration_error(
    probabilities: Sequence[float], came_true: Sequence[bool], weights: Sequence[float] | None = None
) -> float:
    """Return how far probabilities are from what came true, as the mean over ten equal bins (ECE).

    >>> round(calibration_error([0.9, 0.9, 0.1], [True, False, False]), 2)
    0.3
    """
    chances, true = np.asarray(probabilities, float), np.asarray(came_true, float)
    each = np.full(len(chances), 1 / len(chances)) if weights is None else np.asarray(weights, float)
    bins = np.minimum((chances * BINS).astype(int), BINS - 1)
    return float(sum(abs(np.sum((each * (chances - true))[bins == number])) for number in range(BINS)))


def table(figures: Sequence[PromptFigures]) -> Table:
    """Return the figures as a table for people."""
    from rich.table import Table

    shown = Table(title=f"Prompts of {BUDGET:,} tokens", title_justify="left")
    shown.add_column("set")
    heads = ("openers", "silent %", "most lines", "questions", "unanswerable", "AUC", "flagged %", "ECE", "ECE, hits")
    for head in heads:
        shown.add_column(head, justify="right")
    for figure in figures:
        shown.add_row(figure.set, *_cells(figure))
    return shown


def _cells(figure: PromptFigures) -> Iterator[str]:
    yield from (str(figure.openers), f"{100 * figure.silent:.1f}", str(figure.most_lines), str(figure.questions))
    yield str(figure.unanswerable)
    yield "–" if figure.separation is None else f"{figure.separation:.2f}"
    yield "–" if figure.flagged is None else f"{100 * figure.flagged:.0f}"
    yield from (f"{figure.confidence_error:.3f}", f"{figure.hit_error:.3f}")
