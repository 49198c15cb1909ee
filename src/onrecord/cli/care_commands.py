"""Commands that look after a memory: check it, rescue it, erase from it, say where it lies."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from onrecord.cli.options import CommandRequest
from onrecord.cli.output import STORE, WRONG, answer, as_json, command, note, plural, printable, progress, size
from onrecord.errors import InvalidInput, StoreDamaged
from onrecord.journal.clean import clean_name
from onrecord.memory import doctor as check_or_rescue
from onrecord.memory import restore as put_in_place
from onrecord.ports import Progress
from onrecord.records import Erased, Finding, Health, ImportReport
from onrecord.stores import is_server, shown

__all__ = ["doctor", "forget", "lingering", "message_of", "path", "restore", "say_lingering"]

SHOWN = 20
"""Findings spelled out for people; --json gives all."""


def doctor(
    request: CommandRequest,
    rescue: Annotated[
        Path | None, typer.Option(help="Read all that is still readable into a new memory here.", metavar="NEW.db")
    ] = None,
) -> None:
    """Check every item of a memory, or rescue a damaged one.

    Example: onrecord doctor

    Example: onrecord doctor --db memory.db --rescue rescued.db
    """
    request.must_be_there()
    if rescue is not None:
        with progress("Rescuing") as step:
            report = check_or_rescue(request.db, rescue_to=rescue, progress=step)
        assert isinstance(report, ImportReport)
        _show_rescue(report, request, rescue)
        return
    with progress("Checking") as step:
        health, clean = _examined(request, step)
    _show_health(health, request, clean)
    if not health.ok:
        raise typer.Exit(WRONG)
    if not clean:
        say_lingering(request)


def _examined(request: CommandRequest, step: Progress) -> tuple[Health, bool]:
    """What the check found, and whether nothing forgotten lingers. A damaged memory is only looked at."""
    try:
        with request.open(asks=False) as memory:
            health = memory.check(progress=step)
            return health, memory.flush() if health.ok else True
    except StoreDamaged as error:
        # What keeps a file from being opened is what its owner wants the doctor to find.
        return Health(store=request.db, version=0, findings=(Finding(kind="unreadable", what=error.what),)), True


def _show_health(health: Health, request: CommandRequest, clean: bool) -> None:
    if request.json:
        answer(as_json({"ok": health.ok, **asdict(health), "pending": not clean}))
    else:
        counts = (
            plural(health.spaces, "space"),
            plural(health.sessions, "session"),
            plural(health.messages, "message"),
            f"{health.tombstones:,} forgotten",
            size(health.bytes),
        )
        answer(printable(f"{health.store} (version {health.version}): {', '.join(counts)}"))
        for finding in health.findings[:SHOWN]:
            answer(printable(f"  {finding.kind}: {finding.what}{_place(finding)}"))
        if len(health.findings) > SHOWN:
            answer(f"  and {len(health.findings) - SHOWN:,} more; --json lists them all")
        answer("Everything was checked. Nothing is wrong." if health.ok else _advice(request, health))
        if health.ok and clean:
            answer("Forgotten bytes are gone.")


def _place(finding: Finding) -> str:
    parts = (("space", finding.space), ("session", finding.session), ("message", finding.seq))
    known = [f"{what} {value}" for what, value in parts if value is not None]
    return f" ({', '.join(known)})" if known else ""


def _advice(request: CommandRequest, health: Health) -> str:
    found = plural(len(health.findings), "finding")
    if all(finding.kind == "index" for finding in health.findings):
        return f"{found}, in the search index alone. Nothing is lost: searches make those parts again by themselves."
    return printable(
        f"{found}. Keep the file as it is. Put a backup in its place, or read "
        f"what is left into a new one:\n  {request.command('doctor')} --rescue rescued.db"
    )


def _show_rescue(report: ImportReport, request: CommandRequest, rescue: Path) -> None:
    if request.json:
        answer(as_json(asdict(report)))
    if not report.sessions:
        _remove(rescue)
        if not request.json:
            note(f"Nothing could be read. {rescue} was not made.")
        raise typer.Exit(WRONG)
    if not request.json:
        read = f"{plural(report.added, 'message')} of {plural(report.sessions, 'session')} read"
        answer(printable(f"{read} into {rescue}."))
        note(f"Look at it: {command(f'sessions --all-spaces --db {shlex.quote(str(rescue))}')}")


def _remove(target: Path) -> None:
    """Take away the empty memory that a rescue has just made: it refuses a place where anything was before."""
    if target.is_dir():
        shutil.rmtree(target)
    for end in ("", "-wal", "-shm"):
        target.with_name(target.name + end).unlink(missing_ok=True)


def restore(
    request: CommandRequest,
    backup: Annotated[Path, typer.Argument(help="The file or folder that `onrecord backup` made.")],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Put a backup in the place of the memory. What was added since the backup is lost.

    Example: onrecord restore memory-2026-05-05.db

    The backup is checked first, and stays as it is. End the programs that have the memory open before.
    """
    if os.path.exists(request.db) and not yes and not _agreed(f"Put {backup} in the place of {request.db}?"):
        note("Nothing was restored.")
        raise typer.Exit(WRONG)
    with progress("Restoring") as step:
        health = put_in_place(backup, request.db, progress=step)
    _show_health(replace(health, store=request.db), request, clean=True)


