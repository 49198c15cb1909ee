"""What an import takes and what it refuses, on every store; and what a caller may pass to the journal."""

import io
import json
import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from onrecord import (
    InvalidInput,
    InvalidSetting,
    Memory,
    Message,
    NotFound,
    Session,
    SessionInfo,
    TooLarge,
    ToolCall,
    doctor,
)
from onrecord.importers import import_file
from onrecord.journal.transfer import rescue
from onrecord.ports import Batch
from onrecord.records import KINDS, Query, Record, digest
from onrecord.testing.conformance.case import NOON, node

HEAD = {"format": "onrecord-export", "version": 1, "space": "default"}
KEPT = {"session": "s", "seq": 1, "id": "m1", "role": "user", "text": "hello"}
NODE = {"session": "s", "kind": "summary", "plan": "p", "key": "n1", "first": 1, "last": 1, "until": 1}


@pytest.fixture(params=[":memory:", "memory.db", "folder/"])
def memory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Memory]:
    place = request.param if request.param == ":memory:" else os.path.join(tmp_path, request.param)
    with Memory(place, durability="process", max_message_bytes=10_000) as opened:
        yield opened


def lines_of(
    *messages: dict[str, Any], session: dict[str, Any] | None = None, records: list[dict[str, Any]] | None = None
) -> list[str]:
    """A whole export of one session."""
    items: list[Any] = [HEAD, {"session": {"id": "s"} | (session or {})}]
    items += [{"message": message} for message in messages]
    items += [{"record": record} for record in records or ()]
    count = {"sessions": 1, "messages": len(messages)} | ({"records": len(records)} if records else {})
    return [json.dumps(item) for item in [*items, {"end": count}]]


def derive(memory: Memory, *records: Record) -> None:
    batch = Batch(space=memory.name, session="s", records=[replace(one, session="s") for one in records], time=NOON)
    memory._store.commit(batch)


def derived(memory: Memory) -> list[Record]:
    return [one for kind in KINDS for one in memory._store.records(memory.name, "s", Query(kind=kind, limit=5_000))]


def exported(memory: Memory) -> list[str]:
    out = io.StringIO()
    memory.export(out)
    return out.getvalue().splitlines(keepends=True)


def everything(memory: Memory) -> list[Message]:
    return list(memory.session("s").history(forgotten=True))


# Fields


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("tokens", "x"),
        ("tokens", -5),
        ("tokens", 1.5),
        ("tokens", 2**70),
        ("tokens", True),
        ("tokens", None),
        ("overhead", []),
        ("overhead", 2**53 + 1),
        ("encoding", ["a"]),
        ("encoding", None),
        ("encoding", "a\0b"),
        ("model", {"a": 1}),
        ("model", "a\0b"),
        ("tool_call_id", 5),
        ("key", 5),
        ("key", "request-7"),
        ("original", "zzz"),
        ("original", '"other"'),
        ("original", "5"),
        ("original", 5),
        ("tool_calls", [{"id": 5, "name": None}]),
        ("tool_calls", [{"name": "f"}]),
        ("tool_calls", [5]),
        ("tool_calls", 5),
        ("tool_calls", [{"id": "c", "name": "f", "arguments": 5}]),
        ("state", "weird"),
        ("state", 5),
        ("meta", 5),
        ("meta", [1]),
        ("seq", "1"),
        ("seq", 0),
        ("seq", 2**70),
        ("seq", None),
        ("importance", "x"),
        ("importance", None),
        ("importance", 10**400),
        ("session", "other"),
        ("session", None),
        ("role", "wizard"),
        ("role", []),
        ("text", None),
        ("text", 5),
        ("name", 5),
        ("time", 5),
        ("time", "yesterday"),
        ("time", None),
        ("id", 5),
        ("id", ""),
    ],
)
@pytest.mark.parametrize("encoding", ["", "o200k_base"])
def test_a_field_that_cannot_be_is_refused(memory: Memory, field: str, value: Any, encoding: str) -> None:
    role = {"role": "assistant"} if field == "tool_calls" else {}
    second = KEPT | {"seq": 2, "id": "m2", "encoding": encoding} | role | {field: value}
    with pytest.raises(InvalidInput, match=rf"^Line 4: .*{field}"):
        memory.import_(lines_of(KEPT, second))
    assert [message.id for message in everything(memory)] == ["m1"]  # what stands before it stays


