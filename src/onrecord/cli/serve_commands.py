"""The commands that serve a memory: over HTTP, to agents, and the keys of those who may call."""

from __future__ import annotations

import os
import re
import socket
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from threading import Thread
from typing import TYPE_CHECKING, Annotated, Any, Literal, Unpack

import typer

from onrecord.cli.arguments import KeyValues
from onrecord.cli.options import UPSTREAM, UPSTREAM_KEY, CommandRequest, opened_store
from onrecord.cli.output import note, plural
from onrecord.cli.printing import moment, reply, show
from onrecord.cli.program import in_panel
from onrecord.errors import InvalidInput, InvalidSetting, NotFound, StoreError
from onrecord.models.embedders import embedder_named
from onrecord.models.model_server import host_of
from onrecord.service.keys import SCOPES, Keys
from onrecord.stores import shown

Action = Literal["create", "list", "revoke"]


if TYPE_CHECKING:
    import uvicorn

    from onrecord.service.service_settings import Serving


GRACE = 20  # seconds that calls under way have to end
SCREENS = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")  # variables that say where a browser can be shown


@in_panel("Serving")
def serve(
    request: CommandRequest,
    host: Annotated[
        str, typer.Option(help="The address to listen on; others than this machine's need keys.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The port; 0: any that is free.")] = 8787,
    processes: Annotated[int, typer.Option(min=1, max=64, help="How many processes share the work.")] = 1,
    budget: Annotated[
        int | None,
        typer.Option(min=256, help="Tokens of prompts for chat requests; the profile's, or as sent."),
    ] = None,
    rate: Annotated[float, typer.Option(min=0, help="Requests a second for each key; 0: any number.")] = 100.0,
    log: Annotated[Literal["text", "json"], typer.Option(help="How requests are logged, on standard error.")] = "text",
    show: Annotated[bool, typer.Option("--open", help="Show the pages in your browser.")] = False,
    example: Annotated[
        bool, typer.Option("--example", help="Put conversations to explore into a space that holds nothing yet.")
    ] = False,
) -> None:
    """Serve a memory over HTTP: pages to look into it, an API, and a proxy that gives chat programs memory.

    Example: onrecord serve --db memory.db --open

    Example: ONRECORD_UPSTREAM=https://api.openai.com/v1 onrecord serve --host 0.0.0.0 --processes 2

    The pages are at http://127.0.0.1:8787. Chat programs use http://127.0.0.1:8787/v1 as their base URL; requests go on
    to ONRECORD_UPSTREAM. The API is described at /docs. Ctrl-C or SIGTERM ends it: what is under way is finished
    first.
    """
    _must_be_installed()
    if request.served:
        raise InvalidSetting(f"{shown(request.db)} is served already.", "Serve a file, a folder or postgresql://…")
    if processes > 1 and not request.shareable:
        other = "Leave --processes out, or serve a file or postgresql://…"
        raise InvalidSetting(f"{request.db} is for one process.", other)
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


@in_panel("Serving")
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
        from onrecord.service.mcp_server import serve as serve_agent
    except ModuleNotFoundError as error:
        raise StoreError(
            f"The server for agents needs the package {(error.name or 'mcp').partition('.')[0]}, which is not there.",
            "Run: pip install 'onrecord[mcp]'",
        ) from None
    memory = request.open(request.embedder())
    if sys.stdin is not None and sys.stdin.isatty():
        note("A program is to start this and speak the Model Context Protocol with it. Ctrl-C ends it.")
    serve_agent(memory, session=session, forget=allow_forget)


def _run(request: CommandRequest, serving: Serving, *, show: bool, example: bool) -> None:
    """Serve until a signal ends it."""
    from uvicorn import Server
    from uvicorn.supervisors import Multiprocess

    from onrecord.service.app import settle
    from onrecord.service.logs import configure
    from onrecord.service.metrics import shared_figures
    from onrecord.ui.example import fill
    from onrecord.ui.site import create_app

    configure(serving.log)
    several = serving.processes > 1
    with _door(serving.host, serving.port) as door, shared_figures() if several else nullcontext():
        host = f"[{serving.host}]" if ":" in serving.host else serving.host
        address = f"http://{host}:{door.getsockname()[1]}"
        with serving.open() as memory:  # what is wrong is said before anything begins
            app = create_app(memory, serving)
            if example and fill(memory):
                note("An example was put into it: three conversations to explore.")
            _welcome(request, serving, app.state.desk.auth.needs_keys, address)
            if show:
                _show(serving.host, address)
            if not several:
                settle()
                with suppress(KeyboardInterrupt):  # the way to stop it
                    Server(_config(app)).run([door])
                note("Stopped.")
                return
        serving.hand_over()
        config = _config("onrecord.ui.site:served", factory=True, workers=serving.processes)
        Multiprocess(config, sockets=[door]).run()


def _show(host: str, address: str) -> None:
    """Show the pages in the person's browser, which waits for them on the open socket."""
    from onrecord.service.service_settings import is_loopback

    if not is_loopback(host):
        note("--open is for pages of this machine alone: open the address yourself.")
    elif sys.platform.startswith("linux") and not any(os.environ.get(name) for name in SCREENS):
        note("There is no screen to open a browser on: open the address yourself.")  # one in the terminal would take it
    else:
        Thread(target=_open_browser, args=(f"{address}/ui/",), daemon=True).start()


