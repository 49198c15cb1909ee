"""Records over the wire: from the JSON that a service answers back to the records of the library.

One function for all of them, by the types of their fields. `to_dict` leaves defaults out, so what is missing has its
default; what this version does not know comes from a newer service and is left aside.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from recollect.errors import StoreError

__all__ = ["built", "built_all", "part"]

Reader = Callable[[Any], Any]
_Record = TypeVar("_Record")


def built(kind: type[_Record], data: object) -> _Record:
    """The record that this JSON stands for.

    >>> from recollect.records import Receipt
    >>> built(Receipt, {"id": "m1", "seq": 1, "tokens": 5, "importance": 0.3, "colour": "red"})
    Receipt(id='m1', seq=1, tokens=5, importance=0.3, repeated=False, repaired=False)
    """
    try:
        return cast(_Record, _reader(cast(Any, kind))(data))
    except (AttributeError, KeyError, LookupError, TypeError, ValueError):
        raise _unknown(kind.__name__) from None


def built_all(kind: type[_Record], data: object) -> list[_Record]:
    """The records that a JSON list stands for."""
    if not isinstance(data, list):
        raise _unknown(f"list of {kind.__name__}")
    return [built(kind, one) for one in data]


def part(data: object, name: str) -> Any:
    """One value of a JSON object."""
    if not isinstance(data, Mapping) or name not in data:
        raise _unknown(f"object with {name}")
    return data[name]


def _unknown(what: str) -> StoreError:
    return StoreError(
        f"The service answered something that is no {what}.", "Check that it runs a version of recollect like this one."
    )


@cache
def _reader(hint: Any) -> Reader:
    """What makes a value of this type from JSON."""
    if is_dataclass(hint):
        return _record_reader(cast(type, hint))
    if hint is datetime:
        return datetime.fromisoformat
    origin, given = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        (one,) = [_reader(arg) for arg in given if arg is not NoneType]
        return lambda value: None if value is None else one(value)
    if origin is tuple and given[-1] is Ellipsis:
        each = _reader(given[0])
        return lambda value: tuple(map(each, value))
    if origin is tuple:
        readers = [_reader(arg) for arg in given]
        return lambda value: tuple(read(one) for read, one in zip(readers, value, strict=True))
    return _SIMPLE.get(origin or hint, _as_it_is)


def _record_reader(kind: type) -> Reader:
    hints = get_type_hints(kind)
    readers = [(one.name, _reader(hints[one.name])) for one in fields(kind)]

    def read(value: Mapping[str, Any]) -> Any:
        return kind(**{name: read_one(value[name]) for name, read_one in readers if name in value})

    return read


def _as_it_is(value: Any) -> Any:
    return value


_SIMPLE: Mapping[Any, Reader] = {float: float, Mapping: dict}