@pytest.mark.parametrize("field", ["session", "seq", "id", "role"])
def test_a_field_that_is_missing_is_named(memory: Memory, field: str) -> None:
    with pytest.raises(InvalidInput, match=rf"^Line 3: .*{field}"):
        memory.import_(lines_of({name: value for name, value in KEPT.items() if name != field}))
    assert everything(memory) == []


@pytest.mark.parametrize("field", ["seq", "key", "role", "id", "time", "tokens"])
def test_a_tombstone_is_checked_too(memory: Memory, field: str) -> None:
    with pytest.raises(InvalidInput, match=rf"^Line 3: .*{field}"):
        memory.import_(lines_of(KEPT | {"state": "forgotten", field: 1.5}))
    assert everything(memory) == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", 5),
        ("id", None),
        ("title", ["a"]),
        ("status", "asleep"),
        ("status", None),
        ("model", "a\0b"),
        ("system", "a\0b"),
        ("system", "\ud800"),
        ("system", 5),
        ("meta", 5),
        ("created", 5),
        ("created", "yesterday"),
        ("ended", 5),
        ("ended", "yesterday"),
    ],
)
def test_a_session_that_cannot_be_is_refused(memory: Memory, field: str, value: Any) -> None:
    with pytest.raises(InvalidInput, match=rf"^Line 2: .*{field}"):
        memory.import_(lines_of(session={field: value}))
    assert list(memory.sessions()) == []


@pytest.mark.parametrize("line", ['{"session": 5}', '{"session": null}', '{"message": 5}', '{"message": []}', "5", "{"])
def test_a_line_of_another_shape_is_refused(memory: Memory, line: str) -> None:
    with pytest.raises(InvalidInput, match=r"^Line 3: "):
        memory.import_([*lines_of()[:2], line])


@pytest.mark.parametrize("source", [None, 5, [5], [b"{}"]])
def test_what_is_no_text_is_refused(memory: Memory, source: Any) -> None:
    with pytest.raises(InvalidInput):
        memory.import_(source)


class Endless(io.TextIOBase):
    """A file of one line that does not end."""

    def readline(self, size: int | None = -1) -> str:  # type: ignore[override]
        if not size or size < 0:
            raise MemoryError
        return "a" * size


