"""The command that brings one memory into another: from a file to a folder, to a server, and back."""

from __future__ import annotations

import os
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from onrecord.cli.options import CommandRequest, opened_store
from onrecord.cli.output import note, plural, progress
from onrecord.cli.printing import reply
from onrecord.errors import InvalidInput, NotFound
from onrecord.journal.clean import clean_name
from onrecord.journal.contents import all_sessions
from onrecord.journal.copying import Copied, copy_space
from onrecord.ports import Store
from onrecord.stores import is_part_of, is_server, shown

__all__ = ["copy"]

OWN = ":memory:"  # a memory of this process alone


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
    _show(request, report, shown(source), shown(target))


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


def _show(request: CommandRequest, report: Copied, source: str, target: str) -> None:
    place = f"{plural(report.spaces, 'space')} with {plural(report.sessions, 'session')}"
    counts = ("messages", "message"), ("records", "derived record"), ("vectors", "vector"), ("counters", "counter")
    *first, last = (plural(getattr(report, name), noun) for name, noun in counts)
    lines = [f"{place} copied from {source} to {target}:", f"  {', '.join(first)} and {last}."]
    if not report.changed:
        there = f"{place} and {plural(report.present, 'message')}"
        lines = [f"Nothing to do: {target} has all of {source} already ({there})."]
    if not report.spaces:
        lines = [f"{source} holds nothing yet, so there is nothing to do."]
    reply(request, asdict(report) | {"changed": report.changed}, *lines)
    for name, noun, nouns, remark in () if request.json else REMARKS:
        if count := getattr(report, name):
            note(f"{plural(count, noun, nouns)} {remark}")
    if report.changed and report.present and not request.json:
        note(f"{plural(report.present, 'message was', 'messages were')} there already.")


REMARKS = (
    ("described", "session is", "sessions are", "described anew."),
    ("forgotten", "message was", "messages were", "forgotten at the target, as at the source, with what came of it."),
    ("removed", "derived record", None, "that the source has no more went."),
    ("ahead", "session", None, "went on at the target; there, only what was missing was added."),
    (
        "apart",
        "session is",
        "sessions are",
        "only at the target and left alone. If the source forgot one whole, forget it there too.",
    ),
)
"""What else happened in copying, by field of the report."""
