"""What every store makes of a batch that holds more than messages: what it counts as, and when it, or a block of the
search index, is refused; and what the databases keep as JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from onrecord.errors import InvalidInput, Outrun
from onrecord.ports import Batch, Revision
from onrecord.records import Draft, Record, SessionInfo, ToolCall

__all__ = ["body_text", "changes_something", "fits", "more_parts", "more_text", "refuse_misplaced", "refuse_outrun"]

LONGEST_NAME = 2_400
"""Bytes that the plan and the key of a derived record have together at most: a database's index has no more room."""


def changes_something(batch: Batch) -> bool:
    """Whether it writes anything but new messages, which adds one to the session's `changes`."""
    return bool(batch.info or batch.records or batch.drops or batch.scores)


def refuse_outrun(batch: Batch, info: SessionInfo | None) -> None:
    """Raise if the session was changed since its writer looked, or is another one under the same name; one that is not
    there has 0 changes."""
    changes = 0 if info is None else info.changes
    if batch.unless_changed is not None and batch.unless_changed != changes:
        raise _outrun(batch)
    if batch.born is not None and (info is None or info.created != batch.born):
        raise _outrun(batch)


def refuse_misplaced(batch: Batch, last: int) -> None:
    """Raise if a derived record is another session's, or cannot be kept, or comes from messages beyond the `last`.

    The latter means that the session was forgotten, and perhaps begun anew, since the record's writer looked.
    """
    for record in batch.records:
        if record.session != batch.session:
            raise ValueError(f"a record of session {record.session!r} in a batch for {batch.session!r}")
        _refuse_long_name(record)
        body_text(record.body)
        if batch.unless_changed is not None and record.until > last:
            raise _outrun(batch)


def _refuse_long_name(record: Record) -> None:
    if len(record.plan.encode("utf-8", "replace")) + len(record.key.encode("utf-8", "replace")) > LONGEST_NAME:
        raise InvalidInput(
            f"The plan and the key of a derived record have more than {LONGEST_NAME:,} bytes.", "Shorten them."
        )


def _outrun(batch: Batch) -> Outrun:
    return Outrun(f"Session {batch.session!r} was changed meanwhile; nothing was written.", "Read it again, and retry.")


def body_text(body: Mapping[str, Any] | None) -> str | None:
    """A record's body as JSON. Letters stand as themselves, so that a search of bytes finds what a message said."""
    if body is None:
        return None
    text = json.dumps(dict(body), ensure_ascii=False, allow_nan=False)
    try:
        text.encode()
    except UnicodeEncodeError:  # broken Unicode, which no file can hold as text
        text = json.dumps(dict(body), allow_nan=False)
    return text


def fits(now: Revision, at: Revision) -> bool:
    """Whether index blocks that were made of a space at one moment may be written to it now."""
    return now.born > 0 and (now.born, now.removed) == (at.born, at.removed)


def more_text(draft: Draft) -> str | None:
    """What few messages have, as one JSON object: model, tool_calls, tool_call_id, meta, original."""
    more: dict[str, Any] = {}
    if draft.model is not None:
        more["model"] = draft.model
    if draft.tool_calls:
        more["tool_calls"] = [call.to_dict() for call in draft.tool_calls]
    if draft.tool_call_id is not None:
        more["tool_call_id"] = draft.tool_call_id
    if draft.meta:
        more["meta"] = dict(draft.meta)
    if draft.original is not None:
        more["original"] = draft.original
    return json.dumps(more) if more else None


def more_parts(more: str | None) -> tuple[Any, ...]:
    """The fields in such an object, in the order in which a message has them."""
    if more is None:
        return None, (), None, {}, None
    parts = json.loads(more)
    calls = tuple(ToolCall.from_dict(call) for call in parts.get("tool_calls", ()))
    return parts.get("model"), calls, parts.get("tool_call_id"), parts.get("meta", {}), parts.get("original")
