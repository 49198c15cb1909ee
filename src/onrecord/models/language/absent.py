"""A model that is named and not there: whoever asks it is told so, and nothing goes to another in its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from onrecord.errors import ModelUnreachable
from onrecord.ports import Reply

__all__ = ["AbsentModel"]


class AbsentModel:
    """Cannot be asked."""

    local = True

    def __init__(self, name: str, why: str) -> None:
        self.name = name
        self._why = why

    def complete(self, messages: Sequence[Mapping[str, Any]], **how: Any) -> Reply:
        raise ModelUnreachable(self._why, "Give the session a model that is there: update(model=…).")

    def stream(self, messages: Sequence[Mapping[str, Any]], **how: Any) -> Iterator[str]:
        raise ModelUnreachable(self._why, "Give the session a model that is there: update(model=…).")
