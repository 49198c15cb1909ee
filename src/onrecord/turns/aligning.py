"""Which messages of a request are new, by laying it beside what the conversation holds.

Programs send the whole conversation with each request, or its end, or only what is new; they leave its beginning out or
put a summary there; their users edit what they said and have answers made again. One rule is behind all cases: what
was sent is how the conversation stands now. Where it parts from what is held, the rest of that is replaced. The role
and the text without space around it are compared; calls of tools and their results by their ids.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from onrecord.context.replacing import Ranges, is_replaced, joined, replaced_by
from onrecord.records import Message
from onrecord.turns.saying import TurnMessage, sign_of

__all__ = ["Aligned", "align", "visible"]

TRIED = 256  # places at most at which a request is laid beside what is held
TELLING = 2  # messages in a row that are no coincidence

Kind = Literal["added", "retried", "again", "edited"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Aligned:
    """How a request stands to what a conversation holds."""

    kind: Kind  # there are new messages, none (asked again before an answer), an answer is wanted again, or an edit
    new: int  # the place in the request from which on messages are new
    replaces: tuple[int, int] | None = None  # numbers that the first new message, or the answer, replaces
    before: int | None = None  # where an answer is wanted again: the prompt holds numbers under this
    matched: int = 0  # messages that are in both
    sure: bool = True  # whether older messages than those of the view could not change it


class _CommonRun(NamedTuple):
    """Messages that are the same in both."""

    at: int  # where it begins in the request
    place: int  # where it begins in the view
    length: int


def visible(messages: Sequence[Message]) -> list[Message]:
    """The kept messages of a journal's end that no later one replaces, without instructions."""
    kept = [message for message in messages if message.state == "kept"]
    ranges: Ranges = joined((), replaced_by(kept))
    shown = [message for message in kept if message.role != "system"]
    return [message for message in shown if not is_replaced(ranges, message.seq)] if ranges else shown


def align(
    view: Sequence[Message], said: Sequence[TurnMessage], *, whole: bool, derived: bool = False, begun: bool = False
) -> Aligned:
    """How a request stands to a view: the newest visible messages of a conversation, all of them if `whole`.

    `derived`: the conversation was found by how it begins, so that a single message is its beginning; otherwise that is
    what is new. `begun`: the request ends with the beginning of an answer."""
    if not said:
        return Aligned(kind="retried", new=0)
    if not view:
        return Aligned(kind="added", new=0, sure=whole)
    return _Alignment(view, said, whole).decide(derived, begun)


class _Alignment:
    """A request beside a view."""

    def __init__(self, view: Sequence[Message], said: Sequence[TurnMessage], whole: bool) -> None:
        self.view = view
        self.said = said
        self.whole = whole
        self.signs = [sign_of(message) for message in view]
        self.cut = {at for at, message in enumerate(view) if message.meta and message.meta.get("cut")}

    def decide(self, derived: bool, begun: bool) -> Aligned:
        if len(self.said) == 1 and not derived:
            return self._single(begun)
        start = self._run(0, 0) if self.whole else 0
        if start in (len(self.said), len(self.view)):
            return self._from(_CommonRun(0, 0, start))
        tail = self._tail()
        if not self.whole and tail.length == len(self.view):
            return self._from(tail)
        middle = self._middle()
        if tail.at == 0 and tail.length > max(start, middle.length // 2):
            return self._from(tail)
        best = middle if middle.length > start else _CommonRun(0, 0, start)
        if tail.length > best.length:  # a message was changed, or something else stands there for the beginning
            return self._from(self._in_place(tail) or tail, sure=self.whole)
        if best.length:
            return self._from(best, sure=self.whole)
        return Aligned(kind="added", new=0, sure=self.whole)

    def _single(self, begun: bool) -> Aligned:
        """A single message is new, unless it waits for its answer, or for the rest of it."""
        last = len(self.view) - 1
        if self._same(0, last):
            return self._from(_CommonRun(0, last, 1))
        if begun and last and self.signs[last][0] == "assistant" and self._same(0, last - 1):
            return self._from(_CommonRun(0, last - 1, 1))
        return Aligned(kind="added", new=0, sure=self.whole or last > 0 or not begun)

    def _from(self, run: _CommonRun, *, sure: bool = True) -> Aligned:
        """What follows where both are the same for this run."""
        new, place = run.at + run.length, run.place + run.length
        ended = new == len(self.said)
        if place == len(self.view):
            return Aligned(kind="retried" if ended else "added", new=new, matched=run.length, sure=sure)
        return Aligned(
            kind="again" if ended else "edited",
            new=new,
            replaces=(self.view[place].seq, self.view[-1].seq),
            before=self.view[place - 1].seq + 1 if ended else None,
            matched=run.length,
            sure=sure,
        )

    def _same(self, at: int, place: int) -> bool:
        mine, theirs = self.said[at].sign, self.signs[place]
        if mine == theirs:
            return True
        if place not in self.cut or not mine[0] == theirs[0] == "assistant":
            return False
        return mine[1].startswith(theirs[1]) or theirs[1].startswith(mine[1])

    def _run(self, at: int, place: int) -> int:
        """How many messages are the same, from there on."""
        most = min(len(self.said) - at, len(self.view) - place)
        return next((step for step in range(most) if not self._same(at + step, place + step)), most)

    def _run_back(self, at: int, place: int) -> int:
        """How many messages are the same, up to there."""
        most = min(at, place) + 1
        return next((step for step in range(most) if not self._same(at - step, place - step)), most)

    def _tail(self) -> _CommonRun:
        """The longest run that ends with the view; of several, one that begins the request."""
        last = len(self.view) - 1
        ends = [at for at in range(len(self.said) - 1, -1, -1) if self._same(at, last)][:TRIED]
        runs = [(self._run_back(at, last), at) for at in ends]
        length, at = max(runs, default=(0, 0), key=lambda run: (run[0], run[0] == run[1] + 1))
        return _CommonRun(at + 1 - length, last + 1 - length, length)

    def _middle(self) -> _CommonRun:
        """The longest run that begins the request, wherever it stands in the view; of several, the newest."""
        places = [place for place in range(len(self.view) - 1, -1, -1) if self._same(0, place)][:TRIED]
        runs = [(self._run(0, place), place) for place in places]
        length, place = max(runs, default=(0, 0), key=lambda run: run[0])
        return _CommonRun(0, place, length if length >= TELLING else 0)

    def _in_place(self, tail: _CommonRun) -> _CommonRun | None:
        """The run up to a message that was changed while the others stand where they stood."""
        shift = tail.place - tail.at
        at, place = max(0, -shift), max(0, shift)
        if not tail.length or tail.at == at:
            return None
        if length := self._run(at, place):
            return _CommonRun(at, place, length)
        first = self.whole and shift == 0 and 2 * tail.length >= len(self.view)
        return _CommonRun(0, 0, 0) if first else None
