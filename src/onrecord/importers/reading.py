"""The conversations of a file, one after the other, whatever its format."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from onrecord.errors import InvalidInput, TooLarge
from onrecord.importers import chatgpt, claude
from onrecord.importers.chat_jsonl import ChatFile
from onrecord.importers.chats import ImportedChat, ImportFailure
from onrecord.importers.detecting import FORMATS, Format, detect, layout
from onrecord.importers.documents import Document, documents_of
from onrecord.importers.items import LONGEST, Broken, lines_of, values_of
from onrecord.importers.taking import HINT, an_object, title_of
from onrecord.journal.clean import clean_choice, clean_name
from onrecord.ports import Progress

__all__ = ["AUTO", "Chats", "open_chats"]

AUTO = "auto"
"""Stands for the format that is found by looking at the file."""

READERS: Mapping[str, Callable[[Mapping[str, Any], str], ImportedChat]] = {
    "chatgpt": chatgpt.conversation,
    "claude": claude.conversation,
}


class Chats:
    """A file of conversations that is open. Iterating gives each conversation, or what could not be read; once."""

    def __init__(self, documents: list[Document], format: Format, session: str | None, watch: _Watch) -> None:
        self.format = format
        self.size = sum(one.size or 0 for one in documents) or None
        """Bytes of text, where that is known; what is told of reading adds up to it."""
        self._documents = documents
        self._session = session
        self._watch = watch

    def tell(self, progress: Progress) -> None:
        """Have this told how many more bytes were read, from now on; of those that were read already, at once."""
        self._watch.tell(progress)

    def __iter__(self) -> Iterator[ImportedChat | ImportFailure]:
        chats = ChatFile(self._session)
        for document in self._documents:
            part = f" of {document.name}" if len(self._documents) > 1 else ""
            how = layout(document)
            values = values_of(document.chunks(), how)
            if self.format == "jsonl":
                yield from chats.conversations(values, "line" if how == "lines" else "item")
                continue
            unit = "line" if how == "lines" else "conversation"
            for number, value in values:
                yield _conversation(value, f"{unit} {number}{part}", READERS[self.format])

    def lines(self) -> Iterator[str]:
        """The text by lines, for a reader of its own."""
        for document in self._documents:
            for number, line in lines_of(document.chunks(), LONGEST):
                if line is None:
                    raise TooLarge(f"Line {number} has more than {LONGEST:,} characters.", "Give the file by its name.")
                yield line


class _Watch:
    """Counts bytes that are read until somebody wants to know."""

    def __init__(self) -> None:
        self._read = 0
        self._progress: Progress | None = None

    def __call__(self, done: int) -> None:
        if self._progress is None:
            self._read += done
        else:
            self._progress(done)

    def tell(self, progress: Progress) -> None:
        self._progress = progress
        progress(self._read)
        self._read = 0


@contextmanager
def open_chats(source: str | Path | BinaryIO, *, format: str = AUTO, session: str | None = None) -> Iterator[Chats]:
    """Open a file, or a stream of bytes, and see which format it has; `session`: where messages of plain JSON belong
    that name none."""
    chosen = None if format == AUTO else clean_choice(format, FORMATS, "format")
    where = None if session is None else clean_name(session, "session id")
    watch = _Watch()
    with documents_of(source, watch) as documents:
        found = chosen or detect(documents[0])
        if where is not None and found != "jsonl":
            raise InvalidInput(
                f"A session is for plain JSON; {found} names its own.", "Leave it out, or say --from jsonl."
            )
        yield Chats(documents, found, where, watch)


def _conversation(
    value: object, where: str, read: Callable[[Mapping[str, Any], str], ImportedChat]
) -> ImportedChat | ImportFailure:
    if isinstance(value, Broken):
        return ImportFailure(where=where, what=value.why, hint=HINT)
    title = title_of(value.get("title") or value.get("name")) if isinstance(value, dict) else None
    place = f"{where} ({title[:60]})" if title else where
    try:
        if value is None:
            raise InvalidInput("It is null, not an object.", HINT)
        return read(an_object(value, "It"), place)
    except InvalidInput as error:
        return ImportFailure(where=place, what=error.what, hint=error.hint)
