"""Searches with the probabilities that a test wants, whatever would be found to be likely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from recollect import Memory
from recollect.recall.hits import Hits

__all__ = ["likely"]


def likely(monkeypatch: pytest.MonkeyPatch, confidence: float | None, probabilities: Sequence[float | None]) -> None:
    """Have every search of a local memory say this of its best hits, and leave the others out."""
    search = Memory.search

    def with_these(self: Memory, text: str, **asked: Any) -> Hits:
        found = search(self, text, **asked)
        pairs = zip(found, probabilities, strict=False)
        hits = [replace(hit, probability=probability) for hit, probability in pairs]
        return Hits(hits, found.stages, found.notes, confidence)

    monkeypatch.setattr(Memory, "search", with_these)
