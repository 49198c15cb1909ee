"""The routes, a file for each sort of thing. Each is named as the library's method, and needs exactly one scope."""

from __future__ import annotations

from fastapi import APIRouter

from recollect.service.failing import FAILURES
from recollect.service.routes import care, derived, episodes, facts, jobs, messages, prompts, sessions

__all__ = ["ROUTERS", "routers"]

_ROOMS = {
    "Sessions": sessions,
    "Messages": messages,
    "Prompts": prompts,
    "Summaries and pins": derived,
    "Facts": facts,
    "Episodes": episodes,
    "Jobs": jobs,
    "Care": care,
}

ROUTERS = [room.router for room in _ROOMS.values()]


def routers() -> list[APIRouter]:
    """All of them as the application has them, in the order of the API's description."""
    found = []
    for tag, room in _ROOMS.items():
        router = APIRouter(tags=[tag], responses=FAILURES)
        router.include_router(room.router)
        found.append(router)
    return found
