"""Embedders: texts into vectors whose cosine tells how near they are in meaning.

`embedder_named` finds one by its name. Nothing heavy is loaded before the first text is embedded, and no name makes a
connection by itself. Keys and addresses are passed in: nothing here looks at the environment.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from onrecord.errors import InvalidSetting
from onrecord.models.embedders.local_embedder import EARLIER, LocalEncoder, is_shipped
from onrecord.models.language import PROVIDERS

if TYPE_CHECKING:
    from onrecord.ports import Embedder

__all__ = ["SERVERS", "earlier_embedder", "embedder_named"]

SERVERS = {name: provider.address for name, provider in PROVIDERS.items() if provider.address}
"""Where a provider answers, unless another address is given."""

AUTO = True
"""Whether "auto" may be the local encoder: tests that are about something else turn it off."""


def embedder_named(name: str | None, *, base_url: str | None = None, key: str | None = None) -> Embedder | None:
    """Return the embedder of this name; None and "none" mean that there is none.

    "auto" is the local encoder where it is installed, otherwise none. "local" is the local encoder, "local:FOLDER"
    another one, "minilm" the one that ours began as. "openai/MODEL" and "ollama/MODEL" ask a server; with `base_url` it
    may be any that speaks OpenAI's protocol.
    """
    if name is None or name == "none" or (name == "auto" and not AUTO):
        return None
    if name in ("auto", "local"):
        return _shipped(needed=name == "local")
    kind, colon, folder = name.partition(":")
    if name == "minilm" or (kind == "local" and colon and folder):
        encoder = LocalEncoder(EARLIER if name == "minilm" else Path(folder))
        encoder.check_installed()
        return encoder
    provider, _, model = name.partition("/")
    if provider in SERVERS and model:
        return _served(name, provider, model, base_url, key)
    raise InvalidSetting(
        f"There is no embedder named {name!r}.",
        "Use none, auto, local, local:FOLDER, minilm, " + ", ".join(f"{provider}/MODEL" for provider in SERVERS) + ".",
    )


def earlier_embedder(name: str) -> Embedder | None:
    """Return the embedder that made vectors under this name, if it is on this machine."""
    known = [encoder for encoder in (_shipped(needed=False), LocalEncoder(EARLIER)) if encoder is not None]
    return next((encoder for encoder in known if encoder.name == name and encoder.installed), None)


def _shipped(*, needed: bool) -> LocalEncoder | None:
    """Return our encoder, if it is installed."""
    if not needed and not is_shipped():
        return None
    encoder = LocalEncoder()
    if needed:
        encoder.check_installed()
    return encoder if encoder.installed else None


def _served(name: str, provider: str, model: str, base_url: str | None, key: str | None) -> Embedder:
    from onrecord.models.embedders.remote_embedder import EndpointEmbedder

    if provider == "openai" and not base_url and not key:
        raise InvalidSetting(f"{name} needs a key.", "Pass one, or the address of a server that asks for none.")
    return EndpointEmbedder(model, base_url=base_url or SERVERS[provider], key=key, name=name)
