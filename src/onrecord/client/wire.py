"""Records over the wire: from the JSON that a service answers back to the records of the library."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from onrecord.errors import StoreError
from onrecord.records.typed import typed

__all__ = ["built", "built_all", "part", "unknown"]

_Record = TypeVar("_Record")


def built(kind: type[_Record], data: object) -> _Record:
    """The record that this JSON stands for."""
    try:
        return typed(kind, data)
    except (ValueError, RecursionError):
        raise unknown(kind.__name__) from None


def built_all(kind: type[_Record], data: object, length: int | None = None) -> list[_Record]:
    """The records that a JSON list stands for, which must be `length` if that is given."""
    if not isinstance(data, list) or (length is not None and len(data) != length):
        raise unknown(f"list of {kind.__name__}")
    return [built(kind, one) for one in data]


def part(data: object, name: str) -> Any:
    """One value of a JSON object."""
    if not isinstance(data, Mapping) or name not in data:
        raise unknown(f"object with {name}")
    return data[name]


def unknown(what: str) -> StoreError:
    """The error for an answer that is not what it should be."""
    return StoreError(
        f"The service answered something that is no {what}.", "Check that it runs a version of onrecord like this one."
    )
