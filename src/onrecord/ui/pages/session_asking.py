"""What the page of a conversation is asked to show: all of it stands in the address."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import Depends, Query

from onrecord.ui.drawing.timeline import Window

__all__ = ["AskedHere", "ViewedPart"]

Number = Annotated[int | None, Query(ge=0, lt=2**53)]


@dataclass(frozen=True, slots=True)
class ViewedPart:
    """Which messages, which part of the timeline, which summary."""

    after: Number = None  # messages with higher numbers, the oldest of them
    before: Number = None  # messages with lower numbers, the newest of them
    at: Number = None  # messages around this one
    role: Annotated[str, Query()] = ""  # only of this role
    start: Annotated[int | None, Query(alias="from", ge=0, lt=2**53)] = None  # first message of the timeline
    to: Number = None  # last message of the timeline
    node: Annotated[str, Query()] = ""  # the summary that is open
    show: Annotated[str, Query()] = ""  # what else is open: important

    def state(self, **changes: Any) -> dict[str, Any]:
        """What stands in the address, with changes; `window` sets both ends of the timeline."""
        told = {"after": self.after, "before": self.before, "at": self.at, "role": self.role}
        told |= {"from": self.start, "to": self.to, "node": self.node, "show": self.show}
        if (window := changes.pop("window", None)) is not None:
            assert isinstance(window, Window)
            ends = (None, None) if window.whole else (window.first, window.last)
            told |= dict(zip(("from", "to"), ends, strict=True))
        if not changes.keys().isdisjoint(("after", "before", "at")):
            told |= {"after": None, "before": None, "at": None}
        return told | changes


AskedHere = Annotated[ViewedPart, Depends()]
