"""The table of settings validates and explains itself."""

from typing import Any

import pytest

from onrecord import InvalidSetting, Memory
from onrecord.settings import SETTINGS, check_settings


def test_defaults_come_from_the_table() -> None:
    assert check_settings({}) == {row.name: row.default for row in SETTINGS}


@pytest.mark.parametrize(
    "given",
    [
        {"colour": "red"},
        {"durability": "maybe"},
        {"profile": "unknown"},
        {"summarize": None},
        {"space": ""},
        {"model": 3},
        {"max_message_bytes": 0},
        {"max_message_bytes": 1.5},
        {"max_message_bytes": True},
        {"busy_timeout": -1},
        {"busy_timeout": "long"},
        {"busy_timeout": float("nan")},
    ],
)
def test_what_does_not_fit_is_refused_with_a_hint(given: dict[str, Any]) -> None:
    with pytest.raises(InvalidSetting) as caught:
        Memory(":memory:", **given)
    assert caught.value.what
    assert caught.value.hint


def test_numbers_keep_their_kind() -> None:
    assert check_settings({"busy_timeout": 3})["busy_timeout"] == 3.0
    assert isinstance(check_settings({"busy_timeout": 3})["busy_timeout"], float)


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ({"model": "opnai/gpt-4.1-mini"}, "openai/gpt-4.1-mini"),
        ({"model": "OpenAI/gpt-4o"}, "openai/gpt-4o"),
        ({"model": "olama/llama3.2"}, "ollama/llama3.2"),
        ({"model": "gpt-4o", "upstream": "http://127.0.0.1:1/v1"}, "openai/gpt-4.1-mini"),
        ({"upstream_key": "sk-secret"}, "openai/gpt-4.1-mini"),
    ],
)
def test_a_model_that_nobody_would_ask_is_said_at_once(given: dict[str, Any], hint: str) -> None:
    with pytest.raises(InvalidSetting) as raised:
        Memory(":memory:", **given)
    assert hint in raised.value.hint
    assert "sk-secret" not in str(raised.value)


@pytest.mark.parametrize("name", ["anthropic/claude-sonnet-4", "meta-llama/Llama-3.1-8B", "openrouter/openai/gpt-4o"])
def test_other_names_count_tokens(name: str) -> None:
    with Memory(":memory:", model=name) as memory:
        assert memory._parts.model is None
