"""Values from outside (a file, the wire), checked against the types that a record declares for them.

One function for all records, by the types of their fields. `to_dict` leaves defaults out, so what is missing has its
default; a field that this version does not know comes from a newer one and is left aside.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from functools import cache
from itertools import repeat
from types import NoneType, UnionType
from typing import Any, Literal, TypedDict, TypeVar, Union, cast, get_args, get_origin, get_type_hints, is_typeddict

from onrecord.records.derived import ImportantData, Pin, Record, Summary
from onrecord.records.facts import Change, Episode, Fact, Relation

__all__ = ["fault_of", "typed"]

MOST = 2**53
"""The largest whole number that every JSON reader keeps exactly."""

COLUMNS = ("id", "session", "plan", "key", "level", "first", "last", "locked", "time")
"""Fields of a derived record that its row holds, not its body."""

_Reader = Callable[[Any], Any]
_Record = TypeVar("_Record")


class _Progress(TypedDict, total=False):
    """What a mark says of how far something is done, and a summary of how its plan stood."""

    at: int
    covered: int
    live: int
    merged: int
    version: int
    size: int
    memory: int
    system: int
    sum: int
    first: int
    units: int
    nodes: int
    kind: tuple[int, int, int]
    breaks: tuple[int, ...]
    open: tuple[tuple[int, int], ...]
    levels: tuple[tuple[int, ...], ...]
    ended: str
    owner: str
    host: str
    process: int
    until: datetime
    calls: Mapping[str, int]
    trouble: str


class _BodyShape(TypedDict, total=False):
    """What a body holds beside the fields of its record."""

    text: str
    data: ImportantData
    delta: ImportantData
    state: _Progress
    number: int
    base: str
    at: int
    why: str


_KINDS: Mapping[str, Any] = {
    "summary": Summary,
    "pin": Pin,
    "important": _BodyShape,
    "mark": _Progress,
    "fact": Fact,
    "episode": Episode,
    "change": Change,
    "relation": Relation,
    "unreadable": _BodyShape,
}


def typed(kind: type[_Record], data: object) -> _Record:
    """Return the record that this JSON stands for. Raises ValueError if a value is not of its field's type.

    >>> from onrecord.records import Receipt
    >>> typed(Receipt, {"id": "m1", "seq": 1, "tokens": 5, "importance": 0.3, "colour": "red"})
    Receipt(id='m1', seq=1, tokens=5, importance=0.3, repeated=False, repaired=False)
    """
    return cast(_Record, _reader(cast(Any, kind))(data))


def fault_of(record: Record) -> str:
    """Why a derived record cannot be read as one of its kind; empty if it can, or was emptied.

    >>> fault_of(Record(session="s", kind="pin", plan="manual", key="p", body={"text": 5}))
    'text must be a text, got int'
    """
    if record.body is None or record.kind not in _KINDS:
        return ""
    missing = [name for name in _needed_in_body(record.kind) if not record.body.get(name)]
    if missing:
        return f"{missing[0]} is missing"
    try:
        _body_reader(_KINDS[record.kind])(record.body)
        if record.kind == "change":
            _read("values", _body_reader(Fact), record.body.get("values", {}))
    except ValueError as error:
        return str(error)
    return ""


@cache
def _body_reader(form: Any) -> _Reader:
    """What checks a body; names that it does not know are left aside."""
    columns = COLUMNS if is_dataclass(form) else ()
    hints = get_type_hints(_BodyShape) | {name: hint for name, hint in _hints(form).items() if name not in columns}
    readers = {name: _share if hint is float else _reader(hint) for name, hint in hints.items()}

    def read(body: Any) -> Any:
        _must(isinstance(body, Mapping), "an object", body)
        for name, value in body.items():
            if name in readers:
                _read(name, readers[name], value)

    return read


@cache
def _needed_in_body(kind: str) -> list[str]:
    return [name for name in _needed(_KINDS[kind]) if name not in COLUMNS]


def _hints(kind: Any) -> dict[str, Any]:
    return {name: hint for name, hint in get_type_hints(kind).items() if name != "__slots__"}


def _needed(kind: Any) -> list[str]:
    """Names of the fields that have no default."""
    parts = fields(kind) if is_dataclass(kind) else ()
    return [part.name for part in parts if part.default is MISSING and part.default_factory is MISSING]


def _read(name: str, read: _Reader, value: Any) -> Any:
    try:
        return read(value)
    except ValueError as error:
        separator = " " if str(error).startswith("must") else "."
        raise ValueError(f"{name}{separator}{error}") from None


@cache
def _reader(hint: Any) -> _Reader:
    """What makes a value of this type from JSON."""
    if is_dataclass(hint) or is_typeddict(hint):
        return _object(hint)
    origin, given = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        (one,) = [_reader(arg) for arg in given if arg is not NoneType]
        return lambda value: None if value is None else one(value)
    if origin is Literal:
        return _one_of(given)
    if origin is tuple:
        return _tuple(given)
    if origin in (Mapping, dict):
        return _mapping(_reader(given[1]))
    return _SIMPLE[hint]


def _object(kind: Any) -> _Reader:
    readers = {name: _reader(hint) for name, hint in _hints(kind).items()}
    needed = _needed(kind)

    def read(value: Any) -> Any:
        _must(isinstance(value, Mapping), "an object", value)
        for name in needed:
            if name not in value:
                raise ValueError(f"{name} must be there")
        return kind(**{name: _read(name, one, value[name]) for name, one in readers.items() if name in value})

    return read


def _one_of(choices: tuple[Any, ...]) -> _Reader:
    def read(value: Any) -> Any:
        _must(isinstance(value, str) and value in choices, f"one of {', '.join(choices)}", value)
        return value

    return read


def _tuple(given: tuple[Any, ...]) -> _Reader:
    each = None if given[-1] is not Ellipsis else _reader(given[0])
    readers = [] if each else [_reader(arg) for arg in given]

    def read(value: Any) -> Any:
        right = isinstance(value, (list, tuple)) and (each is not None or len(value) == len(readers))
        _must(right, "a list" if each else f"a list of {len(readers)}", value)
        return tuple(one(item) for one, item in zip(repeat(each) if each else readers, value, strict=False))

    return read


def _mapping(each: _Reader) -> _Reader:
    def read(value: Any) -> Any:
        _must(isinstance(value, Mapping), "an object", value)
        return {name: each(item) for name, item in value.items()}

    return read


def _must(right: bool, words: str, value: object) -> None:
    if not right:
        raise ValueError(f"must be {words}, got {type(value).__name__}")


def _text(value: Any) -> str:
    _must(isinstance(value, str), "a text", value)
    if not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
        raise ValueError("must be a text without broken Unicode")
    return cast(str, value)


def _whole(value: Any) -> int:
    right = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < MOST
    _must(right, "a whole number from 0", value)
    return cast(int, value)


def _number(value: Any) -> float:
    right = isinstance(value, (int, float)) and not isinstance(value, bool) and -MOST < value < MOST
    _must(right, "a number", value)
    return float(value)


def _share(value: Any) -> float:
    """Every number with a fraction in a body is a share, or a valence."""
    number = _number(value)
    _must(-1 <= number <= 1, "a number from -1 to 1", value)
    return number


def _switch(value: Any) -> bool:
    _must(isinstance(value, bool), "true or false", value)
    return cast(bool, value)


def _time(value: Any) -> datetime:
    try:
        time = datetime.fromisoformat(value)
    except (TypeError, ValueError):
        time = datetime.min
    _must(time.tzinfo is not None, "a time with its zone", value)
    return time


_SIMPLE: Mapping[Any, _Reader] = {
    Any: lambda value: value,
    str: _text,
    int: _whole,
    float: _number,
    bool: _switch,
    datetime: _time,
}
