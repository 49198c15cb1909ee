"""t19: a memory as a folder of JSON files that people read, edit while nothing runs, and follow in version control."""

from __future__ import annotations

import difflib
import json
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory, StoreDamaged
from recollect.ports import Batch
from recollect.records import Change, Episode, Fact, Query, Record

NOON = datetime(2026, 5, 5, 12, tzinfo=UTC)
SHEETS = ["conversation-chunks.json", "conversations.json", "conversations/trip.json", "episodic-memory.json"]
SHEETS += ["long-term-memory.json", "pins.json"]


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
        chat.add("user", "We take the night train to Porto.", name="Ana", time=NOON)
        chat.add("assistant", "Noted.", time=NOON)
        chat.pin("Window seat, please")
        chat.summarize(first=1, last=2)
        keep(memory, fact(1, "Ana takes the night train."), fact(2, "The train goes to Porto."))
        change = Change(id="change_1", of="fact_1", session="trip", status="active", why="said twice", time=NOON)
        episode = Episode(id="episode_1", session="trip", kind="decision", title="The night train", first=1, last=2)
        keep(memory, change.record(1, 1), episode.record("notes"))
    return tmp_path / ".project-memory"


def opened(root: Path) -> Memory:
    return Memory(f"{root}/", summarize="manual")


def sheet(root: Path, name: str) -> Path:
    return root / "default" / name


def edit(root: Path, name: str, work: Callable[[dict[str, Any]], object]) -> None:
    content = json.loads(sheet(root, name).read_text())
    work(content)
    sheet(root, name).write_text(json.dumps(content, indent=2))


def looks(root: Path) -> dict[str, tuple[int, int, bytes]]:
    paths = [path for path in root.rglob("*") if path.is_file()]
    stats = {str(path): path.stat() for path in paths}
    return {name: (stat.st_ino, stat.st_mtime_ns, Path(name).read_bytes()) for name, stat in stats.items()}


def test_t19_the_files_are_there_and_people_can_read_them(root: Path) -> None:
    inside = [path.relative_to(root / "default").as_posix() for path in sheet(root, "").rglob("*.json")]
    assert sorted(inside) == SHEETS
    known = json.loads(sheet(root, "long-term-memory.json").read_text())
    assert [entry["text"] for entry in known["facts"]][-2:] == [
        "Ana takes the night train.",
        "The train goes to Porto.",
    ]
    assert known["changes"][0]["why"] == "said twice"
    first, _ = json.loads(sheet(root, "conversations/trip.json").read_text())["messages"]
    assert (first["number"], first["name"], first["text"]) == (1, "Ana", "We take the night train to Porto.")
    for name in SHEETS:
        text = sheet(root, name).read_text()
        assert not {"crc", "tokens", "order", "null"} & set(text.replace('"', " ").split())


