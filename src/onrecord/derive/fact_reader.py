"""Has a model read messages for facts, a fixed group of them at a time, beside the rules.

A group is read when all its messages are there; a mark says how far. Only what a message supports is kept, and what the
rules found in the same message is not taken twice. Whatever fails, the rules' facts stand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from onrecord.derive.leases import Claims, Lease
from onrecord.derive.spending import Bill, DryRunCall, Spending, Waits
from onrecord.derive.told_facts import SCHEMA, ExtractedFact, told_facts
from onrecord.errors import ModelError, ModelUnreachable, Outrun
from onrecord.guard import Guard
from onrecord.policy.automatic import plainly_said
from onrecord.policy.checks import clean_reply
from onrecord.policy.display import enclosed
from onrecord.policy.pasted import own_words
from onrecord.policy.plans import claim_of
from onrecord.policy.secrets import redacted
from onrecord.policy.terms import terms
from onrecord.policy.trust import INDIRECT, TRUST, origin_of, speaker_of
from onrecord.policy.validity import fact_ids
from onrecord.ports import Batch, Clock, Counter, Model, Reply, Store
from onrecord.prompts import prompt
from onrecord.records import FACT_IMPORTANCE, Fact, Message, Page, Query, Record, SessionInfo

__all__ = ["READ", "FactReader"]

READ = "facts-read"
"""The key of the mark, and the name of the plan to the claims."""

GROUP = 12  # messages that are read together
ANSWER = 900  # tokens of an answer
LONGEST = 4_000  # characters of a message that are shown
LONGEST_ANSWER = 100_000
EXPECTED = 30  # tokens of an answer for each message of a person: a fact for every second one
CONFIDENCE = 0.75
ALIKE = 0.6  # share of a fact's words that another of the same message has, for both to say the same
ATTEMPTS = 20

Models = Callable[[SessionInfo], Model | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class FactReader:
    """Reads the sessions of one store."""

    store: Store
    clock: Clock
    counter: Counter
    spending: Spending
    models: Models
    claims: Claims

    def catch_up(
        self, space: str, session: str, *, insist: bool = False, going: Callable[[], bool] = lambda: True
    ) -> str:
        """Read every group that is whole; answers why one was not read, if something is in its way."""
        for _ in range(ATTEMPTS):
            try:
                while going() and self._next(space, session, insist):
                    pass
                return ""
            except Outrun:
                continue
            except Waits as waits:
                return waits.why
        return ""

    def estimate(self, space: str, session: str, bill: Bill) -> int:
        """How many groups a model would be asked to read; the calls come on the bill."""
        info = self.store.session(space, session)
        if info is None or self.models(info) is None:
            return 0
        before = bill.calls
        try:
            for at in range(self._at(space, session), info.last_seq - GROUP + 1, GROUP):
                messages, said = self._group(space, session, at)
                if said:
                    guard = Guard(self.store, space, session)
                    given: list[dict[str, str]] = guard.read(READ, messages, _given, list)
                    sent = self._sent(given)
                    bill.takes(DryRunCall(sent, ANSWER, "", EXPECTED * len(said)))
        except Waits:
            pass
        return bill.calls - before

    def _at(self, space: str, session: str) -> int:
        marks = self.store.records(space, session, Query(kind="mark", key=READ))
        return int((marks[0].body or {}).get("at", 0)) if marks else 0

    def _next(self, space: str, session: str, insist: bool) -> bool:
        """Read the next group; says whether there was one."""
        info = self.store.session(space, session)
        model = None if info is None else self.models(info)
        if info is None or model is None:
            return False
        at = self._at(space, session)
        if info.last_seq < at + GROUP:
            return False
        messages, said = self._group(space, session, at)
        records: list[Record] = []
        guard = Guard(self.store, space, session)
        if said:
            claim = self.claims.take(space, info, READ, insist=insist)
            records = self._read(space, claim, model, messages, guard)
            info = claim.info
        self._commit(space, info, at + GROUP, [*records, *guard.marks])
        return True

    def _group(self, space: str, session: str, at: int) -> tuple[list[Message], dict[int, Message]]:
        """The group behind a message, and those of it that are the word of a person, by number."""
        page = Page(after=at, before=at + GROUP + 1, limit=GROUP)
        messages = [message for message in self.store.messages(space, session, page) if message.state == "kept"]
        return messages, {message.seq: message for message in messages if _counts(message)}

    def _sent(self, given: Sequence[Mapping[str, str]]) -> int:
        each = sum(self.counter.text(one["content"]) + self.counter.overhead("user") for one in given)
        return self.counter.priming + each

    def _read(self, space: str, claim: Lease, model: Model, messages: Sequence[Message], guard: Guard) -> list[Record]:
        given: list[dict[str, str]] = guard.read(READ, messages, _given, list)
        tokens = self._sent(given)
        calling = partial(self.claims.calling, claim, f"group {messages[0].seq}")
        if not self.spending.allows(space, tokens + ANSWER) or not calling():
            return []
        try:
            reply = model.complete(given, tokens=ANSWER, schema=SCHEMA)
        except ModelError as error:
            reached = not isinstance(error, ModelUnreachable)
            self.spending.record(space, model.name, Reply("", tokens, 0) if reached else None)
            trouble = f"Facts are found by rules alone: {error.what} {error.hint}"
            raise Waits(self.claims.give_up(claim, trouble)) from None
        self.spending.record(space, model.name, reply)
        said = [message for message in messages if _counts(message)]

        def read(said: Sequence[Message]) -> tuple[list[Record], str, int]:
            shown = {message.seq: own_words(message.text[:LONGEST]) for message in said}
            found, dropped = told_facts(clean_reply(reply.text[:LONGEST_ANSWER]), shown)
            fresh = [fact for fact in found or () if not self._known(space, claim.info.id, fact)]
            records = [record for message in said for record in self._records(message, fresh, model)]
            return records, "not_json" if found is None else "unsupported_data" if dropped else "", dropped

        records, refused, dropped = guard.read(READ, said, read, lambda: ([], "not_json", 0))
        if refused:
            self.spending.refused(space, refused, dropped or 1)
        return records

    def _known(self, space: str, session: str, fact: ExtractedFact) -> bool:
        """Whether rules found the same in the same message."""
        query = Query(kind="fact", after=fact.message - 1, before=fact.message + 1)
        mine = set(terms(fact.text))
        for record in self.store.records(space, session, query):
            body = record.body or {}
            theirs = set(terms(str(body.get("text", ""))))
            same_value = fact.value and str(body.get("value", "")).casefold() == fact.value.casefold()
            if same_value or (mine and len(mine & theirs) / len(mine) >= ALIKE and body.get("kind") == fact.kind):
                return True
        return False

    def _records(self, message: Message, facts: Sequence[ExtractedFact], model: Model) -> list[Record]:
        mine = [fact for fact in facts if fact.message == message.seq]
        ids = fact_ids(message, [(fact.kind, fact.attribute, fact.text) for fact in mine])
        return [self._record(message, id, fact, model) for id, fact in zip(ids, mine, strict=True)]

    def _record(self, message: Message, id: str, told: ExtractedFact, model: Model) -> Record:
        origin = origin_of(message)
        own = told.subject.casefold() in ("user", "i", "me", "speaker")
        fact = Fact(
            id=id,
            session=message.session,
            kind=told.kind,
            text=told.text,
            subject=(speaker_of(message) or "user") if own else told.subject,
            attribute=told.attribute,
            value=told.value,
            confidence=CONFIDENCE,
            importance=FACT_IMPORTANCE[told.kind],
            tags=() if plainly_said(message.text) else (INDIRECT,),
            valid_from=message.time,
            sources=(message.seq,),
            speaker=speaker_of(message) or message.role,
            origin=origin,
            trust=TRUST.get(origin, 0.0),
            method="model",
            recipe=f"{model.name} {prompt('facts').recipe}",
            tokens=self.counter.text(told.text),
            said=message.time,
            extracted=self.clock(),
        )
        return fact.record(READ)

    def _commit(self, space: str, info: SessionInfo, at: int, records: Sequence[Record]) -> None:
        mark = Record(session=info.id, kind="mark", plan=READ, key=READ, time=self.clock(), body={"at": at})
        batch = Batch(
            space=space,
            session=info.id,
            records=[*records, mark],
            drops=[("mark", claim_of(READ))],
            unless_changed=info.changes,
            born=info.created,
            time=self.clock(),
        )
        self.store.commit(batch)


def _given(messages: Sequence[Message]) -> list[dict[str, str]]:
    """What a model is sent to read messages."""
    lines = [" ".join(f"{one.seq}. {one.name or one.role}: {redacted(one.text)[:LONGEST]}".split()) for one in messages]
    return prompt("facts").messages(conversation=enclosed("conversation", lines))


def _counts(message: Message) -> bool:
    """Whether what is said there is the word of a person."""
    return bool(message.text) and (message.role == "user" or (message.role == "assistant" and bool(message.name)))
