"""`recollect bench`: measures on this machine. The benchmarks stand in `recollect.bench` and load when asked for."""

from __future__ import annotations

from json import dumps
from pathlib import Path
from typing import Annotated

import typer

from recollect.cli.output import answer, progress
from recollect.cli.streams import reader_may_leave
from recollect.errors import InvalidInput

__all__ = ["bench"]

HELP = """Measure on this machine, beside other libraries.

Example: recollect bench latency --sizes 1000 --no-peers
"""

bench = typer.Typer(help=HELP)


@bench.callback()
def _bench() -> None:
    """Makes it a group even while it has one command."""


@bench.command()
@reader_may_leave()
def latency(
    sizes: Annotated[str, typer.Option(help="How many messages the file holds, one number or several.")] = (
        "1000,100000,1000000"
    ),
    peers: Annotated[bool, typer.Option(help="Measure other libraries beside ours.")] = True,
    runs: Annotated[int, typer.Option(min=1, help="How often each operation is timed.")] = 200,
    json: Annotated[Path | None, typer.Option(help="Also write the figures to this file.", metavar="FILE")] = None,
) -> None:
    """Measure how long adding and reading take, as the number of messages grows.

    Example: recollect bench latency --sizes 1000,100000 --no-peers --json figures.json
    """
    from recollect.bench.latency import measure, report, table

    counts = _numbers(sizes)
    with progress("Measuring") as step:
        figures = list(measure(counts, peers, runs, step))
    answer(report(figures))
    if json is not None:
        json.write_text(dumps(table(figures), indent=2) + "\n", encoding="utf-8")


def _numbers(sizes: str) -> list[int]:
    parts = [part.strip().replace("_", "") for part in sizes.split(",")]
    if not all(part.isascii() and part.isdigit() and len(part) <= 9 and int(part) > 0 for part in parts):
        raise InvalidInput(f"--sizes {sizes} is not a list of counts.", "Write it as in 1000,100000.")
    return [int(part) for part in parts]
