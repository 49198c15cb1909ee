"""Commands of a conversation: add to it, read it, describe it, list all of them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from itertools import islice
from typing import Annotated, Any, Unpack

import typer

from onrecord.cli.arguments import (
    HistoryFilters,
    MessageValues,
    NewSession,
    SessionName,
    Yes,
    message_named,
    numbers_given,
    text_given,
)
from onrecord.cli.care_commands import warn_of_lingering
from onrecord.cli.options import CommandRequest
from onrecord.cli.output import WRONG, answer, as_json, command, confirm, note, paint, plural, printable
from onrecord.cli.printing import message_line, moment, reply, show
from onrecord.cli.program import in_panel
from onrecord.errors import InvalidInput, OnrecordError
from onrecord.records import Erased, Receipt, Role, SessionInfo
from onrecord.session import Session

BATCH = 500  # messages of a JSON Lines input that are added at once


@in_panel("Conversations")
def add(
    request: CommandRequest,
    session: NewSession,
    text: Annotated[str | None, typer.Argument(help="What was said; left out or -: from standard input.")] = None,
    role: Annotated[Role, typer.Option(help="Who speaks.")] = "user",
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="Add many: a JSON object a line, with add's keywords.")
    ] = False,
    **values: Unpack[MessageValues],
) -> None:
    """Add a message to a conversation; when this returns, it is on disk.

    Example: onrecord add trip "We fly to Lisbon on 5 May." --name Ana

    From a program: echo '{"role": "user", "text": "Hello!"}' | onrecord add trip --jsonl
    """
    if jsonl and (text not in (None, "-") or values):
        raise InvalidInput("--jsonl takes everything from the lines.", "Leave out the text, name, time, id and key.")
    given = "" if jsonl else text_given(text)
    with request.open() as memory:
        chat = memory.session(session)
        if jsonl:
            _add_lines(request, chat, role)
            return
        receipt = chat.add(role, given, **values)
    reply(request, asdict(receipt), _receipt_line(receipt, session))


def _receipt_line(receipt: Receipt, session: str) -> str:
    done = "was there already:" if receipt.repeated else "added:"
    line = f"{session} {receipt.seq} {done} {plural(receipt.tokens, 'token')}, importance {receipt.importance:.2f}"
    repaired = "; broken characters were replaced, the original is kept" if receipt.repaired else ""
    return f"{line}, id {receipt.id}{repaired}"


def _add_lines(request: CommandRequest, chat: Session, role: Role) -> None:
    """Add what standard input brings, some hundred messages a transaction, and print what came of it."""
    lines = _objects(role)
    added = repeated = tokens = 0
    while batch := list(islice(lines, BATCH)):
        try:
            receipts = chat.add_many([message for _, message in batch])
        except OnrecordError as error:
            where = f"Lines {batch[0][0]} to {batch[-1][0]}, of which none was added: {error.what}"
            raise type(error)(where, f"{error.hint} {plural(added, 'message')} before them stay.") from error
        for receipt in receipts:
            added, repeated = added + (not receipt.repeated), repeated + receipt.repeated
            tokens += receipt.tokens
            if request.json:
                answer(as_json(asdict(receipt)))
    if not request.json:
        there = f", {repeated:,} were there already" if repeated else ""
        answer(printable(f"{chat.id}: {plural(added, 'message')} added{there}, {plural(tokens, 'token')}"))


def _objects(role: Role) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(sys.stdin or (), 1):
        if line.strip():
            try:
                message = json.loads(line)
            except (ValueError, RecursionError):
                message = None
            if not isinstance(message, dict):
                raise InvalidInput(
                    f"Line {number} is not a JSON object.", 'Write lines like {"role": "user", "text": "Hello!"}.'
                )
            yield number, {"role": role, **message}


@in_panel("Conversations")
def history(request: CommandRequest, session: SessionName, **filters: Unpack[HistoryFilters]) -> None:
    """Read a conversation, oldest first.

    Example: onrecord history trip --last 20

    With --json each message is one line, so a history of any length can be piped.
    """
    style = paint()
    count = damaged = 0
    with request.open_existing(asks=False) as memory:
        for message in memory.session(session).history(**filters):
            count += 1
            damaged += message.state == "damaged"
            answer(as_json(message.to_dict()) if request.json else message_line(message, style))
        if not count:
            request.existing(memory, session)
            note("No message fits.")
    if damaged:
        what = f"{plural(damaged, 'message')} shown above cannot be trusted any more."
        note(f"{what} See what is left: {request.command('doctor')}")
        raise typer.Exit(WRONG)


@in_panel("Conversations")
def sessions(
    request: CommandRequest,
    all_spaces: Annotated[bool, typer.Option("--all-spaces", help="Those of every space, not just --space.")] = False,
) -> None:
    """List the conversations of a space.

    Example: onrecord sessions --json
    """
    with request.open_existing(asks=False) as memory:
        form = SessionInfo.to_dict if request.json else asdict
        rows = (
            ({"space": space} if all_spaces or not request.json else {}) | form(info)
            for space in (memory.spaces() if all_spaces else [memory.name])
            for info in memory.space(space).sessions()
        )
        show(request, "session", rows, empty="No sessions yet. Begin one: " + command('add trip "Hello!"'))


@in_panel("Conversations")
def session(
    request: CommandRequest,
    session: SessionName,
    title: Annotated[str | None, typer.Option(help="Give it this title.")] = None,
    system: Annotated[str | None, typer.Option(help="Give it this system prompt; -: from standard input.")] = None,
    score: Annotated[
        list[str] | None,
        typer.Option(help="Set the importance of a message, from 0 to 1; may be repeated.", metavar="NUMBER=SCORE"),
    ] = None,
    rescore: Annotated[bool, typer.Option("--rescore", help="Score every message again by the profile.")] = False,
    end: Annotated[bool, typer.Option("--end", help="End it, with a closing summary.")] = False,
    summary: Annotated[str | None, typer.Option(help="With --end: the closing summary, instead of one made.")] = None,
) -> None:
    """Show what is known of a conversation and which summaries are due; describe, score or end it.

    Example: onrecord session trip --title "Lisbon in May" --system "You are a travel assistant."

    Example: onrecord session trip --score 3=0.9

    A --model that is typed here becomes the model of the conversation.
    """
    if summary is not None and not end:
        raise InvalidInput("--summary is the closing summary.", "Add --end, or leave it out.")
    changes = {
        "title": title,
        "system": text_given(system) if system == "-" else system,
        "model": request.model if "model" in request.typed else None,
    }
    changes = {name: value for name, value in changes.items() if value is not None}
    given = numbers_given(score or (), "--score 3=0.9")
    scores = {int(number) if number.isdecimal() else 0: value for number, value in given.items()}
    with request.conversation(session, asks=end) as chat:
        if changes:
            chat.update(**changes)
        rescored = (chat.rescore() if rescore else 0) + (chat.rescore(scores) if scores else 0)
        if end:
            chat.end(summary)
        info, due = chat.info(), chat.due()
    if rescored or rescore:
        note(f"{plural(rescored, 'message')} scored anew.")
    reply(
        request,
        info.to_dict() | {"due": due},
        f"{info.id}: {plural(info.last_seq, 'message')}, {info.status}, created {moment(info.created)} UTC",
        *(f"{name}: {value}" for name in ("title", "model", "system") if (value := getattr(info, name))),
        f"Summaries due: {', '.join(f'{first}-{last}' for first, last in due) or 'none'}",
    )


@in_panel("Conversations")
def forget(
    request: CommandRequest,
    session: Annotated[str | None, typer.Option(help="The conversation.")] = None,
    message: Annotated[
        list[str] | None, typer.Option(help="A message of it, by number (only digits) or id; may be repeated.")
    ] = None,
    whole_space: Annotated[str | None, typer.Option(help="A whole space, by name.", metavar="NAME")] = None,
    fact: Annotated[str | None, typer.Option(help="A fact, by id; its messages stay.", metavar="ID")] = None,
    yes: Yes = False,
) -> None:
    """Erase messages, a conversation, a space or a fact, down to the bytes.

    Example: onrecord forget --session trip --message 3 --message 4

    It cannot be undone. A message leaves its number behind, and nothing else.
    """
    if sum(name is not None for name in (session, whole_space, fact)) != 1 or (message and session is None):
        raise InvalidInput(
            "forget needs to know what.",
            "Give --session, --session with --message, --whole-space, or --fact, and nothing else.",
        )
    request.must_be_there()
    part = f"message {', '.join(message)} of" if message else "the whole of"
    what = f"{part} session {session!r} in space {request.space!r}"
    if session is None:
        what = f"fact {fact}" if fact else f"the whole space {whole_space!r}"
    confirm(f"Forget {what}, for ever?", yes=yes, nothing="Nothing was forgotten.")
    messages = [*map(message_named, message)] if message else None
    with request.open() as memory:
        erased = memory.forget(session=session, messages=messages, space=whole_space, fact=fact)
    _show_erased(request, erased, what)


def _show_erased(request: CommandRequest, erased: Erased, what: str) -> None:
    nouns = {"messages": "message", "records": "derived record", "sessions": "session", "spaces": "space"}
    gone = ", ".join(plural(count, noun) for name, noun in nouns.items() if (count := getattr(erased, name)))
    reply(request, asdict(erased), *([f"Forgotten: {gone}."] if gone else ()))
    if erased.pending:
        warn_of_lingering(request)
    if not gone:
        note(f"There was nothing to forget: {what} was never there, or was forgotten before.")
        raise typer.Exit(WRONG)
