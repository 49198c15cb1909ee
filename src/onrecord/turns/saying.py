"""The messages of a chat request, in OpenAI's shape, read as what would be kept of them.

What cannot be text is noted in the text: an image as "[image]". Empty answers say nothing and are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from onrecord.errors import InvalidInput
from onrecord.journal.clean import clean_text
from onrecord.records import Message, Role, ToolCall

__all__ = ["ChatRequest", "Sign", "TurnMessage", "is_other", "read_answer", "read_request", "sign_of"]

Sign = tuple[str, ...]
"""By what two messages are known to be the same."""

_NOTED = {"image_url": "[image]", "input_image": "[image]", "input_audio": "[audio]", "file": "[file]"}
_ROLES: Mapping[str, Role] = {"user": "user", "assistant": "assistant", "tool": "tool"}
_SYSTEM = ("system", "developer")


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnMessage:
    """One message of a request."""

    role: Role
    text: str
    name: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    content: Sequence[Any] = ()  # its parts as they were given, where not all of them are text
    sign: Sign = ()

    def draft(self) -> dict[str, Any]:
        """As `Session.add_many` takes it."""
        found: dict[str, Any] = {"role": self.role, "text": self.text}
        if self.name:
            found["name"] = self.name
        if self.tool_calls:
            found["tool_calls"] = self.tool_calls
        if self.tool_call_id:
            found["tool_call_id"] = self.tool_call_id
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRequest:
    """What a request says."""

    system: str  # its system and developer messages
    said: tuple[TurnMessage, ...]  # the others, without a beginning of the answer
    begun: tuple[Mapping[str, Any], ...] = ()  # assistant's messages at its end: the answer is to go on from there

    @property
    def opens(self) -> int:
        """How many messages there are up to the first thing that the user says."""
        return next((at for at, message in enumerate(self.said, 1) if message.role == "user"), len(self.said))

    @property
    def opening(self) -> str:
        """The first thing that the user says."""
        return next((message.text.strip() for message in self.said if message.role == "user"), "")

    @property
    def begun_text(self) -> str:
        return "\n".join(text for message in self.begun if (text := _text_of(message.get("content"))))


def read_request(messages: object) -> ChatRequest:
    """The messages of a request."""
    if isinstance(messages, (str, bytes, Mapping)) or not isinstance(messages, Sequence) or not messages:
        raise InvalidInput("messages is not a list of messages.", "Send at least one.")
    system: list[str] = []
    said: list[tuple[TurnMessage, Mapping[str, Any]]] = []
    for number, message in enumerate(messages, 1):
        if not isinstance(message, Mapping):
            raise InvalidInput(f"Message {number} is not an object.", "Send role and content.")
        role = str(message.get("role"))
        if role in _SYSTEM:
            system.append(_text_of(message.get("content")))
        elif role in _ROLES and not message.get("function_call"):
            heard = _said(_ROLES[role], message)
            if heard.role != "assistant" or heard.text or heard.tool_calls:
                said.append((heard, message))
        else:
            raise InvalidInput(f"Message {number} has a role or a call that is not kept.", "Use tools, not functions.")
    end = len(said)
    while end and said[end - 1][0].role == "assistant" and not said[end - 1][0].tool_calls:
        end -= 1
    return ChatRequest(
        system=clean_text("\n\n".join(part for part in system if part.strip()))[0],
        said=tuple(message for message, _ in said[:end]),
        begun=tuple(message for _, message in said[end:]),
    )


def read_answer(message: Mapping[str, Any]) -> TurnMessage:
    """An assistant's message."""
    return _said("assistant", message)


def sign_of(message: Message) -> Sign:
    """By what a kept message is known again in a request."""
    return _sign(message.role, message.text, message.tool_calls, message.tool_call_id)


def _said(role: Role, message: Mapping[str, Any]) -> TurnMessage:
    content = message.get("content")
    text = _text_of(content) or (_text_of(message.get("refusal")) if role == "assistant" else "")
    calls = _calls(message.get("tool_calls")) if role == "assistant" else ()
    answers = clean_text(str(message.get("tool_call_id") or ""))[0][:512] or None if role == "tool" else None
    name = message.get("name")
    mixed = not isinstance(content, str) and isinstance(content, Sequence) and any(map(is_other, content))
    return TurnMessage(
        role=role,
        text=text,
        name=_name(name) if isinstance(name, str) and role != "tool" else None,
        tool_calls=calls,
        tool_call_id=answers,
        content=tuple(content) if mixed and content is not None else (),
        sign=_sign(role, clean_text(text)[0], calls, answers),
    )


def _sign(role: str, text: str, calls: Sequence[ToolCall], answers: str | None) -> Sign:
    """Calls and results are known by their ids: some programs shorten old results."""
    if calls:
        return ("calls", *(call.id for call in calls))
    if role == "tool" and answers:
        return (role, answers)
    return (role, (_without_thoughts(text) if role == "assistant" else text).strip())


@cache
def _thoughts() -> re.Pattern[str]:
    return re.compile(r"\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL)


def _without_thoughts(text: str) -> str:
    """What a model thinks aloud before it answers is left out by many programs when they send its answer again."""
    found = _thoughts().match(text) if text.lstrip().startswith("<think") else None
    return text[found.end() :] if found else text


def _text_of(content: object) -> str:
    """The text of a content: texts of its parts, a line each."""
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence):
        return "\n".join(_text_of_part(part) for part in content)
    return ""


def _text_of_part(part: object) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping):
        return "[part]"
    if is_other(part):
        return _NOTED.get(str(part.get("type")), "[part]")
    return next((text for name in ("text", "refusal") if isinstance(text := part.get(name), str)), "")


def is_other(part: object) -> bool:
    """Whether a part of a content is no text."""
    return not isinstance(part, str) and not (isinstance(part, Mapping) and part.get("type") in ("text", "refusal"))


def _calls(given: object) -> tuple[ToolCall, ...]:
    if not isinstance(given, Sequence) or isinstance(given, str):
        return ()
    return tuple(_call(call, at) for at, call in enumerate(given) if isinstance(call, Mapping))


def _call(call: Mapping[str, Any], at: int) -> ToolCall:
    """A call; servers that give no id mean the call by its place."""
    function = call.get("function") or call.get("custom") or {}
    function = function if isinstance(function, Mapping) else {}
    arguments = function.get("arguments", function.get("input"))
    return ToolCall(
        id=_name(str(call.get("id") or "")) or f"call_{at}",
        name=_name(str(function.get("name") or "")) or "unnamed",
        arguments=clean_text(arguments)[0] if isinstance(arguments, str) else "{}",
    )


def _name(text: str) -> str:
    """A name or id as the journal takes it."""
    return "".join(char for char in clean_text(text)[0] if char >= " " and char != "\x7f")[:512]
