"""What stands beside a conversation while it is held: its last prompt, and what its last turn taught.

All of it is read in a few bounded looks, however long the conversation is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from onrecord.context.prompt import Context
from onrecord.errors import NotFound
from onrecord.memory import Memory, engine_of
from onrecord.profiles import PROFILES
from onrecord.records import Episode, Fact, Message, Pin, Query, Record, Summary
from onrecord.service.contexts import Contexts
from onrecord.session import Session, preview

__all__ = ["Learned", "last_prompt", "learned", "newest", "prompt_id"]

SHOWN = 40  # messages
LONGEST = 20_000  # characters of one that are shown
MOST = 30  # facts, or episodes, that one turn is shown to have taught
SOON = timedelta(hours=1)  # after the newest message: what is made later is of another day, such as that of an import
BACK = 400  # messages before a turn that a node made in it may end with


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """What is new since a turn began."""

    turn: int = 0  # number of the message that began it; 0: nothing was said yet
    facts: Sequence[Fact] = ()
    standing: frozenset[str] = frozenset()  # ids of those facts that pinned themselves
    pins: Sequence[Pin] = ()  # by hand
    nodes: Sequence[Summary] = ()
    episodes: Sequence[Episode] = ()

    def __bool__(self) -> bool:
        return bool(self.facts or self.pins or self.nodes or self.episodes)


def newest(chat: Session) -> list[Message]:
    """The newest messages; very long ones as far as a page shows them."""
    found = chat.history(last=SHOWN)
    return [replace(one, text=one.text[:LONGEST] + " …") if len(one.text) > LONGEST else one for one in found]


def learned(memory: Memory, chat: Session, turn: int, pins: Sequence[Pin]) -> Learned:
    """What the memory has learned since the message of this number was said."""
    begun = next(chat.history(after=turn - 1, before=turn + 1), None) if turn > 0 else None
    if begun is None:
        return Learned()
    engine_of(memory).learned(memory.name)  # what was said and not looked at yet is looked at now
    nodes = _records(memory, chat, "summary", max(0, turn - BACK), BACK)
    until = max(one.time for one in chat.history(last=1)) + SOON
    return Learned(
        turn=turn,
        facts=_facts(memory, _records(memory, chat, "fact", turn - 1)),
        standing=frozenset(one.id.removeprefix("pin_") for one in pins if one.type == "auto"),
        pins=[one for one in pins if one.type != "auto" and begun.time <= one.time <= until],
        nodes=[Summary.of(one) for one in nodes if begun.time <= one.time <= until and one.body],
        episodes=[Episode.of(one) for one in _records(memory, chat, "episode", turn - 1) if one.body],
    )


def _records(memory: Memory, chat: Session, kind: str, after: int, most: int = MOST) -> list[Record]:
    """Derived records that come from messages behind a number."""
    found = engine_of(memory).store.records(memory.name, chat.id, Query(kind=kind, after=after, limit=most))
    return [one for one in found if one.last > after]  # after 0 there are those from no message, too


def _facts(memory: Memory, records: Sequence[Record]) -> list[Fact]:
    """The facts as they stand: those that were rejected or forgotten since are no news."""
    found = []
    for record in records:
        try:
            fact = memory.fact(record.key)
        except NotFound:
            continue
        if fact.status not in ("rejected", "archived"):
            found.append(fact)
    return found


def prompt_id(session: str, seq: int) -> str:
    """Under what name the prompt for a message of a conversation is at hand."""
    return f"chat:{seq}:{session}"


def last_prompt(
    contexts: Contexts, memory: Memory, chat: Session, said: Sequence[Message], tokens: int | None, profile: str | None
) -> Context | None:
    """The prompt for the newest thing that the user said: the one that was built, if it is at hand, or the same made
    anew. None while nothing was said."""
    at = max((at for at, one in enumerate(said) if one.role == "user"), default=None)
    if at is None:
        return None
    rules = next((one for one in PROFILES.values() if one.name == profile), engine_of(memory).profile)
    id, state = prompt_id(chat.id, said[at].seq), contexts.state(memory.name)
    kept = contexts.get(memory.name, id)
    if kept is not None and (kept.profile, kept.budget) == (rules.name, tokens or rules.tokens):
        return kept
    after = said[at + 1].seq if at + 1 < len(said) else None
    made = preview(chat, tokens=tokens, before=after, profile=profile)
    contexts.keep(memory.name, id, made, state)
    return made
