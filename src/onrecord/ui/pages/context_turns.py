"""What the turns of a conversation take, with memory and with the whole history: a sample, spread over all of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from statistics import mean
from time import perf_counter

from onrecord.context.prompt import Context
from onrecord.models.tokenizers import counter_for
from onrecord.session import Session
from onrecord.ui.drawing.turns_plot import Plot, PlottedTurn, plot_of

__all__ = ["AT_ONCE", "COUNTED", "SAMPLED", "TurnsPlot", "turns_of"]

SAMPLED = 24  # turns whose prompts are built, at most
FEWEST = 4  # however long that takes
AT_ONCE = 0.25  # seconds that it may take unasked
COUNTED = 2_000  # messages of a conversation that the page counts unasked


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnsPlot:
    """The drawing, and what is said above it."""

    plot: Plot
    budget: int
    total: int  # turns of the conversation
    memory: int  # tokens of a prompt, in the mean of the turns in the drawing
    whole: int  # tokens of all that was said until then

    @property
    def hurried(self) -> bool:
        """Whether there would be more turns in the drawing if it had more time."""
        return len(self.plot.marks) < min(self.total, SAMPLED)


@dataclass(frozen=True, slots=True)
class _UserTurn:
    seq: int
    time: datetime
    history: int  # tokens of all messages until then, with what the chat format adds to each


def turns_of(chat: Session, shown: int, budget: int, profile: str | None, seconds: float) -> TurnsPlot | None:
    """What the turns take; `shown`: the message that the page is about, whose turn is always among them; `seconds`:
    where a prompt takes long to build, there are fewer turns. None for a conversation of fewer than two."""
    asked = _user_turns(chat)
    if len(asked) < 2:
        return None
    begun = perf_counter()
    newest = _context(chat, asked[-1], budget, profile)
    count = max(FEWEST, int(min(SAMPLED, seconds / (perf_counter() - begun))))
    shown_place = {place for place, turn in enumerate(asked) if turn.seq == shown}
    places = sorted(_spread(len(asked), count) | shown_place)
    contexts = [*(_context(chat, asked[place], budget, profile) for place in places[:-1]), newest]
    frame = _frame(chat, newest)
    turns = [
        PlottedTurn(number=place + 1, seq=asked[place].seq, memory=context.tokens, whole=asked[place].history + frame)
        for place, context in zip(places, contexts, strict=True)
    ]
    memory, whole = round(mean(turn.memory for turn in turns)), round(mean(turn.whole for turn in turns))
    return TurnsPlot(plot=plot_of(turns, budget), budget=budget, total=len(asked), memory=memory, whole=whole)


def _user_turns(chat: Session) -> list[_UserTurn]:
    history, found = 0, []
    for message in chat.history():
        history += message.tokens + message.overhead
        if message.role == "user":
            found.append(_UserTurn(message.seq, message.time, history))
    return found


def _spread(total: int, count: int) -> set[int]:
    """The places of the turns that are looked at: the first, the newest, and those evenly between.

    >>> sorted(_spread(3, 24)), sorted(_spread(501, 5))
    ([0, 1, 2], [0, 125, 250, 375, 500])
    """
    return {round(step * (total - 1) / (count - 1)) for step in range(count)} if total > count else {*range(total)}


def _context(chat: Session, turn: _UserTurn, budget: int, profile: str | None) -> Context:
    """The prompt of a turn, from what was said and known by then."""
    return chat.context(before=turn.seq + 1, known_at=turn.time, tokens=budget, profile=profile)


def _frame(chat: Session, context: Context) -> int:
    """What a prompt with the whole history has beside its messages: the system prompt, and the start of the reply."""
    counter, system = counter_for(context.encoding), chat.info().system
    return counter.priming + (counter.text(system) + counter.overhead("system") if system else 0)
