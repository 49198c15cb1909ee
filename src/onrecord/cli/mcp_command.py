"""`onrecord mcp` gives an agent the memory of one space, as tools of the Model Context Protocol."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from onrecord.cli.options import CommandRequest
from onrecord.cli.output import note
from onrecord.errors import StoreError

__all__ = ["mcp"]


def mcp(
    request: CommandRequest,
    session: Annotated[
        str, typer.Option(help="The conversation that the agent writes to, unless it names one.")
    ] = "mcp",
    allow_forget: Annotated[bool, typer.Option("--allow-forget", help="Let the agent erase, for good.")] = False,
) -> None:
    """Give an agent the memory of a space, as tools over standard input and output (MCP).

    Example: onrecord mcp --db memory.db --space ana

    A program that speaks the Model Context Protocol starts it; docs/mcp.md shows how. The agent sees this space alone.
    """
    try:
        from onrecord.service.mcp_server import serve
    except ModuleNotFoundError as error:
        raise StoreError(
            f"The server for agents needs the package {(error.name or 'mcp').partition('.')[0]}, which is not there.",
            "Run: pip install 'onrecord[mcp]'",
        ) from None
    memory = request.open(request.embedder())
    if sys.stdin is not None and sys.stdin.isatty():
        note("A program is to start this and speak the Model Context Protocol with it. Ctrl-C ends it.")
    serve(memory, session=session, forget=allow_forget)
