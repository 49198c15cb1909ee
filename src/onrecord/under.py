"""Parts under another profile: the same store, indexes and models, other rules.

A memory is opened with one profile; somebody who wants to know what another would show need not open it again. What is
seen so makes nothing by itself, runs no threads of its own, and is closed with the memory.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from onrecord.journal.clean import clean_choice
from onrecord.parts import Parts
from onrecord.ports import Embedder
from onrecord.profiles import PROFILES, Profile

if TYPE_CHECKING:
    from onrecord.derive.spending import Spending
    from onrecord.jobs.background import Worker
    from onrecord.recall.recaller import Recall

__all__ = ["under"]


def under(parts: Parts, profile: str | None) -> Parts:
    """The parts by the rules of a profile, made when it is first named; None or their own: as they are."""
    own = parts.own()
    if profile is None or profile == own.profile.name:
        return own
    name = clean_choice(profile, tuple(PROFILES), "profile")
    return own.others.get(name) or own.others.setdefault(name, _Under(own, PROFILES[name]))


class _Under(Parts):
    """What depends on the profile is made anew; the rest is that of the parts which the memory was opened with."""

    def __init__(self, first: Parts, profile: Profile) -> None:
        super().__init__(
            first.store,
            first.drafter,
            profile,
            first._counter,
            summarize="manual",
            debounce=first._debounce,
            model=None,
            embedder=None,
            upstream=first.choosing.upstream,
            reranker=None,
            index_bytes=first._index_bytes,
            **first._limits,
        )
        self._first = first
        self._elsewhere = first._elsewhere
        self.choosing = first.choosing
        self.knowing.accesses = first.knowing.accesses  # how often something was found is counted in one place

    @cached_property
    def embedder(self) -> Embedder | None:
        return self._first.embedder

    @cached_property
    def spending(self) -> Spending:
        return self._first.spending

    @cached_property
    def recall(self) -> Recall:
        from onrecord.recall.tiered import tiers_of

        return self._first.recall.ranked(tiers_of(self.profile), self.knowing.standing)

    @cached_property
    def worker(self) -> Worker[str]:
        return self._first.worker

    @cached_property
    def noting(self) -> Worker[str]:
        return self._first.noting
