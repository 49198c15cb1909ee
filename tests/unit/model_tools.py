"""Models for tests, in process: each says what it is told to, and remembers what it was asked."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from onrecord.ports import Reply

Said = str | Exception | Callable[[str], str]


class Scripted:
    """Says one thing after the other; the last one again and again. A function is given the prompt."""

    def __init__(self, *said: Said, name: str = "openai/scripted", local: bool = False, whole: bool = True) -> None:
        self.name = name
        self.local = local
        self.said = list(said)
        self.whole = whole
        self.asked: list[Sequence[Mapping[str, Any]]] = []
        self.given: list[dict[str, Any]] = []
        self.gate: threading.Event | None = None  # that each call waits for

    @property
    def calls(self) -> int:
        return len(self.asked)

    @property
    def prompts(self) -> list[str]:
        """What it was asked, as text."""
        return ["\n".join(str(message["content"]) for message in one) for one in self.asked]

    def complete(self, messages: Sequence[Mapping[str, Any]], *, tokens: int, **more: Any) -> Reply:
        self.asked.append(messages)
        self.given.append({"tokens": tokens} | more)
        if self.gate is not None:
            assert self.gate.wait(30)
        said = self.said[min(len(self.asked), len(self.said)) - 1]
        if isinstance(said, Exception):
            raise said
        text = said if isinstance(said, str) else said(self.prompts[-1])
        return Reply(text, 10, 5, self.whole)

    def stream(self, messages: Sequence[Mapping[str, Any]], **more: Any) -> Iterator[str]:
        yield self.complete(messages, tokens=0, **more).text


def first_words(prompt: str) -> str:
    """A faithful summary of what a prompt gives: the first sentence of the conversation in it."""
    talk = prompt.partition("<conversation>\n")[2].partition("\n</conversation>")[0]
    return talk.partition(": ")[2].partition(". ")[0] + "."
