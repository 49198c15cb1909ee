"""`onrecord chat`: a conversation with a model, with memory.

What is typed is on disk before anything else happens. Memory may fail and the model may fail, the conversation goes on
(`turns/talking.py`). A person has a prompt, and failures are forgiven; a script ends with the code of the first.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import closing, nullcontext, suppress
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from onrecord.cli.arguments import NewSession, Tokens, message_named
from onrecord.cli.care_commands import lingering
from onrecord.cli.context_commands import in_short, show_why, warn
from onrecord.cli.options import CommandRequest
from onrecord.cli.output import DONE, STORE, USAGE, WRONG, answer, note, plural, printable
from onrecord.cli.printing import one_line, show
from onrecord.cli.program import in_panel
from onrecord.cli.search_command import hit_rows
from onrecord.errors import InvalidInput, ModelError, NotFound, OnrecordError, StoreError

if TYPE_CHECKING:
    from onrecord.memory import Memory
    from onrecord.turns.talking import Talk, TurnEvent

HITS = 5  # of a search: more would push the conversation off the screen


@in_panel("Conversations")
def chat(
    request: CommandRequest,
    session: NewSession = "chat",
    system: Annotated[str | None, typer.Option(help="The system prompt of the conversation, from now on.")] = None,
    tokens: Tokens = None,
) -> None:
    """Talk with a model, with memory.

    Example: onrecord chat trip --model ollama/llama3.2

    Every turn is kept; each prompt is the best that fits the budget. Type /help for what else can be done. Without a
    model the prompts are shown. From a script: echo "When do we fly?" | onrecord chat trip
    """
    from onrecord.turns.talking import Talk  # most commands need nothing of this

    if request.json:
        raise InvalidInput("A chat has no JSON form.", "Programs use the library: docs/quickstart.md.")
    model = request.language_model()
    # Some models hold connections, or gigabytes.
    owned = closing(cast(Any, model)) if hasattr(model, "close") else nullcontext()
    with owned, request.open(request.embedder(), model=model) as memory:
        chosen = memory.session(session)
        if system is not None:
            chosen.update(system=system)
        terminal = TerminalChat(request, memory, Talk(session=chosen, model=model, tokens=tokens))
        terminal.run()
    if terminal.code and not terminal.person:  # a person saw what failed
        raise typer.Exit(terminal.code)


class TerminalChat:
    """One conversation at the command line."""

    def __init__(self, request: CommandRequest, memory: Memory, talk: Talk) -> None:
        self.request, self.memory, self.talk = request, memory, talk
        self.person = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
        self.code = DONE  # of the first failure
        self._warned: tuple[str, ...] = ()  # of the last prompt: the same warning is not repeated
        self._midway = False  # in a line of the answer

    def run(self) -> None:
        """Take turns until the input ends."""
        model = self.talk.model
        if self.person:
            with suppress(ImportError):  # Windows has none: the console itself edits lines there
                import readline  # noqa: F401 - its history is in memory alone: what is typed lands in no file
            kept = plural(self.talk.session.info().last_seq, "message")
            answer(printable(f"{self.talk.session.id}: {kept} in {self.request.db}"))
            who = f"{model.name} answers. " if model else ""
            answer(printable(f"{who}/help lists what you can do; Ctrl-D leaves.\n"))
        if model is None:
            named = self.request.model
            why = "No model is named" if named is None else f"{named} names no provider that can be asked"
            note(f"{why}, so you see what would be sent. Name one: --model ollama/llama3.2")
        with suppress(EOFError):
            while True:
                self._take(self._read())

    def _read(self) -> str:
        """Return the next line, with those that it goes on in. Raises `EOFError` at the end of the input."""
        text = self._line()
        while text.endswith("\\"):
            text = text[:-1]
            with nullcontext() if self.person else suppress(EOFError):  # a person left in the middle
                text += f"\n{self._line()}"
        return text

    def _line(self) -> str:
        if not self.person:
            if not (line := "" if sys.stdin is None else sys.stdin.readline()):
                raise EOFError
            return line.removesuffix("\n").removesuffix("\r")
        try:
            return input("> ")
        except (EOFError, KeyboardInterrupt):
            answer("")  # the cursor stands behind the prompt
            raise EOFError from None

    def _take(self, text: str) -> None:
        try:
            if text.startswith("/") and not text.startswith("//"):
                self._obey(text)
            elif text.strip():
                self._turn(text.removeprefix("/") if text.startswith("//") else text)
        except BrokenPipeError:
            raise  # the reader of the answers left
        except (OnrecordError, OSError) as error:
            self._failed(error, str(error))
        except KeyboardInterrupt:
            self._stopped()
        if self.person:
            answer("")
        sys.stdout.flush()

    def _turn(self, text: str) -> None:
        from onrecord.turns.talking import Exchange

        turn = Exchange(text=text)
        with closing(self.talk.take(turn)) as events:
            try:
                for event in events:
                    self._show(event)
            except KeyboardInterrupt:  # while something was being shown: it ends like a stopped answer
                self._stopped()
        self._end_line()
        if turn.prompt is None:
            return
        if self.talk.model is None:
            answer(printable(str(turn.prompt)))
        elif self.person:
            note(f"{turn.prompt.tokens:,} of {plural(turn.prompt.budget, 'token')}")
        warn(self.request, tuple(warning for warning in turn.prompt.warnings if warning not in self._warned))
        self._warned = turn.prompt.warnings

    def _show(self, event: TurnEvent) -> None:
        if event.kind == "piece":
            piece = printable(event.text.replace("\r", ""))  # which would let it overwrite itself
            self._midway = not piece.endswith("\n") if piece else self._midway
            sys.stdout.write(piece)
            sys.stdout.flush()
        elif event.kind == "trouble":
            self._failed(event.error, event.text)
        elif event.kind == "stopped":
            self._stopped()

    def _end_line(self) -> None:
        if self._midway:
            answer("")
        self._midway = False
        sys.stdout.flush()

    def _stopped(self) -> None:
        """End a turn at Ctrl-C; a script ends with it."""
        self._end_line()
        if not self.person:
            raise KeyboardInterrupt
        note("(stopped)")

    def _failed(self, error: Exception | None, text: str) -> None:
        store = error is None or isinstance(error, (StoreError, ModelError, OSError))
        self.code = self.code or (STORE if store else WRONG if isinstance(error, NotFound) else USAGE)
        self._end_line()
        note(text)

    # What a line that begins with a slash does

    def _obey(self, line: str) -> None:
        name, _, rest = line[1:].partition(" ")
        if name.lower() not in COMMANDS:
            raise InvalidInput(
                f"There is no command /{name[:40]}.",
                f"/help lists them. To say it to the model, type two slashes: /{line[:40]}",
            )
        COMMANDS[name.lower()](self, rest.strip())

    def _help(self, rest: str) -> None:
        """/help             shows this list"""
        for work in COMMANDS.values():
            answer(str(work.__doc__))
        answer("A line that ends in \\ goes on in the next. //text says /text to the model.")

    def _pin(self, text: str) -> None:
        """/pin [TEXT]       keeps a text, or your last message, in every prompt"""
        last = None if text else next(self.talk.session.history(last=1, role="user"), None)
        if not text and last is None:
            raise NotFound("There is no message to pin yet.", "Say something, or give the text: /pin TEXT")
        made = self.talk.session.pin(last.text if last else text, source=last.seq if last else None)
        answer(printable(f"Pinned, so it is in every prompt: {one_line(made.text)}"))

    def _context(self, question: str) -> None:
        """/context [TEXT]   shows the prompt that would be sent now, and its tokens"""
        built = self.talk.session.context(question or None, tokens=self.talk.tokens)
        answer(printable(f"{built}\n\n{in_short(built)}".lstrip()))
        warn(self.request, built.warnings)

    def _why(self, rest: str) -> None:
        """/why              shows why each line was in the last prompt, or not"""
        if self.talk.last is None:
            raise NotFound("No prompt was built yet.", "Say something first; /context shows what would be sent.")
        show_why(self.request, self.talk.last)

    def _search(self, text: str) -> None:
        """/search TEXT      searches this and other conversations"""
        if not text:
            raise InvalidInput("/search needs to know what to find.", "Type, for example: /search penicillin")
        hits = self.memory.search(text, limit=HITS)
        show(self.request, "hit", hit_rows(hits), empty="Nothing was found.")
        warn(self.request, hits.notes)

    def _forget(self, rest: str) -> None:
        """/forget NUMBER    erases a message for good, down to the bytes"""
        if not rest:
            raise InvalidInput("/forget needs the number of a message.", "/search shows numbers: /forget 3")
        erased = self.talk.session.forget(*map(message_named, rest.split()))
        if not erased.messages:
            raise NotFound(f"There was nothing to forget: no message {rest} is there.", "/search shows their numbers.")
        self.talk.last = None  # it may quote what is to be forgotten
        answer(f"Forgotten: {plural(erased.messages, 'message')}.")
        if erased.pending:
            note(lingering(self.request))

    def _quit(self, rest: str) -> None:
        """/quit             leaves; so does Ctrl-D"""
        raise EOFError  # as if the input had ended


COMMANDS: dict[str, Callable[[TerminalChat, str], None]] = {
    name: getattr(TerminalChat, f"_{name}") for name in ("help", "pin", "context", "why", "search", "forget", "quit")
}
"""The commands by name, in the order of the help."""
