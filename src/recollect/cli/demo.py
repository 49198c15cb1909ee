"""`recollect demo`: what a newcomer sees first. A conversation goes in, is counted, becomes prompts that fit a
budget, is searched, repeated, forgotten, exported.

Nothing is staged: the tokens are counted, and the forgotten word is looked for in the bytes of the files.
"""

from __future__ import annotations

import io
import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recollect.cli.context import in_short, manifest_table, section_table
from recollect.cli.journal import in_words
from recollect.cli.output import command, console, plural, printable
from recollect.cli.search import show_hits
from recollect.cli.streams import reader_may_leave
from recollect.errors import InvalidInput
from recollect.memory import Memory
from recollect.models.tokenizers import counter_for
from recollect.records import Role, ToolCall
from recollect.session import Session

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["demo"]

SESSION = "lisbon"
SECRET = "quicksilver"  # stands in one message alone
SECRET_NUMBER = 9
_FLIGHTS = ToolCall(id="call_1", name="find_flights", arguments='{"from": "BER", "to": "LIS", "date": "2026-05-05"}')

SYSTEM = "You are a travel assistant. Be brief, and ask before you book anything."
CONVERSATION: tuple[dict[str, Any], ...] = (
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
QUESTION = "What must the kitchen know about Ana?"
BUDGET = 300

SOUGHT = "Where did I get injured?"
SOUGHT_BY_WORDS = "Where did I sprain my ankle?"

LONG = "a year of trips"
LONG_BUDGET = 1_200
_TRIPS = (
    ("January", "Lisbon", "the trams were full, and we decided to walk up to the castle"),
    ("February", "Vienna", "I prefer the night train from now on"),
    ("March", "Naples", "the pizza was worth the queue"),
    ("April", "Kraków", "the hotel lost our booking, so we moved to a flat"),
    ("May", "Ghent", "we agreed to leave the car at home next time"),
    ("June", "Bergen", "it rained for six days and we loved it"),
    ("July", "Split", "I sprained my ankle on the stairs, keep it short on walks"),
    ("August", "Riga", "the market by the river had the best rye bread"),
    ("September", "Porto", "we decided to come back every autumn"),
    ("October", "Basel", "three museums in one day were too many"),
    ("November", "Tallinn", "the first snow, and a sauna by the sea"),
    ("December", "Seville", "oranges on the trees, 19 degrees at noon"),
)


@reader_may_leave()
def demo(
    keep: Annotated[Path | None, typer.Option(help="Keep the memory in this new file.", metavar="PATH")] = None,
    model: Annotated[str, typer.Option(help="Count tokens as this model does.")] = "gpt-4o",
    embedder: Annotated[
        str, typer.Option(help="What finds by meaning: auto, local or none.", envvar="RECOLLECT_EMBEDDER")
    ] = "auto",
) -> None:
    """See it work on a short conversation, in a few seconds.

    Example: recollect demo --keep demo.db
    """
    out = console(width_when_piped=100)
    if keep is not None:
        if keep.exists():
            raise InvalidInput(f"{keep} is there already.", "Name a new file.")
        _show(out, keep, model, embedder, kept=True)
        return
    with tempfile.TemporaryDirectory(prefix="recollect-") as folder:
        _show(out, Path(folder) / "demo.db", model, embedder, kept=False)


def _show(out: Console, path: Path, model: str, embedder: str, *, kept: bool) -> None:
    with Memory(path, model=model, embedder=embedder) as memory:
        chat = memory.session(SESSION)
        out.print(
            "recollect keeps conversations in one file, builds prompts that fit a budget and say why, and forgets"
        )
        out.print("for good when told to.")
        _keep(out, chat, path)
        _count(out, chat, model)
        _prompt(out, chat)
        _outgrow(out, memory.session(LONG))
        _find(out, memory)
        _repeat(out, chat)
        _forget(out, memory, path)
        _export(out, memory)
        health = memory.check()
        _heading(out, 9, "Check")
        out.print(f"doctor looked at all of it: {'nothing is wrong' if health.ok else 'something is wrong'}.")
    _next(out, path if kept else None)


def _heading(out: Console, number: int, text: str) -> None:
    out.print()
    out.print(f"{number}. {text}", style="bold cyan")


def _keep(out: Console, chat: Session, path: Path) -> None:
    from rich.box import ROUNDED
    from rich.table import Table

    moments = (f"2026-03-02T18:{4 + 2 * number:02}:00Z" for number in range(len(CONVERSATION)))
    chat.update(system=SYSTEM)
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


def _prompt(out: Console, chat: Session) -> None:
    chat.pin("Ana: allergic to penicillin, no shellfish", source=3, importance=0.9)
    context = chat.context(QUESTION, tokens=BUDGET)
    _heading(out, 3, f"Prompt: the best one of {BUDGET} tokens, and why")
    out.print(f"chat.pin(…); chat.context(“{QUESTION}”, tokens={BUDGET}) → {in_short(context)}")
    out.print(manifest_table(context, 3, out.width))
    out.print(
        "context.messages() is what an OpenAI-style call takes; .anthropic() and str() are there too", style="dim"
    )


def _outgrow(out: Console, chat: Session) -> None:
    chat.add_many(_talk())
    chat.flush()  # summaries are made in the background: wait for them
    question = "What did we decide last year?"
    context = chat.context(question, tokens=LONG_BUDGET)
    again = chat.context("And where did it rain?", tokens=LONG_BUDGET)
    said = sum(message.tokens + message.overhead for message in chat.history())
    _heading(out, 4, f"Outgrow: {said:,} tokens were said, {LONG_BUDGET:,} are allowed")
    out.print("Summaries stand for what no longer fits; every message stays in the journal.")
    out.print(section_table(context))
    for one in context.manifest:
        if one.included and one.kind in ("fact", "summary"):
            out.print(printable(f"- {one.text}"), overflow="ellipsis", no_wrap=True)
    out.print(f"The next question: {in_short(again)}", style="dim")


def _talk() -> Iterator[tuple[Role, str]]:
    for month, city, note in _TRIPS:
        for day, said in enumerate((note, "the host was kind", "the food was good", "we slept late"), 1):
            yield "user", f"{month}, day {day} in {city}: {said}."
            yield "assistant", f"Noted for {city}, day {day}. Shall I add it to the diary?"


def _find(out: Console, memory: Memory) -> None:
    memory.flush()  # finishes the vectors that a thread makes meanwhile
    sought, way = SOUGHT, "by words and by meaning"
    hits = memory.search(sought, limit=1)
    if "meaning" not in hits[0].parts:
        sought, way = SOUGHT_BY_WORDS, "by words (by meaning: recollect[embeddings])"
        hits = memory.search(sought, limit=1)
    _heading(out, 5, f"Find: {way}, in all conversations")
    out.print(f"memory.search(“{sought}”, limit=1)")
    show_hits(out, hits)
    parts = ", ".join(f"{name} {value:.2f}" for name, value in hits[0].parts.items() if value)
    out.print(f"hits.explain(): {hits[0].score:.2f} = {parts}", style="dim")


def _repeat(out: Console, chat: Session) -> None:
    first, again = (chat.add("assistant", "Fado at 20:00 it is.", key="reply-12") for _ in range(2))
    _heading(out, 6, "Repeat: a key makes sending twice safe")
    out.print(f'add(…, key="reply-12") → message {first.seq}')
    out.print(f'add(…, key="reply-12") → message {again.seq} again, repeated={again.repeated}: it was added once')


def _forget(out: Console, memory: Memory, path: Path) -> None:
    before = _occurrences(path)
    erased = memory.forget(session=SESSION, messages=SECRET_NUMBER)
    _heading(out, 7, "Forget: gone from the bytes, not just from view")
    out.print(f"“{SECRET}” in the bytes of {path.name}* before:  {plural(before, 'time')}")
    gone = f"{plural(erased.messages, 'message')}, {plural(erased.records, 'summary', 'summaries')}"
    out.print(f"forget message {SECRET_NUMBER} → {gone} erased")
    out.print(f"“{SECRET}” in the bytes of {path.name}* after:   {plural(_occurrences(path), 'time')}")


def _occurrences(path: Path) -> int:
    """How often the secret stands in the memory's files: the file itself, its log, and what else lies beside it."""
    files = path.parent.glob(f"{path.name}*")
    return sum(file.read_bytes().lower().count(SECRET.encode()) for file in files)


def _export(out: Console, memory: Memory) -> None:
    lines = io.StringIO()
    count = memory.export(lines, session=SESSION)
    _heading(out, 8, "Export: JSON Lines, to read, move or keep")
    line = lines.getvalue().splitlines()[3]
    out.print(printable(line), overflow="ellipsis", no_wrap=True)
    out.print(f"… {plural(count, 'line')}; import reads them again", style="dim")


def _next(out: Console, kept: Path | None) -> None:
    out.print()
    out.print("Try it yourself:", style="bold cyan")
    place = "" if kept is None else f" --db {shlex.quote(str(kept))}"
    kept_one = [command(f"{name} {SESSION}{place}") for name in ("history", "explain")] if kept else []
    new_one = [
        'add trip "We fly to Lisbon on 5 May." --name Ana',
        "history trip",
        'search "When do we fly?"',
        'context trip "When do we fly?" --tokens 500',
        "--help",
    ]
    for line in [*kept_one, *map(command, new_one)]:
        out.print(printable(f"  {line}"), soft_wrap=True)
    out.print('In Python: from recollect import Memory; Memory("memory.db").session("trip").add("user", "Hello!")')
