"""The blocks of the search index in a JSON folder: they fit what the folder holds, or they are left out."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from json_tools import HOME

from recollect.errors import StoreFull
from recollect.ports import Revision
from recollect.records import BLOCK, Block, Finding
from recollect.settings import Settings
from recollect.stores.json_folder import JsonFolderStore
from recollect.testing.conformance.case import derive, fed, forget, node, put
from recollect.testing.faults import read_files

GIVEN = [Block(number=0, body=b"zyxomma \0\n and more"), Block(number=1, body=b"")]


def opened(root: Path) -> JsonFolderStore:
    return JsonFolderStore(root, Settings(durability="process", busy_timeout=5))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "memory"


@pytest.fixture
def store(root: Path) -> Iterator[JsonFolderStore]:
    store = opened(root)
    put(store, "one", "two")
    put(store, "one", session="b")
    derive(store, node("n", 1), node("p", kind="pin"))
    yield store
    store.close()


def save(store: JsonFolderStore, *blocks: Block) -> bool:
    return store.save_blocks("s", "p", blocks or GIVEN, store.revision("s"))


def index_files(root: Path) -> list[Path]:
    return sorted((root / HOME / "index").iterdir())


def test_numbers_stay_when_the_folder_is_opened_again(store: JsonFolderStore, root: Path) -> None:
    derive(store, node("n", 1), node("m", kind="mark"))
    before = store.feed("s", 0)
    store.settle()
    put(store, "three")
    store.close()
    again = opened(root)
    assert again.feed("s", 0)[:-1] == before
    put(again, "four")
    assert fed(again) == ["a 1", "a 2", "b 1", "a pin p", "a summary n", "a 3", "a 4"]
    again.close()


def test_what_was_changed_is_left_out_and_told(store: JsonFolderStore, root: Path) -> None:
    assert save(store)
    first, second = index_files(root)
    for path, data in ((first, first.read_bytes()), (second, second.read_bytes())):
        block = GIVEN[[first, second].index(path)]
        for changed in (data[:-2], data + b"x", data.replace(b"number", b"nunber"), b"", b"\0" * len(data)):
            path.write_bytes(changed)
            assert block not in store.blocks("s", "p")
            (finding,) = store.check(lambda _: None).findings
            assert finding == Finding(
                kind="index", what=f"index/{path.name} was changed; it is left out, and made again by itself."
            )
        assert save(store, block)
        assert store.blocks("s", "p") == GIVEN
    first.rename(first.with_name(first.name.replace("-0.", "-7.")))
    assert store.blocks("s", "p") == GIVEN[1:]
    store.drop_blocks("s", "p")
    assert index_files(root) == []


def test_blocks_of_an_earlier_state_are_left_out(store: JsonFolderStore, root: Path, tmp_path: Path) -> None:
    """A folder was put back from a copy, and what came since is gone: its numbers are given again."""
    store.settle()
    shutil.copytree(root, tmp_path / "copy")
    put(store, "three")
    assert save(store)
    store.close()
    shutil.copytree(root / HOME / "index", tmp_path / "copy" / HOME / "index")
    again = opened(tmp_path / "copy")
    assert again.blocks("s", "p") == GIVEN[1:]  # the second is about nothing in either
    put(again, "another third")
    assert again.blocks("s", "p") == GIVEN[1:]
    assert save(again)
    assert again.blocks("s", "p") == GIVEN
    again.close()


def test_folders_that_were_merged(store: JsonFolderStore, root: Path, tmp_path: Path) -> None:
    """Two people added to copies of one folder: numbers that both gave are told apart, always in the same way."""
    store.settle()
    shutil.copytree(root, tmp_path / "copy")
    put(store, "here", session="c")
    assert save(store)
    store.close()
    other = opened(tmp_path / "copy")
    put(other, "there", "again", session="d")
    other.close()
    for path in (tmp_path / "copy" / HOME / "sessions").iterdir():
        shutil.copy(path, root / HOME / "sessions")
    merged = opened(root)
    expected = ["a 1", "a 2", "b 1", "a summary n", "a pin p", "c 1", "d 1", "d 2"]
    numbers = [arrival.number for arrival in merged.feed("s", 0)]
    assert (fed(merged), numbers) == (expected, list(range(1, 9)))
    put(merged, "more")
    assert fed(merged) == [*expected, "a 3"]
    assert save(merged)
    merged.close()
    merged = opened(root)
    assert fed(merged) == [*expected, "a 3"]
    assert merged.blocks("s", "p") == GIVEN
    merged.close()


def test_blocks_stay_while_more_comes(root: Path) -> None:
    store = opened(root)
    put(store, *(["text"] * BLOCK))
    assert save(store)
    put(store, "more")
    store.close()
    again = opened(root)
    assert again.blocks("s", "p") == GIVEN
    again.close()


def test_whoever_reads_beside_a_writer_saves_nothing(store: JsonFolderStore, root: Path) -> None:
    reader = opened(root)
    assert not save(reader)
    reader.drop_blocks("s", "p")
    assert save(store)
    assert (reader.blocks("s", "p"), reader.plans("s")) == (GIVEN, ["p"])
    assert reader.feed("s", 0) == store.feed("s", 0)
    forget(store, 1)
    assert (reader.blocks("s", "p"), reader.plans("s")) == ([], [])
    store.close()
    assert save(reader)
    other = opened(root)
    put(other, "written meanwhile")  # the reader has not kept the lock
    assert reader.blocks("s", "p") == GIVEN
    other.close()
    reader.close()


def test_saving_takes_in_what_others_wrote(store: JsonFolderStore, root: Path) -> None:
    reader = opened(root)
    at = reader.revision("s")
    forget(store, 1)
    store.close()
    assert not reader.save_blocks("s", "p", GIVEN, at)
    assert not reader.save_blocks("none", "p", GIVEN, Revision())
    assert reader.blocks("s", "p") == []
    reader.close()


def test_what_a_stopped_writer_left_is_overwritten(store: JsonFolderStore, root: Path) -> None:
    assert save(store)
    store.close()
    (first, _) = index_files(root)
    os.link(first, first.with_name(first.name + ".gone"))
    first.with_name("half.block.tmp").write_bytes(b"zyxomma")
    again = opened(root)
    assert again.settle()
    assert [path.suffix for path in index_files(root)] == [".block", ".block"]
    forget(again, 1)
    assert not any(b"zyxomma" in data for data in read_files(root).values())
    again.close()


def test_blocks_of_a_space_that_is_not_there(store: JsonFolderStore, root: Path) -> None:
    assert save(store)
    store.close()
    for path in (root / HOME / "sessions").iterdir():
        path.unlink()
    again = opened(root)
    put(again, "one", space="t")
    assert index_files(root) == []
    again.close()


def test_a_full_disk_refuses_the_erasure_that_it_cannot_finish(
    store: JsonFolderStore, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blocks go first: nothing is said to be gone while a block still holds it."""
    assert save(store)

    def fail(*_: object) -> None:
        raise OSError(28, "no room")

    monkeypatch.setattr("recollect.stores.json_folder.blocks.scrub", fail)
    with pytest.raises(StoreFull):
        forget(store, 1)
    monkeypatch.undo()
    assert fed(store)[0] == "a 1"
    forget(store, 1)
    assert index_files(root) == []


@pytest.mark.parametrize("failing", ["set_aside", "replace_file", "scrub", "sync_folder"])
def test_a_block_that_cannot_be_replaced(
    store: JsonFolderStore, root: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    """The old one is there whole, or the new one is."""
    assert save(store)
    new = Block(number=0, body=b"new")

    def fail(*_: object) -> None:
        raise OSError(28, "no room")

    monkeypatch.setattr(f"recollect.stores.json_folder.blocks.{failing}", fail)
    with pytest.raises(StoreFull):
        save(store, new)
    monkeypatch.undo()
    assert store.blocks("s", "p")[0] in (GIVEN[0], new)
    assert store.settle()
    assert save(store, new)
    assert store.blocks("s", "p") == [new, GIVEN[1]]
    assert not any(b"zyxomma" in data for data in read_files(root).values())
