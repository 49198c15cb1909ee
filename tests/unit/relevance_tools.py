"""Searches with the probabilities that a test wants, whatever would be found to be likely."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from onrecord import Memory
from onrecord.recall.hits import Hits

__all__ = ["likely", "recall_everything"]


def likely(monkeypatch: pytest.MonkeyPatch, confidence: float | None, probabilities: Sequence[float | None]) -> None:
    """Have every search of a local memory say this of its best hits, and leave the others out."""
    search = Memory.search

    def with_these(self: Memory, text: str, **asked: Any) -> Hits:
        found = search(self, text, **asked)
        pairs = zip(found, probabilities, strict=False)
        hits = [replace(hit, probability=probability) for hit, probability in pairs]
        return Hits(hits, found.stages, found.notes, confidence, found.weights)

    monkeypatch.setattr(Memory, "search", with_these)


def recall_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have prompts recall whatever is found, however unlikely: for tests of how it is chosen, ordered and shown, in
    memories of a few messages."""
    monkeypatch.setattr("onrecord.context.recalled.CONFIDENT", 0.0)
    monkeypatch.setattr("onrecord.context.recalled.pays", lambda probability, tokens: True)
    monkeypatch.setattr("onrecord.context.pack.share_of_recall", lambda confidence: 1.0)
