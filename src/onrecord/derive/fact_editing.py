"""Facts and relations for people and programs: listing them as they stand, and deciding about them.

What was extracted is never touched. A correction, a promotion, a rejection is a change that is written beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from onrecord.derive.accesses import Access, Accesses
from onrecord.derive.book import Book, SpacePages
from onrecord.derive.compare_and_set import Written, written
from onrecord.errors import NotFound
from onrecord.policy.decay import decay
from onrecord.ports import Clock, Counter, Ids, Store
from onrecord.records import (
    MANUAL,
    Change,
    Fact,
    FactFilter,
    Query,
    Record,
    Relation,
    RelationType,
    SessionInfo,
)

__all__ = ["Facts"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """The facts of one store."""

    store: Store
    book: Book
    accesses: Accesses
    ids: Ids
    clock: Clock
    counter: Counter

    # Reading

    def listed(self, space: str, wanted: FactFilter) -> list[Fact]:
        """Facts in the order in which they were said."""
        moment = wanted.past.moment or self.clock()
        with self.book.locked():
            pages = self.book.open(space).at_hand(wanted.past)
            found = [(fact, pages.last_said(fact)) for fact in pages.at(moment) if wanted.wants(fact)]
        known = self.accesses.of(space)
        told = [self._with_access(fact, known.get(fact.id), said, moment) for fact, said in found]
        return sorted(told, key=lambda fact: (fact.said, fact.session, fact.id))

    def one(self, space: str, id: str) -> Fact:
        """The fact that an id names, or that it became part of."""
        with self.book.locked():
            pages = self.book.open(space)
            fact = pages.one(id, self.clock())
            said = None if fact is None else pages.last_said(fact)
        if fact is None or said is None:
            raise NotFound(f"There is no fact {id!r} in space {space!r}.", "Give the id that facts() lists.")
        return self._with_access(fact, self.accesses.of(space).get(fact.id), said, self.clock())

    def _with_access(self, fact: Fact, access: Access | None, said: datetime, moment: datetime) -> Fact:
        times, last = (0, None) if access is None else access
        faded = round(decay(said if last is None else max(said, last), times, moment), 4)
        return fact.but(access_count=times, last_access=last, decay=faded)

    # Deciding

    def add(self, space: str, session: str, fact: Fact) -> Fact:
        """A fact that a person or program knows."""
        whole = replace(
            fact, id=self.ids.new("fact"), session=session, tokens=self.counter.text(fact.text), extracted=self.clock()
        )
        self._write(space, session, lambda: ([whole.record(MANUAL)], []))
        return self.one(space, whole.id)

    def change(
        self, space: str, id: str, status: str = "", values: Mapping[str, Any] | None = None, why: str = ""
    ) -> Fact:
        """Decide about a fact: correct it, promote it, reject it, take it out of use, bring it back."""
        fact = self.one(space, id)
        given = dict(values or {})
        if "text" in given:
            given["tokens"] = self.counter.text(given["text"])
        with self.book.locked():  # each claim that says the same has its own, which goes with its message
            pages = self.book.open(space)
            claims = pages.claims
            said = [claims[member] for member in (fact.id, *fact.confirmed) if member in claims]
            before = [change.time for claim in said for change in pages.changes.get(claim.id, ())]
        # What is decided last counts, also if the clock was set back.
        now = max([self.clock(), *(time + timedelta(microseconds=1) for time in before)])
        for session in dict.fromkeys(claim.session for claim in said):
            changes = [
                Change(
                    id=self.ids.new("change"),
                    of=claim.id,
                    session=session,
                    status=status,
                    values=given,
                    why=why,
                    time=now,
                )
                for claim in said
                if claim.session == session
            ]
            records = [_placed(change, claims[change.of]) for change in changes]
            self._write(space, session, lambda records=records: (records, []))  # type: ignore[misc]
        return self.one(space, fact.id)

    def forget(self, space: str, id: str) -> int:
        """Take a fact out for good, with everything that said the same, what was decided about it, and its relations.
        What rules find again in its messages stays forgotten. Answers how many records went."""
        fact = self.one(space, id)
        members = {fact.id, *fact.confirmed}
        with self.book.locked():
            pages = self.book.open(space)
            gone = [(pages.claims[member].session, "fact", member) for member in members]
            gone += [(one.session, "change", one.id) for of in members for one in pages.changes.get(of, ())]
            gone += [
                (pages.places[key], "relation", key) for key, one in pages.relations.items() if _joins(one, members)
            ]
            stays = [pages.claims[member] for member in members]
        # First all are said to be forgotten: stopped in between, none is taken for another fact.
        for session in dict.fromkeys(one.session for one in stays):
            held = [self._forgotten(one) for one in stays if one.session == session]
            self._write(space, session, lambda held=held: (held, []))  # type: ignore[misc]
        for session in dict.fromkeys(where for where, _, _ in gone):
            drops = [(kind, key) for where, kind, key in gone if where == session]
            self._write(space, session, lambda drops=drops: ([], drops), forgets=True)  # type: ignore[misc]
        return len(gone)

    def _forgotten(self, fact: Fact) -> Record:
        change = Change(
            id=self.ids.new("change"), of=fact.id, session=fact.session, status="forgotten", time=self.clock()
        )
        return _placed(change, fact)

    # Relations

    def relate(self, space: str, source: str, type: RelationType, target: str, strength: float) -> Relation:
        """Say how one fact or episode stands to another."""
        place = self._place(space, source)
        self._place(space, target)
        relation = Relation(
            id=self.ids.new("relation"), source=source, type=type, target=target, strength=strength, since=self.clock()
        )
        body = {name: value for name, value in relation.to_dict().items() if name != "id"}
        record = Record(
            session=place,
            kind="relation",
            plan=MANUAL,
            key=relation.id,
            locked=True,
            recipe="hand",
            time=relation.since,
            body=body,
        )
        self._write(space, place, lambda: ([record], []))
        return relation

    def unrelate(self, space: str, id: str) -> None:
        with self.book.locked():
            place = self.book.open(space).places.get(id)
        if place is None:
            raise NotFound(f"There is no relation {id!r} in space {space!r}.", "Give the id that relations() lists.")
        self._write(space, place, lambda: ([], [("relation", id)]))

    def relations(self, space: str, id: str | None, type: str | None, as_of: datetime | None) -> list[Relation]:
        """Relations, those that somebody made and those that follow from the facts; of one fact or episode, both those
        that begin and those that end there."""
        moment = as_of or self.clock()
        with self.book.locked():
            pages = self.book.open(space)
            there = {fact.id: fact for fact in pages.at(moment)}
            made = [pages.named(one) for one in pages.relations.values() if _known(pages, one)]
            asked = None if id is None else pages.merged.get(id, id)
        found = [one for one in made if as_of is None or one.since <= moment]
        found += [one for one in _following(there.values()) if one.since <= moment]
        chosen = [one for one in found if type in (None, one.type) and (asked is None or _joins(one, {asked}))]
        return sorted(chosen, key=lambda one: (one.since, one.source, one.type, one.target))

    def _place(self, space: str, id: str) -> str:
        """The session that holds a fact or episode."""
        with self.book.locked():
            pages = self.book.open(space)
            held = pages.claims.get(id) or pages.episodes.get(id)
        if held is None:
            raise NotFound(
                f"There is no fact or episode {id!r} in space {space!r}.",
                "Give an id that facts() or episodes() lists.",
            )
        return held.session

    def _write(self, space: str, session: str, make: Callable[[], Written], *, forgets: bool = False) -> None:
        """Write to a session as it is, unless what it is about went meanwhile."""

        def made(info: SessionInfo | None) -> Written:
            records, drops = make()
            if self._lost(space, session, records, info) or _beyond(records, info):
                raise NotFound("What it comes from was forgotten meanwhile.", "See facts().")
            return records, drops

        written(self.store, self.clock, space, session, made, forgets=forgets)

    def _lost(self, space: str, session: str, records: Sequence[Record], info: SessionInfo | None) -> bool:
        """Whether a change is about something that is not there any more."""
        changed = [str((record.body or {}).get("of", "")) for record in records if record.kind == "change"]
        ends = [str((record.body or {}).get("status", "")) for record in records if record.kind == "change"]
        if not changed or "forgotten" in ends:
            return False
        held = self.store.records(space, session, Query(kind="fact", key=changed[0]))
        return info is None or not (held or self.store.records(space, session, Query(kind="episode", key=changed[0])))


def _beyond(records: Sequence[Record], info: SessionInfo | None) -> bool:
    """Whether something comes from messages that the session does not have, and so can never be written."""
    return max((record.until for record in records), default=0) > (0 if info is None else info.last_seq)


def _placed(change: Change, fact: Fact) -> Record:
    return change.record(min(fact.sources, default=0), max(fact.sources, default=0))


def _joins(relation: Relation, ids: set[str]) -> bool:
    return relation.source in ids or relation.target in ids


def _known(pages: SpacePages, relation: Relation) -> bool:
    """Whether both ends are still there."""
    return all(id in pages.claims or id in pages.episodes for id in (relation.source, relation.target))


def _following(facts: Any) -> Iterator[Relation]:
    """The relations that the view of the facts says."""
    for fact in facts:
        for older in fact.supersedes:
            yield Relation(source=fact.id, type="supersedes", target=older, since=fact.valid_from, derived=True)
        for other in fact.contradicts:
            if fact.id < other:
                yield Relation(source=fact.id, type="contradicts", target=other, since=fact.said, derived=True)
