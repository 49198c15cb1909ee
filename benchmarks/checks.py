"""How well the checks of summaries tell what the sources support from what they do not.

The labelled set was written by hand for this purpose. Every second conversation is "dev": rules were written and
thresholds chosen by these; the others are "test".
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.figures import Figures, benchmark, cells, share, table
from onrecord.policy.checks import clean_reply, support_refusal

FILE = Path(__file__).with_name("checked_summaries.jsonl")


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A labelled summary."""

    conversation: list[list[str]]  # speaker and text of each message
    summary: str
    supported: bool
    why: str  # what is right or wrong with it
    half: str  # dev or test


Verdict = tuple[Case, str]
"""A case, and the name of the refusal that the checks return for it; empty where it is not refused."""


@benchmark
def checks() -> Figures:
    """Measure how well summaries that the conversation does not support are refused.

    Example: python -m benchmarks checks --json figures.json
    """
    verdicts = judge(load())
    yield from figures(verdicts)
    rows = [
        [case.half, case.why, refusal or "none", case.summary]
        for case, refusal in verdicts
        if bool(refusal) == case.supported
    ]
    yield "Mistakes:\n\n" + table(["half", "judged", "refusal", "summary"], rows)


def load() -> list[Case]:
    """The labelled set."""
    return [Case(**json.loads(line)) for line in FILE.read_text(encoding="utf-8").splitlines()]


def judge(cases: Sequence[Case]) -> list[Verdict]:
    """What the checks return for each case."""
    return [(case, _refusal(case)) for case in cases]


def _refusal(case: Case) -> str:
    sources = [f"{speaker}: {text}" for speaker, text in case.conversation]
    speakers = list(dict.fromkeys(speaker for speaker, _ in case.conversation))
    refusal = support_refusal(clean_reply(case.summary), sources, known=speakers)
    return refusal.name if refusal else ""


def figures(verdicts: Sequence[Verdict]) -> Figures:
    """The figures of each half, and of all."""
    for half in ("dev", "test", "all"):
        part = [verdict for verdict in verdicts if half in ("all", verdict[0].half)]
        if not part:
            continue
        refused = sum(bool(refusal) for _, refusal in part)
        wrong = sum(not case.supported for case, _ in part)
        both = sum(bool(refusal) and not case.supported for case, refusal in part)
        columns = {
            "summaries": (len(part), "n"),
            "precision": (share(both, refused), ""),
            "recall": (share(both, wrong), ""),
            "F1": (share(2 * both, refused + wrong), ""),
        }
        yield from cells("Summaries without support that are refused", half, columns)
