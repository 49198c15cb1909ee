"""The first page: the conversations of a space, the one that was talked in last first.

Each shows the newest thing said in it, which is one short read. The order of a space with more conversations than a
page holds is that of their ids: a store can say no other without reading all of them.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import islice
from typing import Annotated, Any

from fastapi import APIRouter, Form
from starlette.responses import Response

from onrecord.errors import InvalidInput
from onrecord.journal.clean import clean_name
from onrecord.memory import Memory, engine_of
from onrecord.policy.secrets import masked
from onrecord.records import EPOCH, Message, Page, SessionInfo
from onrecord.service.calling import Threaded
from onrecord.service.forms import listed
from onrecord.ui.example import fill
from onrecord.ui.view import Look, LookWrite, View

__all__ = ["router"]

router = APIRouter(include_in_schema=False, route_class=Threaded)

MOST = 100  # conversations on one page, as many as the API answers
LATEST = 300  # arrivals that are looked through for the conversations that were talked in last,
MOST_RECENT = 6  # of which so many are named
MOST_SPACES = 100  # that are named
WORDS = 160  # characters of the newest message


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRow:
    """One conversation of the list."""

    info: SessionInfo
    newest: Message | None  # what was said last; None: nothing, or all of it is forgotten

    @property
    def active(self) -> datetime:
        """When something was last said in it."""
        return (self.info.created or EPOCH) if self.newest is None else self.newest.time

    @property
    def words(self) -> str:
        """The beginning of what was said last, on one line."""
        if self.newest is None:
            return ""
        text = " ".join(masked(self.newest.text[: 4 * WORDS]).split())
        if not text and self.newest.tool_calls:
            return f"calls {self.newest.tool_calls[0].name}"
        return text if len(text) <= WORDS else text[: WORDS - 1].rstrip() + "…"


@router.get("/ui/")
def home(look: Look, cursor: str = "") -> Response:
    """The conversations: by when they were last talked in, if all of them are on this page; otherwise by id."""
    found = engine_of(look.memory).store.sessions(look.memory.name, cursor, MOST + 1)
    page, more = found[:MOST], len(found) > MOST
    after = page[-1].id if more else None
    talked = [one for one in page if one.last_seq]  # the others hold no more than facts that were told by hand
    rows = [SessionRow(info=one, newest=_newest(look.memory, one)) for one in talked]
    if not (cursor or more):
        rows.sort(key=lambda row: row.active, reverse=True)
    recent = _recent(look.memory) if more and not cursor else []
    values = {"rows": rows, "recent": recent, "next": after, "cursor": cursor, **_spaces(look)}
    return look.page("home.html", values, lambda: listed([one.to_dict() for one in page], after))


def _recent(memory: Memory) -> list[SessionRow]:
    """Where something was said last, found by what arrived last: of many conversations not all can be looked at."""
    store, numbers = engine_of(memory).store, range(engine_of(memory).store.revision(memory.name).newest + 1)
    newest = bisect_left(numbers, 1, key=lambda after: not store.feed(memory.name, after, 1, ("message",)))
    arrived = store.feed(memory.name, max(0, newest - LATEST), LATEST, ("message",))
    last: dict[str, Message] = {}
    for one in reversed(arrived):
        if isinstance(one.item, Message):
            last.setdefault(one.item.session, one.item)
    found = ((store.session(memory.name, session), said) for session, said in islice(last.items(), MOST_RECENT))
    return [SessionRow(info=info, newest=said) for info, said in found if info is not None]


def _newest(memory: Memory, info: SessionInfo) -> Message | None:
    found = engine_of(memory).store.messages(memory.name, info.id, Page(newest=True, limit=1))
    return found[0] if found else None


def _spaces(look: View) -> dict[str, Any]:
    """The first spaces that whoever looks may look at, and how many more there are; the one at hand is always among
    them, even while it is empty."""
    names = (look.call.caller.own(stored) for stored in look.memory.spaces())
    others = sorted({name for name in names if name is not None} - {look.call.space})
    shown = sorted([look.call.space, *others[: MOST_SPACES - 1]])
    return {"spaces": shown, "more_spaces": 1 + len(others) - len(shown)}


@router.post("/ui/begin")
def begin(look: LookWrite, session: Annotated[str, Form()]) -> Response:
    """On to a conversation, which is made when something is first said."""
    name = clean_name(session.strip() or "chat", "The name")
    if name in (".", ".."):  # a browser takes them for steps of a path, however they are written
        raise InvalidInput(
            f"A conversation named {name!r} cannot be opened in a browser.", "Use the API, or another name."
        )
    return look.go("chat", name)


@router.post("/ui/example")
async def example(look: LookWrite) -> Response:
    """Put the example into the space, if it holds nothing yet."""
    done = await look.call.run(partial(fill, look.memory), "long")
    return look.go(done="example" if done else None)
