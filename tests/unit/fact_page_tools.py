"""A conversation with facts that change, for tests of the pages about what is known."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from onrecord import Memory
from onrecord.records import Fact

__all__ = ["BEGIN", "SAID", "fill", "known"]

BEGIN = datetime(2026, 1, 5, 9, tzinfo=UTC)
SAID = {
    0: "I live in Berlin.",
    10: "I'm allergic to penicillin.",
    20: "We decided to use SQLite for the journal.",
    40: "I moved to Lisbon.",
    50: "I think we decided to use Kubernetes.",
}
"""By the day on which it is said."""


def fill(memory: Memory) -> None:
    trip = memory.session("trip/1")
    for days, text in SAID.items():
        trip.add("user", text, time=BEGIN + timedelta(days=days))
        trip.add("assistant", "Noted.", time=BEGIN + timedelta(days=days, minutes=1))
    trip.add_episode("The visa came", kind="breakthrough", first=5, last=8, significance=0.9, outcome="We can fly.")
    trip.add_episode("A quiet week", kind="pivot", first=1, last=2, significance=0.4)


def known(memory: Memory, text: str) -> Fact:
    return next(fact for fact in memory.facts(status=None) if fact.text.startswith(text))
