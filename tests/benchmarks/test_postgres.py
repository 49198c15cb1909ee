"""The benchmarks of a server run on a real one, at sizes of a test; they leave nothing, and spare what is there."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import psycopg
import pytest
from postgres_tools import empty_store_url, server

from benchmarks import clients, latency, places, server_latency, sizes
from benchmarks.commands import main
from benchmarks.places import OWN, Others, Place, borrowed, levels
from benchmarks.search_latency import CONTEXT, FIRST, SEARCH
from benchmarks.server_latency import EMPTY, GROWTH, POWER
from benchmarks.timing import Figure
from recollect import Memory
from recollect.errors import InvalidInput, StoreError

DATABASE, ALONE = "bench", "bench_alone"
OTHERS = 200
TABLES = ("spaces", "sessions", "messages", "records", "blocks", "counters", "due")


def rows(database: str, query: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(server().url(database)) as db:  # a superuser sees every space
        return db.execute(query.encode()).fetchall()


def held(database: str) -> int:
    return sum(rows(database, f"SELECT count(*) FROM recollect.{table}")[0][0] for table in TABLES)


def shrink(patch: pytest.MonkeyPatch) -> None:
    """Everything at the size of a test."""
    changes: list[tuple[ModuleType, str, float]] = [
        (places, "SPACE", 10),
        (places, "DIFFERENT", 40),
        (latency, "BATCH", 20),
        (latency, "SESSION", 30),
        (server_latency, "SEARCHED", 30),
        (server_latency, "SESSION", 15),
        (latency, "WARM_UP", 1),
        (server_latency, "WARM_UP", 1),
        (server_latency, "SECONDS", 0.05),
        (sizes, "SECONDS", 0.05),
        (sizes, "ADDED", 5),
        (sizes, "ENOUGH", 3_000_000),
    ]
    for module, name, value in changes:
        patch.setattr(module, name, value)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    shrink(monkeypatch)


@pytest.fixture
def place() -> Iterator[Place]:
    with borrowed(empty_store_url(DATABASE), consent=False) as lent:
        yield lent


# The place


def test_a_borrowed_database_is_given_back_empty_however_it_ends() -> None:
    url = empty_store_url(DATABASE)
    with pytest.raises(KeyboardInterrupt), borrowed(url, consent=False) as place:  # noqa: PT012
        with place.open("one", embedder=None) as memory:
            memory.session("trip").add("user", "I live in Porto.")
            memory.session("trip").summarize()
        assert memory.name.startswith(OWN)
        assert held(DATABASE) > 0
        raise KeyboardInterrupt
    assert held(DATABASE) == 0


def test_a_database_with_other_spaces_is_taken_with_consent_only_and_they_stay() -> None:
    url = empty_store_url(DATABASE)
    with Memory(url, space="ana", embedder=None) as memory:
        memory.session("trip").add("user", "Mine.")
    with Memory(url, space=f"{OWN}killed-1", embedder=None) as memory:
        memory.session("trip").add("user", "Left over.")
    secret = url.replace("plain@", "plain:hidden@")
    assert secret != url
    with pytest.raises(InvalidInput, match="holds 2 spaces, 1 of them left by a measurement") as refused:
        borrowed(secret, consent=False).__enter__()
    assert "hidden" not in str(refused.value)
    assert "--yes" in refused.value.hint
    with borrowed(url, consent=True) as place:
        assert not place.empty
        with place.open("one") as memory:
            memory.session("trip").add("user", "Ours.")
    with Memory(url, space="ana", embedder=None) as memory:
        assert sorted(memory.spaces()) == ["ana", f"{OWN}killed-1"]
        assert [one.text for one in memory.session("trip").history()] == ["Mine."]


def test_a_file_is_no_server(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="no server"):
        borrowed(str(tmp_path / "memory.db"), consent=False).__enter__()


def test_levels_are_two_decades_apart() -> None:
    assert levels(1_000_000) == [10_000, 100_000, 1_000_000]
    assert levels(10) == [1, 10]


def test_what_the_server_copies_is_what_the_store_would_have_written(small: None, place: Place) -> None:
    others, told = Others(place, OTHERS), list[int]()
    others.grow(35, told.append)  # the last space is not full
    others.grow(OTHERS, told.append)
    assert (others.held, sum(told)) == (OTHERS, OTHERS)
    assert max(told) > 10  # several spaces at once
    with place.open("any") as memory:
        names = [name for name in memory.spaces() if name.startswith(place.prefix)]
        assert sum(len(list(memory.space(name).session("said").history())) for name in names) == OTHERS
        assert memory.check().findings == ()
        first, copy = (memory.space(f"{place.prefix}others-{at}") for at in (0, 185))
        assert [(m.seq, m.role, m.text, m.tokens) for m in copy.session("said").history()] == [
            (m.seq, m.role, m.text, m.tokens) for m in _same_text(memory, names, copy)
        ]
        assert copy.session("said").add("user", "More.").seq == 11  # it goes on as any other
        assert memory._store.revision(first.name).born != memory._store.revision(copy.name).born


def _same_text(memory: Memory, names: Sequence[str], copy: Memory) -> list[Any]:
    """The messages of another space with the same first text."""
    text = next(iter(copy.session("said").history())).text
    found = [list(memory.space(name).session("said").history()) for name in names if name != copy.name]
    return next(said for said in found if said[0].text == text)


# Clients


def test_clients_work_in_spaces_of_their_own_and_are_counted(small: None, place: Place) -> None:
    adds, turns = clients.measure(place, 2, 0.2)
    assert (adds.what, turns.what) == (clients.ADDS, clients.TURNS)
    assert adds.clients == turns.clients == 2
    assert min(adds.second, turns.second, adds.cores, turns.cores) > 0
    assert adds.connections >= 2
    names = {name.removeprefix(place.prefix) for (name,) in rows(DATABASE, "SELECT name FROM recollect.spaces")}
    assert names == {"client-2-0", "client-2-1"}


def test_a_client_that_fails_says_why(small: None, tmp_path: Path) -> None:
    (tmp_path / "damaged.db").write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    with pytest.raises(StoreError, match=r"damaged\.db"):
        list(clients.measure(Place(title="SQLite", address=str(tmp_path / "damaged.db")), 1, 0.1))


# Latency


@pytest.fixture(scope="module")
def figures() -> list[Figure]:
    """Everything, measured once, beside a database without others."""
    with pytest.MonkeyPatch.context() as patch:
        shrink(patch)
        told: list[int] = []
        with (
            borrowed(empty_store_url(DATABASE), consent=False) as place,
            borrowed(empty_store_url(ALONE), consent=False) as alone,
        ):
            measured = list(server_latency.measure(place, alone, OTHERS, [1, 40], [2], 3, told.append))
            assert sum(told) >= server_latency.work(OTHERS, [1, 40])
        return measured


def test_every_operation_is_measured_in_both_places(figures: list[Figure]) -> None:
    beside = {(one.what, one.who, one.space) for one in figures if one.topic == "beside"}
    journal = {
        "add, durability=process",
        "the same, summarize=inline",
        POWER,
        "add_many of 1000",
        "add_many of 1000, with summaries",
        "context of 3000 tokens",
        "history, newest 20",
        "history, page of 20",
    }
    assert beside == {
        *((what, who, 0) for what in journal for who in ("SQLite", "PostgreSQL")),
        *((what, who, 30) for what in (FIRST, SEARCH, CONTEXT) for who in ("SQLite", "PostgreSQL")),
    }
    assert all(0 < one.p50 <= one.p95 for one in figures if one.unit == "ms")
    assert [one.what for one in figures if one.topic == "server"] == [EMPTY]


def test_growth_is_measured_at_every_level_beside_places_without_others(figures: list[Figure]) -> None:
    grown = {(one.what, one.who, one.alone, one.size) for one in figures if one.topic == "growth"}
    assert grown == {
        (what, who, alone, size)
        for what in (*GROWTH, FIRST)
        for who in ("SQLite", "PostgreSQL")
        for alone in (False, True)
        for size in levels(OTHERS)
    }


def test_clients_are_measured_in_both_places(figures: list[Figure]) -> None:
    found = {(one.what, one.who, one.size): one.p50 for one in figures if one.unit == "a second"}
    assert found.keys() == {
        (what, who, number)
        for what in (clients.ADDS, clients.TURNS)
        for who in ("SQLite", "PostgreSQL")
        for number in (2,)
    }
    assert min(found.values()) > 0


def test_both_databases_are_empty_again(figures: list[Figure]) -> None:
    assert (held(DATABASE), held(ALONE)) == (0, 0)


def test_the_report_shows_both_side_by_side(figures: list[Figure]) -> None:
    shown = server_latency.report(figures, "PostgreSQL 99")
    assert "|  | SQLite | PostgreSQL | times as long |" in shown
    assert "beside 200 messages in other spaces" in shown
    assert "|  | 2 | 20 | 200 |" in shown
    assert "\nPostgreSQL 99.\n" in shown
    assert "Connections to the server, at most: " in shown
    for what in GROWTH:
        assert f"| {what}, PostgreSQL |" in shown


def test_growth_is_against_the_same_calls_without_others_or_else_against_the_fewest(figures: list[Figure]) -> None:
    def set_to(one: Figure) -> Figure:
        alone, first, last = 2.0, 1.0, 2.2
        return replace(one, p50=alone if one.alone else first if one.size == 2 else last)

    known = [set_to(one) if one.topic == "growth" else one for one in figures]
    shown = server_latency.report(known, "")
    assert "| history, newest 20, PostgreSQL | 1.000 (0.50×) | 2.200 (1.10×) | 2.200 (1.10×) |" in shown
    assert "Others' data, PostgreSQL: at most 1.10×" in shown
    assert "within the 1.3×" in shown
    shared = [one for one in known if not (one.alone and one.who == "PostgreSQL")]
    shown = server_latency.report(shared, "")
    assert "| history, newest 20, PostgreSQL | 1.000 (1.00×) | 2.200 (2.20×) | 2.200 (2.20×) |" in shown
    assert "over the 1.3×" in shown
    assert "| history, newest 20, SQLite | 1.000 (0.50×) | 2.200 (1.10×) | 2.200 (1.10×) |" in shown


def test_larger_spaces_are_searched_beside_many_others() -> None:
    assert server_latency._searched_spaces(1_000_000, [1_000, 10_000, 100_000, 200_000]) == [1_000, 10_000, 100_000]
    assert server_latency._searched_spaces(100, [1_000]) == [100]


# Sizes


def test_sizes_are_measured_and_reported(small: None, place: Place) -> None:
    told: list[int] = []
    measured = sizes.measure(place, 2, 60, [1], told.append)
    assert sum(told) == 4
    amounts = {one.table: one for one in measured.amounts}
    assert set(amounts) == set(TABLES)
    assert amounts["messages"].rows >= 2 * 60 * 100
    assert amounts["blocks"].aside >= 2 * 60 * 384  # a byte for each number of a vector
    assert amounts["messages"].indexes > 0
    assert {"summary", "fact"} <= {kind for kind, count in measured.records.items() if count}
    assert 0 < measured.packed <= sum(one.bytes for one in measured.amounts)
    assert measured.file > 2 * 60 * 384
    assert measured.log > 100  # bytes of the text alone
    assert measured.log_in_all > 384
    assert [(rate.clients, rate.what) for rate in measured.rates] == [
        (1, what) for what in (clients.ADDS, clients.TURNS)
    ]
    assert measured.scrubbed > 0
    assert measured.scrub_seconds > 0
    shown = sizes.report(measured)
    assert "| table | rows | indexes | TOAST | all | a user |" in shown
    assert "| a SQLite file |  |  |  | " in shown
    assert "s for each GB" in shown
    assert json.loads(json.dumps(sizes.plain(measured)))["users"] == 2


def test_nobody_who_uses_the_database_waits_for_tables_that_are_written_anew(small: None, place: Place) -> None:
    measured = sizes.measure(replace(place, empty=False), 2, 20, [], lambda _: None)
    assert (measured.packed, measured.scrubbed) == (0, 0)
    shown = sizes.report(measured)
    assert "Forced erasure was not tried" in shown
    assert "VACUUM FULL" not in shown


# The command line


def test_the_commands_measure_a_server_and_clean_up(
    small: None, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clients, "measure", lambda place, number, seconds: [])  # their processes take long to start
    url, figures, amounts = empty_store_url(DATABASE), tmp_path / "figures.json", tmp_path / "sizes.json"
    words = ["--db", url, "--clients", "1", "--json"]
    assert main(["latency", *words, str(figures), "--others", "10", "--runs", "2"]) == 0
    assert "times as long" in capsys.readouterr().out
    assert {"SQLite", "PostgreSQL"} <= {one["who"] for one in json.loads(figures.read_text())}
    assert main(["sizes", *words, str(amounts), "--users", "2", "--messages", "10"]) == 0
    assert "Bytes a message" in capsys.readouterr().out
    assert json.loads(amounts.read_text())["users"] == 2
    assert held(DATABASE) == 0


def test_the_command_refuses_a_database_in_use_and_never_shows_a_password(capsys: pytest.CaptureFixture[str]) -> None:
    url = empty_store_url(DATABASE)
    with Memory(url, space="ana", embedder=None) as memory:
        memory.session("trip").add("user", "Mine.")
    secret = url.replace("plain@", "plain:hidden@")
    for command in ("latency", "sizes"):
        assert main([command, "--db", secret]) == 2
        said = capsys.readouterr()
        assert "holds 1 spaces" in said.err
        assert "hidden" not in said.err + said.out
    assert main(["latency", "--db", "nothing.db"]) == 2


def test_a_server_of_its_own_is_started_and_removed(capsys: pytest.CaptureFixture[str]) -> None:
    from benchmarks.servers import server

    with server("embedded", 2) as urls:
        for url in urls:
            with Memory(url, embedder=None) as memory:
                memory.session("trip").add("user", "Hello.")
                assert memory.spaces() == ["default"]
        with psycopg.connect(urls[0]) as db:
            assert [db.execute(f"SHOW {name}".encode()).fetchone() for name in ("fsync", "shared_buffers")] == [
                ("on",),
                ("128MB",),
            ]
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(urls[0], connect_timeout=2)
