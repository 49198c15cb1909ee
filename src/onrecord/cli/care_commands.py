"""Commands that look after a memory: check it, rescue it, erase from it, say where it lies."""

from __future__ import annotations

import os
import shlex
import shutil
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from onrecord.cli.arguments import Yes
from onrecord.cli.options import CommandRequest
from onrecord.cli.output import STORE, WRONG, answer, command, confirm, note, plural, printable, progress, size
from onrecord.cli.printing import SHOWN, reply, show
from onrecord.cli.program import in_panel
from onrecord.errors import StoreDamaged
from onrecord.memory import doctor as check_or_rescue
from onrecord.memory import restore as put_in_place
from onrecord.ports import Progress
from onrecord.records import Finding, Health, ImportReport
from onrecord.stores import is_server, shown


@in_panel("Care")
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
        _rescue(request, rescue)
        return
    with progress("Checking") as step:
        health, clean = _examined(request, step)
    _show_health(request, health, clean)
    if not health.ok:
        raise typer.Exit(WRONG)
    if not clean:
        warn_of_lingering(request)


def _examined(request: CommandRequest, step: Progress) -> tuple[Health, bool]:
    """Return what the check found, and whether nothing forgotten lingers. A damaged memory is only looked at."""
    try:
        with request.open(asks=False) as memory:
            health = memory.check(progress=step)
            return health, memory.flush() if health.ok else True
    except StoreDamaged as error:
        # What keeps a file from being opened is what its owner wants the doctor to find.
        return Health(store=request.db, version=0, findings=(Finding(kind="unreadable", what=error.what),)), True


def _show_health(request: CommandRequest, health: Health, clean: bool) -> None:
    counts = [plural(getattr(health, name), name.removesuffix("s")) for name in ("spaces", "sessions", "messages")]
    kept = f"{', '.join(counts)}, {health.tombstones:,} forgotten, {size(health.bytes)}"
    form = {"ok": health.ok, **asdict(health), "pending": not clean}
    reply(request, form, f"{health.store} (version {health.version}): {kept}")
    if request.json:
        return
    show(request, "finding", health.findings, limit=SHOWN)
    answer(printable("Everything was checked. Nothing is wrong." if health.ok else _advice(request, health)))
    if health.ok and clean:
        answer("Forgotten bytes are gone.")


def _advice(request: CommandRequest, health: Health) -> str:
    found = plural(len(health.findings), "finding")
    if all(finding.kind == "index" for finding in health.findings):
        return f"{found}, in the search index alone. Nothing is lost: searches make those parts again by themselves."
    return (
        f"{found}. Keep the file as it is. Put a backup in its place, or read "
        f"what is left into a new one:\n  {request.command('doctor')} --rescue rescued.db"
    )


def _rescue(request: CommandRequest, target: Path) -> None:
    with progress("Rescuing") as step:
        report = check_or_rescue(request.db, rescue_to=target, progress=step)
    assert isinstance(report, ImportReport)
    read = f"{plural(report.added, 'message')} of {plural(report.sessions, 'session')} read into {target}."
    reply(request, asdict(report), *([read] if report.sessions else ()))
    look = f"Look at it: {command(f'sessions --all-spaces --db {shlex.quote(str(target))}')}"
    if not request.json:
        note(look if report.sessions else f"Nothing could be read. {target} was not made.")
    if not report.sessions:
        # It is refused where anything was before, so this is the empty memory that was just made.
        shutil.rmtree(target, ignore_errors=True)
        for end in ("", "-wal", "-shm"):
            target.with_name(target.name + end).unlink(missing_ok=True)
        raise typer.Exit(WRONG)


@in_panel("Care")
def restore(
    request: CommandRequest,
    backup: Annotated[Path, typer.Argument(help="The file or folder that `onrecord backup` made.")],
    yes: Yes = False,
) -> None:
    """Put a backup in the place of the memory. What was added since the backup is lost.

    Example: onrecord restore memory-2026-05-05.db

    The backup is checked first, and stays as it is. End the programs that have the memory open before.
    """
    question = f"Put {backup} in the place of {request.db}?"
    confirm(question, yes=yes or not os.path.exists(request.db), nothing="Nothing was restored.")
    with progress("Restoring") as step:
        health = put_in_place(backup, request.db, progress=step)
    _show_health(request, replace(health, store=request.db), clean=True)


def warn_of_lingering(request: CommandRequest) -> None:
    """Say that forgotten bytes may still be there. On a server that is as it should be; a file could be clean now."""
    note(lingering(request))
    if not is_server(request.db):
        raise typer.Exit(STORE)


def lingering(request: CommandRequest) -> str:
    """Return why forgotten bytes may still be there, and what to do about it."""
    if is_server(request.db):
        return "It is gone for everyone. Its bytes leave the server's disk with `onrecord scrub`, run as a superuser."
    return (
        f"Another program still uses {request.db}, or a copy that was kept of it lies beside it "
        "(NAME-kept-xxxxxxxx), so forgotten bytes may still lie on the disk. "
        f"End that program, delete that copy, then run: {request.command('doctor')}"
    )


@in_panel("Care")
def path(request: CommandRequest) -> None:
    """Say where the memory lies, or will lie.

    Example: onrecord path
    """
    place = shown(request.db) if request.db == ":memory:" or "://" in request.db else os.path.abspath(request.db)
    reply(request, {"path": place, "exists": request.there}, place)