def test_t19_an_acknowledged_message_is_on_disk_before_the_flush(tmp_path: Path) -> None:
    with Memory(f"{tmp_path}/notes/") as memory:
        memory.session("trip").add("user", "We take the night train.")
        assert any(b"night train" in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
        assert not (tmp_path / "notes" / "default").exists()
        memory.flush()
        assert (tmp_path / "notes" / "default" / "conversations" / "trip.json").exists()


def test_t19_only_what_changed_is_written(root: Path) -> None:
    before = looks(root)
    with opened(root) as memory:
        assert len(list(memory.session("trip").history())) == 2
        memory.flush()
    assert looks(root) == before
    with opened(root) as memory:
        keep(memory, fact(3, "The train is late."))
    after = looks(root)
    changed = {Path(name).name for name in before if "default" in name and before[name] != after[name]}
    assert changed == {"long-term-memory.json"}


def test_t19_one_new_fact_is_a_few_lines_of_a_diff(root: Path) -> None:
    before = sheet(root, "long-term-memory.json").read_text().splitlines()
    with opened(root) as memory:
        keep(memory, fact(3, "The train is late."))
    after = sheet(root, "long-term-memory.json").read_text().splitlines()
    lines = [line for line in difflib.ndiff(before, after) if line[0] in "+-"]
    assert 0 < len(lines) < 15
    assert sum("The train is late." in line for line in lines) == 1


def test_t19_what_a_person_edits_is_there_again(root: Path) -> None:
    edit(root, "long-term-memory.json", lambda content: content["facts"][-1].update(text="The train goes to Faro."))
    edit(root, "pins.json", lambda content: content["pins"][0].update(text="Aisle seat, please"))
    edit(root, "conversations/trip.json", lambda content: content["messages"][1].update(text="Noted, thank you."))
    edit(root, "conversations.json", lambda content: content["conversations"][0].update(title="To Faro"))
    edit(root, "episodic-memory.json", lambda content: content["episodes"][0].update(title="The day train"))
    edit(root, "conversation-chunks.json", lambda content: content["summaries"][0].update(text="They go by train."))
    for _ in range(2):  # and stays there
        with opened(root) as memory:
            chat = memory.session("trip")
            assert facts(memory)["fact_2"] == "The train goes to Faro."
            (pin,) = chat.pins()
            assert pin.text == "Aisle seat, please"
            assert [message.text for message in chat.history()][1] == "Noted, thank you."
            assert chat.info().title == "To Faro"
            (episode,) = memory._store.records("default", "trip", Query(kind="episode", plan="notes"))
            assert (Episode.of(episode).title, episode.locked, episode.recipe) == ("The day train", True, "hand")
            (summary,) = chat.summaries()
            assert (summary.text, summary.locked, summary.method) == ("They go by train.", True, "hand")
            assert "The train goes to Faro." in [hit.text for hit in memory.search("Faro", kinds=["fact"])]
            assert "The train goes to Porto." not in [hit.text for hit in memory.search("train", kinds=["fact"])]


def told(root: Path) -> str:
    """All that a memory says of the allergy: facts, what searches find, and prompts."""
    with Memory(f"{root}/") as memory:
        chat = memory.session("doctor")
        said = [fact.text for fact in memory.facts(status=None)] + [hit.text for hit in memory.search("allergic to")]
        said += [str(chat.context(asked).messages()) for asked in ("What am I allergic to?", "Which pills may I take?")]
        said += [str(chat.context("What am I allergic to?", tokens=200).messages())]
        said += [summary.text for summary in chat.summaries()] + [str(chat.important())]
        said += [f"{episode.title} {episode.summary}" for episode in memory.episodes()]
        return "\n".join(said)


def test_t19_nothing_outlives_what_a_message_said(tmp_path: Path) -> None:
    root = tmp_path / "notes"
    with Memory(f"{root}/") as memory:
        chat = memory.session("doctor")
        chat.add("user", "I'm allergic to penicillin.", time=NOON)
        chat.add("assistant", "I will keep that in mind.", time=NOON)
        for number in range(40):
            chat.add("user", f"On day {number} I walked {number + 2} miles along the canal.", time=NOON)
        chat.pin("Ask before any pills")
        chat.summarize()
        assert any("penicillin" in summary.text for summary in chat.summaries())
        memory.add_fact("The clinic opens at nine.", session="doctor")
        walks = len(memory.facts())
    assert "penicillin" in told(root)
    path = sheet(root, "conversations/doctor.json")
    path.write_text(path.read_text().replace("I'm allergic to penicillin.", "I'm allergic to aspirin."))
    said = told(root)
    assert "penicillin" not in said
    with Memory(f"{root}/") as memory:
        assert [fact.text for fact in memory.facts() if "allergic" in fact.text] == ["I'm allergic to aspirin."]
        assert len(memory.facts()) == walks
        assert "The clinic opens at nine." in [fact.text for fact in memory.facts()]
        chat = memory.session("doctor")
        assert "Ask before any pills" in [pin.text for pin in chat.pins()]
        assert any("aspirin" in pin.text for pin in chat.pins() if pin.type == "auto")
        assert "aspirin" in str(chat.context("What am I allergic to?", tokens=200).messages())
    assert not any(b"penicillin" in path.read_bytes() for path in root.rglob("*") if path.is_file())


def test_t19_an_edited_fact_stays_when_all_is_made_again(tmp_path: Path) -> None:
    root = tmp_path / "notes"
    with Memory(f"{root}/") as memory:
        memory.session("doctor").add("user", "I'm allergic to penicillin.", time=NOON)
        memory.session("doctor").add("user", "I live in Porto.", time=NOON)
        assert len(memory.facts()) == 2

    def corrected(content: dict[str, Any]) -> None:
        (entry,) = [entry for entry in content["facts"] if "penicillin" in entry["text"]]
        entry["text"] = "user gets a rash from penicillin"

    edit(root, "long-term-memory.json", corrected)
    for _ in range(2):
        with Memory(f"{root}/") as memory:
            memory.rebuild()
            texts = [fact.text for fact in memory.facts()]
            assert [text for text in texts if "penicillin" in text] == ["user gets a rash from penicillin"]
            assert len(texts) == 2
    edit(root, "conversations/doctor.json", lambda content: content["messages"][1].update(text="I live in Faro."))
    with Memory(f"{root}/") as memory:  # nor is it lost, or found a second time, when another message is edited
        texts = [fact.text for fact in memory.facts()]
        assert "user gets a rash from penicillin" in texts
        assert not any("allergic" in text or "Porto" in text for text in texts)
        assert any("Faro" in text for text in texts)


def test_t19_what_a_person_takes_out_or_adds(root: Path) -> None:
    edit(root, "conversations/trip.json", lambda content: content["messages"].pop(0))
    edit(root, "pins.json", lambda content: content["pins"].append({"text": "No smoking"}))
    with opened(root) as memory:
        assert [(one.seq, one.text) for one in memory.session("trip").history()] == [(2, "Noted.")]
        assert facts(memory) == {}  # they came from that message
        assert "No smoking" in [pin.text for pin in memory.session("trip").pins()]
        memory.session("trip").add("user", "And back?")
    assert not any(b"night train" in path.read_bytes() for path in root.rglob("*") if path.is_file())


def test_t19_a_broken_file_is_told_and_nothing_is_lost(root: Path) -> None:
    path = sheet(root, "long-term-memory.json")
    whole = path.read_text()
    path.write_text(whole.replace('"text": "The train goes to Porto.",', '"text": "The train goes to Faro."'))
    line = path.read_text().splitlines().index('      "text": "The train goes to Faro."') + 2
    before = looks(root)
    with opened(root) as memory:
        assert facts(memory)["fact_2"] == "The train goes to Porto."
        assert len(list(memory.session("trip").history())) == 2
        (finding,) = memory.check().findings
        assert finding.what.startswith(f"default/long-term-memory.json, line {line}: this is not JSON")
        with pytest.raises(StoreDamaged, match=f"long-term-memory.json, line {line}"):
            memory.session("trip").add("user", "more")
    assert looks(root) == before
    path.write_text(whole.replace("goes to Porto", "goes to Faro"))
    with opened(root) as memory:
        assert memory.session("trip").add("user", "more").seq == 3
        assert facts(memory)["fact_2"] == "The train goes to Faro."
