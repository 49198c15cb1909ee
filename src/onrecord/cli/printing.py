"""How results are printed: JSON, an object a line, for programs; aligned columns with the text below for people.

One table says for each kind of record which columns and lines it has.
"""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from onrecord.cli.options import CommandRequest
from onrecord.cli.output import answer, as_json, note, paint, plural, printable
from onrecord.policy.display import indented
from onrecord.records import Episode, Fact, Hit, Message, Pin, Relation, Summary

if TYPE_CHECKING:
    from onrecord.service.keys import Key

__all__ = ["VIEWS", "aligned", "day", "message_line", "message_text", "moment", "one_line", "reply", "show"]

INDENT = "    "
LONGEST = 400  # characters of a text in a list; --json gives all of it
LEAST = 40  # characters of a line of text, however narrow the screen is
COLOURS = {"system": "magenta", "user": "green", "assistant": "blue", "tool": "yellow"}

Names = Mapping[str, str]  # how facts and episodes read, by id


def reply(request: CommandRequest, value: Any, *lines: str) -> None:
    """Print what a command did: the value as JSON, or the lines for people."""
    if request.json:
        answer(as_json(_plain(value)))
        return
    for line in lines:
        answer(printable(line))


def show(
    request: CommandRequest,
    kind: str,
    records: Iterable[Any],
    *,
    empty: str = "",
    whole: bool = False,
    names: Names | None = None,
    limit: int | None = None,
) -> None:
    """Print records of a kind; `empty` is said where there are none. `whole`: with all that is known of each; `names`:
    how facts and episodes read that others refer to; `limit`: how many people see."""
    if request.json:
        for record in records:
            answer(as_json(_plain(record)))
        return
    listed = list(records)
    if not listed and empty:
        note(empty)
    for line in _lines(VIEWS[kind], listed[:limit], whole, names or {}):
        answer(line)
    if limit is not None and len(listed) > limit:
        answer(f"and {len(listed) - limit:,} more; --json lists them all")


def _plain(value: Any) -> Any:
    return value.to_dict() if hasattr(value, "to_dict") else value


def aligned(heads: str, rows: Sequence[Sequence[object]]) -> list[str]:
    """Return lines with the cells in columns, the headings first; those after ">" stand at the right. Columns without
    anything in them are left out."""
    from rich.cells import cell_len, set_cell_size

    columns = []
    for head, *column in zip(heads.split(", "), *rows, strict=True):
        cells = [one_line(printable(str(cell))) for cell in column]
        if any(cells):
            cells.insert(0, head.lstrip(">"))
            width = max(map(cell_len, cells))
            right = head.startswith(">")
            columns.append(
                [" " * (width - cell_len(cell)) + cell if right else set_cell_size(cell, width) for cell in cells]
            )
    return ["  ".join(row).rstrip() for row in zip(*columns, strict=True)]


def _lines(view: RecordView, records: Sequence[Any], whole: bool, names: Names) -> Iterator[str]:
    if not records:
        return
    style = paint()
    head, *rows = aligned(view.heads, [view.cells(record) for record in records])
    yield style(head, dim=True)
    for record, row in zip(records, rows, strict=True):
        yield row
        yield from _wrapped(view.text(record) if whole else _shortened(view.text(record)))
        below = [*view.below(record, names), *(view.details(record, names) if whole else ())]
        yield from (style(INDENT + one_line(printable(line)), dim=True) for line in below)


def _wrapped(text: str) -> Iterator[str]:
    """A text below its record, in lines that fit the terminal."""
    for line in indented(printable(text), "").splitlines() if text else ():
        lines = textwrap.wrap(line, max(LEAST, _width() - len(INDENT))) if sys.stdout.isatty() else [line]
        yield from (INDENT + part for part in lines)


def _width() -> int:
    return shutil.get_terminal_size().columns


def _shortened(text: str) -> str:
    """One paragraph, cut between two words."""
    line = one_line(text)
    return line if len(line) <= LONGEST else line[:LONGEST].rsplit(" ", 1)[0] + " …"


def message_line(message: Message, style: Callable[..., str]) -> str:
    """A message of a history. Further lines stand under its time, so that no message can look like two."""
    who = printable(message.role if message.name is None else f"{message.role}/{message.name}")
    return "  ".join(
        (
            style(f"{message.seq:>5}", dim=True),
            moment(message.time),
            style(f"{who:<14}", fg=COLOURS.get(message.role)),
            style(f"{message.tokens:>5}", dim=True),
            indented(message_text(message), " " * 7),
        )
    )


