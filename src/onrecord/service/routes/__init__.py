"""The routes, a file for each sort of thing. Each is named as the library's method, and needs exactly one scope."""

from __future__ import annotations

from onrecord.service.routes import care_routes, derived_routes, fact_routes, message_routes, prompts, sessions

__all__ = ["ROUTERS"]

ROUTERS = [
    message_routes.router,
    prompts.router,
    sessions.router,
    derived_routes.router,
    fact_routes.facts_router,
    fact_routes.episodes_router,
    care_routes.jobs_router,
    care_routes.router,
]
"""All of them; those that are called most come first, since routes are tried one after the other."""
