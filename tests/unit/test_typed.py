"""Derived records of any shape, out of files and in stores: refused or missing, and never an error of who reads on."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from postgres_tools import empty_store_url

from onrecord import InvalidInput, Memory
from onrecord.ports import Batch
from onrecord.profiles import PROFILES
from onrecord.records import EPOCH, Record, fault_of

NO_ZONE = "2026-01-01T00:00:00"
JUNK: list[Any] = [
    None,
    5,
    -5,
    2**60,
    1e308,
    True,
    "x",
    "",
    [],
    ["x"],
    [5],
    [[1, 2]],
    {},
    {"a": {"b": [1]}},
    [{}],
    NO_ZONE,
]
TRIED = 200  # of some thousand

Lines = list[str]
Case = tuple[int, dict[str, Any]]


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> Lines:
    """An export that has derived records of every kind and profile."""
    path = tmp_path_factory.mktemp("typed") / "memory.db"
    with Memory(path, embedder=None, summarize="manual") as memory:
        chat = memory.session("s")
        for number in range(24):
            chat.add("user", f"I live in Porto {number}. We decided to use Postgres. See https://a.example/{number}.")
            chat.add("assistant", "The problem is solved: it works now. " * 5)
        chat.pin("a pin")
        chat.summarize(1, 5)
        chat.set_important({"user_preferences": {"tea": "green"}, "document_structure": {"sections": ["one"]}})
        rome = memory.add_fact("Ana lives in Rome.", subject="Ana", attribute="home", value="Rome")
        memory.relate(rome.id, "depends_on", memory.add_fact("Ana likes tea.").id)
        memory.edit_fact(rome.id, tags=["home"])
    for profile in PROFILES:
        with Memory(path, embedder=None, summarize="manual", profile=profile) as memory:
            memory.session("s").summarize()
            memory.flush()
            exported = StringIO()
            memory.export(exported)
    return exported.getvalue().splitlines()


def mutated(value: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for name, held in value.items():
        yield {other: value[other] for other in value if other != name}
        yield from ({**value, name: junk} for junk in [*JUNK, NO_ZONE])
        if isinstance(held, dict):
            yield from ({**value, name: inner} for inner in mutated(held))


def cases(lines: Lines) -> list[Case]:
    """One record of each kind, plan and level, with something else in its body."""
    records = {at: item["record"] for at, line in enumerate(lines) if "record" in (item := json.loads(line))}
    places = {(one["kind"], one["plan"], one.get("level", 0)): at for at, one in records.items() if one.get("body")}
    assert {kind for kind, _, _ in places} == set("summary pin important mark fact episode change relation".split())
    return [(at, records[at] | {"body": body}) for at in places.values() for body in mutated(records[at]["body"])]


def everything_read(memory: Memory) -> Iterator[Callable[[], object]]:
    chat = memory.session("s")
    for profile in PROFILES:
        yield lambda profile=profile: chat.context(
            "Where does Ana live, in Porto?", tokens=900, profile=profile
        ).explain()  # type: ignore[misc]
    yield from (chat.pins, chat.summaries, chat.important, chat.arc, memory.facts, memory.episodes, memory.relations)
    yield lambda: memory.facts(status="all")
    yield lambda: memory.search("Porto Ana")
    yield lambda: memory.export(StringIO())
    yield lambda: chat.add_many([("user", "hello"), ("assistant", "Hi.")] * 6)
    yield from (memory.flush, chat.summarize, lambda: memory.consolidate(dry_run=True))


def test_a_derived_record_of_any_shape_is_refused_or_harms_nobody(lines: Lines) -> None:
    chosen = random.Random(7)
    taken = 0
    for at, record in chosen.sample(cases(lines), TRIED):
        with Memory(":memory:", embedder=None, summarize="manual", profile=chosen.choice(list(PROFILES))) as memory:
            try:
                memory.import_([*lines[:at], json.dumps({"record": record}), *lines[at + 1 :]])
            except InvalidInput as error:
                assert f"Line {at + 1}: " in str(error)  # noqa: PT017
                continue
            taken += 1
            for read in everything_read(memory):
                read()
    assert 0 < taken < TRIED / 2


@pytest.mark.parametrize("place", [":memory:", "memory.db", "folder/", "postgres"])
def test_a_record_in_the_store_that_cannot_be_read_is_missing_and_checked(place: str, tmp_path: Path) -> None:
    address = place if place == ":memory:" else f"{tmp_path}/{place}"
    address = empty_store_url("typed") if place == "postgres" else address
    bodies: dict[str, dict[str, Any]] = {
        "summary": {"text": "x", "topics": 5},
        "pin": {"text": 5},
        "important": {"data": {"key_decisions": 5}},
        "mark": {"at": "x"},
        "fact": {"kind": "fact", "text": "Ana lives in Porto.", "tags": [{}]},
        "episode": {"kind": "decision", "title": "Porto", "began": NO_ZONE},
        "change": {"of": "f", "values": {"text": 5}},
        "relation": {"source": "f", "type": "sees", "target": "g"},
    }
    with Memory(address, embedder=None, summarize="manual") as memory:
        chat = memory.session("s")
        chat.add("user", "I live in Porto.")
        pin = chat.pin("sound")
        bad = [Record(session="s", kind=kind, plan="manual", key="k", time=EPOCH, body=bodies[kind]) for kind in bodies]
        assert all(map(fault_of, bad))
        memory._store.commit(Batch(space="default", session="s", records=bad, time=EPOCH))
        assert chat.pins() == [pin]
        for read in everything_read(memory):
            read()
        findings = memory.check().findings
        assert [one.kind for one in findings] == ["unreadable"] * len(bad)
        assert all(any(f"The {kind} 'k'" in one.what for one in findings) for kind in bodies)


def test_those_left_out_do_not_take_the_place_of_others(tmp_path: Path) -> None:
    with Memory(tmp_path / "memory.db", embedder=None, summarize="manual") as memory:
        chat = memory.session("s")
        chat.add("user", "hello")
        bodies = [{"text": 5}] * 600 + [{"text": "sound"}] * 3
        records = [
            Record(session="s", kind="pin", plan="manual", key=f"k{n:04}", time=EPOCH, body=body)
            for n, body in enumerate(bodies)
        ]
        memory._store.commit(Batch(space="default", session="s", records=records, time=EPOCH))
        assert [pin.id for pin in chat.pins()] == ["k0602", "k0601", "k0600"]
        assert len(memory.check().findings) == 600
