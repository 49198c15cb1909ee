"""Where drafts come to stand in a session: the next number, or that of a message that has their number, key or id.

The same content is answered again, other content is refused. Every store asks here, inside its own transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from onrecord.errors import Conflict, Forgotten
from onrecord.ports import Placed
from onrecord.records import Draft, Message, digest

__all__ = ["ExistingMessages", "place"]


class ExistingMessages(Protocol):
    """What a session holds already."""

    def by_seq(self, seq: int) -> Message | None: ...

    def by_key(self, key: str) -> Message | None: ...

    def by_id(self, id: str) -> Message | None:
        """By an id, also that of a forgotten message."""


def place(
    drafts: Sequence[Draft], session: str, last: int, held: ExistingMessages, secrets: Sequence[str] = ()
) -> tuple[list[Placed], list[tuple[int, Draft]]]:
    """Where each draft stands, and those that are new, numbered from `last` on; raises if one cannot be placed. With
    the secrets of the space, forgotten ids and keys are known again."""
    fresh: dict[int, Draft] = {}
    new_keys: dict[str, int] = {}
    new_ids: dict[str, int] = {}
    placed: list[Placed] = []
    for draft in drafts:
        earlier: Message | None = None
        if draft.own_id or draft.key is not None or draft.seq is not None:
            seq = _taken_here(draft, last, fresh, new_keys, new_ids)
            earlier = fresh[seq].placed(session, seq) if seq else _taken_before(draft, last, held, secrets)
        if earlier is not None:
            _refuse_other_content(draft, earlier)
            placed.append(Placed(seq=earlier.seq, earlier=earlier))
            continue
        seq = last + len(fresh) + 1
        fresh[seq] = draft
        new_ids[draft.id] = seq
        if draft.key is not None:
            new_keys[draft.key] = seq
        placed.append(Placed(seq=seq))
    return placed, list(fresh.items())


def _taken_here(
    draft: Draft, last: int, fresh: dict[int, Draft], keys: dict[str, int], ids: dict[str, int]
) -> int | None:
    """The number of an earlier draft of the same batch that has this one's number, key or id."""
    if draft.seq is not None:
        if not 1 <= draft.seq <= last + len(fresh) + 1:
            raise Conflict(f"Number {draft.seq} does not follow {last + len(fresh)}.", "Import in order, from 1.")
        if draft.seq <= last:
            return None
        if draft.seq in fresh:
            return draft.seq
    return (keys.get(draft.key) if draft.key is not None else None) or ids.get(draft.id)


def _taken_before(draft: Draft, last: int, held: ExistingMessages, secrets: Sequence[str]) -> Message | None:
    """The message of the session that has this draft's number, key or id."""
    if draft.seq is not None and draft.seq <= last:
        return held.by_seq(draft.seq)
    keys = [] if draft.key is None else [draft.key, *(digest(draft.key, secret) for secret in secrets)]
    ids = [draft.id, *(digest(draft.id, secret) for secret in secrets)] if draft.own_id else []
    found = (found for found in (*map(held.by_key, keys), *map(held.by_id, ids)) if found is not None)
    return next(found, None)


def _refuse_other_content(draft: Draft, earlier: Message) -> None:
    """Return if adding `draft` again changes nothing; raise if it would be other content or bring back a forgotten one.

    An import (a draft with a number) may meet its own message forgotten here: that stays forgotten, without an error.
    """
    if earlier.state == "forgotten":
        if draft.seq is not None:
            return
        raise Forgotten(
            f"Message {earlier.seq} of session {earlier.session!r} was forgotten and is not added again.",
            "Use a new id and key if this is a new message.",
        )
    if draft.state == "forgotten" or _content(draft) == _content(earlier):
        return
    raise Conflict(
        f"Message {earlier.seq} of session {earlier.session!r} already has this id, key or number, with other content.",
        "Use a new id and key for new content; to change a message, forget it and add another.",
    )


def _content(item: Draft | Message) -> tuple[object, ...]:
    return item.role, item.text, item.name, item.tool_calls, item.tool_call_id, item.original
