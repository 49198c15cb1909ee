"""Important data: what must not be lost of a conversation when its messages leave the prompt.

`extract` finds it in messages by rules. `merge` adds newer data to older and drops nothing: a list keeps each entry
once, where it was first mentioned; a newer value under the same key takes the older one's place, and the older one goes
into the history. So a record only grows, and what goes into a prompt is a ranked part of it (`cap`, `lines`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from math import isfinite
from typing import Any

from onrecord.errors import InvalidInput
from onrecord.policy.important_rules import ImportantFinds, read_turn
from onrecord.records import ImportantData, Role

__all__ = ["cap", "check_data", "extract", "lines", "merge", "merge_all"]

# What a kind of entry is called in a prompt and what it is worth there, the most valuable first. What the caller put in
# stands beside what the user wants: nobody else can know why it is there.
_KINDS: dict[str, tuple[str, float]] = {
    "user_preferences": ("preference", 0.9),
    "custom_fields": ("field", 0.88),
    "key_decisions": ("decision", 0.85),
    "important_facts": ("fact", 0.8),
    "document_structure": ("structure", 0.7),
    "source_urls": ("source", 0.5),
    "entities": ("entity", 0.3),
}
_AGING = 0.04  # less than from one kind to the next but one: the oldest entry is worth a little less than the newest
_STANCES = frozenset(("likes", "dislikes", "prefers", "avoids", "fears", "always", "never", "only", "refuses"))
_LINE = 120  # characters of a line of entities
_DEEPEST = 16  # levels of a caller's own JSON


def extract(turns: Sequence[tuple[Role, str]]) -> ImportantData:
    """The important data of messages, oldest first. The same as merging those of its parts, except that "this is
    critical" looks back only within what is given."""
    found: list[ImportantFinds] = []
    before = ""
    for role, text in turns:
        found.append(read_turn(role, text, before))
        before = found[-1].last
    preferences: dict[str, str] = {}
    history: dict[str, Any] = {}
    for topic, value in (pair for one in found for pair in one.preferences):
        _put(preferences, topic, value, "user_preferences", history)
    sections = _union((name for one in found for name in one.sections), _folded)
    inside = {_folded(name) for name in sections}
    return ImportantData(
        user_preferences=preferences,
        key_decisions=_union((text for one in found for text in one.decisions), _folded),
        important_facts=_union((text for one in found for text in one.facts), _folded),
        source_urls=_union((url for one in found for url in one.urls), str.strip),
        document_structure={"sections": list(sections)} if sections else {},
        entities=_union((name for one in found for name in one.entities if _folded(name) not in inside), _folded),
        history=history,
    )


def merge(older: ImportantData, newer: ImportantData) -> ImportantData:
    """Both records as one: the newer value of a key wins, the older is kept in the history; lists lose nothing."""
    history: dict[str, Any] = {path: list(values) for path, values in older.history.items()}
    keyed: dict[str, Any] = {}
    for name in _KEYED:
        keyed[name] = dict(getattr(older, name))
        for key, value in getattr(newer, name).items():
            _put(keyed[name], key, value, name, history)
    for path, values in newer.history.items():
        current = _current(keyed, path)
        for value in values:
            _remember(history, path, value, current)
    return ImportantData(history=history, **_lists((older, newer)), **keyed)


def _lists(parts: Sequence[ImportantData]) -> dict[str, Any]:
    """The entries of all of them, each once, where it was first mentioned."""
    return {name: _union((item for one in parts for item in getattr(one, name)), same) for name, same in _LISTS.items()}


def _put(into: dict[str, Any], key: str, value: Any, path: str, history: dict[str, Any]) -> None:
    """Sets a key. A changed value moves to the end, so that the order says what is newest."""
    path = f"{path}.{key}"
    if key not in into:
        into[key] = value
        return
    older = into[key]
    if _same(older) == _same(value):
        return
    if isinstance(older, Mapping) and isinstance(value, Mapping):
        inner = dict(older)
        for name, item in value.items():
            _put(inner, name, item, path, history)
        into[key] = inner
        return
    if isinstance(older, (list, tuple)) and isinstance(value, (list, tuple)):
        into[key] = list(_union((*older, *value), _same_entry))
        return
    del into[key]
    into[key] = value
    _remember(history, path, older, _same(value))


