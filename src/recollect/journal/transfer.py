"""Out of one store and into another: JSON Lines for people and programs, and the rescue of a damaged store.

A file begins with a line that names the format; then come, session by session, a line with what is known of the
session and a line per message, tombstones included. Reading it again changes nothing where it is there already.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import groupby
from typing import Any

from recollect.errors import InvalidInput, RecollectError
from recollect.journal.clean import clean_choice, clean_name, clean_object, clean_text, clean_time
from recollect.journal.drafting import Drafter
from recollect.ports import Batch, Placed, Progress, Store
from recollect.records import STATUSES, Draft, ImportReport, Message, Page, SessionInfo, digest

__all__ = ["all_sessions", "export_lines", "import_lines", "rescue"]

FORMAT = "recollect-export"
VERSION = 1
BATCH = 500
INFO_FIELDS = ("title", "status", "model", "system", "meta", "created")


def all_sessions(store: Store, space: str) -> Iterator[SessionInfo]:
    """The sessions of a space, by id, a page at a time."""
    after, page = "", store.sessions(space, limit=BATCH)
    while True:
        yield from page
        if len(page) < BATCH:
            return
        after = page[-1].id
        page = store.sessions(space, after, BATCH)


def export_lines(store: Store, space: str, session: str | None, progress: Progress) -> Iterator[str]:
    """The lines of an export of a space, or of one session of it; messages are read a page at a time."""
    yield _line({"format": FORMAT, "version": VERSION, "space": space})
    for info in _chosen(store, space, session):
        yield _line({"session": replace(info, last_seq=0).to_dict()})
        page = Page(limit=BATCH, forgotten=True)
        while messages := store.messages(space, info.id, page):
            yield from (_line({"message": message.to_dict()}) for message in messages)
            progress(len(messages))
            page = replace(page, after=messages[-1].seq)


def import_lines(store: Store, drafter: Drafter, space: str, lines: Iterable[str], progress: Progress) -> ImportReport:
    """Bring an export's lines in, some hundred messages a transaction; stopped half-way it can be run again."""
    report = ImportReport()
    for info, messages in _sessions_in(lines):
        report = replace(report, sessions=report.sessions + 1)
        known = {name: getattr(info, name) for name in INFO_FIELDS}
        if store.session(space, info.id) is None:
            store.commit(Batch(space=space, session=info.id, info=known, time=info.created))
        for batch in _batches(messages):
            drafts = [drafter.again(message) for message in batch]
            placed = store.commit(Batch(space=space, session=info.id, drafts=drafts, time=info.created))
            report = _counted(report, drafts, placed)
            progress(len(batch))
    return report


def rescue(found: Iterable[tuple[str, SessionInfo, Message]], target: Store, drafter: Drafter) -> ImportReport:
    """Put everything that was found into a new store under the old numbers; a number that is lost stays a tombstone."""
    report = ImportReport()
    last: dict[tuple[str, str], int] = {}
    named = (
        (_rescued_name(space), replace(info, id=_rescued_name(info.id)), message) for space, info, message in found
    )
    for (space, session), group in groupby(named, key=lambda item: (item[0], item[1].id)):
        drafts: list[Draft] = []
        for _, info, message in group:
            if (space, session) not in last:
                last[space, session] = 0
                known = {name: getattr(info, name) for name in INFO_FIELDS}
                target.commit(Batch(space=space, session=session, info=known, time=info.created))
                report = replace(report, sessions=report.sessions + 1)
            drafts += _rescued(message, last[space, session], drafter)
            last[space, session] = max(message.seq, last[space, session])
            if len(drafts) >= BATCH:
                report = _placed(target, space, session, drafts, report)
                drafts = []
        report = _placed(target, space, session, drafts, report)
    return report


def _rescued_name(name: str) -> str:
    """A name as it was, or one of ours where damage made it something that cannot be one."""
    try:
        return clean_name(name, "name")
    except InvalidInput:
        return f"rescued-{digest(name)[:8]}"


def _placed(target: Store, space: str, session: str, drafts: list[Draft], report: ImportReport) -> ImportReport:
    if not drafts:
        return report
    placed = target.commit(Batch(space=space, session=session, drafts=drafts, time=drafts[0].time))
    return _counted(report, drafts, placed)


