"""Commands of what is derived from a conversation, or written beside it: pins, summaries, and making them again."""

from __future__ import annotations

import shlex
from typing import Annotated

import typer

from onrecord.cli.care_commands import message_of
from onrecord.cli.message_commands import from_input
from onrecord.cli.options import CommandRequest
from onrecord.cli.output import answer, as_json, note, plural, printable, progress
from onrecord.errors import InvalidInput, ModelError, NotFound
from onrecord.policy.display import indented
from onrecord.ports import Embedder
from onrecord.records import Estimate, Pin, PinType, Summary
from onrecord.session import Session

__all__ = ["pin", "pins", "rebuild", "spent", "summaries", "summarize"]

SHOWN = 20
"""Summaries that were made, spelled out for people; --json gives all."""

SHOWN_TEXT = 240
"""Characters of a summary in a list."""

AsOf = Annotated[str | None, typer.Option(help="Those that were true at this moment (ISO), as known today.")]
KnownAt = Annotated[str | None, typer.Option(help="As they were at this moment (ISO).")]

INDENT = "\n    "
"""Before a text that stands under its id."""


def pin(
    request: CommandRequest,
    session: Annotated[str, typer.Argument(help="The conversation; made on first use.")],
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
        with request.open_existing(asks=False) as memory:
            request.existing(memory, session).unpin(remove)
        answer(as_json({"removed": remove}) if request.json else printable(f"{session}: {remove} removed."))
        return
    said = from_input() if text == "-" else text
    assert said is not None
    origin = None if source is None else message_of(source)
    with request.open(asks=False) as memory:
        made = memory.session(session).pin(said, source=origin, importance=importance, type=type)
    line = f"{session} pinned: {plural(made.tokens, 'token')}, importance {made.importance:.2f}, id {made.id}"
    answer(as_json(made.to_dict()) if request.json else printable(line))


def pins(
    request: CommandRequest,
    session: Annotated[str, typer.Argument(help="The conversation.")],
    as_of: AsOf = None,
    known_at: KnownAt = None,
) -> None:
    """List the pins of a conversation, the most important first.

    Example: onrecord pins trip

    Those marked auto are facts that pinned themselves; onrecord pin SESSION --remove ID ends that too.
    """
    with request.open_existing(asks=False) as memory:
        found = request.existing(memory, session).pins(as_of=as_of, known_at=known_at)
    for one in found:
        answer(as_json(one.to_dict()) if request.json else _listed(one, session))
    if not found and not request.json:
        note(f"{session} has no pins.")


def _listed(one: Pin, session: str) -> str:
    elsewhere = "" if one.session == session else f", from {printable(one.session)}"
    source = elsewhere if one.source is None else f", message {one.source}"
    facts = f"{plural(one.tokens, 'token')}, importance {one.importance:.2f}, {one.type}{source}"
    return f"{one.id}  {facts}{INDENT}{printable(_line(one.text))}"


def summarize(
    request: CommandRequest,
    session: Annotated[str, typer.Argument(help="The conversation.")],
    first: Annotated[int | None, typer.Option(min=1, help="With --last: summarise this range instead.")] = None,
    last: Annotated[int | None, typer.Option(min=1, help="Its last message; left out: the newest.")] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be made, and what it takes.")] = False,
) -> None:
    """Make every summary that is due, or one of a range of messages.

    Example: onrecord summarize trip --first 1 --last 20

    Example: onrecord summarize trip --model openai/gpt-4.1-mini --dry-run

    A summary of a range stays as it is, whatever is made again.
    """
    if dry_run:
        with request.open_existing() as memory:
            found = request.existing(memory, session).estimate()
        answer(as_json(found.to_dict()) if request.json else _estimated(found))
        return
    with request.open_existing() as memory, progress("Summarising") as step:
        done = request.existing(memory, session).summarize(first, last, progress=step)
    if request.json:
        answer(as_json({"made": [one.to_dict() for one in done.made], "note": done.note}))
        return
    for one in done.made[:SHOWN]:
        answer(_made(one))
    if len(done.made) > SHOWN:
        answer(f"and {len(done.made) - SHOWN:,} more; --json lists them all")
    if done.note:
        answer(printable(done.note))


def _estimated(found: Estimate) -> str:
    many = plural(found.summaries, "summary", "summaries")
    if found.model is None:
        return f"{many} would be made, without a model."
    return (
        f"{many} would be made by {found.model}; with facts: {plural(found.calls, 'call')}, "
        f"about {found.tokens_in:,} tokens in and {found.tokens_out:,} out."
    )


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
    if request.json:
        answer(as_json(found.to_dict()))
        return
    for day in found.days:
        calls = plural(int(day.get("calls", 0)), "call")
        answer(f"{day['day']}  {day['model']}: {calls}, {day.get('in', 0):,} tokens in, {day.get('out', 0):,} out")
    for name, count in found.refused.items():
        answer(f"refused  {name}: {count:,}")
    answer("Models are paused." if found.paused else f"{found.today:,} tokens today.")


def _made(one: Summary) -> str:
    text = printable(_line(one.text)) or "(nothing to say)"
    return f"{printable(one.session)} {one.first}-{one.last}, level {one.level}, {plural(one.tokens, 'token')}: {text}"


def summaries(
    request: CommandRequest,
    session: Annotated[str, typer.Argument(help="The conversation.")],
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
    with request.open_existing(asks=text is not None) as memory:  # what builds on a correction is written again
        chat = request.existing(memory, session)
        if id is None:
            _list(chat, plan, level, as_of, request)
        else:
            one = _changed(chat, id, text, locked, request)
            answer(as_json(one.to_dict()) if request.json else _whole(one))


def _list(chat: Session, plan: str | None, level: int | None, as_of: str | None, request: CommandRequest) -> None:
    empty = True
    for one in chat.summaries(plan=plan, level=level, as_of=as_of):
        empty = False
        answer(as_json(one.to_dict()) if request.json else _in_short(one))
    if empty and not request.json:
        due = request.command(f"summarize {shlex.quote(chat.id)}")
        note(f"{chat.id} has no such summaries yet. Those that are due are made by: {due}")


def _changed(chat: Session, id: str, text: str | None, locked: bool | None, request: CommandRequest) -> Summary:
    said = from_input() if text == "-" else text
    one = _summary(chat, id, request) if said is None else chat.edit_summary(id, said)
    return one if locked is None else chat.lock_summary(id, locked)


def _in_short(one: Summary) -> str:
    covered = f"{one.first}-{one.last}, level {one.level}" + (f", version {one.version}" if one.version > 1 else "")
    refused = f" (refused: {', '.join(one.refused)})" if one.refused else ""
    facts = f"{covered}, {plural(one.tokens, 'token')}, {one.method}{refused}{', locked' if one.locked else ''}"
    text = _line(one.text)
    shown = text if len(text) <= SHOWN_TEXT else text[:SHOWN_TEXT].rstrip() + "…"
    return f"{one.id}  {facts}{INDENT}{printable(shown)}"


def _summary(chat: Session, id: str, request: CommandRequest) -> Summary:
    for one in chat.summaries(plan="all"):
        if one.id == id:
            return one
    raise NotFound(
        f"There is no summary {id!r} in session {chat.id!r}.",
        f"List them: {request.command(f'summaries {shlex.quote(chat.id)} --plan all')}",
    )


def _whole(one: Summary) -> str:
    made = f"{one.plan}, level {one.level}, version {one.version}"
    facts = f"{made}, {plural(one.tokens, 'token')}, {one.method}, {'locked' if one.locked else 'not locked'}"
    topics = f"\nTopics: {', '.join(one.topics)}" if one.topics else ""
    head = f"{one.session} {one.first}-{one.last} ({facts}, trust {one.trust:g})"
    return printable(f"{head}\n{indented(one.text)}{topics}")


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
    if request.json:
        answer(as_json({"sessions": len(chosen), "messages": messages, "summaries": made}))
    else:
        what = plural(made, "summary", "summaries")
        answer(f"{what} made from {plural(messages, 'message')} of {plural(len(chosen), 'session')}.")


def _rebuild_vectors(request: CommandRequest, session: str | None) -> None:
    if session is not None:
        raise InvalidInput("Vectors are made for a whole space.", "Leave out the session, or leave out --vectors.")
    request.must_be_there()
    embedder = _embedder(request)
    with request.open(embedder, asks=False) as memory:
        messages = sum(info.last_seq for info in memory.sessions())
        try:
            with progress("Making vectors", total=messages, every=1) as step:
                written = memory.rebuild(vectors=True, progress=step)
        except KeyboardInterrupt:
            note(f"What is done is kept. To go on: {request.vectors}")
            raise
    if request.json:
        answer(as_json({"embedder": embedder.name, "messages": messages, "blocks": written}))
        return
    made = f"{plural(written, 'block')} of the index written" if written else "nothing was missing"
    answer(f"{plural(messages, 'message')} can be found by meaning, with {embedder.name}: {made}.")


def _embedder(request: CommandRequest) -> Embedder:
    """The embedder; what keeps it from being there is said."""
    found = request.embedder()
    if found is None and request.embedder_name == "none":
        raise InvalidInput("No embedder is to be used.", "Leave out --embedder none, and unset ONRECORD_EMBEDDER.")
    if found is None:
        raise ModelError(
            "No encoder is installed, so there are no vectors to make. Searches go by words.",
            "Run: pip install onrecord-encoder onnxruntime tokenizers",
        )
    return found


def _line(text: str) -> str:
    return " ".join(text.split())
