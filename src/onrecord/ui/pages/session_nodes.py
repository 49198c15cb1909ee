"""The summaries of a conversation, as far as somebody looks at them: levels within a window, and one that is open.

A long conversation has more summaries than anybody can see at once. So a level is read only where its summaries are
wide enough to be drawn; of a finer one only its ends are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from onrecord.errors import NotFound
from onrecord.memory import Memory, engine_of
from onrecord.policy.plans import claim_of
from onrecord.records import MANUAL, Pin, Query, Record, Summary
from onrecord.ui.drawing.timeline import SummarySpan, TimelineRow, Window, apart
from onrecord.ui.pages.session_messages import Weight, weighed

__all__ = ["OpenSummary", "SummaryProgress", "node_of", "pins_of", "rows_of", "standing"]

WIDE = 160  # summaries of one level that are drawn at most: a thousand pixels have six for each
DEEPEST = 24  # levels
PINS = 200  # that are marked
WORDS = 140  # characters of a summary that are told when somebody points at it


def plan_of(memory: Memory) -> str:
    """The plan by which summaries are made."""
    return engine_of(memory).profile.strategy.plan


def rows_of(memory: Memory, session: str, window: Window) -> list[TimelineRow]:
    """The levels, the coarsest first; those that were asked for by hand on top."""
    usual = [_row(memory, session, query, window, f"Level {query.level}") for query in _levels(memory, session)]
    asked_for = _row(memory, session, Query(kind="summary", plan=MANUAL), window, "By hand")
    by_hand = [replace(asked_for, spans=spans) for spans in apart(asked_for.spans)] or [asked_for]
    return [row for row in (*by_hand, *usual[::-1]) if row.spans or row.covers]


def _levels(memory: Memory, session: str) -> Iterator[Query]:
    """A question for each level that there is."""
    for level in range(1, DEEPEST):
        query = Query(kind="summary", plan=plan_of(memory), level=level)
        if not _read(memory, session, replace(query, limit=1)):
            return
        yield query


def _row(memory: Memory, session: str, query: Query, window: Window, name: str) -> TimelineRow:
    within = replace(query, after=window.first - 1, before=window.last + 1)
    most = 1 if _is_fine(memory, session, query, window) else WIDE
    found = _read(memory, session, replace(within, limit=most + 1))
    if len(found) > most:
        newest = _read(memory, session, replace(within, limit=1, newest=True))
        return TimelineRow(name=name, covers=(found[0].first, newest[0].last))
    beyond = _read(memory, session, replace(query, after=window.last, limit=1))
    nodes = [*found, *(node for node in beyond if node.first <= window.last)]
    return TimelineRow(name=name, spans=[_span(node) for node in nodes])


def _is_fine(memory: Memory, session: str, query: Query, window: Window) -> bool:
    """Whether the width of one summary says that there are far too many to be read."""
    first = _read(memory, session, replace(query, after=window.first - 1, limit=1))
    return bool(first) and window.size > 2 * WIDE * (first[0].last - first[0].first + 1)


def _read(memory: Memory, session: str, query: Query) -> list[Record]:
    return engine_of(memory).store.records(memory.name, session, query)


def _span(record: Record) -> SummarySpan:
    body = record.body or {}
    text = str(body.get("text", ""))
    words = text if len(text) <= WORDS else f"{text[:WORDS].rstrip()} …"
    told = words or "Waits to be made again."
    locked = " Locked." if record.locked else ""
    return SummarySpan(
        key=record.key,
        first=record.first,
        last=record.last,
        words=_words(body),
        title=f"{_covers(record)}.{locked} {told}",
        locked=record.locked,
        empty=not text,
    )


def _words(body: Mapping[str, Any]) -> list[str]:
    """What a summary is about; the topics of one that a person wrote anew are those of the text before it."""
    return ["edited"] if body.get("method") == "hand" else [str(topic) for topic in body.get("topics", ())[:3]]


def _covers(record: Record) -> str:
    alone = record.first == record.last
    return f"Message {record.first:,}" if alone else f"Messages {record.first:,} to {record.last:,}"


def pins_of(memory: Memory, session: str, window: Window) -> list[Pin]:
    """The pins that come from messages of the window."""
    query = Query(kind="pin", plan=MANUAL, level=0, after=window.first - 1, before=window.last + 1, limit=PINS)
    return [Pin.of(record) for record in _read(memory, session, query) if record.first]


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenSummary:
    """A summary that is open, and those around it."""

    summary: Summary
    weight: Weight  # of the messages that it covers
    above: str | None = None  # the summary that was made from it, among others
    earlier: str | None = None  # the one before it on its level
    later: str | None = None  # the one after it


def node_of(memory: Memory, session: str, id: str) -> OpenSummary:
    """One summary, by its id."""
    found = _read(memory, session, Query(kind="summary", key=id, limit=1))
    if not found:
        raise NotFound("There is no such summary in this conversation.", "It may have been forgotten. Look again.")
    here, level = found[0], Query(kind="summary", plan=found[0].plan, level=found[0].level, limit=1)
    higher = _read(memory, session, replace(level, level=here.level + 1, after=here.last - 1))
    earlier = _read(memory, session, replace(level, before=here.last, newest=True))
    later = _read(memory, session, replace(level, after=here.last))
    return OpenSummary(
        summary=Summary.of(here),
        weight=weighed(memory, session, here.first, here.last),
        above=next((one.key for one in higher if one.first <= here.first and here.plan != MANUAL), None),
        earlier=next((one.key for one in earlier), None),
        later=next((one.key for one in later), None),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryProgress:
    """How far the conversation is summarised."""

    covered: int  # number of the newest message that a summary covers
    waiting: int  # messages after it
    emptied: int  # summaries that wait to be made again
    trouble: str  # why a model made none, if one had trouble


def standing(memory: Memory, session: str, newest: int) -> SummaryProgress:
    """See Standing; `newest`: number of the newest message."""
    plan = plan_of(memory)
    found = _read(memory, session, Query(kind="summary", plan=plan, level=1, newest=True, limit=1))
    covered = found[0].last if found else 0
    claims = _read(memory, session, Query(kind="mark", key=claim_of(plan), limit=1))
    return SummaryProgress(
        covered=covered,
        waiting=max(0, newest - covered),
        emptied=len(_read(memory, session, Query(kind="summary", plan=plan, empty=True, limit=100))),
        trouble=str((claims[0].body or {}).get("trouble", "")) if claims else "",
    )
