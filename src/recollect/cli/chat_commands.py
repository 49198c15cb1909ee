"""What a line that begins with a slash does in `recollect chat`.

Each command answers twice: a value for programs, and a function that shows the same to people.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from textwrap import shorten
from typing import TYPE_CHECKING, Any, NamedTuple

from recollect.cli.care import lingering, message_of
from recollect.cli.context import in_short, section_table, show_why
from recollect.cli.journal import COLOURS
from recollect.cli.longterm import fact_table
from recollect.cli.output import answer, console, note, paint, plural, printable
from recollect.cli.search import WIDTH, show_hits
from recollect.context.formats import plain
from recollect.context.head import HEADINGS
from recollect.context.text import CLOSE, OPEN
from recollect.errors import InvalidInput, NotFound
from recollect.profiles import PROFILES

if TYPE_CHECKING:
    from recollect.cli.chat_talk import Talk
    from recollect.context.prompt import Context
    from recollect.records import Erased, Fact, Message, Pin, Summary

__all__ = ["COMMANDS", "Outcome", "is_command", "names_command", "obey", "show_prompt"]

Outcome = tuple[Any, Callable[[], None]]
"""What a command answers: for programs, and shown to people."""

HITS = 5
"""Hits of a search in a conversation: more would push it off the screen."""

SHOWN = 20
"""Summaries and facts that are spelled out, from the newest."""

SHADES = {"facts": "yellow", "pins": "bright_yellow", "summaries": "cyan", "earlier": "bright_black"}
"""Colours of the parts of a prompt's memory; those of its turns are the roles'."""

RECALLED = "bright_cyan"

_SECTIONS = {heading: name for layout in HEADINGS.values() for name, heading in layout.items()}


class Command(NamedTuple):
    work: Callable[[Talk, str], Outcome]
    usage: str
    help: str


def is_command(line: str) -> bool:
    """Whether a line is for us; the others, and those with two slashes, are for the model."""
    return line.startswith("/") and not line.startswith("//")


def names_command(line: str) -> bool:
    """Whether it is one that there is."""
    return is_command(line) and _parted(line)[0] in COMMANDS


def obey(talk: Talk, line: str) -> Outcome:
    """Do what a line with a slash says."""
    name, rest = _parted(line)
    if name not in COMMANDS:
        said = shorten(line, 40, placeholder="…")
        raise InvalidInput(
            f"There is no command {said.split(' ')[0]}.",
            f"/help lists them. To say it to the model, type two slashes: /{said}",
        )
    return COMMANDS[name].work(talk, rest)


def _parted(line: str) -> tuple[str, str]:
    name, *rest = line[1:].split(maxsplit=1) or [""]
    return name.lower(), rest[0].strip() if rest else ""


def _help(talk: Talk, rest: str) -> Outcome:
    wide = max(len(command.usage) for command in COMMANDS.values())
    lines = [f"{command.usage:<{wide}}  {command.help}" for command in COMMANDS.values()]
    lines.append("A line that ends in \\ goes on in the next. //text says /text to the model.")
    return {name: command.help for name, command in COMMANDS.items()}, partial(answer, "\n".join(lines))


def _pin(talk: Talk, text: str) -> Outcome:
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
    if text and not number:
        made = talk.session.pin(text)
    else:
        message = _message_to_pin(talk, number)
        made = talk.session.pin(message.text, source=message.seq)
    return made.to_dict(), partial(answer, _pinned(made))


def _message_to_pin(talk: Talk, number: int) -> Message:
    """The message of a number; 0: what the user said last."""
    if number:
        found = next(talk.session.history(after=number - 1, before=number + 1), None)
        missing = f"There is no message {number} here.", "Give the number of one, or a text: /pin TEXT"
    else:
        found = next(talk.session.history(last=1, role="user"), None)
        missing = "There is no message to pin yet.", "Say something, or give the text: /pin TEXT"
    if found is None:
        raise NotFound(*missing)
    return found


def _pinned(made: Pin) -> str:
    source = "" if made.source is None else f" (message {made.source})"
    return printable(f"Pinned{source}, so it is in every prompt: {_line(made.text)}")


def _context(talk: Talk, question: str) -> Outcome:
    built = talk.session.context(question or None, tokens=talk.tokens)
    return built.to_dict(), partial(_show_context, talk, built)


def _show_context(talk: Talk, built: Context) -> None:
    show_prompt(built)
    out = console(width_when_piped=WIDTH)
    if built.parts:
        out.print()
    out.print(printable(in_short(built)))
    out.print(section_table(built))
    _warn(talk, built.warnings)


def show_prompt(built: Context) -> None:
    """A prompt as it would be sent; on a terminal each part in the colour of its section."""
    style = paint()
    for place, (kind, part) in enumerate(built.parts):
        if place:
            answer("")
        if not isinstance(part, str):
            answer(style(printable(plain([(kind, part)])), fg=COLOURS.get(part.role)))
        elif kind == "recalled":
            answer(style(printable(part), fg=RECALLED))
        else:
            for line, shade in _shaded(plain([(kind, part)])):
                answer(style(printable(line), fg=shade))


def _shaded(head: str) -> Iterator[tuple[str, str | None]]:
    """The lines of a prompt's head, each with its colour: the system prompt, then the sections of the memory."""
    shade: str | None = COLOURS["system"]
    for line in head.split("\n"):
        if line in (OPEN, CLOSE):
            shade = None
        elif line in _SECTIONS:
            shade = SHADES.get(_SECTIONS[line])
        yield line, shade


