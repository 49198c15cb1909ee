"""Asks a language model for a summary of a conversation, as the product would."""

from __future__ import annotations

from collections.abc import Sequence

from recollect.derive.extractive import Piece
from recollect.policy.checks import clean_reply
from recollect.policy.display import enclosed
from recollect.ports import Model
from recollect.prompts import prompt

__all__ = ["asked", "told"]

PER_WORD = 2  # tokens
ASIDE = 20


def told(pieces: Sequence[Piece]) -> str:
    """A conversation as it is given to a model."""
    return "\n".join(_lines(pieces))


def _lines(pieces: Sequence[Piece]) -> list[str]:
    return [f"{piece.who}: {piece.text}" for piece in pieces]


def asked(model: Model, pieces: Sequence[Piece], least: int, most: int) -> str:
    """The model's summary, unchecked. Raises ModelError."""
    chosen = prompt("summary_local" if model.local else "summary_cloud")
    messages = chosen.messages(conversation=enclosed("conversation", _lines(pieces)), least=least, words=most)
    return clean_reply(model.complete(messages, tokens=PER_WORD * most + ASIDE).text)
