"""Which space a call sees, and in whose share of the threads it is done."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Annotated, Literal, TypeVar
from urllib.parse import unquote

from fastapi import Depends, Request

from onrecord.errors import Denied, InvalidInput
from onrecord.memory import Memory, engine_of
from onrecord.ports import Store
from onrecord.service.auth import Authenticator, Caller, Scope
from onrecord.service.contexts import Contexts
from onrecord.service.limits import Uploads
from onrecord.service.metrics import Metrics
from onrecord.service.readiness import Readiness
from onrecord.service.service_settings import Serving
from onrecord.service.threads import Threads

__all__ = ["Admin", "Desk", "Erase", "Pool", "Read", "ServiceCall", "Write", "needs", "plain_header"]

_Result = TypeVar("_Result")

Pool = Literal["computing", "talking", "long", "other"]
"""Threads that build prompts and search; that serve chat programs; that do what may take long; that do the rest."""


@dataclass(slots=True)
class Desk:
    """What a service is made of."""

    memory: Memory
    serving: Serving
    auth: Authenticator
    metrics: Metrics
    contexts: Contexts
    readiness: Readiness
    threads: dict[Pool, Threads]
    uploads: Uploads
    rests: dict[str | None, float] = field(default_factory=dict)  # by tenant, until when its chats wait for no memory

    @property
    def store(self) -> Store:
        """The store behind the memory: all spaces."""
        return engine_of(self.memory).store


@dataclass(frozen=True, slots=True)
class ServiceCall:
    """One call that was let in."""

    desk: Desk
    caller: Caller
    memory: Memory  # the space that the caller named, and nothing else
    space: str  # its name, as the caller knows it

    async def run(self, work: Callable[[], _Result], pool: Pool = "other", *, abandon: bool = False) -> _Result:
        """Return what the work returns; it is done in the tenant's share of the threads. See `Threads.run`."""
        return await self.desk.threads[pool].run(self.caller.tenant_or_key, work, abandon=abandon)


def plain_header(value: str | None) -> str | None:
    """A header's value as it was meant: headers are bytes, and what is not ASCII comes percent-encoded or as UTF-8."""
    if value is None:
        return None
    with suppress(UnicodeError):
        value = value.encode("latin-1").decode("utf-8")
    return unquote(value)


def _named(header: str | None, query: str | None) -> str | None:
    named = plain_header(header)
    if named is not None and query is not None and named != query:
        raise InvalidInput("The header and the query name two spaces.", "Name one.")
    return named if named is not None else query


def needs(scope: Scope) -> Callable[..., Awaitable[ServiceCall]]:
    """Return a dependency of a route: it admits callers with the scope, and gives the space that they named."""

    async def call(request: Request) -> ServiceCall:
        desk: Desk = request.app.state.desk
        caller: Caller = request.scope["onrecord"]["caller"]
        if scope not in caller.scopes:
            raise Denied(f"The key has no scope {scope}.", "Use one that has it: onrecord keys create --scope …")
        name = _named(request.headers.get("x-onrecord-space"), request.query_params.get("space"))
        space = caller.space or desk.serving.space if name is None else name
        stored = caller.stored(space)
        desk.readiness.asked(stored, request.path_params.get("session"))
        return ServiceCall(desk, caller, desk.memory.space(stored), space)

    call.scope = scope  # type: ignore[attr-defined]
    return call


Read = Annotated[ServiceCall, Depends(needs("read"))]
Write = Annotated[ServiceCall, Depends(needs("write"))]
Erase = Annotated[ServiceCall, Depends(needs("erase"))]
Admin = Annotated[ServiceCall, Depends(needs("admin"))]
