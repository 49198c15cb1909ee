"""What `onrecord import` does with exports of others: brings their chats in, has them summarised, and tells of it."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

import typer

from onrecord.cli.options import VARIABLES, CommandRequest
from onrecord.cli.output import WRONG, answer, as_json, note, plural, printable, progress
from onrecord.errors import ModelError
from onrecord.memory import Memory
from onrecord.ports import Progress

if TYPE_CHECKING:
    from onrecord.importers import Chats, Imported

__all__ = ["bring_in", "make_vectors", "opened"]

MANY = 64
"""Messages whose vectors a search makes in a moment: with more, it is worth making them beforehand."""

SHOWN = 20
"""Failures that are spelled out for people; --json lists more."""

TOLD = ("format", "conversations", "added", "present", "changed", "forgotten", "failed", "dry_run")
NAMES = {"chatgpt": "ChatGPT", "claude": "Claude", "jsonl": "JSON"}


def bring_in(request: CommandRequest, chats: Chats, memory: Memory | None, *, dry_run: bool, vectors: bool) -> None:
    """Bring chats into a memory, which is opened if it is not; what could not be read makes the exit code 1."""
    from onrecord.importers import bring

    with nullcontext(memory) if memory is not None else opened(request, dry_run, vectors) as target:
        total = None if chats.size is None else chats.size // 1_000
        with progress("Reading, in kB", total=total) as step:
            report = bring(target, chats, dry_run=dry_run, vectors=False, progress=_in_thousands(step))
        _show(request, report)  # now: what follows may take long, and may be stopped
        if not dry_run:
            make_vectors(request, target, report.added, wanted=vectors)
            _derive(request, target, report)
    if report.failed:
        raise typer.Exit(WRONG)


def opened(request: CommandRequest, dry_run: bool, vectors: bool) -> AbstractContextManager[Memory]:
    """The memory; what would be brought into one that is not there yet is asked of an empty one."""
    if dry_run and not request.there:
        return Memory(":memory:", embedder=None)
    return request.open(request.embedder() if vectors and not dry_run else None, asks=not dry_run)


def make_vectors(request: CommandRequest, memory: Memory, added: int, *, wanted: bool) -> None:
    """Make the vectors that the space lacks, if they are wanted and there is an encoder; a service makes its own."""
    if request.served or request.embedder() is None:
        return
    if not wanted:
        if added >= MANY:
            note(f"Searches make the vectors that they need as they go. All of them now: {request.vectors}")
        return
    try:
        with progress("Making vectors", total=sum(info.last_seq for info in memory.sessions()), every=1) as step:
            memory.rebuild(vectors=True, progress=step)
    except ModelError as error:
        note(f"Not all vectors are made: {error.what} To go on: {request.vectors}")


def _in_thousands(step: Progress) -> Progress:
    left = 0

    def told(done: int) -> None:
        nonlocal left
        more, left = divmod(left + done, 1_000)
        step(more)

    return told


def _derive(request: CommandRequest, memory: Memory, report: Imported) -> None:
    """Make what is due, also what an earlier run did not come to; where others do that, leave it to them."""
    if request.served or os.environ.get(VARIABLES["summarize"]) in ("worker", "manual"):
        return
    with progress("Summarising", total=len(report.sessions), every=1) as step:
        for session in report.sessions:
            memory.session(session).summarize()
            step(1)


def _show(request: CommandRequest, report: Imported) -> None:
    if request.json:
        told = {name: getattr(report, name) for name in TOLD} | {"left_out": dict(report.left_out)}
        answer(as_json(told | {"failures": [failure.to_dict() for failure in report.failures]}))
        return
    added = "would be added" if report.dry_run else "added"
    answer(
        f"{NAMES[report.format]}: {plural(report.added, 'message')} {added} "
        f"in {plural(report.conversations, 'conversation')}; {report.present:,} were there already."
    )
    for remark in _remarks(report):
        note(remark)


def _remarks(report: Imported) -> list[str]:
    """What else happened, and what did not."""
    remarks = []
    if report.left_out:
        reasons = ", ".join(f"{many:,} {reason}" for reason, many in report.left_out.items())
        remarks.append(f"Left out: {reasons}.")
    if report.changed:
        many = plural(report.changed, "message reads", "messages read")
        remarks.append(f"{many} differently now; what was here first stays.")
    if report.forgotten:
        many = plural(report.forgotten, "message was", "messages were")
        remarks.append(f"{many} forgotten here, and not brought back.")
    remarks += [f"Not read: {one.where}: {one.what}" for one in report.failures[:SHOWN]]
    if report.failed > SHOWN:
        remarks.append(f"and {report.failed - SHOWN:,} more; --json lists them")
    return [printable(remark) for remark in remarks]
