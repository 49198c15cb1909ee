"""Nobody sees what is another's: ten tenants with planted texts, random calls on every route, and every scope."""

from __future__ import annotations

import json
import logging
import random
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from fastapi.routing import APIRoute
from postgres_tools import empty_store_url
from service_tools import Served, key_of, serving, session_path

from onrecord import Memory
from onrecord.service.keys import RESERVED, SCOPES, Keys
from onrecord.service.proxy import router as proxy
from onrecord.service.routes import ROUTERS
from onrecord.service.space_access import needs
from onrecord.testing.scripted_server import ScriptedEndpoint

TENANTS = [f"tenant{number}" for number in range(10)]
SESSIONS = ("trip", "work", "a/b")
ROUNDS = 500


@dataclass(frozen=True, slots=True)
class Tenant:
    name: str
    key: str
    planted: str  # a word that nobody else knows


def planted(name: str) -> str:
    return f"zq{name}qz"


@pytest.fixture(scope="module", params=["file", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    if request.param == "postgresql":
        return empty_store_url("tenants")
    return str(tmp_path_factory.mktemp("tenants") / "memory.db")


@pytest.fixture(scope="module")
def tenants(place: str) -> list[Tenant]:
    with Memory(place, embedder=None) as memory:
        keys = Keys(memory._store, memory._clock)
        return [Tenant(name, keys.create(scopes=SCOPES, tenant=name)[0], planted(name)) for name in TENANTS]


@pytest.fixture(scope="module")
def service(place: str, tenants: list[Tenant]) -> Iterator[Served]:
    with ScriptedEndpoint() as upstream, serving(place, upstream=upstream.base_url, rate=0.0) as served:
        for tenant in tenants:
            for session in SESSIONS:
                texts = [f"My codeword is {tenant.planted} for {session}.", f"I live in {tenant.planted}town."]
                body = {"messages": [{"role": "user", "text": text, "name": tenant.planted} for text in texts]}
                served.ok("POST", session_path(session, "/messages/batch"), body, key=tenant.key, space="ana")
            served.ok("POST", session_path("trip", "/pins"), {"text": tenant.planted}, key=tenant.key, space="ana")
            served.ok("POST", "/v1/facts", {"text": f"The word is {tenant.planted}."}, key=tenant.key, space="ana")
        yield served


def routes() -> list[APIRoute]:
    found = [route for router in [*ROUTERS, proxy] for route in router.routes]
    return [route for route in found if isinstance(route, APIRoute)]


def scope_of(route: APIRoute) -> str | None:
    """The scope that a route asks for, if any."""
    asked = [getattr(part.call, "scope", None) for part in route.dependant.dependencies]
    found = [one for one in asked if one is not None]
    assert len(found) <= 1
    return found[0] if found else None


def test_every_route_needs_a_scope_or_says_that_it_is_open() -> None:
    found = routes()
    assert len(found) > 50
    open_ones = {route.path for route in found if scope_of(route) is None}
    assert open_ones == {"/healthz", "/readyz"}
    assert all(getattr(route.endpoint, "open_to_all", False) for route in found if route.path in open_ones)
    assert {scope_of(route) for route in found} == {*SCOPES, None}
    assert {needs(scope).scope for scope in ("read", "write")} == {"read", "write"}  # type: ignore[attr-defined]


def ids(service: Served, tenant: Tenant) -> list[str]:
    """Ids of everything that a tenant has."""
    memory = service.memory.space(f"{tenant.name}/ana")
    facts = [fact.id for fact in memory.facts(status=None)]
    chat = memory.session("trip")
    return [
        *facts,
        *(pin.id for pin in chat.pins()),
        *(one.id for one in chat.history()),
        *(s.id for s in chat.summaries()),
    ]


def filled(
    route: APIRoute, draw: random.Random, foreign: list[str], others: list[Tenant]
) -> tuple[str, Any, dict[str, str]]:
    """A path, a body and parameters for a route: foreign ids and names among them. What is planted is only asked for,
    never said: then nobody has it in their own space."""

    def pick(own: tuple[str, ...]) -> str:
        return draw.choice([*own, *draw.sample(foreign, min(3, len(foreign)))])

    path = route.path
    if "{session}" in path:
        head, _, rest = path.partition("/v1/sessions/{session}")
        path = head + session_path(pick(SESSIONS), rest)
    path = path.replace("{id}", pick(("none",)))
    other = draw.choice(others)
    words = draw.choice(["codeword", "town", other.planted, "*", "word"])
    body: Any = {
        "add": {"role": "user", "text": "hello"},
        "add_many": {"messages": [{"role": "user", "text": "hello"}]},
        "search": {"text": words, "limit": 50},
        "search_session": {"text": words, "limit": 50},
        "context": {"question": words, "manifest": True, "tokens": 4000},
        "explain": {"question": words},
        "pin": {"text": "hello"},
        "add_fact": {"text": "hello"},
        "edit_fact": {"value": "x"},
        "archive": {"id": pick(("none",))},
        "restore": {"id": pick(("none",))},
        "relate": {"source": pick(("a",)), "type": "related_to", "target": pick(("b",))},
        "add_summary": {"text": "hello", "last": 1},
        "edit_summary": {"locked": True},
        "set_important": {"custom_fields": {"a": "b"}},
        "forget": draw.choice(
            [{"session": "zz"}, {"fact": pick(("none",))}, {"session": "trip", "messages": [pick(("1",))]}]
        ),
        "add_episode": {"title": "hello"},
        "drop_job": {"id": 1},
        "chat_completions": {"model": "m", "messages": [{"role": "user", "content": "codeword?"}], "user": other.name},
    }.get(str(route.operation_id), {})
    params: dict[str, str] = {"status": "all", "plan": "all"} if draw.random() < 0.3 else {}
    return path, body, params


SKIPPED = {"rebuild", "import", "check", "consolidate", "flush", "flush_space"}  # slow, or for the operator alone


@pytest.mark.parametrize("seed", range(2))
def test_nothing_foreign_ever_comes_back(service: Served, tenants: list[Tenant], seed: int) -> None:
    draw = random.Random(seed)
    callable_ones = [route for route in routes() if route.operation_id not in SKIPPED and route.include_in_schema]
    known = {tenant.name: ids(service, tenant) for tenant in tenants}
    spaces = ["ana", "ana", "ana", "default", "tenant1/ana", "../tenant1/ana", "/tenant2/ana", RESERVED]
    answered: dict[str, int] = {}
    for _ in range(ROUNDS // 2):
        route, tenant = draw.choice(callable_ones), draw.choice(tenants)
        others = [one for one in tenants if one is not tenant]
        foreign = known[draw.choice(others).name]
        path, body, params = filled(route, draw, foreign, others)
        method = next(iter(route.methods or ()))
        sent = None if method in ("GET", "DELETE") else body
        space = draw.choice(spaces)
        answer = service.call(method, path, sent, key=tenant.key, space=space, params=params)
        assert answer.status_code != 500, (method, path, answer.text)
        answered[str(route.operation_id)] = answered.get(str(route.operation_id), 0) + (answer.status_code == 200)
        asked = json.dumps([path, body])
        told = answer.text + json.dumps(dict(answer.headers))
        for other in others:
            if other.planted not in asked:
                assert other.planted not in told, (method, path, tenant.name, other.name)
    assert sum(count > 0 for count in answered.values()) > len(callable_ones) // 2  # most of it did something


def test_a_name_with_another_tenant_in_it_is_ones_own(service: Served, tenants: list[Tenant]) -> None:
    first, second = tenants[:2]
    path = session_path("trip", "/messages")
    assert service.ok("GET", path, key=first.key, space=f"{second.name}/ana")["items"] == []
    assert service.ok("GET", path, key=first.key, space=f"../{second.name}/ana")["items"] == []
    assert "ana" in service.ok("GET", "/v1/spaces", key=first.key)["items"]


def test_a_key_without_a_tenant_sees_no_tenants_space(service: Served, place: str, tenants: list[Tenant]) -> None:
    with Memory(place, embedder=None) as memory:
        key, _ = Keys(memory._store, memory._clock).create(scopes=SCOPES)
    service.fails(403, "Denied", "GET", "/v1/sessions", key=key, space="tenant1/ana")
    service.fails(403, "Denied", "GET", "/v1/sessions", key=key, space=RESERVED)
    assert not any("/" in name or name == RESERVED for name in service.ok("GET", "/v1/spaces", key=key)["items"])
    assert service.ok("GET", "/v1/check", key=key)["ok"]
    service.fails(403, "Denied", "GET", "/v1/check", key=tenants[0].key)
    service.fails(403, "Denied", "GET", "/v1/jobs", key=tenants[0].key)
    service.fails(403, "Denied", "GET", "/metrics", key=tenants[0].key)


@pytest.mark.parametrize("scope", SCOPES)
def test_a_missing_scope_is_an_error(service: Served, place: str, scope: str) -> None:
    with Memory(place, embedder=None) as memory:
        key, _ = Keys(memory._store, memory._clock).create(scopes=[scope], tenant="scoped")
    for route in routes():
        if scope_of(route) in (scope, None):
            continue
        path = route.path.replace("{session}", "s").replace("{id}", "i")
        method = next(iter(route.methods or ()))
        error = service.fails(403, "Denied", method, path, None if method in ("GET", "DELETE") else {}, key=key)
        assert str(scope_of(route)) in error["message"]


def test_a_key_for_one_space_opens_no_other(service: Served, place: str) -> None:
    with Memory(place, embedder=None) as memory:
        key, _ = Keys(memory._store, memory._clock).create(scopes=SCOPES, tenant="tenant1", space="bob")
    assert service.ok("GET", "/v1/sessions", key=key)["items"] == []
    service.fails(403, "Denied", "GET", "/v1/sessions", key=key, space="ana")
    service.fails(403, "Denied", "POST", "/v1/forget", {"space": "ana"}, key=key)
    assert service.ok("GET", "/v1/spaces", key=key)["items"] == []


@pytest.mark.parametrize("key", ["", "x", "rk_", "rk_00000000_x", "rk_" + "0" * 8 + "_" + "A" * 43, "ä", "rk_a_b_c_d"])
def test_no_key_or_a_wrong_one(service: Served, key: str) -> None:
    headers = {b"Authorization": f"Bearer {key}".encode()} if key else {}
    answer = service.http.get("/v1/sessions", headers=headers)
    assert answer.status_code == 401
    assert answer.json()["error"]["code"] == "Denied"
    assert key == "" or key not in answer.text or len(key) == 1


def test_strangers_are_turned_away_before_they_have_sent_anything(service: Served) -> None:
    with socket.create_connection(("127.0.0.1", int(service.url.rsplit(":", 1)[1]))) as line:
        head = "POST /v1/search HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n\r\n"
        line.sendall(head.encode() + b"{")
        assert line.recv(1000).startswith(b"HTTP/1.1 401")


def test_the_first_key_closes_a_service_that_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onrecord.service.auth.KNOWN", 0.0)
    with serving(tmp_path / "open.db") as served:
        served.ok("GET", "/v1/sessions")
        key = key_of(tmp_path / "open.db", "read")
        served.fails(401, "Denied", "GET", "/v1/sessions")
        served.ok("GET", "/v1/sessions", key=key)


def test_a_revoked_key_opens_nothing(service: Served, place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onrecord.service.auth.KNOWN", 0.0)
    with Memory(place, embedder=None) as memory:
        keys = Keys(memory._store, memory._clock)
        key, made = keys.create(scopes=SCOPES, tenant="gone")
        service.ok("GET", "/v1/sessions", key=key)
        keys.revoke(made.prefix)
    service.fails(401, "Denied", "GET", "/v1/sessions", key=key)


def test_too_many_requests_are_told_to_wait(place: str, tenants: list[Tenant]) -> None:
    with serving(place, rate=1.0) as served:
        answers = [served.call("GET", "/v1/sessions", key=tenants[0].key) for _ in range(4)]
        assert [answer.status_code for answer in answers][:2] == [200, 200]
        assert answers[-1].status_code == 429
        assert int(answers[-1].headers["retry-after"]) >= 1
        assert answers[-1].json()["error"]["code"] == "Limited"
        assert "1 requests a second" in answers[-1].json()["error"]["message"]
        assert served.call("GET", "/v1/sessions", key=tenants[1].key).status_code == 200


def test_nothing_private_is_logged_or_counted(
    service: Served, tenants: list[Tenant], place: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    tenant = tenants[3]
    secret = "xqsecretqx"
    for method, path, body in (
        ("POST", session_path(secret, "/messages"), {"role": "user", "text": secret}),
        ("POST", session_path(secret, "/messages"), {"role": secret, "text": secret}),
        ("POST", "/v1/search", {"text": secret, "nonsense": secret}),
        ("POST", session_path(secret, "/context"), {"question": secret}),
        ("GET", f"/v1/facts/{secret}", None),
        ("GET", f"/v1/{secret}", None),
        ("GET", f"/v1/sessions?cursor={secret}", None),
        ("POST", "/v1/chat/completions", {"model": secret, "messages": [{"role": "user", "content": secret}]}),
    ):
        service.call(method, path, body, key=tenant.key, space=secret)
    service.call("GET", "/v1/sessions", key=f"rk_00000000_{secret}")
    with Memory(place, embedder=None) as memory:
        operator, _ = Keys(memory._store, memory._clock).create(scopes=["admin"])
    ours = [record for record in caplog.records if record.name.startswith("onrecord")]
    said = "\n".join(record.getMessage() + json.dumps(vars(record), default=str) for record in ours)
    assert "request" in said
    figures = service.call("GET", "/metrics", key=operator).text
    assert "onrecord_requests_total" in figures
    for word in (secret, tenant.key, tenant.planted):
        assert word not in said
        assert word not in figures
