"""Commands of a prompt: build it for a question, and say why everything is in it or not."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Unpack

import typer

from onrecord.cli.arguments import PromptOptions, Question, SessionName, text_given
from onrecord.cli.options import CommandRequest
from onrecord.cli.output import answer, as_json, note, plural, printable
from onrecord.cli.printing import SHOWN
from onrecord.cli.program import in_panel
from onrecord.context.explain import explained
from onrecord.context.prompt import Context

Format = Literal["text", "openai", "anthropic"]


@in_panel("Prompts")
def context(
    request: CommandRequest,
    session: SessionName,
    question: Question = None,
    format: Annotated[Format, typer.Option(help="The shape: text, or the JSON that a provider takes.")] = "text",
    **options: Unpack[PromptOptions],
) -> None:
    """Build the prompt for a question, within a budget.

    Example: onrecord context trip "What must the doctor know?" --tokens 2000

    The prompt goes to standard output, what is to be said about it to standard error. In text, control characters are
    spelled out; the other formats and --json give them as they are. onrecord explain says why.
    """
    built = _built(request, session, question, options)
    prompt = _prompt(built, format)
    if request.json:
        answer(as_json({**built.in_short(), "format": format, "prompt": prompt}))
        return
    if prompt:
        answer(printable(prompt) if isinstance(prompt, str) else as_json(prompt))
    note(in_short(built))
    warn(request, built.warnings)


@in_panel("Prompts")
def explain(
    request: CommandRequest, session: SessionName, question: Question = None, **options: Unpack[PromptOptions]
) -> None:
    """Say why each thing is in the prompt for a question, or why not.

    Example: onrecord explain trip "What must the doctor know?" --tokens 2000
    """
    built = _built(request, session, question, options)
    if request.json:
        answer(as_json(built.to_dict()))
        return
    show_why(request, built)


def show_why(request: CommandRequest, built: Context) -> None:
    """Print why each thing is in a prompt, or why not."""
    left_out = [candidate for candidate in built.manifest if not candidate.included]
    dropped = {id(candidate) for candidate in left_out[SHOWN:]}
    listed = [candidate for candidate in built.manifest if id(candidate) not in dropped]
    answer(printable(explained(listed, built.sections, in_short(built), ())))
    if dropped:
        answer(f"and {len(dropped):,} more that are not in it; --json lists them all")
    warn(request, built.warnings)


def _built(request: CommandRequest, session: str, question: str | None, options: PromptOptions) -> Context:
    asked = text_given(question) if question == "-" else question
    request.must_be_there()
    with request.open(request.embedder(), asks=False) as memory:
        # A question may open a conversation: what the space knows is in its prompt.
        chat = request.existing(memory, session) if asked is None else memory.session(session)
        return chat.context(asked, **options)


def _prompt(built: Context, format: Format) -> Any:
    if format == "openai":
        return built.messages()
    return built.anthropic() if format == "anthropic" else str(built)


def warn(request: CommandRequest, warnings: tuple[str, ...]) -> None:
    """Print warnings of a prompt, with what helps."""
    for warning in warnings:
        note(f"Warning: {request.remedied(warning)}")


def in_short(built: Context) -> str:
    """Return what a prompt takes, in one line."""
    how = built.encoding if built.exact else f"{built.encoding}, an upper bound"
    stable = "" if built.stable is None else f", {built.stable:.0%} of its beginning unchanged"
    return f"{built.tokens:,} of {plural(built.budget, 'token')} ({how}), profile {built.profile}{stable}"
