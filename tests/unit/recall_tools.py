"""What the tests of the search share: an embedder that counts, arrivals made by hand, ways to look into an index."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from numpy.typing import NDArray

from onrecord import Memory
from onrecord.errors import ModelError
from onrecord.policy.terms import words
from onrecord.ports import Embedder, Store
from onrecord.recall.index import SpaceIndex
from onrecord.recall.indexed_texts import Texts, analysed, unpacked
from onrecord.recall.spaces import Spaces
from onrecord.records import Arrival, Hit, Message, Role

START = datetime(2026, 5, 1, tzinfo=UTC)
PLENTY = 1 << 30


class Toy:
    """An embedder: words of the same beginning are the same number, so that "cats" is near "catnip"; it notes what it
    embeds, and fails once it has embedded `enough` texts."""

    def __init__(self, name: str = "toy/1", dimension: int = 48, enough: int | None = None) -> None:
        self.name = name
        self.dimension = dimension
        self.enough = enough
        self.embedded: list[str] = []
        self.calls = 0

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.enough is not None and len(self.embedded) + len(texts) > self.enough:
            raise ModelError("The toy is broken.", "Mend it.")
        self.calls += 1
        self.embedded += texts
        return np.array([self.row(text) for text in texts], np.float32).reshape(-1, self.dimension)

    def row(self, text: str) -> NDArray[np.float32]:
        """The vector of a text."""
        made = np.full(self.dimension, 0.01, np.float32)  # of a text without words it has some length too
        for word in words(text):
            made[crc32((self.name + word[:3]).encode("utf-8", "surrogatepass")) % self.dimension] += 1
        return np.asarray(made / np.linalg.norm(made), np.float32)


def message(text: str, seq: int = 1, session: str = "s", **more: Any) -> Message:
    given: dict[str, Any] = {"role": "user", "time": START + timedelta(minutes=seq), "id": f"msg_{session}_{seq}"}
    return Message(session=session, seq=seq, text=text, **given | more)


def arrivals(messages: Iterable[Message], after: int = 0) -> list[Arrival]:
    """The messages as a store's feed gives them."""
    return [Arrival(number=number, item=one) for number, one in enumerate(messages, after + 1)]


def index_of(messages: Sequence[Message], dimension: int = 0) -> SpaceIndex:
    """An index of messages, made in one go, without vectors."""
    index = SpaceIndex(dimension)
    index.extend(arrivals(messages), analysed([one.text for one in messages], dimension))
    return index


def unit_vectors(count: int, dimension: int, seed: int = 1) -> NDArray[np.float32]:
    made = np.random.default_rng(seed).normal(size=(count, dimension))
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), np.float32)


def spaces_of(memory: Memory) -> Spaces:
    """What keeps a memory's indexes."""
    return memory._parts.recall._own


@contextmanager
def indexed(memory: Memory) -> Iterator[SpaceIndex]:
    """The index of a memory's space, up to date."""
    with spaces_of(memory).at(memory.name) as index:
        yield index


def blocks_of(memory: Memory, plan: str, dimension: int) -> dict[int, Texts]:
    """What the store keeps of a plan."""
    found = {block.number: unpacked(block.body, dimension) for block in memory._store.blocks(memory.name, plan)}
    return {number: texts for number, texts in found.items() if texts is not None}


def opened(path: object = ":memory:", embedder: Embedder | str | None = None, **more: Any) -> Memory:
    """A memory that makes nothing by itself."""
    given: dict[str, Any] = {"summarize": "manual", "durability": "process"}
    return Memory(str(path), embedder=embedder, **given | more)


def told(memory: Memory, session: str, *texts: str, role: Role = "user", **more: Any) -> None:
    """Say some things in a session, one after the other."""
    memory.session(session).add_many([{"role": role, "text": text} | more for text in texts])


def texts_of(hits: Sequence[Hit]) -> list[str]:
    return [hit.text for hit in hits]


@contextmanager
def failing(store: Store, method: str, error: Exception) -> Iterator[None]:
    """A method of a store raises meanwhile."""

    def fail(*args: object, **more: object) -> object:
        raise error

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, method, fail)
        yield


def noted(notes: list[Any], note: Any, real: Any) -> Any:
    """The same, but it leaves a note whenever it is called."""

    def called(*args: Any, **more: Any) -> Any:
        notes.append(note(*args) if callable(note) else note)
        return real(*args, **more)

    return called
