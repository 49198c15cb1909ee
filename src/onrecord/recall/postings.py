"""Which passages hold a lexeme: one sorted array for most, and a short list for the newest."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Postings"]

_NEW = 1_024  # entries that wait in the list at least; then an eighth of the rest
_LEXEME_BYTES, _ENTRY_BYTES = 360, 48  # what those take there: a pair of lists for each lexeme


class Postings:
    """Entries (lexeme, passage, count), by lexeme. Adding is amortised: sorting happens when many are new."""

    def __init__(self) -> None:
        self._keys: NDArray[Any] = np.empty(0, np.uint32)  # the lexemes, sorted
        self._starts: NDArray[Any] = np.zeros(1, np.int64)  # where the entries of each begin
        self._passages: NDArray[Any] = np.empty(0, np.int32)
        self._counts: NDArray[Any] = np.empty(0, np.uint8)
        self._new: dict[int, tuple[list[int], list[int]]] = {}
        self._many = 0  # entries in the list

    @property
    def bytes(self) -> int:
        kept = (self._keys, self._starts, self._passages, self._counts)
        return sum(array.nbytes for array in kept) + len(self._new) * _LEXEME_BYTES + self._many * _ENTRY_BYTES

    def add(self, lexemes: NDArray[Any], passages: NDArray[Any], counts: NDArray[Any]) -> None:
        """Add entries of passages that are newer than all others."""
        if self._many + len(lexemes) > max(_NEW, len(self._passages) // 8):
            self._sort(lexemes, passages, counts)
            return
        for key, passage, count in zip(lexemes.tolist(), passages.tolist(), counts.tolist(), strict=True):
            places = self._new.setdefault(key, ([], []))
            places[0].append(passage)
            places[1].append(count)
        self._many += len(lexemes)

    def find(self, lexeme: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """The passages that hold a lexeme, and how often."""
        at = int(self._keys.searchsorted(np.uint32(lexeme)))  # of another type, all keys would be copied
        old = slice(0, 0)
        if at < len(self._keys) and self._keys[at] == lexeme:
            old = slice(self._starts[at], self._starts[at + 1])
        passages, counts = self._passages[old], self._counts[old]
        if lexeme in self._new:
            newer, often = self._new[lexeme]
            passages = np.concatenate([passages, np.asarray(newer, np.int32)])
            counts = np.concatenate([counts, np.asarray(often, np.uint8)])
        return passages, counts

    def entries(self) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
        """All entries: which lexeme (numbered from 0 by its value), which passage, how often."""
        if self._new:
            none = np.empty(0, np.int64)
            self._sort(none.astype(np.uint32), none, none.astype(np.uint8))
        return np.repeat(np.arange(len(self._keys)), np.diff(self._starts)), self._passages, self._counts

    def _sort(self, lexemes: NDArray[Any], passages: NDArray[Any], counts: NDArray[Any]) -> None:
        """Bring everything into one array, sorted by lexeme and, within one, by age."""
        waiting = [(key, place, many) for key, entry in self._new.items() for place, many in zip(*entry, strict=True)]
        new = np.asarray(waiting, dtype=np.int64).reshape(-1, 3)
        keys = np.concatenate([np.repeat(self._keys, np.diff(self._starts)), new[:, 0].astype(np.uint32), lexemes])
        order = np.argsort(keys, kind="stable")
        keys = keys[order]
        self._passages = np.concatenate([self._passages, new[:, 1].astype(np.int32), passages.astype(np.int32)])[order]
        self._counts = np.concatenate([self._counts, new[:, 2].astype(np.uint8), counts])[order]
        self._keys, starts = np.unique(keys, return_index=True)
        self._starts = np.append(starts, len(keys)).astype(np.int64)
        self._new, self._many = {}, 0
