"""From what a caller passes to a draft that a store can take: cleaned, measured, counted, scored, with its terms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from recollect.errors import InvalidInput, TooLarge
from recollect.journal.clean import (
    clean_choice,
    clean_importance,
    clean_name,
    clean_object,
    clean_text,
    clean_time,
    clean_tool_calls,
    json_text,
)
from recollect.policy.terms import terms
from recollect.ports import Clock, Counter, Ids
from recollect.profiles import Profile
from recollect.records import ROLES, Draft, Message, ToolCall, digest

__all__ = ["Drafter"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafter:
    """Makes drafts; holds what that needs."""

    counter: Counter
    profile: Profile
    max_bytes: int
    clock: Clock
    ids: Ids

    def draft(
        self,
        role: str,
        text: str,
        *,
        name: str | None = None,
        time: datetime | str | None = None,
        id: str | None = None,
        key: str | None = None,
        tool_calls: Iterable[object] | None = None,
        tool_call_id: str | None = None,
        model: str | None = None,
        importance: float | None = None,
        meta: Mapping[str, Any] | None = None,
    ) -> Draft:
        """A draft of one message, or an error that says what cannot be taken."""
        kept_role = clean_choice(role, ROLES, "role")
        kept, original = clean_text(text)
        calls = clean_tool_calls(tool_calls) if tool_calls else ()
        if calls and kept_role != "assistant":
            raise InvalidInput(f"A {kept_role} message cannot call tools.", "Tool calls belong to the assistant.")
        name = None if name is None else clean_name(name, "name")
        own_meta = clean_object(meta)
        self._measure(kept, original, name, calls, own_meta)
        return Draft(
            id=self.ids.new("msg") if id is None else clean_name(id, "id"),
            role=kept_role,
            text=kept,
            name=name,
            time=self.clock() if time is None else clean_time(time),
            tokens=self.counter.text(kept),
            overhead=self.counter.overhead(kept_role, name, calls),
            encoding=self.counter.encoding,
            importance=self.profile.importance(kept_role, kept) if importance is None else clean_importance(importance),
            model=None if model is None else clean_name(model, "model"),
            tool_calls=calls,
            tool_call_id=None if tool_call_id is None else clean_name(tool_call_id, "tool_call_id"),
            meta=own_meta,
            original=original,
            key=None if key is None else digest(clean_name(key, "key")),
            own_id=id is not None,
            terms=terms(kept),
        )

    def again(self, message: Message) -> Draft:
        """A draft of a message that an export carries, with its number; counted anew where it has no count."""
        if message.state == "forgotten":
            return self._gone(message)
        kept, original = clean_text(message.text)
        self._measure(kept, original, message.name, message.tool_calls, message.meta)
        counted = bool(message.encoding)
        return Draft(
            id=clean_name(message.id, "id"),
            role=clean_choice(message.role, ROLES, "role"),
            text=kept,
            name=None if message.name is None else clean_name(message.name, "name"),
            time=clean_time(message.time),
            tokens=message.tokens if counted else self.counter.text(kept),
            overhead=message.overhead
            if counted
            else self.counter.overhead(message.role, message.name, message.tool_calls),
            encoding=message.encoding if counted else self.counter.encoding,
            importance=clean_importance(message.importance),
            model=message.model,
            tool_calls=message.tool_calls,
            tool_call_id=message.tool_call_id,
            meta=clean_object(message.meta),
            original=message.original if original is None else original,
            key=message.key,
            own_id=True,
            seq=message.seq,
            terms=terms(kept),
        )

    @staticmethod
    def _gone(message: Message) -> Draft:
        """The draft of a tombstone: whatever else the export says of it, nothing comes back."""
        return Draft(
            id=clean_name(message.id, "id"),
            role=clean_choice(message.role, ROLES, "role"),
            text="",
            name=None,
            time=clean_time(message.time),
            tokens=0,
            overhead=0,
            encoding="",
            importance=0.5,
            key=message.key,
            state="forgotten",
            own_id=True,
            seq=message.seq,
        )

    def _measure(
        self, text: str, original: str | None, name: str | None, calls: tuple[ToolCall, ...], meta: Mapping[str, Any]
    ) -> None:
        size = len(text) if text.isascii() else len(text.encode())
        if original or name or calls or meta:
            extra = [original, name, [call.to_dict() for call in calls], dict(meta)]
            size += len(json_text(extra, "meta"))
        if size > self.max_bytes:
            raise TooLarge(
                f"The message has {size:,} bytes; the limit is {self.max_bytes:,}.",
                "Nothing was stored. Split it, or open Memory(..., max_message_bytes=…) with a higher limit.",
            )
