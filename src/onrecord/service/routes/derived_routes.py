"""Routes of what is derived from a conversation, or written beside it: summaries, important data, pins."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from onrecord.errors import InvalidInput, NotFound
from onrecord.records import Estimate, ImportantData, Pin, Summaries, Summary
from onrecord.service import bodies, responses
from onrecord.service.paging import summaries_page
from onrecord.service.routing import api_router, in_turn
from onrecord.service.space_access import Read, Write

__all__ = ["router"]

router = api_router("Summaries and pins")


@router.get("/v1/sessions/{session}/summaries")
def summaries(
    call: Read,
    session: bodies.SessionId,
    plan: Annotated[str | None, Query(description="Only of this plan; `all`: other profiles' too.")] = None,
    level: Annotated[int | None, Query(ge=1, le=1_000)] = None,
    as_of: bodies.AsOf = None,
    cursor: bodies.Cursor = None,
) -> list[Summary]:
    """The summaries of the profile's plan, and those that were asked for."""
    found = call.memory.session(session).summaries(plan=plan, level=level, as_of=as_of)
    return summaries_page(list(found), plan, cursor)


@router.post("/v1/sessions/{session}/summaries")
@in_turn
def add_summary(call: Write, session: bodies.SessionId, body: bodies.NewSummary) -> Summary:
    """Store a summary that was made elsewhere; where one summary extends, later ones build on it."""
    return call.memory.session(session).add_summary(**body.given())


@router.post("/v1/sessions/{session}/summarize", response_model=responses.SummariesResponse)
@in_turn
def summarize(call: Write, session: bodies.SessionId, body: bodies.Range) -> Summaries:
    """Make every summary that is due; or, with numbers, one of that range, which nothing replaces."""
    return call.memory.session(session).summarize(**body.given())


@router.patch("/v1/sessions/{session}/summaries/{id}")
@in_turn
def edit_summary(call: Write, session: bodies.SessionId, id: bodies.Id, body: bodies.SummaryChange) -> Summary:
    """Correct a summary, which locks it; or only lock it, or let go of it."""
    chat = call.memory.session(session)
    if body.text is None and body.locked is None:
        raise InvalidInput("Nothing is to be changed.", "Send a text, or locked.")
    if body.text is not None:
        changed = chat.edit_summary(id, body.text)
    if body.locked is not None:
        changed = chat.lock_summary(id, body.locked)
    return changed


@router.get("/v1/sessions/{session}/summaries/{id}")
def summary(call: Read, session: bodies.SessionId, id: bodies.Id) -> Summary:
    """One summary."""
    for found in call.memory.session(session).summaries(plan="all"):
        if found.id == id:
            return found
    raise NotFound("There is no such summary in the session.", "List them: …/summaries?plan=all")


@router.get("/v1/sessions/{session}/estimate")
def estimate_session(call: Read, session: bodies.SessionId) -> Estimate:
    """What making the summaries that are due would take."""
    return call.memory.session(session).estimate()


@router.get("/v1/sessions/{session}/due")
def due(call: Read, session: bodies.SessionId) -> list[list[int]]:
    """The ranges of messages for which a summary is due and not made yet."""
    return [list(between) for between in call.memory.session(session).due()]


@router.get("/v1/sessions/{session}/important")
def important(call: Read, session: bodies.SessionId) -> ImportantData:
    """What must not be lost of the conversation, as far as it is summarised."""
    return call.memory.session(session).important()


@router.put("/v1/sessions/{session}/important")
def set_important(call: Write, session: bodies.SessionId, body: bodies.Important) -> ImportantData:
    """Replace what is known so far by this; what later messages bring is merged into it."""
    return call.memory.session(session).set_important(body.model_dump())


@router.get("/v1/sessions/{session}/pins")
def pins(
    call: Read, session: bodies.SessionId, as_of: bodies.AsOf = None, known_at: bodies.KnownAt = None
) -> list[Pin]:
    """The pins, the most important first; those of type "auto" are facts that pinned themselves."""
    return call.memory.session(session).pins(as_of=as_of, known_at=known_at)


@router.post("/v1/sessions/{session}/pins")
def pin(call: Write, session: bodies.SessionId, body: bodies.NewPin) -> Pin:
    """Pin a text, so that it is in every prompt that has room for it."""
    return call.memory.session(session).pin(**body.given())


@router.delete("/v1/sessions/{session}/pins/{id}")
def unpin(call: Write, session: bodies.SessionId, id: bodies.Id) -> responses.Removed:
    """Remove a pin. A fact that pinned itself stays a fact for searches, and stands in no prompt unasked again."""
    call.memory.session(session).unpin(id)
    return responses.Removed(removed=id)
