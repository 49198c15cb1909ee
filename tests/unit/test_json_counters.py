"""Counters in a folder of JSON: a file for people, one writer, and what becomes of changed lines."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from json_tools import HOME, change, failing, files, folder_root, folder_store, journal, killed, opened

from recollect.errors import StoreBusy, StoreDamaged, StoreFull
from recollect.ports import Target
from recollect.stores.json_folder import JsonFolderStore
from recollect.stores.json_folder.counters import counters_bytes, read_counters
from recollect.stores.json_folder.files import seal
from recollect.testing.conformance.case import LATER, forget, put, texts

__all__ = ["folder_root", "folder_store"]


def counted(root: Path) -> Path:
    return root / HOME / "counters.json"


def findings(store: JsonFolderStore) -> list[str]:
    return [finding.kind for finding in store.check(lambda n: None).findings]


# The file


def test_counters_are_a_file_that_people_can_read(store: JsonFolderStore, root: Path) -> None:
    put(store, "one")
    store.settle()
    assert not counted(root).exists()
    store.count("s", {"里": -1, "2026-11-16 in openai/gpt-4.1-mini": 1234})
    assert not counted(root).exists()
    store.settle()
    assert not list((root / HOME).glob("journal-*"))
    whole = json.loads(counted(root).read_bytes())["counters"]
    assert [list(item.values())[:3] for item in whole] == [
        ["s", "2026-11-16 in openai/gpt-4.1-mini", 1234],
        ["s", "里", -1],
    ]
    before = counted(root).read_bytes().splitlines()
    store.count("s", {"里": -1})
    store.settle()
    after = counted(root).read_bytes().splitlines()
    assert [one == other for one, other in zip(before, after, strict=True)] == [True, True, True, False, True, True]
    store.count("s", {"里": 2, "2026-11-16 in openai/gpt-4.1-mini": -1234})
    store.settle()
    assert not counted(root).exists()


def test_a_file_is_read_as_it_was_written() -> None:
    given = [("t", "n", 1), ("s", "ü\n", -5), ("s", "", 2**62)]
    assert read_counters(counters_bytes(given)) == (sorted(given), True)
    assert read_counters(counters_bytes([])) == ([], True)
    assert read_counters(counters_bytes(given).replace(b"\n", b"\r\n")) == (sorted(given), True)


def test_a_count_is_a_line_of_the_journal(store: JsonFolderStore, root: Path) -> None:
    put(store, "one")
    before = journal(root).read_bytes()
    store.count("s", {"n": 2})
    store.count("s", {"n": 3, "m": 0})
    store.count("s", {})
    store.count("t", {"n": 1})
    lines = journal(root).read_bytes().removeprefix(before).splitlines()
    assert [json.loads(line)["counters"] for line in lines] == [{"n": 2}, {"n": 5}]


# Writers, readers, stops


def test_a_reader_follows_and_does_not_count(store: JsonFolderStore, root: Path) -> None:
    put(store, "one")
    reader = opened(root)
    for turn in range(1, 5):
        store.count("s", {"n": 1})
        if turn % 2:
            store.settle()
        assert reader.tally("s") == {"n": turn}
    with pytest.raises(StoreBusy):
        reader.count("s", {"n": 1})
    reader.count("nowhere", {"n": 1})
    store.close()
    reader.count("s", {"n": 1})
    assert reader.tally("s") == opened(root).tally("s") == {"n": 5}
    reader.close()


def test_counting_makes_no_folder(root: Path) -> None:
    store = opened(root)
    store.count("s", {"n": 1})
    store.close()
    assert not root.exists()


def test_what_was_counted_survives_a_kill(store: JsonFolderStore, root: Path) -> None:
    put(store, "one")
    store.count("s", {"settled": 1})
    store.settle()
    store.count("s", {"settled": 1, "fresh": 1})
    killed(store, root)
    again = opened(root)
    assert again.tally("s") == {"settled": 2, "fresh": 1}
    again.count("s", {"fresh": 1})
    again.close()
    assert opened(root).tally("s") == {"settled": 2, "fresh": 2}


def test_a_failed_count_changes_nothing(store: JsonFolderStore, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(store, "one")
    store.count("s", {"n": 1})
    raw = files(root)
    with monkeypatch.context() as patch:
        patch.setattr(os, "write", failing)
        with pytest.raises(StoreFull):
            store.count("s", {"n": 1, "m": 1})
    assert (store.tally("s"), files(root)) == ({"n": 1}, raw)
    store.count("s", {"n": 1})
    assert store.tally("s") == opened(root).tally("s") == {"n": 2}


@pytest.mark.parametrize("anew", [False, True])
def test_counters_of_an_erased_space_are_gone_wherever_it_stops(
    store: JsonFolderStore, root: Path, monkeypatch: pytest.MonkeyPatch, anew: bool
) -> None:
    """Even where the space's files are gone already and the file of counters still holds them."""
    put(store, "one")
    put(store, "one", space="t")
    store.count("s", {"secretive": 1})
    store.count("t", {"n": 1})
    store.settle()
    old = counted(root).read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr("recollect.stores.json_folder.store.manifest_bytes", failing)
        assert store.erase(Target(space="s", time=LATER)).pending
        if anew:
            put(store, "anew")
    counted(root).write_bytes(old)
    killed(store, root)
    again = opened(root)
    assert (again.tally("s"), again.tally("t")) == ({}, {"n": 1})
    put(again, "anew")
    assert again.tally("s") == {}
    again.settle()
    assert [name for name, raw in files(root).items() if b"secretive" in raw] == []
    assert sorted(name for name in files(root) if "counters" in name) == [f"{HOME}/counters.json"]
    again.close()
    assert (opened(root).tally("s"), opened(root).tally("t")) == ({}, {"n": 1})


