"""`recollect chat`: a conversation with a model, with memory.

What is typed is on disk before anything else happens. Memory may fail and the model may fail, the conversation goes on.
A `Talk` takes the turns; a voice (`chat_voices.py`) reads what is said and shows what comes of it.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

import typer

from recollect.cli.chat_commands import is_command, obey
from recollect.cli.chat_voices import JsonLines, Script, Terminal
from recollect.cli.context import Tokens
from recollect.cli.options import Request
from recollect.cli.output import DONE, STORE, USAGE, WRONG
from recollect.errors import InvalidInput, ModelError, NotFound, RecollectError, StoreError
from recollect.memory import Memory
from recollect.session import Session

if TYPE_CHECKING:
    from recollect.context.prompt import Context
    from recollect.ports import Model

__all__ = ["Talk", "Turn", "chat"]

EXAMPLE = "--model ollama/llama3.2"
TROUBLE = (RecollectError, OSError)


def chat(
    request: Request,
    session: Annotated[str, typer.Argument(help="The conversation; made on first use.")] = "chat",
    system: Annotated[str | None, typer.Option(help="What the model is told first, from now on.")] = None,
    tokens: Tokens = None,
) -> None:
    """Talk with a model, with memory.

    Example: recollect chat trip --model ollama/llama3.2

    Every turn is kept; each prompt is the best that fits the budget. Type /help for what else can be done. Without a
    model the prompts are shown. From a script: echo "When do we fly?" | recollect chat trip
    """
    model = request.language_model()
    with _closed_at_the_end(model), request.open(request.embedder(), model=model) as memory:
        chosen = memory.session(session)
        if system is not None:
            chosen.update(system=system)
        talk = Talk(request=request, memory=memory, session=chosen, model=model, tokens=tokens)
        _converse(talk, _voice(talk))
    if talk.code:
        raise typer.Exit(talk.code)


@contextmanager
def _closed_at_the_end(model: Model | None) -> Iterator[None]:
    """Some models hold connections, or gigabytes."""
    try:
        yield
    finally:
        close = getattr(model, "close", None)
        if close is not None:
            close()


def _voice(talk: Talk) -> Script:
    if talk.request.json:
        return JsonLines(talk)
    people = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
    return Terminal(talk) if people else Script(talk)


def _converse(talk: Talk, voice: Script) -> None:
    voice.begin()
    with suppress(EOFError):
        while True:
            said = voice.read()
            try:
                if is_command(said):
                    voice.result(said, obey(talk, said))
                elif said.strip():
                    talk.take(said[1:] if said.startswith("//") else said, voice)
            except BrokenPipeError:
                raise  # whoever read the answers left
            except TROUBLE as error:
                voice.refuse(error)
            except KeyboardInterrupt:
                voice.interrupted()
    voice.leave()


@dataclass(slots=True, kw_only=True)
class Turn:
    """What was said, and what came of it."""

    text: str
    seq: int | None = None  # its number; None: it could not be kept
    prompt: Context | None = None  # None: memory could not make one
    messages: list[dict[str, Any]] = field(default_factory=list)  # what is sent
    answer: str = ""
    answer_seq: int | None = None
    cut: bool = False  # the answer failed midway, or was stopped
    problems: list[str] = field(default_factory=list)


@dataclass(slots=True, kw_only=True)
class Talk:
    """One conversation with a model."""

    request: Request
    memory: Memory
    session: Session
    model: Model | None
    tokens: int | None  # the most a prompt may have
    last: Context | None = None  # the last prompt
    code: int = DONE  # what a script is told at the end: the first failure

    def take(self, text: str, voice: Script) -> None:
        """One turn: keep it, build the prompt, let the model answer, keep the answer."""
        turn = Turn(text=text)
        try:
            turn.seq = self.session.add("user", text).seq
        except InvalidInput:
            raise  # no model should get what memory cannot take
        except TROUBLE as error:
            self._went_wrong(turn, voice, f"This turn is not kept: {error}", error)
        self._build(turn, voice)
        try:
            if self.model is not None:
                self._listen(self.model, turn, voice)
        finally:
            # However it ended, what came is kept; but no answer to what is not kept itself.
            if self.model is not None and turn.answer.strip() and turn.seq is not None:
                self._keep(self.model, turn, voice)
        voice.ended(turn)

    def _build(self, turn: Turn, voice: Script) -> None:
        try:
            turn.prompt = self.last = self.session.context(turn.text, tokens=self.tokens)
            turn.messages = turn.prompt.messages()
        except TROUBLE as error:
            if not turn.problems:  # otherwise the same trouble was said already
                self._went_wrong(turn, voice, f"Memory cannot help, so the question goes alone: {error}", error)
            turn.messages = [{"role": "user", "content": turn.text.encode("utf-8", "replace").decode()}]

    def _listen(self, model: Model, turn: Turn, voice: Script) -> None:
        turn.cut = True  # until it has come to its end
        try:
            for piece in model.stream(turn.messages):
                turn.answer += piece
                voice.piece(piece)
            turn.cut = False
        except RecollectError as error:
            kept = " What came is kept." if turn.answer.strip() and turn.seq is not None else ""
            self._went_wrong(turn, voice, f"{error}{kept}", error)
        except KeyboardInterrupt:
            voice.interrupted()
        if not turn.answer.strip() and not turn.cut:
            self._went_wrong(turn, voice, f"{model.name} answered nothing. Say it again, or in other words.")

    def _keep(self, model: Model, turn: Turn, voice: Script) -> None:
        meta = {"cut": True} if turn.cut else None
        try:
            turn.answer_seq = self.session.add("assistant", turn.answer, model=model.name, meta=meta).seq
        except TROUBLE as error:
            self._went_wrong(turn, voice, f"The answer is not kept: {error}", error)

    def _went_wrong(self, turn: Turn, voice: Script, said: str, error: Exception | None = None) -> None:
        turn.problems.append(" ".join(said.split()))
        self.failed(error)
        voice.trouble(turn.problems[-1])

    def failed(self, error: Exception | None) -> None:
        """Remember how it failed, for whoever started us."""
        store = error is None or isinstance(error, (StoreError, ModelError, OSError))
        self.code = self.code or (STORE if store else WRONG if isinstance(error, NotFound) else USAGE)

    @property
    def again(self) -> str:
        """The command that goes on with this conversation."""
        request = self.request
        others = (("space", request.space, "default"), ("profile", request.profile, "balanced"))
        given = [(name, value) for name, value, usual in others if value != usual]
        if request.model is not None:
            given.append(("model", request.model))
        options = "".join(f" --{name} {shlex.quote(value)}" for name, value in given)
        return request.command(f"chat {shlex.quote(self.session.id)}") + options

    @property
    def without_model(self) -> str:
        """How to have somebody answer."""
        name = self.request.model
        why = "No model is named" if name is None else f"{name} names no provider that can be asked"
        return f"{why}, so you see what would be sent. Name one: {EXAMPLE}"
