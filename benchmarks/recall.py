"""How much of the evidence for a question is found: by search, in whole prompts, and by simpler rankings beside them.

Conversations come with questions, and each question with the turns that answer it (`recall_data`). Counted are the
share of these turns among the first so many, and within so many tokens: what `search(text, tokens=…)` answers. A hit
costs what it shows, of a long message the best passages, and counts however little that is. The row "whole turns" takes
the hits in their order, and all of each message, as the simpler rankings do: what does not fit is skipped, and the next
tried.

For a prompt, `context(question, tokens=…)` is asked in a conversation of its own. A turn counts if at least half of its
words stand in the text of the prompt, the question itself left out, in runs of at least five: what the manifest says is
not asked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.recall_baselines import Baselines
from benchmarks.recall_data import A_QUESTION, Conversation, Held, Question, Turn, held
from recollect.ports import Embedder, Progress

__all__ = [
    "ALL",
    "BUDGETS",
    "CONTEXT",
    "HEADLINES",
    "OURS",
    "TOPS",
    "WHOLE",
    "Answer",
    "Figure",
    "Latency",
    "Measured",
    "Prompt",
    "PromptCost",
    "figures",
    "inside",
    "interval",
    "measure",
    "scored",
]

OURS, WHOLE, CONTEXT = "recollect", "recollect, whole turns", "recollect, prompt"
OURS_BESIDE, DENSE_BESIDE = f"{OURS}, other encoder", "dense, other encoder"
ALL = "all"
"""In place of a category: every question."""

TOPS = (5, 10, 20, 50)
BUDGETS = (500, 1_000, 2_000, 4_000)
HEADLINES = ("top 10", "2000 tokens")
RUN = 5  # words in a row that are no coincidence
RESAMPLES = 2_000
AT_ONCE = 10  # hits that a search is asked for when it is timed
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Answer:
    """What every method found for one question."""

    set: str
    category: str
    scores: dict[str, dict[str, float]]  # by method, then by figure; from 0 to 1
    sent: dict[int, tuple[int, int]] = field(default_factory=dict)  # by budget: tokens of the prompt, and of its recall


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A method's mean scores over one category of one set."""

    set: str
    category: str
    who: str
    questions: int
    scores: dict[str, float]  # in percent
    intervals: dict[str, tuple[float, float]]  # 95 %, of the headlines


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptCost:
    """What prompts cost, in the mean over a set."""

    set: str
    budget: int
    found: float  # of the evidence, in percent
    tokens: float  # of the whole prompt
    recalled: float  # of its recalled lines
    found_per_1000: float  # of the evidence, for a thousand tokens sent


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """How long something takes, in milliseconds."""

    set: str
    what: str
    p50: float
    p95: float


@dataclass(slots=True)
class Measured:
    """One run."""

    figures: list[Figure] = field(default_factory=list)
    latency: list[Latency] = field(default_factory=list)
    sent: list[PromptCost] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # what searches said could not be done as usual


Times = dict[tuple[str, str], list[float]]


def measure(
    conversations: Sequence[Conversation],
    *,
    embedder: str | Embedder | None = "auto",
    profile: str = "balanced",
    context: bool = True,
    beside: str | Embedder | None = None,
    progress: Progress = lambda done: None,
) -> Measured:
    """All methods over all questions, and what `beside`, another embedder, would find; progress is told what
    `recall_data.work` counts, once for each embedder."""
    answers: list[Answer] = []
    times: Times = {}
    notes: dict[str, None] = {}
    with held(conversations, embedder, profile, progress) as places:
        for place in places:
            for answer in _answers(place, context, times, notes):
                answers.append(answer)
                progress(A_QUESTION)
    if beside is not None:
        with held(conversations, beside, profile, progress) as places:
            more = [scores for place in places for scores in _beside(place, notes, progress)]
        for answer, scores in zip(answers, more, strict=True):
            answer.scores.update(scores)
    return Measured(figures(answers), _latency(times), _sent(answers), list(notes))


def _answers(place: Held, context: bool, times: Times, notes: dict[str, None]) -> Iterator[Answer]:
    conversation = place.conversation
    texts = [turn.text for turn in conversation.turns]
    baselines = Baselines(texts, place.sizes, *(place.vectors() if place.embedder is not None else ()))
    place.memory.search("hello", kinds="message", limit=AT_ONCE)  # opens the index, which is not what is timed
    for number, question in enumerate(conversation.questions):
        scores = _ours(place, question, times, notes)
        vector = _timed(times, conversation.set, "embedding", lambda: _vector(place, question.text))  # noqa: B023
        for who, order in baselines.orders(question.text, vector, question.gold).items():
            scores[who] = scored(order.tolist(), place.sizes, question.gold)
        answer = Answer(conversation.set, question.category, scores)
        if context:
            scores[CONTEXT] = _prompts(place, question, f"question {number}", times, answer.sent)
        yield answer


def _beside(place: Held, notes: dict[str, None], progress: Progress) -> Iterator[dict[str, dict[str, float]]]:
    """The same with another embedder: the search, and its vectors alone."""
    baselines = Baselines([turn.text for turn in place.conversation.turns], place.sizes, *place.vectors())
    for question in place.conversation.questions:
        orders = baselines.orders(question.text, _vector(place, question.text), question.gold)
        ours = _ours(place, question, {}, notes)[OURS]
        yield {OURS_BESIDE: ours, DENSE_BESIDE: scored(orders["dense"].tolist(), place.sizes, question.gold)}
        progress(A_QUESTION)


