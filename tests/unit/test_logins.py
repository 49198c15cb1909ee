"""Logins: what stands for a key in a browser, how long, and what no file tells. On every store."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from postgres_tools import QUICK, empty_store_url

from onrecord.ports import Store
from onrecord.records import Query
from onrecord.service.keys import RESERVED, Keys
from onrecord.service.logins import LIFETIME, MOST, SESSION, Logins
from onrecord.stores import open_store


class MovedClock:
    """A clock that a test moves."""

    now = datetime(2026, 5, 5, 12, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> MovedClock:
    return MovedClock()


@pytest.fixture(params=["memory", "folder", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    place = {
        "memory": ":memory:",
        "folder": f"{tmp_path}/notes/",
        "sqlite": f"{tmp_path}/memory.db",
    }.get(request.param) or empty_store_url("keys")
    opened = open_store(place, QUICK)
    yield opened
    opened.close()


def test_a_login_stands_for_its_key_until_it_ends(store: Store, clock: MovedClock) -> None:
    keys = Keys(store, clock)
    logins = Logins(store, keys, clock)
    secret, key = keys.create(scopes=["read"], tenant="acme")
    first, second = logins.begin(key.prefix), logins.begin(key.prefix)
    assert logins.key(first) == logins.key(second) == key
    assert [logins.key(other) for other in (secret, key.prefix, first[:-1], "", "rl_", "\ud800")] == [None] * 6
    logins.end(first)
    logins.end("rl_unknown")
    assert (logins.key(first), logins.key(second)) == (None, key)
    keys.revoke(key.prefix)
    assert logins.key(second) is None
    assert [one.prefix for one in keys.all()] == [key.prefix]


def test_a_login_ends_with_its_time_and_with_the_keys_time(store: Store, clock: MovedClock) -> None:
    keys = Keys(store, clock)
    logins = Logins(store, keys, clock)
    lasting, brief = (keys.create(scopes=["read"], expires=clock.now + timedelta(days=day))[1] for day in (90, 1))
    tokens = [logins.begin(lasting.prefix), logins.begin(brief.prefix)]
    clock.now += timedelta(days=1)
    assert [logins.key(token) for token in tokens] == [lasting, None]
    clock.now += LIFETIME
    assert logins.key(tokens[0]) is None


def test_the_logins_of_a_key_do_not_pile_up(store: Store, clock: MovedClock) -> None:
    keys = Keys(store, clock)
    logins = Logins(store, keys, clock)
    prefix = keys.create(scopes=["read"])[1].prefix
    tokens = []
    for _ in range(MOST + 2):
        clock.now += timedelta(minutes=1)
        tokens.append(logins.begin(prefix))
    assert [logins.key(token) is None for token in tokens] == [True] * 2 + [False] * MOST
    clock.now += LIFETIME
    logins.begin(prefix)
    assert len(store.records(RESERVED, SESSION, Query(kind="key"))) == 1


@pytest.mark.parametrize("place", ["notes/", "memory.db"])
def test_no_file_holds_a_login(place: str, tmp_path: Path, clock: MovedClock) -> None:
    store = open_store(f"{tmp_path}/{place}", QUICK)
    keys = Keys(store, clock)
    logins = Logins(store, keys, clock)
    token = logins.begin(keys.create(scopes=["read"])[1].prefix)
    seen = [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    store.close()
    seen += [path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()]
    assert not [raw for raw in seen if token[3:].encode() in raw]
    store = open_store(f"{tmp_path}/{place}", QUICK)
    assert Logins(store, Keys(store, clock), clock).key(token) is not None
    assert store.check(lambda done: None).findings == ()
    store.close()
