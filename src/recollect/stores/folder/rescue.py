"""What a damaged folder still holds: what the bytes of its database say, and where they are silent, its sheets."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from recollect.errors import InvalidInput
from recollect.ports import Progress
from recollect.records import Message, Record, SessionInfo
from recollect.stores.folder.edits import SheetItems, read_sheet
from recollect.stores.folder.layout import DATABASE, find_sheets, sheet_path
from recollect.stores.sqlite.care import readable as readable_file

__all__ = ["readable"]

Found = tuple[str, SessionInfo, Message | Record]


def readable(root: Path, progress: Progress) -> Iterator[Found]:
    """Everything that is left, session by session: messages in order, then derived records. What was forgotten in the
    database stays so."""
    left = {path: _sheet(path) for path in find_sheets(root)}
    database = root / DATABASE
    carved = readable_file(database, progress) if database.exists() else iter(())
    for (space, _), items in groupby(carved, key=lambda found: (found[0], found[1].id)):
        found = list(items)
        info = found[0][1]
        sheet = left.pop(sheet_path(root, space, info.id), None) or SheetItems(root)
        yield from ((space, info, item) for item in _merged([item for _, _, item in found], sheet))
    for sheet in filter(None, left.values()):
        yield from ((sheet.space, sheet.session, item) for item in _merged([], sheet))


def _sheet(path: Path) -> SheetItems | None:
    try:
        return read_sheet(path)
    except InvalidInput:
        return None


def _merged(items: list[Message | Record], sheet: SheetItems) -> Iterator[Message | Record]:
    """The messages, those of the sheet in place of damaged and lost ones; then the records."""
    messages = {item.seq: item for item in items if isinstance(item, Message) and item.state == "damaged"}
    messages |= {message.seq: message for _, message in sheet.messages}
    messages |= {item.seq: item for item in items if isinstance(item, Message) and item.state != "damaged"}
    yield from (messages[seq] for seq in sorted(messages))
    yield from (item for item in items if isinstance(item, Record))
    yield from (record for _, record in sheet.records)
