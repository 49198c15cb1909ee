"""Commands of what is derived from a conversation, or written beside it: pins, summaries, important data, and making
them again."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from onrecord.cli.arguments import AsOf, DryRun, KnownAt, NewSession, SessionName, message_named, text_given
from onrecord.cli.options import CommandRequest
from onrecord.cli.output import note, plural, progress
from onrecord.cli.printing import SHOWN, reply, show
from onrecord.cli.program import in_panel
from onrecord.errors import InvalidInput, ModelError, NotFound
from onrecord.records import Estimate, PinType, Summary
from onrecord.session import Session


@in_panel("Prompts")
def pin(
    request: CommandRequest,
    session: NewSession,
    text: Annotated[str | None, typer.Argument(help="What to pin; -: from standard input.")] = None,
    importance: Annotated[float, typer.Option(help="From 0 to 1; the highest are served first.")] = 0.8,
    type: Annotated[PinType, typer.Option(help="What sort of pin.")] = "manual",
    source: Annotated[
        str | None, typer.Option(help="The message it comes from, by number (only digits) or id.", metavar="MESSAGE")
    ] = None,
    remove: Annotated[str | None, typer.Option(help="Remove this pin instead.", metavar="ID")] = None,
) -> None:
    """Pin a text, so that it is in every prompt that has room for it.

    Example: onrecord pin trip "Allergic to penicillin" --importance 0.9 --source 1

    To remove one: onrecord pin trip --remove ID (onrecord pins lists them).
    """
    if (text is None) == (remove is None):
        raise InvalidInput("pin needs one thing to do.", "Give a text to pin, or --remove with a pin's id.")
    if remove is not None:
        with request.conversation(session) as chat:
            chat.unpin(remove)
        reply(request, {"removed": remove}, f"{session}: {remove} removed.")
        return
    said = text_given(text)
    origin = None if source is None else message_named(source)
    with request.open(asks=False) as memory:
        made = memory.session(session).pin(said, source=origin, importance=importance, type=type)
    line = f"{session} pinned: {plural(made.tokens, 'token')}, importance {made.importance:.2f}, id {made.id}"
    reply(request, made, line)


@in_panel("Prompts")
def pins(request: CommandRequest, session: SessionName, as_of: AsOf = None, known_at: KnownAt = None) -> None:
    """List the pins of a conversation, the most important first.

    Example: onrecord pins trip

    Those marked auto are facts that pinned themselves; onrecord pin SESSION --remove ID ends that too.
    """
    with request.conversation(session) as chat:
        show(request, "pin", chat.pins(as_of=as_of, known_at=known_at), empty=f"{session} has no pins.")


@in_panel("Prompts")
def important(
    request: CommandRequest,
    session: SessionName,
    clear: Annotated[bool, typer.Option("--clear", help="Forget it first; later messages bring new data.")] = False,
) -> None:
    """Show the important data of a conversation, as far as it is summarised; or clear it.

    Example: onrecord important trip

    They are preferences, decisions, facts, addresses and names that no summary may lose.
    """
    with request.conversation(session) as chat:
        data = (chat.set_important({}) if clear else chat.important()).to_dict()
    lines = [f"{name.replace('_', ' ')}: {_listed(value)}" for name, value in data.items() if name != "history"]
    reply(request, data, *(lines or [f"{session} has no important data."]))


def _listed(value: object) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{name}: {_listed(item)}" for name, item in value.items())
    return "; ".join(map(str, value)) if isinstance(value, list) else str(value)


@in_panel("Summaries")
def summarize(
    request: CommandRequest,
    session: SessionName,
    first: Annotated[int | None, typer.Option(min=1, help="With --last: summarise this range instead.")] = None,
    last: Annotated[int | None, typer.Option(min=1, help="Its last message; left out: the newest.")] = None,
    dry_run: DryRun = False,
) -> None:
    """Make every summary that is due, or one of a range of messages.

    Example: onrecord summarize trip --first 1 --last 20

    Example: onrecord summarize trip --model openai/gpt-4.1-mini --dry-run

    A summary of a range stays as it is, whatever is made again. A dry run says what a model would take.
    """
    with request.conversation(session, asks=True) as chat:
        if dry_run:
            estimate = chat.estimate()
            reply(request, estimate, _estimated(estimate))
            return
        with progress("Summarising") as step:
            done = chat.summarize(first, last, progress=step)
    if request.json:
        reply(request, {"made": [summary.to_dict() for summary in done.made], "note": done.note})
        return
    show(request, "summary", done.made, limit=SHOWN)
    if done.note:
        reply(request, done, done.note)


def _estimated(found: Estimate) -> str:
    many = plural(found.summaries, "summary", "summaries")
    if found.model is None:
        return f"{many} would be made, without a model."
    return (
        f"{many} would be made by {found.model}; with facts: {plural(found.calls, 'call')}, "
        f"about {found.tokens_in:,} tokens in and {found.tokens_out:,} out."
    )


@in_panel("Summaries")
def spent(
    request: CommandRequest,
    paused: Annotated[
        bool | None, typer.Option("--pause/--resume", help="Have no model called for the space; or let them go on.")
    ] = None,
) -> None:
    """Show what models took for a space: calls and tokens by day, and what was refused; or pause them.

    Example: onrecord spent --space ana

    Example: onrecord spent --pause
    """
    with request.open_existing(asks=False) as memory:
        if paused is not None:
            memory.pause() if paused else memory.resume()
        found = memory.spent()
    if not request.json:
        show(request, "spending", found.days)
    refused = (f"refused  {name}: {count:,}" for name, count in found.refused.items())
    reply(request, found, *refused, "Models are paused." if found.paused else f"{found.today:,} tokens today.")


@in_panel("Summaries")
def summaries(
    request: CommandRequest,
    session: SessionName,
    id: Annotated[str | None, typer.Argument(help="Show this one whole, instead of a list.")] = None,
    text: Annotated[str | None, typer.Argument(help="Its text from now on; -: from standard input.")] = None,
    locked: Annotated[
        bool | None, typer.Option("--lock/--unlock", help="Keep it whatever is made again; or let go of it.")
    ] = None,
    level: Annotated[int | None, typer.Option(min=1, help="List only this level: 1 covers messages.")] = None,
    plan: Annotated[str | None, typer.Option(help="List only this plan; `all`: other profiles' too.")] = None,
    as_of: AsOf = None,
) -> None:
    """List the summaries of a conversation; show, correct or lock one.

    Example: onrecord summaries trip

    Example: onrecord summaries trip ID "They fly on 6 May, not on 5 May."

    A correction locks a summary: it is never overwritten, and later ones build on it.
    """
    if id is None and locked is not None:
        raise InvalidInput("Which summary is meant?", "Give its id, as onrecord summaries lists it.")
    with request.conversation(session, asks=text is not None) as chat:  # what builds on a correction is written again
        if id is not None:
            show(request, "summary", [_changed(request, chat, id, text, locked)], whole=True)
            return
        due = request.command(f"summarize {shlex.quote(chat.id)}")
        empty = f"{chat.id} has no such summaries yet. Those that are due are made by: {due}"
        show(request, "summary", chat.summaries(plan=plan, level=level, as_of=as_of), empty=empty)


def _changed(request: CommandRequest, chat: Session, id: str, text: str | None, locked: bool | None) -> Summary:
    summary = _summary(request, chat, id) if text is None else chat.edit_summary(id, text_given(text))
    return summary if locked is None else chat.lock_summary(id, locked)


def _summary(request: CommandRequest, chat: Session, id: str) -> Summary:
    for summary in chat.summaries(plan="all"):
        if summary.id == id:
            return summary
    raise NotFound(
        f"There is no summary {id!r} in session {chat.id!r}.",
        f"List them: {request.command(f'summaries {shlex.quote(chat.id)} --plan all')}",
    )


@in_panel("Summaries")
def rebuild(
    request: CommandRequest,
    session: Annotated[str | None, typer.Argument(help="The conversation; left out: all of the space.")] = None,
    vectors: Annotated[
        bool, typer.Option("--vectors", help="Make the search index of the space complete instead.")
    ] = False,
) -> None:
    """Throw away what was derived and make it again from the messages.

    Example: onrecord rebuild trip

    Messages, pins, and what was written or locked by hand stay. With --vectors only what is missing is made; stopped
    at any moment, it goes on there the next time.
    """
    if vectors:
        _rebuild_vectors(request, session)
        return
    with request.open_existing() as memory:
        if session is not None:
            request.existing(memory, session)
        chosen = [info for info in memory.sessions() if session in (None, info.id)]
        messages = sum(info.last_seq for info in chosen)
        with progress("Rebuilding", total=messages) as step:
            made = memory.rebuild(session=session, progress=step)
    what = plural(made, "summary", "summaries")
    reply(
        request,
        {"sessions": len(chosen), "messages": messages, "summaries": made},
        f"{what} made from {plural(messages, 'message')} of {plural(len(chosen), 'session')}.",
    )


def _rebuild_vectors(request: CommandRequest, session: str | None) -> None:
    if session is not None:
        raise InvalidInput("Vectors are made for a whole space.", "Leave out the session, or leave out --vectors.")
    request.must_be_there()
    embedder = request.embedder()
    if embedder is None:
        raise ModelError(
            "There is no encoder, so there are no vectors to make. Searches go by words.",
            "Leave out --embedder none, or run: pip install onrecord-encoder onnxruntime tokenizers",
        )
    with request.open(embedder, asks=False) as memory:
        messages = sum(info.last_seq for info in memory.sessions())
        try:
            with progress("Making vectors", total=messages) as step:
                written = memory.rebuild(vectors=True, progress=step)
        except KeyboardInterrupt:
            note(f"What is done is kept. To go on: {request.vectors}")
            raise
    made = f"{plural(written, 'block')} of the index written" if written else "nothing was missing"
    reply(
        request,
        {"embedder": embedder.name, "messages": messages, "blocks": written},
        f"{plural(messages, 'message')} can be found by meaning, with {embedder.name}: {made}.",
    )
