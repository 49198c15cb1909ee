"""How good summaries without a model are: ours beside the start of the text, random sentences and the keyword line.

Against people's summaries: ROUGE-1, -2 and -L (F1, stemmed), every method cut to the same number of words, the mean
length of the references, and given the same text, in which the speaker's label stands where the speaker changes. And at
a tenth of the length: how many of the numbers, names and dates of the conversation are still there.

Input is a folder of JSON files. `[{"id", "messages": [{"speaker", "text"}], "summary"}]` is scored by both measures;
`{"conversations": [{"id", "messages"}]}` is cut into stretches and scored by what is kept. Every second conversation
counts as "dev", the others as "test", so that whoever changes a setting by the one sees whether it holds on the other.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache, partial
from pathlib import Path
from statistics import mean
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol

from benchmarks.asking import asked, told
from recollect.derive.extractive import Piece, extract
from recollect.derive.keyword import keyword_summary
from recollect.errors import InvalidInput, ModelError
from recollect.policy.checks import support_refusal
from recollect.policy.sentences import sentences
from recollect.policy.signs import dates, names, numbers
from recollect.ports import Embedder, Model, Progress
from recollect.recall.central import central

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["Case", "Figure", "load", "measure", "methods", "table", "tables"]

Method = Callable[[Sequence[Piece], int, int], str]
"""Pieces, words and a seed: the summary."""

OURS = "recollect"
BY_MEANING = "recollect, by meaning too"
CHECKED = "checked"
SEEDS = range(5)  # of the random summaries; their scores are averaged
STRETCH = 48  # messages of a long conversation that are summarised together
TENTH = 0.1
LEAST_WORDS = 12  # a tenth of a short dialogue says nothing at all
ROUGE = ("rouge1", "rouge2", "rougeL")
KEPT: tuple[tuple[str, Callable[[str], tuple[str, ...]]], ...] = (
    ("numbers", numbers),
    ("names", names),
    ("dates", dates),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A conversation to summarise."""

    set: str  # the file it is from
    pieces: tuple[Piece, ...]
    reference: str = ""  # a person's summary, if there is one

    @property
    def words(self) -> int:
        return sum(len(piece.text.split()) for piece in self.pieces)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A method's mean scores over one half of one set."""

    set: str
    half: str  # dev or test
    who: str  # the method
    cases: int
    words: int  # the length of every summary that was compared with a reference; 0 without references
    scores: dict[str, float]  # ROUGE F1 and the shares kept, in percent
    ms: float  # a summary, on average


class _Scorer(Protocol):
    def score(self, target: str, prediction: str) -> dict[str, Any]: ...


def load(path: Path) -> list[Case]:
    """The conversations of a file, or of all JSON files of a folder."""
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    if not files or not all(file.is_file() for file in files):
        raise InvalidInput(f"There are no conversations at {path}.", "Give a folder of JSON files, or one file.")
    return [case for file in files for case in _cases(file)]


def methods(embedder: Embedder | None = None, model: Model | None = None) -> dict[str, Method]:
    """The methods by name; with an embedder also ours with sentences weighed by meaning, with a model also what it
    writes, unchecked, and what is kept of that."""
    found: dict[str, Method] = {OURS: _ours}
    if embedder is not None:
        found[BY_MEANING] = _by_meaning(embedder)
    if model is not None:
        ask = cache(partial(_asked, model))
        found[model.name] = lambda pieces, words, _: ask(tuple(pieces), words)
        found[f"{model.name}, {CHECKED}"] = lambda pieces, words, _: _checked(ask(tuple(pieces), words), pieces, words)
    return found | METHODS


