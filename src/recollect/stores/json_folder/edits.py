"""What people changed in the sheets of a JSON folder while nothing ran, as writes to be done.

An entry that is not what was written last, and not what is known, was changed or added; one that was written and is not
there any more was taken out. All of it is done or nothing: where something cannot be understood, it is told with its
line, and the folder is read as it was before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from recollect.ports import Batch, Target
from recollect.records import EPOCH, Draft, Finding, Message, Record, SessionInfo, digest
from recollect.stores.data import SessionData
from recollect.stores.json_folder.files import plain_json
from recollect.stores.json_folder.outdated import outdated
from recollect.stores.json_folder.sheets import (
    CONVERSATIONS,
    NotUnderstood,
    Sheet,
    entry_digest,
    plain_name,
    read_sheet,
)
from recollect.stores.json_folder.shelf import Looked, SheetFile, name_of, sheet_of_messages
from recollect.stores.json_folder.state import Edit, FolderState, Rewritten
from recollect.stores.json_folder.views import (
    MESSAGES,
    NAMED,
    SHEETS,
    draft_of,
    entry_of,
    entry_of_message,
    entry_of_session,
    fields_of_session,
    is_name,
    record_of,
    rewritten,
)

__all__ = ["MEND", "Edits", "find_edits"]

ABOUT = ("space", "conversation")  # what a sheet says of itself
MEND = "Mend that file, or take it back from version control, and open the memory again; nothing of it was changed."


@dataclass(slots=True)
class Edits:
    """What is to be done, and what is to be told."""

    edits: list[Edit] = field(default_factory=list)
    notes: list[Finding] = field(default_factory=list)  # what was changed, by sheet
    problems: list[Finding] = field(default_factory=list)  # what cannot be understood; then nothing is done


def find_edits(looked: Looked, state: FolderState) -> Edits:
    """What people changed in the sheets."""
    found = Edits()
    chosen = {**looked.changed, **{path: looked.sheet(path) for path in _mending(looked, state)}}
    reader = _Reader(state, found)
    for path in sorted(chosen, key=_order):
        before = len(found.edits)
        try:
            reader.read(chosen[path])
        except NotUnderstood as error:
            reader.refuse(path, error)
        if len(found.edits) > before and path in looked.changed:
            what = f"{path} was changed by hand; it is taken as it stands."
            found.notes.append(Finding(kind="edited", what=what))
    return found


def _order(path: str) -> tuple[str, int, str]:
    """Conversations before their messages, and these before what comes from them."""
    space, _, rest = path.partition("/")
    rank = 0 if rest == f"{CONVERSATIONS}.json" else 1 if rest.startswith(f"{CONVERSATIONS}/") else 2
    return space, rank, rest


def _mending(looked: Looked, state: FolderState) -> Iterator[str]:
    """Sheets with messages whose lines were damaged: there they are still to be read."""
    for (space, session), file in state.files.items():
        if file.damaged and file.whole and (path := sheet_of_messages(space, session)) in looked.known:
            yield path


class _Reader:
    """Reads one sheet after the other, and knows what the earlier ones bring."""

    def __init__(self, state: FolderState, found: Edits) -> None:
        self._state = state
        self._found = found
        self._begun: dict[str, set[str]] = {}  # conversations that the sheets bring, by space
        self._gone: set[tuple[str, str]] = set()  # conversations that people took out

    def read(self, file: SheetFile) -> None:
        if file.strange:
            raise NotUnderstood(1, file.strange)
        sheet = Sheet() if file.raw is None else read_sheet(file.raw)
        space = self._space_of(file, sheet)
        name = file.path.partition("/")[2]
        _refuse_unknown(sheet, SHEETS.get(name, {MESSAGES: "message"}))
        if name.startswith(f"{CONVERSATIONS}/"):
            self._messages(file, sheet, space)
        elif SHEETS[name] == {CONVERSATIONS: "session"}:
            self._sessions(file, sheet, space)
        else:
            self._records(file, sheet, space, name)

    def refuse(self, path: str, error: NotUnderstood) -> None:
        shown = path if path.isprintable() else repr(path)[1:-1]
        what = f"{shown}, line {error.line}: {error.why}."
        self._found.problems.append(Finding(kind="structure", what=what))

    def _space_of(self, file: SheetFile, sheet: Sheet) -> str:
        folder, said = file.path.partition("/")[0], sheet.about.get("space")
        if isinstance(said, str) and plain_name(said) == folder:
            return _name(said)
        known = [space for space in self._state.spaces() if plain_name(space) == folder]
        return known[0] if known else _name(folder)

    def _there(self, space: str, session: str) -> SessionData | None:
        return None if (space, session) in self._gone else self._state.space_data(space).sessions.get(session)

    # Conversations

    def _sessions(self, file: SheetFile, sheet: Sheet, space: str) -> None:
        if file.raw is None:
            return  # it only lists what is there, and is written again
        seen: set[str] = set()
        for line, entry in _entries(sheet, CONVERSATIONS):
            fields = _told(line, fields_of_session, entry)
            id = entry["id"]
            if id in seen:
                raise NotUnderstood(line, f'there are two with the id "{id}"')
            seen.add(id)
            there = self._there(space, id)
            if there is None:
                self._begin(space, id, file.time, fields)
            elif not _as_written(file, CONVERSATIONS, name_of(id), entry) and entry != entry_of_session(there.info):
                self._add(Batch(space=space, session=id, info=fields, time=file.time))
        # One that is not listed any more is listed again: its messages are still there, and go with their own sheet.

    def _begin(self, space: str, session: str, time: datetime, fields: dict[str, Any] | None = None) -> None:
        given = dict(fields or {})
        if given.get("created", EPOCH) == EPOCH:
            given["created"] = time
        self._begun.setdefault(space, set()).add(session)
        self._add(Batch(space=space, session=session, info=given, time=time))

    def _forget(self, space: str, session: str, time: datetime) -> None:
        self._gone.add((space, session))
        self._add(Target(space=space, session=session, time=time))

    # Messages

    def _messages(self, file: SheetFile, sheet: Sheet, space: str) -> None:
        session = self._session_of(file, sheet, space)
        there = self._there(space, session)
        if file.raw is None:
            if there is not None:
                self._forget(space, session, file.time)
            return
        if there is None and session not in self._begun.get(space, ()):
            self._begin(space, session, file.time)
        self._said(file, sheet, space, there or SessionData(info=SessionInfo(id=session)))

    def _said(self, file: SheetFile, sheet: Sheet, space: str, data: SessionData) -> None:
        session = data.info.id
        seen, drafts, changed, gone, said = set[int](), list[Draft](), list[Message](), list[int](), list[int]()
        for line, entry in _entries(sheet, MESSAGES):
            number = _number(line, entry, len(data.messages) + len(drafts) + 1, seen)
            seen.add(number)
            if number > len(data.messages):
                drafts.append(_added(line, entry, number, file.time, data))
            elif "forgotten" in entry:
                gone.append(number)
            elif not self._same(file, data.messages[number - 1], entry):
                changed.append(_changed(line, entry, data))
                if self._says_other(file, data.messages[number - 1], changed[-1], entry):
                    said.append(number)
        gone += [one.seq for one in data.messages if one.seq not in seen and _was_written(file, MESSAGES, str(one.seq))]
        if changed:
            puts, drops = outdated(data, said)
            self._add(Rewritten(space=space, session=session, messages=tuple(changed), records=puts, drops=drops))
        if data.living(gone):
            self._add(Target(space=space, session=session, seqs=tuple(data.living(gone)), time=file.time))
        if drafts:
            self._add(Batch(space=space, session=session, drafts=drafts, time=file.time))

    def _session_of(self, file: SheetFile, sheet: Sheet, space: str) -> str:
        stem, said = file.path.rpartition("/")[2].removesuffix(".json"), sheet.about.get("conversation")
        if isinstance(said, str) and plain_name(said) == stem:
            return _name(said)
        known = [*self._state.space_data(space).sessions, *sorted(self._begun.get(space, ()))]
        named = [one for one in known if plain_name(one) == stem]
        return named[0] if named else _name(stem)

    def _same(self, file: SheetFile, message: Message, entry: Any) -> bool:
        """Whether nobody changed it; a damaged one is always taken from the sheet."""
        written = _as_written(file, MESSAGES, str(message.seq), entry) and message.state != "damaged"
        return written or (message.state != "damaged" and entry == entry_of_message(message))

    def _says_other(self, file: SheetFile, before: Message, fresh: Message, entry: Any) -> bool:
        """Whether what was derived from a message is not what it says now; of a damaged one, whether it is not what was
        written there."""
        if before.state == "damaged":
            return not _as_written(file, MESSAGES, str(before.seq), entry)
        same = {name: getattr(before, name) for name in ("importance", "tokens", "overhead", "encoding", "original")}
        return replace(fresh, **same) != before

    # Derived records

    def _records(self, file: SheetFile, sheet: Sheet, space: str, name: str) -> None:
        known = self._conversations(space)
        puts: dict[str, list[Record]] = {}
        drops: dict[str, list[tuple[str, str]]] = {}
        for part, kind in SHEETS[name].items():
            seen = set()
            for line, entry in _entries(sheet, part):
                session, key = _named(line, entry, known, kind)
                if name_of(session, key) in seen:
                    raise NotUnderstood(line, f'there are two with the id "{key}" in conversation "{session}"')
                seen.add(name_of(session, key))
                before = self._record(space, session, kind, key)
                if _as_written(file, part, name_of(session, key), entry) and before is not None:
                    continue
                if before is None or entry != entry_of(before):
                    record = _told(line, record_of, kind, entry, session, key, before, file.time)
                    puts.setdefault(session, []).append(self._placed(line, space, record))
            for record in self._held(space, kind):
                named = name_of(record.session, record.key)
                if _was_written(file, part, named) and named not in seen and record.body is not None:
                    self._take_out(record, puts, drops)
        for session in sorted({*puts, *drops}):
            records, names = puts.get(session, []), drops.get(session, [])
            records += self._above(space, session, records, names)
            self._add(Batch(space=space, session=session, records=records, drops=names, time=file.time))

    def _conversations(self, space: str) -> dict[str, None]:
        """The conversations that are there, the oldest first."""
        held = self._state.space_data(space).sessions
        known = {one: data.info for one, data in held.items() if (space, one) not in self._gone}
        known |= {one: SessionInfo(id=one) for one in self._begun.get(space, ())}
        return dict.fromkeys(sorted(known, key=lambda one: (known[one].created or EPOCH, one)))

    def _held(self, space: str, kind: str) -> Iterator[Record]:
        for session in self._state.space_data(space).sessions.values():
            if (space, session.info.id) not in self._gone:
                yield from (record for record in session.records.values() if record.kind == kind)

    def _record(self, space: str, session: str, kind: str, key: str) -> Record | None:
        there = self._there(space, session)
        return None if there is None else there.records.get((kind, key))

    def _placed(self, line: int, space: str, record: Record) -> Record:
        """With the messages that it comes from: a change or relation has those of what it is about."""
        there = self._there(space, record.session)
        body = record.body or {}
        about = body.get("of", body.get("source")) if record.kind in ("change", "relation") else None
        for kind in ("fact", "episode"):
            if about is not None and not record.last and (one := self._record(space, record.session, kind, str(about))):
                record = replace(record, first=one.first, last=one.last, until=one.last)
        if there is not None and there.messages and record.last > len(there.messages):
            raise NotUnderstood(line, f"the conversation has no message {record.last}")
        return record

    def _take_out(self, record: Record, puts: dict[str, list[Record]], drops: dict[str, list[tuple[str, str]]]) -> None:
        """It goes; of what a plan wants there, its place stays, to be filled again."""
        left = record.tombstone()
        if left is None:
            drops.setdefault(record.session, []).append((record.kind, record.key))
        else:
            puts.setdefault(record.session, []).append(left)

    def _above(self, space: str, session: str, records: Sequence[Record], drops: list[tuple[str, str]]) -> list[Record]:
        """Summaries that were made from those which people changed: they are to be made again, unless locked."""
        named = {(record.kind, record.key) for record in records} | set(drops)
        there = self._there(space, session)
        changed = [record for record in records if record.kind == "summary"]
        held = there.records.values() if there is not None and changed else ()
        found = []
        for one in [one for one in held if one.kind == "summary"]:
            under = any(_covers(one, record) for record in changed)
            if under and not one.locked and one.body is not None and (one.kind, one.key) not in named:
                left = one.tombstone()
                if left is None:
                    drops.append((one.kind, one.key))
                else:
                    found.append(left)
        return found

    def _add(self, edit: Edit) -> None:
        self._found.edits.append(edit)


def _covers(above: Record, record: Record) -> bool:
    """Whether a summary was made from another one."""
    higher = above.level > record.level or (
        above.level == record.level and not above.fixed and above.last > record.last
    )
    return above.plan == record.plan and higher and above.first <= record.first and above.last >= record.last


def _refuse_unknown(sheet: Sheet, lists: Mapping[str, str]) -> None:
    """Nothing of a sheet may be lost because nobody looks at it."""
    for name in [*sheet.about, *sheet.lists]:
        if name not in lists if name in sheet.lists else name not in ABOUT:
            line = sheet.lists[name][0][0] if sheet.lists.get(name) else 1
            raise NotUnderstood(line, f'"{name}" is not known here; the lists of this file are {", ".join(lists)}')


def _entries(sheet: Sheet, name: str) -> list[tuple[int, Any]]:
    return sheet.lists.get(name, [])


def _told(line: int, make: Any, *values: Any) -> Any:
    """What is made of an entry; what is wrong with it is told with its line."""
    try:
        return make(*values)
    except (ValueError, OverflowError) as error:
        raise NotUnderstood(line, str(error)) from None


def _was_written(file: SheetFile, part: str, name: str) -> bool:
    return file.before is not None and f"{part} {name}" in file.before.entries


def _as_written(file: SheetFile, part: str, name: str, entry: Any) -> bool:
    return file.before is not None and file.before.entries.get(f"{part} {name}") == entry_digest(entry)


def _name(given: str) -> str:
    """The id of a space or conversation, as a sheet says it of itself or its file is named."""
    if not is_name(given):
        raise NotUnderstood(1, f"the space and the conversation must each be {NAMED}")
    return given


def _named(line: int, entry: Any, known: dict[str, None], kind: str) -> tuple[str, str]:
    """The conversation and the id of an entry; where a person gave none, the newest conversation and an id."""
    if not isinstance(entry, dict):
        raise NotUnderstood(line, "this is not an object in braces")
    session = entry.get("conversation", next(reversed(known), "notes"))
    if not is_name(session):
        raise NotUnderstood(line, f'"conversation" must be {NAMED}')
    if known and session not in known:
        raise NotUnderstood(line, f'there is no conversation "{session}"')
    key = entry.get("id", f"{kind}_{digest(plain_json(entry).decode())[:20]}")
    if not is_name(key):
        raise NotUnderstood(line, f'"id" must be {NAMED}')
    return session, key


def _number(line: int, entry: Any, following: int, seen: set[int]) -> int:
    """The number of a message: its own, or the next one that is free."""
    if not isinstance(entry, dict):
        raise NotUnderstood(line, "this is not an object in braces")
    number = entry.get("number", following)
    if not isinstance(number, int) or isinstance(number, bool) or number < 1:
        raise NotUnderstood(line, '"number" must be a whole number')
    if number in seen:
        raise NotUnderstood(line, f"there are two messages {number}")
    if number > following:
        raise NotUnderstood(line, f"a new message has the number {following}, or none")
    return number


def _added(line: int, entry: Any, number: int, time: datetime, data: SessionData) -> Draft:
    made = digest(plain_json([data.info.id, number, entry]).decode())[:20]
    fresh: Draft = _told(line, draft_of, entry, f"msg_{made}", time)
    if data.by_id(fresh.id) is not None:
        raise NotUnderstood(line, f'there is a message with the id "{fresh.id}"')
    return replace(fresh, seq=number)


def _changed(line: int, entry: Any, data: SessionData) -> Message:
    message = data.messages[entry["number"] - 1]
    if message.state == "forgotten":
        raise NotUnderstood(line, f"message {message.seq} was forgotten; add a new one at the end instead")
    fresh: Message = _told(line, rewritten, entry, message)
    other = data.by_id(fresh.id)
    if other is not None and other.seq != message.seq:
        raise NotUnderstood(line, f'message {other.seq} has the id "{fresh.id}"')
    return fresh
