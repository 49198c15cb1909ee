"""`python -m benchmarks`: measures on this machine."""

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
from onrecord.cli import run
from training.weights import fit

EXAMPLE = "python -m benchmarks latency --sizes 1000 --no-peers"
bench = typer.Typer(help=f"Measure on this machine, beside other libraries.\n\nExample: {EXAMPLE}")
quality = (recall, prompts, fit, summaries, models, checks, facts, segments)
for command in (*quality, latency, sizes, service, pages, soak):
    bench.command()(command)


def main(arguments: Sequence[str]) -> int:
    """Run one measurement; returns the exit code."""
    return run(bench, "python -m benchmarks", arguments)
