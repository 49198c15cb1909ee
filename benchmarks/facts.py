"""How well the rules for facts tell what is worth remembering from what is not.

The labelled set (`labelled_facts.jsonl`, written for this purpose) has sentences with the kinds of fact they state, or
"none". Its half "dev" is what rules were written by; the other half, "test", was not looked at. A folder may bring
more:
`labelled.jsonl` with other people's labels of preferences, and conversations (`recall/*.json`) on which the number
of facts, the time and a sample to read are measured. Precision comes first: a wrong fact stays and misleads.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from importlib import resources
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from recollect.errors import InvalidInput
from recollect.policy.facts import Claim, claims
from recollect.records import FACT_KINDS

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["Figure", "Flow", "Measured", "Row", "figures", "load", "measure", "plain", "tables"]

SAMPLE = 60  # facts that are shown to be read
SEED = 0  # of that sample
NONE = "none"
EITHER = "preference or constraint"  # a lasting wish may be read as either
_NOW = datetime(2024, 6, 5, 12, tzinfo=UTC)  # when the labelled sentences are said


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A sentence that somebody labelled."""

    text: str
    kind: str  # "none": it states no fact
    kinds: frozenset[str]  # all that may be said of it; its kind is one of them
    part: str  # dev, test, or the name of another set


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """How well facts of one kind are found in one part."""

    part: str
    kind: str
    labelled: int
    claimed: int
    precision: float  # of the sentences with such a claim, the share that is labelled so
    recall: float  # of the sentences labelled so, the share with a claim that fits
    f1: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """What comes out of a set of conversations."""

    set: str
    messages: int
    microseconds: float  # a message, mean
    per_hundred: dict[str, float]  # facts of each kind in a hundred messages


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """All figures of one run."""

    figures: tuple[Figure, ...]
    microseconds: float  # a labelled sentence, mean
    flows: tuple[Flow, ...]
    sample: tuple[Claim, ...]  # facts of the conversations, to be read
    mistakes: tuple[tuple[str, str, str], ...]  # label, claims and text of wrong rows; none of the test half


def load(path: Path | None = None) -> list[Row]:
    """The labelled set, or another one of the same shape."""
    file = resources.files(__package__) / "labelled_facts.jsonl" if path is None else path
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
        return [_row(json.loads(line), "dev" if path is None else path.stem) for line in lines if line.strip()]
    except (OSError, KeyError, TypeError, ValueError) as problem:
        hint = "Each line is a JSON object with a text and a kind; its shape is in benchmarks.facts."
        raise InvalidInput(f"{path} does not hold labelled sentences: {problem!r}.", hint) from problem


def _row(entry: dict[str, Any], part: str) -> Row:
    kind = str(entry["kind"])
    if kind not in (*FACT_KINDS, NONE):
        raise ValueError(f"{kind} is no kind of fact")
    kinds = frozenset(map(str, entry.get("kinds") or (kind,)))
    return Row(text=str(entry["text"]), kind=kind, kinds=kinds, part=str(entry.get("half", part)))


def measure(folder: Path | None = None) -> Measured:
    """The figures of our own labelled sentences, and of what a folder adds to them."""
    rows = load()
    files = () if folder is None else (folder / "facts" / "labelled.jsonl", folder / "labelled.jsonl")
    rows += [row for file in files if file.is_file() for row in load(file)]
    start = perf_counter()
    found = [frozenset(claim.kind for claim in claims(row.text, role="user", name=None, time=_NOW)) for row in rows]
    spent = (perf_counter() - start) * 1e6 / max(len(rows), 1)
    flows, sample = _flows(folder / "recall") if folder is not None and (folder / "recall").is_dir() else ((), ())
    return Measured(
        figures=tuple(figures(rows, found)),
        microseconds=round(spent, 1),
        flows=tuple(flows),
        sample=tuple(sample),
        mistakes=tuple(_mistakes(rows, found)),
    )


def figures(rows: Sequence[Row], found: Sequence[frozenset[str]]) -> Iterator[Figure]:
    """The figures of each part and kind that has labels."""
    for part in dict.fromkeys(row.part for row in rows):
        own = [(row, kinds) for row, kinds in zip(rows, found, strict=True) if row.part == part]
        for kind in FACT_KINDS:
            if any(row.kind == kind for row, _ in own):
                yield _figure(part, kind, [(row, kinds, {kind}) for row, kinds in own])
        if part not in ("dev", "test"):
            yield _figure(part, EITHER, [(row, kinds, {"preference", "constraint"}) for row, kinds in own])


