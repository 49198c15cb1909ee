"""`recollect chat`: a conversation with a model, with memory.

What is typed is on disk before anything else happens. Memory may fail and the model may fail, the conversation goes on.
A `Talk` (`chat_talk.py`) takes the turns; a voice (`chat_voices.py`) reads what is said and shows what comes of it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli.chat_commands import is_command, obey
from recollect.cli.chat_voices import JsonLines, Script, Terminal
from recollect.cli.context import Tokens
from recollect.cli.options import Request
from recollect.errors import RecollectError

if TYPE_CHECKING:
    from recollect.cli.chat_talk import Talk
    from recollect.ports import Model

__all__ = ["chat"]


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
    from recollect.cli.chat_talk import Talk  # most commands need nothing of this

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
                    talk.hold(said[1:] if said.startswith("//") else said, voice)
            except BrokenPipeError:
                raise  # whoever read the answers left
            except (RecollectError, OSError) as error:
                voice.refuse(error)
            except KeyboardInterrupt:
                voice.interrupted()
    voice.leave()
