"""Summaries without a model beside simpler ones and people's, and what a language model writes, judged by the checks.

Every second conversation counts as "dev", the others as "test", so that whoever changes a setting by the one sees
whether it holds on the other. The shapes of the files, and what is scored, are in docs/benchmarks.md.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import mean
from time import perf_counter
from typing import Annotated, Any

import typer

from benchmarks.figures import Data, Figure, Figures, benchmark, cells, read
from onrecord.cli.options import model_of
from onrecord.derive.extractive import SpokenPiece, extract
from onrecord.derive.keyword import keyword_summary
from onrecord.errors import InvalidInput, InvalidSetting, ModelError
from onrecord.policy.checks import clean_reply, kept, local_refusal, support_refusal
from onrecord.policy.display import enclosed
from onrecord.policy.sentences import sentences
from onrecord.policy.signs import dates, names, numbers
from onrecord.ports import Model
from onrecord.profiles import PROFILES
from onrecord.prompts import prompt

Method = Callable[[Sequence[SpokenPiece], int, int], str]
"""Pieces, words and a seed: the summary."""

SEEDS = range(5)  # of the random summaries; their scores are averaged
STRETCH = 48  # messages of a long conversation that are summarised together
TENTH = 0.1
LEAST_WORDS = 12  # a tenth of a short dialogue says nothing at all
ROUGE = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeL": "ROUGE-L"}
KEPT = {"numbers": numbers, "names": names, "dates": dates}
ASKED_WORDS = (20, 45)  # of a model's summary that is judged
TALK_WORDS, TALK_LETTERS = 60, 6_000  # least of what is worth a summary, most that a small window holds

ModelName = Annotated[str, typer.Option(help="Who writes, such as local/FILE.gguf or ollama/llama3.2.")]
Beside = Annotated[str | None, typer.Option(help="Also have this model write them, such as local/FILE.gguf.")]
Most = Annotated[int | None, typer.Option(min=1, help="Only so many conversations of all.")]
Report = Annotated[Path | None, typer.Option(help="Write every text with its verdict, to be read.", metavar="FILE.md")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A conversation to summarise."""

    set: str  # the file it is from
    pieces: tuple[SpokenPiece, ...]
    reference: str = ""  # a person's summary, if there is one


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """A model's summary, and what the checks return for it."""

    talk: str
    text: str
    form: str  # the rule of form that refuses it, or ""
    support: str  # the check of support that refuses it, or ""
    kept: float  # of the numbers, names, dates and decisions
    extractive: str  # what would stand there without a model

    @property
    def refused(self) -> str:
        """Why `balanced` refuses it, or ""."""
        return self.support or ("lost" if self.kept < PROFILES["balanced"].kept_floor else "")


@benchmark
def summaries(data: Data, model: Beside = None, most: Most = None) -> Figures:
    """Measure summaries against people's: made without a model, beside simpler methods, and by a model.

    Example: python -m benchmarks summaries --data dialogsum.json --json figures.json
    """
    yield from compare(sample(load(data), most), methods(_named_model(model) if model else None))


def _named_model(name: str) -> Model:
    found = model_of(name)
    if found is None:
        raise InvalidSetting(
            f"{name} cannot be asked.", "Name it with its provider: openai/MODEL, ollama/MODEL or local/FILE.gguf."
        )
    return found


@benchmark
def models(data: Data, model: ModelName, most: Most = 30, report: Report = None) -> Figures:
    """Have a model write summaries, and count which of them would be refused, by which check.

    Example: python -m benchmarks models --data conversations/ --model local/small.gguf --report texts.md
    """
    writer = _named_model(model)
    cases = worth_a_summary(load(data), most)
    if not cases:
        hint = f"Give some of {TALK_WORDS} words to {TALK_LETTERS:,} characters."
        raise InvalidInput(f"There is no conversation at {data} for a small model to summarise.", hint)
    verdicts = [judge(case, writer) for case in cases]
    yield from _counts(verdicts)
    if report is not None:
        report.write_text("\n".join(_texts(verdicts, writer.name)) + "\n", encoding="utf-8")


def load(path: Path) -> list[Case]:
    """The conversations of a file, or of all JSON files of a folder. Raises `InvalidInput`."""
    return read(path, "conversations", _cases)


