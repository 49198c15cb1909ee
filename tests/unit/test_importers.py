"""Chats into a memory, on every store and over a service: once, whole, with their times; what is gone stays gone."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from client_tools import Wire, a_wire
from hypothesis import given
from hypothesis import strategies as st
from importer_tools import BEGUN, FORMATS, WHOLE, chatgpt, claude, damages, node, trees, write, write_zip
from postgres_tools import empty_store_url

from onrecord import InvalidInput, Memory, Session, StoreFull
from onrecord.importers import bringing, chat_jsonl, import_file


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    with a_wire() as found:
        yield found


@pytest.fixture(params=[":memory:", "memory.db", "folder/", "postgresql", "http"])
def memory(request: pytest.FixtureRequest, tmp_path: Path, wire: Wire) -> Iterator[Memory]:
    settings: dict[str, Any] = {"durability": "process", "max_message_bytes": 10_000, "embedder": None}
    with Memory(_place(request.param, tmp_path), **settings) as opened:
        if request.param != "http":
            yield opened
            return
        with Memory(wire.add(opened)) as remote:
            yield remote


def _place(name: str, folder: Path) -> str:
    if name == "postgresql":
        return empty_store_url("imports")
    return ":memory:" if name in (":memory:", "http") else os.path.join(folder, name)


@pytest.fixture
def plain() -> Iterator[Memory]:
    with Memory(":memory:", embedder=None, max_message_bytes=10_000) as opened:
        yield opened


def texts(memory: Memory, session: str) -> list[str]:
    return [message.text for message in memory.session(session).history()]


def test_a_chat_comes_in_with_its_times_and_its_title(memory: Memory, tmp_path: Path) -> None:
    export = write_zip(tmp_path / "e.zip", [chatgpt("c1", ["Where?", "In Lisbon."]), chatgpt("c2", ["Hello \ud83d"])])
    view = memory.space("ana")
    report = import_file(view, export)
    assert (report.format, report.conversations, report.added, report.failed) == ("chatgpt", 2, 3, 0)
    assert report.sessions == ("chatgpt:c1", "chatgpt:c2")
    asked, told = view.session("chatgpt:c1").history()
    assert (asked.id, asked.role, asked.time) == ("c1-0", "user", datetime.fromtimestamp(BEGUN, UTC))
    assert (told.text, told.model) == ("In Lisbon.", "gpt-4o")
    assert (asked.meta, told.meta) == ({"imported": True}, {"imported": True})  # anybody may have written it
    info = view.session("chatgpt:c1").info()
    assert (info.title, info.meta) == (
        "Chat c1",
        {"origin": "chatgpt", "id": "c1", "created": "2023-11-14T22:13:20+00:00"},
    )
    assert texts(view, "chatgpt:c2") == ["Hello \ufffd"]
    assert list(memory.sessions()) == []  # nothing of it in another space


def test_twice_changes_nothing(memory: Memory, tmp_path: Path) -> None:
    export = write(tmp_path / "e.json", [claude("u1", ["A", "B \udc00"]), claude("u2", ["C"])])
    first = import_file(memory, export)
    before = [(info, list(memory.session(info.id).history())) for info in memory.sessions()]
    again = import_file(memory, export)
    assert (first.added, first.present) == (3, 0)
    assert (again.added, again.present, again.changed) == (0, 3, 0)
    assert [(info, list(memory.session(info.id).history())) for info in memory.sessions()] == before


def test_a_newer_export_adds_what_is_new(memory: Memory, tmp_path: Path) -> None:
    import_file(memory, write(tmp_path / "old", [chatgpt("c1", ["A", "B"])]))
    newer = [chatgpt("c0", ["New"]), chatgpt("c1", ["A", "B, and more", "C", "D"])]
    report = import_file(memory, write(tmp_path / "new", newer))
    assert (report.added, report.present, report.changed) == (3, 1, 1)
    assert texts(memory, "chatgpt:c1") == ["A", "B", "C", "D"]  # what was here first stays


def test_an_edited_question_goes_on_behind(memory: Memory, tmp_path: Path) -> None:
    first = [node("q", "root"), node("a", "q", "assistant")]
    import_file(memory, write(tmp_path / "old", [trees(*first)]))
    edited = [node("q2", "root"), node("a2", "q2", "assistant")]
    report = import_file(memory, write(tmp_path / "new", [trees(*first, *edited)]))
    assert (report.added, report.left_out) == (2, {"other branches": 2})
    assert [message.id for message in memory.session("chatgpt:c1").history()] == ["q", "a", "q2", "a2"]


def test_what_was_forgotten_stays_so(memory: Memory, tmp_path: Path) -> None:
    export = write(tmp_path / "e", [chatgpt("c1", ["A", "A secret", "B"])])
    import_file(memory, export)
    memory.session("chatgpt:c1").forget("c1-1")
    report = import_file(memory, export)
    assert (report.added, report.present, report.forgotten) == (0, 2, 1)
    assert texts(memory, "chatgpt:c1") == ["A", "B"]


def test_stopped_in_the_middle_it_goes_on(memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bringing, "BATCH", 4)
    export = write(tmp_path / "e", [chatgpt(f"c{at}", [f"Text {number}" for number in range(10)]) for at in range(3)])
    real, calls = type(memory.session("x")).add_many, 0

    def failing(self: Session, messages: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 5:
            raise StoreFull("There is no room left.", "Free some disk space.")
        return real(self, messages)

    with monkeypatch.context() as patch:
        patch.setattr(type(memory.session("x")), "add_many", failing)
        with pytest.raises(StoreFull):
            import_file(memory, export)
    report = import_file(memory, export)
    assert (report.added, report.present) == (16, 14)
    for at in range(3):
        assert texts(memory, f"chatgpt:c{at}") == [f"Text {number}" for number in range(10)]


def test_one_bad_conversation_does_not_hold_up_others(memory: Memory, tmp_path: Path) -> None:
    bad = chatgpt("c1", ["A"]) | {"mapping": 5}
    long = chatgpt("c2", ["Short", "x" * 20_000, "Short too"])
    unnamed = chatgpt("c" * 510, ["A"])  # with what stands before it, no session's id
    report = import_file(memory, write(tmp_path / "e", [bad, 7, long, unnamed, chatgpt("c3", ["Good"])]))
    assert (report.added, report.failed) == (3, 4)
    assert [one.where for one in report.failures] == [
        "conversation 1 (Chat c1)",
        "conversation 2",
        "conversation 3 (Chat c2), message c2-1",
        f"conversation 4 (Chat {'c' * 55})",
    ]
    assert "bytes; the limit is 10,000." in report.failures[2].what
    assert texts(memory, "chatgpt:c2") == ["Short", "Short too"]


def test_a_dry_run_writes_nothing(memory: Memory, tmp_path: Path) -> None:
    import_file(memory, write(tmp_path / "old", [chatgpt("c1", ["A"])]))
    export = write(tmp_path / "new", [chatgpt("c1", ["A", "B"]), chatgpt("c2", ["C", ""]), 5])
    report = import_file(memory, export, dry_run=True)
    assert (report.added, report.present, report.failed, report.dry_run) == (2, 1, 1, True)
    assert report.left_out == {"empty": 1}
    assert [info.id for info in memory.sessions()] == ["chatgpt:c1"]
    assert texts(memory, "chatgpt:c1") == ["A"]
    assert import_file(memory, export).added == 2


def test_sessions_may_take_turns(memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat_jsonl, "GATHERED", 10)
    monkeypatch.setattr(bringing, "REMEMBERED", 2)
    rows = [json.dumps({"role": "user", "content": f"{at // 5}", "session": f"s{at % 5}"}) for at in range(60)]
    path = write(tmp_path / "f.jsonl", rows)
    first, again = import_file(memory, path), import_file(memory, path)
    assert (first.conversations, first.added, again.added, again.present) == (5, 60, 0, 60)
    for at in range(5):
        assert texts(memory, f"s{at}") == [str(number) for number in range(12)]
    grown = write(path, [*rows, json.dumps({"role": "assistant", "content": "0", "session": "s0"})])
    assert import_file(memory, grown).added == 1


def test_tool_calls_come_in(memory: Memory, tmp_path: Path) -> None:
    call = {"id": "t1", "type": "function", "function": {"name": "find", "arguments": '{"a": 1}'}}
    turns = [{"role": "assistant", "content": None, "tool_calls": [call]}]
    turns += [{"role": "tool", "content": "7", "tool_call_id": "t1"}]
    path = write(tmp_path / "f", {"messages": turns})
    assert import_file(memory, path, session="work").added == 2
    assert import_file(memory, path, session="work").present == 2
    asked, told = memory.session("work").history()
    assert (asked.tool_calls[0].name, asked.tool_calls[0].arguments, told.tool_call_id) == ("find", '{"a": 1}', "t1")


# What does not depend on the store


def test_somebody_elses_title_stays(plain: Memory, tmp_path: Path) -> None:
    chat = plain.session("chatgpt:c1")
    chat.update(title="Mine", meta={"own": 1})
    import_file(plain, write(tmp_path / "e", [chatgpt("c1", ["A"])]))
    assert (chat.info().title, chat.info().meta) == ("Mine", {"own": 1})


def test_a_conversation_without_messages_makes_no_session(plain: Memory, tmp_path: Path) -> None:
    report = import_file(plain, write(tmp_path / "e", [chatgpt("c1", []), chatgpt("c2", [""])]))
    assert (report.conversations, report.added, report.left_out) == (2, 0, {"empty": 1})
    assert list(plain.sessions()) == []


def test_summaries_and_facts_follow(plain: Memory, tmp_path: Path) -> None:
    said = [f"We talked about place {at} of the trip to Lisbon." for at in range(60)]
    import_file(plain, write(tmp_path / "e", [chatgpt("c1", ["I'm allergic to penicillin.", *said])]))
    assert list(plain.session("chatgpt:c1").summaries())
    assert any("penicillin" in fact.text for fact in plain.facts())


def test_batches_fit_into_a_request(plain: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    real = Session.add_many

    def counted(self: Session, messages: Any) -> Any:
        sizes.append(len(messages))
        return real(self, messages)

    monkeypatch.setattr(Session, "add_many", counted)
    monkeypatch.setattr(bringing, "LONGEST", 1_000)
    import_file(plain, write(tmp_path / "e", [chatgpt("c1", ["x" * 400] * 4 + ["y" * 5_000] + ["z"] * 600)]))
    assert sizes == [2, 2, 1, 500, 100]


def test_somebody_else_was_quicker(plain: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between looking and adding, others may bring in the same, or something else, or forget it."""
    export = write(tmp_path / "e", [chatgpt("c1", ["A", "B", "C", "D"])])
    chat = plain.session("chatgpt:c1")
    chat.add("user", "A", id="c1-0")
    chat.add("assistant", "Other", id="c1-1")
    chat.add("user", "C", id="c1-2")
    chat.forget("c1-2")
    monkeypatch.setattr(bringing._ImportRun, "_existing_of", lambda run, session: {})
    report = import_file(plain, export)
    assert (report.present, report.changed, report.forgotten, report.added) == (1, 1, 1, 1)
    assert texts(plain, "chatgpt:c1") == ["A", "Other", "D"]


