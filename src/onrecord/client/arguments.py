"""What a caller passes, checked as a local memory would check it, in the form that goes over the wire."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from datetime import UTC, datetime
from functools import cache
from typing import Any

from onrecord.errors import InvalidInput, shown
from onrecord.journal.asking import usual_limit
from onrecord.journal.clean import clean_name
from onrecord.journal.drafting import Drafter
from onrecord.journal.ids import TimeIds
from onrecord.journal.journal import _parts
from onrecord.profiles import PROFILES
from onrecord.records import EPOCH, NOW, FactFilter, Past, SearchRequest

__all__ = ["asked_form", "filter_form", "message_form", "message_forms", "moment", "named", "now"]

ENDLESS = 2**40
"""Bytes; how long a message may be is for the service to say."""


def now() -> datetime:
    return datetime.now(UTC)


def moment(value: datetime | None) -> str | None:
    return None if value is None else value.isoformat()


def message_form(**parts: Any) -> dict[str, Any]:
    """A message, checked, with the keywords of `add`; what was left out stays out.

    But for the id: one is made here, as a local memory does, so that the message can be sent again if the answer to it
    is lost, and is there once.

    >>> message_form(role="user", text="Hello", time="2026-05-05", id="m1", name=None)
    {'role': 'user', 'text': 'Hello', 'time': '2026-05-05T00:00:00+00:00', 'id': 'm1'}
    """
    given = {name: value for name, value in parts.items() if value is not None}
    said: Any = "" if parts["text"] is None and parts.get("tool_calls") else parts["text"]
    scored = {"importance": 0.5} | given
    draft = _drafter().draft(**scored | {"text": said}, counted=(0, 0, ""))
    form = given | {"role": draft.role, "text": said, "id": draft.id}
    if "time" in given:
        form["time"] = draft.time.isoformat()
    if "tool_calls" in given:
        form["tool_calls"] = [call.to_dict() for call in draft.tool_calls]
    if "meta" in given:
        form["meta"] = dict(draft.meta)
    if "importance" in given:
        form["importance"] = draft.importance
    return form


def message_forms(messages: Iterable[object]) -> list[dict[str, Any]]:
    """The messages of `add_many`, checked."""
    if not isinstance(messages, Iterable):
        raise InvalidInput(f"messages is of type {type(messages).__name__}.", "Pass a list of messages.")
    return [_form_of(message, number) for number, message in enumerate(messages, 1)]


def _form_of(message: object, number: int) -> dict[str, Any]:
    try:
        return message_form(**_parts(message))
    except InvalidInput as error:
        raise type(error)(f"Message {number}: {error.what}", error.hint) from None


@cache
def _drafter() -> Drafter:
    """Checks what a message may be, and counts nothing: that is for the service."""
    counter: Any = None
    return Drafter(counter=counter, profile=PROFILES["balanced"], max_bytes=ENDLESS, clock=now, ids=TimeIds(now))


def named(item: object) -> int | str:
    """What names a message: its number or its id."""
    if isinstance(item, str):
        return clean_name(item, "id")
    if isinstance(item, bool) or not isinstance(item, int) or not 0 < item < 2**62:
        raise InvalidInput(f"{shown(item)} is no message's number.", "Pass a number from 1, or an id.")
    return item


def asked_form(asked: SearchRequest) -> dict[str, Any]:
    """What is searched for."""
    form = _changed(replace(asked, now=EPOCH), SearchRequest(text="", limit=usual_limit(asked.tokens)))
    typed = dict(form.pop("types", ()))
    if asked.kinds:
        form["kinds"] = sorted(asked.kinds - typed.keys() | {one for _, one in asked.types})
    return form | {"text": asked.text, **past_form(form.pop("past", NOW))}


def filter_form(wanted: FactFilter) -> dict[str, Any]:
    """Which facts are wanted, as the query of a route."""
    form = _changed(wanted, FactFilter(statuses=frozenset()))
    form["status"] = form.pop("statuses", "all")
    form["kind"] = form.pop("kinds", None)
    return form | past_form(form.pop("past", NOW))


def past_form(past: Past) -> dict[str, Any]:
    """Another moment to look at, as the query of a route."""
    return _changed(past, NOW)


def _changed(record: Any, usual: Any) -> dict[str, Any]:
    """The fields that are not as usual, as JSON."""
    values = {part.name: getattr(record, part.name) for part in fields(record)}
    return {name: _json(value) for name, value in values.items() if value != getattr(usual, name)}


def _json(value: Any) -> Any:
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, datetime):
        return value.isoformat()
    return dict(value) if isinstance(value, Mapping) else value
