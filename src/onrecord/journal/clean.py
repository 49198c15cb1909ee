"""Checks of what comes in, and the form in which it is kept: one rule for every store.

Text is kept as given. Characters that cannot be written as text everywhere (NUL, lone surrogates) stand as U+FFFD,
and the original is kept beside it, JSON-escaped, so nothing is lost. Names and ids must be clean already.
A time without a zone is taken as UTC.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, TypeGuard, TypeVar

from onrecord.errors import InvalidInput
from onrecord.records import Past, ToolCall

__all__ = [
    "LONGEST_NAME",
    "clean_choice",
    "clean_count",
    "clean_digest",
    "clean_importance",
    "clean_mapping",
    "clean_name",
    "clean_object",
    "clean_original",
    "clean_plain",
    "clean_text",
    "clean_time",
    "clean_tool_calls",
    "json_text",
]

LONGEST_NAME = 512
"""Characters in an id, a name or a title."""

MOST = 2**53
"""The largest whole number that every JSON reader keeps exactly."""

_DIGEST = re.compile("[0-9a-f]{32}")

_Choice = TypeVar("_Choice", bound=str)


def clean_text(value: object, what: str = "text") -> tuple[str, str | None]:
    """Return the text in its kept form, and the original (JSON-escaped) if that differs."""
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


def clean_plain(value: object, what: str) -> str:
    """Return a text that has no place for an original beside it, so it must be writable as it is."""
    text, original = clean_text(value, what)
    if original is not None:
        raise InvalidInput(f"{what} holds NUL or broken Unicode.", "Leave these characters out, or escape them.")
    return text


def clean_original(value: object, text: object) -> str:
    """Return the text as it was first given, out of its JSON-escaped form; `text` must be what is kept of it."""
    try:
        given = json.loads(value) if isinstance(value, str) else None
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, str) or clean_text(given)[0] != text:
        raise InvalidInput("original is not the JSON form of a text that is kept as text says.", "Leave both as given.")
    return given


def clean_name(value: object, what: str) -> str:
    """Return an id or a name: not empty, not endless, without control characters."""
    if not isinstance(value, str):
        raise InvalidInput(f"{what} is {_kind(value)}, not a text.", "Pass a str.")
    if not value or len(value) > LONGEST_NAME:
        raise InvalidInput(f"{what} has {len(value)} characters.", f"Use 1 to {LONGEST_NAME}.")
    if not value.isprintable() and any(unicodedata.category(char) in ("Cc", "Cs") for char in value):
        raise InvalidInput(f"{what} {value!r} has control characters or broken Unicode.", "Use plain text.")
    return value


def clean_choice(value: object, choices: tuple[_Choice, ...], what: str) -> _Choice:
    """Return a value that is one of `choices`."""
    for choice in choices:
        if value == choice:
            return choice
    shown = repr(value) if isinstance(value, str) else f"is {_kind(value)}, which"
    raise InvalidInput(f"{what} {shown} is not known.", f"Use one of {', '.join(choices)}.")


def clean_count(value: object, what: str, least: int = 0, most: int = MOST) -> int:
    """Return a whole number within bounds that every store can hold."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInput(f"{what} is {_kind(value)}, not a whole number.", f"Pass a whole number from {least}.")
    if not least <= value <= most:
        raise InvalidInput(f"{what} is out of range.", f"Pass a whole number from {least} to {most}.")
    return value


def clean_digest(value: object, what: str) -> str:
    """Return a digest as `records.digest` makes it."""
    if not isinstance(value, str) or _DIGEST.fullmatch(value) is None:
        raise InvalidInput(f"{what} is not a digest.", "Pass 32 hexadecimal digits, or leave it out.")
    return value