def message_text(message: Message) -> str:
    """What people see of a message: its text, the tools it calls, or what became of it."""
    if message.state == "forgotten":
        return "(forgotten)"
    calls = (f"→ {call.name}({call.arguments})" for call in message.tool_calls)
    parts = ("(damaged)" if message.state == "damaged" else "", message.text, *calls)
    return printable(" ".join(part for part in parts if part))


def one_line(text: str) -> str:
    return " ".join(text.split())


def day(time: datetime) -> str:
    return f"{time:%Y-%m-%d}"


def moment(time: datetime | None) -> str:
    return "" if time is None else f"{time:%Y-%m-%d %H:%M}"


# What people see of each kind of record


def _no_text(record: Any) -> str:
    return ""


def _nothing(record: Any, names: Names) -> Iterable[str]:
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordView:
    """How one kind of record is shown to people."""

    heads: str  # of the columns; ">" before one whose cells stand at the right
    cells: Callable[[Any], Sequence[object]]
    text: Callable[[Any], str] = _no_text  # below the columns
    below: Callable[[Any, Names], Iterable[str]] = _nothing  # lines below the text
    details: Callable[[Any, Names], Iterable[str]] = _nothing  # more lines, where it is shown whole


def _of_fact(fact: Fact, names: Names) -> Iterator[str]:
    said = f", message {', '.join(map(str, fact.sources))}" if fact.sources else ""
    until = "" if fact.valid_until is None else f", until {day(fact.valid_until)}"
    about = f"{fact.subject} {fact.attribute}: {fact.value}; " if fact.attribute else ""
    yield f"{fact.id}: {about}{fact.session}{said}{until}"


def _more_of_fact(fact: Fact, names: Names) -> Iterator[str]:
    ends = "" if fact.valid_until is None else f" to {moment(fact.valid_until)}"
    yield f"Holds: from {moment(fact.valid_from)}{ends}"
    sure = f"confidence {fact.confidence:.2f}, importance {fact.importance:.2f}, trust {fact.trust:g}, by {fact.method}"
    yield f"Weight: {sure}, taken {plural(fact.access_count, 'time')}, decay {fact.decay:.2f}"
    if fact.category or fact.tags:
        yield f"Labels: {', '.join(filter(None, (fact.category, *fact.tags)))}"
    for event, after in zip_longest(fact.history, fact.history[1:]):
        if after and event["status"] == "pending" and event["time"] == after["time"]:
            continue  # it was sure from the beginning
        by = f" (by {event['by']})" if event.get("by") else ""
        why = f": {event['why']}" if event.get("why") and event["why"] != event["status"] else ""
        yield f"{moment(datetime.fromisoformat(event['time']))}: {event['status']}{by}{why}"
    for relation, others in (("supersedes", fact.supersedes), ("contradicts", fact.contradicts)):
        yield from (f"{relation} {id}: {names.get(id, 'not listed any more')}" for id in others)
    if fact.confirmed:
        yield f"said {plural(len(fact.confirmed), 'more time')}"


def _of_episode(episode: Episode, names: Names) -> Iterator[str]:
    where = f", messages {episode.first}-{episode.last}" if episode.first else ""
    yield f"{episode.id}: {episode.session}{where}{'' if episode.status == 'active' else f', {episode.status}'}"
    if episode.summary:
        yield episode.summary
    if episode.outcome:
        yield f"Outcome: {episode.outcome}"
    for event in episode.history:
        yield f"{event['time'][:10]}: {event['status']}{': ' if event['why'] else ''}{event['why']}"


def _of_relation(relation: Relation, names: Names) -> Iterator[str]:
    yield from (f"{id}: {names.get(id, '')}" for id in (relation.source, relation.target))


def _pin_cells(pin: Pin) -> Sequence[object]:
    source = pin.session if pin.source is None else f"{pin.session}, message {pin.source}"
    return pin.type, f"{pin.importance:.2f}", pin.tokens, source, pin.id


def _summary_cells(summary: Summary) -> Sequence[object]:
    refused = f" (refused: {', '.join(summary.refused)})" if summary.refused else ""
    made = f"{summary.method}{refused}{', locked' if summary.locked else ''}"
    return f"{summary.first}-{summary.last}", summary.level, summary.tokens, made, summary.id


