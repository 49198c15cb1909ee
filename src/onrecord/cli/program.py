"""The program `onrecord`: how functions become its commands, and what the help says around them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

import typer

from onrecord.cli.options import (
    KEY,
    SHARED,
    UPSTREAM,
    UPSTREAM_KEY,
    VARIABLES,
    shared,
    shared_parameters,
    with_parameters,
)
from onrecord.version import __version__

HELP = """Memory for conversations with language models, in a file or on PostgreSQL.

Example: onrecord add trip "We fly on 5 May." && onrecord context trip "When do we fly?"

New here? See it work: onrecord serve --open --example
"""

EPILOG = f"""Commands that open a memory take {", ".join(flag for flag, _ in SHARED)} and --json,
before or after their name, or from {", ".join(str(variable) for _, variable in SHARED)}.
A model or an embedder on a server is asked at {UPSTREAM}, with the key in {UPSTREAM_KEY};
one that counts as local at {VARIABLES["local_server"]};
what models may take is limited by {VARIABLES["daily_tokens"]} and {VARIABLES["over_limit"]}, and who summarises is said
by {VARIABLES["summarize"]}; the memory of search indexes by {VARIABLES["index_bytes"]}. The key for a service is taken
from {KEY}.

Exit codes:
  0  done
  1  something is wrong (doctor's findings, damaged messages) or was not found
  2  bad input or usage
  3  the store or a model could not do it: busy, full, damaged, not there
  130 interrupted, 141 the reader of the output left"""

app = typer.Typer(
    help=HELP,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,  # it would print what variables hold, and those hold people's conversations
)


def _say_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"onrecord {__version__}")
        raise typer.Exit


def _root(context: typer.Context, **_given: Any) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _with_shared_options() -> Callable[..., None]:
    """Return the root command, with the shared options before the command."""
    context = inspect.Parameter("context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
    option = typer.Option(False, "--version", help="Say which version this is.", callback=_say_version, is_eager=True)
    version = inspect.Parameter("version", inspect.Parameter.KEYWORD_ONLY, default=option, annotation=bool)
    return with_parameters(_root, [context, version, *shared_parameters(hidden=True)])


app.callback(invoke_without_command=True, help=HELP, epilog=EPILOG)(_with_shared_options())

PANELS = (
    "Conversations",
    "Finding",
    "Prompts",
    "Summaries",
    "What is known",
    "Moving",
    "Care",
    "Serving",
    "On PostgreSQL",
)

Work = TypeVar("Work", bound=Callable[..., None])


def in_panel(panel: str, name: str | None = None) -> Callable[[Work], Work]:
    """Make a function a command, which the help lists in this panel."""

    def register(work: Work) -> Work:
        app.command(name or work.__name__, rich_help_panel=panel)(shared(work))
        return work

    return register


def sort_panels() -> None:
    """Put the commands in the order of the panels."""
    app.registered_commands.sort(key=lambda command: PANELS.index(str(command.rich_help_panel)))
