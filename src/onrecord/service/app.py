"""The application: routes, their guards, and a memory that is closed after the last call."""

from __future__ import annotations

import gc
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.types import ASGIApp, Receive, Scope, Send

from onrecord.memory import Memory, engine_of
from onrecord.service.auth import OPEN, Authenticator, LetIn
from onrecord.service.contexts import Contexts
from onrecord.service.describing import describe
from onrecord.service.error_responses import handlers
from onrecord.service.limits import LimitBody, Uploads
from onrecord.service.logs import Logged
from onrecord.service.metrics import Metrics
from onrecord.service.proxy import router as proxy
from onrecord.service.readiness import Readiness
from onrecord.service.routes import ROUTERS
from onrecord.service.service_settings import Serving, refuse_open_door
from onrecord.service.space_access import Desk, Pool
from onrecord.service.threads import Threads
from onrecord.service.upstream import Upstream
from onrecord.version import __version__

__all__ = ["create_app", "described", "settle"]

DESCRIPTION = """Memory for conversations with language models: every message is kept, what is worth remembering is
derived, and for every turn the best prompt is built that fits an exact budget, with a reason for each line.

The space is named by the header X-Onrecord-Space; a key is sent as Authorization: Bearer. What goes wrong is always
answered as {"error": {"code", "message", "hint"}}."""


GARBAGE = 10_000
"""New objects after which a process that serves looks for what could be thrown away: those of a few requests."""

GIVES_WAY = 0.0025
"""Seconds after which a thread that computes lets another do so: half of what the interpreter would have it, since an
answer asks for its turn a dozen times, and longer than a prompt takes, so that these do not interrupt each other."""

COMPUTING = 2
"""Threads of a tenant that build prompts and search, where that is all computing: one at a time does, and more would
only take the interpreter from each other, at every look into the file; the second goes on while the first reads a large
index."""

WAITING = 32
"""The same where they wait for other machines in between."""

SHARES: dict[Pool, int] = {"talking": 32, "long": 8, "other": 40}
"""Other threads that a tenant may take at once."""

STRANGERS = 65_536
"""Bytes of a body that may come without a key: to enter, and to leave."""

OFTEN = ("chat_completions", "add", "context")
"""Routes that are called most."""


def create_app(memory: Memory, serving: Serving) -> FastAPI:
    """The application over one memory, which it closes at the end."""
    engine = engine_of(memory)
    auth = Authenticator(engine.store, engine.drafter.clock, serving.rate)
    refuse_open_door(serving.host, auth.needs_keys)
    shares = SHARES | {"computing": WAITING if serving.waits else COMPUTING}
    desk = Desk(
        memory=memory,
        serving=serving,
        auth=auth,
        metrics=Metrics(),
        contexts=Contexts(engine.store),
        readiness=Readiness(memory),
        threads={name: Threads(share, name) for name, share in shares.items()},
        uploads=Uploads(serving.import_bytes),
    )
    engine.choosing.trusts = lambda: not auth.needs_keys  # strangers choose nothing that runs on this machine
    upstream = Upstream(serving.upstream, serving.upstream_key)

    @asynccontextmanager
    async def life(app: FastAPI) -> AsyncIterator[None]:
        yield
        await upstream.close()
        for threads in desk.threads.values():
            threads.close()
        await run_in_threadpool(memory.close)
        desk.metrics.close()

    app = FastAPI(
        title="onrecord",
        version=__version__,
        description=DESCRIPTION,
        lifespan=life,
        exception_handlers=handlers,
        redirect_slashes=False,
        openapi_url=None,  # it would be written again for every stranger
        docs_url=None,  # the framework's own pages load scripts from elsewhere
        redoc_url=None,
        separate_input_output_schemas=False,
        telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},  # whatever is installed
    )
    app.state.desk, app.state.upstream = desk, upstream
    routes = [route for router in [proxy, *ROUTERS] for route in router.routes]
    routes.sort(key=lambda route: getattr(route, "operation_id", None) not in OFTEN)  # tried one after the other
    app.router.routes.extend(routes)  # not nested: the framework would look for a route at every level
    describe(app)
    _guard(app, desk)
    return app


def _guard(app: FastAPI, desk: Desk) -> None:
    """What every request passes, the last named first: its path as it was sent, its log, its key, its size limit."""
    serving = desk.serving

    def most(scope: Scope) -> int:
        if scope["path"] in OPEN:
            return STRANGERS
        return serving.import_bytes if scope["path"] == "/v1/import" else serving.body_bytes

    app.add_middleware(LimitBody, most=most)
    app.add_middleware(LetIn, auth=desk.auth)
    app.add_middleware(Logged, metrics=desk.metrics)
    app.add_middleware(AsSent)


class AsSent:
    """Hands a path on as it was sent: ids may hold a slash, which servers decode, and then it ends the id."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope.get("raw_path"):
            scope["path"] = scope["raw_path"].partition(b"?")[0].decode("utf-8", "replace")
        await self.app(scope, receive, send)


def settle() -> None:
    """For a process that only serves, once it is ready: what is there by now stays, so it is not looked through again
    and again for what could be thrown away; and the rest not for every few objects. Both keep all callers waiting, and
    so does a thread that derives something: it gives way to them soon."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(GARBAGE, 10, 10)
    sys.setswitchinterval(GIVES_WAY)


def described() -> dict[str, object]:
    """The API's description, as the file in the documentation has it."""
    with Memory(":memory:", embedder=None) as memory:
        return create_app(memory, Serving(db=":memory:")).openapi()
