"""The sheets of a folder of JSON: what people change while nothing runs is taken in, or told with its line."""

from __future__ import annotations

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from json_tools import HOME, SETTINGS, change, files, folder_root, folder_store, killed, opened

from recollect.errors import StoreDamaged
from recollect.records import Block, Query, Record
from recollect.stores.json_folder import JsonFolderStore
from recollect.stores.json_folder.files import seal
from recollect.stores.json_folder.rescue import readable
from recollect.stores.json_folder.sheets import NotUnderstood, plain_name, read_sheet, sheet_bytes
from recollect.testing.conformance.case import (
    RICH,
    derive,
    derived,
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

TALK = "s/conversations/a.json"
FACTS = "s/long-term-memory.json"


def fact(key: str, text: str, at: int = 1, **parts: Any) -> Record:
    body = {"kind": "fact", "text": text, "sources": [at], "tokens": 5, "method": "rules"}
    return node(key, at, kind="fact", level=0, body=body, **parts)


def sheet(root: Path, path: str) -> dict[str, Any]:
    content: dict[str, Any] = json.loads((root / path).read_bytes())
    return content


def edit(root: Path, path: str, work: Callable[[dict[str, Any]], object]) -> None:
    """As a person and their editor do it: the layout is theirs."""
    content = sheet(root, path)
    work(content)
    (root / path).write_text(json.dumps(content, indent=4))


def one(store: JsonFolderStore, kind: str, key: str) -> Record:
    (found,) = store.records("s", "a", Query(kind=kind, key=key))
    return found


def notices(store: JsonFolderStore) -> list[str]:
    return [finding.what for finding in store.check(lambda n: None).findings]


@pytest.fixture
def filled(store: JsonFolderStore, root: Path) -> Path:
    put(store, draft("one", id="1"), draft("two", id="2", key="k"), draft("three", id="3"), title="T")
    put(store, "other", session="b")
    pin = node("p", 2, kind="pin", body={"text": "pinned", "tokens": 3, "origin": "user"}, level=0)
    derive(store, node("n", 1, 2, fixed=True), pin, fact("f", "Ana likes tea."), fact("g", "Ben likes milk."))
    store.close()
    return root


# Records


def test_a_changed_fact(filled: Path) -> None:
    before = opened(filled)
    revision = before.revision("s")
    assert before.save_blocks("s", "p", [Block(number=0, body=b"x")], revision)
    before.close()
    edit(filled, FACTS, lambda content: content["facts"][0].update(text="Ana likes coffee.", valid_from="2026-05-05"))
    again = opened(filled)
    found = one(again, "fact", "f")
    assert found.body is not None
    assert (found.body["text"], found.body["valid_from"]) == ("Ana likes coffee.", "2026-05-05T00:00:00+00:00")
    assert (found.locked, found.recipe, found.body["method"], found.first, found.plan) == (True, "hand", "hand", 1, "p")
    assert one(again, "fact", "g") == fact("g", "Ben likes milk.")
    assert fed(again)[-1] == "a fact f"
    assert again.revision("s").newest > revision.newest
    assert again.blocks("s", "p") == []
    (what,) = notices(again)
    assert what.startswith(f"{FACTS} was changed by hand")
    assert notices(again) == []
    put(again, "four")
    again.close()
    entry = sheet(filled, FACTS)["facts"][0]
    assert (entry["text"], entry["locked"]) == ("Ana likes coffee.", True)
    assert everything(opened(filled)) == everything(opened(filled))
    assert not any(b"likes tea" in raw for raw in files(filled).values())


def test_records_that_were_added_and_taken_out(filled: Path) -> None:
    def work(content: dict[str, Any]) -> None:
        content["facts"] = [content["facts"][1], {"text": "Cem plays chess.", "conversation": "a", "sources": [3]}]
        content["changes"] = [{"of": "g", "status": "archived", "conversation": "a"}]
        content["relations"].append({"source": "g", "target": "f", "conversation": "a"})

    edit(filled, FACTS, work)
    again = opened(filled)
    facts = again.records("s", "a", Query(kind="fact"))
    assert [(record.body or {})["text"] for record in facts] == ["Cem plays chess.", "Ben likes milk."]
    added = facts[0]
    assert (added.plan, added.locked, added.first, added.last, added.until) == ("manual", True, 3, 3, 3)
    (changed,) = again.records("s", "a", Query(kind="change"))
    assert (changed.first, changed.last, (changed.body or {})["status"]) == (1, 1, "archived")
    (relation,) = again.records("s", "a", Query(kind="relation"))
    assert (relation.body or {})["type"] == "related_to"
    before = everything(again)
    put(again, title="U")
    again.close()
    assert [entry["id"] for entry in sheet(filled, FACTS)["facts"]] == [added.key, "g"]
    again = opened(filled)
    assert [item[2] for item in everything(again)["s"]] == [item[2] for item in before["s"]]
    forget(again, 1)
    assert again.records("s", "a", Query(kind="change")) == []
    assert not any(b"Ben" in raw for raw in files(filled).values())


def test_a_new_fact_without_a_conversation(filled: Path) -> None:
    edit(filled, FACTS, lambda content: content["facts"].append({"text": "It rains."}))
    again = opened(filled)
    assert [(record.body or {})["text"] for record in again.records("s", "b", Query(kind="fact"))] == ["It rains."]


def test_a_changed_pin_and_summary(filled: Path) -> None:
    edit(filled, "s/pins.json", lambda content: content["pins"][0].update(text="PIN", source=3))
    edit(filled, "s/conversation-chunks.json", lambda content: content["summaries"][0].update(text="SUM"))
    again = opened(filled)
    pin = one(again, "pin", "p")
    assert (pin.first, pin.last, pin.until, (pin.body or {})["text"]) == (3, 3, 3, "PIN")
    summary = one(again, "summary", "n")
    assert (summary.level, summary.first, summary.last, summary.fixed, summary.locked) == (1, 1, 2, True, True)
    assert (summary.body or {})["text"] == "SUM"


def test_a_summary_that_was_taken_out_is_made_again(store: JsonFolderStore, root: Path) -> None:
    put(store, "one", "two")
    derive(store, node("n", 1, fixed=True), node("o", 2, fixed=True), node("up", 1, 2, level=2, fixed=True))
    derive(store, node("mine", 1, plan="manual", locked=True))
    store.close()
    keys = ["n", "mine"]
    edit(
        root,
        "s/conversation-chunks.json",
        lambda content: content.update(summaries=[one for one in content["summaries"] if one["id"] not in keys]),
    )
    again = opened(root)
    assert [(record.key, record.body is None) for record in derived(again)] == [("n", True), ("o", False), ("up", True)]


# Messages and conversations


def test_changed_messages(filled: Path) -> None:
    def work(content: dict[str, Any]) -> None:
        content["messages"][0]["text"] = "eins"
        del content["messages"][2]
        content["messages"].append({"role": "assistant", "text": "vier"})

    edit(filled, TALK, work)
    again = opened(filled)
    assert [(one.seq, one.text, one.state) for one in read(again)] == [
        (1, "eins", "kept"),
        (2, "two", "kept"),
        (3, "", "forgotten"),
        (4, "vier", "kept"),
    ]
    first, second, _, fourth = read(again)
    assert (first.id, first.encoding, first.tokens) == ("1", "", 2)
    assert (second.encoding, second.key is None) == ("test", False)
    assert (fourth.role, fourth.id.startswith("msg_")) == ("assistant", True)
    assert fed(again)[-2:] == ["a 1", "a 4"]
    before = everything(again)
    put(again, "x", session="c")
    again.close()
    assert everything(opened(filled))["s"][0] == before["s"][0]
    assert not any(b"three" in raw or b'"one"' in raw for raw in files(filled).values())


def test_a_conversation_that_was_changed_added_or_taken_out(filled: Path) -> None:
    def work(content: dict[str, Any]) -> None:
        content["conversations"] = [{"id": "a", "title": "Tea", "meta": {"x": 1}}, {"id": "New one"}]

    edit(filled, "s/conversations.json", work)
    (filled / "s/conversations/b.json").unlink()
    (filled / "s/conversations/made.json").write_text('{"messages": [{"role": "user", "text": "hello"}]}')
    again = opened(filled)
    assert [info.id for info in again.sessions("s")] == ["New one", "a", "made"]
    info = again.session("s", "a")
    assert info is not None
    assert (info.title, info.meta, texts(again, session="made")) == ("Tea", {"x": 1}, ["hello"])
    again.close()
    assert not any(b"other" in raw for raw in files(filled).values())
    edit(filled, "s/conversations.json", lambda content: content.update(conversations=[]))
    again = opened(filled)
    assert len(again.sessions("s")) == 3  # whose messages are there is there
    put(again, "more")
    again.close()
    assert len(sheet(filled, "s/conversations.json")["conversations"]) == 3
    (filled / TALK).unlink()
    shutil.rmtree(filled / "s/conversations")
    assert opened(filled).spaces() == []


def test_a_folder_of_sheets_alone(filled: Path, tmp_path: Path) -> None:
    forgetting = opened(filled)
    forget(forgetting, 3)
    forgetting.close()
    shutil.copytree(filled / "s", tmp_path / "copy" / "s")
    copy = opened(tmp_path / "copy")
    assert [(one.text, one.state) for one in read(copy)] == [("one", "kept"), ("two", "kept"), ("", "forgotten")]
    assert texts(copy, session="b") == ["other"]
    assert [record.key for record in copy.records("s", "a", Query(kind="fact"))] == ["f", "g"]
    put(copy, "four")
    assert [one.seq for one in read(copy)] == [1, 2, 3, 4]
    copy.close()
    assert opened(tmp_path / "copy").check(lambda n: None).ok


def test_what_the_journal_alone_has_is_not_taken_for_removed(store: JsonFolderStore, root: Path) -> None:
    put(store, draft("one", id="1"))
    derive(store, fact("f", "Ana likes tea."))
    store.settle()
    put(store, "two")
    derive(store, fact("g", "Ben likes milk.", 2))
    killed(store, root)
    edit(root, TALK, lambda content: content["messages"][0].update(text="eins"))
    edit(root, FACTS, lambda content: content["facts"][0].update(text="Ana likes coffee."))
    again = opened(root)
    assert texts(again) == ["eins", "two"]
    assert [record.key for record in again.records("s", "a", Query(kind="fact"))] == ["f", "g"]


def test_an_edit_is_not_seen_beside_a_writer(filled: Path) -> None:
    writer = opened(filled)
    put(writer, "four")
    change(filled / TALK, b'"two"', b'"zwei"')
    reader = opened(filled)
    assert texts(reader) == ["one", "two", "three", "four"]
    writer.close()


def test_layout_and_line_ends_are_no_change(filled: Path) -> None:
    before = everything(opened(filled))
    for path in filled.rglob("*.json"):
        if HOME not in path.parts:
            path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    again = opened(filled)
    assert everything(again) == before
    assert notices(again) == []
    put(again, title="T")
    again.close()
    assert b"\r" not in (filled / TALK).read_bytes()


def test_all_that_a_message_can_hold_is_there_again(store: JsonFolderStore, root: Path) -> None:
    put(store, *RICH, title="T")
    before = everything(store)
    store.close()
    for path in (root / HOME / "written").rglob("*.json"):
        path.unlink()  # so that all sheets are compared with what is known
    again = opened(root)
    assert everything(again) == before
    assert notices(again) == []


# What cannot be understood


@pytest.mark.parametrize(
    ("path", "old", "new", "line", "why"),
    [
        (TALK, b'"text": "two",', b'"text": "two"', 18, "not JSON"),
        (TALK, b'"text": "two"', b'"text": 2', 13, '"text" must be a text'),
        (TALK, b'"text": "two"', b'"txet": "two"', 13, '"txet" is not known'),
        (TALK, b'"number": 2', b'"number": 7', 13, "the number 4, or none"),
        (TALK, b'"number": 2', b'"number": 1', 13, "two messages 1"),
        (TALK, b'"id": "2"', b'"id": "3"', 13, 'message 3 has the id "3"'),
        (TALK, b'"two"', b'"tw\xff"', 17, "not UTF-8"),
        (
            FACTS,
            b'"kind": "fact",\n      "sources": [1],\n      "conversation": "a"\n    },',
            b'"kind": "x"},',
            4,
            "one of",
        ),
        (FACTS, b'"id": "g"', b'"id": "f"', 11, "two with the id"),
        (FACTS, b'"changes": []', b'"chonges": [{}]', 19, '"chonges" is not known'),
        ("s/pins.json", b'"source": 2', b'"source": 9', 4, "no message 9"),
        ("s/pins.json", b'"conversation": "a"', b'"conversation": "z"', 4, 'no conversation "z"'),
        ("s/conversation-chunks.json", b'"last": 2', b'"last": 2, "data": {"entities": 5}', 4, "data.entities must be"),
        ("s/conversations.json", b'"id": "b"', b'"name": "b"', 9, '"id" is missing'),
    ],
)
def test_what_cannot_be_understood_is_told(
    filled: Path, path: str, old: bytes, new: bytes, line: int, why: str
) -> None:
    known, whole = everything(opened(filled)), (filled / path).read_bytes()
    change(filled / path, old, new)
    change(filled / "s/conversations/b.json", b"other", b"another")  # nor is this taken in, before that is mended
    before = files(filled)
    again = opened(filled)
    assert everything(again) == known
    (told, *_) = [what for what in notices(again) if what.startswith(f"{path}, line ")]
    assert why in told
    with pytest.raises(StoreDamaged, match=f"{path}, line {line}: ") as caught:
        put(again, "more")
    assert "Mend that file" in caught.value.hint
    again.close()
    assert files(filled) == before
    assert len(list(readable(filled, lambda n: None))) == 8
    (filled / path).write_bytes(whole)
    again = opened(filled)
    assert texts(again, session="b") == ["another"]
    put(again, "more")
    again.close()


def test_any_changed_byte_of_a_sheet_hides_nothing_else(filled: Path) -> None:
    """It is an edit, or not understood; it never crashes, and never touches what other sheets hold."""
    whole, rng = files(filled), random.Random(5)
    for path in (TALK, FACTS, "s/pins.json", "s/conversations.json"):
        for _ in range(40):
            raw = bytearray(whole[path])
            raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
            (filled / path).write_bytes(raw)
            again = opened(filled)
            found = everything(again)
            assert texts(again, session="b") == ["other"]
            if path != TALK:
                assert texts(again) == ["one", "two", "three"]
            assert found == everything(opened(filled))
            again.close()
            shutil.rmtree(filled)
            for name, data in whole.items():
                (filled / name).parent.mkdir(parents=True, exist_ok=True)
                (filled / name).write_bytes(data)


VALUES: tuple[Any, ...] = (
    None,
    True,
    -1,
    7,
    0.5,
    1 << 70,
    "",
    "x",
    "\ud800",
    "2026-05-05",
    [],
    [1],
    [[]],
    ["a"],
    {},
    {"a": [1]},
    "1e999",
)


def test_any_value_in_any_field_is_taken_in_or_told(filled: Path) -> None:
    whole, rng = files(filled), random.Random(7)
    for path in [name for name in whole if name.startswith("s/")]:
        names = sorted(
            {name for part in json.loads(whole[path]).values() if part != "s" for one in part for name in one}
        )
        for name in [name for name in [*names, "number", "conversation", "meta", "unknown"] if len(name) > 1]:
            value = json.dumps(rng.choice(VALUES)).replace('"1e999"', "1e999")
            content = json.loads(whole[path])
            for part in content.values():
                if isinstance(part, list) and part:
                    part[-1][name] = "VALUE"
            (filled / path).write_text(json.dumps(content).replace('"VALUE"', value))
            again = opened(filled)
            assert texts(again, session="b") == ["other"] or path == "s/conversations/b.json"
            assert again.check(lambda n: None).spaces == 1
            again.close()
            shutil.rmtree(filled)
            for file, data in whole.items():
                (filled / file).parent.mkdir(parents=True, exist_ok=True)
                (filled / file).write_bytes(data)


# The text of a sheet, and names


def test_a_sheet_is_json_and_says_where_each_entry_stands() -> None:
    raw = sheet_bytes({"space": "ü"}, {"facts": [{"id": "1", "list": [1, {"a": None}]}, {"id": "2"}], "changes": []})
    assert json.loads(raw) == {
        "space": "ü",
        "facts": [{"id": "1", "list": [1, {"a": None}]}, {"id": "2"}],
        "changes": [],
    }
    found = read_sheet(raw)
    assert (found.about, [line for line, _ in found.lists["facts"]]) == ({"space": "ü"}, [4, 8])
    for broken in (
        b"",
        b"[]",
        b"{} x",
        b'{"a" 1}',
        b'{"a": [1,]}',
        b'{"a": [NaN]}',
        b'{"a": 1',
        b"[" * 100_000,
        b'{"a": [' * 9_000,
    ):
        with pytest.raises(NotUnderstood):
            read_sheet(broken)


def test_names_are_safe_and_apart() -> None:
    names = [
        "a",
        "trip",
        "A",
        "../../etc",
        "con",
        "lock",
        "日本",
        "Überblick – Mai",
        "x" * 99,
        "",
        "a b",
        "a-b",
        "a" * 12,
    ]
    made = [plain_name(name) for name in names]
    assert len(set(made)) == len(names)
    assert made[:2] == ["a", "trip"]
    assert made[7].startswith("uberblick-mai-")
    assert all(name.isascii() and name.islower() and 0 < len(name) < 64 and "/" not in name for name in made)
    assert all(plain_name(name) != name for name in made[2:] if name != "a-b")


# Folders of version 1


def test_an_old_folder_is_read_and_rewritten(filled: Path) -> None:
    before = everything(opened(filled))
    (filled / HOME / "sessions").rename(filled / "sessions")
    shutil.rmtree(filled / HOME)
    shutil.rmtree(filled / "s")
    (filled / "recollect.json").write_bytes(seal({"format": "recollect", "version": 1, "generation": 7}) + b"\n")
    old = files(filled)
    again = JsonFolderStore(filled, SETTINGS)
    assert everything(again) == before
    assert (again.check(lambda n: None).ok, len(list(readable(filled, lambda n: None)))) == (True, 8)
    assert files(filled) == old
    put(again, "four")
    assert texts(opened(filled)) == ["one", "two", "three", "four"]
    again.close()
    assert not {"sessions", "recollect.json"} & {path.name for path in filled.iterdir() if path.is_file()}
    assert not any(name.startswith("sessions/") for name in files(filled))
    assert [entry["text"] for entry in sheet(filled, TALK)["messages"]] == ["one", "two", "three", "four"]
    assert texts(opened(filled)) == ["one", "two", "three", "four"]
