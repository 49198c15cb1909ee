"""Keys: who may call a service, for which tenant, and for what.

They lie in the memory's own store, in a space that no door leads to. A key is shown once, when it is made; what is kept
is its digest, which is no key itself. It has 256 random bits, so a plain digest is as good as a slow one.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import Self

from onrecord import former
from onrecord.errors import InvalidInput, NotFound
from onrecord.journal.asking import listed
from onrecord.journal.clean import clean_choice, clean_name, clean_time
from onrecord.ports import Batch, Clock, Store
from onrecord.records import Query, Record
from onrecord.records.messages import Jsonable
from onrecord.records.typed import typed

__all__ = ["RESERVED", "SCOPES", "Key", "Keys"]

SCOPES = ("read", "write", "erase", "admin")
"""What a key may allow. None includes another."""

RESERVED = f"{former.NAME}.keys"
"""The space that holds the keys."""

SESSION, KIND, PLAN = "keys", "key", "keys"

_FORM = re.compile("rk_([0-9a-f]{8})_[A-Za-z0-9_-]{43}")
_NAMED = re.compile("(?:rk_)?([0-9a-f]{8})(?:_.*)?", re.DOTALL)  # its first digits, however they were copied
_TENANT = re.compile("[A-Za-z0-9._-]{1,64}")
_NOBODY = sha256(b"").hexdigest()  # compared with where there is no such key, so that time does not tell


@dataclass(frozen=True, slots=True, kw_only=True)
class Key(Jsonable):
    """What is known of a key, without the key."""

    prefix: str  # its first digits, by which it is named
    scopes: tuple[str, ...]  # what it allows, of SCOPES
    tenant: str | None = None  # whose spaces it sees; None: those of no tenant
    space: str | None = None  # the one space that it sees; None: all of them
    name: str = ""  # what it is for
    created: datetime  # when it was made
    revoked: datetime | None = None  # since when it is refused
    expires: datetime | None = None  # from when on it is refused

    @classmethod
    def of(cls, record: Record) -> Self:
        """Return the key that a record holds."""
        known = {"scopes": (), **(record.body or {}), "prefix": record.key, "created": record.time.isoformat()}
        return typed(cls, known)

    def holds(self, now: datetime) -> bool:
        """Whether it is taken at a moment."""
        return self.revoked is None and (self.expires is None or now < self.expires)


class Keys:
    """The keys of one store. Safe to use from many threads and processes: nothing is kept here."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock

    def create(
        self,
        *,
        scopes: str | Iterable[str],
        tenant: str | None = None,
        space: str | None = None,
        name: str = "",
        expires: datetime | str | None = None,
    ) -> tuple[str, Key]:
        """Make a key; the text of it is answered here and never again."""
        key = Key(
            prefix="",
            scopes=_clean_scopes(scopes),
            tenant=_clean_tenant(tenant),
            space=_clean_space(space, tenant),
            name=_clean_purpose(name),
            created=self._clock(),
            expires=None if expires is None else clean_time(expires, "expires"),
        )
        if not key.holds(key.created):
            raise InvalidInput("The key would have expired already.", "Give a time to come, or leave it out.")
        while not key.prefix or self._found(key.prefix):  # no two keys have the same
            secret = f"rk_{secrets.token_hex(4)}_{secrets.token_urlsafe(32)}"
            key = replace(key, prefix=secret[3:11])
        self._write(key, _digest(secret))
        return secret, key

    def all(self) -> list[Key]:
        """Every key, revoked and expired ones too, oldest first."""
        found: list[Key] = []
        query = Query(kind=KIND)
        while page := self._store.records(RESERVED, SESSION, query):
            found += map(Key.of, page)
            query = replace(query, beyond=page[-1].place)
        return sorted(found, key=lambda key: (key.created, key.prefix))

    def revoke(self, prefix: str) -> Key:
        """Refuse a key from now on; it stays in the list. One that is revoked already stays as it is. Also takes the
        whole key, of which only the first digits are looked at."""
        match = _NAMED.fullmatch(prefix)
        if match is None:
            raise InvalidInput("This is not how a key begins.", "Give its 8 digits, as the list of keys shows them.")
        found = self._found(match[1])
        if not found:
            raise NotFound(f"There is no key {match[1]}.", "See the list of keys.")
        key = Key.of(found[0])
        if key.revoked is None:
            key = replace(key, revoked=self._clock())
            self._write(key, _kept_digest(found[0]))
        return key

    def check(self, secret: str) -> Key | None:
        """The key of this text; None if there is none, or if it was revoked or has expired."""
        match = _FORM.fullmatch(secret)
        if match is None:
            return None
        found = self._found(match[1])
        kept = _kept_digest(found[0]) if found else _NOBODY
        if not hmac.compare_digest(kept, _digest(secret)) or not found:
            return None
        return self._valid(found)

    def valid(self, prefix: str) -> Key | None:
        """Return the key with this prefix; None if there is none, or if it was revoked or has expired."""
        return self._valid(self._found(prefix))

    def _valid(self, found: list[Record]) -> Key | None:
        key = Key.of(found[0]) if found else None
        return key if key is not None and key.holds(self._clock()) else None

    def any(self) -> bool:
        """Whether the store is one with keys: then every caller needs one, also when all were revoked or damaged."""
        return self._store.session(RESERVED, SESSION) is not None

    def _found(self, prefix: str) -> list[Record]:
        return self._store.records(RESERVED, SESSION, Query(kind=KIND, key=prefix, limit=1))

    def _write(self, key: Key, digest: str) -> None:
        body = {name: value for name, value in key.to_dict().items() if name not in ("prefix", "created")}
        record = Record(
            session=SESSION,
            kind=KIND,
            plan=PLAN,
            key=key.prefix,
            locked=True,
            time=key.created,
            body={"digest": digest} | body,
        )
        self._store.commit(Batch(space=RESERVED, session=SESSION, records=[record], time=self._clock()))


def _digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()


def _kept_digest(record: Record) -> str:
    return str((record.body or {}).get("digest", _NOBODY))


def _clean_scopes(given: object) -> tuple[str, ...]:
    chosen = {clean_choice(scope, SCOPES, "scope") for scope in listed(given, "scopes")}
    if not chosen:
        raise InvalidInput("A key without a scope allows nothing.", f"Name some of {', '.join(SCOPES)}.")
    return tuple(scope for scope in SCOPES if scope in chosen)


def _clean_tenant(given: object) -> str | None:
    if given is None:
        return None
    if not isinstance(given, str) or _TENANT.fullmatch(given) is None:
        raise InvalidInput(f"tenant {given!r} does not fit.", "Use 1 to 64 letters, digits, dots, dashes, underscores.")
    return given


def _clean_space(given: object, tenant: str | None) -> str | None:
    """A space as its owner calls it. Without a tenant, a slash would lead into the space of one."""
    if given is None:
        return None
    name = clean_name(given, "space")
    if tenant is None and ("/" in name or name == RESERVED):
        raise InvalidInput(f"space {name!r} is not for a key without a tenant.", "Use another name, without a slash.")
    clean_name(f"{tenant or ''}/{name}", "space, with its tenant before it,")
    return name


def _clean_purpose(given: object) -> str:
    return "" if given == "" else clean_name(given, "name")
