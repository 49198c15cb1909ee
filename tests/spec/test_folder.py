"""t19: a memory as a folder of JSON that people read, edit while nothing runs, and follow in version control."""

from __future__ import annotations

import difflib
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from onrecord import InvalidInput, Memory
from onrecord.ports import Batch
from onrecord.records import Change, Episode, Fact, Query, Record

NOON = datetime(2026, 5, 5, 12, tzinfo=UTC)
TRAIN = "We take the night train to Porto."


def fact(number: int, text: str) -> Record:
    known = Fact(id=f"fact_{number}", session="trip", kind="fact", text=text, sources=(1,), said=NOON, extracted=NOON)
    return known.record("notes")


def keep(memory: Memory, *records: Record) -> None:
    memory._store.commit(Batch(space="default", session="trip", records=records, time=NOON))


def facts(memory: Memory) -> dict[str, str]:
    found = memory._store.records("default", "trip", Query(kind="fact", plan="notes"))
    return {record.key: (record.body or {})["text"] for record in found}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder with something of everything."""
    with Memory(f"{tmp_path}/.project-memory/", summarize="manual") as memory:
        chat = memory.session("trip")
        chat.add("user", TRAIN, name="Ana", time=NOON)
        chat.add("assistant", "Noted.", time=NOON)
        chat.pin("Window seat, please")
        chat.summarize(first=1, last=2)
        keep(memory, fact(1, "Ana takes the night train."), fact(2, "The train goes to Porto."))
        change = Change(id="change_1", of="fact_1", session="trip", status="active", why="said twice", time=NOON)
        episode = Episode(id="episode_1", session="trip", kind="decision", title="The night train", first=1, last=2)
        keep(memory, change.record(1, 1), episode.record("notes"))
        memory.session("other").add("user", "Something else.", time=NOON)
    return tmp_path / ".project-memory"


def opened(root: Path) -> Memory:
    return Memory(f"{root}/", summarize="manual")


def sheet(root: Path, name: str = "trip") -> Path:
    return root / "default" / f"{name}.jsonl"


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def edit(path: Path, kind: str, key: str, work: Callable[[dict[str, Any]], object]) -> int:
    """Change what a line says, as a person does; returns its number."""
    found = lines(path)
    ((number, line),) = [
        (number, line["record"])
        for number, line in enumerate(found, 1)
        if line.get("record", {}).get("kind") == kind and key in json.dumps(line)
    ]
    work(line)
    path.write_text("".join(json.dumps(line) + "\n" for line in found))
    return number


def looks(root: Path) -> dict[str, tuple[int, int, bytes]]:
    paths = [path for path in root.rglob("*.jsonl") if path.is_file()]
    stats = {str(path): path.stat() for path in paths}
    return {name: (stat.st_ino, stat.st_mtime_ns, Path(name).read_bytes()) for name, stat in stats.items()}


def test_t19_the_files_are_there_and_people_can_read_them(root: Path) -> None:
    assert sorted(path.relative_to(root).as_posix() for path in root.rglob("*.json*")) == [
        "default/other.jsonl",
        "default/trip.jsonl",
        "onrecord.json",
    ]
    first, session, *rest = lines(sheet(root))
    assert (first["space"], session["session"]["id"]) == ("default", "trip")
    messages = [line["message"] for line in rest if "message" in line]
    assert [(one["seq"], one.get("name"), one["text"]) for one in messages] == [(1, "Ana", TRAIN), (2, None, "Noted.")]
    records = [line["record"] for line in rest if "record" in line]
    assert {one["kind"] for one in records} >= {"summary", "pin", "fact", "change", "episode"}
    assert "Ana takes the night train." in [one["body"].get("text") for one in records if one["kind"] == "fact"]
    assert "null" not in sheet(root).read_text()


def test_t19_an_acknowledged_message_is_on_disk_before_the_flush(tmp_path: Path) -> None:
    with Memory(f"{tmp_path}/notes/") as memory:
        memory.session("trip").add("user", TRAIN)
        assert any(b"night train" in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
        assert not (tmp_path / "notes" / "default").exists()
        memory.flush()
        assert (tmp_path / "notes" / "default" / "trip.jsonl").exists()


def test_t19_only_what_changed_is_written(root: Path) -> None:
    before = looks(root)
    with opened(root) as memory:
        assert len(list(memory.session("trip").history())) == 2
        memory.flush()
    assert looks(root) == before
    with opened(root) as memory:
        keep(memory, fact(3, "The train is late."))
    after = looks(root)
    assert [Path(name).name for name in before if before[name] != after[name]] == ["trip.jsonl"]


def test_t19_one_new_fact_is_a_line_of_a_diff(root: Path) -> None:
    before = sheet(root).read_text().splitlines()
    with opened(root) as memory:
        keep(memory, fact(3, "The train is late."))
    after = sheet(root).read_text().splitlines()
    changed = [line for line in difflib.ndiff(before, after) if line[0] in "+-"]
    assert len(changed) == 1
    assert "The train is late." in changed[0]


def test_t19_the_conversations_end_is_in_its_sheet(tmp_path: Path) -> None:
    with Memory(f"{tmp_path}/notes/") as memory:
        memory.session("trip").add("user", TRAIN)
        memory.session("trip").end("They go by train.")
        text = (tmp_path / "notes" / "default" / "trip.jsonl").read_text()
        assert '"status":"ended"' in text
        assert "They go by train." in text


def test_t19_what_a_person_edits_is_there_again(root: Path) -> None:
    edit(sheet(root), "fact", "fact_2", lambda record: record["body"].update(text="The train goes to Faro."))
    edit(sheet(root), "pin", "Window", lambda record: record["body"].update(text="Aisle seat, please"))
    edit(sheet(root), "episode", "episode_1", lambda record: record["body"].update(title="The day train"))
    edit(sheet(root), "summary", "", lambda record: record["body"].update(text="They go by train."))
    found = lines(sheet(root))
    found[1]["session"]["title"] = "To Faro"
    sheet(root).write_text("\n".join(json.dumps(line, indent=None) for line in found))
    for _ in range(2):  # and stays there
        with opened(root) as memory:
            chat = memory.session("trip")
            assert facts(memory)["fact_2"] == "The train goes to Faro."
            (pin,) = chat.pins()
            assert pin.text == "Aisle seat, please"
            assert chat.info().title == "To Faro"
            (episode,) = memory._store.records("default", "trip", Query(kind="episode", plan="notes"))
            assert (Episode.of(episode).title, episode.locked, episode.recipe) == ("The day train", True, "hand")
            (summary,) = chat.summaries()
            assert (summary.text, summary.locked, summary.method) == ("They go by train.", True, "hand")
            assert "The train goes to Faro." in [hit.text for hit in memory.search("Faro", kinds=["fact"])]
            assert "The train goes to Porto." not in [hit.text for hit in memory.search("train", kinds=["fact"])]


def test_t19_an_edited_fact_stays_when_all_is_made_again(tmp_path: Path) -> None:
    root = tmp_path / "notes"
    with Memory(f"{root}/") as memory:
        memory.session("trip").add("user", "I'm allergic to penicillin.", time=NOON)
        memory.session("trip").add("user", "I live in Porto.", time=NOON)
        assert len(memory.facts()) == 2
    rash = "user gets a rash from penicillin"
    edit(sheet(root), "fact", "penicillin", lambda record: record["body"].update(text=rash))
    for _ in range(2):
        with Memory(f"{root}/") as memory:
            memory.rebuild()
            texts = [fact.text for fact in memory.facts()]
            assert [text for text in texts if "penicillin" in text] == [rash]
            assert len(texts) == 2


def test_t19_an_edited_message_is_refused_with_its_line(root: Path) -> None:
    before = sheet(root).read_text()
    sheet(root).write_text(before.replace("Noted.", "Noted, thank you."))
    edited = looks(root)
    with pytest.raises(InvalidInput, match=r"default/trip\.jsonl, line 4: Message 2 is not as it was kept") as refused:
        opened(root)
    assert "version control" in refused.value.hint
    assert looks(root) == edited
    sheet(root).write_text(before)
    with opened(root) as memory:
        assert [message.text for message in memory.session("trip").history()] == [TRAIN, "Noted."]


def test_t19_a_broken_line_is_refused_and_nothing_is_taken_in(root: Path) -> None:
    edit(sheet(root, "trip"), "fact", "fact_1", lambda record: record["body"].update(text="Ana takes the bus."))
    whole = sheet(root, "other").read_text()
    sheet(root, "other").write_text(whole + '{"record": {"kind": "fact"')
    with pytest.raises(InvalidInput, match=r"default/other\.jsonl, line 4: This is not a JSON object"):
        opened(root)
    sheet(root, "other").write_text(whole)
    with opened(root) as memory:
        assert facts(memory)["fact_1"] == "Ana takes the bus."


def test_t19_lines_that_are_taken_out_come_again(root: Path) -> None:
    before = sheet(root).read_text()
    sheet(root).write_text("".join(before.splitlines(keepends=True)[:3]))
    sheet(root, "other").unlink()
    with opened(root) as memory:
        assert len(facts(memory)) == 2
        assert len(list(memory.session("trip").history())) == 2
    assert sheet(root).read_text() == before
    assert sheet(root, "other").exists()


def test_t19_the_sheets_alone_are_a_whole_memory(root: Path, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    shutil.copytree(root, clone, ignore=shutil.ignore_patterns("memory.db*", ".lock"))
    with opened(root) as memory, opened(clone) as copy:
        for one in memory.sessions():
            again = copy.session(one.id)
            assert list(again.history()) == list(memory.session(one.id).history())
            assert replace(again.info(), changes=0) == replace(memory.session(one.id).info(), changes=0)
        assert facts(copy) == facts(memory)
        assert list(copy.session("trip").pins()) == list(memory.session("trip").pins())
        assert list(copy.session("trip").summaries()) == list(memory.session("trip").summaries())
    assert sheet(clone).read_bytes() == sheet(root).read_bytes()


def test_t19_what_was_pulled_is_taken_in(root: Path, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    shutil.copytree(root, clone, ignore=shutil.ignore_patterns("memory.db*", ".lock"))
    with opened(clone) as copy:
        copy.session("trip").add("user", "And back?", time=NOON)
        copy.session("new").add("user", "Another one.", time=NOON)
        keep(copy, fact(3, "The train is late."))
    for name in ("trip", "new"):
        shutil.copy(sheet(clone, name), sheet(root, name))
    with opened(root) as memory:
        assert [message.text for message in memory.session("trip").history()] == [TRAIN, "Noted.", "And back?"]
        assert [message.text for message in memory.session("new").history()] == ["Another one."]
        assert facts(memory)["fact_3"] == "The train is late."
    assert sheet(root).read_bytes() == sheet(clone).read_bytes()


@pytest.mark.parametrize("target", [{"session": "trip", "messages": [1]}, {"session": "trip"}, {"space": "default"}])
def test_t19_nothing_forgotten_stays_in_a_sheet(root: Path, target: dict[str, Any]) -> None:
    with opened(root) as memory:
        assert not memory.forget(**target).pending
        assert not any(b"night train" in path.read_bytes() for path in root.rglob("*") if path.is_file())
        assert sheet(root).exists() == ("messages" in target)
        assert sheet(root, "other").exists() == ("session" in target)
    with opened(root) as memory:
        assert [one.id for one in memory.sessions()] == {1: [], 2: ["other", "trip"]}.get(len(target), []) or len(
            target
        ) == 1
