"""One long conversation under each profile, turn by turn: is the budget kept, and do cost and memory stay flat?

A turn is what an application does: add the user's message, build the context, add the answer. Each prompt is counted
again from its text. Figures come by tenths of the conversation, so that growth would show.
"""

from __future__ import annotations

import resource
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import quantiles
from time import perf_counter
from typing import Any

from benchmarks.free import FreeEmbedder
from benchmarks.texts import messages
from recollect.memory import Memory
from recollect.models.tokenizers import counter_for
from recollect.ports import Counter, Progress
from recollect.session import Session

__all__ = ["Stretch", "report", "soak", "table"]

STRETCHES = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """A tenth of the conversation."""

    profile: str
    turns: int  # at its end
    add: float  # milliseconds, median of a turn's two messages
    context: float  # milliseconds, median
    slowest: float  # milliseconds of the slowest turn but one in a hundred
    most: int  # tokens of the largest prompt
    budget: int
    over: int  # prompts over their budget, counted again from their text
    stable: float  # share of turns whose prompt kept at least 95 % of its beginning
    nodes: int  # summaries in the prompt, at most
    resident: float  # megabytes of the process at its end, at most so far
    file: float  # megabytes of the file


def soak(profiles: Sequence[str], turns: int, tokens: int | None, progress: Progress) -> Iterator[Stretch]:
    """The figures of each profile, tenth by tenth."""
    for profile in profiles:
        with tempfile.TemporaryDirectory(prefix="recollect-soak-") as folder:
            path = Path(folder) / "memory.db"
            given: dict[str, Any] = {"durability": "process", "embedder": FreeEmbedder(), "summarize": "inline"}
            with Memory(path, profile=profile, **given) as memory:
                yield from _stretches(memory.session("long"), profile, path, turns, tokens, progress)


def _stretches(
    chat: Session, profile: str, path: Path, turns: int, tokens: int | None, progress: Progress
) -> Iterator[Stretch]:
    source, counter = messages(), counter_for(None)
    for part in range(STRETCHES):
        end = turns * (part + 1) // STRETCHES
        seen = [_turn(chat, source, tokens, counter) for _ in range(end - turns * part // STRETCHES)]
        progress(len(seen))
        whole = sorted(one.add + one.context for one in seen)
        yield Stretch(
            profile=profile,
            turns=end,
            add=_middle([one.add for one in seen]),
            context=_middle([one.context for one in seen]),
            slowest=round(whole[int(len(whole) * 0.99)], 2),
            most=max(one.tokens for one in seen),
            budget=seen[-1].budget,
            over=sum(one.counted > one.budget for one in seen),
            stable=round(sum(one.stable for one in seen) / len(seen), 3),
            nodes=max(one.nodes for one in seen),
            resident=_resident(),
            file=round(sum(file.stat().st_size for file in path.parent.iterdir()) / 1e6, 1),
        )


@dataclass(frozen=True, slots=True)
class _Turn:
    add: float
    context: float
    tokens: int
    budget: int
    counted: int
    stable: bool
    nodes: int


def _turn(chat: Session, source: Iterator[tuple[str, str]], tokens: int | None, counter: Counter) -> _Turn:
    (_, asked), (_, answered) = next(source), next(source)
    start = perf_counter()
    chat.add("user", asked)
    added = perf_counter()
    context = chat.context(tokens=tokens)
    built = perf_counter()
    chat.add("assistant", answered)
    ended = perf_counter()
    prompt = context.messages()
    counted = counter.priming + sum(counter.text(one["content"]) + counter.overhead(one["role"]) for one in prompt)
    nodes = sum(one.kind == "summary" and one.included for one in context.manifest)
    stable = context.stable is None or context.stable >= 0.95
    spent = (added - start + ended - built) * 1000
    return _Turn(spent, (built - added) * 1000, context.tokens, context.budget, counted, stable, nodes)


def _middle(times: list[float]) -> float:
    return round(quantiles(times, n=2)[0], 3) if len(times) > 1 else round(times[0], 3)


def _resident() -> float:
    """The most memory that the process has had, in megabytes."""
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(used / (1e6 if sys.platform == "darwin" else 1e3), 1)


def table(stretches: Sequence[Stretch]) -> list[dict[str, object]]:
    """The figures as plain dictionaries, for JSON."""
    return [asdict(one) for one in stretches]


def report(stretches: Sequence[Stretch]) -> str:
    """The figures as Markdown."""
    head = ["profile", "turns", "add ms", "context ms", "p99 ms", "largest", "over", "stable", "nodes", "MB", "file MB"]
    rows = [
        [
            one.profile,
            f"{one.turns:,}",
            f"{one.add:.2f}",
            f"{one.context:.2f}",
            f"{one.slowest:.1f}",
            f"{one.most:,} of {one.budget:,}",
            str(one.over),
            f"{one.stable:.0%}",
            str(one.nodes),
            f"{one.resident:.0f}",
            f"{one.file:.1f}",
        ]
        for one in stretches
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, ["---", *["--:"] * (len(head) - 1)], *rows))
