"""`python -m benchmarks`: measures on this machine. The benchmarks stand in `benchmarks` and load when asked for."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from benchmarks import servers
from benchmarks.recall_commands import fit, prompts, recall
from benchmarks.servers import numbers as _numbers
from benchmarks.servers import server as _server
from recollect.cli import run
from recollect.cli.options import named_model
from recollect.cli.output import WRONG, answer, console, note, progress
from recollect.cli.streams import reader_may_leave
from recollect.errors import InvalidInput
from recollect.settings import ProfileName

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


@bench.command()
@reader_may_leave()
def summaries(
    data: Annotated[Path, typer.Option(help="A folder of conversations as JSON, or one file.", metavar="FOLDER")],
    embedder: Annotated[str, typer.Option(help="Also weigh sentences by meaning, by this embedder.")] = "none",
    model: Annotated[str | None, typer.Option(help="Also have this model write them, such as local/FILE.gguf.")] = None,
    most: Annotated[int | None, typer.Option(min=2, help="Only so many conversations of all.")] = None,
    json: Annotated[Path | None, typer.Option(help="Also write the figures to this file.", metavar="FILE")] = None,
) -> None:
    """Measure summaries against people's: made without a model, beside simpler methods, and by a model.

    Example: python -m benchmarks summaries --data dialogsum.json --json figures.json
    """
    from benchmarks.summaries import load, measure, methods, sample, table, tables
    from recollect.models.embedders import embedder_named

    cases = sample(load(data), most)
    compared = methods(embedder_named(embedder), named_model(model) if model else None)
    with progress("Summarising", total=sum(case.words for case in cases) * len(compared)) as step:
        figures = measure(cases, compared, step)
    screen = console(width_when_piped=100)
    for shown in tables(figures):
        screen.print(shown)
    if json is not None:
        json.write_text(dumps(table(figures), indent=2) + "\n", encoding="utf-8")


@bench.command()
@reader_may_leave()
def checks(
    data: Annotated[
        Path | None, typer.Option(help="Judged summaries, one JSON object a line; otherwise our own.", metavar="FILE")
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Also write the figures to this file.", metavar="FILE")] = None,
) -> None:
    """Measure how well summaries that the conversation does not support are refused.

    Example: python -m benchmarks checks --json figures.json
    """
    from benchmarks.checks import judge, load, plain, tables

    verdicts = judge(load(data))
    screen = console(width_when_piped=150)
    for shown in tables(verdicts):
        screen.print(shown)
    if json is not None:
        json.write_text(dumps(plain(verdicts), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


@bench.command()
@reader_may_leave()
def facts(
    data: Annotated[
        Path | None,
        typer.Option(
            help="More labelled sentences, and conversations to read facts from; always our own.",
            metavar="FOLDER",
            exists=True,
            file_okay=False,
        ),
    ] = None,
    sample: Annotated[
        int, typer.Option(min=0, max=60, help="How many facts of the conversations are shown, to be read.")
    ] = 20,
    json: Annotated[Path | None, typer.Option(help="Also write all of it to this file.", metavar="FILE")] = None,
) -> None:
    """Measure how well sentences that state something to remember are told from others.

    Example: python -m benchmarks facts --json figures.json
    """
    from benchmarks.facts import measure, plain, tables

    measured = measure(data)
    measured = replace(measured, sample=measured.sample[:sample])
    screen = console(width_when_piped=150)
    for shown in tables(measured):
        screen.print(shown)
    if json is not None:
        json.write_text(dumps(plain(measured), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


@bench.command()
@reader_may_leave()
def segments(
    data: Annotated[
        Path, typer.Option(help="A folder of dialogues with their topics as JSON, or one file.", metavar="FOLDER")
    ],
    json: Annotated[Path | None, typer.Option(help="Also write the figures to this file.", metavar="FILE")] = None,
) -> None:
    """Measure how well it is told where another topic begins, beside simpler methods.

    Example: python -m benchmarks segments --data dialogues/ --json figures.json
    """
    from benchmarks.segments import measure, plain, tables

    with progress("Dividing", every=1) as step:
        figures = measure(data, step)
    screen = console(width_when_piped=120)
    for shown in tables(figures):
        screen.print(shown)
    if json is not None:
        json.write_text(dumps(plain(figures), indent=2) + "\n", encoding="utf-8")


@bench.command()
@reader_may_leave()
def models(
    data: Annotated[Path, typer.Option(help="A folder of conversations as JSON, or one file.", metavar="FOLDER")],
    model: Annotated[str, typer.Option(help="Who writes, such as local/FILE.gguf or ollama/llama3.2.")],
    most: Annotated[int, typer.Option(min=1, help="How many conversations are summarised.")] = 30,
    report: Annotated[
        Path | None, typer.Option(help="Write every text with its verdict to this file, to be read.", metavar="FILE.md")
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Also write all of it to this file.", metavar="FILE")] = None,
) -> None:
    """Have a model write summaries, and count which of them would be refused, by which check.

    Example: python -m benchmarks models --data conversations/ --model local/small.gguf --report texts.md
    """
    from benchmarks import written
    from benchmarks.summaries import load

    writer = named_model(model)
    cases = written.sample(load(data), most)
    if not cases:
        raise InvalidInput(
            f"No conversation at {data} is long enough for a summary and short enough for a small model.",
            f"Give some of {written.LEAST_WORDS} words to {written.MOST_LETTERS:,} characters.",
        )
    with progress("Writing", total=len(cases)) as step:
        texts = written.measure(cases, writer, step)
    for name, value in written.counted(texts).items():
        answer(f"{name}: {value}")
    if report is not None:
        report.write_text("\n".join(written.report(texts, writer.name)) + "\n", encoding="utf-8")
    if json is not None:
        json.write_text(dumps(written.plain(texts), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


@bench.command()
@reader_may_leave()
def soak(
    turns: Annotated[int, typer.Option(min=10, help="How long the conversation is.")] = 10_000,
    profile: Annotated[ProfileName | None, typer.Option(help="Only this profile; otherwise each in turn.")] = None,
    tokens: Annotated[int | None, typer.Option(min=1, help="The budget; otherwise the profile's own.")] = None,
    json: Annotated[Path | None, typer.Option(help="Also write the figures to this file.", metavar="FILE")] = None,
) -> None:
    """Hold one long conversation under each profile: is the budget kept, do cost and memory stay flat?

    Example: python -m benchmarks soak --turns 1000 --profile balanced
    """
    from benchmarks.soak import report
    from benchmarks.soak import soak as hold
    from benchmarks.soak import table as plain

    profiles = get_args(ProfileName) if profile is None else (profile,)
    with progress("Talking", total=turns * len(profiles)) as step:
        stretches = list(hold(profiles, turns, tokens, step))
    answer(report(stretches))
    if json is not None:
        json.write_text(dumps(plain(stretches), indent=2) + "\n", encoding="utf-8")
    if over := sum(stretch.over for stretch in stretches):
        note(f"{over} prompts were over their budget.")
        raise typer.Exit(WRONG)


for command in (recall, prompts, fit):
    bench.command()(command)
