"""The log of a service and its figures: what they say, and what they never say."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from asgi_tools import ask
from fastapi import APIRouter, FastAPI, Request
from starlette.requests import ClientDisconnect
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from onrecord.service.limits import LimitBody
from onrecord.service.logs import Logged, configure, template
from onrecord.service.metrics import FOLDER, Metrics, shared_figures

SECRET = "the doctor said it is benign"


@pytest.fixture
def log() -> Iterator[io.StringIO]:
    """What is logged, as JSON; afterwards everything is as it was."""
    names = (None, "uvicorn", "uvicorn.error", "uvicorn.access", "httpx", "httpcore")
    before = {name: (logging.getLogger(name).level, logging.getLogger(name).handlers[:]) for name in names}
    stream = io.StringIO()
    configure("json", "debug", stream)
    yield stream
    for name, (level, handlers) in before.items():
        logging.getLogger(name).setLevel(level)
        logging.getLogger(name).handlers[:] = handlers


def lines(log: io.StringIO, name: str = "onrecord.service") -> list[dict[str, Any]]:
    found = [json.loads(line) for line in log.getvalue().splitlines()]
    return [line for line in found if line["logger"] == name]


def application() -> FastAPI:
    app, router = FastAPI(), APIRouter(prefix="/sessions")

    @router.get("/{session}/messages")
    async def messages(session: str, request: Request) -> dict[str, str]:
        request.scope["onrecord"].update(key="1a2b3c4d", tenant="acme")
        return {"text": SECRET, "request": request.scope["onrecord"]["request"]}

    @router.post("/{session}/fail")
    async def fail(session: str) -> None:
        raise ValueError(f"{session}: {SECRET}")

    @router.get("/{session}/part")
    async def part(session: str) -> StreamingResponse:
        async def parts() -> Any:
            yield b"12345"
            raise OverflowError(SECRET)

        return StreamingResponse(parts())

    app.include_router(router, prefix="/v1")
    return app


def logged(app: FastAPI | None = None, metrics: Metrics | None = None) -> FastAPI:
    """The application with its log around, as a service has it."""
    app = app or application()
    app.add_middleware(LimitBody, most=lambda scope: 100)
    app.add_middleware(Logged, metrics=metrics or Metrics())
    return app


def test_one_line_for_a_request(log: io.StringIO) -> None:
    answer = ask(logged(), "/v1/sessions/my-diary/messages", query="question=am+I+ill")
    assert answer.status == 200
    (line,) = lines(log)
    assert line.pop("ms") >= 0
    assert line.pop("time")[10] == "T"
    assert line == {
        "level": "info",
        "logger": "onrecord.service",
        "event": "request",
        "method": "GET",
        "route": "/v1/sessions/{session}/messages",
        "status": 200,
        "bytes": len(answer.body),
        "key": "1a2b3c4d",
        "tenant": "acme",
        "request": answer.headers["x-request-id"],
    }
    assert answer.json["request"] == answer.headers["x-request-id"]
    for word in ("diary", "ill", SECRET):
        assert word not in log.getvalue()


@pytest.mark.parametrize("given", ["abc-1.2_Z", "x" * 64])
def test_a_callers_id_is_taken(given: str, log: io.StringIO) -> None:
    assert ask(logged(), headers={"X-Request-Id": given}).headers["x-request-id"] == given
    assert lines(log)[0]["request"] == given


@pytest.mark.parametrize("given", ["", "x" * 65, "a b", "a\n", "ä", f"rk_1a2b3c4d_{'x' * 43}"])
def test_an_id_that_is_none_is_replaced(given: str, log: io.StringIO) -> None:
    made = [ask(logged(), headers={"X-Request-Id": given}).headers["x-request-id"] for _ in range(2)]
    assert len({*made, given}) == 3
    assert [line["request"] for line in lines(log)] == made
    assert not given or given not in log.getvalue()


@pytest.mark.parametrize(
    ("method", "path", "route", "status"),
    [
        ("GET", "/nobody/knows", "none", 404),
        ("DELETE", "/v1/sessions/my-diary/messages", "/v1/sessions/{session}/messages", 405),
        ("X-SECRET", "/v1/sessions/my-diary/messages", "/v1/sessions/{session}/messages", 405),
    ],
)
def test_what_leads_nowhere_names_no_path(method: str, path: str, route: str, status: int, log: io.StringIO) -> None:
    assert ask(logged(), path, method=method).status == status
    (line,) = lines(log)
    assert (line["route"], line["status"]) == (route, status)
    assert line["method"] in ("GET", "DELETE", "other")
    for word in ("knows", "diary", "SECRET"):
        assert word not in log.getvalue()
    assert "key" not in line


def test_what_nobody_foresaw_is_answered_and_told_without_its_words(log: io.StringIO) -> None:
    answer = ask(logged(), "/v1/sessions/my-diary/fail", method="POST")
    assert answer.status == 500
    assert answer.json["error"]["code"] == "Internal"
    assert answer.headers["x-request-id"] in answer.json["error"]["hint"]
    (line,) = lines(log)
    assert (line["level"], line["event"], line["error"]) == ("error", "request failed", "ValueError")
    assert "tests/unit/test_service_logs.py:" in line["where"].split(" > ")[-1]
    for word in ("diary", SECRET):
        assert word not in log.getvalue()
        assert word not in answer.body.decode()


def test_an_error_after_the_answer_began_breaks_it_off(log: io.StringIO) -> None:
    answer = ask(logged(), "/v1/sessions/my-diary/part")
    assert answer.status == 200
    assert answer.body == b"12345"
    assert all(message.get("more_body") for message in answer.sent[1:])  # it was never said to be whole
    (line,) = lines(log)
    assert (line["status"], line["bytes"], line["error"]) == (200, 5, "OverflowError")
    assert SECRET not in log.getvalue()


def test_errors_in_groups_are_told_by_the_first_of_them(log: io.StringIO) -> None:
    async def grouped(scope: Scope, receive: Receive, send: Send) -> None:
        raise ExceptionGroup("several", [KeyError(SECRET), ValueError(SECRET)])

    assert ask(Logged(grouped, Metrics())).status == 500
    assert lines(log)[0]["error"] == "KeyError"


def test_a_caller_who_leaves_is_no_error(log: io.StringIO) -> None:
    async def left(scope: Scope, receive: Receive, send: Send) -> None:
        raise ClientDisconnect

    assert ask(Logged(left, Metrics())).sent == []
    (line,) = lines(log)
    assert (line["status"], line["level"]) == (499, "info")


def test_a_request_that_is_stopped_is_counted_too(log: io.StringIO) -> None:
    metrics = Metrics()

    async def stopped(scope: Scope, receive: Receive, send: Send) -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        ask(Logged(stopped, metrics))
    assert lines(log)[0]["status"] == 499
    assert b"onrecord_requests_in_flight 0.0" in metrics.text()


def test_a_body_that_is_too_large_is_logged_and_named(log: io.StringIO) -> None:
    answer = ask(logged(), "/v1/sessions/x/fail", method="POST", headers={"Content-Length": "101"})
    assert (answer.status, "x-request-id" in answer.headers) == (413, True)
    assert lines(log)[0]["status"] == 413


def test_what_is_no_request_is_not_logged(log: io.StringIO) -> None:
    async def life(scope: Scope, receive: Receive, send: Send) -> None:
        await receive()

    ask(Logged(life, Metrics()), scope={"type": "lifespan"})
    assert lines(log) == []


def test_other_programs_parts_say_no_words_either(log: io.StringIO) -> None:
    try:
        raise ValueError(SECRET)
    except ValueError:
        logging.getLogger("uvicorn.error").exception("Exception in ASGI application\n")
    logging.getLogger("asyncio").error("Task exception was never retrieved\nfuture: <Task exception=%r>", SECRET)
    logging.getLogger("uvicorn.access").info("GET /v1/sessions/my-diary")
    logging.getLogger("httpx").info("HTTP Request: GET http://x/?q=%s", SECRET)
    said = [json.loads(line) for line in log.getvalue().splitlines()]
    assert [(line["event"], line.get("error")) for line in said] == [
        ("Exception in ASGI application", "ValueError"),
        ("Task exception was never retrieved", None),
    ]
    assert "Traceback" not in log.getvalue()
    assert SECRET not in log.getvalue()


def test_lines_for_people(log: io.StringIO) -> None:
    stream = io.StringIO()
    configure("text", "info", stream)
    ask(logged(), "/v1/sessions/my-diary/messages", headers={"X-Request-Id": "r1"})
    (line,) = stream.getvalue().splitlines()
    _, level, name, event, *rest = line.split(" ")
    assert (level, name, event) == ("info", "onrecord.service", "request")
    assert {"route=/v1/sessions/{session}/messages", "status=200", "key=1a2b3c4d", "request=r1"} <= set(rest)
    logging.getLogger("onrecord.x").info("one\ntwo \x1b[31m", extra={"note": "a b\n"})
    assert stream.getvalue().splitlines()[1].endswith(' onrecord.x one\\ntwo \\u001b[31m note="a b\\n"')
    assert log.getvalue() == ""  # what was configured first is no more


def test_the_level_holds(log: io.StringIO) -> None:
    stream = io.StringIO()
    configure("json", "warning", stream)
    ask(logged(), "/nobody")
    assert stream.getvalue() == ""


def test_a_template_is_found_without_a_framework() -> None:
    assert template({"type": "http"}) == "none"
    assert template({"type": "http", "route": type("R", (), {"path": "/x/{y}"})()}) == "/x/{y}"


# Figures


def figures(metrics: Metrics) -> dict[str, float]:
    rows = [line.rpartition(" ") for line in metrics.text().decode().splitlines() if not line.startswith("#")]
    return {name: float(value) for name, _, value in rows}


def test_requests_are_counted_by_route(log: io.StringIO) -> None:
    metrics = Metrics()
    app = logged(metrics=metrics)
    for path in ("/v1/sessions/a/messages", "/v1/sessions/b/messages", "/nobody/knows"):
        ask(app, path)
    ask(app, "/v1/sessions/a/messages", method="X-SECRET")
    found = figures(metrics)
    route = "/v1/sessions/{session}/messages"
    assert found[f'onrecord_requests_total{{method="GET",route="{route}",status="200"}}'] == 2
    assert found[f'onrecord_requests_total{{method="other",route="{route}",status="405"}}'] == 1
    assert found['onrecord_requests_total{method="GET",route="none",status="404"}'] == 1
    assert found[f'onrecord_request_seconds_count{{route="{route}"}}'] == 3
    assert found["onrecord_requests_in_flight"] == 0
    assert b"knows" not in metrics.text()
    assert b"SECRET" not in metrics.text()


def test_what_is_under_way_is_seen() -> None:
    metrics = Metrics()

    async def looks(scope: Scope, receive: Receive, send: Send) -> None:
        assert figures(metrics)["onrecord_requests_in_flight"] == 1

    ask(Logged(looks, metrics))


def test_two_applications_count_for_themselves() -> None:
    one, other = Metrics(), Metrics()
    one.added(3)
    one.built(900)
    one.built(5_000)
    one.proxied("ok", 1.5)
    one.proxied("bypassed", 0.2)
    one.proxied("upstream_error")
    mine, theirs = figures(one), figures(other)
    assert mine["onrecord_messages_added_total"] == 3
    assert (mine["onrecord_context_tokens_count"], mine["onrecord_context_tokens_sum"]) == (2, 5_900)
    assert [mine[f'onrecord_proxy_requests_total{{outcome="{name}"}}'] for name in ("ok", "bypassed")] == [1, 1]
    assert mine['onrecord_proxy_requests_total{outcome="upstream_error"}'] == 1
    assert (mine["onrecord_upstream_seconds_count"], mine["onrecord_upstream_seconds_sum"]) == (2, 1.7)
    assert theirs["onrecord_messages_added_total"] == theirs["onrecord_context_tokens_count"] == 0
    assert theirs['onrecord_proxy_requests_total{outcome="ok"}'] == 0


PROCESS = """
import sys
from onrecord.service.metrics import Metrics
metrics = Metrics()
metrics.added(int(sys.argv[1]))
metrics.began()
if sys.argv[2] == "look":
    sys.stdout.write(metrics.text().decode())
