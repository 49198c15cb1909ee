"""Keeps derived records up to date with what is written: notices when something is due, catches up, and rebuilds."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from time import monotonic, sleep
from typing import NamedTuple

from onrecord.derive.deriver import CHECKS, Deriver
from onrecord.derive.leases import AT_IT
from onrecord.derive.sources import RECIPE
from onrecord.errors import Outrun
from onrecord.policy.plans import PlannedMessage, State, Strategy
from onrecord.ports import Batch, Clock, Progress, Store
from onrecord.records import Query, Record, Role, Summary

__all__ = ["Caught", "Upkeep"]

SESSIONS = 10_000  # whose plan is followed in memory
OVERHEAD = 8  # tokens that a chat format adds at most; only a guess is needed to know when to look
PAGE = 500
LOOK = 0.05  # seconds between two looks whether another is done
PATIENCE = 300.0  # seconds that another is waited for


class Caught(NamedTuple):
    """What came of catching up."""

    made: list[Summary]
    waits: str = ""  # why something that is due was not made
    trouble: str = ""  # why a model did not write what was made, or not all of it


class Upkeep:
    """Runs the deriver when it has something to do."""

    def __init__(self, store: Store, deriver: Deriver, strategy: Strategy, clock: Clock) -> None:
        self._store = store
        self._deriver = deriver
        self._strategy = strategy
        self._clock = clock
        self._states: OrderedDict[tuple[str, str], State] = OrderedDict()
        self._lock = threading.Lock()

    def noticed(self, space: str, session: str, role: Role, seq: int, tokens: int, length: int) -> bool:
        """A message was added: says whether to catch up. The plan is followed in memory, so that nothing is read until
        a node is due; or may be, where what messages say decides."""
        with self._lock:
            state = self._states.pop((space, session), None)
        if state is not None and state["at"] == seq - 1:
            message = PlannedMessage(seq, role, tokens, tokens + OVERHEAD, (length + 3) // 4)
            if not list(self._strategy.step(state, message)) and not self._strategy.may_be_due(state):
                self._follow(space, session, state)
                return False
        return True

    def catch_up(
        self,
        space: str,
        session: str,
        *,
        rounds: int | None = None,
        progress: Progress | None = None,
        going: Callable[[], bool] = lambda: True,
        wait: bool = False,
        insist: bool = False,
        stops: Sequence[int] = (),
    ) -> Caught:
        """Run rounds until nothing is due, or so many, or as long as `going`. `wait`: for others that are at it;
        `insist`: also ask a model that had trouble all the same;
        `stops`: see `Deriver.round`."""
        made: list[Summary] = []
        trouble = ""
        end = monotonic() + PATIENCE  # by a clock that goes on, whatever the memory's does
        while (rounds is None or rounds > 0) and going():
            done = self._deriver.round(space, session, insist=insist, stops=stops)
            made += done.made
            trouble = done.trouble or trouble
            if done.waits is not None:
                if wait and done.waits.why == AT_IT and monotonic() < end:
                    sleep(min(LOOK, done.waits.seconds))
                    continue
                return Caught(made, done.waits.why, trouble)
            if not done.done and not done.made and not done.messages:
                raise Outrun(f"Others change session {session!r} without a pause.", "Try again.")
            if progress is not None:
                progress(done.messages)
            rounds = None if rounds is None else rounds - 1
            if done.done:
                if done.state is not None:
                    self._follow(space, session, done.state)
                break
        return Caught(made, "", trouble)

    def rebuild(self, space: str, session: str, progress: Progress) -> int:
        """Throw every derived record of a session away, all but hand-made and locked ones, and make it again."""
        self.forget(space, session)
        dropped = self._drop(space, session, kept=True)
        stops = sorted(record.until for record in dropped)  # versions are made again where they were
        return len(self.catch_up(space, session, progress=progress, wait=True, insist=True, stops=stops).made)

    def clear(self, space: str, session: str) -> int:
        """Throw all of this plan's records and all important data away, hand-made ones included."""
        self.forget(space, session)
        return len(self._drop(space, session, kept=False))

    def forget(self, space: str, session: str) -> None:
        """Follow the plan of a session no more; what is due is looked up at the next message."""
        with self._lock:
            self._states.pop((space, session), None)

    def _follow(self, space: str, session: str, state: State) -> None:
        with self._lock:
            self._states[space, session] = state
            if len(self._states) > SESSIONS:
                self._states.popitem(last=False)

    def _drop(self, space: str, session: str, *, kept: bool) -> list[Record]:
        """Take out what this plan made, all at once; with `kept`, not what a person locked or wrote, nor what that was
        built on. Returns the summaries and important data that went."""
        while True:
            info = self._store.session(space, session)
            gone = list(self._derived(space, session, kept))
            drops = [(record.kind, record.key) for record in gone]
            changes = 0 if info is None else info.changes
            batch = Batch(space=space, session=session, drops=drops, unless_changed=changes, time=self._clock())
            try:
                if drops:
                    self._store.commit(batch)
                return [record for record in gone if record.kind not in ("mark", "unreadable")]
            except Outrun:
                continue

    def _derived(self, space: str, session: str, kept: bool) -> Iterator[Record]:
        plan = self._strategy.plan
        summaries = list(self._all(space, session, Query(kind="summary", plan=plan)))
        locked = [record.last for record in summaries if record.locked and kept]
        built_on = max(locked, default=0) if self._strategy.extends else 0
        yield from self._all(space, session, Query(kind="mark", plan=plan))
        for recipe in (plan, RECIPE, CHECKS):
            yield from self._all(space, session, Query(kind="unreadable", plan=recipe))
        yield from (one for one in summaries if one.last > built_on and not (one.locked and kept))
        if not kept:
            yield from self._all(space, session, Query(kind="important"))

    def _all(self, space: str, session: str, query: Query) -> Iterator[Record]:
        query = replace(query, limit=PAGE)
        while found := self._store.records(space, session, query):
            yield from found
            query = replace(query, beyond=found[-1].place)
