"""Routes of episodes, arcs and consolidation."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from onrecord.records import Arc, Consolidation, Episode, EpisodeKind, Fact
from onrecord.service.bodies import AsOf, ByIdBody, Consolidate, NewEpisode, SessionId
from onrecord.service.calling import Read, Threaded, Write, in_turn
from onrecord.service.error_responses import FAILURES, Json
from onrecord.service.forms import listed
from onrecord.service.responses import Listed, answers

__all__ = ["router"]

router = APIRouter(tags=["Episodes"], responses=FAILURES, route_class=Threaded)


@router.get("/v1/episodes", operation_id="episodes", responses=answers(Listed[Episode]))
def episodes(
    call: Read,
    session: str | None = None,
    kind: Annotated[list[EpisodeKind] | None, Query()] = None,
    status: Annotated[str, Query(description="active, archived, or `all`.")] = "active",
    significance: Annotated[float, Query(ge=0, le=1, description="At least.")] = 0.0,
    as_of: AsOf = None,
) -> Json:
    """What happened, in order."""
    found = call.memory.episodes(
        session=session,
        kind=kind,
        status=None if status == "all" else status,
        significance=significance,
        as_of=as_of,
    )
    return Json(listed([one.to_dict() for one in found]))


@router.get("/v1/sessions/{session}/episodes", operation_id="session_episodes", responses=answers(Listed[Episode]))
def session_episodes(call: Read, session: SessionId) -> Json:
    """What happened in a conversation, in order."""
    return Json(listed([one.to_dict() for one in call.memory.session(session).episodes()]))


@router.post("/v1/sessions/{session}/episodes", operation_id="add_episode", responses=answers(Episode))
def add_episode(call: Write, session: SessionId, body: NewEpisode) -> Json:
    """Tell the memory of an episode."""
    return Json(call.memory.session(session).add_episode(**body.given()).to_dict())


@router.get("/v1/sessions/{session}/arc", operation_id="arc", responses=answers(Arc))
def arc(call: Read, session: SessionId) -> Json:
    """How the conversation went: its beginning, middle and end in short, and what mattered most."""
    return Json(call.memory.session(session).arc().to_dict())


@router.post("/v1/archive", operation_id="archive", responses=answers(Fact | Episode))
def archive(call: Write, body: ByIdBody) -> Json:
    """Take a fact or an episode out of use; `restore` brings it back."""
    return Json(call.memory.archive(body.id).to_dict())


@router.post("/v1/restore", operation_id="restore", responses=answers(Fact | Episode))
def restore(call: Write, body: ByIdBody) -> Json:
    """Bring a fact or an episode back into use that was archived or rejected."""
    return Json(call.memory.restore(body.id).to_dict())


@router.post("/v1/consolidate", operation_id="consolidate", responses=answers(Consolidation))
@in_turn
def consolidate(call: Write, body: Consolidate) -> Json:
    """Take out of use what faded, merge episodes that overlap, and say what was done and why."""
    return Json(call.memory.consolidate(dry_run=body.dry_run).to_dict())
