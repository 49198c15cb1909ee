"""Vectors as an embedder should make them, whatever it does; a text that it cannot read keeps no other from its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from onrecord.errors import ModelError
from onrecord.guard import attempt
from onrecord.ports import Embedder

__all__ = ["FAINT", "vectors_of"]

FAINT = np.float32(1e-20)
"""Each number of the vector of a text that an embedder cannot read: it is near nothing."""

WELL = "Good morning."  # an embedder that cannot read this is not well


def vectors_of(embedder: Embedder, dimension: int, texts: Sequence[str]) -> NDArray[Any]:
    """A row of length 1 for each text, or of `FAINT` for one that the embedder cannot read. Raises ModelError if it is
    not well."""
    vectors, why = _asked(embedder, dimension, texts)
    if vectors is not None:
        return vectors
    if _asked(embedder, dimension, [WELL])[0] is None:
        raise ModelError(why, "Look at it.")
    each = [_asked(embedder, dimension, [text])[0] for text in texts]
    return np.concatenate([np.full((1, dimension), FAINT, np.float32) if one is None else one for one in each])


def _asked(embedder: Embedder, dimension: int, texts: Sequence[str]) -> tuple[NDArray[Any] | None, str]:
    """Vectors; or None, and what is wrong."""
    found, why = attempt(sum(map(len, texts)), lambda: np.asarray(embedder.embed(texts), np.float32))
    if found is None:
        return None, f"The embedder failed ({why})."
    if found.shape != (len(texts), dimension) or not np.isfinite(found).all():
        return None, "The embedder gave something else than a vector for each text."
    return np.asarray(found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-12)), ""
