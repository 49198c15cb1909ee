"""What stands next to a conversation while it is held: its last prompt, and what was derived from its last turn."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from onrecord.context.prompt import Context
from onrecord.memory import Memory, engine_of
from onrecord.profiles import PROFILES
from onrecord.records import Message, Pin, Query, Summary
from onrecord.service.contexts import Contexts
from onrecord.session import Session, preview
from onrecord.ui.view import every_fact

__all__ = ["last_prompt", "learned", "prompt_id"]

LIMIT = 30  # facts, or episodes, of one turn
GONE = ("rejected", "archived")
SOON = timedelta(hours=1)  # after the newest message: what is made later is no news of it, such as after an import


def learned(memory: Memory, chat: Session, turn: int, pins: Sequence[Pin]) -> dict[str, Any]:
    """Return what was derived since a turn; `turn`: number of the message that began it, 0 if there is none."""
    begun = next(chat.history(after=turn - 1, before=turn + 1), None) if turn > 0 else None
    if begun is None:
        return {"turn": 0}
    until = max(message.time for message in chat.history(last=1)) + SOON
    facts = [fact for fact in every_fact(memory)[::-1] if fact.session == chat.id and fact.status not in GONE]
    query = Query(kind="summary", after=max(0, turn - 400), limit=400)
    summaries = [Summary.of(record) for record in engine_of(memory).store.records(memory.name, chat.id, query)]
    return {
        "turn": turn,
        "facts": [fact for fact in facts if max(fact.sources, default=0) >= turn][:LIMIT],
        "episodes": [episode for episode in chat.episodes() if episode.last >= turn][:LIMIT],
        "pins": [pin for pin in pins if pin.type != "auto" and begun.time <= pin.time <= until],
        "summaries": [summary for summary in summaries if begun.time <= summary.time <= until and summary.text],
        "pinned": {pin.id.removeprefix("pin_") for pin in pins if pin.type == "auto"},
    }


def prompt_id(session: str, seq: int) -> str:
    """Return the id under which the prompt for a message is cached."""
    return f"chat:{seq}:{session}"


def last_prompt(
    contexts: Contexts,
    memory: Memory,
    chat: Session,
    messages: Sequence[Message],
    tokens: int | None,
    profile: str | None,
) -> Context | None:
    """Return the prompt for the newest message of the user, from the cache if it is there; None without a message."""
    at = max((at for at, message in enumerate(messages) if message.role == "user"), default=None)
    if at is None:
        return None
    rules = next((rules for name, rules in PROFILES.items() if name == profile), engine_of(memory).profile)
    id, state = prompt_id(chat.id, messages[at].seq), contexts.state(memory.name)
    cached = contexts.get(memory.name, id)
    if cached is not None and (cached.profile, cached.budget) == (rules.name, tokens or rules.tokens):
        return cached
    before = messages[at + 1].seq if at + 1 < len(messages) else None
    made = preview(chat, tokens=tokens, before=before, profile=profile)
    contexts.keep(memory.name, id, made, state)
    return made
