"""What happened: the episodes of a space, and the story of one conversation."""

from __future__ import annotations

from collections import Counter
from heapq import nlargest
from typing import Annotated, Any

from fastapi import APIRouter, Form
from starlette.responses import Response

from onrecord.journal.clean import clean_choice
from onrecord.memory import engine_of
from onrecord.records import EPISODE_KINDS, Episode
from onrecord.service.bodies import Id, SessionId
from onrecord.service.calling import Threaded
from onrecord.service.forms import listed
from onrecord.ui.drawing.lifelines import LifeEvent, stretches
from onrecord.ui.view import Look, LookWrite

__all__ = ["router"]

router = APIRouter(include_in_schema=False, route_class=Threaded)

MOST = 100  # episodes on one page
SHORT = 1_500  # messages of a conversation whose story is told at once
MOST_DRAWN = 250  # episodes of a story's line: it has four pixels for each
MOST_TOLD = 40  # episodes that a story tells in words


@router.get("/ui/episodes")
def episodes(look: Look, session: str = "", kind: str = "", status: str = "active", cursor: str = "") -> Response:
    """What happened, in order."""
    sort: Any = clean_choice(kind, EPISODE_KINDS, "kind") if kind else None
    status = clean_choice(status or "active", ("active", "archived", "all"), "status")
    wanted: dict[str, Any] = {"session": session or None, "status": None if status == "all" else status}
    every = look.memory.episodes(**wanted)
    found = [one for one in every if sort in (None, one.kind)]
    ids = [one.id for one in found]
    start = ids.index(cursor) + 1 if cursor in ids else 0
    page = found[start : start + MOST]
    values = {
        "episodes": page,
        "next": page[-1].id if len(found) > start + MOST else "",
        "asked": {"session": session, "kind": kind, "status": status if status != "active" else ""},
        "kinds": Counter(one.kind for one in every),
        "total": len(found),
        "all_kinds": EPISODE_KINDS,
    }
    return look.page("episodes.html", values, lambda: listed([one.to_dict() for one in found]))


@router.post("/ui/episodes/{id}/archive")
def archive(look: LookWrite, id: Id, session: Annotated[str, Form()] = "") -> Response:
    """Take an episode out of use."""
    look.memory.archive(id)
    return look.go("episodes", session=session, status="all")


@router.post("/ui/episodes/{id}/restore")
def restore(look: LookWrite, id: Id, session: Annotated[str, Form()] = "") -> Response:
    """Bring an episode back into use."""
    look.memory.restore(id)
    return look.go("episodes", session=session, status="all")


@router.get("/ui/arc/{session}")
def arc(look: Look, session: SessionId) -> Response:
    """The story of a conversation: what happened in it, as a line, and how it began, went on and ended."""
    info = engine_of(look.memory).store.session(look.memory.name, session)
    messages = 0 if info is None else info.last_seq
    mine = look.memory.session(session).episodes()
    placed = _weightiest([one for one in mine if one.first], MOST_DRAWN)
    values = {
        "session": session,
        "tab": "arc",
        "messages": messages,
        "episodes": _weightiest(mine, MOST_TOLD),
        "total": len(mine),
        "by_id": {one.id: one for one in mine},
        "line": stretches([_told(one) for one in placed], messages),
        "thirds": look.memory.session(session).arc() if messages <= SHORT else None,
        "kinds": sorted({one.kind for one in placed}),
    }
    return look.page("arc.html", values, lambda: look.memory.session(session).arc().to_dict())


@router.get("/ui/arc/{session}/told")
def told(look: Look, session: SessionId) -> Response:
    """The same in words, for a conversation so long that it takes a while to read."""
    return look.part("arc_told.html", {"session": session, "thirds": look.memory.session(session).arc()})


def _weightiest(episodes: list[Episode], most: int) -> list[Episode]:
    """Those that matter most, in the order in which they happened."""
    kept = {one.id for one in nlargest(most, episodes, key=lambda one: one.significance)}
    return [one for one in episodes if one.id in kept]


def _told(one: Episode) -> LifeEvent:
    return LifeEvent(id=one.id, first=one.first, last=max(one.first, one.last), weight=one.significance)
