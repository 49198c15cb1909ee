"""`recollect demo`: what a newcomer sees first. A conversation goes in, is counted, repeated, forgotten, exported.

Nothing is staged: the tokens are counted, and the forgotten word is looked for in the bytes of the files.
"""

from __future__ import annotations

import io
import shlex
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recollect.cli.journal import in_words
from recollect.cli.output import command, console, plural, printable
from recollect.cli.streams import reader_may_leave
from recollect.errors import InvalidInput
from recollect.memory import Memory, Session
from recollect.models.tokenizers import counter_for
from recollect.records import ToolCall

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["demo"]

SESSION = "lisbon"
SECRET = "quicksilver"  # begins like no other word here, so the index holds it whole
SECRET_NUMBER = 10
_FLIGHTS = ToolCall(id="call_1", name="find_flights", arguments='{"from": "BER", "to": "LIS", "date": "2026-05-05"}')

CONVERSATION: tuple[dict[str, Any], ...] = (
    {"role": "system", "text": "You are a travel assistant. Be brief, and ask before you book anything."},
    {
        "role": "user",
        "name": "Ana",
        "text": "Ben and I want to see Lisbon: 5 to 10 May, five nights, €1,400 for both of us.",
    },
    {"role": "assistant", "text": "Lovely! Is there anything I must plan around: food, health, stairs?"},
    {
        "role": "user",
        "name": "Ana",
        "text": "I'm allergic to penicillin, and I don't eat shellfish. Ben eats everything.",
    },
    {
        "role": "assistant",
        "text": "Noted: no penicillin, no shellfish. Let me look at flights.",
        "tool_calls": [_FLIGHTS],
    },
    {
        "role": "tool",
        "name": "find_flights",
        "tool_call_id": "call_1",
        "text": '[{"flight": "TP 533", "at": "06:45", "eur": 129}, {"flight": "TP 535", "at": "13:10", "eur": 164}]',
    },
    {"role": "assistant", "text": "TP 533 leaves at 6:45 for €129 each, TP 535 at 13:10 for €164. Which one?"},
    {
        "role": "user",
        "name": "Ben",
        "text": "The later one. Nobody is awake at 6:45 — and €328 for two still leaves €1,072.",
    },
    {
        "role": "assistant",
        "text": "TP 535 it is. A flat in Alfama for five nights is €610; that leaves €462 for food and trams.",
    },
    {"role": "user", "name": "Ben", "text": f"Take it. The host wrote that the door code is {SECRET}-4417."},
    {"role": "assistant", "text": "Booked. Shall I find a table for Ana's birthday on 8 May, without shellfish?"},
    {"role": "user", "name": "Ana", "text": "Yes please! Somewhere with fado, 20:00, two people."},
)


@reader_may_leave()
def demo(
    keep: Annotated[Path | None, typer.Option(help="Keep the memory in this new file.", metavar="PATH")] = None,
    model: Annotated[str, typer.Option(help="Count tokens as this model does.")] = "gpt-4o",
) -> None:
    """See it work on a short conversation, in a second.

    Example: recollect demo --keep demo.db
    """
    out = console(width_when_piped=100)
    if keep is not None:
        if keep.exists():
            raise InvalidInput(f"{keep} is there already.", "Name a new file.")
        _show(out, keep, model, kept=True)
        return
    with tempfile.TemporaryDirectory(prefix="recollect-") as folder:
        _show(out, Path(folder) / "demo.db", model, kept=False)


def _show(out: Console, path: Path, model: str, *, kept: bool) -> None:
    with Memory(path, model=model) as memory:
        chat = memory.session(SESSION)
        out.print("recollect keeps conversations in one file, counts them exactly, and forgets for good when told to.")
        _keep(out, chat, path)
        _count(out, chat, model)
        _repeat(out, chat)
        _forget(out, memory, path)
        _export(out, memory)
        health = memory.check()
        _heading(out, 6, "Check")
        out.print(f"doctor looked at all of it: {'nothing is wrong' if health.ok else 'something is wrong'}.")
    _next(out, path if kept else None)


