"""A turn streamed to the script of the chat page, as lines of JSON.

If the browser leaves, what came of the answer is kept.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, ExitStack, suppress
from functools import partial
from typing import Any

from anyio import CancelScope, to_thread

from onrecord.errors import OnrecordError
from onrecord.service.error_responses import failed
from onrecord.service.space_access import ServiceCall
from onrecord.turns.talking import Events, Exchange, Talk, TurnEvent

__all__ = ["in_words", "streamed"]

Seen = Callable[[Exchange, TurnEvent], dict[str, Any]]
"""What is sent of an event, next to its kind and its text."""


async def streamed(
    call: ServiceCall, talking: AbstractContextManager[Talk], turn: Exchange, seen: Seen
) -> AsyncIterator[bytes]:
    """Yield the events of a turn as lines. The model is closed at the end, however the turn ends."""
    open_ = ExitStack()
    try:
        talk = await call.run(lambda: open_.enter_context(talking))
        events = talk.take(turn)
        open_.callback(_ended, talk, turn, events)
        while event := await call.run(lambda: _next(events), "talking", abandon=True):
            yield _line({"kind": event.kind, "text": event.text, **await call.run(partial(seen, turn, event))})
        yield _line({"kind": "done", "seq": turn.seq})
    except OnrecordError as error:
        yield _line({"kind": "refused", "text": in_words(error)})
    finally:
        with CancelScope(shield=True):
            await to_thread.run_sync(open_.close)


def _next(events: Events) -> TurnEvent | None:
    return next(events, None)


def _ended(talk: Talk, turn: Exchange, events: Events) -> None:
    talk.keep(turn)
    with suppress(ValueError):  # a thread still waits in it for the model
        events.close()


def _line(value: dict[str, Any]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode() + b"\n"


def in_words(error: Exception) -> str:
    """Return an error in the words that the API has for it."""
    if not isinstance(error, OnrecordError):
        return "Something went wrong with the memory."
    reason = json.loads(bytes(failed(error).body))["error"]
    return f"{reason['message']} {reason['hint']}".strip()
