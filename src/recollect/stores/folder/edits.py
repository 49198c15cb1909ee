"""A sheet that was edited, or came from elsewhere, compared with what the database holds.

It is read as an import reads an export, so every field has the one description that records have. What a record says
(its body) and what is known of the conversation may be edited; messages may not; new lines are taken in, and lines that
were taken out come again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from recollect.errors import InvalidInput
from recollect.journal.arrivals import WRITTEN
from recollect.journal.clean import clean_name
from recollect.journal.drafting import Drafter
from recollect.journal.ids import TimeIds
from recollect.journal.transfer import ExportItem, ExportReader
from recollect.policy.trust import HAND
from recollect.ports import Batch, Store
from recollect.profiles import PROFILES
from recollect.records import EPOCH, Draft, Message, Page, Query, Record, Role, SessionInfo
from recollect.stores.folder.layout import sheet_path

__all__ = ["SheetEdits", "SheetItems", "find_edits", "read_sheet"]

MOST_BYTES = 1 << 40  # of a message: what is kept is not measured again
BATCH = 500
JOURNAL = "Messages are a journal, which is not edited: forget this one, and add what is right."
TAKE_BACK = "Take it back (from version control, say), or delete the sheet: it is written again."
IN_HAND = ("summary", "fact", "episode")  # kinds whose body says what made it


class ByteCounter:
    """Estimates tokens, rather too many, where a sheet does not say how many there are. Without the name of an
    encoding they are counted exactly wherever a prompt is built."""

    encoding = ""
    exact = False
    priming = 3

    def text(self, text: str) -> int:
        return (len(text.encode()) + 2) // 3

    def overhead(self, role: Role, name: str | None = None, tool_calls: Any = ()) -> int:
        return 4 + sum(self.text(str(part)) for part in (name or "", *tool_calls))


@dataclass(slots=True)
class SheetItems:
    """What a sheet holds, each with its line."""

    path: Path
    space: str = ""
    session: SessionInfo = field(default_factory=lambda: SessionInfo(id=""))
    messages: list[tuple[int, Message]] = field(default_factory=list)
    drafts: list[Draft] = field(default_factory=list)  # of the messages
    records: list[tuple[int, Record]] = field(default_factory=list)
    secrets: list[str] = field(default_factory=list)
    time: datetime = EPOCH  # when it was written

    @property
    def name(self) -> str:
        return f"{self.path.parent.name}/{self.path.name}"

    @contextmanager
    def at(self, line: int) -> Iterator[None]:
        """What cannot be taken, with its file and line."""
        try:
            yield
        except InvalidInput as error:
            raise InvalidInput(f"{self.name}, line {line}: {error.what}", TAKE_BACK) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetEdits:
    """What is to be written because of a sheet."""

    path: Path
    batch: Batch
    secrets: list[str]


def read_sheet(path: Path) -> SheetItems:
    """What a sheet holds. Raises InvalidInput, with file and line, if it cannot be understood."""
    found = SheetItems(path, time=datetime.fromtimestamp(path.stat().st_mtime, UTC))
    drafter = Drafter(
        counter=ByteCounter(),
        profile=PROFILES["balanced"],
        max_bytes=MOST_BYTES,
        clock=lambda: found.time,
        ids=TimeIds(lambda: found.time),
    )
    reader = ExportReader(drafter)
    for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
        with found.at(number):
            _take(found, reader.read(_decoded(line)), number)
    with found.at(1):
        found.space, found.secrets = clean_name(reader.space, "space"), reader.secrets
    with found.at(2):
        _must(bool(found.session.id), "No session stands here.")
        place = sheet_path(path.parent.parent, found.space, found.session.id)
        _must(place == path, f"This is the sheet {place.parent.name}/{place.name}, at another place.")
    return found


def _decoded(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        raise InvalidInput("This is not UTF-8.", TAKE_BACK) from None


def _take(found: SheetItems, item: ExportItem | None, number: int) -> None:
    if isinstance(item, Draft):
        found.drafts.append(item)
        found.messages.append((number, item.placed(found.session.id, item.seq or 0)))
    elif isinstance(item, Record):
        found.records.append((number, item))
    elif isinstance(item, SessionInfo):
        _must(not found.session.id, "A sheet holds one session.")
        found.session = item
    elif item is not None:
        raise InvalidInput("A damaged message is not taken in.", TAKE_BACK)


def find_edits(store: Store, path: Path, ahead: Callable[[SessionInfo], bool]) -> SheetEdits:
    """What is to be written because of a sheet; `ahead` says whether the database went on since the sheet was written.
    Raises InvalidInput, with file and line, if something of it cannot be taken in."""
    sheet = read_sheet(path)
    there = store.session(sheet.space, sheet.session.id)
    last = 0 if there is None else there.last_seq
    _refuse_messages(store, sheet, last)
    fresh = [draft for draft in sheet.drafts if (draft.seq or 0) > last]
    until = last + len(fresh)
    later = there is not None and ahead(there)
    records = [record for line, one in sheet.records if (record := _record(store, sheet, line, one, until, later))]
    known = there or SessionInfo(id="")
    info = {name: getattr(sheet.session, name) for name in WRITTEN}
    batch = Batch(
        space=sheet.space,
        session=sheet.session.id,
        drafts=fresh,
        info={name: value for name, value in info.items() if there is None or value != getattr(known, name)},
        records=[*records, *_above(store, sheet, records)],
        time=sheet.session.created or sheet.time,
    )
    return SheetEdits(path=path, batch=batch, secrets=sheet.secrets)


def _refuse_messages(store: Store, sheet: SheetItems, last: int) -> None:
    """Messages are a journal: those that are there are as they were, and others follow."""
    there = {message.seq: (line, message) for line, message in sheet.messages if message.seq <= last}
    page = Page(limit=BATCH, forgotten=True)
    while there and (held := store.messages(sheet.space, sheet.session.id, page)):
        for message in held:
            line, said = there.pop(message.seq, (0, message))
            with sheet.at(line):
                _must(said == message, f"Message {message.seq} is not as it was kept. {JOURNAL}")
        page = replace(page, after=held[-1].seq)
    later = [(line, message.seq) for line, message in sheet.messages if message.seq > last]
    for due, (line, seq) in enumerate(later, last + 1):
        with sheet.at(line):
            _must(seq == due, f"Message {seq} stands where message {due} is due.")


def _must(right: bool, what: str) -> None:
    if not right:
        raise InvalidInput(what, TAKE_BACK)


def _record(store: Store, sheet: SheetItems, line: int, record: Record, until: int, ahead: bool) -> Record | None:
    """What is to be written because of a line; None if it says what is there."""
    with sheet.at(line):
        _must(record.until <= until, f"It comes from message {record.until}, and the conversation has {until}.")
        query = Query(kind=record.kind, key=record.key, limit=1)
        held = next(iter(store.records(sheet.space, sheet.session.id, query)), None)
        if record == held:
            return None
        if held is None or held.body is None or record.body is None:
            return record
        if replace(record, body=held.body) == held:
            return _corrected(record, sheet.time)
        _must(ahead or record.time != held.time, "Of a record its body is edited, nothing else.")
        return None if ahead else record  # one of the two was made again since


def _corrected(record: Record, time: datetime) -> Record:
    """A record whose body a person edited: it is theirs from now on."""
    body = dict(record.body or {})
    if record.kind in IN_HAND:
        body["method"] = HAND
    if record.kind == "episode":
        body["text"] = "\n".join(filter(None, (body.get("title"), body.get("summary"))))
    elif record.kind == "change":
        body["text"] = str(body.get("values", {}).get("text", ""))
    if "tokens" in body:
        body["tokens"] = ByteCounter().text(str(body.get("text", "")))
    return replace(record, body=body, locked=True, recipe=HAND, time=time)


def _above(store: Store, sheet: SheetItems, records: list[Record]) -> list[Record]:
    """Summaries that were made from those that were edited: they are to be made again."""
    edited = [record for record in records if record.kind == "summary" and record.recipe == HAND]
    if not edited:
        return []
    nodes = store.records(sheet.space, sheet.session.id, Query(kind="summary", limit=1 << 30))
    named = {record.key for record in records}
    return [
        replace(node, body=None)
        for node in nodes
        if node.fixed and not node.locked and node.key not in named and any(_covers(node, record) for record in edited)
    ]


def _covers(node: Record, record: Record) -> bool:
    higher = node.plan == record.plan and node.level > record.level
    return higher and node.first <= record.first and node.last >= record.last
