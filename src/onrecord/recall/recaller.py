"""The door of this room: searches, and what keeps the index of a space complete.

An embedder may be replaced by another. Vectors of two embedders are never compared, so as long as a space's vectors by
the new one are not all made, the old ones serve it, if the old embedder is at hand.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy

from onrecord.errors import ModelError
from onrecord.ports import Embedder, Progress, Reranker, Store
from onrecord.recall.current import Stands, everything
from onrecord.recall.hits import Hits
from onrecord.recall.search import Search
from onrecord.recall.spaces import BATCH, WORDS_ONLY, Spaces
from onrecord.recall.tiered import Tiers
from onrecord.records import SearchOutcome, SearchRequest

__all__ = ["Recall"]


class Recall:
    """Searches the spaces of one store."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder | None,
        *,
        most_bytes: int,
        tiers: Tiers | None = None,
        reranker: Reranker | None = None,
        stands: Stands = everything,
        count: Callable[[str], int] = len,
        earlier: Callable[[str], Embedder | None] = lambda name: None,
    ) -> None:
        self._store = store
        self._most = most_bytes
        self._tiers = tiers
        self._reranker = reranker
        self._stands = stands
        self._count = count
        self._earlier = earlier
        self._own = Spaces(store, embedder, most_bytes)
        self._words = Spaces(store, None, most_bytes)  # serve while the embedder cannot be asked
        self._others: dict[str, Spaces] = {}  # by plan, of embedders that were used before
        self._settled: set[str] = set()  # spaces that the embedder of today serves

    @property
    def bytes(self) -> dict[str, int]:
        """About how much memory the index of each space at hand takes."""
        return self._own.bytes

    def search(self, space: str, asked: SearchRequest) -> Hits:
        """The best hits, with what was done to find them."""
        spaces, notes = self._serving(space)
        return self._search(spaces).search(space, asked, notes)

    def outcome(self, space: str, asked: SearchRequest) -> SearchOutcome:
        """The items that a prompt may recall, and how likely it is that the answer is there."""
        spaces, notes = self._serving(space)
        outcome = self._search(spaces).outcome(space, asked)
        outcome.notes = [*notes, *outcome.notes]
        return outcome

    def worth_writing(self, space: str) -> bool:
        """Whether enough came since the last blocks were written."""
        return self._own.waiting(space) >= BATCH

    def at_hand(self, space: str) -> bool:
        """Whether the index of a space is there, and should be kept up."""
        return self._own.at_hand(space)

    def keep_up(self, space: str, going: Callable[[], bool]) -> None:
        """Make the vectors of what just came; and, when there is enough, write them."""
        if not self._own.fill(space) or self.worth_writing(space):
            self.catch_up(space, going=going)

    def catch_up(self, space: str, progress: Progress | None = None, going: Callable[[], bool] = lambda: True) -> int:
        """Make every vector that is missing, and write the index; answers how many blocks were written."""
        written = self._own.catch_up(space, progress, going=going)
        plans = self._store.plans(space)
        if written == 0 and self._own.plan not in plans:
            self._own.forget_written(space)
            written = self._own.catch_up(space, progress, going=going)
            plans = self._store.plans(space)
        if self._own.plan != WORDS_ONLY and self._own.plan in plans and self._own.whole(space):
            for plan in plans:
                if plan != self._own.plan:
                    self._store.drop_blocks(space, plan)
            self._settled.add(space)
            self._others.clear()
        return written

    def close(self) -> None:
        """Write what is known by now; the rest is made another time."""
        for space in self._own.bytes:
            self._own.catch_up(space, embed=False)

    def ranked(self, tiers: Tiers | None, stands: Stands) -> Recall:
        """The same indexes, searched by the rules of another profile."""
        other = copy(self)
        other._tiers, other._stands = tiers, stands
        return other

    def _search(self, spaces: Spaces) -> Search:
        return Search(spaces, self._stands, tiers=self._tiers, reranker=self._reranker, count=self._count)

    def _serving(self, space: str) -> tuple[Spaces, list[str]]:
        """The indexes that answer for a space, and what is wrong with them."""
        try:
            return self._chosen(space), []
        except ModelError as error:
            return self._words, [f"Found by words alone: {error.what}"]

    def _chosen(self, space: str) -> Spaces:
        if self._own.dimension == 0 or space in self._settled:
            return self._own
        plans = [plan for plan in self._store.plans(space) if plan not in (self._own.plan, WORDS_ONLY)]
        if plans and not self._own.whole(space):
            for plan in plans:
                if plan not in self._others and (embedder := self._earlier(plan)) is not None:
                    earlier = Spaces(self._store, embedder, self._most)
                    if earlier.dimension:  # asked for here, where it may fail
                        self._others[plan] = earlier
                if plan in self._others:
                    return self._others[plan]
        if self._store.revision(space).exists:
            self._settled.add(space)
        return self._own
