"""How likely it is that a search found the answer, and that a hit bears on the question.

Scores order the hits of one search; probabilities compare between searches. One logistic model says how likely the
answer is there at all: the confidence, from the best hit and from how the question is put. Another says how likely a
hit bears on a question that has an answer, from its score and rank. Their product is the probability of the hit.
The benchmark `fit` learns both: from questions with evidence, questions put to other conversations, questions about
the wrong person, and talk that asks a memory for nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import log1p
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "HIT",
    "MOST",
    "SEARCH",
    "Calibration",
    "QuestionTraits",
    "Relevance",
    "hit_features",
    "relevance",
    "search_features",
    "speaker_lead",
]

SEARCH = ("best", "near", "meaning", "around", "lead", "words", "wording", "mark")
"""Inputs of the first model: the best hit's score and signals; how much better the best message of the speaker who is
asked about is than that of anyone else; how many words of the question are compared; how much its vector is like those
of questions that need a memory; whether it has a question mark."""

HIT = ("score", "behind", "meaning", "rank")
"""Inputs of the second model: the hit's score, how far it is behind the best, its cosine, the logarithm of its rank."""

_SURE_OF_WORDING = 0.6  # log odds from which on a question needs a memory
_MARKS = "?？؟"
MOST = 4.0  # log odds beyond which the wording says no more to the first model
_TALK = 3.0  # less than minus so much, and it is a greeting or thanks, even if the like of it was said before
_MOST_LEAD = 4.0  # a score by which one speaker's message is clearly better than any of the others'


class Calibration(NamedTuple):
    """What was learned for one embedder. The last number of each row is the intercept."""

    search: NDArray[Any]
    hit: NDArray[Any]
    wording: NDArray[Any] | None  # weights of the numbers of a question's vector; None: there are no vectors


class QuestionTraits(NamedTuple):
    """What the confidence of a search depends on beside its best hit."""

    text: str
    words: int  # that are compared
    personal: bool = False  # whether it is a question about the user, the assistant, or somebody who speaks here
    wording: float | None = None  # log odds, by its vector alone, that it needs a memory; None: not known
    lead: float = 0.0  # see `speaker_lead`

    @property
    def needs_memory(self) -> bool:
        """Whether it asks about the past, as far as its form and its vector tell."""
        return self.personal and self.wording is not None and self.wording >= _SURE_OF_WORDING


class Relevance(NamedTuple):
    """The probabilities of one search."""

    confidence: float  # that the answer is there
    probabilities: list[float]  # of each hit, that it bears on the question


def relevance(
    learned: Calibration, question: QuestionTraits, signals: Mapping[str, NDArray[Any]], scores: NDArray[Any]
) -> Relevance:
    """Return the probabilities of hits, best first, from their signals and their scores by the default weights."""
    if "meaning" not in signals and not np.any(signals["near"]):
        return Relevance(0.0, [0.0] * len(scores))  # no word of it stands anywhere, and nothing else could find it
    features = np.array([search_features(question, signals, scores)])
    confidence = float(_probability(_logits(learned.search, features))[0])
    if question.wording is not None:
        confidence = min(confidence, float(_probability(question.wording + _TALK)))
    likely = confidence * _probability(_logits(learned.hit, hit_features(signals, scores)))
    return Relevance(round(confidence, 4), likely.round(4).tolist())


def search_features(
    question: QuestionTraits, signals: Mapping[str, NDArray[Any]], scores: NDArray[Any]
) -> tuple[float, ...]:
    """Return the inputs of the first model, in the order of `SEARCH`."""
    top = int(np.argmax(scores))
    near, meaning, around = (float(signals[name][top]) if name in signals else 0.0 for name in SEARCH[1:4])
    wording = max(-MOST, min(MOST, question.wording or 0.0))
    mark = float(any(mark in question.text for mark in _MARKS))
    return float(scores[top]), near, meaning, around, question.lead, log1p(question.words), wording, mark


def hit_features(signals: Mapping[str, NDArray[Any]], scores: NDArray[Any]) -> NDArray[Any]:
    """Return the inputs of the second model, a row for each hit, in the order of `HIT`."""
    meaning = signals.get("meaning", np.zeros(len(scores)))
    return np.stack([scores, scores - scores.max(), meaning, np.log1p(np.arange(len(scores)))], axis=1)


def speaker_lead(signals: Mapping[str, NDArray[Any]], scores: NDArray[Any], weight: float) -> float:
    """Return how much better the best passage of those asked about is than that of the others, who said it left aside.

    Questions about the wrong person show here: what Ana is asked about was said by Ben. 0 where nobody is asked about.
    """
    side = signals.get("speaker")
    if side is None:
        return 0.0
    plain = scores - np.float32(weight) * side
    theirs = float(np.max(plain, where=side > 0, initial=-np.inf))
    others = float(np.max(plain, where=side < 0, initial=-np.inf))
    if np.isinf(theirs) or np.isinf(others):
        return 0.0
    return max(-_MOST_LEAD, min(_MOST_LEAD, theirs - others))


def _logits(weights: NDArray[Any], features: NDArray[Any]) -> NDArray[Any]:
    return np.asarray(features @ weights[:-1] + weights[-1])


def _probability(logits: NDArray[Any] | float) -> NDArray[Any]:
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))))