def sample(cases: Sequence[Case], most: int | None) -> list[Case]:
    """At most so many conversations, evenly from all of each half."""
    step = 1 if most is None else max(1, len(cases) // 2 // max(1, most // 2))
    return [case for at, case in enumerate(cases) if at // 2 % step == 0][:most]


def measure(cases: Sequence[Case], compared: Mapping[str, Method], progress: Progress) -> list[Figure]:
    """All methods over all sets, half by half; progress is told the words of each conversation, once a method."""
    figures = []
    for name in dict.fromkeys(case.set for case in cases):
        own = [case for case in cases if case.set == name]
        lengths = [len(case.reference.split()) for case in own if case.reference]
        words = round(mean(lengths)) if lengths else 0
        for half, part in (("dev", own[::2]), ("test", own[1::2])):
            if part:
                figures += [_figure(who, method, name, half, part, words, progress) for who, method in compared.items()]
    return figures


def table(figures: Sequence[Figure]) -> list[dict[str, object]]:
    """The figures as plain dictionaries, for JSON."""
    return [asdict(figure) for figure in figures]


def tables(figures: Sequence[Figure]) -> Iterator[Table]:
    """The figures as tables, one for each set and half."""
    from rich.table import Table

    for name, half in dict.fromkeys((figure.set, figure.half) for figure in figures):
        own = [figure for figure in figures if (figure.set, figure.half) == (name, half)]
        length = f", {own[0].words} words" if own[0].words else ""
        shown = Table(title=f"{name}, {half}: {own[0].cases} conversations{length}", title_justify="left")
        shown.add_column("method")
        for score in own[0].scores:
            shown.add_column(score, justify="right")
        shown.add_column("ms", justify="right")
        for figure in own:
            shown.add_row(figure.who, *(f"{score:.1f}" for score in figure.scores.values()), f"{figure.ms:.2f}")
        yield shown


def _cases(file: Path) -> Iterator[Case]:
    try:
        data = json.loads(file.read_text(encoding="utf-8"))
        if isinstance(data, list):
            for entry in data:
                yield Case(set=file.stem, pieces=_pieces(entry["messages"]), reference=entry["summary"])
        else:
            for entry in data["conversations"]:
                for start in range(0, len(entry["messages"]), STRETCH):
                    yield Case(set=file.stem, pieces=_pieces(entry["messages"][start : start + STRETCH]))
    except (KeyError, TypeError, ValueError) as problem:
        hint = "Its shape is in benchmarks.summaries; other files do not belong in the folder."
        raise InvalidInput(f"{file} does not hold conversations: {problem!r}.", hint) from problem


def _pieces(messages: Sequence[dict[str, str]]) -> tuple[Piece, ...]:
    return tuple(Piece(message["speaker"], message["text"]) for message in messages)


# The methods


def _ours(pieces: Sequence[Piece], words: int, _: int) -> str:
    return extract(pieces, words // 2, words).text


def _lead(pieces: Sequence[Piece], words: int, _: int) -> str:
    return _first_words(_sentences(pieces), words)


def _random(pieces: Sequence[Piece], words: int, seed: int) -> str:
    """Random sentences, in their order."""
    told = _sentences(pieces)
    numbers = list(range(len(told)))
    random.Random(seed).shuffle(numbers)
    taken: list[int] = []
    size = 0
    while numbers and size < words:
        taken.append(numbers.pop())
        size += len(told[taken[-1]][1].split())
    return _first_words([told[number] for number in sorted(taken)], words)


def _keyword(pieces: Sequence[Piece], words: int, _: int) -> str:
    first = pieces[0].who if pieces else ""
    turns = [("user" if piece.who == first else "assistant", piece.text) for piece in pieces]
    return " ".join(keyword_summary(turns).split()[:words])


def _by_meaning(embedder: Embedder) -> Method:
    near = partial(central, embedder)
    return lambda pieces, words, _: extract(pieces, words // 2, words, central=near).text


def _asked(model: Model, pieces: tuple[Piece, ...], words: int) -> str:
    try:
        return " ".join(asked(model, pieces, words // 2, words).split()[:words])
    except ModelError:
        return ""


def _checked(text: str, pieces: Sequence[Piece], words: int) -> str:
    """A model's text if it is supported; otherwise ours, as in the product."""
    refused = not text or support_refusal(text, told(pieces).splitlines())
    return _ours(pieces, words, 0) if refused else text


METHODS: dict[str, Method] = {
    OURS: _ours,
    "lead": _lead,
    "random": _random,
    "keyword": _keyword,
}


def _sentences(pieces: Sequence[Piece]) -> list[tuple[str, str]]:
    return [(piece.who, sentence) for piece in pieces for sentence in sentences(piece.text)]


def _first_words(told: Sequence[tuple[str, str]], words: int) -> str:
    found: list[str] = []
    who = ""
    for speaker, sentence in told:
        found += ([f"{speaker}:"] if speaker != who else []) + sentence.split()
        who = speaker
    return " ".join(found[:words])


# Scoring


def _figure(
    who: str, method: Method, name: str, half: str, part: Sequence[Case], words: int, progress: Progress
) -> Figure:
    seeds = SEEDS if who == "random" else SEEDS[:1]
    rouge = _rouge() if words else None
    scores: dict[str, list[float]] = {}
    seconds: list[float] = []
    for case in part:
        for seed in seeds:
            for kind, score in _scored(method, case, words, seed, rouge, seconds):
                scores.setdefault(kind, []).append(score * 100)
        progress(case.words)
    kinds = [kind for kind in (*ROUGE, *(kind for kind, _ in KEPT)) if kind in scores]
    return Figure(
        set=name,
        half=half,
        who=who,
        cases=len(part),
        words=words,
        scores={kind: round(mean(scores[kind]), 2) for kind in kinds},
        ms=round(mean(seconds) * 1000, 3),
    )


def _scored(
    method: Method, case: Case, words: int, seed: int, rouge: _Scorer | None, seconds: list[float]
) -> Iterator[tuple[str, float]]:
    if rouge is not None:
        start = perf_counter()
        text = method(case.pieces, words, seed)
        seconds.append(perf_counter() - start)
        found = rouge.score(case.reference, text)
        yield from ((kind, found[kind].fmeasure) for kind in ROUGE)
    source = "\n".join(piece.text for piece in case.pieces)
    start = perf_counter()
    text = method(case.pieces, max(LEAST_WORDS, int(len(source.split()) * TENTH)), seed)
    seconds.append(perf_counter() - start)
    for kind, mentions in KEPT:
        wanted = {mention.lower() for mention in mentions(source)}
        if wanted:
            yield kind, sum(_holds(text.lower(), mention) for mention in wanted) / len(wanted)


def _holds(text: str, mention: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(mention)}(?!\w)", text) is not None


def _rouge() -> _Scorer:
    try:
        from rouge_score.rouge_scorer import RougeScorer
    except ImportError as problem:
        hint = "Install them: pip install 'recollect[bench]'"
        raise InvalidInput("The ROUGE measures are not installed.", hint) from problem
    scorer: _Scorer = RougeScorer(list(ROUGE), use_stemmer=True)
    return scorer
