"""The options that all commands share, from the one table of settings, and what a command is handed of them.

They may stand before the command or after it. What was typed counts over the environment, and after the command over
before it.
"""

from __future__ import annotations

import inspect
import os
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import typer

from onrecord.choosing import ModelServer
from onrecord.cli.output import command
from onrecord.cli.streams import reader_may_leave
from onrecord.default_store import default_path, prepare_default
from onrecord.errors import InvalidSetting, NotFound
from onrecord.memory import Memory
from onrecord.records import SessionInfo
from onrecord.session import Session
from onrecord.settings import SETTINGS, ProfileName
from onrecord.stores import is_server, shown

if TYPE_CHECKING:
    from onrecord.ports import Embedder, Model

__all__ = [
    "KEY",
    "SHARED",
    "UPSTREAM",
    "UPSTREAM_KEY",
    "VARIABLES",
    "CommandRequest",
    "named_model",
    "shared",
    "shared_parameters",
]

_PANEL = "Shared options"
_FLAGS: dict[str, tuple[str, Any]] = {  # setting → its option and type
    "path": ("--db", str | None),
    "space": ("--space", str),
    "profile": ("--profile", ProfileName),
    "model": ("--model", str | None),
    "embedder": ("--embedder", str),
}

UPSTREAM, UPSTREAM_KEY = "ONRECORD_UPSTREAM", "ONRECORD_UPSTREAM_KEY"
"""Variables of the environment: the address and the key of the server that models and embedders may run on."""

KEY = "ONRECORD_KEY"
"""Variable of the environment: the key for a service."""

_VARIABLES = {row.name: row.environment for row in SETTINGS if row.environment is not None}

SHARED = tuple((flag, _VARIABLES[name]) for name, (flag, _) in _FLAGS.items())
"""The shared options and the variables of the environment that set them."""

VARIABLES = {name: _VARIABLES[name] for name in "daily_tokens over_limit summarize index_bytes local_server".split()}
"""Settings of what models may take, of who summarises and of memory, which variables of the environment alone set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandRequest:
    """What the shared options say."""

    db: str  # where the memory lies
    space: str
    profile: str
    model: str | None
    embedder_name: str  # what finds by meaning
    json: bool  # answer in JSON
    typed: frozenset[str]  # which of these were typed, after the command or before it

    @property
    def there(self) -> bool:
        """Whether there is anything at the place, or it is for the library to judge."""
        return self.db == ":memory:" or "://" in self.db or Path(self.db).exists()

    def must_be_there(self) -> None:
        """Reading from a place that does not exist must not make it: it is a typing error more often than not."""
        if not self.there:
            raise NotFound(
                f"There is no memory at {self.db} yet.",
                "Name another place with --db, or begin it: " + command('add trip "Hello!"'),
            )

    def command(self, name: str) -> str:
        """Another command on the same memory, to be typed as it stands."""
        return command(f"{name} --db {shlex.quote(shown(self.db))}")

    @property
    def vectors(self) -> str:
        """The command that makes every vector of this space."""
        space = "" if self.space == "default" else f" --space {shlex.quote(self.space)}"
        return self.command("rebuild --vectors") + space

    def remedied(self, said: str) -> str:
        """A remark of a search, with what to do about it."""
        return f"{said} Make them now: {self.vectors}" if "without a vector" in said else said

    def embedder(self) -> Embedder | None:
        """What finds by meaning. The address and the key of a server come from the environment."""
        from onrecord.models.embedders import embedder_named

        address, key = _upstream(self.embedder_name)
        return embedder_named(self.embedder_name, base_url=address, key=key)

    def language_model(self) -> Model | None:
        """The model to talk with, if one is named with its provider."""
        return _model(self.model)

    def open(self, embedder: Embedder | None = None, *, model: Model | None = None, asks: bool = True) -> Memory:
        """The memory itself, made if need be. Without an embedder it is quick to open, and makes no vectors: those are
        made by the commands that search. `model`: this one writes, instead of another of the same name. `asks`: whether
        a model may have to write; where none has to, its name only counts tokens, and needs neither key nor file."""
        from onrecord.models.language import bare_name

        if self.served:
            return Memory(self.db, space=self.space, key=os.environ.get(KEY))
        if embedder is None and self.embedder_name not in ("auto", "none"):
            self.embedder()  # a name that means nothing is said now, not at the first search
        self.make_folder()
        name = self.model if asks else bare_name(self.model)
        address, key = _upstream(name or "") if (name or "").startswith("openai/") else (None, None)
        return Memory(
            self.db,
            space=self.space,
            profile=self.profile,
            model=name if model is None else model,
            embedder=embedder,
            upstream=address,
            upstream_key=key,
            **_by_environment(),
        )

    @property
    def served(self) -> bool:
        """Whether it is a memory that a service has: then what decides about it is the service's."""
        return self.db.startswith(("http://", "https://"))

    @property
    def shareable(self) -> bool:
        """Whether several processes can write to it."""
        return is_server(self.db) or not (self.db == ":memory:" or self.db.endswith("/") or Path(self.db).is_dir())

    def make_folder(self) -> None:
        """Make the folder of the place that is taken where none is named: only the user may look into it."""
        if self.db == default_path():
            prepare_default()

    def keywords(self) -> dict[str, Any]:
        """What a process that serves this memory opens it with, beside its place and space: plain values."""
        asked = [name for name in (self.model, self.embedder_name) if name and name.startswith("openai/")]
        address, key = next((found for name in asked if any(found := _upstream(name))), (None, None))
        return {
            "profile": self.profile,
            "model": self.model,
            "embedder": None if self.embedder_name == "none" else self.embedder_name,
            "upstream": address,
            "upstream_key": key,
            **_by_environment(),
        }

    def open_existing(self, embedder: Embedder | None = None, *, asks: bool = True) -> Memory:
        self.must_be_there()
        return self.open(embedder, asks=asks)

    def existing(self, memory: Memory, session: str) -> Session:
        """A conversation that is there: asking about one that is not is a typing error too."""
        chat = memory.session(session)
        if chat.info() == SessionInfo(id=chat.id):
            raise NotFound(
                f"There is no session {chat.id!r} in space {self.space!r}.", f"List them: {self.command('sessions')}"
            )
        return chat


