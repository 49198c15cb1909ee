"""One fact: its text, evidence, values over time, relations and history, and what can be done about it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form
from starlette.responses import Response

from onrecord.errors import NotFound
from onrecord.memory import Memory, engine_of
from onrecord.records import FACT_KINDS, RELATION_TYPES, Episode, Fact, Message, Relation
from onrecord.service.bodies import Id
from onrecord.service.routing import Threaded
from onrecord.ui.drawing.lifelines import lifelines
from onrecord.ui.pages.fact_graph import edges_of, graph_of, telling
from onrecord.ui.pages.facts_page import FactForm
from onrecord.ui.view import Look, LookErase, LookWrite, every_fact

__all__ = ["router"]

router = APIRouter(include_in_schema=False, route_class=Threaded)

BRIEF = timedelta(days=4)  # within which lifelines show hours
VALUES = 40  # of one attribute that are drawn, the newest
OTHERS = 60  # facts that are offered for a relation
NEAR = 24  # boxes around a fact
EVIDENCE = 12  # messages that are quoted


@router.get("/ui/facts/{id}")
def fact(look: Look, id: Id) -> Response:
    """Show one fact."""
    memory, found = look.memory, look.memory.fact(id)
    every, relations = every_fact(memory), memory.relations()
    near = _near(relations, found.id)
    episodes = [episode for episode in memory.episodes(session=found.session, status=None) if found.id in episode.links]
    ends = {end for relation in near for end in (relation.source, relation.target)}
    things = _things(memory, ends | {found.id}) | {episode.id: episode for episode in episodes}
    values = {
        "fact": found,
        "fields": FactForm.of(found),
        "revived": _revived(memory, found),
        "messages": _evidence(memory, found),
        "history": [{**event, "time": datetime.fromisoformat(event["time"])} for event in found.history],
        "lives": _lives(memory, found, every),
        "episodes": episodes,
        "graph": graph_of([*edges_of(near), *telling(episodes, [found.id])], things, NEAR, found.id),
        "related": [relation for relation in near if found.id in (relation.source, relation.target)],
        "others": [fact for fact in every if fact.status == "active"][:OTHERS] if look.may("write") else [],
        "all_kinds": FACT_KINDS,
        "all_types": RELATION_TYPES,
    }
    return look.page("fact.html", values, lambda: memory.fact(id).to_dict())


def _near(relations: Sequence[Relation], id: str) -> list[Relation]:
    """Return the relations of a fact, and those of what it is related to."""
    ids = {id}
    for _ in range(2):
        near = [relation for relation in relations if relation.source in ids or relation.target in ids]
        ids = {end for relation in near for end in (relation.source, relation.target)}
    return near


def _things(memory: Memory, ids: set[str]) -> dict[str, Fact | Episode]:
    """Return the facts and episodes with these ids."""
    found: dict[str, Fact | Episode] = {}
    for id in ids:
        with suppress(NotFound):
            found[id] = memory.fact(id)
    if len(found) < len(ids):
        found |= {episode.id: episode for episode in memory.episodes(status=None) if episode.id in ids}
    return found


def _revived(memory: Memory, fact: Fact) -> Fact | None:
    """Return the fact that is active again when this one is not any more."""
    if fact.status == "active" and fact.supersedes:
        with suppress(NotFound):  # it was forgotten
            return memory.fact(fact.supersedes[-1])
    return None


def _evidence(memory: Memory, fact: Fact) -> list[Message]:
    """Return the messages that the fact comes from."""
    chat = memory.session(fact.session)
    return [message for seq in fact.sources[:EVIDENCE] for message in chat.history(after=seq - 1, before=seq + 1)]


def _lives(memory: Memory, fact: Fact, every: Sequence[Fact]) -> dict[str, Any] | None:
    """Return every value of the fact's attribute as a line through time; None if there is only one."""
    about = fact.subject.casefold(), fact.attribute.casefold()
    same = [value for value in every if (value.subject.casefold(), value.attribute.casefold()) == about]
    if not fact.attribute or len(same) < 2:
        return None
    shown = sorted(same, key=lambda value: (value.valid_from, value.said, value.id))[-VALUES:]
    bars, days = lifelines([(value.valid_from, value.valid_until) for value in shown], engine_of(memory).drafter.now())
    rows = list(zip(shown, bars, strict=True))
    return {"rows": rows, "days": days, "brief": days[-1] - days[0] < BRIEF, "left": len(same) - len(shown)}


@router.post("/ui/facts/{id}/edit")
def edit(look: LookWrite, id: Id, form: Annotated[FactForm, Form()]) -> Response:
    """Correct what differs from the fact, and nothing else."""
    found = look.memory.fact(id)
    if changes := form.changes(found):
        look.memory.edit_fact(id, **changes)
    return look.go("facts", found.id)


@router.post("/ui/facts/{id}/forget")
def forget(look: LookErase, id: Id) -> Response:
    """Erase a fact for good, and report how much went."""
    erased = look.memory.forget(fact=id)
    return look.go("facts", gone=erased.records, lingers="yes" if erased.pending else None)


@router.post("/ui/facts/{id}/relate")
def relate(look: LookWrite, id: Id, type: Annotated[str, Form()], target: Annotated[str, Form()]) -> Response:
    """Relate a fact to another fact or an episode."""
    look.memory.relate(id, type, target.strip())  # type: ignore[arg-type]
    return look.go("facts", id)


@router.post("/ui/facts/{id}/unrelate")
def unrelate(look: LookWrite, id: Id, relation: Annotated[str, Form()]) -> Response:
    """Remove a relation that was made by hand."""
    look.memory.unrelate(relation)
    return look.go("facts", id)


@router.post("/ui/facts/{id}/{action}")
def decide(look: LookWrite, id: Id, action: Literal["promote", "reject", "archive", "restore"]) -> Response:
    """Promote, reject, archive or restore a fact."""
    memory = look.memory
    actions = {
        "promote": memory.promote_fact,
        "reject": memory.reject_fact,
        "archive": memory.archive,
        "restore": memory.restore,
    }
    return look.go("facts", actions[action](id).id)
