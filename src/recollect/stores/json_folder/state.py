"""What a JSON folder holds, in memory: the reference store, and beside it which file each session has.

Everything that changes it is an `Entry`, whether it was just committed or is read from the journal. Entries may be
applied again to files that have them already: a message whose number is there is skipped, what is known of a session
is the last that was said, as is a counter, derived records are put and taken out in the same order, and what was erased
is erased again. So files of two generations never disagree.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field, replace
from itertools import takewhile
from pathlib import Path
from zlib import crc32

from recollect.errors import StoreDamaged
from recollect.ports import Batch, Placed, Progress, Target
from recollect.records import BLOCK, FED, KINDS, Erased, Finding, Health, Message, Record, SessionInfo
from recollect.stores.batches import changes_something
from recollect.stores.counting import counted
from recollect.stores.data import Numbered, SessionData, SpaceData
from recollect.stores.json_folder.counters import counters_bytes, read_counters
from recollect.stores.json_folder.disk import listed
from recollect.stores.json_folder.files import (
    Entry,
    SessionText,
    file_name,
    missing,
    read_journal,
    read_session,
    session_bytes,
)
from recollect.stores.memory import MemoryStore

__all__ = ["Edit", "FolderState", "Rewritten", "SessionFile"]

RESCUE = "Run `recollect doctor --rescue NEW/` on it."


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewritten:
    """Messages of a session as a person changed them, and what becomes of what was derived from them."""

    space: str
    session: str
    messages: tuple[Message, ...]
    records: tuple[Record, ...] = ()  # what stays of it
    drops: tuple[tuple[str, str], ...] = ()  # kind and key of what goes


Edit = Batch | Target | Rewritten
"""Something that a person changed in a sheet."""


@dataclass(slots=True)
class SessionFile:
    """What the records do not say: which file a session has, and how that is."""

    name: str
    orders: list[int] = field(default_factory=list)  # message n arrived in its space as number orders[n - 1]
    damaged: dict[int, bytes] = field(default_factory=dict)  # lines whose checksum does not match, by number
    whole: bool = True  # every number is accounted for, so more may be written
    changed: bool = False  # more is known than the file says
    lost: bool = False  # the file held derived records that were changed; writing it leaves them out


class FolderState(MemoryStore):
    """The sessions of a folder with their files."""

    def __init__(self, births: int = 0) -> None:
        super().__init__()
        self._births = births
        self.files: dict[tuple[str, str], SessionFile] = {}
        self.gone: set[str] = set()  # files of sessions that were erased
        self.strays: dict[str, SessionText] = {}  # files that do not prove whose they are: never written
        self.damage: list[Finding] = []  # why nothing may be written to the folder
        self.counted = False  # more is known of counters than their file says, or less
        self.miscounted = False  # their file was changed; writing it leaves out what is no counter
        self.touched: set[tuple[str, str]] = set()  # spaces with the kinds of which more is known than their sheets say
        self.erasing = False  # the journal says that something was erased, so the files may still hold it
        self.edited = False  # some sheets are not what was written: a person changed them
        self.consumed = 0  # bytes of the journal that are in here
        self.journal_look: tuple[int, int] | None = None  # size and time of the journal then
        self._names: set[str] = set()  # of all files

    # Reading files

    def read_sessions(self, folder: Path) -> None:
        """Take in every session's file."""
        for name in [name for name in listed(folder) if name.endswith(".json")]:
            try:
                raw = (folder / name).read_bytes()
            except FileNotFoundError:
                continue  # erased meanwhile: the journal says so too
            except OSError as error:
                what = f"{name} cannot be read: {error.strerror or error}."
                self.damage.append(Finding(kind="unreadable", what=what))
                continue
            self._names.add(name)
            self._take(name, read_session(name, raw))

    def _take(self, name: str, text: SessionText) -> None:
        place = None if text.space is None else (text.space, text.info.id)
        if place is None or place in self.files:
            self.strays[name] = text
            if place is not None:
                self.files[place].whole = False  # two files say that they are this session
            return
        self.files[place] = SessionFile(name, damaged=text.damaged, whole=text.whole, lost=text.lost)
        space, data = self._append(place, text.info, text.messages)
        space.derive(data, text.records)

    def read_counters(self, path: Path) -> None:
        """Take in the counters of the spaces that are there."""
        try:
            raw = path.read_bytes()
        except FileNotFoundError:
            return
        except OSError as error:
            what = f"{path.name} cannot be read: {error.strerror or error}."
            self.damage.append(Finding(kind="unreadable", what=what))
            return
        found, whole = read_counters(raw)
        self.miscounted = not whole
        for space, name, value in found:
            self._space(space).set_counters({name: value})
            self.counted = self.counted or space not in self._spaces  # it was erased, and the file not yet written

    def read_journal(self, raw: bytes, name: str) -> None:
        """Take in a journal, or what was added to it."""
        entries, length = read_journal(raw)
        for number, entry in enumerate(entries, 1):
            if entry is None:
                self.damage.append(Finding(kind="checksum", what=f"Line {number} of {name} was changed."))
            else:
                self.apply(entry)
        self.consumed += length

    def arrange(self) -> None:
        """Once all is read: put what is in each space in the order of its arrival."""
        for space in self._spaces.values():
            space.arrange()

    # Changing

    def prepare(self, batch: Batch) -> tuple[list[Placed], Entry | None]:
        """Where each draft would stand, and what is to be written for it, if anything; raises if it cannot be."""
        with self._lock:
            self._refuse_damaged(batch.space, batch.session)
            placed, fresh = self._plan(batch)
            placed = [replace(item, earlier=deepcopy(item.earlier)) if item.earlier else item for item in placed]
            info = self._info(batch, fresh)
            if info is None:
                return placed, None
            messages, records = self._numbered(batch, fresh)
            known = batch.session in self._space(batch.space).sessions and not changes_something(batch)
            return placed, Entry(
                space=batch.space,
                session=batch.session,
                info=None if known else info,
                messages=tuple(messages),
                records=tuple(records),
                drops=tuple(batch.drops),
                scores=tuple(batch.scores.items()),
            )

    def counting(self, space: str, changes: Mapping[str, int], at_least: Mapping[str, int]) -> Entry | None:
        """What is to be written when counters are added to, if anything; raises if they cannot be."""
        with self._lock:
            values = counted(self._space(space).counters, changes, at_least)
            there = values and space in self._spaces
            return Entry(space=space, counters=tuple(values.items())) if there else None

    def erasure(self, target: Target) -> Entry | None:
        """What is to be written for it, if there is anything to erase; raises if the rest would be lost with it.

        Only messages that are not forgotten yet are named: what was derived since from the others stays, also when the
        entry is applied again.
        """
        with self._lock:
            whole = Entry(space=target.space, target=target)
            if target.session is None:
                return whole if target.space in self._spaces else None
            data = self._space(target.space).sessions.get(target.session)
            if data is None or target.seqs is not None:
                self._refuse_damaged(target.space, target.session)
            if data is None or target.seqs is None:
                return None if data is None else whole
            seqs = tuple(data.living(target.seqs))
            info = replace(data.info, changes=data.info.changes + 1)
            return Entry(space=target.space, info=info, target=replace(target, seqs=seqs)) if seqs else None

    def editing(self, edit: Edit) -> Entry | None:
        """What is to be written for something that a person changed in a sheet, if anything."""
        if isinstance(edit, Batch):
            return self.prepare(edit)[1]
        if isinstance(edit, Target):
            return self.erasure(edit)
        with self._lock:
            inside = self._space(edit.space)
            info = inside.sessions[edit.session].info
            return Entry(
                space=edit.space,
                session=edit.session,
                info=replace(info, changes=info.changes + 1),
                records=tuple((0, record) for record in edit.records),
                drops=edit.drops,
                edited=tuple(enumerate(edit.messages, inside.newest + 1)),
            )

    def apply(self, entry: Entry) -> Erased:
        """Do what the entry says, as far as it is not done."""
        with self._lock:
            if entry.target is not None:
                return self._forget(entry.target, entry.info)
            if entry.counters:
                self.counted = True
                self._space(entry.space).set_counters(dict(entry.counters))
                return Erased()
            place = (entry.space, entry.session)
            if place not in self.files:
                name = file_name(*place)
                self.files[place] = SessionFile(name, whole=name not in self._names)  # never over another's file
                self._names.add(name)
            file = self.files[place]
            file.changed = True
            fresh = [item for item in entry.messages if item[1].seq > len(file.orders)]
            space, data = self._append(place, entry.info, fresh)
            self._rewrite(file, space, data, entry.edited)
            space.derive(data, entry.records, entry.drops, dict(entry.scores))
            kinds = [kind for kind, _ in entry.drops] + [record.kind for _, record in entry.records]
            self.touched |= {(entry.space, kind) for kind in ("session", *kinds)}
            return Erased()

    def _rewrite(self, file: SessionFile, space: SpaceData, data: SessionData, edited: Iterable[Numbered]) -> None:
        """Put messages as a person changed them in place of what was there: they leave, and arrive anew."""
        for number, message in edited:
            place = (data.info.id, message.seq)
            space.bury(data, [message])
            file.damaged.pop(message.seq, None)
            file.orders[message.seq - 1] = number
            space.newest = max(space.newest, number)
            space.line.append(number)
            space.arrived[number] = place
            space.numbers[place] = number

    def _append(
        self, place: tuple[str, str], info: SessionInfo | None, messages: Iterable[Numbered]
    ) -> tuple[SpaceData, SessionData]:
        file = self.files[place]
        fresh: list[Numbered] = []
        for order, message in messages:
            while len(file.orders) < message.seq - 1:  # a line of the journal is lost
                file.whole = False
                file.orders.append(0)
                fresh.append((0, missing(place[1], len(file.orders))))
            file.orders.append(order)
            fresh.append((order, message))
        there = self._space(place[0]).sessions.get(place[1])
        known = info or (SessionInfo(id=place[1]) if there is None else there.info)
        return self._extend(place[0], replace(known, damaged=not file.whole), fresh)

    def _forget(self, target: Target, info: SessionInfo | None) -> Erased:
        self.erasing = True
        self.touched |= {(target.space, kind) for kind in ("session", *KINDS)}
        self.counted = self.counted or bool(self._space(target.space).counters)
        erased = self._erase(target)
        space = self._space(target.space)
        kept = space.sessions
        for place in [place for place in self.files if place[0] == target.space and place[1] not in kept]:
            name = self.files.pop(place).name
            self._names.discard(name)
            self.gone.add(name)
        if target.session in kept and target.session is not None:
            file = self.files[target.space, target.session]
            file.changed = True
            for seq in target.seqs or ():
                file.damaged.pop(seq, None)
            data = kept[target.session]
            # In a file that has it already these messages are gone, and the journal has put back what came of them.
            erased = replace(erased, records=erased.records + space.bury_records(data, sorted(target.seqs or ())))
            data.info = replace(info or data.info, damaged=not file.whole)
        return erased

    def settled(self) -> None:
        """The files say all that is known."""
        for file in self.files.values():
            file.lost = file.lost and not (file.changed and file.whole)
            file.changed = False
        self.gone.clear()
        self.touched.clear()
        self.miscounted = self.miscounted and not self.counted
        self.counted = self.erasing = False

    def refuse_damage(self) -> None:
        """Raise if nothing may be written at all."""
        found = [finding.what for finding in self.damage]
        # The journal is all that has the newest messages of such a session, and any writing would end the journal.
        found += [f"{file.name} was changed." for file in self.files.values() if file.changed and not file.whole]
        if found:
            raise StoreDamaged(f"The folder is damaged, so it is read but not written: {found[0]}", RESCUE)

    def _refuse_damaged(self, space: str, session: str) -> None:
        file = self.files.get((space, session))
        if not file.whole if file is not None else file_name(space, session) in self._names:
            raise StoreDamaged(f"The file of session {session!r} is damaged, so it is read but not written.", RESCUE)

    # The search index

    def removes(self, entry: Entry) -> bool:
        """Whether it takes something away that blocks may hold."""
        data = self._space(entry.space).sessions.get(entry.session)
        names = [*entry.drops, *((record.kind, record.key) for _, record in entry.records)]
        replaced = data is not None and any(name in data.records for name in names if name[0] in FED)
        return replaced or entry.target is not None or bool(entry.edited)

    def outline(self, space: str, block: int, until: int) -> int:
        """A checksum over what arrived in the space under the numbers of a block, as far as `until`."""
        with self._lock:
            inside = self._space(space)
            start = bisect_left(inside.line, block * BLOCK)
            end = min(until, block * BLOCK + BLOCK - 1)
            numbers = takewhile(lambda number: number <= end, inside.line[start : start + BLOCK])
            return crc32(repr([inside.named(number) for number in numbers if number in inside.arrived]).encode())

    # Asking

    def changed_files(self) -> Iterator[tuple[str, bytes]]:
        """The files that say less than is known, with what they should say. Those that are damaged stay as they are."""
        for (space, session), file in self.files.items():
            if file.changed and file.whole:
                inside = self._spaces[space]
                data = inside.sessions[session]
                numbered = zip(file.orders, data.messages, strict=True)
                records = [(inside.numbers.get((session, name), 0), record) for name, record in data.records.items()]
                yield file.name, session_bytes(space, data.info, numbered, file.damaged, records)

    def space_data(self, space: str) -> SpaceData:
        """All that a space holds."""
        return self._space(space)

    def counters_file(self) -> bytes:
        """What the file of counters should say."""
        spaces = self._spaces.items()
        return counters_bytes((name, *item) for name, space in spaces for item in space.counters.items())

    def all_records(self, space: str, session: str) -> list[Record]:
        """Every derived record of a session."""
        return list(self._spaces[space].sessions[session].records.values())

    def check(self, progress: Progress) -> Health:
        health = super().check(progress)
        found = self._findings()
        damaged = sum(finding.seq is not None for finding in found)
        return replace(health, messages=health.messages - damaged, findings=tuple(found))

    def _findings(self) -> list[Finding]:
        found = [*self.damage]
        found += [
            Finding(kind="unreadable", what=f"{name} does not prove whose it is, or holds a session twice.")
            for name in self.strays
        ]
        if self.miscounted:
            found.append(Finding(kind="checksum", what="Counters were changed; those begin again at 0."))
        for (space, session), file in self.files.items():
            data = self._spaces[space].sessions[session]
            if not file.whole:
                what = f"{file.name} does not hold what was written to it."
                found.append(Finding(kind="structure", what=what, space=space, session=session))
            if file.lost:
                what = f"Derived records in {file.name} were changed; they are left out, and can be made again."
                found.append(Finding(kind="checksum", what=what, space=space, session=session))
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
