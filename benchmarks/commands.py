"""`python -m benchmarks`: measures on this machine."""

from __future__ import annotations

from collections.abc import Sequence

import typer

from benchmarks.checks import checks
from benchmarks.facts import facts
from benchmarks.latency import latency
from benchmarks.pages import pages
from benchmarks.prompts import prompts
from benchmarks.recall import recall
from benchmarks.segments import segments
from benchmarks.service import service
from benchmarks.sizes import sizes
from benchmarks.soak import soak
from benchmarks.summaries import models, summaries
from recollect.cli import run
from training.weights import fit

__all__ = ["bench", "main"]

HELP = """Measure on this machine, beside other libraries.

Example: python -m benchmarks latency --sizes 1000 --no-peers
"""

bench = typer.Typer(help=HELP)
for command in (
    *(recall, prompts, fit, summaries, models, checks, facts, segments),
    *(latency, sizes, service, pages, soak),
):
    bench.command()(command)


def main(arguments: Sequence[str]) -> int:
    """Run one measurement; returns the exit code."""
    return run(bench, "python -m benchmarks", arguments)
