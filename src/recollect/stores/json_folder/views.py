"""What people see of a conversation, a message or a derived record, and what becomes of it when they change it.

An entry shows what something says. What only programs need (counts, trust, how it was made) is kept out of it, and
taken over from the record when an entry comes back changed. An entry that a person wrote is locked, and its recipe is
"hand"; of its tokens only an estimate is known. Whatever cannot be right raises ValueError, in words.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import fields, replace
from datetime import UTC, datetime
from typing import Any, NamedTuple

from recollect.records import (
    EPISODE_KINDS,
    EPOCH,
    FACT_IMPORTANCE,
    FACT_KINDS,
    MANUAL,
    PIN_TYPES,
    RELATION_TYPES,
    ROLES,
    STATUSES,
    Draft,
    Message,
    Record,
    SessionInfo,
    ToolCall,
    digest,
    fault_of,
)

__all__ = [
    "HAND",
    "MESSAGES",
    "NAMED",
    "SHEETS",
    "draft_of",
    "entry_of",
    "entry_of_message",
    "entry_of_session",
    "fields_of_session",
    "is_name",
    "record_of",
    "rewritten",
]

HAND = "hand"
MESSAGES = "messages"
LONGEST_NAME = 512  # characters of an id
NAMED = f"a text of 1 to {LONGEST_NAME} characters without control characters"

SHEETS: Mapping[str, Mapping[str, str]] = {
    "conversations.json": {"conversations": "session"},
    "conversation-chunks.json": {"summaries": "summary"},
    "pins.json": {"pins": "pin"},
    "important-data.json": {"important_data": "important"},
    "long-term-memory.json": {"facts": "fact", "changes": "change", "relations": "relation"},
    "episodic-memory.json": {"episodes": "episode"},
}
"""The sheets of a space, with their lists and what stands in each; every conversation has one more, of its messages."""


# What a field may hold


class _Check(NamedTuple):
    right: Callable[[Any], bool]
    words: str


def _is_time(value: Any) -> bool:
    try:
        datetime.fromisoformat(value)
    except (TypeError, ValueError):
        return False
    return True


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 1 << 53


def _one_of(names: tuple[str, ...]) -> _Check:
    return _Check(lambda value: value in names, "one of " + ", ".join(names))


def _list_of(right: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(right(one) for one in value)


def _is_text(value: Any) -> bool:
    """Without what no other store could keep: half characters, and the character that is none."""
    return isinstance(value, str) and not any(one == "\0" or "\ud800" <= one <= "\udfff" for one in value)


def is_name(value: Any) -> bool:
    """An id, by the rule that holds for those from everywhere: not empty, not endless, no control characters."""
    if not isinstance(value, str) or not 0 < len(value) <= LONGEST_NAME:
        return False
    return value.isprintable() or not any(unicodedata.category(one) in ("Cc", "Cs") for one in value)


TEXT = _Check(_is_text, "a text")
NAME = _Check(is_name, NAMED)
TEXTS = _Check(_list_of(TEXT.right), "a list of texts")
COUNT = _Check(_is_count, "a whole number")
NUMBERS = _Check(_list_of(_is_count), "a list of numbers of messages")
SHARE = _Check(lambda value: _is_number(value) and 0 <= value <= 1, "a number from 0 to 1")
VALENCE = _Check(lambda value: _is_number(value) and -1 <= value <= 1, "a number from -1 to 1")
TIME = _Check(_is_time, 'a time such as "2026-05-05T12:00:00+00:00"')
OBJECT = _Check(lambda value: isinstance(value, dict), "an object")
CALLS = _Check(
    _list_of(lambda one: isinstance(one, dict) and all(is_name(one.get(name)) for name in ("id", "name"))),
    "a list of calls with id and name",
)

_SHARED = {"id": NAME, "conversation": NAME, "time": TIME, "text": TEXT, "importance": SHARE}
CHECKS: Mapping[str, Mapping[str, _Check]] = {
    "session": {"title": TEXT, "status": _one_of(STATUSES), "model": TEXT, "system": TEXT, "meta": OBJECT}
    | {"created": TIME, "ended": TIME},
    "message": {"number": COUNT, "role": _one_of(ROLES), "name": TEXT, "model": TEXT, "tool_calls": CALLS}
    | {"tool_call_id": NAME, "meta": OBJECT, "forgotten": TIME},
    "summary": {"first": COUNT, "last": COUNT, "level": COUNT, "topics": TEXTS, "data": OBJECT},
    "pin": {"source": COUNT, "type": _one_of(PIN_TYPES)},
    "important": {"data": OBJECT},
    "fact": {"kind": _one_of(FACT_KINDS), "subject": TEXT, "attribute": TEXT, "value": TEXT, "category": TEXT}
    | {"confidence": SHARE, "tags": TEXTS, "valid_from": TIME, "valid_until": TIME, "said": TIME, "sources": NUMBERS},
    "change": {"of": NAME, "status": TEXT, "why": TEXT, "by": TEXT, "values": OBJECT},
    "relation": {"source": NAME, "type": _one_of(RELATION_TYPES), "target": NAME, "strength": SHARE, "since": TIME},
    "episode": {"kind": _one_of(EPISODE_KINDS), "title": TEXT, "summary": TEXT, "context": TEXT, "outcome": TEXT}
    | {"participants": TEXTS, "links": TEXTS, "valence": VALENCE, "significance": SHARE, "began": TIME, "ended": TIME}
    | {"first": COUNT, "last": COUNT},
}
NEEDED: Mapping[str, tuple[str, ...]] = {
    "session": ("id",),
    "message": ("role",),
    "summary": ("text",),
    "pin": ("text",),
    "important": ("data",),
    "fact": ("text",),
    "change": ("of",),
    "relation": ("source", "target"),
    "episode": ("title",),
}


def checked(kind: str, entry: Any) -> dict[str, Any]:
    """The entry, if it is one."""
    if not isinstance(entry, dict):
        raise ValueError("this is not an object in braces")
    checks = {**_SHARED, **CHECKS[kind]}
    given = {name: value for name, value in entry.items() if value is not None or name not in checks}
    for name in NEEDED[kind]:
        if name not in given:
            raise ValueError(f'"{name}" is missing')
    for name, check in checks.items():
        if name in given and not check.right(given[name]):
            raise ValueError(f'"{name}" must be {check.words}')
    if kind in ("session", "message") and given.keys() - checks.keys():  # a record keeps what else is said
        raise ValueError(f'"{min(given.keys() - checks.keys())}" is not known here')
    return given


def _moment(value: str) -> datetime:
    time = datetime.fromisoformat(value)
    return time if time.tzinfo is not None else time.replace(tzinfo=UTC)


def _estimate(text: str) -> int:
    """Tokens of a text, rather too many: nobody counts them here."""
    return (len(text.encode("utf-8", "replace")) + 2) // 3


# Conversations and messages

_blank = Message(session="", seq=0, id="", role="user")
BLANK: Mapping[str, Any] = {part.name: getattr(_blank, part.name) for part in fields(Message)}


def entry_of_session(info: SessionInfo) -> dict[str, Any]:
    return replace(info, last_seq=0, changes=0, damaged=False).to_dict()


def fields_of_session(entry: Any) -> dict[str, Any]:
    """What it says of a conversation, but for its id."""
    given = checked("session", entry)
    blank = SessionInfo(id="")
    known = {name: given.get(name, getattr(blank, name)) for name in ("title", "status", "model", "system", "meta")}
    times = {name: _moment(given[name]) for name in ("created", "ended") if name in given}
    return {**known, "created": EPOCH, "ended": None} | times


def entry_of_message(message: Message) -> dict[str, Any]:
    if message.state == "forgotten":
        return {"number": message.seq, "forgotten": message.time.isoformat()}
    entry: dict[str, Any] = {"number": message.seq, "time": message.time.isoformat(), "role": message.role}
    for name in ("name", "text", "tool_calls", "tool_call_id", "model", "importance", "meta"):
        value = getattr(message, name)
        if value != BLANK[name]:
            entry[name] = value
    if message.tool_calls:
        entry["tool_calls"] = [call.to_dict() for call in message.tool_calls]
    if message.meta:
        entry["meta"] = dict(message.meta)
    return entry | {"id": message.id}


def draft_of(entry: Any, id: str, time: datetime) -> Draft:
    """A message that a person added; `id` and `time` if the entry says none."""
    if isinstance(entry, dict) and "forgotten" in entry:  # of a folder that lost all but its sheets
        given = checked("message", {"role": "user", **entry})
        blank: dict[str, Any] = {"name": None, "tokens": 0, "overhead": 0, "encoding": "", "importance": 0.5}
        gone = _moment(given["forgotten"])
        return Draft(id=digest(id), role=given["role"], text="", time=gone, state="forgotten", **blank)
    message = _message(entry, Message(session="", seq=0, id=id, role="user", time=time))
    parts = (
        "id",
        "role",
        "text",
        "name",
        "time",
        "tokens",
        "overhead",
        "encoding",
        "importance",
        "model",
        "tool_calls",
    )
    values = {name: getattr(message, name) for name in (*parts, "tool_call_id", "meta")}
    return Draft(own_id="id" in entry, **values)


def rewritten(entry: Any, message: Message) -> Message:
    """A message as a person changed it. Its tokens are counted anew by whoever needs them exactly: no `encoding`."""
    fresh = _message(entry, replace(message, importance=_blank.importance))
    return replace(fresh, key=message.key, state="kept")


def _message(entry: Any, before: Message) -> Message:
    given = checked("message", entry)
    text = given.get("text", "")
    return Message(
        session=before.session,
        seq=before.seq,
        id=given.get("id") or before.id,
        role=given["role"],
        text=text,
        name=given.get("name"),
        time=_moment(given["time"]) if "time" in given else before.time,
        tokens=_estimate(text),
        overhead=before.overhead or 4,
        importance=given.get("importance", before.importance),
        model=given.get("model"),
        tool_calls=tuple(ToolCall.from_dict(call) for call in given.get("tool_calls", ())),
        tool_call_id=given.get("tool_call_id"),
        meta=given.get("meta", {}),
    )


# Derived records

PLACES: Mapping[str, Mapping[str, str]] = {
    "summary": {"level": "level", "first": "first", "last": "last"},
    "pin": {"source": "first"},
    "episode": {"first": "first", "last": "last"},
}
"""The columns that an entry shows beside what the body says, by kind and by the name that they have there."""

TIMED = ("summary", "pin", "important", "change", "relation")  # kinds whose entries say when they were made
LOCKABLE = ("summary", "fact", "episode")  # kinds that are not always a person's own
MADE = "tokens trust origin origins method recipe quality refused count version state delta at".split()
HIDDEN: Mapping[str, tuple[str, ...]] = {
    kind: (*MADE, *(("text",) if kind in ("change", "episode") else ()), "id", "conversation", "time", "locked")
    for kind in CHECKS
}
"""What a body holds and an entry does not show."""

GIVEN: Mapping[str, Mapping[str, Any]] = {
    "summary": {"origins": [HAND]},
    "fact": {"kind": "fact", "confidence": 1.0, "origin": HAND, "trust": 1.0},
    "episode": {"kind": "decision"},
    "relation": {"type": "related_to"},
}
"""What the body of a new record holds, unless the entry says otherwise."""


def entry_of(record: Record) -> dict[str, Any] | None:
    """What people see of it; nothing of one that was emptied."""
    if record.body is None:
        return None
    places = PLACES.get(record.kind, {})
    away = {*HIDDEN[record.kind], *places}
    entry: dict[str, Any] = {"id": record.key}
    order = ("text", *CHECKS[record.kind])
    entry |= {name: record.body[name] for name in order if name in record.body and name not in away}
    entry |= {name: value for name, value in record.body.items() if name not in away}
    entry["conversation"] = record.session
    entry |= {name: value for name, column in places.items() if (value := getattr(record, column))}
    if record.kind in TIMED:
        entry["time"] = record.time.isoformat()
    return entry | ({"locked": True} if record.locked and record.kind in LOCKABLE else {})


def record_of(kind: str, entry: Any, session: str, key: str, before: Record | None, time: datetime) -> Record:
    """The record that an entry makes: `before` as a person changed it at `time`, or a new one."""
    given = checked(kind, entry)
    places = PLACES.get(kind, {})
    base = before or Record(session=session, kind=kind, plan=MANUAL, key=key, level=1 if kind == "summary" else 0)
    away = (*HIDDEN[kind], *places)
    body = dict(GIVEN.get(kind, {})) if before is None else {}
    body |= {name: value for name, value in (base.body or {}).items() if name in away}
    body |= {name: value for name, value in given.items() if name not in away}
    _finish(kind, body, before is None)
    columns = {column: given.get(name, 0) for name, column in places.items() if name != "level" or name in given}
    if kind == "pin":
        columns["last"] = columns["first"]
    elif kind == "fact" and body.get("sources") != (base.body or {}).get("sources"):
        sources = body.get("sources", [])
        columns = {"first": min(sources, default=0), "last": max(sources, default=0)}
    last = columns.get("last", base.last)
    until = base.until if last == base.last else last
    moment = _moment(given["time"]) if "time" in given and kind in TIMED and kind != "summary" else time
    record = replace(base, **columns, until=until, locked=True, recipe=HAND, time=moment, body=body)
    if fault := fault_of(record):
        raise ValueError(fault)
    return record


def _finish(kind: str, body: dict[str, Any], new: bool) -> None:
    """What follows from the rest of the body, or from that it is a person's."""
    for name, check in CHECKS[kind].items():
        if check is TIME and name in body:
            body[name] = _moment(body[name]).isoformat()
    if kind in LOCKABLE:
        body["method"] = HAND
    if kind == "fact" and new:
        body.setdefault("importance", FACT_IMPORTANCE[body["kind"]])
    elif kind == "episode":
        body["text"] = "\n".join(filter(None, (body["title"], body.get("summary", ""))))
    elif kind == "change":
        body["text"] = str(body.get("values", {}).get("text", ""))
    if kind in (*LOCKABLE, "pin"):
        body["tokens"] = _estimate(str(body["text"]))
