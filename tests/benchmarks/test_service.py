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
from benchmarks.load import Load, Plan, drive, post
from benchmarks.service import ADD, CALM, CONTEXT, Cell, Measured, Passed, Resident, report, work
from recollect.errors import StoreError

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
    said = post("/v1/sessions/a/messages", {"text": "Olá"}, X_Recollect_Space="ana")
    head, _, body = said.partition(b"\r\n\r\n")
    assert head.startswith(b"POST /v1/sessions/a/messages HTTP/1.1\r\n")
    assert f"Content-Length: {len(body)}".encode() in head
    assert b"X-Recollect-Space: ana" in head
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
    assert done.second > 0
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
    assert done.seconds >= 0.04  # two pauses between three requests


def test_what_was_not_asked_for_ends_it_with_what_was_answered() -> None:
    wrong = b'HTTP/1.1 503 No\r\ncontent-length: 15\r\n\r\n{"code": "Busy"}'
    with answering(wrong) as (port, _), Load() as clients, pytest.raises(StoreError) as told:
        clients.run(Plan(port=port, scripts=[[post("/v1/flush")]]))
    assert "POST /v1/flush was answered 503: " in str(told.value)
    assert "Busy" in str(told.value)
    with answering(OK) as (port, _), pytest.raises(StoreError, match="memory: used"):
        drive(Plan(port=port, scripts=[[post("/a")]], sign=b"memory: used"))
    half = b"HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"
    with answering(half, last=True) as (port, _), pytest.raises(StoreError, match="hung up"):
        drive(Plan(port=port, scripts=[[post("/a")]]))


def test_clients_say_where_nobody_listens() -> None:
    with socket.create_server(("127.0.0.1", 0)) as door:
        port = door.getsockname()[1]
    with Load() as clients, pytest.raises(StoreError, match="cannot be reached"):
        clients.run(Plan(port=port, scripts=[[post("/a")]]))


def test_an_answer_that_does_not_come_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "LONG", 0.01)
    with socket.create_server(("127.0.0.1", 0)) as door, pytest.raises(StoreError, match="did not answer"):
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
    figures: dict[str, list[dict[str, Any]]] = json.loads(file.read_text())
    cells = figures["cells"]
    assert [(one["what"], one["where"], one["processes"], one["clients"]) for one in cells] == [
        (what, "SQLite", 1, 1) for what in (CONTEXT, CALM, ADD)
    ]
    assert all(one[name] > 0 for one in cells for name in ("second", "p50", "p95", "load"))
    assert all(one["p50"] <= one["p95"] for one in cells)
    assert [one["clients"] for one in figures["passed"]] == [1]
    assert all(one["direct"] > 0 and one["through"] > 0 for one in figures["passed"])
    if Path("/proc/self/status").exists():
        assert [one["requests"] for one in figures["resident"]] == [0, 200]
        assert all(one["megabytes"] > 10 for one in figures["resident"])
        assert all(one["cores"] > 0 for one in cells if one["what"] != CALM)  # who rests takes less than is counted
    for line in ("| add, SQLite, 1 process | ", "| context, SQLite, 1 process | ", "| SQLite, 1 at once | "):
        assert line in shown


def test_counts_are_checked_before_anything_starts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["service", "--clients", "1,none"]) == 2
    assert main(["service", "--processes", "0"]) == 2
    assert "is not a list of counts" in capsys.readouterr().err


def test_the_report_shows_both_places_and_what_is_left_out() -> None:
    def cell(where: str, what: str, clients: int, **more: Any) -> Cell:
        told = {"processes": 2, "second": 1234.5, "p50": 0.44, "p95": 123.4, "load": 0.1, "cores": 1.5}
        return Cell(where=where, what=what, clients=clients, **(told | more))

    places, operations = ("SQLite", "PostgreSQL"), (ADD, CONTEXT)
    measured = Measured(
        cells=[cell(where, what, clients) for where in places for what in operations for clients in (1, 8)],
        passed=[Passed(where="SQLite", clients=8, direct=1.0, through=5.5, own=4.5)],
        resident=[Resident(where="SQLite", requests=count, megabytes=100.4) for count in (0, 1_000, 10_000)],
    )
    shown = report(measured)
    assert "|  | 1 | 8 |" in shown
    assert "| add, PostgreSQL, 2 processes | 1,234 · 0.4 / 123 | 1,234 · 0.4 / 123 |" in shown
    assert "at most 0.10 of a core, the service 1.50 with 2." in shown
    assert "| SQLite, 8 at once | 1.0 | 5.5 | **4.5** |" in shown
    assert "|  | 0 | 1,000 | 10,000 |" in shown
    assert "| SQLite | 100 | 100 | 100 |" in shown
    elsewhere = Measured(cells=[cell("SQLite", ADD, 1, cores=None)], passed=measured.passed, resident=[])
    assert "cannot be told here" in report(elsewhere)
    assert "there is no /proc here" in report(elsewhere)


def test_progress_is_told_in_steps() -> None:
    assert work(1, [1], [1], 200) == 1 + 3 + 1 + 1 + 1  # a conversation, three figures, memory, another, a chat
    assert work(2, [1, 8, 64], [1, 2], 2_500) == 2 * (2 * (1 + 9) + 1 + 2 + 3)


# The pages


def test_every_page_is_measured_and_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "WARM_UP", 0)
    main(["pages", "--messages", "60", "--runs", "2", "--json", str(tmp_path / "figures.json")])
    shown = capsys.readouterr().out
    kept = json.loads((tmp_path / "figures.json").read_text("utf-8"))
    assert [page["name"] for page in kept] == list(pages.PAGES)
    assert all(0 < page["p50"] <= page["p95"] and page["bytes"] > 1_000 for page in kept)
    assert all(f"| {page['name']} | {page['p50']:.1f} / " in shown for page in kept)


def test_a_page_that_fails_is_told() -> None:
    with answering(b"HTTP/1.1 500 No\r\ncontent-length: 0\r\n\r\n") as (port, _):
        connection = HTTPConnection("127.0.0.1", port, timeout=5)
        with pytest.raises(StoreError, match="The page facts answered 500"):
            pages._asked(connection, "facts", "/ui/facts")
        connection.close()
