"""What commands write to the two streams, in which form, and the codes they end with.

Stored text is foreign: it reaches a terminal only with its control characters spelled out. Results go to standard
output, remarks about them to standard error.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import typer

from onrecord.cli.streams import drop_output
from onrecord.errors import InvalidInput

DONE, WRONG, USAGE, STORE = 0, 1, 2, 3
INTERRUPTED = 130  # as shells count it: 128 and the signal

_BIDI = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))  # they make text read as something else than it is
_CONTROLS = (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029, *_BIDI)
_SPELLED = {code: f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" for code in _CONTROLS}
_FOR_PEOPLE = {code: spelled for code, spelled in _SPELLED.items() if chr(code) not in "\n\t"}
_FOR_JSON = {code: f"\\u{code:04x}" for code in _CONTROLS if code >= 0x7F}  # JSON spells out the others itself


def printable(text: str) -> str:
    """Return the text without anything that a terminal would obey; line breaks and tabs stay."""
    if text.isprintable():
        # Bidirectional marks count as unprintable too, so nothing is missed by this shortcut.
        return text
    plain = text.replace("\r\n", "\n").translate(_FOR_PEOPLE)
    return plain.encode("utf-8", "backslashreplace").decode()


def as_json(value: Any) -> str:
    """Return one line of JSON in which everything that a terminal would obey is escaped."""
    return escape_json(json.dumps(value, ensure_ascii=False))


def escape_json(line: str) -> str:
    return line.translate(_FOR_JSON) if not line.isascii() or "\x7f" in line else line


def answer(text: str) -> None:
    """Write a line of the result to standard output."""
    sys.stdout.write(text + "\n")


def note(text: str) -> None:
    """Write a remark to standard error."""
    sys.stdout.flush()  # so that a terminal shows both in the order they were written
    sys.stderr.write(printable(text) + "\n")


def show_error(code: str, what: str, hint: str, *, json_wanted: bool) -> None:
    """Write what happened and what to do to standard error."""
    if json_wanted:
        last_words(as_json({"error": {"code": code, "message": what, "hint": hint}}) + "\n")
        return
    label, advice = "Error:", " Hint:"
    if _coloured(sys.stderr):
        label, advice = typer.style(label, fg="red", bold=True), typer.style(advice, fg="cyan")
    last_words(f"{label} {printable(what)}\n" + (f"{advice} {printable(hint)}\n" if hint else ""))


def last_words(text: str) -> None:
    """Write the last text to standard error, as far as the streams work: the failure of one must not hide the other."""
    for stream, words in ((sys.stdout, ""), (sys.stderr, text)):
        try:
            stream.write(words)
            stream.flush()
        except OSError:
            drop_output(stream)


def command(arguments: str) -> str:
    """Return a command to type here, with the program named so that this shell finds it."""
    started = Path(sys.argv[0])
    if started.stem != "onrecord":  # `python -m onrecord`
        started = Path(sys.executable).with_name("onrecord")
    with suppress(OSError, ValueError):  # the current folder is gone, or the program lies elsewhere
        name = Path(os.path.abspath(started)).relative_to(Path.cwd())
        found = shutil.which("onrecord")
        if name.is_file() and not (found and name.samefile(found)):
            return f"{shlex.quote(str(name))} {arguments}"
    return f"onrecord {arguments}"


def confirm(question: str, *, yes: bool, nothing: str) -> None:
    """Ask, unless `yes`; where the person declines, `nothing` is said and the command ends."""
    if yes:
        return
    if sys.stdin is None or not sys.stdin.isatty():
        raise InvalidInput("There is no terminal to confirm at.", "Add --yes to do it without being asked.")
    if not typer.confirm(printable(question), err=True):
        note(nothing)
        raise typer.Exit(WRONG)


def paint() -> Callable[..., str]:
    """Return a function that styles text for standard output; without colours it returns the text as it is."""
    return typer.style if _coloured(sys.stdout) else lambda text, **_style: text


def _coloured(stream: IO[str]) -> bool:
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


@contextmanager
def progress(title: str, *, total: int | None = None, hidden: bool = False) -> Iterator[Callable[[int], None]]:
    """Show a bar on standard error, where that is a terminal; gives a function that takes how many more are done."""
    if hidden or not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TimeElapsedColumn

    columns = SpinnerColumn(), *Progress.get_default_columns()[:3], TimeElapsedColumn()
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=total)
        yield lambda done: bar.advance(task, done)


def plural(count: int, noun: str, nouns: str | None = None) -> str:
    """ "1 message", "2,000 messages"; the plural where an s is not enough."""
    return f"{count:,} {noun if count == 1 else nouns or f'{noun}s'}"


def size(count: int) -> str:
    """Return a number of bytes with its unit."""
    amount = float(count)
    for unit in ("bytes", "kB", "MB"):
        if amount < 1000:
            return f"{amount:.0f} {unit}" if unit == "bytes" else f"{amount:.1f} {unit}"
        amount /= 1000
    return f"{amount:.1f} GB"