def _more_of_summary(summary: Summary, names: Names) -> Iterator[str]:
    locked = "locked" if summary.locked else "not locked"
    yield f"plan {summary.plan}, version {summary.version}, trust {summary.trust:g}, {locked}"
    if summary.topics:
        yield f"Topics: {', '.join(summary.topics)}"


def _hit_cells(hit: Hit) -> Sequence[object]:
    messages = f" {hit.first}-{hit.seq}" if hit.first not in (0, hit.seq) else f" {hit.seq}" if hit.seq else ""
    likely = "" if hit.probability is None else f"{hit.probability:.0%}"
    who = hit.kind if hit.kind != "message" else hit.name or hit.role
    return likely, moment(hit.time), who, f"{hit.session}{messages}", hit.id if hit.kind in ("fact", "episode") else ""


def _hit_text(hit: Hit) -> str:
    """The title of an episode stands before its summary."""
    return hit.text.replace("\n", ": ", 1) if hit.kind == "episode" else hit.text


def _key_state(key: Key) -> str:
    if key.revoked is not None:
        return f"revoked {moment(key.revoked)}"
    if key.expires is None:
        return "good"
    return f"{'good until' if key.holds(datetime.now(UTC)) else 'expired'} {moment(key.expires)}"


VIEWS: Mapping[str, RecordView] = {
    "session": RecordView(
        heads="session, title, status, >messages, created (UTC), space",
        cells=lambda row: (
            row["id"],
            row.get("title", ""),
            "damaged" if row.get("damaged") else row.get("status", "active"),
            f"{row.get('last_seq', 0):,}",
            row["created"][:16].replace("T", " "),
            row["space"],
        ),
    ),
    "hit": RecordView(heads=">likely, time, who, where, id", cells=_hit_cells, text=_hit_text),
    "pin": RecordView(heads="type, >importance, >tokens, from, id", cells=_pin_cells, text=lambda pin: pin.text),
    "summary": RecordView(
        heads="messages, >level, >tokens, made by, id",
        cells=_summary_cells,
        text=lambda summary: summary.text or "(nothing to say)",
        details=_more_of_summary,
    ),
    "fact": RecordView(
        heads="said, kind, status, who",
        cells=lambda fact: (day(fact.said), fact.kind, fact.status, fact.speaker),
        text=lambda fact: fact.text,
        below=_of_fact,
        details=_more_of_fact,
    ),
    "episode": RecordView(
        heads="began, kind, >weight",
        cells=lambda episode: (day(episode.began), episode.kind, f"{episode.significance:.2f}"),
        text=lambda episode: episode.title,
        below=_of_episode,
    ),
    "relation": RecordView(
        heads="type, since, >strength, id",
        cells=lambda relation: (
            relation.type,
            moment(relation.since),
            f"{relation.strength:.2f}",
            relation.id or "follows from the facts",
        ),
        below=_of_relation,
    ),
    "step": RecordView(
        heads="action, >tokens, id, into",
        cells=lambda step: (step.action, step.tokens, step.id, step.into),
        text=lambda step: step.text,
        below=lambda step, names: [step.why],
    ),
    "spending": RecordView(
        heads="day, model, >calls, >tokens in, >tokens out",
        cells=lambda row: (row["day"], row["model"], *(f"{row.get(name, 0):,}" for name in ("calls", "in", "out"))),
    ),
    "finding": RecordView(
        heads="finding, space, session, >message",
        cells=lambda finding: (finding.kind, finding.space or "", finding.session or "", finding.seq or ""),
        text=lambda finding: finding.what,
    ),
    "key": RecordView(
        heads="key, scopes, tenant, space, for, made, state",
        cells=lambda key: (
            key.prefix,
            ", ".join(key.scopes),
            key.tenant or "",
            key.space or "",
            key.name,
            moment(key.created),
            _key_state(key),
        ),
    ),
    "job": RecordView(
        heads=">id, task, space, session, state, >tries, when, trouble",
        cells=lambda job: (
            job.id,
            job.task,
            job.space or "",
            job.session or "",
            job.state,
            job.tries,
            moment(job.time),
            f"{job.kind}: {job.what}" if job.what else job.kind or "",
        ),
    ),
}
