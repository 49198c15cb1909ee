"""The vectors of a space out of one store into another, so that nothing is embedded twice.

A block is about numbers of arrival, and the same message may have another one in each store. So the target's blocks are
made of what stands at its own numbers: each text is looked up, by its fingerprint, in the blocks of the source. Nothing
comes along that the target does not hold. In memory are a few blocks, and twelve bytes for each text with a vector.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

import numpy as np
from numpy.typing import NDArray

from onrecord.ports import Progress, Revision, Store
from onrecord.recall.index import known_as, text_of
from onrecord.recall.indexed_texts import Texts, fingerprint, packed, unpacked
from onrecord.recall.known_texts import INDEXED, KnownTexts, searched
from onrecord.records import BLOCK, Arrival, Block, Message, Record

__all__ = ["copy_vectors"]

PAGE = 8  # blocks read at once
KEPT = 32  # blocks at hand
ARRIVALS = 1_024  # read at once
ATTEMPTS = 3  # where others take something out of the space meanwhile


def copy_vectors(source: Store, target: Store, space: str, progress: Progress) -> int:
    """Give the target every vector of the source for what it holds; answers how many are new there. Progress counts
    the target's arrivals, for each plan of blocks."""
    return sum(_copy_plan(source, target, space, plan, progress) for plan in source.plans(space))


def _copy_plan(source: Store, target: Store, space: str, plan: str, progress: Progress) -> int:
    made = _SourceVectors(source, space, plan)
    new = 0
    for _ in range(ATTEMPTS if len(made) else 0):
        at = target.revision(space)
        for number, arrivals in groupby(_arrivals(target, space, at), _block):
            items = [arrival.item for arrival in arrivals]
            added = _copy_block(made, target, space, plan, number, items, at)
            if added is None:
                break  # what stands at the numbers is not sure any more: look again
            new += added
            progress(len(items))
        else:
            break
    return new


def _copy_block(
    made: _SourceVectors,
    target: Store,
    space: str,
    plan: str,
    number: int,
    items: Sequence[Message | Record],
    at: Revision,
) -> int | None:
    """Write one block, if the source knows more for it than the target; answers how many vectors more, or None if the
    target was changed meanwhile."""
    found = target.blocks(space, plan, number - 1, 1)
    held = unpacked(found[0].body, made.dimension) if found and found[0].number == number else None
    whole = made.of(items, held)
    before = 0 if held is None or not np.array_equal(held.prints, whole.prints) else _worth(held)
    more = _worth(whole) - before
    if more <= 0:
        return 0
    saved = target.save_blocks(space, plan, [Block(number=number, body=packed(whole))], at)
    return more * bool(made.dimension) if saved else None


def _worth(texts: Texts) -> int:
    """How many vectors there are; or, in a plan without vectors, passages that are taken apart."""
    return int((texts.scales > 0).sum()) if texts.vectors.shape[1] else len(texts.sizes)


def _arrivals(store: Store, space: str, at: Revision) -> Iterator[Arrival]:
    """What a search of the space as it was then can find."""
    after = 0
    while page := store.feed(space, after, ARRIVALS, INDEXED):
        yield from (arrival for arrival in page if arrival.number <= at.newest and searched(arrival))
        after = page[-1].number


def _block(arrival: Arrival) -> int:
    return arrival.number // BLOCK


class _SourceVectors:
    """What the blocks of a plan at the source know, by text."""

    def __init__(self, source: Store, space: str, plan: str) -> None:
        self._source = source
        self._space = space
        self._plan = plan
        self._dimension: int | None = None
        self._near: OrderedDict[int, Texts] = OrderedDict()
        prints: list[NDArray[Any]] = [np.empty(0, np.uint64)]
        blocks: list[NDArray[Any]] = [np.empty(0, np.int32)]
        for number, texts in self._all():
            first = np.cumsum(texts.parts, dtype=np.int64) - texts.parts
            known = texts.prints[texts.scales[first] > 0] if self.dimension else texts.prints
            prints.append(known)
            blocks.append(np.full(len(known), number, np.int32))
        self._prints, first = np.unique(np.concatenate(prints), return_index=True)
        self._blocks = np.concatenate(blocks)[first]

    def __len__(self) -> int:
        return len(self._prints)

    @property
    def dimension(self) -> int:
        """Of the vectors."""
        return self._dimension or 0

    def of(self, items: Sequence[Message | Record], held: Texts | None) -> Texts:
        """Items taken apart, with the vectors that are known of them, here or there."""
        texts = [text_of(item) for item in items]
        # Whether an embedder reads who said something is not kept: its blocks tell.
        names = max(texts, [known_as(item) for item in items], key=lambda one: len(self._holding(one)))
        needed = np.unique(self._holding(names)).tolist()
        blocks = [known for number in needed if (known := self._texts(number)) is not None]
        return KnownTexts([*blocks, *([] if held is None else [held])], self.dimension).of(texts, names)

    def _holding(self, names: Sequence[str]) -> NDArray[Any]:
        """For each of these that some block knows: its number."""
        prints = np.array([fingerprint(text) for text in names], np.uint64)
        at = np.minimum(np.searchsorted(self._prints, prints), len(self._prints) - 1)
        return np.asarray(self._blocks[at[self._prints[at] == prints]])

    def _texts(self, number: int) -> Texts | None:
        if number not in self._near:
            self._read(number - 1, PAGE if number - 1 in self._near else 1)
        if number in self._near:
            self._near.move_to_end(number)
        return self._near.get(number)

    def _all(self) -> Iterator[tuple[int, Texts]]:
        after = -1
        while page := self._source.blocks(self._space, self._plan, after, PAGE):
            after = page[-1].number
            yield from self._unpacked(page)

    def _read(self, after: int, limit: int) -> None:
        for number, texts in self._unpacked(self._source.blocks(self._space, self._plan, after, limit)):
            self._near[number] = texts
        while len(self._near) > KEPT:
            self._near.popitem(last=False)

    def _unpacked(self, blocks: Sequence[Block]) -> Iterator[tuple[int, Texts]]:
        """The texts of blocks, but for those of another version, another dimension than the first, or damaged."""
        for block in blocks:
            if self._dimension is None:
                self._dimension = _dimension(block.body)
            texts = unpacked(block.body, self.dimension)
            if texts is not None:
                yield block.number, texts


def _dimension(body: bytes) -> int | None:
    """How many numbers a vector of a block has, as the line at its beginning says."""
    try:
        return int(json.loads(body.partition(b"\n")[0])["shapes"][-1][1])
    except (ValueError, KeyError, TypeError, IndexError, RecursionError):
        return None
