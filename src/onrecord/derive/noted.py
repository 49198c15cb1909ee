"""Important data as a model notes them: one JSON object, of which only what the messages support is kept."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from onrecord.errors import InvalidInput
from onrecord.policy.automatic import plainly_said
from onrecord.policy.checks import support_check
from onrecord.policy.checks_orders import marked, orders
from onrecord.policy.display import visible
from onrecord.policy.important import check_data
from onrecord.policy.pasted import own_words
from onrecord.policy.signs import urls
from onrecord.records import ImportantData

__all__ = ["SCHEMA", "SourceTexts", "noted", "visible_json"]

LONGEST = 1_000  # characters of an entry: what is longer is none
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
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")


def noted(answer: str, turns: Sequence[tuple[str, str, str]]) -> tuple[ImportantData | None, int]:
    """What of a model's answer about turns (role, speaker and text) can be kept, and how many entries cannot; None: it
    is no such object. Preferences and orders must stand in the user's own plain turns."""
    found = _OBJECT.search(answer)
    try:
        given = visible_json(json.loads(found.group())) if found else None
        if not isinstance(given, dict):
            return None, 0
        data = check_data({name: given[name] for name in SCHEMA["properties"] if name in given})
    except (ValueError, InvalidInput, RecursionError):
        return None, 0
    own = SourceTexts([f"{who}\n{text}" for role, who, text in turns if role == who == "user" and plainly_said(text)])
    kept = SourceTexts([f"{who}\n{own_words(text)}" for _, who, text in turns]).kept(data, own)
    return kept, _entries(data) - _entries(kept)


class SourceTexts:
    """What messages say, to hold entries against."""

    def __init__(self, sources: Sequence[str]) -> None:
        self._low = "\n".join(sources).casefold()
        self._urls = frozenset(url.casefold() for source in sources for url in urls(source))
        self._refusal = support_check(sources)

    def kept(self, data: ImportantData, own: SourceTexts) -> ImportantData:
        """What of the data is supported; preferences and orders by `own`."""
        told = [one for one in _sections(data) if self.stands(one)]
        return ImportantData(
            user_preferences={name: one for name, one in data.user_preferences.items() if own.prefers(name, one)},
            key_decisions=tuple(one for one in data.key_decisions if (own if orders(one) else self).supports(one)),
            important_facts=tuple(one for one in data.important_facts if (own if orders(one) else self).supports(one)),
            source_urls=tuple(one for one in data.source_urls if one.strip().casefold() in self._urls),
            document_structure={"sections": told} if told else {},
            entities=tuple(one for one in data.entities if self.stands(one)),
        )

    def prefers(self, topic: str, value: str) -> bool:
        """Each by itself, too: what is said of the one does not make the other harmless."""
        return len(topic) <= TOPIC and all(self.supports(text) for text in (topic, value, f"{topic}: {value}"))

    def supports(self, text: str) -> bool:
        return len(text) <= LONGEST and not marked(text) and self._refusal(text) is None

    def stands(self, text: str) -> bool:
        """Whether a text was said as it is, in whole words where its script has such."""
        low = text.strip().casefold()
        if marked(text) or not 0 < len(low) <= LONGEST:
            return False
        if _UNSPACED.search(low):
            return low in self._low
        return len(low) > 1 and re.search(rf"(?<!\w){re.escape(low)}(?!\w)", self._low) is not None


def _sections(data: ImportantData) -> list[str]:
    sections = data.document_structure.get("sections", [])
    return [one for one in sections if isinstance(one, str)] if isinstance(sections, list) else []


def _entries(data: ImportantData) -> int:
    lists = (data.user_preferences, data.key_decisions, data.important_facts, data.source_urls, data.entities)
    return sum(map(len, lists)) + len(_sections(data))


def visible_json(value: Any) -> Any:
    """Without invisible characters: in JSON, they are written as letters."""
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, list):
        return [visible_json(one) for one in value]
    return {visible(name): visible_json(one) for name, one in value.items()} if isinstance(value, dict) else value
