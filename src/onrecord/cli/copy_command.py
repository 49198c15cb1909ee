"""The command that brings one memory into another: from a file to a folder, to a server, and back."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Annotated

import typer

from onrecord.cli.options import CommandRequest
from onrecord.cli.output import answer, as_json, note, plural, printable, progress
from onrecord.errors import InvalidInput, NotFound
from onrecord.journal.clean import clean_name
from onrecord.journal.contents import all_sessions
from onrecord.journal.copying import Copied, copy_space
from onrecord.ports import Store
from onrecord.settings import Settings, check_settings
from onrecord.stores import is_part_of, is_server, open_store, shown

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
    with _opened(source) as from_store:
        spaces = _chosen(from_store, source, request.space if "space" in request.typed else None)
        report = _copied(from_store, target, spaces) if spaces else Copied()
    _show(report, source, target, request.json)


def _refuse(source: str, target: str) -> None:
    """Say what cannot be copied before anything is made."""
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


@contextmanager
def _opened(address: str) -> Iterator[Store]:
    values = check_settings({})
    store = open_store(address, Settings(durability=values["durability"], busy_timeout=values["busy_timeout"]))
    try:
        yield store
    finally:
        store.close()


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
    with _opened(target) as to_store:
        with progress("Copying messages", total=total) as step:
            for space in spaces:
                report += copy_space(source, to_store, space, step)
        total = sum(to_store.revision(space).newest * len(source.plans(space)) for space in spaces)
        with progress("Copying vectors", total=total) as step:
            vectors = sum(copy_vectors(source, to_store, space, step) for space in spaces)
        to_store.settle()
    return replace(report, vectors=vectors)


def _show(report: Copied, source: str, target: str, as_line: bool) -> None:
    if as_line:
        answer(as_json(asdict(report) | {"changed": report.changed}))
        return
    source, target = shown(source), shown(target)
    if not report.spaces:
        answer(printable(f"{source} holds nothing yet, so there is nothing to do."))
        return
    place = f"{plural(report.spaces, 'space')} with {plural(report.sessions, 'session')}"
    if not report.changed:
        there = f"{place} and {plural(report.present, 'message')}"
        answer(printable(f"Nothing to do: {target} has all of {source} already ({there})."))
    else:
        counts = (
            plural(report.messages, "message"),
            plural(report.records, "derived record"),
            plural(report.vectors, "vector"),
        )
        answer(printable(f"{place} copied from {source} to {target}:"))
        answer(f"  {', '.join(counts)} and {plural(report.counters, 'counter')}.")
    for remark in _remarks(report):
        note(remark)


def _remarks(report: Copied) -> Iterator[str]:
    """What else happened, and what did not."""
    if report.changed and report.present:
        yield f"{plural(report.present, 'message was', 'messages were')} there already."
    if report.described:
        yield f"What is known of {plural(report.described, 'session')} changed."
    if report.forgotten:
        told = plural(report.forgotten, "message was", "messages were")
        yield f"{told} forgotten at the target, as at the source, with what came of it."
    if report.removed:
        yield f"{plural(report.removed, 'derived record')} that the source has no more went."
    if report.ahead:
        told = plural(report.ahead, "session")
        yield f"{told} went on at the target; there, only what was missing was added."
    if report.apart:
        told = plural(report.apart, "session is", "sessions are")
        yield f"{told} only at the target and left alone. If the source forgot one whole, forget it there too."
