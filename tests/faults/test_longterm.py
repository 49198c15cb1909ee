"""The long memory under strain: what was forgotten is in no fact, pin, episode or byte; others write meanwhile."""

from __future__ import annotations

import io
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from disk_tools import forms, read_files
from longterm_tools import Hands, opened, tell
from model_tools import Scripted, first_words
from recall_tools import Toy

from onrecord import Memory

pytestmark = pytest.mark.usefixtures("disk")

SAID = ("zyxommatine", "Blorpville", "Quixandry")  # in messages
DECIDED = ("grawlixen", "frobnitzia", "snarkleby")  # in what people made of them
STAYS = "The harbour was quiet at noon yesterday."
PLACES = ("memory.db", "folder/", ":memory:")


def place(tmp_path: Path, name: str) -> str:
    return name if name == ":memory:" else f"{tmp_path}/{name}"


def lying_about(folder: Path, words: Iterable[str]) -> list[str]:
    """Those words that some file still holds in any form."""
    files = list(read_files(folder).values())
    return sorted(word for word in words if any(form in data for form in forms(word) for data in files))


def start(path: str, **more: Any) -> Memory:
    model = Scripted(first_words)  # says again what it is given
    given: dict[str, Any] = {"model": model, "embedder": Toy(), "space": "ana", "options": {"kept_floor": 0.0}}
    return opened(path, Hands(), **given | more)


def plant(memory: Memory) -> list[int]:
    """A conversation whose words come to stand wherever the long memory puts any; answers the numbers of the messages
    that hold them."""
    chat, clock = memory.session("chat"), memory._clock
    assert isinstance(clock, Hands)
    tell(chat, "Good morning to you.")
    tell(chat, "I'm allergic to zyxommatine.", "I live in Blorpville.", "We decided to use Quixandry for the journal.")
    clock.on(1)
    tell(chat, "I live in Blorpville.", STAYS)
    home, allergy, decision = (
        next(fact for fact in memory.facts() if word in fact.text) for word in ("Blorp", "zyxo", "Quix")
    )
    memory.edit_fact(home.id, "I live in grawlixen.", value="grawlixen", category="grawlixen", tags=["frobnitzia"])
    memory.edit_fact(allergy.id, "Allergic to frobnitzia and zyxommatine.")
    memory.archive(decision.id)
    memory.restore(decision.id)
    memory.relate(home.id, "depends_on", allergy.id)
    chat.pin("Ask about zyxommatine and snarkleby.", source=2)
    chat.add_episode(
        "Came to Blorpville", first=3, last=5, summary="snarkleby", context="Quixandry", outcome="zyxommatine"
    )
    chat.summarize(2, 4)
    chat.set_important({"important_facts": ["harmless"]})
    chat.end()
    memory.search("zyxommatine Blorpville Quixandry grawlixen")
    chat.context("Is there zyxommatine in Blorpville?")
    memory.consolidate()
    memory.flush()
    return [2, 3, 4, 5]


def everything(memory: Memory) -> str:
    """All that a memory tells anybody."""
    told: list[Any] = [memory.facts(status=None), memory.episodes(status=None), memory.relations()]
    lines = io.StringIO()
    memory.export(lines)
    told.append(lines.getvalue())
    for name in [info.id for info in memory.sessions()] + ["new"]:
        chat = memory.session(name)
        told += [chat.pins(), list(chat.summaries(plan="all")), chat.arc(), chat.conversation(), chat.important()]
        told += [list(chat.history(forgotten=True)), chat.facts(status=None), chat.episodes()]
        told.append(str(chat.context("What must the doctor know?")))
    for kinds in (None, "fact", "episode", "pin", "summary"):
        found = memory.search(" ".join((*SAID, *DECIDED)), kinds=kinds, limit=100)
        told += [(hit.id, hit.text) for hit in found]
    told.append(memory._store.tally(memory.name))
    return str(told).casefold()


def left(memory: Memory, words: Iterable[str]) -> list[str]:
    whole = everything(memory)
    return [word for word in words if word.casefold() in whole]


# Forgetting what was said


