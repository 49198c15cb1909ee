"""Which language model writes for a conversation, and on which server it runs."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from onrecord.errors import InvalidSetting, OnrecordError
from onrecord.ports import Model
from onrecord.records import SessionInfo

if TYPE_CHECKING:
    from onrecord.models.language.remote_model import ModelList

__all__ = ["Choosing", "ModelServer"]


class ModelServer(NamedTuple):
    """The servers that models and embedders run on."""

    address: str | None  # of those named `openai/…`
    key: str | None  # for it
    local: str | None = None  # of those named `ollama/…` and `local/…`

    def check(self, *names: object) -> None:
        """Raise if an address or a key is given and nothing is named that would use it."""
        used = any(isinstance(name, str) and name.startswith("openai/") for name in names)
        if (self.address or self.key) and not used:
            raise InvalidSetting(
                "upstream and upstream_key are for models and embedders named openai/…, and none is.",
                'Name one, as in model="openai/gpt-4.1-mini".',
            )

    def of(self, name: str) -> tuple[str | None, str | None]:
        """Address and key for the model of this name: no other provider's models are asked there."""
        if name.startswith("openai/"):
            return self.address, self.key
        return (self.local if name.startswith(("ollama/", "local/")) else None), None

    def __repr__(self) -> str:
        return f"ModelServer(address={self.address!r}, local={self.local!r})"  # without the key


class Choosing:
    """The models of one memory, each made when it is first asked for."""

    def __init__(self, given: str | Model | None, upstream: ModelServer) -> None:
        self.given = given
        self.upstream = upstream
        self.trusts: Callable[[], bool] = lambda: True  # whether a session may name the model that writes for it
        self._models: dict[str, Model | None] = {}  # by name
        self._made: list[Any] = []  # models that are ours to close
        self._warned: set[str] = set()  # bare names that nobody lists

    @cached_property
    def model(self) -> Model | None:
        """The model that the memory was given, if its name says where it runs."""
        given = self.given
        return self._named(given) if given is None or isinstance(given, str) else given

    def model_for(self, info: SessionInfo) -> Model | None:
        """Which model writes for a session: its own if that runs on this machine, so that what is private stays there;
        otherwise the memory's."""
        if info.model is None or not self.trusts():
            return self.model
        name = self._local_name(info.model)
        if name is None:
            return self.model
        if name not in self._models:
            try:
                self._models[name] = self._named(name)
            except OnrecordError as error:  # nothing of the conversation goes elsewhere; it may be there another time
                from onrecord.models.language import AbsentModel

                return AbsentModel(name, error.what)
        return self._models[name]

    def close(self) -> None:
        for model in self._made:
            model.close()

    def _local_name(self, given: str) -> str | None:
        """The name by which a session's model is asked, if it is local; a bare name is if the local server has it."""
        from onrecord.models.language import is_local

        if is_local(given):
            return given
        if "/" in given or self.model is None or _is_hosted(given):
            return None
        if self._listing is not None and self._listing.has(given):
            return f"local/{given}"
        if not self.model.local and given not in self._warned:
            self._warned.add(given)
            warnings.warn(
                f"Conversations whose model is {given!r} are summarised by {self.model.name}: no local server lists "
                f"{given!r}. Name it ollama/{given} where it is local, or give local_server the server's address.",
                UserWarning,
                stacklevel=2,
            )
        return None

    @cached_property
    def _listing(self) -> ModelList | None:
        """The local server that was named, if any."""
        from onrecord.models.language import PROVIDERS
        from onrecord.models.language.remote_model import ModelList

        ours = str(self.given).startswith("ollama/")
        address = self.upstream.local or (PROVIDERS["ollama"].address if ours else None)
        return None if address is None else ModelList(address)

    def _named(self, name: str | None) -> Model | None:
        if name is None:
            return None
        if "/" not in name:
            _refuse_slip(name)
            return None
        from onrecord.models.language import PROVIDERS, model_named

        address, key = self.upstream.of(name)
        found = model_named(name, upstream=address, key=key)
        if found is not None:
            self._made.append(found)
            return found
        from difflib import get_close_matches

        provider, _, model = name.partition("/")
        if near := get_close_matches(provider.lower(), PROVIDERS, n=1, cutoff=0.75):
            raise InvalidSetting(f"There is no provider {provider!r}.", f"Did you mean {near[0]}/{model}?")
        return None  # a name that only serves to count tokens


def _refuse_slip(name: str) -> None:
    """A bare name only counts tokens; raise where a provider or a known model was meant.

    >>> _refuse_slip("gpt4o")
    Traceback (most recent call last):
    onrecord.errors.InvalidSetting: There is no model 'gpt4o'. Did you mean gpt-4o?
    """
    from onrecord.models.language import PROVIDERS

    provider, colon, model = name.partition(":")
    if colon and provider.lower() in PROVIDERS:
        raise InvalidSetting(f"There is no model {name!r}.", f"Did you mean {provider.lower()}/{model}?")
    if slip := re.fullmatch(r"((?:chat)?gpt)[ _]?(\d.*)", name, re.I):
        raise InvalidSetting(f"There is no model {name!r}.", f"Did you mean {slip[1].lower()}-{slip[2]}?")


def _is_hosted(name: str) -> bool:
    """Whether a bare name is that of a model which only its maker runs.

    >>> _is_hosted("gpt-4o"), _is_hosted("claude-sonnet-4"), _is_hosted("gpt-oss:20b"), _is_hosted("llama3.2")
    (True, True, False, False)
    """
    return re.match(r"(?:chat)?gpt-(?!oss)|o\d|claude|gemini|text-", name.lower()) is not None
