"""The command that serves a memory over HTTP."""

from __future__ import annotations

import os
import socket
import sys
from contextlib import nullcontext, suppress
from importlib.util import find_spec
from threading import Thread
from time import sleep
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from onrecord.cli.options import UPSTREAM, UPSTREAM_KEY, CommandRequest
from onrecord.cli.output import note
from onrecord.errors import InvalidSetting, StoreError
from onrecord.models.embedders import embedder_named
from onrecord.models.model_server import host_of
from onrecord.stores import shown

if TYPE_CHECKING:
    import uvicorn

    from onrecord.memory import Memory
    from onrecord.service.service_settings import Serving

__all__ = ["serve"]

GRACE = 20  # seconds that calls under way have to end
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")  # variables that say where a browser can be shown
TRIES, PAUSE = 200, 0.1  # how often it is looked whether the pages are there, and the seconds in between


Host = Annotated[str, typer.Option(help="The address to listen on; others than this machine's need keys.")]
Port = Annotated[int, typer.Option(min=0, max=65_535, help="The port; 0: any that is free.")]
Processes = Annotated[int, typer.Option(min=1, max=64, help="How many processes share the work.")]
Budget = Annotated[
    int | None,
    typer.Option(
        min=256, help="Tokens of prompts for chat requests; left out: the profile's own, or as sent, and 8,000."
    ),
]
Rate = Annotated[float, typer.Option(min=0, help="Requests a second that each key may make; 0: any number.")]
Log = Annotated[Literal["text", "json"], typer.Option(help="How requests are logged, on standard error.")]
Show = Annotated[bool, typer.Option("--open", help="Show the pages in your browser.")]
Example = Annotated[
    bool, typer.Option("--example", help="Put conversations to explore into a space that holds nothing yet.")
]


def serve(
    request: CommandRequest,
    host: Host = "127.0.0.1",
    port: Port = 8787,
    processes: Processes = 1,
    budget: Budget = None,
    rate: Rate = 100.0,
    log: Log = "text",
    show: Show = False,
    example: Example = False,
) -> None:
    """Serve a memory over HTTP: pages to look into it, an API, and a proxy that gives chat programs memory.

    Example: onrecord serve --db memory.db --open

    Example: ONRECORD_UPSTREAM=https://api.openai.com/v1 onrecord serve --host 0.0.0.0 --processes 2

    The pages are at http://127.0.0.1:8787. Chat programs use http://127.0.0.1:8787/v1 as their base URL; requests go on
    to ONRECORD_UPSTREAM. The API is described at /docs. Ctrl-C or SIGTERM ends it: what is under way is finished
    first.
    """
    _must_be_installed()
    _must_be_possible(request, processes)
    from onrecord.service.service_settings import Serving

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
    _run(request, serving, show=show, example=example)


def _must_be_possible(request: CommandRequest, processes: int) -> None:
    """Raise if the memory cannot be served so."""
    if request.served:
        raise InvalidSetting(f"{shown(request.db)} is served already.", "Serve a file, a folder or postgresql://…")
    if processes > 1 and not request.shareable:
        raise InvalidSetting(
            f"{request.db} is for one process.", "Leave --processes out, or serve a file or postgresql://…"
        )


def _run(request: CommandRequest, serving: Serving, *, show: bool, example: bool) -> None:
    """Serve until somebody ends it."""
    from uvicorn.supervisors import Multiprocess

    from onrecord.service.logs import configure
    from onrecord.service.metrics import shared_figures
    from onrecord.ui.site import create_app

    configure(serving.log)
    several = serving.processes > 1
    with _door(serving.host, serving.port) as door, shared_figures() if several else nullcontext():
        address = _address(serving.host, door.getsockname()[1])
        with serving.open() as memory:  # what is wrong is said before anything begins
            app = create_app(memory, serving)
            if example:
                _fill(memory)
            _welcome(request, serving, app.state.desk.needs_keys, address)
            if show:
                _show(serving.host, address, door.getsockname()[:2])
            if not several:
                _run_here(app, door)
                return
        serving.hand_over()
        config = _config("onrecord.ui.site:served", factory=True, workers=serving.processes)
        Multiprocess(config, sockets=[door]).run()


def _run_here(app: Any, door: socket.socket) -> None:
    """Serve in this process."""
    import uvicorn

    from onrecord.service.app import settle

    settle()
    with suppress(KeyboardInterrupt):  # the way to stop it
        uvicorn.Server(_config(app)).run([door])
    note("Stopped.")


def _fill(memory: Memory) -> None:
    from onrecord.ui.example import fill

    if fill(memory):
        note("An example was put into it: three conversations to explore.")


def _show(host: str, address: str, listening: tuple[str, int]) -> None:
    """Show the pages in the person's browser as soon as they are there. Where that cannot be, the address was said."""
    from onrecord.service.service_settings import is_loopback

    if not is_loopback(host):
        note("--open is for pages of this machine alone: open the address yourself.")
    elif sys.platform.startswith("linux") and not any(os.environ.get(name) for name in SCREENS):
        note("There is no screen to open a browser on: open the address yourself.")  # one in the terminal would take it
    else:
        Thread(target=_show_once_there, args=(address, listening), daemon=True).start()  # ends with the process


def _show_once_there(address: str, listening: tuple[str, int]) -> None:
    for _ in range(TRIES):
        with suppress(OSError), socket.create_connection(listening, timeout=1):
            break
        sleep(PAUSE)
    import webbrowser

    with suppress(Exception):  # a desktop may fail in any way; the pages are there all the same
        webbrowser.open(f"{address}/ui/")


def _must_be_installed() -> None:
    for name in ("fastapi", "uvicorn", "httptools", "prometheus_client", "httpx", "jinja2", "multipart"):
        if find_spec(name) is None:
            raise InvalidSetting(
                f"Serving needs the package {name}, which is not there.", "Run: pip install 'onrecord[server]'"
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
            "Choose another with --port (make run PORT=…) or --host.",
        ) from None
    door.set_inheritable(True)
    return door


def _config(app: Any, **more: Any) -> uvicorn.Config:
    import uvicorn

    from onrecord.service.connections import HttpConnection

    return uvicorn.Config(
        app,
        http=HttpConnection,
        ws="none",
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


def _address(host: str, port: int) -> str:
    """Where it is served.

    >>> _address("::1", 8787)
    'http://[::1]:8787'
    """
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _welcome(request: CommandRequest, serving: Serving, keys: bool, address: str) -> None:
    note(f"{shown(serving.db)} is served at {address} (look into it there; its API: {address}/docs).")
    if serving.upstream:
        note(f"Chat programs use {address}/v1; their requests go on to {host_of(serving.upstream)}.")
    if serving.memory["embedder"] == "auto" and embedder_named("auto") is None:
        note("It finds by words alone; to find by meaning: pip install onrecord-encoder onnxruntime tokenizers")
    if not keys:
        made = request.command("keys create --scope read --scope write")
        note(f"Anyone on this machine may use it. To ask for keys: {made}")
