"""Brings a session's summary nodes up to date with its journal, in bounded rounds.

A round reads what is stored (a mark that says how far the plan was folded), goes on from there, makes the nodes that
are due, and commits them together with the new mark, on condition that nobody changed the session meanwhile. So the
effect is once, however often it is run; killed in between, nothing happened. Where a model writes, a round commits
after each node, so that little is asked for twice.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import replace
from functools import cached_property, partial
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from onrecord.derive.leases import Claims, Lease
from onrecord.derive.rounds import Round, SessionRound, UncommittedText
from onrecord.derive.seeing import Seeing
from onrecord.derive.sources import RECIPE, Sources
from onrecord.derive.spending import LIMIT, UNCHECKED, Waits
from onrecord.errors import Outrun
from onrecord.guard import Guard
from onrecord.policy.plans import FROM_MESSAGES, DueNode, PlannedMessage, State, claim_of, key_of, resumed
from onrecord.policy.trust import HAND
from onrecord.ports import Batch, Clock, Model, Store
from onrecord.profiles import Profile
from onrecord.records import Message, Page, Query, Record, SessionInfo, Summary, digest

if TYPE_CHECKING:
    from onrecord.derive.nodes import NodeMaker
    from onrecord.derive.writer import ModelText, Task, Writer

__all__ = ["MOST_EMPTIED", "Deriver", "Models"]

Models = Callable[[SessionInfo], Model | None]
"""Which model writes for a session."""

MOST_EMPTIED = 1_000_000
"""Emptied nodes that are listed."""

MESSAGES = 400  # that a round folds
REPAIRS = 100  # emptied nodes that a round makes again
ATTEMPTS = 20  # when others change the session in between
RESTS = "rests"  # why a claim is not let go of
CHECKS = "checks"  # the recipe that a mark names where the check of a model's text could not read its sources
REMEMBERED = 64  # texts of models that are not committed yet

_T = TypeVar("_T")


class Deriver:
    """Makes the nodes of one profile's plan in one store."""

    def __init__(
        self,
        store: Store,
        profile: Profile,
        clock: Clock,
        tools: Callable[[], tuple[NodeMaker, Writer]],
        models: Models = lambda info: None,
    ) -> None:
        self._store = store
        self._profile = profile
        self._clock = clock
        self._strategy = profile.strategy
        self._plan = profile.strategy.plan
        self._tools = tools  # what makes nodes: the summariser is not loaded until one is due
        self._models = models
        self._claims = Claims(store, clock)
        self._known: OrderedDict[tuple[str, str, str], UncommittedText] = OrderedDict()  # by space, session and node

    @cached_property
    def _maker(self) -> NodeMaker:
        return self._tools()[0]

    @cached_property
    def _writer(self) -> Writer:
        return self._tools()[1]

    def round(self, space: str, session: str, *, insist: bool = False, stops: Sequence[int] = ()) -> Round:
        """One bounded round; run it until it is done. `stops`: messages up to which versions of a node that extends
        were made before, so that the same ones come about."""
        for _ in range(ATTEMPTS):
            try:
                return self._round(space, session, insist, stops)
            except Outrun:
                continue  # someone else wrote: what is due is looked at again
            except Waits as waits:
                return Round(waits=waits)
        return Round(done=False)

    def due(self, space: str, session: str) -> Iterator[tuple[int, int]]:
        """The ranges for which a node is due, as far as they follow from the journal alone."""
        work = self._begin(space, session)
        if work is None:
            return
        yield from [(record.first, record.last) for record in self._emptied(work, MOST_EMPTIED)]
        yield from [(due.first, due.last) for due in self._lost(work)]
        found = (due for _, seen in self._seen(work) for due in self._strategy.step(work.state, seen))
        # The next version of a node that extends depends on how long this one becomes.
        yield from ((due.first, due.last) for due in islice(found, 1 if self._strategy.extends else None))

    def covered(self, space: str, session: str) -> int:
        """Number of the newest message that a node covers."""
        found = self._store.records(space, session, self._query(level=1, newest=True, limit=1))
        return found[0].last if found else 0

    def _round(self, space: str, session: str, insist: bool, stops: Sequence[int]) -> Round:
        work = self._begin(space, session)
        if work is None:
            return Round()
        work.insist, work.stops = insist, stops
        before = deepcopy(work.state)
        repaired = self._repair(work)
        folded, done = (0, False) if repaired else self._fold(work)
        if work.made or work.guard.marks or (not done and work.state != before):
            self._commit(work, before)
        summaries = tuple(Summary.of(record) for record in work.made.values())
        state = work.state if done else None
        return Round(made=summaries, messages=folded, done=done, state=state, trouble=work.trouble)

    def _fold(self, work: SessionRound) -> tuple[int, bool]:
        """Take in messages and make the nodes that are due; says how many messages, and whether those were all.

        Where one node extends, only a node says how far the plan came, so the round goes on until there is one."""
        folded = 0
        for message, seen in self._seen(work):
            folded += 1
            if len(work.read) > MESSAGES:
                work.read.clear()
            work.read[message.seq] = message
            for due in self._strategy.step(work.state, seen):
                record = self._make(work, due)
                if self._strategy.extends:
                    self._strategy.made(work.state, due, self._maker.memory_tokens(record))
                self._remember_state(work, record)
            enough = folded >= MESSAGES and (work.made or not self._strategy.extends)
            if enough or (work.made and work.claim is not None):
                return folded, False
        return folded, True

    def _begin(self, space: str, session: str) -> SessionRound | None:
        info = self._store.session(space, session)
        if info is None:
            return None
        system = self._maker.counter.text(info.system or "") if info.system else 0
        marks = self._store.records(space, session, Query(kind="mark", key=self._plan))
        state = resumed(self._strategy, system, marks[0].body if marks else None, info.last_seq)
        work = SessionRound(space, info, state, Guard(self._store, space, info.id))
        if self._strategy.extends:
            self._rewind(work, system)
        if "system" in work.state:
            work.state["system"] = system
        return work

    def _rewind(self, work: SessionRound, system: int) -> None:
        """A node that extends knows itself how the plan stood: forgetting may have removed newer ones, and a person may
        have made it longer or shorter."""
        newest = self._newest(work)
        kept = newest.body if newest is not None else None
        work.state = resumed(self._strategy, system, (kept or {}).get("state"), work.info.last_seq)

    def _repair(self, work: SessionRound) -> bool:
        """Make again what forgetting emptied or removed; says whether there was anything."""
        for record in self._emptied(work, REPAIRS):
            self._make(work, self._as_planned(work, record), record.key)
            if work.claim is not None:
                return True
        if work.made:
            return True
        for due in islice(self._lost(work), REPAIRS):
            self._make(work, due)
            if work.claim is not None:
                return True
        return bool(work.made)

    def _lost(self, work: SessionRound) -> Iterator[DueNode]:
        """What forgetting removed, of nodes that merge others."""
        merged = self._store.records(work.space, work.info.id, self._query(level=2, newest=True, limit=1))
        return self._strategy.lost(work.state, merged[0].last if merged else 0)

    def _as_planned(self, work: SessionRound, record: Record) -> DueNode:
        """An emptied node as the plan would ask for it."""
        return DueNode(
            first=record.first,
            last=record.last,
            until=record.until,
            level=record.level,
            fixed=record.fixed,
            of_nodes=record.level > FROM_MESSAGES,
            number=self._number(work, record) if "nodes" in work.state and record.level == 1 else 0,
        )

    def _number(self, work: SessionRound, record: Record) -> int:
        """The number of an emptied node: one more than that of the node before it."""
        before = self._nodes(work, 1, record.first - 1, record.first - 1)
        return int((before[-1].body or {}).get("number", 0)) + 1 if before else 1

    def _make(self, work: SessionRound, due: DueNode, key: str | None = None) -> Record:
        """The node that is due: the one that a person locked, or a new one."""
        name = key or key_of(work.info.id, self._plan, due)
        held = self._held(work, name)
        if held is not None:
            return held
        sources, task = self._task(work, due)
        told = self._told(work, name, task)
        if told is not None and told.trouble:
            work.trouble = told.trouble
        if told is not None and UNCHECKED in told.refused:
            work.guard.mark(CHECKS, sources.messages, UNCHECKED)
        record = self._of_readable(
            work, sources, lambda left: self._maker.node(work.info.id, due, left, self._clock(), key, told)
        )
        work.made[record.key] = record
        return record

    def _task(self, work: SessionRound, due: DueNode) -> tuple[Sources, Task]:
        """What a node is made from, as far as it can be read, and what a model would be asked for."""
        model = self._models(work.info)

        def made(left: Sources) -> tuple[Sources, Task]:
            task = self._maker.task(due, left)
            if model is not None and task.sources:
                self._writer.call(model, task)  # what a model would be sent can be written
            return left, task

        return self._of_readable(work, self._sources(work, due), made)

    def _of_readable(self, work: SessionRound, sources: Sources, make: Callable[[Sources], _T]) -> _T:
        """What is made of sources, without the messages that cannot be read."""
        return work.guard.read(
            RECIPE,
            sources.messages,
            lambda messages: make(replace(sources, messages=messages)),
            lambda: make(sources.without_texts()),
        )

    def _held(self, work: SessionRound, key: str) -> Record | None:
        """The node of this key that a person locked."""
        found = self._store.records(work.space, work.info.id, Query(kind="summary", key=key))
        return found[0] if found and found[0].locked and found[0].body is not None else None

    def _told(self, work: SessionRound, node: str, task: Task) -> ModelText | None:
        """What a model makes of a task; None where there is no model, or nothing to say."""
        model = self._models(work.info)
        if model is None or not task.sources:
            return None
        if work.claim is None:
            work.claim = self._claims.take(work.space, work.info, self._plan, insist=work.insist)
        place = (work.space, work.info.id, node)
        asked = digest("\0".join((model.name, *task.sources)))
        answer = self._known.get(place)
        try:
            if answer is None or answer.asked != asked:
                told = self._ask(work.space, work.claim, node, model, task)
                answer = self._known[place] = UncommittedText(
                    asked, told, not (self._profile.model_data and task.turns)
                )
                while len(self._known) > REMEMBERED:
                    self._known.popitem(last=False)
            if not answer.noted:
                calling = partial(self._claims.calling, work.claim, f"{node} data")
                data, why = self._writer.note(work.space, model, task, calling)
                refused = (*answer.told.refused, f"data_{why}") if why else answer.told.refused
                answer.told = replace(answer.told, data=data or answer.told.data, refused=refused)
                answer.noted = True
        except Outrun:
            raise
        except BaseException as error:
            if not isinstance(error, Waits) or error.name != RESTS:
                self._claims.let_go(work.claim)
            raise
        finally:
            work.info = work.claim.info
        return answer.told

    def _ask(self, space: str, claim: Lease, node: str, model: Model, task: Task) -> ModelText:
        told = self._writer.write(space, model, task, partial(self._claims.calling, claim, node))
        if not told.text and self._profile.otherwise == "wait" and LIMIT not in told.refused:
            raise Waits(self._claims.give_up(claim, told.trouble), name=RESTS)
        return told

    def _remember_state(self, work: SessionRound, record: Record) -> None:
        """An extending node knows how the plan stood after it: forgetting may take the later ones away."""
        if self._strategy.extends and record.key in work.made:
            body: dict[str, Any] = dict(record.body or {}) | {"state": deepcopy(work.state)}
            work.made[record.key] = replace(record, body=body)

    def _sources(self, work: SessionRound, due: DueNode) -> Sources:
        before = self._before(work, due) if due.fresh else None
        first = due.fresh or due.first
        nodes = self._nodes(work, due.level - 1, first, due.last) if due.level > 1 else []
        corrected = any(node.recipe == HAND for node in nodes)  # by a person: the messages do not know it
        messages = [] if due.of_nodes or corrected else self._messages(work, first, due.last)
        return Sources(messages=messages, nodes=nodes, before=before, since=self._since(work))

    def _since(self, work: SessionRound) -> int:
        """Up to which message important data were replaced by hand: what nodes know from before is not carried on."""
        found = self._store.records(work.space, work.info.id, Query(kind="important", limit=1))
        return int((found[0].body or {}).get("at", 0)) if found else 0

    def _before(self, work: SessionRound, due: DueNode) -> Record | None:
        """The version before this one."""
        mine = [record for record in work.made.values() if record.level == due.level and record.last < due.last]
        query = self._query(level=due.level, before=due.last, newest=True, limit=1)
        found = [*mine[-1:], *self._store.records(work.space, work.info.id, query)]
        return max(found, key=lambda record: record.last, default=None)

    def _nodes(self, work: SessionRound, level: int, first: int, last: int) -> list[Record]:
        query = self._query(level=level, after=first - 1, before=last + 1)
        found = {record.key: record for record in self._store.records(work.space, work.info.id, query)}
        found |= {
            key: record for key, record in work.made.items() if record.level == level and first <= record.last <= last
        }
        return sorted((record for record in found.values() if record.body is not None), key=lambda record: record.last)

    def _messages(self, work: SessionRound, first: int, last: int) -> list[Message]:
        if first not in work.read or last not in work.read:
            page = Page(after=first - 1, before=last + 1, limit=last - first + 1)
            return [
                message for message in self._store.messages(work.space, work.info.id, page) if message.state == "kept"
            ]
        found = (work.read.get(seq) for seq in range(first, last + 1))
        return [message for message in found if message is not None and message.state == "kept"]

    def _tail(self, work: SessionRound) -> Iterator[Message]:
        """The messages that the plan has not seen, tombstones included."""
        page = Page(after=work.state["at"], limit=MESSAGES, forgotten=True)
        while messages := self._store.messages(work.space, work.info.id, page):
            yield from messages
            page = Page(after=messages[-1].seq, limit=MESSAGES, forgotten=True)

    def _seen(self, work: SessionRound) -> Iterator[tuple[Message, PlannedMessage]]:
        """The messages that the plan has not seen, and what it sees of them."""
        sees = Seeing(
            self._strategy.reads,
            partial(self._store.messages, work.space, work.info.id),
            partial(work.guard.read, self._plan),
        )
        tail = self._tail(work)
        message = next(tail, None)
        while message is not None:
            stop = next((stop for stop in work.stops if stop >= message.seq), None)
            waiting = message.seq - self._strategy.covered(work.state)
            looks = self._strategy.extends and (waiting < MESSAGES if stop is None else message.seq < stop)
            later = next(tail, None) if looks else None
            yield message, sees(message)._replace(more=later is not None)
            message = later or next(tail, None)

    def _emptied(self, work: SessionRound, limit: int) -> list[Record]:
        return self._store.records(work.space, work.info.id, self._query(empty=True, limit=limit))

    def _newest(self, work: SessionRound) -> Record | None:
        found = self._store.records(work.space, work.info.id, self._query(level=1, newest=True, limit=1))
        return found[0] if found else None

    def _query(self, **parts: Any) -> Query:
        return Query(kind="summary", plan=self._plan, **parts)

    def _commit(self, work: SessionRound, before: State) -> None:
        now = self._clock()
        mark = Record(
            session=work.info.id, kind="mark", plan=self._plan, key=self._plan, time=now, body=deepcopy(work.state)
        )
        batch = Batch(
            space=work.space,
            session=work.info.id,
            records=[*work.made.values(), *work.guard.marks, *([mark] if work.state != before else [])],
            drops=[("mark", claim_of(self._plan))] if work.made else [],  # whoever held it, and whatever trouble it had
            unless_changed=work.info.changes,
            born=work.info.created,
            time=now,
        )
        self._store.commit(batch)
        for key in work.made:
            self._known.pop((work.space, work.info.id, key), None)
