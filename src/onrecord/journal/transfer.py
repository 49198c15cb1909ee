"""Exports, imports and the rescue of a damaged store: JSON Lines for people and programs.

A file begins with a line that names the format; then come, session by session, a line with what is known of the
session, a line per message, tombstones included, and a line per derived record; the last line says how many there are,
so that a file that was cut off is noticed. Reading it again changes nothing where it is there already.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import fields, replace
from functools import partial
from io import TextIOBase
from typing import Any

from onrecord import former
from onrecord.errors import InvalidInput, TooLarge
from onrecord.journal.clean import clean_choice, clean_count, clean_digest, clean_name, clean_object, clean_time
from onrecord.journal.contents import all_messages, all_records, all_sessions, keep_secrets
from onrecord.journal.drafting import Drafter
from onrecord.journal.merging import Arrivals
from onrecord.policy.plans import is_claim
from onrecord.policy.secrets import masked
from onrecord.ports import Progress, Store, secrets_of
from onrecord.records import (
    EPOCH,
    KINDS,
    Draft,
    ImportReport,
    Message,
    Record,
    SessionInfo,
    State,
    digest,
    fault_of,
)

__all__ = [
    "FORMATS",
    "ExportItem",
    "ExportReader",
    "export_lines",
    "import_lines",
    "rescue",
]

FORMAT = "onrecord-export"
FORMATS = (FORMAT, former.EXPORT)
VERSION = 1
LONGEST_LINE = 67_108_864  # characters that a line may have in any case
MOST_SECRETS = 16  # of a space; each is one more look-up for every new message
KNOWN = ("title", "status", "model", "system", "meta")  # of a session, beside its id and when it was made and ended
STATES: tuple[State, ...] = ("kept", "forgotten", "damaged")
ExportItem = SessionInfo | Draft | Message | Record
HINT = "Give a file that `onrecord export` wrote."


def export_lines(
    store: Store, space: str, session: str | None, progress: Progress, mask_secrets: bool = False
) -> Iterator[str]:
    """Yield the lines of an export of a space, or of one session of it; messages are read a page at a time."""
    shown = _masked if mask_secrets else dict
    secrets = {} if mask_secrets else {"tombstones": list(secrets_of(store, space))}
    yield _line({"format": FORMAT, "version": VERSION, "space": space} | (secrets if secrets.get("tombstones") else {}))
    count = {"sessions": 0, "messages": 0}
    for info in _chosen(store, space, session):
        yield _line(shown({"session": replace(info, last_seq=0, changes=0).to_dict()}))
        count["sessions"] += 1
        for message in all_messages(store, space, info.id):
            yield _line(shown({"message": message.to_dict()}))
            count["messages"] += 1
            progress(1)
        for record in all_records(store, space, info.id):
            yield _line(shown({"record": record.to_dict()}))
            count["records"] = count.get("records", 0) + 1
    yield _line({"end": count})


def _masked(value: Any, name: str = "") -> Any:
    """Return a JSON value with the secrets in its texts masked, and what stands under the name of a secret."""
    if isinstance(value, Mapping):
        return {key: _masked(item, key) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_masked(item, name) for item in value]
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return value
    text = str(value)
    return value if (shown := masked(text, name)) == text else shown


def import_lines(store: Store, drafter: Drafter, space: str, lines: Iterable[str], progress: Progress) -> ImportReport:
    """Bring an export's lines in, some hundred messages a transaction; stopped half-way it can be run again."""
    arrivals = Arrivals(store, progress)
    reader = ExportReader(drafter)
    try:
        for number, line in enumerate(lines, 1):
            _take(arrivals, space, _read_line(reader, line, number, arrivals.last))
    except InvalidInput:
        arrivals.write()  # what stands before a line that cannot be taken is as good as ever
        keep_secrets(store, space, reader.secrets)
        raise
    arrivals.write()
    keep_secrets(store, space, reader.secrets)
    reader.finish()
    return arrivals.report


def _read_line(reader: ExportReader, line: str, number: int, last: int) -> ExportItem | None:
    """Return what a line holds; of a message that is damaged, what is left where its number is new."""
    try:
        item = reader.read(line)
        if isinstance(item, Message) and item.seq > last:
            return reader.drafter.again(_salvaged(item, reader.drafter))
        return item
    except InvalidInput as error:
        raise type(error)(f"Line {number}: {error.what}", error.hint) from None


