"""The voices of `recollect chat`: `Terminal` for people, `Script` for pipes, `JsonLines` for programs.

A voice reads what is said next and shows what comes of it. Nothing typed is written to a history file.
"""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from select import select
from textwrap import shorten
from typing import TYPE_CHECKING, Any

from recollect.cli.chat_commands import Outcome, names_command, show_prompt
from recollect.cli.journal import in_words
from recollect.cli.output import DONE, answer, as_json, note, paint, plural, printable
from recollect.errors import RecollectError

if TYPE_CHECKING:
    from recollect.cli.chat_talk import Talk
    from recollect.context.prompt import Context
    from recollect.turns.talking import Exchange

__all__ = ["JsonLines", "Script", "Terminal"]

PROMPT, MORE = "> ", "… "
SHOWN = 300
"""Characters of an earlier message, to find back in."""


class Script:
    """Turns from a pipe, line by line; answers to standard output, the rest to standard error."""

    def __init__(self, talk: Talk) -> None:
        self.talk = talk
        self._ahead: list[str] = []  # lines that were read and belong to the next turn
        self._warned: tuple[str, ...] = ()  # of the last prompt: what stays as it is, is said once
        self._told = False  # how to name a model
        self._midway = False  # in a line of the answer

    def begin(self) -> None:
        """Before the first turn."""

    def leave(self) -> None:
        """After the last."""

    def line(self, prompt: str) -> str:
        """The next line; EOFError when there is none."""
        line = sys.stdin.readline() if sys.stdin is not None else ""
        if not line:
            raise EOFError
        return line.removesuffix("\n").removesuffix("\r")

    def waits(self) -> bool:
        """Whether more was pasted than the line that was read."""
        return False

    def read(self) -> str:
        """What is said next: a line, and those that belong to it."""
        lines = [self._ahead.pop() if self._ahead else self.line(PROMPT)]
        with suppress(EOFError):
            while True:
                if lines[-1].endswith("\\"):
                    lines[-1] = lines[-1][:-1]
                    lines.append(self.line(MORE))
                elif not names_command(lines[0]) and self.waits():
                    line = self.line("")
                    if names_command(line):
                        self._ahead.append(line)
                        break
                    lines.append(line)
                else:
                    break
        return "\n".join(lines)

    def piece(self, text: str) -> None:
        """A piece of the answer, as it comes. Carriage returns would let it overwrite itself."""
        shown = printable(text.replace("\r", ""))
        self._midway = not shown.endswith("\n") if shown else self._midway
        sys.stdout.write(shown)
        sys.stdout.flush()

    def ended(self, turn: Exchange) -> None:
        """The turn is over."""
        self._close_line()
        self._show_unsent(turn)
        for warning in self._news(turn):
            note(f"Warning: {warning}")

    def _close_line(self) -> None:
        if self._midway:
            answer("")
        self._midway = False
        sys.stdout.flush()

    def _show_unsent(self, turn: Exchange) -> None:
        if self.talk.model is None:
            if turn.prompt is not None:
                show_prompt(turn.prompt)
            self._tell()

    def _tell(self) -> None:
        if not self._told:
            self._told = True
            note(self.talk.without_model)

    def _news(self, turn: Exchange) -> list[str]:
        """The warnings that the last prompt did not have."""
        found = () if turn.prompt is None else turn.prompt.warnings
        new = [self.talk.request.remedied(warning) for warning in found if warning not in self._warned]
        self._warned = found
        return new

    def trouble(self, said: str) -> None:
        """What went wrong with a turn that goes on all the same."""
        self._close_line()
        note(said)

    def refuse(self, error: Exception) -> None:
        """What went wrong with a turn or a command that ends with it."""
        self.talk.failed(error)
        note(str(error))

    def result(self, line: str, outcome: Outcome) -> None:
        """What a command answered."""
        outcome[1]()
        sys.stdout.flush()

    def interrupted(self) -> None:
        """Ctrl-C while a turn is under way: a script ends."""
        self._close_line()
        raise KeyboardInterrupt


