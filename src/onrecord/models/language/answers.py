"""What goes to a language model and what comes back, in OpenAI's chat format, which servers and llama.cpp share.

Nothing in an answer is trusted until `reply_of` has checked it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from json import dumps, loads
from typing import Any

from onrecord.models.embedders.batching import whole
from onrecord.models.tokenizers import counter_for
from onrecord.ports import Reply
from onrecord.records import ROLES

__all__ = ["LONGEST", "UNREADABLE", "joined", "piece_of", "reply_of", "schema_format", "sendable"]

LONGEST = 200_000
"""Characters of an answer; what is longer is no answer to anything that is asked here."""

UNREADABLE = (ValueError, TypeError, LookupError, AttributeError, RecursionError)
"""What `reply_of` and `piece_of` raise for what is no answer."""

_CUT = ("length", "content_filter")
_TOKENS = 100_000_000  # more than any model reads: a server that says so is not believed


def sendable(messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the messages with every text such that it can be encoded."""
    cleaned: list[dict[str, Any]] = loads(whole(dumps([dict(message) for message in messages], ensure_ascii=False)))
    return cleaned


def schema_format(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the part of a request that holds the answer to a JSON schema."""
    return {"type": "json_schema", "json_schema": {"name": "answer", "schema": dict(schema)}}


def reply_of(answer: Any, messages: Sequence[Mapping[str, Any]], name: str) -> Reply:
    """Return the reply in an answer to messages. Raises one of `UNREADABLE` if there is none."""
    choice = answer["choices"][0]
    text = choice["message"]["content"]
    if not isinstance(text, str):
        raise TypeError("no text")
    if len(text) > LONGEST:
        raise ValueError("too long")
    text = whole(text)
    read, written = _used(answer)
    return Reply(
        text=text,
        tokens_in=_tokens(messages, name) if read is None else read,
        tokens_out=counter_for(name).text(text) if written is None else written,
        whole=choice.get("finish_reason") not in _CUT,
    )


def piece_of(chunk: Any) -> tuple[str, bool]:
    """Return the text in a piece of a streamed answer, and whether it is the last one. Raises as `reply_of` does."""
    choices = chunk["choices"]
    if not choices:  # a report of what was used
        return "", False
    text = choices[0]["delta"].get("content") or ""
    if not isinstance(text, str):
        raise TypeError("no text")
    return whole(text), choices[0].get("finish_reason") is not None


def joined(chunks: Sequence[Any]) -> dict[str, Any]:
    """Return the answer whose pieces these are, as if it had come whole. Raises as `reply_of` does."""
    text = "".join(piece_of(chunk)[0] for chunk in chunks)
    ends = [chunk["choices"][0].get("finish_reason") for chunk in chunks if piece_of(chunk)[1]]
    used = [chunk["usage"] for chunk in chunks if "usage" in chunk]
    return {
        "choices": [{"message": {"content": text}, "finish_reason": ends[0]}],
        "usage": used[-1] if used else None,
    }


def _used(answer: Any) -> tuple[int | None, int | None]:
    """Return the tokens read and written, as the server counted them; None for what it does not say or cannot mean."""
    used = answer.get("usage")
    if not isinstance(used, Mapping):
        return None, None
    read, written = used.get("prompt_tokens"), used.get("completion_tokens")
    return (read if _counts(read, 1) else None), (written if _counts(written, 0) else None)


def _counts(number: Any, least: int) -> bool:
    return type(number) is int and least <= number <= _TOKENS


def _tokens(messages: Sequence[Mapping[str, Any]], name: str) -> int:
    counter = counter_for(name)
    total = counter.priming
    for message in messages:
        role = message.get("role")
        total += counter.overhead(role if role in ROLES else "user")
        total += sum(counter.text(text) for text in _texts(message.get("content")))
    return total


def _texts(content: Any) -> list[str]:
    """Return the texts of a message: its content, or the parts of it."""
    if isinstance(content, str):
        return [content]
    parts = content if isinstance(content, list) else []
    return [part["text"] for part in parts if isinstance(part, Mapping) and isinstance(part.get("text"), str)]
