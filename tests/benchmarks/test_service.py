"""The benchmark of the service, at the size of a test: real services, real sockets; and the clients by themselves."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from benchmarks import load, pages, served, service
from benchmarks.commands import main
from benchmarks.load import Plan, drive, post, process
from benchmarks.service import ADD, CALM, CONTEXT, MEMORY, PROXY, RATES, TIMES
from onrecord.errors import StoreError

OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}"


@contextmanager
def answering(*answers: bytes, last: bool = False) -> Iterator[tuple[int, list[bytes]]]:
    """A server that says these in turn, whatever it is asked; `last`: it hangs up after each. Its port, and what it was
    asked."""
    asked: list[bytes] = []
    left = iter(answers)

    def work() -> None:
        while True:
            try:
                connection, _ = door.accept()
            except OSError:
                return
            with connection:
                for answer in left:
                    request = connection.recv(65_536)
                    if not request:
                        break
                    asked.append(request)
                    for piece in answer.split(b"|"):  # as it may come: in pieces
                        connection.sendall(piece)
                    if last:
                        break

    with socket.create_server(("127.0.0.1", 0)) as door:
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        yield door.getsockname()[1], asked
        door.shutdown(socket.SHUT_RDWR)
    thread.join()


# The clients


def test_a_request_is_whole() -> None:
    said = post("/v1/sessions/a/messages", {"text": "Olá"}, X_Onrecord_Space="ana")
    head, _, body = said.partition(b"\r\n\r\n")
    assert head.startswith(b"POST /v1/sessions/a/messages HTTP/1.1\r\n")
    assert f"Content-Length: {len(body)}".encode() in head
    assert b"X-Onrecord-Space: ana" in head
    assert json.loads(body) == {"text": "Olá"}


@pytest.mark.parametrize(
    "answer",
    [
        OK,
        b"HTTP/1.1 200 OK\r\nContent-Len|gth: 2\r\n\r|\n{|}",
        b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n|0\r\n\r\n",
    ],
)
def test_answers_are_read_however_they_come(answer: bytes) -> None:
    script = [post("/one"), post("/two")]
    with answering(*[answer] * 2) as (port, asked):
        done = drive(Plan(port=port, scripts=[script]))
    assert len(done.times) == 2
    assert all(one > 0 for one in done.times)
    assert done.rate > 0
    assert b"".join(asked) == b"".join(script)


def test_a_server_that_hangs_up_is_called_again() -> None:
    with answering(*[b"HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\n{}"] * 3, last=True) as (port, asked):
        assert len(drive(Plan(port=port, scripts=[[post("/a"), post("/b"), post("/c")]])).times) == 3
    assert len(asked) == 3


def test_warming_up_does_not_count_and_every_client_asks_once() -> None:
    with answering(*[OK] * 4) as (port, asked):
        done = drive(Plan(port=port, scripts=[[post("/a"), post("/b")]], seconds=0.0, warm=3))
    assert len(done.times) == 1
    assert [one.split()[1] for one in asked] == [b"/a", b"/b", b"/a", b"/b"]


def test_clients_that_rest_ask_no_sooner_than_they_may() -> None:
    with answering(*[OK] * 3) as (port, _):
        done = drive(Plan(port=port, scripts=[[post("/a"), post("/b"), post("/c")]], pause=0.02))
    assert len(done.times) == 3
    assert 3 / done.rate >= 0.04  # two pauses between three requests


def test_what_was_not_asked_for_ends_it_with_what_was_answered() -> None:
    wrong = b'HTTP/1.1 503 No\r\ncontent-length: 15\r\n\r\n{"code": "Busy"}'
    with answering(wrong) as (port, _), process() as clients, pytest.raises(StoreError) as told:
        clients.submit(drive, Plan(port=port, scripts=[[post("/v1/flush")]])).result()
    assert "POST /v1/flush was answered 503: " in str(told.value)
    assert "Busy" in str(told.value)
    with answering(OK) as (port, _), pytest.raises(StoreError, match="memory: used"):
        drive(Plan(port=port, scripts=[[post("/a")]], sign=b"memory: used"))
    half = b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"
    with answering(half, last=True) as (port, _), pytest.raises(StoreError, match="failed"):
        drive(Plan(port=port, scripts=[[post("/a")]]))


def test_clients_say_where_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
    with pytest.raises(StoreError, match="failed"):
        drive(Plan(port=port, scripts=[[post("/a")]]))


def test_an_answer_that_does_not_come_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "LONG", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as door, pytest.raises(StoreError, match="failed"):
        drive(Plan(port=door.getsockname()[1], scripts=[[post("/a")]]))


# The service


def test_a_service_that_does_not_start_says_why(tmp_path: Path) -> None:
    broken = tmp_path / "memory.db"
    broken.write_bytes(b"This is no memory." * 100)
    with pytest.raises(StoreError, match="ended"), served.served(str(broken)):
        pass


def test_it_is_measured_through_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "CONVERSATION", 20)
    file = tmp_path / "figures.json"
    words = ["--clients", "1", "--processes", "1", "--seconds", "0.2", "--requests", "200", "--json", str(file)]
    assert main(["service", *words]) == 0
    shown = capsys.readouterr().out
    figures: dict[tuple[str, str], dict[str, Any]] = {
        (figure["table"], figure["row"]): figure for figure in json.loads(file.read_text())
    }
    for what in (CONTEXT, CALM, ADD):
        row = f"{what}, SQLite, 1 process"
        assert figures[RATES, row]["value"] > 0
        assert 0 < figures[TIMES, row]["value"] <= figures[TIMES, row]["p95"]
        assert f"| {row} | " in shown
    assert figures[PROXY, "SQLite, 1 at once"]["column"] == "added"
    if Path("/proc/self/status").exists():
        assert figures[MEMORY, "SQLite"]["column"] == "200"
        assert figures[MEMORY, "SQLite"]["value"] > 10


# The pages


def test_every_page_is_measured_and_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "WARM_UP", 0)
    main(["pages", "--messages", "60", "--runs", "2", "--json", str(tmp_path / "figures.json")])
    shown = capsys.readouterr().out
    figures = json.loads((tmp_path / "figures.json").read_text("utf-8"))
    assert [figure["row"] for figure in figures[::2]] == list(pages.PAGES)
    assert all(0 < figure["value"] <= figure["p95"] for figure in figures[::2])
    assert all(figure["value"] > 1 for figure in figures[1::2])
    assert all(f"| {name} | " in shown for name in pages.PAGES)


def test_a_page_that_fails_is_told() -> None:
    with answering(b"HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n") as (port, _):
        connection = HTTPConnection("127.0.0.1", port, timeout=5)
        with pytest.raises(StoreError, match="The page facts answered 500"):
            pages._ask(connection, "facts")
        connection.close()
