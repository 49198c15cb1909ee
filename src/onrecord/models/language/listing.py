"""The models that a server has."""

from __future__ import annotations

from time import monotonic

from onrecord.errors import ModelError
from onrecord.models.model_server import Served

__all__ = ["Listing"]

KEPT = 60.0  # seconds; a model that was added meanwhile is found then


class Listing(Served):
    """What a server lists under `GET /models`. One that cannot be asked lists nothing."""

    def __init__(self, address: str) -> None:
        super().__init__(address, purpose="its models", timeout=3.0, retries=0)
        self._names: frozenset[str] = frozenset()
        self._until = 0.0

    def has(self, name: str) -> bool:
        """Whether a model of this name is among them; Ollama lists those without a tag as the latest."""
        if monotonic() >= self._until:
            try:
                with self._asking():
                    self._names = frozenset(one.id.removesuffix(":latest") for one in self._client().models.list())
            except ModelError:
                self._names = frozenset()
            self._until = monotonic() + KEPT
        return name.removesuffix(":latest") in self._names
