"""Parts: what a memory is made of. Each is made when it is first taken, so that nobody loads what they do not use."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from recollect.journal.drafting import Drafter
from recollect.ports import Counter, Embedder, Progress, Reranker, Store
from recollect.profiles import Profile
from recollect.records import Asked, Found, SessionInfo

if TYPE_CHECKING:
    from recollect.context.engine import ContextBuilder
    from recollect.derive.deriver import Deriver
    from recollect.derive.notes import Notes
    from recollect.derive.upkeep import Upkeep
    from recollect.jobs.worker import Worker
    from recollect.recall.hits import Hits
    from recollect.recall.recall import Recall

__all__ = ["Parts", "kept_whatever_happens"]

PAUSE = 0.1  # seconds that the background waits for more to come
ENOUGH = 64  # messages that are worth making vectors of, in the background
_Answer = TypeVar("_Answer")


class Parts:
    """What a memory is made of: its store, and the paths through it, each made when it is first taken."""

    def __init__(
        self,
        store: Store,
        drafter: Drafter,
        profile: Profile,
        counter: Callable[[SessionInfo], Counter],
        *,
        derives: bool,
        embedder: str | Embedder | None,
        reranker: Reranker | None,
        index_bytes: int,
    ) -> None:
        self.store = store
        self.drafter = drafter
        self.profile = profile
        self.derives = derives  # whether derived records are kept up to date by themselves
        self._counter = counter
        self._embedder = embedder
        self._reranker = reranker
        self._index_bytes = index_bytes
        self._added: dict[str, int] = {}  # messages since the index of a space was last seen to
        self._process = os.getpid()

    @cached_property
    def deriver(self) -> Deriver:
        from recollect.derive.deriver import Deriver

        return Deriver(self.store, self.profile, self.drafter.counter, self.drafter.now)

    @cached_property
    def upkeep(self) -> Upkeep:
        from recollect.derive.upkeep import Upkeep

        return Upkeep(self.store, self.deriver, self.profile.strategy, self.drafter.now)

    @cached_property
    def notes(self) -> Notes:
        from recollect.derive.nodes import NodeMaker
        from recollect.derive.notes import Notes

        maker = NodeMaker(profile=self.profile, counter=self.drafter.counter)
        return Notes(store=self.store, maker=maker, ids=self.drafter.ids, clock=self.drafter.now)

    @cached_property
    def embedder(self) -> Embedder | None:
        from recollect.models.embedders import embedder_named

        given = self._embedder
        return embedder_named(given) if given is None or isinstance(given, str) else given

    @cached_property
    def recall(self) -> Recall:
        from recollect.models.embedders import earlier_embedder
        from recollect.recall.recall import Recall

        return Recall(
            self.store,
            self.embedder,
            most_bytes=self._index_bytes,
            tiered=self.profile.name == "tiered",
            reranker=self._reranker,
            earlier=earlier_embedder,
        )

    @cached_property
    def worker(self) -> Worker:
        from recollect.jobs.worker import Worker

        recall = self.recall  # made here: a process that forks while another thread imports would hang in its child
        return Worker(recall.keep_up, PAUSE)

    @cached_property
    def builder(self) -> ContextBuilder:
        from recollect.context.engine import ContextBuilder

        return ContextBuilder(self.store, self.profile, self._counter, self.drafter.now, self.found)

    def search(self, space: str, asked: Asked) -> Hits:
        """What a space holds about something, for people."""
        return self._after_a_look(space, self.own().recall.search(space, asked))

    def found(self, space: str, asked: Asked) -> tuple[list[Found], list[str]]:
        """What a space holds about something, for a prompt, and what could not be done as usual."""
        return self._after_a_look(space, self.own().recall.found(space, asked))

    def added(self, space: str, count: int) -> None:
        """Have vectors made in the background once enough messages came."""
        waiting = self._added[space] = self._added.get(space, 0) + count
        enough = waiting >= ENOUGH or ("recall" in vars(self) and self.own().recall.at_hand(space))
        if enough and self.embedder is not None:
            self._added[space] = 0
            self.own().worker.wake(space)

    def index(self, space: str, progress: Progress | None = None) -> int:
        """Make every vector that is missing, and write the index; answers how many parts of it were written."""
        return self.own().recall.catch_up(space, progress) if self.embedder is not None else 0

    def finish(self, space: str) -> None:
        """The same where a failing embedder is no reason to fail: what is missing is made another time."""
        with kept_whatever_happens():
            self.index(space)

    def _after_a_look(self, space: str, answer: _Answer) -> _Answer:
        """What a search found not to be written yet is written in the background."""
        if self.recall.worth_writing(space):
            self.worker.wake(space)
        return answer

    def own(self) -> Parts:
        """The same; in a process that was forked, without the threads and locks of its parent."""
        if self._process != os.getpid():
            self._process = os.getpid()
            for name in ("recall", "worker", "builder"):
                vars(self).pop(name, None)
        return self

    def close(self) -> None:
        """End what runs in the background, and write what is known of the indexes."""
        if self._process != os.getpid():
            return  # they are the parent's
        if "worker" in vars(self):
            self.worker.stop()
        if "recall" in vars(self):
            with kept_whatever_happens():
                self.recall.close()


@contextmanager
def kept_whatever_happens() -> Iterator[None]:
    """Around what follows a write that is on disk: an error here must not look as if it were not, or it would be done
    again. What was not derived now is derived with a later message, or by `summarize`."""
    try:
        yield
    except Exception as error:  # noqa: BLE001 - whatever it is, the caller's message is kept
        # Only the kind: what an error says may quote the conversation, and a log is no place for that.
        logging.getLogger("recollect").warning("Nothing was derived: %s.", type(error).__name__)
