"""One long conversation under each profile, turn by turn: is the budget kept, do cost and memory stay flat?

Each prompt is counted again from its text. Figures come by tenths of the conversation, so that growth would show.
"""

import resource
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import mean, median
from time import perf_counter
from typing import Annotated, get_args

import typer

from benchmarks.figures import Figure, Figures, benchmark, cells
from benchmarks.texts import FreeEmbedder, messages
from onrecord.cli.output import WRONG, note
from onrecord.memory import Memory
from onrecord.models.tokenizers import counter_for
from onrecord.ports import Counter
from onrecord.session import Session
from onrecord.settings import ProfileName

STRETCHES = 10
STABLE = 0.95  # of a prompt's beginning

Turns = Annotated[int, typer.Option(min=10, help="How long the conversation is.")]
Profile = Annotated[ProfileName | None, typer.Option(help="Only this profile; otherwise each in turn.")]


@benchmark
def soak(turns: Turns = 10_000, profile: Profile = None) -> Figures:
    """Hold one long conversation under each profile: is the budget kept, do cost and memory stay flat?

    Example: python -m benchmarks soak --turns 1000 --profile balanced
    """
    over = 0
    for name in get_args(ProfileName) if profile is None else (profile,):
        with tempfile.TemporaryDirectory(prefix="onrecord-soak-") as folder:
            path = Path(folder, "memory.db")
            embedder = FreeEmbedder()
            with Memory(path, profile=name, durability="process", embedder=embedder, summarize="inline") as memory:
                session, source, counter = memory.session("long"), messages(), counter_for(None)
                for part in range(STRETCHES):
                    end = turns * (part + 1) // STRETCHES
                    length = end - turns * part // STRETCHES
                    stretch = [_turn(session, source, counter) for _ in range(length)]
                    over += sum(bool(turn["over"]) for turn in stretch)
                    yield from _figures(f"{name}, {end:,}", stretch, path)
    if over:
        note(f"{over} prompts were over their budget.")
        raise typer.Exit(WRONG)


def _turn(session: Session, source: Iterator[tuple[str, str]], counter: Counter) -> dict[str, float]:
    (_, question), (_, answer) = next(source), next(source)
    start = perf_counter()
    session.add("user", question)
    added = perf_counter()
    context = session.context()
    built = perf_counter()
    session.add("assistant", answer)
    ended = perf_counter()
    lines = [counter.text(line["content"]) + counter.overhead(line["role"]) for line in context.messages()]
    return {
        "add": 1000 * (added - start + ended - built),
        "context": 1000 * (built - added),
        "turn": 1000 * (ended - start),
        "tokens": context.tokens,
        "budget": context.budget,
        "over": counter.priming + sum(lines) > context.budget,  # counted again from its text
        "stable": context.stable is None or context.stable >= STABLE,
        "nodes": sum(line.kind == "summary" and line.included for line in context.manifest),
    }


def _figures(row: str, stretch: list[dict[str, float]], path: Path) -> Iterator[Figure]:
    values = {name: sorted(turn[name] for turn in stretch) for name in stretch[0]}
    resident = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss  # the most so far
    columns = {
        "add, p50, ms": (median(values["add"]), "ms"),
        "context, p50, ms": (median(values["context"]), "ms"),
        "turn, p99, ms": (values["turn"][int(len(stretch) * 0.99)], "ms"),
        "largest prompt, tokens": (max(values["tokens"]), "n"),
        "budget": (max(values["budget"]), "n"),
        "over budget": (sum(values["over"]), "n"),
        "stable, %": (100 * mean(values["stable"]), "%"),
        "nodes": (max(values["nodes"]), "n"),
        "peak memory, MB": (resident / (1e6 if sys.platform == "darwin" else 1e3), "n"),
        "files, MB": (sum(part.stat().st_size for part in path.parent.iterdir()) / 1e6, "MB"),
    }
    return cells("Turns of one conversation", row, columns)
