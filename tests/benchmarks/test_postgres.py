"""The benchmarks of a server run on a real one, at sizes of a test; they take an empty database, and leave it so."""

from collections.abc import Iterator

import psycopg
import pytest
from postgres_tools import empty_store_url, server

from benchmarks import latency, sizes
from benchmarks.commands import main
from benchmarks.figures import Figure
from benchmarks.places import Place, servers
from onrecord import Memory
from onrecord.errors import InvalidInput, StoreError

DATABASE = "bench"


def spaces() -> int:
    with psycopg.connect(server().url(DATABASE)) as db:  # a superuser sees every space
        (count,) = db.execute("SELECT count(*) FROM onrecord.spaces").fetchone() or (-1,)
        return int(count)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything at the size of a test."""
    for module, name, value in (
        (latency, "BATCH", 20),
        (latency, "SESSION", 30),
        (sizes, "SECONDS", 0.1),
        (sizes, "ADDED", 5),
        (sizes, "ENOUGH", 1_000),
    ):
        monkeypatch.setattr(module, name, value)


@pytest.fixture
def place() -> Iterator[Place]:
    with servers(empty_store_url(DATABASE), 2) as (lent,):
        yield lent


def test_a_borrowed_database_is_given_back_empty_however_it_ends() -> None:
    with pytest.raises(KeyboardInterrupt), servers(empty_store_url(DATABASE), 1) as (place,):  # noqa: PT012
        with place.open("one") as memory:
            memory.session("trip").add("user", "I live in Porto.")
            memory.session("trip").summarize()
        assert spaces() == 1
        raise KeyboardInterrupt
    assert spaces() == 0


def test_a_database_in_use_is_refused_and_no_password_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    url = empty_store_url(DATABASE)
    with Memory(url, space="ana", embedder=None) as memory:
        memory.session("trip").add("user", "Mine.")
    secret = url.replace("plain@", "plain:hidden@")
    assert secret != url
    for command in ("latency", "sizes", "service"):
        assert main([command, "--db", secret]) == 2
        shown = capsys.readouterr()
        assert "holds 1 spaces" in shown.err
        assert "hidden" not in shown.err + shown.out
    assert spaces() == 1
    with pytest.raises(InvalidInput, match="no server"):
        servers("nothing.db", 1).__enter__()


def test_others_are_added_until_there_are_so_many(place: Place) -> None:
    place.fill(30)
    place.fill(1_040)
    assert place.others == 1_040
    with place.open("any") as memory:
        sessions = [
            memory.space(name).session(info.id) for name in memory.spaces() for info in memory.space(name).sessions()
        ]
        assert sum(len(list(session.history())) for session in sessions) == 1_040


def test_latency_is_measured_in_both_places(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--db", empty_store_url(DATABASE), "--sizes", "50", "--space-sizes", "30", "--runs", "2", "--no-peers"]
    assert main(["latency", *words]) == 0
    shown = capsys.readouterr().out
    for place in ("SQLite", "PostgreSQL"):
        assert f"| add, durability=power, {place} | " in shown
        assert f"| search, {place} | " in shown
    assert spaces() == 0


def test_sizes_are_measured(place: Place) -> None:
    figures = [figure for figure in sizes._room(place, 2, 60) if isinstance(figure, Figure)]
    bytes = {(figure.row, figure.column): figure.value for figure in figures}
    assert bytes["messages", "rows"] >= 100
    assert bytes["messages", "indexes"] > 0
    assert bytes["blocks", "TOAST"] >= 384  # a byte for each number of a vector
    assert 0 < bytes["all, written anew (VACUUM FULL)", "all"] <= bytes["all", "all"]
    assert bytes["a SQLite file", "all"] > 384
    assert bytes["write-ahead log, a message added by itself", "all"] > 100
    assert "s for each GB" in sizes._scrubbed(place, 2)


def test_clients_work_in_spaces_of_their_own(place: Place) -> None:
    rates = {figure.column: figure.value for figure in sizes._rates(place, 2)}
    assert len(rates) == 5
    assert min(rates.values()) > 0
    assert rates["connections"] >= 2
    assert spaces() == 2


def test_a_client_that_fails_says_why() -> None:
    with pytest.raises(StoreError, match="nowhere"):
        list(sizes._rates(Place("PostgreSQL", "postgresql://nobody@127.0.0.1:9/nowhere"), 1))


def test_a_server_of_its_own_is_started_and_removed() -> None:
    with servers("embedded", 2) as places:
        for place in places:
            with place.open("default") as memory:
                memory.session("trip").add("user", "Hello.")
        with psycopg.connect(places[0].address) as db:
            assert db.execute("SHOW fsync").fetchone() == ("on",)
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(places[0].address, connect_timeout=2)
