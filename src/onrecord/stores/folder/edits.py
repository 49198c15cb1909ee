"""A sheet that was edited, or came from elsewhere, compared with what the database holds.

It is read as an import reads an export, so every field has the one description that records have. What a record says
(its body) and what is known of the conversation may be edited; messages may not; new lines are taken in, and lines that
were taken out come again.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from onrecord.errors import InvalidInput
from onrecord.journal.clean import clean_name
from onrecord.journal.drafting import Drafter, TimeIds
from onrecord.journal.merging import WRITTEN
from onrecord.journal.transfer import ExportItem, ExportReader
from onrecord.policy.trust import HAND
from onrecord.ports import Batch, Progress, Store
from onrecord.profiles import PROFILES
from onrecord.records import EPOCH, Draft, Message, Page, Query, Record, Role, SessionInfo
from onrecord.stores.folder.layout import DATABASE, find_sheets, sheet_path
from onrecord.stores.folder.sheets import SheetMark
from onrecord.stores.sqlite.sqlite_care import readable as readable_file

__all__ = ["find_edits", "readable"]

BATCH = 500
MOST = 1 << 40  # bytes of a message, and summaries of a session: what is kept is not measured again
JOURNAL = "Messages are a journal, which is not edited: forget this one, and add what is right."
TAKE_BACK = "Take it back (from version control, say), or delete the sheet: it is written again."
IN_HAND = ("summary", "fact", "episode")  # kinds whose body says what made it


class ByteCounter:
    """Estimates tokens where a sheet has none; without an encoding's name they are counted again for each prompt."""

    encoding, exact, priming = "", False, 3

    def text(self, text: str) -> int:
        return (len(text.encode()) + 2) // 3

    def overhead(self, role: Role, name: str | None = None, tool_calls: Any = ()) -> int:
        return 4 + self.text(f"{name or ''}{tool_calls or ''}")


@dataclass(slots=True)
class SheetItems:
    """What a sheet holds; messages and records with their lines."""

    path: Path
    time: datetime = EPOCH  # when it was written
    space: str = ""
    session: SessionInfo = field(default_factory=lambda: SessionInfo(id=""))
    drafts: list[tuple[int, Draft]] = field(default_factory=list)
    records: list[tuple[int, Record]] = field(default_factory=list)
    secrets: list[str] = field(default_factory=list)

    @contextmanager
    def at(self, line: int) -> Iterator[None]:
        """What cannot be taken, with its file and line."""
        try:
            yield
        except InvalidInput as error:
            place = f"{self.path.parent.name}/{self.path.name}, line {line}"
            raise InvalidInput(f"{place}: {error.what}", TAKE_BACK) from None

    def take(self, item: ExportItem | None, line: int) -> None:
        if isinstance(item, SessionInfo):
            _must(not self.session.id, "A sheet holds one session.")
            self.session = item
        elif isinstance(item, Draft):
            self.drafts.append((line, item))
        elif isinstance(item, Record):
            _must(item.kind != "key", "Keys of a service are not taken in.")
            self.records.append((line, item))
        else:
            _must(item is None, "A damaged message is not taken in.")


def read_sheet(path: Path, data: bytes) -> SheetItems:
    """What a sheet holds. Raises InvalidInput, with file and line, if it cannot be understood."""
    sheet = SheetItems(path, datetime.fromtimestamp(path.stat().st_mtime, UTC))
    given: dict[str, Any] = {"clock": lambda: sheet.time, "ids": TimeIds(lambda: sheet.time), "max_bytes": MOST}
    reader = ExportReader(Drafter(counter=ByteCounter(), profile=PROFILES["balanced"], **given))
    for line, content in enumerate(data.split(b"\n"), 1):
        with sheet.at(line):
            text = content.decode(errors="replace")
            _must(text.encode() == content, "This is not UTF-8.")
            sheet.take(reader.read(text), line)
    with sheet.at(1):
        sheet.space, sheet.secrets = clean_name(reader.space, "space"), reader.secrets
    with sheet.at(2):
        _must(bool(sheet.session.id), "No session stands here.")
        place = sheet_path(path.parent.parent, sheet.space, sheet.session.id)
        _must(place == path, f"This is the sheet {place.parent.name}/{place.name}, at another place.")
    return sheet


def _must(right: bool, what: str) -> None:
    if not right:
        raise InvalidInput(what, TAKE_BACK)


