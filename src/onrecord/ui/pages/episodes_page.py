"""The episodes of a space, or the story of one conversation: how it went, and its episodes."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Literal

from fastapi import APIRouter, Form, Query
from starlette.responses import Response

from onrecord.records import EPISODE_KINDS, EpisodeKind
from onrecord.service.bodies import Id
from onrecord.service.forms import listed
from onrecord.service.routing import Threaded, in_turn
from onrecord.ui.view import Look, LookWrite, PageQuery

__all__ = ["router"]

router = APIRouter(include_in_schema=False, route_class=Threaded)

PAGE = 100
SHORT = 1_500  # messages of a conversation whose story is shown unasked


class EpisodeQuery(PageQuery):
    """Which episodes to list."""

    session: str = ""
    kind: EpisodeKind | Literal[""] = ""
    status: Literal["", "active", "archived", "all"] = ""
    story: str = ""  # "yes": how the conversation went, however long it is
    cursor: str = ""  # id of the last episode of the page before


@router.get("/ui/episodes")
@in_turn
def episodes(look: Look, query: Annotated[EpisodeQuery, Query()]) -> Response:
    """List episodes in the order in which they happened."""
    status = None if query.status == "all" else query.status or "active"
    every = look.memory.episodes(session=query.session or None, status=status)
    found = [episode for episode in every if query.kind in ("", episode.kind)]
    start = next((place for place, episode in enumerate(found, 1) if episode.id == query.cursor), 0)
    page = found[start : start + PAGE]
    chat = look.memory.session(query.session) if query.session else None
    messages = chat.info().last_seq if chat else 0
    values = {
        "query": query,
        "session": query.session,
        "tab": "episodes" if chat else "",
        "messages": messages,
        "arc": chat.arc() if chat and (messages <= SHORT or query.story) else None,
        "episodes": page,
        "next": page[-1].id if len(found) > start + PAGE else "",
        "kinds": Counter(episode.kind for episode in every),
        "total": len(found),
        "all_kinds": EPISODE_KINDS,
    }
    return look.page("episodes.html", values, lambda: listed([episode.to_dict() for episode in found]))


@router.post("/ui/episodes/{id}/{action}")
def decide(
    look: LookWrite, id: Id, action: Literal["archive", "restore"], session: Annotated[str, Form()] = ""
) -> Response:
    """Archive or restore an episode."""
    (look.memory.archive if action == "archive" else look.memory.restore)(id)
    return look.go("episodes", session=session, status="all")
