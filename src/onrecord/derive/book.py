"""What is known of a space for long, as it stands: facts, episodes and relations, following the store.

Facts are resolved by what they are about (`policy.validity`): when one arrives, only those about the same thing are
looked at again. After anything was removed, all is read anew. Nothing here writes.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from heapq import heappop, heappush
from itertools import count
from typing import NamedTuple

from onrecord.policy.validity import key_of_fact, resolve, status_at, suspects
from onrecord.ports import Revision, Store
from onrecord.records import (
    EPOCH,
    Change,
    Episode,
    Fact,
    FactStatus,
    Past,
    Record,
    Relation,
)

__all__ = ["Book", "InForce", "SpacePages"]

SPACES = 64  # at hand at once
FOLLOWED = ("fact", "episode", "change", "relation")
_PAGE = 2_048
_STAMPS = count()  # never the same twice in a process, whatever is thrown away in between

Root = tuple[str, str, str]
"""The session (where facts of two do not bear on each other), subject and attribute that facts are resolved under."""


class InForce(NamedTuple):
    """The facts that hold at a moment."""

    facts: tuple[Fact, ...]
    doubtful: tuple[Fact, ...]  # those that would, but depend on something that does not any more
    stamp: object  # equal stamps: nothing changed


@dataclass(slots=True)
class SpacePages:
    """One space, as the store has it."""

    alone: bool  # facts of different sessions do not bear on each other
    promoted_at: float
    revision: Revision = field(default_factory=Revision)
    version: int = 0  # counts what changed
    claims: dict[str, Fact] = field(default_factory=dict)  # as extracted, by id
    changes: defaultdict[str, list[Change]] = field(default_factory=lambda: defaultdict(list))  # by what they change
    relations: dict[str, Relation] = field(default_factory=dict)  # that somebody made, by id
    places: dict[str, str] = field(default_factory=dict)  # the session of a relation, by id
    episodes: dict[str, Episode] = field(default_factory=dict)  # as made, by id
    # Claims by what they are about.
    about: defaultdict[Root, set[str]] = field(default_factory=lambda: defaultdict(set))
    joined: dict[Root, Root] = field(default_factory=dict)  # what an edit brought together
    resolved: dict[Root, tuple[Fact, ...]] = field(default_factory=dict)
    waiting: set[Root] = field(default_factory=set)  # to be resolved again
    merged: dict[str, str] = field(default_factory=dict)  # the fact that a claim became part of, by its id
    live: dict[Root, tuple[Fact, ...]] = field(default_factory=dict)  # facts in force at the moment `seen`
    seen: datetime = EPOCH
    stale: set[Root] = field(default_factory=set)  # to be looked at again
    turns: list[tuple[datetime, Root]] = field(default_factory=list)  # when facts begin or end by themselves; a heap
    held: dict[str, InForce] = field(default_factory=dict)  # the same by session, "" of all; until something changes
    told: tuple[int, Sequence[Episode]] | None = None  # the version, and its episodes with status and facts

    # Following

    def take(self, record: Record) -> None:
        if record.body is None:
            return
        self.version += 1
        self.held.clear()
        if record.kind == "fact":
            fact = Fact.of(record)
            self.claims[fact.id] = fact
            self._touch(fact)
        elif record.kind == "change":
            change = Change.of_record(record)
            self.changes[change.of].append(change)
            if change.of in self.claims:
                self._touch(self.claims[change.of])
        elif record.kind == "episode":
            self.episodes[record.key] = Episode.of(record)
        else:
            self.relations[record.key] = _relation(record)
            self.places[record.key] = record.session

    def _touch(self, fact: Fact) -> None:
        """It is to be resolved again, with all that is about the same."""
        root = self.root(fact)
        self.about[root].add(fact.id)
        self.waiting.add(root)

    def root(self, fact: Fact) -> Root:
        root: Root = (fact.session if self.alone else "", *key_of_fact(fact))
        while root in self.joined:
            root = self.joined[root]
        return root

    # Answering

    def facts(self) -> Iterator[Fact]:
        """Every fact, resolved, whatever its status."""
        self._settle()
        for found in self.resolved.values():
            yield from found

    def _settle(self) -> None:
        """Resolve what waits for it."""
        while self.waiting:
            root = self.waiting.pop()
            if root in self.about and not self._resolve(root):
                self.waiting.add(root)

    def _resolve(self, root: Root) -> bool:
        """Resolve what is about one thing. False: an edit made some of it about another, and both are one now."""
        ids = self.about[root]
        found = tuple(resolve((self.claims[id] for id in ids), self.changes, self.promoted_at))
        others = {self.root(fact) for fact in found} - {root} if not self.changes.keys().isdisjoint(ids) else set()
        for other in others:
            self.joined[other] = root
            self.about[root] |= self.about.pop(other, set())
            self.resolved.pop(other, None)
            self.stale.add(other)
        if not others:
            self.resolved[root] = found
            self.stale.add(root)
            self.merged.update({id: id for id in ids})
            self.merged.update({other: fact.id for fact in found for other in fact.confirmed})
        return not others

    def at(self, moment: datetime) -> Iterator[Fact]:
        """Every fact with its status at a moment."""
        found = [(fact, status_at(fact, moment)) for fact in self.facts()]
        statuses: dict[str, FactStatus] = {fact.id: status for fact, status in found}
        doubtful = suspects(statuses, map(self.named, self.relations.values()))
        for fact, status in found:
            now: FactStatus = "suspect" if fact.id in doubtful else status
            yield fact if now == fact.status else fact.but(status=now)

    def one(self, id: str, moment: datetime) -> Fact | None:
        """The fact that an id names, or that it became part of, with its status at a moment."""
        self._settle()
        name = self.merged.get(id, id)
        claim = self.claims.get(name)
        about = () if claim is None else self.resolved.get(self.root(claim), ())
        found = next((fact for fact in about if fact.id == name), None)
        if found is None:
            return None
        if self._has_dependents():
            return next(fact for fact in self.at(moment) if fact.id == name)
        status = status_at(found, moment)
        return found if status == found.status else found.but(status=status)

    def _has_dependents(self) -> bool:
        return any(relation.type == "depends_on" for relation in self.relations.values())

    def named(self, relation: Relation) -> Relation:
        """A relation with the ids of the facts that its ends are part of by now."""
        source, target = (self.merged.get(id, id) for id in (relation.source, relation.target))
        return (
            relation
            if (source, target) == (relation.source, relation.target)
            else replace(relation, source=source, target=target)
        )

    def holds(self, id: str) -> bool:
        """Whether there is such a fact or episode."""
        return id in self.claims or id in self.episodes

    def texted(self, id: str) -> str:
        """The change that gave a fact the text it has; empty: it is as it was extracted."""
        given = [change for change in self.changes.get(id, ()) if "text" in change.values]
        return max(given, key=lambda change: (change.time, change.id)).id if given else ""

    def over(self, moment: datetime) -> Iterator[Fact]:
        """What was said and does not hold any more at a moment."""
        for found in self.resolved.values():
            if len(found) > 1 or any(fact.status == "rejected" for fact in found):
                yield from (fact for fact in found if status_at(fact, moment) in ("superseded", "rejected"))

    def in_use(self, episode: str) -> bool:
        """Whether an episode is not archived."""
        changes = sorted(self.changes.get(episode, ()), key=lambda change: (change.time, change.id))
        return next((one.status for one in reversed(changes) if one.status), "active") == "active"

    def last_said(self, fact: Fact) -> datetime:
        """When it was said for the last time."""
        return max([fact.said, *(self.claims[id].said for id in fact.confirmed)])

    def in_force(self, session: str, now: datetime) -> InForce:
        """The facts in force of the space, or of one session; only what changed since is looked at again."""
        self._settle()
        if now < self.seen:
            self.stale |= self.about.keys()
        while self.turns and self.turns[0][0] <= now:
            self.stale.add(heappop(self.turns)[1])
        if self.stale:
            self.held.clear()
            self._look(now)
        self.seen = now
        if session not in self.held:
            facts = [fact for found in self.live.values() for fact in found if not session or fact.session == session]
            doubtful = self._doubtful(now)
            self.held[session] = InForce(
                tuple(fact for fact in facts if fact.id not in doubtful),
                tuple(fact for fact in facts if fact.id in doubtful),
                next(_STAMPS),
            )
        return self.held[session]

    def _look(self, now: datetime) -> None:
        """See which of the stale facts are in force."""
        for root in self.stale:
            found = self.resolved.get(root, ())
            active = tuple(fact for fact in found if status_at(fact, now) == "active")
            if active:
                self.live[root] = tuple(
                    fact if fact.status == "active" else fact.but(status="active") for fact in active
                )
            else:
                self.live.pop(root, None)
            for fact in found:
                decided = (change.time for id in (fact.id, *fact.confirmed) for change in self.changes.get(id, ()))
                for turn in (fact.valid_from, fact.valid_until, *decided):  # by another's clock, or if ours went back
                    if turn is not None and turn > now:
                        heappush(self.turns, (turn, root))
        self.stale.clear()

    def _doubtful(self, now: datetime) -> set[str]:
        """Ids of facts in force that depend on what does not hold any more."""
        if not self._has_dependents():
            return set()
        return {fact.id for fact in self.at(now) if fact.status == "suspect"}

    def at_hand(self, past: Past) -> SpacePages:
        """The pages that a look at another moment sees."""
        return self if past.known_at is None else self.known_at(past.known_at)

    def known_at(self, moment: datetime) -> SpacePages:
        """The pages as they were at a moment: without what was said or decided later."""
        past = SpacePages(self.alone, self.promoted_at)
        for fact in self.claims.values():
            if fact.said <= moment:
                past.claims[fact.id] = fact
        for of, changes in self.changes.items():
            past.changes[of] = [change for change in changes if change.time <= moment]
        for fact in past.claims.values():
            past._touch(fact)
        past.relations = {id: one for id, one in self.relations.items() if one.since <= moment}
        past.episodes = {id: one for id, one in self.episodes.items() if one.ended <= moment}
        return past


class Book:
    """The pages of the spaces of one store that were used last."""

    def __init__(self, store: Store, *, alone: bool, promoted_at: float) -> None:
        self._store = store
        self._alone = alone
        self._promoted_at = promoted_at
        self._pages: OrderedDict[str, SpacePages] = OrderedDict()
        self._lock = threading.RLock()

    def open(self, space: str) -> SpacePages:
        """The pages of a space as the store has it now."""
        with self._lock:
            pages = self._pages.pop(space, None)
            now = self._store.revision(space)
            if pages is None or (now.born, now.removed) != (pages.revision.born, pages.revision.removed):
                pages = SpacePages(self._alone, self._promoted_at, version=pages.version + 1 if pages else 0)
            if now != pages.revision:
                self._follow(space, pages, now)
            if now.exists:
                self._pages[space] = pages
            while len(self._pages) > SPACES:
                self._pages.popitem(last=False)
            return pages

    def locked(self) -> threading.RLock:
        """Whoever reads pages holds this: others may bring them up to date."""
        return self._lock

    def _follow(self, space: str, pages: SpacePages, now: Revision) -> None:
        after = pages.revision.newest if pages.revision.born == now.born else 0
        newest = now.newest
        while after < newest:
            arrivals = self._store.feed(space, after, _PAGE, FOLLOWED)
            if not arrivals:
                break
            for arrival in arrivals:
                if isinstance(arrival.item, Record):
                    pages.take(arrival.item)
            after = arrivals[-1].number
            newest = max(newest, after)
        pages.revision = now._replace(newest=newest)


def _relation(record: Record) -> Relation:
    body = dict(record.body or {})
    return Relation(
        id=record.key,
        source=str(body.get("source", "")),
        type=body.get("type", "related_to"),
        target=str(body.get("target", "")),
        strength=float(body.get("strength", 1.0)),
        since=datetime.fromisoformat(body["since"]) if "since" in body else record.time,
    )
