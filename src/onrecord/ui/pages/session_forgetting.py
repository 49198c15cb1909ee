"""What else goes when a message is forgotten: told before, as far as a person wrote it, and after, in numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from onrecord.memory import Memory, engine_of
from onrecord.records import MANUAL, Erased, Query, Record

__all__ = ["Own", "counted", "goes_with", "touched"]

KINDS = {"summary": "summaries", "fact": "facts", "episode": "episodes", "pin": "pins"}
SEEN = 500  # records of a kind and level that are looked at
HIGHEST = 24  # levels of summaries
PLANS = 8  # plans that a conversation was summarised by
BATCH = 16  # records that are read at a time, while they may still be near
SLACK = 64  # messages before, whose records may depend on what was said after them
ENDLESS = 2**60  # beyond every number


@dataclass(frozen=True, slots=True, kw_only=True)
class Own:
    """Something that a person wrote, or wanted to be kept, and that goes with each of its messages."""

    id: str
    kind: str  # summary or pin
    first: int  # first message that it comes from
    last: int  # last message that it comes from
    until: int  # newest message that its making depended on
    text: str
    written: bool  # by a person; otherwise it is only locked


def goes_with(memory: Memory, session: str, numbers: Sequence[int]) -> dict[int, list[Own]]:
    """By number, for the messages of a page: what people wrote or locked, and what would go with the message."""
    if not numbers:
        return {}
    first, last = min(numbers), max(numbers)
    pins = _near(memory, session, Query(kind="pin", plan=MANUAL, level=0), first, last)
    works = [own for record in (*_summaries(memory, session, first, last), *pins) for own in _own(record)]
    found = {seq: [own for own in works if own.first <= seq <= own.until] for seq in numbers}
    return {seq: own for seq, own in found.items() if own}


def _own(record: Record) -> Iterator[Own]:
    body = record.body or {}
    written = record.kind == "pin" or body.get("method") == "hand"
    if record.first and body.get("text") and (written or record.locked):
        yield Own(
            id=record.key,
            kind=record.kind,
            first=record.first,
            last=record.last,
            until=record.until,
            text=str(body["text"]),
            written=written,
        )


def _summaries(memory: Memory, session: str, first: int, last: int) -> Iterator[Record]:
    """Those near to the messages, of every plan and level."""
    for plan in _plans(memory, session):
        for level in range(HIGHEST):
            query = Query(kind="summary", plan=plan, level=level)
            if level > 1 and not _read(memory, session, replace(query, limit=1)):
                break
            yield from _near(memory, session, query, first, last)


def _plans(memory: Memory, session: str) -> Iterator[str]:
    """The plans by which summaries were made: a locked one outlives its plan."""
    query = Query(kind="summary", limit=1)
    for _ in range(PLANS):
        if not (found := _read(memory, session, query)):
            return
        yield found[0].plan
        query = replace(query, beyond=(found[0].plan, ENDLESS, ENDLESS, ""))


def _near(memory: Memory, session: str, query: Query, first: int, last: int) -> Iterator[Record]:
    """Records from a little before the messages on, until one begins after them."""
    query = replace(query, after=max(0, first - 1 - SLACK), limit=BATCH)
    for _ in range(SEEN // BATCH):
        found = _read(memory, session, query)
        yield from found
        beyond = bool(found) and found[-1].first > last and not (query.kind == "summary" and query.plan == MANUAL)
        if len(found) < BATCH or beyond:  # only those that were asked for by hand lie over one another
            return
        query = replace(query, beyond=found[-1].place)


def _read(memory: Memory, session: str, query: Query) -> list[Record]:
    return engine_of(memory).store.records(memory.name, session, query)


def touched(memory: Memory, session: str, seq: int) -> dict[str, Any]:
    """How many derived records of each kind come from a message, as far as they are near to it; and, first and last,
    which messages the summaries were about that nobody can make again."""
    own = goes_with(memory, session, [seq]).get(seq, [])
    written = [one for one in own if one.kind == "summary" and one.written]
    many = {name: _from(memory, session, kind, seq) for kind, name in KINDS.items()}
    return many | {"written": [f"{one.first}-{one.last}" for one in written]}


def _from(memory: Memory, session: str, kind: str, seq: int) -> int:
    found = set()
    for level in range(HIGHEST):
        query = Query(kind=kind, level=level, after=seq - 1, limit=SEEN)
        records = _read(memory, session, query)
        if not records and level:
            break
        found |= {record.key for record in records if record.comes_from((seq,))}
    return len(found)


def counted(erased: Erased, before: Mapping[str, Any]) -> dict[str, Any]:
    """What the address of the next page tells of it; zeros are left out."""
    told = {"messages": erased.messages, "records": erased.records, "pending": int(erased.pending), **before}
    return {name: value or None for name, value in told.items()}
