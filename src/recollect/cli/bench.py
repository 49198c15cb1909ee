"""`recollect bench`: measures on this machine. The benchmarks stand in `recollect.bench` and load when asked for."""

from __future__ import annotations

from json import dumps
from pathlib import Path
from typing import Annotated, get_args

import typer

from recollect.cli.output import WRONG, answer, console, note, progress
from recollect.cli.streams import reader_may_leave
from recollect.errors import InvalidInput
from recollect.settings import ProfileName

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


@bench.command()
@reader_may_leave()
def summaries(
    data: Annotated[Path, typer.Option(help="A folder of conversations as JSON, or one file.", metavar="FOLDER")],
    json: Annotated[Path | None, typer.Option(help="Also write the figures to this file.", metavar="FILE")] = None,
) -> None:
    """Measure summaries made without a model against people's, beside simpler methods.

    Example: recollect bench summaries --data dialogsum.json --json figures.json
    """
    from recollect.bench.summaries import METHODS, load, measure, table, tables

    cases = load(data)
    with progress("Summarising", total=sum(case.words for case in cases) * len(METHODS)) as step:
        figures = measure(cases, step)
    screen = console(width_when_piped=100)
    for shown in tables(figures):
        screen.print(shown)
    if json is not None:
        json.write_text(dumps(table(figures), indent=2) + "\n", encoding="utf-8")


@bench.command()
@reader_may_leave()
def soak(
    turns: Annotated[int, typer.Option(min=10, help="How long the conversation is.")] = 10_000,
    profile: Annotated[ProfileName | None, typer.Option(help="Only this profile; otherwise each in turn.")] = None,
    tokens: Annotated[int | None, typer.Option(min=1, help="The budget; otherwise the profile's own.")] = None,
    json: Annotated[Path | None, typer.Option(help="Also write the figures to this file.", metavar="FILE")] = None,
) -> None:
    """Hold one long conversation under each profile: is the budget kept, do cost and memory stay flat?

    Example: recollect bench soak --turns 1000 --profile balanced
    """
    from recollect.bench.soak import report
    from recollect.bench.soak import soak as hold
    from recollect.bench.soak import table as plain

    profiles = get_args(ProfileName) if profile is None else (profile,)
    with progress("Talking", total=turns * len(profiles)) as step:
        stretches = list(hold(profiles, turns, tokens, step))
    answer(report(stretches))
    if json is not None:
        json.write_text(dumps(plain(stretches), indent=2) + "\n", encoding="utf-8")
    if over := sum(stretch.over for stretch in stretches):
        note(f"{over} prompts were over their budget.")
        raise typer.Exit(WRONG)


def _numbers(sizes: str) -> list[int]:
    parts = [part.strip().replace("_", "") for part in sizes.split(",")]
    if not all(part.isascii() and part.isdigit() and len(part) <= 9 and int(part) > 0 for part in parts):
        raise InvalidInput(f"--sizes {sizes} is not a list of counts.", "Write it as in 1000,100000.")
    return [int(part) for part in parts]
