"""No page shows what is another's, and none does what a key does not allow: every route of the pages, with ids and
names of other tenants."""

from __future__ import annotations

import random
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from fastapi.routing import APIRoute
from service_tools import Served, key_of, serving

from onrecord.service.keys import SCOPES
from onrecord.ui.door import router as door
from onrecord.ui.pages import ROUTERS

TENANTS = ("anna", "ben", "cara")
ROUNDS = 400
SLOW = {"/ui/health/check"}  # for the operator alone


def planted(tenant: str) -> str:
    return f"zq{tenant}qz"


def routes() -> list[APIRoute]:
    return [route for router in [door, *ROUTERS] for route in router.routes if isinstance(route, APIRoute)]


def scope_of(route: APIRoute) -> str | None:
    asked = [getattr(part.call, "scope", None) for part in route.dependant.dependencies]
    found = [one for one in asked if one is not None]
    assert len(found) <= 1, route.path
    return found[0] if found else None


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    place = tmp_path_factory.mktemp("tenants") / "memory.db"
    return {"place": str(place), **{name: key_of(place, *SCOPES, tenant=name) for name in TENANTS}}


@pytest.fixture(scope="module")
def service(keys: dict[str, str]) -> Iterator[Served]:
    with serving(keys["place"], rate=0.0) as served:
        for name in TENANTS:
            memory = served.memory.space(f"{name}/default")
            for session in ("trip", planted(name)):
                chat = memory.session(session)
                chat.add("user", f"My codeword is {planted(name)}.", name=planted(name))
                chat.add("user", f"I live in {planted(name)}town. We decided to sell the {planted(name)}boat.")
            memory.session("trip").pin(f"Remember {planted(name)}")
            memory.session("trip").summarize(1, 2)
        yield served


def test_every_route_of_the_pages_needs_a_scope_or_says_that_it_is_open() -> None:
    found = routes()
    assert len(found) > 30
    assert {route.path for route in found if scope_of(route) is None} == {"/ui/enter", "/ui/leave"}
    assert all(getattr(route.endpoint, "open_to_all", False) for route in found if scope_of(route) is None)
    changing = {scope_of(route) for route in found if "POST" in (route.methods or ())}
    assert "read" not in changing


@pytest.mark.parametrize("scope", SCOPES)
def test_a_missing_scope_is_an_error_on_every_page(service: Served, keys: dict[str, str], scope: str) -> None:
    key = key_of(keys["place"], scope, tenant="scoped")
    for route in routes():
        if scope_of(route) in (scope, None):
            continue
        path = route.path.replace("{session}", "s").replace("{id}", "i").replace("{seq}", "1")
        answer = service.call(_method(route), path, key=key, headers={"Accept": "text/html"})
        assert answer.status_code == 403, (path, answer.status_code)
        assert f"no scope {scope_of(route)}" in answer.text


@pytest.mark.parametrize("seed", range(2))
def test_no_page_shows_what_is_foreign(service: Served, keys: dict[str, str], seed: int) -> None:
    draw = random.Random(seed)
    ids = {name: _ids(service, name) for name in TENANTS}
    fine = 0
    for _ in range(ROUNDS // 2):
        tenant = draw.choice(TENANTS)
        other = draw.choice([name for name in TENANTS if name != tenant])
        route = draw.choice([one for one in routes() if one.path not in SLOW and scope_of(one)])
        path, asked = _filled(route, draw, ids[other])
        values = {name: draw.choice(["1", "codeword", "trip", draw.choice(ids[other])]) for name in _fields(route)}
        method = _method(route)
        sent = None if method == "GET" else values
        answer = service.call(method, path, key=keys[tenant], params=asked, headers={"Accept": "text/html"}, data=sent)
        assert answer.status_code != 500, (method, path, answer.text)
        fine += answer.status_code in (200, 303)
        told = answer.text + str(dict(answer.headers))
        assert planted(other) not in told, (method, path, asked, values)
    assert fine > ROUNDS // 5  # many of them did something


def _method(route: APIRoute) -> str:
    return "GET" if "GET" in (route.methods or ()) else "POST"


def _ids(service: Served, tenant: str) -> list[str]:
    memory = service.memory.space(f"{tenant}/default")
    chat = memory.session("trip")
    return [
        *(one.id for one in memory.facts(status=None)),
        *(one.id for one in memory.episodes(status=None)),
        *(one.id for one in chat.pins()),
        *(one.id for one in chat.summaries()),
        *(one.id for one in chat.history()),
    ]


def _filled(route: APIRoute, draw: random.Random, foreign: list[str]) -> tuple[str, dict[str, str]]:
    path = route.path.replace("{session}", draw.choice(["trip", "new"])).replace("{seq}", "1")
    path = path.replace("{id}", quote(draw.choice(foreign), safe=""))
    asked = {}
    for name in [field.alias for field in route.dependant.query_params]:
        if draw.random() < 0.3:
            asked[name] = draw.choice(["1", "codeword", "trip", "active", draw.choice(foreign)])
    if draw.random() < 0.3:
        asked["space"] = draw.choice(["default", "ben/default", "../ben/default", "onrecord.keys"])
    return path, asked


def _fields(route: APIRoute) -> list[str]:
    return [field.alias for field in route.dependant.body_params]
