"""Which models the chat page can ask: those that the operator configured.

Addresses come from the operator alone. A name that is typed is a model of the operator's upstream, as in a request of a
chat program; where keys are needed, a conversation's own model is not offered.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from onrecord.errors import InvalidInput
from onrecord.memory import engine_of
from onrecord.models.language import model_named
from onrecord.models.model_server import host_of
from onrecord.ports import Model
from onrecord.records import SessionInfo
from onrecord.ui.view import View

__all__ = ["offers", "opened"]


def offers(look: View, info: SessionInfo) -> dict[str, str]:
    """Return the choices with their labels, the default first: own, session, none or upstream."""
    engine, upstream = engine_of(look.memory), look.call.desk.serving.upstream
    own, of_session = engine.model, engine.model_for(info)
    found = {} if own is None else {"own": own.name}
    if of_session is not None and of_session is not own:
        found["session"] = f"{of_session.name} (this conversation's)"
    found["none"] = "No model: show the prompt"
    return found if upstream is None else found | {"upstream": f"A model of {host_of(upstream)}"}


@contextmanager
def opened(look: View, info: SessionInfo, choice: str, name: str) -> Iterator[Model | None]:
    """Yield the model of a choice; None: no model is asked. `name`: of a model of the upstream."""
    engine, serving = engine_of(look.memory), look.call.desk.serving
    if choice != "upstream":
        yield {"own": engine.model, "session": engine.model_for(info)}.get(choice)
        return
    if not name or not name.isprintable():
        raise InvalidInput("No model is named.", "Type the name of one that the server has, such as gpt-4.1-mini.")
    model: Any = model_named(f"openai/{name}", upstream=serving.upstream, key=serving.upstream_key)
    try:
        yield model
    finally:
        model.close()
