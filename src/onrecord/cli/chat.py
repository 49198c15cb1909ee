"""`onrecord chat`: a conversation with a model, with memory.

What is typed is on disk before anything else happens. Memory may fail and the model may fail, the conversation goes on
(`turns/talking.py`). A person has a prompt, and what fails is forgiven; a script is told by its exit code.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from typing import TYPE_CHECKING, Annotated

import typer

from onrecord.cli.care_commands import lingering, message_of
from onrecord.cli.context_commands import Tokens, in_short, section_table, show_why
from onrecord.cli.options import CommandRequest
from onrecord.cli.output import DONE, STORE, USAGE, WRONG, answer, console, note, plural, printable
from onrecord.cli.search_command import WIDTH, show_hits
from onrecord.errors import InvalidInput, ModelError, NotFound, OnrecordError, StoreError

if TYPE_CHECKING:
    from onrecord.memory import Memory
    from onrecord.ports import Model
    from onrecord.turns.talking import Talk, TurnEvent

__all__ = ["chat"]

PROMPT = "> "
HITS = 5  # of a search: more would push the conversation off the screen
EXAMPLE = "--model ollama/llama3.2"


def chat(
    request: CommandRequest,
    session: Annotated[str, typer.Argument(help="The conversation; made on first use.")] = "chat",
    system: Annotated[str | None, typer.Option(help="What the model is told first, from now on.")] = None,
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
    with _closed_at_the_end(model), request.open(request.embedder(), model=model) as memory:
        chosen = memory.session(session)
        if system is not None:
            chosen.update(system=system)
        held = TerminalChat(request, memory, Talk(session=chosen, model=model, tokens=tokens))
        held.run()
    if held.code and not held.person:  # a person saw what failed
        raise typer.Exit(held.code)


@contextmanager
def _closed_at_the_end(model: Model | None) -> Iterator[None]:
    """Some models hold connections, or gigabytes."""
    try:
        yield
    finally:
        close = getattr(model, "close", None)
        if close is not None:
            close()


class TerminalChat:
    """One conversation at the command line."""

    def __init__(self, request: CommandRequest, memory: Memory, talk: Talk) -> None:
        self.request, self.memory, self.talk = request, memory, talk
        self.person = sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()
        self.code = DONE  # what a script is told at the end: the first failure
        self._warned: tuple[str, ...] = ()  # of the last prompt: what stays as it is, is said once
        self._midway = False  # in a line of the answer

    def run(self) -> None:
        """Turn by turn, until there is nothing more to read."""
        if self.person:
            with suppress(ImportError):  # Windows has none: the console itself edits lines there
                import readline  # noqa: F401 - its history is in memory alone: what is typed lands in no file
            kept = plural(self.talk.session.info().last_seq, "message")
            who = f"{self.talk.model.name} answers. " if self.talk.model else ""
            answer(printable(f"{self.talk.session.id}: {kept} in {self.request.db}"))
            answer(f"{printable(who)}/help lists what you can do; Ctrl-D leaves.\n")
        if self.talk.model is None:
            named = self.request.model
            why = "No model is named" if named is None else f"{named} names no provider that can be asked"
            note(f"{why}, so you see what would be sent. Name one: {EXAMPLE}")
        with suppress(EOFError):
            while True:
                self._take(self._read())

    def _read(self) -> str:
        """What is said next: a line, and those that it goes on in."""
        said = self._line()
        while said.endswith("\\"):
            said = said[:-1]
            try:
                said += f"\n{self._line()}"
            except EOFError:
                if self.person:  # who left in the middle
                    raise
        return said

    def _line(self) -> str:
        if not self.person:
            line = sys.stdin.readline() if sys.stdin is not None else ""
            if not line:
                raise EOFError
            return line.removesuffix("\n").removesuffix("\r")
        try:
            return input(PROMPT)
        except (EOFError, KeyboardInterrupt):
            answer("")  # the cursor stands behind the prompt
            raise EOFError from None

    def _take(self, said: str) -> None:
        try:
            if said.startswith("/") and not said.startswith("//"):
                self._obey(said)
            elif said.strip():
                self._turn(said.removeprefix("/") if said.startswith("//") else said)
        except BrokenPipeError:
            raise  # whoever read the answers left
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
            except KeyboardInterrupt:  # while something was being shown: it ends as if the model had been listened to
                self._stopped()
        self._end_line()
        if turn.prompt is None:
            return
        if self.talk.model is None:
            answer(printable(str(turn.prompt)))
        elif self.person:
            note(f"{turn.prompt.tokens:,} of {plural(turn.prompt.budget, 'token')}")
        self._warn(one for one in turn.prompt.warnings if one not in self._warned)
        self._warned = turn.prompt.warnings

    def _show(self, event: TurnEvent) -> None:
        if event.kind == "piece":
            shown = printable(event.text.replace("\r", ""))  # which would let it overwrite itself
            self._midway = not shown.endswith("\n") if shown else self._midway
            sys.stdout.write(shown)
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
        """Ctrl-C while a turn is under way: a script ends."""
        self._end_line()
        if not self.person:
            raise KeyboardInterrupt
        note("(stopped)")

    def _failed(self, error: Exception | None, said: str) -> None:
        store = error is None or isinstance(error, (StoreError, ModelError, OSError))
        self.code = self.code or (STORE if store else WRONG if isinstance(error, NotFound) else USAGE)
        self._end_line()
        note(said)

    def _warn(self, warnings: Iterator[str] | tuple[str, ...]) -> None:
        for warning in warnings:
            note(f"Warning: {self.request.remedied(warning)}")

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
        """/help             this list"""
        for work in COMMANDS.values():
            answer(str(work.__doc__))
        answer("A line that ends in \\ goes on in the next. //text says /text to the model.")

    def _pin(self, text: str) -> None:
        """/pin [TEXT]       keep a text, or what you said last, in every prompt"""
        said = None if text else next(self.talk.session.history(last=1, role="user"), None)
        if not text and said is None:
            raise NotFound("There is no message to pin yet.", "Say something, or give the text: /pin TEXT")
        made = self.talk.session.pin(said.text if said else text, source=said.seq if said else None)
        answer(printable(f"Pinned, so it is in every prompt: {' '.join(made.text.split())}"))

    def _context(self, question: str) -> None:
        """/context [TEXT]   the prompt that would be sent now, and what it takes"""
        built = self.talk.session.context(question or None, tokens=self.talk.tokens)
        answer(printable(f"{built}\n\n{in_short(built)}".lstrip()))
        console(width_when_piped=WIDTH).print(section_table(built))
        self._warn(built.warnings)

    def _why(self, rest: str) -> None:
        """/why              why each line was in the last prompt, or not"""
        if self.talk.last is None:
            raise NotFound("No prompt was built yet.", "Say something first; /context shows what would be sent.")
        show_why(self.talk.last)
        self._warn(self.talk.last.warnings)

    def _search(self, text: str) -> None:
        """/search TEXT      find what was said, here and in other conversations"""
        if not text:
            raise InvalidInput("/search needs to know what to find.", "Type, for example: /search penicillin")
        hits = self.memory.search(text, limit=HITS)
        show_hits(console(width_when_piped=WIDTH), hits)
        if not hits:
            answer("Nothing was found.")
        self._warn(hits.notes)

    def _forget(self, rest: str) -> None:
        """/forget NUMBER    erase a message for ever, down to the bytes"""
        if not rest:
            raise InvalidInput("/forget needs the number of a message.", "/search shows numbers: /forget 3")
        erased = self.talk.session.forget(*map(message_of, rest.split()))
        if not erased.messages:
            raise NotFound(f"There was nothing to forget: no message {rest} is there.", "/search shows their numbers.")
        self.talk.last = None  # it may quote what is to be forgotten
        answer(f"Forgotten: {plural(erased.messages, 'message')}.")
        if erased.pending:
            note(lingering(self.request))

    def _quit(self, rest: str) -> None:
        """/quit             leave; so does Ctrl-D"""
        raise EOFError  # as if the input had ended


COMMANDS: dict[str, Callable[[TerminalChat, str], None]] = {
    name: getattr(TerminalChat, f"_{name}") for name in ("help", "pin", "context", "why", "search", "forget", "quit")
}
"""The commands by name, in the order of the help."""
