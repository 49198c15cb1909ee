"""Consolidation: takes out of use what faded, merges episodes that overlap, and says what it did and why.

Everything is a change beside the record, so it can be undone. A round writes to each session at once; killed in
between, the next one goes on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from onrecord.derive.accesses import Accesses
from onrecord.derive.book import Book
from onrecord.derive.episode_editing import standing_episodes
from onrecord.derive.fact_editing import Facts
from onrecord.errors import Outrun
from onrecord.policy.consolidating import ARCHIVED, MERGED, faded, over_many, overlapping
from onrecord.ports import Batch, Clock, Ids, Progress, Store
from onrecord.profiles import Profile
from onrecord.records import Change, Consolidated, Consolidation, FactFilter, Record

__all__ = ["Consolidator"]

BY = "consolidation"
_DAY = "consolidated"  # the counter that says on which day a space was last seen to
ATTEMPTS = 20
BATCH = 2_000  # changes that are written at once


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidator:
    """Consolidates the spaces of one store by a profile's rules."""

    store: Store
    book: Book
    facts: Facts
    accesses: Accesses
    ids: Ids
    clock: Clock
    profile: Profile

    def run(self, space: str, *, dry_run: bool = False, progress: Progress = lambda done: None) -> Consolidation:
        """See to a whole space."""
        now = self.clock()
        active = self.facts.listed(space, FactFilter())
        with self.book.locked():
            episodes = [one for one in standing_episodes(self.book.open(space)) if one.status == "active"]
        rules = self.profile
        steps = faded(active, now, days=rules.archive_days, floor=rules.archive_floor, spare=rules.spare_standing)
        merged = overlapping(episodes)
        gone = {step.id for step in merged}
        steps += merged
        steps += over_many([one for one in episodes if one.id not in gone], rules.episodes)
        if not dry_run:
            self._write(space, steps, now, progress)
            self._tidy(space)
            self.store.count(space, {}, {_DAY: _day(now)})
        return Consolidation(
            archived=sum(step.action == ARCHIVED for step in steps),
            merged=sum(step.action == MERGED for step in steps),
            tokens_reclaimed=sum(step.tokens for step in steps),
            kept=len(active) + len(episodes) - len(steps),
            refreshed=len(active),
            dry_run=dry_run,
            steps=tuple(steps),
        )

    def due(self, space: str) -> bool:
        """Whether the space was not consolidated today."""
        return self.store.tally(space, _DAY).get(_DAY, 0) < _day(self.clock())

    def _write(self, space: str, steps: Sequence[Consolidated], now: datetime, progress: Progress) -> None:
        with self.book.locked():
            pages = self.book.open(space)
            places = {id: (one.session, min(one.sources, default=0)) for id, one in pages.claims.items()}
            ends = {id: one.last for id, one in pages.episodes.items()}
            places |= {id: (one.session, one.first) for id, one in pages.episodes.items()}
            same: dict[str, list[str]] = {}  # each claim has its own change, which goes with its message
            for id, of in pages.merged.items():
                same.setdefault(of, []).append(id)
        by_session: dict[str, list[Record]] = {}
        for step in steps:
            why = f"{step.why}; part of {step.into}" if step.into else step.why
            for id in same.get(step.id, [step.id]):
                if id in places:  # otherwise it was forgotten meanwhile
                    session, first = places[id]
                    name = self.ids.new("change")
                    values = {"into": step.into} if step.into else {}
                    change = Change(
                        id=name, of=id, session=session, status=ARCHIVED, values=values, why=why, by=BY, time=now
                    )
                    by_session.setdefault(session, []).append(change.record(first, ends.get(id, first)))
        for session, records in by_session.items():
            for at in range(0, len(records), BATCH):
                self._commit(space, session, records[at : at + BATCH])
                progress(len(records[at : at + BATCH]))

    def _commit(self, space: str, session: str, records: Sequence[Record]) -> None:
        """Write changes of what is still there."""
        for _ in range(ATTEMPTS):
            info = self.store.session(space, session)
            if info is None:
                return
            with self.book.locked():
                pages = self.book.open(space)
                there = [record for record in records if pages.holds(str((record.body or {}).get("of", "")))]
            batch = Batch(
                space=space,
                session=session,
                records=there,
                unless_changed=info.changes,
                born=info.created,
                time=self.clock(),
            )
            try:
                if there:
                    self.store.commit(batch)
                return
            except Outrun:
                continue

    def _tidy(self, space: str) -> None:
        """Forget the accesses of what is gone."""
        with self.book.locked():
            pages = self.book.open(space)
            kept = [*pages.claims, *pages.episodes]
        self.accesses.forget(space, kept)


def _day(now: datetime) -> int:
    return now.toordinal()
