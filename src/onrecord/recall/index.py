"""Everything that a search needs of one space, as arrays that follow the store's feed.

Items stand in the order in which they came; what a text holds is kept per passage. One index serves every search of its
space, whatever is asked. Its cost grows with the space: see docs/search.md for figures.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import fields, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from onrecord.guard import attempt
from onrecord.policy.lexemes import lexeme
from onrecord.policy.nicknames import called_out, is_nickname
from onrecord.policy.terms import words
from onrecord.recall.beside import Neighbours
from onrecord.recall.growing_array import GrowingArray
from onrecord.recall.indexed_texts import SELF, Texts, analysed
from onrecord.recall.matrix import Matrix
from onrecord.recall.postings import Postings
from onrecord.records import Arrival, Episode, Fact, Message, Pin, Record, Summary

__all__ = ["SpaceIndex", "importance_of", "known_as", "said_by", "text_of", "time_of"]

_NONE = -1
_IMPORTANCE: dict[str, Any] = {  # of a record that does not say it
    kind: next(part.default for part in fields(of) if part.name == "importance")
    for kind, of in (("summary", Summary), ("pin", Pin), ("fact", Fact), ("change", Fact))
} | {"episode": next(part.default for part in fields(Episode) if part.name == "significance")}
_ITEM_BYTES = 700  # that a message takes in memory beside its text, as measured


def text_of(item: Message | Record) -> str:
    """What of an item is searched."""
    return item.text if isinstance(item, Message) else str((item.body or {}).get("text", ""))


def known_as(item: Message | Record) -> str:
    """What tells it from others where it matters who said something: the text, and whose it is."""
    return f"{item.name or item.role}\0{item.text}" if isinstance(item, Message) else text_of(item)


class SpaceIndex:
    """One space."""

    def __init__(self, dimension: int) -> None:
        self.items: list[Message | Record] = []
        self.kinds: list[str] = ["message"]  # by number in `kind`
        self.sessions: dict[str, int] = {}  # number in `session` by id
        self.speakers: dict[str, int] = {}  # number in `speaker` by who speaks: a name, or a role
        self.called: dict[str, set[str]] = {}  # who speaks, by the words of the name
        self.prints: dict[int, int] = {}  # first passage of a text by its fingerprint
        self.kind = GrowingArray(np.uint8)
        self.session = GrowingArray(np.int32)
        self.speaker = GrowingArray(np.int32)  # -1: nobody
        self.time = GrowingArray(np.float64)  # seconds since 1970
        self.importance = GrowingArray(np.float32)
        self.self = GrowingArray(np.float32)  # 1: it speaks of the speaker
        self.print = GrowingArray(np.uint64)  # fingerprint of its text
        self.number = GrowingArray(np.int64)  # when it arrived
        self.first = GrowingArray(np.intp)  # its first passage
        self.item = GrowingArray(np.intp)  # of a passage: whose it is
        self.span = GrowingArray(np.int32, 2)  # of a passage: where it begins and ends
        self.length = GrowingArray(np.float32)  # of a passage: lexemes
        self.postings = Postings()
        self.matrix = Matrix(dimension)
        self.beside = Neighbours(self.matrix)
        self.memo: dict[str, Any] = {}  # what rankings made of it, until something is added
        self._calls: dict[str, Counter[int]] = {}  # how often each speaker called out a name
        self._newest: dict[int, int] = {}  # last passage by session
        self._letters = 0

    def __len__(self) -> int:
        return len(self.items)

    @property
    def bytes(self) -> int:
        """About how much memory it takes."""
        if "bytes" not in self.memo:
            columns = sum(column.bytes for column in vars(self).values() if isinstance(column, GrowingArray))
            arrays = columns + self.postings.bytes + self.matrix.bytes + self.beside.bytes
            self.memo["bytes"] = arrays + len(self) * _ITEM_BYTES + self._letters
        return int(self.memo["bytes"])

    def extend(self, arrivals: Sequence[Arrival], texts: Texts) -> None:
        """Add what arrived, with its texts taken apart."""
        start, passage = len(self), len(self.item)
        items = [arrival.item for arrival in arrivals]
        parts = texts.parts.astype(np.int64)
        firsts = passage + np.cumsum(parts) - parts
        owners = np.repeat(np.arange(start, start + len(items)), parts)
        self.items += items
        self.number.extend([arrival.number for arrival in arrivals])
        self.first.extend(firsts)
        self.item.extend(owners)
        self.span.extend(texts.spans)
        self.length.extend(texts.sizes)
        numbers = np.repeat(np.arange(passage, passage + len(texts.sizes)), texts.distinct)
        self.postings.add(texts.lexemes, numbers, texts.counts)
        self.matrix.extend(texts.vectors, texts.scales)
        self.prints.update(zip(texts.prints.tolist(), firsts.tolist(), strict=True))
        self.print.extend(texts.prints)
        spoken = np.array([isinstance(item, Message) for item in items], bool)
        self.self.extend(((texts.flags & SELF) > 0) & spoken)
        self._describe(items)
        self._join(items, firsts.tolist(), parts.tolist())
        if self.matrix.dimension:
            self.beside.update(np.arange(passage, len(self.item)))

    def text(self, passage: int) -> str:
        """The text of a passage."""
        start, end = self.span.values[passage]
        return text_of(self.items[self.item.values[passage]])[start:end]

    def said(self, passage: int) -> str:
        """The text of a passage with who said it."""
        return said_by(self.items[self.item.values[passage]], self.text(passage))

    def texts(self, rows: range) -> Texts:
        """What is known of the texts of some items, to be kept."""
        texts = analysed([text_of(self.items[row]) for row in rows], self.matrix.dimension)
        whole, scales = self.matrix.rows(self.passages(rows))
        return replace(texts, prints=self.print.values[rows.start : rows.stop], vectors=whole, scales=scales)

    def without_vector(self, rows: range | None = None) -> list[int]:
        """The passages of some items, or of all, that have no vector yet."""
        part = slice(0, len(self.item)) if rows is None else self.passages(rows)
        return [part.start + at for at in self.matrix.missing(part)]

    def of_items(self, passages: NDArray[Any]) -> NDArray[Any]:
        """For each item the best of its passages' values."""
        if len(passages) == len(self):
            return passages
        if "rest" not in self.memo:  # few passages are not the first of their item
            self.memo["rest"] = np.flatnonzero(np.diff(self.item.values, prepend=-1) == 0)
        rest = self.memo["rest"]
        best = passages[self.first.values]
        np.maximum.at(best, self.item.values[rest], passages[rest])
        return np.asarray(best)

    def of_passages(self, items: NDArray[Any]) -> NDArray[Any]:
        """For each passage the value of its item."""
        return items if len(items) == len(self.item) else np.asarray(items[self.item.values])

    def put(self, passages: Sequence[int], vectors: NDArray[Any]) -> None:
        """Fill in vectors that were missing."""
        rows = np.asarray(passages)
        self.matrix.put(rows, vectors)
        self.beside.update(rows)

    def nicknamed(self, word: str) -> str | None:
        """Whom a word names, if one of two speakers calls the other so."""
        if word not in self._calls or len(self.speakers) != 2:
            return None
        held, _ = self.postings.find(lexeme(word))
        speakers = self.speaker.values[self.item.values[held]]
        said = np.bincount(speakers[speakers >= 0], minlength=2)  # summaries say the names of both
        one = int(np.argmax(said))
        known = is_nickname(self._calls[word][one], int(said[one]), int(said[1 - one]))
        return next(name for name, number in self.speakers.items() if number == 1 - one) if known else None

    def passages(self, rows: range) -> slice:
        """Where the passages of some items stand."""
        ends = self.first.values[rows.stop] if rows.stop < len(self) else len(self.item)
        return slice(int(self.first.values[rows.start]) if rows else int(ends), int(ends))

    def _describe(self, items: Sequence[Message | Record]) -> None:
        messages = [item if isinstance(item, Message) else None for item in items]
        self._letters += sum(len(text_of(item)) for item in items)
        self.kind.extend([0 if isinstance(item, Message) else self._kind(item.kind) for item in items])
        self.session.extend([_numbered(self.sessions, item.session) for item in items])
        self.time.extend([time_of(item).timestamp() for item in items])
        self.importance.extend([importance_of(item) for item in items])
        self.speaker.extend([_NONE if one is None else self._speaker(one) for one in messages])

    def _join(self, items: Sequence[Message | Record], firsts: list[int], parts: list[int]) -> None:
        """Make the passages of messages neighbours, in the order of their session."""
        added = sum(parts)
        self.beside.before.extend(np.full(added, _NONE))
        self.beside.after.extend(np.full(added, _NONE))
        before, after = self.beside.before.values, self.beside.after.values
        for item, first, many in zip(items, firsts, parts, strict=True):
            if not isinstance(item, Message):
                continue
            session = self.sessions[item.session]
            for passage in range(first, first + many):
                last = self._newest.get(session, _NONE)
                before[passage] = last
                if last != _NONE:
                    after[last] = passage
                self._newest[session] = passage
        self.beside.joined()
        self.memo.clear()

    def _speaker(self, message: Message) -> int:
        name = message.name or message.role
        if name not in self.speakers:
            for word in words(name):
                self.called.setdefault(word, set()).add(name)
        number = _numbered(self.speakers, name)
        if message.name is not None:
            text = _said(message)
            for word in attempt(len(text), partial(called_out, text)).result or ():
                self._calls.setdefault(word, Counter())[number] += 1
        return number

    def _kind(self, kind: str) -> int:
        kind = "fact" if kind == "change" else kind  # what a person made of it
        if kind not in self.kinds:
            self.kinds.append(kind)
        return self.kinds.index(kind)


def said_by(item: Message | Record, text: str) -> str:
    """A text of an item with who said it, a name or a role, unless it begins with that anyway."""
    who = f"{item.name or item.role}:" if isinstance(item, Message) else ""
    return text if text.startswith(who) else f"{who} {text}"


def _numbered(known: dict[str, int], name: str) -> int:
    return known.setdefault(name, len(known))


def _said(message: Message) -> str:
    """The text without the name that some put before it."""
    return message.text.removeprefix(f"{message.name}:").lstrip()


def time_of(item: Message | Record) -> datetime:
    """When something was said; of a summary or an episode, when the last of what it stands for was."""
    if isinstance(item, Message):
        return item.time
    body = item.body or {}
    told = str(body.get("ended", "") or body.get("said", ""))
    try:
        found = datetime.fromisoformat(told) if told else item.time
    except ValueError:
        return item.time
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


def importance_of(item: Message | Record) -> float:
    """How much an item matters, from 0 to 1."""
    if isinstance(item, Message):
        return item.importance
    body = item.body or {}
    given = body.get("importance", body.get("significance"))
    return float(given) if isinstance(given, (int, float)) else float(_IMPORTANCE[item.kind])
