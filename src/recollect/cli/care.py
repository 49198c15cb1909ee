"""Commands that look after a memory: check it, rescue it, erase from it, say where it lies."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from recollect.cli.options import Request
from recollect.cli.output import STORE, WRONG, answer, as_json, note, plural, printable, progress, size
from recollect.errors import InvalidInput, StoreDamaged
from recollect.memory import doctor as check_or_rescue
from recollect.records import Erased, Finding, Health, ImportReport

__all__ = ["doctor", "forget", "path"]

SHOWN = 20
"""Findings spelled out for people; --json gives all."""


def doctor(
    request: Request,
    rescue: Annotated[
        Path | None, typer.Option(help="Read all that is still readable into a new memory here.", metavar="NEW.db")
    ] = None,
) -> None:
    """Check every item of a memory, or rescue a damaged one.

    Example: recollect doctor --db memory.db --rescue rescued.db
    """
    request.must_be_there()
    with progress("Checking" if rescue is None else "Rescuing") as step:
        try:
            found = check_or_rescue(request.db, rescue_to=rescue, progress=step)
        except StoreDamaged as error:
            # What keeps a file from being opened is what its owner wants the doctor to find.
            found = Health(store=request.db, version=0, findings=(Finding(kind="unreadable", what=error.what),))
    if isinstance(found, Health):
        _show_health(found, request)
    else:
        _show_rescue(found, request, rescue)


def _show_health(health: Health, request: Request) -> None:
    if request.json:
        answer(as_json({"ok": health.ok, **asdict(health)}))
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
    if not health.ok:
        raise typer.Exit(WRONG)


def _place(finding: Finding) -> str:
    parts = (("space", finding.space), ("session", finding.session), ("message", finding.seq))
    known = [f"{what} {value}" for what, value in parts if value is not None]
    return f" ({', '.join(known)})" if known else ""


def _advice(request: Request, health: Health) -> str:
    return printable(
        f"{plural(len(health.findings), 'finding')}. Keep the file as it is. Put a backup in its place, or read "
        f"what is left into a new one:\n  recollect doctor --db {request.db} --rescue rescued.db"
    )


def _show_rescue(report: ImportReport, request: Request, rescue: Path | None) -> None:
    if request.json:
        answer(as_json(asdict(report)))
    else:
        answer(
            printable(f"{plural(report.added, 'message')} of {plural(report.sessions, 'session')} read into {rescue}.")
        )
        note(f"Look at it: recollect sessions --all-spaces --db {rescue}")
    if not report.sessions:
        note("Nothing could be read.")
        raise typer.Exit(WRONG)


def forget(
    request: Request,
    session: Annotated[str | None, typer.Option(help="The conversation.")] = None,
    message: Annotated[
        list[str] | None, typer.Option(help="A message of it, by number (only digits) or id; may be repeated.")
    ] = None,
    whole_space: Annotated[str | None, typer.Option(help="A whole space, by name.", metavar="NAME")] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
) -> None:
    """Erase messages, a conversation or a space, down to the bytes.

    Example: recollect forget --session trip --message 3 --message 4

    It cannot be undone. A message leaves its number behind, and nothing else.
    """
    if (session is None) == (whole_space is None) or (message and session is None):
        raise InvalidInput(
            "forget needs to know what.",
            "Give --session, --session with --message, or --whole-space, and nothing else.",
        )
    request.must_be_there()
    what = _target(request, session, message or [], whole_space)
    if not yes and not _confirmed(what):
        note("Nothing was forgotten.")
        raise typer.Exit(WRONG)
    with request.open() as memory:
        if whole_space is not None:
            erased = memory.forget(space=whole_space)
        else:
            erased = memory.forget(session=session, messages=_numbers(message) if message else None)
    _show_erased(erased, what, request)


def _numbers(messages: Iterable[str]) -> list[int | str]:
    return [int(item) if item.isascii() and item.isdigit() else item for item in messages]


def _target(request: Request, session: str | None, messages: list[str], whole_space: str | None) -> str:
    if whole_space is not None:
        return f"the whole space {whole_space!r}"
    part = f"message {', '.join(messages)} of" if messages else "the whole of"
    return f"{part} session {session!r} in space {request.space!r}"


def _confirmed(what: str) -> bool:
    if sys.stdin is None or not sys.stdin.isatty():
        raise InvalidInput("Nobody is there to confirm.", "Add --yes to forget without being asked.")
    return typer.confirm(printable(f"Forget {what}, for ever?"), err=True)


def _show_erased(erased: Erased, what: str, request: Request) -> None:
    nothing = not (erased.messages or erased.sessions or erased.spaces)
    if request.json:
        answer(as_json(asdict(erased)))
    elif not nothing:
        counts = ((erased.messages, "message"), (erased.sessions, "session"), (erased.spaces, "space"))
        answer(f"Forgotten: {', '.join(plural(count, noun) for count, noun in counts if count)}.")
    if erased.pending:
        note(
            f"Another program still reads {request.db}, so the old bytes may lie in its write-ahead log. "
            "End that program, then run: recollect doctor"
        )
        raise typer.Exit(STORE)
    if nothing:
        note(f"There was nothing to forget: {what} was never there, or was forgotten before.")
        raise typer.Exit(WRONG)


def path(request: Request) -> None:
    """Say where the memory lies, or will lie.

    Example: recollect path
    """
    place = request.db if request.db == ":memory:" or "://" in request.db else os.path.abspath(request.db)
    answer(as_json({"path": place, "exists": request.there}) if request.json else printable(place))