def test_no_line_is_read_that_is_longer_than_any_can_be(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("onrecord.journal.transfer.LONGEST_LINE", 1_000)
    file = tmp_path / "export.jsonl"
    lines = [line + "\n" for line in lines_of(KEPT | {"text": "\1" * 9_900})]
    assert memory.import_(lines).added == 1  # what a message may hold, escaped as far as may be
    file.write_text(lines[0] + "a" * 100_000 + "\n")
    for source in (file, str(file), Endless(), [*lines[:1], "a" * 100_000]):
        with pytest.raises(TooLarge, match=r"^Line [12] has more than 80,000 characters"):
            memory.import_(source)


@pytest.mark.parametrize("place", [None, 5, "a\0b", "", "\ud800", b"x", object()])
def test_what_is_no_place_for_an_export_is_refused(memory: Memory, place: Any) -> None:
    with pytest.raises(InvalidInput, match=r"path|cannot be written|JSON|NoneType|object|int"):
        memory.export(place)
    with pytest.raises(InvalidInput, match=r"path|JSON|NoneType|object|int"):
        memory.import_(place)


@pytest.mark.parametrize("place", [None, 5, "a\0b", "", "\ud800", b"x", "a" * 300])
def test_what_is_no_place_of_a_memory_is_refused(place: Any) -> None:
    with pytest.raises(InvalidInput, match=r"path|File name too long"):
        doctor(place)
    if place is not None:
        with pytest.raises(InvalidInput, match=r"path|File name too long"):
            doctor("x.db", rescue_to=place)


def test_what_is_in_order_is_kept_as_it_stands(memory: Memory) -> None:
    full = KEPT | {
        "role": "assistant",
        "text": "a\ufffdb",
        "original": json.dumps("a\0b"),
        "name": "Ana",
        "time": "2026-05-05T09:00:00+00:00",
        "tokens": 3,
        "overhead": 4,
        "encoding": "cl100k_base",
        "importance": 0.25,
        "model": "m",
        "tool_calls": [{"id": "c", "name": "f"}],
        "meta": {"a": [1, None, "\ud800"]},
        "key": digest("k"),
    }
    assert memory.import_(lines_of(full)).added == 1
    (message,) = everything(memory)
    assert message.to_dict() == full
    out = io.StringIO()
    memory.export(out)
    out.getvalue().encode()
    assert memory.space("copy").import_(out.getvalue().splitlines()).added == 1
    assert list(memory.space("copy").session("s").history()) == [message]


def test_an_original_that_recalled_nothing_new_is_left_out(memory: Memory) -> None:
    memory.import_(lines_of(KEPT | {"original": '"hello"'}))
    assert everything(memory)[0].original is None


# Damage


def test_a_damaged_message_does_not_become_a_sound_one(memory: Memory) -> None:
    lines = lines_of(
        KEPT,
        KEPT | {"seq": 2, "text": "hexlo", "name": "A", "key": "?", "state": "damaged"},
        KEPT | {"seq": 3, "id": "", "text": "wor", "state": "damaged"},
        {"session": "s", "seq": 4, "id": "", "role": "user", "state": "damaged"},
        {"session": "s", "seq": 5, "id": "missing_5", "role": "user", "state": "damaged"},
        KEPT | {"seq": 6, "id": "m6"},
    )
    assert memory.import_(lines).added == 6
    first = everything(memory)
    assert [message.state for message in first] == ["kept", "kept", "kept", "forgotten", "forgotten", "kept"]
    assert [message.text for message in first] == ["hello", "hexlo", "wor", "", "", "hello"]
    assert [dict(message.meta) for message in first[1:3]] == [{"damaged": True}] * 2
    assert all(message.id.startswith("damaged_") and message.key is None for message in first[1:3])
    again = memory.import_(lines)
    assert (again.added, again.present, again.forgotten) == (0, 6, 0)
    assert everything(memory) == first


def test_a_damaged_copy_leaves_the_sound_message_as_it_is(memory: Memory) -> None:
    memory.session("s").add("user", "hello", id="m1")
    report = memory.import_(lines_of(KEPT | {"text": "hexlo", "state": "damaged"}))
    assert (report.added, report.present) == (0, 1)
    assert [message.text for message in everything(memory)] == ["hello"]


@pytest.mark.parametrize("parts", [{"seq": "x"}, {"text": 5}, {"role": "wizard"}, {"time": 5}, {"session": "t"}])
def test_a_damaged_message_is_checked_too(memory: Memory, parts: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput, match=rf"^Line 3: .*{next(iter(parts))}"):
        memory.import_(lines_of(KEPT | {"state": "damaged"} | parts))
    assert everything(memory) == []


def test_a_damaged_session_gets_names_that_can_be(memory: Memory) -> None:
    lines = lines_of(KEPT | {"session": "a\x01"}, session={"id": "a\x01", "title": "\x02", "damaged": True})
    assert memory.import_(lines).added == 1
    assert memory.import_(lines).present == 1
    (info,) = memory.sessions()
    assert info.id.startswith("rescued-")
    assert info.last_seq == 1


def test_a_rescue_goes_on_where_a_message_cannot_be_kept_as_it_is(memory: Memory) -> None:
    odd: Any = {"tokens": "x"}
    info = SessionInfo(id="s")
    found = [
        Message(session="s", seq=1, id="m1", role="user", text="hello"),
        Message(session="s", seq=3, id="m3", role="user", text="odd", **odd),
        Message(session="s", seq=9, id="m9", role="user", text="its number is damaged", state="damaged"),
        Message(session="s", seq=4, id="m4", role="user", text="last"),
    ]
    report = rescue((("default", info, message) for message in found), memory._store, memory._drafter)
    assert (report.sessions, report.added) == (1, 4)
    kept = everything(memory)
    assert [(message.text, message.state) for message in kept] == [
        ("hello", "kept"),
        ("", "forgotten"),
        ("odd", "kept"),
        ("last", "kept"),
    ]
    assert dict(kept[2].meta) == {"damaged": True}


# Derived records


def test_derived_records_come_along(memory: Memory) -> None:
    memory.session("s").add_many([("user", "one"), ("user", "two"), ("user", "three")])
    memory.session("s").update(status="ended")
    memory.session("s").forget(1)
    given = [
        node("n1", 1, 3, fixed=True, body={"text": "“Grüße”", "note": "\ud800", "deep": [1, {"a": None}]}),
        node("n2", 2, 3, level=2, locked=True, recipe="model 2"),
        node("emptied", 1, fixed=True, body=None),
        node("free", kind="pin", plan="manual"),
        node("data", 2, 3, kind="important"),
        node("mark", 1, 3, kind="mark", body={"at": 3}),
    ]
    derive(memory, *given)
    lines = exported(memory)
    "".join(lines).encode()
    assert len(lines) == 1 + 1 + 3 + len(given) + 1
    assert json.loads(lines[-1]) == {"end": {"sessions": 1, "messages": 3, "records": len(given)}}
    assert "changes" not in json.loads(lines[1])["session"]
    copy = memory.space("copy")
    report = copy.import_(lines)
    assert (report.added, report.records) == (3, len(given))
    assert derived(copy) == derived(memory)
    assert len(derived(copy)) == len(given)
    before = copy.session("s").info()
    again = copy.import_(lines)
    assert (again.added, again.present, again.records) == (0, 3, 0)
    assert (derived(copy), copy.session("s").info()) == (derived(memory), before)
    assert exported(copy)[1:] == lines[1:]


def test_a_record_that_is_there_stays_as_it_is(memory: Memory) -> None:
    memory.session("s").add("user", "hello", id="m1")
    derive(memory, node("n1", 1, body={"text": "own"}))
    other = [NODE | {"body": {"text": "other"}}, NODE | {"kind": "pin", "body": {"text": "own"}}]
    assert memory.import_(lines_of(KEPT, records=other)).records == 1
    assert [record.body for record in derived(memory)] == [{"text": "own"}] * 2


def test_a_record_beyond_the_messages_is_left_out(memory: Memory) -> None:
    far = [NODE | {"key": "far", "last": 2, "until": 2}, NODE | {"key": "depends", "until": 2}]
    assert memory.import_(lines_of(KEPT, records=[*far, NODE])).records == 1
    assert [record.key for record in derived(memory)] == ["n1"]


def test_what_came_from_a_message_that_is_forgotten_here_stays_away(memory: Memory) -> None:
    chat = memory.session("s")
    chat.add_many([("user", f"text {number}") for number in range(1, 5)])
    chat.forget(1)
    given = [
        node("of the forgotten there", 1, 2, body={"text": "fine"}),
        node("loose", 2, 4),
        node("fixed", 3, fixed=True),
        node("depends", 2, until=3, fixed=True, locked=True),
        node("other", 4),
        node("free", kind="pin"),
    ]
    derive(memory, *given)
    lines = exported(memory)
    copy = memory.space("copy")
    copy.import_([*lines[:6], json.dumps({"end": {"sessions": 1, "messages": 4}})])
    copy.session("s").forget(3)
    assert copy.import_(lines).records == 5
    left = {record.key: record.body for record in derived(copy)}
    assert left == {
        "of the forgotten there": {"text": "fine"},
        "other": {"text": "of other"},
        "free": {"text": "of free"},
        "fixed": None,  # its place only, so that it is made again
        "depends": None,
    }
    assert copy.import_(lines).records == 0


def test_a_record_says_its_session(memory: Memory) -> None:
    for record in (NODE | {"session": "other"}, NODE | {"session": None}):
        with pytest.raises(InvalidInput, match=r"^Line 4: session .*record"):
            memory.import_(lines_of(KEPT, records=[record]))
    with pytest.raises(InvalidInput, match=r"^Line 2: session"):
        memory.import_([json.dumps(HEAD), json.dumps({"record": NODE})])
    assert len(everything(memory)) == 1


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("kind", "opinion"),
        ("kind", None),
        ("kind", 5),
        ("plan", None),
        ("plan", ""),
        ("plan", "a\0b"),
        ("key", None),
        ("key", ""),
        ("key", ["a"]),
        ("level", -1),
        ("level", "1"),
        ("level", True),
        ("first", -1),
        ("first", 1.5),
        ("first", 2),
        ("last", None),
        ("last", 0),
        ("until", 0),
        ("until", 2**70),
        ("fixed", 1),
        ("fixed", None),
        ("locked", "yes"),
        ("recipe", 5),
        ("recipe", None),
        ("recipe", []),
        ("recipe", "a\0b"),
        ("time", 5),
        ("time", "yesterday"),
        ("time", None),
        ("body", []),
        ("body", "text"),
        ("body", 5),
        ("body", False),
    ],
)
def test_a_record_with_a_field_that_cannot_be_is_refused(memory: Memory, field: str, value: Any) -> None:
    with pytest.raises(InvalidInput, match=rf"^Line 5: .*{field}"):
        memory.import_(lines_of(KEPT, records=[NODE, NODE | {"key": "n2", field: value}]))
    assert [record.key for record in derived(memory)] == ["n1"]  # what stands before it stays


