"""Growing arrays: what an index is made of."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["GrowingArray", "spread"]


class GrowingArray:
    """An array that grows at its end; `values` is a view of what it holds, valid until it grows."""

    def __init__(self, kind: Any, *width: int) -> None:
        self._data: NDArray[Any] = np.empty((64, *width), dtype=kind)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    @property
    def values(self) -> NDArray[Any]:
        return self._data[: self._size]

    @property
    def bytes(self) -> int:
        return self._data.nbytes

    def extend(self, values: Any) -> None:
        """Add values at the end."""
        added = np.asarray(values, dtype=self._data.dtype)
        need = self._size + len(added)
        if need > len(self._data):
            grown = np.empty((max(need, len(self._data) * 3 // 2), *self._data.shape[1:]), dtype=self._data.dtype)
            grown[: self._size] = self._data[: self._size]
            self._data = grown
        self._data[self._size : need] = added
        self._size = need


def spread(starts: NDArray[Any], counts: NDArray[Any]) -> NDArray[np.int64]:
    """The numbers starts[0], starts[0] + 1, … (counts[0] of them), then those from starts[1] on, and so on."""
    ends = np.cumsum(counts, dtype=np.int64)
    total = int(ends[-1]) if len(ends) else 0
    shifts = np.asarray(starts, dtype=np.int64) - (ends - counts)
    return np.asarray(np.arange(total, dtype=np.int64) + np.repeat(shifts, counts))
