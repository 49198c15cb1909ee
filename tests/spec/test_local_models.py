"""SPEC.md h22: local models at any address, bare names, and nothing sent to a cloud in silence."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import pytest
from model_tools import Scripted, first_words
from talk_tools import fill

from onrecord import InvalidSetting, Memory
from onrecord.testing.scripted_server import ScriptedEndpoint

MODELS = [{"id": name, "object": "model"} for name in ("llama3.2:latest", "qwen3:4b")]


@pytest.fixture
def box() -> Iterator[ScriptedEndpoint]:
    """A server that somebody runs somewhere, with two models."""
    with ScriptedEndpoint() as server:
        server.routes["/v1/models"] = lambda body: {"object": "list", "data": MODELS}
        server.answers = "A balcony in Lisbon was measured."
        yield server


def opened(model: Any, **more: Any) -> Memory:
    given: dict[str, Any] = {"profile": "hybrid", "summarize": "inline", "embedder": "none"}
    return Memory(":memory:", model=model, **given | more)


def write(memory: Memory, model: str | None) -> None:
    """Have a summary written in a conversation that has this model."""
    chat = memory.session("s")
    if model is not None:
        chat.update(model=model)
    fill(chat, 1, 15)


@pytest.mark.parametrize("name", ["local/llama3.2", "ollama/llama3.2"])
def test_h22_a_local_model_is_named_with_its_address(name: str, box: ScriptedEndpoint) -> None:
    with opened(name, local_server=box.base_url) as memory:
        model = memory._parts.model
        assert model is not None
        assert (model.local, model.name) == (True, name)
        write(memory, None)
    asked = [one.body for one in box.requests if one.path.endswith("completions")]
    assert asked[0]["model"] == "llama3.2"
    assert "one or two plain sentences" in str(asked[0]["messages"]).lower()


@pytest.mark.parametrize("name", ["llama3.2", "llama3.2:latest", "qwen3:4b", "local/qwen3:4b", "ollama/llama3.2"])
def test_h22_a_sessions_model_that_the_local_server_lists_is_local(name: str, box: ScriptedEndpoint) -> None:
    cloud = Scripted(first_words, name="openai/gpt-4.1-mini")
    with warnings.catch_warnings(), opened(cloud, local_server=box.base_url) as memory:
        warnings.simplefilter("error")
        write(memory, name)
    assert cloud.calls == 0
    asked = [one.body["model"] for one in box.requests if one.path.endswith("completions")]
    assert set(asked) == {name.rpartition("/")[2]}


@pytest.mark.parametrize("there", [True, False])
def test_h22_a_bare_name_that_nobody_lists_is_warned_of_once(there: bool, box: ScriptedEndpoint) -> None:
    cloud = Scripted(first_words, name="openai/gpt-4.1-mini")
    given = {"local_server": box.base_url} if there else {}
    with opened(cloud, **given) as memory:
        with pytest.warns(UserWarning, match=r"'mistral-small'.*openai/gpt-4\.1-mini") as told:
            write(memory, "mistral-small")
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            fill(memory.session("s"), 16, 30)
    assert len(told) == 1
    assert cloud.calls


@pytest.mark.parametrize("name", ["gpt-4o", "claude-sonnet-4", "openai/gpt-5", None])
def test_h22_a_name_that_only_a_cloud_has_needs_no_warning(name: str | None) -> None:
    cloud = Scripted(first_words, name="openai/gpt-4.1-mini")
    with warnings.catch_warnings(), opened(cloud) as memory:
        warnings.simplefilter("error")
        write(memory, name)
    assert cloud.calls


def test_h22_a_bare_name_beside_a_local_model_stays_local_and_says_nothing() -> None:
    local = Scripted(first_words, name="ollama/llama3.2", local=True)
    with warnings.catch_warnings(), opened(local) as memory:
        warnings.simplefilter("error")
        write(memory, "mistral-small")
    assert local.calls


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("gpt4o", "gpt-4o"),
        ("GPT 4o", "gpt-4o"),
        ("openai:gpt-4o", "openai/gpt-4o"),
        ("Ollama:llama3.2", "ollama/llama3.2"),
    ],
)
def test_slips_in_a_models_name_are_refused_with_what_was_meant(name: str, meant: str) -> None:
    with pytest.raises(InvalidSetting) as refused:
        Memory(":memory:", model=name)
    assert refused.value.hint == f"Did you mean {meant}?"