# Damage


@pytest.mark.parametrize(
    "line",
    [
        b'{"space": "s", "name": "n", "value": 8, "crc": "00000000"}',
        seal({"space": "s", "name": "n", "value": "7"}),
        seal({"space": "s", "name": "n", "value": 7.5}),
        seal({"space": "s", "name": "n", "value": True}),
        seal({"space": "s", "name": "n", "value": None}),
        seal({"space": "s", "name": "n", "value": 2**63}),
        seal({"space": "s", "name": 7, "value": 7}),
        seal({"space": None, "name": "n", "value": 7}),
        seal({"space": "s"}),
        b"\xff\xfe",
        b"",
    ],
    ids=repr,
)
def test_a_changed_counter_is_stated_and_begins_again(store: JsonFolderStore, root: Path, line: bytes) -> None:
    put(store, "one")
    put(store, "two", space="t")
    store.count("s", {"n": 7, "m": 3})
    store.count("t", {"n": 5})
    store.close()
    change(counted(root), seal({"space": "s", "name": "n", "value": 7}), line)
    again = opened(root)
    assert (again.tally("s"), again.tally("t")) == ({"m": 3}, {"n": 5})
    assert findings(again) == ["checksum"]
    assert (texts(again), texts(again, space="t")) == (["one"], ["two"])
    again.count("s", {"n": 1})
    again.settle()
    assert findings(again) == []
    again.close()
    assert opened(root).tally("s") == {"n": 1, "m": 3}


@pytest.mark.parametrize("cut", [1, 5, 20])
def test_a_cut_file_is_stated(store: JsonFolderStore, root: Path, cut: int) -> None:
    put(store, "one")
    store.count("s", {"n": 7, "m": 3})
    store.close()
    counted(root).write_bytes(counted(root).read_bytes()[:-cut])
    again = opened(root)
    assert again.tally("s").items() <= {"n": 7, "m": 3}.items()
    assert again.tally("s")["m"] == 3
    assert findings(again) == ["checksum"]
    assert texts(again) == ["one"]


def test_a_file_that_cannot_be_read_is_not_replaced(store: JsonFolderStore, root: Path) -> None:
    put(store, "one")
    store.close()
    counted(root).mkdir()
    again = opened(root)
    assert (texts(again), again.tally("s")) == (["one"], {})
    assert findings(again) == ["unreadable"]
    with pytest.raises(StoreDamaged):
        again.count("s", {"n": 1})


def test_a_changed_line_of_the_journal_is_stated(store: JsonFolderStore, root: Path) -> None:
    put(store, "one")
    store.count("s", {"n": 7})
    killed(store, root)
    change(journal(root), b'"n": 7', b'"n": 8')
    again = opened(root)
    assert (texts(again), again.tally("s")) == (["one"], {})
    assert findings(again) == ["checksum"]
    with pytest.raises(StoreDamaged):
        again.count("s", {"n": 1})


def test_counters_of_spaces_that_are_not_there_are_dropped(store: JsonFolderStore, root: Path) -> None:
    put(store, "one")
    put(store, "two", space="t")
    store.count("s", {"n": 7})
    store.count("t", {"n": 1})
    store.close()
    for path in (root / HOME / "sessions").iterdir():  # as version control may do it
        if b"one" in path.read_bytes():
            path.unlink()
    again = opened(root)
    assert (again.tally("s"), again.tally("t")) == ({}, {"n": 1})
    put(again, "anew")
    assert again.tally("s") == opened(root).tally("s") == {}
    again.close()
    assert opened(root).tally("s") == {}


def test_forgetting_a_space_of_many(store: JsonFolderStore, root: Path) -> None:
    for name in ("s", "t", "u"):
        put(store, "one", space=name)
        store.count(name, {"n": 1})
    store.settle()
    forget(store, session=None, space="t")
    assert [item["space"] for item in json.loads(counted(root).read_bytes())["counters"]] == ["s", "u"]
