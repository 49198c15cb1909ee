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
from onrecord.importers.items import Broken
from onrecord.importers.taking import HINT, a_list, a_moment, a_name, an_object, mark, shown, title_of
from onrecord.journal.clean import clean_tool_calls
from onrecord.records import ROLES, Role

__all__ = ["ChatFile"]

GATHERED = 2_000  # single messages that are gathered by session
LONGEST = 8_000_000  # characters of them
ALIASES: Mapping[str, Role] = {"human": "user", "ai": "assistant", "bot": "assistant", "model": "assistant"}
ALSO: Mapping[str, Role] = {"developer": "system", "function": "tool"}
TIMES = ("time", "timestamp", "created_at", "create_time")
SESSIONS = ("session", "session_id", "conversation", "conversation_id", "thread_id")
_NAMED: Mapping[str, Role] = {role: role for role in ROLES} | dict(ALIASES) | dict(ALSO)


class ChatFile:
    """Reads one file; remembers which messages without an id it has met."""

    def __init__(self, session: str | None = None) -> None:
        self._session = session  # for what names none
        self._met: Counter[int] = Counter()

    def conversations(self, values: Iterable[tuple[int, Any]], unit: str) -> Iterator[ImportedChat | ImportFailure]:
        """What a file holds. Single messages are gathered by session, some thousand of them at a time: sessions may
        take turns, and each of them is better written to once."""
        rows = _Rows()
        try:
            for number, value in values:
                found = self._found(value, f"{unit} {number}")
                if isinstance(found, ImportedChat) and "messages" not in value:
                    rows.add(found)
                    if not rows.full:
                        continue
                    yield from rows.taken()
                else:
                    yield from rows.taken()
                    yield found
        except _Nowhere:
            yield from rows.taken()
            raise
        yield from rows.taken()

    def _found(self, value: object, where: str) -> ImportedChat | ImportFailure:
        if isinstance(value, Broken):
            return ImportFailure(where=where, what=value.why, hint=HINT)
        try:
            given = an_object(value, "It")
            return self._conversation(given, where) if "messages" in given else self._message(given, where)
        except _Nowhere:
            raise
        except InvalidInput as error:
            return ImportFailure(where=where, what=error.what, hint=error.hint)

    def _conversation(self, value: Mapping[str, Any], where: str) -> ImportedChat:
        listed = [an_object(one, "A message") for one in a_list(value["messages"], "messages")]
        session = a_name(value.get("id"), "id") or _named(value, SESSIONS) or self._session
        session = session or f"jsonl:{_digest(listed)}"
        left_out: Counter[str] = Counter()
        messages = [found for one in listed if (found := self._said(one, session, left_out)) is not None]
        title = title_of(value.get("title"))
        return ImportedChat(session=session, where=where, messages=tuple(messages), title=title, left_out=left_out)

    def _message(self, value: Mapping[str, Any], where: str) -> ImportedChat:
        session = _named(value, SESSIONS) or self._session
        if session is None:
            raise _Nowhere(
                f"{where[:1].upper()}{where[1:]} names no session.",
                "Say where messages without one belong: --session ID, or session=… in Python.",
            )
        left_out: Counter[str] = Counter()
        found = self._said(value, session, left_out)
        messages = () if found is None else (found,)
        return ImportedChat(session=session, where=where, messages=messages, left_out=left_out)

    def _said(self, value: Mapping[str, Any], session: str, left_out: Counter[str]) -> ChatMessage | None:
        role = _NAMED.get(value["role"]) if isinstance(value.get("role"), str) else None
        if role is None:
            raise InvalidInput(f"role {shown(value.get('role'))} is not known.", HINT)
        text = _text(value.get("content") if value.get("content") is not None else value.get("text"))
        calls = tuple(call.to_dict() for call in clean_tool_calls(value.get("tool_calls")))
        if calls and role != "assistant":
            raise InvalidInput(f"tool_calls stand in a {role} message.", HINT)
        if not text.strip() and not calls:
            left_out["empty"] += 1
            return None
        message = ChatMessage(
            id="",
            role=role,
            text=text,
            time=next((a_moment(value[key], key) for key in TIMES if value.get(key) is not None), None),
            name=a_name(value.get("name"), "name"),
            model=a_name(value.get("model"), "model"),
            tool_calls=calls,
            tool_call_id=a_name(value.get("tool_call_id"), "tool_call_id"),
        )
        return replace(message, id=a_name(value.get("id"), "id") or self._made_id(message, session))

    def _made_id(self, message: ChatMessage, session: str) -> str:
        time = None if message.time is None else message.time.isoformat()
        what = [message.role, message.text, message.name, time, list(message.tool_calls), message.tool_call_id]
        made = _digest(what)
        place = int(_digest([session, made])[:16], 16)
        self._met[place] += 1
        again = self._met[place]
        return f"jsonl:{made}" if again == 1 else f"jsonl:{made}:{again}"


class _Nowhere(InvalidInput):
    """A message that belongs to no session: so will the others, and nobody wants a list of them."""


class _Rows:
    """Single messages, by session."""

    def __init__(self) -> None:
        self._rows: dict[str, list[ImportedChat]] = {}
        self._many = self._length = 0

    def add(self, found: ImportedChat) -> None:
        self._rows.setdefault(found.session, []).append(found)
        self._many += 1
        self._length += sum(len(message.text) for message in found.messages)

    @property
    def full(self) -> bool:
        return self._many >= GATHERED or self._length >= LONGEST

    def taken(self) -> Iterator[ImportedChat]:
        rows, self._rows, self._many, self._length = self._rows, {}, 0, 0
        for row in rows.values():
            messages = tuple(message for found in row for message in found.messages)
            left_out = sum((Counter(found.left_out) for found in row), Counter())
            yield replace(row[0], messages=messages, left_out=left_out)


def _named(value: Mapping[str, Any], keys: Iterable[str]) -> str | None:
    for key in keys:
        given = value.get(key)
        inner = given.get("id") if isinstance(given, dict) else given
        if (name := a_name(inner, key)) is not None:
            return name
    return None


def _text(content: object) -> str:
    """What a message says; of a list of parts, each in a line."""
    if content is None or isinstance(content, str):
        return content or ""
    return "\n".join(part for one in a_list(content, "content") if (part := _part(one)))


def _part(part: object) -> str:
    if isinstance(part, str):
        return part
    value = an_object(part, "A part of content")
    if isinstance(text := value.get("text"), str):
        return text
    kind = value.get("type") if isinstance(value.get("type"), str) else ""
    return mark(next((one for one in ("image", "audio", "video", "file") if one in str(kind)), "attachment"))


def _digest(value: object) -> str:
    return blake2b(json.dumps(value).encode(), digest_size=12).hexdigest()
