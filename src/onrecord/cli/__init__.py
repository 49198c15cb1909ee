"""The command line. `main` is the edge of the process: here errors become words and exit codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

import typer

from onrecord.cli import (  # noqa: F401 - each registers its commands
    care_commands,
    chat,
    context_commands,
    derived_commands,
    knowledge_commands,
    message_commands,
    postgres_commands,
    search_command,
    serve_commands,
    transfer_commands,
)
from onrecord.cli.output import DONE, INTERRUPTED, STORE, USAGE, WRONG, last_words, show_error
from onrecord.cli.program import app, sort_panels
from onrecord.cli.streams import PIPE_CLOSED, drop_output, prepare_streams
from onrecord.errors import ModelError, NotFound, OnrecordError, StoreError

__all__ = ["main", "run"]

sort_panels()

# What Python itself raises when a path or a number from the command line is beyond what the system can take.
_UNFIT = (UnicodeError, OverflowError)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    return run(app, "onrecord", sys.argv[1:] if arguments is None else arguments)


def run(program: typer.Typer, name: str, arguments: Sequence[str]) -> int:
    """Run one command of a program: an error becomes words on standard error and an exit code."""
    given = list(arguments)
    prepare_streams()
    try:
        code = program(args=given, prog_name=name, standalone_mode=False)
        if code == INTERRUPTED:  # which is what typer makes of Ctrl-C
            raise KeyboardInterrupt
        sys.stdout.flush()
        return code if isinstance(code, int) else DONE
    except (KeyboardInterrupt, typer.Abort):
        last_words("Interrupted.\n")
        return INTERRUPTED
    except BrokenPipeError:
        drop_output(sys.stdout)
        return PIPE_CLOSED
    except SystemExit as end:
        if not isinstance(end.__context__, BrokenPipeError):
            raise
        return PIPE_CLOSED  # this is how the help, printed by rich, takes it
    except (OnrecordError, typer.TyperException, OSError, *_UNFIT) as error:
        what, hint, code = _explained(error)
        # Not from the parsed options: parsing may be what failed.
        options = given[: given.index("--")] if "--" in given else given
        show_error(type(error).__name__, what, hint, json_wanted="--json" in options)
        return code


def _explained(error: Exception) -> tuple[str, str, int]:
    """Return what happened, what to do, and the exit code."""
    if isinstance(error, OnrecordError):
        code = STORE if isinstance(error, (StoreError, ModelError)) else WRONG if isinstance(error, NotFound) else USAGE
        return error.what, error.hint, code
    if isinstance(error, UnicodeError):
        text = f"{error.object!r} is" if isinstance(error, UnicodeEncodeError) else "What was given is"
        return f"{text} not text in UTF-8.", "Use another name; rename the file if need be.", USAGE
    if isinstance(error, OverflowError):
        return "A number or a date is out of range.", "Give at most 18 digits, and years from 1 to 9999.", USAGE
    if isinstance(error, OSError):
        where = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, (str, bytes)) else ""
        return f"{where}{error.strerror or error}.", "Check the path, its permissions and its disk.", STORE
    assert isinstance(error, typer.TyperException)
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "onrecord"
    return error.format_message(), f"See {command} --help", error.exit_code
