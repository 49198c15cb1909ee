"""Important data as a model notes them: one JSON object, of which only what the messages support is kept."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from recollect.errors import InvalidInput
from recollect.policy.checks import support_refusal
from recollect.policy.important import check_data
from recollect.records import ImportantData

__all__ = ["SCHEMA", "noted"]

TOPIC = 40  # characters of what a preference is about: the model's own words, so they are few

_TEXTS = {"type": "array", "items": {"type": "string"}}
_BY_TOPIC = {"type": "object", "additionalProperties": {"type": "string"}}
_SECTIONS = {"type": "object", "properties": {"sections": _TEXTS}, "additionalProperties": False}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "user_preferences": _BY_TOPIC,
        "key_decisions": _TEXTS,
        "important_facts": _TEXTS,
        "source_urls": _TEXTS,
        "document_structure": _SECTIONS,
        "entities": _TEXTS,
    },
    "required": ["user_preferences", "key_decisions", "important_facts", "source_urls", "entities"],
    "additionalProperties": False,
}
"""What a model is held to, where it can be."""

_OBJECT = re.compile(r"\{.*\}", re.DOTALL)


def noted(answer: str, sources: Sequence[str]) -> ImportantData | None:
    """What of a model's answer can be kept; None: it is no such object."""
    found = _OBJECT.search(answer)
    try:
        given = json.loads(found.group()) if found else None
        if not isinstance(given, dict):
            return None
        known = {part.name for part in fields(ImportantData)} - {"history", "custom_fields"}
        data = check_data({name: value for name, value in given.items() if name in known})
    except (ValueError, InvalidInput, RecursionError):
        return None
    said = "\n".join(sources).casefold()
    sections = data.document_structure.get("sections", [])
    told = (
        [one for one in sections if isinstance(one, str) and _stands(one, said)] if isinstance(sections, list) else []
    )
    return ImportantData(
        user_preferences={
            topic: value
            for topic, value in data.user_preferences.items()
            if len(topic) <= TOPIC and _supported(value, sources) and _supported(f"{topic}: {value}", sources)
        },
        key_decisions=tuple(one for one in data.key_decisions if _supported(one, sources)),
        important_facts=tuple(one for one in data.important_facts if _supported(one, sources)),
        source_urls=tuple(one for one in data.source_urls if _stands(one, said)),
        document_structure={"sections": told} if told else {},
        entities=tuple(one for one in data.entities if _stands(one, said)),
    )


def _stands(text: str, said: str) -> bool:
    return bool(text.strip()) and text.strip().casefold() in said


def _supported(text: str, sources: Sequence[str]) -> bool:
    return bool(text.strip()) and support_refusal(text, sources) is None