def find_edits(store: Store, path: Path, data: bytes, mark: SheetMark) -> tuple[Batch, list[str]]:
    """What is to be written because of a sheet, and the secrets of its tombstones. Raises InvalidInput, with file and
    line, if something of it cannot be taken in."""
    sheet = read_sheet(path, data)
    there = store.session(sheet.space, sheet.session.id)
    last = 0 if there is None else there.last_seq
    later = there is not None and mark.behind(there)
    _refuse_messages(store, sheet, last, later)
    fresh = [draft for _, draft in sheet.drafts if (draft.seq or 0) > last]
    known = {name: getattr(sheet.session, name) for name in WRITTEN}
    found = (_record(store, sheet, line, record, last + len(fresh), later) for line, record in sheet.records)
    records = [record for record in found if record is not None]
    batch = Batch(
        space=sheet.space,
        session=sheet.session.id,
        drafts=fresh,
        info={name: value for name, value in known.items() if there is None or value != getattr(there, name)},
        records=[*_above(store, sheet, records), *records],
        time=sheet.session.created or sheet.time,
    )
    return batch, sheet.secrets


def _refuse_messages(store: Store, sheet: SheetItems, last: int, ahead: bool) -> None:
    """Messages are a journal: those that are there are as they were, and others follow. They may have been scored again
    since the sheet was written."""
    there = {draft.seq: (line, draft.placed(sheet.session.id, draft.seq or 0)) for line, draft in sheet.drafts}
    page = Page(limit=BATCH, forgotten=True)
    while there and (held := store.messages(sheet.space, sheet.session.id, page)):
        for message in held:
            line, said = there.pop(message.seq, (0, message))
            scored = replace(said, importance=message.importance) if ahead else said
            with sheet.at(line):
                _must(scored == message, f"Message {message.seq} is not as it was kept. {JOURNAL}")
        page = replace(page, after=held[-1].seq)
    for due, (line, message) in enumerate(there.values(), last + 1):
        with sheet.at(line):
            _must(message.seq == due, f"Message {message.seq} stands where message {due} is due.")


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


def _above(store: Store, sheet: SheetItems, records: list[Record]) -> Iterator[Record]:
    """Summaries that were made from those that were edited: they are to be made again."""
    edited = [record for record in records if record.kind == "summary" and record.recipe == HAND]
    nodes = store.records(sheet.space, sheet.session.id, Query(kind="summary", limit=MOST)) if edited else ()
    for node in (node for node in nodes if node.fixed and not node.locked):
        under = [one for one in edited if one.plan == node.plan and one.level < node.level]
        if any(node.first <= one.first and one.last <= node.last for one in under):
            yield replace(node, body=None)


def readable(root: Path, progress: Progress) -> Iterator[tuple[str, SessionInfo, Message | Record]]:
    """Everything that a damaged folder still holds, session by session: messages in order, then derived records. What
    was forgotten in the database stays so."""
    sheets = set(find_sheets(root))
    database = root / DATABASE
    carved = readable_file(database, progress) if database.exists() else iter(())
    for (space, _), items in groupby(carved, key=lambda found: (found[0], found[1].id)):
        found = list(items)
        info = found[0][1]
        path = sheet_path(root, space, info.id)
        sheets.discard(path)
        yield from ((space, info, item) for item in _merged([item for _, _, item in found], _sheet(path)))
    for sheet in map(_sheet, sorted(sheets)):
        yield from ((sheet.space, sheet.session, item) for item in _merged([], sheet))


def _sheet(path: Path) -> SheetItems:
    with suppress(InvalidInput, OSError):
        return read_sheet(path, path.read_bytes())
    return SheetItems(path)


def _merged(items: list[Message | Record], sheet: SheetItems) -> Iterator[Message | Record]:
    """The messages, those of the sheet in place of damaged and lost ones; then the records."""
    messages = {item.seq: item for item in items if isinstance(item, Message) and item.state == "damaged"}
    messages |= {seq: draft.placed(sheet.session.id, seq) for _, draft in sheet.drafts if (seq := draft.seq or 0)}
    messages |= {item.seq: item for item in items if isinstance(item, Message) and item.state != "damaged"}
    yield from (messages[seq] for seq in sorted(messages))
    yield from (item for item in items if isinstance(item, Record))
    yield from (record for _, record in sheet.records)
