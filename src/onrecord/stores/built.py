"""Records from the columns in which the databases keep them, in the order that both share."""

from __future__ import annotations

import json

from onrecord.records import Message, Record, SessionInfo, build_message, build_record, from_micros
from onrecord.stores.batches import more_parts

__all__ = ["message_from", "record_from", "session_from"]


def message_from(
    session: str,
    seq: int,
    id: str,
    role: str,
    name: str | None,
    text: str | None,
    tokens: int,
    overhead: int,
    encoding: str,
    importance: float,
    time: int,
    key: str | None,
    more: str | None,
) -> Message:
    """A message; one without a text is a tombstone."""
    state = "kept" if text is not None else "forgotten"
    told = (session, seq, id, role, text or "", name, from_micros(time), tokens, overhead, encoding, importance)
    return build_message((*told, *more_parts(more), key, state))


def session_from(
    id: str,
    title: str | None,
    status: str,
    model: str | None,
    system: str | None,
    meta: str | None,
    created: int,
    ended: int | None,
    changes: int,
    last_seq: int,
) -> SessionInfo:
    """What is known of a session."""
    return SessionInfo(
        id=id,
        title=title,
        status=status,  # type: ignore[arg-type]
        model=model,
        system=system,
        meta=json.loads(meta) if meta else {},
        created=from_micros(created),
        last_seq=last_seq,
        ended=None if ended is None else from_micros(ended),
        changes=changes,
    )


def record_from(
    session: str,
    kind: str,
    plan: str,
    key: str,
    level: int,
    first: int,
    last: int,
    until: int,
    keep: int,
    recipe: str,
    time: int,
    body: str | None,
) -> Record:
    """A derived record."""
    kept = (keep % 2 == 1, keep >= 2)  # fixed, locked
    content = None if body is None else json.loads(body)
    return build_record(
        (session, kind, plan, key, level, first, last, until, *kept, recipe, from_micros(time), content)
    )
