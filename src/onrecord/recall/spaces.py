"""The indexes of the spaces that were searched last, each brought up to the store's state before it is used.

What arrived since is added; after anything was removed the index is made anew, from the blocks in the store. Vectors
that are still missing are made here: the newest at a search, for a second at most, so that a message is found by
meaning in the next call, and all of them by `catch_up`, which also writes the blocks.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from time import monotonic, sleep
from typing import Any

import numpy as np
from numpy.typing import NDArray

from onrecord.errors import ModelError
from onrecord.guard import save_mark
from onrecord.ports import Embedder, Progress, Revision, Store
from onrecord.recall.done import EmbeddingProgress
from onrecord.recall.index import SpaceIndex, known_as, text_of
from onrecord.recall.indexed_texts import UNREADABLE, WORDS, Texts, analysed, fingerprint, packed, unpacked
from onrecord.recall.known_texts import INDEXED, KnownTexts, searched
from onrecord.recall.matrix import quantised
from onrecord.recall.vectors import FAINT, vectors_of
from onrecord.records import BLOCK, Arrival, Block

__all__ = ["BATCH", "WORDS_ONLY", "Spaces"]

BATCH = 64
"""Texts that are embedded together; so many new ones are worth writing a block."""

WORDS_ONLY = "words"
"""The plan of blocks without vectors."""

_PAGE = 2_048  # arrivals read at once
_A_MOMENT = 1.0  # seconds that a search waits for vectors, which it makes by itself
_AT_ONCE = 8  # of them between two looks at the clock
_TURN = 0.001  # seconds between two looks whether a search still waits
_REST = 30.0  # seconds that an embedder is left alone after it failed
_QUESTIONS = 256  # whose vectors are remembered


@dataclass(slots=True)
class _CachedSpace:
    """One space at hand."""

    index: SpaceIndex
    lock: threading.RLock = field(default_factory=threading.RLock)
    filling: threading.Lock = field(default_factory=threading.Lock)  # held for a batch of missing vectors
    waiting: int = 0  # searches that wait to make the newest of them: nobody is to begin another batch before
    revision: Revision = field(default_factory=Revision)
    whole: set[int] = field(default_factory=set)  # blocks that the store has as they would be written now
    fresh: int = 0  # items that came since a block was written
    size: int = 0  # bytes of the index, as last seen


class Spaces:
    """Indexes by space, of one store and one embedder; bounded by memory."""

    def __init__(self, store: Store, embedder: Embedder | None, most_bytes: int) -> None:
        self._store = store
        self._embedder = embedder
        self._most = most_bytes
        self._spaces: OrderedDict[str, _CachedSpace] = OrderedDict()
        self._lock = threading.Lock()
        self._questions: OrderedDict[str, NDArray[Any]] = OrderedDict()
        self._total = 0  # bytes of all indexes at hand
        self._failed, self._rests_until = "", 0.0
        np.unique(np.empty(0))  # has numpy import what it imports late, before any thread is there

    @property
    def plan(self) -> str:
        """The plan of its blocks: what made the vectors."""
        return WORDS_ONLY if self._embedder is None else self._embedder.name

    @cached_property
    def dimension(self) -> int:
        """Of its vectors. A server may have to be asked, so this may raise a ModelError."""
        if self._embedder is None:
            return 0
        try:
            found = self._embedder.dimension
        except ModelError:
            raise
        except Exception as error:
            raise ModelError(f"The embedder failed ({type(error).__name__}).", "Look at it.") from error
        if isinstance(found, bool) or not isinstance(found, int) or found < 1:
            raise ModelError(f"The embedder's dimension is {found!r}.", "It must be a whole number from 1.")
        return found

    @property
    def bytes(self) -> dict[str, int]:
        """About how much memory each space at hand takes."""
        with self._lock:
            return {name: held.index.bytes for name, held in self._spaces.items()}

    @contextmanager
    def at(self, space: str) -> Iterator[SpaceIndex]:
        """The index of a space as the store has it now; nobody else uses it meanwhile."""
        with self._held(space) as held:
            yield held.index

    # Vectors

    def known(self, index: SpaceIndex, text: str) -> NDArray[Any] | None:
        """The vector of a question, if it was asked or said before."""
        if not index.matrix.dimension:
            return None
        at = index.prints.get(fingerprint(text))
        if at is not None and index.matrix.knows(at) and self._compared(index, [at]) == [text]:
            whole, scale = index.matrix.rows(at)
            return np.asarray(whole * scale)
        with self._lock:
            return self._questions.get(text)

    @property
    def knows_names(self) -> bool:
        """Whether the embedder tells from "Ana: I moved" that Ana moved: then names are left to it."""
        return bool(getattr(self._embedder, "knows_names", False))

    def _compared(self, index: SpaceIndex, passages: Sequence[int]) -> list[str]:
        """Passages as the embedder should read them."""
        return [index.said(one) if self.knows_names else index.text(one) for one in passages]

    def vector(self, text: str) -> NDArray[Any] | None:
        """The vector of a question; nobody should be held up meanwhile."""
        if self._embedder is None:
            return None
        vector: NDArray[Any] = self._embed([text])[0]
        with self._lock:
            self._questions[text] = vector
            while len(self._questions) > _QUESTIONS:
                self._questions.popitem(last=False)
        return vector

    def complete(self, space: str) -> int:
        """Make the newest of the vectors that are missing, for a moment, before whoever makes the others goes on;
        answers how many still are."""
        if self._embedder is None:
            return 0
        with self._held(space) as held:
            missing = held.index.without_vector()
        began = monotonic()
        if missing and self._in_turn(held):
            try:
                left = _A_MOMENT - (monotonic() - began)
                missing = self._fill_some(space, held, _AT_ONCE)
                until = monotonic() + left  # from here on: the first may have to load the model
                while missing and monotonic() < until:
                    missing = self._fill_some(space, held, _AT_ONCE)
            finally:
                held.filling.release()
        return len(missing)

    def _in_turn(self, held: _CachedSpace) -> bool:
        """Wait for the batch that is being made; False if that takes too long."""
        with self._lock:
            held.waiting += 1
        try:
            return held.filling.acquire(timeout=_A_MOMENT)
        finally:
            with self._lock:
                held.waiting -= 1

    @contextmanager
    def _batch(self, held: _CachedSpace) -> Iterator[None]:
        """Make a batch of missing vectors alone, once no search waits to make the newest."""
        while held.waiting:
            sleep(_TURN)
        with held.filling:
            yield

    def fill(self, space: str) -> bool:
        """Make the few vectors that are missing, without writing them; False if they are many."""
        with self._held(space) as held:
            missing = held.index.without_vector()
        if len(missing) > BATCH:
            return False
        while missing and self._embedder is not None:
            with self._batch(held):
                missing = self._fill_some(space, held, BATCH)
        return True

    def forget_written(self, space: str) -> None:
        """The blocks of a space were removed by somebody: take none for written."""
        with self._held(space) as held:
            held.whole.clear()

    def at_hand(self, space: str) -> bool:
        """Whether the index of a space is there."""
        return space in self._spaces

    def waiting(self, space: str) -> int:
        """How many items came since a block was written, as far as is known."""
        with self._lock:
            return self._spaces[space].fresh if space in self._spaces else 0

    def whole(self, space: str) -> bool:
        """Whether the store has every block, with every vector."""
        with self._held(space) as held:
            return _next_block(held) is None

    def catch_up(
        self,
        space: str,
        progress: Progress | None = None,
        *,
        embed: bool = True,
        going: Callable[[], bool] = lambda: True,
    ) -> int:
        """Write every block that the store does not have as it would be now, with all vectors; answers how many. It
        may be stopped anywhere, and goes on there the next time. `embed` False: with the vectors that are there.
        Progress counts items, those that are done already first."""
        with self._held(space) as held:
            told = EmbeddingProgress(progress, BATCH, sum(len(_rows(held.index, number)) for number in held.whole))
        written = 0
        tried: set[int] = set()
        while going():
            with self._batch(held):
                with self._held(space) as held:
                    number = _next_block(held, tried)
                    if number is None:
                        held.fresh = 0
                        break
                    rows = _rows(held.index, number)
                    missing = held.index.without_vector(rows) if embed else []
                    index, texts = held.index, self._compared(held.index, missing[:BATCH])
                    if not texts:
                        tried.add(number)
                        written += self._write(space, held, number, rows)
                if texts:
                    self._fill(space, held, index, missing[:BATCH], self._embed(texts, again=True))
                told.block(number, len(rows), len(missing) - len(texts))
        return written

    def _fill_some(self, space: str, held: _CachedSpace, many: int) -> list[int]:
        """Make the newest vectors that are missing, so many, while others may search; answers which still are."""
        with held.lock:
            index, missing = held.index, held.index.without_vector()
            newest = missing[-many:]
            texts = self._compared(index, newest)
        if texts:
            self._fill(space, held, index, newest, self._embed(texts))
        return missing[: len(missing) - len(newest)]

    def _fill(
        self, space: str, held: _CachedSpace, index: SpaceIndex, passages: list[int], vectors: NDArray[Any]
    ) -> None:
        with held.lock:
            if held.index is index:
                index.put(passages, vectors)
        for place in np.flatnonzero(vectors.max(axis=1) == FAINT).tolist():
            save_mark(self._store, space, self.plan, index.items[index.item.values[passages[place]]])

    def _embed(self, texts: list[str], again: bool = False) -> NDArray[Any]:
        """Vectors as they should be, or a ModelError, whatever the embedder does. One that failed is left alone for a
        while, so that not every search waits for it; `again`: not by whoever insists."""
        assert self._embedder is not None
        if monotonic() < self._rests_until and not again:
            raise ModelError(self._failed, "It is asked again soon.")
        try:
            vectors = vectors_of(self._embedder, self.dimension, texts)
        except ModelError as error:
            self._failed, self._rests_until = error.what, monotonic() + _REST
            raise
        self._rests_until = 0.0
        return vectors

    # Following the store

    @contextmanager
    def _held(self, space: str) -> Iterator[_CachedSpace]:
        held = self._spaces.get(space) or _CachedSpace(self._empty())
        with self._lock:
            held = self._spaces.setdefault(space, held)
            self._spaces.move_to_end(space)
        try:
            with held.lock:
                try:
                    self._follow(space, held)
                except BaseException:  # an index that was interrupted while it grew is no index
                    held.index, held.revision, held.whole = self._empty(), Revision(), set()
                    raise
                yield held
        finally:
            self._let_go(space)

    def _let_go(self, space: str) -> None:
        """Keep within the bound: the index of a space that does not exist goes at once, then those that were not used
        for longest, unless their vectors are being made."""
        with self._lock:
            held = self._spaces.get(space)
            if held is not None and not held.revision.exists:
                self._total -= self._spaces.pop(space).size
            elif held is not None:
                size = held.index.bytes
                self._total += size - held.size
                held.size = size
            if self._total > self._most:
                for name in [name for name, one in self._spaces.items() if name != space and not one.filling.locked()]:
                    self._total -= self._spaces.pop(name).size
                    if self._total <= self._most:
                        break

    def _empty(self) -> SpaceIndex:
        return SpaceIndex(self.dimension)

    def _follow(self, space: str, held: _CachedSpace) -> None:
        now = self._store.revision(space)
        if now == held.revision:
            return
        if (now.born, now.removed) != (held.revision.born, held.revision.removed):
            self._load(space, held, now)
            return
        newest = now.newest
        while held.revision.newest < newest:
            page = self._store.feed(space, held.revision.newest, _PAGE, INDEXED)
            if not page:
                break
            arrivals = [arrival for arrival in page if searched(arrival)]
            texts = self._analysed(held.index, arrivals)
            held.index.extend(arrivals, texts)
            self._mark(space, arrivals, texts)
            held.whole -= {arrival.number // BLOCK for arrival in arrivals}
            held.fresh += len(arrivals)
            newest = max(newest, page[-1].number)
            held.revision = held.revision._replace(newest=page[-1].number)
        held.revision = now._replace(newest=newest)

    def _texts(self, arrivals: Sequence[Arrival]) -> tuple[list[str], list[str]]:
        """The texts of what arrived, and what they are told from each other by."""
        texts = [text_of(arrival.item) for arrival in arrivals]
        return texts, [known_as(arrival.item) for arrival in arrivals] if self.knows_names else texts

    def _mark(self, space: str, arrivals: Sequence[Arrival], texts: Texts) -> None:
        """Say which texts could not be taken apart."""
        for place in np.flatnonzero(texts.flags & UNREADABLE).tolist():
            save_mark(self._store, space, WORDS, arrivals[place].item)

    def _analysed(self, index: SpaceIndex, arrivals: Sequence[Arrival]) -> Texts:
        """New texts taken apart; one that was said or asked before has its vector at once."""
        texts, names = self._texts(arrivals)
        found = analysed(texts, self.dimension, names)
        if not self.dimension:
            return found
        ends = np.cumsum(found.parts, dtype=np.int64)
        for text, print, end, parts in zip(names, found.prints.tolist(), ends, found.parts, strict=True):
            here = slice(int(end) - int(parts), int(end))
            there = index.prints.get(print)
            if there is not None:
                found.vectors[here], found.scales[here] = index.matrix.rows(slice(there, there + int(parts)))
            elif parts == 1 and (asked := self._questions.get(text)) is not None:
                found.vectors[here], found.scales[here] = quantised(asked[None])
        return found

    def _load(self, space: str, held: _CachedSpace, now: Revision) -> None:
        """Make the index anew: what blocks hold of a text is taken from there, the rest is made."""
        index = self._empty()
        blocks = dict(self._blocks(space))
        known = KnownTexts([*blocks.values(), *_unsaved(held, set(blocks))], index.matrix.dimension)
        arrivals: list[Arrival] = []
        after = 0
        while page := self._store.feed(space, after, _PAGE, INDEXED):
            arrivals += [arrival for arrival in page if searched(arrival)]
            after = page[-1].number
        found = known.of(*self._texts(arrivals))
        index.extend(arrivals, found)
        self._mark(space, arrivals, found)
        held.index, held.revision = index, now._replace(newest=max(now.newest, after))
        held.whole = {number for number, texts in blocks.items() if _covers(texts, index, number)}
        held.fresh = len(index) - sum(len(_rows(index, number)) for number in held.whole)

    def _blocks(self, space: str) -> Iterator[tuple[int, Texts]]:
        after = -1
        while page := self._store.blocks(space, self.plan, after):
            after = page[-1].number
            for block in page:
                texts = unpacked(block.body, self.dimension)
                if texts is not None:
                    yield block.number, texts

    def _write(self, space: str, held: _CachedSpace, number: int, rows: range) -> bool:
        texts = held.index.texts(rows)
        block = Block(number=number, body=packed(texts))
        saved = self._store.save_blocks(space, self.plan, [block], held.revision)
        if saved and not held.index.without_vector(rows):
            held.whole.add(number)
        return saved


def _unsaved(held: _CachedSpace, there: set[int]) -> list[Texts]:
    """What an index that is thrown away knows and none of the blocks that are there holds."""
    index = held.index
    numbers = set((index.number.values // BLOCK).tolist()) - (held.whole & there)
    return [index.texts(_rows(index, number)) for number in sorted(numbers)]


def _next_block(held: _CachedSpace, skipped: set[int] | None = None) -> int | None:
    """The first block that is to be written."""
    numbers = np.unique(held.index.number.values // BLOCK).tolist()
    return next((number for number in numbers if number not in held.whole and number not in (skipped or ())), None)


def _rows(index: SpaceIndex, number: int) -> range:
    """The items of a block."""
    first, last = np.searchsorted(index.number.values, [number * BLOCK, (number + 1) * BLOCK]).tolist()
    return range(first, last)


def _covers(texts: Texts, index: SpaceIndex, number: int) -> bool:
    """Whether a block holds just the items that it is about, all with vectors."""
    rows = _rows(index, number)
    prints = index.print.values[rows.start : rows.stop]
    same = np.array_equal(np.unique(prints), np.unique(texts.prints))
    return same and bool((texts.scales > 0).all() or not index.matrix.dimension)
