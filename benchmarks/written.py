"""What a language model writes when it is asked for summaries, and which of them would be kept.

Each conversation is summarised once, by the prompt that the model would get; its text is then judged by the checks of
two profiles: `hybrid` with its rules of form for local models, and `balanced`. The report holds every text with its
verdict: figures alone do not tell whether a refusal was right.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from time import perf_counter

from benchmarks.asking import asked, told
from benchmarks.summaries import Case
from recollect.derive.extractive import extract
from recollect.errors import ModelError
from recollect.policy.checks import kept, local_refusal, support_refusal
from recollect.ports import Model, Progress
from recollect.profiles import PROFILES

__all__ = ["Text", "counted", "measure", "plain", "report", "sample"]

LEAST_WORDS = 60  # of a conversation that is worth a summary
MOST_LETTERS = 6_000  # of a conversation that a small window holds
WORDS = (20, 45)  # least and most that are asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """One summary, and what the checks say of it."""

    conversation: str
    text: str
    form: str  # the rule of form that refuses it, or ""
    support: str  # the check of support that refuses it, or ""
    detail: str  # what that check saw
    kept: float  # of the numbers, names, dates and decisions
    extractive: str  # what would stand there without a model
    seconds: float

    @property
    def refused(self) -> str:
        """Why `balanced` refuses it, or ""."""
        floor = PROFILES["balanced"].kept_floor
        return self.support or ("lost" if self.kept < floor else "")


def sample(cases: Sequence[Case], count: int) -> list[Case]:
    """So many conversations, evenly from all that are long enough for a summary and short enough for a small model."""
    fit = [case for case in cases if case.words >= LEAST_WORDS and len(told(case.pieces)) <= MOST_LETTERS]
    step = max(1, len(fit) // max(1, count))
    return fit[::step][:count]


def measure(cases: Sequence[Case], model: Model, progress: Progress) -> list[Text]:
    """A text for each conversation."""
    found = []
    for case in cases:
        found.append(_written(case, model))
        progress(1)
    return found


def counted(texts: Sequence[Text]) -> dict[str, object]:
    """How many were refused, by which check."""
    forms = Counter(text.form for text in texts if text.form)
    supports = Counter(text.refused for text in texts if text.refused)
    return {
        "summaries": len(texts),
        "refused by balanced": sum(supports.values()),
        "refused by hybrid": sum(bool(text.form or text.support) for text in texts),
        "by check of support": dict(supports.most_common()),
        "by rule of form": dict(forms.most_common()),
        "seconds each": round(sum(text.seconds for text in texts) / max(1, len(texts)), 2),
    }


def report(texts: Sequence[Text], model: str) -> Iterator[str]:
    """Every text with its verdict, as Markdown."""
    yield f"# What {model} wrote\n"
    for name, value in counted(texts).items():
        yield f"- {name}: {value}"
    for number, text in enumerate(texts, 1):
        verdict = f"refused: {text.refused} ({text.detail})" if text.refused else "kept"
        yield f"\n## {number}: {verdict}\n"
        yield f"Form: {text.form or 'fine'}. Of numbers, names, dates and decisions: {text.kept:.0%}.\n"
        yield f"**Model:** {text.text or '(nothing)'}\n"
        yield f"**Without a model:** {text.extractive}\n"
        yield "\n".join(f"> {line}" for line in text.conversation.splitlines())


def plain(texts: Sequence[Text]) -> dict[str, object]:
    """All of it, for JSON."""
    return counted(texts) | {"texts": [asdict(text) | {"refused": text.refused} for text in texts]}


def _written(case: Case, model: Model) -> Text:
    talk = told(case.pieces)
    sources = talk.splitlines()
    start = perf_counter()
    try:
        text = asked(model, case.pieces, *WORDS)
    except ModelError as error:
        text, talk = "", f"{talk}\n({error.what})"
    seconds = perf_counter() - start
    form, support = local_refusal(text, sources), support_refusal(text, sources)
    return Text(
        conversation=talk,
        text=text,
        form="" if form is None else form.name,
        support="" if support is None else support.name,
        detail="" if support is None else support.detail,
        kept=kept(text, sources).get("kept", 1.0),
        extractive=extract(case.pieces, *WORDS).text,
        seconds=seconds,
    )
