"""Who calls, and which space they see: from the headers of a request to a memory that shows nothing else."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache, partial, wraps
from hashlib import sha256
from inspect import iscoroutinefunction
from threading import Lock
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints
from urllib.parse import unquote, urlsplit

from anyio import CapacityLimiter, fail_after, to_thread
from fastapi import APIRouter, Depends, Request
from fastapi.datastructures import DefaultPlaceholder
from fastapi.routing import APIRoute
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as AsgiScope

from onrecord.errors import Denied, InvalidInput, Limited, OnrecordError, StoreBusy, StoreError
from onrecord.memory import Memory, engine_of
from onrecord.ports import Store
from onrecord.service.contexts import Contexts
from onrecord.service.error_responses import FAILURES, Json, failed
from onrecord.service.keys import RESERVED, Key, Keys
from onrecord.service.limits import Rate, Uploads
from onrecord.service.logins import TOKEN, Logins
from onrecord.service.metrics import Metrics
from onrecord.service.readiness import Readiness
from onrecord.service.responses import Listed
from onrecord.service.service_settings import Serving, is_loopback
from onrecord.service.threads import Threads

__all__ = [
    "OPEN",
    "Admin",
    "Caller",
    "Computing",
    "Desk",
    "Erase",
    "LetIn",
    "Read",
    "ServiceCall",
    "Threaded",
    "Write",
    "api_router",
    "in_turn",
    "login_of",
    "open_to_all",
    "refuse_other_pages",
]

_Answer = TypeVar("_Answer")

Scope = Literal["read", "write", "erase", "admin"]

Pool = Literal["computing", "talking", "long", "other"]
"""Threads that build prompts and search; that serve chat programs; that do what may take long; that do the rest."""

KNOWN = 1.0
"""Seconds for which a key that was looked up is taken as it was: so long a revoked one may still work."""

REMEMBERED = 600.0
"""Seconds for which it is still taken so while the store does not answer."""

PATIENCE = 3.0
"""Seconds in which the store must say whether it knows one."""

MOST_KNOWN = 10_000

WANTED = "Send it as Authorization: Bearer rk_…; in Python key=…, on the command line ONRECORD_KEY."


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Whoever calls, and what they may do."""

    prefix: str | None = None  # of the key; None: the service needs none
    tenant: str | None = None  # whose spaces are seen
    space: str | None = None  # the only one of them, if the key is bound to it
    scopes: frozenset[str] = frozenset()

    @property
    def operator(self) -> bool:
        """Whether the whole store is theirs to look after."""
        return "admin" in self.scopes and self.tenant is None and self.space is None

    @property
    def tenant_or_key(self) -> str | None:
        """With whom threads are shared out."""
        return self.prefix if self.tenant is None else self.tenant

    def stored(self, name: str) -> str:
        """The name under which a space of this caller is kept. Raises if it is not theirs."""
        if self.space is not None and name != self.space:
            raise Denied(f"The key is for the space {self.space!r} alone.", "Leave X-Onrecord-Space out.")
        if self.tenant is not None:
            return f"{self.tenant}/{name}"
        if name == RESERVED or (self.prefix is not None and "/" in name):
            raise Denied("This space is nobody's to look into.", "Use a name without a slash.")
        return name

    def own(self, stored: str) -> str | None:
        """The name by which this caller knows a space that is kept; None if it is not theirs."""
        if self.tenant is not None:
            head = f"{self.tenant}/"
            name = stored.removeprefix(head) if stored.startswith(head) else None
        else:
            hidden = stored == RESERVED or (self.prefix is not None and "/" in stored)
            name = None if hidden else stored
        return name if self.space in (None, name) else None


ANYONE = Caller(scopes=frozenset(("read", "write", "erase", "admin")))
"""The person at this machine, where no keys are needed."""


