"""Writing a batch to PostgreSQL: whoever writes to a space holds its row until the commit, so that numbers follow each
other without gaps, and nothing arrives behind what a reader has already seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from onrecord.policy.placing import place
from onrecord.ports import Batch, Placed
from onrecord.records import BLOCK, FED, Draft, Message, SessionInfo, digest
from onrecord.stores.batches import changes_something, refuse_misplaced, refuse_outrun
from onrecord.stores.postgres.connection import PendingResult
from onrecord.stores.postgres.connection_pool import PostgresOperation
from onrecord.stores.postgres.postgres_rows import (
    message_columns,
    message_of,
    record_columns,
    session_columns,
    session_of,
)

__all__ = ["Head", "commit", "drop_blocks_about", "is_large", "lock"]

LARGE = 2_000_000  # characters, or a thousand times as many messages: more takes its time


@dataclass(slots=True)
class Head:
    """A space's row while somebody writes to the space."""

    born: int
    newest: int
    removed: int
    sessions: int

    def write(self, turn: PostgresOperation) -> None:
        turn.ask("set_space", newest=self.newest, removed=self.removed, sessions=self.sessions)


def lock(turn: PostgresOperation) -> Head | None:
    """The space's row, which nobody else writes until the end of this turn; None if there is no such space."""
    rows = turn.rows("lock_space")
    return Head(*rows[0]) if rows else None


def is_large(batch: Batch) -> bool:
    """Whether writing it may take longer than others are made to wait for a server that does not answer."""
    return len(batch.drafts) > LARGE // 1_000 or sum(len(draft.text) for draft in batch.drafts) > LARGE


def commit(turn: PostgresOperation, batch: Batch) -> list[Placed]:
    """Write the batch; see the port."""
    asked = turn.ask("lock_space")
    found = turn.ask("session", session=batch.session)
    held = _PostgresExisting(turn, batch)
    space, session = asked.fetchone(), found.fetchone()
    info = None if session is None else session_of(session)
    refuse_outrun(batch, info)
    placed, fresh = place(held.drafts, batch.session, 0 if info is None else info.last_seq, held, batch.secrets)
    changed = changes_something(batch)
    if changed:
        refuse_misplaced(batch, (0 if info is None else info.last_seq) + len(fresh))
    if not (fresh or batch.info or batch.records or (info is not None and changed)):
        return held.first_time(placed)
    head = Head(*space) if space is not None else _begun(turn, batch.space)
    number = _written_session(turn, head, batch, info, session[0] if session else 0, changed)
    if fresh:
        turn.ask("add_messages", no=number, **message_columns(fresh, head.newest))
        head.newest += len(fresh)
        turn.ask("set_due", no=number)
    if changed:
        _write_derived(turn, head, number, batch)
    if batch.forgets:
        turn.ask("add_erasure")
    head.write(turn)
    return held.first_time(placed)


def _begun(turn: PostgresOperation, name: str) -> Head:
    rows = turn.rows("add_space", name=name)
    if not rows:
        turn.begin_anew()  # somebody else made it since we looked
    return Head(*rows[0])


