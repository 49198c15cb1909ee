"""What goes over the wire is what was meant: records there and back, paths, queries and messages."""

import json
from collections.abc import Mapping
from dataclasses import MISSING, asdict, fields, is_dataclass
from datetime import UTC, datetime
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, cast, get_args, get_origin, get_type_hints
from urllib.parse import unquote

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onrecord import errors, records
from onrecord.client.service import split_lines
from onrecord.client.wire import built, built_all, message_form, message_forms, part, path_of
from onrecord.records.messages import Jsonable

INSIDE = {"Record", "Change"}  # never go over the wire
TOLD = sorted(
    (
        one
        for one in vars(records).values()
        if isinstance(one, type) and is_dataclass(one) and issubclass(one, Jsonable) and one.__name__ not in INSIDE
    ),
    key=lambda one: one.__name__,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXT,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(TEXT, inner, max_size=2),
    max_leaves=4,
)
SIMPLE: dict[Any, st.SearchStrategy[Any]] = {
    str: TEXT,
    int: st.integers(0, 2**53 - 1),
    bool: st.booleans(),
    float: st.floats(-1e15, 1e15),
    datetime: st.datetimes(timezones=st.just(UTC)),
    Any: JSON,
    NoneType: st.none(),
}


def values(hint: Any) -> st.SearchStrategy[Any]:
    """Anything of this type."""
    if is_dataclass(hint):
        return record(hint)  # type: ignore[arg-type]
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return st.one_of(*map(values, parts))
    if origin is tuple and parts[-1] is Ellipsis:
        return st.lists(values(parts[0]), max_size=2).map(tuple)
    if origin is tuple:
        return st.tuples(*map(values, parts))
    if origin is Mapping:
        return st.dictionaries(values(parts[0]), values(parts[1]), max_size=2)
    return st.sampled_from(parts) if parts else SIMPLE[hint]


@cache
def record(kind: type) -> st.SearchStrategy[Any]:
    hints = get_type_hints(kind)
    needed = {one.name for one in fields(kind) if one.default is MISSING and one.default_factory is MISSING}
    always = st.fixed_dictionaries({name: values(hints[name]) for name in needed})
    more = {one.name: values(hints[one.name]) for one in fields(kind) if one.name not in needed}
    return st.builds(lambda a, b: kind(**a, **b), always, st.fixed_dictionaries({}, optional=more))


@pytest.mark.parametrize("kind", TOLD, ids=lambda kind: kind.__name__)
@settings(max_examples=30)
@given(data=st.data())
def test_every_record_comes_back_from_its_json(kind: type[Jsonable], data: st.DataObject) -> None:
    made = data.draw(record(cast(Any, kind)))
    told = json.loads(json.dumps(made.to_dict()))
    assert built(kind, told) == made
    assert built(kind, told | {"of a later version": 1}) == made


def test_a_record_told_whole_comes_back_too() -> None:
    made = records.Health(store="x", version=3, findings=(records.Finding(kind="index", what="y"),))
    assert built(records.Health, json.loads(json.dumps({"ok": True, **asdict(made)}))) == made


@pytest.mark.parametrize("data", [None, 5, "x", [], {}, {"id": 1}, {"id": "s", "created": "soon"}])
def test_what_is_no_record_is_refused(data: object) -> None:
    with pytest.raises(errors.StoreError):
        built(records.SessionInfo, {"created": "never"} if data == {"id": 1} else data)
    with pytest.raises(errors.StoreError):
        built_all(records.SessionInfo, {"items": []})
    with pytest.raises(errors.StoreError):
        part(data, "items")


ID = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8)


@given(ID, ID)
def test_any_id_stays_one_part_of_a_path(session: str, id: str) -> None:
    address = path_of("sessions/{session}/pins/{id}", session=session, id=id)
    parts = httpx.URL("http://127.0.0.1:8787" + address).raw_path.decode().removeprefix("/v1/sessions/").split("/")
    assert list(map(unquote, parts)) == [session, "pins", id]


@pytest.mark.parametrize("id", [".", "..", "...", "a/../b", "a?b#c", "%2F", "a b", "é", "+", "a;b", "//"])
def test_ids_that_mean_something_in_an_address(id: str) -> None:
    path = httpx.URL("http://127.0.0.1:8787" + path_of("sessions/{session}/messages", session=id)).raw_path.decode()
    assert path.split("/")[1:3] + path.split("/")[4:] == ["v1", "sessions", "messages"]
    assert unquote(path.split("/")[3]) == id


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\n"))), st.integers(1, 7))
def test_lines_end_where_json_lines_end(lines: list[str], size: int) -> None:
    whole = "".join(line + "\n" for line in lines).encode()
    pieces = [whole[at : at + size] for at in range(0, len(whole), size)]
    assert list(split_lines(pieces)) == [line + "\n" for line in lines]


def test_a_message_is_sent_as_it_was_given() -> None:
    call = {"id": "c", "type": "function", "function": {"name": "f", "arguments": {"a": 1}}}
    parts = {"role": "assistant", "text": None, "tool_calls": [call], "time": datetime(2026, 5, 5), "id": "m"}
    assert message_form(parts | {"meta": {"a": [1]}, "importance": 7}) == {
        "role": "assistant",
        "text": "",
        "tool_calls": [{"id": "c", "name": "f", "arguments": '{"a":1}'}],
        "time": "2026-05-05T00:00:00",
        "meta": {"a": [1]},
        "importance": 7,
        "id": "m",
    }
    broken = {"role": "user", "text": "a\0b\ud800", "id": "i"}
    assert message_form(broken) == broken
    one, other = message_forms([("user", "x"), {"role": "user", "content": "y"}])
    assert (one["text"], other["text"]) == ("x", "y")
    assert one["id"].startswith("msg_")
    assert one["id"] < other["id"]


@pytest.mark.parametrize(
    "parts",
    [
        {"role": "user", "text": "x", "meta": {"a": (1, 2)}},
        {"role": "user", "text": "x", "meta": {"a": object()}},
        {"role": "user", "text": "x", "tool_calls": [{"id": "c", "name": 5}]},
    ],
)
def test_what_json_would_change_is_refused_before_it_is_sent(parts: dict[str, Any]) -> None:
    with pytest.raises(errors.InvalidInput):
        message_form(parts)
    with pytest.raises(errors.InvalidInput, match="Message 2"):
        message_forms([("user", "x"), parts])
