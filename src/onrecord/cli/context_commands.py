"""Commands of a prompt: build it for a question, and say why everything is in it or not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from onrecord.cli.message_commands import from_input
from onrecord.cli.options import CommandRequest
from onrecord.cli.output import answer, as_json, console, note, plural, printable
from onrecord.context.explain import rows_of
from onrecord.context.prompt import Context

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["context", "explain", "in_short", "manifest_table", "section_table", "show_why"]

Format = Literal["text", "openai", "anthropic"]
Session = Annotated[str, typer.Argument(help="The conversation.")]
Question = Annotated[
    str | None,
    typer.Argument(help="What to answer; -: from standard input; left out: the conversation goes on as it stands."),
]
Tokens = Annotated[int | None, typer.Option(min=1, help="The most tokens the prompt may have; the profile's default.")]
Recalled = Annotated[int | None, typer.Option(min=0, help="At most so many recalled messages; 0: none.")]
AsOf = Annotated[str | None, typer.Option(help="With what was said and true at this moment (ISO), as known today.")]
KnownAt = Annotated[str | None, typer.Option(help="The prompt as it would have been at this moment (ISO).")]

GAP = 2  # characters between two columns
LEAST = 20  # characters of a text, however narrow the screen is
BAR = 30  # characters of a whole budget
OUT = 20  # candidates that are not in the prompt spelled out for people; --json gives all


def context(
    request: CommandRequest,
    session: Session,
    question: Question = None,
    tokens: Tokens = None,
    format: Annotated[Format, typer.Option(help="The shape: text, or the JSON that a provider takes.")] = "text",
    as_of: AsOf = None,
    known_at: KnownAt = None,
    recalled: Recalled = None,
) -> None:
    """Build the prompt for a question, within a budget.

    Example: onrecord context trip "What must the doctor know?" --tokens 2000

    The prompt goes to standard output, what is to be said about it to standard error. In text, control characters are
    spelled out; the other formats and --json give them as they are. onrecord explain says why.
    """
    built = _built(request, session, question, tokens=tokens, as_of=as_of, known_at=known_at, recalled=recalled)
    prompt = _prompt(built, format)
    if request.json:
        answer(as_json({**built.in_short(), "format": format, "prompt": prompt}))
        return
    if prompt:
        answer(printable(prompt) if isinstance(prompt, str) else as_json(prompt))
    note(in_short(built))
    _warn(request, built)


def explain(
    request: CommandRequest,
    session: Session,
    question: Question = None,
    tokens: Tokens = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    recalled: Recalled = None,
) -> None:
    """Say why each thing is in the prompt for a question, or why not.

    Example: onrecord explain trip "What must the doctor know?" --tokens 2000
    """
    built = _built(request, session, question, tokens=tokens, as_of=as_of, known_at=known_at, recalled=recalled)
    if request.json:
        answer(as_json(built.to_dict()))
        return
    show_why(built, more="; --json lists them all")
    _warn(request, built)


def show_why(built: Context, more: str = "") -> None:
    """Why each thing is in a prompt, or why not, for people; `more`: where those are that are not listed."""
    out = console(width_when_piped=140)
    out.print(printable(in_short(built)))
    out.print()
    out.print(section_table(built))
    out.print()
    out.print(manifest_table(built, OUT, out.width))
    left_out = sum(not one.included for one in built.manifest)
    if left_out > OUT:
        out.print(f"and {left_out - OUT:,} more that are not in it{more}")


def _built(request: CommandRequest, session: str, question: str | None, **wanted: Any) -> Context:
    asked = from_input() if question == "-" else question
    request.must_be_there()
    with request.open(request.embedder(), asks=False) as memory:
        # A question may open a conversation: what the space knows is in its prompt.
        chat = request.existing(memory, session) if asked is None else memory.session(session)
        return chat.context(asked, **wanted)


def _prompt(built: Context, format: Format) -> Any:
    if format == "openai":
        return built.messages()
    return built.anthropic() if format == "anthropic" else str(built)


def _warn(request: CommandRequest, built: Context) -> None:
    for warning in built.warnings:
        note(f"Warning: {request.remedied(warning)}")


def in_short(built: Context) -> str:
    """What a prompt takes, in one line."""
    how = built.encoding if built.exact else f"{built.encoding}, an upper bound"
    stable = "" if built.stable is None else f", {built.stable:.0%} of its beginning unchanged"
    return f"{built.tokens:,} of {plural(built.budget, 'token')} ({how}), profile {built.profile}{stable}"


def section_table(built: Context) -> Table:
    """The parts of a prompt, with a bar each."""
    from rich.table import Table

    table = Table("section", box=None, pad_edge=False, padding=(0, GAP, 0, 0))
    for name in ("tokens", "in", "out"):
        table.add_column(name, justify="right")
    table.add_column("of the budget", no_wrap=True)
    for name, tokens, counts in _shares(built):
        table.add_row(name, f"{tokens:,}", *counts, _bar(tokens, built.budget), style="dim" if not counts[0] else None)
    return table


def _shares(built: Context) -> Iterator[tuple[str, int, tuple[str, str]]]:
    for one in built.sections:
        if one.items or one.left_out:
            yield one.name, one.tokens, (str(one.items), str(one.left_out))
        elif one.name == "frame":
            yield "(frame)", one.tokens, ("", "")
    yield "(free)", built.budget - built.tokens, ("", "")


def _bar(tokens: int, budget: int) -> str:
    return "█" * max(round(BAR * tokens / max(1, budget)), 1 if tokens else 0)


def manifest_table(built: Context, out: int, width: int) -> Table:
    """Everything that could be in a prompt, on a screen so wide; of what is not in it, so many."""
    from rich.table import Table

    head = ("", "section", "messages", "tokens", "value", "why", "text")
    rows = [tuple(map(printable, row)) for row in rows_of(built.manifest)]
    *fixed, why, _text = (max(len(row[column]) for row in [head, *rows]) for column in range(len(head)))
    room = width - sum(fixed) - GAP * (len(head) - 1)
    text = max(room - why, LEAST)
    table = Table(box=None, pad_edge=False, padding=(0, GAP, 0, 0))
    for name in head[:-2]:
        table.add_column(name, justify="right" if name in ("tokens", "value") else "left", no_wrap=True)
    table.add_column("why", max_width=max(room - text, LEAST // 2))
    table.add_column("text", no_wrap=True, overflow="ellipsis", max_width=text)
    for candidate, row in zip(built.manifest, rows, strict=True):
        out -= not candidate.included
        if candidate.included or out >= 0:
            table.add_row(*row, style=None if candidate.included else "dim")
    return table
