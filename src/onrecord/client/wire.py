"""What goes over the wire: arguments as JSON on the way out, records from the JSON that comes back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any
from urllib.parse import quote

from onrecord.errors import InvalidInput, StoreError
from onrecord.journal.clean import clean_name, clean_object, clean_tool_calls
from onrecord.journal.drafting import TimeIds
from onrecord.journal.journal import message_parts
from onrecord.records.messages import Jsonable
from onrecord.records.typed import typed

__all__ = ["as_json", "built", "built_all", "message_form", "message_forms", "part", "path_of", "unknown"]

LISTS = frozenset(("categories", "kinds", "links", "participants", "sessions", "tags"))
"""Arguments that are lists on the wire; a method takes a single text for them, too."""


def as_json(name: str, value: Any) -> Any:
    """Return an argument as JSON. What it may be is checked where it arrives.

    >>> as_json("tags", "home"), as_json("as_of", datetime(2026, 5, 5))
    (['home'], '2026-05-05T00:00:00')
    """
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Jsonable):
        return value.to_dict()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, str):
        return [value] if name in LISTS else value
    if isinstance(value, Iterable) and not isinstance(value, bytes):
        return [as_json("", item) for item in value]
    return value


def path_of(template: str, **names: object) -> str:
    """Return the path of a route; ids may hold anything.

    >>> path_of("sessions/{session}/messages", session="a/b"), path_of("facts/{id}", id="..")
    ('/v1/sessions/a%2Fb/messages', '/v1/facts/%2E%2E')
    """
    return "/v1/" + template.format_map({name: _encoded(clean_name(value, name)) for name, value in names.items()})


def _encoded(id: str) -> str:
    """Dots alone mean a place in an address, unless they are spelled out."""
    return id.replace(".", "%2E") if id in (".", "..") else quote(id, safe="")


def message_form(parts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keywords of `add` as JSON; what is None is left out.

    An id is made here, so that the message can be sent again if the answer to it is lost, and is kept once.

    >>> message_form({"role": "user", "text": "Hello", "time": datetime(2026, 5, 5), "id": "m1", "name": None})
    {'role': 'user', 'text': 'Hello', 'time': '2026-05-05T00:00:00', 'id': 'm1'}
    """
    form = {name: as_json(name, value) for name, value in parts.items() if value is not None}
    if "tool_calls" in form:
        form["tool_calls"] = [call.to_dict() for call in clean_tool_calls(parts["tool_calls"])]
    if "meta" in form:
        form["meta"] = dict(clean_object(parts["meta"]))
    form.setdefault("text", "" if form.get("tool_calls") else None)
    form.setdefault("id", _ids().new("msg"))
    return form


def message_forms(messages: Iterable[object]) -> list[dict[str, Any]]:
    """Return the messages of `add_many` as JSON."""
    if not isinstance(messages, Iterable):
        raise InvalidInput(f"messages is of type {type(messages).__name__}.", "Pass a list of messages.")
    return [_numbered_form(message, number) for number, message in enumerate(messages, 1)]


def _numbered_form(message: object, number: int) -> dict[str, Any]:
    try:
        return message_form(message_parts(message))
    except InvalidInput as error:
        raise type(error)(f"Message {number}: {error.what}", error.hint) from None


@cache
def _ids() -> TimeIds:
    return TimeIds(lambda: datetime.now(UTC))


def built(kind: Any, data: object) -> Any:
    """Return the record that JSON stands for. Raises `StoreError` if it stands for none of this kind."""
    try:
        return typed(kind, data)
    except (ValueError, RecursionError):
        raise unknown(getattr(kind, "__name__", str(kind))) from None


def built_all(kind: Any, data: object, length: int | None = None) -> list[Any]:
    """Return the records that a JSON list stands for, which must have this length if one is given."""
    if not isinstance(data, list) or (length is not None and len(data) != length):
        raise unknown(f"list of {kind.__name__}")
    return [built(kind, item) for item in data]


def part(data: object, name: str) -> Any:
    """Return one value of a JSON object."""
    if not isinstance(data, Mapping) or name not in data:
        raise unknown(f"object with {name}")
    return data[name]


def unknown(what: str) -> StoreError:
    """Return the error for an answer that is not what it should be."""
    return StoreError(
        f"The service answered something that is no {what}.", "Check that it runs a version of onrecord like this one."
    )
