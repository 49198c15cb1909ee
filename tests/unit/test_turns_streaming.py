"""An answer that comes in pieces, however they are cut, and whatever is wrong with them."""

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.turns import Events, Gathered


def chunk(**delta: Any) -> dict[str, Any]:
    return {"model": "m", "choices": [{"index": 0, "delta": delta}]}


def gathered(*chunks: Any) -> Gathered:
    found = Gathered()
    for one in chunks:
        found.feed(one)
    return found


END = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}


def test_texts_are_joined() -> None:
    found = gathered(chunk(role="assistant", content=""), chunk(content="Hel"), json.dumps(chunk(content="lo")))
    assert found.message() == {"role": "assistant", "content": "Hello"}
    assert (found.finished, found.model) == (False, "m")
    found.feed(END)
    assert found.finished


def test_calls_are_joined_by_their_place_and_given_only_when_whole() -> None:
    pieces = [
        chunk(tool_calls=[{"index": 1, "id": "b", "type": "function", "function": {"name": "g", "arguments": ""}}]),
        chunk(tool_calls=[{"index": 0, "id": "a", "type": "function", "function": {"name": "f", "arguments": ""}}]),
        chunk(
            tool_calls=[{"index": 1, "function": {"arguments": '{"x"'}}, {"index": 0, "function": {"arguments": "{}"}}]
        ),
        chunk(tool_calls=[{"index": 1, "function": {"arguments": ":1}"}}]),
    ]
    assert "tool_calls" not in gathered(*pieces).message()
    calls = gathered(*pieces, END).message()["tool_calls"]
    assert [(call["id"], *call["function"].values()) for call in calls] == [("a", "f", "{}"), ("b", "g", '{"x":1}')]


def test_whole_calls_without_a_place_are_taken_in_order() -> None:
    call = {"id": "a", "function": {"name": "f", "arguments": "{}"}}
    calls = gathered(chunk(tool_calls=[call, call | {"id": "b"}]), END).message()["tool_calls"]
    assert [call["id"] for call in calls] == ["a", "b"]


def test_a_whole_completion_is_one_piece() -> None:
    call = {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{}"}}
    message = {"role": "assistant", "content": "Hello", "tool_calls": [call], "refusal": None}
    found = gathered({"model": "m", "choices": [{"index": 0, "message": message, "finish_reason": "stop"}]})
    assert found.message() == {"role": "assistant", "content": "Hello", "tool_calls": [call]}
    assert (found.finished, found.model) == (True, "m")


def test_the_end_of_a_stream_is_an_end() -> None:
    assert gathered(chunk(content="x"), "[DONE]").finished
    assert not gathered(chunk(content="x"), {"error": {"message": "overloaded"}}).finished


def test_other_choices_and_refusals() -> None:
    other = {"choices": [{"index": 1, "delta": {"content": "other"}, "finish_reason": "stop"}]}
    found = gathered(other, chunk(refusal="I "), chunk(refusal="won't."))
    assert found.message() == {"role": "assistant", "content": None, "refusal": "I won't."}
    assert not found.finished


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["choices", "index", "delta", "content", "tool_calls", "function", "id", "name", "model"]),
            inner,
        )
    ),
    max_leaves=20,
)


@given(st.lists(values | st.binary(max_size=9), max_size=5))
def test_anything_odd_is_passed_over(chunks: list[Any]) -> None:
    found = gathered(*chunks, chunk(content="still here"))
    assert found.message()["content"].endswith("still here")


STREAM = (
    ': hello\n\nevent: x\ndata: {"a": "ä"}\n\ndata:one\r\ndata: two\r\n\r\nid: 1\n\ndata: [DONE]\n\ndata: half'.encode()
)
FOUND = ['{"a": "ä"}', "one\ntwo", "[DONE]"]


@given(st.lists(st.integers(0, len(STREAM)), max_size=12))
def test_events_are_the_same_however_the_bytes_are_cut(cuts: list[int]) -> None:
    events, places = Events(), [0, *sorted(cuts), len(STREAM)]
    found = [one for start, end in pairwise(places) for one in events.feed(STREAM[start:end])]
    assert found == FOUND


def test_a_line_without_end_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onrecord.turns.streaming.LONGEST_LINE", 10)
    events = Events()
    assert events.feed(b"data: far too long") == []
    assert events.feed(b" and longer\n\ndata: ok\n\n") == ["ok"]
    assert events.feed(b"data: \xff\n\n") == ["\ufffd"]
