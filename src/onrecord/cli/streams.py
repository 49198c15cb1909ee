"""The three standard streams, whatever they are: pipes whose reader left, full disks, or not there at all."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any

import typer

PIPE_CLOSED = 141  # as shells count it: 128 and the signal


class _NoReader(io.StringIO):
    """Stands for a standard output that was closed before we began: as if its reader had left."""

    def write(self, text: str) -> int:
        raise BrokenPipeError

    def fileno(self) -> int:
        return 1  # leads nowhere, see _occupy_descriptors


def prepare_streams() -> None:
    """The same bytes everywhere: UTF-8 in pipes, nothing translated, nothing that cannot be written.

    Bytes that are no UTF-8 come in as lone surrogates: the journal keeps such an original beside its readable form.
    """
    _occupy_descriptors()
    if sys.stdout is None:
        sys.stdout = _NoReader()
    if sys.stderr is None:
        sys.stderr = io.StringIO()
    _reconfigure(sys.stdin, encoding=_encoding(sys.stdin), errors="surrogateescape", newline="\n")
    _reconfigure(sys.stdout, encoding=_encoding(sys.stdout), errors="backslashreplace")
    _reconfigure(sys.stderr, encoding=_encoding(sys.stderr), errors="backslashreplace")


def _occupy_descriptors() -> None:
    """A closed standard stream leaves its number free: no file of ours may get it and be taken for the stream."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # gets the lowest free number, which is this one


def _encoding(stream: IO[str] | None) -> str | None:
    return None if stream is None or stream.isatty() else "utf-8"


def _reconfigure(stream: Any, **how: str | None) -> None:
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(**how)


@contextmanager
def reader_may_leave() -> Iterator[None]:
    """End a command quietly when the reader of its output has left, as `head` does."""
    try:
        try:
            yield
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        drop_output(sys.stdout)
        raise typer.Exit(PIPE_CLOSED) from None


def drop_output(stream: IO[str]) -> None:
    """Let what is still unwritten go nowhere: Python writes it once more at its end, which must not fail again."""
    with suppress(io.UnsupportedOperation):  # not a real file, so nothing waits in it
        number = stream.fileno()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, number)
        os.close(nowhere)
