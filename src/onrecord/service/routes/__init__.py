"""The routes, a file for each sort of thing. Each is named as the library's method, and needs exactly one scope."""

from __future__ import annotations

from onrecord.service.routes import care, derived, episodes, facts, jobs, messages, prompts, sessions

__all__ = ["ROUTERS"]

ROUTERS = [room.router for room in (messages, prompts, sessions, derived, facts, episodes, jobs, care)]
"""All of them; those that are called most come first, since routes are tried one after the other."""
