"""Commands of what is known for long: facts, episodes and how they stand to each other, and what people decide about
them."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from dataclasses import asdict
from typing import Annotated, Literal, Unpack

import typer

from onrecord.cli.arguments import (
    AsOf,
    DryRun,
    EpisodeFilters,
    EpisodeValues,
    FactFilters,
    FactValues,
    SessionName,
    Statuses,
    Yes,
    text_given,
)
from onrecord.cli.care_commands import warn_of_lingering
from onrecord.cli.options import CommandRequest
from onrecord.cli.output import confirm, note, plural, progress
from onrecord.cli.printing import SHOWN, day, one_line, reply, show
from onrecord.cli.program import in_panel
from onrecord.errors import InvalidInput
from onrecord.memory import Memory
from onrecord.records import Arc, Episode, Fact, RelationType

Verb = Literal["show", "add", "edit", "promote", "reject", "forget"]
Status = Literal["active", "archived", "all"]


@in_panel("What is known")
def facts(
    request: CommandRequest,
    status: Statuses = None,
    history: Annotated[bool, typer.Option("--history", help="Also say what became of each, and when.")] = False,
    **filters: Unpack[FactFilters],
) -> None:
    """List what is known: facts as they stand, in the order in which they were said.

    Example: onrecord facts --attribute home --status all --history

    Example: onrecord facts --as-of 2026-05-03

    onrecord fact shows, adds or corrects one. docs/facts.md explains all of it.
    """
    wanted = "active" if not status else None if "all" in status else status
    empty = "No such fact is known." + ("" if status else " --status all lists also what does not hold.")
    with request.open_existing(asks=False) as memory:
        if "session" in filters:
            request.existing(memory, str(filters["session"]))
        found = memory.facts(status=wanted, **filters)
        names = _names(memory, filters) if history and not request.json else {}
    show(request, "fact", found, empty=empty, whole=history, names=names)


@in_panel("What is known")
def fact(
    request: CommandRequest,
    what: Annotated[Verb, typer.Argument(help="What to do.", metavar="show|add|edit|promote|reject|forget")],
    item: Annotated[str, typer.Argument(help="The fact's id; to add: its text, -: from standard input.")],
    text: Annotated[str | None, typer.Argument(help="To edit: its text from now on, -: from standard input.")] = None,
    yes: Yes = False,
    **values: Unpack[FactValues],
) -> None:
    """Show a fact, add one, correct it, take it for true, say that it is not, or forget it.

    Example: onrecord fact add "We meet on Mondays." --kind procedure --subject team --attribute meeting --value Monday

    Example: onrecord fact edit ID --value Tuesday "We meet on Tuesdays."

    With a subject and an attribute, a new fact replaces what was known of the same. A correction stands beside what was
    said, and a fact that is rejected lets the one before it hold again. Forgetting cannot be undone: the fact goes down
    to the bytes, the messages it comes from stay. onrecord archive takes it out of use.
    """
    _refuse_misplaced(what, text, values, yes)
    with request.open(asks=False) if what == "add" else request.open_existing(asks=False) as memory:
        if what == "forget":
            _forget(request, memory, item, yes)
            return
        shown = _decided(memory, what, item, text, values)
        show(request, "fact", [shown], whole=True, names=_names(memory, {}))


def _refuse_misplaced(what: Verb, text: str | None, values: FactValues, yes: bool) -> None:
    """Raise for what means nothing to a verb."""
    if text is not None and what != "edit":
        raise InvalidInput(f"onrecord fact {what} takes one thing.", "Put quotes around a text with spaces.")
    misplaced = (values and what not in ("add", "edit")) or ("session" in values and what != "add")
    if misplaced or (yes and what != "forget"):
        raise InvalidInput(f"onrecord fact {what} takes no such option.", "See onrecord fact --help.")


def _decided(memory: Memory, what: Verb, item: str, text: str | None, values: FactValues) -> Fact:
    if what == "add":
        return memory.add_fact(text_given(item), **values)
    if what == "edit":
        return memory.edit_fact(item, None if text is None else text_given(text), **values)
    if what == "promote":
        return memory.promote_fact(item)
    return memory.reject_fact(item) if what == "reject" else memory.fact(item)


def _forget(request: CommandRequest, memory: Memory, id: str, yes: bool) -> None:
    known = memory.fact(id)
    confirm(f"Forget {one_line(known.text)!r}, for ever?", yes=yes, nothing="Nothing was forgotten.")
    erased = memory.forget(fact=known.id)
    reply(request, asdict(erased), f"Forgotten: {plural(erased.records, 'derived record')}.")
    if erased.pending:
        warn_of_lingering(request)


@in_panel("What is known")
def archive(
    request: CommandRequest,
    id: Annotated[str, typer.Argument(help="Of a fact or an episode, as onrecord facts and episodes list it.")],
    undo: Annotated[bool, typer.Option("--undo", help="Bring back what was archived or rejected.")] = False,
) -> None:
    """Take a fact or an episode out of use: out of prompts and searches.

    Example: onrecord archive ID

    Example: onrecord archive ID --undo
    """
    with request.open_existing(asks=False) as memory:
        changed = memory.restore(id) if undo else memory.archive(id)
    show(request, "episode" if isinstance(changed, Episode) else "fact", [changed])


def _names(memory: Memory, filters: FactFilters) -> dict[str, str]:
    """Return how facts and episodes read, by id."""
    episodes = {episode.id: one_line(episode.title) for episode in memory.episodes(status=None)}
    then = memory.facts(status=None, as_of=filters.get("as_of"), known_at=filters.get("known_at"))
    return episodes | {fact.id: one_line(fact.text) for fact in then}


@in_panel("What is known")
def episodes(
    request: CommandRequest,
    status: Annotated[Status, typer.Option(help="Only this status.")] = "active",
    **filters: Unpack[EpisodeFilters],
) -> None:
    """List what happened: decisions, problems solved, breakthroughs, issues found, tasks completed, pivots.

    Example: onrecord episodes --session trip --significance 0.7
    """
    wanted = None if status == "all" else status
    with request.open_existing(asks=False) as memory:
        if "session" in filters:
            request.existing(memory, str(filters["session"]))
        found = memory.episodes(status=wanted, **filters)
    show(request, "episode", found, empty="No such episode is known.")


@in_panel("What is known")
def episode(
    request: CommandRequest,
    session: SessionName,
    title: Annotated[str, typer.Argument(help="What happened, in a few words.")],
    **values: Unpack[EpisodeValues],
) -> None:
    """Tell the memory of an episode that the rules did not see.

    Example: onrecord episode trip "The visa came" --kind breakthrough --significance 0.9
    """
    with request.conversation(session) as chat:
        made = chat.add_episode(title, **values)
    reply(request, made, f"{session}: {made.kind} kept, significance {made.significance:.2f}, id {made.id}")


@in_panel("What is known")
def arc(request: CommandRequest, session: SessionName) -> None:
    """Tell how a conversation went: its beginning, middle and end in short, and what mattered most.

    Example: onrecord arc trip
    """
    with request.conversation(session) as chat:
        found = chat.arc()
    reply(request, found, *_arc_lines(found))
    if not found.ranges and not request.json:
        note(f"Nothing was said in {session} yet.")


def _arc_lines(found: Arc) -> Iterator[str]:
    thirds = (found.beginning, found.middle, found.end)
    for name, text, (first, last) in zip(("beginning", "middle", "end"), thirds, found.ranges, strict=False):
        if first <= last:
            yield f"{name} ({first}-{last}): {one_line(text)}"
    for happened in found.moments:
        what = f"{happened.kind}, significance {happened.significance:.2f}: {one_line(happened.title)}"
        yield f"{day(happened.began)}  {what}"


@in_panel("What is known")
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
        names = {} if request.json else _names(memory, {})
    show(request, "relation", found, empty="No such relation is known.", names=names)


@in_panel("What is known")
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
        names = _names(memory, {})
    show(request, "relation", [made], names=names)


@in_panel("What is known")
def unrelate(request: CommandRequest, id: Annotated[str, typer.Argument(help="Of the relation.")]) -> None:
    """Take a relation back that was made by hand.

    Example: onrecord unrelate ID
    """
    with request.open_existing(asks=False) as memory:
        memory.unrelate(id)
    reply(request, {"removed": id}, f"{id} removed.")


@in_panel("What is known")
def consolidate(request: CommandRequest, dry_run: DryRun = False) -> None:
    """Take out of use what faded and merge episodes that overlap, and say why.

    Example: onrecord consolidate --dry-run

    Nothing is deleted: onrecord archive ID --undo brings it back.
    """
    with request.open_existing(asks=False) as memory, progress("Consolidating") as step:
        done = memory.consolidate(dry_run=dry_run, progress=step)
    if not request.json:
        show(request, "step", done.steps, limit=SHOWN)
    counts = f"{done.archived:,} archived, {done.merged:,} merged, {plural(done.tokens_reclaimed, 'token')} reclaimed"
    reply(request, done, f"{'Would be done: ' if done.dry_run else ''}{counts}, {done.kept:,} kept.")
    if done.steps and not dry_run and not request.json:
        note(f"To bring one back: {request.command('archive --undo ' + shlex.quote(done.steps[0].id))}")