def _take(arrivals: Arrivals, space: str, item: ExportItem | None) -> None:
    if isinstance(item, SessionInfo):
        arrivals.begin(space, item)
    elif isinstance(item, Draft):
        arrivals.add(item, own=True)
    elif isinstance(item, Record):
        arrivals.add_record(item)
    elif item is not None:
        arrivals.skip()


def bounded(source: Iterable[str], largest: int) -> Iterator[str]:
    """Yield the lines of an export whose messages have at most `largest` bytes. Raises `TooLarge` for longer lines."""
    longest = max(8 * largest, LONGEST_LINE)  # a byte that is escaped takes six characters
    lines = iter(partial(source.readline, longest + 1), "") if isinstance(source, TextIOBase) else source
    for number, line in enumerate(lines, 1):
        if isinstance(line, str) and len(line) > longest:
            raise TooLarge(f"Line {number} has more than {longest:,} characters.", HINT)
        yield line


def rescue(found: Iterable[tuple[str, SessionInfo, Message | Record]], target: Store, drafter: Drafter) -> ImportReport:
    """Put everything that was found into a new store under the old numbers; a number that is lost stays a tombstone.

    What was derived from a message that is forgotten or lost may hold its text, and loses its own.
    """
    arrivals = Arrivals(target, lambda done: None)
    place: tuple[str, str] | None = None
    for space, info, item in found:
        if place != (space, info.id):
            place = space, info.id
            arrivals.begin(_trusted_name(space), _trusted_names(info))
        if isinstance(item, Record):
            with suppress(InvalidInput):  # what cannot be kept as it is can be made again
                arrivals.add_record(_clean_record(item))
            continue
        if item.seq <= arrivals.last or (item.state == "damaged" and item.seq != arrivals.last + 1):
            continue  # a damaged number proves nothing unless it is the next
        for lost in range(arrivals.last + 1, item.seq):
            arrivals.add(drafter.again(_lost(item.session, lost, drafter)))
        arrivals.add(_rescued(item, drafter))
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


class ExportReader:
    """Reads an export line by line, and knows at the end whether all lines came."""

    def __init__(self, drafter: Drafter) -> None:
        self.drafter = drafter
        self.space: object = None  # where it comes from, as the file writes it
        self.secrets: list[str] = []  # that the file's tombstones were made with
        self._begun = False
        self._session: object = None  # the session's id, as the file writes it
        self._count = {"sessions": 0, "messages": 0}
        self._end: object = None  # what the last line says

    def finish(self) -> None:
        """Raise `InvalidInput` if lines are missing; what came is written, and stays."""
        if not self._begun:
            raise InvalidInput("The file is empty.", HINT)
        if self._end != self._count:
            found = f"{self._count['sessions']:,} sessions and {self._count['messages']:,} messages"
            told = "its closing line is missing" if self._end is None else "its closing line counts others"
            raise InvalidInput(
                f"The file is incomplete: it has {found}, and {told}.",
                "What is there was imported. Export again, and import that: what is here already stays as it is.",
            )

    def read(self, line: str) -> ExportItem | None:
        """Return what a line holds, cleaned: a session, then its messages and its records; None for other lines.

        A damaged message is returned as it stands. Raises `InvalidInput` if the line cannot be taken.
        """
        if isinstance(line, str) and not line.strip():
            return None
        item = _parsed(line)
        if not self._begun:
            if item.get("format") not in FORMATS or item.get("version") != VERSION:
                raise InvalidInput(f"This does not begin an onrecord export of version {VERSION}.", HINT)
            secrets = item.get("tombstones", [])
            self.secrets = [clean_digest(item, "tombstones") for item in (secrets if isinstance(secrets, list) else [])]
            if len(self.secrets) > MOST_SECRETS:
                raise InvalidInput(f"tombstones has more than {MOST_SECRETS} entries.", HINT)
            self.space = item.get("space")
            self._begun = True
        elif self._end is not None:
            raise InvalidInput("This stands after the end of the export.", "Import one export at a time.")
        elif "session" in item:
            return self._begin(item["session"])
        elif "message" in item:
            return self._message(item["message"])
        elif "record" in item:
            record = self._record(item["record"])
            return None if is_claim(record) else record
        elif "end" in item:
            self._end = item["end"] or {}
        else:
            raise InvalidInput("This is neither a session nor a message nor a record.", HINT)
        return None

    def _begin(self, data: object) -> SessionInfo:
        values = _values(data, SessionInfo, "session")
        info = SessionInfo(**{"id": None} | values)
        if info.damaged is True and isinstance(info.id, str):
            info = _trusted_names(info)
        known = self.drafter.known({name: getattr(info, name) for name in KNOWN})
        created = clean_time(EPOCH if info.created is None else info.created, "created")
        ended = None if info.ended is None else clean_time(info.ended, "ended")
        clean = SessionInfo(id=clean_name(info.id, "session id"), created=created, ended=ended, **known)
        self._session = values["id"]
        self._count["sessions"] += 1
        return clean

    def _message(self, data: object) -> Draft | Message:
        values: dict[str, Any] = dict.fromkeys(("session", "seq", "id", "role"))
        message = Message(**values | _values(data, Message, "message"))  # as it stands there: `again` cleans it
        self._refuse_other(message)
        if clean_choice(message.state, STATES, "state") == "damaged":
            found: Draft | Message = replace(message, seq=clean_count(message.seq, "seq", least=1))
        else:
            found = self.drafter.again(message)
        self._count["messages"] += 1
        return found

    def _record(self, data: object) -> Record:
        values: dict[str, Any] = dict.fromkeys(("session", "kind", "plan", "key"))
        record = Record(**values | _values(data, Record, "record"))
        self._refuse_other(record)
        record = _clean_record(record)
        self._count["records"] = self._count.get("records", 0) + 1
        return record

    def _refuse_other(self, item: Message | Record) -> None:
        if self._session is None or item.session != self._session:
            raise InvalidInput(f"session is not the one that the {type(item).__name__.lower()} stands under.", HINT)


