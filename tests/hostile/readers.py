"""Every public function of the package that reads a text.

`text_functions()` finds them: all that the modules of `onrecord.policy` (and the other readers of text) offer whose
first parameter is a text; what else they ask for is filled in by its type. A function whose parameters cannot be filled
in is an error, so that none is forgotten.
"""

from __future__ import annotations

import inspect
import json
import pkgutil
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from importlib import import_module
from typing import Any

import onrecord.policy
from onrecord.context.text import clipped, condensed, one_line, quoted, short_summary, shortened
from onrecord.derive.extractive import SpokenPiece, extract, topics
from onrecord.derive.keyword import keyword_summary, offline_summary
from onrecord.derive.nodes import turns_of
from onrecord.derive.noted import noted
from onrecord.derive.told_facts import told_facts
from onrecord.journal.clean import clean_text
from onrecord.models.embedders.batching import whole
from onrecord.models.tokenizers import counter_for
from onrecord.policy import important
from onrecord.policy.artefacts import Artefact, choose
from onrecord.policy.checks_dates import mentions
from onrecord.policy.checks_reading import SummarySources
from onrecord.policy.display import enclosed, untagged
from onrecord.policy.fact_rules import claims
from onrecord.policy.topics import TopicTurn, boundaries
from onrecord.recall.indexed_texts import analysed
from onrecord.records import Message
from onrecord.turns.saying import read_answer, read_request

__all__ = ["Read", "text_functions"]

Read = Callable[[str], object]

_NOW = datetime(2026, 5, 5, tzinfo=UTC)
# Their texts are names, labels and ids, a word each, and come with a bound of their own.
_NOT_OF_PEOPLE = frozenset(
    "display.enclosed display.untagged fusion.default_weights "
    "headings.is_typed planned.claim_of planned.key_of plans.claim_of plans.key_of "
    "preference_rules.rule fact_lives_table.named".split()
)
# Rooms that get only what another one has cut or matched: `facts.claims` calls fact_*, on sentences of bounded length.
_INNER = ("artefact_kinds", "times_calendar")
_BY_NAME: dict[str, Callable[[str], Any]] = {
    "kind": lambda text: 1,
    "least": lambda text: 3,
    "size": lambda text: len(text) // 2,
    "most": lambda text: 200,
    "longest": lambda text: 200,
    "start": lambda text: 1,
    "end": lambda text: 3,
    "sign": lambda text: -1,
    "speaker": lambda text: "Ana",
}
_BY_TYPE: dict[str, Callable[[str], Any]] = {
    "str": lambda text: text,
    "Role": lambda text: "user",
    "str | None": lambda text: None,
    "bool": lambda text: True,
    "int": lambda text: 3,
    "float": lambda text: 0.5,
    "datetime": lambda text: _NOW,
    "SummarySources": lambda text: SummarySources([text]),
    "frozenset[str]": lambda text: frozenset(("ana", "ben")),
    "Sequence[str]": lambda text: [text],
    "Sequence[tuple[int, int]]": lambda text: [(0, len(text))],
    "Sequence[tuple[str, str]]": lambda text: [("user", text), ("assistant", text)],
    "Sequence[Message]": lambda text: [message_of(text, 1), message_of(text, 2)],
    "Sequence[Mention]": lambda text: list(mentions(text)),
    "Mapping[str, Collection[str]]": lambda text: {"ana": ("Ana",)},
    "Mapping[str, str]": lambda text: {"ana": "Ana"},
    "Iterable[tuple[str, str, str]]": lambda text: [("a", text, text)],
    "Callable[[str], bool]": lambda text: lambda part: len(part) < 500,
}


# Further readers of text, whatever their modules are called.
_OTHERS: dict[str, Read] = {}


def _further(name: str) -> Callable[[Read], Read]:
    def keep(read: Read) -> Read:
        _OTHERS[name] = read
        return read

    return keep


def message_of(text: str, seq: int) -> Message:
    """Return a message of a user that says this."""
    return Message(session="s", seq=seq, id=f"m{seq}", role="user", text=text, time=_NOW)


@_further("journal.clean.clean_text")
def _clean(text: str) -> object:
    return clean_text(text)


@_further("context.text")
def _prompt_text(text: str) -> object:
    counter = counter_for(None)
    return (
        one_line(text),
        quoted(text),
        condensed(text, 300),
        clipped(text, 300),
        shortened(text, 200, counter),
        short_summary(f"[1-2, May] {text}", 200, counter),
    )


