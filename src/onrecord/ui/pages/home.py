"""The first page: the conversations of a space, the one with the newest message first.

A space with more conversations than fit on a page lists them by id, as its store does.
"""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import Annotated, Any

from fastapi import APIRouter, Form
from starlette.responses import Response

from onrecord.errors import InvalidInput
from onrecord.journal.clean import clean_name
from onrecord.memory import Memory, engine_of
from onrecord.records import EPOCH, Message, SessionInfo
from onrecord.service.forms import listed
from onrecord.service.routing import Threaded
from onrecord.ui.example import fill
from onrecord.ui.view import Look, LookWrite, View

__all__ = ["router"]

router = APIRouter(include_in_schema=False, route_class=Threaded)

PAGE = 100
LATEST = 300  # changes of the space that are looked through for the newest messages
RECENT = 6  # conversations with the newest messages
SPACES = 100  # that are listed

Row = tuple[SessionInfo, Message | None]
"""A conversation and its newest message."""


@router.get("/ui/")
def home(look: Look, cursor: str = "") -> Response:
    """List conversations."""
    memory = look.memory
    found = engine_of(memory).store.sessions(memory.name, cursor, PAGE + 1)
    page, more = found[:PAGE], len(found) > PAGE
    after = page[-1].id if more else None
    rows = [(info, _newest(memory, info.id)) for info in page if info.last_seq]  # others have only facts by hand
    if not (cursor or more):
        rows.sort(key=lambda row: row[1].time if row[1] else row[0].created or EPOCH, reverse=True)
    recent = _recent(memory) if more and not cursor else []
    values = {"rows": rows, "recent": recent, "next": after, "cursor": cursor, **_spaces(look)}
    return look.page("home.html", values, lambda: listed([info.to_dict() for info in page], after))


def _newest(memory: Memory, session: str) -> Message | None:
    return next(memory.session(session).history(last=1), None)


def _recent(memory: Memory) -> list[Row]:
    """Return the conversations with the newest messages, as far as they are among the latest changes."""
    store = engine_of(memory).store
    after = max(0, store.revision(memory.name).newest - LATEST)
    changes = store.feed(memory.name, after, LATEST, ("message",))
    newest: dict[str, Message] = {}
    for change in reversed(changes):
        if isinstance(change.item, Message):
            newest.setdefault(change.item.session, change.item)
    return [(memory.session(session).info(), message) for session, message in islice(newest.items(), RECENT)]


def _spaces(look: View) -> dict[str, Any]:
    """Return the first spaces of the caller, always with the one that is shown, and how many more there are."""
    names = (look.call.caller.own(stored) for stored in look.memory.spaces())
    others = sorted({name for name in names if name is not None} - {look.call.space})
    shown = sorted([look.call.space, *others[: SPACES - 1]])
    return {"spaces": shown, "more_spaces": 1 + len(others) - len(shown)}


@router.post("/ui/begin")
def begin(look: LookWrite, session: Annotated[str, Form()]) -> Response:
    """Go to a conversation, which is created with its first message."""
    name = clean_name(session.strip() or "chat", "The name")
    if name in (".", ".."):  # browsers take them for steps of a path, however they are written
        what = f"A conversation named {name!r} cannot be opened in a browser."
        raise InvalidInput(what, "Use the API, or another name.")
    return look.go("chat", name)


@router.post("/ui/example")
async def example(look: LookWrite) -> Response:
    """Put the example into the space, if it is empty."""
    done = await look.call.run(partial(fill, look.memory), "long")
    return look.go(done="example" if done else None)
