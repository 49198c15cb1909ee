"""Everything of one space out of one store into another: sessions, messages, what is derived from them, and counters.

Session after session, whatever the target has already is compared, not written again, so that copying may be stopped
anywhere and run again, and a second run takes over only what changed at the source. Nothing is held in memory but a
page of each store.

The source wins. What was forgotten there is forgotten here, and a derived record that is not there any more, because
it was made again or taken back, goes here too. But:

- A message is never overwritten: where the target holds another one under the same number, copying stops.
- What was forgotten at the target stays forgotten, with what came of it.
- A session that has more messages at the target went on by itself. It keeps its derived records and what is known of
  it, and only gets those that it lacks; the counters of its space are only raised.
- A session that only the target has stays: it may be one that was forgotten at the source, or one of others.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields, replace
from datetime import datetime
from itertools import islice
from typing import Any

from onrecord.errors import Conflict, Outrun, StoreDamaged
from onrecord.journal.contents import all_messages, all_sessions, keep_secrets, paired
from onrecord.journal.differences import Differences
from onrecord.journal.merging import WRITTEN, Arrivals
from onrecord.ports import TOMBSTONES, Batch, Progress, Store, Target, secrets_of
from onrecord.records import EPOCH, Draft, Message, SessionInfo, digest
from onrecord.records.messages import Jsonable

__all__ = ["PLACES", "Copied", "copy_space"]

PLACES = ("learned",)
"""Counters whose value is a number of arrival. They are not copied: the same message has another one at the target."""

BATCH = 500  # messages compared at once
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
    """Bring a space of one store into another; progress counts the source's messages.

    Raises `Conflict` where the target holds something else under the same number, and `StoreDamaged` where the source
    does not know what it held.
    """
    count = Counter(spaces=1)
    for ours, theirs in paired(all_sessions(source, space), all_sessions(target, space), _id):
        if ours is None:
            count["apart"] += 1
        else:
            count.update(_SessionCopy(source, target, space, ours, theirs, progress).run())
    count["counters"] += _set_counters(source, target, space, raised_only=count["ahead"] > 0)
    return Copied(**count)


class _SessionCopy:
    """One session on its way."""

    def __init__(
        self,
        source: Store,
        target: Store,
        space: str,
        ours: SessionInfo,
        theirs: SessionInfo | None,
        progress: Progress,
    ) -> None:
        self._source = source
        self._target = target
        self._space = space
        self._info = ours
        self._last = 0 if theirs is None else theirs.last_seq  # number at the target
        self._ahead = self._last > ours.last_seq
        self._progress = progress
        self._count = Counter(sessions=1, ahead=int(self._ahead))

    def run(self) -> Counter[str]:
        if self._info.damaged:
            raise self._damaged("What is known")
        if self._last:
            self._compare_messages()
        self._append()
        self._derive()
        there = self._target.session(self._space, self._info.id)
        if there is not None and not self._ahead and _known(there) != _known(self._info):
            self._commit(info=_known(self._info))
        return self._count

    def _commit(self, **parts: Any) -> None:
        time = self._info.created or EPOCH
        self._target.commit(Batch(space=self._space, session=self._info.id, time=time, **parts))
        self._count["described"] += 1

    # What both have

    def _compare_messages(self) -> None:
        """Refuse what differs; forget and score at the target as at the source."""
        pairs = zip(
            all_messages(self._source, self._space, self._info.id),
            all_messages(self._target, self._space, self._info.id),
            strict=False,
        )
        while page := list(islice(pairs, BATCH)):
            buried: dict[datetime, list[int]] = {}
            scores: dict[int, float] = {}
            for ours, theirs in page:
                if self._is_to_be_forgotten(ours, theirs):
                    buried.setdefault(ours.time, []).append(ours.seq)
                elif ours.state == theirs.state == "kept" and ours.importance != theirs.importance:
                    scores[ours.seq] = ours.importance
            self._bury(buried)
            if scores and not self._ahead:
                self._commit(scores=scores)
            self._count["present"] += len(page)
            self._progress(len(page))

    def _is_to_be_forgotten(self, ours: Message, theirs: Message) -> bool:
        """Return whether a message goes at the target. Raises `Conflict` if the two are not the same."""
        if theirs.state == "damaged":
            raise self._damaged(f"Message {ours.seq}")
        if ours == theirs or ours.state == "damaged":
            return False  # a sound copy of what is damaged by now is all that is left of it
        if ours.state == theirs.state == "kept":
            same = replace(theirs, importance=ours.importance) == ours
        else:
            same = self._may_be_one(ours, theirs)
        if not same:
            raise Conflict(
                f"Message {ours.seq} of session {self._info.id!r} in space {self._space!r} is another one at the "
                "target than at the source. Nothing was overwritten.",
                "Copy to a new place; or, if the target's is not needed, forget that session there and copy again.",
            )
        return ours.state == "forgotten" and theirs.state == "kept"

    def _may_be_one(self, *pair: Message) -> bool:
        """Return whether one of two messages is, or may be, the other's tombstone."""
        kept = [message for message in pair if message.state != "forgotten"]
        if not kept:
            return True  # two stores make digests that cannot be compared
        secrets = ("", *secrets_of(self._source, self._space), *secrets_of(self._target, self._space))
        return any(digest(kept[0].id, secret) in (pair[0].id, pair[1].id) for secret in secrets)

    def _bury(self, buried: dict[datetime, list[int]]) -> None:
        if buried:  # so that the digests are the same at both
            keep_secrets(self._target, self._space, secrets_of(self._source, self._space))
        for time, seqs in buried.items():
            self._target.erase(Target(space=self._space, session=self._info.id, seqs=tuple(seqs), time=time))
            self._count["forgotten"] += len(seqs)

    # What is new

    def _append(self) -> None:
        arrivals = Arrivals(self._target, self._progress)
        try:
            arrivals.begin(self._space, self._info)
            messages = all_messages(self._source, self._space, self._info.id, self._last)
            while page := list(islice(messages, BATCH)):
                self._refuse_another()  # after reading: what was read is of the session that is copied
                for message in page:
                    arrivals.add(self._draft(message))
                arrivals.write()
        except Conflict as error:
            raise Conflict(f"In space {self._space!r}: {error.what}", error.hint) from None
        self._count["messages"] += arrivals.report.added
        self._count["present"] += arrivals.report.present

    def _refuse_another(self) -> None:
        now = self._source.session(self._space, self._info.id)
        if now is not None and now.created != self._info.created:
            raise Conflict(
                f"Session {self._info.id!r} was forgotten and begun again at the source meanwhile.",
                "Forget it at the target, and copy again.",
            )

    def _draft(self, message: Message) -> Draft:
        """Return the draft of a message as it stands: its store cleaned and counted it when it came."""
        if message.state == "damaged":
            raise self._damaged(f"Message {message.seq}")
        return Draft(**{name: getattr(message, name) for name in _DRAFTED})

    def _derive(self) -> None:
        """Make the derived records of a session what they are at the source."""
        for _ in range(ATTEMPTS):
            there = self._target.session(self._space, self._info.id)
            if there is None:
                return  # it was forgotten meanwhile
            records = Differences(self._source, self._target, self._space, self._info.id, ahead=self._ahead)
            try:
                written, dropped = records.settle(there)
            except Outrun:
                continue  # others changed it meanwhile, so all is judged again
            self._count.update(records=written, removed=dropped)
            return
        raise Outrun(
            f"Session {self._info.id!r} in space {self._space!r} is written to by others all the time.",
            "Copy again later.",
        )

    def _damaged(self, what: str) -> StoreDamaged:
        return StoreDamaged(
            f"{what} of session {self._info.id!r} in space {self._space!r} is damaged, so it is not copied.",
            "What was copied before stays. Run `onrecord doctor` on both, rescue the damaged one, and copy that.",
        )


def _set_counters(source: Store, target: Store, space: str, *, raised_only: bool) -> int:
    """Set the counters of the target, and return how many changed. Those of tombstones are only raised."""
    ours, theirs = source.tally(space), target.tally(space)
    changes = {name: ours.get(name, 0) - theirs.get(name, 0) for name in (ours | theirs).keys() - {*PLACES}}
    changes = {
        name: change
        for name, change in changes.items()
        if change > 0 or (change < 0 and not raised_only and not name.startswith(TOMBSTONES))
    }
    if changes:
        target.count(space, changes)
    return len(changes)


def _id(info: SessionInfo) -> str:
    return info.id


def _known(info: SessionInfo) -> dict[str, Any]:
    return {name: getattr(info, name) for name in WRITTEN}
