"""One fact: what it says, who said it, since when it holds, how it stands to others, and what to do about it."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, timedelta
from heapq import nlargest
from typing import Annotated, Any

from fastapi import APIRouter, Form
from starlette.responses import Response

from onrecord.errors import NotFound
from onrecord.records import FACT_KINDS, RELATION_TYPES, Fact
from onrecord.service.bodies import Id
from onrecord.service.calling import Threaded
from onrecord.ui.drawing.graph import GraphEdge
from onrecord.ui.drawing.lifelines import Life, lifelines
from onrecord.ui.pages.fact_form import Told, as_fields
from onrecord.ui.pages.fact_graph import drawn
from onrecord.ui.pages.knowledge_view import KnowledgeView, evidence, opened, telling
from onrecord.ui.view import Look, LookErase, LookWrite, View

__all__ = ["router"]

router = APIRouter(include_in_schema=False, route_class=Threaded)

BRIEF = timedelta(days=4)  # within which days alone tell too little
MOST_LIVES = 40  # values of one thing, the newest
MOST_OTHERS = 60  # that are offered for a relation
MOST_NEAR = 24  # boxes around a fact


@router.get("/ui/facts/{id}")
def fact(look: Look, id: Id) -> Response:
    """One fact, as it stands now."""
    found = look.memory.fact(id)
    with opened(look.memory) as known:
        now = known.moment
        beside = [one.but(status=known.status(one)) for one in known.beside(found.id)] if found.attribute else []
        near = known.around(found.id)
        direct = [edge for edge in near if found.id in (edge.source, edge.target)]
        others = _others(known, found.id) if look.may("write") else []
        made = [known.pages.named(one) for one in known.pages.relations.values()]
    episodes = [one for one in look.memory.episodes(session=found.session, status=None) if found.id in one.links]
    values = {
        "fact": found,
        "fields": as_fields(found),
        "revived": _revived(look, found),
        "messages": evidence(look.memory, found),
        "history": [{**event, "time": datetime.fromisoformat(event["time"])} for event in found.history],
        "lives": _lives(beside, now),
        "episodes": episodes,
        "graph": drawn(look, [*near, *telling(episodes, [found.id])], MOST_NEAR, found.id),
        "related": _named(look, direct),
        "own_relations": {(one.source, one.type, one.target): one.id for one in made},
        "others": others,
        "all_kinds": FACT_KINDS,
        "all_types": RELATION_TYPES,
    }
    return look.page("fact.html", values, lambda: look.memory.fact(id).to_dict())


def _revived(look: View, fact: Fact) -> Fact | None:
    """What holds again when this one does not any more."""
    if fact.status != "active" or not fact.supersedes:
        return None
    with suppress(NotFound):  # it was forgotten
        return look.memory.fact(fact.supersedes[-1])
    return None


def _others(known: KnowledgeView, id: str) -> list[Fact]:
    """The newest facts that hold, to be related to."""
    held = (fact for fact, status in known.facts() if status == "active" and fact.id != id)
    return nlargest(MOST_OTHERS, held, key=lambda fact: (fact.said, fact.id))


def _lives(beside: list[Fact], now: datetime) -> dict[str, Any] | None:
    """Every value of the same thing as a line through time; None where there is but one."""
    if len(beside) < 2:
        return None
    shown = sorted(beside, key=lambda one: (one.valid_from, one.said, one.id))[-MOST_LIVES:]
    drawing = lifelines([Life(id=one.id, since=one.valid_from, until=one.valid_until) for one in shown], now)
    brief = drawing.days[-1] - drawing.days[0] < BRIEF
    rows = list(zip(shown, drawing.bars, strict=True))
    return {"rows": rows, "days": drawing.days, "brief": brief, "left": len(beside) - len(shown)}


def _named(look: View, edges: list[GraphEdge]) -> list[dict[str, Any]]:
    """Relations with the words of both ends."""
    with opened(look.memory) as known:
        episodes = known.pages.episodes

        def words(id: str) -> str:
            one = known.fact(id)
            return one.text if one is not None else episodes[id].title if id in episodes else id

        return [{"edge": edge, "source": words(edge.source), "target": words(edge.target)} for edge in edges]


@router.post("/ui/facts/{id}/edit")
def edit(look: LookWrite, id: Id, told: Told) -> Response:
    """Correct a fact: what differs from it is changed, and nothing else."""
    found = look.memory.fact(id)
    if changed := told.changes(found):
        look.memory.edit_fact(id, **changed)
    return look.go("facts", found.id)


@router.post("/ui/facts/{id}/promote")
def promote(look: LookWrite, id: Id) -> Response:
    """Take a fact for true."""
    return look.go("facts", look.memory.promote_fact(id).id)


@router.post("/ui/facts/{id}/reject")
def reject(look: LookWrite, id: Id) -> Response:
    """Say that a fact is not true."""
    return look.go("facts", look.memory.reject_fact(id).id)


@router.post("/ui/facts/{id}/archive")
def archive(look: LookWrite, id: Id) -> Response:
    """Take a fact out of use."""
    return look.go("facts", look.memory.archive(id).id)


@router.post("/ui/facts/{id}/restore")
def restore(look: LookWrite, id: Id) -> Response:
    """Bring a fact back into use."""
    return look.go("facts", look.memory.restore(id).id)


@router.post("/ui/facts/{id}/forget")
def forget(look: LookErase, id: Id) -> Response:
    """Erase a fact for good, and say how much went."""
    erased = look.memory.forget(fact=id)
    return look.go("facts", gone=erased.records, lingers="yes" if erased.pending else None)


@router.post("/ui/facts/{id}/relate")
def relate(look: LookWrite, id: Id, type: Annotated[str, Form()], target: Annotated[str, Form()]) -> Response:
    """Say how it stands to another."""
    look.memory.relate(id, type, target.strip())  # type: ignore[arg-type]
    return look.go("facts", id)


@router.post("/ui/facts/{id}/unrelate")
def unrelate(look: LookWrite, id: Id, relation: Annotated[str, Form()]) -> Response:
    """Take back what somebody said of how it stands to another."""
    look.memory.unrelate(relation)
    return look.go("facts", id)
