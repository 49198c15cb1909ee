"""Arguments of an agent's tools: whatever a model makes up is answered, or refused with what was wrong."""

from __future__ import annotations

import json
import logging
from random import Random
from typing import Any

from onrecord import Memory
from onrecord.service.mcp_server import answer_of, made_whole
from onrecord.service.mcp_tools import Tool, tools_of
from tests.hostile.http import FOREIGN, OWN, fill, ids, known
from tests.hostile.requests import NUMBERS, TEXTS, Nonsense
from tests.hostile.trial import Trial

__all__ = ["WEIGHT", "case"]

WEIGHT = 0.1
CALLS = 150


def case(trial: Trial) -> None:
    """Calls of every tool in one space, beside another."""
    logging.disable(logging.CRITICAL)
    with Memory(str(trial.folder / "memory.db"), embedder=None, summarize="inline", durability="process") as memory:
        own, foreign = memory.space("ana"), memory.space("ben")
        fill(own, OWN)
        fill(foreign, FOREIGN)
        before, names = known(foreign), [*ids(foreign), *ids(own)]
        tools = list(tools_of(own, session="s", forget=True).values())
        for _ in range(CALLS):
            tool = trial.random.choice(tools)
            arguments = _sent(_arguments(trial.random, tool, names))
            form = trial.ask(tool.call, arguments)
            said = answer_of(form or {}).model_dump_json()
            trial.ensure(FOREIGN not in said, "a foreign text", tool.call, (arguments,))
        trial.ensure(known(foreign) == before, "what another space has was changed")
        trial.ensure(memory.check().ok, "the memory is damaged")


def _arguments(random: Random, tool: Tool, names: list[str]) -> dict[str, Any]:
    """Mostly what the tool takes, with an odd value or two; ids are often those of something."""
    odd = random.choice((0.0, 0.15, 0.15, 0.5, 1.0))
    nonsense = Nonsense(random, {})
    made: dict[str, Any] = nonsense.value(tool.listed.input_schema, odd)
    for name in ("session", "fact", "key", "cursor"):
        if name in made and random.random() < 0.6:
            made[name] = random.choice((*"stu", *names))
    if "messages" in made and random.random() < 0.5:
        made["messages"] = [random.choice((1, 2, 300, *names)) for _ in range(3)]
    if random.random() < odd / 8:
        made[random.choice(TEXTS)] = random.choice((*TEXTS, *NUMBERS))
    return made


def _sent(arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments as they come out of a line of the protocol."""
    read: dict[str, Any] = json.loads(made_whole(json.dumps(arguments).encode()))
    return read
