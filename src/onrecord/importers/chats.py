"""The records of an import: conversations, with what was left out of them, and what could not be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from onrecord.records import Role
from onrecord.records.messages import Jsonable

__all__ = ["ChatMessage", "ImportFailure", "Imported", "ImportedChat"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatMessage:
    """A message as a file has it, ready to be added."""

    id: str  # the file's own, or one made of what the message says
    role: Role
    text: str
    time: datetime | None = None  # when it was said; None: the file does not say
    name: str | None = None  # who said it, or which tool
    model: str | None = None  # which model wrote it
    tool_calls: tuple[Mapping[str, Any], ...] = ()  # what an assistant asks its tools
    tool_call_id: str | None = None  # which call a tool's message answers

    def parts(self) -> dict[str, Any]:
        """Return the keywords of `Session.add`; the meta says that it comes from elsewhere, which lowers its trust."""
        parts = {name: value for name in self.__slots__ if (value := getattr(self, name)) is not None}
        return parts | {"tool_calls": list(self.tool_calls), "meta": {"imported": True}}


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedChat:
    """A conversation of a file, or some messages in a row of one session."""

    session: str  # the id that it gets here
    where: str  # its place in the file, in words
    messages: tuple[ChatMessage, ...] = ()  # in the order in which they were said
    title: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict, hash=False)  # where it comes from
    left_out: Counter[str] = field(default_factory=Counter, hash=False)  # how many messages, by reason


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportFailure(Jsonable):
    """Something in a file that could not be taken; everything else was."""

    where: str  # its place in the file, in words
    what: str  # what is wrong
    hint: str = ""  # what to do about it


@dataclass(frozen=True, slots=True, kw_only=True)
class Imported(Jsonable):
    """What an import did, or would do."""

    format: str  # what the file is: chatgpt, claude or jsonl
    conversations: int = 0  # that were read
    added: int = 0  # messages that are new here
    present: int = 0  # messages that were here already
    changed: int = 0  # messages that were here with another text, which stays
    forgotten: int = 0  # messages that were forgotten here, and stay so
    left_out: Mapping[str, int] = field(default_factory=dict, hash=False)  # how many messages, by reason
    failed: int = 0  # conversations and messages that could not be taken
    failures: tuple[ImportFailure, ...] = ()  # the first thousand of them
    sessions: tuple[str, ...] = field(default=(), repr=False)  # the ids that the conversations have here
    dry_run: bool = False  # nothing was written
