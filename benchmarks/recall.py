"""How much of the evidence for a question is found: by search, in whole prompts, and by simpler rankings beside them.

What is counted is in docs/benchmarks.md. A turn is in a prompt if at least half of its words stand in the text, the
question itself left out, in runs of at least five: the manifest is not asked.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.figures import Data, Figure, Figures, benchmark, cells
from benchmarks.recall_data import Embedder, Held, Question, Sets, Turn, held, load

OURS, WHOLE, CONTEXT = "onrecord", "onrecord, whole turns", "onrecord, prompt"
TOP = 10
BUDGETS = (500, 1_000, 2_000, 4_000)
ALL_IN = 2_000  # tokens within which it is counted how often all of the evidence is found
HEADLINES = ("top 10", "2,000 tokens")
RUN = 5  # words in a row that are no coincidence
RESAMPLES = 2_000
_WORD = re.compile(r"\w+")
K1, B = 1.2, 0.75  # the usual figures of BM25
PLACES = 60  # the usual constant of reciprocal-rank fusion


@dataclass(frozen=True, slots=True)
class Answer:
    """What every method found for one question."""

    set: str
    category: str
    scores: dict[str, dict[str, float]]  # by method, then by column; in percent
    sent: dict[int, tuple[int, int]] = field(default_factory=dict)  # by budget: tokens of the prompt, of its recall


@benchmark
def recall(data: Data, sets: Sets = None, embedder: Embedder = "auto") -> Figures:
    """Measure how much of the evidence for a question is found, beside simpler rankings.

    Example: python -m benchmarks recall --data conversations/
    """
    notes: dict[str, None] = {}
    with held(load(data, sets or ()), embedder) as places:
        found = [answer for place in places for answer in answers(place, notes)]
    yield from figures(found)
    yield from notes


def answers(place: Held, notes: dict[str, None]) -> Iterator[Answer]:
    """What is found for the questions of one conversation; `notes` receives what searches remark."""
    conversation = place.conversation
    vectors = () if place.embedder is None else place.vectors()
    baselines = Baselines([turn.text for turn in conversation.turns], place.sizes, *vectors)
    for number, question in enumerate(conversation.questions):
        scores = _ours(place, question, notes)
        answer = Answer(conversation.set, question.category, scores)
        scores[CONTEXT] = _prompts(place, question, f"question {number}", answer.sent)
        vector = None if place.embedder is None else place.embedder.embed([question.text])[0]
        for method, order in baselines.orders(question.text, vector, question.gold).items():
            scores[method] = scored(order.tolist(), place.sizes, question.gold)
        yield answer


def _ours(place: Held, question: Question, notes: dict[str, None]) -> dict[str, dict[str, float]]:
    hits = place.memory.search(question.text, kinds="message", limit=len(place.conversation.turns))
    notes.update(dict.fromkeys(hits.notes))
    whole = scored([place.turn(hit) for hit in hits], place.sizes, question.gold)
    ours = dict(whole)
    for budget in BUDGETS:
        fitting = place.memory.search(question.text, kinds="message", tokens=budget)
        ours |= _within(budget, {place.turn(hit) for hit in fitting} & set(question.gold), question.gold)
    return {OURS: ours, WHOLE: whole}


def _prompts(place: Held, question: Question, session: str, sent: dict[int, tuple[int, int]]) -> dict[str, float]:
    scores: dict[str, float] = {}
    turns = place.conversation.turns
    for budget in BUDGETS:
        context = place.memory.session(session).context(question.text, tokens=budget)
        recalled = sum(section.tokens for section in context.sections if section.name == "recalled")
        sent[budget] = context.tokens, recalled
        prompt = Prompt(str(context), question.text)
        scores |= _within(budget, {at for at in question.gold if prompt.holds(turns[at])}, question.gold)
    return scores


# Scores


def scored(order: Sequence[int], sizes: Sequence[int], gold: Collection[int]) -> dict[str, float]:
    """The scores of one order of the turns."""
    scores = {HEADLINES[0]: 100 * len(set(order[:TOP]) & set(gold)) / len(gold)}
    for budget in BUDGETS:
        scores |= _within(budget, inside(order, sizes, budget) & set(gold), gold)
    return scores


def _within(budget: int, found: Collection[int], gold: Collection[int]) -> dict[str, float]:
    scores = {f"{budget:,} tokens": 100 * len(found) / len(gold)}
    return scores | ({f"all in {budget:,}": 100.0 * (len(found) == len(gold))} if budget == ALL_IN else {})


def inside(order: Sequence[int], sizes: Sequence[int], budget: int) -> set[int]:
    """The turns that fit a budget: each in its order, unless there is no room for it."""
    fitting: set[int] = set()
    least = min(sizes, default=0)
    for at in order:
        if sizes[at] <= budget:
            fitting.add(at)
            budget -= sizes[at]
            if budget < least:
                break
    return fitting


class Prompt:
    """The words of a prompt, to look for turns in them."""

    def __init__(self, text: str, question: str) -> None:
        before, asked, after = text.rpartition(question)
        words = _words(f"{before}\n{after}" if asked else text)
        self._line = f" {' '.join(words)} "
        self._runs = {tuple(words[at : at + RUN]) for at in range(len(words) - RUN + 1)}
        self._plain = _plain(text)

    def holds(self, turn: Turn) -> bool:
        """Whether at least half of what was said stands here. A few words alone could stand anywhere: then all of
        them must, and right behind the speaker's name."""
        words = _words(turn.said)
        if not words:
            return _plain(turn.said) in self._plain
        if len(words) < RUN:
            return f" {' '.join([*_words(turn.speaker), *words])} " in self._line
        there = np.zeros(len(words), bool)
        for at in range(len(words) - RUN + 1):
            if tuple(words[at : at + RUN]) in self._runs:
                there[at : at + RUN] = True
        return bool(2 * there.sum() >= len(words))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


