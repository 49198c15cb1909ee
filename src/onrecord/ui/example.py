"""An example to explore: one person's conversations over half a year, about a trip, a kitchen and running.

A date moves, a hotel is replaced, a budget grows. Everything derived from them is made by rules, without a model.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from onrecord.memory import Memory
from onrecord.session import Session

__all__ = ["TITLES", "fill"]

TITLES = {
    "trip to Lisbon": "Six days in Lisbon",
    "new kitchen": "The new kitchen",
    "running": "Running again",
}
"""The conversations and their titles."""

SYSTEM = "You are a calm assistant for everyday life. Be brief. Ask before you book or cancel anything."
ALLERGY = 5  # the message that the first pin comes from


def fill(memory: Memory) -> bool:
    """Put the example into a space that is empty. Returns whether it was."""
    if next(memory.sessions(), None) is not None:
        return False
    chats: dict[str, list[Mapping[str, Any]]] = {}
    lines = files("onrecord.ui").joinpath("example.jsonl").read_text("utf-8").splitlines()
    for number, line in enumerate(lines):
        message = json.loads(line)
        chats.setdefault(message.pop("session"), []).append(message | {"key": f"example-{number}"})
    for name, messages in chats.items():
        chat = memory.session(name)
        chat.add_many(messages)
        chat.update(title=TITLES[name], system=SYSTEM)
        chat.summarize()
    _add_by_hand(memory.session("trip to Lisbon"))
    return True


def _add_by_hand(chat: Session) -> None:
    """Add two pins, and correct a summary."""
    chat.pin("Maya is allergic to penicillin.", source=ALLERGY, importance=0.95)
    chat.pin("Nora does not eat fish.", source=ALLERGY, importance=0.8)
    first = next(chat.summaries(level=1), None)
    if first is not None:
        chat.edit_summary(first.id, CORRECTED)


CORRECTED = """\
Maya (Hamburg) plans six nights in Lisbon with her sister Nora (Bremen) from 12 May 2025, for €1,600 in all.
Maya is allergic to penicillin; Nora does not eat fish. Maya likes direct flights in the morning.
They took TP 565 at 10:40, €212 each: Nora has to come from Bremen first. They want a quiet place in Alfama, and travel
with backpacks only."""