def clean_time(value: object, what: str = "time") -> datetime:
    """Return a moment in UTC, from a datetime or an ISO text; without a zone it is taken as UTC."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            raise InvalidInput(f"{what} {value!r} is not a time.", "Write it as in 2026-05-05T09:30:00Z.") from None
    if not isinstance(value, datetime):
        raise InvalidInput(f"{what} is {_kind(value)}, not a time.", "Pass a datetime or an ISO text.")
    if value.tzinfo is UTC:
        return value
    if value.tzinfo is None:
        return value.replace(tzinfo=UTC)
    try:
        return value.astimezone(UTC)
    except OverflowError:
        raise InvalidInput(f"{what} {value!r} is out of range in UTC.", "Use a year from 1 to 9999.") from None


def clean_past(as_of: object, known_at: object) -> Past:
    """Another moment to look at."""
    return Past(
        None if as_of is None else clean_time(as_of, "as_of"),
        None if known_at is None else clean_time(known_at, "known_at"),
    )


def clean_importance(value: object, what: str = "importance") -> float:
    """Return a score from outside, clamped to 0–1."""
    if _is_number(value) and abs(value) < 1e300:  # what is no number of JSON is not clamped
        value = min(1.0, max(0.0, value))
    return clean_score(value, what)


def clean_score(value: object, what: str, least: float = 0.0, most: float = 1.0) -> float:
    """Return a number within bounds."""
    hint = f"Pass a number from {least:g} to {most:g}."
    if not _is_number(value):
        raise InvalidInput(f"{what} is {_kind(value)}, not a number.", hint)
    if not least <= value <= most:
        raise InvalidInput(f"{what} is out of range.", hint)
    return float(value)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def clean_object(value: object, what: str = "meta") -> Mapping[str, Any]:
    """Return a JSON object, as a copy that the caller cannot change afterwards."""
    if value is None or value == {}:
        return {}
    if not isinstance(value, Mapping):
        raise InvalidInput(f"{what} is {_kind(value)}, not an object.", "Pass a dict of JSON values.")
    copy: dict[str, Any] = json.loads(json_text(dict(value), what))
    if copy != value:
        raise InvalidInput(f"{what} does not survive JSON as it is.", "Use text keys and lists, not tuples.")
    return copy


def clean_mapping(value: object, what: str) -> Mapping[Any, Any]:
    """Return a mapping, of any keys and values."""
    if not isinstance(value, Mapping):
        raise InvalidInput(f"{what} is {_kind(value)}, not a mapping.", "Pass a dict.")
    return value


def clean_tool_calls(value: object) -> tuple[ToolCall, ...]:
    """Tool calls, given as ours or in OpenAI's shape."""
    if value is None:
        return ()
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        raise InvalidInput(f"tool_calls is {_kind(value)}, not a list.", "Pass a list of tool calls.")
    return tuple(_tool_call(call) for call in value)


def _tool_call(value: object) -> ToolCall:
    if isinstance(value, ToolCall):
        value = value.to_dict()
    function = value.get("function", value) if isinstance(value, Mapping) else None
    if not isinstance(value, Mapping) or not isinstance(function, Mapping):
        raise InvalidInput(
            "tool_calls holds something that is not a tool call.",
            "Pass onrecord.ToolCall or a dict in OpenAI's shape.",
        )
    parts: dict[str, Any] = {"id": value.get("id"), **function}
    arguments = parts.get("arguments", "{}")
    if isinstance(arguments, Mapping):
        arguments = json_text(dict(arguments), "tool_calls.arguments")
    return ToolCall(
        id=clean_name(parts["id"], "tool_calls.id"),
        name=clean_name(parts.get("name"), "tool_calls.name"),
        arguments=clean_plain(arguments, "tool_calls.arguments"),
    )


def json_text(value: object, what: str) -> str:
    """Compact JSON, ASCII only, so that every store can hold it."""
    try:
        return json.dumps(value, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"{what} cannot be written as JSON: {error}.", "Use JSON values only.") from None


def _kind(value: object) -> str:
    return "None" if value is None else f"of type {type(value).__name__}"
