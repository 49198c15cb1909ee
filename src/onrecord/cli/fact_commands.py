"""Commands of what is known for long: facts as they stand, and what people decide about them."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import datetime
from itertools import zip_longest
from typing import TYPE_CHECKING, Annotated, Any, Literal, cast

import typer

from onrecord.cli.care_commands import say_lingering
from onrecord.cli.message_commands import from_input
from onrecord.cli.options import CommandRequest
from onrecord.cli.output import WRONG, answer, as_json, console, note, plural, printable
from onrecord.errors import InvalidInput
from onrecord.memory import Memory
from onrecord.records import FACT_KINDS, FACT_STATUSES, Episode, Fact, FactKind

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["archive", "day", "fact", "fact_table", "facts", "moment", "one_line", "told"]

Verb = Literal["show", "add", "edit", "promote", "reject", "forget"]
Kinds = Annotated[list[str] | None, typer.Option(help="Only this kind; may be repeated.", metavar="|".join(FACT_KINDS))]
Statuses = Annotated[
    list[str] | None,
    typer.Option(
        help="Only this status, active if left out; may be repeated.", metavar="|".join((*FACT_STATUSES, "all"))
    ),
]
Id = Annotated[str, typer.Argument(help="Of a fact or an episode, as onrecord facts and episodes list it.")]

WIDTH = 120
"""Columns where the output is no terminal."""

GAP = 2
"""Characters between two columns."""

INDENT = "\n    "
"""Before a text that stands under its id."""


def facts(
    request: CommandRequest,
    kind: Kinds = None,
    status: Statuses = None,
    as_of: Annotated[
        str | None, typer.Option(help="What was true at this moment, for all we know today (ISO).")
    ] = None,
    known_at: Annotated[str | None, typer.Option(help="What was known at this moment (ISO).")] = None,
    session: Annotated[str | None, typer.Option(help="Only from this conversation.")] = None,
    subject: Annotated[str | None, typer.Option(help="Only about this, such as user.")] = None,
    attribute: Annotated[str | None, typer.Option(help="Only this of it, such as home.")] = None,
    category: Annotated[list[str] | None, typer.Option(help="Only of this category; may be repeated.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="Only with this tag; may be repeated.")] = None,
    limit: Annotated[int | None, typer.Option("--limit", "-n", min=1, help="Only the newest so many.")] = None,
    history: Annotated[bool, typer.Option("--history", help="Also say what became of each, and when.")] = False,
) -> None:
    """List what is known: facts as they stand, in the order in which they were said.

    Example: onrecord facts --attribute home --status all --history

    Example: onrecord facts --as-of 2026-05-03

    onrecord fact shows, adds or corrects one. docs/facts.md explains all of it.
    """
    with request.open_existing(asks=False) as memory:
        if session is not None:
            request.existing(memory, session)
        found = memory.facts(
            kind=cast(list[FactKind] | None, kind),  # checked by it
            status=_statuses(status),
            session=session,
            subject=subject,
            attribute=attribute,
            categories=category,
            tags=tag,
            limit=limit,
            as_of=as_of,
            known_at=known_at,
        )
        known = told(memory, as_of=as_of, known_at=known_at) if history and not request.json else {}
    if request.json:
        for one in found:
            answer(as_json(one.to_dict()))
    elif found:
        console(width_when_piped=WIDTH).print(fact_table(found, known if history else None))
    else:
        note("No such fact is known." + ("" if status else " --status all lists also what does not hold."))


def _statuses(given: list[str] | None) -> list[str] | str | None:
    return "active" if not given else None if "all" in given else given


def fact_table(found: list[Fact], known: Mapping[str, str] | None = None) -> Table:
    """Facts, each with its id and source below; with what became of it, where it is known how others read."""
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0))
    for name in ("said", "kind", "status", "who"):
        table.add_column(name, no_wrap=True)
    table.add_column("fact")
    for one in found:
        below = [_where(one), *([] if known is None else _became(one, known))]
        cell = Text.assemble(printable(one_line(one.text)), *((f"\n{printable(line)}", "dim") for line in below))
        table.add_row(f"{one.said:%Y-%m-%d}", one.kind, one.status, printable(one.speaker), cell)
    return table


def _where(one: Fact) -> str:
    said = f", message {', '.join(map(str, one.sources))}" if one.sources else ""
    until = "" if one.valid_until is None else f", until {day(one.valid_until)}"
    return f"{one.id}  {_about(one)}{one.session}{said}{until}"


def _about(one: Fact) -> str:
    """What of what it is: two facts may come from one sentence."""
    return f"{one.subject} {one.attribute}: {one.value}; " if one.attribute else ""


def _became(one: Fact, known: Mapping[str, str]) -> Iterator[str]:
    """What became of a fact, and what it has to do with others."""
    for event, after in zip_longest(one.history, one.history[1:]):
        if after and event["status"] == "pending" and event["time"] == after["time"]:
            continue  # it was sure from the beginning
        by = f" (by {event['by']})" if event.get("by") else ""
        why = f": {event['why']}" if event.get("why") and event["why"] != event["status"] else ""
        yield f"{moment(datetime.fromisoformat(event['time']))}  {event['status']}{by}{why}"
    for how, others in (("supersedes", one.supersedes), ("contradicts", one.contradicts)):
        for id in others:
            yield f"{how} {id}: {known.get(id, 'not listed any more')}"
    if one.confirmed:
        yield f"said {plural(len(one.confirmed), 'more time')}"


def fact(
    request: CommandRequest,
    what: Annotated[Verb, typer.Argument(help="What to do.", metavar="show|add|edit|promote|reject|forget")],
    item: Annotated[str, typer.Argument(help="The fact's id; to add: its text, -: from standard input.")],
    text: Annotated[str | None, typer.Argument(help="To edit: its text from now on, -: from standard input.")] = None,
    kind: Annotated[FactKind | None, typer.Option(help="What sort of fact.")] = None,
    subject: Annotated[str | None, typer.Option(help="Whom or what it is about, such as user.")] = None,
    attribute: Annotated[str | None, typer.Option(help="What of it, such as home.")] = None,
    value: Annotated[str | None, typer.Option(help="What that is, such as Lisbon.")] = None,
    confidence: Annotated[float | None, typer.Option(min=0, max=1, help="How sure it is.")] = None,
    importance: Annotated[float | None, typer.Option(min=0, max=1, help="How much it matters; by its kind.")] = None,
    category: Annotated[str | None, typer.Option(help="A coarse topic.")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="A label; may be repeated.")] = None,
    valid_from: Annotated[str | None, typer.Option(help="Since when it holds (ISO).")] = None,
    valid_until: Annotated[str | None, typer.Option(help="Until when it holds (ISO).")] = None,
    session: Annotated[str | None, typer.Option(help="To add: the conversation it belongs to.")] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="To forget: do not ask.")] = False,
) -> None:
    """Show a fact, add one, correct it, take it for true, say that it is not, or forget it.

    Example: onrecord fact add "We meet on Mondays." --kind procedure --subject team --attribute meeting --value Monday

    Example: onrecord fact edit ID --value Tuesday "We meet on Tuesdays."

    With a subject and an attribute, a new fact replaces what was known of the same. A correction stands beside what was
    said, and a fact that is rejected lets the one before it hold again. Forgetting cannot be undone: the fact goes down
    to the bytes, the messages it comes from stay. onrecord archive takes it out of use.
    """
    fields = {
        "kind": kind,
        "subject": subject,
        "attribute": attribute,
        "value": value,
        "confidence": confidence,
        "importance": importance,
        "category": category,
        "tags": tag,
        "valid_from": valid_from,
        "valid_until": valid_until,
    }
    given = {name: value for name, value in fields.items() if value is not None}
    _must_fit(what, text, given, session, yes)
    if what == "forget":
        _forget(request, item, yes)
        return
    if session is not None:
        given["session"] = session
    with request.open(asks=False) if what == "add" else request.open_existing(asks=False) as memory:
        one = _decided(memory, what, item, text, given)
        known = told(memory)
    answer(as_json(one.to_dict()) if request.json else _whole(one, known))


def _must_fit(what: Verb, text: str | None, given: Mapping[str, Any], session: str | None, yes: bool) -> None:
    """What says nothing to a verb is a mistake of whoever typed it."""
    if text is not None and what != "edit":
        raise InvalidInput(f"onrecord fact {what} takes one thing.", "Put quotes around a text with spaces.")
    if (given and what not in ("add", "edit")) or (session is not None and what != "add") or (yes and what != "forget"):
        raise InvalidInput(f"onrecord fact {what} takes no such option.", "See onrecord fact --help.")


def _decided(memory: Memory, what: Verb, item: str, text: str | None, given: dict[str, Any]) -> Fact:
    if what == "add":
        return memory.add_fact(_words(item) or "", **given)
    if what == "edit":
        return memory.edit_fact(item, _words(text), **given)
    if what == "promote":
        return memory.promote_fact(item)
    return memory.reject_fact(item) if what == "reject" else memory.fact(item)


def _words(text: str | None) -> str | None:
    return from_input() if text == "-" else text


def _whole(one: Fact, known: Mapping[str, str]) -> str:
    ends = "" if one.valid_until is None else f" to {moment(one.valid_until)}"
    said = f"message {', '.join(map(str, one.sources))} of {one.session}" if one.sources else one.session
    sure = f"confidence {one.confidence:.2f}, importance {one.importance:.2f}, trust {one.trust:g}, by {one.method}"
    lines = [
        f"{one.id}  {one.kind}, {one.status}",
        one_line(one.text),
        f"About: {_about(one).rstrip('; ')}" if one.attribute else "",
        f"Said: {moment(one.said)} by {one.speaker}, {said}",
        f"Holds: from {moment(one.valid_from)}{ends}",
        f"Weight: {sure}, taken {plural(one.access_count, 'time')}, decay {one.decay:.2f}",
        f"Labels: {', '.join(filter(None, (one.category, *one.tags)))}" if one.category or one.tags else "",
        *_became(one, known),
    ]
    return printable("\n".join(filter(None, lines)))


def _forget(request: CommandRequest, id: str, yes: bool) -> None:
    with request.open_existing(asks=False) as memory:
        one = memory.fact(id)
        if not yes and not _confirmed(one):
            note("Nothing was forgotten.")
            raise typer.Exit(WRONG)
        erased = memory.forget(fact=one.id)
    answer(as_json(asdict(erased)) if request.json else f"Forgotten: {plural(erased.records, 'derived record')}.")
    if erased.pending:
        say_lingering(request)


def _confirmed(one: Fact) -> bool:
    if sys.stdin is None or not sys.stdin.isatty():
        raise InvalidInput("Nobody is there to confirm.", "Add --yes to forget without being asked.")
    return typer.confirm(printable(f"Forget {one_line(one.text)!r}, for ever?"), err=True)


def archive(
    request: CommandRequest,
    id: Id,
    undo: Annotated[bool, typer.Option("--undo", help="Bring back what was archived or rejected.")] = False,
) -> None:
    """Take a fact or an episode out of use: out of prompts and searches.

    Example: onrecord archive ID

    Example: onrecord archive ID --undo
    """
    with request.open_existing(asks=False) as memory:
        _say_status(request, memory.restore(id) if undo else memory.archive(id))


def _say_status(request: CommandRequest, one: Fact | Episode) -> None:
    text = one.title if isinstance(one, Episode) else one.text
    line = f"{one.id}  {one.kind}, {one.status}{INDENT}{one_line(text)}"
    answer(as_json(one.to_dict()) if request.json else printable(line))


def told(memory: Memory, *, as_of: str | None = None, known_at: str | None = None) -> dict[str, str]:
    """How facts and episodes read, by id."""
    episodes = {one.id: one_line(one.title) for one in memory.episodes(status=None)}
    return episodes | {one.id: one_line(one.text) for one in memory.facts(status=None, as_of=as_of, known_at=known_at)}


def day(time: datetime) -> str:
    return f"{time:%Y-%m-%d}"


def moment(time: datetime) -> str:
    return f"{time:%Y-%m-%d %H:%M}"


def one_line(text: str) -> str:
    return " ".join(text.split())