@pytest.mark.parametrize("name", PLACES)
@pytest.mark.parametrize("forgetting", ["message", "session", "space"])
def test_what_was_forgotten_is_nowhere(tmp_path: Path, name: str, forgetting: str) -> None:
    words = (*SAID, *DECIDED)
    with start(place(tmp_path, name)) as memory:
        memory.session("beside").add("user", STAYS)
        seqs = plant(memory)
        assert left(memory, words) == list(words)
        assert name == ":memory:" or set(SAID) <= set(lying_about(tmp_path, words))
        targets: dict[str, dict[str, Any]] = {
            "message": {"session": "chat", "messages": seqs},
            "session": {"session": "chat"},
            "space": {"space": "ana"},
        }
        assert not memory.forget(**targets[forgetting]).pending
        assert lying_about(tmp_path, words) == []
        assert left(memory, words) == []
        assert memory.facts(status=None) == []
        assert memory.session("chat").pins() == []
        memory.flush()
        assert lying_about(tmp_path, words) == []
        assert memory.check().findings == ()
        if forgetting != "space":
            assert STAYS in {hit.text for hit in memory.search("harbour")}
    assert lying_about(tmp_path, words) == []


@pytest.mark.parametrize("name", PLACES[:2])
def test_one_of_two_messages_that_said_it(tmp_path: Path, name: str) -> None:
    """The other still says it: its fact stays, and only what was of the first alone goes."""
    with start(place(tmp_path, name)) as memory:
        plant(memory)
        (home,) = memory.facts(attribute="home")
        assert home.sources == (3, 5)
        memory.forget(session="chat", messages=3)
        (home,) = memory.facts(attribute="home")
        assert (home.sources, home.text) == ((5,), "I live in grawlixen.")  # that was decided about both
        memory.forget(session="chat", messages=5)
        assert memory.facts(attribute="home", status=None) == []
        assert lying_about(tmp_path, ["Blorpville", "grawlixen"]) == []


@pytest.mark.parametrize("name", PLACES[:2])
def test_forgetting_in_the_background_too(tmp_path: Path, name: str) -> None:
    words = (*SAID, *DECIDED)
    with start(place(tmp_path, name), summarize="background", debounce=3600.0) as memory:
        seqs = plant(memory)
        assert not memory.forget(session="chat", messages=seqs).pending
        memory.flush()
        assert left(memory, words) == []
        assert lying_about(tmp_path, words) == []
    assert lying_about(tmp_path, words) == []


def test_another_memory_of_the_file_forgets_it_as_well(tmp_path: Path) -> None:
    """What it has at hand is looked at anew."""
    path = place(tmp_path, "memory.db")
    with start(path) as memory, start(path) as other:
        seqs = plant(memory)
        assert left(other, SAID) == list(SAID)
        memory.forget(session="chat", messages=seqs)
        assert left(other, (*SAID, *DECIDED)) == []


# Forgetting a fact


@pytest.mark.parametrize("name", PLACES)
def test_a_fact_that_was_told_leaves_no_byte(tmp_path: Path, name: str) -> None:
    words = (*SAID, *DECIDED)
    with start(place(tmp_path, name)) as memory:
        stays = memory.add_fact(STAYS)
        fact = memory.add_fact(
            "Ana has zyxommatine in Blorpville.",
            subject="Quixandry",
            attribute="grawlixen",
            value="frobnitzia",
            category="snarkleby",
            tags=["grawlixen"],
        )
        memory.edit_fact(fact.id, "Ana has frobnitzia.", value="snarkleby")
        memory.relate(fact.id, "part_of", stays.id)
        memory.relate(stays.id, "caused_by", fact.id)
        memory.search("frobnitzia")
        memory.flush()
        assert memory.search("frobnitzia", kinds="fact")[0].id == fact.id
        report = memory.forget(fact=fact.id)
        assert (report.records, report.pending) == (4, False)
        assert lying_about(tmp_path, words) == []
        assert left(memory, words) == []
        memory.flush()
        assert lying_about(tmp_path, words) == []
        assert [one.id for one in memory.facts(status=None)] == [stays.id]
        assert memory.relations() == []
        assert memory.check().findings == ()


