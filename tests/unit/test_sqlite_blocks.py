"""The blocks of the search index in a SQLite file: nothing of one that went stays, however rows are moved."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from disk_tools import read_files

from onrecord.records import BLOCK, Block
from onrecord.settings import Settings
from onrecord.stores.sqlite import SqliteStore, change_feed
from onrecord.stores.sqlite.blocks import drop_blocks_about
from onrecord.stores.sqlite.change_feed import start_of
from onrecord.stores.sqlite.sqlite_rows import SQL, query
from onrecord.testing.conformance.case import derive, draft, forget, node, put


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(tmp_path / "memory.db", Settings(durability="process", busy_timeout=5))
    put(store, "one")
    yield store
    store.close()


@pytest.mark.parametrize("seed", range(4))
def test_nothing_of_a_block_that_went_stays(store: SqliteStore, tmp_path: Path, seed: int) -> None:
    rng, living = random.Random(seed), dict[int, bytes]()
    gone: set[bytes] = set()
    at = store.revision("s")
    for turn in range(300):
        if living and rng.random() < 0.4:
            numbers = rng.sample(sorted(living), min(len(living), 3))
            store._file.write(
                lambda db, numbers=numbers: drop_blocks_about(  # type: ignore[misc]
                    db, at.born, [start_of(at.born) + number * BLOCK for number in numbers]
                )
            )
            gone |= {living.pop(number) for number in numbers}
        else:
            number, word = rng.randrange(60), f"<{seed} word {turn}>".encode()
            body = (word * 9_000)[: rng.choice((20, 100, 400, 1_500, 4_000, 4_100, 9_000, 90_000))]
            assert store.save_blocks("s", "p", [Block(number=number, body=body)], at)
            gone |= {living.pop(number)} if number in living else set()
            living[number] = word
    assert store.settle()
    data = b"".join(read_files(tmp_path).values())
    assert [word for word in gone if word in data] == []
    assert {number: word for number, word in living.items() if word in data} == living
    assert [block.number for block in store.blocks("s", "p", limit=100)] == sorted(living)


@pytest.mark.parametrize(
    ("name", "plan"),
    [
        ("feed_messages", "SEARCH messages USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"),
        ("feed_records", "SEARCH records USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"),
        ("newest", "SEARCH messages USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"),
        ("newest", "SEARCH records USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"),
        ("newest_other", "SEARCH records USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"),
        ("revision", "SEARCH messages USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"),
        ("revision", "SEARCH records USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"),
        ("blocks", "SEARCH blocks USING INDEX sqlite_autoindex_blocks_1 (space=? AND number>?)"),
        ("delete_block", "SEARCH blocks USING INDEX sqlite_autoindex_blocks_1 (space=? AND number=?)"),
    ],
)
def test_statements_seek(store: SqliteStore, name: str, plan: str) -> None:
    """Following a space costs the same, however much it holds."""
    marks = set(re.findall(r"\?\d*", SQL[name]))
    values = (1,) * (len(marks) if "?" not in marks else SQL[name].count("?"))
    rows = store._file.read(lambda db: db.execute(f"EXPLAIN QUERY PLAN {SQL[name]}", values).fetchall())
    steps = [str(row[3]) for row in rows]
    assert plan in steps
    assert not any(step.startswith(("SCAN ", "USE TEMP")) for step in steps if step != "SCAN CONSTANT ROW")


def test_appending_leaves_the_row_of_the_space_alone(store: SqliteStore) -> None:
    def row() -> object:
        return store._file.read(lambda db: db.execute(SQL["space_no"], ("s",)).fetchall())

    before = row()
    put(store, "two", "three")
    put(store, "one", session="b")
    derive(store, node("n", 1), node("m", kind="mark"), drafts=[draft("four")])
    derive(store, node("m", kind="mark"))
    assert row() == before
    forget(store, 1)
    assert row() != before


def test_numbers_of_spaces_are_apart(store: SqliteStore) -> None:
    for space in ("t", "u", "s"):
        derive(store, node("n"), node("m", kind="mark"), space=space, drafts=[draft("one")])
    assert [arrival.number for arrival in store.feed("t", 0)] == [1, 2]
    assert [arrival.number for arrival in store.feed("s", 0)] == [1, 2, 3]
    assert {store.revision(space).newest for space in ("t", "u")} == {2}


def test_who_follows_messages_alone_looks_through_no_records(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    derive(store, *(node(f"n{at}", 1) for at in range(3)))
    asked: set[str] = set()

    def noted(db: Any, name: str, *values: Any) -> Any:
        asked.add(name)
        return query(db, name, *values)

    monkeypatch.setattr(change_feed, "query", noted)
    assert [arrival.number for arrival in store.feed("s", 0, 10, ("message",))] == [1]
    assert store.feed("s", 1, 10, ("message",)) == []
    assert asked == {"feed_messages"}
