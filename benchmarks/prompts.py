"""Whether prompts recall only what belongs: nothing for talk that asks for nothing, and probabilities that hold.

Each conversation is sent messages that ask for nothing, its own questions, and questions that it does not answer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.figures import Data, Figure, Figures, benchmark, cells
from benchmarks.recall_data import Embedder, Held, Sets, held, load, requests, unanswerable

BUDGET = 4_000
LET_THROUGH = 0.95  # share of the questions with evidence that a threshold must let through
HITS = 20  # of each search whose probabilities are judged
BINS = 10


@dataclass(slots=True)
class SetAnswers:
    """What was seen on one set."""

    lines: list[int] = field(default_factory=list)  # recalled for each opener
    idle: list[float] = field(default_factory=list)  # confidence for each opener
    answerable: list[float] = field(default_factory=list)
    unanswerable: list[float] = field(default_factory=list)
    probabilities: list[float] = field(default_factory=list)  # of hits
    gold: list[bool] = field(default_factory=list)  # whether these hits are evidence


@benchmark
def prompts(data: Data, sets: Sets = None, embedder: Embedder = "auto") -> Figures:
    """Measure whether prompts recall only what belongs, and how far probabilities hold.

    Example: python -m benchmarks prompts --data conversations/
    """
    answers: dict[str, SetAnswers] = {}
    with held(load(data, sets or ()), embedder) as places:
        for place in places:
            _ask(place, data, answers.setdefault(place.conversation.set, SetAnswers()))
    for name, own in answers.items():
        yield from _figures(name, own)


def _ask(place: Held, data: Path, answers: SetAnswers) -> None:
    chat = place.memory.session("a new conversation")
    for request in requests("test", asks=False):
        context = chat.context(request.text, tokens=BUDGET)
        lines = [line for line in context.manifest if line.section == "recalled" and line.included]
        answers.lines.append(sum(line.kind != "note" for line in lines))
        answers.idle.append(context.confidence or 0.0)
    for text in unanswerable(data, place.conversation):
        answers.unanswerable.append(place.memory.search(text, kinds="message").confidence or 0.0)
    for question in place.conversation.questions:
        hits = place.memory.search(question.text, kinds="message", limit=HITS)
        answers.answerable.append(hits.confidence or 0.0)
        answers.probabilities += [hit.probability or 0.0 for hit in hits]
        answers.gold += [place.turn(hit) in question.gold for hit in hits]


def _figures(name: str, answers: SetAnswers) -> Iterator[Figure]:
    least = float(np.quantile(answers.answerable, 1 - LET_THROUGH))
    both = answers.answerable + answers.idle
    there = [True] * len(answers.answerable) + [False] * len(answers.idle)
    half = [0.5 / len(part) for part in (answers.answerable, answers.idle) for _ in part]
    columns = {
        "openers": (len(answers.lines), "n"),
        "silent, %": (100 * float(np.mean([lines == 0 for lines in answers.lines])), "%"),
        "most lines": (max(answers.lines), "n"),
        "questions": (len(answers.answerable), "n"),
        "unanswerable": (len(answers.unanswerable), "n"),
    }
    if (auc := separation(answers.answerable, answers.unanswerable)) is not None:
        columns["AUC"] = auc, "ratio"
        columns["flagged, %"] = 100 * float(np.mean(np.array(answers.unanswerable) < least)), "%"
    columns["ECE"] = calibration_error(both, there, half), ""
    columns["ECE, hits"] = calibration_error(answers.probabilities, answers.gold), ""
    return cells(f"Prompts of {BUDGET:,} tokens", name, columns)


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