def _heading(out: Console, number: int, text: str) -> None:
    out.print()
    out.print(f"{number}. {text}", style="bold cyan")


def _keep(out: Console, chat: Session, path: Path) -> None:
    from rich.box import ROUNDED
    from rich.table import Table

    moments = (f"2026-03-02T18:{4 + 2 * number:02}:00Z" for number in range(len(CONVERSATION)))
    chat.add_many([{"time": time, **message} for time, message in zip(moments, CONVERSATION, strict=True)])
    _heading(out, 1, "Keep: every message is numbered, and on disk before add() returns")
    table = Table(box=ROUNDED, border_style="dim")
    table.add_column("#", justify="right", style="dim")
    table.add_column("who", style="green", no_wrap=True)
    table.add_column("tokens", justify="right", style="dim")
    table.add_column("text")
    for message in chat.history():
        tokens = f"{message.tokens} + {message.overhead}"
        table.add_row(str(message.seq), message.name or message.role, tokens, in_words(message))
    out.print(table)
    out.print(f"{plural(len(CONVERSATION), 'message')} in {path}", style="dim")


def _count(out: Console, chat: Session, model: str) -> None:
    counter = counter_for(model)
    how = f"{counter.encoding}, exact" if counter.exact else "an upper estimate"
    text = overhead = 0
    for message in chat.history():
        text, overhead = text + message.tokens, overhead + message.overhead
    _heading(out, 2, f"Count: tokens as {model} counts them ({how}), offline")
    out.print(
        f"{text:,} in the texts + {overhead:,} for roles, names and the tool call (a bound)"
        f" + {counter.priming} to start the reply"
    )
    out.print(f"= {text + overhead + counter.priming:,} tokens as a prompt, at most", style="bold")


def _repeat(out: Console, chat: Session) -> None:
    first, again = (chat.add("assistant", "Fado at 20:00 it is.", key="reply-13") for _ in range(2))
    _heading(out, 3, "Repeat: a key makes sending twice safe")
    out.print(f'add(…, key="reply-13") → message {first.seq}')
    out.print(f'add(…, key="reply-13") → message {again.seq} again, repeated={again.repeated}: it was added once')


def _forget(out: Console, memory: Memory, path: Path) -> None:
    memory.flush()
    before = _occurrences(path)
    erased = memory.forget(session=SESSION, messages=SECRET_NUMBER)
    _heading(out, 4, "Forget: gone from the bytes, not just from view")
    out.print(f"“{SECRET}” in the bytes of {path.name}* before:  {plural(before, 'time')} (the message and the index)")
    out.print(
        f"forget message {SECRET_NUMBER} → {plural(erased.messages, 'message')}, {erased.terms} index entries erased"
    )
    out.print(f"“{SECRET}” in the bytes of {path.name}* after:   {plural(_occurrences(path), 'time')}")


def _occurrences(path: Path) -> int:
    """How often the secret stands in the memory's files: the file itself, its log, and what else lies beside it."""
    files = path.parent.glob(f"{path.name}*")
    return sum(file.read_bytes().lower().count(SECRET.encode()) for file in files)


def _export(out: Console, memory: Memory) -> None:
    lines = io.StringIO()
    count = memory.export(lines, session=SESSION)
    _heading(out, 5, "Export: JSON Lines, to read, move or keep")
    line = lines.getvalue().splitlines()[3]
    out.print(printable(line), overflow="ellipsis", no_wrap=True)
    out.print(f"… {plural(count, 'line')}; import reads them again", style="dim")


def _next(out: Console, kept: Path | None) -> None:
    out.print()
    out.print("Try it yourself:", style="bold cyan")
    kept_one = [] if kept is None else [command(f"history {SESSION} --db {shlex.quote(str(kept))}")]
    new_one = ['add trip "We fly to Lisbon on 5 May." --name Ana', "history trip", "path", "--help"]
    for line in [*kept_one, *map(command, new_one)]:
        out.print(printable(f"  {line}"), soft_wrap=True)
    out.print('In Python: from recollect import Memory; Memory("memory.db").session("trip").add("user", "Hello!")')
