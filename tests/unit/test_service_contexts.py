"""Prompts at hand: which stay, and which must not be shown any more."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from onrecord import Memory
from onrecord.service.contexts import Contexts


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory(":memory:", embedder=None, summarize="manual") as memory:
        yield memory


@pytest.fixture
def contexts(memory: Memory) -> Contexts:
    return Contexts(memory._store)


def test_a_prompt_that_was_built_before_something_was_forgotten_is_not_kept(memory: Memory, contexts: Contexts) -> None:
    chat = memory.session("s")
    chat.add_many([("user", "secret"), ("user", "Hello")])
    state = contexts.state(memory.name)
    built = chat.context()
    contexts.keep(memory.name, "before", built, state)
    assert contexts.get(memory.name, "before") is built
    chat.forget(1)
    contexts.keep(memory.name, "after", built, state)
    assert contexts.get(memory.name, "after") is None
    assert contexts.get(memory.name, "before") is None


def test_the_first_prompt_of_a_space_is_kept_unless_something_was_forgotten(memory: Memory, contexts: Contexts) -> None:
    chat, state = memory.session("s"), contexts.state(memory.name)  # there is no such space yet
    chat.add_many([("user", "secret"), ("user", "Hello")])
    built = chat.context()
    contexts.keep(memory.name, "first", built, state)
    assert contexts.get(memory.name, "first") is built
    chat.forget(1)
    contexts.keep(memory.name, "late", built, state)
    assert contexts.get(memory.name, "late") is None


def test_the_oldest_goes_and_what_is_kept_again_is_new(
    memory: Memory, contexts: Contexts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Contexts, "MOST", 2)
    memory.session("s").add("user", "Hello")
    built, state = memory.session("s").context(), contexts.state(memory.name)
    for id in ("a", "b", "a", "c"):
        contexts.keep(memory.name, id, built, state)
    assert [contexts.get(memory.name, id) is built for id in ("a", "b", "c")] == [True, False, True]


def test_a_very_long_prompt_is_not_kept(memory: Memory, contexts: Contexts, monkeypatch: pytest.MonkeyPatch) -> None:
    memory.session("s").add("user", "Hello")
    built, state = memory.session("s").context(), contexts.state(memory.name)
    monkeypatch.setattr(Contexts, "LONGEST", built.tokens)
    contexts.keep(memory.name, "fits", built, state)
    monkeypatch.setattr(Contexts, "LONGEST", built.tokens - 1)
    contexts.keep(memory.name, "long", built, state)
    assert contexts.get(memory.name, "fits") is built
    assert contexts.get(memory.name, "long") is None
