"""Routes of spaces and sessions."""

from __future__ import annotations

from onrecord.errors import NotFound
from onrecord.records import Compression, Conversation, SessionInfo, Summary
from onrecord.service import bodies, responses
from onrecord.service.routing import api_router, in_turn
from onrecord.service.space_access import Read, Write

__all__ = ["router"]

router = api_router("Sessions")


@router.get("/v1/spaces")
def spaces(call: Read) -> list[str]:
    """The spaces that hold something."""
    names = (call.caller.own(stored) for stored in call.memory.spaces())
    return [name for name in names if name is not None]


@router.get("/v1/sessions")
def sessions(call: Read, limit: bodies.Limit = 100, cursor: bodies.Cursor = None) -> list[SessionInfo]:
    """The conversations of the space, by id."""
    found = call.desk.store.sessions(call.memory.name, cursor or "", limit + 1)
    return responses.PageOfList(found[:limit], found[limit - 1].id if len(found) > limit else None)


@router.get("/v1/sessions/{session}")
def info(call: Read, session: bodies.SessionId) -> SessionInfo:
    """What is known of a session; there is none until something is written to it."""
    found = call.memory.session(session).info()
    if found.created is None:
        raise NotFound(f"There is no session {session!r}.", "It is made when something is first written to it.")
    return found


@router.patch("/v1/sessions/{session}")
def update(call: Write, session: bodies.SessionId, body: bodies.Changes) -> SessionInfo:
    """Set title, status, model, system prompt or meta; what is left out stays."""
    return call.memory.session(session).update(**body.given())


@router.get("/v1/sessions/{session}/conversation")
def conversation(call: Read, session: bodies.SessionId) -> Conversation:
    """The conversation at a glance: when, how long, what is recent, what is in short."""
    return call.memory.session(session).conversation()


@router.get("/v1/sessions/{session}/compression")
def compression(call: Read, session: bodies.SessionId) -> Compression | None:
    """What stands for the messages that a prompt no longer shows; null while there is nothing."""
    return call.memory.session(session).compression()


@router.post("/v1/sessions/{session}/end")
@in_turn
def end(call: Write, session: bodies.SessionId, body: bodies.Closing) -> Summary | None:
    """End the conversation with a closing summary: yours, or one that is made; null if nothing was said."""
    return call.memory.session(session).end(body.summary)


@router.post("/v1/sessions/{session}/flush")
@in_turn
def flush(call: Write, session: bodies.SessionId) -> responses.Clean:
    """Finish what is under way for a session: summaries, vectors, and the disk."""
    return responses.Clean(clean=call.memory.session(session).flush())


@router.post("/v1/flush")
@in_turn
def flush_space(call: Write) -> responses.Clean:
    """Finish what is under way for the space."""
    return responses.Clean(clean=call.memory.flush())


@router.post("/v1/sessions/{session}/refresh")
def refresh(call: Write, session: bodies.SessionId) -> SessionInfo:
    """Forget what is kept at hand of a session; the next prompt reads all of it anew."""
    call.memory.session(session).refresh()
    return call.memory.session(session).info()


@router.post("/v1/sessions/{session}/clear")
@in_turn
def clear(call: Write, session: bodies.SessionId) -> responses.Removed:
    """Throw every summary of the profile's plan and all important data away; messages, pins and others stay."""
    return responses.Removed(removed=call.memory.session(session).clear())


@router.post("/v1/rebuild")
@in_turn
def rebuild(call: Write, body: bodies.Rebuild) -> responses.CountResponse:
    """Make every derived record of the space, or of one session, again; or, with `vectors`, every vector missing."""
    return responses.CountResponse(made=call.memory.rebuild(**body.given()))