def forget(
    request: CommandRequest,
    session: Annotated[str | None, typer.Option(help="The conversation.")] = None,
    message: Annotated[
        list[str] | None, typer.Option(help="A message of it, by number (only digits) or id; may be repeated.")
    ] = None,
    whole_space: Annotated[str | None, typer.Option(help="A whole space, by name.", metavar="NAME")] = None,
    fact: Annotated[str | None, typer.Option(help="A fact, by id; its messages stay.", metavar="ID")] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Erase messages, a conversation, a space or a fact, down to the bytes.

    Example: onrecord forget --session trip --message 3 --message 4

    It cannot be undone. A message leaves its number behind, and nothing else.
    """
    if sum(one is not None for one in (session, whole_space, fact)) != 1 or (message and session is None):
        raise InvalidInput(
            "forget needs to know what.",
            "Give --session, --session with --message, --whole-space, or --fact, and nothing else.",
        )
    request.must_be_there()
    what = f"fact {fact}" if fact else _target(request, session, message or [], whole_space)
    if not yes and not _agreed(f"Forget {what}, for ever?"):
        note("Nothing was forgotten.")
        raise typer.Exit(WRONG)
    with request.open() as memory:
        if whole_space is not None:
            erased = memory.forget(space=whole_space)
        elif fact is not None:
            erased = memory.forget(fact=fact)
        else:
            erased = memory.forget(session=session, messages=[*map(message_of, message)] if message else None)
    _show_erased(erased, what, request)


def message_of(item: str) -> int | str:
    """What names a message on the command line: its number, if it has only digits, or its id."""
    return _number(item) if item.isascii() and item.isdigit() else clean_name(item, "message id")


def _number(digits: str) -> int:
    if len(digits) > 18:
        raise InvalidInput(f"{digits[:20]} is not the number of a message.", "Numbers have at most 18 digits.")
    return int(digits)


def _target(request: CommandRequest, session: str | None, messages: list[str], whole_space: str | None) -> str:
    if whole_space is not None:
        return f"the whole space {whole_space!r}"
    part = f"message {', '.join(messages)} of" if messages else "the whole of"
    return f"{part} session {session!r} in space {request.space!r}"


def _agreed(question: str) -> bool:
    if sys.stdin is None or not sys.stdin.isatty():
        raise InvalidInput("Nobody is there to confirm.", "Add --yes to do it without being asked.")
    return typer.confirm(printable(question), err=True)


def _show_erased(erased: Erased, what: str, request: CommandRequest) -> None:
    nothing = not (erased.messages or erased.sessions or erased.spaces)
    if request.json:
        answer(as_json(asdict(erased)))
    elif not nothing:
        counts = (
            (erased.messages, "message"),
            (erased.records, "derived record"),
            (erased.sessions, "session"),
            (erased.spaces, "space"),
        )
        answer(f"Forgotten: {', '.join(plural(count, noun) for count, noun in counts if count)}.")
    if erased.pending:
        say_lingering(request)
    if nothing:
        note(f"There was nothing to forget: {what} was never there, or was forgotten before.")
        raise typer.Exit(WRONG)


def say_lingering(request: CommandRequest) -> None:
    """Say that forgotten bytes may still be there. On a server that is as it should be; a file could be clean now."""
    note(lingering(request))
    if not is_server(request.db):
        raise typer.Exit(STORE)


def lingering(request: CommandRequest) -> str:
    """Why forgotten bytes may still be there, and what to do about it."""
    if is_server(request.db):
        return "It is gone for everyone. Its bytes leave the server's disk with `onrecord scrub`, run as a superuser."
    return (
        f"Another program still uses {request.db}, or a copy that was kept of it lies beside it "
        "(NAME-kept-xxxxxxxx), so forgotten bytes may still lie on the disk. "
        f"End that program, delete that copy, then run: {request.command('doctor')}"
    )


def path(request: CommandRequest) -> None:
    """Say where the memory lies, or will lie.

    Example: onrecord path
    """
    place = shown(request.db) if request.db == ":memory:" or "://" in request.db else os.path.abspath(request.db)
    answer(as_json({"path": place, "exists": request.there}) if request.json else printable(place))