def _remember(history: dict[str, Any], path: str, value: Any, current: object) -> None:
    """Adds an earlier value, once. The current one is no earlier value, even if it was given before."""
    earlier = [item for item in history.get(path, ()) if _same(item) != current]
    if _same(value) != current and _same(value) not in map(_same, earlier):
        earlier.append(value)
    if earlier:
        history[path] = earlier
    else:
        history.pop(path, None)


def _current(keyed: Mapping[str, Mapping[str, Any]], path: str) -> object:
    """What the current value of a path of the history equals; None if there is none."""
    name, _, key = path.partition(".")
    within: Any = keyed.get(name)
    while isinstance(within, Mapping):
        if key in within:
            return _same(within[key])
        head, _, key = key.partition(".")
        within = within.get(head)
    return None


def _union(values: Iterable[Any], same: Callable[[Any], object]) -> tuple[Any, ...]:
    """Each value once, in its first form and place."""
    first: dict[object, Any] = {}
    for value in values:
        first.setdefault(same(value), value)
    return tuple(first.values())


def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


_KEYED = ("user_preferences", "document_structure", "custom_fields")
# What says that two entries of a list are the same.
_LISTS: dict[str, Callable[[str], object]] = {
    "key_decisions": _folded,
    "important_facts": _folded,
    "source_urls": str.strip,
    "entities": _folded,
}


def _same(value: Any) -> object:
    """What equal JSON values have in common; 1 does not equal true."""
    return value if isinstance(value, str) else ("json", json.dumps(value, sort_keys=True))


def _same_entry(value: Any) -> object:
    return _folded(value) if isinstance(value, str) else _same(value)


def merge_all(parts: Sequence[ImportantData]) -> ImportantData:
    """All of them in order, as if merged one after the other. Lists are united at once, and what has keys is merged in
    pairs, so that the work does not grow with the square of their number."""
    empty: dict[str, Any] = dict.fromkeys(_LISTS, ())
    keyed = [replace(one, **empty) for one in parts if one.history or any(getattr(one, name) for name in _KEYED)]
    while len(keyed) > 1:
        pairs = [merge(*keyed[at : at + 2]) for at in range(0, len(keyed) - 1, 2)]
        keyed = pairs + keyed[len(pairs) * 2 :]
    return replace(keyed[0] if keyed else ImportantData(), **_lists(parts))


def cap(data: ImportantData, items: int) -> ImportantData:
    """The `items` most valuable entries, in their places: by kind, and within a kind the newest first, but before them
    what could do harm when forgotten, and full names before single words. Without the history."""
    room = max(0, items)
    kept: dict[str, Any] = {}
    for name in _KINDS:
        value = getattr(data, name)
        chosen = _chosen(list(value), room, {"user_preferences": _vital, "entities": _telling}.get(name))
        kept[name] = {key: value[key] for key in chosen} if isinstance(value, Mapping) else tuple(chosen)
        room -= len(chosen)
    return replace(data, **kept, history={})


def _chosen(values: list[str], room: int, first: Callable[[str], bool] | None) -> list[str]:
    if len(values) <= room:
        return values
    places = sorted(range(len(values)), key=lambda i: (first is not None and first(values[i]), i))
    return [values[i] for i in sorted(places[len(places) - room :])]


def _vital(topic: str) -> bool:
    """An allergy matters however long ago it was told."""
    return topic.startswith(("allergy", "intolerance"))


def _telling(entity: str) -> bool:
    """A full name or a date says more than one word."""
    return " " in entity or any(map(str.isdigit, entity))


def lines(data: ImportantData) -> list[tuple[str, str, float]]:
    """The record for a prompt: label, text of one line, value from 0 to 1. Entities share lines."""
    found: list[tuple[str, str, float]] = []
    for name, (label, worth) in _KINDS.items():
        value = getattr(data, name)
        if isinstance(value, Mapping):
            texts = [_stated(key, _plain(item)) for key, item in value.items()]
        else:
            texts = _packed(value) if name == "entities" else list(value)
        texts = [line for text in texts if (line := " ".join(text.split()))]
        newest = len(texts) - 1
        for i, text in enumerate(texts):
            age = 0.0 if i == newest or (label == "preference" and _vital(text)) else 1 - i / newest
            found.append((label, text, round(worth - _AGING * age, 3)))
    return found


