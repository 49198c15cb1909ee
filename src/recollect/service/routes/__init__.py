"""The routes, a file for each sort of thing. Each is named as the library's method, and needs exactly one scope."""

from __future__ import annotations

from fastapi import APIRouter

from recollect.service.failing import FAILURES
from recollect.service.routes import care, derived, episodes, facts, jobs, messages, prompts, sessions

__all__ = ["routers"]


def routers() -> list[APIRouter]:
    """All of them, in the order of the API's description."""
    rooms = {
        "Sessions": sessions,
        "Messages": messages,
        "Prompts": prompts,
        "Summaries and pins": derived,
        "Facts": facts,
        "Episodes": episodes,
        "Jobs": jobs,
        "Care": care,
    }
    found = []
    for tag, room in rooms.items():
        router = APIRouter(tags=[tag], responses=FAILURES)
        router.include_router(room.router)
        found.append(router)
    return found
