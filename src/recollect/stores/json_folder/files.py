"""What stands in the files of a JSON folder that are for programs, as bytes and as records; nothing here touches the
disk. They lie in `.machinery/`, and hold all that was written; people look at the sheets (see `sheets`).

    manifest.json              the format, its version, and the generation of the files
    journal-<generation>.jsonl what was committed since: one line per commit, so a commit is there whole or not at all
    sessions/<name>.json       a session: one line for what is known of it, then one line per message, then one line
                               per derived record, if there are any
    counters.json              what was counted, if anything was (see `counters`)
    written/                   what the sheets said when they were written (see `shelf`)
    index/                     what a search needs beside them (see `blocks`)

Every line ends with the CRC-32 of what stands before it. A derived record whose line was changed is left out: it can be
made again, or taken from its sheet.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any
from zlib import crc32

from recollect.ports import Target
from recollect.records import ROLES, Message, Record, SessionInfo, digest, typed
from recollect.stores.data import Numbered, NumberedRecord

__all__ = [
    "FORMAT",
    "MISSING",
    "VERSION",
    "Entry",
    "SessionText",
    "entry_line",
    "file_name",
    "listed_lines",
    "manifest_bytes",
    "missing",
    "plain_json",
    "read_journal",
    "read_session",
    "seal",
    "session_bytes",
    "unseal",
]

FORMAT = "recollect"
VERSION = 2
SESSION, MESSAGES, RECORDS = b'"session": ', b'"messages": [', b'"records": ['  # how the parts of a file begin
RECORD = b'{"kind": '  # begins the line of a derived record
MISSING = "missing_"  # begins the id that stands for a message whose line is not there
BROKEN = (KeyError, TypeError, ValueError, AttributeError, RecursionError)  # what damaged JSON can lead to

# Lines


def seal(data: Mapping[str, Any]) -> bytes:
    """One line of JSON, its last value the checksum of the bytes before."""
    head = plain_json(data)[:-1]
    return head + b', "crc": "%08x"}' % crc32(head)


def unseal(line: bytes) -> dict[str, Any] | None:
    """The data of a line, or None if its checksum does not match."""
    head, _, crc = line.rpartition(b', "crc": "')
    if crc != b'%08x"}' % crc32(head):
        return None
    try:
        data: dict[str, Any] = json.loads(line)
    except BROKEN:
        return None
    del data["crc"]
    return data


def plain_json(data: Any, between: str = ", ") -> bytes:
    """As people write it; only where it holds broken Unicode, which no file can hold as text, with escapes."""
    try:
        return json.dumps(data, ensure_ascii=False, separators=(between, ": ")).encode()
    except UnicodeEncodeError:
        return json.dumps(data, separators=(between, ": ")).encode()


def _loose(line: bytes) -> dict[str, Any]:
    """What can be read of a line whose checksum does not match."""
    try:
        data = json.loads(line.decode("utf-8", "replace"))
    except BROKEN:
        return {}
    return data if isinstance(data, dict) else {}


def manifest_bytes(generation: int) -> bytes:
    return seal({"format": FORMAT, "version": VERSION, "generation": generation}) + b"\n"


def file_name(space: str, session: str) -> str:
    """The name of a session's file: readable, safe on every file system, and with enough of a digest to be its own."""
    plain = unicodedata.normalize("NFKD", session).encode("ascii", "ignore").decode().lower()
    slug = re.sub("[^a-z0-9]+", "-", plain)[:40].strip("-") or "session"
    return f"{slug}-{digest(json.dumps([space, session]))[:12]}.json"


# Messages and sessions


def _message_data(order: int, message: Message) -> dict[str, Any]:
    return {**message.to_dict(), "order": order}


def _message(data: dict[str, Any]) -> Numbered:
    order = data.pop("order")
    return order, typed(Message, data)


def _info_data(info: SessionInfo) -> dict[str, Any]:
    return replace(info, last_seq=0, damaged=False).to_dict()


def _record_data(order: int, record: Record) -> dict[str, Any]:
    data = {"kind": record.kind, **record.to_dict()}  # first, so that a line shows what it is, even a damaged one
    return {**data, "order": order} if order else data


def _record(data: dict[str, Any]) -> NumberedRecord:
    return data.pop("order", 0), typed(Record, data)


def session_bytes(
    space: str,
    info: SessionInfo,
    messages: Iterable[Numbered],
    damaged: Mapping[int, bytes],
    records: Iterable[NumberedRecord] = (),
) -> bytes:
    """A session's file. The lines of damaged messages stay as they were found."""
    lines = [damaged.get(message.seq) or seal(_message_data(order, message)) for order, message in messages]
    ordered = sorted(records, key=lambda one: (one[1].kind, *one[1].place))
    derived = [seal(_record_data(order, record)) for order, record in ordered]
    header = seal({"space": space, **_info_data(info)})
    after = b',\n  "records": [\n' + listed_lines(derived) + b"  ]" if derived else b""
    return b'{\n  "session": ' + header + b',\n  "messages": [\n' + listed_lines(lines) + b"  ]" + after + b"\n}\n"


