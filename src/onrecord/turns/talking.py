"""A conversation as a person holds it, turn by turn: what is typed is on disk before anything else happens, the prompt
is built, a model answers, and the answer is kept.

Memory may fail and the model may fail, the conversation goes on. A turn is shown by reading its events as they happen;
when the reading stops, what came of the answer is kept and marked as cut. What is forgotten meanwhile is not answered.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from onrecord.errors import Conflict, Forgotten, InvalidInput, NotFound, OnrecordError
from onrecord.session import Session
from onrecord.turns.turn import answer_key, is_kept

if TYPE_CHECKING:
    from onrecord.context.prompt import Context
    from onrecord.ports import Model

__all__ = ["TROUBLE", "Events", "Exchange", "Talk", "TurnEvent"]

TROUBLE = (OnrecordError, OSError)
"""What may go wrong with a memory."""


class TurnEvent(NamedTuple):
    """Something that happened in a turn."""

    kind: Literal["kept", "prompt", "piece", "trouble", "stopped", "answered"]
    text: str = ""  # a piece of the answer, or what went wrong
    error: Exception | None = None  # why, where there is one


Events = Generator[TurnEvent, None, None]


@dataclass(slots=True, kw_only=True)
class Exchange:
    """What was said, and what came of it."""

    text: str
    key: str | None = None  # makes saying it again safe: the same key is kept once
    seq: int | None = None  # its number; None: it could not be kept
    id: str = ""  # of the message
    repeated: bool = False  # it had been said before, and was answered since, or is being answered
    prompt: Context | None = None  # None: memory could not make one
    messages: list[dict[str, Any]] = field(default_factory=list)  # what is sent
    answer: str = ""
    answer_seq: int | None = None
    cut: bool = False  # the answer failed midway, or was stopped
    problems: list[str] = field(default_factory=list)
    over: bool = False  # what came is kept, and what still comes is not
    lock: Lock = field(default_factory=Lock, repr=False)  # of the answer: who stops it need not be who reads it

    def hear(self, piece: str) -> bool:
        """Take a piece of the answer; False when it is too late."""
        with self.lock:
            if not self.over:
                self.answer += piece
            return not self.over

    @property
    def worth_keeping(self) -> bool:
        """Whether there is something to keep: no answer to what is not kept itself."""
        return bool(self.answer.strip()) and self.seq is not None


@dataclass(slots=True, kw_only=True)
class Talk:
    """One conversation with a model, or with none: then prompts are only built."""

    session: Session
    model: Model | None
    tokens: int | None = None  # the most a prompt may have
    profile: str | None = None  # whose rules it follows; None: the memory's own
    last: Context | None = None  # the last prompt
    words: Callable[[Exception], str] = str  # how an error is put to the user

    def take(self, turn: Exchange) -> Events:
        """One turn: keep it, build the prompt, let the model answer, keep the answer. Raises InvalidInput, before
        anything happened, for what memory cannot take: no model should get that either."""
        yield from self._say(turn)
        with _under_way(turn) as first:
            if turn.repeated and self._went_on(turn):
                return
            if not first:
                yield self._went_wrong(turn, "This was sent before and is being answered. Look again in a moment.")
                return
            turn.repeated = False
            yield from self._build(turn)
            if self.model is not None:
                yield from self._answer(self.model, turn)

    def keep(self, turn: Exchange) -> TurnEvent | None:
        """Keep the answer as far as it came, once, from any thread. Return what went wrong, if anything did."""
        with turn.lock:
            over, turn.over = turn.over, True
            if over or self.model is None or not turn.worth_keeping:
                return None
            try:
                turn.answer_seq = self._add(self.model, turn)
            except TROUBLE as error:
                return self._went_wrong(turn, f"The answer is not kept: {self.words(error)}", error)
        return None

    def _add(self, model: Model, turn: Exchange) -> int:
        """Keep the answer; answers its number."""
        assert turn.seq is not None
        gone = NotFound("What it answers was forgotten meanwhile.", "Say it again if you want an answer.")
        if not is_kept(self.session, turn.seq, turn.id):
            raise gone
        meta, key = {"cut": True} if turn.cut else None, answer_key(turn.seq)
        try:
            return self.session.add("assistant", turn.answer, model=model.name, meta=meta, key=key).seq
        except Forgotten:
            raise gone from None
        except Conflict:
            raise Conflict("It was answered already.", "Load the conversation again to see how.") from None

    def _say(self, turn: Exchange) -> Events:
        try:
            receipt = self.session.add("user", turn.text, key=turn.key)
        except InvalidInput:
            raise
        except TROUBLE as error:
            yield self._went_wrong(turn, f"This turn is not kept: {self.words(error)}", error)
            return
        turn.seq, turn.id, turn.repeated = receipt.seq, receipt.id, receipt.repeated
        yield TurnEvent("kept")

    def _went_on(self, turn: Exchange) -> bool:
        """Whether anything was said since; where that is unknown, a second answer will not be kept anyway."""
        try:
            return self.session.info().last_seq > (turn.seq or 0)
        except TROUBLE:
            return False

    def _build(self, turn: Exchange) -> Events:
        try:
            turn.prompt = self.last = self.session.context(turn.text, tokens=self.tokens, profile=self.profile)
            turn.messages = turn.prompt.messages()
            yield TurnEvent("prompt")
        except TROUBLE as error:
            turn.messages = [{"role": "user", "content": turn.text.encode("utf-8", "replace").decode()}]
            if not turn.problems:  # otherwise the same trouble was said already
                said = f"Memory cannot help, so the question goes alone: {self.words(error)}"
                yield self._went_wrong(turn, said, error)

    def _answer(self, model: Model, turn: Exchange) -> Events:
        trouble: TurnEvent | None = None
        try:
            yield from self._listen(model, turn)
        finally:
            trouble = self.keep(turn)  # however it ended
        if trouble is not None:
            yield trouble
        if turn.answer_seq is not None:
            yield TurnEvent("answered")

    def _listen(self, model: Model, turn: Exchange) -> Events:
        turn.cut = True  # until it has come to its end
        try:
            for piece in model.stream(turn.messages):
                if not turn.hear(piece):
                    return
                yield TurnEvent("piece", piece)
            turn.cut = False
        except OnrecordError as error:
            kept = " What came is kept." if turn.worth_keeping else ""
            yield self._went_wrong(turn, f"{self.words(error)}{kept}", error)
        except KeyboardInterrupt:
            yield TurnEvent("stopped")
        if not turn.answer.strip() and not turn.cut:
            yield self._went_wrong(turn, f"{model.name} answered nothing. Say it again, or in other words.")

    def _went_wrong(self, turn: Exchange, said: str, error: Exception | None = None) -> TurnEvent:
        turn.problems.append(" ".join(said.split()))
        return TurnEvent("trouble", turn.problems[-1], error)


_UNDER_WAY: dict[str, Exchange] = {}
"""By the id of their message, the turns of this process that are being answered."""
_UNDER_WAY_LOCK = Lock()


@contextmanager
def _under_way(turn: Exchange) -> Iterator[bool]:
    """Claim a message for answering while the block runs; False: another thread has it."""
    with _UNDER_WAY_LOCK:
        other = _UNDER_WAY.get(turn.id) if turn.id else None
        first = other is None or other.over
        if first and turn.id:
            _UNDER_WAY[turn.id] = turn
    try:
        yield first
    finally:
        with _UNDER_WAY_LOCK:
            if _UNDER_WAY.get(turn.id) is turn:
                del _UNDER_WAY[turn.id]
