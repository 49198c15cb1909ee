"""What may come in, and in which form it is kept."""

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord import InvalidInput, Memory, TooLarge, ToolCall
from onrecord.journal.clean import clean_name, clean_text, clean_time

any_text = st.text(st.characters(exclude_categories=()))  # lone surrogates and controls too


@given(any_text)
def test_every_text_is_kept_in_a_form_that_can_be_written_anywhere(text: str) -> None:
    kept, original = clean_text(text)
    kept.encode()
    assert "\0" not in kept
    assert (text if original is None else json.loads(original)) == text
    assert (original is None) == (kept == text)


def test_a_split_pair_of_surrogates_becomes_its_character() -> None:
    kept, original = clean_text("a\ud83d\ude00b")
    assert kept == "a😀b"
    assert original == json.dumps("a\ud83d\ude00b")


@pytest.mark.parametrize("value", ["", "x" * 513, "a\0b", "a\nb", "\ud800", 3, None, b"x"])
def test_names_must_be_clean(value: Any) -> None:
    with pytest.raises(InvalidInput):
        clean_name(value, "id")


@pytest.mark.parametrize("value", ["trip", "Ana Müller", "用户", "a/b:c?d=1", "😀", "a\u200db"])
def test_ordinary_names_are_kept_as_they_are(value: str) -> None:
    assert clean_name(value, "id") == value


def test_times_become_utc_and_no_zone_means_utc() -> None:
    noon = datetime(2026, 5, 5, 12, tzinfo=UTC)
    assert clean_time(datetime(2026, 5, 5, 12)) == noon
    assert clean_time("2026-05-05T12:00:00") == noon
    assert clean_time("2026-05-05T14:00:00+02:00") == noon
    assert clean_time(datetime(2026, 5, 5, 14, tzinfo=timezone(timedelta(hours=2)))).tzinfo is UTC


@pytest.mark.parametrize("value", ["yesterday", 5, datetime.max.replace(tzinfo=timezone(-timedelta(hours=5)))])
def test_what_is_no_time_is_refused(value: Any) -> None:
    with pytest.raises(InvalidInput):
        clean_time(value)


@pytest.mark.parametrize(
    "parts",
    [
        {"role": "wizard", "text": "x"},
        {"role": "user", "text": None},
        {"role": "user", "text": b"x"},
        {"role": "user", "text": "x", "name": ""},
        {"role": "user", "text": "x", "meta": [1]},
        {"role": "user", "text": "x", "meta": {"a": {1}}},
        {"role": "user", "text": "x", "meta": {"a": float("nan")}},
        {"role": "user", "text": "x", "meta": {1: "x"}},
        {"role": "user", "text": "x", "importance": "high"},
        {"role": "user", "text": "x", "importance": float("nan")},
        {"role": "user", "text": "x", "tool_calls": [{"id": "1", "name": "f"}]},
        {"role": "assistant", "text": "x", "tool_calls": "f()"},
        {"role": "assistant", "text": "x", "tool_calls": [3]},
        {"role": "assistant", "text": "x", "tool_calls": [{"id": "1"}]},
        {"role": "assistant", "text": "x", "tool_calls": [{"id": "1", "name": "f", "arguments": "\0"}]},
    ],
)
def test_bad_input_is_refused_and_nothing_is_stored(parts: dict[str, Any]) -> None:
    with Memory(":memory:") as memory:
        chat = memory.session("s")
        with pytest.raises(InvalidInput):
            chat.add(**parts)
        with pytest.raises(InvalidInput):
            chat.add_many([{"role": "user", "text": "fine"}, parts])
        assert list(chat.history()) == []
        assert list(memory.sessions()) == []


def test_deeply_nested_meta_is_refused() -> None:
    deep: dict[str, Any] = {}
    for _ in range(100_000):
        deep = {"a": deep}
    with Memory(":memory:") as memory, pytest.raises(InvalidInput):
        memory.session("s").add("user", "x", meta=deep)


def test_a_message_over_the_limit_is_refused_whole() -> None:
    with Memory(":memory:", max_message_bytes=10) as memory:
        chat = memory.session("s")
        chat.add("user", "ten bytes!")
        for text, meta in (("eleven byte", None), ("é" * 6, None), ("short", {"long": "x" * 10})):
            with pytest.raises(TooLarge, match="limit is 10"):
                chat.add("user", text, meta=meta)
        assert [message.text for message in chat.history()] == ["ten bytes!"]


def test_tool_calls_are_taken_in_both_shapes() -> None:
    ours = ToolCall(id="c1", name="weather", arguments='{"city":"Lisbon"}')
    theirs = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": {"city": "Lisbon"}}}
    with Memory(":memory:") as memory:
        chat = memory.session("s")
        chat.add("assistant", "", tool_calls=[ours])
        chat.add("assistant", "", tool_calls=[theirs])
        chat.add("tool", "22 °C", tool_call_id="c1")
        first, second, answer = chat.history()
    assert first.tool_calls == second.tool_calls == (ours,)
    assert answer.tool_call_id == "c1"
    assert first.overhead > answer.overhead
