"""What a summary node is made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from onrecord.records import Message, Record

__all__ = ["RECIPE", "Sources"]

RECIPE = "extractive-1"
"""How a summary is made without a model."""

_FIGURES = ("began", "ended", "count", "origins", "state", "number")  # of a node: what is no text


@dataclass(frozen=True, slots=True, kw_only=True)
class Sources:
    """Messages, the nodes over them, and the version before. Where there are both messages and nodes, the text is made
    from the messages and the rest from the nodes."""

    messages: Sequence[Message] = ()
    nodes: Sequence[Record] = ()
    before: Record | None = None
    since: int = 0  # nodes that end here or before are no source of important data

    def without_texts(self) -> Sources:
        """What is left where the texts cannot be read, be it those of the nodes."""
        nodes = [_textless(node) for node in self.nodes]
        return Sources(nodes=nodes, before=None if self.before is None else _textless(self.before), since=self.since)

    @property
    def data(self) -> list[Mapping[str, Any]]:
        """The important data of the nodes, the version before first."""
        nodes = [*([self.before] if self.before else []), *self.nodes]
        return [(node.body or {}).get("data", {}) for node in nodes if node.last > self.since]

    @property
    def bodies(self) -> list[Mapping[str, Any]]:
        """What the nodes say, the version before first."""
        nodes = [*([self.before] if self.before else []), *self.nodes]
        return [node.body or {} for node in nodes]

    @property
    def days(self) -> tuple[str, str]:
        """The days of the first and last message."""
        told = [(f"{message.time:%Y-%m-%d}",) * 2 for message in self.messages]
        told += [(str(body.get("began", "")), str(body.get("ended", ""))) for body in self.bodies]
        first = min((began for began, _ in told if began), default="")
        return first, max((ended for _, ended in told), default="")

    @property
    def count(self) -> int:
        """The messages that all of it stands for."""
        if self.messages and self.nodes:
            return len(self.messages)
        return len(self.messages) + sum(int(body.get("count", 0)) for body in self.bodies)


def _textless(node: Record) -> Record:
    body = node.body or {}
    return replace(node, body={name: body[name] for name in _FIGURES if name in body})
