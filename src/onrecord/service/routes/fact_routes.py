"""Routes of facts, of the relations between them, and of episodes."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from onrecord.records import (
    Arc,
    Consolidation,
    Episode,
    EpisodeKind,
    Fact,
    FactKind,
    Relation,
    RelationType,
)
from onrecord.service import bodies, responses
from onrecord.service.paging import facts_page
from onrecord.service.routing import api_router, in_turn
from onrecord.service.space_access import Read, Write

__all__ = ["episodes_router", "facts_router"]

facts_router, episodes_router = api_router("Facts"), api_router("Episodes")

Kinds = Annotated[list[FactKind] | None, Query(description="Only of this kind; may be repeated.")]
Statuses = Annotated[list[str] | None, Query(description="Only of this status, `all` for all; may be repeated.")]
Several = Annotated[list[str] | None, Query()]
Share = Annotated[float, Query(ge=0, le=1, description="At least.")]
Newest = Annotated[int | None, Query(ge=0, description="The newest so many.")]


@facts_router.get("/v1/facts")
def facts(
    call: Read,
    kind: Kinds = None,
    status: Statuses = None,
    as_of: bodies.AsOf = None,
    known_at: bodies.KnownAt = None,
    session: str | None = None,
    subject: str | None = None,
    attribute: str | None = None,
    categories: Several = None,
    tags: Several = None,
    importance: Share = 0.0,
    confidence: Share = 0.0,
    since: str | None = None,
    until: str | None = None,
    limit: Newest = None,
    cursor: bodies.Cursor = None,
) -> list[Fact]:
    """The facts of the space, in the order in which they were said; left out, the status is active."""
    found = call.memory.facts(
        kind=kind,
        status=_status(status),
        as_of=as_of,
        known_at=known_at,
        session=session,
        subject=subject,
        attribute=attribute,
        categories=categories,
        tags=tags,
        importance=importance,
        confidence=confidence,
        since=since,
        until=until,
        limit=limit,
    )
    return facts_page(found, cursor)


def _status(given: list[str] | None) -> str | list[str] | None:
    if given is None:
        return "active"
    return None if given == ["all"] else given


@facts_router.get("/v1/sessions/{session}/facts")
def session_facts(
    call: Read,
    session: bodies.SessionId,
    kind: Kinds = None,
    status: Statuses = None,
    as_of: bodies.AsOf = None,
    known_at: bodies.KnownAt = None,
    limit: Newest = None,
    cursor: bodies.Cursor = None,
) -> list[Fact]:
    """The facts of a conversation."""
    return facts(call, kind, status, as_of, known_at, session, limit=limit, cursor=cursor)


@facts_router.post("/v1/facts")
def add_fact(call: Write, body: bodies.AddFact) -> Fact:
    """Tell the memory a fact. With a subject and an attribute, it replaces what was known of the same before."""
    return call.memory.add_fact(**body.given())


@facts_router.get("/v1/facts/{id}")
def fact(call: Read, id: bodies.Id) -> Fact:
    """One fact, as it stands now."""
    return call.memory.fact(id)


@facts_router.patch("/v1/facts/{id}")
def edit_fact(call: Write, id: bodies.Id, body: bodies.Correction) -> Fact:
    """Correct a fact. What was extracted is kept; your correction stands in its place."""
    return call.memory.edit_fact(id, **body.given())


@facts_router.post("/v1/facts/{id}/promote")
def promote_fact(call: Write, id: bodies.Id) -> Fact:
    """Take a fact for true that was not sure enough."""
    return call.memory.promote_fact(id)


@facts_router.post("/v1/facts/{id}/reject")
def reject_fact(call: Write, id: bodies.Id) -> Fact:
    """Say that a fact is not true: what was known before holds again."""
    return call.memory.reject_fact(id)


@facts_router.get("/v1/relations")
def relations(
    call: Read,
    id: Annotated[str | None, Query(description="Only of this fact or episode.")] = None,
    type: RelationType | None = None,
    as_of: bodies.AsOf = None,
) -> list[Relation]:
    """Relations between facts and episodes, in both directions."""
    return call.memory.relations(id, type=type, as_of=as_of)


@facts_router.post("/v1/relations")
def relate(call: Write, body: bodies.NewRelation) -> Relation:
    """Say how one fact or episode stands to another."""
    return call.memory.relate(**body.given())


@facts_router.delete("/v1/relations/{id}")
def unrelate(call: Write, id: bodies.Id) -> responses.Removed:
    """Remove a relation that was made by hand."""
    call.memory.unrelate(id)
    return responses.Removed(removed=id)


# Episodes


@episodes_router.get("/v1/episodes")
def episodes(
    call: Read,
    session: str | None = None,
    kind: Annotated[list[EpisodeKind] | None, Query()] = None,
    status: Annotated[str, Query(description="active, archived, or `all`.")] = "active",
    significance: Annotated[float, Query(ge=0, le=1, description="At least.")] = 0.0,
    as_of: bodies.AsOf = None,
) -> list[Episode]:
    """What happened, in order."""
    wanted = None if status == "all" else status
    return call.memory.episodes(session=session, kind=kind, status=wanted, significance=significance, as_of=as_of)


@episodes_router.get("/v1/sessions/{session}/episodes")
def session_episodes(call: Read, session: bodies.SessionId) -> list[Episode]:
    """What happened in a conversation, in order."""
    return call.memory.session(session).episodes()


@episodes_router.post("/v1/sessions/{session}/episodes")
def add_episode(call: Write, session: bodies.SessionId, body: bodies.NewEpisode) -> Episode:
    """Tell the memory of an episode."""
    return call.memory.session(session).add_episode(**body.given())


@episodes_router.get("/v1/sessions/{session}/arc")
def arc(call: Read, session: bodies.SessionId) -> Arc:
    """How the conversation went: its beginning, middle and end in short, and what mattered most."""
    return call.memory.session(session).arc()


@episodes_router.post("/v1/archive")
def archive(call: Write, body: bodies.ByIdBody) -> Fact | Episode:
    """Take a fact or an episode out of use; `restore` brings it back."""
    return call.memory.archive(body.id)


@episodes_router.post("/v1/restore")
def restore(call: Write, body: bodies.ByIdBody) -> Fact | Episode:
    """Bring a fact or an episode back into use that was archived or rejected."""
    return call.memory.restore(body.id)


@episodes_router.post("/v1/consolidate")
@in_turn
def consolidate(call: Write, body: bodies.Consolidate) -> Consolidation:
    """Take out of use what faded, merge episodes that overlap, and say what was done and why."""
    return call.memory.consolidate(dry_run=body.dry_run)
