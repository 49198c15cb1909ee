"""How well the rules for facts tell what is worth remembering from what is not.

The labelled set has sentences with the kinds of fact they state, or "none". Rules were written by its half "dev"; the
other half, "test", was not looked at. A folder may bring `labelled.jsonl` with other people's labels of preferences,
and conversations (`recall/*.json`), of which the number of facts, the time and a sample to read are shown.
"""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import cycle
from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from benchmarks.figures import Figure, Figures, benchmark, cells, share, table
from benchmarks.recall_data import Turn
from benchmarks.recall_data import load as conversations
from benchmarks.texts import messages
from onrecord.errors import InvalidInput
from onrecord.policy.fact_rules import Statement, claims
from onrecord.records import FACT_KINDS, Role

FILE = Path(__file__).with_name("labelled_facts.jsonl")
SEED = 0  # of the sample
NONE = "none"
EITHER = "preference or constraint"  # a lasting wish may be read as either
_NOW = datetime(2024, 6, 5, 12, tzinfo=UTC)  # when the labelled sentences are said

Folder = Annotated[
    Path | None,
    typer.Option(
        help="More labelled sentences, and conversations to read facts from.",
        metavar="FOLDER",
        exists=True,
        file_okay=False,
    ),
]
Sample = Annotated[int, typer.Option(min=0, help="How many facts of the conversations are shown, to be read.")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A labelled sentence."""

    text: str
    kind: str  # "none": it states no fact
    kinds: frozenset[str]  # all that may be said of it; its kind is one of them
    part: str  # dev, test, or the name of another set


@benchmark
def facts(data: Folder = None, sample: Sample = 20) -> Figures:
    """Measure how well sentences that state something to remember are told from others.

    Example: python -m benchmarks facts --json figures.json
    """
    rows = load()
    files = () if data is None else (data / "facts" / "labelled.jsonl", data / "labelled.jsonl")
    rows += [row for file in files if file.is_file() for row in load(file)]
    start = perf_counter()
    kinds = kinds_of(rows)
    spent = (perf_counter() - start) * 1e6 / len(rows)
    yield from figures(rows, kinds)
    yield f"A sentence takes {spent:.0f} µs."
    if data is not None and (data / "recall").is_dir():
        yield from _of_conversations(data / "recall", sample)
    yield "Mistakes outside the test half:\n\n" + table(["label", "claims", "text"], list(_mistakes(rows, kinds)))


def load(path: Path = FILE) -> list[Row]:
    """The labelled set, or another one of the same shape. Raises `InvalidInput`."""
    rows = []
    try:
        for entry in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
            kind, part = entry["kind"], entry.get("half", path.stem)
            kinds = frozenset(entry.get("kinds") or (kind,))
            rows.append(Row(text=entry["text"], kind=kind, kinds=kinds, part=part))
    except (OSError, KeyError, TypeError, ValueError) as problem:
        hint = "Each line is a JSON object with a text and a kind; its shape is in benchmarks.facts."
        raise InvalidInput(f"{path} does not hold labelled sentences: {problem!r}.", hint) from problem
    return rows


def conversation(seed: int, every: int) -> Iterator[tuple[Role, str]]:
    """Endless made-up conversation, in which one message in so many states something to remember."""
    statements = cycle(row.text for row in random.Random(seed).sample(load(), 500) if row.kind != NONE)
    for number, turn in enumerate(messages(seed)):
        yield turn if number % every else ("user", next(statements))


def kinds_of(rows: Sequence[Row]) -> list[frozenset[str]]:
    """The kinds of the facts that each row is taken to state."""
    return [frozenset(claim.kind for claim in claims(row.text, role="user", name=None, time=_NOW)) for row in rows]


def figures(rows: Sequence[Row], kinds: Sequence[frozenset[str]]) -> Iterator[Figure]:
    """The figures of each part and kind that has labels; `kinds` are those of the claims of each row."""
    for part in dict.fromkeys(row.part for row in rows):
        own = [pair for pair in zip(rows, kinds, strict=True) if pair[0].part == part]
        for kind in FACT_KINDS:
            if any(row.kind == kind for row, _ in own):
                yield from _figures(part, kind, {kind}, own)
        if part not in ("dev", "test"):
            yield from _figures(part, EITHER, {"preference", "constraint"}, own)


def _figures(part: str, kind: str, wanted: set[str], own: Sequence[tuple[Row, frozenset[str]]]) -> Iterator[Figure]:
    claimed = sum(bool(kinds & wanted) for _, kinds in own)
    right = sum(bool(kinds & wanted and row.kinds & wanted) for row, kinds in own)
    labelled = sum(row.kind in wanted for row, _ in own)
    hit = sum(row.kind in wanted and bool(kinds & (row.kinds | wanted)) for row, kinds in own)
    columns = {
        "labelled": (labelled, "n"),
        "claimed": (claimed, "n"),
        "precision": (share(right, claimed), ""),
        "recall": (share(hit, labelled), ""),
    }
    return cells(f"Facts found in labelled sentences, {part}", kind, columns)


def _mistakes(rows: Sequence[Row], found: Sequence[frozenset[str]]) -> Iterator[list[str]]:
    for row, kinds in zip(rows, found, strict=True):
        wrong = kinds - row.kinds or (row.kind != NONE and not kinds & row.kinds)
        if wrong and row.part != "test":
            yield [row.kind, ", ".join(sorted(kinds)) or NONE, row.text]


def _of_conversations(folder: Path, sample: int) -> Figures:
    """Facts in a hundred messages of each set, and a sample of them, drawn always alike."""
    talks = conversations(folder)
    everything: list[Statement] = []
    for name in dict.fromkeys(talk.set for talk in talks):
        turns = [turn for talk in talks if talk.set == name for turn in talk.turns if turn.role == "user"]
        start = perf_counter()
        given = [list(_claims(turn)) for turn in turns]
        spent = (perf_counter() - start) * 1e6 / max(1, len(turns))
        number = sum(len(part) for part in given)
        columns = {
            "messages": (len(turns), "n"),
            "µs": (spent, "µs"),
            "facts": (100 * number / max(1, len(turns)), "%"),
        }
        yield from cells("Facts in a hundred messages of conversations", name, columns)
        everything += [claim for part in given for claim in part]
    drawn = random.Random(SEED).sample(everything, min(sample, len(everything)))
    rows = [[claim.kind, claim.subject, claim.attribute, claim.value, claim.text] for claim in drawn]
    yield "A sample of them:\n\n" + table(["kind", "subject", "attribute", "value", "text"], rows)


def _claims(turn: Turn) -> Sequence[Statement]:
    name = None if turn.speaker.lower() == "user" else turn.speaker
    time = datetime.fromisoformat(turn.time) if turn.time else _NOW
    return claims(turn.said, role="user", name=name, time=time if time.tzinfo else time.replace(tzinfo=UTC))
