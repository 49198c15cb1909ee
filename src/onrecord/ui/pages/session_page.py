"""The page of a conversation: all that was said, the summaries over it, and what a person may change of both."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Form, Query
from starlette.responses import Response

from onrecord.errors import InvalidInput
from onrecord.memory import engine_of
from onrecord.policy.plans import Chunks, Extending, Flat, Pyramid, Strategy, Threshold
from onrecord.records import ROLES, Estimate, Page, SessionInfo
from onrecord.service.bodies import Id, SessionId
from onrecord.service.calling import Threaded
from onrecord.session import Session
from onrecord.ui.drawing.timeline import Window, draw
from onrecord.ui.pages.session_asking import AskedHere, ViewedPart
from onrecord.ui.pages.session_forgetting import Own, counted, goes_with, touched
from onrecord.ui.pages.session_messages import MessagesView, read, weighed
from onrecord.ui.pages.session_nodes import SummaryProgress, node_of, pins_of, rows_of, standing
from onrecord.ui.view import Look, LookErase, LookWrite, View

__all__ = ["router"]

router = APIRouter(include_in_schema=False, route_class=Threaded)

HERE = "/ui/sessions/{session}"
PARTS = ("messages", "timeline", "important")
NEAR = 400  # messages that are not summarised yet, up to which it is told what summarising them takes

WRITTEN = {
    "extractive": "sentences that were chosen from the messages",
    "keyword": "a line of counts and topics",
    "offline": "sentences that were chosen from the messages",
    "model": "a language model",
    "hand": "a person",
}
FIGURES = {"numbers": "Numbers", "names": "Names", "dates": "Dates", "decisions": "Decisions"}


@router.get(HERE)
def conversation(look: Look, session: SessionId, asked: AskedHere, part: Annotated[str, Query()] = "") -> Response:
    """The whole page; or, for its script, one part of it."""
    chat = look.memory.session(session)
    info = chat.info()
    usual = _usual(look, session, info, asked)
    if part in PARTS:
        return look.part(f"session_{part}.html", usual | PART[part](look, chat, info, asked))
    reading = read(chat, asked, info.last_seq)
    important = chat.important() if asked.show == "important" else None  # it is read from every summary
    values = usual | _head(look, info) | {"important": important, "own": _own(look, info.id, reading)}
    return look.page("session.html", values | _timeline(look, chat, info, asked, reading), reading.twin)


def _usual(look: View, session: str, info: SessionInfo, asked: ViewedPart) -> dict[str, Any]:
    """What every part needs."""

    def again(**changes: Any) -> str:
        """This page, with changes."""
        return look.link("sessions", session, **asked.state(**changes))

    def does(*path: str) -> str:
        """Where a form is sent, so that what it leads to looks as this does."""
        return look.link("sessions", session, *path, **asked.state())

    known = {"session": session, "tab": "sessions", "info": info, "asked": asked, "roles": ROLES}
    return known | {"again": again, "does": does}


def _head(look: View, info: SessionInfo) -> dict[str, Any]:
    """When the conversation began and how long it is."""
    store, name = engine_of(look.memory).store, look.memory.name
    ends = [Page(limit=1), Page(limit=1, newest=True)]
    times = [one.time for page in ends for one in store.messages(name, info.id, page)] if info.last_seq else []
    return {"times": times, "weight": weighed(look.memory, info.id, 1, info.last_seq)}


def _messages(look: View, chat: Session, info: SessionInfo, asked: ViewedPart) -> dict[str, Any]:
    reading = read(chat, asked, info.last_seq)
    return {"reading": reading, "own": _own(look, info.id, reading), "node": _node(look, info, asked)}


def _own(look: View, session: str, reading: MessagesView) -> dict[int, list[Own]]:
    """What people wrote that would go with a message, for whoever may make it go."""
    kept = [one.seq for one in reading.messages if one.state == "kept"]
    return goes_with(look.memory, session, kept) if look.may("erase") else {}


def _important(look: View, chat: Session, info: SessionInfo, asked: ViewedPart) -> dict[str, Any]:
    return {"important": chat.important()}


def _of_timeline(look: View, chat: Session, info: SessionInfo, asked: ViewedPart) -> dict[str, Any]:
    reading = read(chat, asked, info.last_seq)
    return _timeline(look, chat, info, asked, reading)


PART: dict[str, Callable[[View, Session, SessionInfo, ViewedPart], dict[str, Any]]] = {
    "messages": _messages,
    "timeline": _of_timeline,
    "important": _important,
}


def _timeline(look: View, chat: Session, info: SessionInfo, asked: ViewedPart, reading: MessagesView) -> dict[str, Any]:
    """The drawing, the summary that is open, and how far everything is summarised."""
    memory = look.memory
    window = Window.of(asked.start, asked.to, info.last_seq)
    shown = (reading.first, reading.last) if reading.messages else None
    far = standing(memory, info.id, info.last_seq)
    return {
        "reading": reading,
        "drawing": draw(window, rows_of(memory, info.id, window), shown),
        "middle": _middle(window, reading),
        "pins": pins_of(memory, info.id, window),
        "node": _node(look, info, asked),
        "far": far,
        "estimate": _estimate(chat, far) if look.may("write") else None,
        "first_due": _first_due(engine_of(memory).profile.strategy),
        "written": WRITTEN,
        "figures": FIGURES,
    }


def _node(look: View, info: SessionInfo, asked: ViewedPart) -> Any:
    return node_of(look.memory, info.id, asked.node) if asked.node else None


def _middle(window: Window, reading: MessagesView) -> int:
    """Where a closer look goes to: what is read, if it is in sight."""
    middle = (reading.first + reading.last) // 2
    return middle if window.holds(middle) else (window.first + window.last) // 2


def _estimate(chat: Session, far: SummaryProgress) -> Estimate | None:
    """What summarising takes now, where that is quickly told."""
    return chat.estimate() if far.waiting <= NEAR else None


def _first_due(strategy: Strategy) -> str:
    """When the first summary is made.

    >>> _first_due(Flat(every=15))
    'after 15 messages'
    """
    match strategy:
        case Pyramid(units=units):
            return f"after about {units} messages, sooner where they are long"
        case Flat(every=every):
            return f"after {every} messages"
        case Chunks(over=over):
            return f"when there are more than {over} messages"
        case Extending(from_messages=many, from_tokens=tokens):
            return f"after {many} messages or about {tokens:,} tokens"
        case Threshold(over=tokens):
            return f"when the prompt would be longer than {tokens:,} tokens"
    return "when there is enough to be summarised"


# What a person does


@router.get(HERE + "/go")
def go(look: Look, session: SessionId, asked: AskedHere) -> Response:
    """On to a message by its number, to the very place."""
    newest = look.memory.session(session).info().last_seq
    number = min(max(1, asked.at or 1), max(1, newest))
    answer = look.go("sessions", session, **asked.state(at=number))
    answer.headers["location"] += f"#m{number}"
    return answer


@router.post(HERE + "/title")
def rename(look: LookWrite, session: SessionId, asked: AskedHere, title: Annotated[str, Form()] = "") -> Response:
    """Give the conversation a title, or take it away."""
    look.memory.session(session).update(title=title.strip() or None)
    return _back(look, session, asked, done="renamed")


@router.post(HERE + "/summarize")
async def summarize(look: LookWrite, session: SessionId, asked: AskedHere) -> Response:
    """Make the summaries that are due."""
    chat = look.memory.session(session)
    done = await look.call.run(chat.summarize, "long")
    return _back(look, session, asked, done="summarised", made=len(done.made))


@router.post(HERE + "/summaries/{id}/text")
async def edit(look: LookWrite, session: SessionId, id: Id, asked: AskedHere, text: Annotated[str, Form()]) -> Response:
    """Correct a summary, which locks it."""
    chat, plain = look.memory.session(session), text.replace("\r\n", "\n")  # browsers send line ends of their own
    await look.call.run(partial(chat.edit_summary, id, plain), "long")
    return _back(look, session, asked, node=id, done="edited")


@router.post(HERE + "/summaries/{id}/lock")
def lock(
    look: LookWrite, session: SessionId, id: Id, asked: AskedHere, locked: Annotated[bool, Form()] = False
) -> Response:
    """Keep a summary as it is, or let go of it."""
    look.memory.session(session).lock_summary(id, locked)
    return _back(look, session, asked, node=id, done="locked" if locked else "unlocked")


@router.post(HERE + "/forget/{seq}")
async def forget(look: LookErase, session: SessionId, seq: int, asked: AskedHere) -> Response:
    """Forget a message, and tell what else went."""

    def work() -> dict[str, Any]:
        before = touched(look.memory, session, seq)
        return counted(look.memory.session(session).forget(seq), before)

    told = await look.call.run(work, "long")
    return _back(look, session, asked, node="", at=seq, done="forgot", forgot=seq, **told)


@router.post(HERE + "/forget-all")
async def forget_all(look: LookErase, session: SessionId, name: Annotated[str, Form()]) -> Response:
    """Forget the whole conversation, if its name was typed."""
    if name.strip() != session.strip():
        raise InvalidInput("That is not the name of the conversation.", "Nothing was forgotten. Go back, and type it.")
    work = partial(look.memory.forget, session=session)
    erased = await look.call.run(work, "long")
    return look.go("", done="forgot", conversation=session, **counted(erased, {}))


def _back(look: View, session: str, asked: ViewedPart, **changes: Any) -> Response:
    return look.go("sessions", session, **asked.state(**changes))
