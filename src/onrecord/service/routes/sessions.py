"""Routes of spaces and sessions."""

from __future__ import annotations

from fastapi import APIRouter

from onrecord.errors import NotFound
from onrecord.records import Compression, Conversation, SessionInfo, Summary
from onrecord.service.bodies import Changes, Closing, Cursor, Limit, Rebuild, SessionId
from onrecord.service.calling import Read, Threaded, Write, in_turn
from onrecord.service.error_responses import FAILURES, Json
from onrecord.service.forms import listed
from onrecord.service.responses import Clean, CountResponse, Listed, Removed, answers

__all__ = ["router"]

router = APIRouter(tags=["Sessions"], responses=FAILURES, route_class=Threaded)


@router.get("/v1/spaces", operation_id="spaces", responses=answers(Listed[str]))
def spaces(call: Read) -> Json:
    """The spaces that hold something."""
    names = (call.caller.own(stored) for stored in call.memory.spaces())
    return Json(listed([name for name in names if name is not None]))


@router.get("/v1/sessions", operation_id="sessions", responses=answers(Listed[SessionInfo]))
def sessions(call: Read, limit: Limit = 100, cursor: Cursor = None) -> Json:
    """The conversations of the space, by id."""
    found = call.memory._store.sessions(call.memory.name, cursor or "", limit + 1)
    page = found[:limit]
    return Json(listed([one.to_dict() for one in page], page[-1].id if len(found) > limit else None))


@router.get("/v1/sessions/{session}", operation_id="info", responses=answers(SessionInfo))
def info(call: Read, session: SessionId) -> Json:
    """What is known of a session; there is none until something is written to it."""
    found = call.memory.session(session).info()
    if found.created is None:
        raise NotFound(f"There is no session {session!r}.", "It is made when something is first written to it.")
    return Json(found.to_dict())


@router.patch("/v1/sessions/{session}", operation_id="update", responses=answers(SessionInfo))
def update(call: Write, session: SessionId, body: Changes) -> Json:
    """Set title, status, model, system prompt or meta; what is left out stays."""
    return Json(call.memory.session(session).update(**body.given()).to_dict())


@router.get("/v1/sessions/{session}/conversation", operation_id="conversation", responses=answers(Conversation))
def conversation(call: Read, session: SessionId) -> Json:
    """The conversation at a glance: when, how long, what is recent, what is in short."""
    return Json(call.memory.session(session).conversation().to_dict())


@router.get("/v1/sessions/{session}/compression", operation_id="compression", responses=answers(Compression | None))
def compression(call: Read, session: SessionId) -> Json:
    """What stands for the messages that a prompt no longer shows; null while there is nothing."""
    found = call.memory.session(session).compression()
    return Json(None if found is None else found.to_dict())


@router.post("/v1/sessions/{session}/end", operation_id="end", responses=answers(Summary | None))
@in_turn
def end(call: Write, session: SessionId, body: Closing) -> Json:
    """End the conversation with a closing summary: yours, or one that is made; null if nothing was said."""
    made = call.memory.session(session).end(body.summary)
    return Json(None if made is None else made.to_dict())


@router.post("/v1/sessions/{session}/flush", operation_id="flush", responses=answers(Clean))
@in_turn
def flush(call: Write, session: SessionId) -> Json:
    """Finish what is under way for a session: summaries, vectors, and the disk."""
    return Json({"clean": call.memory.session(session).flush()})


@router.post("/v1/flush", operation_id="flush_space", responses=answers(Clean))
@in_turn
def flush_space(call: Write) -> Json:
    """Finish what is under way for the space."""
    return Json({"clean": call.memory.flush()})


@router.post("/v1/sessions/{session}/refresh", operation_id="refresh", responses=answers(SessionInfo))
def refresh(call: Write, session: SessionId) -> Json:
    """Forget what is kept at hand of a session; the next prompt reads all of it anew."""
    chat = call.memory.session(session)
    chat.refresh()
    return Json(chat.info().to_dict())


@router.post("/v1/sessions/{session}/clear", operation_id="clear", responses=answers(Removed))
@in_turn
def clear(call: Write, session: SessionId) -> Json:
    """Throw every summary of the profile's plan and all important data away; messages, pins and others stay."""
    return Json({"removed": call.memory.session(session).clear()})


@router.post("/v1/rebuild", operation_id="rebuild", responses=answers(CountResponse))
@in_turn
def rebuild(call: Write, body: Rebuild) -> Json:
    """Make every derived record of the space, or of one session, again; or, with `vectors`, every vector missing."""
    return Json({"made": call.memory.rebuild(session=body.session, vectors=body.vectors)})