else:
    metrics.close()
"""


def test_several_processes_add_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(FOLDER, raising=False)
    with shared_figures():
        folder = Path(os.environ[FOLDER])
        assert list(folder.iterdir()) == []
        subprocess.run([sys.executable, "-c", PROCESS, "3", "leave"], check=True)
        done = subprocess.run([sys.executable, "-c", PROCESS, "4", "look"], check=True, capture_output=True, text=True)
    assert "onrecord_messages_added_total 7.0" in done.stdout
    assert "onrecord_requests_in_flight 1.0" in done.stdout  # of those who live
    assert not folder.exists()
    assert FOLDER not in os.environ
    (tmp_path / "counter_1.db").write_bytes(b"old")
    (tmp_path / "mine.txt").write_bytes(b"kept")
    monkeypatch.setenv(FOLDER, str(tmp_path))
    with shared_figures():
        assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]
    assert os.environ[FOLDER] == str(tmp_path)


def test_only_figures_are_cleared_from_a_folder_that_was_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, str(tmp_path))
    for name in ("memory.db", "counter_1.db", "gauge_livesum_22.db", "histogram_3.db", "counters.db"):
        (tmp_path / name).touch()
    with shared_figures():
        assert sorted(path.name for path in tmp_path.iterdir()) == ["counters.db", "memory.db"]


@pytest.mark.parametrize("name", ["httpx", "httpx2", "httpcore", "openai", "anything"])
def test_of_others_only_warnings_are_logged(log: io.StringIO, name: str) -> None:
    logging.getLogger(name).info("POST http://user:hunter2@host/")
    logging.getLogger("onrecord.service").info("ours")
    assert "hunter2" not in log.getvalue()
    assert "ours" in log.getvalue()
