"""An answer that comes in pieces: server-sent events out of bytes, and the whole message out of their chunks. An
answer that comes at once is one piece.

What is odd is passed over: a stream that a client can read must not fail here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

__all__ = ["Events", "Gathered"]

LONGEST_LINE = 16 * 1024 * 1024
"""Bytes of one line; a longer one is passed over."""


class Events:
    """Server-sent events out of bytes, however they are cut: gives the data of each event that is complete."""

    def __init__(self) -> None:
        self._rest = b""
        self._data: list[str] = []
        self._skips = False  # within a line that is too long

    def feed(self, received: bytes) -> list[str]:
        """The data of the events that end in these bytes."""
        lines = (self._rest + received).replace(b"\r\n", b"\n").split(b"\n")
        self._rest = lines.pop()
        if len(self._rest) > LONGEST_LINE:
            self._rest, self._skips = b"", True
        found = []
        for line in lines:
            if self._skips:
                self._skips = False
            elif (event := self._line(line.rstrip(b"\r"))) is not None:
                found.append(event)
        return found

    def _line(self, line: bytes) -> str | None:
        """An event's data, where the line ends one."""
        if not line:
            data, self._data = self._data, []
            return "\n".join(data) if data else None
        name, _, value = line.decode("utf-8", "replace").partition(":")
        if name == "data":
            self._data.append(value.removeprefix(" "))
        return None


class Gathered:
    """The assistant's message of the first choice of a stream, or of a whole completion."""

    def __init__(self) -> None:
        self.finished = False
        """Whether the model came to its end."""
        self.model: str | None = None
        """The model that says it speaks."""
        self._whole: Mapping[str, Any] | None = None  # the message of a completion
        self._texts: dict[str, list[str]] = {"content": [], "refusal": []}
        self._calls: dict[int, dict[str, Any]] = {}

    def feed(self, chunk: object) -> None:
        """Take a chunk or a completion: an object, or its JSON; "[DONE]" says that the stream came to its end."""
        if isinstance(chunk, (str, bytes)):
            self.finished = self.finished or chunk in ("[DONE]", b"[DONE]")
            chunk = _parsed(chunk)
        if not isinstance(chunk, Mapping):
            return
        if isinstance(chunk.get("model"), str):
            self.model = chunk["model"] or self.model
        choices = chunk.get("choices")
        for choice in choices if isinstance(choices, list) else []:
            if isinstance(choice, Mapping) and not choice.get("index"):
                self._choice(choice)

    def message(self) -> dict[str, Any]:
        """What came so far; calls of tools only when the model came to its end, since half a call is none."""
        if self._whole is not None:
            return {name: value for name, value in self._whole.items() if value is not None}
        content, refusal = ("".join(self._texts[name]) for name in ("content", "refusal"))
        found: dict[str, Any] = {"role": "assistant", "content": content or None}
        if refusal:
            found["refusal"] = refusal
        if self._calls and self.finished:
            found["tool_calls"] = [self._calls[index] for index in sorted(self._calls)]
        return found

    def _choice(self, choice: Mapping[str, Any]) -> None:
        if choice.get("finish_reason"):
            self.finished = True
        delta = choice.get("delta")
        if not isinstance(delta, Mapping):
            self._whole = choice.get("message") if isinstance(choice.get("message"), Mapping) else self._whole
            return
        for name, pieces in self._texts.items():
            if isinstance(delta.get(name), str):
                pieces.append(delta[name])
        calls = delta.get("tool_calls")
        for call in calls if isinstance(calls, list) else []:
            if isinstance(call, Mapping):
                self._call(call)

    def _call(self, call: Mapping[str, Any]) -> None:
        index = call.get("index")
        if not isinstance(index, int):  # some servers send whole calls, without a place
            index = len(self._calls) if call.get("id") or not self._calls else max(self._calls)
        held = self._calls.setdefault(index, {"id": "", "type": "function", "function": {"name": "", "arguments": ""}})
        held["id"] = held["id"] or call.get("id") or ""
        function = call.get("function")
        for name, value in function.items() if isinstance(function, Mapping) else ():
            if name in held["function"] and isinstance(value, str):
                held["function"][name] += value


def _parsed(text: str | bytes) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