def test_only_so_many_failures_are_listed(plain: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bringing, "LISTED", 3)
    report = import_file(plain, write(tmp_path / "e", [chatgpt("c1", ["A"]), 1, 2, 3, 4, 5]))
    assert (report.failed, len(report.failures), report.added) == (5, 3, 1)


def test_own_exports_go_another_way(plain: Memory, tmp_path: Path) -> None:
    plain.export(tmp_path / "own.jsonl")
    with pytest.raises(InvalidInput, match=r"memory\.import_"):
        import_file(plain, tmp_path / "own.jsonl")


def test_progress_tells_of_bytes(plain: Memory, tmp_path: Path) -> None:
    export = write(tmp_path / "e", [chatgpt("c1", ["A"] * 30)])
    steps: list[int] = []
    import_file(plain, export, progress=steps.append)
    assert sum(steps) == export.stat().st_size


@given(st.data(), FORMATS)
def test_whatever_a_file_holds_it_is_reported(data: st.DataObject, format: str) -> None:
    value = data.draw(damages(WHOLE[format]))
    good = WHOLE[format] | {"id": "good", "conversation_id": "good", "uuid": "good"}
    text = json.dumps([value, good])
    with Memory(":memory:", embedder=None, summarize="manual") as memory:
        how = {"format": format} | ({"session": "s"} if format == "jsonl" else {})
        report = import_file(memory, BytesIO(text.encode()), **how)  # type: ignore[arg-type]
        again = import_file(memory, BytesIO(text.encode()), **how)  # type: ignore[arg-type]
        assert any("good" in info.id for info in memory.sessions())
        assert (again.added, again.failed) == (0, report.failed)
