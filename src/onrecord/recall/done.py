"""How far the making of vectors has come."""

from __future__ import annotations

from onrecord.ports import Progress

__all__ = ["EmbeddingProgress"]


class EmbeddingProgress:
    """Tells how many items are done, as their vectors are made, so many at once."""

    def __init__(self, progress: Progress | None, batch: int, done: int) -> None:
        self._progress = progress
        self._batch = batch
        self._most: dict[int, int] = {}  # vectors that a block lacked at first
        self._done: dict[int, int] = {}  # items of a block that were told
        if progress is not None and done:
            progress(done)

    def block(self, number: int, items: int, missing: int) -> None:
        """So many vectors of a block of so many items are still missing."""
        most = self._most.setdefault(number, missing + self._batch)
        done = items - items * missing // most
        if self._progress is not None and done > self._done.get(number, 0):
            self._progress(done - self._done.get(number, 0))
            self._done[number] = done
