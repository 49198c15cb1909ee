"""Conversations into a memory, by its public methods: any store will do, and a service too.

What a session holds is looked up before anything is added to it, so that a second run, or one that goes on where
another was killed, costs little more than reading the file. A message that is there is never changed, and none that was
forgotten comes back. (A conversation that was forgotten whole left no trace to know it by: it does come back.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
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
REMEMBERED = 64  # sessions whose messages are known by their ids: those that were met last
LISTED = 1_000  # failures that are reported one by one


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
    """Bring the conversations of a file into the space of `memory`; doing it twice changes nothing.

    What cannot be read is in the report's `failures`, and everything else comes in; stopped anywhere, another run goes
    on there. Summaries and facts follow in the background, as with any message.

    Args:
        memory: Where the conversations go.
        source: A path, or a file opened in binary mode.
        format: "chatgpt", "claude" or "jsonl"; "auto" looks at the file.
        session: Where messages of plain JSON belong that name none.
        dry_run: Only report what would be done.
        vectors: Make the missing vectors now; False leaves them to the background.
        progress: Receives how many more bytes were read.
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
    """Bring the conversations of an open file into a space, as `import_file` does."""
    if chats.format == "onrecord":
        raise InvalidInput("This is what `onrecord export` wrote.", "Bring it in with memory.import_(…).")
    run = _ImportRun(memory, dry_run)
    step = progress or (lambda done: None)
    reported = 0
    for found in chats:
        run.take(found)
        step(chats.read - reported)
        reported = chats.read
    step(chats.read - reported)
    if vectors and not dry_run:
        with suppress(ModelError):  # they are made another time
            memory.rebuild(vectors=True)
    return run.report(chats.format)


class _ImportRun:
    """Adds one conversation after the other, and counts."""

    def __init__(self, memory: Memory, dry_run: bool) -> None:
        self._memory = memory
        self._dry_run = dry_run
        self._existing = lru_cache(REMEMBERED)(self._existing_of)
        self._count: Counter[str] = Counter()
        self._left_out: Counter[str] = Counter()
        self._failures: list[ImportFailure] = []
        self._sessions: dict[str, None] = {}  # in order

    def take(self, found: ImportedChat | ImportFailure) -> None:
        if isinstance(found, ImportFailure):
            self._fail(found.where, found)
            return
        self._sessions[found.session] = None
        self._left_out.update(found.left_out)
        try:
            chat = self._memory.session(found.session)
        except InvalidInput as error:  # an id of the file, with what stands before it here, may be too long
            self._fail(found.where, error)
            return
        fresh = list(self._fresh(found))
        if self._dry_run:
            self._count["added"] += len(fresh)
            return
        if fresh:
            _describe(chat, found)
        for batch in _batches(fresh):
            self._add(chat, batch, found.where)

    def report(self, format: str) -> Imported:
        return Imported(
            format=format,
            conversations=len(self._sessions),
            left_out=dict(sorted(self._left_out.items())),
            failures=tuple(self._failures),
            sessions=tuple(self._sessions),
            dry_run=self._dry_run,
            **self._count,
        )

    def _fail(self, where: str, error: ImportFailure | InvalidInput) -> None:
        self._count["failed"] += 1
        if len(self._failures) < LISTED:
            what = error.what.removeprefix("Message 1: ")
            self._failures.append(ImportFailure(where=where, what=what, hint=error.hint))

    def _existing_of(self, session: str) -> dict[str, int]:
        """Return a digest of what each message of a session says, by its id.

        A forgotten message has the digest of its id instead of the id.
        """
        chat = self._memory.session(session)
        if chat.info().last_seq == 0:
            return {}
        return {message.id: hash((message.role, message.text)) for message in chat.history(forgotten=True)}

    def _fresh(self, found: ImportedChat) -> Iterator[ChatMessage]:
        """Yield the messages that the session does not hold."""
        existing = self._existing(found.session)
        for message in found.messages:
            content = hash((message.role, clean_text(message.text)[0]))
            known = existing.get(message.id)
            if known is not None:
                self._count["present" if known == content else "changed"] += 1
            elif digest(message.id) in existing:
                self._count["forgotten"] += 1
            else:
                existing[message.id] = content
                yield message

    def _add(self, chat: Session, batch: list[ChatMessage], where: str) -> None:
        try:
            for receipt in chat.add_many([message.parts() for message in batch]):
                self._count["present" if receipt.repeated else "added"] += 1
        except (InvalidInput, Conflict) as error:
            if len(batch) > 1:  # one of them is wrong; the others are added one by one
                for message in batch:
                    self._add(chat, [message], where)
            elif isinstance(error, InvalidInput):
                self._fail(f"{where}, message {batch[0].id}", error)
            else:  # another process added or forgot it meanwhile
                self._count["forgotten" if isinstance(error, Forgotten) else "changed"] += 1


def _describe(chat: Session, found: ImportedChat) -> None:
    """Set what a session is called and where it comes from, unless it is set already."""
    if found.title is None and not found.meta:
        return
    info = chat.info()
    title, meta = info.title or found.title, dict(info.meta) or dict(found.meta)
    if (title, meta) != (info.title, dict(info.meta)):
        chat.update(title=title, meta=meta)


def _batches(messages: Iterable[ChatMessage]) -> Iterator[list[ChatMessage]]:
    """Yield as many messages at a time as fit into a request."""
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
