"""A model that fails again and again is left alone for a while, so that nobody waits for it in vain.

    working ── failures in a row ──► resting ── after `rest` seconds, one call tries ──► working, or resting again

While it rests, every call fails at once and says when the model is asked again. After a fork the child begins afresh: a
call that was on its way is the parent's, and would never end here.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any

from onrecord.errors import ModelError, ModelUnreachable
from onrecord.ports import Model, Reply

__all__ = ["GuardedModel"]


class _BreakerState:
    """How the model fares, as one process knows it."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.failed = 0  # times in a row
        self.last: ModelError | None = None
        self.rested = 0.0  # when it may be asked again
        self.trying = False  # whether the call that decides is on its way


class GuardedModel:
    """A model around a model. Safe to share between threads."""

    def __init__(
        self, model: Model, clock: Callable[[], float] = time.monotonic, failures: int = 3, rest: float = 30.0
    ) -> None:
        self._model = model
        self._clock = clock
        self._failures = failures
        self._rest = rest
        self._by_process: dict[int, _BreakerState] = {}

    def __repr__(self) -> str:
        return f"<Guarded: {self._model!r}>"

    @property
    def name(self) -> str:
        """The model's own."""
        return self._model.name

    @property
    def local(self) -> bool:
        """The model's own."""
        return self._model.local

    def complete(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        tokens: int,
        temperature: float = 0.1,
        schema: Mapping[str, Any] | None = None,
    ) -> Reply:
        """The model's answer, unless it rests."""
        with self._watching():
            return self._model.complete(messages, tokens=tokens, temperature=temperature, schema=schema)

    def stream(
        self, messages: Sequence[Mapping[str, Any]], *, tokens: int = 2_048, temperature: float = 0.7
    ) -> Iterator[str]:
        """The model's answer, unless it rests. Whether it rests is seen when the first piece is asked for."""
        with self._watching():
            yield from self._model.stream(messages, tokens=tokens, temperature=temperature)

    def close(self) -> None:
        """Close the model, if it can be closed."""
        close = getattr(self._model, "close", None)
        if close is not None:
            close()

    @property
    def _state(self) -> _BreakerState:
        return self._by_process.setdefault(os.getpid(), _BreakerState())

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
                state = self._state
                with state.lock:
                    state.trying = False

    def _enter(self) -> bool:
        """Whether this is the call that decides; raises while the model rests."""
        state = self._state
        with state.lock:
            if state.failed < self._failures:
                return False
            left = state.rested - self._clock()
            if left > 0 or state.trying:
                raise self._resting(state, left)
            state.trying = True
            return True

    def _note(self, error: ModelError | None, trial: bool) -> None:
        state = self._state
        with state.lock:
            state.last = error
            state.failed = state.failed + 1 if error else 0
            # Calls that were already on their way when the rest began do not make it longer.
            if error and (trial or state.failed == self._failures):
                state.rested = self._clock() + self._rest

    def _resting(self, state: _BreakerState, left: float) -> ModelError:
        kind = ModelUnreachable if isinstance(state.last, ModelUnreachable) else ModelError
        why, hint = (f" {state.last.what}", f"{state.last.hint} ") if state.last else ("", "")
        when = f"in {max(left, 1):.0f} s" if left > 0 else "just now; try again shortly"
        return kind(
            f"{self.name} failed {state.failed} times in a row and is left alone for a while.{why}",
            f"{hint}It is asked again {when}.",
        )