def _open_browser(address: str) -> None:
    with suppress(Exception):  # a desktop may fail in any way; the pages are there all the same
        webbrowser.open(address)


def _must_be_installed() -> None:
    for name in ("fastapi", "uvicorn", "httptools", "prometheus_client", "httpx", "jinja2", "multipart"):
        if find_spec(name) is None:
            raise InvalidSetting(
                f"Serving needs the package {name}, which is not there.", "Run: pip install 'onrecord[server]'"
            )


def _upstream() -> str | None:
    """Return where chat requests go on to, from the environment."""
    address = os.environ.get(UPSTREAM) or None
    if address is not None:
        try:
            host_of(address)
        except InvalidSetting:
            raise InvalidSetting(f"{UPSTREAM} is no address.", "Use one such as https://api.openai.com/v1.") from None
    return address


def _door(host: str, port: int) -> socket.socket:
    """Return a listening socket. Raises `StoreError` if the port is taken."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        door = socket.socket(family, kind, protocol)
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind(address)
        door.listen()
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


def _welcome(request: CommandRequest, serving: Serving, keys: bool, address: str) -> None:
    note(f"{shown(serving.db)} is served at {address} (look into it there; its API: {address}/docs).")
    if serving.upstream:
        note(f"Chat programs use {address}/v1; their requests go on to {host_of(serving.upstream)}.")
    if serving.memory["embedder"] == "auto" and embedder_named("auto") is None:
        note("It finds by words alone; to find by meaning: pip install onrecord-encoder onnxruntime tokenizers")
    if not keys:
        made = request.command("keys create --scope read --scope write")
        note(f"Anyone on this machine may use it. To ask for keys: {made}")


_DAYS = re.compile("([0-9]{1,5})d")  # no year that a date could not have


@in_panel("Serving")
def keys(
    request: CommandRequest,
    action: Annotated[Action, typer.Argument(help="list them; create one; revoke one.")] = "list",
    prefix: Annotated[
        str | None,
        typer.Argument(help="The key to revoke: its 8 digits, as listed.", metavar="[PREFIX]", show_default=False),
    ] = None,
    scope: Annotated[
        list[str] | None,
        typer.Option(help="What the key allows; needed to create, may be repeated.", metavar="|".join(SCOPES)),
    ] = None,
    **values: Unpack[KeyValues],
) -> None:
    """Make keys for a service on this memory, list them, or take one back.

    Example: onrecord keys create --scope read --scope write --tenant acme --name "the support bot"

    Example: onrecord keys revoke 1a2b3c4d

    A key is shown once, when it is made; only its digest is kept. A service asks every caller for a key as soon as
    there is one: start it again after you made the first. docs/keys.md says what each scope allows.
    """
    if request.served:
        raise InvalidInput(
            "Keys are made where the memory lies, not over the network.", "Give --db as the service has it."
        )
    if (prefix is not None) != (action == "revoke"):
        raise InvalidInput(
            "revoke takes the first 8 digits of a key, and the others do not.", "Name it with --name. See --help."
        )
    if (scope or values) and action != "create":
        raise InvalidInput(f"onrecord keys {action} takes no such option.", "See onrecord keys --help")
    if action == "create":
        _create(request, scope, dict(values))
    elif prefix is not None:
        _revoke(request, prefix)
    else:
        made = request.command("keys create --scope read --scope write")
        empty = f"There are no keys: a service on this memory answers only its own machine. Make one: {made}"
        with _opened(request) as held:
            show(request, "key", held.all(), empty=empty)


def _create(request: CommandRequest, scopes: list[str] | None, values: dict[str, Any]) -> None:
    if not scopes:
        raise InvalidInput("A key without a scope allows nothing.", f"Give --scope: {', '.join(SCOPES)}; repeat it.")
    if days := _DAYS.fullmatch(values.get("expires", "")):
        values["expires"] = _now() + timedelta(days=int(days[1]))
    space = values.pop("for_space", None)
    with _opened(request, new=True) as held:
        secret, key = held.create(scopes=scopes, space=space, **values)
    reply(request, {"key": secret, **key.to_dict()}, secret)
    for_whom = f" for tenant {key.tenant}" if key.tenant else ""
    where = f" in space {key.space}" if key.space else ""
    until = f" until {moment(key.expires)} UTC" if key.expires else ""
    note(f"It is shown only now. It allows {', '.join(key.scopes)}{for_whom}{where}{until}.")
    note(f"Take it back: {request.command(f'keys revoke {key.prefix}')}")


def _revoke(request: CommandRequest, prefix: str) -> None:
    with _opened(request) as held:
        try:
            key = held.revoke(prefix)
        except NotFound as error:
            raise NotFound(error.what, f"See {request.command('keys')}") from None
        good = sum(other.holds(_now()) for other in held.all())
    reply(request, key, f"Key {key.prefix} is refused since {moment(key.revoked)} UTC; {plural(good, 'key')} left.")
    if not good:
        note("There is no good key left, and a service still asks for one.")


@contextmanager
def _opened(request: CommandRequest, *, new: bool = False) -> Iterator[Keys]:
    """Open the keys of a memory, which must be there unless it is made with the first."""
    if new:
        request.make_folder()
    else:
        request.must_be_there()
    with opened_store(request.db) as store:
        yield Keys(store, _now)


def _now() -> datetime:
    return datetime.now(UTC)
