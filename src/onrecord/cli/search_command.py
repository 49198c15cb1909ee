"""The command that finds: what a space holds about a text, the best first, and why."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from onrecord.cli.message_commands import COLOURS, from_input
from onrecord.cli.options import CommandRequest
from onrecord.cli.output import answer, as_json, command, console, note, printable
from onrecord.errors import InvalidInput
from onrecord.policy.fusion import with_weights
from onrecord.ports import Embedder
from onrecord.records import Hit

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from onrecord.recall.hits import Hits

__all__ = ["explained", "search", "show_hits"]

SHOWN = 400
"""Characters of a text that people see; --json gives all that was found of it."""

WIDTH = 100
"""Columns where the output is no terminal."""


def search(
    request: CommandRequest,
    text: Annotated[str, typer.Argument(help="A question, or some words; -: from standard input.")],
    limit: Annotated[
        int | None, typer.Option("--limit", "-n", min=1, help="At most so many hits; 10 unless --tokens is given.")
    ] = None,
    tokens: Annotated[
        int | None, typer.Option("--tokens", "-t", min=1, help="Only what fits into so many tokens together.")
    ] = None,
    session: Annotated[list[str] | None, typer.Option(help="Only this conversation; may be repeated.")] = None,
    kind: Annotated[
        list[str] | None,
        typer.Option(help="Only this kind; may be repeated.", metavar="message|summary|pin|fact|episode"),
    ] = None,
    since: Annotated[str | None, typer.Option(help="Only from this moment on (ISO).")] = None,
    until: Annotated[str | None, typer.Option(help="Only before this moment (ISO).")] = None,
    as_of: Annotated[
        str | None, typer.Option(help="Only what was said and true at this moment (ISO), as known today.")
    ] = None,
    known_at: Annotated[str | None, typer.Option(help="Only what was known at this moment (ISO).")] = None,
    importance: Annotated[float, typer.Option(min=0, max=1, help="Only what is at least so important.")] = 0.0,
    category: Annotated[
        list[str] | None,
        typer.Option(help="Only this category: of facts, and as messages' meta says; may be repeated."),
    ] = None,
    tag: Annotated[
        list[str] | None, typer.Option(help="Only this tag: of facts, and as messages' meta says; may be repeated.")
    ] = None,
    more: Annotated[
        str, typer.Option("--context", help="More words that bear on it, such as what was said before.")
    ] = "",
    weight: Annotated[
        list[str] | None,
        typer.Option(help="How much a signal counts, such as meaning=0; may be repeated.", metavar="NAME=NUMBER"),
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Also say what was done, and why each is found.")] = False,
) -> None:
    """Find what a space holds about a text, by words, meaning, speaker and time.

    Example: onrecord search "What must the doctor know?" --limit 3 --explain

    The best come first; nothing is cut off but by --limit, --tokens and the filters. docs/search.md explains it.
    """
    asked = from_input() if text == "-" else text
    weights = _weights(weight or ())
    request.must_be_there()
    embedder = request.embedder()
    with request.open(embedder, asks=False) as memory:
        for name in session or ():
            request.existing(memory, name)
        hits = memory.search(
            asked,
            kinds=kind,
            sessions=session,
            since=since,
            until=until,
            as_of=as_of,
            known_at=known_at,
            importance=importance,
            categories=category,
            tags=tag,
            limit=limit,
            tokens=tokens,
            context=more,
            weights=weights,
        )
    if request.json:
        from onrecord.service.forms import hits_form

        answer(as_json(hits_form(hits)))
        return
    out = console(width_when_piped=WIDTH)
    show_hits(out, hits)
    if explain:
        explained(out, hits, hits.weights, weights)
    _remark(request, hits, embedder)


def _weights(given: list[str] | tuple[()]) -> dict[str, float]:
    found = {}
    for item in given:
        name, equals, value = item.partition("=")
        try:
            if not equals:
                raise ValueError
            found[name.strip()] = float(value)
        except ValueError:
            raise InvalidInput(f"--weight {item} is not a weight.", "Write it as --weight meaning=0.") from None
    return found


def show_hits(out: Console, hits: Hits) -> None:
    """Each hit with its place, how likely it bears on the question, when and by whom it was said and where, and its
    text below."""
    from rich.text import Text

    wide = len(str(len(hits)))
    indent = " " * (wide + 2)
    for place, hit in enumerate(hits, 1):
        head = Text.assemble(
            (f"{place:>{wide}}  ", "bold"),
            "" if hit.probability is None else f"{_percent(hit.probability)}  ",
            f"{hit.time:%Y-%m-%d %H:%M}  ",
            (printable(_who(hit)), COLOURS.get(hit.role, "cyan")),
            (f"  {printable(_where(hit))}", "dim"),
        )
        out.print(head, soft_wrap=True)
        for line in Text(printable(_cut(_said(hit)))).wrap(out, max(20, out.width - len(indent))):
            out.print(f"{indent}{line.plain.rstrip()}", soft_wrap=True)


def _percent(probability: float | None) -> str:
    return "" if probability is None else f"{probability:>4.0%}"


def _who(hit: Hit) -> str:
    return hit.kind if hit.kind != "message" else hit.name or hit.role


def _where(hit: Hit) -> str:
    """Where it was said; of what can be decided about, also its id."""
    id = f"  {hit.id}" if hit.kind in ("fact", "episode") else ""
    if hit.kind == "message" or (hit.first == hit.seq and hit.seq):
        return f"{hit.session} {hit.seq}{id}"
    return (f"{hit.session} {hit.first}-{hit.seq}" if hit.seq else hit.session) + id


def _said(hit: Hit) -> str:
    """Its text; the title of an episode stands before its summary."""
    return hit.text.replace("\n", ": ", 1) if hit.kind == "episode" else hit.text


def _cut(text: str) -> str:
    """One paragraph, cut for people between two words."""
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else line[:SHOWN].rsplit(" ", 1)[0] + " …"


def explained(out: Console, hits: Hits, usual: Mapping[str, float], given: Mapping[str, float]) -> None:
    """What was done, and what each score is the sum of."""
    from rich.table import Table

    stages = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    stages.add_column(style="cyan", no_wrap=True)
    stages.add_column()
    for stage in hits.stages:
        stages.add_row(stage.name, printable(stage.said))
    if hits.confidence is not None:
        stages.add_row("confidence", f"{hits.confidence:.0%} that the answer is among the hits")
    if len(hits):
        out.print()
    out.print(stages)
    if len(hits):
        out.print()
        out.print(_parts(hits, with_weights(usual, given)))


def _parts(hits: Hits, weights: Mapping[str, float]) -> Table:
    from rich.table import Table

    names = list(hits[0].parts)
    likely = ["likely"] if hits[0].probability is not None else []
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for name in ("", *likely, "score", *names):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_row("weight", *("" for _ in likely), "", *(f"× {weights[name]:g}" for name in names), style="dim")
    for place, hit in enumerate(hits, 1):
        shares = [_percent(hit.probability) for _ in likely]
        table.add_row(str(place), *shares, f"{hit.score:.2f}", *(f"{hit.parts[name]:.2f}" for name in names))
    return table


def _remark(request: CommandRequest, hits: Hits, embedder: Embedder | None) -> None:
    if not len(hits):
        note(_nothing(request, hits))
    elif hits.irrelevant:
        note("Nothing was found that bears on it: what stands there is only the nearest.")
    for said in hits.notes:
        note(request.remedied(said))
    if embedder is None and request.embedder_name == "auto" and request.profile != "tiered" and len(hits):
        note("Found by words alone; to find by meaning: pip install onrecord-encoder onnxruntime tokenizers")


def _nothing(request: CommandRequest, hits: Hits) -> str:
    done = {stage.name: stage.said for stage in hits.stages}
    if "space" in done:
        space = "" if request.space == "default" else f" --space {shlex.quote(request.space)}"
        begin = command(f'add trip "Hello!" --db {shlex.quote(request.db)}{space}')
        return f"There is nothing in space {request.space!r} yet. Begin: {begin}"
    if "tokens" in done:
        return f"Nothing was found that fits: {done['tokens']}. Allow more with --tokens."
    allowed = done["filters"]
    if allowed.startswith("0 of "):
        return f"Nothing was found: the filters leave {allowed.replace(' may be found', '')}."
    return f"Nothing was found: no item scores over what the profile {request.profile} asks for ({allowed})."