@pytest.mark.parametrize("field", ["session", "kind", "plan", "key"])
def test_a_record_without_a_field_is_refused(memory: Memory, field: str) -> None:
    with pytest.raises(InvalidInput, match=rf"^Line 4: .*{field}"):
        memory.import_(lines_of(KEPT, records=[{name: value for name, value in NODE.items() if name != field}]))


@pytest.mark.parametrize("line", ['{"record": 5}', '{"record": null}', '{"record": []}'])
def test_a_record_of_another_shape_is_refused(memory: Memory, line: str) -> None:
    with pytest.raises(InvalidInput, match=r"^Line 4: record"):
        memory.import_([*lines_of(KEPT)[:-1], line])


def test_records_are_counted_at_the_end(memory: Memory) -> None:
    lines = lines_of(KEPT, records=[NODE, NODE | {"key": "n2"}])
    for end in ({"sessions": 1, "messages": 1}, {"sessions": 1, "messages": 1, "records": 1}):
        with pytest.raises(InvalidInput, match="incomplete"):
            memory.import_([*lines[:-1], json.dumps({"end": end})])
    with pytest.raises(InvalidInput, match="incomplete"):
        memory.import_([*lines[:-2], lines[-1]])
    assert memory.import_(lines).records == 0
    assert len(derived(memory)) == 2


