"""Plain files of chats: JSON Lines, or one JSON list or object, of messages or of whole conversations.

A message is {role, content or text, name?, model?, time?, session?, id?, tool_calls?, tool_call_id?}, a conversation an
object with a list of them in `messages`. A message without an id gets one made of what it says, when, and how many
like it stood before it in its session: the same file, or one that grew, then names the same message the same.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from onrecord.errors import InvalidInput
from onrecord.importers.chats import ChatMessage, ImportedChat, ImportFailure
from onrecord.importers.fields import HINT, expect, mark, name_in, objects_in, shown, time_in, title_in
from onrecord.journal.clean import clean_tool_calls
from onrecord.records import ROLES, Role

__all__ = ["PlainChats", "SessionMissing", "by_session"]

GATHERED = 2_000  # messages that are gathered by session
LONGEST = 8_000_000  # characters of them
NAMED: Mapping[str, Role] = {role: role for role in ROLES} | {
    "human": "user",
    "ai": "assistant",
    "bot": "assistant",
    "model": "assistant",
    "developer": "system",
    "function": "tool",
}
TIMES = ("time", "timestamp", "created_at", "create_time")
SESSIONS = ("session", "session_id", "conversation", "conversation_id", "thread_id")


class SessionMissing(InvalidInput):
    """A message belongs to no session. So will the others: reading ends here."""


class PlainChats:
    """Reads the values of one file; remembers which messages without an id it has met."""

    def __init__(self, session: str | None = None) -> None:
        self._session = session  # for what names none
        self._met: Counter[int] = Counter()

    def chat(self, value: Mapping[str, Any], where: str) -> ImportedChat:
        """Return a conversation, or the session of a single message with it."""
        session = _session_of(value) or self._session
        if "messages" in value:
            listed = objects_in(value, "messages", "A message")
            session = name_in(value, "id") or session or f"jsonl:{_digest(listed)}"
        elif session is not None:
            listed = [dict(value)]
        else:
            raise SessionMissing(
                f"{where[:1].upper()}{where[1:]} names no session.",
                "Say where messages without one belong: --session ID, or session=… in Python.",
            )
        messages = tuple(self._message(message, session) for message in listed)
        kept = tuple(message for message in messages if message.text.strip() or message.tool_calls)
        return ImportedChat(
            session=session,
            where=where,
            messages=kept,
            title=title_in(value, "title") if "messages" in value else None,
            left_out=Counter({"empty": len(messages) - len(kept)} if len(kept) < len(messages) else {}),
        )

    def _message(self, value: Mapping[str, Any], session: str) -> ChatMessage:
        role = NAMED.get(value["role"]) if isinstance(value.get("role"), str) else None
        if role is None:
            raise InvalidInput(f"role {shown(value.get('role'))} is not known.", HINT)
        calls = tuple(call.to_dict() for call in clean_tool_calls(value.get("tool_calls")))
        if calls and role != "assistant":
            raise InvalidInput(f"tool_calls stand in a {role} message.", HINT)
        message = ChatMessage(
            id=name_in(value, "id") or "",
            role=role,
            text=_text(value.get("text") if value.get("content") is None else value["content"]),
            time=next((time_in(value, key) for key in TIMES if value.get(key) is not None), None),
            name=name_in(value, "name"),
            model=name_in(value, "model"),
            tool_calls=calls,
            tool_call_id=name_in(value, "tool_call_id"),
        )
        return message if message.id else replace(message, id=self._made_id(message, session))

    def _made_id(self, message: ChatMessage, session: str) -> str:
        time = None if message.time is None else message.time.isoformat()
        made = _digest([message.role, message.text, message.name, time, list(message.tool_calls), message.tool_call_id])
        place = int(_digest([session, made])[:16], 16)
        self._met[place] += 1
        count = self._met[place]
        return f"jsonl:{made}" if count == 1 else f"jsonl:{made}:{count}"


def by_session(chats: Iterable[ImportedChat | ImportFailure]) -> Iterator[ImportedChat | ImportFailure]:
    """Gather messages by session, some thousand at a time: sessions may take turns, and each is written to once."""
    gathered: dict[str, list[ImportedChat]] = {}
    count = length = 0
    for chat in chats:
        if isinstance(chat, ImportFailure):
            yield chat
            continue
        gathered.setdefault(chat.session, []).append(chat)
        count += len(chat.messages)
        length += sum(len(message.text) for message in chat.messages)
        if count >= GATHERED or length >= LONGEST:
            yield from map(_joined, gathered.values())
            gathered, count, length = {}, 0, 0
    yield from map(_joined, gathered.values())


def _joined(chats: list[ImportedChat]) -> ImportedChat:
    return replace(
        chats[0],
        messages=tuple(message for chat in chats for message in chat.messages),
        left_out=sum((chat.left_out for chat in chats), Counter()),
    )


def _session_of(value: Mapping[str, Any]) -> str | None:
    for key in SESSIONS:
        given = value.get(key)
        if (name := name_in({key: given.get("id") if isinstance(given, dict) else given}, key)) is not None:
            return name
    return None


def _text(content: object) -> str:
    """Return what a message says; of a list of parts, each in a line."""
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(filter(None, map(_part, expect(list, content, "content"))))


def _part(part: object) -> str:
    if isinstance(part, str):
        return part
    value = expect(dict, part, "A part of content")
    if isinstance(text := value.get("text"), str):
        return text
    type = str(value.get("type"))
    return mark(next((kind for kind in ("image", "audio", "video", "file") if kind in type), "attachment"))


def _digest(value: object) -> str:
    return blake2b(json.dumps(value).encode(), digest_size=12).hexdigest()
