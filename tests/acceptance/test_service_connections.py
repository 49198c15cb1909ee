"""Callers without a key: what they may send, how slowly, and over how many connections."""

from __future__ import annotations

import json
import socket
import tracemalloc
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from time import sleep

import pytest
from service_tools import Served, key_of, serving

from onrecord.service import connections

HEALTH = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"
ENTER = b"POST /ui/enter HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
CHUNKED = ENTER + b"Transfer-Encoding: chunked\r\n\r\n"
SOON = 0.3  # seconds within which headers must be complete here


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    key_of(tmp_path / "m.db")
    monkeypatch.setattr(connections, "PATIENCE", SOON)
    with serving(tmp_path / "m.db") as served:
        yield served


@contextmanager
def connected(service: Served, *sent: bytes) -> Iterator[socket.socket]:
    """A connection on which this was sent, as far as it was taken."""
    with socket.create_connection((service.http.base_url.host, service.http.base_url.port), timeout=10) as caller:
        with suppress(ConnectionError):
            for piece in sent:
                caller.sendall(piece)
        yield caller


def answer_of(caller: socket.socket) -> bytes:
    """All that comes until the connection is closed."""
    read = b""
    with suppress(ConnectionError):
        while some := caller.recv(65_536):
            read += some
    return read


def answer(service: Served, *sent: bytes) -> tuple[int, str]:
    """Status and code of what is answered; (0, "") where the connection is closed without."""
    with connected(service, *sent) as caller:
        head, _, body = answer_of(caller).partition(b"\r\n\r\n")
    if not head:
        return 0, ""
    assert b"\r\nconnection: close" in head
    assert b"\r\ncache-control: no-store" in head
    return int(head.split()[1]), json.loads(body)["error"]["code"]


@pytest.mark.parametrize(
    ("sent", "expected"),
    [
        ((HEALTH, *[b"X: " + b"a" * 60_000 + b"\r\n"] * 900), (431, "TooLarge")),
        ((HEALTH + b"X: ", *[b"a" * 60_000] * 900), (431, "TooLarge")),
        ((HEALTH, b"X: a\r\n" * 101, b"\r\n"), (431, "TooLarge")),
        ((HEALTH, b"X: " + b"a" * 30_000 + b"\r\nY: " + b"a" * 36_000 + b"\r\n\r\n"), (431, "TooLarge")),
        ((b"GET /", *[b"a" * 60_000] * 900), (414, "TooLarge")),
        ((b"GET /" + b"a" * 17_000 + b" HTTP/1.1\r\n",), (414, "TooLarge")),
        ((b"\r\n" * 30_000,) * 900, (431, "TooLarge")),
        ((CHUNKED + b"1\r\na\r\n1;", *[b"a" * 60_000] * 20), (431, "TooLarge")),
        ((CHUNKED + b"1\r\na\r\n0\r\nX: ", *[b"a" * 60_000] * 20), (431, "TooLarge")),
        ((CHUNKED, *[b"8000\r\n" + b"a" * 32_768 + b"\r\n"] * 9), (413, "TooLarge")),
        ((b"\x16\x03\x01 a handshake of TLS\r\n\r\n",), (400, "InvalidInput")),
    ],
)
def test_no_more_is_held_than_a_request_may_have(
    service: Served, sent: tuple[bytes, ...], expected: tuple[int, str]
) -> None:
    tracemalloc.start()
    try:
        assert answer(service, *sent) == expected
        assert tracemalloc.get_traced_memory()[1] < 4_000_000
    finally:
        tracemalloc.stop()
    assert service.ok("GET", "/healthz")


def test_ordinary_long_requests_are_taken(service: Served) -> None:
    headers = {f"X-{number}": "a" * 500 for number in range(80)}
    assert service.call("GET", "/healthz?" + "a" * 15_000, headers=headers).status_code == 200


@pytest.mark.parametrize("sent", [b"", b"GET", HEALTH, b"\r\n"])
def test_headers_that_do_not_come_are_not_waited_for(service: Served, sent: bytes) -> None:
    assert answer(service, sent) == (408, "InvalidInput")


def test_headers_that_come_a_byte_at_a_time_are_not_waited_for(service: Served) -> None:
    with connected(service, HEALTH + b"X: ") as caller:
        caller.settimeout(SOON / 10)
        read = b""
        for _ in range(100):
            with suppress(TimeoutError, ConnectionError):
                caller.sendall(b"a")
                read += caller.recv(65_536)
            if read:
                break
    assert read.startswith(b"HTTP/1.1 408 ")


def test_a_body_that_trickles_is_not_waited_for(service: Served) -> None:
    assert answer(service, ENTER + b"Content-Length: 100\r\n\r\n", b"key=") == (408, "InvalidInput")


def test_a_slow_request_behind_another_ends_the_connection_that_is_kept(service: Served) -> None:
    with connected(service, HEALTH + b"\r\n", HEALTH) as caller:
        read = answer_of(caller)
    assert read.startswith(b"HTTP/1.1 200 ")
    assert b"HTTP/1.1 408 " in read


def test_requests_that_do_not_wait_for_answers_are_few(service: Served) -> None:
    with connected(service, (b"GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n") * 2_000) as caller:
        assert answer_of(caller).count(b"HTTP/1.1 200 ") < 2_000
    with connected(service, (HEALTH + b"\r\n") * 10, HEALTH + b"Connection: close\r\n\r\n") as caller:
        assert answer_of(caller).count(b"HTTP/1.1 200 ") == 11


def unread(service: Served, open_: ExitStack) -> socket.socket:
    """A caller who asks for more than buffers hold, and reads nothing."""
    caller = open_.enter_context(socket.socket())
    caller.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
    caller.connect((service.http.base_url.host, service.http.base_url.port))
    ask = b"GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1\r\n"
    caller.sendall((ask + b"\r\n") * 15 + ask + b"Connection: close\r\n\r\n")
    return caller


def test_answers_that_are_not_read_keep_nobody_from_being_answered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "CONNECTIONS", 20)
    with serving(tmp_path / "m.db") as service, ExitStack() as open_:
        for _ in range(30):
            unread(service, open_)
            assert service.ok("GET", "/healthz")
        monkeypatch.setattr(connections, "UNREAD", SOON)
        caller = unread(service, open_)
        sleep(4 * SOON)
        assert answer_of(caller).count(b"HTTP/1.1 200 ") < 16


def test_idle_connections_keep_nobody_from_being_answered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "CONNECTIONS", 100)
    with serving(tmp_path / "m.db") as service, ExitStack() as open_:
        idle = [open_.enter_context(connected(service, HEALTH)) for _ in range(200)]
        assert service.ok("GET", "/healthz")
        idle[-1].sendall(b"Connection: close\r\n\r\n")
        assert answer_of(idle[-1]).startswith(b"HTTP/1.1 200 ")  # the newest are kept
        assert answer_of(idle[0]) == b""