@dataclass(slots=True)
class Desk:
    """What a service is made of, and the desk at which every call is received."""

    memory: Memory
    serving: Serving
    keys: Keys
    logins: Logins
    needs_keys: bool
    rate: Rate
    metrics: Metrics
    contexts: Contexts
    readiness: Readiness
    threads: dict[Pool, Threads]
    uploads: Uploads
    checking: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(8))  # threads that look up keys
    rests: dict[str | None, float] = field(default_factory=dict)  # by tenant, until when its chats wait for no memory
    _asked: float = 0.0  # when it was last looked whether there are keys
    _known: OrderedDict[bytes, tuple[float, Key | None]] = field(default_factory=OrderedDict)
    _lock: Lock = field(default_factory=Lock)

    @property
    def store(self) -> Store:
        """The store behind the memory: all spaces."""
        return engine_of(self.memory).store

    async def caller(self, request: Request, secret: str | None) -> Caller:
        """Who it is. Raises if they may not come in."""
        if not await self._asks():
            _refuse_strangers(request)
            return ANYONE
        if not secret:
            raise Denied("This service wants a key.", WANTED, known=False)
        key = await self._checked(secret)
        if key is None:
            raise Denied("The key is not known, or not valid any more.", "Check it, or have another made.", known=False)
        self._count(key.prefix)
        return Caller(prefix=key.prefix, tenant=key.tenant, space=key.space, scopes=frozenset(key.scopes))

    async def _asks(self) -> bool:
        """Whether callers need a key: from when on there is the first one, also while the service runs."""
        if not self.needs_keys and time.monotonic() > self._asked + KNOWN:
            self._asked = time.monotonic()
            with suppress(StoreError, TimeoutError):  # then it is looked again in a second
                self.needs_keys = await self._looked_up(self.keys.any)
        return self.needs_keys

    async def _checked(self, secret: str) -> Key | None:
        digest, now = _known_as(secret), time.monotonic()
        with self._lock:
            until, key = self._known.get(digest, (0.0, None))
        if now < until:
            return key
        try:
            check = self.logins.key if secret.startswith(TOKEN) else self.keys.check
            key = await self._looked_up(partial(check, secret))
        except (StoreError, TimeoutError):
            if key is None or now > until + REMEMBERED:
                raise StoreBusy("Keys cannot be looked up.", "Try again.") from None
            return key  # so that chats go on while the store is away
        with self._lock:
            self._known[digest] = (now + KNOWN, key)
            self._known.move_to_end(digest)
            while len(self._known) > MOST_KNOWN:
                self._known.popitem(last=False)
        return key

    async def begin_login(self, prefix: str) -> str:
        """Return the token of a new login. Raises StoreBusy if the store does not write it soon."""
        return await self._written(partial(self.logins.begin, prefix))

    async def end_login(self, token: str) -> None:
        """End a login: at once in this process, within a second in the others. Raises as `begin_login`."""
        await self._written(partial(self.logins.end, token))
        with self._lock:
            self._known.pop(_known_as(token), None)

    async def _written(self, work: Callable[[], _Answer]) -> _Answer:
        try:
            return await self._looked_up(work)
        except TimeoutError:
            raise StoreBusy("Logins cannot be written.", "Try again.") from None

    async def _looked_up(self, work: Callable[[], _Answer]) -> _Answer:
        """What the store says of keys, if it does soon."""
        with fail_after(PATIENCE):
            return await to_thread.run_sync(work, limiter=self.checking, abandon_on_cancel=True)

    def _count(self, who: str) -> None:
        wait = self.rate.allow(who)
        if wait > 0:
            seconds = max(1, round(wait + 0.5))
            what, hint = f"More than {self.serving.rate:g} requests a second.", f"Wait {wait:.1f} s."
            raise Limited(what, hint, seconds=seconds)


@dataclass(frozen=True, slots=True)
class ServiceCall:
    """One call that was let in."""

    desk: Desk
    caller: Caller
    memory: Memory  # the space that the caller named, and nothing else
    space: str  # its name, as the caller knows it

    async def run(self, work: Callable[[], _Answer], pool: Pool = "other", *, abandon: bool = False) -> _Answer:
        """Return what the work returns; it is done in the tenant's share of the threads. See `Threads.run`."""
        return await self.desk.threads[pool].run(self.caller.tenant_or_key, work, abandon=abandon)


def _refuse_strangers(request: Request) -> None:
    """Without keys only this machine is answered; a web page that somebody opened on it is not this machine's word."""
    if not _means_here(request.headers.get("host", "")):
        raise Denied("Without keys only this machine is answered.", "Ask for http://127.0.0.1 or http://localhost.")
    refuse_other_pages(request)


def refuse_other_pages(request: Request) -> None:
    """Raise if a page that is not ours has a browser ask; a link that somebody follows from there is their own wish."""
    origin, site = request.headers.get("origin"), request.headers.get("sec-fetch-site", "none")
    foreign = origin is not None and origin.partition("://")[2] != request.headers.get("host")
    if foreign or (site not in ("same-origin", "none") and not _is_followed(request)):
        raise Denied("A page of another origin asks.", "Make a key, and let the page's server use it.")


def _is_followed(request: Request) -> bool:
    """Whether a browser goes to an address, rather than load it into a page as a picture, a script or a frame."""
    mode, place = (request.headers.get(f"sec-fetch-{name}") for name in ("mode", "dest"))
    return request.method in ("GET", "HEAD") and mode == "navigate" and place in (None, "document")


@lru_cache(maxsize=256)
def _means_here(host: str) -> bool:
    """Whether a header Host names this machine."""
    try:
        return is_loopback(urlsplit(f"//{host}").hostname or "")
    except ValueError:
        return False


