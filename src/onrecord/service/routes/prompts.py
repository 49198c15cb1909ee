"""Routes of prompts and of finding."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from onrecord.errors import NotFound
from onrecord.service.bodies import Build, Explain, Find, FindHere, Id, SessionId
from onrecord.service.calling import Read
from onrecord.service.error_responses import FAILURES, Json
from onrecord.service.forms import context_form, hits_form
from onrecord.service.quick import Quick
from onrecord.service.responses import Built, Explained, SearchResponse, answers
from onrecord.session import preview

__all__ = ["router"]

router = APIRouter(tags=["Prompts"], responses=FAILURES, route_class=Quick)


@router.post("/v1/sessions/{session}/context", operation_id="context", responses=answers(Built))
def context(call: Read, session: SessionId, body: Build) -> Json:
    """The best prompt for a question that fits a budget."""
    built = call.memory.session(session).context(**_given(body))
    call.desk.metrics.built(built.tokens)
    return Json(context_form(built, body.format, body.manifest))


@router.post("/v1/sessions/{session}/explain", operation_id="explain", responses=answers(Explained))
def explain(call: Read, session: SessionId, body: Explain) -> Json:
    """The same, with the reason for everything that is in it and that is not."""
    return Json(preview(call.memory.session(session), **_given(body)).to_dict())


def _given(body: Explain) -> dict[str, Any]:
    return {name: getattr(body, name) for name in Explain.model_fields}


@router.get("/v1/contexts/{id}", operation_id="context_built", responses=answers(Explained))
def context_built(call: Read, id: Id) -> Json:
    """Why everything is in a prompt that a chat request was passed on with; the newest few hundred can be looked at."""
    found = call.desk.contexts.get(call.memory.name, id)
    if found is None:
        raise NotFound(f"There is no prompt {id[:64]!r} at hand.", "Only the newest are kept, by their process.")
    return Json(found.to_dict())


@router.post("/v1/search", operation_id="search", responses=answers(SearchResponse))
def search(call: Read, body: Find) -> Json:
    """Find what the space holds about a text, the best first."""
    return Json(hits_form(call.memory.search(**body.given())))


@router.post("/v1/sessions/{session}/search", operation_id="search_session", responses=answers(SearchResponse))
def search_session(call: Read, session: SessionId, body: FindHere) -> Json:
    """Find what a conversation holds about a text."""
    return Json(hits_form(call.memory.session(session).search(**body.given())))
