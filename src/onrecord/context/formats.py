"""A prompt in the shapes that providers take: OpenAI's messages, Anthropic's system and messages, and plain text.

Chat templates are strict: one system message at the beginning, then user and assistant in turn, the user first. So the
parts of a prompt become turns before they are sent. Neighbours of one role are one message, with an empty line between
and, where several speak, their names before what they say, on lines that cannot pass for another's. What is recalled
stands in the user's message, before the question. An instruction from the middle of a conversation stands in the user's
turn, marked as the system's. Calls of tools and their results keep their own shape.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from onrecord.context.text import TAG, one_line, spoken
from onrecord.context.units import LONGEST_NAME, safe_name
from onrecord.policy.display import untagged
from onrecord.records import ROLES, Message, Role, ToolCall

__all__ = ["PromptTurn", "Spoken", "anthropic", "openai", "plain", "turns_of"]

Spoken = tuple[str, Message | str]
"""A part of a prompt: "head" or "recalled" with its text, or "turn" with its message."""

NOTHING = "…"
"""Stands for words of a user before an assistant's first, and of an assistant between a tool's result and a user."""


class PromptTurn(NamedTuple):
    """One message as it is sent."""

    role: Role
    parts: list[Message | str]  # what it is made of; none where nobody spoke

    @property
    def messages(self) -> list[Message]:
        """The messages of the conversation that it holds."""
        return [part for part in self.parts if isinstance(part, Message)]

    @property
    def unchanged(self) -> Message | None:
        """The message, if it is sent as it was said."""
        only = self.parts[0] if len(self.parts) == 1 else None
        return only if isinstance(only, Message) and only.role == self.role else None

    @property
    def name(self) -> str | None:
        """Who speaks, where it is a single message's speaker."""
        messages = self.messages
        return safe_name(messages[0].name) if len(messages) == 1 and messages[0].name is not None else None

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """What an assistant asks its tools: with that, its turn ends."""
        last = self.parts[-1] if self.parts else ""
        return () if isinstance(last, str) else last.tool_calls

    def texts(self, *, named: bool = False) -> list[str]:
        """The text of each part as it stands in the message, with names where several speak, or `named`."""
        several, joined = len(self.messages) > 1, len(self.parts) > 1
        return [one if isinstance(one, str) else _said(one, several, named, joined) for one in self.parts] or [NOTHING]

    def text(self, *, named: bool = False) -> str:
        """The texts with empty lines between."""
        texts = self.texts(named=named)
        return texts[0] if len(texts) == 1 else "\n\n".join(filter(str.strip, texts))


def turns_of(parts: Iterable[Spoken]) -> list[PromptTurn]:
    """The messages that are sent, in order."""
    found: list[PromptTurn] = []
    due: Role = "user"
    for kind, part in parts:
        role = _role(kind, part)
        if found and role == found[-1].role != "tool" and not found[-1].calls:
            found[-1].parts.append(part)
        else:
            if role in ("user", "assistant") and role != due:
                found.append(PromptTurn(due, []))
            found.append(PromptTurn(role, [part]))
        if role in ("user", "assistant"):
            due = "user" if role == "assistant" and not found[-1].calls else "assistant"
    return found


def _role(kind: str, part: Message | str) -> Role:
    if kind == "head":
        return "system"
    return "user" if isinstance(part, str) or part.role == "system" else part.role


def _said(message: Message, several: bool, named: bool, joined: bool) -> str:
    """The text of a message as it stands in a turn, with its speaker where that must be said; as it was said where
    nothing is beside it."""
    mark = "System: " if message.role == "system" else _mark(message) if (named or several) and message.name else ""
    if not mark and not several:
        return untagged(message.text, TAG) if joined else message.text
    text = spoken(message.text)
    mark = mark or " " * bool(_SPEAKER.match(text))
    return text if text.startswith(mark) else mark + text


def _mark(message: Message) -> str:
    """What stands before a speaker's words; a name that could pass for a role, or for more, stands behind the role."""
    name = spoken_name(message.name or "")
    return f"{message.role.capitalize()} ({name}): " if ":" in name or _BEGINS.match(name) else f"{name}: "


def spoken_name(name: str) -> str:
    """A speaker's name within a text: as long as the one that was counted."""
    return one_line(name)[:LONGEST_NAME]


def openai(turns: Iterable[PromptTurn]) -> list[dict[str, Any]]:
    """Messages for an OpenAI-style chat call."""
    return [_openai_message(turn) for turn in turns]


def _openai_message(turn: PromptTurn) -> dict[str, Any]:
    out: dict[str, Any] = {"role": turn.role, "content": turn.text()}
    if turn.role == "tool":
        return out | {"tool_call_id": turn.messages[0].tool_call_id}
    if turn.name is not None:
        out["name"] = turn.name
    if turn.calls:
        out["content"] = out["content"] or None
        out["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in turn.calls
        ]
    return out


def anthropic(turns: Iterable[PromptTurn]) -> dict[str, Any]:
    """System and messages for Anthropic's API: tools speak in blocks, their results within the user's turn."""
    out: dict[str, Any] = {}
    messages: list[dict[str, Any]] = []
    for turn in turns:
        role = "user" if turn.role == "tool" else turn.role
        blocks = list(_blocks(turn))
        if role == "system":
            out["system"] = turn.text()
        elif messages and messages[-1]["role"] == role:
            messages[-1]["content"] += blocks
        elif blocks:
            messages.append({"role": role, "content": blocks})
    for message in messages:
        if len(message["content"]) == 1 and message["content"][0]["type"] == "text":
            message["content"] = message["content"][0]["text"]
    return out | {"messages": messages}


def _blocks(turn: PromptTurn) -> Iterator[dict[str, Any]]:
    text = turn.text(named=True)
    if turn.role == "tool":
        yield {"type": "tool_result", "tool_use_id": turn.messages[0].tool_call_id, "content": turn.messages[0].text}
    elif text.strip() and (turn.parts or turn.role == "user"):  # here a user may speak right after a tool's result
        yield {"type": "text", "text": text}
    elif turn.role == "user":
        yield {"type": "text", "text": NOTHING}
    yield from map(_use, turn.calls)


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
    """The prompt as text, for people and for models without a chat format. A line that begins with a role begins a
    turn: further lines of what was said stand behind a space."""
    return "\n\n".join(_spoken(part) for _, part in parts)


def _spoken(part: Message | str) -> str:
    if isinstance(part, str):  # a block of lines, each behind a mark, and the system prompt
        return "\n".join(f" {line}" if _BEGINS.match(line) else line for line in part.splitlines())
    who = part.role.capitalize() + ("" if part.name is None else f" ({spoken_name(part.name)})")
    calls = [f"→ {call.name}({call.arguments})" for call in part.tool_calls]
    return spoken(f"{who}: " + " ".join(text for text in (part.text, *calls) if text))


_SPEAKER = re.compile(r"[^\s:][^:\n]{0,99}:(?=\s|\Z)")
_BEGINS = re.compile(rf"(?:{'|'.join(ROLES)})\b", re.IGNORECASE)
