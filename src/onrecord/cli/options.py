"""The options that all commands share, from the one table of settings, and what a command is handed of them.

They may stand before the command or after it. What was typed counts over the environment, and after the command over
before it.
"""

from __future__ import annotations

import inspect
import os
import shlex
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast, get_args, get_origin, get_type_hints

import typer

from onrecord.choosing import ModelServer
from onrecord.cli.output import command
from onrecord.cli.streams import reader_may_leave
from onrecord.default_store import default_path, prepare_default
from onrecord.errors import InvalidSetting, NotFound
from onrecord.memory import Memory
from onrecord.records import SessionInfo
from onrecord.session import Session
from onrecord.settings import SETTINGS, ProfileName, Settings, check_settings
from onrecord.stores import is_server, open_store, shown

if TYPE_CHECKING:
    from onrecord.ports import Embedder, Model, Store

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
    """The values of the shared options."""

    db: str  # where the memory lies
    space: str
    profile: str
    model: str | None
    embedder_name: str  # what finds by meaning
    json: bool  # print JSON
    typed: frozenset[str]  # which of these were typed, after the command or before it

    @property
    def there(self) -> bool:
        """Whether the place holds something, or only the library can judge that."""
        return self.db == ":memory:" or "://" in self.db or Path(self.db).exists()

    @property
    def served(self) -> bool:
        """Whether a service has the memory, and decides about it."""
        return self.db.startswith(("http://", "https://"))

    @property
    def shareable(self) -> bool:
        """Whether several processes can write to it."""
        return is_server(self.db) or not (self.db == ":memory:" or self.db.endswith("/") or Path(self.db).is_dir())

    def must_be_there(self) -> None:
        """Raises `NotFound` if nothing is at the place: reading must not make a memory where a path was mistyped."""
        if not self.there:
            raise NotFound(
                f"There is no memory at {self.db} yet.",
                "Name another place with --db, or begin it: " + command('add trip "Hello!"'),
            )

    def command(self, name: str) -> str:
        """Return another command on the same memory, ready to be typed."""
        return command(f"{name} --db {shlex.quote(shown(self.db))}")

    @property
    def vectors(self) -> str:
        """The command that makes every vector of this space."""
        space = "" if self.space == "default" else f" --space {shlex.quote(self.space)}"
        return self.command("rebuild --vectors") + space

    def remedied(self, remark: str) -> str:
        """Return a remark of a search with the command that helps, where there is one."""
        return f"{remark} Make them now: {self.vectors}" if "without a vector" in remark else remark

    def embedder(self) -> Embedder | None:
        """Return what finds by meaning. Address and key of a server come from the environment."""
        from onrecord.models.embedders import embedder_named

        address, key = _upstream(self.embedder_name)
        return embedder_named(self.embedder_name, base_url=address, key=key)

    def language_model(self) -> Model | None:
        """Return the model to talk with, if one is named with its provider."""
        return model_of(self.model)

    def open(self, embedder: Embedder | None = None, *, model: Model | None = None, asks: bool = True) -> Memory:
        """Open the memory; it is made if need be. Without an `embedder` that is quick, and no vectors are made.

        `model` writes, in place of the one that --model names. `asks`: False where no model has to write; then its name
        only counts tokens, and needs neither key nor file.
        """
        from onrecord.models.language import bare_name

        if self.served:
            return Memory(self.db, space=self.space, key=os.environ.get(KEY))
        if embedder is None and self.embedder_name not in ("auto", "none"):
            self.embedder()  # an unknown name is refused now, not at the first search
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

    def open_existing(self, embedder: Embedder | None = None, *, asks: bool = True) -> Memory:
        """Open the memory, which must be there."""
        self.must_be_there()
        return self.open(embedder, asks=asks)

    def existing(self, memory: Memory, session: str) -> Session:
        """Return a conversation. Raises `NotFound` if it is not there."""
        chat = memory.session(session)
        if chat.info() == SessionInfo(id=chat.id):
            raise NotFound(
                f"There is no session {chat.id!r} in space {self.space!r}.", f"List them: {self.command('sessions')}"
            )
        return chat

    @contextmanager
    def conversation(self, session: str, *, asks: bool = False) -> Iterator[Session]:
        """Open a conversation that must be there."""
        with self.open_existing(asks=asks) as memory:
            yield self.existing(memory, session)

    def make_folder(self) -> None:
        """Make the folder of the default place, if that is the place."""
        if self.db == default_path():
            prepare_default()

    def keywords(self) -> dict[str, Any]:
        """Return what a process that serves this memory opens it with, beside its place and space."""
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