def named_model(name: str) -> Model:
    """The model of this name, which must be one that can be asked."""
    found = _model(name)
    if found is None:
        raise InvalidSetting(
            f"{name} cannot be asked.", "Name it with its provider: openai/MODEL, ollama/MODEL or local/FILE.gguf."
        )
    return found


def _model(name: str | None) -> Model | None:
    from onrecord.models.language import model_named

    address, key = _upstream(name or "")
    return model_named(name, upstream=address, key=key)


def _upstream(name: str) -> tuple[str | None, str | None]:
    """The address and the key of the server that a model or an embedder runs on, from the environment."""
    address, key = _server().of(name)
    if name.startswith("openai/") and not address and not key:
        raise InvalidSetting(
            f"{name} needs a key.",
            f"Set {UPSTREAM_KEY}; or {UPSTREAM}, to the address of another server that speaks the same protocol.",
        )
    return address, key


def _server() -> ModelServer:
    given = (os.environ.get(name) or None for name in (UPSTREAM, UPSTREAM_KEY, VARIABLES["local_server"]))
    return ModelServer(*given)


def _by_environment() -> dict[str, Any]:
    """Settings as the environment says; what it cannot mean is for the settings to refuse."""
    given = {name: os.environ.get(variable) for name, variable in VARIABLES.items()}
    return {name: int(value) if value.isdecimal() else value for name, value in given.items() if value}


def shared_parameters(*, hidden: bool = False) -> list[inspect.Parameter]:
    """The shared options as parameters of a command."""
    rows = {row.name: row for row in SETTINGS}
    parameters = []
    for name, (flag, kind) in _FLAGS.items():
        row = rows[name]
        option = typer.Option(
            row.default,
            flag,
            envvar=row.environment,
            help=row.help,
            show_default=row.default is not None,
            hidden=hidden,
            rich_help_panel=_PANEL,
        )
        parameters.append(_parameter(flag.removeprefix("--"), option, kind))
    help = "Answer in JSON, for programs."
    as_json = typer.Option(False, "--json", help=help, hidden=hidden, rich_help_panel=_PANEL)
    return [*parameters, _parameter("json", as_json, bool)]


def _parameter(name: str, option: Any, kind: Any) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=option, annotation=kind)


def shared(work: Callable[..., None]) -> Callable[..., None]:
    """A command from a function that takes a Request and then its own options."""
    context = inspect.Parameter("context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
    own = list(inspect.signature(work, eval_str=True).parameters.values())[1:]
    added = shared_parameters()
    names = {parameter.name for parameter in added}

    @wraps(work)
    def run(context: typer.Context, **given: Any) -> None:
        with reader_may_leave():
            work(_request(context), **{name: value for name, value in given.items() if name not in names})

    signature = inspect.Signature([context, *own, *added])
    described = cast(Any, run)
    described.__signature__ = signature
    described.__annotations__ = {name: part.annotation for name, part in signature.parameters.items()}
    del described.__wrapped__
    return run


def _request(context: typer.Context) -> CommandRequest:
    db = _chosen(context, "db")
    return CommandRequest(
        db=default_path() if db is None else os.path.expanduser(db),
        space=_chosen(context, "space"),
        profile=_chosen(context, "profile"),
        model=_chosen(context, "model"),
        embedder_name=_chosen(context, "embedder"),
        json=_chosen(context, "json"),
        typed=frozenset(name for name in ("db", "space") if _level_typed(context, name)),
    )


def _chosen(context: typer.Context, name: str) -> Any:
    return (_level_typed(context, name) or context).params[name]


def _level_typed(context: typer.Context, name: str) -> Any:
    """The command, or what stands before it, where an option was typed."""
    for level in (context, context.parent):
        source = level and level.get_parameter_source(name)
        if level and source and source.name == "COMMANDLINE":
            return level
    return None
