"""What is derived from messages: summary nodes, pins, important data; and the one shape in which stores keep them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, make_dataclass, replace
from datetime import datetime
from typing import Any, Literal, Self, cast, get_args

from onrecord.records.messages import EPOCH, Jsonable, Message

__all__ = [
    "BLOCK",
    "FED",
    "KINDS",
    "MANUAL",
    "PIN_TYPES",
    "SEARCHED",
    "Arrival",
    "Block",
    "ImportantData",
    "Pin",
    "PinType",
    "Query",
    "Record",
    "Summary",
    "build_record",
]

MANUAL = "manual"
"""The plan of what a person or program asked for by hand. It is never made again by itself, nor thrown away."""

KINDS = ("summary", "pin", "important", "mark", "fact", "episode", "change", "relation", "key", "unreadable")
"""The kinds of derived records. A mark says how far something is done, and holds nothing of what messages say; a key
lets somebody into a service; an unreadable says which recipe could not read a message."""

SEARCHED = ("summary", "pin", "fact", "episode")
"""The kinds of derived records that a search finds, beside messages."""

FED = (*SEARCHED, "change", "relation", "unreadable")
"""The kinds of derived records that come to whoever follows a space, beside messages."""

BLOCK = 256
"""Arrivals that one index block is about: block n holds something of the numbers n * BLOCK to n * BLOCK + BLOCK - 1."""

PinType = Literal["manual", "auto", "code", "concept", "system"]
PIN_TYPES: tuple[PinType, ...] = get_args(PinType)


@dataclass(frozen=True, slots=True, kw_only=True)
class Record(Jsonable):
    """A derived record as a store keeps it: what all kinds share, and the rest as `body`."""

    session: str  # the session whose messages it comes from
    kind: str  # one of KINDS
    plan: str  # what decided that it should exist: a profile's plan, or "manual"
    key: str  # its id: unique within its session and kind; writing it again replaces it
    level: int = 0  # of a summary node: 1 covers messages, more covers nodes
    first: int = 0  # first message that it comes from; 0 for none
    last: int = 0  # last message that it comes from
    until: int = 0  # newest message that its making depended on, at least `last`
    fixed: bool = False  # when one of its messages is forgotten: emptied, to be made again; otherwise it goes
    locked: bool = False  # a person wrote or changed it
    recipe: str = ""  # how it was made: method and version
    time: datetime = EPOCH  # when it was made
    body: Mapping[str, Any] | None = field(default=None, hash=False)  # what its kind says; None: emptied

    @property
    def place(self) -> tuple[str, int, int, str]:
        """Where it stands in the order in which a store gives the records of one kind."""
        return self.plan, self.level, self.last, self.key

    def comes_from(self, numbers: Sequence[int]) -> bool:
        """Whether it was made from one of these messages; the numbers are sorted."""
        at = bisect_left(numbers, self.first)
        return self.first > 0 and at < len(numbers) and numbers[at] <= self.until

    def tombstone(self) -> Record | None:
        """What stays when one of its messages is forgotten: nothing, or its place, to be filled again."""
        return replace(self, body=None, locked=False) if self.fixed else None


def build_record(values: tuple[Any, ...]) -> Record:
    """A Record from its fields in order, for reading pages; see `build_message`."""
    record: Any = _OpenRecord(*values)
    record.__class__ = Record
    return cast(Record, record)


_OpenRecord = make_dataclass(
    "_OpenRecord", [(part.name, Any) for part in fields(Record)], bases=(Jsonable,), slots=True, eq=False
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """Which derived records of a session to read: one bounded page, in the order of plan, level, last, key."""

    kind: str  # one of KINDS
    plan: str | None = None  # only of this plan
    level: int | None = None  # only of this level
    key: str | None = None  # only the one with this key
    after: int = 0  # only with `last` over this, or 0 for any
    before: int | None = None  # only with `last` under this
    empty: bool = False  # only the emptied ones
    limit: int = 500  # at most so many
    newest: bool = False  # the last of them in that order instead of the first (still given in that order)
    beyond: tuple[str, int, int, str] | None = None  # only those behind this place: the next page

    def wants(self, record: Record) -> bool:
        """Whether a record of the session belongs on the page."""
        return (
            record.kind == self.kind
            and (self.plan is None or record.plan == self.plan)
            and (self.level is None or record.level == self.level)
            and (self.key is None or record.key == self.key)
            and (self.after == 0 or record.last > self.after)
            and (self.before is None or record.last < self.before)
            and (not self.empty or record.body is None)
            and (self.beyond is None or record.place > self.beyond)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """Something that a search can find, and when it came to the space."""

    number: int  # grows with each arrival in the space, over all its sessions; there may be gaps
    item: Message | Record


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """A part of a space's search index, as a store keeps it: bytes that only `recall` reads."""

    number: int  # which arrivals it is about, see BLOCK
    body: bytes  # terms and vectors


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportantData(Jsonable):
    """What must not be lost of a conversation, by kind. Merging keeps everything: see `policy.important`."""

    user_preferences: Mapping[str, str] = field(default_factory=dict, hash=False)  # what the user wants, by topic
    key_decisions: tuple[str, ...] = ()  # what was decided, in order of first mention
    important_facts: tuple[str, ...] = ()  # what was said to matter
    source_urls: tuple[str, ...] = ()  # addresses that were given
    document_structure: Mapping[str, Any] = field(default_factory=dict, hash=False)  # such as {"sections": […]}
    entities: tuple[str, ...] = ()  # people, places, products, dates
    custom_fields: Mapping[str, Any] = field(default_factory=dict, hash=False)  # the caller's own
    history: Mapping[str, Any] = field(default_factory=dict, hash=False)  # earlier values, by "field.key", oldest first

    def __bool__(self) -> bool:
        return any(getattr(self, part.name) for part in fields(self))

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        given = {part.name: data[part.name] for part in fields(cls) if part.name in data}
        values: dict[str, Any] = {name: tuple(one) if isinstance(one, list) else one for name, one in given.items()}
        return cls(**values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary(Jsonable):
    """A summary node: a text that stands for a range of messages."""

    id: str  # says its kind; a plan's sorts by the number of the newest message it covers, others by when it was made
    session: str  # the conversation it belongs to
    plan: str  # the plan it belongs to, or "manual" for a range that was asked for
    first: int  # number of the first message it covers
    last: int  # number of the last message it covers
    level: int = 1  # 1 covers messages, 2 covers nodes of level 1, and so on
    version: int = 1  # counts the rounds of a node that always extends
    count: int = 0  # messages that it covers, without the forgotten
    began: str = ""  # the day of the first of them, as 2026-05-05
    ended: str = ""  # the day of the last of them
    text: str = ""  # the summary itself
    topics: tuple[str, ...] = ()  # what it is about, the most telling first
    tokens: int = 0  # of its text
    importance: float = 0.7  # from 0 to 1
    method: str = "extractive"  # what wrote the text: extractive, keyword, offline, model or hand
    model: str | None = None  # which model, if one wrote it or was asked to
    refused: tuple[str, ...] = ()  # what was wrong with what a model wrote, each by its name; see docs/checks.md
    quality: Mapping[str, Any] = field(default_factory=dict, hash=False)  # figures about the text
    locked: bool = False  # a person changed it; it is built upon, never overwritten
    origins: tuple[str, ...] = ()  # where its content came from: hand, system, user, assistant, imported, tool
    trust: float = 1.0  # the least of its sources'
    data: ImportantData = field(default_factory=ImportantData)  # what must not be lost of its range
    time: datetime = EPOCH  # when it was made

    @classmethod
    def of(cls, record: Record) -> Self:
        """The summary that a record holds; one that was emptied has no text."""
        body = dict(record.body or {})
        values = {part.name: body[part.name] for part in fields(cls) if part.name in body}
        for name in ("topics", "origins", "refused"):
            values[name] = tuple(values.get(name, ()))
        return cls(
            **values
            | {
                "id": record.key,
                "session": record.session,
                "plan": record.plan,
                "first": record.first,
                "last": record.last,
                "level": record.level,
                "locked": record.locked,
                "time": record.time,
                "data": ImportantData.from_dict(body.get("data", {})),
            }
        )

    def body(self) -> dict[str, Any]:
        """What a record of it holds beside the columns that all kinds share."""
        shared = ("id", "session", "plan", "first", "last", "level", "locked", "time")
        return {name: value for name, value in self.to_dict().items() if name not in shared}


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin(Jsonable):
    """A text that should be in every prompt, as far as the budget allows."""

    id: str  # says its kind and sorts by time
    session: str  # the conversation it belongs to
    text: str  # what is pinned
    source: int | None = None  # number of the message it comes from
    importance: float = 0.8  # from 0 to 1
    type: PinType = "manual"  # manual, auto, code, concept or system
    tokens: int = 0  # of its text
    origin: str = "hand"  # where its text came from: hand, or the source message's origin
    trust: float = 1.0  # that of its origin
    time: datetime = EPOCH  # when it was pinned

    @classmethod
    def of(cls, record: Record) -> Self:
        """The pin that a record holds."""
        body = dict(record.body or {})
        values = {part.name: body[part.name] for part in fields(cls) if part.name in body}
        source = record.first or None
        given = {"id": record.key, "session": record.session, "source": source, "time": record.time}
        return cls(**{"text": ""} | values | given)

    def record(self) -> Record:
        """The record of it."""
        shared = ("id", "session", "source", "time")
        body = {name: value for name, value in self.to_dict().items() if name not in shared}
        at = self.source or 0
        return Record(
            session=self.session,
            kind="pin",
            plan=MANUAL,
            key=self.id,
            first=at,
            last=at,
            until=at,
            locked=True,
            recipe=self.type,
            time=self.time,
            body=body,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Summaries(Jsonable):
    """What `summarize` answers."""

    made: tuple[Summary, ...] = ()  # the summaries that were made, in order
    note: str = ""  # why there are none, or why a model did not write them, and what to do


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent(Jsonable):
    """What models took for a space."""

    today: int = 0  # tokens in and out today (UTC)
    limit: int = 0  # tokens that they may take in a day; 0: no limit
    paused: bool = False  # no model is called
    days: tuple[Mapping[str, Any], ...] = field(default=(), hash=False)  # by day and model: calls, in, out
    refused: Mapping[str, int] = field(default_factory=dict, hash=False)  # texts of models that were refused, by why


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate(Jsonable):
    """What making the summaries that are due would take, and reading messages for facts."""

    model: str | None  # the model that would do it; None: it is done without one
    summaries: int = 0  # that would be made
    readings: int = 0  # groups of messages that it would read for facts
    calls: int = 0  # of the model
    tokens_in: int = 0  # that the model would be sent, about
    tokens_out: int = 0  # that it would answer, about, if it writes as much as it is asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class Compression(Jsonable):
    """What stands for the messages that a prompt no longer shows as they were said."""

    summary: str  # the newest summary
    version: int  # how often it was made anew
    important: ImportantData  # what must not be lost
    summarized: int  # how many messages it covers
    keep_from: int  # number of the first message that is shown as it was said
    time: datetime = EPOCH  # when it was made
