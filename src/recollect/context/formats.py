"""A prompt in the shapes that providers take: OpenAI's messages, Anthropic's system and messages, and plain text."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from recollect.context.text import one_line
from recollect.context.units import LONGEST_NAME, safe_name
from recollect.records import Message, ToolCall

__all__ = ["Spoken", "anthropic", "openai", "plain"]

Spoken = tuple[str, Message | str]
"""A part of a prompt: "head" or "recalled" with its text, or "turn" with its message."""

NOTHING = "…"
"""What a user is given to say where a format needs a user's turn first."""


def openai(parts: Sequence[Spoken], inline: bool) -> list[dict[str, Any]]:
    """Messages for an OpenAI-style chat call; `inline` puts what is recalled into the user's turn behind it."""
    found: list[dict[str, Any]] = []
    waiting = ""
    for kind, part in parts:
        if isinstance(part, str) and kind == "recalled" and inline:
            waiting = part + "\n\n"
        elif isinstance(part, str):
            found.append({"role": "system", "content": part})
        else:
            found.append(_openai_message(part))
            if waiting:
                found[-1]["content"], waiting = waiting + part.text, ""
    return found


def _openai_message(message: Message) -> dict[str, Any]:
    out: dict[str, Any] = {"role": message.role, "content": message.text}
    if message.name is not None and message.role != "tool":
        out["name"] = safe_name(message.name)
    if message.tool_calls:
        out["content"] = message.text or None
        out["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in message.tool_calls
        ]
    if message.role == "tool":
        out["tool_call_id"] = message.tool_call_id
    return out


def anthropic(parts: Sequence[Spoken]) -> dict[str, Any]:
    """System and messages for Anthropic's API: turns alternate, the user begins, tools speak in blocks."""
    system = "\n\n".join(text for text in _system_texts(parts) if text)
    turns: list[dict[str, Any]] = []
    for role, blocks in _blocks(parts):
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"] += blocks
        else:
            turns.append({"role": role, "content": blocks})
    if turns and turns[0]["role"] != "user":
        turns.insert(0, {"role": "user", "content": [_text(NOTHING)]})
    for turn in turns:
        if len(turn["content"]) == 1 and turn["content"][0]["type"] == "text":
            turn["content"] = turn["content"][0]["text"]
    return {"system": system, "messages": turns} if system else {"messages": turns}


def _system_texts(parts: Sequence[Spoken]) -> Iterator[str]:
    for kind, part in parts:
        if kind == "head" and isinstance(part, str):
            yield part
        elif isinstance(part, Message) and part.role == "system":
            yield part.text


def _blocks(parts: Sequence[Spoken]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    for kind, part in parts:
        if isinstance(part, str):
            if kind == "recalled":
                yield "user", [_text(part)]
        elif part.role == "tool":
            block = {"type": "tool_result", "tool_use_id": part.tool_call_id, "content": part.text}
            yield "user", [block]
        elif part.role == "assistant":
            spoken = [_text(_named(part))] if part.text.strip() else []
            if found := spoken + [_use(call) for call in part.tool_calls]:
                yield "assistant", found
        elif part.role == "user":
            yield "user", [_text(_named(part) or NOTHING)]


def _text(text: str) -> dict[str, Any]:
    return {"type": "text", "text": text if text.strip() else NOTHING}


def _named(message: Message) -> str:
    return message.text if message.name is None else f"{spoken_name(message.name)}: {message.text}"


def spoken_name(name: str) -> str:
    """A speaker's name within a text: as long as the one that was counted."""
    return one_line(name)[:LONGEST_NAME]


def _use(call: ToolCall) -> dict[str, Any]:
    try:
        given = json.loads(call.arguments or "{}")
    except (ValueError, RecursionError):
        given = None
    return {
        "type": "tool_use",
        "id": call.id,
        "name": call.name,
        "input": given if isinstance(given, dict) else {"arguments": call.arguments},
    }


def plain(parts: Sequence[Spoken]) -> str:
    """The prompt as text, for people and for models without a chat format."""
    return "\n\n".join(_spoken(part) for _, part in parts)


def _spoken(part: Message | str) -> str:
    if isinstance(part, str):
        return part
    who = part.role.capitalize() + ("" if part.name is None else f" ({spoken_name(part.name)})")
    calls = [f"→ {call.name}({call.arguments})" for call in part.tool_calls]
    return f"{who}: " + " ".join(text for text in (part.text, *calls) if text)