def _figure(part: str, kind: str, own: Sequence[tuple[Row, frozenset[str], set[str]]]) -> Figure:
    claimed = sum(bool(kinds & wanted) for _, kinds, wanted in own)
    right = sum(bool(kinds & wanted and row.kinds & wanted) for row, kinds, wanted in own)
    labelled = sum(row.kind in wanted for row, _, wanted in own)
    hit = sum(row.kind in wanted and bool(kinds & (row.kinds | wanted)) for row, kinds, wanted in own)
    precision, recall = _share(right, claimed), _share(hit, labelled)
    f1 = round(2 * precision * recall / (precision + recall), 3) if precision + recall else 0.0
    return Figure(part=part, kind=kind, labelled=labelled, claimed=claimed, precision=precision, recall=recall, f1=f1)


def _share(part: int, whole: int) -> float:
    return round(part / whole, 3) if whole else 1.0


def _mistakes(rows: Sequence[Row], found: Sequence[frozenset[str]]) -> Iterator[tuple[str, str, str]]:
    for row, kinds in zip(rows, found, strict=True):
        wrong = kinds - row.kinds or (row.kind != NONE and not kinds & row.kinds)
        if wrong and row.part != "test":
            yield row.kind, ", ".join(sorted(kinds)) or NONE, row.text


def _flows(folder: Path) -> tuple[list[Flow], list[Claim]]:
    """What the conversations of a folder give, and a sample of it, drawn always alike."""
    from benchmarks.recall_data import load as conversations

    flows: list[Flow] = []
    drawn: list[Claim] = []
    said = conversations(folder)
    for name in dict.fromkeys(one.set for one in said):
        turns = [turn for one in said if one.set == name for turn in one.turns if turn.role == "user"]
        start = perf_counter()
        got = [
            claim
            for turn in turns
            for claim in claims(turn.said, role="user", name=_name(turn.speaker), time=_time(turn.time))
        ]
        spent = (perf_counter() - start) * 1e6 / max(len(turns), 1)
        share = {kind: sum(one.kind == kind for one in got) * 100 / max(len(turns), 1) for kind in FACT_KINDS}
        per_hundred: dict[str, float] = {kind: round(many, 1) for kind, many in share.items()}
        flows.append(Flow(set=name, messages=len(turns), microseconds=round(spent, 1), per_hundred=per_hundred))
        drawn += got
    return flows, random.Random(SEED).sample(drawn, min(SAMPLE, len(drawn)))


def _name(speaker: str) -> str | None:
    return None if speaker.lower() == "user" else speaker


def _time(moment: str | None) -> datetime:
    told = datetime.fromisoformat(moment) if moment else _NOW
    return told if told.tzinfo else told.replace(tzinfo=UTC)


def plain(measured: Measured) -> dict[str, object]:
    """The figures, the sample and the mistakes as plain values, for JSON."""
    return {
        "figures": [asdict(figure) for figure in measured.figures],
        "microseconds": measured.microseconds,
        "conversations": [asdict(flow) for flow in measured.flows],
        "sample": [_shown(claim) for claim in measured.sample],
        "mistakes": [{"label": label, "claims": kinds, "text": text} for label, kinds, text in measured.mistakes],
    }


def _shown(claim: Claim) -> dict[str, object]:
    told = claim._asdict()
    told |= {name: told[name].isoformat() for name in ("since", "until") if told[name] is not None}
    return told | {"tags": list(claim.tags)}


def tables(measured: Measured) -> Iterator[Table]:
    """The figures by kind, what conversations give, a sample and the mistakes to read."""
    from rich.table import Table

    shown = Table(title=f"Facts found in labelled sentences, {measured.microseconds:.0f} µs each", title_justify="left")
    for column in ("part", "kind", "labelled", "claimed", "precision", "recall", "F1"):
        shown.add_column(column, justify="left" if column in ("part", "kind") else "right")
    for one in measured.figures:
        shares = (f"{share:.3f}" for share in (one.precision, one.recall, one.f1))
        shown.add_row(one.part, one.kind, str(one.labelled), str(one.claimed), *shares)
    yield shown
    if measured.flows:
        yield _flow_table(measured.flows)
        sample = Table(title="A sample of what they give", title_justify="left")
        for column in ("kind", "subject", "attribute", "value", "text"):
            sample.add_column(column)
        for claim in measured.sample:
            sample.add_row(claim.kind, claim.subject, claim.attribute, claim.value, claim.text)
        yield sample
    mistakes = Table(title="Mistakes outside the test half", title_justify="left")
    for column in ("label", "claims", "text"):
        mistakes.add_column(column)
    for row in measured.mistakes:
        mistakes.add_row(*row)
    yield mistakes


def _flow_table(flows: Sequence[Flow]) -> Table:
    from rich.table import Table

    shown = Table(title="Facts in a hundred messages of conversations", title_justify="left")
    for column in ("set", "messages", "µs", *FACT_KINDS):
        shown.add_column(column, justify="left" if column == "set" else "right")
    for one in flows:
        shares = (f"{one.per_hundred[kind]:.1f}" for kind in FACT_KINDS)
        shown.add_row(one.set, str(one.messages), f"{one.microseconds:.0f}", *shares)
    return shown
