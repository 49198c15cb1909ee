"""Commands that carry a memory elsewhere and back: export, import, backup of the whole store, and copies to other
stores."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import asdict, replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, BinaryIO, Literal, TextIO, cast

import typer

from onrecord.cli.arguments import DryRun
from onrecord.cli.options import VARIABLES, CommandRequest, opened_store
from onrecord.cli.output import WRONG, escape_json, note, plural, progress, size
from onrecord.cli.printing import reply
from onrecord.cli.program import in_panel
from onrecord.errors import InvalidInput, ModelError, NotFound
from onrecord.journal.clean import clean_name
from onrecord.journal.contents import all_sessions
from onrecord.journal.copying import Copied, copy_space
from onrecord.memory import Memory
from onrecord.ports import Store
from onrecord.stores import is_part_of, is_server, shown

if TYPE_CHECKING:
    from onrecord.importers import Chats, Imported


MANY = 64  # new messages from which on it is said that their vectors can be made beforehand
SHOWN = 20  # failures that are spelled out for people; --json lists more
FIELDS = ("format", "conversations", "added", "present", "changed", "forgotten", "failed", "dry_run")
NAMES = {"chatgpt": "ChatGPT", "claude": "Claude", "jsonl": "JSON"}


class _EscapedOutput:
    """Standard output for JSON that holds foreign text: what a terminal would obey is escaped, as JSON allows."""

    def write(self, text: str) -> int:
        return sys.stdout.write(escape_json(text))


@in_panel("Moving")
def export(
    request: CommandRequest,
    file: Annotated[str, typer.Argument(help="Where to; left out or -: to standard output.")] = "-",
    session: Annotated[str | None, typer.Option(help="Only this conversation.")] = None,
    mask_secrets: Annotated[
        bool, typer.Option("--mask-secrets", help="Mask passwords, keys, card and account numbers.")
    ] = False,
) -> None:
    """Write a space, or one conversation of it, as JSON Lines.

    Example: onrecord export trip.jsonl --session trip

    Nothing is lost on the way, unless secrets are masked: onrecord import reads it again.
    """
    to_output = file == "-"
    with request.open_existing(asks=False) as memory:
        total = sum(info.last_seq for info in memory.sessions() if session in (None, info.id))
        with progress("Exporting", total=total, hidden=to_output and sys.stdout.isatty()) as step:
            target = cast(TextIO, _EscapedOutput()) if to_output else file
            lines = memory.export(target, session=session, mask_secrets=mask_secrets, progress=step)
    if to_output:
        note(f"{plural(lines, 'line')} exported.")
    else:
        reply(request, {"file": file, "lines": lines}, f"{plural(lines, 'line')} exported to {file}.")


@in_panel("Moving", "import")
def import_(
    request: CommandRequest,
    file: Annotated[str, typer.Argument(help="The export, or its .zip; -: from standard input.")],
    from_: Annotated[
        Literal["auto", "onrecord", "chatgpt", "claude", "jsonl"],
        typer.Option("--from", help="What the file is; auto: what it looks like."),
    ] = "auto",
    session: Annotated[
        str | None, typer.Option(help="Where messages of plain JSON belong that name no session.", metavar="ID")
    ] = None,
    dry_run: DryRun = False,
    no_vectors: Annotated[
        bool, typer.Option("--no-vectors", help="Leave the vectors, which find by meaning, to later searches.")
    ] = False,
) -> None:
    """Bring conversations into a space; doing it twice changes nothing.

    Example: onrecord import chatgpt-export.zip --space ana

    Example: onrecord import trip.jsonl

    Understood are what `onrecord export` wrote, the exports of ChatGPT and of Claude (the .zip, or its
    conversations.json), and JSON or JSON Lines of messages. Stopped anywhere, it goes on there when run again; a newer
    export adds what is new in it. What cannot be read is listed, and everything else comes in; then the exit code is 1.
    """
    if file != "-" and (os.path.isdir(file) or not os.access(file, os.R_OK)):
        raise NotFound(f"There is no readable file {file}.", "Check the path.")  # before a memory is made for it
    from onrecord.importers.reading import open_chats

    vectors = not no_vectors
    source: str | BinaryIO = cast(BinaryIO, getattr(sys.stdin, "buffer", BytesIO())) if file == "-" else file
    with ExitStack() as stack:
        memory = None
        if file == "-":  # the memory may refuse: before anything is read
            memory = stack.enter_context(_opened(request, dry_run, vectors))
        chats = stack.enter_context(open_chats(source, format=from_, session=session))
        if chats.format == "onrecord" and dry_run:
            raise InvalidInput("--dry-run is for exports of others.", "Leave it out: doing it twice changes nothing.")
        memory = memory or stack.enter_context(_opened(request, dry_run, vectors))
        try:
            if chats.format != "onrecord":
                _import_chats(request, memory, chats, dry_run, vectors)
            else:
                again = os.path.isfile(file)  # a pipe is read once
                _import_own(request, memory, file if again else chats.lines(), vectors)
        except KeyboardInterrupt:
            note("What came in is kept. The same command goes on from there.")
            raise


def _opened(request: CommandRequest, dry_run: bool, vectors: bool) -> AbstractContextManager[Memory]:
    """Open the memory; a dry run on one that is not there yet uses an empty one."""
    if dry_run and not request.there:
        return Memory(":memory:", embedder=None)
    return request.open(request.embedder() if vectors and not dry_run else None, asks=not dry_run)


def _import_own(request: CommandRequest, memory: Memory, source: str | Iterable[str], vectors: bool) -> None:
    """Import what `onrecord export` wrote."""
    with progress("Importing") as step:
        report = memory.import_(source, vectors=vectors and request.served, progress=step)
    _make_vectors(request, memory, report.added, vectors)
    with progress("Summarising") as step:
        for info in memory.sessions() if report.added else ():
            memory.session(info.id).summarize(progress=step)
    came = f" {plural(report.records, 'derived record')} came with them." if report.records else ""
    reply(
        request,
        asdict(report),
        f"{plural(report.added, 'message')} added in {plural(report.sessions, 'session')}; "
        f"{report.present:,} were there already, {report.forgotten:,} were forgotten here and stay so.{came}",
    )


def _import_chats(request: CommandRequest, memory: Memory, chats: Chats, dry_run: bool, vectors: bool) -> None:
    """Import an export of others; what could not be read makes the exit code 1."""
    from onrecord.importers import bring

    with progress("Reading", total=chats.size) as step:
        report = bring(memory, chats, dry_run=dry_run, vectors=False, progress=step)
    _show(request, report)  # now: what follows may take long, and may be stopped
    if not dry_run:
        _make_vectors(request, memory, report.added, vectors)
        _summarize(request, memory, report)
    if report.failed:
        raise typer.Exit(WRONG)


def _make_vectors(request: CommandRequest, memory: Memory, added: int, wanted: bool) -> None:
    """Make the vectors that the space lacks, if they are wanted and there is an encoder; a service makes its own."""
    if request.served or request.embedder() is None:
        return
    if not wanted:
        if added >= MANY:
            note(f"Searches make the vectors that they need as they go. All of them now: {request.vectors}")
        return
    try:
        with progress("Making vectors", total=sum(info.last_seq for info in memory.sessions())) as step:
            memory.rebuild(vectors=True, progress=step)
    except ModelError as error:
        note(f"Not all vectors are made: {error.what} To go on: {request.vectors}")


def _summarize(request: CommandRequest, memory: Memory, report: Imported) -> None:
    """Make the summaries that are due, also those an earlier run did not come to; not where others make them."""
    if request.served or os.environ.get(VARIABLES["summarize"]) in ("worker", "manual"):
        return
    with progress("Summarising", total=len(report.sessions)) as step:
        for session in report.sessions:
            memory.session(session).summarize()
            step(1)


def _show(request: CommandRequest, report: Imported) -> None:
    form = {name: getattr(report, name) for name in FIELDS} | {"left_out": dict(report.left_out)}
    failures = [failure.to_dict() for failure in report.failures]
    added = "would be added" if report.dry_run else "added"
    line = (
        f"{NAMES[report.format]}: {plural(report.added, 'message')} {added} "
        f"in {plural(report.conversations, 'conversation')}; {report.present:,} were there already."
    )
    reply(request, form | {"failures": failures}, line)
    if request.json:
        return
    if report.left_out:
        note(f"Left out: {', '.join(f'{count:,} {reason}' for reason, count in report.left_out.items())}.")
    if report.changed:
        reads = plural(report.changed, "message reads", "messages read")
        note(f"{reads} differently now; what was here first stays.")
    if report.forgotten:
        note(f"{plural(report.forgotten, 'message was', 'messages were')} forgotten here, and not brought back.")
    for failure in report.failures[:SHOWN]:
        note(f"Not read: {failure.where}: {failure.what}")
    if report.failed > SHOWN:
        note(f"and {report.failed - SHOWN:,} more; --json lists them")


@in_panel("Moving")
def backup(
    request: CommandRequest,
    file: Annotated[Path, typer.Argument(help="A new file, or a new folder where the memory is one.")],
) -> None:
    """Copy the whole memory, all spaces, while others go on writing.

    Example: onrecord backup memory-2026-05-05.db
    """
    with request.open_existing(asks=False) as memory:
        memory.backup(file)
    files = [file] if file.is_file() else [path for path in file.rglob("*") if path.is_file()]
    count = sum(path.stat().st_size for path in files)
    reply(request, {"file": str(file), "bytes": count}, f"{request.db} copied to {file} ({size(count)}).")


OWN = ":memory:"  # a memory of this process alone


@in_panel("Moving")
def copy(
    request: CommandRequest,
    source: Annotated[str, typer.Argument(help="The memory to copy: a file, a folder, or an address.")],
    target: Annotated[str, typer.Argument(help="Where to; a folder that is new ends in a slash.")],
) -> None:
    """Copy everything of a memory into another, with its vectors.

    Example: onrecord copy memory.db notes/

    All spaces go along, or the one that --space names. Stopped anywhere, it goes on there when run again; run once
    more, it takes over what is new at the source, and what was forgotten there. No message is ever overwritten: where
    the target holds another one under the same number, copying stops and says where.
    """
    if "db" in request.typed:
        raise InvalidInput("copy does not use --db.", "Name both memories: onrecord copy SOURCE TARGET.")
    source, target = os.path.expanduser(source), os.path.expanduser(target)
    _refuse(source, target)
    with opened_store(source) as from_store:
        spaces = _chosen(from_store, source, request.space if "space" in request.typed else None)
        report = _copied(from_store, target, spaces) if spaces else Copied()
    _report(request, report, shown(source), shown(target))


def _refuse(source: str, target: str) -> None:
    """Refuse what cannot be copied, before anything is made."""
    for place in (source, target):
        if place == OWN:
            raise InvalidInput(f"{OWN} is empty, and gone when this command ends.", "Name a file or a folder.")
        if not place or "\0" in place:
            raise InvalidInput(f"{place!r} cannot be a path.", "Name a file or a folder.")
    if not is_server(source) and not Path(source).exists():
        raise NotFound(f"There is no memory at {source}.", "Check the path: the source comes first, then the target.")
    local = not is_server(target) and not is_server(source)
    inside = local and (is_part_of(source, Path(target)) or is_part_of(target, Path(source)))
    if source == target or inside:
        raise InvalidInput(
            f"{shown(source)} and {shown(target)} are the same memory.", "Name another place to copy to."
        )


def _chosen(store: Store, source: str, space: str | None) -> list[str]:
    spaces = store.spaces()
    if space is None:
        return spaces
    if clean_name(space, "space") not in spaces:
        known = ", ".join(spaces) or "none"
        raise NotFound(f"There is no space {space!r} in {shown(source)}.", f"It has: {known}.")
    return [space]


def _copied(source: Store, target: str, spaces: list[str]) -> Copied:
    from onrecord.recall.vector_copying import copy_vectors  # loads numpy

    report = Copied()
    total = sum(info.last_seq for space in spaces for info in all_sessions(source, space))
    with opened_store(target) as to_store:
        with progress("Copying messages", total=total) as step:
            for space in spaces:
                report += copy_space(source, to_store, space, step)
        total = sum(to_store.revision(space).newest * len(source.plans(space)) for space in spaces)
        with progress("Copying vectors", total=total) as step:
            vectors = sum(copy_vectors(source, to_store, space, step) for space in spaces)
        to_store.settle()
    return replace(report, vectors=vectors)


def _report(request: CommandRequest, report: Copied, source: str, target: str) -> None:
    place = f"{plural(report.spaces, 'space')} with {plural(report.sessions, 'session')}"
    counts = [f"  {words}: {count:,}" for name, words in COUNTS.items() if (count := getattr(report, name))]
    if not report.spaces:
        first, counts = f"{source} holds nothing yet, so there is nothing to do.", []
    elif report.changed:
        first = f"{place} copied from {source} to {target}:"
    else:
        first = f"Nothing to do: {target} has all of {source} already ({place})."
    reply(request, asdict(report) | {"changed": report.changed}, first, *counts)


COUNTS = {
    "messages": "messages copied",
    "present": "messages there already",
    "forgotten": "messages forgotten at the target, as at the source, with what came of them",
    "records": "derived records copied",
    "removed": "derived records removed that the source has no more",
    "described": "sessions described again",
    "vectors": "vectors copied",
    "counters": "counters set",
    "ahead": "sessions that went on at the target and got only what was missing",
    "apart": "sessions only at the target, left alone (if the source forgot one whole, forget it there too)",
}
"""What the counts of a report say, by field."""