def test_more_records_than_one_transaction_takes(memory: Memory) -> None:
    messages = [KEPT | {"seq": number, "id": f"m{number}"} for number in range(1, 31)]
    records = [
        NODE | {"key": f"n{number}", "first": number % 30 + 1, "last": 30, "until": 30} for number in range(1201)
    ]
    lines = lines_of(*messages, records=records)
    assert memory.import_(lines).records == 1201
    assert len(derived(memory)) == 1201
    assert memory.import_(lines).records == 0


def test_a_rescue_keeps_what_came_from_sound_messages(memory: Memory) -> None:
    found: list[Message | Record] = [
        Message(session="s", seq=1, id="m1", role="user", text="one"),
        Message(session="s", seq=2, id="m2", role="user", state="forgotten", tokens=130),
        Message(session="s", seq=4, id="m4", role="user", text="four"),
        Message(session="s", seq=5, id="", role="user", text="fi?e", state="damaged"),
        node("sound", 4),
        node("damaged", 4, 5),
        node("forgotten", 1, 2),
        node("lost", 3),
        node("fixed", 1, 4, fixed=True),
        node("beyond", 5, 6, fixed=True),
        node("free", kind="pin"),
        node("broken", 1, kind="nonsense"),
    ]
    info = SessionInfo(id="s")
    report = rescue((("default", info, item) for item in found), memory._store, memory._drafter)
    assert (report.added, report.records) == (5, 4)
    left = {record.key: record.body for record in derived(memory)}
    texts = {key: {"text": f"of {key}"} for key in ("sound", "damaged", "free")}
    assert left == texts | {"fixed": None}
    assert [message.tokens for message in everything(memory)][1] == 128


# The end


def test_an_export_that_was_cut_off_is_noticed_wherever_it_was(memory: Memory) -> None:
    memory.session("a").add_many([("user", "one"), ("user", "two")])
    memory.session("b").add("user", "three")
    out = io.StringIO()
    assert memory.export(out) == 1 + 2 + 3 + 1
    lines = out.getvalue().splitlines(keepends=True)
    assert json.loads(lines[-1]) == {"end": {"sessions": 2, "messages": 3}}
    copy = memory.space("copy")
    for cut in range(1, len(lines)):
        with pytest.raises(InvalidInput, match="incomplete"):
            copy.import_(lines[:cut])
        with pytest.raises(InvalidInput, match="incomplete"):
            copy.import_([*lines[:cut], lines[cut][:-2]])
    assert [message.text for message in copy.session("a").history()] == ["one", "two"]
    report = copy.import_(lines)
    assert (report.sessions, report.added, report.present) == (2, 0, 3)


@pytest.mark.parametrize("end", [None, 5, {}, {"sessions": 1}, {"sessions": 2, "messages": 1}, "x"])
def test_other_counts_are_noticed_and_what_came_stays(memory: Memory, end: Any) -> None:
    with pytest.raises(InvalidInput, match="incomplete"):
        memory.import_([*lines_of(KEPT)[:-1], json.dumps({"end": end})])
    assert len(everything(memory)) == 1


