"""The folder of JSON: files for people, one writer and many readers, copies."""

from __future__ import annotations

import errno
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest
from json_tools import FILE, HOME, failing, files, folder_root, folder_store, journal, killed, opened

from recollect.errors import InvalidInput, StoreBusy, StoreDamaged, StoreError, StoreFull, StoreVersion
from recollect.ports import Target
from recollect.records import Message, Page, SessionInfo
from recollect.stores.json_folder import JsonFolderStore
from recollect.stores.json_folder import disk as json_disk
from recollect.stores.json_folder import reading as json_reading
from recollect.stores.json_folder.files import Entry, entry_line, file_name, read_session, unseal
from recollect.testing.conformance.case import (
    LATER,
    RICH,
    derive,
    draft,
    everything,
    fed,
    forget,
    node,
    put,
    read,
    texts,
)

__all__ = ["folder_root", "folder_store"]


EXAMPLE = """\
{
  "session": {"space": "s", "id": "a", "title": "Reise 🧳", "created": "2026-05-05T12:00:00+00:00", "changes": 1,\
 "crc": "CRC"},
  "messages": [
    {"session": "a", "seq": 1, "id": "1", "role": "user", "text": "“Grüße”", "time": "2026-05-05T12:00:00+00:00",\
 "tokens": 7, "overhead": 4, "encoding": "test", "importance": 0.25, "order": 1, "crc": "CRC"}
  ]
}
"""
ADDED = """\
  , {"session": "a", "seq": 2, "id": "2", "role": "user", "text": "里斯本", "time": "2026-05-05T12:00:00+00:00",\
 "tokens": 3, "overhead": 4, "encoding": "test", "importance": 0.25, "order": 2, "crc": "CRC"}
"""


def without_sums(raw: bytes) -> str:
    lines = [line.rpartition('"crc": "') for line in raw.decode().splitlines(keepends=True)]
    return "".join(head + mark + "CRC" + tail[8:] if mark else tail for head, mark, tail in lines)


# Files for people


def test_a_session_is_a_file_for_programs(store: JsonFolderStore, root: Path) -> None:
    put(store, draft("“Grüße”", id="1"), title="Reise 🧳")
    assert not (root / "s").exists()
    store.settle()
    assert sorted(files(root)) == [
        f"{HOME}/.gitattributes",
        f"{HOME}/manifest.json",
        f"{HOME}/sessions/{FILE}",
        f"{HOME}/written/s/conversations.json",
        f"{HOME}/written/s/conversations/a.json",
        "lock",
        "s/conversations.json",
        "s/conversations/a.json",
    ]
    first = files(root)[f"{HOME}/sessions/{FILE}"]
    assert without_sums(first) == EXAMPLE
    put(store, draft("里斯本", id="2"))
    store.settle()
    second = files(root)[f"{HOME}/sessions/{FILE}"]
    assert without_sums(second) == EXAMPLE.replace("  ]\n", ADDED + "  ]\n")
    assert [line for line in second.splitlines() if line not in first.splitlines()] == [second.splitlines()[4]]
    assert [item["text"] for item in json.loads(second)["messages"]] == ["“Grüße”", "里斯本"]


def test_derived_records_stand_after_the_messages_in_their_order(store: JsonFolderStore, root: Path) -> None:
    put(store, draft("one", id="1"), draft("two", id="2"))
    store.settle()
    without = files(root)[f"{HOME}/sessions/{FILE}"].splitlines()
    derive(store, node("b", 2, level=2), node("c", 1), node("a", 2), node("p", kind="pin", body={"text": "“Grüße”"}))
    store.settle()
    raw = files(root)[f"{HOME}/sessions/{FILE}"]
    lines = raw.splitlines()
    assert (lines[2:5], lines[-1]) == (without[2:5], without[-1])
    assert [json.loads(line.strip(b" ,"))["key"] for line in lines[7:-2]] == ["p", "c", "a", "b"]
    assert without_sums(lines[7]) == (
        '    {"kind": "pin", "session": "a", "plan": "p", "key": "p", "level": 1, "time": "2026-05-05T12:00:00+00:00",'
        ' "body": {"text": "“Grüße”"}, "order": 6, "crc": "CRC"}'
    )
    assert [item["key"] for item in json.loads(raw)["records"]] == ["p", "c", "a", "b"]
    derive(store, node("b2", 2))  # one line more
    store.settle()
    more = files(root)[f"{HOME}/sessions/{FILE}"].splitlines()
    assert len([line for line in more[2:] if line not in lines]) == 1
    derive(store, drops=[("summary", key) for key in ("b", "b2", "c", "a")] + [("pin", "p")])
    store.settle()
    assert files(root)[f"{HOME}/sessions/{FILE}"].splitlines()[2:] == without[2:]


