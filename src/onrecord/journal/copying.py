"""Everything of one space out of one store into another: sessions, messages, what is derived from them, and counters.

Whatever the target has already is compared, not written again, so that copying may be stopped anywhere and run again,
and a second run takes over only what changed at the source. There are four rounds: sessions that both have are
compared; new messages are appended in the order in which they came to the source, with what was derived in sessions
that are new; other derived records are compared session by session; counters are set. Each commit costs a wait for the
disk or a server, so where many sessions take turns, order gives way within some hundred arrivals. Nothing is held in
memory but a page of each store, and a number for each session that is behind.

The source wins. What was forgotten there is forgotten here, and a derived record that is not there any more, because
it was made anew or taken back, goes here too. But:

- A message is never overwritten: where the target holds another one under the same number, copying stops.
- What was forgotten at the target stays forgotten, with what came of it.
- A session that has more messages at the target went on by itself. It keeps its derived records and what is known of
  it, and only gets those that it lacks; the counters of its space are only raised.
- A session that only the target has stays: nobody can tell one that was forgotten at the source from one of others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import Any

from onrecord.errors import Conflict, Outrun, StoreDamaged
from onrecord.journal.differences import Differences, paired
from onrecord.journal.merging import WRITTEN
from onrecord.journal.transfer import all_sessions
from onrecord.ports import TOMBSTONES, Batch, Progress, Store, Target, secrets_of
from onrecord.records import EPOCH, Arrival, Draft, Message, Page, Record, SessionInfo, digest
from onrecord.records.messages import Jsonable

__all__ = ["PLACES", "Copied", "copy_space"]

PLACES = ("learned",)
"""Counters whose value is a number of arrival: at the target the same message may have another one."""

BATCH = 500  # messages or records read or written at once
WINDOW = 1_000  # arrivals that are read at once
MOST_RUNS = 50  # commits for a window: where sessions take turns more often, each gets its part of the window at once
ATTEMPTS = 20  # at writing records of a session that others write to

_DRAFTED = tuple(part.name for part in fields(Draft) if part.name != "own_id")


@dataclass(frozen=True, slots=True, kw_only=True)
class Copied(Jsonable):
    """What copying did."""

    spaces: int = 0  # that were copied or compared
    sessions: int = 0  # of the source, in these
    present: int = 0  # messages that the target had already
    messages: int = 0  # that are new at the target, forgotten ones with their numbers too
    forgotten: int = 0  # that were forgotten at the target because they are at the source
    records: int = 0  # derived ones that were written
    removed: int = 0  # derived records that only the target had, and that went
    described: int = 0  # sessions of which something else is known now: a title, the importance of a message
    counters: int = 0  # that were set
    vectors: int = 0  # of the search index, that need not be made again
    ahead: int = 0  # sessions that went on by themselves at the target
    apart: int = 0  # sessions that only the target has

    def __add__(self, other: Copied) -> Copied:
        return Copied(**{part.name: getattr(self, part.name) + getattr(other, part.name) for part in fields(self)})

    @property
    def changed(self) -> bool:
        """Whether anything was written."""
        done = ("messages", "forgotten", "records", "removed", "described", "counters", "vectors")
        return any(getattr(self, name) for name in done)


def copy_space(source: Store, target: Store, space: str, progress: Progress) -> Copied:
    """Bring a space of one store into another; progress counts the source's messages. Raises Conflict where the target
    holds something else under the same number, and StoreDamaged where the source does not know what it held."""
    return _Copying(source, target, space, progress).run()


@dataclass(slots=True)
class _CopyBatch:
    """What goes to a session in one commit."""

    session: str
    drafts: list[Draft] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)


class _Copying:
    """One space on its way."""

    def __init__(self, source: Store, target: Store, space: str, progress: Progress) -> None:
        self._source = source
        self._target = target
        self._space = space
        self._progress = progress
        self._count: dict[str, int] = {"spaces": 1}
        self._upto: dict[str, int] = {}  # sessions that are behind: the newest number that the target has
        self._fresh: dict[str, int] = {}  # sessions that only we wrote to: their changes; 0: not made yet
        self._ahead: set[str] = set()  # sessions that went on by themselves
        self._born: dict[str, datetime] = {}  # when the sessions began that were there at first

    def run(self) -> Copied:
        self._compare_sessions()
        if self._upto:
            self._append_arrivals()
        for info in all_sessions(self._source, self._space):
            self._finish(info)
        self._set_counters()
        return Copied(**self._count)

    def _add(self, **done: int) -> None:
        for name, many in done.items():
            self._count[name] = self._count.get(name, 0) + many

    # What both have

    def _compare_sessions(self) -> None:
        both = paired(all_sessions(self._source, self._space), all_sessions(self._target, self._space), _id)
        for ours, theirs in both:
            if ours is None:
                self._add(apart=1)
                continue
            self._refuse_damaged(ours, ours.id)
            self._born[ours.id] = ours.created or EPOCH
            self._add(sessions=1)
            last = 0 if theirs is None else theirs.last_seq
            if theirs is None:
                self._fresh[ours.id] = 0
            elif last > ours.last_seq:
                self._ahead.add(ours.id)
                self._add(ahead=1)
            if last < ours.last_seq:
                self._upto[ours.id] = last
            if last:
                self._compare_messages(ours.id)

    def _compare_messages(self, session: str) -> None:
        """Refuse what differs; forget and score at the target as at the source."""
        page = Page(limit=BATCH, forgotten=True)
        while ours := self._source.messages(self._space, session, page):
            theirs = self._target.messages(self._space, session, replace(page, before=ours[-1].seq + 1))
            buried: dict[datetime, list[int]] = {}
            scores: dict[int, float] = {}
            for one, other in zip(ours, theirs, strict=False):
                if self._compare(one, other):
                    buried.setdefault(one.time, []).append(one.seq)
                elif one.state == other.state == "kept" and one.importance != other.importance:
                    scores[one.seq] = one.importance
            self._bury(session, buried)
            self._score(session, scores)
            self._add(present=len(theirs))
            self._progress(len(theirs))
            if len(theirs) < len(ours):
                return
            page = replace(page, after=ours[-1].seq)

    def _compare(self, ours: Message, theirs: Message) -> bool:
        """Whether a message is to be forgotten at the target; raises if the two are not the same."""
        self._refuse_damaged(theirs, ours.session, ours.seq)
        if ours == theirs or ours.state == "damaged":
            return False  # a sound copy of what is damaged by now is all that is left of it
        if ours.state == theirs.state == "kept":
            same = replace(theirs, importance=ours.importance) == ours
        else:
            same = self._is_buried(ours, theirs)
        if not same:
            raise self._conflict(ours.session, ours.seq)
        return ours.state == "forgotten" and theirs.state == "kept"

    def _is_buried(self, *pair: Message) -> bool:
        """Whether one of two messages is, or may be, the other's tombstone."""
        kept = [message for message in pair if message.state != "forgotten"]
        if not kept:
            return True  # two stores make digests that cannot be compared
        secrets = ("", *secrets_of(self._source, self._space), *secrets_of(self._target, self._space))
        return any(digest(kept[0].id, secret) in (pair[0].id, pair[1].id) for secret in secrets)

    def _bury(self, session: str, buried: dict[datetime, list[int]]) -> None:
        if buried:  # so that the digests are the same at both
            secrets = secrets_of(self._source, self._space)
            self._target.count(self._space, {}, {f"{TOMBSTONES}{secret}": 1 for secret in secrets})
        for time, seqs in buried.items():
            self._target.erase(Target(space=self._space, session=session, seqs=tuple(seqs), time=time))
            self._add(forgotten=len(seqs))

    def _score(self, session: str, scores: dict[int, float]) -> None:
        if scores and session not in self._ahead:
            info = self._source.session(self._space, session)
            if info is not None:
                self._target.commit(
                    Batch(space=self._space, session=session, scores=scores, time=info.created or EPOCH)
                )
                self._add(described=1)

    def _refuse_damaged(self, found: SessionInfo | Message, session: str, seq: int | None = None) -> None:
        if found.damaged if isinstance(found, SessionInfo) else found.state == "damaged":
            what = "What is known" if seq is None else f"Message {seq}"
            raise StoreDamaged(
                f"{what} of session {session!r} in space {self._space!r} is damaged, so it is not copied.",
                "What was copied before stays. Run `onrecord doctor` on both, rescue the damaged one, and copy that.",
            )

    def _refuse_another(self, info: SessionInfo) -> None:
        if self._born.get(info.id, info.created) != info.created:
            raise Conflict(
                f"Session {info.id!r} in space {self._space!r} was forgotten and begun anew at the source meanwhile.",
                "Forget it at the target, and copy again.",
            )

    def _conflict(self, session: str, seq: int) -> Conflict:
        return Conflict(
            f"Message {seq} of session {session!r} in space {self._space!r} is another one at the target than at the "
            "source. Nothing was overwritten.",
            "Copy to a new place; or, if the target's is not needed, forget that session there and copy again.",
        )

    # What is new, in the order in which it came

    def _append_arrivals(self) -> None:
        kinds = () if self._fresh else ("message",)  # records come with a new session; otherwise they are compared
        after = 0
        while page := self._source.feed(self._space, after, WINDOW, kinds):
            after = page[-1].number
            runs = list(self._runs(arrival.item for arrival in page))
            for run in runs if len(runs) <= MOST_RUNS else _merged(runs):
                self._write(run)

    def _runs(self, items: Iterable[Message | Record]) -> Iterator[_CopyBatch]:
        """What is new, in order, cut where the session changes, or where a message follows a record: within a commit
        messages come first."""
        run = _CopyBatch("")
        for item in items:
            drafts = self._drafts(item)
            records = [item] if isinstance(item, Record) and item.session in self._fresh else []
            if not (drafts or records):
                continue
            if run.session != item.session or (drafts and run.records):
                if run.session:
                    yield run
                run = _CopyBatch(item.session)
            run.drafts += drafts
            run.records += records
        if run.session:
            yield run

    def _drafts(self, item: Message | Record) -> list[Draft]:
        """What a session that is behind needs to have come as far as an arrival: a message, with those before it that
        are forgotten and come with no feed; before a record, those that it comes from."""
        upto = self._upto.get(item.session)
        seq = item.seq if isinstance(item, Message) else item.until
        if upto is None or seq <= upto:
            return []
        found = [item] if isinstance(item, Message) and seq == upto + 1 else self._between(item.session, upto, seq)
        self._upto[item.session] = found[-1].seq if found else upto
        return [self._draft(message) for message in found]

    def _between(self, session: str, after: int, last: int) -> list[Message]:
        found: list[Message] = []
        page = Page(after=after, before=last + 1, limit=BATCH, forgotten=True)
        while messages := self._source.messages(self._space, session, page):
            found += messages
            page = replace(page, after=messages[-1].seq)
        return found

    def _draft(self, message: Message) -> Draft:
        """The draft of a message as it stands: its store cleaned and counted it when it came."""
        self._refuse_damaged(message, message.session, message.seq)
        return Draft(**{name: getattr(message, name) for name in _DRAFTED})

    def _write(self, run: _CopyBatch) -> None:
        """Commit a run; what is known of a session comes with its first."""
        batch = Batch(space=self._space, session=run.session, drafts=run.drafts, records=run.records, time=EPOCH)
        changes = self._fresh.get(run.session)
        info = self._source.session(self._space, run.session)
        if info is None:
            return  # it was forgotten meanwhile
        self._refuse_another(info)
        if changes == 0:
            batch = replace(batch, info=_known(info), time=info.created or EPOCH)
        if changes is not None:
            batch = replace(batch, unless_changed=changes)
        try:
            self._commit(batch)
        except Outrun:  # others write to it as well: what is derived is compared later
            del self._fresh[run.session]
            self._commit(replace(batch, records=(), info={}, unless_changed=None))
            return
        if changes is not None:
            self._fresh[run.session] = changes + bool(batch.info or batch.records)
            self._add(records=len(run.records))

    def _commit(self, batch: Batch) -> None:
        try:
            placed = self._target.commit(batch)
        except Outrun:
            raise
        except Conflict as error:
            raise Conflict(f"In space {self._space!r}: {error.what}", error.hint) from None
        new = sum(place.earlier is None for place in placed)
        self._add(messages=new, present=len(placed) - new)
        self._progress(len(placed))

    # What is derived

    def _finish(self, info: SessionInfo) -> None:
        """What no feed brings: messages that are forgotten at the end, other records, and what is known of it."""
        there = self._target.session(self._space, info.id)
        self._refuse_another(info)
        if there is None:
            self._fresh[info.id] = 0
            self._write(_CopyBatch(info.id))
        elif info.id not in self._born:  # it began since we looked
            self._compare_messages(info.id)
        page = Page(after=0 if there is None else there.last_seq, limit=BATCH, forgotten=True)
        while messages := self._source.messages(self._space, info.id, page):
            self._write(_CopyBatch(info.id, [self._draft(message) for message in messages]))
            page = replace(page, after=messages[-1].seq)
        self._derive(info)
        there = self._target.session(self._space, info.id)
        if there is not None and info.id not in self._ahead and _known(there) != _known(info):
            self._commit(Batch(space=self._space, session=info.id, info=_known(info), time=info.created or EPOCH))
            self._add(described=1)

    def _derive(self, info: SessionInfo) -> None:
        """Make the derived records of a session what they are at the source."""
        for _ in range(ATTEMPTS):
            there = self._target.session(self._space, info.id)
            if there is None:
                return  # it was forgotten meanwhile
            alone = self._fresh.get(info.id) == there.changes
            records = Differences(
                self._source, self._target, self._space, info.id, ahead=info.id in self._ahead, alone=alone
            )
            try:
                written, dropped = records.settle(there)
            except Outrun:
                continue  # others changed it meanwhile, so all is judged anew
            self._add(records=written, removed=dropped)
            return
        raise Outrun(
            f"Session {info.id!r} in space {self._space!r} is written to by others all the time.", "Copy again later."
        )

    # Counters

    def _set_counters(self) -> None:
        ours, theirs = self._source.tally(self._space), self._target.tally(self._space)
        names = {name for name in ours.keys() | theirs.keys() if ours.get(name, 0) != theirs.get(name, 0)}
        changes = {name: ours.get(name, 0) - theirs.get(name, 0) for name in names.difference(PLACES)}
        at_least = {name: self._place(ours[name]) for name in names.intersection(PLACES, ours)}
        changes = {name: more for name, more in changes.items() if more > 0 or not name.startswith(TOMBSTONES)}
        if self._ahead:
            changes = {name: more for name, more in changes.items() if more > 0}
        at_least = {name: least for name, least in at_least.items() if least > theirs.get(name, 0)}
        if changes or at_least:
            self._target.count(self._space, changes, at_least)
            self._add(counters=len(changes) + len(at_least))

    def _place(self, number: int) -> int:
        """The number at the target of the newest message up to a number at the source, as far as both have the same
        messages in the same order."""
        found = 0
        ours = _arrivals(self._source, self._space)
        for one, other in zip(ours, _arrivals(self._target, self._space), strict=False):
            if one.number > number or _name(one) != _name(other):
                break
            found = other.number
        return found


def _id(info: SessionInfo) -> str:
    return info.id


def _known(info: SessionInfo) -> dict[str, Any]:
    return {name: getattr(info, name) for name in WRITTEN}


def _merged(runs: Iterable[_CopyBatch]) -> list[_CopyBatch]:
    """One run for each session: its messages, then its records."""
    found: dict[str, _CopyBatch] = {}
    for run in runs:
        one = found.setdefault(run.session, _CopyBatch(run.session))
        one.drafts += run.drafts
        one.records += run.records
    return list(found.values())


def _arrivals(store: Store, space: str) -> Iterator[Arrival]:
    after = 0
    while page := store.feed(space, after, WINDOW, ("message",)):
        yield from page
        after = page[-1].number


def _name(arrival: Arrival) -> tuple[str, object]:
    item = arrival.item
    return item.session, item.seq if isinstance(item, Message) else item.key
