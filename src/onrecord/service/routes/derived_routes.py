"""Routes of what is derived from a conversation, or written beside it: summaries, important data, pins."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query

from onrecord.errors import InvalidInput, NotFound
from onrecord.records import Estimate, ImportantData, Pin, Summary
from onrecord.service.bodies import (
    AsOf,
    Cursor,
    Id,
    Important,
    KnownAt,
    NewPin,
    NewSummary,
    Range,
    SessionId,
    SummaryChange,
)
from onrecord.service.calling import Read, Threaded, Write, in_turn
from onrecord.service.error_responses import FAILURES, Json
from onrecord.service.forms import listed, summaries_form
from onrecord.service.paging import summaries_page
from onrecord.service.responses import Listed, Removed, SummariesResponse, answers
from onrecord.session import Session

__all__ = ["router"]

router = APIRouter(tags=["Summaries and pins"], responses=FAILURES, route_class=Threaded)


@router.get("/v1/sessions/{session}/summaries", operation_id="summaries", responses=answers(Listed[Summary]))
def summaries(
    call: Read,
    session: SessionId,
    plan: Annotated[str | None, Query(description="Only of this plan; `all`: other profiles' too.")] = None,
    level: Annotated[int | None, Query(ge=1, le=1_000)] = None,
    as_of: AsOf = None,
    cursor: Cursor = None,
) -> Json:
    """The summaries of the profile's plan, and those that were asked for."""
    found = call.memory.session(session).summaries(plan=plan, level=level, as_of=as_of)
    return Json(summaries_page(list(found), plan, cursor))


@router.post("/v1/sessions/{session}/summaries", operation_id="add_summary", responses=answers(Summary))
@in_turn
def add_summary(call: Write, session: SessionId, body: NewSummary) -> Json:
    """Store a summary that was made elsewhere; where one summary extends, later ones build on it."""
    given = body.important.model_dump()
    added = call.memory.session(session).add_summary(body.text, body.last, first=body.first, important=given)
    return Json(added.to_dict())


@router.post("/v1/sessions/{session}/summarize", operation_id="summarize", responses=answers(SummariesResponse))
@in_turn
def summarize(call: Write, session: SessionId, body: Range) -> Json:
    """Make every summary that is due; or, with numbers, one of that range, which nothing replaces."""
    done = call.memory.session(session).summarize(body.first, body.last, profile=body.profile)
    return Json(summaries_form(done))


@router.patch("/v1/sessions/{session}/summaries/{id}", operation_id="edit_summary", responses=answers(Summary))
@in_turn
def edit_summary(call: Write, session: SessionId, id: Id, body: SummaryChange) -> Json:
    """Correct a summary, which locks it; or only lock it, or let go of it."""
    chat = call.memory.session(session)
    if body.text is None and body.locked is None:
        raise InvalidInput("Nothing is to be changed.", "Send a text, or locked.")
    if body.text is not None:
        changed = chat.edit_summary(id, body.text)
    if body.locked is not None:
        changed = chat.lock_summary(id, body.locked)
    return Json(changed.to_dict())


@router.get("/v1/sessions/{session}/summaries/{id}", operation_id="summary", responses=answers(Summary))
def summary(call: Read, session: SessionId, id: Id) -> Json:
    """One summary."""
    return Json(_summary(call.memory.session(session), id).to_dict())


def _summary(chat: Session, id: str) -> Summary:
    for one in chat.summaries(plan="all"):
        if one.id == id:
            return one
    raise NotFound("There is no such summary in the session.", "List them: …/summaries?plan=all")


@router.get("/v1/sessions/{session}/estimate", operation_id="estimate_session", responses=answers(Estimate))
def estimate_session(call: Read, session: SessionId) -> Json:
    """What making the summaries that are due would take."""
    return Json(call.memory.session(session).estimate().to_dict())


@router.get("/v1/sessions/{session}/due", operation_id="due", responses=answers(Listed[list[int]]))
def due(call: Read, session: SessionId) -> Json:
    """The ranges of messages for which a summary is due and not made yet."""
    return Json(listed([list(one) for one in call.memory.session(session).due()]))


@router.get("/v1/sessions/{session}/important", operation_id="important", responses=answers(ImportantData))
def important(call: Read, session: SessionId) -> Json:
    """What must not be lost of the conversation, as far as it is summarised."""
    return Json(call.memory.session(session).important().to_dict())


@router.put("/v1/sessions/{session}/important", operation_id="set_important", responses=answers(ImportantData))
def set_important(call: Write, session: SessionId, body: Important) -> Json:
    """Replace what is known so far by this; what later messages bring is merged into it."""
    given: dict[str, Any] = body.model_dump()
    return Json(call.memory.session(session).set_important(given).to_dict())


@router.get("/v1/sessions/{session}/pins", operation_id="pins", responses=answers(Listed[Pin]))
def pins(call: Read, session: SessionId, as_of: AsOf = None, known_at: KnownAt = None) -> Json:
    """The pins, the most important first; those of type "auto" are facts that pinned themselves."""
    return Json(listed([one.to_dict() for one in call.memory.session(session).pins(as_of=as_of, known_at=known_at)]))


@router.post("/v1/sessions/{session}/pins", operation_id="pin", responses=answers(Pin))
def pin(call: Write, session: SessionId, body: NewPin) -> Json:
    """Pin a text, so that it is in every prompt that has room for it."""
    return Json(call.memory.session(session).pin(**body.given()).to_dict())


@router.delete("/v1/sessions/{session}/pins/{id}", operation_id="unpin", responses=answers(Removed))
def unpin(call: Write, session: SessionId, id: Id) -> Json:
    """Remove a pin. A fact that pinned itself stays a fact for searches, and stands in no prompt unasked again."""
    call.memory.session(session).unpin(id)
    return Json({"removed": id})
