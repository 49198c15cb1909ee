"""What a JSON folder holds, in memory: the reference store, and beside it which file each session has.

Everything that changes it is an `Entry`, whether it was just committed or is read from the journal. Entries may be
applied again to files that have them already: a message whose number is there is skipped, what is known of a session
is the last that was said, and what was erased is erased again. So files of two generations never disagree.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from pathlib import Path

from recollect.errors import StoreDamaged
from recollect.ports import Batch, Placed, Progress, Target
from recollect.records import Erased, Finding, Health, Message, Posting, SessionInfo
from recollect.stores.json_folder.files import (
    MISSING,
    Entry,
    SessionText,
    file_name,
    file_names,
    read_journal,
    read_session,
    session_bytes,
)
from recollect.stores.memory import MemoryStore, SessionData, SpaceData

__all__ = ["FolderState", "SessionFile"]

RESCUE = "Run `recollect doctor --rescue NEW/` on it."


@dataclass(slots=True)
class SessionFile:
    """What the records do not say: which file a session has, and how that is."""

    name: str
    orders: list[int] = field(default_factory=list)  # message n arrived in its space as number orders[n - 1]
    damaged: dict[int, bytes] = field(default_factory=dict)  # lines whose checksum does not match, by number
    whole: bool = True  # every number is accounted for, so more may be written
    changed: bool = False  # more is known than the file says


class FolderState(MemoryStore):
    """The sessions of a folder with their files."""

    def __init__(self) -> None:
        super().__init__()
        self.files: dict[tuple[str, str], SessionFile] = {}
        self.gone: set[str] = set()  # files of sessions that were erased
        self.strays: dict[str, SessionText] = {}  # files that do not say whose they are
        self.damage: list[Finding] = []  # why nothing may be written to the folder
        self.erasing = False  # the journal says that something was erased, so the files may still hold it
        self.consumed = 0  # bytes of the journal that are in here
        self.journal_look: tuple[int, int] | None = None  # size and time of the journal then
        self.texts: dict[str, tuple[bytes, SessionText]] = {}  # files by name and content, to read each once
        self._names: set[str] = set()  # of all files
        self._arrived: dict[str, int] = {}

    # Reading files

    def read_sessions(self, folder: Path, earlier: FolderState | None = None) -> None:
        """Take in every session's file; those that `earlier` has read already are not parsed again."""
        unsure: list[tuple[str, SessionText]] = []
        for name in sorted(_names(folder)):
            try:
                raw = (folder / name).read_bytes()
            except FileNotFoundError:
                continue  # erased meanwhile: the journal says so too
            except OSError as error:
                what = f"{name} cannot be read: {error.strerror or error}."
                self.damage.append(Finding(kind="unreadable", what=what))
                continue
            text = self._text(name, raw, earlier)
            place = None if text.space is None else (text.space, text.info.id)
            if place is None or place in self.files or (not text.sure and name not in file_names(*place)):
                unsure.append((name, text))
            else:
                self._take(place[0], name, text)
        for name, text in unsure:
            self._take_by_name(name, text)

    def _text(self, name: str, raw: bytes, earlier: FolderState | None) -> SessionText:
        content = blake2b(raw, digest_size=16).digest()
        known = earlier.texts.get(name) if earlier is not None else None
        text = known[1] if known is not None and known[0] == content else read_session(raw)
        self.texts[name] = (content, text)
        return text

    def _take_by_name(self, name: str, text: SessionText) -> None:
        """A damaged file does not say whose it is, but its name is made from that, so a guess can be proved."""
        for space in ("default", *self._spaces):
            if name in file_names(space, text.info.id) and (space, text.info.id) not in self.files:
                self._take(space, name, text)
                return
        self.strays[name] = text
        self._names.add(name)
        for place, file in self.files.items():
            if place == (text.space, text.info.id):
                file.whole = False  # two files say that they are this session

    def _take(self, space: str, name: str, text: SessionText) -> None:
        info = text.info if text.whole else replace(text.info, damaged=True)
        file = SessionFile(name, damaged=dict(text.damaged), whole=text.whole)
        data = self._add(space, info, file)
        for order, message in text.messages:
            self._append(space, data, file, order, message)

    def read_journal(self, raw: bytes, name: str) -> None:
        """Take in a journal from its first byte."""
        text = read_journal(raw)
        for number in text.damaged:
            self.damage.append(Finding(kind="checksum", what=f"Line {number} of {name} was changed."))
        for entry in text.entries:
            self.apply(entry)
        self.consumed = text.length

    def follow(self, raw: bytes) -> bool:
        """Take in what was added to the journal; False where that does not follow from what is here."""
        text = read_journal(raw)
        if text.damaged:
            return False
        for entry in text.entries:
            self.apply(entry)
        self.consumed += text.length
        return True

    # Changing

    def prepare(self, batch: Batch) -> tuple[list[Placed], Entry | None]:
        """Where each draft would stand, and what is to be written for it, if anything; raises if it cannot be."""
        with self._lock:
            self._refuse_damaged(batch.space, batch.session)
            placed, fresh = self._plan(batch)
            if not fresh and not batch.info:
                return placed, None
            data = self._space(batch.space).sessions.get(batch.session)
            info = SessionInfo(id=batch.session, created=batch.time) if data is None else data.info
            changed = replace(info, **batch.info)  # fails here, before anything is written, if a field is unknown
            first = self._arrived.get(batch.space, 0) + 1
            return placed, Entry(
                space=batch.space,
                session=batch.session,
                info=changed if data is None or batch.info else None,
                messages=tuple(enumerate(fresh, first)),
            )

    def holds(self, target: Target) -> bool:
        """Whether there is anything to erase; raises if it cannot be erased without losing the rest."""
        with self._lock:
            space = self._spaces.get(target.space)
            if space is None or target.session is None:
                return space is not None
            data = space.sessions.get(target.session)
            if data is None or target.seqs is None:
                return data is not None
            self._refuse_damaged(target.space, target.session)
            kept = (data.messages[seq - 1] for seq in target.seqs if 1 <= seq <= len(data.messages))
            return any(message.state != "forgotten" for message in kept)

    def apply(self, entry: Entry) -> Erased:
        """Do what the entry says, as far as it is not done."""
        with self._lock:
            if entry.target is not None:
                return self._forget(entry.target)
            data = self._space(entry.space).sessions.get(entry.session)
            if data is None:
                name = file_name(entry.space, entry.session, self._names)
                data = self._add(entry.space, entry.info or SessionInfo(id=entry.session), SessionFile(name))
            elif entry.info is not None:
                data.info = replace(entry.info, damaged=data.info.damaged)
            file = self.files[entry.space, entry.session]
            for order, message in entry.messages:
                if message.seq > len(data.messages):
                    self._append(entry.space, data, file, order, message)
            file.changed = True
            self._changes += 1
            return Erased()

    def _add(self, space: str, info: SessionInfo, file: SessionFile) -> SessionData:
        data = SessionData(info=info)
        self._spaces.setdefault(space, SpaceData()).sessions[info.id] = data
        self.files[space, info.id] = file
        self._names.add(file.name)
        return data

    def _append(self, space: str, data: SessionData, file: SessionFile, order: int, message: Message) -> None:
        while len(data.messages) < message.seq - 1:  # a line of the journal is lost
            file.whole = False
            file.orders.append(0)
            seq = len(file.orders)
            data.append(Message(session=data.info.id, seq=seq, id=f"{MISSING}{seq}", role="user", state="damaged"))
        data.append(message)
        file.orders.append(order)
        self._spaces[space].index_message(data.info.id, message)
        self._arrived[space] = max(order, self._arrived.get(space, 0))

    def _forget(self, target: Target) -> Erased:
        self.erasing = True
        erased = self._erase(target)
        kept = self._spaces[target.space].sessions if target.space in self._spaces else {}
        for place in [place for place in self.files if place[0] == target.space and place[1] not in kept]:
            name = self.files.pop(place).name
            self._names.discard(name)
            self.gone.add(name)
        if target.session in kept and target.session is not None:
            file = self.files[target.space, target.session]
            file.changed = True
            for seq in target.seqs or ():
                file.damaged.pop(seq, None)
        return erased

    def settled(self) -> None:
        """The files say all that is known."""
        for file in self.files.values():
            file.changed = False
        self.gone.clear()
        self.erasing = False

    def refuse_damage(self) -> None:
        """Raise if nothing may be written at all."""
        found = [finding.what for finding in self.damage]
        # The journal is all that has the newest messages of such a session, and any writing would end the journal.
        found += [f"{file.name} was changed." for file in self.files.values() if file.changed and not file.whole]
        if found:
            raise StoreDamaged(f"The folder is damaged, so it is read but not written: {found[0]}", RESCUE)

    def _refuse_damaged(self, space: str, session: str) -> None:
        file = self.files.get((space, session))
        stray = file is None and any(name in self.strays for name in file_names(space, session))
        if stray or (file is not None and not file.whole):
            raise StoreDamaged(f"The file of session {session!r} is damaged, so it is read but not written.", RESCUE)

    # Asking

    def match(self, space: str, terms: Sequence[str], limit: int) -> list[Posting]:
        with self._lock:
            data = self._spaces.get(space)
            if data is not None and data.index is None:
                data.index = {}
                for _, session, message in sorted(self._arrivals(space), key=lambda item: item[0]):
                    data.index_message(session, message)
            return super().match(space, terms, limit)

    def _arrivals(self, space: str) -> Iterator[tuple[int, str, Message]]:
        for name, data in self._spaces[space].sessions.items():
            for order, message in zip(self.files[space, name].orders, data.messages, strict=True):
                yield order, name, message

    def changed_files(self) -> Iterator[tuple[SessionFile, bytes]]:
        """The files that say less than is known, with what they should say. Those that are damaged stay as they are."""
        for (space, session), file in self.files.items():
            if file.changed and file.whole:
                data = self._spaces[space].sessions[session]
                numbered = zip(file.orders, data.messages, strict=True)
                yield file, session_bytes(space, data.info, numbered, file.damaged)

    def check(self, progress: Progress) -> Health:
        health = super().check(progress)
        found = self._findings()
        damaged = sum(finding.seq is not None for finding in found)
        return replace(health, messages=health.messages - damaged, findings=tuple(found))

    def _findings(self) -> list[Finding]:
        found = [*self.damage]
        found += [
            Finding(kind="unreadable", what=f"{name} does not say which session it holds, or holds one twice.")
            for name in self.strays
        ]
        for (space, session), file in self.files.items():
            data = self._spaces[space].sessions[session]
            if not file.whole:
                what = f"{file.name} does not hold what was written to it."
                found.append(Finding(kind="structure", what=what, space=space, session=session))
            for message in data.messages:
                if message.state == "damaged":
                    found.append(_finding(space, message, missing=message.seq not in file.damaged))
        return found


def _finding(space: str, message: Message, missing: bool) -> Finding:
    return Finding(
        kind="missing" if missing else "checksum",
        what="The message is not there." if missing else "The message's line was changed.",
        space=space,
        session=message.session,
        seq=message.seq,
    )


def _names(folder: Path) -> list[str]:
    try:
        return [name for name in os.listdir(folder) if name.endswith(".json")]
    except (FileNotFoundError, NotADirectoryError):
        return []