def listed_lines(lines: list[bytes]) -> bytes:
    """The inside of a list: a line for each item, the commas first."""
    return b"".join((b"  , " if n else b"    ") + line + b"\n" for n, line in enumerate(lines))


@dataclass(slots=True, kw_only=True)
class SessionText:
    """What a session's file says."""

    space: str | None  # None where the file does not prove whose it is
    info: SessionInfo  # flagged as damaged where its line is
    messages: list[Numbered] = field(default_factory=list)  # message n stands at n - 1
    damaged: dict[int, bytes] = field(default_factory=dict)  # lines whose checksum does not match, by number
    whole: bool = True  # every number is accounted for, so more may be written
    records: list[NumberedRecord] = field(default_factory=list)  # derived ones, as far as their lines are sound
    lost: bool = False  # some were changed, or the part of the file that holds them was


def read_session(name: str, raw: bytes) -> SessionText:
    """A session's file, with whatever is still readable in a damaged one."""
    line, lines, derived, whole = _pieces(raw)
    found = [(line, _item(line)) for line in lines]
    text = _header(line) or _unsure(name, line, [item[1].session for _, item in found if item is not None])
    text.whole = text.whole and whole
    _number(text, found)
    records = [_derived(line) for line in derived if line.startswith(b"{")]
    text.records = [item for item in records if item is not None and item[1].session == text.info.id]
    text.lost = len(text.records) < len(records) or (whole and not _framed(derived))
    text.info = replace(text.info, damaged=not text.whole)
    return text


def _header(line: bytes) -> SessionText | None:
    data = unseal(line)
    try:
        return None if data is None else SessionText(space=data["space"], info=typed(SessionInfo, data))
    except BROKEN:
        return None


def _unsure(name: str, line: bytes, sessions: list[str]) -> SessionText:
    """A file whose first line is damaged: what is left of it says whose the file is if the file's name proves it."""
    loose = _loose(line)
    space, session = _text(loose.get("space")), [*sessions, _text(loose.get("id"))][0]
    proved = file_name(space, session) == name
    info = SessionInfo(id=session, title=_text(loose.get("title")) or None)
    return SessionText(space=space if proved else None, info=info, whole=False)


def _pieces(raw: bytes) -> tuple[bytes, list[bytes], list[bytes], bool]:
    """The session's line, the messages' lines, all lines after them, and whether the file has its shape up to there."""
    lines = [line.strip(b" ,\r") for line in raw.split(b"\n")]
    end = lines.index(b"]") if b"]" in lines else 0
    if lines[:1] + lines[2:3] == [b"{", MESSAGES] and end and lines[1].startswith(SESSION):
        inside, rest = lines[3:end], lines[end + 1 :]
        mixed = any(line.startswith((RECORD, RECORDS)) for line in inside) or any(_is_message(line) for line in rest)
        if not mixed:
            return lines[1].removeprefix(SESSION), inside, rest, True
    header = next((line for line in lines if line.startswith(SESSION)), b"").removeprefix(SESSION)
    derived = [line for line in lines if line.startswith(RECORD)]
    return header, [line for line in lines if _is_message(line)], derived, False


def _is_message(line: bytes) -> bool:
    return line.startswith(b'{"') and not line.startswith(RECORD)


def _framed(rest: list[bytes]) -> bool:
    """Whether the lines after the messages have their shape: the derived records, if any, and the end."""
    if rest[:1] == [RECORDS]:
        return rest[-3:] == [b"]", b"}", b""] and all(line.startswith(RECORD) for line in rest[1:-3])
    return rest == [b"}", b""]


def _derived(line: bytes) -> NumberedRecord | None:
    data = unseal(line)
    try:
        return None if data is None else _record(data)
    except BROKEN:
        return None


def _item(line: bytes) -> Numbered | None:
    data = unseal(line)
    try:
        return None if data is None else _message(data)
    except BROKEN:
        return None


def _number(text: SessionText, found: list[tuple[bytes, Numbered | None]]) -> None:
    """Put the messages in their places. Damaged lines take the numbers that are free between their neighbours."""
    waiting: list[bytes] = []
    for line, item in found:
        if item is None:
            waiting.append(line)
        elif item[1].seq <= len(text.messages):
            text.whole = False  # its number is taken
        else:
            free = item[1].seq - 1 - len(text.messages)
            text.whole = text.whole and free == len(waiting)
            _fill(text, waiting[:free], free)
            text.messages.append(item)
            waiting = []
    text.whole = text.whole and not waiting  # after the last sound line nothing says how many there were
    _fill(text, waiting, len(waiting))