@_further("policy.display")
def _shown(text: str) -> object:
    return untagged(text, "memory"), enclosed("note", [text, text])


@_further("derive.extractive.extract")
def _extract(text: str) -> object:
    pieces = [SpokenPiece("Ana", text), SpokenPiece("", text), SpokenPiece("Ben", "We meet on Monday.")]
    return extract(pieces, 20, 80), topics(pieces)


@_further("derive.keyword")
def _keywords(text: str) -> object:
    return keyword_summary([("user", text)]), offline_summary([("user", text)])


@_further("derive.noted.noted")
def _noted(text: str) -> object:
    turns = [("user", "user", text)]
    return noted(text, turns), noted(json.dumps({"key_decisions": [text], "entities": text.split()[:50]}), turns)


@_further("derive.told_facts.told_facts")
def _told_facts(text: str) -> object:
    return told_facts(text, {1: text})


@_further("derive.nodes.turns_of")
def _turns(text: str) -> object:
    return turns_of([message_of(text, 1)])


@_further("recall.texts.analysed")
def _analysed(text: str) -> object:
    return analysed([text], 8)


@_further("models.tokenizers")
def _count(text: str) -> object:
    return [counter_for(name).text(text) for name in ("gpt-4o", "gpt-4", "claude-sonnet")]


@_further("models.embedders.texts.whole")
def _whole(text: str) -> object:
    return whole(text)


@_further("turns.saying")
def _request(text: str) -> object:
    read_answer({"role": "assistant", "content": "<think>" + text})
    return read_request([{"role": "system", "content": text}, {"role": "user", "content": text}])


@_further("policy.important.extract")
def _important(text: str) -> object:
    found = important.extract([("user", text), ("assistant", text), ("tool", text)])
    return important.cap(found, 20), important.lines(found), important.merge(found, found)


@_further("policy.artefacts.choose")
def _choose(text: str) -> object:
    return [
        choose(Artefact(kind, "", frozenset(("haiku", "ana"))), [("user", text), ("assistant", text)])
        for kind in range(9)
    ]


@_further("policy.facts.claims")
def _claims(text: str) -> object:
    return claims(text, role="user", name=None, time=_NOW)


@_further("policy.topics.boundaries")
def _boundaries(text: str) -> object:
    return boundaries([TopicTurn("user", text), TopicTurn("assistant", text), TopicTurn("user", text)])


def text_functions() -> dict[str, Read]:
    """Return every function of people's text, by its module and name."""
    found: dict[str, Read] = {}
    for module in pkgutil.iter_modules(onrecord.policy.__path__):
        if module.name in _INNER or (module.name.startswith("fact_") and module.name != "fact_text"):
            continue
        room = import_module(f"onrecord.policy.{module.name}")
        for name in room.__all__:
            function = getattr(room, name)
            key = f"{module.name}.{name}"
            if key not in _NOT_OF_PEOPLE and _takes_text(function):
                found[f"policy.{key}"] = _filled(key, function)
    return found | _OTHERS


def _takes_text(function: Any) -> bool:
    if not inspect.isfunction(inspect.unwrap(function)) or inspect.isclass(function):
        return False
    parameters = iter(inspect.signature(function).parameters.values())
    first = next((one.annotation for one in parameters if one.annotation != "Role"), "")
    return first in _TEXTS


_TEXTS = ("str", "Sequence[str]", "Sequence[Message]")
_WHOLE = ("str", "Sequence[str]", "SummarySources")


def _filled(key: str, function: Callable[..., object]) -> Read:
    """The function as one of a text alone. One that holds two texts against each other has half of it twice."""
    makers: list[tuple[str, bool, Callable[[str], Any]]] = []
    for one in inspect.signature(function).parameters.values():
        if one.default is not one.empty:
            continue
        make = _BY_NAME.get(one.name) or _BY_TYPE.get(str(one.annotation))
        if make is None:
            raise LookupError(
                f"{key}: what to pass as {one.name}: {one.annotation}? Say it in tests/hostile/readers.py."
            )
        makers.append((one.name, one.kind is one.KEYWORD_ONLY, make))

    texts = sum(1 for one in inspect.signature(function).parameters.values() if str(one.annotation) in _WHOLE)

    def read(text: str) -> object:
        text = text[: len(text) // max(1, texts)]
        positional = [make(text) for _, keyword, make in makers if not keyword]
        named = {name: make(text) for name, keyword, make in makers if keyword}
        found = function(*positional, **named)
        return list(found) if isinstance(found, Iterator) else found

    return read
