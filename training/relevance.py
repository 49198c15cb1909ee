"""Learns how likely it is that a search found the answer, and that a hit bears on the question (`policy.relevance`).

It learns from four kinds of text put to each conversation: its own questions with their evidence; questions about other
conversations; its own questions asked about the wrong person; and messages that ask a memory for nothing. Each set of
conversations counts the same; within a set, questions with evidence are half.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.recall_data import Conversation, Held, Question, held, load, requests
from onrecord.policy.relevance import MOST, SEARCH, hit_features, search_features
from onrecord.ports import Embedder
from onrecord.recall.calibrations import FILE, row_name
from onrecord.recall.index import SpaceIndex
from onrecord.recall.picking import best_of, best_passages, default_scores
from onrecord.recall.search import Search, question_of
from onrecord.recall.spaces import Spaces
from onrecord.records import Message, SearchRequest

__all__ = ["CalibrationCase", "cases", "fit", "learn", "write", "wrong_person"]

HITS = 60  # of each search that are learned from
SHARES = {"evidence": 0.5, "nothing": 0.25, "elsewhere": 0.19, "wrong person": 0.06, "request": 0.0}
"""How much each kind of text counts within a set. Requests that need a memory have no evidence here: of them only the
wording is learned."""

WORDINGS = {"nothing": 0.5, "request": 0.35, "question": 0.15}
"""How much each kind of text counts where only the wording is learned from; all questions are one kind."""

ABOUT_THE_PAST = {"own", "assistant", "named", "list"}
"""Kinds of written requests that no conversation here answers."""

DRAWN = {"nothing": 120, "elsewhere": 60}  # texts of a kind that are put to one conversation; to a short one fewer
SHORT = 100  # messages of a short conversation
RIDGE, RIDGE_OF_VECTORS = 2e-3, 3e-3
FOLDS = 5
WORDING = SEARCH.index("wording")  # is learned first


@dataclass(frozen=True, slots=True)
class CalibrationCase:
    """One text put to one conversation."""

    set: str
    kind: str  # of SHARES
    text: str
    search: tuple[float, ...]  # inputs of the first model, without the wording
    hits: NDArray[Any]  # inputs of the second model, a row a hit
    gold: NDArray[Any]  # which hits are the evidence
    vector: NDArray[Any] | None


def fit(data: Path, sets: Sequence[str], embedder: str) -> None:
    """Learn from some sets of a folder, or from all, and put the row into the file that is shipped."""
    with held(load(data, sets), embedder) as places:
        write(places[0].embedder, learn(cases(places)))


def cases(places: Sequence[Held]) -> list[CalibrationCase]:
    """Put texts of every kind to every conversation."""
    found: list[CalibrationCase] = []
    drawn = random.Random(0)
    asked: dict[bool, set[str]] = {True: set(), False: set()}  # by whether an assistant speaks there
    asked[True] |= {request.text for request in requests("train", asks=True) if request.kind in ABOUT_THE_PAST}
    for place in places:
        asked[_with_assistant(place.conversation)] |= {question.text for question in place.conversation.questions}
    needing = [Question("", request.text, "request", frozenset()) for request in requests("train", asks=True)]
    for place in places:
        with place.index() as (spaces, index):
            texts = [
                *_texts(place.conversation, asked[_with_assistant(place.conversation)], drawn),
                *(("request", one) for one in needing),
            ]
            found += [_case(place, spaces, index, kind, question) for kind, question in texts]
        needing = []  # once is enough
    return found


def _texts(conversation: Conversation, asked: set[str], drawn: random.Random) -> Iterator[tuple[str, Question]]:
    part = 0.1 if len(conversation.turns) < SHORT else 1.0
    own = {question.text for question in conversation.questions}
    elsewhere = sorted(asked - own)
    nothing = [request.text for request in requests("train", asks=False)]
    for question in conversation.questions:
        yield "evidence", question
        if (wrong := wrong_person(conversation, question)) is not None:
            yield "wrong person", wrong
    for kind, texts in (("nothing", nothing), ("elsewhere", elsewhere)):
        for text in drawn.sample(texts, min(int(part * DRAWN[kind]), len(texts))):
            yield kind, Question("", text, kind, frozenset())


def _with_assistant(conversation: Conversation) -> bool:
    return any(turn.role == "assistant" for turn in conversation.turns)


def wrong_person(conversation: Conversation, question: Question) -> Question | None:
    """Return a question about what one of two named speakers said, put about the other; None where that is unclear."""
    said = {conversation.turns[at].speaker for at in question.gold}
    sessions = {conversation.turns[at].session for at in question.gold}
    others = {turn.speaker for turn in conversation.turns if turn.session in sessions} - said
    if len(said) != 1 or len(others) != 1 or "assistant" in {name.lower() for name in said | others}:
        return None
    name, other = said.pop().split()[0], others.pop().split()[0]
    if name not in question.text or other in question.text:
        return None
    return Question(question.id, question.text.replace(name, other), "wrong person", frozenset())


def _case(place: Held, spaces: Spaces, index: SpaceIndex, kind: str, question: Question) -> CalibrationCase:
    asked = SearchRequest(text=question.text, kinds=frozenset({"message"}))
    read = question_of(index, asked, by_name=spaces.knows_names)
    vector = spaces.vector(read.meant)
    ranked = Search(spaces).fused(index, asked, read, vector, [])
    rows, _, _ = best_of(index, asked, ranked, HITS, None, None)
    best, _ = best_passages(index, rows, ranked.passages)
    signals, scores = default_scores(ranked, best)
    traits = ranked.question
    assert traits is not None  # every search with such a ranking has one
    items = [index.items[row] for row in rows.tolist()]
    turns = [place.places[item.session, item.seq] for item in items if isinstance(item, Message)]
    return CalibrationCase(
        set=place.conversation.set,
        kind=kind,
        text=question.text,
        search=search_features(traits._replace(wording=None), signals, scores),
        hits=hit_features(signals, scores),
        gold=np.isin(turns, sorted(question.gold)),
        vector=None if vector is None else np.asarray(vector),
    )


# Learning


def learn(found: Sequence[CalibrationCase]) -> dict[str, list[float] | None]:
    """Return the row of `calibration.json` that is learned from these cases."""
    odds, weights = _wording(found)
    inputs = np.array([case.search for case in found])
    inputs[:, WORDING] = np.clip(odds, -MOST, MOST)
    there = np.array([case.kind == "evidence" for case in found], float)
    search = _logistic(inputs, there, _weights(found, SHARES), RIDGE)
    evidence = [case for case in found if case.kind == "evidence"]
    each = _weights(evidence, {"evidence": 1.0})
    hit = _logistic(
        np.concatenate([case.hits for case in evidence]),
        np.concatenate([case.gold for case in evidence]).astype(float),
        np.repeat(each, [len(case.hits) for case in evidence]),
        RIDGE * 1e-3,  # there are a thousand times as many
    )
    return {"search": _rounded(search), "hit": _rounded(hit), "wording": None if weights is None else _rounded(weights)}


def write(embedder: Embedder | None, row: Mapping[str, list[float] | None]) -> None:
    """Put a row into the file that is shipped."""
    file = Path(str(FILE))
    rows = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
    rows[row_name(None if embedder is None else embedder.name)] = dict(row)
    lines = [f"  {json.dumps(name)}: {json.dumps(rows[name])}" for name in sorted(rows)]
    file.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def _wording(found: Sequence[CalibrationCase]) -> tuple[NDArray[Any], NDArray[Any] | None]:
    """The log odds of each case that it needs a memory, by its vector, learned without its text; and the weights
    learned from all."""
    vectors = {case.text: case.vector for case in found if case.vector is not None}
    if not vectors:
        return np.zeros(len(found)), None
    kinds = {case.text: case.kind for case in found}
    texts = sorted(vectors)
    inputs = np.array([vectors[text] for text in texts])
    groups = [kinds[text] if kinds[text] in WORDINGS else "question" for text in texts]
    labels = np.array([float(kinds[text] != "nothing") for text in texts])
    counts = Counter(groups)
    each = np.array([WORDINGS[group] / counts[group] for group in groups]) * len(texts)
    fold = np.random.default_rng(0).permutation(len(texts)) % FOLDS
    odds: dict[str, float] = {}
    for number in range(FOLDS):
        seen, unseen = fold != number, fold == number
        weights = _logistic(inputs[seen], labels[seen], each[seen], RIDGE_OF_VECTORS)
        logits = inputs[unseen] @ weights[:-1] + weights[-1]
        odds |= dict(zip([text for text, at in zip(texts, fold, strict=True) if at == number], logits, strict=True))
    return np.array([odds[case.text] for case in found]), _logistic(inputs, labels, each, RIDGE_OF_VECTORS)


def _weights(found: Sequence[CalibrationCase], shares: Mapping[str, float]) -> NDArray[Any]:
    keys = [(case.set, case.kind) for case in found]
    counts = Counter(keys)
    each = np.array([shares[kind] / counts[set, kind] for set, kind in keys])
    return np.asarray(each * len(each) / each.sum())


def _logistic(
    inputs: NDArray[Any], labels: NDArray[Any], each: NDArray[Any], ridge: float, steps: int = 50
) -> NDArray[Any]:
    """Return the weights of a logistic regression and its intercept, by Newton's method; inputs are taken in units of
    how much they vary."""
    mean, unit = np.average(inputs, axis=0, weights=each), inputs.std(axis=0)
    unit = np.where(unit > 1e-9, unit, 1.0)
    columns = np.c_[(inputs - mean) / unit, np.ones(len(inputs))]
    pull = ridge * each.sum() * np.diag(np.r_[np.ones(inputs.shape[1]), 0.0])
    weights = np.zeros(columns.shape[1])
    for _ in range(steps):
        chances = 1 / (1 + np.exp(-np.clip(columns @ weights, -30, 30)))
        bend = (columns * (each * chances * (1 - chances))[:, None]).T @ columns + pull
        change = np.linalg.solve(bend, columns.T @ (each * (labels - chances)) - pull @ weights)
        weights = weights + change
        if abs(change).max() < 1e-6:
            break
    return np.asarray(np.r_[weights[:-1] / unit, weights[-1] - (weights[:-1] * mean / unit).sum()])


def _rounded(values: NDArray[Any]) -> list[float]:
    return [round(value, 4) for value in values.tolist()]
