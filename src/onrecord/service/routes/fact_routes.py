"""Routes of facts and of the relations between them."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query

from onrecord.records import Fact, FactKind, Relation, RelationType
from onrecord.service.bodies import AddFact, AsOf, Correction, Cursor, Id, KnownAt, NewRelation, SessionId
from onrecord.service.calling import Read, Threaded, Write
from onrecord.service.error_responses import FAILURES, Json
from onrecord.service.forms import listed
from onrecord.service.paging import facts_page
from onrecord.service.responses import Listed, Removed, answers

__all__ = ["router"]

router = APIRouter(tags=["Facts"], responses=FAILURES, route_class=Threaded)

Kinds = Annotated[list[FactKind] | None, Query(description="Only of this kind; may be repeated.")]
Statuses = Annotated[list[str] | None, Query(description="Only of this status, `all` for all; may be repeated.")]
Several = Annotated[list[str] | None, Query()]
Share = Annotated[float, Query(ge=0, le=1, description="At least.")]
Newest = Annotated[int | None, Query(ge=0, description="The newest so many.")]


@router.get("/v1/facts", operation_id="facts", responses=answers(Listed[Fact]))
def facts(
    call: Read,
    kind: Kinds = None,
    status: Statuses = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
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
    cursor: Cursor = None,
) -> Json:
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
    return Json(facts_page(found, cursor))


def _status(given: list[str] | None) -> str | list[str] | None:
    if given is None:
        return "active"
    return None if given == ["all"] else given


@router.get("/v1/sessions/{session}/facts", operation_id="session_facts", responses=answers(Listed[Fact]))
def session_facts(
    call: Read,
    session: SessionId,
    kind: Kinds = None,
    status: Statuses = None,
    as_of: AsOf = None,
    known_at: KnownAt = None,
    limit: Newest = None,
    cursor: Cursor = None,
) -> Json:
    """The facts of a conversation."""
    given: dict[str, Any] = {"kind": kind, "status": _status(status), "as_of": as_of, "known_at": known_at}
    most = {} if limit is None else {"limit": limit}
    return Json(facts_page(call.memory.session(session).facts(**given, **most), cursor))


@router.post("/v1/facts", operation_id="add_fact", responses=answers(Fact))
def add_fact(call: Write, body: AddFact) -> Json:
    """Tell the memory a fact. With a subject and an attribute, it replaces what was known of the same before."""
    return Json(call.memory.add_fact(**body.given()).to_dict())


@router.get("/v1/facts/{id}", operation_id="fact", responses=answers(Fact))
def fact(call: Read, id: Id) -> Json:
    """One fact, as it stands now."""
    return Json(call.memory.fact(id).to_dict())


@router.patch("/v1/facts/{id}", operation_id="edit_fact", responses=answers(Fact))
def edit_fact(call: Write, id: Id, body: Correction) -> Json:
    """Correct a fact. What was extracted is kept; your correction stands in its place."""
    return Json(call.memory.edit_fact(id, **body.given()).to_dict())


@router.post("/v1/facts/{id}/promote", operation_id="promote_fact", responses=answers(Fact))
def promote_fact(call: Write, id: Id) -> Json:
    """Take a fact for true that was not sure enough."""
    return Json(call.memory.promote_fact(id).to_dict())


@router.post("/v1/facts/{id}/reject", operation_id="reject_fact", responses=answers(Fact))
def reject_fact(call: Write, id: Id) -> Json:
    """Say that a fact is not true: what was known before holds again."""
    return Json(call.memory.reject_fact(id).to_dict())


@router.get("/v1/relations", operation_id="relations", responses=answers(Listed[Relation]))
def relations(
    call: Read,
    id: Annotated[str | None, Query(description="Only of this fact or episode.")] = None,
    type: RelationType | None = None,
    as_of: AsOf = None,
) -> Json:
    """Relations between facts and episodes, in both directions."""
    return Json(listed([one.to_dict() for one in call.memory.relations(id, type=type, as_of=as_of)]))


@router.post("/v1/relations", operation_id="relate", responses=answers(Relation))
def relate(call: Write, body: NewRelation) -> Json:
    """Say how one fact or episode stands to another."""
    made = call.memory.relate(body.source, body.type, body.target, strength=body.strength)
    return Json(made.to_dict())


@router.delete("/v1/relations/{id}", operation_id="unrelate", responses=answers(Removed))
def unrelate(call: Write, id: Id) -> Json:
    """Take a relation back that somebody made."""
    call.memory.unrelate(id)
    return Json({"removed": id})
