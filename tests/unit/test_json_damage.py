"""A folder of JSON with damaged files: what is found, what is still served, and what is never written."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
from json_tools import FILE, HOME, change, files, folder_root, folder_store, journal, killed, opened

from recollect.errors import StoreDamaged
from recollect.ports import Store
from recollect.records import Erased, Message, Record
from recollect.stores.json_folder.files import file_name, manifest_bytes, read_session, seal, unseal
from recollect.stores.json_folder.rescue import readable
from recollect.stores.json_folder.store import JsonFolderStore
from recollect.testing.conformance.case import derive, derived, draft, forget, node, put, read, texts

__all__ = ["folder_root", "folder_store"]


def readable_messages(root: Path) -> list[Message]:
    return [item for _, _, item in readable(root, lambda n: None) if isinstance(item, Message)]


def findings(store: Store) -> list[tuple[str, str | None, int | None]]:
    return [(item.kind, item.session, item.seq) for item in store.check(lambda n: None).findings]


# Torn and damaged


@pytest.mark.parametrize("tail", [b"", b'{"spa', b"\0\0\0\0\n", b'{"space": \0\0\0\0}\n', b"\n\0"], ids=repr)
def test_a_torn_tail_is_cut_off(store: JsonFolderStore, root: Path, tail: bytes) -> None:
    put(store, "one")
    whole = journal(root).read_bytes()
    killed(store, root)
    journal(root).write_bytes(whole + tail)
    damaged = tail == b"\n\0"  # an empty line is not what an interrupted write leaves
    again = opened(root)
    assert texts(again) == ["one"]
    assert again.check(lambda n: None).ok is not damaged
    if damaged:
        with pytest.raises(StoreDamaged):
            put(again, "two")
        return
    put(again, "two")
    assert journal(root).read_bytes().startswith(whole + b'{"space"')
    again.close()
    assert texts(opened(root)) == ["one", "two"]


def test_a_damaged_line_of_the_journal(store: JsonFolderStore, root: Path) -> None:
    put(store, "settled")
    store.settle()
    put(store, "one")
    put(store, "two", session="b")
    put(store, "three")
    killed(store, root)
    change(journal(root), b'"text": "one"', b'"text": "0ne"')
    before = files(root)
    again = opened(root)
    assert texts(again) == ["settled", "", "three"]
    assert [message.state for message in read(again)] == ["kept", "damaged", "kept"]
    assert texts(again, session="b") == ["two"]
    assert ("checksum", None, None) in findings(again)
    assert ("missing", "a", 2) in findings(again)
    for session in ("a", "b", "new"):
        with pytest.raises(StoreDamaged):
            put(again, "four", session=session)
    again.close()
    assert files(root) == before
    assert [message.text for message in readable_messages(root)] == ["settled", "three", "two"]


def test_a_damaged_message_stays_one_item(store: JsonFolderStore, root: Path) -> None:
    put(store, draft("one", id="1"), draft("two", id="2"), draft("three", id="3"))
    store.close()
    path = root / HOME / "sessions" / FILE
    change(path, b'"text": "two"', b'"text": "tvo"')
    shutil.rmtree(root / HOME / "written")  # nobody knows any more what the sheets said
    shutil.rmtree(root / "s")
    damaged = path.read_bytes().splitlines()[4]
    again = opened(root)
    assert [(message.text, message.state) for message in read(again)] == [
        ("one", "kept"),
        ("tvo", "damaged"),
        ("three", "kept"),
    ]
    assert findings(again) == [("checksum", "a", 2)]
    put(again, "four")
    again.close()
    assert path.read_bytes().splitlines()[4] == damaged
    again = opened(root)
    assert texts(again) == ["one", "tvo", "three", "four"]
    assert forget(again, 2) == Erased(messages=1)
    assert again.check(lambda n: None).ok
    assert [message.state for message in read(again)] == ["kept", "forgotten", "kept", "kept"]
    again.close()
    assert not any(b"tvo" in raw for raw in files(root).values())


def test_a_damaged_message_is_mended_from_its_sheet(store: JsonFolderStore, root: Path) -> None:
    put(store, draft("one", id="1"), draft("two", id="2", key="k", meta={"a": 1}), draft("three", id="3"))
    store.close()
    path = root / HOME / "sessions" / FILE
    change(path, b'"text": "two"', b'"text": "tvo"')
    again = opened(root)
    assert findings(again) == [("checksum", "a", 2)]
    assert [message.state for message in read(again)] == ["kept", "damaged", "kept"]
    put(again, "four")
    assert texts(again) == ["one", "two", "three", "four"]
    mended = read(again)[1]
    assert (mended.id, mended.meta, mended.state, mended.encoding) == ("2", {"a": 1}, "kept", "")
    assert findings(again) == []
    again.close()
    assert not any(b"tvo" in raw for raw in files(root).values())
    assert texts(opened(root)) == ["one", "two", "three", "four"]


@pytest.mark.parametrize(
    ("old", "new", "kept"),
    [
        (b'"messages": [', b'"messages" [', ["one", "two", "three"]),
        (b'\n  , {"session": "a", "seq": 2', b'   , {"session": "a", "seq": 2', ["three"]),
        (b'"seq": 3, ', b'"seq": 3\n ', ["one", "two"]),
        (b'"text": "three"', b'"text": "thre\xff"', ["one", "two"]),
        (b"  ]\n}\n", b"", ["one", "two", "three"]),
        (b'"id": "a", "created"', b'"id": "b", "created"', ["one", "two", "three"]),
    ],
    ids=["structure", "lines joined", "line broken", "last message", "end", "session"],
)
def test_a_damaged_file_is_read_in_part_and_never_written(
    store: JsonFolderStore, root: Path, old: bytes, new: bytes, kept: list[str]
) -> None:
    put(store, "one", "two", "three", space="default")
    put(store, "other", space="default", session="b")
    store.close()
    path = root / HOME / "sessions" / file_name("default", "a")
    change(path, old, new)
    before = path.read_bytes()
    again = opened(root)
    sound = [message.text for message in read(again, space="default") if message.state == "kept"]
    assert sound == kept
    info = again.session("default", "a")
    assert info is not None
    assert info.damaged
    assert ("structure", "a", None) in findings(again)
    for use in (
        lambda: put(again, "four", space="default"),
        lambda: put(again, space="default", title="T"),
        lambda: forget(again, 1, space="default"),
    ):
        with pytest.raises(StoreDamaged):
            use()
    put(again, "more", space="default", session="b")
    again.close()
    assert path.read_bytes() == before
    assert [text for text in (message.text for message in readable_messages(root)) if text in kept] == kept
    again = opened(root)
    assert forget(again, space="default").sessions == 1
    again.close()
    assert not path.exists()


def test_any_damaged_byte_is_found_and_nothing_else_is_lost(store: JsonFolderStore, root: Path) -> None:
    put(store, "alpha", "beta", title="T")
    put(store, "gamma", session="b")
    store.close()
    path = root / HOME / "sessions" / FILE
    whole = path.read_bytes()
    known = dict(enumerate((message for _, message in read_session(FILE, whole).messages), 1))
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x04]) + whole[place + 1 :])
        again = opened(root)
        sound = {message.seq: message for message in read(again) if message.state == "kept"}
        assert all(known[seq] == message for seq, message in sound.items())
        assert len(sound) == 2 or not again.check(lambda n: None).ok
        assert texts(again, session="b") == ["gamma"]
        if place % 20 == 0:
            list(readable(root, lambda n: None))


# Derived records


def with_records(store: JsonFolderStore, root: Path) -> Path:
    """A file with three messages and three derived records."""
    put(store, "one", "two", "three")
    derive(
        store, node("a", 1, body={"text": "alpha"}), node("b", 2, body={"text": "beta"}), node("c", 1, 3, fixed=True)
    )
    store.close()
    return root / HOME / "sessions" / FILE


@pytest.mark.parametrize(
    ("old", "new", "left"),
    [
        (b"beta", b"bete", ["a", "c"]),
        (b'  , {"kind": "summary", "session": "a", "plan": "p", "key": "b"', b"", ["a", "c"]),
        (b'  , {"kind": "summary", "session": "a", "plan": "p", "key": "b"', b"garbage\n", ["a", "c"]),
        (b'\n  , {"kind": "summary", "session": "a", "plan": "p", "key": "b"', b'  , {"kind"', ["c"]),
        (b'"records": [', b'"recordz": [', ["a", "b", "c"]),
        (b"\n  ]\n}\n", b"\n", ["a", "b", "c"]),
        (b'"key": "c"', b"", ["a", "b"]),
    ],
    ids=["text", "line begun", "line other", "lines joined", "frame", "end", "last"],
)
def test_damaged_derived_records_are_told_and_left_out(
    store: JsonFolderStore, root: Path, old: bytes, new: bytes, left: list[str]
) -> None:
    path = with_records(store, root)
    change(path, old, new)
    again = opened(root)
    assert texts(again) == ["one", "two", "three"]
    assert [record.key for record in derived(again)] == left
    assert findings(again) == [("checksum", "a", None)]
    assert again.check(lambda n: None).records == len(left)
    assert len([item for _, _, item in readable(root, lambda n: None) if isinstance(item, Record)]) == len(left)
    put(again, "four")
    again.settle()
    assert findings(again) == []
    derive(again, node("b", 2))
    again.close()
    again = opened(root)
    assert texts(again) == ["one", "two", "three", "four"]
    assert [record.key for record in derived(again)] == sorted({*left, "b"})
    assert b"bete" not in path.read_bytes()


def test_a_damaged_derived_record_goes_with_what_is_forgotten(store: JsonFolderStore, root: Path) -> None:
    path = with_records(store, root)
    change(path, b"beta", b"bete")
    again = opened(root)
    assert forget(again, 2) == Erased(messages=1, records=1)
    assert [(record.key, record.body is None) for record in derived(again)] == [("a", False), ("c", True)]
    assert findings(again) == []
    assert not any(b"bete" in raw for raw in files(root).values())


def test_a_derived_record_of_another_session_is_left_out(store: JsonFolderStore, root: Path) -> None:
    path = with_records(store, root)
    line = next(line for line in path.read_bytes().splitlines() if b"beta" in line)
    data = unseal(line.strip(b" ,"))
    assert data is not None
    change(path, line.strip(b" ,"), seal(data | {"session": "other"}))
    again = opened(root)
    assert [record.key for record in derived(again)] == ["a", "c"]
    assert findings(again) == [("checksum", "a", None)]


def test_any_damaged_byte_of_a_file_with_derived_records(store: JsonFolderStore, root: Path) -> None:
    put(store, "alpha")
    derive(store, node("n", 1), node("m", 1))
    store.close()
    path = root / HOME / "sessions" / FILE
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0x04]) + whole[place + 1 :])
        again = opened(root)
        sound = derived(again)
        assert all(record in (node("n", 1), node("m", 1)) for record in sound)
        assert [message.text for message in read(again) if message.state == "kept"] in (["alpha"], [])
        assert len(sound) == 2 or not again.check(lambda n: None).ok
    path.write_bytes(whole[: whole.index(b'  ],\n  "records"')] + b"  ]\n}\n")  # as it was before there were any
    again = opened(root)
    assert (derived(again), findings(again)) == ([], [])


def test_a_file_that_recalled_nothing(store: JsonFolderStore, root: Path) -> None:
    put(store, "one")
    put(store, "two", session="b")
    store.close()
    path = root / HOME / "sessions" / FILE
    for raw in (b"", b"\0" * 500, b"[]", b"{}", b'{"session": 1, "messages": 2}', os.urandom(1000)):
        path.write_bytes(raw)
        again = opened(root)
        assert ("unreadable", None, None) in findings(again)
        with pytest.raises(StoreDamaged):
            put(again, "instead")
        put(again, "three", session="b")
        again.close()
        assert path.read_bytes() == raw
        assert "two" in [message.text for message in readable_messages(root)]


def test_a_file_that_does_not_prove_whose_it_is(store: JsonFolderStore, root: Path) -> None:
    put(store, "one", "two")
    put(store, "other", session="b")
    store.close()
    path = root / HOME / "sessions" / FILE
    whole = path.read_bytes()
    for raw in (whole.replace(b'"space": "s"', b'"space": "t"'), json.dumps(json.loads(whole), indent=4).encode()):
        path.write_bytes(raw)
        again = opened(root)
        assert findings(again) == [("unreadable", None, None)]
        assert [info.id for info in again.sessions("s")] == ["b"]
        for use in (lambda: put(again, "three"), lambda: forget(again, 1), lambda: forget(again)):  # noqa: B023
            with pytest.raises(StoreDamaged):
                use()
        put(again, "more", session="b")
        again.close()
        assert path.read_bytes() == raw
    path.write_bytes(whole.replace(b'"space": "s"', b'"space": "t"'))
    rescued = [
        (space, info.id, item.text) for space, info, item in readable(root, lambda n: None) if isinstance(item, Message)
    ]
    assert rescued[-2:] == [(f"rescued-{FILE}", "a", "one"), (f"rescued-{FILE}", "a", "two")]


def test_a_file_under_the_name_of_another_is_not_written_over(store: JsonFolderStore, root: Path) -> None:
    put(store, "one")
    killed(store, root)  # the session is in the journal alone
    other = opened(root.with_name("other"))
    put(other, "two", session="b")
    other.close()
    moved = root / HOME / "sessions" / FILE
    moved.write_bytes((root.with_name("other") / HOME / "sessions" / file_name("s", "b")).read_bytes())
    before = files(root)
    again = opened(root)
    assert (texts(again), texts(again, session="b")) == (["one"], ["two"])
    assert ("structure", "a", None) in findings(again)
    with pytest.raises(StoreDamaged):
        put(again, "three", session="b")
    again.close()
    assert files(root) == before


def test_a_copy_of_a_session_beside_it(store: JsonFolderStore, root: Path) -> None:
    put(store, "one")
    store.close()
    path = root / HOME / "sessions" / FILE
    (root / HOME / "sessions" / "copy.json").write_bytes(path.read_bytes())
    again = opened(root)
    assert texts(again) == ["one"]
    assert ("unreadable", None, None) in findings(again)
    with pytest.raises(StoreDamaged):
        put(again, "two")


def test_a_damaged_manifest(store: JsonFolderStore, root: Path) -> None:
    put(store, "one")
    store.settle()
    put(store, "two")
    killed(store, root)
    change(root / HOME / "manifest.json", b'"generation": 2', b'"generation": 3')
    before = files(root)
    again = opened(root)
    assert texts(again) == ["one", "two"]
    assert findings(again) == [("checksum", None, None)]
    with pytest.raises(StoreDamaged):
        put(again, "three")
    assert again.settle()
    again.close()
    assert files(root) == before
    assert [message.text for message in readable_messages(root)] == ["one", "two"]


def test_a_journal_from_the_future(store: JsonFolderStore, root: Path) -> None:
    put(store, "one")
    killed(store, root)
    journal(root).rename(root / HOME / "journal-7.jsonl")
    again = opened(root)
    assert findings(again) == [("structure", None, None)]
    with pytest.raises(StoreDamaged):
        put(again, "two")
    assert [message.text for message in readable_messages(root)] == ["one"]


def test_readable_raises_for_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / HOME / "sessions").mkdir(parents=True)
    (tmp_path / HOME / "sessions" / "folder.json").mkdir()
    (tmp_path / HOME / "sessions" / "x-1.json").write_bytes(b'{"seq": 1}\n{"session"')
    (tmp_path / HOME / "sessions" / "y.json").write_bytes(seal({"session": "y", "seq": 1}) + b"\n{\n")
    (tmp_path / HOME / "manifest.json").write_bytes(manifest_bytes(1).replace(b"1", b"9"))
    (tmp_path / HOME / "journal-1.jsonl").mkdir()
    for path in (tmp_path, tmp_path / "file", tmp_path / "none"):
        assert [message for message in readable_messages(path) if message.state == "kept"] == []


@pytest.mark.parametrize("sheets", [True, False])
def test_a_rescue_gets_the_rest(store: JsonFolderStore, root: Path, sheets: bool) -> None:
    put(store, "one", "two", "three", title="T")
    put(store, "other", session="b")
    forget(store, 1)
    store.close()
    change(root / HOME / "sessions" / FILE, b'"text": "two"', b'"text": "two')
    if not sheets:
        shutil.rmtree(root / HOME / "written")
        shutil.rmtree(root / "s")
    done: list[int] = []
    found = [
        (space, info.id, item.seq, item.state, item.text)
        for space, info, item in readable(root, done.append)
        if isinstance(item, Message)
    ]
    assert [item[:4] for item in found] == [
        ("s", "a", 1, "forgotten"),
        ("s", "a", 2, "kept" if sheets else "damaged"),
        ("s", "a", 3, "kept"),
        ("s", "b", 1, "kept"),
    ]
    assert sum(done) == 4
