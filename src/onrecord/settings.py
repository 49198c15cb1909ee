"""One table of settings: name, default, help. Validation, the command line and the documentation all derive from it.

Only the command line and the service read the environment; the library takes what it is given.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args

from onrecord.errors import InvalidSetting, shown

__all__ = ["SETTINGS", "Durability", "OverLimit", "ProfileName", "Setting", "Settings", "Summarize", "check_settings"]

ProfileName = Literal["balanced", "hybrid", "tiered", "progressive", "rolling"]
Summarize = Literal["background", "inline", "manual", "worker"]
Durability = Literal["power", "process"]
OverLimit = Literal["extractive", "wait"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One row of the table."""

    name: str  # as a keyword of Memory(...)
    default: str | int | float | None
    help: str  # one sentence
    choices: tuple[str, ...] = ()  # the only values, if they are few
    least: float | None = None  # for numbers
    most: float | None = None
    environment: str | None = None  # read by the command line and the service


SETTINGS: tuple[Setting, ...] = (
    Setting(
        name="path",
        default=None,
        environment="ONRECORD_DB",
        help=(
            "Where the memory lies: a file, a folder ending in a slash, `postgresql://…`, `http://…` of a "
            "service, or `:memory:`. Left out, it is memory.db in your data folder, as `onrecord path` prints."
        ),
    ),
    Setting(
        name="space",
        default="default",
        environment="ONRECORD_SPACE",
        help="The wall around one person's or project's memory; nothing crosses it.",
    ),
    Setting(
        name="profile",
        default="balanced",
        choices=get_args(ProfileName),
        environment="ONRECORD_PROFILE",
        help="The design that decides what is summarised when, and what a prompt holds.",
    ),
    Setting(
        name="model",
        default=None,
        environment="ONRECORD_MODEL",
        help=(
            "The language model of the conversation: its tokens are counted. Named with its provider, as "
            "`openai/gpt-4.1-mini`, `ollama/llama3.2` or `local/FILE.gguf`, it also writes summaries; a session's own "
            "model does so where it is local."
        ),
    ),
    Setting(
        name="upstream",
        default=None,
        environment="ONRECORD_UPSTREAM",
        help="Address of the server that models and embedders named `openai/…` run on, if it is not OpenAI's.",
    ),
    Setting(
        name="upstream_key",
        default=None,
        environment="ONRECORD_UPSTREAM_KEY",
        help="The key for it. It is kept in memory only, and in no log.",
    ),
    Setting(
        name="local_server",
        default=None,
        environment="ONRECORD_LOCAL_SERVER",
        help=(
            "Address of a server whose models count as local, wherever it is: Ollama in Docker or on another machine, "
            "llama.cpp, vLLM. `ollama/…` and `local/…` are asked there, and so are sessions' models that it lists."
        ),
    ),
    Setting(
        name="summarize",
        default="background",
        choices=get_args(Summarize),
        environment="ONRECORD_SUMMARIZE",
        help=(
            "When summaries are made: `background` by a thread, a moment after the last message of a burst; `inline` "
            "before `add` returns; `worker` by `onrecord worker`, wherever it runs (PostgreSQL only); `manual` only "
            "when asked."
        ),
    ),
    Setting(
        name="debounce",
        default=2.0,
        least=0,
        most=3600,
        help="Seconds without a new message after which the background begins with a session's summaries.",
    ),
    Setting(
        name="daily_tokens",
        default=0,
        least=0,
        most=1_000_000_000_000,
        environment="ONRECORD_DAILY_TOKENS",
        help="Tokens, in and out, that models may take for a space in a day (UTC); 0 for no limit.",
    ),
    Setting(
        name="over_limit",
        default="extractive",
        choices=get_args(OverLimit),
        environment="ONRECORD_OVER_LIMIT",
        help="What happens to summaries over that limit: `extractive` makes them without a model, `wait` the next day.",
    ),
    Setting(
        name="embedder",
        default="auto",
        environment="ONRECORD_EMBEDDER",
        help=(
            "What finds messages by meaning: `auto` the local encoder where it is installed, `none`, `local`, "
            "`local:FOLDER`, `minilm` the one it began as, or a server's, such as `openai/text-embedding-3-small` or "
            "`ollama/nomic-embed-text`."
        ),
    ),
    Setting(
        name="index_bytes",
        default=536_870_912,
        least=1,
        most=1_000_000_000_000,
        environment="ONRECORD_INDEX_BYTES",
        help="Memory that the search indexes of all spaces together may take; those not used for longest go first.",
    ),
    Setting(
        name="durability",
        default="power",
        choices=get_args(Durability),
        help=(
            "What a returned `add` survives: `power` the loss of power, `process` a killed process (faster; on "
            "PostgreSQL it sets synchronous_commit = off)."
        ),
    ),
    Setting(
        name="max_message_bytes",
        default=4_194_304,
        least=1,
        most=1_000_000_000,
        help="The largest message: its text, name, tool calls and meta together, as UTF-8.",
    ),
    Setting(
        name="busy_timeout",
        default=10.0,
        least=0,
        most=3600,
        help=(
            "Seconds to wait for another process that is writing to the same file, or for a server that does not "
            "answer."
        ),
    ),
)

_BY_NAME = {row.name: row for row in SETTINGS}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The checked values of the settings that a store needs."""

    durability: Durability
    busy_timeout: float


def check_settings(given: Mapping[str, Any]) -> dict[str, Any]:
    """Every setting with its value: what was given, checked, and defaults for the rest."""
    for name in given:
        if name not in _BY_NAME:
            known = ", ".join(sorted(_BY_NAME))
            raise InvalidSetting(f"There is no setting {name!r}.", f"Known settings: {known}.")
    return {row.name: _checked(row, given[row.name]) if row.name in given else row.default for row in SETTINGS}


def _checked(row: Setting, value: Any) -> Any:
    if row.choices:
        if value not in row.choices:
            raise InvalidSetting(f"{row.name}={shown(value)} is not known.", f"Choose one of {', '.join(row.choices)}.")
        return value
    if isinstance(row.default, (int, float)):
        return _checked_number(row, value)
    if value is None and row.default is None:
        return None
    if not isinstance(value, str) or not value:
        raise InvalidSetting(f"{row.name}={shown(value)} is not a text.", f"Give {row.name} as a non-empty text.")
    return value


def _checked_number(row: Setting, value: Any) -> int | float:
    whole = isinstance(row.default, int)
    fits = isinstance(value, int if whole else (int, float)) and not isinstance(value, bool)
    if not fits or not (row.least or 0) <= value <= (row.most or value):
        kind = "a whole number" if whole else "a number"
        raise InvalidSetting(
            f"{row.name}={shown(value)} does not fit.", f"Give {kind} from {row.least:g} to {row.most:g}."
        )
    return int(value) if whole else float(value)