def _parsed(line: object) -> dict[str, Any]:
    try:
        item = json.loads(line) if isinstance(line, str) else None
    except (ValueError, RecursionError):
        item = None
    if not isinstance(item, dict):
        raise InvalidInput("This is not a JSON object; the file is incomplete or no export.", HINT)
    return item


def _values(data: object, kind: type[Message | SessionInfo | Record], what: str) -> dict[str, Any]:
    """Return the fields of a record that a line has, as they stand there."""
    if not isinstance(data, Mapping):
        raise InvalidInput(f"{what} is not an object.", HINT)
    return {part.name: data[part.name] for part in fields(kind) if part.name in data}


def _clean_record(record: Record) -> Record:
    """Return a derived record of which nothing is trusted; its session is for the caller to judge."""
    first, last, until = (clean_count(getattr(record, name), name) for name in ("first", "last", "until"))
    if not first <= last <= until:
        raise InvalidInput("first, last and until are not in order.", HINT)
    for name in ("fixed", "locked"):
        if not isinstance(getattr(record, name), bool):
            raise InvalidInput(f"{name} is neither true nor false.", HINT)
    clean = Record(
        session=record.session,
        kind=clean_choice(record.kind, KINDS, "kind"),
        plan=clean_name(record.plan, "plan"),
        key=clean_name(record.key, "key"),
        level=clean_count(record.level, "level"),
        first=first,
        last=last,
        until=until,
        fixed=record.fixed,
        locked=record.locked,
        recipe="" if record.recipe == "" else clean_name(record.recipe, "recipe"),
        time=clean_time(record.time),
        body=None if record.body is None else clean_object(record.body, "body"),
    )
    if fault := fault_of(clean):
        raise InvalidInput(f"The body is none of a {clean.kind}: {fault}.", "Correct the line, or take it out.")
    return clean


# Damage


def _rescued(message: Message, drafter: Drafter) -> Draft:
    """Return the draft of a message that was found; what cannot be kept as it is counts as damaged."""
    if message.state != "damaged":
        try:
            return drafter.again(message)
        except InvalidInput:
            pass
    return drafter.again(_salvaged(message, drafter))


def _salvaged(message: Message, drafter: Drafter) -> Message:
    """Return what becomes of a damaged message: its text, marked as damaged, or a tombstone where no text is left.

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
    """Return what is known of a session, its id and title being names whatever damage made of them."""
    title = None if info.title is None else _trusted_name(info.title)
    return replace(info, id=_trusted_name(info.id), title=title)


def _trusted_name(name: str) -> str:
    """Return a name as it was, or one of ours where damage made it something that cannot be one."""
    try:
        return clean_name(name, "name")
    except InvalidInput:
        return f"rescued-{digest(str(name))[:8]}"
