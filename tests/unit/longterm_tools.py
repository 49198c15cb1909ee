"""What the tests of the long memory share: facts made by hand, clocks, stores that note what is written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from onrecord import Memory, Session
from onrecord.ports import Batch, Placed
from onrecord.records import EPOCH, Change, Fact, Record

START = datetime(2026, 1, 1, tzinfo=UTC)


def day(number: float) -> datetime:
    """So many days after the beginning."""
    return START + timedelta(days=number)


class Hands:
    """A clock that somebody sets; asked, it stays where it is."""

    def __init__(self, now: datetime = START) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def on(self, days: float = 0.0, **more: float) -> datetime:
        """So much later."""
        self.now += timedelta(days=days, **more)
        return self.now


def opened(path: str | Path = ":memory:", clock: Any = None, **more: Any) -> Memory:
    """A memory that learns before `add` returns, and finds by words alone."""
    given: dict[str, Any] = {"summarize": "inline", "embedder": None, "durability": "process"}
    return Memory(path, clock=clock or Hands(), **given | more)


def claim(value: str, at: float, *, id: str = "", **more: Any) -> Fact:
    """Something that was said on a day, of Ana's home unless told otherwise."""
    given: dict[str, Any] = {
        "session": "s",
        "kind": "fact",
        "text": f"Ana lives in {value}.",
        "subject": "Ana",
        "attribute": "home",
        "confidence": 0.8,
        "valid_from": day(at),
        "said": day(at),
        "sources": (int(at) + 1,),
    }
    return Fact(id=id or f"fact_{value}_{at}", value=value, **given | more)


def change(of: str, at: float, status: str = "", **values: Any) -> Change:
    """Something that was decided about a fact on a day."""
    return Change(id=f"change_{of}_{at}_{status}", of=of, session="s", status=status, values=values, time=day(at))


def by_id(facts: Any) -> dict[str, Fact]:
    return {fact.id: fact for fact in facts}


def write(memory: Memory, session: str, *records: Record, drops: Any = ()) -> None:
    """Put records into a memory's store as they are."""
    memory._store.commit(Batch(space=memory.name, session=session, records=records, drops=drops, time=EPOCH))


def values_of(memory: Memory, **wanted: Any) -> list[str]:
    return [fact.value for fact in memory.facts(**wanted)]


def texts(memory: Memory, **wanted: Any) -> list[str]:
    return [fact.text for fact in memory.facts(**wanted)]


def tell(chat: Session, *said: str) -> None:
    """The user says some things, one after the other."""
    for text in said:
        chat.add("user", text)


def chatter(chat: Session, count: int) -> None:
    """Messages that nobody learns anything from."""
    for number in range(count):
        chat.add("user" if number % 2 == 0 else "assistant", f"Is it the {number + 1}th window or the door?")


@dataclass
class Written:
    """What was written to a store."""

    batches: list[Batch] = field(default_factory=list)
    counted: list[Mapping[str, int]] = field(default_factory=list)

    def __bool__(self) -> bool:
        return bool(self.batches or self.counted)


@contextmanager
def writes(memory: Memory) -> Iterator[Written]:
    """Notes what is written to a memory's store meanwhile."""
    store, noted = memory._store, Written()
    commit, count = store.commit, store.count

    def committed(batch: Batch) -> list[Placed]:
        noted.batches.append(batch)
        return commit(batch)

    def counted(space: str, changes: Mapping[str, int], at_least: Mapping[str, int] | None = None) -> None:
        noted.counted.append({**changes, **(at_least or {})})
        count(space, changes, at_least)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "commit", committed)
        patch.setattr(store, "count", counted)
        yield noted
