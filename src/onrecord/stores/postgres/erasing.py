"""Erasing from PostgreSQL: gone for everyone with the commit; the bytes go when the tables are next rewritten."""

from __future__ import annotations

from collections.abc import Sequence

from onrecord.ports import Target
from onrecord.records import Erased, to_micros
from onrecord.stores.postgres.connection_pool import PostgresOperation
from onrecord.stores.postgres.postgres_rows import message_of
from onrecord.stores.postgres.postgres_writing import Head, drop_blocks_about, lock

__all__ = ["erase"]


def erase(turn: PostgresOperation, target: Target) -> Erased:
    """Take out what the target names."""
    head = lock(turn)
    if head is None:
        return Erased()
    if target.session is None:
        return _erase_sessions(turn, head, [no for (no,) in turn.rows("session_numbers")], whole=True)
    found = turn.rows("session", session=target.session)
    if not found:
        return Erased()
    if target.seqs is None:
        return _erase_sessions(turn, head, [found[0][0]], whole=False)
    return _bury(turn, head, found[0][0], target)


def _bury(turn: PostgresOperation, head: Head, number: int, target: Target) -> Erased:
    """Leave tombstones in place of some messages of a session, and take out what came of them."""
    seqs = sorted({seq for seq in target.seqs or () if 0 < seq < 2**31})
    rows = turn.rows("messages_by_seq", session=target.session, seqs=seqs) if seqs else []
    kept = [message for row in rows if (message := message_of(row, "")).state == "kept"]
    if not kept:
        return Erased()
    graves = [message.tombstone(target.time, target.secret) for message in kept]
    buried = turn.rows(
        "bury_messages",
        no=number,
        time=to_micros(target.time),
        seqs=[grave.seq for grave in graves],
        ids=[grave.id for grave in graves],
        tokens=[grave.tokens for grave in graves],
        keys=[grave.key for grave in graves],
    )
    turn.ask("count_change", no=number)
    records, arrivals = _bury_records(turn, number, [grave.seq for grave in graves])
    drop_blocks_about(turn, [*(arrival for (arrival,) in buried), *arrivals])
    head.removed += 1
    head.write(turn)
    turn.ask("add_erasure")
    return Erased(messages=len(kept), records=records, pending=True)


def _bury_records(turn: PostgresOperation, number: int, seqs: Sequence[int]) -> tuple[int, list[int]]:
    """Take what came from these messages out of the records: a fixed one stays, emptied; every other goes. Answers how
    many lost something, and when they had come."""
    ranges = "{" + ",".join(f"[{seq},{seq}]" for seq in seqs) + "}"
    made = turn.rows("records_made_from", no=number, seqs=ranges)
    losing = [
        (kind, key, arrival, keep % 2 == 1) for kind, key, arrival, keep, empty in made if not (empty and keep % 2)
    ]
    for statement, fixed in (("empty_made_from", True), ("delete_records", False)):
        names = [(kind, key) for kind, key, _, stays in losing if stays is fixed]
        if names:
            turn.ask(statement, no=number, kinds=[kind for kind, _ in names], keys=[key for _, key in names])
    return len(losing), [arrival for _, _, arrival, _ in losing if arrival is not None]


def _erase_sessions(turn: PostgresOperation, head: Head, numbers: list[int], *, whole: bool) -> Erased:
    """Take out whole sessions, and the space with its last one."""
    messages = turn.ask("count_texts", sessions=numbers)
    records = turn.ask("count_records", sessions=numbers)
    turn.ask("delete_blocks_of_sessions", sessions=numbers)
    for statement in ("delete_messages", "delete_all_records", "delete_due", "delete_sessions"):
        turn.ask(statement, sessions=numbers)
    left = turn.ask("session_numbers")
    turn.ask("add_erasure")
    head.removed += 1
    if left.fetchone() is None:
        for statement in ("delete_all_blocks", "delete_all_counters", "delete_space"):
            turn.ask(statement)
    else:
        head.write(turn)
    return Erased(
        messages=_count(messages.fetchone()),
        records=_count(records.fetchone()),
        sessions=len(numbers),
        spaces=int(whole),
        pending=True,
    )


def _count(row: tuple[int] | None) -> int:
    return 0 if row is None else row[0]
