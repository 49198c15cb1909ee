"""On every route: cursors and numbers of pages that nobody gave, and forms that pages of other origins send."""

from __future__ import annotations

import json
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote, unquote

import pytest
from fastapi import FastAPI
from postgres_tools import empty_store_url

from onrecord import Memory
from onrecord.service.keys import SCOPES, Keys
from onrecord.service.service_settings import Serving
from onrecord.ui.site import create_app
from tests.hostile.http import known, login
from tests.hostile.requests import CURSORS, Answer, Request, operations, send

HOST = (b"host", b"127.0.0.1")
FORM = (b"content-type", b"application/x-www-form-urlencoded")
FACT, SUMMARY = (
    [urlsafe_b64encode(json.dumps(place).encode()).decode() for place in places]
    for places in (([0, "s", "x"], [10**400, "", ""], [-1, "\ud800", "a"]), ([0, "p", 1, 2, "x"],))
)
NUMBERS = ("-1", "1.5", "x", "", "nan", "1e9", "9" * 30, "²", "\x00", "0x1", "1 OR 1=1")
ELSEWHERE = (
    ((b"origin", b"http://evil.example"),),
    ((b"origin", b"null"),),
    ((b"origin", b"http://127.0.0.1.evil.example"),),
    ((b"origin", b"http://127.0.0.1:1"),),
    ((b"sec-fetch-site", b"cross-site"),),
    ((b"sec-fetch-site", b"same-site"),),
    ((b"sec-fetch-site", b"cross-site"), (b"sec-fetch-mode", b"navigate"), (b"sec-fetch-dest", b"document")),
)


@pytest.fixture(params=["file", "PostgreSQL"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    place = str(tmp_path / "m.db") if request.param == "file" else empty_store_url("paging")
    with Memory(place, embedder=None, summarize="inline") as memory:
        for space in (memory, memory.space("ana/default")):
            chat = space.session("s")
            chat.add_many([("user", f"I live in Porto, at number {number}.") for number in range(30)])
            chat.summarize(1, 10)
        yield memory


def app_of(memory: Memory) -> FastAPI:
    return create_app(memory, Serving(db=":memory:", rate=0.0))


def routes(parameter: str) -> list[tuple[str, str]]:
    """The paths that take a parameter in their query, with an id where one belongs, and what their lists are of."""
    found = []
    for path, method, operation in operations():
        names = {one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"}
        if method == "get" and parameter in names:
            found.append((path.replace("{session}", "s"), str(operation["operationId"])))
    return found


def test_no_cursor_of_somebody_elses_making_is_taken_for_one(memory: Memory) -> None:
    made = [
        (Request("GET", f"{path}?cursor={quote(cursor)}", (HOST, (b"x-onrecord-space", space))), name)
        for path, name in routes("cursor")
        for space in (b"default", b"empty")
        for cursor in (*CURSORS, "\x00", "a\x00b", "\n", "x" * 3_000)
    ]
    assert len({name for _, name in made}) >= 8
    for answer, (request, name) in zip(send(app_of(memory), [one for one, _ in made]), made, strict=True):
        assert answer.is_typed, (request, answer.body)
        assert answer.status == 422 or _may_be_ours(name, request), (request, answer.body)
        assert answer.status < 500, (request, answer.body)


def _may_be_ours(name: str, request: Request) -> bool:
    """Any text is a place in the order of ids; and some of the cursors have the shape of one of a list."""
    if name == "sessions" or request.path.startswith("/ui/"):
        return True
    cursor = unquote(request.path.partition("=")[2])
    return cursor in (SUMMARY if "summaries" in request.path else FACT if "facts" in request.path else ())


@pytest.mark.parametrize("parameter", ["limit", "last", "after", "before"])
def test_numbers_of_a_page_are_numbers(memory: Memory, parameter: str) -> None:
    found = [path for path, _ in routes(parameter) if path.startswith("/v1/")]
    made = [Request("GET", f"{path}?{parameter}={quote(number)}", (HOST,)) for path in found for number in NUMBERS]
    assert made
    for answer in send(app_of(memory), made):
        assert (answer.status, answer.is_typed) == (422, True), (answer.request, answer.body)


@pytest.mark.parametrize("text", ["\x00", "a\x00b"])
def test_texts_that_no_store_keeps_are_nowhere_a_fault_of_the_store(memory: Memory, text: str) -> None:
    made = []
    for path, method, operation in operations():
        if method != "get":
            continue
        sent = path.replace("{session}", quote(text)).replace("{id}", quote(text))
        made.append(Request("GET", sent, (HOST,)))
        here = path.replace("{session}", "s").replace("{id}", "x")
        names = [one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"]
        made += [Request("GET", f"{here}?{name}={quote(text)}", (HOST,)) for name in names]
    for answer in send(app_of(memory), made):
        assert answer.is_typed, (answer.request, answer.body)
        assert answer.status < 500, (answer.request, answer.body)


def test_a_form_of_another_origin_changes_nothing(memory: Memory) -> None:
    key = Keys(memory._store, memory._clock).create(scopes=SCOPES, tenant="ana")[0]
    app = app_of(memory)
    cookie = (b"cookie", login(app, key))
    changes = [
        (path.replace("{session}", "s").replace("{seq}", "3").replace("{id}", "x"), method.upper())
        for path, method, _ in operations()
        if method not in ("get", "head")
    ]
    assert len(changes) > 40
    made = [
        Request(method, path, (HOST, cookie, FORM, *headers), b"session=s&text=a&name=s&key=x")
        for path, method in changes
        for headers in ELSEWHERE
    ]
    for answer in send(app, made):
        assert _is_refused(answer), (answer.request, answer.body)
    own = Request("POST", "/ui/sessions/s/title", (HOST, cookie, FORM, (b"origin", b"http://127.0.0.1")), b"title=Mine")
    (answer,) = send(app, [own])
    assert (answer.status, memory.space("ana/default").session("s").info().title) == (303, "Mine")


def _is_refused(answer: Answer) -> bool:
    return answer.status == 403 and answer.is_typed


def test_a_link_that_is_followed_from_elsewhere_changes_nothing(memory: Memory) -> None:
    key = Keys(memory._store, memory._clock).create(scopes=SCOPES, tenant="ana")[0]
    app, space = app_of(memory), memory.space("ana/default")
    before, cookie = known(space), (b"cookie", login(app, key))
    paths = [path.replace("{session}", "s").replace("{id}", "x") for path, method, _ in operations() if method == "get"]
    answers = send(app, [Request("GET", path, (HOST, cookie, *ELSEWHERE[-1])) for path in paths])
    assert {answer.status for answer in answers} >= {200, 404}
    assert known(space) == before
