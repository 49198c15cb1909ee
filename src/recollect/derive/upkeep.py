"""Keeps derived records up to date with what is written: notices when something is due, catches up, and rebuilds."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import replace

from recollect.derive.deriver import Deriver
from recollect.policy.plans import Seen, State, Strategy
from recollect.ports import Batch, Clock, Progress, Store
from recollect.records import MANUAL, Query, Record, Role, Summary

__all__ = ["Upkeep"]

SESSIONS = 10_000  # whose plan is followed in memory
OVERHEAD = 8  # tokens that a chat format adds at most; only a guess is needed to know when to look
PAGE = 500


class Upkeep:
    """Runs the deriver when it has something to do."""

    def __init__(self, store: Store, deriver: Deriver, strategy: Strategy, clock: Clock) -> None:
        self._store = store
        self._deriver = deriver
        self._strategy = strategy
        self._clock = clock
        self._states: OrderedDict[tuple[str, str], State] = OrderedDict()
        self._lock = threading.Lock()

    def noticed(self, space: str, session: str, role: Role, seq: int, tokens: int, length: int) -> None:
        """A message was added. The plan is followed in memory, so that nothing is read until a node is due."""
        with self._lock:
            state = self._states.pop((space, session), None)
        if state is not None and state["at"] == seq - 1:
            message = Seen(seq, role, tokens, tokens + OVERHEAD, (length + 3) // 4)
            if not list(self._strategy.step(state, message)):
                self._follow(space, session, state)
                return
        self.catch_up(space, session, rounds=1)

    def catch_up(
        self, space: str, session: str, *, rounds: int | None = None, progress: Progress | None = None
    ) -> list[Summary]:
        """Run rounds until nothing is due, or so many; answers the nodes that were made."""
        made: list[Summary] = []
        while rounds is None or rounds > 0:
            done = self._deriver.round(space, session)
            made += done.made
            if progress is not None:
                progress(done.messages)
            rounds = None if rounds is None else rounds - 1
            if done.done:
                if done.state is not None:
                    self._follow(space, session, done.state)
                break
        return made

    def rebuild(self, space: str, session: str, progress: Progress) -> int:
        """Throw every derived record of a session away, all but hand-made and locked ones, and make it again."""
        self.forget(space, session)
        for page in self._derived(space, session):
            drops = [(record.kind, record.key) for record in page]
            self._store.commit(Batch(space=space, session=session, drops=drops, time=self._clock()))
        return len(self.catch_up(space, session, progress=progress))

    def clear(self, space: str, session: str) -> int:
        """Throw all of this plan's records and all important data away, hand-made ones included."""
        self.forget(space, session)
        gone = 0
        for kind, plan in (("mark", self._strategy.plan), ("summary", self._strategy.plan), ("important", None)):
            while found := self._store.records(space, session, Query(kind=kind, plan=plan, limit=PAGE)):
                drops = [(record.kind, record.key) for record in found]
                self._store.commit(Batch(space=space, session=session, drops=drops, time=self._clock()))
                gone += len(found) if kind != "mark" else 0
        return gone

    def forget(self, space: str, session: str) -> None:
        """Follow the plan of a session no more; what is due is looked up at the next message."""
        with self._lock:
            self._states.pop((space, session), None)

    def _follow(self, space: str, session: str, state: State) -> None:
        with self._lock:
            self._states[space, session] = state
            if len(self._states) > SESSIONS:
                self._states.popitem(last=False)

    def _derived(self, space: str, session: str) -> list[list[Record]]:
        """Pages of what is to be made again."""
        pages: list[list[Record]] = []
        corrected = self._corrected(space, session)
        for kind in ("mark", "summary"):
            query = Query(kind=kind, limit=PAGE)
            while found := self._store.records(space, session, query):
                pages.append([one for one in found if one.plan != MANUAL and not one.locked and one.last > corrected])
                query = replace(query, beyond=found[-1].place)
        return [page for page in pages if page]

    def _corrected(self, space: str, session: str) -> int:
        """What the newest version that a person corrected covers, where one node extends: it was built on those before
        it, so these stay."""
        if not self._strategy.extends:
            return -1
        query = Query(kind="summary", plan=self._strategy.plan, level=1, limit=PAGE)
        corrected = -1
        while found := self._store.records(space, session, query):
            corrected = max([corrected, *(one.last for one in found if one.locked)])
            query = replace(query, beyond=found[-1].place)
        return corrected
