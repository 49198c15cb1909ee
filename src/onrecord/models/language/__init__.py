"""Language models by their names.

A name is a provider and a model: "openai/gpt-4.1-mini", "ollama/llama3.2", "local/models/small.gguf". A name without
a provider from this table, such as "gpt-4o" or "anthropic/claude-sonnet-4", only serves to count tokens. Where an
address is given, "ollama/…" and "local/…" are asked there. No name makes a connection or loads anything by itself. Keys
and addresses are passed in: nothing here looks at the environment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from onrecord.errors import InvalidSetting, ModelUnreachable
from onrecord.models.model_server import INSTALL

if TYPE_CHECKING:
    from onrecord.ports import Model, Reply

__all__ = ["PROVIDERS", "AbsentModel", "Provider", "bare_name", "is_local", "model_named"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
    """Who runs a model."""

    address: str | None  # where it answers, unless another address is given; None: in this process
    keyed: bool  # whether it asks for a key at that address
    local: bool  # whether its models run where it answers: on this machine, or on one that the operator named local


PROVIDERS = {
    "openai": Provider(address="https://api.openai.com/v1", keyed=True, local=False),
    "ollama": Provider(address="http://localhost:11434/v1", keyed=False, local=True),
    "local": Provider(address=None, keyed=False, local=True),
}
"""The providers. "openai" with another address is any server that speaks its protocol; it may well pass on what it is
asked, so it never counts as local."""


def model_named(name: str | None, *, upstream: str | None = None, key: str | None = None) -> Model | None:
    """Return the model of this name, None without a provider. `upstream` is the address of the server that has it."""
    provider, model = _parts(name)
    if name is None or provider is None:
        return None
    if not model:
        raise InvalidSetting(f"{name!r} names no model.", "Put it after the slash, such as ollama/llama3.2.")
    if provider.address is None and not upstream:
        return _in_process(name, model)
    if provider.keyed and not upstream and not key:
        raise InvalidSetting(
            f"{name} cannot be asked without a key.",
            f"Pass upstream_key=…, or upstream=… for another server, or model={model!r} to only count its tokens.",
        )
    from onrecord.models.language.breaker import GuardedModel
    from onrecord.models.language.remote_model import EndpointModel

    address = upstream or provider.address or ""
    return GuardedModel(EndpointModel(model, base_url=address, key=key, name=name, local=is_local(name)))


def is_local(name: str | None) -> bool:
    """Return whether the model of this name runs on this machine, or on a server that was named local.

    >>> is_local("ollama/llama3.2"), is_local("ollama/gpt-oss:120b-cloud"), is_local("openai/gpt-4.1"), is_local(None)
    (True, False, False, False)
    """
    provider, model = _parts(name)
    # Models whose names end so are only passed on by the program on this machine.
    return provider is not None and provider.local and not model.endswith(("-cloud", ":cloud"))


def bare_name(name: str | None) -> str | None:
    """Return a name that counts the same tokens and has no provider.

    >>> bare_name("openai/gpt-4o"), bare_name("openai/openai/gpt-4o"), bare_name("local/m/small.gguf"), bare_name(None)
    ('gpt-4o', 'gpt-4o', 'small.gguf', None)
    """
    provider, model = _parts(name)
    # Only the last part: what stands before it may be the name of a provider again.
    return name if provider is None else model.rpartition("/")[2] or name


def _parts(name: str | None) -> tuple[Provider | None, str]:
    provider, slash, model = (name or "").partition("/")
    return (PROVIDERS.get(provider) if slash else None), model


def _in_process(name: str, path: str) -> Model:
    from onrecord.models.language.local_model import LocalModel

    file = Path(path).expanduser()
    if not file.is_file():
        raise InvalidSetting(
            f"{name} names a file that is not there.",
            "Put the path of a GGUF file after local/, or give the address of its server as local_server.",
        )
    if find_spec("xllamacpp") is None:
        raise InvalidSetting(f"{name} needs the package xllamacpp, which is not there.", INSTALL)
    return LocalModel(file, name=f"local/{file.name}")  # not the path: a name is kept with what the model wrote


class AbsentModel:
    """A model that is named and not there. Asking it is an error, and nothing goes to another in its place."""

    local = True

    def __init__(self, name: str, why: str) -> None:
        self.name = name
        self._why = why

    def complete(self, messages: Sequence[Mapping[str, Any]], **options: Any) -> Reply:
        raise ModelUnreachable(self._why, "Give the session a model that is there: update(model=…).")

    def stream(self, messages: Sequence[Mapping[str, Any]], **options: Any) -> Iterator[str]:
        raise ModelUnreachable(self._why, "Give the session a model that is there: update(model=…).")
