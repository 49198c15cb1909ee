"""What a damaged JSON folder still holds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from recollect.errors import StoreError
from recollect.ports import Progress
from recollect.records import Message, Page, Record, SessionInfo
from recollect.stores.json_folder.edits import find_edits
from recollect.stores.json_folder.files import MISSING
from recollect.stores.json_folder.manifest import MACHINERY, OLD_MANIFEST, SESSIONS, journals, read_manifest
from recollect.stores.json_folder.shelf import look
from recollect.stores.json_folder.state import FolderState

__all__ = ["readable"]


def readable(path: Path, progress: Progress) -> Iterator[tuple[str, SessionInfo, Message | Record]]:
    """Everything that the folder's files still hold, by session and in order, whatever happened to them: the messages
    of each session, then the derived records whose lines are sound."""
    state = FolderState()
    home = path if (path / OLD_MANIFEST).exists() and not (path / MACHINERY).exists() else path / MACHINERY
    with suppress(OSError):
        state.read_sessions(home / SESSIONS)
    for name in _readable_journals(path, home):
        with suppress(OSError):
            state.read_journal((home / name).read_bytes(), name)
    state.arrange()
    _take_sheets(path, state)
    for space in state.spaces():
        for info in state.sessions(space, limit=len(state.files)):
            messages = state.messages(space, info.id, Page(limit=info.last_seq, forgotten=True))
            yield from _shown(space, info, messages, state.all_records(space, info.id), progress)
    for name, text in state.strays.items():
        info = replace(text.info, id=text.info.id or name)
        records = [record for _, record in text.records]
        yield from _shown(f"rescued-{name}", info, [message for _, message in text.messages], records, progress)


def _shown(
    space: str, info: SessionInfo, messages: list[Message], records: list[Record], progress: Progress
) -> Iterator[tuple[str, SessionInfo, Message | Record]]:
    for message in messages:
        if not message.id.startswith(MISSING):
            progress(1)
            yield space, info, message
    for record in records:
        yield space, info, record


def _take_sheets(path: Path, state: FolderState) -> None:
    """What the sheets say, where it can be understood: what people changed, and messages whose lines are damaged."""
    with suppress(OSError):
        for edit in find_edits(look(path), state).edits:
            with suppress(StoreError):
                entry = state.editing(edit)
                if entry is not None:
                    state.apply(entry)


def _readable_journals(path: Path, home: Path) -> tuple[str, ...]:
    """Only this generation's, where that can be told: what older ones hold is in the files, or was erased since."""
    with suppress(OSError, StoreError):
        return read_manifest(path).journals
    with suppress(OSError):
        return tuple(journals(home).values())
    return ()
