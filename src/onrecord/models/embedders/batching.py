"""What all embedders do with texts and rows: make texts fit to send, group them, check and scale the rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from onrecord.errors import ModelError

if TYPE_CHECKING:
    import numpy

    Rows = numpy.ndarray[Any, numpy.dtype[numpy.float32]]

__all__ = ["batches", "unit_rows", "whole"]


def whole(text: str) -> str:
    """Return the text with pairs of surrogates joined and single ones replaced, so that it can be encoded.

    >>> whole("\\ud83d\\ude00 \\ud83d") == "\\U0001f600 \\ufffd"
    True
    """
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def batches(sizes: Sequence[int], *, most: int, room: int) -> Iterator[list[int]]:
    """Yield positions, smallest first, in groups of at most `most` whose padded size stays within `room`.

    >>> list(batches([5, 1, 9, 2], most=2, room=10))
    [[1, 3], [0], [2]]
    """
    batch: list[int] = []
    for position in sorted(range(len(sizes)), key=sizes.__getitem__):
        if batch and (len(batch) == most or (len(batch) + 1) * sizes[position] > room):
            yield batch
            batch = []
        batch.append(position)
    if batch:
        yield batch


def unit_rows(rows: Rows, model: str) -> Rows:
    """Return the rows scaled to length 1. Raises `ModelError` where that cannot be."""
    import numpy

    lengths = numpy.linalg.norm(rows.astype(numpy.float64), axis=1, keepdims=True)
    if not (numpy.isfinite(lengths).all() and lengths.all()):
        raise ModelError(
            f"{model} gave a vector that has no direction: zeros, or numbers that are not finite.",
            "Try again; if it stays so, use another model.",
        )
    scaled: Rows = (rows / lengths).astype(numpy.float32)
    return scaled
