"""Whether spaces can be searched, prompted from and asked for facts: tried now and then in those that were asked last.

An error here is one that a caller would get as a 500. A few spaces are tried, at most every half minute, so that
what it costs does not grow with the service.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from threading import Lock
from time import monotonic
from typing import NamedTuple

from onrecord.errors import OnrecordError
from onrecord.guard import skipped
from onrecord.memory import Memory, engine_of

__all__ = ["Readiness", "Tried"]

SPACES = 4  # that are tried
EVERY = 30.0  # seconds between two tries
QUESTION = "What was decided?"
TOKENS = 1_000  # of the prompt that is built


class Tried(NamedTuple):
    """What came of the last try."""

    spaces: int = 0  # that were tried
    failing: int = 0  # of them, those that fail
    unreadable: int = 0  # messages in them that a recipe cannot read


class Readiness:
    """Tries the spaces of one memory."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._asked: OrderedDict[str, str | None] = OrderedDict()  # the conversation that was asked for last, by space
        self.tried = Tried()  # what came of the last try
        self._again = 0.0
        self._lock, self._trying = Lock(), Lock()

    def asked(self, space: str, session: str | None) -> None:
        """Remember that a space was asked for, and which conversation in it."""
        with self._lock:
            self._asked[space] = session or self._asked.get(space)
            self._asked.move_to_end(space)
            while len(self._asked) > SPACES:
                self._asked.popitem(last=False)

    def reach(self) -> None:
        """Ask the store for something. Raises `StoreError` if it does not answer."""
        engine_of(self._memory).store.session(self._memory.name, "ready")

    def look(self) -> None:
        """Try again, if the last try is old and no other thread is at it."""
        if monotonic() >= self._again and self._trying.acquire(blocking=False):
            try:
                with self._lock:
                    asked = dict(self._asked)
                fails = [self._fails(space, session) for space, session in asked.items()]
                marks = sum(1 for space in asked for _ in skipped(engine_of(self._memory).store, [space]))
                self.tried = Tried(len(fails), sum(fails), marks)
                self._again = monotonic() + EVERY
            finally:
                self._trying.release()

    def _fails(self, space: str, session: str | None) -> bool:
        memory = self._memory.space(space)
        try:
            memory.search(QUESTION, limit=1)
            memory.facts(limit=1)
            if session is not None:
                memory.session(session).context(QUESTION, tokens=TOKENS)
        except OnrecordError:
            return False  # it has a name, which callers receive
        except Exception as error:  # noqa: BLE001 - whatever it is, callers get it as a 500
            logging.getLogger("onrecord").warning("Search, facts or context fail in a space: %s.", type(error).__name__)
            return True
        return False