def test_what_the_journal_says_of_derived_records_can_be_applied_again(store: JsonFolderStore, root: Path) -> None:
    """A process was killed when the files were written and the generation was not: nothing forgotten comes back."""
    put(store, "one", "two", "three")
    derive(store, node("gone", 2), node("fixed", 1, 3, fixed=True), node("stays", 3), scores={1: 0.75, 2: 0.5})
    derive(store, node("dropped", 1))
    derive(store, drops=[("summary", "dropped")])
    raw, old = journal(root).read_bytes(), (root / HOME / "manifest.json").read_bytes()
    forget(store, 2)
    target = Target(space="s", session="a", seqs=(2,), time=LATER)
    erased = entry_line(Entry(space="s", info=store.session("s", "a"), target=target))
    derive(store, node("made anew", 2))
    anew = journal(root).read_bytes()
    store.settle()
    expected = everything(store)
    killed(store, root)
    for path in (root / HOME).glob("journal-*"):
        path.unlink()
    (root / HOME / "manifest.json").write_bytes(old)
    (root / HOME / "journal-1.jsonl").write_bytes(raw + erased + anew)
    again = opened(root)
    assert everything(again) == expected
    assert again.settle()
    again.close()
    assert everything(opened(root)) == expected
    assert b"of gone" not in b"".join(files(root).values())


def test_the_manifest_and_the_journal(store: JsonFolderStore, root: Path) -> None:
    put(store, draft("hi", id="1"))
    assert without_sums(files(root)[f"{HOME}/manifest.json"]) == (
        '{"format": "recollect", "version": 2, "generation": 1, "crc": "CRC"}\n'
    )
    (line,) = journal(root).read_bytes().splitlines()
    entry = unseal(line)
    assert entry is not None
    assert (entry["space"], entry["session"], entry["info"]["id"]) == ("s", "a", "a")
    (item,) = entry["messages"]
    assert (item.pop("order"), Message.from_dict(item)) == (1, read(store)[0])


def test_file_names_are_safe_and_apart() -> None:
    names = ["a", "A", "../../etc/passwd", "CON", "日本", "Überblick – Mai 2026", "x" * 500, "", "a b", "a-b"]
    made = [file_name("s", name) for name in names]
    assert len(set(made)) == len(names)
    assert made[5].startswith("uberblick-mai-2026-")
    assert made[4].startswith("session-")
    assert all(name.isascii() and name.islower() and len(name) < 64 and "/" not in name for name in made)
    assert file_name("t", "a") != made[0] == FILE


def test_only_what_changed_is_written(store: JsonFolderStore, root: Path) -> None:
    put(store, "one")
    put(store, "two", session="b")
    store.settle()
    before = {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in root.rglob("*")}
    store.settle()
    assert {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in root.rglob("*")} == before
    put(store, "three")
    store.settle()
    after = {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in root.rglob("*")}
    changed = {path.name for path in before if path.is_file() and before[path] != after[path]}
    assert changed == {FILE, "a.json", "manifest.json"}


def test_line_ends_may_be_of_another_system(store: JsonFolderStore, root: Path) -> None:
    put(store, *RICH, title="T")
    before = everything(store)
    store.close()
    path = root / HOME / "sessions" / FILE
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    again = opened(root)
    assert everything(again) == before
    assert again.check(lambda n: None).ok
    put(again, "more")
    again.close()
    assert read_session(FILE, path.read_bytes()).whole


