"""Between records and rows of the PostgreSQL store: the columns in the order in which statements name them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from typing import Any
from uuid import UUID

from onrecord.records import (
    EPOCH,
    FED,
    Arrival,
    Draft,
    Message,
    Record,
    SessionInfo,
    to_micros,
)
from onrecord.stores.batches import body_text, more_text
from onrecord.stores.built import message_from, record_from, session_from
from onrecord.stores.sql import statements

__all__ = [
    "SQL",
    "Row",
    "arrival_of",
    "message_columns",
    "message_of",
    "record_columns",
    "record_of",
    "session_columns",
    "session_of",
    "space_key",
]

Row = tuple[Any, ...]
SQL = statements("postgres")


@lru_cache(maxsize=4096)
def space_key(name: str) -> UUID:
    """What stands for a space in every row: as good as its name, always 16 bytes, and known without asking."""
    return UUID(bytes=sha256(name.encode()).digest()[:16])


def message_of(row: Row, session: str) -> Message:
    """The message in a row."""
    return message_from(session, *row)


def message_columns(fresh: Sequence[tuple[int, Draft]], newest: int) -> dict[str, list[Any]]:
    """The columns of drafts that become numbers of a session; they arrive behind the newest."""
    drafts = [draft for _, draft in fresh]
    return {
        "arrivals": list(range(newest + 1, newest + 1 + len(drafts))),
        "seqs": [seq for seq, _ in fresh],
        "ids": [draft.id for draft in drafts],
        "roles": [draft.role for draft in drafts],
        "names": [draft.name for draft in drafts],
        "texts": [None if draft.state == "forgotten" else draft.text for draft in drafts],
        "tokens": [draft.tokens for draft in drafts],
        "overheads": [draft.overhead for draft in drafts],
        "encodings": [draft.encoding for draft in drafts],
        "importances": [draft.importance for draft in drafts],
        "times": [to_micros(draft.time) for draft in drafts],
        "keys": [draft.key for draft in drafts],
        "mores": [more_text(draft) for draft in drafts],
    }


def session_of(row: Row) -> SessionInfo:
    """The session in a row."""
    _, created, ended, changes, id, title, status, model, system, meta, last_seq = row
    return session_from(id, title, status, model, system, meta, created, ended, changes, last_seq)


def session_columns(info: SessionInfo) -> dict[str, Any]:
    """The columns of a session but its number."""
    return {
        "id": info.id,
        "title": info.title,
        "status": info.status,
        "model": info.model,
        "system": info.system,
        "meta": json.dumps(dict(info.meta)) if info.meta else None,
        "created": to_micros(info.created or EPOCH),
        "ended": None if info.ended is None else to_micros(info.ended),
        "changes": info.changes,
    }


def record_of(row: Row, session: str) -> Record:
    """The derived record in a row."""
    return record_from(session, *row)


def record_columns(records: Sequence[Record], newest: int) -> tuple[dict[str, list[Any]], int]:
    """The columns of derived records, the last of each name only, and the newest arrival then."""
    chosen: dict[tuple[str, str], tuple[int | None, Record]] = {}
    for record in records:
        newest += record.kind in FED
        chosen[record.kind, record.key] = (newest if record.kind in FED else None, record)
    kept = [record for _, record in chosen.values()]
    columns: dict[str, list[Any]] = {
        "arrivals": [arrival for arrival, _ in chosen.values()],
        "kinds": [record.kind for record in kept],
        "plans": [record.plan for record in kept],
        "keys": [record.key for record in kept],
        "levels": [record.level for record in kept],
        "firsts": [record.first for record in kept],
        "lasts": [record.last for record in kept],
        "untils": [record.until for record in kept],
        "keeps": [record.fixed + 2 * record.locked for record in kept],
        "recipes": [record.recipe for record in kept],
        "times": [to_micros(record.time) for record in kept],
        "bodies": [body_text(record.body) for record in kept],
    }
    return columns, newest


def arrival_of(row: Row) -> Arrival:
    """What came to a space, from a row that has room for either: see the statement `feed`."""
    number, _, kind, one, two, three, time, four, five, importance, id, second, third, text, *rest, session = row
    if kind is None:
        item: Message | Record = message_of(
            (one, id, second, third, text, two, three, rest[0], importance, time, *rest[1:]), session
        )
    else:
        item = record_of((kind, second, id, one, two, three, four, five, third, time, text), session)
    return Arrival(number=number, item=item)
