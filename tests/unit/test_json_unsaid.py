"""What people leave in a folder of JSON beside good sheets: messages that say something else, ids that are none, and
things that are no files."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from json_tools import HOME, change, files, folder_root, folder_store, killed, opened

from recollect.errors import StoreDamaged, StoreError
from recollect.records import Query
from recollect.stores.json_folder import JsonFolderStore
from recollect.stores.json_folder.sheets import read_sheet
from recollect.testing.conformance.case import derive, draft, everything, node, put, read, texts

__all__ = ["folder_root", "folder_store"]

TALK = "s/conversations/a.json"
PINS = "s/pins.json"


def edit(root: Path, path: str, work: Callable[[dict[str, Any]], object]) -> None:
    content: dict[str, Any] = json.loads((root / path).read_bytes())
    work(content)
    (root / path).write_text(json.dumps(content, indent=4))


def held(store: JsonFolderStore, session: str = "a") -> set[str]:
    """The derived records by kind and key, with a mark on those that were emptied."""
    kinds = ("summary", "pin", "fact", "episode", "mark", "change")
    found = [one for kind in kinds for one in store.records("s", session, Query(kind=kind))]
    return {f"{one.kind} {one.key}{'' if one.body is not None else ' (empty)'}" for one in found}


@pytest.fixture
def filled(store: JsonFolderStore, root: Path) -> Path:
    put(store, draft("one", id="1"), draft("two", id="2"), draft("three", id="3"), title="T")
    put(store, "other", session="b")
    derive(store, node("low", 1, 2, fixed=True), node("up", 1, 3, level=2, fixed=True), node("long", 1, 3))
    derive(store, node("mine", 1, 3, plan="manual", locked=True), node("p", 2, kind="pin", plan="manual", locked=True))
    derive(store, node("f", 2, kind="fact"), node("g", 3, kind="fact"), node("h", 2, kind="fact", recipe="hand"))
    derive(store, node("e", 1, 1, kind="episode", body={"title": "e", "text": "e"}, fixed=True))
    derive(store, *(node(key, kind="mark", plan=key) for key in ("learned", "facts-read", "p")))
    store.close()
    return root


# Messages that say something else


def test_what_came_of_a_changed_message_goes(filled: Path) -> None:
    before = held(opened(filled))
    edit(filled, TALK, lambda content: content["messages"][1].update(text="zwei"))
    again = opened(filled)
    expected = {"summary low (empty)", "summary up (empty)", "summary mine", "pin p", "fact g", "fact h", "mark p"}
    assert held(again) == expected
    assert before > {"summary long", "fact f", "episode e", "mark learned", "mark facts-read"}
    again.close()
    assert held(opened(filled)) == expected
    assert json.loads((filled / "s/conversation-chunks.json").read_bytes())["summaries"][0]["id"] == "mine"


def test_it_goes_also_when_the_process_stops_right_after(filled: Path) -> None:
    edit(filled, TALK, lambda content: content["messages"][1].update(text="zwei"))
    again = opened(filled)
    put(again, "four")
    expected = everything(again)
    killed(again, filled)
    assert everything(opened(filled)) == expected


@pytest.mark.parametrize("fields", [{"importance": 0.9}, {"meta": {}}])
def test_what_says_the_same_keeps_what_came_of_it(filled: Path, fields: dict[str, Any]) -> None:
    before = held(opened(filled))
    edit(filled, TALK, lambda content: content["messages"][1].update(fields))
    assert held(opened(filled)) == before


@pytest.mark.parametrize("fields", [{"role": "assistant"}, {"name": "Ana"}, {"time": "2020-01-01T00:00:00+00:00"}])
def test_who_said_it_and_when_counts_too(filled: Path, fields: dict[str, Any]) -> None:
    edit(filled, TALK, lambda content: content["messages"][1].update(fields))
    assert "fact f" not in held(opened(filled))


def test_a_message_mended_from_its_sheet_keeps_what_came_of_it(filled: Path) -> None:
    before = held(opened(filled))
    (path,) = (filled / HOME / "sessions").glob("a-*.json")
    change(path, b'"two"', b'"twx"')
    again = opened(filled)
    put(again, "four")
    assert (texts(again), held(again)) == (["one", "two", "three", "four"], before)


def test_a_record_that_is_edited_with_its_message_stays(filled: Path) -> None:
    edit(filled, TALK, lambda content: content["messages"][1].update(text="zwei"))
    edit(
        filled,
        "s/long-term-memory.json",
        lambda content: [one.update(text="mine now") for one in content["facts"] if one["id"] == "f"],
    )
    again = opened(filled)
    (found,) = again.records("s", "a", Query(kind="fact", key="f"))
    assert ((found.body or {})["text"], found.locked, found.recipe) == ("mine now", True, "hand")


# Ids


@pytest.mark.parametrize("id", ["", "a\nb", "x" * 513, "tab\there", "\x7f", "nul\0", "\ud800", 7, ["a"]])
def test_an_id_that_is_none_is_told_with_its_line(filled: Path, id: object) -> None:
    known = everything(opened(filled))
    for path, part, name in (
        (TALK, "messages", "id"),
        (PINS, "pins", "id"),
        (PINS, "pins", "conversation"),
        ("s/conversations.json", "conversations", "id"),
    ):
        whole = (filled / path).read_bytes()
        content = json.loads(whole)
        content[part][0][name] = id
        (filled / path).write_text(json.dumps(content, indent=1))
        before = files(filled)
        again = opened(filled)
        assert everything(again) == known
        with pytest.raises(StoreDamaged, match=f'{path}, line [45]: "{name}" must be a text of 1 to 512'):
            put(again, "more")
        again.close()
        assert files(filled) == before
        (filled / path).write_bytes(whole)


def test_an_id_may_be_long_and_in_any_script(filled: Path) -> None:
    edit(filled, PINS, lambda content: content["pins"].append({"id": "ü" * 512, "text": "x", "conversation": "a"}))
    assert "pin " + "ü" * 512 in held(opened(filled))


def test_a_file_whose_name_is_no_id(filled: Path) -> None:
    (filled / "s/conversations/a\nb.json").write_text('{"messages": [{"role": "user", "text": "hello"}]}')
    again = opened(filled)
    assert [info.id for info in again.sessions("s")] == ["a", "b"]
    with pytest.raises(StoreDamaged, match=r"s/conversations/a\\nb.json, line 1: the space and the conversation must"):
        put(again, "more")


# What is no file


def fifo(path: Path) -> None:
    os.mkfifo(path)


def folder(path: Path) -> None:
    path.mkdir()


def bound(path: Path) -> None:
    here = Path.cwd()
    os.chdir(path.parent)  # the names of sockets are short
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(path.name)
    os.chdir(here)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def nothing(path: Path) -> None:
    path.symlink_to("nothing.json")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
@pytest.mark.parametrize("make", [fifo, folder, bound, device, nothing])
@pytest.mark.parametrize("path", [TALK, "s/important-data.json"])
def test_what_is_no_file_is_told(filled: Path, tmp_path: Path, make: Callable[[Path], None], path: str) -> None:
    known, place = everything(opened(filled)), filled / path
    place.unlink(missing_ok=True)
    make(place)
    again = opened(filled)
    assert everything(again) == known
    (told,) = [finding.what for finding in again.check(lambda n: None).findings]
    why = "this is a link to nothing" if make is nothing else "this is no regular file"
    assert told == f"{path}, line 1: {why}."
    with pytest.raises(StoreDamaged, match=why):
        put(again, "more")
    again.backup(tmp_path / "copy")
    again.close()
    assert everything(opened(filled)) == known


def test_a_link_is_read_but_what_it_leads_to_is_not_written(filled: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    (filled / TALK).rename(outside)
    (filled / TALK).symlink_to(outside)
    change(outside, b'"two"', b'"zwei"')
    before = outside.read_bytes()
    again = opened(filled)
    assert texts(again) == ["one", "zwei", "three"]
    put(again, "four")
    again.settle()
    again.close()
    assert outside.read_bytes() == before
    assert not (filled / TALK).is_symlink()
    assert b"four" in (filled / TALK).read_bytes()


@pytest.mark.parametrize("ending", [".tmp", ".gone"])
def test_links_where_files_are_put_are_not_followed(filled: Path, tmp_path: Path, ending: str) -> None:
    outside = tmp_path / "outside"
    outside.write_bytes(b"precious")
    again = opened(filled)
    put(again, "four")
    (filled / (TALK + ending)).symlink_to(outside)
    again.close()
    assert outside.read_bytes() == b"precious"
    assert b"four" in (filled / TALK).read_bytes()


def test_a_folder_that_leads_out_is_told(filled: Path, tmp_path: Path) -> None:
    known, outside = everything(opened(filled)), tmp_path / "outside"
    (filled / "s").rename(outside)
    (filled / "s").symlink_to(outside)
    before = files(outside)
    again = opened(filled)
    assert everything(again) == known
    with pytest.raises(StoreDamaged, match="a link that leads out of the memory"):
        put(again, "more")
    again.close()
    assert files(outside) == before


def test_a_folder_that_leads_out_and_holds_no_sheet(filled: Path, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (filled / "t").symlink_to(tmp_path / "outside")
    again = opened(filled)
    put(again, "more", space="t")
    with pytest.raises(StoreError, match="a link that leads out of the memory"):
        again.close()
    assert list((tmp_path / "outside").iterdir()) == []
    (filled / "t").unlink()
    assert [one.text for one in read(opened(filled), space="t")] == ["more"]


# Large sheets


def test_lines_are_counted_once() -> None:
    """However many entries a sheet has, and in however many lists."""
    entries = ",\n".join(f'{{"id":\n"{number}"}}' for number in range(300))
    raw = ("{" + ",\n".join(f'"list{number}": [{entries}]' for number in range(5)) + "}").encode()
    counted: list[tuple[int, int]] = []

    class Counting(str):
        def count(self, *given: Any) -> int:
            counted.append(given[1:])
            return super().count(*given)

    class Raw(bytes):
        def decode(self, *names: str) -> str:
            return Counting(super().decode(*names))

    sheet = read_sheet(Raw(raw))
    assert [line for line, _ in sheet.lists["list0"]] == list(range(1, 601, 2))
    assert sheet.lists["list4"][-1][0] == raw.decode().count("\n")
    assert sum(end - start for start, end in counted) <= len(raw)
