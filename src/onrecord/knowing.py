"""Knowing: what a memory keeps for long, wired: facts, episodes, relations, and what keeps them in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from onrecord.journal.drafting import Drafter
from onrecord.ports import Model, Store
from onrecord.profiles import Profile
from onrecord.records import NOW, KnownFacts, Past, SessionInfo

if TYPE_CHECKING:
    from onrecord.derive.accesses import Accesses
    from onrecord.derive.book import Book
    from onrecord.derive.consolidation import Consolidator
    from onrecord.derive.episode_editing import Episodes
    from onrecord.derive.fact_editing import Facts
    from onrecord.derive.fact_reader import FactReader
    from onrecord.derive.knowledge import CurrentKnowledge, Knowledge
    from onrecord.derive.learner import Learner
    from onrecord.derive.spending import Bill, Spending

__all__ = ["Knowing"]


class Knowing:
    """The long memory of one store, each part made when it is first taken."""

    def __init__(
        self,
        store: Store,
        drafter: Drafter,
        profile: Profile,
        models: Callable[[SessionInfo], Model | None],
        spending: Callable[[], Spending],
    ) -> None:
        self._store = store
        self._drafter = drafter
        self._profile = profile
        self._models = models
        self._spending = spending

    @cached_property
    def book(self) -> Book:
        from onrecord.derive.book import Book

        return Book(self._store, alone=not self._profile.shared, promoted_at=self._profile.promoted_at)

    @cached_property
    def accesses(self) -> Accesses:
        from onrecord.derive.accesses import Accesses

        return Accesses(self._store)

    @cached_property
    def facts(self) -> Facts:
        from onrecord.derive.fact_editing import Facts

        return Facts(
            store=self._store,
            book=self.book,
            accesses=self.accesses,
            ids=self._drafter.ids,
            clock=self._drafter.now,
            counter=self._drafter.counter,
        )

    @cached_property
    def episodes(self) -> Episodes:
        from onrecord.derive.episode_editing import Episodes

        return Episodes(
            store=self._store,
            book=self.book,
            accesses=self.accesses,
            ids=self._drafter.ids,
            clock=self._drafter.now,
            counter=self._drafter.counter,
        )

    @cached_property
    def consolidator(self) -> Consolidator:
        from onrecord.derive.consolidation import Consolidator

        return Consolidator(
            store=self._store,
            book=self.book,
            facts=self.facts,
            accesses=self.accesses,
            ids=self._drafter.ids,
            clock=self._drafter.now,
            profile=self._profile,
        )

    @cached_property
    def learner(self) -> Learner:
        from onrecord.derive.learner import Learner

        return Learner(self._store, self._drafter.now, self._drafter.counter)

    @cached_property
    def reader(self) -> FactReader:
        from onrecord.derive.fact_reader import FactReader
        from onrecord.derive.leases import Claims

        return FactReader(
            store=self._store,
            clock=self._drafter.now,
            counter=self._drafter.counter,
            spending=self._spending(),
            models=self._models,
            claims=Claims(self._store, self._drafter.now),
        )

    def learn(
        self,
        space: str,
        session: str,
        *,
        rounds: int | None = None,
        insist: bool = False,
        going: Callable[[], bool] = lambda: True,
    ) -> str:
        """Facts and episodes of a session, by rules; and facts by a model, where the profile wants that. Returns what
        was in the model's way, if anything."""
        if self._profile.learns:
            self.learner.catch_up(space, session, rounds=rounds, going=going)
        if self._profile.learns and self._profile.model_facts:
            return self.reader.catch_up(space, session, insist=insist, going=going)
        return ""

    def readings(self, space: str, session: str, bill: Bill) -> int:
        """How many groups of messages a model would read for facts; what that takes comes on the bill."""
        wanted = self._profile.learns and self._profile.model_facts
        return self.reader.estimate(space, session, bill) if wanted else 0

    def rebuild(self, space: str, session: str) -> None:
        """Throw away what was learned from a session, and learn it again."""
        if self._profile.learns:
            self.learner.rebuild(space, session)
        self.learn(space, session, insist=True)

    @cached_property
    def knowledge(self) -> Knowledge:
        from onrecord.derive.knowledge import Knowledge

        return Knowledge(self.book, self._profile, self._drafter.now)

    @cached_property
    def standing(self) -> CurrentKnowledge:
        from onrecord.derive.knowledge import CurrentKnowledge

        return CurrentKnowledge(self.book, self.accesses, self._drafter.now)

    def known(self, space: str, session: str, past: Past = NOW) -> KnownFacts:
        """What belongs into a prompt unasked."""
        if not self._profile.auto_pins and not self._profile.facts:
            return KnownFacts()
        return self.knowledge.known(space, session, past)

    def taken(self, space: str, ids: Iterable[str], write: Callable[[str], None]) -> None:
        """Facts and episodes were found; `write` is told when there is enough to write."""
        found = list(ids)
        if found and self.accesses.note(space, found, self._drafter.now()):
            write(space)

    def write(self) -> None:
        """Write what was only noted."""
        if "accesses" in vars(self):
            self.accesses.write_all()
