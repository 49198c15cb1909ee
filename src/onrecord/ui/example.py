"""An example to explore: one person's conversations over half a year, about a trip, a kitchen and running.

Things change in them, as they do: a date moves, a hotel is replaced, a budget grows, a goal becomes smaller. All that
is known of them is made here from what was said, by rules, without a model.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from onrecord.memory import Memory, engine_of
from onrecord.session import Session

__all__ = ["TITLES", "fill", "holds_nothing"]

TITLES = {
    "trip to Lisbon": "Six days in Lisbon",
    "new kitchen": "The new kitchen",
    "running": "Running again",
}
"""The conversations and what they are called."""

SYSTEM = "You are a calm assistant for everyday life. Be brief. Ask before you book or cancel anything."
ALLERGY = 5  # the message that the first pin comes from


def holds_nothing(memory: Memory) -> bool:
    """Whether nothing was said in the space yet."""
    return not engine_of(memory).store.sessions(memory.name, "", 1)


def fill(memory: Memory) -> bool:
    """Put the example into a space that holds nothing; answers whether it did. Nothing of what is there changes."""
    if not holds_nothing(memory):
        return False
    told: dict[str, list[Mapping[str, Any]]] = {}
    for number, line in enumerate(files("onrecord.ui").joinpath("example.jsonl").read_text("utf-8").splitlines()):
        one = json.loads(line)
        told.setdefault(one.pop("session"), []).append(
            one | {"key": f"example-{number}"}
        )  # told twice, it is there once
    for name, messages in told.items():
        chat = memory.session(name)
        chat.add_many(messages)
        chat.update(title=TITLES[name], system=SYSTEM)
        chat.summarize()  # vectors are made beside other work
    _by_hand(memory.session("trip to Lisbon"))
    return True


def _by_hand(chat: Session) -> None:
    """What a person adds: two pins, and a summary in their own words, which stays as it is."""
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
