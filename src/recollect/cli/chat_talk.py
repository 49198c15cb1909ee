"""The turns of `recollect chat` (`turns/talking.py`), shown by a voice; and what a script is told at the end."""

from __future__ import annotations

import shlex
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING

from recollect.cli.options import Request
from recollect.cli.output import DONE, STORE, USAGE, WRONG
from recollect.errors import ModelError, NotFound, StoreError
from recollect.memory import Memory
from recollect.turns import talking
from recollect.turns.talking import Event, Exchange

if TYPE_CHECKING:
    from recollect.cli.chat_voices import Script

__all__ = ["Talk"]

EXAMPLE = "--model ollama/llama3.2"


@dataclass(slots=True, kw_only=True)
class Talk(talking.Talk):
    """One conversation with a model, at the command line."""

    request: Request
    memory: Memory
    code: int = DONE  # what a script is told at the end: the first failure

    def hold(self, text: str, voice: Script) -> None:
        """One turn, shown as it happens."""
        turn = Exchange(text=text)
        with closing(self.take(turn)) as events:
            try:
                for event in events:
                    self._show(event, voice)
            except KeyboardInterrupt:  # while something was being shown: it ends as if the model had been listened to
                voice.interrupted()
        voice.ended(turn)

    def _show(self, event: Event, voice: Script) -> None:
        if event.kind == "piece":
            voice.piece(event.text)
        elif event.kind == "trouble":
            self.failed(event.error)
            voice.trouble(event.text)
        elif event.kind == "stopped":
            voice.interrupted()

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
