"""What a space knows, as pages ask for it: facts with their status at a moment, and what stands around one of them.

The library's lists hold whole records. Here ten thousand facts are looked through for the hundred that are shown, and
nothing is built for the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime

from onrecord.derive.book import SpacePages
from onrecord.memory import Memory, engine_of
from onrecord.policy.validity import status_at, suspects
from onrecord.records import Episode, Fact, FactStatus, Message, Page, Relation
from onrecord.ui.drawing.graph import GraphEdge

__all__ = ["TELLS_OF", "KnowledgeView", "evidence", "opened", "telling"]

TELLS_OF = "tells_of"
"""How an episode stands to the facts of its messages."""

MOST_EVIDENCE = 12
"""Messages that are quoted for one fact."""


@dataclass(frozen=True, slots=True)
class KnowledgeView:
    """The book of a space, opened at a moment."""

    pages: SpacePages
    moment: datetime
    doubtful: frozenset[str]  # ids of facts that depend on something that does not hold

    def fact(self, id: str) -> Fact | None:
        """The fact that an id names, or that it became part of."""
        name = self.pages.merged.get(id, id)
        return next((fact for fact in self.beside(name) if fact.id == name), None)

    def among(self, ids: Iterable[str]) -> dict[str, Fact]:
        """The facts among many ids. One look through all facts costs less than a search for each."""
        wanted = set(ids)
        return {fact.id: fact for fact in self.pages.facts() if fact.id in wanted}

    def beside(self, id: str) -> tuple[Fact, ...]:
        """All that is known about the same as a fact: itself, what it replaced, and what replaced it."""
        claim = self.pages.claims.get(id)
        return () if claim is None else self.pages.resolved.get(self.pages.root(claim), ())

    def status(self, fact: Fact) -> FactStatus:
        """What a fact is at the moment."""
        return "suspect" if fact.id in self.doubtful else status_at(fact, self.moment)

    def facts(self) -> Iterator[tuple[Fact, FactStatus]]:
        """Every fact."""
        return ((fact, self.status(fact)) for fact in self.pages.facts())

    def relations(self, facts: Iterable[Fact]) -> list[GraphEdge]:
        """How these facts, and all that somebody related, stand to each other; the same as `Memory.relations`."""
        made = [self.pages.named(one) for one in self.pages.relations.values() if _is_there(self.pages, one)]
        found = [GraphEdge(source=one.source, target=one.target, type=one.type) for one in made]
        return list(dict.fromkeys([*found, *(edge for fact in facts for edge in _following(fact))]))

    def around(self, id: str, steps: int = 2) -> list[GraphEdge]:
        """The relations of a fact or episode, and those of what it is related to."""
        made = self.relations(())
        found: dict[GraphEdge, None] = {}
        seen, edge_of = {id}, {id}
        for _ in range(steps):
            here = [fact for fact in map(self.fact, sorted(edge_of)) if fact is not None]
            near = [edge for edge in made if edge.source in edge_of or edge.target in edge_of]
            near += [edge for fact in here for edge in (*_following(fact), *_leading(fact))]
            found.update(dict.fromkeys(near))
            edge_of = {end for edge in near for end in (edge.source, edge.target)} - seen
            seen |= edge_of
        return list(found)


@contextmanager
def opened(memory: Memory, moment: datetime | None = None) -> Iterator[KnowledgeView]:
    """The book of a space, for as long as the block lasts; nobody can write into it meanwhile, so keep it short."""
    facts = engine_of(memory).learned(memory.name).facts
    now = moment or facts.clock()
    with facts.book.locked():
        pages = facts.book.open(memory.name)
        next(pages.facts(), None)  # what waits for it is resolved
        known = KnowledgeView(pages, now, frozenset())
        made = [pages.named(one) for one in pages.relations.values()]
        ends = {id: fact for one in made for id in (one.source, one.target) if (fact := known.fact(id)) is not None}
        doubtful = suspects({id: status_at(fact, now) for id, fact in ends.items()}, made)
        yield KnowledgeView(pages, now, frozenset(doubtful))


def _is_there(pages: SpacePages, relation: Relation) -> bool:
    return pages.holds(relation.source) and pages.holds(relation.target)


def _following(fact: Fact) -> Iterator[GraphEdge]:
    """The relations that a fact itself says; of a contradiction, one of both says it."""
    for older in fact.supersedes:
        yield GraphEdge(source=fact.id, type="supersedes", target=older)
    for other in fact.contradicts:
        if fact.id < other:
            yield GraphEdge(source=fact.id, type="contradicts", target=other)


def _leading(fact: Fact) -> Iterator[GraphEdge]:
    """The relations that others say of a fact."""
    if fact.superseded_by:
        yield GraphEdge(source=fact.superseded_by, type="supersedes", target=fact.id)
    for other in fact.contradicts:
        if other < fact.id:
            yield GraphEdge(source=other, type="contradicts", target=fact.id)


def evidence(memory: Memory, fact: Fact) -> list[Message]:
    """The messages that say it, in this conversation and in others, the first ones of them."""
    with opened(memory) as known:
        said = [known.pages.claims[id] for id in (fact.id, *fact.confirmed) if id in known.pages.claims]
    places = dict.fromkeys((claim.session, seq) for claim in said for seq in claim.sources)
    found = []
    for session, seq in list(places)[:MOST_EVIDENCE]:
        found += engine_of(memory).store.messages(memory.name, session, Page(after=seq - 1, before=seq + 1, limit=1))
    return found


def telling(episodes: Iterable[Episode], facts: Iterable[str]) -> list[GraphEdge]:
    """Which episodes tell of some facts."""
    wanted = set(facts)
    return [GraphEdge(source=one.id, type=TELLS_OF, target=id) for one in episodes for id in one.links if id in wanted]
