"""A circuit breaker: a model that fails again and again is left alone for a while.

    working ── failures in a row ──► resting ── after `rest` seconds, one call tries ──► working, or resting again

While it rests, every call fails at once and says when the model is asked again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any

from onrecord.errors import ModelError, ModelUnreachable
from onrecord.models.model_server import in_each_process
from onrecord.ports import Model, Reply

__all__ = ["GuardedModel"]


class GuardedModel:
    """A model around a model. Safe to share between threads."""

    def __init__(
        self, model: Model, clock: Callable[[], float] = time.monotonic, failures: int = 3, rest: float = 30.0
    ) -> None:
        self.name = model.name
        self.local = model.local
        self._model = model
        self._clock = clock
        self._limit = failures
        self._rest = rest
        self.begin_process()
        in_each_process(self)

    def begin_process(self) -> None:
        """Forget what the parent knows: a call that was on its way is the parent's, and would never end here."""
        self._lock = Lock()
        self._failed = 0  # times in a row
        self._last: ModelError | None = None
        self._rested = 0.0  # when it may be asked again
        self._trying = False  # whether the call that decides is on its way

    def __repr__(self) -> str:
        return f"<GuardedModel: {self._model!r}>"

    def complete(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        tokens: int,
        temperature: float = 0.1,
        schema: Mapping[str, Any] | None = None,
    ) -> Reply:
        """Return the model's answer. Raises `ModelError` while it rests."""
        with self._watching():
            return self._model.complete(messages, tokens=tokens, temperature=temperature, schema=schema)

    def stream(
        self, messages: Sequence[Mapping[str, Any]], *, tokens: int = 2_048, temperature: float = 0.7
    ) -> Iterator[str]:
        """Yield the model's answer. Whether it rests is seen when the first piece is asked for."""
        with self._watching():
            yield from self._model.stream(messages, tokens=tokens, temperature=temperature)

    def close(self) -> None:
        """Close the model, if it can be closed."""
        close = getattr(self._model, "close", None)
        if close is not None:
            close()

    @contextmanager
    def _watching(self) -> Iterator[None]:
        trial = self._enter()
        try:
            yield
        except ModelError as error:
            self._note(error, trial)
            raise
        except GeneratorExit:  # the reader of a stream had enough of it, which says nothing about the model
            raise
        else:
            self._note(None, trial)
        finally:
            if trial:
                with self._lock:
                    self._trying = False

    def _enter(self) -> bool:
        """Return whether this is the call that decides. Raises while the model rests."""
        with self._lock:
            if self._failed < self._limit:
                return False
            left = self._rested - self._clock()
            if left > 0 or self._trying:
                raise self._resting(left)
            self._trying = True
            return True

    def _note(self, error: ModelError | None, trial: bool) -> None:
        with self._lock:
            self._last = error
            self._failed = self._failed + 1 if error else 0
            # Calls that were already on their way when the rest began do not make it longer.
            if error and (trial or self._failed == self._limit):
                self._rested = self._clock() + self._rest

    def _resting(self, left: float) -> ModelError:
        kind = ModelUnreachable if isinstance(self._last, ModelUnreachable) else ModelError
        why, hint = (f" {self._last.what}", f"{self._last.hint} ") if self._last else ("", "")
        when = f"in {max(left, 1):.0f} s" if left > 0 else "just now; try again shortly"
        return kind(
            f"{self.name} failed {self._failed} times in a row and is left alone for a while.{why}",
            f"{hint}It is asked again {when}.",
        )
