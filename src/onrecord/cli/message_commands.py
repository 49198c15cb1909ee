"""Commands of a conversation: add to it, read it, list all of them."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict
from itertools import islice
from typing import Annotated, Any, cast

import typer

from onrecord.cli.options import CommandRequest
from onrecord.cli.output import WRONG, answer, as_json, command, console, note, paint, plural, printable
from onrecord.errors import InvalidInput, OnrecordError
from onrecord.memory import Memory
from onrecord.policy.display import indented
from onrecord.records import ROLES, Message, Receipt, Role, SessionInfo
from onrecord.session import Session

__all__ = ["COLOURS", "add", "from_input", "history", "in_words", "sessions"]

BATCH = 500
"""Messages of a JSON Lines input that are added at once."""

INDENT = " " * 7
"""Further lines of a message stand under its time, so that no message can look like two."""

COLOURS = {"system": "magenta", "user": "green", "assistant": "blue", "tool": "yellow"}


def add(
    request: CommandRequest,
    session: Annotated[str, typer.Argument(help="The conversation; made on first use.")],
    text: Annotated[str | None, typer.Argument(help="What was said; left out or -: from standard input.")] = None,
    role: Annotated[Role, typer.Option(help="Who speaks.")] = "user",
    name: Annotated[str | None, typer.Option(help="The speaker's name, where a role holds several.")] = None,
    time: Annotated[str | None, typer.Option(help="When it was said (ISO; without a zone: UTC); now.")] = None,
    id: Annotated[str | None, typer.Option(help="Your own id for it.")] = None,
    key: Annotated[str | None, typer.Option(help="Makes repeating safe: the same key is added once.")] = None,
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="Add many: a JSON object a line, with add's keywords.")
    ] = False,
) -> None:
    """Add a message to a conversation; when this returns, it is on disk.

    Example: onrecord add trip "We fly to Lisbon on 5 May." --name Ana

    From a program: echo '{"role": "user", "text": "Hello!"}' | onrecord add trip --jsonl
    """
    own = {"name": name, "time": time, "id": id, "key": key}
    if jsonl:
        if text not in (None, "-") or any(value is not None for value in own.values()):
            raise InvalidInput(
                "--jsonl takes everything from the lines.", "Leave out the text, name, time, id and key."
            )
        with request.open() as memory:
            _add_lines(memory.session(session), role, as_lines=request.json)
        return
    said = from_input() if text in (None, "-") else text
    assert said is not None
    with request.open() as memory:
        receipt = memory.session(session).add(role, said, name=name, time=time, id=id, key=key)
    answer(as_json(asdict(receipt)) if request.json else _receipt(receipt, session))


def from_input() -> str:
    """All of standard input as one text."""
    if sys.stdin is None:
        raise InvalidInput("There is no text and no standard input.", "Give the text after the session.")
    if sys.stdin.isatty():
        note("Type the message, then end it with Ctrl-D on a line of its own.")
    text = sys.stdin.read()
    if not text:
        raise InvalidInput(
            "Nothing came from standard input.", 'Give the text after the session; "" adds an empty one.'
        )
    return text.removesuffix("\n").removesuffix("\r")


def _receipt(receipt: Receipt, session: str) -> str:
    done = "was there already:" if receipt.repeated else "added:"
    line = f"{session} {receipt.seq} {done} {plural(receipt.tokens, 'token')}, importance {receipt.importance:.2f}"
    repaired = "; broken characters were replaced, the original is kept" if receipt.repaired else ""
    return printable(f"{line}, id {receipt.id}{repaired}")


def _add_lines(chat: Session, role: Role, *, as_lines: bool) -> None:
    """Add what standard input brings, some hundred messages a transaction, and say what came of it."""
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
            if as_lines:
                answer(as_json(asdict(receipt)))
    if not as_lines:
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


def history(
    request: CommandRequest,
    session: Annotated[str, typer.Argument(help="The conversation to read.")],
    limit: Annotated[int | None, typer.Option(min=0, help="So many from the oldest.")] = None,
    last: Annotated[int | None, typer.Option(min=0, help="So many from the newest.")] = None,
    after: Annotated[int | None, typer.Option(min=0, help="Only numbers over this.")] = None,
    before: Annotated[int | None, typer.Option(min=0, help="Only numbers under this.")] = None,
    since: Annotated[str | None, typer.Option(help="Only from this moment on (ISO).")] = None,
    until: Annotated[str | None, typer.Option(help="Only before this moment (ISO).")] = None,
    role: Annotated[
        list[str] | None, typer.Option(help="Only this role; may be repeated.", metavar="|".join(ROLES))
    ] = None,
    forgotten: Annotated[bool, typer.Option("--forgotten", help="Show where messages were forgotten.")] = False,
) -> None:
    """Read a conversation, oldest first.

    Example: onrecord history trip --last 20

    With --json each message is one line, so a history of any length can be piped.
    """
    with request.open_existing(asks=False) as memory:
        chat = memory.session(session)
        roles = cast(list[Role], role) or None  # the library checks them
        found = chat.history(
            limit=limit,
            last=last,
            after=after,
            before=before,
            since=since,
            until=until,
            role=roles,
            forgotten=forgotten,
        )
        shown, damaged = _show(found, as_lines=request.json)
        if not shown:
            request.existing(memory, session)
            note("No message fits.")
    if damaged:
        _warn_of_damage(damaged, request)
        raise typer.Exit(WRONG)


def _warn_of_damage(damaged: int, request: CommandRequest) -> None:
    what = f"{plural(damaged, 'message')} shown above cannot be trusted any more."
    note(f"{what} See what is left: {request.command('doctor')}")


def _show(messages: Iterator[Message], *, as_lines: bool) -> tuple[int, int]:
    """Print each message as it is read; answers how many there were, and how many of them damaged."""
    shown = damaged = 0
    style = paint()
    for message in messages:
        shown += 1
        damaged += message.state == "damaged"
        answer(as_json(message.to_dict()) if as_lines else _line(message, style))
    return shown, damaged


def _line(message: Message, style: Callable[..., str]) -> str:
    who = printable(message.role if message.name is None else f"{message.role}/{message.name}")
    return "  ".join(
        (
            style(f"{message.seq:>5}", dim=True),
            f"{message.time:%Y-%m-%d %H:%M}",
            style(f"{who:<14}", fg=COLOURS.get(message.role)),
            style(f"{message.tokens:>5}", dim=True),
            indented(in_words(message), INDENT),
        )
    )


def in_words(message: Message) -> str:
    """What people see of a message: its text, the tools it calls, or what became of it."""
    if message.state == "forgotten":
        return "(forgotten)"
    calls = (f"→ {call.name}({call.arguments})" for call in message.tool_calls)
    parts = ("(damaged)" if message.state == "damaged" else "", message.text, *calls)
    return printable(" ".join(part for part in parts if part))


def sessions(
    request: CommandRequest,
    all_spaces: Annotated[bool, typer.Option("--all-spaces", help="Those of every space, not just --space.")] = False,
) -> None:
    """List the conversations of a space.

    Example: onrecord sessions --json
    """
    with request.open_existing(asks=False) as memory:
        if request.json:
            for space, info in _sessions(memory, all_spaces):
                answer(as_json(({"space": space} if all_spaces else {}) | info.to_dict()))
        else:
            _table(list(_sessions(memory, all_spaces)), all_spaces)


def _sessions(memory: Memory, all_spaces: bool) -> Iterator[tuple[str, SessionInfo]]:
    for space in memory.spaces() if all_spaces else [memory.name]:
        for info in memory.space(space).sessions():
            yield space, info


def _table(rows: list[tuple[str, SessionInfo]], all_spaces: bool) -> None:
    if not rows:
        note("No sessions yet. Begin one: " + command('add trip "Hello!"'))
        return
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table("session", "title", "status", box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("messages", justify="right")
    table.add_column("created (UTC)", no_wrap=True)
    if all_spaces:
        table.add_column("space")
    for space, info in rows:
        status = "damaged" if info.damaged else info.status
        cells = [info.id, info.title or "", status, f"{info.last_seq:,}", f"{info.created:%Y-%m-%d %H:%M}"]
        table.add_row(*map(printable, [*cells, space] if all_spaces else cells))
    console(width_when_piped=2000).print(table)
