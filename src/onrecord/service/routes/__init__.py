"""The routes, a file for each sort of thing. Each is named as the library's method, and needs exactly one scope."""

from __future__ import annotations

from onrecord.service.routes import (
    care_routes,
    derived_routes,
    episode_routes,
    fact_routes,
    jobs,
    message_routes,
    prompts,
    sessions,
)

__all__ = ["ROUTERS"]

ROUTERS = [
    room.router
    for room in (message_routes, prompts, sessions, derived_routes, fact_routes, episode_routes, jobs, care_routes)
]
"""All of them; those that are called most come first, since routes are tried one after the other."""
