"""Who calls, and what they may do: every request is let in, or refused, before a byte of its body is read."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache, partial
from hashlib import sha256
from typing import Literal, TypeVar
from urllib.parse import urlsplit

from anyio import CapacityLimiter, fail_after, to_thread
from fastapi import Request
from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as AsgiScope

from onrecord.errors import Denied, Limited, OnrecordError, StoreBusy, StoreError
from onrecord.ports import Clock, Store
from onrecord.service.error_responses import failed
from onrecord.service.keys import RESERVED, Key, Keys
from onrecord.service.limits import Rate
from onrecord.service.logins import TOKEN, Logins
from onrecord.service.service_settings import is_loopback

__all__ = ["COOKIE", "OPEN", "Authenticator", "Caller", "LetIn", "Scope", "login_of", "refuse_other_pages"]

_Result = TypeVar("_Result")

Scope = Literal["read", "write", "erase", "admin"]

KNOWN = 1.0
"""Seconds for which a key that was looked up is taken as it was: so long a revoked one may still work."""

REMEMBERED = 600.0
"""Seconds for which it is still taken so while the store does not answer."""

PATIENCE = 3.0
"""Seconds in which the store must say whether it knows one."""

MOST_KNOWN = 10_000

WANTED = "Send it as Authorization: Bearer rk_…; in Python key=…, on the command line ONRECORD_KEY."

OPEN = ("/healthz", "/readyz", "/docs", "/openapi.json", "/", "/ui", "/ui/enter", "/ui/leave")
"""Paths that need no key."""

OPEN_BELOW = "/ui/static/"
"""The same for all paths that begin so: files that are everybody's."""

COOKIE = "onrecord_login"
"""The cookie in which the browser of a user of the pages keeps the token of their login."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """A caller, and what they may do."""

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
            raise Denied(f"The space {name!r} is reserved.", "Use another name, without '/'.")
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


class LetIn:
    """Asks who calls before a byte of the body is read, and turns strangers away."""

    def __init__(self, app: ASGIApp, auth: Authenticator) -> None:
        self.app = app
        self.auth = auth

    async def __call__(self, scope: AsgiScope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"] not in OPEN and not scope["path"].startswith(OPEN_BELOW):
            request = Request(scope)
            about = scope.setdefault("onrecord", {})
            try:
                caller = await self.auth.caller(request, _secret(request))
            except OnrecordError as error:
                await failed(error, headers={"Connection": "close"})(scope, receive, send)
                return
            about.update(caller=caller, key=caller.prefix, tenant=caller.tenant)  # also for the log
        await self.app(scope, receive, send)


class Authenticator:
    """Knows callers by their keys and logins, and counts their requests. For one event loop."""

    def __init__(self, store: Store, clock: Clock, rate: float) -> None:
        self.keys = Keys(store, clock)
        self.needs_keys = self.keys.any()
        self.checking = CapacityLimiter(8)  # threads that ask the store
        self._logins = Logins(store, self.keys, clock)
        self._rate = Rate(rate, 2 * rate)
        self._asked = 0.0  # when it was last looked whether there are keys
        self._known: OrderedDict[bytes, tuple[float, Key | None]] = OrderedDict()

    async def caller(self, request: Request, secret: str | None) -> Caller:
        """Return who it is. Raises `Denied` if they may not come in, `Limited` if they came too often."""
        if not await self._wants_keys():
            _refuse_strangers(request)
            return ANYONE
        if not secret:
            raise Denied("This service wants a key.", WANTED, known=False)
        key = await self._key(secret)
        if key is None:
            raise Denied("The key is not known, or not valid any more.", "Check it, or have another made.", known=False)
        if (wait := self._rate.allow(key.prefix)) > 0:
            what, hint = f"More than {self._rate.per_second:g} requests a second.", f"Wait {wait:.1f} s."
            raise Limited(what, hint, seconds=max(1, round(wait + 0.5)))
        return Caller(prefix=key.prefix, tenant=key.tenant, space=key.space, scopes=frozenset(key.scopes))

    async def begin_login(self, prefix: str) -> str:
        """Return the token of a new login. Raises StoreBusy if the store does not write it soon."""
        return await self._written(partial(self._logins.begin, prefix))

    async def end_login(self, token: str) -> None:
        """End a login: at once in this process, within a second in the others. Raises as `begin_login`."""
        await self._written(partial(self._logins.end, token))
        self._known.pop(_digest_of(token), None)

    async def _wants_keys(self) -> bool:
        """Whether callers need a key: from when on there is the first one, also while the service runs."""
        if not self.needs_keys and time.monotonic() > self._asked + KNOWN:
            self._asked = time.monotonic()
            with suppress(StoreError, TimeoutError):  # then it is looked again in a second
                self.needs_keys = await self._looked_up(self.keys.any)
        return self.needs_keys

    async def _key(self, secret: str) -> Key | None:
        digest, now = _digest_of(secret), time.monotonic()
        until, key = self._known.get(digest, (0.0, None))
        if now < until:
            return key
        try:
            check = self._logins.key if secret.startswith(TOKEN) else self.keys.check
            key = await self._looked_up(partial(check, secret))
        except (StoreError, TimeoutError):
            if key is None or now > until + REMEMBERED:
                raise StoreBusy("Keys cannot be looked up.", "Try again.") from None
            return key  # so that chats go on while the store is away
        self._known[digest] = (now + KNOWN, key)
        self._known.move_to_end(digest)
        while len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)
        return key

    async def _written(self, work: Callable[[], _Result]) -> _Result:
        try:
            return await self._looked_up(work)
        except TimeoutError:
            raise StoreBusy("Logins cannot be written.", "Try again.") from None

    async def _looked_up(self, work: Callable[[], _Result]) -> _Result:
        """What the store says of keys, if it does soon."""
        with fail_after(PATIENCE):
            return await to_thread.run_sync(work, limiter=self.checking, abandon_on_cancel=True)


def _refuse_strangers(request: Request) -> None:
    """Raise unless this machine asks, and no web page that is open on it: strangers need a key."""
    if not _means_here(request.headers.get("host", "")):
        raise Denied("Without keys only this machine is answered.", "Ask for http://127.0.0.1 or http://localhost.")
    refuse_other_pages(request)


def refuse_other_pages(request: Request) -> None:
    """Raise if a page of another origin has a browser ask; a link that a user follows from there is allowed."""
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


def _digest_of(secret: str) -> bytes:
    return sha256(secret.encode("utf-8", "replace")).digest()
