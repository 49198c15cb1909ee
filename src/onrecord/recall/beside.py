"""What a passage is part of: its vector together with a share of its neighbours' in the same session.

Such sums need no vectors of their own: how near one is to a question follows from the three cosines, once its length is
known, and that follows from how near the three are to each other. Kept per passage, and made again only where a vector
is new.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from onrecord.recall.growing_array import GrowingArray
from onrecord.recall.matrix import Matrix

__all__ = ["Neighbours"]

SHARE = 0.5
"""How much of each neighbour counts."""

_ROUND = 2_048  # passages at once


class Neighbours:
    """The passages before and after each one, and the products of its vector with itself, with that of the one before,
    and of the one before that. -1 stands for no neighbour."""

    def __init__(self, matrix: Matrix) -> None:
        self.before = GrowingArray(np.intp)
        self.after = GrowingArray(np.intp)
        self._matrix = matrix
        self._products = GrowingArray(np.float32, 3)
        self._lengths: NDArray[Any] | None = None
        self._chains: tuple[NDArray[Any], NDArray[Any]] | None = None

    @property
    def bytes(self) -> int:
        return self._products.bytes + self.before.bytes + self.after.bytes

    def chains(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The passage before and after each one, and at the end, where -1 points to, -1 again."""
        if self._chains is None or len(self._chains[0]) != len(self.before) + 1:
            self._chains = np.append(self.before.values, -1), np.append(self.after.values, -1)
        return self._chains

    def joined(self) -> None:
        """Passages were added, and neighbours changed."""
        self._lengths = self._chains = None

    def update(self, passages: NDArray[Any]) -> None:
        """Take in the vectors of some passages, new or changed."""
        self._lengths = None
        missing = len(self.before) - len(self._products)
        if missing:
            self._products.extend(np.zeros((missing, 3)))
        after = self.after.values
        one = after[passages]
        one = one[one >= 0]
        two = after[one]
        changed = np.unique(np.concatenate([passages, one, two[two >= 0]]))
        for start in range(0, len(changed), _ROUND):
            part = changed[start : start + _ROUND]
            self._products.values[part] = self._multiplied(part)

    def cosines(self, near: NDArray[Any]) -> NDArray[Any]:
        """How near each passage is to a question together with its neighbours, from how near each is alone."""
        if self._lengths is None:
            self._lengths = self._measured()
        found = self._at_both(near)
        found *= SHARE
        found += near
        found /= self._lengths
        return found

    def _measured(self) -> NDArray[Any]:
        """The length of v + SHARE * (v before + v after)."""
        own, one, two = self._products.values.T
        after = self.after.values
        next_one, next_two = np.append(one, 0)[after], np.append(two, 0)[after]
        squares = own + SHARE**2 * self._at_both(own) + 2 * SHARE * (one + next_one) + 2 * SHARE**2 * next_two
        return np.asarray(np.sqrt(np.maximum(squares, 1e-6)), np.float32)

    def _at_both(self, values: NDArray[Any]) -> NDArray[Any]:
        """The sum of both neighbours' values; whoever has none finds the zero at the end, which -1 points to."""
        padded = np.append(values, values.dtype.type(0))
        found = padded[self.before.values]
        found += padded[self.after.values]
        return np.asarray(found)

    def _multiplied(self, passages: NDArray[Any]) -> NDArray[Any]:
        before = self.before.values[passages]
        farther = np.where(before >= 0, self.before.values[before], -1)
        own = self._vectors(passages)
        found = np.empty((len(passages), 3), np.float32)
        found[:, 0] = np.einsum("ij,ij->i", own, own)
        for column, others in ((1, before), (2, farther)):
            product = np.einsum("ij,ij->i", own, self._vectors(np.maximum(others, 0)))
            found[:, column] = np.where(others >= 0, product, 0)
        return found

    def _vectors(self, passages: NDArray[Any]) -> NDArray[Any]:
        whole, scales = self._matrix.rows(passages)
        return np.asarray(whole * scales[:, None])
