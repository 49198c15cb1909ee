"""The command that finds: what a space holds about a text, the best first, and why."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Unpack

import typer

from onrecord.cli.arguments import SearchFilters, numbers_given, text_given
from onrecord.cli.options import CommandRequest
from onrecord.cli.output import answer, as_json, command, note
from onrecord.cli.printing import aligned, show
from onrecord.cli.program import in_panel
from onrecord.policy.fusion import with_weights

if TYPE_CHECKING:
    from onrecord.recall.hits import Hits


@in_panel("Finding")
def search(
    request: CommandRequest,
    text: Annotated[str, typer.Argument(help="A question, or some words; -: from standard input.")],
    weight: Annotated[
        list[str] | None,
        typer.Option(help="How much a signal counts, such as meaning=0; may be repeated.", metavar="NAME=NUMBER"),
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Also say what was done, and why each is found.")] = False,
    **filters: Unpack[SearchFilters],
) -> None:
    """Find what a space holds about a text, by words, meaning, speaker and time.

    Example: onrecord search "What must the doctor know?" --limit 3 --explain

    The best come first; nothing is cut off but by --limit, --tokens and the filters. docs/search.md explains it.
    """
    question = text_given(text)
    weights = numbers_given(weight or (), "--weight meaning=0")
    request.must_be_there()
    embedder = request.embedder()
    with request.open(embedder, asks=False) as memory:
        for session in filters.get("sessions", ()):
            request.existing(memory, session)
        hits = memory.search(question, weights=weights, **filters)
    if request.json:
        from onrecord.service.forms import hits_form

        answer(as_json(hits_form(hits)))
        return
    show(request, "hit", hit_rows(hits))
    if explain:
        _explain(hits, with_weights(hits.weights, weights))
    if not hits:
        note(_nothing_found(request, hits))
    elif hits.irrelevant:
        note("Nothing was found that bears on it: what stands there is only the nearest.")
    for remark in hits.notes:
        note(request.remedied(remark))
    if embedder is None and request.embedder_name == "auto" and request.profile != "tiered" and hits:
        note("Found by words alone; to find by meaning: pip install onrecord-encoder onnxruntime tokenizers")


def hit_rows(hits: Hits) -> Iterator[dict[str, Any]]:
    """Return what people see of each hit; of what can be decided about, also its id."""
    for hit in hits:
        messages = f" {hit.first}-{hit.seq}" if hit.first not in (0, hit.seq) else f" {hit.seq}" if hit.seq else ""
        yield {
            "likely": hit.probability,
            "time": hit.time,
            "who": hit.kind if hit.kind != "message" else hit.name or hit.role,
            "where": f"{hit.session}{messages}",
            "id": hit.id if hit.kind in ("fact", "episode") else "",
            "text": hit.text.replace("\n", ": ", 1) if hit.kind == "episode" else hit.text,  # its title stands first
        }


def _explain(hits: Hits, weights: Mapping[str, float]) -> None:
    """Print what was done, and what each score is the sum of."""
    stages = [(stage.name, stage.said) for stage in hits.stages]
    if hits.confidence is not None:
        stages.append(("confidence", f"{hits.confidence:.0%} that the answer is among the hits"))
    answer("")
    for line in aligned("stage what_it_did", stages):
        answer(line)
    if not hits:
        return
    names = list(hits[0].parts)
    rows = [("weight", "", *(f"× {weights[name]:g}" for name in names))]
    rows += [
        (str(place), f"{hit.score:.2f}", *(f"{hit.parts[name]:.2f}" for name in names))
        for place, hit in enumerate(hits, 1)
    ]
    answer("")
    for line in aligned(" ".join((">hit", ">score", *(f">{name}" for name in names))), rows):
        answer(line)


def _nothing_found(request: CommandRequest, hits: Hits) -> str:
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
