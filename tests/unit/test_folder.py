"""The folder: what it does when it is stopped, edited meanwhile, damaged, or not ours."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from onrecord import InvalidInput, Memory, StoreDamaged, StoreVersion, doctor
from onrecord.ports import Store
from onrecord.records import Query, Record
from onrecord.settings import Settings
from onrecord.stores.folder import FolderStore
from onrecord.stores.folder.sheets import MARKS
from onrecord.stores.locks import take_lock
from onrecord.stores.sqlite import SqliteStore
from onrecord.testing.conformance.case import derive, derived, everything, forget, node, put, texts

SETTINGS = Settings(durability="process", busy_timeout=0.1)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "notes"


@pytest.fixture
def store(root: Path) -> Iterator[FolderStore]:
    store = FolderStore(root, SETTINGS)
    yield store
    store.close()


@pytest.fixture
def filled(root: Path) -> Path:
    """A folder that was closed: two messages, a fact and a summary, and its sheet."""
    with FolderStoreOf(root) as store:
        put(store, "one dog", "two")
        derive(store, fact("f", "a dog"), node("n", 1, 2, fixed=True))
    return root / "s" / "a.jsonl"


class FolderStoreOf:
    """A folder for a `with`."""

    def __init__(self, root: Path) -> None:
        self.store = FolderStore(root, SETTINGS)

    def __enter__(self) -> FolderStore:
        return self.store

    def __exit__(self, *_: object) -> None:
        self.store.close()


def fact(key: str, text: str) -> Record:
    return node(key, 1, kind="fact", level=0, body={"kind": "fact", "text": text})


def killed(store: FolderStore) -> None:
    """Close the file, and write no sheet."""
    SqliteStore.close(store)


def lines(sheet: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in sheet.read_text().splitlines()]


def write(sheet: Path, items: list[dict[str, Any]]) -> None:
    sheet.write_text("".join(json.dumps(item) + "\n" for item in items))


def edit(sheet: Path, line: int, work: Callable[[dict[str, Any]], object]) -> None:
    items = lines(sheet)
    work(items[line - 1])
    write(sheet, items)


def fact_text(store: Store, key: str = "f") -> str:
    (record,) = derived(store, kind="fact", key=key)
    return str((record.body or {})["text"])


FACT, SUMMARY = 6, 5  # their lines


# Stopped


def test_stopped_before_the_mark_is_set_nothing_was_edited(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = FolderStore(root, SETTINGS)
    put(store, "one")
    store.settle()
    put(store, "two")
    derive(store, node("n", 1))
    with monkeypatch.context() as patch:
        patch.setattr(FolderStore, "_mark", interrupted)
        with pytest.raises(KeyboardInterrupt):
            store.settle()
    derive(store, node("n", 1, 2, level=2))
    before = everything(store)
    killed(store)
    with FolderStoreOf(root) as store:
        assert {space: [(m, r) for _, m, r in found] for space, found in everything(store).items()} == {
            space: [(m, r) for _, m, r in found] for space, found in before.items()
        }
    assert '"level":2' in (root / "s" / "a.jsonl").read_text()


@pytest.mark.parametrize("seqs", [(1,), ()])
@pytest.mark.parametrize("where", ["before", "after"])
def test_stopped_while_it_forgets_no_sheet_brings_it_back(
    root: Path, filled: Path, monkeypatch: pytest.MonkeyPatch, where: str, seqs: tuple[int, ...]
) -> None:
    erase = SqliteStore.erase

    def stopped(self: SqliteStore, target: Any) -> Any:
        if where == "after":
            erase(self, target)
        raise KeyboardInterrupt

    store = FolderStore(root, SETTINGS)
    with monkeypatch.context() as patch:
        patch.setattr(SqliteStore, "erase", stopped)
        with pytest.raises(KeyboardInterrupt):
            forget(store, *seqs)
    assert not filled.exists()
    killed(store)
    with FolderStoreOf(root) as store:
        left = ["one dog", "two"] if where == "before" else ["", "two"] if seqs else []
        assert texts(store) == left
    assert filled.exists() == bool(left)
    assert where == "before" or not any(b"dog" in path.read_bytes() for path in root.rglob("*") if path.is_file())


def interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_part_that_was_left_goes(root: Path, filled: Path) -> None:
    (part := filled.with_name("a.jsonl.part")).write_text("half")
    with FolderStoreOf(root):
        assert not part.exists()


# Edited


def test_an_edit_and_what_came_since_are_both_kept(root: Path, filled: Path) -> None:
    store = FolderStore(root, SETTINGS)
    put(store, "three")
    derive(store, fact("g", "a cat"), node("n", 1, 3, fixed=True, time=node("x").time.replace(year=2030)))
    derive(store, scores={1: 0.75})
    killed(store)
    edit(filled, FACT, lambda item: item["record"]["body"].update(text="a wolf"))
    with FolderStoreOf(root) as store:
        assert texts(store) == ["one dog", "two", "three"]
        assert (fact_text(store), fact_text(store, "g")) == ("a wolf", "a cat")
        assert derived(store)[0].last == 3
    assert "a wolf" in filled.read_text()


def test_what_was_edited_while_it_was_open_is_taken_in_before_it_is_written(store: FolderStore, root: Path) -> None:
    put(store, "one")
    derive(store, fact("f", "a dog"))
    store.settle()
    sheet = root / "s" / "a.jsonl"
    edit(sheet, 4, lambda item: item["record"]["body"].update(text="a wolf"))
    assert [finding.kind for finding in store.check(lambda done: None).findings] == ["skipped"]
    put(store, "two")
    assert store.settle()
    assert fact_text(store) == "a wolf"
    assert "a wolf" in sheet.read_text()
    edited = sheet.read_text().replace('"one"', '"won"')
    sheet.write_text(edited)
    put(store, "three")
    for ask in (store.settle, lambda: forget(store, 1)):
        with pytest.raises(InvalidInput, match=r"s/a\.jsonl, line 3: Message 1"):
            ask()
    assert texts(store) == ["one", "two", "three"]
    assert sheet.read_text() == edited
    forget(store)  # all of it goes, whatever stands there
    assert not sheet.exists()


def test_lines_that_a_person_adds(root: Path, filled: Path) -> None:
    said = {"session": "a", "seq": 3, "id": "mine", "role": "user", "text": "a third one"}
    pin = {"session": "a", "kind": "pin", "plan": "manual", "key": "p", "body": {"text": "no cats"}}
    write(filled, [*lines(filled), {"message": said}, {"record": pin}])
    with FolderStoreOf(root) as store:
        assert texts(store)[2] == "a third one"
        (message,) = (one for one in everything(store)["s"][0][1] if one.id == "mine")
        assert (message.tokens, message.encoding) == (4, "")  # counted where a prompt is built
        assert [(one.body or {})["text"] for one in derived(store, kind="pin")] == ["no cats"]


def test_keys_of_a_service_stand_in_no_sheet(store: FolderStore, root: Path) -> None:
    derive(store, node("secret", kind="key", level=0, body={}))
    store.settle()
    assert "secret" not in (root / "s" / "a.jsonl").read_text()
    assert derived(store, kind="key")


def test_summaries_above_an_edited_one_are_made_again(root: Path, filled: Path) -> None:
    with FolderStoreOf(root) as store:
        derive(store, node("above", 1, 2, level=2, fixed=True), node("other", 2, 2, level=2, fixed=True))
    line = next(number for number, item in enumerate(lines(filled), 1) if item.get("record", {}).get("key") == "n")
    edit(filled, line, lambda item: item["record"]["body"].update(text="of me"))
    with FolderStoreOf(root) as store:
        bodies = {record.key: record.body for record in derived(store)}
        assert (bodies["n"] or {})["text"] == "of me"
        assert bodies["above"] is None
        assert bodies["other"]


def broken(*, line: int, **values: Any) -> Callable[[list[dict[str, Any]]], object]:
    (kind,) = (name for name in ("session", "message", "record") if name in values)
    return lambda items: items[line - 1][kind].update(values[kind])


@pytest.mark.parametrize(
    ("work", "what"),
    [
        (lambda items: items[0].update(format="another"), "line 1: This does not begin an onrecord export"),
        (lambda items: items[0].update(space="t"), "line 2: This is the sheet t/a.jsonl, at another place"),
        (lambda items: items.pop(1), "line 2: session is not the one"),
        (lambda items: items.append(items[1]), "line 7: A sheet holds one session"),
        (lambda items: items.append({}), "line 7: This is neither"),
        (broken(line=3, message={"role": "bishop"}), "line 3: role"),
        (broken(line=3, message={"state": "damaged"}), "line 3: A damaged message is not taken in"),
        (broken(line=3, message={"importance": 0.5}), "line 3: Message 1 is not as it was kept"),
        (broken(line=4, message={"seq": 7}), "line 4: Message 7 stands where message 3 is due"),
        (broken(line=FACT, record={"last": 2, "until": 2}), "line 6: Of a record its body is edited"),
        (broken(line=FACT, record={"key": "g", "until": 9}), "line 6: It comes from message 9"),
        (broken(line=FACT, record={"body": {"kind": "fact", "text": 5}}), "line 6: The body is none of a fact"),
        (broken(line=FACT, record={"kind": "key"}), "line 6: Keys of a service are not taken in"),
        (broken(line=2, session={"status": "odd"}), "line 2: status"),
    ],
)
def test_what_cannot_be_taken_in_is_refused_with_its_line(
    root: Path, filled: Path, work: Callable[[list[dict[str, Any]]], object], what: str
) -> None:
    items = lines(filled)
    work(items)
    write(filled, items)
    edited = filled.read_bytes()
    with pytest.raises(InvalidInput) as refused:
        FolderStore(root, SETTINGS)
    assert what in refused.value.what
    assert filled.read_bytes() == edited
    filled.unlink()
    with FolderStoreOf(root) as store:
        assert (texts(store), fact_text(store)) == (["one dog", "two"], "a dog")


def test_what_is_no_utf8_is_refused(root: Path, filled: Path) -> None:
    filled.write_bytes(filled.read_bytes().replace(b"two", b"tw\xff"))
    with pytest.raises(InvalidInput, match="line 4: This is not UTF-8"):
        FolderStore(root, SETTINGS)


# Others


def test_others_write_too(root: Path, store: FolderStore) -> None:
    with FolderStoreOf(root) as other:
        put(store, "one")
        put(other, "two")
        put(other, "three", session="b")
        assert store.settle()
        assert len(lines(root / "s" / "a.jsonl")) == 4
        assert (root / "s" / "b.jsonl").exists()


def test_one_that_cannot_look_at_the_sheets_says_so(root: Path, store: FolderStore) -> None:
    put(store, "one")
    lock = take_lock(root / ".lock")
    assert lock is not None
    with open(lock):
        assert not store.settle()
        with FolderStoreOf(root) as other:
            assert texts(other) == ["one"]
    assert store.settle()


def test_marks_are_no_counters_of_others(store: FolderStore, root: Path) -> None:
    put(store, "one")
    store.count("s", {"n": 1})
    store.settle()
    assert store.tally("s") == {"n": 1}
    assert len(SqliteStore.tally(store, "s", MARKS)) == 2
    forget(store)
    put(store, "one", session="b")
    store.settle()
    assert len(SqliteStore.tally(store, "s", MARKS)) == 2


def test_what_is_not_ours_is_left_alone_and_named(root: Path, filled: Path, tmp_path: Path) -> None:
    (root / "README.md").write_text("mine")
    (root / "s" / "notes.txt").write_text("mine")
    (root / "exports").mkdir()
    (root / "exports" / "a.jsonl").write_text("{}\n")
    with Memory(f"{root}/") as memory:
        found = [finding.what.split(" is ")[0] for finding in memory.check().findings]
        assert found == ["README.md", "exports", "s/notes.txt"]
        assert memory.check().ok
        memory.forget(space="s")
    assert {path.relative_to(root).as_posix() for path in root.rglob("*") if "memory.db" not in path.name} == {
        ".gitignore",
        ".lock",
        "README.md",
        "exports",
        "exports/a.jsonl",
        "onrecord.json",
        "s",
        "s/notes.txt",
    }


@pytest.mark.parametrize("name", ["README.md", ".machinery/", "onrecord.json"])
def test_a_folder_of_another_kind_is_refused_and_left_alone(root: Path, name: str) -> None:
    root.mkdir()
    if name.endswith("/"):
        (root / name).mkdir()
    else:
        (root / name).write_text('{"format": "onrecord-folder", "version": 2}')
    with pytest.raises(StoreVersion) as refused:
        FolderStore(root, SETTINGS)
    assert ("export" in refused.value.hint) == (name != "README.md")
    assert [path.name for path in root.iterdir()] == [name.rstrip("/")]


def test_links_are_not_followed(root: Path, filled: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.jsonl").write_bytes(filled.read_bytes())
    filled.unlink()
    filled.symlink_to(outside / "a.jsonl")
    with FolderStoreOf(root) as store:
        put(store, "three")
    assert not filled.is_symlink()
    assert len(lines(outside / "a.jsonl")) == len(lines(filled)) - 1
    filled.unlink()
    (root / "s").rmdir()
    (root / "s").symlink_to(outside)
    with pytest.raises(InvalidInput, match="is a link"):
        FolderStore(root, SETTINGS)
    assert len(lines(outside / "a.jsonl")) == 6


# Damage


def spoil(root: Path) -> None:
    """Change the first message in the database, behind its checksum."""
    path = root / "memory.db"
    data = path.read_bytes()
    assert data.count(b"one dog") >= 1
    path.write_bytes(data.replace(b"one dog", b"one fox"))


def test_a_sheet_is_not_written_over_by_what_is_damaged(root: Path, filled: Path) -> None:
    spoil(root)
    with FolderStoreOf(root) as store:
        derive(store, fact("g", "a cat"))
        assert store.settle()
    assert "one dog" in filled.read_text()
    assert "a cat" not in filled.read_text()


@pytest.mark.parametrize("harm", ["row", "all"])
def test_a_rescue_takes_from_the_sheets_what_the_database_lost(root: Path, filled: Path, harm: str) -> None:
    spoil(root)
    if harm == "all":
        (root / "memory.db").write_bytes(b"\0" * 5_000)
    target = root.with_name("rescued.db")
    doctor(root, rescue_to=target)
    with Memory(target, space="s") as memory:
        assert [message.text for message in memory.session("a").history()] == ["one dog", "two"]
        assert memory._store.records("s", "a", Query(kind="fact"))


def test_a_damaged_file_is_read_and_its_sheets_stay(root: Path, filled: Path) -> None:
    (root / "memory.db-damaged").write_text("as it was found\n")
    before = filled.read_bytes()
    with FolderStoreOf(root) as store:
        assert texts(store) == ["one dog", "two"]
        with pytest.raises(StoreDamaged):
            put(store, "three")
    assert filled.read_bytes() == before