# Other rankings: they share nothing with the search but the vectors, so that a mistake cannot make both look alike


class Words:
    """BM25 over whole turns, with words as they are written but for their case."""

    def __init__(self, texts: Sequence[str]) -> None:
        held = [Counter(_lower_words(text)) for text in texts]
        sizes = np.array([sum(counts.values()) for counts in held], float)
        self._norm = K1 * (1 - B + B * sizes / max(1.0, float(sizes.mean()) if len(sizes) else 1.0))
        self._turns = len(texts)
        self._where: dict[str, list[tuple[int, int]]] = {}
        for at, counts in enumerate(held):
            for word, count in counts.items():
                self._where.setdefault(word, []).append((at, count))

    def scores(self, question: str) -> NDArray[Any]:
        scores = np.zeros(self._turns)
        for word in set(_lower_words(question)):
            found = self._where.get(word, [])
            rarity = math.log(1 + (self._turns - len(found) + 0.5) / (len(found) + 0.5))
            for at, count in found:
                scores[at] += rarity * count * (K1 + 1) / (count + self._norm[at])
        return scores


class Baselines:
    """The baselines over one conversation."""

    def __init__(
        self,
        texts: Sequence[str],
        sizes: Sequence[int],
        vectors: NDArray[Any] | None = None,
        owners: NDArray[Any] | None = None,
    ) -> None:
        """`sizes`: tokens of each turn; `vectors` with `owners`: the turn that each is of."""
        self._words = Words(texts)
        self._sizes = sizes
        self._turns = len(texts)
        self._vectors = vectors
        self._owners = owners

    def orders(self, question: str, vector: NDArray[Any] | None, gold: Collection[int]) -> dict[str, NDArray[Any]]:
        """The turns as each baseline ranks them, by its name."""
        found = {"BM25": _best_first(self._words.scores(question))}
        if vector is not None and self._vectors is not None:
            found["dense"] = _best_first(self._dense(vector))
            found["BM25 + dense"] = fused([found["BM25"], found["dense"]])
        newest = np.arange(self._turns)[::-1]
        found["newest first"] = newest
        # The shortest first: no other order has more of the evidence in a budget.
        evidence = sorted(gold, key=lambda at: (self._sizes[at], at))
        found["gold first"] = np.array([*evidence, *(at for at in newest if at not in gold)], int)
        return found

    def _dense(self, vector: NDArray[Any]) -> NDArray[Any]:
        """The cosine of each turn; of a long one that of its best part."""
        assert self._vectors is not None
        assert self._owners is not None
        scores = np.full(self._turns, -1.0)
        np.maximum.at(scores, self._owners, self._vectors @ vector)
        return scores


