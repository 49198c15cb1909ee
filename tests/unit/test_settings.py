"""The table of settings validates and explains itself."""

from typing import Any

import pytest

from recollect import InvalidSetting, Memory
from recollect.settings import SETTINGS, check_settings


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
