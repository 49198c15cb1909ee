"""What a scripted server says in a chat, and what may be wrong with it.

By default it says something faithful and short: the beginning of the last message.

>>> answer = answer_to({"messages": [{"role": "user", "content": "We fly on 5 May."}]}, None)
>>> answer["choices"][0]["message"]["content"]
'We fly on 5 May.'
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Literal

__all__ = ["Answers", "Fault", "Spoiler", "Spoken", "answer_to", "events", "is_chat"]

Fault = Literal[
    "status 400",
    "status 401",
    "status 404",
    "status 429",
    "status 500",
    "refused",  # the connection ends before the question is read
    "hang",  # no answer, until the server is closed
    "cut",  # the connection ends without an answer
    "reset",  # the same, as when the server's machine was switched off
    "cut stream",  # it ends in the middle of the answer
    "hang stream",  # it stops there, until the server is closed
    "early end",  # a stream that says in every piece that it ends
    "not json",
    "not an answer",  # JSON, of another kind
]
"""What may go wrong with one answer."""

Spoiler = Callable[[dict[str, Any], Mapping[str, Any]], Any]
"""Makes another answer of a good one and the request."""

Spoken = str | Mapping[str, Any]
"""A text, or a message with what else it holds, such as `tool_calls`."""

Answers = Callable[[Mapping[str, Any]], Spoken] | Sequence[Spoken] | None
"""What to say: made from the request, or these in turn, or (None, and after the last) something faithful."""

_WORDS = 60


def is_chat(body: Any) -> bool:
    """Return whether a request is one that a server would answer."""
    messages = body.get("messages") if isinstance(body, Mapping) else None
    return isinstance(messages, list) and bool(messages) and all(isinstance(message, Mapping) for message in messages)


def answer_to(body: Mapping[str, Any], answers: Answers) -> dict[str, Any]:
    """Return a whole answer, well-formed."""
    said = _said(body, answers)
    message = {"content": said} if isinstance(said, str) else dict(said)
    text = message.get("content") or ""
    why = "tool_calls" if message.get("tool_calls") else "stop"
    return {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": body.get("model", "scripted"),
        "choices": [{"index": 0, "message": {"role": "assistant", **message}, "finish_reason": why}],
        "usage": _usage(body, text),
    }


def events(answer: Any, fault: str | None) -> Iterator[bytes]:
    """Yield the answer as it is streamed."""
    if fault == "not json":
        yield _event("<html>Welcome</html>")
    if fault == "not json" or not isinstance(answer, dict):
        yield _event(json.dumps(answer))
        return
    choice = answer["choices"][0]
    shared = {name: answer[name] for name in ("id", "created", "model")} | {"object": "chat.completion.chunk"}
    text = choice["message"]["content"] or ""
    size = max(4, len(text) // 20)
    pieces = [text[start : start + size] for start in range(0, len(text), size)]
    half = fault in ("cut stream", "hang stream")
    for piece in pieces[: len(pieces) // 2] if half else pieces:
        ends = {"finish_reason": "stop"} if fault == "early end" else {}
        yield _event(json.dumps(shared | {"choices": [{"index": 0, "delta": {"content": piece}, **ends}]}))
    for number, call in enumerate(choice["message"].get("tool_calls") or ()):
        for part in _call_pieces(number, call):
            yield _event(json.dumps(shared | {"choices": [{"index": 0, "delta": {"tool_calls": [part]}}]}))
    if not half:
        last = {"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}
        yield _event(json.dumps(shared | {"choices": [last]}))
        yield _event("[DONE]")


def _call_pieces(number: int, call: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield a tool's call as it is streamed: its name first, then its arguments piece by piece."""
    name, arguments = call["function"]["name"], call["function"]["arguments"]
    yield {"index": number, "id": call["id"], "type": "function", "function": {"name": name, "arguments": ""}}
    for start in range(0, len(arguments), 5):
        yield {"index": number, "function": {"arguments": arguments[start : start + 5]}}


def _event(data: str) -> bytes:
    return f"data: {data}\n\n".encode()


def _said(body: Mapping[str, Any], answers: Answers) -> Spoken:
    if callable(answers):
        return answers(body)
    if answers and isinstance(answers, list):
        found: Spoken = answers.pop(0)
        return found
    return " ".join(_content(body["messages"][-1]).split()[:_WORDS])


def _content(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    return content if isinstance(content, str) else json.dumps(content)


def _usage(body: Mapping[str, Any], text: str) -> dict[str, int]:
    """In words: a server's count need not be ours."""
    read = sum(len(_content(message).split()) for message in body["messages"]) + 1
    return {"prompt_tokens": read, "completion_tokens": len(text.split()), "total_tokens": read + len(text.split())}