def test_nothing_stands_after_the_end_and_an_empty_file_is_refused(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match=r"Line 5: .*after the end"):
        memory.import_([*lines_of(KEPT), *lines_of()])
    assert memory.import_([*lines_of(KEPT), "\n", ""]).present == 1
    for empty in ([], [""], ["\n", " \n"]):
        with pytest.raises(InvalidInput, match="empty"):
            memory.import_(empty)


def test_more_messages_than_one_transaction_takes(memory: Memory) -> None:
    done: list[int] = []
    messages = [KEPT | {"seq": number, "id": f"m{number}"} for number in range(1, 1202)]
    assert memory.import_(lines_of(*messages), progress=done.append).added == 1201
    assert sum(done) == 1201
    assert len(everything(memory)) == 1201


# What is known of a session


@pytest.mark.parametrize("system", ["a\0b", "\ud800", "\ud83d\ude00", 5])
def test_a_system_prompt_that_cannot_be_written_is_refused(memory: Memory, system: Any) -> None:
    chat = memory.session("s")
    chat.update(system="Be kind.")
    with pytest.raises(InvalidInput, match="system"):
        chat.update(system=system)
    assert chat.info().system == "Be kind."


@pytest.mark.parametrize("changes", [{"system": "x" * 10_001}, {"system": "é" * 5_001}, {"meta": {"a": "x" * 10_000}}])
def test_what_is_known_of_a_session_has_the_limit_of_a_message(memory: Memory, changes: dict[str, Any]) -> None:
    with pytest.raises(TooLarge, match="limit is 10,000"):
        memory.session("s").update(**changes)
    with pytest.raises(TooLarge, match=r"^Line 2: .*limit is 10,000"):
        memory.import_(lines_of(session=changes))
    assert list(memory.sessions()) == []
    memory.session("s").update(system="x" * 10_000)


# Many at once


@pytest.mark.parametrize(
    "item",
    [
        {"role": "user", "text": "a", "content": "a"},
        {"role": "user", "text": "a", "content": None},
        {"role": "user"},
        {"text": "a"},
        {"role": "user", "content": None},
        {"role": "user", "content": None, "tool_calls": []},
        {"role": "user", "text": "a", "colour": "red"},
        {"role": "user", "text": "a", "counted": (1, 2, "x")},
        {"role": "user", "text": "a", "self": 1},
        {"role": "user", "text": "a", 5: 1},
        {"role": "user", "text": "x" * 10_001},
        None,
        5,
        "user",
        ("user",),
        ("user", "a", "b"),
    ],
)
def test_an_item_that_cannot_be_taken_is_named_by_its_number(memory: Memory, item: Any) -> None:
    with pytest.raises(InvalidInput, match=r"^Message 2: "):
        memory.session("s").add_many([("user", "fine"), item])
    assert list(memory.sessions()) == []


@pytest.mark.parametrize("items", [None, 5])
def test_what_is_no_list_of_messages_is_refused(memory: Memory, items: Any) -> None:
    with pytest.raises(InvalidInput, match="messages"):
        memory.session("s").add_many(items)


def test_an_assistant_that_only_calls_tools_has_no_content(memory: Memory) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    memory.session("s").add_many([{"role": "assistant", "content": None, "tool_calls": [call]}])
    (message,) = everything(memory)
    assert (message.text, message.tool_calls) == ("", (ToolCall(id="c", name="f"),))


@pytest.mark.parametrize("error", [TypeError("mine"), KeyError("mine"), InvalidInput("mine", "mine")])
def test_the_callers_own_error_passes_through(memory: Memory, error: Exception) -> None:
    def items() -> Iterator[tuple[Any, str]]:
        yield "user", "fine"
        raise error

    with pytest.raises(type(error)) as raised:
        memory.session("s").add_many(items())
    assert raised.value is error
    assert list(memory.sessions()) == []


# Single values