def _cases(name: str, data: Any) -> Iterator[Case]:
    if isinstance(data, list):
        for entry in data:
            yield Case(set=name, pieces=_pieces(entry["messages"]), reference=entry["summary"])
    else:
        for entry in data["conversations"]:
            for start in range(0, len(entry["messages"]), STRETCH):
                yield Case(set=name, pieces=_pieces(entry["messages"][start : start + STRETCH]))


def _pieces(messages: Sequence[dict[str, str]]) -> tuple[SpokenPiece, ...]:
    return tuple(SpokenPiece(message["speaker"], message["text"]) for message in messages)


def sample(cases: Sequence[Case], most: int | None) -> list[Case]:
    """At most so many conversations, evenly from all of each half."""
    step = 1 if most is None else max(1, len(cases) // 2 // max(1, most // 2))
    return [case for at, case in enumerate(cases) if at // 2 % step == 0][:most]


# Methods


def methods(model: Model | None = None) -> dict[str, Method]:
    """The methods by name; with a model also what it writes, unchecked, and what is kept of that."""
    lead: Method = lambda pieces, words, _: _first_words(_sentences(pieces), words)  # noqa: E731
    compared: dict[str, Method] = {"onrecord": _ours, "lead": lead, "random": _random, "keyword": _keyword}
    if model is not None:

        @cache
        def write(pieces: tuple[SpokenPiece, ...], words: int) -> str:
            try:
                return " ".join(_written(model, pieces, words // 2, words).split()[:words])
            except ModelError:
                return ""

        def check(pieces: Sequence[SpokenPiece], words: int, _: int) -> str:
            """The model's text if it is supported; otherwise ours, as in the product."""
            text = write(tuple(pieces), words)
            return _ours(pieces, words, 0) if not text or support_refusal(text, _lines(pieces)) else text

        compared[model.name] = lambda pieces, words, _: write(tuple(pieces), words)
        compared[f"{model.name}, checked"] = check
    return compared


def _ours(pieces: Sequence[SpokenPiece], words: int, _: int) -> str:
    return extract(pieces, words // 2, words).text


def _random(pieces: Sequence[SpokenPiece], words: int, seed: int) -> str:
    """Random sentences, in their order."""
    whole = _sentences(pieces)
    order = list(range(len(whole)))
    random.Random(seed).shuffle(order)
    taken: list[int] = []
    size = 0
    while order and size < words:
        taken.append(order.pop())
        size += len(whole[taken[-1]][1].split())
    return _first_words([whole[at] for at in sorted(taken)], words)


def _keyword(pieces: Sequence[SpokenPiece], words: int, _: int) -> str:
    first = pieces[0].who if pieces else ""
    turns = [("user" if piece.who == first else "assistant", piece.text) for piece in pieces]
    return " ".join(keyword_summary(turns).split()[:words])


def _sentences(pieces: Sequence[SpokenPiece]) -> list[tuple[str, str]]:
    return [(piece.who, sentence) for piece in pieces for sentence in sentences(piece.text)]


def _first_words(spoken: Sequence[tuple[str, str]], words: int) -> str:
    text: list[str] = []
    before = ""
    for speaker, sentence in spoken:
        text += ([f"{speaker}:"] if speaker != before else []) + sentence.split()
        before = speaker
    return " ".join(text[:words])


def _written(model: Model, pieces: Sequence[SpokenPiece], least: int, most: int) -> str:
    """The model's summary, by the prompt of the product, unchecked. Raises `ModelError`."""
    chosen = prompt("summary_local" if model.local else "summary_cloud")
    messages = chosen.messages(conversation=enclosed("conversation", _lines(pieces)), least=least, words=most)
    return clean_reply(model.complete(messages, tokens=2 * most + 20).text)


def _lines(pieces: Sequence[SpokenPiece]) -> list[str]:
    return [line for piece in pieces for line in f"{piece.who}: {piece.text}".splitlines()]


# Scores


def compare(cases: Sequence[Case], compared: Mapping[str, Method]) -> Figures:
    """All methods over all sets, half by half."""
    for name in dict.fromkeys(case.set for case in cases):
        own = [case for case in cases if case.set == name]
        lengths = [len(case.reference.split()) for case in own if case.reference]
        words = round(mean(lengths)) if lengths else 0
        for half, part in (("dev", own[::2]), ("test", own[1::2])):
            for method, work in compared.items() if part else ():
                title = f"{name}, {half}: {len(part)} conversations{f', {words} words' * bool(words)}, %"
                scores: dict[str, list[float]] = {}
                seconds: list[float] = []
                for case in part:
                    for seed in SEEDS if method == "random" else SEEDS[:1]:
                        for kind, score in _scores(work, case, words, seed, seconds):
                            scores.setdefault(kind, []).append(score)
                kinds = (kind for kind in (*ROUGE.values(), *KEPT) if kind in scores)
                columns = {kind: (100 * mean(scores[kind]), "%") for kind in kinds}
                yield from cells(title, method, columns | {"ms": (1000 * mean(seconds), "ms")})


def _scores(method: Method, case: Case, words: int, seed: int, seconds: list[float]) -> Iterator[tuple[str, float]]:
    def summary(words: int) -> str:
        start = perf_counter()
        text = method(case.pieces, words, seed)
        seconds.append(perf_counter() - start)
        return text

    if words:
        found = _rouge().score(case.reference, summary(words))
        yield from ((title, found[kind].fmeasure) for kind, title in ROUGE.items())
    source = "\n".join(piece.text for piece in case.pieces)
    text = summary(max(LEAST_WORDS, int(len(source.split()) * TENTH))).lower()
    for kind, mentions in KEPT.items():
        wanted = {mention.lower() for mention in mentions(source)}
        if wanted:
            held = [bool(re.search(rf"(?<!\w){re.escape(mention)}(?!\w)", text)) for mention in wanted]
            yield kind, mean(held)


@cache
def _rouge() -> Any:
    try:
        from rouge_score.rouge_scorer import RougeScorer
    except ImportError as problem:
        raise InvalidInput("The ROUGE measures are not installed.", "pip install 'onrecord[test]'") from problem
    return RougeScorer(list(ROUGE), use_stemmer=True)


# What a model writes


def worth_a_summary(cases: Sequence[Case], most: int | None) -> list[Case]:
    """At most so many, evenly from all that are long enough for a summary and short enough for a small model."""
    fit = [
        case
        for case in cases
        if sum(len(piece.text.split()) for piece in case.pieces) >= TALK_WORDS
        and len("\n".join(_lines(case.pieces))) <= TALK_LETTERS
    ]
    return fit[:: max(1, len(fit) // (most or len(cases)))][:most]


def judge(case: Case, model: Model) -> Verdict:
    """The model's summary of a conversation, and what the checks of `hybrid` (form) and `balanced` return for it."""
    sources = _lines(case.pieces)
    talk = "\n".join(sources)
    try:
        text = _written(model, case.pieces, *ASKED_WORDS)
    except ModelError as error:
        text, talk = "", f"{talk}\n({error.what})"
    form, support = local_refusal(text, sources), support_refusal(text, sources)
    return Verdict(
        talk=talk,
        text=text,
        form="" if form is None else form.name,
        support="" if support is None else support.name,
        kept=kept(text, sources).get("kept", 1.0),
        extractive=extract(case.pieces, *ASKED_WORDS).text,
    )


def _counts(verdicts: Sequence[Verdict]) -> Iterator[Figure]:
    refused = Counter(f"support: {verdict.refused}" for verdict in verdicts if verdict.refused)
    forms = Counter(f"form: {verdict.form}" for verdict in verdicts if verdict.form)
    both = sum(bool(verdict.form or verdict.support) for verdict in verdicts)
    amounts = {"summaries": len(verdicts), "refused by balanced": refused.total(), "refused by hybrid": both}
    for row, amount in {**amounts, **dict(refused.most_common()), **dict(forms.most_common())}.items():
        yield from cells("Summaries by a model", row, {"count": (amount, "n")})


def _texts(verdicts: Sequence[Verdict], model: str) -> Iterator[str]:
    """Every text with its verdict: figures alone do not tell whether a refusal was right."""
    yield f"# What {model} wrote\n"
    for number, verdict in enumerate(verdicts, 1):
        yield f"\n## {number}: {f'refused: {verdict.refused}' if verdict.refused else 'kept'}\n"
        yield f"Form: {verdict.form or 'fine'}. Of numbers, names, dates and decisions: {verdict.kept:.0%}.\n"
        yield f"**Model:** {verdict.text or '(nothing)'}\n"
        yield f"**Without a model:** {verdict.extractive}\n"
        yield "\n".join(f"> {line}" for line in verdict.talk.splitlines())
