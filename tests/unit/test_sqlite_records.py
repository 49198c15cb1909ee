"""Derived records in the SQLite file: how they are read, and what damage to their rows does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from disk_tools import read_files

from onrecord.errors import StoreDamaged
from onrecord.records import Erased, Record
from onrecord.settings import Settings
from onrecord.stores.sqlite import SqliteStore
from onrecord.stores.sqlite.sqlite_care import readable
from onrecord.stores.sqlite.sqlite_rows import SQL
from onrecord.testing.conformance.case import (
    changes,
    derive,
    derived,
    forget,
    node,
    put,
)

COLUMNS = "no session kind plan level first last until key keep recipe time body sum".split()


@pytest.fixture(name="path")
def file_path(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


@pytest.fixture(name="store")
def file_store(path: Path) -> Iterator[SqliteStore]:
    store = opened(path)
    yield store
    store.close()


def opened(path: Path) -> SqliteStore:
    return SqliteStore(path, Settings(durability="process", busy_timeout=5.0))


def run(path: Path, sql: str, *values: object) -> list[tuple[object, ...]]:
    with closing(apsw.Connection(str(path))) as db:
        return db.execute(sql, values).fetchall()


# Reading


@pytest.mark.parametrize(
    ("statement", "used"),
    [
        ("records_of_level_after", "record_places (session=? AND kind=? AND plan=? AND level=? AND (last,key)>(?,?)"),
        ("records_of_level_before", "record_places (session=? AND kind=? AND plan=? AND level=? AND (last,key)>(?,?)"),
        ("records_after", "record_places (session=? AND kind=? AND (plan,level,last,key)>(?,?,?,?) AND plan<?)"),
        ("records_before", "record_places (session=? AND kind=? AND (plan,level,last,key)>(?,?,?,?) AND plan<?)"),
        ("empty_records", "empty_records (session=? AND kind=?)"),
        ("record_by_key", "sqlite_autoindex_records_1 (session=? AND kind=? AND key=?)"),
        ("record_numbers", "record_places (session=?)"),
    ],
)
def test_an_index_serves_every_page_in_its_order(store: SqliteStore, path: Path, statement: str, used: str) -> None:
    put(store, "one")
    sql = SQL[statement]
    numbers = [int(number) for number in re.findall(r"\?(\d+)", sql)]
    count = max(numbers) if numbers else sql.count("?")
    plan = [str(row[3]) for row in run(path, f"EXPLAIN QUERY PLAN {sql}", *(None,) * count)]
    assert len(plan) == 1  # one search, and no sorting after it
    assert used in plan[0]


def test_the_newest_of_a_plans_level(store: SqliteStore) -> None:
    put(store, *(["x"] * 100))
    derive(store, *(node(f"{plan}{number:03}", number, plan=plan) for plan in "pq" for number in range(1, 101)))
    found = derived(store, plan="p", level=1, newest=True, limit=3)
    assert [record.last for record in found] == [98, 99, 100]


# Damage


def test_every_column_is_covered_by_the_checksum(store: SqliteStore, path: Path) -> None:
    put(store, "one", "two")
    assert [row[1] for row in run(path, "PRAGMA table_info(records)")] == COLUMNS
    for column in COLUMNS:
        for value in ("NULL", "7", "-1", "1.5", "'other'", "x'ff00'", "CAST(x'ff' AS TEXT)"):
            derive(store, node("n", 1), node("m", 2, fixed=True))
            try:
                run(path, f"UPDATE records SET {column} = {value} WHERE key = 'n' AND {column} IS NOT {value}")
            except (apsw.ConstraintError, apsw.MismatchError):
                continue
            case = f"{column} = {value}"
            assert [record.key for record in derived(store)] == ["m"], case
            assert derived(store, limit=1, newest=True) == derived(store, limit=1) == [node("m", 2, fixed=True)], case
            health = store.check(lambda n: None)
            assert [finding.kind for finding in health.findings] == ["checksum"], case
            assert health.findings[0].session == "a" or column == "session", case
            assert health.records == 1, case
            derive(store, node("n", 1))
            assert len(derived(store)) == 2, case
            run(path, "DELETE FROM records")


def test_damaged_records_do_not_take_the_place_of_others_on_a_page(store: SqliteStore, path: Path) -> None:
    put(store, *(["x"] * 20))
    derive(store, *(node(f"{number:02}", number) for number in range(1, 21)))
    run(path, "UPDATE records SET body = 'x' WHERE last % 2 = 0")
    assert [record.last for record in derived(store, limit=3)] == [1, 3, 5]
    assert [record.last for record in derived(store, limit=3, plan="p", level=1, newest=True)] == [15, 17, 19]


def test_a_damaged_record_is_written_anew_or_goes_with_any_message(store: SqliteStore, path: Path) -> None:
    put(store, "one", "two", "three")
    derive(store, node("n", 1), node("m", 2, body={"text": "of zyxomma"}))
    run(path, "UPDATE records SET first = 3, last = 3, until = 3 WHERE key = 'm'")
    run(path, "UPDATE records SET body = 'x' WHERE key = 'n'")
    derive(store, node("n", 1))
    assert derived(store) == [node("n", 1)]
    assert forget(store, 2) == Erased(messages=1, records=1)
    assert not any(b"zyxomma" in data for data in read_files(path.parent).values())
    assert derived(store) == [node("n", 1)]
    assert store.check(lambda n: None).ok


def test_where_messages_are_damaged_records_can_still_be_written(store: SqliteStore, path: Path) -> None:
    put(store, "one", "two")
    run(path, "UPDATE messages SET text = 'x' WHERE seq = 2")
    again = opened(path)  # which has not proved the newest number
    with pytest.raises(StoreDamaged):
        put(again, "three")
    derive(again, node("n", 1), scores={1: 0.75, 2: 0.75}, unless_changed=0)
    assert ([record.key for record in derived(again)], changes(again)) == (["n"], 1)
    with pytest.raises(StoreDamaged):
        put(again, "three")
    again.close()


@pytest.mark.parametrize("value", ["changes", "'text'", "1.5", "-3"])
def test_a_damaged_sessions_changes_are_counted(store: SqliteStore, path: Path, value: str) -> None:
    put(store, "one", title="T")
    run(path, f"UPDATE sessions SET title = 'other', changes = {value}")
    seen = changes(store)
    derive(store, node("n", 1), unless_changed=seen)
    assert changes(store) == seen + 1
    forget(store, 1)
    assert changes(store) == seen + 2
    info = store.session("s", "a")
    assert info is not None
    assert info.damaged
    assert derived(store) == []


# Rescue


def test_readable_gives_the_records_after_the_messages_of_each_session(store: SqliteStore, path: Path) -> None:
    put(store, "one", "two")
    put(store, "other", session="b")
    derive(store, node("n", 1), node("m", 2), node("p", kind="pin"))
    derive(store, node("alone", session="c"), session="c")
    derive(store, node("n", 1, body={"text": "newer"}))
    run(path, "UPDATE records SET body = 'x' WHERE key = 'm'")
    store.close()
    found = [
        (space, info.id, item.key if isinstance(item, Record) else item.seq)
        for space, info, item in readable(path, lambda n: None)
    ]
    assert found == [("s", "a", 1), ("s", "a", 2), ("s", "a", "p"), ("s", "a", "n"), ("s", "b", 1), ("s", "c", "alone")]