def _why(talk: Talk, rest: str) -> Outcome:
    if talk.last is None:
        raise NotFound("No prompt was built yet.", "Say something first; /context shows what would be sent.")
    return talk.last.to_dict(), partial(_show_why, talk, talk.last)


def _show_why(talk: Talk, built: Context) -> None:
    show_why(built)
    _warn(talk, built.warnings)


def _summary(talk: Talk, rest: str) -> Outcome:
    found = list(talk.session.summaries())
    return [one.to_dict() for one in found], partial(_show_summaries, talk, found)


def _show_summaries(talk: Talk, found: list[Summary]) -> None:
    if not found:
        kept = plural(talk.session.info().last_seq, "message")
        answer(f"There are no summaries yet: {kept} so far, which prompts show as they were said.")
    if len(found) > SHOWN:
        older = talk.request.command(f"summaries {shlex.quote(talk.session.id)}")
        answer(printable(f"{len(found) - SHOWN:,} older ones are listed by: {older}"))
    for one in found[-SHOWN:]:
        answer(printable(f"{one.first}-{one.last}: {_line(one.text) or '(nothing to say)'}"))


def _facts(talk: Talk, rest: str) -> Outcome:
    shared = any(profile.shared for profile in PROFILES.values() if profile.name == talk.request.profile)
    found = talk.memory.facts() if shared else talk.session.facts()
    return [one.to_dict() for one in found], partial(_show_facts, talk, found)


def _show_facts(talk: Talk, found: list[Fact]) -> None:
    if not found:
        answer("No facts are known yet.")
        return
    if len(found) > SHOWN:
        answer(printable(f"{len(found) - SHOWN:,} older ones are listed by: {talk.request.command('facts')}"))
    console(width_when_piped=WIDTH).print(fact_table(found[-SHOWN:]))


def _search(talk: Talk, text: str) -> Outcome:
    if not text:
        raise InvalidInput("/search needs to know what to find.", "Type, for example: /search penicillin")
    hits = talk.memory.search(text, limit=HITS)
    value = {"hits": [hit.to_dict() for hit in hits], "notes": list(hits.notes)}

    def show() -> None:
        show_hits(console(width_when_piped=WIDTH), hits)
        if not len(hits):
            answer("Nothing was found.")
        _warn(talk, hits.notes)

    return value, show


def _forget(talk: Talk, rest: str) -> Outcome:
    if not rest:
        raise InvalidInput("/forget needs the number of a message.", "/search shows numbers: /forget 3")
    erased = talk.session.forget(*map(message_of, rest.split()))
    if not erased.messages:
        raise NotFound(f"There was nothing to forget: no message {rest} is there.", "/search shows their numbers.")
    talk.last = None  # it may quote what is to be forgotten
    return asdict(erased), partial(_show_forgotten, talk, erased)


def _show_forgotten(talk: Talk, erased: Erased) -> None:
    derived = f", {plural(erased.records, 'derived record')}" if erased.records else ""
    answer(f"Forgotten: {plural(erased.messages, 'message')}{derived}.")
    if erased.pending:
        note(lingering(talk.request))


def _quit(talk: Talk, rest: str) -> Outcome:
    raise EOFError  # as if the input had ended


def _warn(talk: Talk, warnings: tuple[str, ...]) -> None:
    for warning in warnings:
        note(f"Warning: {talk.request.remedied(warning)}")


def _line(text: str) -> str:
    return " ".join(text.split())


COMMANDS = {
    "help": Command(_help, "/help", "this list"),
    "pin": Command(_pin, "/pin [NUMBER or TEXT]", "keep a text, a message, or what you said last, in every prompt"),
    "context": Command(_context, "/context [QUESTION]", "the prompt that would be sent now, and what it takes"),
    "why": Command(_why, "/why", "why each line was in the last prompt, or not"),
    "summary": Command(_summary, "/summary", "the summaries of this conversation so far"),
    "facts": Command(_facts, "/facts", "what is known, as it stands"),
    "search": Command(_search, "/search TEXT", "find what was said, here and in other conversations"),
    "forget": Command(_forget, "/forget NUMBER", "erase a message for ever, down to the bytes"),
    "quit": Command(_quit, "/quit", "leave; so do Ctrl-D and Ctrl-C"),
}
"""The commands by name, in the order of the help."""