@contextmanager
def opened_store(address: str) -> Iterator[Store]:
    """Open a store by itself, for what is done to all of its spaces."""
    values = check_settings({})
    store = open_store(address, Settings(durability=values["durability"], busy_timeout=values["busy_timeout"]))
    try:
        yield store
    finally:
        store.close()


def model_of(name: str | None) -> Model | None:
    """Return the model of this name, if the name says who provides it."""
    from onrecord.models.language import model_named

    address, key = _upstream(name or "")
    return model_named(name, upstream=address, key=key)


def _upstream(name: str) -> tuple[str | None, str | None]:
    """Return address and key of the server that a model or an embedder runs on, from the environment."""
    given = (os.environ.get(name) or None for name in (UPSTREAM, UPSTREAM_KEY, VARIABLES["local_server"]))
    address, key = ModelServer(*given).of(name)
    if name.startswith("openai/") and not address and not key:
        raise InvalidSetting(
            f"{name} needs a key.",
            f"Set {UPSTREAM_KEY}; or {UPSTREAM}, to the address of another server that speaks the same protocol.",
        )
    return address, key


def _by_environment() -> dict[str, Any]:
    """Return the settings that variables of the environment give; the library checks them."""
    given = {name: os.environ.get(variable) for name, variable in VARIABLES.items()}
    return {name: int(value) if value.isdecimal() else value for name, value in given.items() if value}


def shared_parameters(*, hidden: bool = False) -> list[inspect.Parameter]:
    """Return the shared options as parameters of a command."""
    rows = {row.name: row for row in SETTINGS}
    parameters = []
    for name, (flag, kind) in _FLAGS.items():
        row = rows[name]
        option = typer.Option(
            flag,
            envvar=row.environment,
            help=row.help.partition(". ")[0],  # docs/reference.md has the rest
            show_default=row.default is not None,
            hidden=hidden,
            rich_help_panel=_PANEL,
        )
        parameters.append(_parameter(flag.removeprefix("--"), row.default, kind, option))
    as_json = typer.Option("--json", help="Answer in JSON, for programs.", hidden=hidden, rich_help_panel=_PANEL)
    return [*parameters, _parameter("json", False, bool, as_json)]


def _parameter(name: str, default: Any, kind: Any, option: Any) -> inspect.Parameter:
    annotation = Annotated[kind, option]
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)


def shared(work: Callable[..., None]) -> Callable[..., None]:
    """Return a command for a function that takes a request and then its own options, which it is handed as far as they
    were given."""
    context = inspect.Parameter("_context", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=typer.Context)
    own = list(_own_parameters(work))
    names = {parameter.name for parameter in own}

    @wraps(work)
    def run(_context: typer.Context, **given: Any) -> None:
        with reader_may_leave():
            work(_request(_context), **{name: given[name] for name in names if given[name] not in (None, [])})

    del cast(Any, run).__wrapped__
    return with_parameters(run, [context, *own, *shared_parameters()])


def with_parameters(work: Callable[..., None], parameters: list[inspect.Parameter]) -> Callable[..., None]:
    """Have a function take these parameters, as far as typer sees."""
    seen = cast(Any, work)
    seen.__signature__ = inspect.Signature(parameters)
    seen.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return work


def _own_parameters(work: Callable[..., None]) -> Iterator[inspect.Parameter]:
    """A command's own parameters; `**options` of a TypedDict are one parameter for each of its keys."""
    for parameter in list(inspect.signature(work, eval_str=True).parameters.values())[1:]:
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD:
            yield parameter
            continue
        (keys,) = get_args(parameter.annotation)
        for name, hint in get_type_hints(keys, include_extras=True).items():
            kind, option = get_args(hint)
            if choices := get_args(get_args(kind)[0]) if get_origin(kind) is list else ():
                kind, option.metavar = list[str], "|".join(choices)  # which the library checks
            yield _parameter(name, None, kind | None, option)


def _request(context: typer.Context) -> CommandRequest:
    db = _chosen(context, "db")
    return CommandRequest(
        db=default_path() if db is None else os.path.expanduser(db),
        space=_chosen(context, "space"),
        profile=_chosen(context, "profile"),
        model=_chosen(context, "model"),
        embedder_name=_chosen(context, "embedder"),
        json=_chosen(context, "json"),
        typed=frozenset(name for name in ("db", "space", "model") if _level_typed(context, name)),
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
