"""One page of a conversation's messages, by number; what it reads is bounded."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from onrecord.context.replacing import replaced_by
from onrecord.records import Message, Role
from onrecord.session import Session
from onrecord.ui.drawing.timeline import Window
from onrecord.ui.view import PageQuery

__all__ = ["MessagesView", "SessionQuery"]

PAGE = 50
SPARE = 10  # more, where these are the last
LEAD = 10  # messages above the one that is gone to
AHEAD = 200  # further messages that may replace some of the page

Number = Annotated[int | None, Field(ge=0, lt=2**53)]


class SessionQuery(PageQuery):
    """Which messages, which part of the timeline, which summary."""

    model_config = ConfigDict(populate_by_name=True)

    after: Number = None  # the oldest messages with higher numbers
    before: Number = None  # the newest messages with lower numbers
    at: Number = None  # the messages around this one
    role: Role | Literal[""] = ""
    start: Number = Field(None, alias="from")  # of the timeline
    to: Number = None
    node: str = ""  # the summary that is open
    show: str = ""  # "important": with important data
    part: str = ""  # only this part of the page, for its script

    def but(self, *, window: Window | None = None, **changes: Any) -> dict[str, Any]:
        """Return the same with some changes; `window` sets both ends of the timeline."""
        query = super().but()
        if window is not None:
            query |= {"from": None, "to": None} if window.whole else {"from": window.first, "to": window.last}
        if not changes.keys().isdisjoint(("after", "before", "at")):
            query |= {"after": None, "before": None, "at": None}
        return query | changes


@dataclass(frozen=True, slots=True)
class MessagesView:
    """A page of messages, and whether there are more."""

    messages: list[Message]  # the oldest first, forgotten ones too
    older: bool
    newer: bool
    next: str | None = None  # the API's cursor of the next page
    replaces: dict[int, tuple[int, int]] = field(default_factory=dict)  # by number, what a message stands for
    replaced: dict[int, int] = field(default_factory=dict)  # by number, the message that stands for it

    @classmethod
    def of(cls, chat: Session, query: SessionQuery, newest: int) -> MessagesView:
        """Return the page that the query asks for, or the newest; `newest`: number of the newest message."""
        after = max(0, query.at - LEAD - 1) if query.at is not None else query.after
        after = 0 if newest <= PAGE + SPARE else after  # all of them fit on one page
        role, limit = query.role or None, PAGE + SPARE + 1
        if after is None:
            found = list(chat.history(last=limit, before=query.before, role=role, forgotten=True))
            more = len(found) == limit
            newer = query.before is not None and query.before <= newest
            return cls(found[-PAGE:] if more else found, more, newer)._marked(chat)
        found = list(chat.history(limit=limit, after=after, role=role, forgotten=True))
        more = len(found) == limit
        page = found[:PAGE] if more else found
        return cls(page, after > 0, more, str(page[-1].seq) if more else None)._marked(chat)

    def _marked(self, chat: Session) -> MessagesView:
        """Add what replaces what."""
        ahead = chat.history(limit=AHEAD, after=self.last) if self.messages and self.newer else ()
        for message in (*self.messages, *ahead):
            for first, last in replaced_by([message]):
                self.replaces[message.seq] = first, last
                self.replaced.update({shown.seq: message.seq for shown in self.messages if first <= shown.seq <= last})
        return self

    @property
    def first(self) -> int:
        return self.messages[0].seq if self.messages else 0

    @property
    def last(self) -> int:
        return self.messages[-1].seq if self.messages else 0