def _ours(place: Held, question: Question, times: Times, notes: dict[str, None]) -> dict[str, dict[str, float]]:
    name, turns = place.conversation.set, len(place.conversation.turns)
    # The first search of a question embeds it; the second, for the whole order, is not timed.
    found = _timed(times, name, "search", lambda: place.memory.search(question.text, kinds="message", limit=AT_ONCE))
    notes.update(dict.fromkeys(found.notes))
    hits = place.memory.search(question.text, kinds="message", limit=turns)
    whole = scored([place.turn(hit) for hit in hits], place.sizes, question.gold)
    ours = dict(whole)
    for budget in BUDGETS:
        fitting = place.memory.search(question.text, kinds="message", tokens=budget)
        ours |= _within(budget, {place.turn(hit) for hit in fitting} & set(question.gold), question.gold)
    return {OURS: ours, WHOLE: whole}


def _vector(place: Held, text: str) -> NDArray[Any] | None:
    return None if place.embedder is None else place.embedder.embed([text])[0]


def _prompts(
    place: Held, question: Question, session: str, times: Times, sent: dict[int, tuple[int, int]]
) -> dict[str, float]:
    scores: dict[str, float] = {}
    turns = place.conversation.turns
    for budget in BUDGETS:
        asked = place.memory.session(session)
        built = _timed(times, place.conversation.set, "prompt", lambda: asked.context(question.text, tokens=budget))  # noqa: B023
        sent[budget] = built.tokens, sum(part.tokens for part in built.sections if part.name == "recalled")
        prompt = Prompt(str(built), question.text)
        scores |= _within(budget, {at for at in question.gold if prompt.holds(turns[at])}, question.gold)
    return scores


# Scores


def scored(order: Sequence[int], sizes: Sequence[int], gold: Collection[int]) -> dict[str, float]:
    """The figures of one order of the turns."""
    scores = {f"top {many}": len(set(order[:many]) & set(gold)) / len(gold) for many in TOPS}
    for budget in BUDGETS:
        scores |= _within(budget, inside(order, sizes, budget) & set(gold), gold)
    return scores


def _within(budget: int, found: Collection[int], gold: Collection[int]) -> dict[str, float]:
    return {f"{budget} tokens": len(found) / len(gold), f"all in {budget}": float(len(found) == len(gold))}


def inside(order: Sequence[int], sizes: Sequence[int], budget: int) -> set[int]:
    """The turns that fit a budget: each in its order, unless there is no room for it."""
    found: set[int] = set()
    least = min(sizes, default=0)
    for at in order:
        if sizes[at] <= budget:
            found.add(at)
            budget -= sizes[at]
            if budget < least:
                break
    return found


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
        said = _words(turn.said)
        if not said:
            return _plain(turn.said) in self._plain
        if len(said) < RUN:
            return f" {' '.join([*_words(turn.speaker), *said])} " in self._line
        there = np.zeros(len(said), bool)
        for at in range(len(said) - RUN + 1):
            if tuple(said[at : at + RUN]) in self._runs:
                there[at : at + RUN] = True
        return bool(2 * there.sum() >= len(said))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


# Figures


def figures(answers: Sequence[Answer]) -> list[Figure]:
    """The means by set, category and method; all categories of a set together come first."""
    found = []
    for name in dict.fromkeys(answer.set for answer in answers):
        own = [answer for answer in answers if answer.set == name]
        for category in (ALL, *sorted({answer.category for answer in own})):
            part = [answer for answer in own if category in (ALL, answer.category)]
            found += [_figure(name, category, who, part) for who in part[0].scores]
    return found


def _figure(name: str, category: str, who: str, part: Sequence[Answer]) -> Figure:
    scores = {kind: [100 * answer.scores[who][kind] for answer in part] for kind in part[0].scores[who]}
    return Figure(
        set=name,
        category=category,
        who=who,
        questions=len(part),
        scores={kind: round(float(np.mean(values)), 2) for kind, values in scores.items()},
        intervals={kind: interval(scores[kind]) for kind in HEADLINES if kind in scores},
    )


def interval(values: Sequence[float]) -> tuple[float, float]:
    """Where the mean of such questions lies in 95 of 100 cases: a bootstrap over questions, always drawn alike."""
    draws = np.random.default_rng(0).integers(0, len(values), (RESAMPLES, len(values)))
    low, high = np.quantile(np.asarray(values)[draws].mean(axis=1), [0.025, 0.975])
    return round(float(low), 1), round(float(high), 1)


def _sent(answers: Sequence[Answer]) -> list[PromptCost]:
    found = []
    for name in dict.fromkeys(answer.set for answer in answers if answer.sent):
        own = [answer for answer in answers if answer.set == name]
        for budget in BUDGETS:
            tokens, recalled = np.mean([answer.sent[budget] for answer in own], axis=0).tolist()
            share = 100 * float(np.mean([answer.scores[CONTEXT][f"{budget} tokens"] for answer in own]))
            per_1000 = 1000 * share / tokens
            costs = {"tokens": tokens, "recalled": recalled, "found": share, "found_per_1000": per_1000}
            found.append(
                PromptCost(set=name, budget=budget, **{kind: round(value, 1) for kind, value in costs.items()})
            )
    return found


def _timed(times: Times, name: str, what: str, work: Callable[[], Any]) -> Any:
    start = perf_counter()
    answer = work()
    times.setdefault((name, what), []).append((perf_counter() - start) * 1000)
    return answer


def _latency(times: Times) -> list[Latency]:
    found = []
    for (name, what), seen in times.items():
        p50, p95 = np.quantile(seen, [0.5, 0.95])
        found.append(Latency(set=name, what=what, p50=round(float(p50), 2), p95=round(float(p95), 2)))
    return found
