"""What was said about the question, in this conversation or another of the space, as lines of the recalled block."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from typing import NamedTuple

from onrecord.context.head import Counted, Line
from onrecord.context.text import one_line
from onrecord.policy.brevity import CONFIDENT, pays, worth
from onrecord.policy.passages import shown as passages
from onrecord.policy.trust import TRUST, origin_of
from onrecord.records import FoundItem, Message, Record, SearchOutcome, SearchRequest

__all__ = ["Finder", "nothing_line", "recalled_lines"]

Finder = Callable[[str, SearchRequest], SearchOutcome]
"""Searches a space."""

NOTHING = "Nothing about this was found in what is remembered."


def nothing_line(counted: Counted) -> Line:
    """The line of a prompt whose question is about the past, where memory has no answer."""
    return Line(kind="note", id="nothing", text=NOTHING, cost=counted(f"- {NOTHING}\n"), value=1.0, origin="derived")


def recalled_lines(
    found: Sequence[FoundItem],
    confidence: float | None,
    session: str,
    counted: Counted,
    shown: Container[int] = (),
    title: Callable[[str], str] = lambda session: session,
    *,
    by_length: bool = True,
) -> Iterator[Line]:
    """The lines of what was found, those worth most for their length first, or in their order; each is made when it is
    asked for. Those that are too unlikely for their length are marked; without confidence in the search, all are.
    `shown`: numbers of this conversation's messages that the prompt holds anyway when a line is asked for; `title`:
    what another conversation is called."""
    best = max((item.score for item in found), default=0.0)
    sure = confidence is None or confidence >= CONFIDENT
    seen: set[str] = set()
    for item in sorted(found, key=_worth, reverse=True) if by_length else found:
        message = item.item
        there = message.session == session
        if isinstance(message, Record):
            if not (there and message.first in shown):
                yield _judged(_record_line(message, item, best, session, counted), item, sure)
            continue
        if message.role == "system":
            continue  # an instruction is none any more among data
        said = _said(message, item.spans, counted)
        if said.folded in seen:
            continue  # what was said twice is shown once
        seen.add(said.folded)
        if there and message.seq in shown:
            continue
        origin = origin_of(message)
        line = Line(
            kind="message",
            id=message.id,
            text=said.line,
            cost=said.cost,
            value=min(1.0, max(0.0, item.score / max(1.0, best))),
            parts=tuple(zip(item.names, item.values, strict=True)),
            first=message.seq,
            last=message.seq,
            origin=origin,
            trust=TRUST.get(origin, 0.0),
            cut=bool(item.spans),
            session="" if message.session == session else message.session,
            group=_group(message, "" if there else title(message.session)),
            at=message.time.timestamp(),
        )
        yield _judged(line, item, sure)


def _judged(line: Line, found: FoundItem, sure: bool) -> Line:
    """The line with its probability, if the ranking knows one."""
    likely = found.probability
    if likely is None:
        return line
    return line._replace(value=likely, probability=likely, unlikely=not (sure and pays(likely, line.cost)))


def _record_line(record: Record, one: FoundItem, best: float, session: str, counted: Counted) -> Line:
    """A fact or an episode that was found."""
    body = record.body or {}
    here = record.session == session
    kind = str(body.get("kind", record.kind)).replace("_", " ")
    day = str(body.get("said", "") or body.get("ended", ""))[:10]
    who = one_line(str(body.get("speaker", "user"))) if record.kind == "fact" else "episode"
    text = one_line(f"{kind} ({who}, {day}): {body.get('text', '')}")
    return Line(
        kind=record.kind,
        id=record.key,
        text=text,
        cost=counted(f"- {text}\n"),
        value=min(1.0, max(0.0, one.score / max(1.0, best))),
        parts=tuple(one.parts.items()),
        first=record.first,
        last=record.last,
        origin=str(body.get("origin", "derived")),
        trust=float(body.get("trust", 1.0)),
        session="" if here else record.session,
        at=record.time.timestamp(),
    )


def _worth(one: FoundItem) -> float:
    item = one.item
    tokens = item.tokens if isinstance(item, Message) else 0
    if one.spans:
        tokens = sum(end - start for start, end in one.spans) // 4
    return worth(one.score, tokens)


class _MessageLine(NamedTuple):
    """A message, or passages of it, as a line."""

    folded: str  # equal for two that say the same
    line: str
    cost: int


def _said(message: Message, spans: tuple[tuple[int, int], ...], counted: Counted) -> _MessageLine:
    """The line of a message; the same messages are found again and again, so it is made once."""

    def made() -> _MessageLine:
        text = passages(message.text, spans)
        line = _with_speaker(message, one_line(text))
        return _MessageLine(text.casefold(), line, counted(f"- {line}\n"))

    return counted.remembered((message.text, message.name or message.role, spans), made)


def _with_speaker(message: Message, text: str) -> str:
    who = one_line(message.name or message.role)
    return text if text.startswith(f"{who}:") else one_line(f"{who}: {text}")


def _group(message: Message, title: str) -> str:
    """What stands above messages of one day of one conversation."""
    day = message.time.date().isoformat()
    return f"{day}, {title}:" if title else f"{day}:"