def test_a_session_is_never_written_over_the_file_of_another(
    store: JsonFolderStore, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("recollect.stores.json_folder.files.digest", lambda text: "0" * 32)
    put(store, "one", session="a b")
    for use in (lambda: put(store, "two", session="a-b"), lambda: forget(store, session="a-b")):
        with pytest.raises(StoreDamaged):
            use()
    store.close()
    again = opened(root)
    assert (texts(again, session="a b"), texts(again, session="a-b")) == (["one"], [])


def test_what_a_caller_does_to_meta_changes_nothing(store: JsonFolderStore, root: Path) -> None:
    given = {"a": {"b": ["kept"]}}
    known = {"c": {"d": ["kept"]}}
    put(store, draft("one", id="1", meta=given), meta=known)
    before = everything(opened(root))

    def harm(store: JsonFolderStore) -> None:
        info = store.session("s", "a")
        (place,) = put(store, draft("one", id="1", meta=given))
        found = store.find("s", "a", "1")
        assert info is not None
        assert place.earlier is not None
        assert found is not None
        items: list[Message | SessionInfo] = [info, place.earlier, found, *store.sessions("s"), *read(store)]
        for item in items:
            changed = cast(dict[str, Any], item.meta)
            for inner in changed.values():
                for values in inner.values():
                    values.append("CHANGED")
            changed["a"] = "CHANGED"

    given["a"]["b"].append("CHANGED")
    known["c"]["d"].append("CHANGED")
    harm(store)
    assert everything(store) == before
    store.close()
    again = opened(root)
    harm(again)
    put(again, title="T")
    put(again, title=None)  # so that its file is written anew
    again.close()
    (info, *rest), (whole, *_) = everything(opened(root))["s"][0], before["s"][0]
    assert [replace(info, changes=whole.changes), *rest] == [*before["s"][0]]


def test_what_a_caller_adds_to_an_empty_meta_changes_nothing(store: JsonFolderStore, root: Path) -> None:
    put(store, draft("one", id="1"))
    before = everything(opened(root))
    items: list[Message | SessionInfo] = [*store.sessions("s"), *read(store)]
    for item in items:
        cast(dict[str, Any], item.meta)["a"] = "CHANGED"
    assert everything(store) == before
    store.close()
    assert everything(opened(root)) == before


# Opening


def test_nothing_is_made_before_something_is_written(store: JsonFolderStore, root: Path) -> None:
    assert (store.spaces(), read(store), store.settle(), store.check(lambda n: None).ok) == ([], [], True, True)
    store.close()
    assert not root.exists()


def test_a_foreign_folder_is_refused(root: Path) -> None:
    root.mkdir()
    for name, content in (
        ("notes.txt", "hello"),
        ("sessions/x.json", "{}"),
        ("recollect.json", '{"name": "other"}'),
        ("recollect.json", json.dumps({"format": "recollect", "version": 3, "generation": 1})),
    ):
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).write_text(content)
        before = files(root)
        with pytest.raises(StoreVersion):
            opened(root)
        assert files(root) == before
        (root / name).unlink()


def test_a_file_is_not_a_folder(root: Path) -> None:
    root.write_text("hello")
    with pytest.raises(StoreVersion):
        opened(root)
    assert root.read_text() == "hello"


def test_an_empty_folder_will_do_and_one_whose_making_was_interrupted(root: Path) -> None:
    (root / HOME / "sessions").mkdir(parents=True)
    (root / "lock").touch()
    (root / HOME / "manifest.json.tmp").write_text("{")
    store = opened(root)
    put(store, "one")
    store.close()
    assert texts(opened(root)) == ["one"]


# One writer, many readers


def test_a_second_one_reads_what_the_first_has_committed(store: JsonFolderStore, root: Path) -> None:
    second = opened(root)
    assert texts(second) == []
    for n in range(3):
        old = second.revision("s")
        put(store, f"m{n}", title=f"T{n}")
        assert texts(second) == [f"m{m}" for m in range(n + 1)]
        assert second.revision("s") != old
        store.settle()
        assert texts(second) == [f"m{m}" for m in range(n + 1)]
    put(store, "lisbon", session="b")
    assert fed(second) == fed(store)
    forget(store, 2)
    assert texts(second, Page()) == ["m0", "m2"]
    forget(store, session="b")
    assert (everything(second), fed(second)) == (everything(store), fed(store))
    for use in (lambda: put(second, "x"), lambda: forget(second, 1)):
        with pytest.raises(StoreBusy) as caught:
            use()
        assert "Close" in caught.value.hint
    assert second.settle()
    second.close()
    assert texts(store, Page()) == ["m0", "m2"]


