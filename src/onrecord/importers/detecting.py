"""Which format a file has: decided by what stands in it, never by its name."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any, Literal

from onrecord.errors import InvalidInput
from onrecord.importers.documents import Document
from onrecord.importers.items import Broken, Layout, layout_of, values_of
from onrecord.journal.transfer import FORMATS as EXPORTS

__all__ = ["FORMATS", "Format", "detect", "format_of", "layout"]

Format = Literal["onrecord", "chatgpt", "claude", "jsonl"]
FORMATS: tuple[Format, ...] = ("onrecord", "chatgpt", "claude", "jsonl")
LOOKED_AT = 20  # values until one is known

UNDERSTOOD = (
    "What is understood: what `onrecord export` wrote; the .zip or conversations.json of ChatGPT's or Claude's "
    "export; and JSON or JSON Lines of messages with role and content, or of objects with a list of messages."
)


def detect(document: Document) -> Format:
    """The format of a text; an error that names what is understood if it is none of them."""
    how = layout(document)
    found = islice(values_of(document.peek(), how), LOOKED_AT)
    return _first(found, document.name)


def layout(document: Document) -> Layout:
    """How the values of a text stand in it."""
    how = layout_of(document.peek)
    if how is None:
        raise InvalidInput(f"{document.name} holds no conversations: it is empty, or not JSON.", UNDERSTOOD)
    return how


def _first(values: Iterable[tuple[int, Any]], name: str) -> Format:
    broken = ""
    many = 0
    for number, value in values:
        many += 1
        if isinstance(value, Broken):
            broken = broken or f" Number {number} of it cannot be read: {value.why}"
        elif (found := format_of(value)) is not None:
            return found
    what = "is not of a kind that can be imported" if many else "holds no conversations"
    raise InvalidInput(f"{name} {what}.{broken}", UNDERSTOOD)


def format_of(value: object) -> Format | None:
    """The format that a value belongs to.

    >>> format_of({"role": "user", "content": "Hello!"})
    'jsonl'
    """
    if not isinstance(value, dict):
        return None
    if value.get("format") in EXPORTS:
        return "onrecord"
    if "mapping" in value:
        return "chatgpt"
    if "chat_messages" in value:
        return "claude"
    said = "role" in value and ("content" in value or "text" in value or "tool_calls" in value)
    return "jsonl" if said or isinstance(value.get("messages"), list) else None
