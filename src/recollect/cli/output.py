"""What the commands print: lines for people, JSON for programs, errors, progress, and the codes they end with.

Whatever was stored is foreign text: it reaches a terminal only with its control characters spelled out.
Answers go to standard output, everything said to people about them to standard error.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

__all__ = [
    "DONE",
    "INTERRUPTED",
    "PIPE_CLOSED",
    "STORE",
    "USAGE",
    "WRONG",
    "answer",
    "as_json",
    "console",
    "drop_output",
    "escape_json",
    "note",
    "paint",
    "plural",
    "prepare_streams",
    "printable",
    "progress",
    "reader_may_leave",
    "show_error",
    "size",
]

DONE, WRONG, USAGE, STORE = 0, 1, 2, 3
INTERRUPTED, PIPE_CLOSED = 130, 141  # as shells count them: 128 and the signal

_BIDI = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))  # they make text read as something else than it is
_CONTROLS = (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029, *_BIDI)
_SPELLED = {code: f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" for code in _CONTROLS}
_FOR_PEOPLE = {code: spelled for code, spelled in _SPELLED.items() if chr(code) not in "\n\t"}
_FOR_JSON = {code: f"\\u{code:04x}" for code in _CONTROLS if code >= 0x7F}  # JSON spells out the others itself

_STEP = 1000  # items between two redraws of a progress bar: drawing must not be what takes the time


def printable(text: str) -> str:
    """The text without anything that a terminal would obey; line breaks and tabs stay."""
    if text.isprintable():
        # Bidirectional marks count as unprintable too, so nothing is missed by this shortcut.
        return text
    plain = text.replace("\r\n", "\n").translate(_FOR_PEOPLE)
    return plain.encode("utf-8", "backslashreplace").decode()


def as_json(value: Any) -> str:
    """One line of JSON that is also safe on a terminal: what JSON allows and a terminal obeys is escaped."""
    return escape_json(json.dumps(value, ensure_ascii=False))


def escape_json(line: str) -> str:
    return line.translate(_FOR_JSON) if not line.isascii() or "\x7f" in line else line


def answer(text: str) -> None:
    """A line of what was asked for, to standard output."""
    sys.stdout.write(text + "\n")


def note(text: str) -> None:
    """A remark to people, to standard error."""
    sys.stdout.flush()  # so that a terminal shows both in the order they were written
    sys.stderr.write(printable(text) + "\n")


def show_error(code: str, what: str, hint: str, *, json_wanted: bool) -> None:
    """What happened and what to do, to standard error."""
    if json_wanted:
        note(as_json({"error": {"code": code, "message": what, "hint": hint}}))
        return
    label, advice = "Error:", " Hint:"
    if _coloured(sys.stderr):
        label, advice = typer.style(label, fg="red", bold=True), typer.style(advice, fg="cyan")
    sys.stdout.flush()
    sys.stderr.write(f"{label} {printable(what)}\n")
    if hint:
        sys.stderr.write(f"{advice} {printable(hint)}\n")


def paint() -> Callable[..., str]:
    """A function that styles a piece of text for standard output, or leaves it when nobody would see it."""
    return typer.style if _coloured(sys.stdout) else lambda text, **_style: text


def _coloured(stream: IO[str]) -> bool:
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def console(*, width_when_piped: int) -> Console:
    """A place for tables on standard output. Nothing in the text is taken for markup."""
    from rich.console import Console

    class Plain(Console):
        def on_broken_pipe(self) -> None:
            raise BrokenPipeError  # handled in one place, for all output

    width = None if sys.stdout.isatty() else width_when_piped
    return Plain(width=width, markup=False, emoji=False, highlight=False)


@contextmanager
def reader_may_leave() -> Iterator[None]:
    """Ends a command quietly when whoever read its output has seen enough, as `head` does."""
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        drop_output()
        raise typer.Exit(PIPE_CLOSED) from None


def drop_output() -> None:
    """Let what is still unwritten go nowhere: Python writes it once more at its end, which must not fail again."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


@contextmanager
def progress(title: str, *, total: int | None = None, hidden: bool = False) -> Iterator[Callable[[int], None]]:
    """A bar on standard error, where that is a terminal; gives a function to be told how many more are done."""
    if hidden or not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=total)
        waiting = 0

        def step(done: int) -> None:
            nonlocal waiting
            waiting += done
            if waiting >= _STEP:
                bar.update(task, advance=waiting)
                waiting = 0

        yield step
        bar.update(task, advance=waiting)


def plural(count: int, noun: str) -> str:
    """ "1 message", "2,000 messages"."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def size(count: int) -> str:
    """A number of bytes as people read it."""
    amount = float(count)
    for unit in ("bytes", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "bytes" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"


def prepare_streams() -> None:
    """The same bytes everywhere: UTF-8 in pipes, nothing translated, nothing that cannot be written.

    Bytes that are no UTF-8 come in as lone surrogates: the journal keeps such an original beside its readable form.
    """
    _reconfigure(sys.stdin, encoding=_encoding(sys.stdin), errors="surrogateescape", newline="\n")
    _reconfigure(sys.stdout, encoding=_encoding(sys.stdout), errors="backslashreplace")
    _reconfigure(sys.stderr, encoding=_encoding(sys.stderr), errors="backslashreplace")


def _encoding(stream: IO[str] | None) -> str | None:
    return None if stream is None or stream.isatty() else "utf-8"


def _reconfigure(stream: Any, **how: str | None) -> None:
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(**how)
