"""The HTTP API from outside: everything the library does, on a real socket."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from service_tools import Served, serving, session_path

from onrecord import Memory
from onrecord.errors import StoreBusy
from onrecord.service.keys import RESERVED

TALK = [
    ("user", "I'm allergic to penicillin. We fly to Lisbon on 5 May."),
    ("assistant", "Noted: penicillin, and Lisbon on 5 May."),
    ("user", "My name is Ana and I live in Porto."),
    ("assistant", "Nice to meet you, Ana."),
]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("service") / "memory.db"


@pytest.fixture(scope="module")
def service(place: Path) -> Iterator[Served]:
    with serving(place) as served:
        yield served


@pytest.fixture
def space(request: pytest.FixtureRequest) -> str:
    return str(request.node.name)


def talk(service: Served, space: str, session: str = "trip") -> None:
    messages = [{"role": role, "text": text} for role, text in TALK]
    service.ok("POST", session_path(session, "/messages/batch"), {"messages": messages}, space=space)


def test_messages_are_added_and_read_again(service: Served, space: str) -> None:
    first = service.ok("POST", session_path("trip", "/messages"), {"role": "user", "text": "Hello!"}, space=space)
    assert first == {**first, "seq": 1, "repeated": False, "repaired": False}
    body = {"role": "user", "text": "Again?", "key": "one"}
    again = [service.ok("POST", session_path("trip", "/messages"), body, space=space) for _ in range(2)]
    assert [one["repeated"] for one in again] == [False, True]
    by_header = service.ok(
        "POST",
        session_path("trip", "/messages"),
        {"role": "user", "text": "Again?"},
        space=space,
        headers={"Idempotency-Key": "one"},
    )
    assert by_header["repeated"]
    found = service.ok("GET", session_path("trip", "/messages"), space=space)
    assert [(one["seq"], one["text"]) for one in found["items"]] == [(1, "Hello!"), (2, "Again?")]
    assert found["next"] is None
    assert found["items"] == [one.to_dict() for one in service.memory.space(space).session("trip").history()]
    other = {"role": "user", "text": "Something else", "key": "one"}
    service.fails(409, "Conflict", "POST", session_path("trip", "/messages"), other, space=space)


def test_a_list_is_read_page_by_page(service: Served, space: str) -> None:
    talk(service, space)
    pages, cursor = [], None
    while True:
        more = "" if cursor is None else f"&cursor={cursor}"
        page = service.ok("GET", session_path("trip", f"/messages?limit=3{more}"), space=space)
        pages.append([one["seq"] for one in page["items"]])
        if (cursor := page["next"]) is None:
            break
    assert pages == [[1, 2, 3], [4]]
    for name in ("a/b", "b c", "ä"):
        service.ok("POST", session_path(name, "/messages"), {"role": "user", "text": "x"}, space=space)
    first = service.ok("GET", "/v1/sessions?limit=2", space=space)
    rest = service.ok("GET", "/v1/sessions", space=space, params={"cursor": first["next"]})
    assert [one["id"] for one in first["items"] + rest["items"]] == sorted(["a/b", "b c", "trip", "ä"])
    service.fails(422, "InvalidInput", "GET", session_path("trip", "/messages?cursor=abc"), space=space)


@pytest.mark.parametrize(
    "name", ["a/b", "..", ".", "a b", "ä/ö", "100%", "%2F", "?x=1", "#", "a+b", "a//b", "/", "messages"]
)
def test_a_session_may_have_any_name(service: Served, space: str, name: str) -> None:
    service.ok("POST", session_path(name, "/messages"), {"role": "user", "text": name}, space="names")
    assert [one.text for one in service.memory.space("names").session(name).history()] == [name]
    assert service.ok("GET", session_path(name), space="names")["id"] == name


def test_a_space_may_have_any_name(service: Served) -> None:
    body = {"role": "user", "text": "x"}
    service.ok("POST", session_path("s", "/messages"), body, headers={"X-Onrecord-Space": "gr%C3%BCn%20%2F%20blau"})
    service.ok("POST", session_path("s", "/messages?space=by/query"), body)
    service.ok("POST", session_path("s", "/messages"), body, headers={b"X-Onrecord-Space": "für".encode()})
    found = service.ok("GET", "/v1/spaces")["items"]
    assert {"grün / blau", "by/query", "für"} <= set(found)
    service.fails(422, "InvalidInput", "GET", "/v1/sessions?space=a", space="b")


def test_a_prompt_is_built_and_explained(service: Served, space: str) -> None:
    talk(service, space)
    chat = service.memory.space(space).session("trip")
    body = {"question": "What must the doctor know?", "tokens": 500}
    built = service.ok("POST", session_path("trip", "/context"), body, space=space)
    local = chat.context("What must the doctor know?", tokens=500)
    assert built["prompt"] == local.messages()
    assert built["tokens"] == local.tokens <= built["budget"] == 500
    assert "manifest" not in built
    text = service.ok("POST", session_path("trip", "/context"), {**body, "format": "text"}, space=space)
    assert text["prompt"] == str(local)
    anthropic = service.ok("POST", session_path("trip", "/context"), {**body, "format": "anthropic"}, space=space)
    assert anthropic["prompt"] == local.anthropic()
    explained = service.ok("POST", session_path("trip", "/explain"), body, space=space)
    assert explained["manifest"] == json.loads(json.dumps(local.to_dict()["manifest"]))
    service.fails(422, "InvalidInput", "POST", session_path("trip", "/context"), {"tokens": 0}, space=space)
    service.fails(422, "InvalidInput", "POST", session_path("trip", "/context"), {"question": " "}, space=space)


def test_it_finds(service: Served, space: str) -> None:
    talk(service, space)
    found = service.ok("POST", "/v1/search", {"text": "penicillin", "limit": 2, "kinds": ["message"]}, space=space)
    assert found["hits"][0]["seq"] in (1, 2)
    here = service.ok("POST", session_path("trip", "/search"), {"text": "Lisbon"}, space=space)
    assert here["hits"][0]["session"] == "trip"
    assert service.ok("POST", session_path("other", "/search"), {"text": "Lisbon"}, space=space)["hits"] == []


def test_summaries_are_made_corrected_and_locked(service: Served, space: str) -> None:
    talk(service, space)
    (made,) = service.ok("POST", session_path("trip", "/summarize"), {"first": 1, "last": 4}, space=space)["made"]
    path = session_path("trip", f"/summaries/{made['id']}")
    edited = service.ok("PATCH", path, {"text": "They fly on 6 May."}, space=space)
    assert edited["text"] == "They fly on 6 May."
    assert edited["locked"]
    assert "locked" not in service.ok("PATCH", path, {"locked": False}, space=space)
    assert service.ok("GET", path, space=space)["text"] == "They fly on 6 May."
    listed = service.ok("GET", session_path("trip", "/summaries"), space=space)["items"]
    assert made["id"] in [one["id"] for one in listed]
    service.fails(422, "InvalidInput", "PATCH", path, {}, space=space)
    service.fails(404, "NotFound", "GET", session_path("trip", "/summaries/none"), space=space)
    assert service.ok("GET", session_path("trip", "/due"), space=space)["items"] == []
    service.ok("GET", session_path("trip", "/estimate"), space=space)
    service.ok("GET", "/v1/estimate", space=space)


def test_pins_and_important_data(service: Served, space: str) -> None:
    talk(service, space)
    body = {"text": "Allergic to penicillin", "importance": 0.9, "source": 1}
    pin = service.ok("POST", session_path("trip", "/pins"), body, space=space)
    assert pin["source"] == 1
    pins = session_path("trip", "/pins")
    assert pin["id"] in [one["id"] for one in service.ok("GET", pins, space=space)["items"]]
    assert service.ok("DELETE", f"{pins}/{pin['id']}", space=space) == {"removed": pin["id"]}
    assert pin["id"] not in [one["id"] for one in service.ok("GET", pins, space=space)["items"]]
    important = session_path("trip", "/important")
    changed = service.ok("PUT", important, {"key_decisions": ["We fly."]}, space=space)
    assert changed["key_decisions"] == ["We fly."]
    assert service.ok("GET", important, space=space) == changed
    service.fails(422, "InvalidInput", "PUT", important, {"nonsense": 1}, space=space)


def test_facts_relations_and_episodes(service: Served, space: str) -> None:
    talk(service, space)
    given = {"text": "Ana lives in Porto.", "subject": "Ana", "attribute": "home", "value": "Porto"}
    fact = service.ok("POST", "/v1/facts", given, space=space)
    path = f"/v1/facts/{fact['id']}"
    assert service.ok("GET", path, space=space)["value"] == "Porto"
    assert service.ok("PATCH", path, {"value": "Lisbon"}, space=space)["value"] == "Lisbon"
    assert service.ok("POST", f"{path}/reject", space=space)["status"] == "rejected"
    service.ok("POST", "/v1/restore", {"id": fact["id"]}, space=space)
    service.ok("POST", f"{path}/promote", space=space)
    assert service.ok("POST", "/v1/archive", {"id": fact["id"]}, space=space)["status"] == "archived"
    ids = [one["id"] for one in service.ok("GET", "/v1/facts?status=all", space=space)["items"]]
    assert fact["id"] in ids
    assert fact["id"] not in [one["id"] for one in service.ok("GET", "/v1/facts", space=space)["items"]]
    other = service.ok("POST", "/v1/facts", {"text": "Ana likes boats.", "kind": "preference"}, space=space)
    related = {"source": fact["id"], "type": "related_to", "target": other["id"]}
    relation = service.ok("POST", "/v1/relations", related, space=space)
    assert [one["id"] for one in service.ok("GET", f"/v1/relations?id={other['id']}", space=space)["items"]] == [
        relation["id"]
    ]
    service.ok("DELETE", f"/v1/relations/{relation['id']}", space=space)
    assert service.ok("GET", "/v1/relations", space=space)["items"] == []
    episode = service.ok("POST", session_path("trip", "/episodes"), {"title": "Chose Lisbon", "first": 1}, space=space)
    assert episode["id"] in [one["id"] for one in service.ok("GET", "/v1/episodes", space=space)["items"]]
    assert episode["id"] in [
        one["id"] for one in service.ok("GET", session_path("trip", "/episodes"), space=space)["items"]
    ]
    assert service.ok("GET", session_path("trip", "/arc"), space=space)["session"] == "trip"
    service.ok("GET", session_path("trip", "/facts?kind=fact&limit=3"), space=space)
    service.ok("POST", "/v1/consolidate", {"dry_run": True}, space=space)


def test_what_a_session_is(service: Served, space: str) -> None:
    talk(service, space)
    changed = service.ok("PATCH", session_path("trip"), {"title": "The trip", "meta": {"a": 1}}, space=space)
    assert changed["title"] == "The trip"
    assert service.ok("GET", session_path("trip", "/conversation"), space=space)["turns"] == 4
    assert service.ok("GET", session_path("trip", "/compression"), space=space) is None
    assert service.ok("POST", session_path("trip", "/flush"), space=space) == {"clean": True}
    assert service.ok("POST", "/v1/flush", space=space) == {"clean": True}
    service.ok("POST", session_path("trip", "/refresh"), space=space)
    service.ok("POST", session_path("trip", "/clear"), space=space)
    service.ok("POST", "/v1/rebuild", {"session": "trip"}, space=space)
    ended = service.ok("POST", session_path("trip", "/end"), {"summary": "They fly."}, space=space)
    assert ended["text"] == "They fly."
    assert service.ok("GET", session_path("trip"), space=space)["status"] == "ended"


def test_messages_are_scored(service: Served, space: str) -> None:
    talk(service, space)
    path = session_path("trip", "/score")
    assert service.ok("POST", path, {"importance": {"2": 0.9}}, space=space) == {"changed": 1}
    service.fails(404, "NotFound", "POST", path, {"importance": {"99": 1}}, space=space)
    scores = [one["importance"] for one in service.ok("GET", session_path("trip", "/messages"), space=space)["items"]]
    assert scores[1] == 0.9
    assert service.ok("POST", path, {}, space=space) == {"changed": 1}
    service.fails(422, "InvalidInput", "POST", path, {"importance": {"x": 1}}, space=space)


def test_forgetting(service: Served, space: str, place: Path) -> None:
    secret = f"The safe's number is 48151623-{space}."
    service.ok("POST", session_path("trip", "/messages"), {"role": "user", "text": secret}, space=space)
    erased = service.ok("POST", "/v1/forget", {"session": "trip", "messages": [1]}, space=space)
    assert erased == {**erased, "messages": 1}
    assert service.ok("GET", session_path("trip", "/messages"), space=space)["items"] == []
    service.fails(422, "InvalidInput", "POST", "/v1/forget", {}, space=space)
    service.fails(404, "NotFound", "POST", "/v1/forget", {"session": "none"}, space=space)
    assert service.ok("POST", "/v1/forget", {"space": space}, space=space)["spaces"] == 1
    assert space not in service.ok("GET", "/v1/spaces")["items"]


def test_export_and_import(service: Served, space: str, tmp_path: Path) -> None:
    talk(service, space)
    lines = service.call("GET", "/v1/export", space=space)
    assert lines.headers["content-type"].startswith("application/jsonl")
    service.memory.space(space).export(tmp_path / "file.jsonl")
    assert lines.content == (tmp_path / "file.jsonl").read_bytes()
    report = service.http.post("/v1/import?space=copied", content=lines.content).json()
    assert report["added"] == len(TALK)
    assert service.http.post("/v1/import?space=copied", content=lines.content).json()["present"] == len(TALK)
    texts = [one["text"] for one in service.ok("GET", session_path("trip", "/messages"), space="copied")["items"]]
    assert texts == [text for _, text in TALK]
    service.ok(
        "POST", session_path("trip", "/messages"), {"role": "user", "text": "PASSWORD: hunter2-blue"}, space=space
    )
    masked = service.call("GET", "/v1/export?mask_secrets=true", space=space).text
    assert "hun••••" in masked
    assert "hunter2" not in masked
    service.fails(422, "InvalidInput", "POST", "/v1/import", content=b"\xff\xfe", space="broken")
    service.fails(404, "NotFound", "GET", "/v1/export?session=none", space=space)


def test_derived_work_can_be_waited_for(place: Path, tmp_path: Path) -> None:
    with serving(tmp_path / "waited.db", memory={"summarize": "background", "debounce": 3600.0}) as served:
        many = [{"role": "user", "text": f"Message {number} about the harbour."} for number in range(80)]
        served.ok("POST", session_path("s", "/messages/batch"), {"messages": many})
        assert served.ok("GET", session_path("s", "/summaries"))["items"] == []
        served.ok("POST", session_path("s", "/messages?wait=true"), {"role": "user", "text": "One more."})
        assert served.ok("GET", session_path("s", "/summaries"))["items"]


def test_care(service: Served, space: str) -> None:
    assert service.ok("GET", "/healthz")["status"] == "ok"
    assert service.ok("GET", "/readyz") == {"status": "ready"}
    assert service.ok("GET", "/v1/check")["ok"]
    talk(service, space)
    assert service.ok("POST", "/v1/pause", space=space)["paused"]
    assert "paused" not in service.ok("POST", "/v1/resume", space=space)
    service.ok("GET", "/v1/spent", space=space)
    error = service.fails(422, "InvalidInput", "GET", "/v1/jobs")
    assert "PostgreSQL" in error["message"]
    assert b"onrecord_" in service.call("GET", "/metrics").content


def test_the_description_is_a_page_that_needs_nothing_from_outside(service: Served) -> None:
    shown = service.call("GET", "/docs").text
    assert "POST" in shown
    assert "/v1/sessions/{session}/context" in shown
    assert "X-Onrecord-Space" in shown
    assert not re.search(r"https?:|//|<script|@import", shown.replace("<!doctype", ""))
    assert service.ok("GET", "/openapi.json")["info"]["title"] == "onrecord"


def test_what_nobody_foresaw_is_told_in_the_same_shape(service: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> Any:
        raise ZeroDivisionError("zqsecret")

    monkeypatch.setattr(service.memory._store, "session", broken)
    error = service.fails(500, "Internal", "GET", session_path("s"), headers={"X-Request-Id": "my-request"})
    assert "my-request" in error["hint"]
    assert "zqsecret" not in str(error)


BROKEN: list[tuple[str, str, Any, int, str]] = [
    ("GET", "/v1/nothing", None, 404, "NotFound"),
    ("PUT", "/v1/search", {}, 405, "InvalidInput"),
    ("POST", "/v1/search", {"txt": "x"}, 422, "InvalidInput"),
    ("POST", "/v1/search", [1], 422, "InvalidInput"),
    ("POST", "/v1/search", {"text": 5}, 422, "InvalidInput"),
    ("POST", "/v1/search", {"text": "x", "limit": 10_001}, 422, "InvalidInput"),
    ("POST", "/v1/search", {"text": "x", "kinds": ["nonsense"]}, 422, "InvalidInput"),
    ("POST", "/v1/search", {"text": "x", "since": "yesterday"}, 422, "InvalidInput"),
    ("POST", "/v1/search", {"text": "x", "weights": {"nonsense": 1}}, 422, "InvalidInput"),
    ("GET", "/v1/sessions?limit=0", None, 422, "InvalidInput"),
    ("GET", "/v1/sessions?limit=1001", None, 422, "InvalidInput"),
    ("GET", "/v1/sessions/s/messages?limit=1001", None, 422, "InvalidInput"),
    ("GET", "/v1/sessions/s/messages?after=-1", None, 422, "InvalidInput"),
    ("GET", "/v1/sessions/s/messages?role=nobody", None, 422, "InvalidInput"),
    ("POST", "/v1/sessions/s/messages", {"role": "user"}, 422, "InvalidInput"),
    ("POST", "/v1/sessions/s/messages", {"role": "nobody", "text": "x"}, 422, "InvalidInput"),
    ("POST", "/v1/sessions/s/messages", {"role": "user", "text": "x", "time": "soon"}, 422, "InvalidInput"),
    ("POST", "/v1/sessions/s/messages", {"role": "user", "text": "x", "id": "y" * 513}, 422, "InvalidInput"),
    ("POST", f"/v1/sessions/{'s' * 513}/messages", {"role": "user", "text": "x"}, 422, "InvalidInput"),
    ("POST", "/v1/sessions/a%00b/messages", {"role": "user", "text": "x"}, 422, "InvalidInput"),
    ("GET", f"/v1/sessions/s/summaries?level={10**30}", None, 422, "InvalidInput"),
    ("GET", "/v1/spaces/", None, 404, "NotFound"),
    ("GET", "/v1/facts/none", None, 404, "NotFound"),
    ("POST", "/v1/forget", {"session": "s", "messages": [1] * 1001}, 422, "InvalidInput"),
    ("POST", "/v1/forget", {"space": RESERVED}, 403, "Denied"),
    ("GET", f"/v1/sessions?space={RESERVED}", None, 403, "Denied"),
]


@pytest.mark.parametrize(("method", "path", "body", "status", "code"), BROKEN)
def test_what_cannot_be_taken_is_said(
    service: Served, method: str, path: str, body: Any, status: int, code: str
) -> None:
    error = service.fails(status, code, method, path, body)
    assert error["message"]
    assert error["hint"]


def test_likely_mistakes_are_named(service: Served) -> None:
    def said(content: bytes, kind: str = "application/json") -> str:
        answer = service.http.post("/v1/sessions/s/messages", content=content, headers={"content-type": kind})
        assert answer.status_code == 422
        return " ".join(answer.json()["error"].values())

    assert "not a JSON object" in said(b'{"role": "user", "text": "x"}', "text/plain")
    assert "Content-Type: application/json" in said(
        b'{"role": "user", "text": "x"}', "application/x-www-form-urlencoded"
    )
    assert "not JSON (see character 1)" in said(b"{role: user}")
    assert "not a JSON object" in said(b"[1]")
    assert "not a JSON object" in said(b"")
    told = said(b'{"role": "user", "content": "zqsecret"}')
    assert "text: is missing; content: is not known here" in told
    assert "zqsecret" not in told
    assert "GET" in service.fails(405, "InvalidInput", "DELETE", "/v1/sessions")["hint"]


def test_a_batch_with_a_key_is_added_once(service: Served, space: str) -> None:
    body = {"messages": [{"role": "user", "text": "one"}, {"role": "user", "text": "two", "key": "own"}]}
    path = session_path("s", "/messages/batch")
    first, second = (service.ok("POST", path, body, space=space, headers={"Idempotency-Key": "k"}) for _ in range(2))
    assert [one["repeated"] for one in first["items"]] == [False, False]
    assert [one["repeated"] for one in second["items"]] == [True, True]


def test_what_the_store_says_of_itself_stays_inside(service: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: Any) -> Any:
        raise StoreBusy("postgresql://zqhost/zqdb does not answer.", "Look at zqhost.")

    monkeypatch.setattr(service.memory._store, "session", away)
    assert "zq" not in str(service.fails(503, "StoreBusy", "GET", session_path("s")))


def test_long_work_keeps_nobody_from_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()
    monkeypatch.setattr("onrecord.session.Session.flush", lambda self: released.wait(60))
    with serving(tmp_path / "m.db") as served:

        def wait(number: int) -> int:
            body = {"role": "user", "text": "x"}
            return httpx.post(
                f"{served.url}/v1/sessions/s{number}/messages?wait=true", json=body, timeout=90
            ).status_code

        with ThreadPoolExecutor(60) as pool:
            waiting = [pool.submit(wait, number) for number in range(60)]
            while sum(1 for _ in served.memory.sessions()) < 60:
                assert not any(one.done() for one in waiting)
            assert served.ok("GET", "/readyz") == {"status": "ready"}
            assert served.ok("GET", "/v1/sessions/s1/messages")["items"]
            released.set()
            assert {one.result() for one in waiting} == {200}


def test_limits_are_named(service: Served, tmp_path: Path) -> None:
    big = {"role": "user", "text": "x" * 4_194_305}
    error = service.fails(413, "TooLarge", "POST", "/v1/sessions/s/messages", big)
    assert "4,194,304" in error["message"] + error["hint"] or "4194304" in error["message"] + error["hint"]
    many = {"session": "s", "messages": [1] * 1001}
    assert "1000" in service.fails(422, "InvalidInput", "POST", "/v1/forget", many)["message"]
    hits = {"text": "x", "limit": 10_001}
    assert "10000" in service.fails(422, "InvalidInput", "POST", "/v1/search", hits)["message"]
    assert "1000" in service.fails(422, "InvalidInput", "GET", "/v1/sessions?limit=1001")["message"]
    with serving(tmp_path / "small.db", body_bytes=1000, import_bytes=2000) as small:
        told = small.fails(413, "TooLarge", "POST", "/v1/search", {"text": "x" * 1000})
        assert "1,000" in told["message"]
        pieces = iter([b'{"text": "', b"x" * 1000, b'"}'])
        assert small.http.post("/v1/search", content=pieces).status_code == 413
        assert small.call("POST", "/v1/import", content=b"x" * 1500).status_code == 422
        assert small.call("POST", "/v1/import", content=b"x" * 2001).status_code == 413
        assert small.ok("POST", "/v1/search", {"text": "x"})["hits"] == []


HOSTILE = [
    *(
        "",
        " ",
        '"',
        "'; DROP TABLE messages; --",
        "a AND (b OR",
        "NEAR(",
        "*",
        "^",
        "\\",
        "{}",
        "col:val",
        "-",
        "%",
        "_",
    ),
    *("💣" * 50, "\u202e", "x" * 100_000, "\x00", "\ud800", "a" * 5000 + " b" * 5000),
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_searches_are_answered(service: Served, text: str) -> None:
    service.ok("POST", "/v1/sessions/s/messages", {"role": "user", "text": "a b c"}, space="hostile")
    body = json.dumps({"text": text}).encode()
    answer = service.http.post("/v1/search?space=hostile", content=body, headers={"content-type": "application/json"})
    assert answer.status_code in (200, 422), answer.text


def test_a_service_without_keys_answers_this_machine_alone(service: Served) -> None:
    service.fails(403, "Denied", "GET", "/v1/sessions", headers={"Host": "["})
    told = service.fails(403, "Denied", "GET", "/v1/sessions", headers={"Host": "evil.example"})
    assert "this machine" in told["message"]
    service.fails(403, "Denied", "GET", "/v1/sessions", headers={"Origin": "https://evil.example"})
    service.ok("GET", "/v1/sessions", headers={"Origin": service.url})


def test_what_was_answered_is_kept(tmp_path: Path) -> None:
    with serving(tmp_path / "kept.db") as served:
        served.ok("POST", "/v1/sessions/s/messages", {"role": "user", "text": "kept"})
    with Memory(tmp_path / "kept.db", embedder=None) as memory:
        assert [one.text for one in memory.session("s").history()] == ["kept"]