def _secret(request: Request) -> str | None:
    """The key that came with a request; a browser sends it by itself, so there it must be a page of ours that asks."""
    scheme, _, secret = request.headers.get("authorization", "").partition(" ")
    sent = request.headers.get("x-onrecord-key") or (secret.strip() if scheme.lower() == "bearer" else None)
    if sent is None and (token := login_of(request)) is not None:
        refuse_other_pages(request)
        return token
    return sent


def login_of(request: Request) -> str | None:
    """Return the token of the login that a browser sent, if it sent one."""
    token = request.cookies.get(COOKIE, "")
    return token if token.startswith(TOKEN) else None


def _known_as(secret: str) -> bytes:
    return sha256(secret.encode("utf-8", "replace")).digest()


def plain_header(value: str | None) -> str | None:
    """A header's value as it was meant: headers are bytes, and what is not ASCII comes percent-encoded or as UTF-8."""
    if value is None:
        return None
    with suppress(UnicodeError):
        value = value.encode("latin-1").decode("utf-8")
    return unquote(value)


def _named(header: str | None, query: str | None) -> str | None:
    told = plain_header(header)
    if told is not None and query is not None and told != query:
        raise InvalidInput("The header and the query name two spaces.", "Name one.")
    return told if told is not None else query


def needs(scope: Scope) -> Callable[..., Awaitable[ServiceCall]]:
    """A dependency of a route: lets in whoever has the scope, and hands them their space."""

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


OPEN = ("/healthz", "/readyz", "/docs", "/openapi.json", "/", "/ui", "/ui/enter", "/ui/leave")
"""Paths that need no key."""

OPEN_BELOW = "/ui/static/"
"""The same for all paths that begin so: files that are everybody's."""

COOKIE = "onrecord_login"
"""The cookie in which the browser of a user of the pages keeps the token of their login."""


class LetIn:
    """Asks who calls before a byte of the body is read, and turns strangers away."""

    def __init__(self, app: ASGIApp, desk: Desk) -> None:
        self.app = app
        self.desk = desk

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] not in OPEN and not scope["path"].startswith(OPEN_BELOW):
            request = Request(scope)
            about = scope.setdefault("onrecord", {})
            try:
                caller = await self.desk.caller(request, _secret(request))
            except OnrecordError as error:
                await failed(error, headers={"Connection": "close"})(scope, receive, send)
                return
            about.update(caller=caller, key=caller.prefix, tenant=caller.tenant)  # also for the log
        await self.app(scope, receive, send)


def in_turn(work: Callable[..., Any], pool: Pool = "long") -> Callable[..., Awaitable[Any]]:
    """A route that may take long: a few of those run at once, and the others wait without keeping anybody from work."""

    @wraps(work)
    async def run(**given: Any) -> Any:
        call: ServiceCall = given["call"] if "call" in given else given["look"].call
        return await call.run(partial(work, **given), pool)

    return run


class Threaded(APIRoute):
    """A route whose work is done in the tenant's share of the threads, unless it says how it is done itself.

    What it returns is sent as `Json` has it. In the API's description stand its name, which is the library's, and
    the type that it returns, `list[…]` as a page.
    """

    pool: Pool = "other"

    def __init__(self, path: str, endpoint: Callable[..., Any], **more: Any) -> None:
        returned = get_type_hints(endpoint, include_extras=True).get("return")
        if isinstance(more["response_model"], DefaultPlaceholder):
            if get_origin(returned) is list:
                more["response_model"] = Listed[get_args(returned)[0]]  # type: ignore[misc]
            elif isinstance(returned, UnionType):
                more["responses"] = more["responses"] | {200: {"model": returned, "description": "Done."}}
                more["response_model"] = None
        more["operation_id"] = more["operation_id"] or endpoint.__name__
        work = endpoint if iscoroutinefunction(endpoint) else in_turn(endpoint, self.pool)
        super().__init__(path, _sent(work), **more | {"response_description": "Done."})


class Computing(Threaded):
    """A route whose work is to compute: the interpreter does so in one thread at a time, and few threads share it."""

    pool = "computing"


def _sent(work: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Response]]:
    @wraps(work)
    async def send(**given: Any) -> Response:
        done = await work(**given)
        return done if isinstance(done, Response) else Json(done)

    return send


def api_router(tag: str, route: type[Threaded] = Threaded) -> APIRouter:
    """Return a router of the API."""
    return APIRouter(tags=[tag], responses=FAILURES, route_class=route)


def open_to_all(work: Callable[..., Any]) -> Callable[..., Any]:
    """Marks a route that needs no key, on purpose."""
    work.open_to_all = True  # type: ignore[attr-defined]
    return work
