"""A prompt that was built elsewhere and told as JSON: what a service answers, and the context a caller makes of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from onrecord.context.head import Counted
from onrecord.context.prompt import Context
from onrecord.context.stock import Packed
from onrecord.context.units import Unit
from onrecord.records import Candidate, Message, Section

__all__ = ["ToldContext", "parts_form"]


def parts_form(context: Context) -> list[dict[str, Any]]:
    """A prompt in its parts, in order: "head" and "recalled" with a text, "turn" with a message."""
    return [
        {"kind": kind, "text": part} if isinstance(part, str) else {"kind": kind, "message": part.to_dict()}
        for kind, part in context.parts
    ]


class ToldContext(Context):
    """A context from what a service answered: with its parts and its manifest, everything else follows."""

    def __init__(self, told: Mapping[str, Any], manifest: Sequence[Candidate], sections: Sequence[Section]) -> None:
        texts = {one["kind"]: one["text"] for one in told["prompt"] if "text" in one}
        turns = [Message.from_dict(one["message"]) for one in told["prompt"] if "message" in one]
        at = _asked_at(turns) if told["question"] is not None else len(turns)
        packed = Packed(
            system="",
            lines={},
            turns=_units(turns[:at]),
            question=next(iter(turns[at:]), None),
            after=_units(turns[at + 1 :]),
            cost=cast(Counted, None),  # counted where it was built
            values={},
            head=texts.get("head", ""),
            recalled=texts.get("recalled", ""),
            tokens=told["tokens"],
            estimated=told["estimated"],
            warnings=list(told["warnings"]),
            confidence=told.get("confidence"),
        )
        super().__init__(
            packed,
            budget=told["budget"],
            profile=told["profile"],
            letters=0.0,
            encoding=told["encoding"],
            exact=told["exact"],
            stable=told["stable"],
        )
        self.manifest = tuple(manifest)
        self.sections = tuple(sections)


def _asked_at(turns: Sequence[Message]) -> int:
    """Where the question stands: it is the newest thing that the user said; only tools speak after it."""
    return max(at for at, message in enumerate(turns) if message.role == "user")


def _units(messages: Sequence[Message]) -> list[Unit]:
    return [Unit((message,), 0, message.seq) for message in messages]