def _stated(key: str, value: str) -> str:
    """An entry as a reader would say it: "theme: dark", but "likes smoothies", "never use emojis"."""
    stance, colon, rest = value.partition(": ")
    if colon and rest.startswith(key) and stance in _STANCES:
        return f"{stance} {rest}"  # the topic is the beginning of what is liked
    first, comma, more = value.partition(",")
    return f"{first} {key}{comma}{more}" if first in _STANCES else f"{key}: {value}"


def _plain(value: Any) -> str:
    """A value as a reader would write it."""
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return json.dumps(value, ensure_ascii=False)


def _packed(values: Iterable[str]) -> list[str]:
    """Short values joined into lines."""
    packed: list[str] = []
    for value in values:
        if packed and len(packed[-1]) + len(value) + 2 <= _LINE:
            packed[-1] += f", {value}"
        else:
            packed.append(value)
    return packed


def check_data(value: object) -> ImportantData:
    """Important data from a plain JSON object that a caller or a model gave. Blank and repeated entries are dropped."""
    if isinstance(value, ImportantData):
        value = value.to_dict()
    known = [part.name for part in fields(ImportantData)]
    if not isinstance(value, Mapping):
        raise InvalidInput(
            f"Important data are {_kind(value)}, not an object.", f"Give a dict with any of {_all(known)}."
        )
    unknown = [str(name) for name in value if name not in known]
    if unknown:
        raise InvalidInput(
            f"Important data have no {_all(unknown)}.", f"Use {_all(known)}; your own go into custom_fields."
        )
    return ImportantData(**{name: _checked(name, item) for name, item in value.items()})


def _checked(name: str, value: object) -> Any:
    if name in ("user_preferences", "document_structure", "custom_fields", "history"):
        readers: dict[str, Callable[[str, object], Any]] = {"user_preferences": _text, "history": _values}
        item = readers.get(name, _json)
        return {_text(f"a key of {name}", key): item(f"{name}.{key}", one) for key, one in _object(name, value).items()}
    texts = [text for i, one in enumerate(_list(name, value)) if (text := _text(f"{name}[{i}]", one).strip())]
    return _union(texts, str.strip if name == "source_urls" else _folded)


def _text(what: str, value: object) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"{what} is {_kind(value)}, not a text.", "Give a str.")
    if not value.isascii() and any("\ud800" <= letter <= "\udfff" for letter in value):
        raise InvalidInput(f"{what!r} holds broken Unicode.", "Leave these characters out.")
    return value


def _object(what: str, value: object) -> Mapping[Any, object]:
    if not isinstance(value, Mapping):
        raise InvalidInput(f"{what} is {_kind(value)}, not an object.", "Give a dict whose keys are texts.")
    return value


def _list(what: str, value: object) -> Sequence[object]:
    if not isinstance(value, (list, tuple)):
        raise InvalidInput(f"{what} is {_kind(value)}, not a list.", "Give a list of texts.")
    return value


def _values(what: str, value: object) -> list[Any]:
    if not isinstance(value, (list, tuple)):
        raise InvalidInput(f"{what} is {_kind(value)}, not a list.", "Give the earlier values as a list, oldest first.")
    return [_json(what, one) for one in value]


def _json(what: str, value: object, depth: int = 1) -> Any:
    """A copy of a JSON value: what is kept must not change with the caller's."""
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, str):
        return _text(what, value)
    if isinstance(value, float) and isfinite(value):
        return value
    if depth > _DEEPEST:
        raise InvalidInput(f"{what} is nested deeper than {_DEEPEST} levels.", "Make it flatter.")
    if isinstance(value, (list, tuple)):
        return [_json(what, one, depth + 1) for one in value]
    if isinstance(value, Mapping):
        return {_text(f"a key of {what}", key): _json(f"{what}.{key}", one, depth + 1) for key, one in value.items()}
    raise InvalidInput(f"{what} is {_kind(value)}, which JSON cannot hold.", "Give texts, numbers, lists and dicts.")


def _kind(value: object) -> str:
    return "None" if value is None else f"a {type(value).__name__}"


def _all(names: Iterable[str]) -> str:
    return ", ".join(names)