@pytest.mark.parametrize(
    "parts",
    [
        {"tool_calls": 5},
        {"tool_calls": 0},
        {"tool_calls": [{"function": 5}]},
        {"tool_calls": [{"id": "c", "function": None}]},
        {"importance": 10**400},
        {"importance": 10**5000},
        {"role": 10**5000},
    ],
)
def test_values_that_cannot_be_taken_are_refused(memory: Memory, parts: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        memory.session("s").add(**{"role": "assistant", "text": "a"} | parts)
    assert list(memory.sessions()) == []


@pytest.mark.parametrize(
    "question",
    [
        {"role": 5},
        {"role": []},
        {"role": [5]},
        {"role": ""},
        *({name: value} for name in ("after", "before", "limit", "last") for value in (2**63, 10**5000, -1, 1.5, True)),
    ],
)
def test_questions_that_cannot_be_asked_are_refused(memory: Memory, question: dict[str, Any]) -> None:
    memory.session("s").add("user", "a")
    with pytest.raises(InvalidInput, match=next(iter(question))):
        memory.session("s").history(**question)


@pytest.mark.parametrize("name", ["after", "before", "limit", "last"])
def test_the_largest_number_can_be_asked_for(memory: Memory, name: str) -> None:
    memory.session("s").add("user", "a")
    question: dict[str, Any] = {name: 2**62}
    assert len(list(memory.session("s").history(**question))) == (name != "after")


def test_a_clock_needs_a_zone_and_times_come_back_in_utc() -> None:
    for clock in (lambda: datetime(2026, 5, 5), lambda: 5):
        with pytest.raises(InvalidInput, match="clock"):
            Memory(":memory:", clock=clock)  # type: ignore[arg-type]
    east = datetime(2026, 5, 5, 14, tzinfo=timezone(timedelta(hours=2)))
    with Memory(":memory:", clock=lambda: east) as memory:
        memory.session("s").add("user", "a")
        created = memory.session("s").info().created
        assert created is not None
        times = [everything(memory)[0].time, created]
    assert [(time, time.tzinfo) for time in times] == [(east, UTC)] * 2


HUGE = 10**5_000  # of more digits than Python writes


@pytest.mark.parametrize(
    "call",
    [
        lambda memory, chat: chat.rescore(0.5),
        lambda memory, chat: list(chat.summaries(plan=[])),
        lambda memory, chat: list(chat.summaries(plan=10**30)),
        lambda memory, chat: list(chat.summaries(plan="\ud800")),
        lambda memory, chat: list(chat.summaries(plan="blanced")),
        lambda memory, chat: list(chat.summaries(level="one")),
        lambda memory, chat: list(chat.summaries(level=-1)),
        lambda memory, chat: memory.search("x", weights=[]),
        lambda memory, chat: memory.search("x", weights=HUGE),
        lambda memory, chat: memory.search("x", weights={"words": HUGE}),
        lambda memory, chat: memory.search("x", kinds=HUGE),
        lambda memory, chat: chat.forget(HUGE),
        lambda memory, chat: memory.forget(session="s", messages=float("nan")),
        lambda memory, chat: import_file(memory, None),  # type: ignore[arg-type]
        lambda memory, chat: import_file(memory, io.StringIO("{}")),  # type: ignore[arg-type]
        lambda memory, chat: Memory(HUGE),  # type: ignore[arg-type]
        lambda memory, chat: Memory(":memory:", clock=5),  # type: ignore[arg-type]
        lambda memory, chat: Memory(":memory:", profile=HUGE),  # type: ignore[arg-type]
        lambda memory, chat: Memory(":memory:", options={"tokens": HUGE}),
    ],
)
def test_what_no_argument_can_be_is_refused_by_name(memory: Memory, call: Callable[[Memory, Session], object]) -> None:
    chat = memory.session("s")
    chat.add("user", "Hello there")
    with pytest.raises((InvalidInput, InvalidSetting)):
        call(memory, chat)


@pytest.mark.parametrize("name", ["search", "facts"])
def test_an_argument_that_a_method_has_not_is_named_with_the_method(memory: Memory, name: str) -> None:
    arguments = ("x",) if name == "search" else ()
    with pytest.raises(TypeError, match=rf"^{name}\(\) got an unexpected keyword argument 'limt'$"):
        getattr(memory.session("s"), name)(*arguments, limt=2)


def test_a_number_that_no_message_had_is_not_found(memory: Memory) -> None:
    chat = memory.session("s")
    chat.add_many([("user", "one"), ("user", "two")])
    for numbers in ((3,), (99, 3)):
        with pytest.raises(NotFound, match="no message 3 in session 's'"):
            chat.forget(*numbers)
    assert chat.forget(1, 99).messages == 1
    assert chat.forget(1).messages == 0  # it was there
