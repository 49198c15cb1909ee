"""What must be in a prompt, made to fit: the question, the system prompt, the newest messages.

They are shortened in the middle if they must be, the oldest first: to a few words each, then to a single token; then
the oldest are left out. The question is the last to give way, and never goes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from onrecord.context.formats import PromptTurn, turns_of
from onrecord.context.head import Counted
from onrecord.context.text import shortened
from onrecord.context.units import Unit, cost_of, safe_name
from onrecord.errors import InvalidInput
from onrecord.policy.sentences import GONE
from onrecord.records import Message

__all__ = ["FLOORS", "Must", "check_least", "question_cost", "squeezed", "turn_cost", "within"]

FLOORS = (24, 1)  # tokens of text down to which each is shortened, round by round


@dataclass(slots=True)
class Must:
    """What must be there, as it is now."""

    system: str
    newest: list[Unit]
    question: Message | None
    after: list[Unit]  # what tools said since the question

    def cost(self, counted: Counted) -> int:
        units = sum(unit.cost for unit in [*self.newest, *self.after])
        return units + self.system_cost(counted) + question_cost(self.question, counted)

    def system_cost(self, counted: Counted) -> int:
        return counted(self.system) + counted.counter.overhead("system") if self.system else 0


def turn_cost(turn: PromptTurn, counted: Counted) -> int:
    """What a message takes as it is sent."""
    message = turn.unchanged
    if message is not None:
        return cost_of(counted.counter, counted)(message)
    return counted(turn.text()) + counted.counter.overhead(turn.role, turn.name, turn.calls)


def question_cost(question: Message | None, counted: Counted) -> int:
    """What the question takes, with what the chat format adds."""
    if question is None:
        return 0
    name = None if question.name is None else safe_name(question.name)
    return counted(question.text) + counted.counter.overhead(question.role, name)


def check_least(question: Message | None, recent: Sequence[Unit], system: str, budget: int, counted: Counted) -> None:
    """A budget that cannot hold one token of what there is to say is an error."""
    least = counted.counter.priming
    if question is None and recent:
        newest = within(recent[-1:], 0, counted, floor=1)[0].messages
        least += sum(turn_cost(turn, counted) for turn in turns_of(("turn", message) for message in newest))
    elif question is not None or system:
        least += counted.counter.overhead("system" if question is None else question.role) + max(1, counted(GONE))
    if budget < least:
        raise InvalidInput(
            f"tokens={budget} cannot hold a prompt: its frame alone takes nearly all.", f"Give at least {least}."
        )


def within(units: Sequence[Unit], room: int, counted: Counted, floor: int = FLOORS[0]) -> list[Unit]:
    """Messages shortened to `room` tokens together, the oldest first; each keeps `floor` tokens of its text."""
    return _units(units, sum(unit.cost for unit in units) - room, floor, counted)


def squeezed(must: Must, room: int, counted: Counted) -> Must:
    """The same in at most `room` tokens."""
    now = must
    for floor in FLOORS:
        now = replace(now, newest=_units(now.newest, now.cost(counted) - room, floor, counted))
        now = replace(now, after=_units(now.after, now.cost(counted) - room, floor, counted))
        now = replace(now, system=_text(now.system, now.cost(counted) - room, floor, counted))
        now = _with_question(now, now.cost(counted) - room, floor, counted)
    kept = int(now.question is None)  # a prompt is never empty
    while now.cost(counted) > room and (now.newest[kept:] or now.after or now.system):
        if now.newest[kept:]:
            now = replace(now, newest=now.newest[1:])
        elif now.after:
            now = replace(now, after=now.after[1:])
        else:
            now = replace(now, system="")
    if now.question is not None and now.question.name is not None and now.cost(counted) > room:
        now = replace(now, question=replace(now.question, name=None))
    return _with_question(now, now.cost(counted) - room, 1, counted)


def _with_question(now: Must, excess: int, floor: int, counted: Counted) -> Must:
    if now.question is None or excess <= 0:
        return now
    text = _text(now.question.text, excess, floor, counted)
    return replace(now, question=replace(now.question, text=text, encoding=""))


def _text(text: str, excess: int, floor: int, counted: Counted) -> str:
    """Shorter by `excess` tokens, but not under `floor`."""
    if excess <= 0 or not text:
        return text
    have = counted(text)
    return shortened(text, max(min(floor, have), have - excess), counted.counter)


def _units(units: Sequence[Unit], excess: int, floor: int, counted: Counted) -> list[Unit]:
    found: list[Unit] = []
    for unit in units:
        short = _unit(unit, excess, floor, counted) if excess > 0 else unit
        excess -= unit.cost - short.cost
        found.append(short)
    return found


def _unit(unit: Unit, excess: int, floor: int, counted: Counted) -> Unit:
    """The same with less text; the names and arguments of calls stay whole."""
    messages = list(unit.messages)
    cost = unit.cost
    for at, message in enumerate(messages):
        text = _text(message.text, excess - (unit.cost - cost), floor, counted)
        if text != message.text:
            cost -= counted(message.text) - counted(text)
            messages[at] = replace(message, text=text, encoding="")
    return unit._replace(messages=tuple(messages), cost=cost, cut=unit.cut or cost < unit.cost)
