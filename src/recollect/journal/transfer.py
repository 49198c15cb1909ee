"""Out of one store and into another: JSON Lines for people and programs, and the rescue of a damaged store.

A file begins with a line that names the format; then come, session by session, a line with what is known of the
session and a line per message, tombstones included; the last line says how many there are, so that a file that was cut
off is noticed. Reading it again changes nothing where it is there already.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from recollect.errors import InvalidInput
from recollect.journal.clean import clean_choice, clean_count, clean_name, clean_time
from recollect.journal.drafting import Drafter
from recollect.ports import Batch, Placed, Progress, Store
from recollect.records import Draft, ImportReport, Message, Page, SessionInfo, State, digest

__all__ = ["all_sessions", "export_lines", "import_lines", "rescue"]

FORMAT = "recollect-export"
VERSION = 1
BATCH = 500
KNOWN = ("title", "status", "model", "system", "meta")  # of a session, beside its id and when it was made
STATES: tuple[State, ...] = ("kept", "forgotten", "damaged")
HINT = "Give a file that `recollect export` wrote."


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
    count = {"sessions": 0, "messages": 0}
    for info in _chosen(store, space, session):
        yield _line({"session": replace(info, last_seq=0).to_dict()})
        count["sessions"] += 1
        page = Page(limit=BATCH, forgotten=True)
        while messages := store.messages(space, info.id, page):
            yield from (_line({"message": message.to_dict()}) for message in messages)
            count["messages"] += len(messages)
            progress(len(messages))
            page = replace(page, after=messages[-1].seq)
    yield _line({"end": count})


def import_lines(store: Store, drafter: Drafter, space: str, lines: Iterable[str], progress: Progress) -> ImportReport:
    """Bring an export's lines in, some hundred messages a transaction; stopped half-way it can be run again."""
    if not isinstance(lines, Iterable):
        raise InvalidInput(f"An export cannot be read from a {type(lines).__name__}.", "Pass a path or lines of text.")
    arrivals = _Arrivals(store, progress)
    reader = _Reader(drafter, space, arrivals)
    try:
        for number, line in enumerate(lines, 1):
            reader.take(line, number)
    except InvalidInput:
        arrivals.write()  # what stands before a line that cannot be taken is as good as ever
        raise
    arrivals.write()
    reader.finish()
    return arrivals.report


def rescue(found: Iterable[tuple[str, SessionInfo, Message]], target: Store, drafter: Drafter) -> ImportReport:
    """Put everything that was found into a new store under the old numbers; a number that is lost stays a tombstone."""
    arrivals = _Arrivals(target, lambda done: None)
    place: tuple[str, str] | None = None
    for space, info, message in found:
        if place != (space, info.id):
            place = space, info.id
            arrivals.begin(_trusted_name(space), _trusted_names(info))
        if message.seq <= arrivals.last or (message.state == "damaged" and message.seq != arrivals.last + 1):
            continue  # a damaged number proves nothing unless it is the next
        for lost in range(arrivals.last + 1, message.seq):
            arrivals.add(drafter.again(_lost(message.session, lost, drafter)))
        arrivals.add(_rescued(message, drafter))
    arrivals.write()
    return arrivals.report


def _chosen(store: Store, space: str, session: str | None) -> Iterator[SessionInfo]:
    if session is not None:
        info = store.session(space, session)
        if info is not None:
            yield info
        return
    yield from all_sessions(store, space)


def _line(item: dict[str, Any]) -> str:
    """Readable; only where it holds broken Unicode, which no file can hold as text, with escapes."""
    text = json.dumps(item, ensure_ascii=False, separators=(",", ":"))
    try:
        text.encode()
    except UnicodeEncodeError:
        text = json.dumps(item, separators=(",", ":"))
    return text + "\n"


class _Arrivals:
    """Writes what arrives, session after session, some hundred messages a transaction, and counts it."""

    def __init__(self, store: Store, progress: Progress) -> None:
        self.report = ImportReport()
        self.last = 0  # the session's newest number, with what waits to be written
        self._store = store
        self._progress = progress
        self._met: set[tuple[str, str]] = set()
        self._session = SessionInfo(id="")
        self._space = ""
        self._waiting: list[Draft] = []

    def begin(self, space: str, info: SessionInfo) -> None:
        """Go on with this session; what is known of it is written where it is new."""
        self.write()
        there = self._store.session(space, info.id)
        if there is None:
            known = {name: getattr(info, name) for name in (*KNOWN, "created")}
            self._store.commit(Batch(space=space, session=info.id, info=known, time=info.created))
        self._space, self._session, self.last = space, info, 0 if there is None else there.last_seq
        self._met.add((space, info.id))
        self.report = replace(self.report, sessions=len(self._met))

    def add(self, draft: Draft) -> None:
        self._waiting.append(draft)
        self.last = max(self.last, draft.seq or 0)
        if len(self._waiting) >= BATCH:
            self.write()

    def skip(self) -> None:
        """Count a message that is there already."""
        self.report = replace(self.report, present=self.report.present + 1)
        self._progress(1)

    def write(self) -> None:
        """Write what waits."""
        drafts, self._waiting = self._waiting, []
        if drafts:
            batch = Batch(space=self._space, session=self._session.id, drafts=drafts, time=self._session.created)
            self.report = _counted(self.report, drafts, self._store.commit(batch))
            self._progress(len(drafts))