class _PostgresExisting:
    """What a session holds of a batch's drafts, for placing them; asked for at once, together with the session."""

    def __init__(self, turn: PostgresOperation, batch: Batch) -> None:
        # Where an earlier try may have been committed, an id of ours may be there already.
        self._made = {draft.id for draft in batch.drafts if turn.retried and not draft.own_id}
        self.drafts = [replace(draft, own_id=True) if draft.id in self._made else draft for draft in batch.drafts]
        self._name = batch.session
        self._asked = [self._ask(turn, *lookup) for lookup in _lookups(self.drafts, batch.secrets)]
        self._messages: dict[int | str, Message] | None = None

    def _ask(self, turn: PostgresOperation, statement: str, name: str, values: list[Any]) -> PendingResult:
        return turn.ask(statement, session=self._name, **{name: values})

    @property
    def _found(self) -> dict[int | str, Message]:
        """By number, by "id …" and by "key …"."""
        if self._messages is None:
            self._messages = {}
            for row in (row for cursor in self._asked for row in cursor.fetchall()):
                message = message_of(row, self._name)
                names = (message.seq, f"id {message.id}", f"key {message.key}")
                self._messages.update(dict.fromkeys(names, message))
        return self._messages

    def by_seq(self, seq: int) -> Message | None:
        return self._found.get(seq)

    def by_key(self, key: str) -> Message | None:
        return self._found.get(f"key {key}")

    def by_id(self, id: str) -> Message | None:
        return self._found.get(f"id {id}") or self._found.get(f"id {digest(id)}")

    def first_time(self, placed: list[Placed]) -> list[Placed]:
        """What an earlier try of the same call has written is not said to have been there before."""
        pairs = zip(self.drafts, placed, strict=True)
        return [Placed(seq=one.seq) if self._is_own(draft, one) else one for draft, one in pairs]

    def _is_own(self, draft: Draft, one: Placed) -> bool:
        return draft.id in self._made and one.earlier is not None and one.earlier.id == draft.id


def _lookups(drafts: Sequence[Draft], secrets: Sequence[str]) -> list[tuple[str, str, list[Any]]]:
    ids = [name for draft in drafts if draft.own_id for name in (draft.id, digest(draft.id))]
    keys = [draft.key for draft in drafts if draft.key is not None]
    ids += [digest(draft.id, secret) for draft in drafts if draft.own_id for secret in secrets]
    keys += [digest(key, secret) for key in tuple(keys) for secret in secrets]
    seqs = [draft.seq for draft in drafts if draft.seq is not None and 0 < draft.seq < 2**31]
    found: list[tuple[str, str, list[Any]]] = [
        ("messages_by_id", "ids", ids),
        ("messages_by_key", "keys", keys),
        ("messages_by_seq", "seqs", seqs),
    ]
    return [lookup for lookup in found if lookup[2]]


def _written_session(
    turn: PostgresOperation, head: Head, batch: Batch, info: SessionInfo | None, number: int, changed: bool
) -> int:
    """The number of the session, made or changed as the batch says."""
    if info is None:
        head.sessions += 1
        new = replace(SessionInfo(id=batch.session, created=batch.time), **batch.info)
        turn.ask("add_session", no=head.sessions, **session_columns(replace(new, changes=int(changed))))
        return head.sessions
    if batch.info:
        known = replace(info, **batch.info)
        turn.ask("set_session", no=number, **session_columns(replace(known, changes=info.changes + 1)))
    elif changed:
        turn.ask("count_change", no=number)
    return number


def _write_derived(turn: PostgresOperation, head: Head, number: int, batch: Batch) -> None:
    """Take out and put in what the batch says, and set the importance of messages that are kept."""
    names = [*batch.drops, *((record.kind, record.key) for record in batch.records)]
    followed = [name for name in names if name[0] in FED]
    old = turn.rows("arrivals_of_records", no=number, **_columns(followed)) if followed else []
    if batch.drops:
        turn.ask("delete_records", no=number, **_columns(batch.drops))
    if batch.records:
        columns, head.newest = record_columns(batch.records, head.newest)
        turn.ask("put_records", no=number, **columns)
    drop_blocks_about(turn, [arrival for _, _, arrival in old if arrival is not None])
    if old or batch.scores:
        head.removed += 1
    scores = {seq: float(score) for seq, score in batch.scores.items() if 0 < seq < 2**31}
    if scores:
        turn.ask("score_messages", no=number, seqs=list(scores), importances=list(scores.values()))


def _columns(names: Sequence[tuple[str, str]]) -> dict[str, list[str]]:
    return {"kinds": [kind for kind, _ in names], "keys": [key for _, key in names]}


def drop_blocks_about(turn: PostgresOperation, arrivals: Sequence[int]) -> None:
    """Remove the blocks of the search index that hold something of these arrivals."""
    if arrivals:
        turn.ask("delete_blocks", numbers=sorted({arrival // BLOCK for arrival in arrivals}))
