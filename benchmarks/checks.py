"""How well the checks of summaries tell what the sources support from what they do not.

The labelled set (`checked_summaries.jsonl`, written by hand for this purpose) has short invented conversations, each
with summaries that are supported and summaries that are not. What counts is the refusal of those that are not:
precision, because a good summary refused costs a model call and a plainer text; recall, because a bad one kept stays.
Every second conversation is "dev": rules were written and thresholds chosen by these; the others are "test".
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib import resources
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import TYPE_CHECKING, Any

from recollect.errors import InvalidInput
from recollect.policy.checks import clean_reply, support_refusal

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["Case", "Figure", "Verdict", "figures", "judge", "load", "plain", "tables"]

HALVES = ("dev", "test")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A summary that somebody judged."""

    conversation: tuple[tuple[str, str], ...]  # speaker and text of each message
    summary: str
    supported: bool
    why: str  # what is right or wrong with it
    half: str  # dev or test


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the checks say of a case."""

    case: Case
    refusal: str  # its name; empty where it is not refused
    detail: str
    ms: float

    @property
    def right(self) -> bool:
        return bool(self.refusal) != self.case.supported


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """How well summaries without support are refused, in one half or all."""

    half: str
    cases: int
    unsupported: int
    refused: int
    precision: float  # of those refused, the share without support
    recall: float  # of those without support, the share refused
    f1: float
    ms: float  # a check, median


def load(path: Path | None = None) -> list[Case]:
    """The labelled set, or another one of the same shape."""
    file = resources.files(__package__) / "checked_summaries.jsonl" if path is None else path
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
        found = [_case(json.loads(line)) for line in lines if line.strip()]
    except (OSError, KeyError, TypeError, ValueError) as problem:
        hint = "Each line is a JSON object; its shape is in benchmarks.checks."
        raise InvalidInput(f"{path} does not hold judged summaries: {problem!r}.", hint) from problem
    return found


def _case(entry: dict[str, Any]) -> Case:
    turns = tuple((str(who), str(text)) for who, text in entry["conversation"])
    if entry["half"] not in HALVES:
        raise ValueError("half is dev or test")
    return Case(
        conversation=turns,
        summary=str(entry["summary"]),
        supported=bool(entry["supported"]),
        why=str(entry["why"]),
        half=entry["half"],
    )


def judge(cases: Sequence[Case]) -> list[Verdict]:
    """What the checks say of each case."""
    return [_judged(case) for case in cases]


def _judged(case: Case) -> Verdict:
    sources = [f"{who}: {text}" for who, text in case.conversation]
    speakers = list(dict.fromkeys(who for who, _ in case.conversation))
    start = perf_counter()
    refusal = support_refusal(clean_reply(case.summary), sources, known=speakers)
    ms = (perf_counter() - start) * 1000
    name, detail = (refusal.name, refusal.detail) if refusal else ("", "")
    return Verdict(case=case, refusal=name, detail=detail, ms=ms)


def figures(verdicts: Sequence[Verdict]) -> list[Figure]:
    """The figures of each half that has cases, and of all."""
    parts = [(half, [one for one in verdicts if one.case.half == half]) for half in HALVES]
    return [_figure(name, part) for name, part in (*parts, ("all", list(verdicts))) if part]


def _figure(half: str, part: Sequence[Verdict]) -> Figure:
    refused = sum(bool(one.refusal) for one in part)
    wrong = sum(not one.case.supported for one in part)
    both = sum(bool(one.refusal) and not one.case.supported for one in part)
    return Figure(
        half=half,
        cases=len(part),
        unsupported=wrong,
        refused=refused,
        precision=_share(both, refused),
        recall=_share(both, wrong),
        f1=_share(2 * both, refused + wrong),
        ms=round(median(one.ms for one in part), 3),
    )


def _share(part: int, whole: int) -> float:
    return round(part / whole, 3) if whole else 1.0


def plain(verdicts: Sequence[Verdict]) -> dict[str, object]:
    """The figures, the refusals by name and the mistakes as plain values, for JSON."""
    return {
        "figures": [asdict(figure) for figure in figures(verdicts)],
        "refusals": [{"name": name, "refused": count, "rightly": rightly} for name, count, rightly in _names(verdicts)],
        "mistakes": [
            {"half": one.case.half, "why": one.case.why, "refusal": one.refusal, "summary": one.case.summary}
            for one in verdicts
            if not one.right
        ],
    }


def _names(verdicts: Sequence[Verdict]) -> list[tuple[str, int, int]]:
    """Each refusal's name, how often it was given and how often rightly, the most frequent first."""
    found: dict[str, list[bool]] = {}
    for one in verdicts:
        if one.refusal:
            found.setdefault(one.refusal, []).append(one.right)
    ranked = sorted(found.items(), key=lambda item: (-len(item[1]), item[0]))
    return [(name, len(right), sum(right)) for name, right in ranked]


def tables(verdicts: Sequence[Verdict]) -> Iterator[Table]:
    """The figures, the refusals by name, and the mistakes to read."""
    from rich.table import Table

    shown = Table(title="Summaries without support that are refused", title_justify="left")
    for column in ("half", "summaries", "without support", "refused", "precision", "recall", "F1", "ms"):
        shown.add_column(column, justify="left" if column == "half" else "right")
    for one in figures(verdicts):
        shares = (f"{share:.3f}" for share in (one.precision, one.recall, one.f1))
        shown.add_row(one.half, str(one.cases), str(one.unsupported), str(one.refused), *shares, f"{one.ms:.2f}")
    yield shown
    named = Table(title="By refusal", title_justify="left")
    for column in ("refusal", "refused", "rightly"):
        named.add_column(column, justify="left" if column == "refusal" else "right")
    for name, count, rightly in _names(verdicts):
        named.add_row(name, str(count), str(rightly))
    yield named
    mistakes = Table(title="Mistakes", title_justify="left")
    for column in ("half", "judged", "refusal", "summary"):
        mistakes.add_column(column)
    for verdict in verdicts:
        if not verdict.right:
            mistakes.add_row(verdict.case.half, verdict.case.why, verdict.refusal or "none", verdict.case.summary)
    yield mistakes
