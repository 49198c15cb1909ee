"""The network that fails on command."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from socketserver import BaseRequestHandler, ThreadingTCPServer

import psycopg
import pytest
from network_tools import Proxy
from postgres_tools import fresh_database, plain_role_url, server

LONG = 30.0  # seconds until an answer that should come is given up
SHORT = 0.2  # seconds that are waited for an answer that should not come


class Echo(ThreadingTCPServer):
    """Says what it heard, and keeps it."""

    daemon_threads = True

    def __init__(self) -> None:
        self.heard = bytearray()
        self.news = threading.Condition()
        super().__init__(("127.0.0.1", 0), _Echoing)

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    def wait_for(self, text: bytes) -> None:
        with self.news:
            assert self.news.wait_for(lambda: bytes(self.heard) == text, LONG), bytes(self.heard)


class _Echoing(BaseRequestHandler):
    server: Echo

    def handle(self) -> None:
        with suppress(OSError):
            while data := self.request.recv(65_536):
                with self.server.news:
                    self.server.heard += data
                    self.server.news.notify_all()
                self.request.sendall(data)

    def finish(self) -> None:
        self.request.close()


@pytest.fixture
def echo() -> Iterator[Echo]:
    with Echo() as made:
        thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield made
        made.shutdown()
        thread.join()


@pytest.fixture
def network(echo: Echo) -> Iterator[Proxy]:
    with Proxy(echo.port) as made:
        yield made


def connect(network: Proxy) -> socket.socket:
    return socket.create_connection(("127.0.0.1", network.port), timeout=LONG)


def receive(one: socket.socket, count: int) -> bytes:
    data = b""
    while len(data) < count and (more := one.recv(count - len(data))):
        data += more
    return data


def is_silent(one: socket.socket) -> bool:
    one.settimeout(SHORT)
    try:
        one.recv(1)
    except TimeoutError:
        return True
    else:
        return False
    finally:
        one.settimeout(LONG)


def test_everything_goes_through(network: Proxy) -> None:
    with connect(network) as one, connect(network) as two:
        for client, text in [(one, b"one"), (two, b"two"), (one, b"three")]:
            client.sendall(text)
            assert receive(client, len(text)) == text
        assert network.connections == network.alive == 2


def test_many_bytes_go_through_in_order(network: Proxy) -> None:
    data = b"".join(number.to_bytes(4, "big") for number in range(2_000_000))
    with connect(network) as one:
        sender = threading.Thread(target=one.sendall, args=[data])
        sender.start()
        assert receive(one, len(data)) == data
        sender.join()


def test_an_end_is_passed_on(network: Proxy, echo: Echo) -> None:
    with connect(network) as one:
        one.sendall(b"bye")
        one.shutdown(socket.SHUT_WR)
        assert receive(one, 100) == b"bye"


def test_cut_resets_all_connections_and_new_ones_are_welcome(network: Proxy) -> None:
    with connect(network) as one, connect(network) as two:
        for client in (one, two):
            client.sendall(b"x")
            receive(client, 1)
        network.cut()
        assert network.alive == 0
        for client in (one, two):
            with pytest.raises(ConnectionResetError):
                client.recv(1)
    with connect(network) as three:
        three.sendall(b"x")
        assert receive(three, 1) == b"x"


def test_freeze_holds_everything_until_thaw(network: Proxy, echo: Echo) -> None:
    with connect(network) as one:
        one.sendall(b"a")
        assert receive(one, 1) == b"a"
        network.freeze()
        one.sendall(b"b")
        with connect(network) as two:
            two.sendall(b"c")
            assert is_silent(one)
            assert is_silent(two)
            assert bytes(echo.heard) == b"a"
            network.thaw()
            assert receive(one, 1) == b"b"
            assert receive(two, 1) == b"c"


def test_frozen_connections_can_be_cut(network: Proxy) -> None:
    with connect(network) as one:
        network.freeze()
        network.cut()
        with pytest.raises(ConnectionResetError):
            one.recv(1)


def test_dropped_answers_never_come(network: Proxy, echo: Echo) -> None:
    with connect(network) as one:
        network.drop_answers()
        one.sendall(b"heard")
        echo.wait_for(b"heard")
        assert is_silent(one)
        network.thaw()
        with pytest.raises(ConnectionResetError):  # as if nothing had happened would be worse
            one.recv(1)


def test_delay_holds_each_piece_and_keeps_the_order(network: Proxy) -> None:
    with connect(network) as one:
        network.delay(SHORT)
        begin = time.monotonic()
        one.sendall(b"a")
        assert receive(one, 1) == b"a"
        assert time.monotonic() - begin >= 2 * SHORT  # there and back
        one.sendall(b"b")
        network.delay(0)
        one.sendall(b"c")
        assert receive(one, 2) == b"bc"


def test_refuse_lets_nobody_in_until_allow(network: Proxy) -> None:
    with connect(network) as one:
        one.sendall(b"a")
        assert receive(one, 1) == b"a"
        network.refuse()
        with pytest.raises(OSError), connect(network) as two:  # noqa: PT011 - while connecting, or after
            two.recv(1) or pytest.fail("it ended in order")
        one.sendall(b"b")
        assert receive(one, 1) == b"b"
        network.allow()
        with connect(network) as three:
            three.sendall(b"c")
            assert receive(three, 1) == b"c"
        assert (network.connections, network.refused) == (2, 1)


def test_a_server_that_is_not_there_is_like_a_reset() -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        with Proxy(nobody.getsockname()[1]) as network:
            with pytest.raises(ConnectionResetError), connect(network) as one:  # while connecting, or after
                one.recv(1)
            assert network.alive == 0


def test_after_so_many_bytes(network: Proxy, echo: Echo) -> None:
    with connect(network) as one:
        network.after(5, network.cut)
        with suppress(OSError):
            one.sendall(b"half of it")
        echo.wait_for(b"half ")
        with pytest.raises(ConnectionResetError):
            receive(one, 10)


def test_before_a_text(network: Proxy, echo: Echo) -> None:
    with connect(network) as one:
        network.when(b"stop", network.freeze)
        one.sendall(b"go")
        assert receive(one, 2) == b"go"
        one.sendall(b"stop")
        assert is_silent(one)
        assert bytes(echo.heard) == b"go"
        network.thaw()
        assert receive(one, 4) == b"stop"


def test_an_action_that_fails_stops_nothing(network: Proxy) -> None:
    def fail() -> None:
        raise RuntimeError("no")

    with connect(network) as one:
        network.when(b"x", fail)
        one.sendall(b"x")
        assert receive(one, 1) == b"x"


def test_closing_ends_every_connection_and_the_thread(echo: Echo) -> None:
    with Proxy(echo.port) as network:
        port = network.port
        one = connect(network)
        one.sendall(b"x")
        receive(one, 1)
        network.freeze()
    with one, pytest.raises(ConnectionResetError):
        one.recv(1)
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), timeout=LONG)
    assert not [thread for thread in threading.enumerate() if thread.name == "proxy"]


@pytest.fixture
def notes() -> Iterator[str]:
    """The name of a database with an empty table."""
    with fresh_database() as name:
        with psycopg.connect(plain_role_url(name)) as connection:
            connection.execute("CREATE TABLE notes (text text)")
        yield name


def read(database: str) -> list[str]:
    with psycopg.connect(plain_role_url(database)) as connection:
        return [text for (text,) in connection.execute("SELECT text FROM notes")]


def test_a_commit_whose_answer_is_lost_is_there(notes: str) -> None:
    with Proxy(server().port) as network, closing(psycopg.connect(plain_role_url(notes, port=network.port))) as through:
        through.execute("INSERT INTO notes VALUES ('kept')")
        network.when(b"COMMIT", network.drop_answers)
        watching = threading.Thread(target=cut_when_there, args=[notes, network])
        watching.start()
        with pytest.raises(psycopg.OperationalError):
            through.commit()
        watching.join()
    assert read(notes) == ["kept"]


def cut_when_there(database: str, network: Proxy) -> None:
    until = time.monotonic() + LONG
    while not read(database) and time.monotonic() < until:
        time.sleep(0.01)
    network.cut()


def test_a_commit_that_is_cut_before_it_arrives_is_not_there(notes: str) -> None:
    with Proxy(server().port) as network, closing(psycopg.connect(plain_role_url(notes, port=network.port))) as through:
        through.execute("INSERT INTO notes VALUES ('lost')")
        network.when(b"COMMIT", network.cut)
        with pytest.raises(psycopg.OperationalError):
            through.commit()
    assert read(notes) == []
