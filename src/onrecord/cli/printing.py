"""How results are printed: JSON, an object a line, for programs; aligned columns with the text below for people.

One table says for each kind of record which columns and lines it has.
"""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest
from typing import Any

from onrecord.cli.options import CommandRequest
from onrecord.cli.output import answer, as_json, note, paint, plural, printable
from onrecord.policy.display import indented
from onrecord.records import Episode, Fact, Message, Relation, Summary

SHOWN = 20  # of a report that lists what was found or done; --json gives all
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


def aligned(columns: str, rows: Sequence[Sequence[object]]) -> list[str]:
    """Return lines with the cells in columns, the headings first. Those after ">" stand at the right; columns without
    anything in them are left out."""
    from rich.cells import cell_len

    shown = []
    for head, *column in zip(columns.split(), *rows, strict=True):
        cells = [one_line(printable(str(cell))) for cell in column]
        if any(cells):
            cells.insert(0, head.strip(">%").replace("_", " "))
            width = max(map(cell_len, cells))
            pads = [" " * (width - cell_len(cell)) for cell in cells]
            shown.append([pad + cell if head[0] == ">" else cell + pad for cell, pad in zip(cells, pads, strict=True)])
    return ["  ".join(row).rstrip() for row in zip(*shown, strict=True)]


def _lines(view: RecordView, records: Sequence[Any], whole: bool, names: Names) -> Iterator[str]:
    if not records:
        return
    style = paint()
    columns = [column.partition("=")[::2] for column in view.columns.split()]
    rows = [
        [_cell(_field(record, field or head.strip(">%")), "%" in head) for head, field in columns] for record in records
    ]
    head, *shown = aligned(" ".join(head for head, _ in columns), rows)
    yield style(head, dim=True)
    for record, row in zip(records, shown, strict=True):
        yield row
        text = str(_field(record, view.text)) if view.text else ""
        yield from _wrapped(text if whole else _shortened(text))
        below = [*view.below(record, names), *(view.details(record, names) if whole else ())]
        yield from (style(INDENT + one_line(printable(line)), dim=True) for line in below)


def _field(record: Any, name: str) -> Any:
    return record.get(name) if isinstance(record, Mapping) else getattr(record, name)


def _cell(value: Any, share: bool) -> str:
    if not value:
        return ""
    if isinstance(value, datetime):
        return moment(value)
    if isinstance(value, (tuple, list)):
        return ", ".join(map(str, value))
    if isinstance(value, float):
        return f"{value:.0%}" if share else f"{value:.2f}"
    return "yes" if value is True else f"{value:,}" if isinstance(value, int) else str(value)


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
            indented(_message_text(message), " " * 7),
        )
    )


def _message_text(message: Message) -> str:
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


def _no_lines(record: Any, names: Names) -> Iterable[str]:
    return ()


@dataclass(frozen=True, slots=True)
class RecordView:
    """How one kind of record is shown to people."""

    columns: str  # heading, or heading=field; ">" before those that stand at the right, "%" before a share
    text: str = ""  # the field below the columns
    below: Callable[[Any, Names], Iterable[str]] = _no_lines  # lines below the text
    details: Callable[[Any, Names], Iterable[str]] = _no_lines  # more lines, where it is shown whole


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
    if relation.derived:
        yield "follows from the facts"


def _more_of_summary(summary: Summary, names: Names) -> Iterator[str]:
    locked = "locked" if summary.locked else "not locked"
    yield f"plan {summary.plan}, version {summary.version}, trust {summary.trust:g}, {locked}"
    if summary.topics:
        yield f"Topics: {', '.join(summary.topics)}"


VIEWS: Mapping[str, RecordView] = {
    "session": RecordView("session=id title status >messages=last_seq created_(UTC)=created space damaged"),
    "hit": RecordView(">%likely time who where id", "text"),
    "pin": RecordView("type >importance >tokens from=session >message=source id", "text"),
    "summary": RecordView(">first >last >level >tokens by=method refused locked id", "text", details=_more_of_summary),
    "fact": RecordView("said kind status who=speaker", "text", _of_fact, _more_of_fact),
    "episode": RecordView("began kind >weight=significance", "title", _of_episode),
    "relation": RecordView("type since >strength id", below=_of_relation),
    "step": RecordView("action >tokens id into", "text", lambda step, names: [step.why]),
    "spending": RecordView("day model >calls >in >out"),
    "finding": RecordView("kind space session >message=seq", "what"),
    "key": RecordView("key=prefix scopes tenant space for=name made=created revoked expires"),
    "job": RecordView(">id task space session state >tries when=time error=kind trouble=what"),
}
