"""The command line. `main` is the edge of the process: here errors become words and exit codes."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import typer

from recollect.cli.app import app
from recollect.cli.output import (
    DONE,
    INTERRUPTED,
    PIPE_CLOSED,
    STORE,
    USAGE,
    WRONG,
    drop_output,
    note,
    prepare_streams,
    show_error,
)
from recollect.errors import NotFound, RecollectError, StoreError

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; answers the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    prepare_streams()
    try:
        code = app(args=given, prog_name="recollect", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else DONE
    except (KeyboardInterrupt, typer.Abort):
        note("Interrupted.")
        return INTERRUPTED
    except BrokenPipeError:
        drop_output()
        return PIPE_CLOSED
    except (RecollectError, typer.TyperException, OSError) as error:
        what, hint, code = _explained(error)
        # Not from the parsed options: parsing may be what failed.
        show_error(type(error).__name__, what, hint, json_wanted="--json" in given)
        return code


def _explained(error: RecollectError | typer.TyperException | OSError) -> tuple[str, str, int]:
    """What happened, what to do, and the exit code."""
    if isinstance(error, RecollectError):
        code = STORE if isinstance(error, StoreError) else WRONG if isinstance(error, NotFound) else USAGE
        return error.what, error.hint, code
    if isinstance(error, OSError):
        where = f"{error.filename}: " if error.filename else ""
        return f"{where}{error.strerror or error}.", "Check the path, its permissions and its disk.", STORE
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "recollect"
    return error.format_message(), f"See {command} --help", error.exit_code
