"""Messages in the pieces that a prompt may hold or leave out: a tool's call and its results are one piece."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from onrecord.ports import Counter
from onrecord.records import Message

__all__ = ["Unit", "cost_of", "safe_name", "units_of"]

LONGEST_NAME = 64  # characters that providers take
Cost = Callable[[Message], int]
_SAFE = re.compile(r"[^\s<|\\/>]{1,64}\Z")


class Unit(NamedTuple):
    """One message, or a call of tools with all its results."""

    messages: tuple[Message, ...]
    cost: int  # tokens with what the chat format adds
    seq: int  # number of its first message
    orphan: bool = False  # a result whose call is not there: no provider would take it
    cut: bool = False  # part of its text was left out


def safe_name(name: str) -> str:
    """A speaker's name as providers accept it."""
    return name if _SAFE.match(name) else re.sub(r"[\s<|\\/>]+", "_", name)[:LONGEST_NAME].strip("_") or "someone"


def cost_of(counter: Counter, counted: Callable[[str], int] | None = None) -> Cost:
    """What messages cost in a prompt for this counter's model. What was counted before is not counted again; `counted`
    counts the other texts."""
    encoding, count = counter.encoding, counter.text if counted is None else counted

    def cost(message: Message) -> int:
        if message.encoding == encoding and (message.name is None or _SAFE.match(message.name)):
            return message.tokens + message.overhead
        name = None if message.name is None else safe_name(message.name)
        tokens = message.tokens if message.encoding == encoding else count(message.text)
        return tokens + counter.overhead(message.role, name, message.tool_calls)

    return cost


def units_of(messages: Sequence[Message], cost: Cost) -> list[Unit]:
    """The pieces, in order."""
    return list(_units(messages, cost))


def _units(messages: Sequence[Message], cost: Cost) -> Iterator[Unit]:
    at = 0
    while at < len(messages):
        message = messages[at]
        end = at + 1
        if message.tool_calls or message.role == "tool":
            while end < len(messages) and messages[end].role == "tool":
                end += 1
            yield from _tool_units(messages[at:end], cost)
        elif message.text or message.role == "user":
            yield Unit((message,), cost(message), message.seq)
        at = end


def _tool_units(group: Sequence[Message], cost: Cost) -> Iterator[Unit]:
    """A call with its results; what lacks its other half is kept apart, so that it can be shown as plain text."""
    call = group[0] if group[0].tool_calls else None
    results = group if call is None else group[1:]
    if call is not None:
        if _answered(call, results):
            yield Unit(tuple(group), sum(map(cost, group)), call.seq)
            return
        if call.text:
            bare = replace(call, tool_calls=(), encoding="")  # counted anew, without the calls
            yield Unit((bare,), cost(bare), call.seq)
    for result in results:
        yield Unit((result,), cost(result), result.seq, orphan=True)


def _answered(call: Message, results: Sequence[Message]) -> bool:
    """Whether every call has exactly one result."""
    asked = [part.id for part in call.tool_calls]
    given = [result.tool_call_id for result in results]
    return sorted(asked) == sorted(id or "" for id in given) and len(set(asked)) == len(asked)
