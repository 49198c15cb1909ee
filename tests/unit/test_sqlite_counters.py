"""Counters in the SQLite file, and the step to the version that has them: older files go on, damaged ones are read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from zlib import crc32

import apsw
import pytest

from onrecord.errors import StoreDamaged, StoreVersion
from onrecord.settings import Settings
from onrecord.stores.sql import migrations
from onrecord.stores.sqlite import SqliteStore
from onrecord.stores.sqlite import file as sqlite_file
from onrecord.stores.sqlite.sqlite_rows import SQL
from onrecord.testing.conformance.case import RICH, derive, everything, fed, forget, node, put, texts

SHIPPED = (0xF3328561, 0xAC1C57B7)  # checksums of the steps that are in people's files: they are only ever added to


@pytest.fixture(name="path")
def file_path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture(name="store")
def file_store(path: Path) -> Iterator[SqliteStore]:
    store = opened(path)
    put(store, "one")
    yield store
    store.close()


def opened(path: Path) -> SqliteStore:
    return SqliteStore(path, Settings(durability="process", busy_timeout=5.0))


def run(path: Path, sql: str, *values: object) -> list[tuple[object, ...]]:
    with closing(apsw.Connection(str(path))) as db:
        return db.execute(sql, values).fetchall()


def version(path: Path) -> object:
    return run(path, "PRAGMA user_version")[0][0]


def as_version(number: int, patch: pytest.MonkeyPatch) -> None:
    """From now on files are those of a version."""
    patch.setattr(sqlite_file, "migrations", lambda store: migrations(store)[:number])


@pytest.fixture(name="old")
def old_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file as the first version made it."""
    with monkeypatch.context() as patch:
        as_version(1, patch)
        store = opened(path)
        put(store, *RICH, title="T")
        put(store, "two", session="b")
        put(store, "three", space="t")
        derive(store, node("n", 1, 2), node("m", kind="pin"))
        store.close()
    assert version(path) == 1
    assert run(path, "SELECT name FROM sqlite_schema WHERE name = 'counters'") == []
    return path


# Older files


def test_steps_between_versions_are_only_added() -> None:
    assert tuple(crc32(step.encode()) for step in migrations("sqlite")[: len(SHIPPED)]) == SHIPPED


def test_an_older_file_is_brought_up(old: Path, tmp_path: Path) -> None:
    fresh = opened(tmp_path / "fresh.db")
    put(fresh, "x")
    fresh.close()
    store = opened(old)
    assert version(old) == 2
    assert [len(texts(store)), texts(store, session="b"), texts(store, space="t")] == [len(RICH), ["two"], ["three"]]
    assert fed(store)[-2:] == ["a summary n", "a pin m"]
    assert store.tally("s") == {}
    store.count("s", {"n": 1})
    assert store.tally("s") == {"n": 1}
    assert store.check(lambda n: None).ok
    forget(store, session=None)
    assert (store.tally("s"), store.spaces()) == ({}, ["t"])
    store.close()
    schema = "SELECT type, name, sql FROM sqlite_schema ORDER BY name"
    assert run(old, schema) == run(tmp_path / "fresh.db", schema)


def test_an_older_file_is_brought_up_once_and_loses_nothing(old: Path) -> None:
    first = opened(old)
    before = everything(first)
    second = opened(old)
    second.count("s", {"n": 1})
    first.count("s", {"n": 1})
    assert everything(second) == before
    assert first.tally("s") == second.tally("s") == {"n": 2}
    first.close()
    second.close()


def test_a_newer_file_is_refused(store: SqliteStore, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    as_version(1, monkeypatch)
    with pytest.raises(StoreVersion, match="version 2"):
        opened(path)


def test_an_older_file_that_was_found_damaged_is_read_and_not_written(old: Path) -> None:
    marker = old.with_name(old.name + "-damaged")
    marker.write_text("something\n")
    store = opened(old)
    assert version(old) == 1
    assert (texts(store, session="b"), store.tally("s")) == (["two"], {})
    with pytest.raises(StoreDamaged):
        store.count("s", {"n": 1})
    assert version(old) == 1
    assert store.check(lambda n: None).ok  # which takes the mark away
    store.count("s", {"n": 1})
    assert (version(old), store.tally("s")) == (2, {"n": 1})
    store.close()


def test_an_older_file_that_cannot_be_brought_up_is_read(old: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def corrupt(store: str) -> tuple[str, ...]:
        return (*migrations(store)[:1], "CREATE TABLE half (x); SELECT fail()")

    def broken() -> None:
        raise apsw.CorruptError("planned")

    monkeypatch.setattr(sqlite_file, "migrations", corrupt)
    monkeypatch.setattr(apsw, "connection_hooks", [lambda db: db.create_scalar_function("fail", broken, 0)])
    store = opened(old)
    assert old.with_name(old.name + "-damaged").exists()
    assert (texts(store, session="b"), store.tally("s"), version(old)) == (["two"], {}, 1)
    with pytest.raises(StoreDamaged):
        put(store, "more")
    store.close()
    assert run(old, "SELECT name FROM sqlite_schema WHERE name = 'half'") == []


# Rows


def test_a_counter_is_one_narrow_row(store: SqliteStore, path: Path) -> None:
    store.count("s", {"in": 5, "out": 1})
    store.count("s", {"in": 1, "out": -1})
    assert run(path, "SELECT * FROM counters") == [(1, "in", 6)]


def test_no_counter_outlives_its_space(store: SqliteStore, path: Path) -> None:
    put(store, "one", space="t")
    store.count("s", {"n": 1})
    store.count("t", {"n": 1})
    forget(store, session=None)
    assert run(path, "SELECT space FROM counters") == [(2,)]


@pytest.mark.parametrize("value", [b"\xff", "many", 1.5, 0], ids=repr)
def test_a_changed_counter_is_found_and_begins_again(store: SqliteStore, path: Path, value: object) -> None:
    store.count("s", {"n": 7, "m": 3})
    run(path, "UPDATE counters SET value = ? WHERE name = 'n'", value)
    assert store.tally("s") == {"m": 3}
    found = store.check(lambda n: None).findings
    assert ("checksum", "s") in [(finding.kind, finding.space) for finding in found]
    assert texts(store) == ["one"]
    store.count("s", {"n": 2})
    assert store.tally("s") == {"n": 2, "m": 3}
    assert store.check(lambda n: None).ok


def test_a_changed_name_is_found(store: SqliteStore, path: Path) -> None:
    store.count("s", {"n": 7, "m": 3})
    run(path, "UPDATE counters SET name = CAST(x'ff' AS TEXT) WHERE name = 'n'")
    assert store.tally("s") == {"m": 3}
    store.count("s", {"n": 2})
    assert store.tally("s") == {"n": 2, "m": 3}


@pytest.mark.parametrize(
    ("name", "plan"),
    [
        ("counter", "SEARCH counters USING PRIMARY KEY (space=? AND name=?)"),
        ("counters", "SEARCH counters USING PRIMARY KEY (space=? AND name>? AND name<?)"),
    ],
)
def test_a_counter_is_found_by_one_seek(store: SqliteStore, path: Path, name: str, plan: str) -> None:
    values = [None] * SQL[name].count("?")
    assert run(path, f"EXPLAIN QUERY PLAN {SQL[name]}", *values)[0][3] == plan
