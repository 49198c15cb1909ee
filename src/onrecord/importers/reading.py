"""The conversations of a file, one after the other, whatever its format, which is found by what stands in the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, Literal

from onrecord.errors import InvalidInput, TooLarge
from onrecord.importers.chat_jsonl import PlainChats, SessionMissing, by_session
from onrecord.importers.chatgpt import chatgpt_chat
from onrecord.importers.chats import ImportedChat, ImportFailure
from onrecord.importers.claude import claude_chat
from onrecord.importers.documents import Document, open_documents
from onrecord.importers.fields import HINT, expect, title_in
from onrecord.importers.json_values import LONGEST, Broken, JsonArray, line_values, lines_of
from onrecord.journal.clean import clean_choice, clean_name
from onrecord.journal.transfer import FORMATS as EXPORTS

__all__ = ["AUTO", "FORMATS", "Chats", "open_chats"]

AUTO = "auto"
"""Stands for the format that is found by looking at the file."""

Format = Literal["onrecord", "chatgpt", "claude", "jsonl"]
FORMATS: tuple[Format, ...] = ("onrecord", "chatgpt", "claude", "jsonl")
Reader = Callable[[dict[str, Any], str], ImportedChat]
READERS: Mapping[str, Reader] = {"chatgpt": chatgpt_chat, "claude": claude_chat}
LOOKED_AT = 20  # values until the format of one is known

UNDERSTOOD = (
    "What is understood: what `onrecord export` wrote; the .zip or conversations.json of ChatGPT's or Claude's "
    "export; and JSON or JSON Lines of messages with role and content, or of objects with a list of messages."
)


class Chats:
    """An open file of conversations. Iterating gives each conversation, or what could not be read; once."""

    def __init__(self, documents: list[Document], format: Format, session: str | None) -> None:
        self.format = format
        self.size = sum(document.size or 0 for document in documents) or None
        """Bytes of text, where that is known; `read` grows to it."""
        self._documents = documents
        self._session = session

    @property
    def read(self) -> int:
        """The bytes that were read so far."""
        return sum(document.read for document in self._documents)

    def __iter__(self) -> Iterator[ImportedChat | ImportFailure]:
        if self.format == "jsonl":
            return by_session(self._chats(PlainChats(self._session).chat, "item"))
        return self._chats(READERS[self.format], "conversation")

    def _chats(self, reader: Reader, unit: str) -> Iterator[ImportedChat | ImportFailure]:
        for document in self._documents:
            part = f" of {document.name}" if len(self._documents) > 1 else ""
            unit = unit if _begins(document) == "[" else "line"
            for number, value in _values(document, document.chunks()):
                yield read_chat(value, f"{unit} {number}{part}", reader)

    def lines(self) -> Iterator[str]:
        """Yield the text by lines, for a reader of its own."""
        for document in self._documents:
            for number, line in lines_of(document.chunks(), LONGEST):
                if line is None:
                    raise TooLarge(f"Line {number} has more than {LONGEST:,} characters.", "Give the file by its name.")
                yield line


@contextmanager
def open_chats(source: str | Path | BinaryIO, *, format: str = AUTO, session: str | None = None) -> Iterator[Chats]:
    """Open a file, or a stream of bytes, and see which format it has.

    Args:
        source: A path, or a file opened in binary mode.
        format: One of `FORMATS`; "auto" looks at the file.
        session: Where messages of plain JSON belong that name none.
    """
    chosen = None if format == AUTO else clean_choice(format, FORMATS, "format")
    where = None if session is None else clean_name(session, "session id")
    with open_documents(source) as documents:
        found = chosen or _detect(documents[0])
        if where is not None and found != "jsonl":
            raise InvalidInput(
                f"A session is for plain JSON; {found} names its own.", "Leave it out, or say --from jsonl."
            )
        yield Chats(documents, found, where)


def read_chat(value: object, where: str, reader: Reader) -> ImportedChat | ImportFailure:
    """Return the conversation that a value holds, or what is wrong with it."""
    if isinstance(value, Broken):
        return ImportFailure(where=where, what=value.why, hint=HINT)
    if isinstance(value, dict) and "role" not in value:
        title = title_in(value, "title") or title_in(value, "name")
        where = f"{where} ({title[:60]})" if title else where
    try:
        return reader(expect(dict, value, "It"), where)
    except SessionMissing:
        raise
    except InvalidInput as error:
        return ImportFailure(where=where, what=error.what, hint=error.hint)


def _begins(document: Document) -> str:
    """Return the first visible character of a text. Raises `InvalidInput` if it begins no JSON."""
    first = next((text[0] for chunk in document.peek() if (text := chunk.lstrip())), "")
    if first not in ("[", "{"):
        raise InvalidInput(f"{document.name} holds no conversations: it is empty, or not JSON.", UNDERSTOOD)
    return first


def _values(document: Document, chunks: Iterator[str]) -> Iterator[tuple[int, Any]]:
    return JsonArray(chunks).values() if _begins(document) == "[" else line_values(chunks)


def _detect(document: Document) -> Format:
    """Return the format of a text, or raise an error that names those that are understood."""
    broken, what = "", "holds no conversations"
    for number, value in islice(_values(document, document.peek()), LOOKED_AT):
        what = "is not of a kind that can be imported"
        if isinstance(value, Broken):
            broken = broken or f" Number {number} of it cannot be read: {value.why}"
        elif (found := format_of(value)) is not None:
            return found
    raise InvalidInput(f"{document.name} {what}.{broken}", UNDERSTOOD)


def format_of(value: object) -> Format | None:
    """Return the format that a value belongs to.

    >>> format_of({"role": "user", "content": "Hello!"})
    'jsonl'
    """
    if not isinstance(value, dict):
        return None
    if value.get("format") in EXPORTS:
        return "onrecord"
    if "mapping" in value:
        return "chatgpt"
    if "chat_messages" in value:
        return "claude"
    message = "role" in value and ("content" in value or "text" in value or "tool_calls" in value)
    return "jsonl" if message or isinstance(value.get("messages"), list) else None
