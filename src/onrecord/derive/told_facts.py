"""Facts as a model tells them: one JSON object, of which only what the cited messages support is kept."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from onrecord.derive.noted import SourceTexts, visible_json
from onrecord.policy.signs import COMMON
from onrecord.policy.terms import terms
from onrecord.records import FACT_KINDS, FactKind

__all__ = ["SCHEMA", "ExtractedFact", "told_facts"]

LONGEST, LABEL = 300, 60  # characters of a fact, and of what it is about
MOST = 40  # facts of one answer
WORDED = 0.75  # of the telling words of a fact must stand in its message
STEM = 6  # letters by which words are held to be the same

_FIELDS = ("kind", "text", "subject", "attribute", "value")
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "facts": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "message": {"type": "integer"},
                    "kind": {"type": "string", "enum": list(FACT_KINDS)},
                    **{name: {"type": "string"} for name in _FIELDS[1:]},
                },
                "required": ["message", *_FIELDS],
                "additionalProperties": False,
            },
        }
    },
    "required": ["facts"],
    "additionalProperties": False,
}
"""What a model is held to, where it can be."""

_OBJECT = re.compile(r"\{.*\}", re.DOTALL)


class ExtractedFact(NamedTuple):
    """One fact of an answer that can be kept."""

    message: int
    kind: FactKind
    text: str
    subject: str
    attribute: str
    value: str


def told_facts(answer: str, messages: Mapping[int, str]) -> tuple[list[ExtractedFact] | None, int]:
    """What of a model's answer can be kept, and how many entries cannot; None: it is no such object. `messages`: what
    was said, by number, by those whose word counts."""
    found = _OBJECT.search(answer)
    try:
        given = visible_json(json.loads(found.group())) if found else None
    except (ValueError, RecursionError):
        return None, 0
    entries = given.get("facts") if isinstance(given, dict) else None
    if not isinstance(entries, list):
        return None, 0
    kept = list(_kept(entries[:MOST], messages))
    return kept, len(entries) - len(kept)


def _kept(entries: Sequence[object], messages: Mapping[int, str]) -> Iterator[ExtractedFact]:
    said: dict[int, SourceTexts] = {}
    seen: set[tuple[int, str]] = set()
    for entry in entries:
        fact = _read(entry, messages)
        if fact is None:
            continue
        source = said.setdefault(fact.message, SourceTexts([messages[fact.message]]))
        worded = _worded(fact.text, messages[fact.message])
        if not worded or not source.supports(fact.text) or (fact.message, fact.text.casefold()) in seen:
            continue
        seen.add((fact.message, fact.text.casefold()))
        labelled = fact.attribute and source.stands(fact.value) and len(terms(fact.attribute)) <= 4
        yield fact if labelled else fact._replace(attribute="", value="")


def _worded(text: str, message: str) -> bool:
    """Whether a fact is told in the words of its message: nearly all that tell something stand there."""
    said = {word[:STEM] for word in terms(message)}
    telling = [word[:STEM] for word in terms(text) if word not in COMMON]
    return sum(word in said for word in telling) >= WORDED * len(telling)


def _read(entry: object, messages: Mapping[int, str]) -> ExtractedFact | None:
    """An entry of the right shape about a message that counts."""
    if not isinstance(entry, Mapping) or entry.get("kind") not in FACT_KINDS:
        return None
    texts = {name: entry.get(name, "") for name in _FIELDS[1:]}
    number = entry.get("message")
    if isinstance(number, bool) or not isinstance(number, int) or number not in messages:
        return None
    if not all(isinstance(text, str) for text in texts.values()):
        return None
    clean = {name: " ".join(text.split()) for name, text in texts.items()}
    fits = 0 < len(clean["text"]) <= LONGEST and all(len(clean[name]) <= LABEL for name in _FIELDS[2:])
    if not fits:
        return None
    subject = clean["subject"] or "user"
    return ExtractedFact(number, entry["kind"], clean["text"], subject, clean["attribute"].lower(), clean["value"])