class _Reader:
    """Takes the lines of an export one by one, and knows at the end whether all of them came."""

    def __init__(self, drafter: Drafter, space: str, arrivals: _Arrivals) -> None:
        self._drafter = drafter
        self._space = space
        self._arrivals = arrivals
        self._begun = False
        self._session: object = None  # the session's id, as the file writes it
        self._count = {"sessions": 0, "messages": 0}
        self._end: object = None  # what the last line says

    def take(self, line: str, number: int) -> None:
        """One line; what it holds is cleaned whole before anything of it goes on."""
        try:
            draft = self._read(line)
        except InvalidInput as error:
            raise type(error)(f"Line {number}: {error.what}", error.hint) from None
        if draft is not None:
            self._arrivals.add(draft)

    def finish(self) -> None:
        """Say so if lines are missing; what came is written, and stays."""
        if not self._begun:
            raise InvalidInput("The file is empty.", HINT)
        if self._end != self._count:
            found = f"{self._count['sessions']:,} sessions and {self._count['messages']:,} messages"
            told = "its closing line is missing" if self._end is None else "its closing line counts others"
            raise InvalidInput(
                f"The file is incomplete: it has {found}, and {told}.",
                "What is there was imported. Export again, and import that: what is here already stays as it is.",
            )

    def _read(self, line: str) -> Draft | None:
        if isinstance(line, str) and not line.strip():
            return None
        item = _parsed(line)
        if not self._begun:
            if item.get("format") != FORMAT or item.get("version") != VERSION:
                raise InvalidInput(f"This does not begin a recollect export of version {VERSION}.", HINT)
            self._begun = True
        elif self._end is not None:
            raise InvalidInput("This stands after the end of the export.", "Import one export at a time.")
        elif "session" in item:
            self._begin(item["session"])
        elif "message" in item:
            return self._message(item["message"])
        elif "end" in item:
            self._end = item["end"] or {}
        else:
            raise InvalidInput("This is neither a session nor a message.", HINT)
        return None

    def _begin(self, data: object) -> None:
        values = _values(data, SessionInfo, "session")
        info = SessionInfo(**{"id": None} | values)
        if info.damaged is True and isinstance(info.id, str):
            info = _trusted_names(info)
        known = self._drafter.known({name: getattr(info, name) for name in KNOWN})
        created = clean_time(info.created, "created")
        clean = SessionInfo(id=clean_name(info.id, "session id"), created=created, **known)
        self._arrivals.begin(self._space, clean)
        self._session = values["id"]
        self._count["sessions"] += 1

    def _message(self, data: object) -> Draft | None:
        """The draft of a message, or None where it is damaged and its number is there already."""
        values: dict[str, Any] = dict.fromkeys(("session", "seq", "id", "role"))
        message = Message(**values | _values(data, Message, "message"))  # as it stands there: `again` cleans it
        if self._session is None or message.session != self._session:
            raise InvalidInput("session is not the one that the message stands under.", HINT)
        if clean_choice(message.state, STATES, "state") != "damaged":
            draft = self._drafter.again(message)
        elif clean_count(message.seq, "seq", least=1) > self._arrivals.last:
            draft = self._drafter.again(_salvaged(message, self._drafter))
        else:
            self._arrivals.skip()
            draft = None
        self._count["messages"] += 1
        return draft


def _parsed(line: object) -> dict[str, Any]:
    try:
        item = json.loads(line) if isinstance(line, str) else None
    except (ValueError, RecursionError):
        item = None
    if not isinstance(item, dict):
        raise InvalidInput("This is not a JSON object; the file is incomplete or no export.", HINT)
    return item


def _values(data: object, kind: type[Message | SessionInfo], what: str) -> dict[str, Any]:
    """The fields of a record that a line has, as they stand there."""
    if not isinstance(data, Mapping):
        raise InvalidInput(f"{what} is not an object.", HINT)
    return {part.name: data[part.name] for part in fields(kind) if part.name in data}


# Damage


def _rescued(message: Message, drafter: Drafter) -> Draft:
    """The draft of a message that was found; what cannot be kept as it is counts as damaged."""
    if message.state != "damaged":
        try:
            return drafter.again(message)
        except InvalidInput:
            pass
    return drafter.again(_salvaged(message, drafter))


def _salvaged(message: Message, drafter: Drafter) -> Message:
    """What becomes of a damaged message: its text, marked as damaged, or a tombstone where no text is left.

    It gets an id of ours: its own may be damaged into that of another message.
    """
    if message.text == "":
        return _lost(message.session, message.seq, drafter)
    return Message(
        session=message.session,
        seq=message.seq,
        id=drafter.ids.new("damaged"),
        role=message.role,
        text=message.text,
        time=message.time,
        meta={"damaged": True},
    )


def _lost(session: str, seq: int, drafter: Drafter) -> Message:
    return Message(session=session, seq=seq, id=drafter.ids.new("lost"), role="user", state="forgotten")


def _trusted_names(info: SessionInfo) -> SessionInfo:
    """What is known of a session, its id and title being names whatever damage made of them."""
    title = None if info.title is None else _trusted_name(info.title)
    return replace(info, id=_trusted_name(info.id), title=title)


def _trusted_name(name: str) -> str:
    """A name as it was, or one of ours where damage made it something that cannot be one."""
    try:
        return clean_name(name, "name")
    except InvalidInput:
        return f"rescued-{digest(str(name))[:8]}"


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
