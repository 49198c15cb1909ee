"""A memory behind a service is a memory: the same names, the same answers, and the tests of `test_memory` pass."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from typing import Any

import pytest
import test_memory
from client_tools import Wire, Wired, a_wire, borrow, wire_all
from fork_tools import forks, in_child

from onrecord import Context, InvalidInput, Memory, NotFound, Session
from onrecord.client import RemoteMemory, RemoteSession
from onrecord.context.told import ToldContext
from onrecord.profiles import PROFILES

borrow(
    test_memory,
    globals(),
    but={
        "test_a_backup_made_while_others_write_is_of_one_moment",  # backups are made where the memory lies
        "test_a_restored_backup_is_as_good_as_the_memory",
        "test_backup_is_a_whole_memory_and_replaces_nothing",
        "test_doctor_looks_and_rescues",  # looks at files
        "test_an_export_never_harms_the_memory_or_an_earlier_export",  # a client does not know the memory's files
        "test_a_long_history_takes_constant_memory",  # the service's memory would be measured too
    },
)


@pytest.fixture(scope="module")
def wire() -> Iterator[Wire]:
    with a_wire() as found:
        yield found


@pytest.fixture(autouse=True)
def _over_the_wire(wire: Wire, monkeypatch: pytest.MonkeyPatch) -> None:
    wire_all(wire, monkeypatch)


def own(kind: type) -> dict[str, Any]:
    """The public names of a class of ours, with those of the classes it is made of."""
    parts = [part for part in reversed(kind.__mro__) if part.__module__.startswith("onrecord.")]
    return {name: value for part in parts for name, value in vars(part).items() if not name.startswith("_")}


@pytest.mark.parametrize(("local", "remote"), [(Memory, RemoteMemory), (Session, RemoteSession)])
def test_every_method_is_asked_over_the_wire(local: type, remote: type) -> None:
    mine, theirs = own(local), own(remote)
    assert set(mine) == set(theirs)
    assert [name for name, value in mine.items() if theirs[name] is value] == []
    for name, value in mine.items():
        if inspect.isfunction(value):
            assert inspect.signature(value).parameters == inspect.signature(theirs[name]).parameters, name


def test_what_is_inherited_leads_to_what_is_not() -> None:
    for kind in (RemoteMemory, RemoteSession):
        special = {"__enter__", "__exit__", "__new__"}
        usual = {name for name in dir(kind) if name.startswith("__") and name in special}
        assert usual == special  # they call close and flush, which are asked over the wire
    assert "_close" in vars(RemoteMemory)
    assert RemoteMemory.__enter__ is AbstractContextManager.__enter__


# Prompts


def fill(chat: Session) -> None:
    chat.update(system="Be kind.")
    for number in range(1, 41):
        chat.add("user", f"The house number {number} has {number * 7} windows.", name="Ana", time="2026-01-01")
        chat.add("assistant", f"Noted: house {number}. I prefer the one by the sea.", time="2026-01-02")
    chat.add("user", "I'm allergic to penicillin. Please always answer in English.", time="2026-01-03")
    chat.pin("Allergic to penicillin", source=81, importance=0.9)


def call_of(chat: Session) -> None:
    chat.add("user", "Which house has 70 windows?", time="2026-01-04")
    calls = [{"id": "c1", "name": "find", "arguments": '{"windows": 70}'}]
    chat.add("assistant", None, tool_calls=calls, time="2026-01-04")
    chat.add("tool", "house 10", tool_call_id="c1", time="2026-01-04")


def same(told: Context, built: Context) -> None:
    assert isinstance(told, ToldContext)
    assert type(built) is Context
    built.stable = told.stable  # how much is as it was depends on who asked before
    assert told.to_dict() == built.to_dict()
    assert told.messages() == built.messages()
    assert told.anthropic() == built.anthropic()
    assert (str(told), repr(told), told.explain()) == (str(built), repr(built), built.explain())
    assert (told.question, told.recent, told.usage()) == (built.question, built.recent, built.usage())
    assert (told.manifest, told.sections, told.warnings) == (built.manifest, built.sections, built.warnings)


@pytest.mark.parametrize("tokens", [60, 700, 4000])
@pytest.mark.parametrize("profile", PROFILES)
def test_a_prompt_over_the_wire_is_the_prompt(profile: str, tokens: int) -> None:
    with Memory(":memory:", profile=profile) as memory:
        assert isinstance(memory, Wired)
        chat, here = memory.session("s"), memory.local.session("s")
        fill(here)
        asked = "Which house has 70 windows?"
        same(chat.context(asked, tokens=tokens), here.context(asked, tokens=tokens))
        same(chat.context(tokens=tokens), here.context(tokens=tokens))
        same(chat.context(as_of="2026-01-02", tokens=tokens), here.context(as_of="2026-01-02", tokens=tokens))
        call_of(here)
        same(chat.context(tokens=tokens), here.context(tokens=tokens))
        if profile in ("balanced", "tiered"):
            same(chat.context(asked, tokens=tokens, recalled=1), here.context(asked, tokens=tokens, recalled=1))
        else:
            with pytest.raises(InvalidInput, match="recalls nothing"):
                chat.context(asked, tokens=tokens, recalled=1)
        one, other = chat.context(asked, tokens=4000), chat.context("What must the doctor know?", tokens=700)
        there = here.context(asked, tokens=4000).diff(here.context("What must the doctor know?", tokens=700))
        assert one.diff(other) == there


def test_a_prompt_by_another_profile_and_its_summaries_come_over_the_wire() -> None:
    with Memory(":memory:") as memory:
        assert isinstance(memory, Wired)
        chat, here = memory.session("s"), memory.local.session("s")
        fill(here)
        for profile in PROFILES:
            made = chat.summarize(profile=profile).made
            assert {one.id for one in made} <= {one.id for one in here.summaries(plan="all")}
            told = chat.context("Which house?", tokens=700, profile=profile)
            assert told.profile == profile
            same(told, here.context("Which house?", tokens=700, profile=profile))
        with pytest.raises(InvalidInput, match="profile 'best' is not known"):
            chat.context(profile="best")


def test_an_empty_session_has_the_same_empty_prompt() -> None:
    with Memory(":memory:") as memory:
        assert isinstance(memory, Wired)
        same(memory.session("s").context(), memory.local.session("s").context())
        same(memory.session("s").context("Hello?"), memory.local.session("s").context("Hello?"))


# All methods


def test_every_answer_is_the_local_one() -> None:
    with Memory(":memory:", profile="tiered") as memory:
        assert isinstance(memory, Wired)
        here, chat = memory.local, memory.session("a/b")
        fill(chat)
        there = here.session("a/b")
        chat.add_episode("Chose the house by the sea", kind="decision", first=1, last=3, participants=["Ana"])
        told = memory.add_fact("Ana lives in Porto", subject="Ana", attribute="home", value="Porto", tags=["x"])
        memory.add_fact("Ana lives in Faro", subject="Ana", attribute="home", value="Faro", valid_from="2026-02-01")
        memory.relate(told.id, "related_to", memory.facts()[0].id, strength=0.5)
        chat.summarize(1, 4)
        assert memory.facts(status=None) == here.facts(status=None)
        assert memory.facts(status=["superseded", "active"], subject="ana") == here.facts(
            status=["superseded", "active"], subject="ana"
        )
        assert memory.facts(tags="x", status="all", limit=1) == here.facts(tags="x", status="all", limit=1)
        assert memory.fact(told.id) == here.fact(told.id)
        assert chat.facts(kind="constraint") == there.facts(kind="constraint")
        assert memory.relations(told.id) == here.relations(told.id)
        assert memory.relations(type="supersedes") == here.relations(type="supersedes") != []
        assert memory.episodes(significance=0.1) == here.episodes(significance=0.1)
        assert chat.episodes() == there.episodes()
        assert chat.pins() == there.pins()
        assert chat.pins(as_of="2020-01-01") == there.pins(as_of="2020-01-01") == []
        assert list(chat.summaries(plan="all")) == list(there.summaries(plan="all"))
        assert list(chat.summaries(level=1, as_of="2026-01-02")) == list(there.summaries(level=1, as_of="2026-01-02"))
        for name in ("arc", "compression", "conversation", "due", "estimate", "important", "info"):
            assert getattr(chat, name)() == getattr(there, name)(), name
        for name in ("check", "estimate", "spaces", "spent"):
            assert getattr(memory, name)() == getattr(here, name)(), name
        assert memory.consolidate(dry_run=True) == here.consolidate(dry_run=True)
        assert list(memory.sessions()) == list(here.sessions())
        found, local = (
            memory.search("penicillin", kinds=["message", "fact"]),
            here.search("penicillin", kinds=["message", "fact"]),
        )
        assert (list(found), found.stages, found.notes) == (list(local), local.stages, local.notes)
        assert found.explain() == local.explain()
        assert list(chat.search("sea", limit=3)) == list(there.search("sea", limit=3))
        for asked in ({"tokens": 60}, {"tokens": 60, "limit": 1}, {"tokens": 600, "limit": 10}):
            assert list(chat.search("sea", **asked)) == list(there.search("sea", **asked))


def test_every_decision_arrives() -> None:
    with Memory(":memory:", profile="tiered") as memory:
        assert isinstance(memory, Wired)
        chat, here = memory.session("s"), memory.local
        fill(chat)
        fact = memory.add_fact("Tea is green", confidence=0.1)
        assert memory.promote_fact(fact.id).promoted
        assert memory.edit_fact(fact.id, value="green", valid_until=None).value == "green"
        assert memory.reject_fact(fact.id).status == here.fact(fact.id).status == "rejected"
        assert memory.restore(fact.id).status == "active"
        assert memory.archive(fact.id).status == "archived"
        episode = chat.add_episode("It happened")
        assert memory.archive(episode.id) == here.episodes(status="archived")[0]
        assert memory.restore(episode.id).id == episode.id
        relation = memory.relate(fact.id, "depends_on", episode.id)
        memory.unrelate(relation.id)
        assert here.relations(type="depends_on") == []
        (made,) = chat.summarize(2, 3).made
        assert chat.edit_summary(made.id, "Mine.").locked
        assert not chat.lock_summary(made.id, False).locked
        assert chat.set_important({"key_decisions": ["Buy it."]}).key_decisions == ("Buy it.",)
        assert chat.rescore({1: 0.75}) == 1
        assert next(here.session("s").history()).importance == 0.75
        chat.rescore()
        chat.refresh()
        assert chat.clear() >= 0
        assert chat.rebuild() == chat.rebuild()
        assert memory.rebuild(session="s") == memory.rebuild()
        memory.pause()
        assert here.spent().paused
        memory.resume()
        assert not memory.spent().paused
        pin = chat.pin("x", source=1, type="code")
        chat.unpin(pin.id)
        assert pin.id not in [one.id for one in here.session("s").pins()]
        closing = chat.end("All done.")
        assert closing is not None
        assert closing.text == "All done."
        assert chat.flush()
        assert memory.flush()
        assert memory.forget(fact=fact.id).records > 0
        with pytest.raises(NotFound):
            memory.fact(fact.id)
        assert memory.session("nobody").end() is None
        assert memory.session("nobody").compression() is None


def test_a_long_history_comes_page_by_page() -> None:
    with Memory(":memory:", summarize="manual") as memory:
        chat = memory.session("long")
        for start in (1, 801, 1601):
            chat.add_many([("user", str(n)) for n in range(start, start + 800)])
        assert [message.seq for message in chat.history()] == list(range(1, 2401))
        assert [message.seq for message in chat.history(limit=700, after=200)] == list(range(201, 901))
        assert [message.seq for message in chat.history(last=2100, before=2301)] == list(range(201, 2301))
        assert memory.forget(session="long", messages=range(2, 2400)).messages == 2398
        assert [message.seq for message in chat.history(last=2)] == [1, 2400]
        assert len(list(chat.history(forgotten=True, role="user", limit=300))) == 300


@pytest.mark.parametrize("id", [".", "..", "a/../b", "a%2Fb", "a?b=c#d", " x ", "ä ö", "日本", "+;&=", "😀", "//"])
def test_any_id_arrives(id: str) -> None:
    with Memory(":memory:", space=id) as memory:
        assert isinstance(memory, Wired)
        memory.session(id).add("user", "x", id=id, key=id)
        assert [info.id for info in memory.local.sessions()] == [id]
        assert memory.spaces() == [id]
        assert next(memory.session(id).history()).id == id
        assert memory.session(id).forget(id).messages == 1
        with pytest.raises(NotFound):
            memory.session(id).unpin(id)
        with pytest.raises(NotFound):
            memory.fact(id)


def test_broken_characters_arrive_as_they_are() -> None:
    with Memory(":memory:") as memory:
        chat = memory.session("s")
        assert chat.add("user", "a\0b\ud800", meta={"k": "\ud800"}).repaired
        message = next(chat.history())
        assert message.text == "a\ufffdb\ufffd"
        assert json.loads(message.original or "") == "a\0b\ud800"


# Threads and processes


def test_many_threads_share_one_memory() -> None:
    with Memory(":memory:") as memory, ThreadPoolExecutor(8) as pool:
        chat = memory.session("s")
        receipts = list(pool.map(lambda number: chat.add("user", str(number)), range(80)))
        assert sorted(receipt.seq for receipt in receipts) == list(range(1, 81))
        assert [message.seq for message in chat.history()] == list(range(1, 81))


@forks
def test_after_a_fork_both_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    with Memory(":memory:") as memory:
        chat = memory.session("s")
        chat.add("user", "before")
        assert in_child(lambda: chat.add("user", "in the child")) == 0
        chat.add("user", "after")
        assert [message.text for message in chat.history()] == ["before", "in the child", "after"]
