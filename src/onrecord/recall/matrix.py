"""The vectors of an index, and how near each is to a question's.

Up to some size all are compared exactly. Beyond it, the signs of a vector's numbers (one bit each) tell roughly how
near it is, and only the nearest are compared exactly: a tenth of the memory is read.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from onrecord.recall.growing_array import GrowingArray

__all__ = ["EXACT", "Matrix", "quantised"]

EXACT = 3_000
"""Vectors up to which all are compared exactly."""

_LEAST = np.float32(1e-30)  # the scale of a vector that is all zeros
_IN_A_BYTE = 3  # lines of 64 signs whose differences add up to less than 256
_FEW = 16  # rows of which a matrix product is not worth a second thread
_RESCORED = 600  # of the roughly nearest that are compared exactly beyond that


def quantised(vectors: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Vectors as whole numbers from -127 to 127, and what each is multiplied by."""
    scales = np.abs(vectors).max(axis=1, initial=0) / 127
    whole = np.rint(vectors / np.where(scales > 0, scales, 1)[:, None])
    return whole.astype(np.int8), scales.astype(np.float32)


class Matrix:
    """One row per passage; rows whose vector is not made yet count as unknown."""

    def __init__(self, dimension: int, exact: int = EXACT) -> None:
        self.dimension = dimension
        self._limit = exact
        self._vectors: GrowingArray | None = GrowingArray(np.float32, dimension)  # as long as all are compared exactly
        self._whole = GrowingArray(np.int8, dimension)
        self._scales = GrowingArray(np.float32)  # 0: unknown
        self._unknown = 0  # how many
        self._signs = GrowingArray(np.uint64, -(-dimension // 64))
        self._lines: NDArray[Any] = np.empty((0, 0), np.uint64)  # the signs, 64 numbers of all vectors to a line
        self._middle = np.zeros(dimension, np.float32)  # the mean of all: signs are taken from there
        self._angles = np.cos(np.arange(dimension + 1) * (np.pi / max(1, dimension))).astype(np.float32)

    def __len__(self) -> int:
        return len(self._scales)

    @property
    def bytes(self) -> int:
        held = (self._whole, self._scales, self._signs, *([self._vectors] if self._vectors else []))
        return sum(column.bytes for column in held) + self._lines.nbytes

    def knows(self, row: int) -> bool:
        """Whether a row has a vector."""
        return bool(self._scales.values[row] > 0)

    def missing(self, rows: slice) -> list[int]:
        """Which of some rows have no vector yet, counted from the first of them."""
        if not self.dimension or not self._unknown:
            return []
        return np.flatnonzero(self._scales.values[rows] == 0).tolist()

    def extend(self, whole: NDArray[Any], scales: NDArray[Any]) -> None:
        """Add rows at the end."""
        self._whole.extend(whole)
        self._scales.extend(scales)
        self._unknown += int(np.count_nonzero(np.asarray(scales) == 0))
        if self._vectors is not None and len(self) > self._limit:
            self._vectors = None
            rows = self._whole.values * self._scales.values[:, None]
            known = rows[self._scales.values > _LEAST]
            self._middle = known.mean(axis=0) if len(known) else self._middle
            self._signs.extend(_signs(rows - self._middle))
        elif self._vectors is not None:
            self._vectors.extend(whole * scales[:, None])
        else:
            self._signs.extend(_signs(whole * scales[:, None] - self._middle))

    def put(self, rows: NDArray[Any], vectors: NDArray[Any]) -> None:
        """Fill in the vectors of some rows."""
        whole, scales = quantised(vectors)
        self._whole.values[rows] = whole
        self._scales.values[rows] = np.maximum(scales, _LEAST)
        self._unknown = int(np.count_nonzero(self._scales.values == 0))
        if self._vectors is not None:
            self._vectors.values[rows] = whole * scales[:, None]
        else:
            self._signs.values[rows] = _signs(whole * scales[:, None] - self._middle)
            self._lines = np.empty((0, 0), np.uint64)

    def rows(self, rows: Any) -> tuple[NDArray[Any], NDArray[Any]]:
        """Some rows, as `quantised` gives them."""
        return self._whole.values[rows], self._scales.values[rows]

    def similar(self, vector: NDArray[Any]) -> NDArray[Any]:
        """The cosine of each row with a vector; 0 where it is not known."""
        if self._vectors is not None:
            return _products(self._vectors.values, vector)
        near = self._roughly(vector)
        if len(near) > _RESCORED:
            best = np.argpartition(near, len(near) - _RESCORED)[-_RESCORED:]
        else:
            best = np.arange(len(near))
        exact = self._exactly(best, vector)
        # What is only roughly known is no nearer than what was looked at; what is not known at all stays 0.
        np.minimum(near, exact.min(), out=near)
        near[best] = exact
        if self._unknown:
            near[self._scales.values == 0] = 0
        return near

    def _roughly(self, vector: NDArray[Any]) -> NDArray[Any]:
        """The cosine as far as signs tell it: the angle is the share of numbers whose signs differ."""
        if self._lines.shape[1:] != (len(self),):
            self._lines = np.ascontiguousarray(self._signs.values.T)
        apart = np.zeros(len(self), np.uint16)
        signs = _signs(vector[None] - self._middle)[0]
        for start in range(0, len(signs), _IN_A_BYTE):
            differ = np.bitwise_count(self._lines[start : start + _IN_A_BYTE] ^ signs[start : start + _IN_A_BYTE, None])
            apart += np.add.reduce(differ, axis=0, dtype=np.uint8)
        return np.asarray(self._angles.take(apart, mode="clip"))

    def _exactly(self, rows: NDArray[Any], vector: NDArray[Any]) -> NDArray[Any]:
        """The cosines of some rows."""
        even = np.resize(rows, -(-len(rows) // _FEW) * _FEW)
        taken = self._whole.values.take(even, axis=0).astype(np.float32)
        products = np.matmul(taken.reshape(-1, _FEW, self.dimension), vector).ravel()
        return np.asarray(products[: len(rows)] * self._scales.values[rows])


def _products(rows: NDArray[Any], vector: NDArray[Any]) -> NDArray[Any]:
    """The product of each row with a vector. A matrix product would wake threads, and wait for them on a busy machine:
    this is as fast on a quiet one, and takes no longer on a busy one."""
    return np.asarray(np.einsum("ij,j->i", rows, vector))


def _signs(vectors: NDArray[Any]) -> NDArray[Any]:
    """Whether each number is above zero, 64 to a whole number."""
    bits = np.packbits(vectors > 0, axis=1)
    missing = -bits.shape[1] % 8
    return np.ascontiguousarray(np.pad(bits, ((0, 0), (0, missing))) if missing else bits).view(np.uint64)
