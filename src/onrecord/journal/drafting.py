"""Drafts that a store can take, of what a caller passes: cleaned, measured, counted, scored."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from onrecord.errors import InvalidInput, TooLarge
from onrecord.guard import attempt
from onrecord.journal.clean import (
    clean_choice,
    clean_count,
    clean_digest,
    clean_importance,
    clean_name,
    clean_object,
    clean_original,
    clean_plain,
    clean_text,
    clean_time,
    clean_tool_calls,
    json_text,
)
from onrecord.ports import Clock, Counter, Ids
from onrecord.profiles import Profile
from onrecord.records import ROLES, STATUSES, Draft, Message, Role, State, ToolCall, digest, rough_size, to_micros

__all__ = ["Drafter", "TimeIds"]

ORDINARY = 0.5  # the importance of a message of which nothing is known
_PLACED: tuple[State, ...] = ("kept", "forgotten")  # what a message may be when it is drafted again

Count = tuple[int, int, str]
"""Tokens of the text, tokens of the chat format around it, and what counted them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drafter:
    """Makes drafts; holds what that needs."""

    counter: Counter
    profile: Profile
    max_bytes: int
    clock: Clock
    ids: Ids

    def __post_init__(self) -> None:
        """Refuse a clock that no moment can be taken from, before anything is written with it."""
        now = self.clock() if callable(self.clock) else None
        if not isinstance(now, datetime) or now.tzinfo is None:
            raise InvalidInput(
                "The clock gives no time with a zone.", "Pass a clock such as lambda: datetime.now(UTC)."
            )

    def now(self) -> datetime:
        """Return what the clock says, in UTC."""
        now = self.clock()
        return now if now.tzinfo is UTC else clean_time(now, "clock")  # every message asks, and nearly all are in UTC

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
        counted: Count | None = None,
    ) -> Draft:
        """Return a draft of a message. Raises `InvalidInput` if something of it cannot be taken."""
        kept_role = clean_choice(role, ROLES, "role")
        kept, original = clean_text(text)
        calls = () if tool_calls is None else _calls(kept_role, tool_calls)
        name = None if name is None else clean_name(name, "name")
        own_meta: Mapping[str, Any] = {} if meta is None else clean_object(meta)
        self._measure(kept, original, name, calls, own_meta)
        tokens, overhead, encoding = counted or self._count(kept_role, kept, name, calls)
        return Draft(
            id=self.ids.new("msg") if id is None else clean_name(id, "id"),
            role=kept_role,
            text=kept,
            name=name,
            time=self.now() if time is None else clean_time(time),
            tokens=tokens,
            overhead=overhead,
            encoding=encoding,
            importance=self._importance(kept_role, kept) if importance is None else clean_importance(importance),
            model=None if model is None else clean_name(model, "model"),
            tool_calls=calls,
            tool_call_id=None if tool_call_id is None else clean_name(tool_call_id, "tool_call_id"),
            meta=own_meta,
            original=original,
            key=None if key is None else digest(clean_name(key, "key")),
            own_id=id is not None,
        )

    def again(self, message: Message) -> Draft:
        """Return a draft of a message that was kept elsewhere, with its number; counted again where it has no count.

        Nothing of it is trusted: its fields may hold whatever stood in a file.
        """
        seq = clean_count(message.seq, "seq", least=1)
        key = None if message.key is None else clean_digest(message.key, "key")
        if clean_choice(message.state, _PLACED, "state") == "forgotten":
            return self._gone(message, seq, key)
        given = message.text if message.original is None else clean_original(message.original, message.text)
        draft = self.draft(
            message.role,
            given,
            name=message.name,
            time=clean_time(message.time),
            id=clean_name(message.id, "id"),
            tool_calls=message.tool_calls,
            tool_call_id=message.tool_call_id,
            model=message.model,
            importance=clean_importance(message.importance),
            meta=message.meta,
            counted=_counted(message),
        )
        return replace(draft, seq=seq, key=key)

    def known(self, changes: Mapping[str, Any]) -> dict[str, Any]:
        """Return what is to be known of a session, cleaned: title, status, model, system, meta."""
        return {name: self._known(name, value) for name, value in changes.items()}

    def _known(self, name: str, value: Any) -> Any:
        if name == "status":
            return clean_choice(value, STATUSES, name)
        if name == "meta":
            meta = clean_object(value)
            self._limit("The session's meta", len(json_text(dict(meta), name)) if meta else 0)
            return meta
        if name not in ("title", "model", "system"):
            raise InvalidInput(f"A session has no {name!r}.", "Set title, status, model, system or meta.")
        if value is None:
            return None
        if name != "system":
            return clean_name(value, name)
        text = clean_plain(value, name)
        self._limit("The system prompt", len(text.encode()))
        return text

    def _importance(self, role: Role, text: str) -> float:
        """Return the importance of a text, or that of an ordinary one where rules cannot read it."""
        found = attempt(len(text), lambda: self.profile.importance(role, text)).result
        return ORDINARY if found is None else found

    def _count(self, role: Role, text: str, name: str | None, calls: tuple[ToolCall, ...]) -> Count:
        return self.counter.text(text), self.counter.overhead(role, name, calls), self.counter.encoding

    @staticmethod
    def _gone(message: Message, seq: int, key: str | None) -> Draft:
        """Return the draft of a tombstone: whatever else is said of it, nothing comes back."""
        return Draft(
            id=clean_name(message.id, "id"),
            role=clean_choice(message.role, ROLES, "role"),
            text="",
            name=None,
            time=clean_time(message.time),
            tokens=rough_size(clean_count(message.tokens, "tokens")),
            overhead=0,
            encoding="",
            importance=0.5,
            key=key,
            state="forgotten",
            own_id=True,
            seq=seq,
        )

    def _measure(
        self, text: str, original: str | None, name: str | None, calls: tuple[ToolCall, ...], meta: Mapping[str, Any]
    ) -> None:
        size = len(text) if text.isascii() else len(text.encode())
        if original or name or calls or meta:
            extra = [original, name, [call.to_dict() for call in calls], dict(meta)]
            size += len(json_text(extra, "meta"))
        if size > self.max_bytes:
            self._limit("The message", size)

    def _limit(self, what: str, size: int) -> None:
        if size > self.max_bytes:
            raise TooLarge(
                f"{what} has {size:,} bytes; the limit is {self.max_bytes:,}.",
                "Nothing was stored. Split it, or open Memory(..., max_message_bytes=…) with a higher limit.",
            )


def _calls(role: Role, given: Iterable[object]) -> tuple[ToolCall, ...]:
    calls = clean_tool_calls(given)
    if calls and role != "assistant":
        raise InvalidInput(f"tool_calls stand in a {role} message.", "Tool calls belong to the assistant.")
    return calls


def _counted(message: Message) -> Count | None:
    """Return the count that a message carries, if it says what counted it."""
    count = clean_count(message.tokens, "tokens"), clean_count(message.overhead, "overhead")
    return None if message.encoding == "" else (*count, clean_name(message.encoding, "encoding"))


class TimeIds:
    """Makes ids that name their kind and sort by time: `msg_0643b0c0e7a1f2_9c41d70be2`.

    They rise strictly within a process, and are unique across processes by 40 random bits.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last = 0
        self._lock = threading.Lock()

    def new(self, kind: str) -> str:
        with self._lock:
            self._last = max(self._last + 1, to_micros(self._clock()))
            micros = self._last
        return f"{kind}_{micros:014x}_{os.urandom(5).hex()}"
