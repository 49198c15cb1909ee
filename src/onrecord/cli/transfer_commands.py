"""Commands that carry a memory elsewhere and back: export, import, and a copy of the whole store."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Annotated, BinaryIO, Literal, TextIO, cast

import typer

from onrecord.cli.importing import bring_in, make_vectors, opened
from onrecord.cli.options import CommandRequest
from onrecord.cli.output import answer, as_json, escape_json, note, plural, printable, progress, size
from onrecord.errors import InvalidInput, NotFound
from onrecord.memory import Memory

__all__ = ["backup", "export", "import_"]


class _Escaping:
    """Standard output for JSON that holds foreign text: what a terminal would obey is escaped, as JSON allows."""

    def write(self, text: str) -> int:
        return sys.stdout.write(escape_json(text))


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
            if to_output:
                target = cast(TextIO, _Escaping())
                lines = memory.export(target, session=session, mask_secrets=mask_secrets, progress=step)
            else:
                write = partial(memory.export, session=session, mask_secrets=mask_secrets, progress=step)
                lines = _to_file(write, Path(file))
    if to_output:
        note(f"{plural(lines, 'line')} exported.")
    elif request.json:
        answer(as_json({"file": file, "lines": lines}))
    else:
        answer(printable(f"{plural(lines, 'line')} exported to {file}."))


def _to_file(write: Callable[[Path | TextIO], int], target: Path) -> int:
    target = target.resolve()  # a link stays one
    if not target.exists() or target.is_file():
        return write(target)
    with target.open("w", encoding="utf-8", newline="\n") as file:  # a pipe or a device: written to, never replaced
        return write(file)


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
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be brought in.")] = False,
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
    source: str | BinaryIO = cast(BinaryIO, getattr(sys.stdin, "buffer", BytesIO())) if file == "-" else file
    with ExitStack() as stack:
        from onrecord.importers.reading import open_chats

        early = (
            stack.enter_context(opened(request, dry_run, not no_vectors)) if file == "-" else None
        )  # it may refuse: not too late
        chats = stack.enter_context(open_chats(source, format=from_, session=session))
        if chats.format == "onrecord" and dry_run:
            raise InvalidInput("--dry-run is for exports of others.", "Leave it out: doing it twice changes nothing.")
        try:
            if chats.format != "onrecord":
                bring_in(request, chats, early, dry_run=dry_run, vectors=not no_vectors)
            else:
                memory = early or stack.enter_context(opened(request, dry_run, not no_vectors))
                again = os.path.isfile(file)  # a pipe is read once
                _import_own(request, memory, file if again else chats.lines(), vectors=not no_vectors)
        except KeyboardInterrupt:
            note("What came in is kept. The same command goes on from there.")
            raise


def _import_own(request: CommandRequest, memory: Memory, source: str | Iterable[str], *, vectors: bool) -> None:
    """What `onrecord export` wrote."""
    with progress("Importing") as step:
        report = memory.import_(source, vectors=vectors and request.served, progress=step)
    make_vectors(request, memory, report.added, wanted=vectors)
    with progress("Summarising") as step:
        for info in memory.sessions() if report.added else ():
            memory.session(info.id).summarize(progress=step)
    if request.json:
        answer(as_json(asdict(report)))
        return
    answer(
        f"{plural(report.added, 'message')} added in {plural(report.sessions, 'session')}; "
        f"{report.present:,} were there already, {report.forgotten:,} were forgotten here and stay so."
        + (f" {plural(report.records, 'derived record')} came with them." if report.records else "")
    )


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
    if request.json:
        answer(as_json({"file": str(file), "bytes": count}))
    else:
        answer(printable(f"{request.db} copied to {file} ({size(count)})."))
