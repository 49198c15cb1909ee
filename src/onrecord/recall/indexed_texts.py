"""Texts as an index takes them: cut into passages, each a bag of lexemes; and the bytes in which that is kept."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import partial
from hashlib import blake2b
from typing import Any

import numpy as np
from numpy.typing import NDArray

from onrecord.guard import attempt
from onrecord.policy.lexemes import LEXEMES_VERSION, lexemes
from onrecord.policy.passages import passages
from onrecord.recall.growing_array import spread

__all__ = ["SELF", "UNREADABLE", "WORDS", "Texts", "analysed", "fingerprint", "joined", "packed", "unpacked"]

SELF, UNREADABLE = 1, 2
"""The flags of a text that speaks of its speaker, and of one that could not be taken apart: it has no words."""

WORDS = f"words-{LEXEMES_VERSION}"
"""The recipe by which texts are taken apart."""

_SELF = re.compile(r"\b(?:i|my|me|mine|we|our|us|myself)\b", re.IGNORECASE)
_NOTHING = 1e-30  # the scale of an empty text: no vector is missing
_MOST_COUNTED = 255  # of one lexeme in one passage
_KINDS: dict[str, Any] = {
    "prints": np.uint64,
    "flags": np.uint8,
    "parts": np.uint16,
    "spans": np.uint32,
    "sizes": np.uint16,
    "distinct": np.uint32,
    "lexemes": np.uint32,
    "counts": np.uint8,
    "scales": np.float32,
    "vectors": np.int8,
}


@dataclass(frozen=True, slots=True)
class Texts:
    """Analysed texts, one after the other: numbers per text, per passage, and per lexeme of a passage."""

    prints: NDArray[Any]  # per text: its fingerprint
    flags: NDArray[Any]  # per text: SELF
    parts: NDArray[Any]  # per text: how many passages
    spans: NDArray[Any]  # per passage: where it begins and ends
    sizes: NDArray[Any]  # per passage: how many lexemes, at most 65 535
    distinct: NDArray[Any]  # per passage: how many different ones
    lexemes: NDArray[Any]  # each different lexeme of each passage
    counts: NDArray[Any]  # how often it stands there
    scales: NDArray[Any]  # per passage: what the vector's numbers are multiplied by; 0: it has no vector yet
    vectors: NDArray[Any]  # per passage: its vector in small whole numbers

    def take(self, which: NDArray[Any]) -> Texts:
        """Some of the texts, in that order."""
        first = np.cumsum(self.parts, dtype=np.int64) - self.parts
        passage = spread(first[which], self.parts[which])
        start = np.cumsum(self.distinct, dtype=np.int64) - self.distinct
        entry = spread(start[passage], self.distinct[passage])
        return Texts(
            self.prints[which],
            self.flags[which],
            self.parts[which],
            self.spans[passage],
            self.sizes[passage],
            self.distinct[passage],
            self.lexemes[entry],
            self.counts[entry],
            self.scales[passage],
            self.vectors[passage],
        )


def fingerprint(text: str) -> int:
    """Tells one text from another: what is known of the same text is known of both."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")


def analysed(texts: Sequence[str], dimension: int, names: Sequence[str] | None = None) -> Texts:
    """Texts taken apart; none has a vector yet. `names`: what each is told from others by, if not by itself."""
    parts: list[int] = []
    spans: list[tuple[int, int]] = []
    sizes: list[int] = []
    bags: list[Counter[int]] = []
    flags: list[int] = []
    for text in texts:
        read, why = attempt(len(text), partial(_taken_apart, text))
        cut, found = ([(0, len(text))], [[]]) if read is None or why else read
        flags.append((UNREADABLE if why else 0) | (SELF if _SELF.search(text) else 0))
        parts.append(len(cut))
        spans += cut
        sizes += [min(len(words), 65_535) for words in found]
        bags += map(Counter, found)
    columns = {
        "prints": [fingerprint(text) for text in names or texts],
        "flags": flags,
        "parts": parts,
        "spans": np.array(spans).reshape(-1, 2),
        "sizes": sizes,
        "distinct": [len(bag) for bag in bags],
        "lexemes": [number for bag in bags for number in bag],
        "counts": [min(count, _MOST_COUNTED) for bag in bags for count in bag.values()],
        "scales": [0 if end > start else _NOTHING for start, end in spans],
        "vectors": np.zeros((len(spans), dimension)),
    }
    return Texts(*(np.asarray(columns[name], dtype=kind) for name, kind in _KINDS.items()))


def _taken_apart(text: str) -> tuple[list[tuple[int, int]], list[list[int]]]:
    """The passages of a text, and the lexemes of each."""
    cut = passages(text)
    return cut, [lexemes(text[start:end]) for start, end in cut]


def joined(several: Sequence[Texts], dimension: int) -> Texts:
    """Texts one after the other."""
    if not several:
        return analysed((), dimension)
    return Texts(*(np.concatenate([getattr(one, part.name) for one in several]) for part in fields(Texts)))


def packed(texts: Texts) -> bytes:
    """The bytes in which texts are kept: a line that says how many there are of each, then the numbers."""
    arrays = [np.ascontiguousarray(getattr(texts, name), dtype=kind) for name, kind in _KINDS.items()]
    head = {"lexemes": LEXEMES_VERSION, "shapes": [array.shape for array in arrays]}
    return b"\n".join([json.dumps(head).encode(), b"".join(array.tobytes() for array in arrays)])


def unpacked(body: bytes, dimension: int) -> Texts | None:
    """The texts that `packed` wrote; None if they are of another version, another dimension, or damaged."""
    try:
        line, _, rest = body.partition(b"\n")
        head = json.loads(line)
        if head["lexemes"] != LEXEMES_VERSION:
            return None
        arrays: list[NDArray[Any]] = []
        at = 0
        for shape, kind in zip(head["shapes"], _KINDS.values(), strict=True):
            count = int(np.prod(shape, dtype=np.int64))
            arrays.append(np.frombuffer(rest, dtype=kind, count=count, offset=at).reshape(shape))
            at += arrays[-1].nbytes
        found = Texts(*arrays)
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None
    return found if _whole(found, dimension) and at == len(rest) else None


def _whole(texts: Texts, dimension: int) -> bool:
    """Whether the arrays fit each other."""
    passages = len(texts.sizes)
    return (
        len(texts.prints) == len(texts.parts) == len(texts.flags)
        and int(texts.parts.sum(dtype=np.int64)) == passages == len(texts.distinct) == len(texts.scales)
        and texts.spans.shape == (passages, 2)
        and texts.vectors.shape == (passages, dimension)
        and int(texts.distinct.sum(dtype=np.int64)) == len(texts.lexemes) == len(texts.counts)
    )
