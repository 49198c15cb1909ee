"""Whom somebody at the chat page can talk with: what the operator configured, by its name, and nobody else.

Addresses come from the operator alone. A name that is typed is a model of the operator's upstream, as it would be in a
request of a chat program; where keys are needed, nobody chooses what runs on this machine.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic
from typing import Any, NamedTuple

import httpx

from onrecord.errors import InvalidInput, OnrecordError
from onrecord.memory import engine_of
from onrecord.models.language import bare_name, model_named
from onrecord.models.model_server import host_of, is_here
from onrecord.ports import Model
from onrecord.records import SessionInfo
from onrecord.service.service_settings import Serving
from onrecord.ui.view import View

__all__ = ["NOBODY", "Offer", "Voice", "listed_models", "offers", "opened", "voice_of"]

NOBODY, OWN, SESSION, UPSTREAM = "none", "own", "session", "upstream"
LONGEST = 200  # characters of a model's name
MOST = 500  # names of one list
BYTES = 1_000_000  # of the answer that holds it
WAIT, KEPT = 3.0, 60.0  # seconds to wait for it, and for which it is taken as it was


class Offer(NamedTuple):
    """Somebody to talk with."""

    value: str  # none, own, session or upstream
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """Who was chosen."""

    kind: str = NOBODY  # none, own, session or upstream
    name: str = ""  # of a model of the upstream


def offers(look: View, info: SessionInfo) -> list[Offer]:
    """Who can be talked with, the one first who is taken where nobody is chosen."""
    found = [Offer(NOBODY, "No model: show the prompt")]
    serving = look.call.desk.serving
    if serving.upstream is not None:
        found.append(Offer(UPSTREAM, f"A model of {host_of(serving.upstream)}"))
    own, of_session = engine_of(look.memory).model, _of_session(look, info)
    if of_session is not None:
        found.insert(0, Offer(SESSION, f"{of_session.name} (this conversation's)"))
    if own is not None:
        found.insert(0, Offer(OWN, own.name))
    return found


def voice_of(look: View, info: SessionInfo, kind: str, name: str) -> Voice:
    """Who is meant by a choice; where nobody is, whoever is there."""
    known = [one.value for one in offers(look, info)]
    usual = bare_name(info.model) or ""
    chosen = kind if kind in known else known[0]
    return Voice(kind=chosen, name=(name.strip() or usual)[:LONGEST] if UPSTREAM in known else "")


@contextmanager
def opened(look: View, info: SessionInfo, voice: Voice) -> Iterator[Model | None]:
    """The model that was chosen, as long as the block runs; None: nobody is asked."""
    if voice.kind != UPSTREAM:
        shared = {OWN: lambda: engine_of(look.memory).model, SESSION: lambda: _of_session(look, info)}
        yield shared.get(voice.kind, lambda: None)()
        return
    made = _of_upstream(look.call.desk.serving, voice.name)
    try:
        yield made
    finally:
        close = getattr(made, "close", None)
        if close is not None:
            close()


def _of_session(look: View, info: SessionInfo) -> Model | None:
    """The conversation's own model, if it runs on this machine and whoever asks may choose that."""
    parts = engine_of(look.memory)
    found = parts.model_for(info)
    return None if found is parts.model else found


def _of_upstream(serving: Serving, name: str) -> Model:
    if not name or not name.isprintable():
        raise InvalidInput("No model is named.", "Type the name of one that the server has, such as gpt-4.1-mini.")
    found = model_named(f"openai/{name}", upstream=serving.upstream, key=serving.upstream_key)
    assert found is not None
    return found


def listed_models(look: View) -> list[str]:
    """The names of the upstream's models; none where it does not say so soon."""
    app, serving = look.request.app, look.call.desk.serving
    if serving.upstream is None:
        return []
    until, names = getattr(app.state, "upstream_names", (0.0, []))
    if monotonic() > until:
        names = _asked(serving.upstream, serving.upstream_key)
        app.state.upstream_names = (monotonic() + KEPT, names)
    return list(names)


def _asked(address: str, key: str | None) -> list[str]:
    headers = {"authorization": f"Bearer {key}"} if key else {}
    try:
        with (
            httpx.Client(timeout=WAIT, trust_env=not is_here(address), headers=headers) as client,
            client.stream("GET", f"{address.rstrip('/')}/models") as answer,
        ):
            body = b""
            for piece in answer.iter_bytes():
                body += piece
                if len(body) > BYTES:
                    return []
        return _names(json.loads(body))
    except (httpx.HTTPError, httpx.InvalidURL, OnrecordError, ValueError, RecursionError):
        return []


def _names(told: Any) -> list[str]:
    """The names in what a server said, whatever that is."""
    items = told.get("data") if isinstance(told, dict) else None
    ids = [one.get("id") for one in items if isinstance(one, dict)] if isinstance(items, list) else []
    fit = {one for one in ids if isinstance(one, str) and one.isprintable() and 0 < len(one) <= LONGEST}
    return sorted(fit)[:MOST]