def fused(orders: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Reciprocal-rank fusion: the sum of 1 / (60 + place)."""
    scores = np.zeros(len(orders[0]))
    for order in orders:
        scores[order] += 1 / (PLACES + 1 + np.arange(len(order)))
    return _best_first(scores)


def _best_first(scores: NDArray[Any]) -> NDArray[Any]:
    """Turns by score, of equals the newest first."""
    last = len(scores) - 1
    return last - np.argsort(-scores[::-1], kind="stable")


def _lower_words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


# Figures


def figures(found: Sequence[Answer]) -> Iterator[Figure]:
    """The means of each set: by method, by category, and what prompts cost."""
    for name in dict.fromkeys(answer.set for answer in found):
        own = [answer for answer in found if answer.set == name]
        for method in own[0].scores:
            title = f"{name}, {len(own)} questions, evidence recall, % (95 % interval)"
            yield from _means(title, method, [answer.scores[method] for answer in own])
    for name, category in sorted({(answer.set, answer.category) for answer in found}):
        own = [answer for answer in found if (answer.set, answer.category) == (name, category)]
        yield from _by_category(f"{name}, {category}", own)
    for name in dict.fromkeys(answer.set for answer in found if answer.sent):
        own = [answer for answer in found if answer.set == name]
        for budget in BUDGETS:
            yield from _cost(f"{name}, {budget:,}", budget, own)


def _means(title: str, method: str, scores: Sequence[dict[str, float]]) -> Iterator[Figure]:
    for column in sorted(scores[0], key=lambda column: column.startswith("all")):
        values = [score[column] for score in scores]
        likely = interval(values) if column in HEADLINES else None
        value = float(np.mean(values))
        yield Figure(table=title, row=method, column=column, value=value, unit="%", interval=likely)


def _by_category(row: str, own: Sequence[Answer]) -> Iterator[Figure]:
    columns = {"questions": (float(len(own)), "n")}
    for method, title in (("dense", "vectors"), (OURS, "search"), (CONTEXT, "prompt")):
        for column in own[0].scores.get(method, ()):
            if column in HEADLINES or (method == CONTEXT and column.endswith("tokens")):
                value = float(np.mean([answer.scores[method][column] for answer in own]))
                columns[f"{title}, {column}"] = value, "%"
    return cells("Evidence recall by category, %", row, columns)


def _cost(row: str, budget: int, own: Sequence[Answer]) -> Iterator[Figure]:
    tokens, recalled = np.mean([answer.sent[budget] for answer in own], axis=0).tolist()
    share = float(np.mean([answer.scores[CONTEXT][f"{budget:,} tokens"] for answer in own]))
    columns = {
        "tokens sent": (tokens, "n"),
        "of these recalled": (recalled, "n"),
        "evidence recall, %": (share, "%"),
        "recall, %, per 1,000 tokens": (1000 * share / tokens, "%"),
    }
    return cells("What prompts cost, mean tokens of a question", row, columns)


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Where the mean of such questions lies in 95 of 100 cases: a bootstrap over questions, always drawn alike."""
    draws = np.random.default_rng(0).integers(0, len(values), (RESAMPLES, len(values)))
    low, high = np.quantile(np.asarray(values)[draws].mean(axis=1), [0.025, 0.975])
    return float(low), float(high)
