"""What the tests of summaries and prompts share: conversations, ways to look at nodes, to count reads, to harm."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest

from onrecord import Context, Memory, Session
from onrecord.ports import Store
from onrecord.records import Message, Page, Query, Record, Role

NODE = tuple[str, int, int, int, int, str]
"""Plan, level, version, first, last, text."""

WHO = "Ana Bruno Carla Dmitri Elena Farid Greta Hugo Ines Jonas Katya Luca Marta".split()
DOES = "paints repairs measures orders sells rents cleans moves copies examines praises".split()
WHAT = (
    "kitchen boiler garden fence piano bicycle roof greenhouse printer curtain lamp staircase cellar balcony chimney"
    " wardrobe carpet"
).split()
WHERE = (
    "Lisbon Porto Madrid Berlin Vienna Oslo Prague Athens Dublin Warsaw Turin Basel Ghent Lyon Split Bergen Graz Faro"
    " Cork"
).split()
WHY = [
    "the landlord wants it finished before winter",
    "nobody else had time for it",
    "the insurance pays only half of the bill",
    "water came through the ceiling twice",
    "guests arrive at the end of the month",
    "a neighbour complained about the noise",
    "the price went down after the holidays",
]


def say(seq: int) -> str:
    """Message number `seq` of a conversation: two sentences that no other message has."""
    who, other = WHO[seq % 13], WHO[(seq * 5 + 3) % 13]
    return (
        f"{who} {DOES[seq % 11]} the {WHAT[seq % 17]} in {WHERE[seq % 19]}, because {WHY[seq % 7]}. "
        f"{other} paid {seq * 3 + 10} euros for the {WHAT[(seq * 7 + 2) % 17]} near {WHERE[(seq * 3 + 1) % 19]}."
    )


def who_speaks(seq: int) -> Role:
    return "user" if seq % 2 else "assistant"


def talk(first: int, last: int) -> list[tuple[Role, str]]:
    """Messages `first` to `last` of a conversation between a user and an assistant."""
    return [(who_speaks(seq), say(seq)) for seq in range(first, last + 1)]


def words(tokens: int) -> str:
    """A text of exactly so many tokens in the encodings of OpenAI's models."""
    return " ".join(["time"] * tokens)


def fill(chat: Session, first: int, last: int) -> Session:
    """Add messages one by one; what they tell is learned with the last one, as it takes longer than all the rest."""
    with _unlearned(chat):
        for role, text in talk(first, last - 1):
            chat.add(role, text)
    for role, text in talk(max(first, last), last):
        chat.add(role, text)
    return chat


@contextmanager
def _unlearned(chat: Session) -> Iterator[None]:
    learner = chat._parts.knowing.learner
    if not chat._parts._background:
        vars(learner)["catch_up"] = lambda *_, **__: 0
    try:
        yield
    finally:
        vars(learner).pop("catch_up", None)  # other threads may do the same


class Clock:
    """A clock that goes a second further each time it is asked."""

    def __init__(self) -> None:
        self.now = datetime(2026, 5, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


def ranges(chat: Session, **only: Any) -> list[tuple[int, int]]:
    """What the summaries of the profile's plan cover."""
    return [(node.first, node.last) for node in chat.summaries(**only) if node.plan != "manual"]


def nodes(chat: Session) -> list[NODE]:
    """The summaries of the profile's plan, as far as they follow from the journal."""
    found = [node for node in chat.summaries() if node.plan != "manual"]
    return [(one.plan, one.level, one.version, one.first, one.last, one.text) for one in found]


def shown(context: Context, section: str) -> list[str]:
    """Ids of what a section of the prompt holds, in order of their messages."""
    return [one.id for one in context.manifest if one.section == section and one.included]


def seqs(context: Context) -> list[int]:
    """Numbers of the messages that are shown as they were said."""
    return [message.seq for message in context.recent]


@dataclass
class Work:
    """What a store was asked for."""

    calls: int = 0
    messages: list[Message] = field(default_factory=list)  # all that were read
    records: int = 0  # derived records that were read

    @property
    def size(self) -> int:
        return self.calls + len(self.messages) + self.records


@contextmanager
def watched(memory: Memory) -> Iterator[Work]:
    """Counts what is read from a memory's store meanwhile."""
    store, work = memory._store, Work()
    read_messages, read_records = store.messages, store.records

    def messages(space: str, session: str, page: Page) -> list[Message]:
        found = read_messages(space, session, page)
        work.calls += 1
        work.messages += found
        return found

    def records(space: str, session: str, query: Query) -> list[Record]:
        found = read_records(space, session, query)
        work.calls += 1
        work.records += len(found)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "messages", messages)
        patch.setattr(store, "records", records)
        yield work


@contextmanager
def broken(store: Store, error: Exception, level: int | None = None) -> Iterator[None]:
    """Derived records cannot be read meanwhile; with `level`, only those of that level."""
    read = store.records

    def records(space: str, session: str, query: Query) -> list[Record]:
        if level is None or query.level == level:
            raise error
        return read(space, session, query)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "records", records)
        yield


def harm(path: Path, where: str = "kind = 'summary'") -> int:
    """Change the bytes of derived records in a SQLite file; answers how many."""
    with closing(apsw.Connection(str(path))) as db:
        db.execute(f"UPDATE records SET body = replace(body, 'e', 'x') WHERE body IS NOT NULL AND {where}")
        return int(db.changes())