def test_the_next_one_writes_when_the_first_is_gone(store: JsonFolderStore, root: Path) -> None:
    second = opened(root)
    put(store, "one")
    assert texts(second) == ["one"]
    put(store, "two")
    store.close()
    assert [place.seq for place in put(second, "three")] == [3]
    assert texts(second) == ["one", "two", "three"]
    third = opened(root)
    with pytest.raises(StoreBusy):
        put(third, "x")
    second.close()


def test_a_reader_is_not_fooled_by_a_line_taken_back(
    store: JsonFolderStore, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    second = opened(root)
    put(store, draft("one", id="1"))
    seen: list[list[str]] = []

    def fail(handle: int) -> None:
        seen.append(texts(second))
        raise OSError(errno.EIO, "broken")

    with monkeypatch.context() as patch:
        patch.setattr(json_disk, "_sync", fail)
        with pytest.raises(StoreError):
            put(store, draft("xxx", id="2"))
    assert seen[0] == ["one", "xxx"]
    os.utime(journal(root), ns=(1, 1))
    assert texts(second) == ["one"]
    put(store, draft("two", id="3"))
    assert texts(second) == ["one", "two"]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_does_not_write(store: JsonFolderStore, root: Path) -> None:
    put(store, "one")
    child = os.fork()
    if child == 0:
        code = 1
        try:
            try:
                put(store, "from the child")
            except StoreBusy:
                code = 0 if texts(store) == ["one"] else 2
            store.close()
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    put(store, "two")
    assert texts(store) == ["one", "two"]
    with pytest.raises(StoreBusy):
        put(opened(root), "x")


# Copies


def test_a_backup_of_a_reader_and_of_nothing(store: JsonFolderStore, root: Path, tmp_path: Path) -> None:
    store.backup(tmp_path / "empty")
    assert everything(opened(tmp_path / "empty")) == {}
    put(store, "one")
    second = opened(root)
    second.backup(tmp_path / "copy")
    assert texts(opened(tmp_path / "copy")) == ["one"]
    with pytest.raises(InvalidInput):
        second.backup(tmp_path / "copy")


def test_a_backup_is_whole_or_not_there(
    store: JsonFolderStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, "one")
    monkeypatch.setattr(os, "rename", failing)
    with pytest.raises(StoreFull):
        store.backup(tmp_path / "copy")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["memory"]


def test_reading_again_when_a_generation_ends_meanwhile(
    store: JsonFolderStore, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, "one")
    second = opened(root)
    real = json_disk.read_from
    rounds = iter(range(3))

    def busy(path: Path, start: int) -> tuple[bytes, tuple[int, int] | None]:
        if next(rounds, None) is not None:
            put(store, "more")
            store.settle()
        return real(path, start)

    monkeypatch.setattr(json_reading, "read_from", busy)
    assert texts(second) == ["one", "more", "more", "more"]
    monkeypatch.setattr(json_reading, "ATTEMPTS", 2)
    rounds = iter(range(99))
    with pytest.raises(StoreBusy):
        texts(opened(root))


def test_a_reader_that_holds_a_file_while_it_is_overwritten(
    store: JsonFolderStore, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, "one")
    store.settle()
    put(store, "two")
    read_whole: list[bytes] = []

    def slowly(path: Path) -> bytes:
        with path.open("rb") as file:
            if path.name != FILE:
                return file.read()
            store.settle()
            read_whole.append(file.read())
            return read_whole[-1]

    monkeypatch.setattr(Path, "read_bytes", slowly)
    assert texts(opened(root)) == ["one", "two"]
    assert not read_whole[0].strip(b"\0")
    assert len(read_whole) == 2


def test_a_flush_looks_the_same_at_every_step(
    store: JsonFolderStore, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, "one", title="T")
    put(store, "gone", session="b")
    store.settle()
    put(store, "two", title="U")
    put(store, "new", session="c")
    before = everything(store)
    seen = []

    def watched(real: Callable[..., object]) -> Callable[..., object]:
        def watch(*values: Any, **names: Any) -> object:
            seen.append(everything(opened(root)))
            return real(*values, **names)

        return watch

    for name in ("replace", "link", "unlink", "fsync"):
        monkeypatch.setattr(os, name, watched(getattr(os, name)))
    store.settle()
    assert len(seen) > 10
    assert all(content == before for content in seen)
