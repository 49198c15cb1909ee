"""What may come in, and in which form it is kept: one rule for every store.

Text is kept as given. Characters that cannot be written as text everywhere (NUL, lone surrogates) stand as U+FFFD,
and the original is kept beside it, JSON-escaped, so nothing is lost. Names and ids must be clean already.
A time without a zone is taken as UTC.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, TypeVar

from recollect.errors import InvalidInput
from recollect.records import NOTHING, ToolCall

__all__ = [
    "LONGEST_NAME",
    "clean_choice",
    "clean_importance",
    "clean_name",
    "clean_object",
    "clean_text",
    "clean_time",
    "clean_tool_calls",
    "json_text",
]

LONGEST_NAME = 512
"""Characters in an id, a name or a title."""

_Choice = TypeVar("_Choice", bound=str)


def clean_text(value: object, what: str = "text") -> tuple[str, str | None]:
    """The text in its kept form, and the original (JSON-escaped) if that differs."""
    if not isinstance(value, str):
        raise InvalidInput(f"{what} is {_kind(value)}, not a text.", "Pass a str.")
    if "\0" not in value:
        if value.isascii():
            return value, None
        try:
            value.encode()
            return value, None
        except UnicodeEncodeError:
            pass
    whole = value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return whole.replace("\0", "\ufffd"), json.dumps(value)


def clean_name(value: object, what: str) -> str:
    """An id or a name: not empty, not endless, without control characters."""
    if not isinstance(value, str):
        raise InvalidInput(f"{what} is {_kind(value)}, not a text.", "Pass a str.")
    if not value or len(value) > LONGEST_NAME:
        raise InvalidInput(f"{what} has {len(value)} characters.", f"Use 1 to {LONGEST_NAME}.")
    if not value.isprintable() and any(unicodedata.category(char) in ("Cc", "Cs") for char in value):
        raise InvalidInput(f"{what} {value!r} has control characters or broken Unicode.", "Use plain text.")
    return value


def clean_choice(value: object, choices: tuple[_Choice, ...], what: str) -> _Choice:
    """One of a few known words."""
    for choice in choices:
        if value == choice:
            return choice
    raise InvalidInput(f"{what} {value!r} is not known.", f"Use one of {', '.join(choices)}.")


def clean_time(value: object, what: str = "time") -> datetime:
    """A moment in UTC, from a datetime or an ISO text; without a zone it is taken as UTC."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            raise InvalidInput(f"{what} {value!r} is not a time.", "Write it as in 2026-05-05T09:30:00Z.") from None
    if not isinstance(value, datetime):
        raise InvalidInput(f"{what} is {_kind(value)}, not a time.", "Pass a datetime or an ISO text.")
    if value.tzinfo is None:
        return value.replace(tzinfo=UTC)
    try:
        return value.astimezone(UTC)
    except OverflowError:
        raise InvalidInput(f"{what} {value!r} is out of range in UTC.", "Use a year from 1 to 9999.") from None


def clean_importance(value: object) -> float:
    """A score from outside, clamped to 0–1."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value:
        raise InvalidInput(f"importance {value!r} is not a number.", "Pass a number from 0 to 1.")
    return min(1.0, max(0.0, float(value)))


def clean_object(value: object, what: str = "meta") -> Mapping[str, Any]:
    """A JSON object, as a copy that the caller cannot change afterwards."""
    if value is None or value == {}:
        return NOTHING
    if not isinstance(value, Mapping):
        raise InvalidInput(f"{what} is {_kind(value)}, not an object.", "Pass a dict of JSON values.")
    copy: dict[str, Any] = json.loads(json_text(dict(value), what))
    if copy != value:
        raise InvalidInput(f"{what} does not survive JSON as it is.", "Use text keys and lists, not tuples.")
    return copy


def clean_tool_calls(value: Iterable[object] | None) -> tuple[ToolCall, ...]:
    """Tool calls, given as ours or in OpenAI's shape."""
    if not value:
        return ()
    if isinstance(value, (str, bytes, Mapping)):
        raise InvalidInput("tool_calls is not a list.", "Pass a list of tool calls.")
    return tuple(_tool_call(call) for call in value)


def _tool_call(value: object) -> ToolCall:
    if isinstance(value, ToolCall):
        parts: Mapping[str, Any] = value.to_dict()
    elif isinstance(value, Mapping):
        parts = {"id": value.get("id"), **value.get("function", value)}
    else:
        raise InvalidInput(f"A tool call is {_kind(value)}.", "Pass recollect.ToolCall or a dict in OpenAI's shape.")
    arguments = parts.get("arguments", "{}")
    if isinstance(arguments, Mapping):
        arguments = json_text(dict(arguments), "arguments")
    text, original = clean_text(arguments, "arguments")
    if original is not None:
        raise InvalidInput("A tool call's arguments hold NUL or broken Unicode.", "Escape them as JSON does.")
    return ToolCall(
        id=clean_name(parts.get("id"), "tool call id"), name=clean_name(parts.get("name"), "tool name"), arguments=text
    )


def json_text(value: object, what: str) -> str:
    """Compact JSON, ASCII only, so that every store can hold it."""
    try:
        return json.dumps(value, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"{what} cannot be written as JSON: {error}.", "Use JSON values only.") from None


def _kind(value: object) -> str:
    return "None" if value is None else f"of type {type(value).__name__}"
