"""What models took: counted by space, day and model, with a limit for a day, and a way to pause.

Counters stand in the store, so that all processes keep to one limit. They hold no word of a conversation. The limit is
looked at before each call, with what the call may take at most; calls that several processes make in the same moment
may go over it by as much as these.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import NamedTuple

from onrecord.errors import NotFound
from onrecord.ports import Clock, Reply, Store
from onrecord.records import Spent, digest
from onrecord.settings import OverLimit

__all__ = ["LIMIT", "PAUSED", "Bill", "DryRunCall", "Spending", "Waits"]

LIMIT, PAUSED = "daily_limit", "paused"
UNCHECKED = "unchecked"  # why a model's text is refused when a check fails on it
REFUSED = "refused "
YEARS = ("1", "2")  # what the name of a day begins with
CALLS, IN, OUT = "calls", "in", "out"
MOST_NAME, HEAD = 100, 80  # characters of a model's name in a counter, and of what is left of a longer one


class Waits(Exception):
    """A summary is due, and is made later: says why."""

    def __init__(self, why: str, seconds: float = 0.0, name: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.name = name  # the same in a word, where a summary is made without a model all the same
        self.seconds = seconds  # until it is worth looking again; 0: not by itself


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """Counts and limits in one store."""

    store: Store
    clock: Clock
    daily_tokens: int = 0  # 0: no limit
    over_limit: OverLimit = "extractive"

    def allows(self, space: str, tokens: int) -> bool:
        """Whether a model may be called for a space, if the call would take so many tokens. Raises Waits if nothing
        else should be done instead."""
        tally = self._tally(space, self._day(), PAUSED)
        if _paused(tally):
            raise Waits("Models are paused in this space: call resume().", name=PAUSED)
        if not self.daily_tokens or self._today(tally) + tokens <= self.daily_tokens:
            return True
        if self.over_limit == "wait":
            raise Waits(self._over(tokens), name=LIMIT)
        return False

    def _over(self, tokens: int) -> str:
        if tokens > self.daily_tokens:  # also tomorrow
            need = f"One call needs about {tokens:,} tokens, and the limit of a day is {self.daily_tokens:,}"
            return f"{need}: raise daily_tokens."
        return f"The {self.daily_tokens:,} tokens of the day are spent; it goes on tomorrow (UTC)."

    def record(self, space: str, model: str, reply: Reply | None) -> None:
        """Count a call; one that reached nobody has no reply."""
        day, model = self._day(), _short(model)
        changes = {f"{day} {CALLS} {model}": 1}
        if reply is not None:
            changes |= {f"{day} {IN} {model}": reply.tokens_in, f"{day} {OUT} {model}": reply.tokens_out}
        self.store.count(space, changes)

    def refused(self, space: str, name: str, times: int = 1) -> None:
        """Count refusals."""
        self.store.count(space, {REFUSED + name: times})

    def pause(self, space: str, paused: bool) -> None:
        """Have no model called for a space, or let them go on."""
        held = self._tally(space, PAUSED).get(PAUSED, 0)
        self.store.count(space, {PAUSED: int(paused) - held})
        if paused and not _paused(self._tally(space, PAUSED)):  # a space that is not there keeps no counters
            raise NotFound(f"There is nothing in space {space!r} to pause.", "Pause it when it holds a message.")

    def spent(self, space: str) -> Spent:
        """All of it."""
        days: dict[tuple[str, str], dict[str, int]] = defaultdict(lambda: {CALLS: 0, IN: 0, OUT: 0})
        refused: dict[str, int] = {}
        tally = self._tally(space, *YEARS, REFUSED, PAUSED)
        for name, value in tally.items():
            if name.startswith(REFUSED):
                refused[name.removeprefix(REFUSED)] = value
            elif name != PAUSED:
                day, what, model = name.split(" ", 2)
                days[day, model][what] = value
        return Spent(
            today=self._today(tally),
            limit=self.daily_tokens,
            paused=_paused(tally),
            days=tuple({"day": day, "model": model, **days[day, model]} for day, model in sorted(days)),
            refused=dict(sorted(refused.items())),
        )

    def _tally(self, space: str, *prefixes: str) -> dict[str, int]:
        """Counters whose names begin so: a space has others, and they may be many."""
        found: dict[str, int] = {}
        for prefix in prefixes:
            found |= self.store.tally(space, prefix)
        return found

    def _today(self, tally: dict[str, int]) -> int:
        day = self._day()
        return sum(value for name, value in tally.items() if name.startswith((f"{day} {IN} ", f"{day} {OUT} ")))

    def _day(self) -> str:
        return f"{self.clock():%Y-%m-%d}"


class DryRunCall(NamedTuple):
    """One call of a model that is not made."""

    sent: int  # tokens
    most: int  # tokens that the answer may have
    text: str = ""  # what the answer is taken to be
    answered: int = 0  # tokens of it


@dataclass(slots=True)
class Bill:
    """What calls of models would take."""

    spending: Spending
    space: str
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0

    def takes(self, call: DryRunCall) -> bool:
        """Whether the limit of the day has room for a call, which is put on the bill then. Raises Waits as
        `Spending.allows` does."""
        if not self.spending.allows(self.space, self.tokens_in + self.tokens_out + call.sent + call.most):
            return False
        self.calls += 1
        self.tokens_in += call.sent
        self.tokens_out += call.answered
        return True


def _paused(tally: dict[str, int]) -> bool:
    return tally.get(PAUSED, 0) > 0  # two that resume in the same moment both take one away


def _short(model: str) -> str:
    """A model's name in a counter: a store takes no long ones, and the path of a file may be one."""
    return model if len(model) <= MOST_NAME else f"{model[:HEAD]}~{digest(model)[:12]}"
