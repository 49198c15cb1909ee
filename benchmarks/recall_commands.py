"""The commands `recall`, `prompts` and `fit`: what searches find, and what their weights should be."""

from __future__ import annotations

from json import dumps
from pathlib import Path
from typing import Annotated

import typer

from recollect.cli.output import answer, console, note, progress
from recollect.cli.streams import reader_may_leave
from recollect.errors import InvalidInput
from recollect.settings import ProfileName

__all__ = ["fit", "prompts", "recall"]


@reader_may_leave()
def recall(
    data: Annotated[
        Path, typer.Option(help="A folder of labelled conversations as JSON, or one file.", metavar="FOLDER")
    ],
    sets: Annotated[
        list[str] | None, typer.Option("--set", help="Only this set; may be repeated.", metavar="NAME")
    ] = None,
    questions: Annotated[
        int | None, typer.Option(min=1, help="Only so many questions of each set, drawn at random.")
    ] = None,
    embedder: Annotated[str, typer.Option(help="What makes the vectors: auto, local, none, or another.")] = "auto",
    beside: Annotated[
        str | None, typer.Option(help="Also find with another embedder: minilm, or another.", metavar="EMBEDDER")
    ] = None,
    profile: Annotated[ProfileName, typer.Option(help="Whose searches and prompts are measured.")] = "balanced",
    context: Annotated[bool, typer.Option(help="Also build whole prompts.")] = True,
    plot: Annotated[Path | None, typer.Option(help="Also draw recall against budget.", metavar="FILE.html")] = None,
    json: Annotated[Path | None, typer.Option(help="Also write the figures to this file.", metavar="FILE")] = None,
) -> None:
    """Measure how much of the evidence for a question is found, beside simpler rankings.

    Example: python -m benchmarks recall --data conversations/ --questions 100 --plot recall.html
    """
    from benchmarks.recall import measure
    from benchmarks.recall_data import load, work
    from benchmarks.recall_report import plain, tables

    if beside == "none":
        raise InvalidInput("--beside needs an embedder.", "Name one, such as minilm.")
    found = load(data, sets or (), questions)
    with progress("Making vectors, asking", total=work(found) * (1 if beside is None else 2)) as step:
        figures = measure(found, embedder=embedder, profile=profile, context=context, beside=beside, progress=step)
    screen = console(width_when_piped=150)
    for shown in tables(figures):
        screen.print(shown)
    for said in figures.notes:
        note(said)
    if json is not None:
        json.write_text(dumps(plain(figures), indent=2) + "\n", encoding="utf-8")
    if plot is not None:
        from benchmarks.plot import page

        plot.write_text(page(figures.figures), encoding="utf-8")


@reader_may_leave()
def prompts(
    data: Annotated[
        Path, typer.Option(help="A folder of labelled conversations as JSON, or one file.", metavar="FOLDER")
    ],
    sets: Annotated[
        list[str] | None, typer.Option("--set", help="Only this set; may be repeated.", metavar="NAME")
    ] = None,
    embedder: Annotated[str, typer.Option(help="What makes the vectors: auto, local, none, or another.")] = "auto",
    json: Annotated[Path | None, typer.Option(help="Also write the figures to this file.", metavar="FILE")] = None,
) -> None:
    """Measure whether prompts recall only what belongs, and how far probabilities hold.

    Example: python -m benchmarks prompts --data conversations/
    """
    from dataclasses import asdict

    from benchmarks.prompts import measure, table
    from benchmarks.recall_data import load, work

    found = load(data, sets or ())
    with progress("Making vectors, building prompts", total=work(found)) as step:
        figures = measure(found, data, embedder, step)
    console(width_when_piped=120).print(table(figures))
    if json is not None:
        json.write_text(dumps([asdict(row) for row in figures], indent=2) + "\n", encoding="utf-8")


@reader_may_leave()
def fit(
    data: Annotated[
        Path, typer.Option(help="A folder of labelled conversations as JSON, or one file.", metavar="FOLDER")
    ],
    train: Annotated[
        list[str] | None, typer.Option(help="Learn from this set only; may be repeated.", metavar="NAME")
    ] = None,
    embedder: Annotated[str, typer.Option(help="What makes the vectors: auto, local, none, or another.")] = "auto",
    write: Annotated[bool, typer.Option(help="Put the learned probabilities into this installation.")] = False,
    json: Annotated[Path | None, typer.Option(help="Also write the figures to this file.", metavar="FILE")] = None,
) -> None:
    """Learn how much each signal of a search counts, and how scores become probabilities; sets that are not learned
    from show whether the weights carry over.

    Example: python -m benchmarks fit --data conversations/ --train realtalk --train beam-100k
    """
    from benchmarks import calibrate
    from benchmarks.fit import examples, learn, plain, source, tables
    from benchmarks.recall_data import check_sets, held, load, work

    found = load(data)
    check_sets(found, train or ())
    with (
        progress("Making vectors, asking", total=work(found)) as step,
        held(found, embedder, "balanced", step) as places,
    ):
        asked = examples(places, step)
        cases = calibrate.cases([place for place in places if not train or place.conversation.set in train])
    with progress("Learning") as step:
        fitted = learn(asked, train or (), step)
        row = calibrate.learn(cases)
    if write:
        calibrate.write(places[0].embedder, row)
    screen = console(width_when_piped=120)
    for shown in tables(fitted):
        screen.print(shown)
    answer(source(fitted.weights))
    if json is not None:
        json.write_text(dumps(plain(fitted), indent=2) + "\n", encoding="utf-8")
