"""`python -m benchmarks`: measures on this machine. The benchmarks stand in `benchmarks` and load when asked for."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from benchmarks import servers
from benchmarks.checks import checks
from benchmarks.facts import facts
from benchmarks.fit import fit
from benchmarks.prompts import prompts
from benchmarks.recall import recall
from benchmarks.segments import segments
from benchmarks.servers import numbers as _numbers
from benchmarks.servers import server as _server
from benchmarks.soak import soak
from benchmarks.summaries import models, summaries
from recollect.cli import run
from recollect.cli.output import answer, progress
from recollect.cli.streams import reader_may_leave

if TYPE_CHECKING:
    from benchmarks.timing import Figure

__all__ = ["bench", "main"]

HELP = """Measure on this machine, beside other libraries.

Example: python -m benchmarks latency --sizes 1000 --no-peers
"""

SERVER = "A PostgreSQL server: postgresql://…, or `embedded`, one that is started for this."
CONSENT = "Also measure in a database that holds other spaces."

bench = typer.Typer(help=HELP)


def main(arguments: Sequence[str]) -> int:
    """Run one measurement; returns the exit code."""
    return run(bench, "python -m benchmarks", arguments)


@bench.command()
@reader_may_leave()
def latency(
    sizes: Annotated[str, typer.Option(help="How many messages the file holds, one number or several.")] = (
        "1000,100000,1000000"
    ),
    space_sizes: Annotated[
        str, typer.Option(help="How many messages the spaces hold that are searched in the largest file.")
    ] = "1000,10000,100000",
    peers: Annotated[bool, typer.Option(help="Measure other libraries beside ours.")] = True,
    runs: Annotated[int, typer.Option(min=1, help="How often each operation is timed.")] = 200,
    db: Annotated[str | None, typer.Option(help=f"{SERVER} Measured beside a file, without peers.")] = None,
    others: Annotated[
        int, typer.Option(min=10, help="With --db: up to how many messages other spaces hold.")
    ] = 100_000,
    clients: Annotated[str, typer.Option(help="With --db: how many processes work at once.")] = "1,2,4",
    yes: Annotated[bool, typer.Option("--yes", help=CONSENT)] = False,
    json: Annotated[Path | None, typer.Option(help="Also write the figures to this file.", metavar="FILE")] = None,
) -> None:
    """Measure adding, reading and searching as the messages grow in number.

    Example: python -m benchmarks latency --sizes 1000,100000 --no-peers --json figures.json

    With --db, a PostgreSQL server is measured beside a file: the same calls with the same data, in turn, beside more
    and more messages in other spaces, and by several processes. What it writes is erased at the end.

    Example: python -m benchmarks latency --db embedded --others 10000
    """
    from benchmarks.latency import measure, report, table, work

    counts, spaces = _numbers(sizes, "--sizes"), _numbers(space_sizes, "--space-sizes")
    if db is not None:
        figures, said = _beside_server(db, yes, others, spaces, _numbers(clients, "--clients"), runs)
    else:
        with progress("Measuring", total=work(counts, spaces)) as step:
            figures = list(measure(counts, spaces, peers, runs, step))
        said = report(figures)
    answer(said)
    if json is not None:
        json.write_text(dumps(table(figures), indent=2) + "\n", encoding="utf-8")


def _beside_server(
    db: str, yes: bool, others: int, spaces: list[int], clients: list[int], runs: int
) -> tuple[list[Figure], str]:
    """The figures of a server beside a file, and the report on them."""
    from benchmarks.places import borrowed
    from benchmarks.server_latency import about, measure, report, work

    with ExitStack() as stack:
        urls = stack.enter_context(_server(db, 2))
        place, *alone = [stack.enter_context(borrowed(url, consent=yes)) for url in urls]
        said = about(place)
        with progress("Measuring", total=work(others, spaces)) as step:
            figures = list(measure(place, next(iter(alone), None), others, spaces, clients, runs, step))
    return figures, report(figures, said)


@bench.command()
@reader_may_leave()
def sizes(
    db: Annotated[str, typer.Option(help=SERVER)] = "embedded",
    users: Annotated[int, typer.Option(min=2, help="How many users there are, each with a space.")] = 16,
    messages: Annotated[int, typer.Option(min=10, help="How many messages each has.")] = 1_000,
    clients: Annotated[str, typer.Option(help="How many processes work at once.")] = "1,2,4,8",
    yes: Annotated[bool, typer.Option("--yes", help=CONSENT)] = False,
    json: Annotated[Path | None, typer.Option(help="Also write the figures to this file.", metavar="FILE")] = None,
) -> None:
    """Measure what a server must have: room on disk and in the log for each message, and what clients can do.

    Example: python -m benchmarks sizes --db embedded --users 4 --json figures.json
    """
    from benchmarks.places import borrowed
    from benchmarks.sizes import measure, plain, report

    numbers = _numbers(clients, "--clients")
    bar = progress("Measuring", total=2 * users, every=1)
    with _server(db, 1) as urls, borrowed(urls[0], consent=yes) as place, bar as step:
        measured = measure(place, users, messages, numbers, step)
    answer(report(measured))
    if json is not None:
        json.write_text(dumps(plain(measured), indent=2) + "\n", encoding="utf-8")


@bench.command()
@reader_may_leave()
def service(
    db: Annotated[str | None, typer.Option(help=f"{SERVER} Measured beside a file.")] = None,
    clients: Annotated[str, typer.Option(help="How many clients ask at once.")] = "1,8,64",
    processes: Annotated[str, typer.Option(help="How many processes the service has.")] = "1,2",
    seconds: Annotated[float, typer.Option(min=0.05, help="How long clients ask, for each figure.")] = 3.0,
    requests: Annotated[int, typer.Option(min=1, help="After how many requests memory is looked at last.")] = 10_000,
    yes: Annotated[bool, typer.Option("--yes", help=CONSENT)] = False,
    json: Annotated[Path | None, typer.Option(help="Also write the figures to this file.", metavar="FILE")] = None,
) -> None:
    """Measure a served memory: requests a second, how long they take, what its proxy costs, and its memory.

    Example: python -m benchmarks service --db embedded --json figures.json
    """
    from benchmarks.places import borrowed
    from benchmarks.service import measure, plain, report, work

    asking, sharing = _numbers(clients, "--clients"), _numbers(processes, "--processes")
    bar = progress("Measuring", total=work(1 + (db is not None), asking, sharing, requests), every=1)
    with ExitStack() as stack:
        place = None
        if db is not None:
            place = stack.enter_context(borrowed(stack.enter_context(_server(db, 1))[0], consent=yes))
        upstream, step = stack.enter_context(servers.upstream()), stack.enter_context(bar)
        measured = measure(place, upstream, asking, sharing, seconds, requests, step)
    answer(report(measured))
    if json is not None:
        json.write_text(dumps(plain(measured), indent=2) + "\n", encoding="utf-8")


@bench.command()
@reader_may_leave()
def pages(
    messages: Annotated[int, typer.Option(min=10, help="How many messages the file holds.")] = 100_000,
    runs: Annotated[int, typer.Option(min=1, help="How often each page is asked for.")] = 40,
    json: Annotated[Path | None, typer.Option(help="Also write the figures to this file.", metavar="FILE")] = None,
) -> None:
    """Measure how long each page takes over a large memory.

    Example: python -m benchmarks pages --messages 10000
    """
    from benchmarks.pages import measure, plain, report

    with progress("Filling a file", total=messages) as step:
        measured = measure(messages, runs, step)
    answer(report(measured))
    if json is not None:
        json.write_text(dumps(plain(measured), indent=2) + "\n", encoding="utf-8")


for command in (recall, prompts, fit, checks, facts, models, segments, soak, summaries):
    bench.command()(command)
