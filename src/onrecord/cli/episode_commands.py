"""Commands of what happened: episodes, the arc of a conversation, relations, and putting the long memory in order."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import Annotated, Literal, cast

import typer

from onrecord.cli.fact_commands import GAP, INDENT, WIDTH, day, moment, one_line, told
from onrecord.cli.options import CommandRequest
from onrecord.cli.output import answer, as_json, console, note, plural, printable, progress
from onrecord.records import EPISODE_KINDS, Arc, Consolidation, Episode, EpisodeKind, Relation, RelationType

__all__ = ["arc", "consolidate", "episode", "episodes", "relate", "relations", "unrelate"]

Status = Literal["active", "archived", "all"]
AsOf = Annotated[str | None, typer.Option(help="What was true at this moment (ISO).")]

SHOWN = 20
"""Steps of a consolidation spelled out for people; --json gives all."""


def episodes(
    request: CommandRequest,
    session: Annotated[str | None, typer.Option(help="Only of this conversation.")] = None,
    kind: Annotated[
        list[str] | None, typer.Option(help="Only this kind; may be repeated.", metavar="|".join(EPISODE_KINDS))
    ] = None,
    significance: Annotated[float, typer.Option(min=0, max=1, help="Only what is at least so significant.")] = 0.0,
    status: Annotated[Status, typer.Option(help="Only this status.")] = "active",
    as_of: AsOf = None,
) -> None:
    """List what happened: decisions, problems solved, breakthroughs, issues found, tasks completed, pivots.

    Example: onrecord episodes --session trip --significance 0.7
    """
    with request.open_existing(asks=False) as memory:
        if session is not None:
            request.existing(memory, session)
        found = memory.episodes(
            session=session,
            kind=cast(list[EpisodeKind] | None, kind),  # checked by it
            significance=significance,
            status=None if status == "all" else status,
            as_of=as_of,
        )
    if request.json:
        for one in found:
            answer(as_json(one.to_dict()))
    elif found:
        _show(found)
    else:
        note("No such episode is known.")


def _show(found: list[Episode]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0))
    for name in ("began", "kind", "weight"):
        table.add_column(name, no_wrap=True, justify="right" if name == "weight" else "left")
    table.add_column("episode")
    for one in found:
        below = "".join(f"\n{printable(line)}" for line in _below(one))
        cell = Text.assemble((printable(one_line(one.title)), "bold"), (below, "dim"))
        table.add_row(day(one.began), one.kind, f"{one.significance:.2f}", cell)
    console(width_when_piped=WIDTH).print(table)


def _below(one: Episode) -> Iterator[str]:
    where = f", messages {one.first}-{one.last}" if one.first else ""
    yield f"{one.id}  {one.session}{where}{'' if one.status == 'active' else f', {one.status}'}"
    if one.summary:
        yield one_line(one.summary)
    if one.outcome:
        yield f"Outcome: {one_line(one.outcome)}"
    for event in one.history:
        yield f"{event['time'][:10]}  {event['status']}{': ' if event['why'] else ''}{event['why']}"


def episode(
    request: CommandRequest,
    session: Annotated[str, typer.Argument(help="The conversation.")],
    title: Annotated[str, typer.Argument(help="What happened, in a few words.")],
    kind: Annotated[EpisodeKind, typer.Option(help="What sort of episode.")] = "decision",
    first: Annotated[int | None, typer.Option(min=1, help="The message it began with.")] = None,
    last: Annotated[int | None, typer.Option(min=1, help="The message it ended with; the first if left out.")] = None,
    summary: Annotated[str, typer.Option(help="In a few sentences.")] = "",
    about: Annotated[str, typer.Option("--context", help="What it was about.")] = "",
    outcome: Annotated[str, typer.Option(help="How it ended.")] = "",
    participant: Annotated[list[str] | None, typer.Option(help="Who took part; may be repeated.")] = None,
    link: Annotated[
        list[str] | None, typer.Option(help="The id of a fact or episode it has to do with; may be repeated.")
    ] = None,
    valence: Annotated[float, typer.Option(min=-1, max=1, help="From -1, bad, to 1, good.")] = 0.0,
    significance: Annotated[float, typer.Option(min=0, max=1, help="How much it matters.")] = 0.5,
) -> None:
    """Tell the memory of an episode that the rules did not see.

    Example: onrecord episode trip "The visa came" --kind breakthrough --significance 0.9
    """
    with request.open_existing(asks=False) as memory:
        made = request.existing(memory, session).add_episode(
            title,
            kind=kind,
            first=first,
            last=last,
            summary=summary,
            context=about,
            outcome=outcome,
            participants=participant or (),
            links=link or (),
            valence=valence,
            significance=significance,
        )
    line = f"{session}: {made.kind} kept, significance {made.significance:.2f}, id {made.id}"
    answer(as_json(made.to_dict()) if request.json else printable(line))


def arc(request: CommandRequest, session: Annotated[str, typer.Argument(help="The conversation.")]) -> None:
    """Tell how a conversation went: its beginning, middle and end in short, and what mattered most.

    Example: onrecord arc trip
    """
    with request.open_existing(asks=False) as memory:
        found = request.existing(memory, session).arc()
    if request.json:
        answer(as_json(found.to_dict()))
        return
    for line in _told(found):
        answer(printable(line))
    if not found.ranges:
        note(f"Nothing was said in {session} yet.")


def _told(found: Arc) -> Iterator[str]:
    thirds = (found.beginning, found.middle, found.end)
    for name, text, (first, last) in zip(("beginning", "middle", "end"), thirds, found.ranges, strict=False):
        if first <= last:
            yield f"{name} ({first}-{last}): {one_line(text)}"
    for one in found.moments:
        yield f"{day(one.began)}  {one.kind}, significance {one.significance:.2f}: {one_line(one.title)}"


def relations(
    request: CommandRequest,
    id: Annotated[str | None, typer.Argument(help="Of this fact or episode; left out: all.")] = None,
    type: Annotated[RelationType | None, typer.Option(help="Only this type.")] = None,
    as_of: AsOf = None,
) -> None:
    """List how facts and episodes stand to each other.

    Example: onrecord relations --type supersedes

    Those without an id follow from the facts themselves; onrecord unrelate takes back the others.
    """
    with request.open_existing(asks=False) as memory:
        found = memory.relations(id, type=type, as_of=as_of)
        known = {} if request.json else told(memory)
    for one in found:
        answer(as_json(one.to_dict()) if request.json else printable(_related(one, known)))
    if not found and not request.json:
        note("No such relation is known.")


def _related(one: Relation, known: Mapping[str, str]) -> str:
    head = f"{one.type}  since {moment(one.since)}, strength {one.strength:.2f}, {one.id or 'follows from the facts'}"
    return head + "".join(f"{INDENT}{id}  {known.get(id, '')}" for id in (one.source, one.target))


def relate(
    request: CommandRequest,
    source: Annotated[str, typer.Argument(help="Id of a fact or an episode.")],
    type: Annotated[RelationType, typer.Argument(help="How it stands to the other.")],
    target: Annotated[str, typer.Argument(help="Id of the other.")],
    strength: Annotated[float, typer.Option(min=0, max=1, help="From 0 to 1.")] = 1.0,
) -> None:
    """Say how one fact or episode stands to another.

    Example: onrecord relate ID depends_on OTHER_ID

    A fact that depends on one that no longer holds is suspect.
    """
    with request.open_existing(asks=False) as memory:
        made = memory.relate(source, type, target, strength=strength)
        known = told(memory)
    answer(as_json(made.to_dict()) if request.json else printable(_related(made, known)))


def unrelate(request: CommandRequest, id: Annotated[str, typer.Argument(help="Of the relation.")]) -> None:
    """Take a relation back that somebody made.

    Example: onrecord unrelate ID
    """
    with request.open_existing(asks=False) as memory:
        memory.unrelate(id)
    answer(as_json({"removed": id}) if request.json else printable(f"{id} removed."))


def consolidate(
    request: CommandRequest,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")] = False,
) -> None:
    """Take out of use what faded and merge episodes that overlap, and say why.

    Example: onrecord consolidate --dry-run

    Nothing is deleted: onrecord archive ID --undo brings it back.
    """
    with request.open_existing(asks=False) as memory, progress("Consolidating") as step:
        done = memory.consolidate(dry_run=dry_run, progress=step)
    if request.json:
        answer(as_json(done.to_dict()))
        return
    for one in done.steps[:SHOWN]:
        into = f" into {one.into}" if one.into else ""
        answer(printable(f"{one.action}{into}  {one.id}, {plural(one.tokens, 'token')}: {one_line(one.text)}"))
        answer(printable(f"    {one.why}"))
    if len(done.steps) > SHOWN:
        answer(f"and {len(done.steps) - SHOWN:,} more; --json lists them all")
    answer(_consolidated(done))
    if done.steps and not dry_run:
        note(f"To bring one back: {request.command('archive --undo ' + shlex.quote(done.steps[0].id))}")


def _consolidated(done: Consolidation) -> str:
    would = "Would be done: " if done.dry_run else ""
    gone = f"{done.archived:,} archived, {done.merged:,} merged, {plural(done.tokens_reclaimed, 'token')} reclaimed"
    return f"{would}{gone}, {done.kept:,} kept."
