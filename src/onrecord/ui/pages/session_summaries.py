"""The summaries of a conversation within a window, the one that is open, and how far all of it is summarised.

A level is read only where its summaries are wide enough to be drawn; of a finer one only the ends are.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from onrecord.errors import NotFound
from onrecord.memory import Memory, engine_of
from onrecord.policy.plans import claim_of
from onrecord.records import MANUAL, Page, Pin, Query, Record, Summary
from onrecord.ui.drawing.timeline import SummaryBar, SummarySpan, Window, apart

__all__ = ["SessionSummaries", "TimelineLane"]

WIDE = 160  # summaries of one level that are drawn: a thousand pixels have six for each
LEVELS = 24
PINS = 200
WORDS = 140  # characters of a tooltip
COUNTED = 400  # messages whose tokens are counted


class TimelineLane(NamedTuple):
    """The summaries of one level."""

    name: str
    bars: list[SummaryBar]
    strip: tuple[float, float] | None = None  # instead of them, the extent of a level that is too fine


class SessionSummaries:
    """The summaries of one conversation."""

    def __init__(self, memory: Memory, session: str) -> None:
        engine = engine_of(memory)
        self._store, self._space, self._session = engine.store, memory.name, session
        self._plan = engine.profile.strategy.plan

    def _read(self, kind: str = "summary", **query: Any) -> list[Record]:
        return self._store.records(self._space, self._session, Query(kind=kind, **query))

    def lanes(self, window: Window) -> list[TimelineLane]:
        """Return the levels, the coarsest first; above them the summaries of ranges that were asked for."""
        lanes: list[TimelineLane] = []
        for level in range(1, LEVELS):
            query = Query(kind="summary", plan=self._plan, level=level)
            if not self._page(query, limit=1):
                break
            lanes.insert(0, self._lane(query, window, f"Level {level}"))
        manual = self._lane(Query(kind="summary", plan=MANUAL), window, "By hand")
        rows = [manual._replace(bars=[*window.bars(row)]) for row in apart(bar.span for bar in manual.bars)]
        return [lane for lane in (*(rows or [manual]), *lanes) if lane.bars or lane.strip]

    def _page(self, query: Query, **changes: Any) -> list[Record]:
        return self._store.records(self._space, self._session, replace(query, **changes))

    def _lane(self, query: Query, window: Window, name: str) -> TimelineLane:
        within = replace(query, after=window.first - 1, before=window.last + 1)
        first = self._page(query, after=window.first - 1, limit=1)
        fine = first and window.size > 2 * WIDE * (first[0].last - first[0].first + 1)
        limit = 1 if fine else WIDE
        found = self._page(within, limit=limit + 1)
        if len(found) > limit:
            newest = self._page(within, limit=1, newest=True)
            return TimelineLane(name, [], window.between(found[0].first, newest[0].last))
        found += [record for record in self._page(query, after=window.last, limit=1) if record.first <= window.last]
        return TimelineLane(name, [*window.bars(map(_span, found))])

    def pins(self, window: Window) -> list[Pin]:
        """Return the pins that come from messages of the window."""
        found = self._read("pin", plan=MANUAL, level=0, after=window.first - 1, before=window.last + 1, limit=PINS)
        return [Pin.of(record) for record in found if record.first]

    def open(self, id: str) -> dict[str, Any] | None:
        """Return a summary, the tokens of its messages, and the ids of those around it. Raises `NotFound`."""
        if not id:
            return None
        found = self._read(key=id, limit=1)
        if not found:
            raise NotFound("There is no such summary in this conversation.", "It may have been forgotten.")
        here, level = found[0], Query(kind="summary", plan=found[0].plan, level=found[0].level, limit=1)
        higher = self._page(level, level=here.level + 1, after=here.last - 1) if here.plan != MANUAL else []
        around = {
            "One level up": [record for record in higher if record.first <= here.first],
            "Before it": self._page(level, before=here.last, newest=True),
            "After it": self._page(level, after=here.last),
        }
        return {
            "summary": Summary.of(here),
            "tokens": self._tokens(here.first, here.last),
            "around": {name: records[0].key for name, records in around.items() if records},
        }

    def _tokens(self, first: int, last: int) -> int:
        """Return the tokens of some messages; 0 if they are too many to be counted."""
        if last - first >= COUNTED:
            return 0
        page = Page(after=first - 1, before=last + 1, limit=COUNTED)
        messages = self._store.messages(self._space, self._session, page)
        return sum(message.tokens for message in messages if message.state == "kept")

    def progress(self, newest: int) -> dict[str, Any]:
        """Return how far the conversation is summarised; `newest`: number of its newest message."""
        found = self._read(plan=self._plan, level=1, newest=True, limit=1)
        covered = found[0].last if found else 0
        leases = self._read("mark", key=claim_of(self._plan), limit=1)
        return {
            "covered": covered,
            "waiting": max(0, newest - covered),
            "emptied": len(self._read(plan=self._plan, empty=True, limit=100)),
            "trouble": (leases[0].body or {}).get("trouble", "") if leases else "",
        }


def _span(record: Record) -> SummarySpan:
    body = record.body or {}
    text = str(body.get("text", ""))
    topics = ["edited"] if body.get("method") == "hand" else [str(topic) for topic in body.get("topics", ())[:3]]
    shown = text if len(text) <= WORDS else f"{text[:WORDS].rstrip()} …"
    return SummarySpan(record.key, record.first, record.last, topics, shown, record.locked)
