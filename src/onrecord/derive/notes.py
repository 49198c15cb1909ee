"""What people and programs write into the memory by hand: pins, corrections of summaries, important data, ranges."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from onrecord.derive.compare_and_set import Written, written
from onrecord.derive.deriver import Models
from onrecord.derive.nodes import NodeMaker, record_of
from onrecord.derive.sources import RECIPE, Sources
from onrecord.derive.spending import Waits
from onrecord.derive.writer import ModelText, Writer
from onrecord.errors import InvalidInput, NotFound
from onrecord.guard import Guard
from onrecord.policy import important
from onrecord.policy.plans import DueNode, key_of
from onrecord.policy.trust import HAND, TRUST, origin_of
from onrecord.ports import Batch, Clock, Ids, Store
from onrecord.profiles import PROFILES
from onrecord.records import MANUAL, ImportantData, Message, Page, Pin, PinType, Query, Record, SessionInfo, Summary

__all__ = ["Notes"]

PAGE = 500
IMPORTANT = "important"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notes:
    """Writes and reads hand-made records in one store."""

    store: Store
    maker: NodeMaker
    ids: Ids
    clock: Clock
    writer: Callable[[], Writer]
    models: Models

    def pin(self, space: str, session: str, text: str, source: int | None, importance: float, type: PinType) -> Pin:
        """Pin a text; its origin is the message it comes from, or the hand that pinned it."""
        id = self.ids.new("pin")

        def pinned() -> Written:
            origin = HAND if source is None else origin_of(self._message(space, session, source))
            pin = Pin(
                id=id,
                session=session,
                text=text,
                source=source,
                importance=importance,
                type=type,
                tokens=self.maker.counter.text(text),
                origin=origin,
                trust=TRUST.get(origin, 0.0),
                time=self.clock(),
            )
            return [pin.record()], []

        return Pin.of(self._write(space, session, pinned))

    def pins(self, space: str, session: str) -> list[Pin]:
        """The most important first, then the newest."""
        found = [Pin.of(record) for record in self._all(space, session, Query(kind="pin"))]
        return sorted(found, key=lambda pin: (pin.importance, pin.time, pin.id), reverse=True)

    def unpin(self, space: str, session: str, id: str) -> None:
        self._one(space, session, "pin", id)
        self.store.commit(Batch(space=space, session=session, drops=[("pin", id)], time=self.clock()))

    def summaries(self, space: str, session: str, plan: str | None, level: int | None) -> Iterator[Summary]:
        """Summaries in the order of plan, level and messages; those without a text are left out."""
        usual = {MANUAL, self.maker.profile.strategy.plan, *(profile.strategy.plan for profile in PROFILES.values())}
        query = Query(kind="summary", plan=plan, level=level)
        if plan not in {None, *usual} and not self.store.records(space, session, replace(query, level=None, limit=1)):
            raise InvalidInput(f"There is no summary of a plan {plan!r}.", f"Usual are {', '.join(sorted(usual))}.")
        return (Summary.of(record) for record in self._all(space, session, query) if (record.body or {}).get("text"))

    def edit(self, space: str, session: str, id: str, text: str) -> Summary:
        """A person's correction: it locks the node, and what was made from it is to be made again."""

        def edited() -> Written:
            record = self._one(space, session, "summary", id)
            body = dict(record.body or {}) | {"text": text, "tokens": self.maker.counter.text(text), "method": HAND}
            changed = replace(record, body=body, locked=True, recipe=HAND, time=self.clock())
            if "memory" in body.get("state", {}):  # the plan goes on from how long it is now
                body["state"] = dict(body["state"]) | {"memory": self.maker.memory_tokens(changed)}
            above = [replace(node, body=None) for node in self._above(space, session, record)]
            return [changed, *above], [(one.kind, one.key) for one in self._later(space, session, record)]

        return Summary.of(self._write(space, session, edited))

    def add(self, space: str, session: str, first: int, last: int, text: str, data: ImportantData) -> Summary:
        """A summary that was made elsewhere. Where the plan extends one node and it covers all from the first message
        on, it is the plan's newest, and the work goes on from there; otherwise it is one of a range."""
        strategy = self.maker.profile.strategy

        def added() -> Written:
            info = self.store.session(space, session)
            page = Page(after=first - 1, before=last + 1, limit=last - first + 1)
            messages = [message for message in self.store.messages(space, session, page) if message.state == "kept"]
            if info is None or info.last_seq < last or not messages:
                raise NotFound(f"There are no messages from {first} to {last}.", "See history() for the numbers.")
            own = strategy.extends and first == 1
            nodes = list(self._all(space, session, Query(kind="summary", plan=strategy.plan, level=1))) if own else []
            earlier = [Summary.of(node).version for node in nodes if node.last < last]
            due = DueNode(first=first, last=last, until=last, version=max(earlier, default=0) + 1)
            days = Sources(messages=messages).days
            summary = Summary(
                id=key_of(session, strategy.plan, due) if own else self.ids.new("summary"),
                session=session,
                plan=strategy.plan if own else MANUAL,
                first=first,
                last=last,
                version=due.version,
                count=sum(message.role in ("user", "assistant") for message in messages),
                began=days[0],
                ended=days[1],
                text=text,
                tokens=self.maker.counter.text(text),
                method=HAND,
                locked=True,
                origins=(HAND,),
                trust=TRUST[HAND],
                data=data,
                time=self.clock(),
            )
            if not own:
                return [record_of(summary, last, False, {})], []
            record = record_of(summary, last, False, {"delta": data.to_dict()})
            state = strategy.begin(0) | {"at": last, "covered": last, "version": due.version}
            strategy.made(state, due, self.maker.memory_tokens(record))
            plan, now = strategy.plan, self.clock()
            mark = Record(session=session, kind="mark", plan=plan, key=plan, time=now, body=state)
            later = [("summary", node.key) for node in nodes if node.last >= last and node.key != record.key]
            return [replace(record, body={**(record.body or {}), "state": state}), mark], later

        return Summary.of(self._write(space, session, added))

    def lock(self, space: str, session: str, id: str, locked: bool) -> Summary:
        def set_lock() -> Written:
            return [replace(self._one(space, session, "summary", id), locked=locked)], []

        return Summary.of(self._write(space, session, set_lock))

    def of_range(self, space: str, session: str, first: int, last: int) -> tuple[Summary, str]:
        """A summary of the messages from `first` to `last`, and why a model did not write it if it should have."""
        id = self.ids.new("summary")
        trouble = ""
        told: dict[tuple[str, ...], ModelText | None] = {}  # what a model said, so that it is asked once

        def summed_up() -> Written:
            page = Page(after=first - 1, before=last + 1, limit=last - first + 1)
            messages = [message for message in self.store.messages(space, session, page) if message.state == "kept"]
            if not messages:
                raise NotFound(f"There are no messages from {first} to {last}.", "See history() for the numbers.")
            guard = Guard(self.store, space, session)
            asked = tuple(message.id for message in messages)
            nonlocal trouble
            if asked not in told:
                told[asked] = answer = self._told(space, session, messages, guard)
                trouble = "" if answer is None else answer.trouble

            def made(readable: list[Message]) -> Record:
                return self.maker.of_range(id, session, messages, self.clock(), told[asked], readable)

            record = guard.read(RECIPE, messages, made, lambda: made([]))
            return [record, *guard.marks], []

        return Summary.of(self._write(space, session, summed_up)), trouble

    def _told(self, space: str, session: str, messages: list[Message], guard: Guard) -> ModelText | None:
        model = self.models(self.store.session(space, session) or SessionInfo(id=session))
        task = guard.read(RECIPE, messages, self.maker.range_task, lambda: self.maker.range_task([]))
        if model is None or not task.turns:
            return None
        try:
            return self.writer().write(space, model, task, lambda: True)
        except Waits as waits:  # the range was asked for now: it is made without a model
            return ModelText(model=model.name, recipe="", refused=(waits.name,), trouble=waits.why)

    def newest(self, space: str, session: str, plan: str) -> Summary | None:
        """The newest summary over messages."""
        found = self.store.records(space, session, Query(kind="summary", plan=plan, level=1, newest=True, limit=1))
        return Summary.of(found[0]) if found and (found[0].body or {}).get("text") else None

    def important(self, space: str, session: str, plan: str) -> ImportantData:
        """All that must not be lost of the session, as far as its plan has come; nothing is capped."""
        override = self.store.records(space, session, Query(kind=IMPORTANT, limit=1))
        body = dict(override[0].body or {}) if override else {}
        at = int(body.get("at", 0))
        nodes = self._all(space, session, Query(kind="summary", plan=plan, level=1))
        bodies = [dict(node.body or {}) for node in nodes if node.last > at]
        parts = [ImportantData.from_dict(one.get("delta", one.get("data", {}))) for one in bodies]
        return important.merge_all([ImportantData.from_dict(body.get("data", {})), *parts])

    def set_important(self, space: str, session: str, data: ImportantData) -> None:
        """Replace what is known so far; what later messages bring is merged into it."""

        def replaced() -> Written:
            info = self.store.session(space, session)
            at = 0 if info is None else info.last_seq
            record = Record(
                session=session,
                kind=IMPORTANT,
                plan=MANUAL,
                key=IMPORTANT,
                locked=True,
                recipe=HAND,
                time=self.clock(),
                body={"data": data.to_dict(), "at": at},
            )
            return [record], []

        self._write(space, session, replaced)

    def _one(self, space: str, session: str, kind: str, id: str) -> Record:
        found = self.store.records(space, session, Query(kind=kind, key=id, limit=1))
        if not found:
            raise NotFound(f"There is no {kind} {id!r} in session {session!r}.", "Give the id that it was listed with.")
        return found[0]

    def _all(self, space: str, session: str, query: Query) -> Iterator[Record]:
        query = replace(query, limit=PAGE)
        while True:
            found = self.store.records(space, session, query)
            yield from found
            if len(found) < PAGE:
                return
            query = replace(query, beyond=found[-1].place)

    def _message(self, space: str, session: str, seq: int) -> Message:
        found = self.store.messages(space, session, Page(after=seq - 1, before=seq + 1, limit=1))
        if not found or found[0].state == "forgotten":
            raise NotFound(f"There is no message {seq} in session {session!r}.", "Give its number or its id.")
        return found[0]

    def _above(self, space: str, session: str, record: Record) -> Iterator[Record]:
        """The nodes that were made from this one, directly or not, unless a person locked them."""
        level = record.level + 1
        while True:
            query = Query(kind="summary", plan=record.plan, level=level, after=record.last - 1, limit=1)
            found = self.store.records(space, session, query)
            if not found or not found[0].first <= record.first or not found[0].fixed:
                return
            if not found[0].locked:
                yield found[0]
            level += 1

    def _later(self, space: str, session: str, record: Record) -> Iterator[Record]:
        """The versions that were built on this one, or merged it, unless a person locked them."""
        if record.plan == MANUAL:
            return
        level = record.level + 1 if record.fixed else record.level
        for one in self._all(space, session, Query(kind="summary", plan=record.plan, level=level)):
            later = one.last >= record.last if record.fixed else one.last > record.last
            if later and not one.fixed and not one.locked:
                yield one

    def _write(self, space: str, session: str, make: Callable[[], Written]) -> Record:
        """Write what is made of the session as it is; answers the first record."""
        return written(self.store, self.clock, space, session, lambda info: make())[0][0]