@pytest.mark.parametrize("name", PLACES[:2])
def test_a_fact_that_was_said_leaves_only_its_messages(tmp_path: Path, name: str) -> None:
    with start(place(tmp_path, name)) as memory:
        tell(memory.session("chat"), "I live in Blorpville.")
        (fact,) = memory.facts()
        memory.edit_fact(fact.id, "I live in grawlixen.", value="grawlixen", tags=["frobnitzia"])
        memory.flush()
        memory.forget(fact=fact.id)
        assert lying_about(tmp_path, DECIDED) == []
        assert memory.facts(status=None) == []
        assert [message.text for message in memory.session("chat").history()] == ["I live in Blorpville."]
        memory.forget(session="chat", messages=1)
        assert lying_about(tmp_path, SAID) == []


@pytest.mark.parametrize("name", PLACES[:2])
def test_an_export_without_it_brings_nothing_back(tmp_path: Path, name: str) -> None:
    with start(place(tmp_path, name)) as memory, start(":memory:") as other:
        seqs = plant(memory)
        memory.forget(session="chat", messages=seqs)
        lines = io.StringIO()
        memory.export(lines)
        other.import_(lines.getvalue().splitlines(keepends=True))
        assert left(other, (*SAID, *DECIDED)) == []


def test_an_export_brings_everything_along() -> None:
    with start(":memory:") as memory, start(":memory:") as other:
        plant(memory)
        other._clock.on(1)  # type: ignore[attr-defined]
        lines = io.StringIO()
        memory.export(lines)
        for _ in range(2):
            other.import_(lines.getvalue().splitlines(keepends=True))
            assert shown(other) == shown(memory)


def shown(memory: Memory) -> list[Any]:
    facts = [(one.id, one.text, one.status, one.value, one.confirmed) for one in memory.facts(status=None)]
    episodes = [(one.id, one.title, one.status, one.links) for one in memory.episodes(status=None)]
    return [facts, episodes, memory.relations(), [pin.text for pin in memory.session("chat").pins()]]


# Others who write meanwhile

WORK = """
import sys
from onrecord import Memory
path, name, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
with Memory(path, embedder=None, summarize="manual", durability="process") as memory:
    (shared,) = memory.facts(tags="shared")
    for number in range(count):
        fact = memory.add_fact(f"Ship {name} {number} is green.", session="ships")
        memory.edit_fact(fact.id, tags=[name])
        memory.relate(fact.id, "part_of", shared.id)
        memory.edit_fact(shared.id, importance=0.9)
        memory.search("ship", kinds="fact", limit=5)
        print(number, flush=True)
"""


def working(path: Path, name: str, count: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", WORK, str(path), name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE)


def test_two_processes_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Memory(path, embedder=None, summarize="manual") as memory:
        shared = memory.add_fact("The shared ship is green.", tags=["shared"])
    processes = [working(path, name, 12) for name in ("ana", "bob")]
    assert [process.wait(timeout=120) for process in processes] == [0, 0]
    for process in processes:
        assert process.stdout
        process.stdout.close()
    with Memory(path, embedder=None, summarize="manual") as memory:
        for name in ("ana", "bob"):
            assert {fact.text for fact in memory.facts(tags=name)} == {
                f"Ship {name} {at} is green." for at in range(12)
            }
        assert len(memory.relations(shared.id)) == 24
        edits = [event for event in memory.fact(shared.id).history if event["status"] == "edited"]
        assert len(edits) == 24
        assert memory.fact(shared.id).importance == 0.9
        taken = memory._store.tally("default", "taken ")
        assert sum(taken.values()) >= 2 * sum(min(5, number) for number in range(1, 13))
        assert memory.check().findings == ()


def test_a_process_that_is_killed_leaves_what_it_was_told(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Memory(path, embedder=None, summarize="manual") as memory:
        memory.add_fact("The shared ship is green.", tags=["shared"])
    process = working(path, "ana", 1_000)
    assert process.stdout
    answered = [int(process.stdout.readline()) for _ in range(10)]
    process.send_signal(signal.SIGKILL)
    process.wait()
    answered += [int(line) for line in process.stdout if line.strip()]
    process.stdout.close()
    with Memory(path, embedder=None, summarize="manual") as memory:
        found = {fact.text for fact in memory.facts(tags="ana")}
        assert {f"Ship ana {number} is green." for number in answered} <= found
        assert memory.check().findings == ()
        memory.add_fact("And one more.")
