"""A prompt by another profile than the memory's own: what opening the memory with it would give, without opening it."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from onrecord import InvalidInput, Memory, Session
from onrecord.context.prompt import Context
from onrecord.profiles import PROFILES

OTHERS = [name for name in PROFILES if name != "balanced"]


def _filled(memory: Memory, many: int = 240) -> Session:
    chat = memory.session("trip")
    chat.add("system", "You plan journeys.")
    chat.add("user", "I'm allergic to penicillin. My name is Ana and I live in Berlin.")
    turns = (f"Stop {n}: the tram to the museum costs {n} euros." for n in range(many))
    chat.add_many([("user" if n % 2 else "assistant", text) for n, text in enumerate(turns)])
    chat.flush()
    return chat


def _same(one: Context, other: Context) -> None:
    told, wanted = one.to_dict(), other.to_dict()
    for form in (told, wanted):
        del form["stable"]  # what the process built before
    assert told == wanted


@pytest.mark.parametrize("profile", OTHERS)
def test_it_is_the_prompt_of_a_memory_with_that_profile(tmp_path: Path, profile: str) -> None:
    with Memory(tmp_path / "memory.db", embedder=None, summarize="inline") as memory:
        chat = _filled(memory)
        made = chat.summarize(profile=profile).made
        assert made
        seen = chat.context("What does the tram cost?", tokens=900, profile=profile)
        assert seen.profile == profile
        with Memory(tmp_path / "memory.db", embedder=None, profile=profile, summarize="manual") as other:
            _same(seen, other.session("trip").context("What does the tram cost?", tokens=900))
            assert {one.id for one in made} <= {one.id for one in other.session("trip").summaries()}


def test_looking_makes_nothing_and_says_what_is_missing(tmp_path: Path) -> None:
    with Memory(tmp_path / "memory.db", embedder=None) as memory:
        chat = _filled(memory)
        chat.context(profile="tiered", tokens=400)
        before = [one.id for one in chat.summaries(plan="all")]
        threads = threading.active_count()
        context = chat.context(profile="rolling", tokens=400)
        assert any("summarize()" in warning for warning in context.warnings)
        memory.flush()
        assert [one.id for one in chat.summaries(plan="all")] == before
        assert threading.active_count() <= threads
        assert chat.summarize(profile="rolling").made
        assert not any("summarize()" in one for one in chat.context(profile="rolling", tokens=8_000).warnings)
        assert chat.context().profile == "balanced"


def test_its_own_name_is_the_memory_itself_with_its_options() -> None:
    with Memory(":memory:", embedder=None, profile="hybrid", options={"recent": 2, "always": 1}) as memory:
        chat = _filled(memory)
        _same(chat.context("Well?"), chat.context("Well?", profile="hybrid"))
        assert len(chat.context("Well?", profile="hybrid").recent) < len(
            chat.context("Well?", profile="rolling").recent
        )


@pytest.mark.parametrize("name", ["nobody's", "", 3])
def test_an_unknown_profile_is_refused(name: str) -> None:
    with Memory(":memory:", embedder=None) as memory:
        chat = _filled(memory, 3)
        for ask in (lambda: chat.context(profile=name), lambda: chat.summarize(profile=name)):
            with pytest.raises(InvalidInput, match="profile"):
                ask()


def test_what_was_added_since_is_seen(tmp_path: Path) -> None:
    with Memory(tmp_path / "memory.db", embedder=None) as memory:
        chat = _filled(memory)
        assert "sushi" not in str(chat.context(profile="hybrid"))
        chat.add("user", "Shall we eat sushi?")
        assert "sushi" in str(chat.context(profile="hybrid"))
        chat.forget(chat.info().last_seq)
        assert "sushi" not in str(chat.context(profile="hybrid"))


def test_after_a_fork_the_child_has_its_own(tmp_path: Path) -> None:
    with Memory(tmp_path / "memory.db", embedder=None) as memory:
        chat = _filled(memory)
        wanted = str(chat.context("Tram?", profile="tiered"))
        child = os.fork()
        if child == 0:
            ended = 1
            try:
                ended = 0 if str(chat.context("Tram?", profile="tiered")) == wanted else 2
            finally:
                os._exit(ended)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