def _fill(text: SessionText, lines: list[bytes], count: int) -> None:
    """The next `count` numbers: damaged lines as far as there are any, then messages of which nothing is left."""
    for line in lines:
        seq = len(text.messages) + 1
        text.damaged[seq] = line
        text.messages.append((0, _damaged(line, text.info.id, seq)))
    for _ in range(count - len(lines)):
        text.messages.append((0, missing(text.info.id, len(text.messages) + 1)))


def missing(session: str, seq: int) -> Message:
    """What stands for a message of which nothing is left."""
    return Message(session=session, seq=seq, id=f"{MISSING}{seq}", role="user", state="damaged")


def _damaged(line: bytes, session: str, seq: int) -> Message:
    data = _loose(line)
    return Message(
        session=session,
        seq=seq,
        id=_text(data.get("id")) or f"damaged_{seq}",
        role=data["role"] if data.get("role") in ROLES else "user",
        text=_text(data.get("text")) if data else line.decode("utf-8", "replace"),
        name=_text(data.get("name")) or None,
        state="damaged",
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


# The journal


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One commit: messages, what is known of their session and what is derived from them; or what was erased, or
    counted."""

    space: str
    session: str = ""
    info: SessionInfo | None = None  # where it changed
    messages: tuple[Numbered, ...] = ()
    records: tuple[NumberedRecord, ...] = ()
    drops: tuple[tuple[str, str], ...] = ()  # kind and key of derived records that go
    scores: tuple[tuple[int, float], ...] = ()  # importance by number
    edited: tuple[Numbered, ...] = ()  # messages as a person changed them, each with a new number of arrival
    target: Target | None = None  # what was erased
    counters: tuple[tuple[str, int], ...] = ()  # their values, not what was added: it may be done again


def entry_line(entry: Entry) -> bytes:
    if entry.counters:
        return seal({"space": entry.space, "counters": dict(entry.counters)}) + b"\n"
    data: dict[str, Any] = {"space": entry.space, "session": entry.session}
    if entry.info is not None:
        data["info"] = _info_data(entry.info)
    for name, messages in (("messages", entry.messages), ("edited", entry.edited)):
        if messages:
            data[name] = [_message_data(order, message) for order, message in messages]
    data |= {name: value for name in ("drops", "scores") if (value := getattr(entry, name))}
    if entry.records:
        data["records"] = [_record_data(order, record) for order, record in entry.records]
    if entry.target is not None:
        seqs, time = entry.target.seqs, entry.target.time.isoformat()
        data["session"] = entry.target.session
        data["erased"] = {"seqs": None if seqs is None else list(seqs), "time": time}
        data["erased"] |= {"secret": entry.target.secret} if entry.target.secret else {}
    return seal(data) + b"\n"


def read_journal(raw: bytes) -> tuple[list[Entry | None], int]:
    """The journal's entries, None for a changed line, and the bytes up to the end of the last acknowledged one.

    A last line that did not reach the disk whole was never acknowledged, and is left out. Such a line lacks its end, or
    has holes of zeros in it; any other line that does not match was changed later.
    """
    lines = raw.split(b"\n")
    length = len(raw) - len(lines.pop())
    if lines and b"\0" in lines[-1]:
        length -= len(lines.pop()) + 1
    return [_entry(line.rstrip(b"\r")) for line in lines], length


def _entry(line: bytes) -> Entry | None:
    data = unseal(line)
    try:
        return None if data is None else _entry_of(data)
    except BROKEN:
        return None


def _entry_of(data: dict[str, Any]) -> Entry:
    if "counters" in data:
        return Entry(space=data["space"], counters=tuple(data["counters"].items()))
    space, session, erased = data["space"], data["session"], data.get("erased")
    info = typed(SessionInfo, data["info"]) if "info" in data else None
    if erased is not None:
        seqs = None if erased["seqs"] is None else tuple(erased["seqs"])
        time = datetime.fromisoformat(erased["time"])
        return Entry(
            space=space,
            info=info,
            target=Target(space=space, session=session, seqs=seqs, time=time, secret=erased.get("secret", "")),
        )
    return Entry(
        space=space,
        session=session,
        info=info,
        messages=tuple(_message(item) for item in data.get("messages", ())),
        records=tuple(_record(item) for item in data.get("records", ())),
        drops=tuple((kind, key) for kind, key in data.get("drops", ())),
        scores=tuple((seq, importance) for seq, importance in data.get("scores", ())),
        edited=tuple(_message(item) for item in data.get("edited", ())),
    )
