"""Logins: what a browser keeps in place of a key.

A login is a random token that stands for one key. It ends when its user leaves, when its time is over, and with the
key. Its digest is kept beside the keys, so every process of a service knows it, and a leaked file lets nobody in.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from hashlib import sha256

from onrecord.ports import Batch, Clock, Store
from onrecord.records import Query, Record
from onrecord.service.keys import RESERVED, Key, Keys

__all__ = ["LIFETIME", "TOKEN", "Logins"]

LIFETIME = timedelta(days=30)

TOKEN = "rl_"
"""How every token begins."""

MOST = 50
"""Logins of one key; a further one ends the oldest."""

SESSION, KIND = "logins", "key"


class Logins:
    """The logins of one store. Safe to use from many threads and processes: nothing is cached."""

    def __init__(self, store: Store, keys: Keys, clock: Clock) -> None:
        self._store = store
        self._keys = keys
        self._clock = clock

    def begin(self, prefix: str) -> str:
        """Return a new token for the key with this prefix; expired and surplus logins of the key are removed."""
        token, now = f"{TOKEN}{secrets.token_urlsafe(32)}", self._clock()
        there = self._store.records(RESERVED, SESSION, Query(kind=KIND, plan=prefix))
        newest = sorted(there, key=lambda login: login.time, reverse=True)
        old = [login for place, login in enumerate(newest, 1) if place >= MOST or _has_expired(login, now)]
        login = Record(session=SESSION, kind=KIND, plan=prefix, key=_digest(token), time=now, body={}, locked=True)
        self._write([login], old, now)
        return token

    def key(self, token: str) -> Key | None:
        """Return the key that a token stands for; None if the login or the key has ended."""
        login = self._found(token)
        return None if login is None or _has_expired(login, self._clock()) else self._keys.valid(login.plan)

    def end(self, token: str) -> None:
        """End a login; an unknown token is ignored."""
        login = self._found(token)
        if login is not None:
            self._write([], [login], self._clock())

    def _found(self, token: str) -> Record | None:
        found = self._store.records(RESERVED, SESSION, Query(kind=KIND, key=_digest(token), limit=1))
        return found[0] if found else None

    def _write(self, new: list[Record], old: list[Record], now: datetime) -> None:
        drops = [(login.kind, login.key) for login in old]
        self._store.commit(Batch(space=RESERVED, session=SESSION, records=new, drops=drops, time=now))


def _has_expired(login: Record, now: datetime) -> bool:
    return now >= login.time + LIFETIME


def _digest(token: str) -> str:
    return sha256(token.encode("utf-8", "replace")).hexdigest()