class JsonLines(Script):
    """Turns from a pipe; a JSON object for each, and for each command."""

    def piece(self, text: str) -> None:
        """Nothing yet: the object is written when the turn is over."""

    def ended(self, turn: Exchange) -> None:
        model, prompt = self.talk.model, turn.prompt
        reply = None
        if model is not None and turn.answer:
            reply = {"seq": turn.answer_seq, "text": turn.answer, "model": model.name, "cut": turn.cut}
        found: dict[str, Any] = {
            "user": {"seq": turn.seq, "text": turn.text},
            "assistant": reply,
            "tokens": None if prompt is None else prompt.tokens,
            "budget": None if prompt is None else prompt.budget,
            "warnings": [] if prompt is None else list(prompt.warnings),
            "problems": turn.problems,
        }
        if model is None:
            found["prompt"] = turn.messages
            self._tell()
        self._write(found)

    def trouble(self, said: str) -> None:
        """It stands in the turn's object."""

    def refuse(self, error: Exception) -> None:
        self.talk.failed(error)
        what, hint = (error.what, error.hint) if isinstance(error, RecollectError) else (str(error), "")
        self._write({"error": {"code": type(error).__name__, "message": what, "hint": hint}})

    def result(self, line: str, outcome: Outcome) -> None:
        self._write({"command": line, "result": outcome[0]})

    def _write(self, value: dict[str, Any]) -> None:
        answer(as_json(value))
        sys.stdout.flush()


class Terminal(Script):
    """A person, who edits lines and sees colours."""

    def __init__(self, talk: Talk) -> None:
        super().__init__(talk)
        self._style = paint()
        self._prompts = {PROMPT: PROMPT, MORE: MORE, "": ""}
        with suppress(ImportError):  # Windows has none: the console itself edits lines there
            import readline  # its history is in memory alone: what is typed lands in no file

            if "libedit" not in (readline.__doc__ or ""):
                readline.parse_and_bind("set enable-bracketed-paste on")  # a pasted block comes as one text
                for prompt in (PROMPT, MORE):
                    self._prompts[prompt] = _for_readline(self._style(prompt, fg="green", bold=True))

    def begin(self) -> None:
        talk = self.talk
        count = plural(talk.session.info().last_seq, "message")
        answer(self._style(printable(talk.session.id), bold=True) + printable(f": {count} in {talk.request.db}"))
        answer(printable(talk.without_model if talk.model is None else f"{talk.model.name} answers."))
        answer("/help lists what you can do; Ctrl-D leaves.")
        self._told = True
        for message in talk.session.history(last=2):
            who = message.name or ("you" if message.role == "user" else message.role)
            self._quietly(f"{who}: {shorten(in_words(message), SHOWN, placeholder=' …')}")
        answer("")

    def leave(self) -> None:
        self.talk.code = DONE  # whoever was there saw what failed
        if self.talk.request.db != ":memory:":
            self._quietly(f"Come back: {self.talk.again}")

    def line(self, prompt: str) -> str:
        sys.stdout.flush()
        try:
            return input(self._prompts[prompt])
        except (EOFError, KeyboardInterrupt):
            answer("")  # the cursor stands behind the prompt
            raise

    def read(self) -> str:
        try:
            return super().read()
        except KeyboardInterrupt:
            raise EOFError from None

    def waits(self) -> bool:
        # Where a terminal does not mark what is pasted, its lines come one by one, but all at once.
        with suppress(OSError, ValueError):
            return bool(select([sys.stdin], [], [], 0)[0])
        return False

    def ended(self, turn: Exchange) -> None:
        self._close_line()
        self._show_unsent(turn)
        if turn.prompt is not None:
            self._quietly(" · ".join([_in_passing(turn.prompt), *self._news(turn)]))
        answer("")

    def trouble(self, said: str) -> None:
        self._close_line()
        answer(self._style(printable(said), fg="red"))

    def refuse(self, error: Exception) -> None:
        self.trouble(str(error))
        answer("")

    def result(self, line: str, outcome: Outcome) -> None:
        super().result(line, outcome)
        answer("")

    def interrupted(self) -> None:
        self._close_line()
        self._quietly("(stopped)")

    def _quietly(self, said: str) -> None:
        answer(self._style(printable(said), dim=True))


def _for_readline(prompt: str) -> str:
    """A prompt whose colours are marked as such, so that the line editor does not count them as columns."""
    return re.sub(r"(\x1b\[[0-9;]*m)", "\\001\\1\\002", prompt)


def _in_passing(built: Context) -> str:
    """What a prompt took, in a few words."""
    items = {section.name: section.items for section in built.sections}
    said = [f"{built.tokens:,} of {plural(built.budget, 'token')}"]
    if items["recalled"]:
        said.append(f"{items['recalled']} recalled")
    if items["summaries"]:
        said.append(plural(items["summaries"], "summary", "summaries"))
    return " · ".join(said)
