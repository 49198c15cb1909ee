"""Messages: whatever is said, in any role, is kept or refused; its space goes on, and nothing of the others changes."""

from __future__ import annotations

import logging
from collections.abc import Callable
from itertools import islice
from typing import Any

from onrecord import Memory
from onrecord.profiles import PROFILES
from tests.hostile.grammar import texts
from tests.hostile.requests import NUMBERS, TEXTS
from tests.hostile.texts import mutated
from tests.hostile.trial import Trial

__all__ = ["WEIGHT", "asked", "case"]

WEIGHT = 0.2
SIZES = (10, 100, 300, 1_000, 10_000)
ROLES = ("user", "assistant", "tool", "system")
NAMES = ("name", "time", "id", "key", "tool_call_id", "tool_calls", "model", "importance", "meta")
LONG = 5.0  # seconds for what reads all that a space holds: some hundred thousand characters
WORD = "zqgoodqz"


def case(trial: Trial) -> None:
    """Two sessions of one space; in one of them a person speaks, in the other whatever chance says."""
    logging.disable(logging.CRITICAL)
    random = trial.random
    place = random.choice((":memory:", f"{trial.folder}/memory.db", f"{trial.folder}/memory/"))
    profile, summarize = random.choice(list(PROFILES)), random.choice(("inline", "manual"))
    with Memory(place, embedder=None, profile=profile, summarize=summarize, durability="process") as memory:
        good, bad = memory.session("good"), memory.session("bad")
        good.add_many([("user", f"I live in {WORD}, in house number {number}.") for number in range(20)])
        before = list(good.history())
        said = islice(texts(random.randrange(2**60), random.choice(SIZES)), random.choice((5, 20, 40)))
        messages = [_message(trial, text) for text in said]
        if random.random() < 0.3:
            trial.ask(bad.add_many, messages, inputs=len(messages), long=LONG)
        for message in messages:
            values = dict(message)
            trial.ask(bad.add, values.pop("role"), values.pop("text"), long=LONG, **values)
        for ask in asked(memory):
            _answered(trial, ask)
        for message in messages[:5]:
            trial.ask(memory.search, message["text"], long=LONG)
            trial.ask(bad.context, message["text"], long=LONG)
        trial.ensure(list(good.history()) == before, "the other session was changed")
        found = any(WORD in fact.text for fact in memory.facts(status=None))
        trial.ensure(found, "the facts of the other session are gone")
        trial.ensure(next(iter(memory.search(WORD))).session == "good", "the other session is not found")
        health = memory.check()
        trial.ensure(not [one for one in health.findings if one.kind != "skipped"], f"{health.findings}")


def asked(memory: Memory) -> list[Callable[[], object]]:
    """What anybody asks of a space; none of it may fail."""
    sessions = [memory.session(info.id) for info in memory.sessions()]
    asked: list[Callable[[], object]] = [memory.facts, memory.episodes, memory.consolidate, memory.flush]
    for chat in sessions:
        asked += [chat.context, chat.summarize, chat.summaries, chat.important, chat.pins, chat.arc, chat.conversation]
        asked.append(lambda chat=chat: list(chat.history(forgotten=True)))  # type: ignore[misc]
    return [*asked, lambda: memory.search("where do I live?"), memory.rebuild, memory.facts]


def _answered(trial: Trial, ask: Callable[[], object]) -> None:
    """Not even an error of ours is right here."""
    refused = trial.refused
    trial.ask(ask, long=LONG)
    trial.ensure(trial.refused == refused, f"{ask} was refused")


def _message(trial: Trial, text: str) -> dict[str, Any]:
    random = trial.random
    if random.random() < 0.5:
        text = mutated(text, random)
    message: dict[str, Any] = {"role": random.choice(ROLES), "text": text}
    odd = random.choice((0.0, 0.0, 0.1, 0.5))
    for name in ("role", "text", *NAMES):
        if random.random() < odd / 3:
            message[name] = random.choice((random.choice(TEXTS), random.choice(NUMBERS), None, [text], {text: text}))
    return message