def _rescued(message: Message, last: int, drafter: Drafter) -> Iterator[Draft]:
    """The draft of a rescued message, after tombstones for the numbers lost before it. A damaged one says so itself."""
    if message.seq <= last or (message.state == "damaged" and message.seq != last + 1):
        return  # a damaged number proves nothing unless it is the next
    for lost in range(last + 1, message.seq):
        gone = Message(session=message.session, seq=lost, id=drafter.ids.new("lost"), role="user", state="forgotten")
        yield drafter.again(gone)
    if message.state == "damaged":
        new = drafter.ids.new("damaged")  # the old one may be damaged into that of another message
        message = replace(message, id=new, name=None, state="kept", meta={"damaged": True})
    yield drafter.again(message)


def _chosen(store: Store, space: str, session: str | None) -> Iterator[SessionInfo]:
    if session is not None:
        info = store.session(space, session)
        if info is not None:
            yield info
        return
    yield from all_sessions(store, space)


def _line(item: dict[str, Any]) -> str:
    return json.dumps(item, ensure_ascii=False, separators=(",", ":")) + "\n"


def _sessions_in(lines: Iterable[str]) -> Iterator[tuple[SessionInfo, Iterator[Message]]]:
    """Each session with its messages, read as they come."""
    items = _items(lines)
    info: SessionInfo | None = None
    for is_session, group in groupby(items, key=lambda item: isinstance(item, SessionInfo)):
        if is_session:
            for item in group:
                if info is not None:
                    yield info, iter(())
                assert isinstance(item, SessionInfo)
                info = item
        else:
            if info is None:
                raise InvalidInput("The file has a message before any session.", "Give a file that export wrote.")
            yield info, (item for item in group if isinstance(item, Message))
            info = None
    if info is not None:
        yield info, iter(())


def _items(lines: Iterable[str]) -> Iterator[SessionInfo | Message]:
    begun = False
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        item = _parsed(line, number)
        if not begun:
            if item.get("format") != FORMAT or item.get("version") != VERSION:
                raise InvalidInput(
                    f"Line {number} does not begin a recollect export of version {VERSION}.",
                    "Give a file that `recollect export` wrote.",
                )
            begun = True
        elif "session" in item:
            yield _record(number, lambda item=item: _info(item["session"]))
        elif "message" in item:
            yield _record(number, lambda item=item: Message.from_dict(item["message"]))
        else:
            raise InvalidInput(f"Line {number} is neither a session nor a message.", "Give a file that export wrote.")


def _parsed(line: str, number: int) -> dict[str, Any]:
    try:
        item = json.loads(line)
    except (ValueError, RecursionError):
        item = None
    if not isinstance(item, dict):
        raise InvalidInput(f"Line {number} is not a JSON object.", "Give a file that `recollect export` wrote.")
    return item


def _record(number: int, make: Any) -> Any:
    try:
        return make()
    except RecollectError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise InvalidInput(
            f"Line {number} lacks or breaks a field: {error}.", "Give a file that export wrote."
        ) from None


def _info(data: dict[str, Any]) -> SessionInfo:
    info = SessionInfo.from_dict(data)
    return replace(
        info,
        id=clean_name(info.id, "session id"),
        title=None if info.title is None else clean_name(info.title, "title"),
        status=clean_choice(info.status, STATUSES, "status"),
        model=None if info.model is None else clean_name(info.model, "model"),
        system=None if info.system is None else clean_text(info.system, "system")[0],
        meta=clean_object(info.meta),
        created=clean_time(info.created, "created"),
    )


def _batches(messages: Iterator[Message]) -> Iterator[list[Message]]:
    batch: list[Message] = []
    for message in messages:
        batch.append(message)
        if len(batch) == BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _counted(report: ImportReport, drafts: list[Draft], placed: list[Placed]) -> ImportReport:
    added = present = forgotten = 0
    for draft, place in zip(drafts, placed, strict=True):
        if place.earlier is None:
            added += 1
        elif place.earlier.state == "forgotten" and draft.state != "forgotten":
            forgotten += 1
        else:
            present += 1
    return replace(
        report,
        added=report.added + added,
        present=report.present + present,
        forgotten=report.forgotten + forgotten,
    )
