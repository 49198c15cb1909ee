"""How near each of some sentences is to what all of them are about, by their vectors."""

from __future__ import annotations

from collections.abc import Sequence

from onrecord.ports import Embedder

__all__ = ["central"]


def central(embedder: Embedder, texts: Sequence[str]) -> list[float]:
    """For each text how near it is to the mean of all, the nearest 1 and the farthest 0."""
    vectors = embedder.embed(texts)
    near = vectors @ vectors.mean(axis=0)
    spread = float(near.max() - near.min()) or 1.0
    return [float(one) for one in (near - near.min()) / spread]
