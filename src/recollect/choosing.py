"""Which language model writes for a conversation, and on which server it runs."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

from recollect.errors import InvalidSetting, RecollectError
from recollect.ports import Model
from recollect.records import SessionInfo

__all__ = ["Choosing", "ModelServer"]


class ModelServer(NamedTuple):
    """The server that models and embedders named `openai/…` run on."""

    address: str | None
    key: str | None

    def check(self, *names: object) -> None:
        """Raise if an address or a key is given and nothing is named that would use it."""
        used = any(isinstance(name, str) and name.startswith("openai/") for name in names)
        if (self.address or self.key) and not used:
            raise InvalidSetting(
                "upstream and upstream_key are for models and embedders named openai/…, and none is.",
                'Name one, as in model="openai/gpt-4.1-mini".',
            )

    def of(self, name: str) -> tuple[str | None, str | None]:
        """Address and key for the model of this name: nobody else's models are asked there."""
        return (self.address, self.key) if name.startswith("openai/") else (None, None)

    def __repr__(self) -> str:
        return f"ModelServer(address={self.address!r})"  # a key is for nobody's eyes


class Choosing:
    """The models of one memory, each made when it is first asked for."""

    def __init__(self, given: str | Model | None, upstream: ModelServer) -> None:
        self.given = given
        self.upstream = upstream
        self.trusts: Callable[[], bool] = lambda: True  # whether a session may name the model that writes for it
        self._models: dict[str, Model | None] = {}  # by name
        self._made: list[Any] = []  # models that are ours to close

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
        from recollect.models.language import is_local

        if not is_local(info.model):
            return self.model
        if info.model not in self._models:
            try:
                self._models[info.model] = self._named(info.model)
            except RecollectError as error:  # nothing of the conversation goes elsewhere; it may be there another time
                from recollect.models.language.absent import AbsentModel

                return AbsentModel(info.model, error.what)
        return self._models[info.model]

    def close(self) -> None:
        for model in self._made:
            model.close()

    def _named(self, name: str | None) -> Model | None:
        if name is None or "/" not in name:
            return None
        from recollect.models.language import PROVIDERS, model_named

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
