"""A page of a conversation's messages, by number: read with a bound, whatever the conversation holds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from onrecord.context.replacing import replaced_by
from onrecord.journal.clean import clean_choice
from onrecord.memory import Memory, engine_of
from onrecord.records import ROLES, Message, Page, Role
from onrecord.service.forms import listed
from onrecord.session import Session
from onrecord.ui.pages.session_asking import ViewedPart

__all__ = ["MOST", "MessagesView", "Weight", "read", "weighed"]

MOST = 50  # messages on one page
SPARE = 10  # more of them, where these are the last: nobody turns a page for so few
LEAD = 10  # of them before the one that is gone to
AHEAD = 200  # further messages that are looked at, whether they replace some of the page
COUNTED = 400  # messages whose tokens are counted one by one
SAMPLES, SAMPLE = 5, 40  # of more messages, so many stretches of so many are


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagesView:
    """A page, and where it goes on."""

    messages: Sequence[Message]  # the oldest first; tombstones too
    older: bool  # whether there may be some before them
    newer: bool  # whether there may be some after them
    next: str | None = None  # as the API tells where its next page begins
    replaces: dict[int, tuple[int, int]] = field(default_factory=dict)  # by number: what a message stands for
    replaced: dict[int, int] = field(default_factory=dict)  # by number: the message that stands for it

    @property
    def first(self) -> int:
        return self.messages[0].seq if self.messages else 0

    @property
    def last(self) -> int:
        return self.messages[-1].seq if self.messages else 0

    def twin(self) -> dict[str, Any]:
        """What the API answers to the same question."""
        return listed([one.to_dict() for one in self.messages], self.next)


def read(chat: Session, asked: ViewedPart, newest: int) -> MessagesView:
    """The page that is asked for; the newest one if nothing is. `newest`: number of the newest message."""
    role: Role | None = clean_choice(asked.role, ROLES, "role") if asked.role else None
    after = max(0, asked.at - LEAD - 1) if asked.at is not None else asked.after
    after = 0 if newest <= MOST + SPARE else after  # what fits on one page stands there, whatever is gone to
    if after is not None:
        found = list(chat.history(limit=MOST + SPARE + 1, after=after, role=role, forgotten=True))
        more = len(found) > MOST + SPARE
        page = found[:MOST] if more else found
        older = after > 0
        return _told(chat, page, older=older, newer=more, next=str(page[-1].seq) if more else None)
    found = list(chat.history(last=MOST + SPARE + 1, before=asked.before, role=role, forgotten=True))
    more = len(found) > MOST + SPARE
    page = found[-MOST:] if more else found
    newer = asked.before is not None and asked.before <= newest
    return _told(chat, page, older=more, newer=newer, next=None)


def _told(chat: Session, page: list[Message], *, older: bool, newer: bool, next: str | None) -> MessagesView:
    ahead = chat.history(limit=AHEAD, after=page[-1].seq) if page and newer else ()
    spans = dict(_spans([*page, *ahead]))
    numbers = {message.seq for message in page}
    replaced = {seq: by for by, (first, last) in spans.items() for seq in numbers if first <= seq <= last}
    return MessagesView(messages=page, older=older, newer=newer, next=next, replaces=spans, replaced=replaced)


def _spans(messages: Iterable[Message]) -> Iterable[tuple[int, tuple[int, int]]]:
    for message in messages:
        for span in replaced_by([message]):
            yield message.seq, span


@dataclass(frozen=True, slots=True, kw_only=True)
class Weight:
    """How long a stretch of messages is."""

    tokens: int
    exact: bool  # False: told from samples

    def saved(self, kept: int) -> float:
        """The share that a text of so many tokens saves."""
        return max(0.0, 1 - kept / self.tokens) if self.tokens else 0.0


def weighed(memory: Memory, session: str, first: int, last: int) -> Weight:
    """The tokens of the messages from `first` to `last`: counted, or told from samples where there are many."""
    many = last - first + 1
    if many <= COUNTED:
        return Weight(tokens=_tokens(memory, session, first, many), exact=True)
    step = (many - SAMPLE) // (SAMPLES - 1)
    found = sum(_tokens(memory, session, first + at * step, SAMPLE) for at in range(SAMPLES))
    told = found * many // (SAMPLES * SAMPLE)
    return Weight(tokens=round(told, 2 - len(str(told))), exact=False)  # two figures: more would be invented


def _tokens(memory: Memory, session: str, first: int, many: int) -> int:
    if many < 1:
        return 0
    page = Page(after=first - 1, before=first + many, limit=many)
    return sum(
        one.tokens for one in engine_of(memory).store.messages(memory.name, session, page) if one.state == "kept"
    )
