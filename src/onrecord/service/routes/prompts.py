"""Routes of prompts and of finding."""

from __future__ import annotations

from typing import Any

from onrecord.context.prompt import Context
from onrecord.errors import NotFound
from onrecord.recall.hits import Hits
from onrecord.service import bodies, responses
from onrecord.service.forms import context_form
from onrecord.service.routing import Computing, api_router
from onrecord.service.space_access import Read
from onrecord.session import preview

__all__ = ["router"]

router = api_router("Prompts", Computing)


@router.post("/v1/sessions/{session}/context", response_model=responses.Built)
def context(call: Read, session: bodies.SessionId, body: bodies.Build) -> dict[str, Any]:
    """The best prompt for a question that fits a budget."""
    built = call.memory.session(session).context(**body.given(bodies.Explain))
    call.desk.metrics.built(built.tokens)
    return context_form(built, body.format, body.manifest)


@router.post("/v1/sessions/{session}/explain", response_model=responses.Explained)
def explain(call: Read, session: bodies.SessionId, body: bodies.Explain) -> Context:
    """The same, with the reason for everything that is in it and that is not."""
    return preview(call.memory.session(session), **body.given())


@router.get("/v1/contexts/{id}", response_model=responses.Explained)
def context_built(call: Read, id: bodies.Id) -> Context:
    """Why everything is in a prompt that a chat request was passed on with; the newest few hundred can be looked at."""
    found = call.desk.contexts.get(call.memory.name, id)
    if found is None:
        raise NotFound(
            f"There is no prompt {id[:64]!r} at hand.", "Only the newest are kept, by the process they ran in."
        )
    return found


@router.post("/v1/search", response_model=responses.SearchResponse)
def search(call: Read, body: bodies.Find) -> Hits:
    """Find what the space holds about a text, the best first."""
    return call.memory.search(**body.given())


@router.post("/v1/sessions/{session}/search", response_model=responses.SearchResponse)
def search_session(call: Read, session: bodies.SessionId, body: bodies.FindHere) -> Hits:
    """Find what a conversation holds about a text."""
    return call.memory.session(session).search(**body.given())
