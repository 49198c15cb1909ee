"""The command that serves a memory over HTTP."""

from __future__ import annotations

import os
import socket
from contextlib import nullcontext, suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from recollect.cli.options import UPSTREAM, UPSTREAM_KEY, Request
from recollect.cli.output import note
from recollect.errors import InvalidSetting, StoreError
from recollect.models.server import host_of
from recollect.stores import shown

if TYPE_CHECKING:
    import uvicorn

    from recollect.service.serving import Serving

__all__ = ["serve"]

GRACE = 20  # seconds that calls under way have to end


def serve(
    request: Request,
    host: Annotated[str, typer.Option(help="The address to listen on; others than this machine's need keys.")] = (
        "127.0.0.1"
    ),
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The port; 0: any that is free.")] = 8787,
    processes: Annotated[int, typer.Option(min=1, max=64, help="How many processes share the work.")] = 1,
    budget: Annotated[
        int | None, typer.Option(min=256, help="Tokens of prompts for chat requests; left out: as sent, and 8,000.")
    ] = None,
    rate: Annotated[
        float, typer.Option(min=0, help="Requests a second that each key may make; 0: any number.")
    ] = 100.0,
    log: Annotated[Literal["text", "json"], typer.Option(help="How requests are logged, on standard error.")] = "text",
) -> None:
    """Serve a memory over HTTP, with a proxy that gives chat programs memory.

    Example: recollect serve --db memory.db

    Example: RECOLLECT_UPSTREAM=https://api.openai.com/v1 recollect serve --host 0.0.0.0 --processes 2

    Chat programs use http://127.0.0.1:8787/v1 as their base URL; requests go on to RECOLLECT_UPSTREAM. The API is
    described at /docs. Ctrl-C or SIGTERM ends it: what is under way is finished first.
    """
    _must_be_installed()
    if request.served:
        raise InvalidSetting(f"{shown(request.db)} is served already.", "Serve a file, a folder or postgresql://…")
    if processes > 1 and not request.shareable:
        raise InvalidSetting(
            f"{request.db} is for one process.", "Leave --processes out, or serve a file or postgresql://…"
        )
    import uvicorn
    from uvicorn.supervisors import Multiprocess

    from recollect.service.logs import configure
    from recollect.service.metrics import shared_figures
    from recollect.service.serving import Serving
    from recollect.ui.app import create_app

    request.make_folder()
    serving = Serving(
        db=request.db,
        space=request.space,
        host=host,
        port=port,
        processes=processes,
        upstream=_upstream(),
        upstream_key=os.environ.get(UPSTREAM_KEY) or None,
        budget=budget,
        rate=rate,
        log=log,
        memory=request.keywords(),
    )
    configure(log)
    with _door(host, port) as door, shared_figures() if processes > 1 else nullcontext():
        with serving.open() as memory:  # what is wrong is said before anything begins
            app = create_app(memory, serving)
            _welcome(request, serving, app.state.desk.needs_keys, door.getsockname()[1])
            if processes == 1:
                with suppress(KeyboardInterrupt):  # the way to stop it
                    uvicorn.Server(_config(app)).run([door])
                note("Stopped.")
                return
        serving.hand_over()
        Multiprocess(_config("recollect.ui.app:served", factory=True, workers=processes), sockets=[door]).run()


def _must_be_installed() -> None:
    for name in ("fastapi", "uvicorn", "prometheus_client", "httpx", "jinja2", "multipart"):
        if find_spec(name) is None:
            raise InvalidSetting(
                f"Serving needs the package {name}, which is not there.", "Run: pip install 'recollect[server]'"
            )


def _upstream() -> str | None:
    """Where chat requests go on to, as the environment says."""
    address = os.environ.get(UPSTREAM) or None
    if address is not None:
        try:
            host_of(address)
        except InvalidSetting:
            raise InvalidSetting(f"{UPSTREAM} is no address.", "Use one such as https://api.openai.com/v1.") from None
    return address


def _door(host: str, port: int) -> socket.socket:
    """The socket that is listened on: made here, so that a port that is taken is said in our words."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        door = socket.socket(family, kind, protocol)
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind(address)
    except OSError as error:
        raise StoreError(
            f"{host} port {port} cannot be listened on: {error.strerror or error}.",
            "Choose another with --port or --host.",
        ) from None
    door.set_inheritable(True)
    return door


def _config(app: Any, **more: Any) -> uvicorn.Config:
    import uvicorn

    return uvicorn.Config(
        app,
        access_log=False,  # it would show the names of sessions
        log_config=None,
        log_level="warning",
        lifespan="on",
        proxy_headers=False,
        server_header=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=GRACE,
        **more,
    )


def _welcome(request: Request, serving: Serving, keys: bool, port: int) -> None:
    host = f"[{serving.host}]" if ":" in serving.host else serving.host
    address = f"http://{host}:{port}"
    note(f"{shown(serving.db)} is served at {address} (its API: {address}/docs).")
    if serving.upstream:
        note(f"Chat programs use {address}/v1; their requests go on to {host_of(serving.upstream)}.")
    if serving.memory["embedder"] == "auto" and find_spec("onnxruntime") is None:
        note("It finds by words alone: no encoder is installed. For meaning: pip install 'recollect[embeddings]'")
    if not keys:
        made = request.command("keys create --scope read --scope write")
        note(f"Anyone on this machine may use it. To ask for keys: {made}")
