"""Conversations into a memory, by the methods that everybody uses: so any store will do, and a service too.

What a session holds is looked up before anything is added to it, so that a second run, or one that goes on where
another was killed, costs little more than reading the file. A message that is there is never changed, and none that was
forgotten comes back. (A conversation that was forgotten whole left no trace to know it by: it does come back.)
"""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from onrecord.errors import Conflict, Forgotten, InvalidInput, ModelError
from onrecord.importers.chats import ChatMessage, Imported, ImportedChat, ImportFailure
from onrecord.importers.reading import AUTO, Chats, open_chats
from onrecord.journal.clean import clean_text
from onrecord.memory import Memory
from onrecord.ports import Progress
from onrecord.records import digest
from onrecord.session import Session

__all__ = ["bring", "import_file"]

BATCH = 500  # messages that are added at once
LONGEST = 1_000_000  # characters that are added at once: a service takes 8 MB, and one may become 6 bytes
HELD = 200_000  # messages whose ids are held at hand, of the sessions that were met last
MOST_HELD = 256  # such sessions
LISTED = 1_000  # failures that are told one by one


def import_file(
    memory: Memory,
    source: str | Path | BinaryIO,
    *,
    format: str = AUTO,
    session: str | None = None,
    dry_run: bool = False,
    vectors: bool = True,
    progress: Progress | None = None,
) -> Imported:
    """Bring the conversations of a file into the space that `memory` looks through; doing it twice changes nothing.

    `format`: "chatgpt", "claude" or "jsonl"; "auto" looks at the file. `session`: where messages of plain JSON belong
    that name none. `dry_run`: only say what would be done. `progress` is told how many more bytes were read. What
    cannot be read is in the report's `failures`, and everything else comes in; stopped anywhere, another run goes on
    there. The vectors that are missing then are made; `vectors` False: in the background. Summaries and facts follow
    there, as with any message.
    """
    with open_chats(source, format=format, session=session) as chats:
        return bring(memory, chats, dry_run=dry_run, vectors=vectors, progress=progress)


def bring(
    memory: Memory,
    chats: Chats,
    *,
    dry_run: bool = False,
    vectors: bool = True,
    progress: Progress | None = None,
) -> Imported:
    """The same for a file that is open."""
    if chats.format == "onrecord":
        raise InvalidInput("This is what `onrecord export` wrote.", "Bring it in with memory.import_(…).")
    if progress is not None:
        chats.tell(progress)
    work = _Bringing(memory, dry_run)
    for found in chats:
        work.take(found)
    if vectors and not dry_run:
        with suppress(ModelError):  # they are made another time
            memory.rebuild(vectors=True)
    return work.report(chats.format)


class _Bringing:
    """Takes one conversation after the other, and counts."""

    def __init__(self, memory: Memory, dry_run: bool) -> None:
        self._memory = memory
        self._dry_run = dry_run
        self._held = _ExistingIds()
        self._count: Counter[str] = Counter()
        self._left_out: Counter[str] = Counter()
        self._failures: list[ImportFailure] = []
        self._met: dict[str, None] = {}  # sessions, in order

    def take(self, found: ImportedChat | ImportFailure) -> None:
        if isinstance(found, ImportFailure):
            self._fail(found)
            return
        self._met[found.session] = None
        self._left_out.update(found.left_out)
        try:
            chat = self._memory.session(found.session)
        except InvalidInput as error:  # an id of the file, with what stands before it here, may be too long
            self._fail(ImportFailure(where=found.where, what=error.what, hint=error.hint))
            return
        fresh = list(self._fresh(chat, found))
        if fresh and not self._dry_run:
            self._describe(chat, found)
        for batch in _batches(fresh):
            self._add(chat, batch, found.where)

    def report(self, format: str) -> Imported:
        return Imported(
            format=format,
            conversations=len(self._met),
            left_out=dict(sorted(self._left_out.items())),
            failures=tuple(self._failures),
            sessions=tuple(self._met),
            dry_run=self._dry_run,
            **self._count,
        )

    def _fail(self, failure: ImportFailure) -> None:
        self._count["failed"] += 1
        if len(self._failures) < LISTED:
            self._failures.append(failure)

    def _fresh(self, chat: Session, found: ImportedChat) -> Iterator[ChatMessage]:
        """The messages that the session does not hold."""
        held = self._held.of(chat)
        for message in found.messages:
            kept = held.get(message.id)
            if kept is not None:
                self._count["present" if kept == _said(message.role, message.text) else "changed"] += 1
            elif digest(message.id) in held:
                self._count["forgotten"] += 1
            else:
                held[message.id] = _said(message.role, message.text)
                yield message

    def _describe(self, chat: Session, found: ImportedChat) -> None:
        """Say what a session is and where it comes from, unless somebody did already."""
        if found.title is None and not found.meta:
            return
        info = chat.info()
        known = {"title": info.title or found.title, "meta": dict(info.meta) or dict(found.meta)}
        if known != {"title": info.title, "meta": dict(info.meta)}:
            chat.update(**known)

    def _add(self, chat: Session, batch: list[ChatMessage], where: str) -> None:
        if self._dry_run:
            self._count["added"] += len(batch)
            return
        try:
            for receipt in chat.add_many([message.parts() for message in batch]):
                self._count["present" if receipt.repeated else "added"] += 1
        except (InvalidInput, Conflict):  # of one of them: the others are as good as ever
            for message in batch:
                self._add_one(chat, message, where)

    def _add_one(self, chat: Session, message: ChatMessage, where: str) -> None:
        try:
            (receipt,) = chat.add_many([message.parts()])
            self._count["present" if receipt.repeated else "added"] += 1
        except Forgotten:
            self._count["forgotten"] += 1
        except Conflict:  # somebody else was quicker
            self._count["changed"] += 1
        except InvalidInput as error:
            what = error.what.removeprefix("Message 1: ")
            self._fail(ImportFailure(where=f"{where}, message {message.id}", what=what, hint=error.hint))


class _ExistingIds:
    """What sessions hold, by the ids of their messages; of those that were met last."""

    def __init__(self) -> None:
        self._sessions: OrderedDict[str, dict[str, int]] = OrderedDict()

    def of(self, chat: Session) -> dict[str, int]:
        """A digest of what each message of a session says, by its id; forgotten ones have the digest of their id."""
        if chat.id not in self._sessions:
            while len(self._sessions) >= MOST_HELD or sum(map(len, self._sessions.values())) >= HELD:
                self._sessions.popitem(last=False)
            self._sessions[chat.id] = _ids_of(chat)
        self._sessions.move_to_end(chat.id)
        return self._sessions[chat.id]


def _ids_of(chat: Session) -> dict[str, int]:
    if chat.info().last_seq == 0:
        return {}
    return {one.id: hash((one.role, one.text)) for one in chat.history(forgotten=True)}


def _said(role: str, text: str) -> int:
    return hash((role, clean_text(text)[0]))


def _batches(messages: Iterable[ChatMessage]) -> Iterator[list[ChatMessage]]:
    """Some messages at a time, that one request can hold."""
    batch: list[ChatMessage] = []
    length = 0
    for message in messages:
        size = len(message.text) + sum(len(str(call)) for call in message.tool_calls)
        if batch and (len(batch) == BATCH or length + size > LONGEST):
            yield batch
            batch, length = [], 0
        batch.append(message)
        length += size
    if batch:
        yield batch
