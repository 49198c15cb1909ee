"""The page of a conversation: its messages, the summaries over them, and what can be changed."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query
from starlette.responses import Response

from onrecord.errors import InvalidInput
from onrecord.records import ROLES, Erased, Pin, Summary
from onrecord.service.bodies import Id, SessionId
from onrecord.service.forms import listed
from onrecord.service.routing import Threaded
from onrecord.ui.drawing.timeline import Window
from onrecord.ui.pages.session_messages import MessagesView, SessionQuery
from onrecord.ui.pages.session_summaries import SessionSummaries
from onrecord.ui.view import Look, LookErase, LookWrite, View, plain_lines

__all__ = ["router"]

router = APIRouter(include_in_schema=False, route_class=Threaded)

HERE = "/ui/sessions/{session}"
PARTS = ("messages", "timeline", "important")
ESTIMATED = 400  # messages without a summary, up to which the cost of summarising them is estimated
WRITERS = {"keyword": "a line of counts and topics", "model": "a language model", "hand": "by hand"}

Asked = Annotated[SessionQuery, Query()]


@router.get(HERE)
def conversation(look: Look, session: SessionId, query: Asked) -> Response:
    """Show the whole page; or, for its script, one part of it."""
    chat = look.memory.session(session)
    info = chat.info()
    reading = MessagesView.of(chat, query, info.last_seq)
    summaries = SessionSummaries(look.memory, info.id)
    values = {
        "session": session,
        "tab": "sessions",
        "info": info,
        "query": query,
        "roles": ROLES,
        "again": lambda **changes: look.link("sessions", session, **query.but(**changes)),
        "does": lambda *path: look.link("sessions", session, *path, **query.but()),
        "reading": reading,
        "node": summaries.open(query.node),
        "important": chat.important() if "important" in (query.show, query.part) else None,
    }
    if query.part in ("messages", "important"):
        return look.part(f"session_{query.part}.html", values)
    window, progress = Window.of(query.start, query.to, info.last_seq), summaries.progress(info.last_seq)
    middle = (reading.first + reading.last) // 2
    values |= {
        "window": window,
        "lanes": summaries.lanes(window),
        "shown": window.between(reading.first, reading.last) if reading.messages else None,
        "middle": middle if window.holds(middle) else (window.first + window.last) // 2,
        "pins": summaries.pins(window),
        "progress": progress,
        "estimate": chat.estimate() if look.may("write") and progress["waiting"] <= ESTIMATED else None,
        "writers": WRITERS,
    }
    if query.part == "timeline":
        return look.part("session_timeline.html", values)
    ends = [*chat.history(limit=1), *chat.history(last=1)]
    twin = listed([message.to_dict() for message in reading.messages], reading.next)
    return look.page("session.html", values | {"times": [message.time for message in ends]}, lambda: twin)


@router.get(HERE + "/go")
def go(look: Look, session: SessionId, query: Asked) -> Response:
    """Go on to a message by its number."""
    newest = look.memory.session(session).info().last_seq
    number = min(max(1, query.at or 1), max(1, newest))
    answer = _back(look, session, query, at=number)
    answer.headers["location"] += f"#m{number}"
    return answer


def _back(look: View, session: str, query: SessionQuery, **changes: Any) -> Response:
    return look.go("sessions", session, **query.but(**changes))


@router.post(HERE + "/title")
def rename(look: LookWrite, session: SessionId, query: Asked, title: Annotated[str, Form()] = "") -> Response:
    """Set the title, or remove it."""
    look.memory.session(session).update(title=title.strip() or None)
    return _back(look, session, query, done="renamed")


@router.post(HERE + "/summarize")
async def summarize(look: LookWrite, session: SessionId, query: Asked) -> Response:
    """Make the summaries that are due."""
    done = await look.call.run(look.memory.session(session).summarize, "long")
    return _back(look, session, query, done="summarised", made=len(done.made))


@router.post(HERE + "/summaries/{id}/text")
async def edit(look: LookWrite, session: SessionId, id: Id, query: Asked, text: Annotated[str, Form()]) -> Response:
    """Correct a summary, which locks it."""
    work = partial(look.memory.session(session).edit_summary, id, plain_lines(text))
    await look.call.run(work, "long")
    return _back(look, session, query, node=id, done="edited")


@router.post(HERE + "/summaries/{id}/lock")
def lock(
    look: LookWrite, session: SessionId, id: Id, query: Asked, locked: Annotated[bool, Form()] = False
) -> Response:
    """Lock a summary, or unlock it."""
    look.memory.session(session).lock_summary(id, locked)
    return _back(look, session, query, node=id, done="locked" if locked else "unlocked")


@router.post(HERE + "/forget/{seq}")
async def forget(
    look: LookErase, session: SessionId, seq: int, query: Asked, sure: Annotated[str, Form()] = ""
) -> Response:
    """Forget a message; if texts by hand would be lost with it, show them first and ask."""
    chat = look.memory.session(session)

    def work() -> Erased | list[Summary | Pin]:
        lost: list[Summary | Pin] = [pin for pin in chat.pins() if pin.source == seq and pin.type != "auto"]
        locked = (summary for summary in chat.summaries(plan="all") if summary.locked)
        lost += [summary for summary in locked if summary.first <= seq <= summary.last]
        return lost if lost and not sure else chat.forget(seq)

    done = await look.call.run(work, "long")
    if isinstance(done, Erased):
        return _back(look, session, query, node="", at=seq, done="forgot", forgot=seq, **_counts(done))
    values = {"session": session, "tab": "sessions", "seq": seq, "lost": done}
    action = look.link("sessions", session, "forget", str(seq), **query.but())
    addresses = {"again": look.link("sessions", session, **query.but(at=seq)), "action": action}
    return look.page("session_forget.html", values | addresses)


@router.post(HERE + "/forget-all")
async def forget_all(look: LookErase, session: SessionId, name: Annotated[str, Form()]) -> Response:
    """Forget the whole conversation, if its name was typed."""
    if name.strip() != session.strip():
        raise InvalidInput("That is not the name of the conversation.", "Nothing was forgotten. Go back, and type it.")
    erased = await look.call.run(partial(look.memory.forget, session=session), "long")
    return look.go("", done="forgot", conversation=session, **_counts(erased))


def _counts(erased: Erased) -> dict[str, Any]:
    """Return what the address of the next page reports."""
    return {"messages": erased.messages, "records": erased.records, "pending": int(erased.pending) or None}
