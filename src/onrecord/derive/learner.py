"""Learns facts and episodes from a session's messages, by rules, in bounded rounds.

A mark says up to which message facts were looked for, and where the stretch of conversation begins that is still open.
A fact comes from one message alone, so what was forgotten takes its facts along and nothing else changes. A stretch
ends where another topic begins, or after so many messages; what happened in it, if anything, is an episode. When one of
its messages is forgotten, the episode is made again from the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

from onrecord.derive.extractive import SpokenPiece, extract
from onrecord.derive.fact_reader import READ
from onrecord.errors import Outrun
from onrecord.guard import Guard
from onrecord.policy.episodes import EPISODES_VERSION, EpisodeDraft, parted, told
from onrecord.policy.fact_rules import FACTS_VERSION, Statement, claims
from onrecord.policy.secrets import redacted
from onrecord.policy.topics import AFTER, TopicTurn, boundaries
from onrecord.policy.trust import TRUST, origin_of, speaker_of
from onrecord.policy.validity import fact_ids
from onrecord.ports import Batch, Clock, Counter, Store
from onrecord.records import (
    FACT_IMPORTANCE,
    MANUAL,
    Episode,
    Fact,
    Message,
    Page,
    Query,
    Record,
    SessionInfo,
    digest,
)

__all__ = ["EPISODES", "FACTS", "LEARNED", "Learner"]

LEARNED = "learned"
"""The key of the mark."""

FACTS, EPISODES = f"facts-{FACTS_VERSION}", f"episodes-{EPISODES_VERSION}"
"""The plans of what rules find."""

LEARNED_KINDS = ("fact", "episode", "unreadable")
SWEPT = "learned"  # the counter of the arrivals of a space that were learned from
PAGE = 2_000  # arrivals that are looked at together
MESSAGES = 400  # that a round takes in
LONGEST = 40  # messages of a stretch
AHEAD = AFTER + 1  # messages from a boundary on that settle it
PAUSE = timedelta(hours=6)  # between two messages, which ends a stretch
REPAIRS = 50  # episodes that a round makes again
WORDS = (20, 60)  # of an episode's summary
ATTEMPTS = 20  # when others change the session in between
BEHIND = 8  # messages without anything in them after which the mark is written all the same
VITAL = {"allergy": 0.9, "standing": 0.8}  # importance by tag, where it is more than the kind's


@dataclass(slots=True)
class _LearnerRound:
    """One session in one round."""

    space: str
    info: SessionInfo
    guard: Guard
    at: int  # up to here facts were looked for
    first: int  # the open stretch begins here
    records: list[Record] = field(default_factory=list)
    drops: list[tuple[str, str]] = field(default_factory=list)
    ended: str = ""  # the end of the conversation that closed a stretch
    locked: frozenset[str] = frozenset()  # what a person wrote under an id of ours
    done: bool = False  # all messages were taken in


class Learner:
    """Learns from the sessions of one store."""

    def __init__(self, store: Store, clock: Clock, counter: Counter) -> None:
        self._store = store
        self._clock = clock
        self._counter = counter

    def catch_up(
        self,
        space: str,
        session: str,
        *,
        rounds: int | None = None,
        going: Callable[[], bool] = lambda: True,
    ) -> int:
        """Learn what is there to be learned, in so many rounds; answers how many facts and episodes came."""
        made = 0
        while going() and (rounds is None or rounds > 0):
            work = self._round(space, session)
            if work is None:
                return made
            made += len(work.records)
            rounds = None if rounds is None else rounds - 1
            if work.done and not work.drops and len(work.records) < REPAIRS:
                return made
        return made

    def sweep(self, space: str) -> None:
        """Learn everything that was said in a space, whoever left it. A counter says up to which arrival that is done,
        so that a second look costs little. Where others write all the time, the rest is left for the next look."""
        newest = self._store.revision(space).newest
        after = self._store.tally(space, SWEPT).get(SWEPT, 0)
        while after < newest and (page := self._store.feed(space, after, PAGE, ("message",))):
            try:
                for session in dict.fromkeys(arrival.item.session for arrival in page):
                    self.catch_up(space, session)
            except Outrun:
                return
            after = page[-1].number
            self._store.count(space, {}, {SWEPT: after})

    def rebuild(self, space: str, session: str) -> int:
        """Throw away what rules found in a session, and look for it again; answers how much there is now."""
        while True:
            info = self._store.session(space, session)
            changes = 0 if info is None else info.changes
            drops = self._learned(space, session)
            try:
                batch = Batch(space=space, session=session, drops=drops, unless_changed=changes, time=self._clock())
                self._store.commit(batch)
                return self.catch_up(space, session)
            except Outrun:
                continue

    def _learned(self, space: str, session: str) -> list[tuple[str, str]]:
        """Kind and key of everything that rules found in a session, with the mark."""
        found = (one for kind in LEARNED_KINDS for one in self._all(space, session, Query(kind=kind)))
        return [
            ("mark", LEARNED),
            ("mark", READ),
            *((record.kind, record.key) for record in found if _is_learned(record)),
        ]

    def _round(self, space: str, session: str) -> _LearnerRound | None:
        for _ in range(ATTEMPTS):
            info = self._store.session(space, session)
            if info is None:
                return None
            work = self._begin(space, info)
            before = (work.at, work.first, work.ended)
            self._repair(work)
            self._learn(work)
            try:
                self._commit(work, before)
                return work
            except Outrun:
                continue
        raise Outrun(f"Others change session {session!r} without a pause.", "Try again.")

    def _begin(self, space: str, info: SessionInfo) -> _LearnerRound:
        marks = self._store.records(space, info.id, Query(kind="mark", key=LEARNED))
        body = dict(marks[0].body or {}) if marks else {}
        known = body.get("rules") == [FACTS, EPISODES]
        if known:
            at, first = min(body.get("at", 0), info.last_seq), body.get("first", 1)
            return _LearnerRound(
                space, info, Guard(self._store, space, info.id), at, first, ended=str(body.get("ended", ""))
            )
        held = (one for kind in ("fact", "episode") for one in self._all(space, info.id, Query(kind=kind)))
        locked = frozenset(record.key for record in held if record.locked)
        drops = self._outdated(space, info.id) if marks else []
        return _LearnerRound(space, info, Guard(self._store, space, info.id), 0, 1, drops=drops, locked=locked)

    def _outdated(self, space: str, session: str) -> list[tuple[str, str]]:
        """What other rules found: it is looked for again."""
        kept = (FACTS, EPISODES, READ, MANUAL)
        found = (one for kind in LEARNED_KINDS for one in self._all(space, session, Query(kind=kind)))
        return [(one.kind, one.key) for one in found if one.plan not in kept and _is_learned(one)]

    def _all(self, space: str, session: str, query: Query) -> Iterator[Record]:
        while page := self._store.records(space, session, query):
            yield from page
            query = replace(query, beyond=page[-1].place)

    def _learn(self, work: _LearnerRound) -> None:
        """Take in the next messages: the facts of each, and the stretches that end among them. The end of the
        conversation ends a stretch too, once: somebody may go on after it."""
        fresh = self._store.messages(work.space, work.info.id, Page(after=work.at, limit=MESSAGES, forgotten=True))
        for message in fresh:
            found: list[Record] = work.guard.read(FACTS, [message], self._facts_of, list)
            work.records += [record for record in found if record.key not in work.locked]
        work.done = not fresh or fresh[-1].seq >= work.info.last_seq
        work.at = fresh[-1].seq if fresh else work.at
        ended = work.info.ended.isoformat() if work.info.status == "ended" and work.info.ended else ""
        close = bool(ended) and ended != work.ended and work.done
        if fresh or close:
            for stretch in self._ended(work, self._stretch(work), close):
                made = self._episodes(work, stretch)
                work.records += [one for one in made if one.key not in work.locked]
        if close:
            work.ended = ended

    def _stretch(self, work: _LearnerRound) -> list[Message]:
        """What was spoken since the open stretch began, as far as it was taken in."""
        page = Page(after=work.first - 1, before=work.at + 1, limit=MESSAGES, roles=("user", "assistant"))
        found: list[Message] = []
        while messages := self._store.messages(work.space, work.info.id, page):
            found += [message for message in messages if message.state == "kept" and message.text]
            page = replace(page, after=messages[-1].seq)
        if not found:
            work.first = work.at + 1  # tools alone: nobody need look at them again
        return found

    def _ended(self, work: _LearnerRound, messages: list[Message], close: bool) -> Iterator[list[Message]]:
        """The stretches that are over; what was begun and is open stays for the next round."""
        while messages:
            end = self._end(work, messages)
            if end is None and not close:
                return
            end = len(messages) if end is None else end
            yield messages[:end]
            work.first = messages[end - 1].seq + 1
            messages = messages[end:]

    def _end(self, work: _LearnerRound, messages: Sequence[Message]) -> int | None:
        """How many messages the first stretch has, if it is over."""
        pause = next((at for at in range(1, len(messages)) if messages[at].time - messages[at - 1].time > PAUSE), None)
        part = messages[: min(pause or LONGEST + AHEAD, LONGEST + AHEAD)]
        topic = work.guard.read(EPISODES, part, _next_topic, lambda: None)
        if topic is not None:
            return min(next(at for at, message in enumerate(part) if message.seq == topic), LONGEST)
        if pause is not None and pause <= LONGEST:
            return pause
        return LONGEST if len(part) == LONGEST + AHEAD else None

    # Facts

    def _facts_of(self, messages: Sequence[Message]) -> list[Record]:
        return [record for message in messages for record in self.facts_of(message)]

    def facts_of(self, message: Message) -> list[Record]:
        """The facts of one message."""
        if message.state != "kept" or not message.text:
            return []
        found = claims(_said(message), role=message.role, name=speaker_of(message), time=message.time)
        ids = fact_ids(message, [(claim.kind, claim.attribute, claim.text) for claim in found])
        return [self._fact(message, id, claim).record(FACTS) for id, claim in zip(ids, found, strict=True)]

    def _fact(self, message: Message, id: str, claim: Statement) -> Fact:
        importance = max(FACT_IMPORTANCE[claim.kind], *(VITAL.get(tag, 0.0) for tag in claim.tags), 0.0)
        origin = origin_of(message)
        return Fact(
            id=id,
            session=message.session,
            kind=claim.kind,
            text=claim.text,
            subject=claim.subject,
            attribute=claim.attribute,
            value=claim.value,
            confidence=claim.confidence,
            importance=importance,
            category=claim.category,
            tags=claim.tags,
            valid_from=claim.since or message.time,
            valid_until=claim.until,
            sources=(message.seq,),
            speaker=speaker_of(message) or message.role,
            origin=origin,
            trust=TRUST.get(origin, 0.0),
            method="rules",
            recipe=FACTS,
            tokens=self._counter.text(claim.text),
            said=message.time,
            extracted=self._clock(),
        )

    # Episodes

    def _episodes(self, work: _LearnerRound, stretch: Sequence[Message]) -> Iterator[Record]:
        """What happened in a stretch."""
        parts: list[Sequence[Message]] = work.guard.read(EPISODES, stretch, _parts, list)
        for messages in parts:
            name = "\0".join((work.info.id, str(messages[0].seq), str(messages[-1].seq)))
            made = self._made(work, f"episode_{messages[-1].seq:014x}_{digest(name)[:10]}", messages)
            if made is not None:
                yield made

    def _made(self, work: _LearnerRound, id: str, messages: Sequence[Message]) -> Record | None:
        """The episode that these messages are, if they are one."""

        def made(readable: Sequence[Message]) -> Record | None:
            found = told(readable) if readable else None
            return None if found is None else self._told(work.info.id, id, found, readable).record(EPISODES)

        return work.guard.read(EPISODES, messages, made, lambda: None, alone=_read_alone)

    def _told(self, session: str, id: str, found: EpisodeDraft, messages: Sequence[Message]) -> Episode:
        part = [message for message in messages if found.first <= message.seq <= found.last]
        pieces = [SpokenPiece(message.name or message.role, redacted(message.text)) for message in part]
        summary = extract(pieces, *WORDS).text
        return Episode(
            id=id,
            session=session,
            kind=found.kind,
            title=found.title,
            summary=summary,
            context=found.context,
            outcome=found.outcome,
            participants=found.participants,
            valence=found.valence,
            significance=found.significance,
            first=messages[0].seq,
            last=messages[-1].seq,
            began=messages[0].time,
            ended=messages[-1].time,
            method="rules",
            tokens=self._counter.text(f"{found.title}\n{summary}"),
            time=self._clock(),
        )

    def _repair(self, work: _LearnerRound) -> None:
        """Make the episodes again that forgetting emptied, from what is left; where that is nothing, they go."""
        emptied = Query(kind="episode", plan=EPISODES, empty=True, limit=REPAIRS)
        for record in self._store.records(work.space, work.info.id, emptied):
            page = Page(after=record.first - 1, before=record.last + 1, limit=record.last - record.first + 1)
            left = [message for message in self._store.messages(work.space, work.info.id, page) if _spoken(message)]
            again = self._made(work, record.key, left)
            if again is None:
                work.drops.append(("episode", record.key))
            else:
                work.records.append(replace(again, first=record.first, last=record.last, until=record.until))

    def _commit(self, work: _LearnerRound, before: tuple[int, int, str]) -> None:
        now = (work.at, work.first, work.ended)
        idle = not work.records and not work.drops and not work.guard.marks and work.ended == before[2]
        if idle and work.at - before[0] < BEHIND and work.first - before[1] < LONGEST:
            return  # it costs less to look at so few messages again than to write that there is nothing in them
        body = {"at": work.at, "first": work.first, "rules": [FACTS, EPISODES], "ended": work.ended}
        mark = Record(session=work.info.id, kind="mark", plan=LEARNED, key=LEARNED, time=self._clock(), body=body)
        batch = Batch(
            space=work.space,
            session=work.info.id,
            records=[*work.records, *work.guard.marks, *([mark] if now != before else [])],
            drops=work.drops,
            unless_changed=work.info.changes,
            born=work.info.created,
            time=self._clock(),
        )
        self._store.commit(batch)


def _next_topic(messages: Sequence[Message]) -> int | None:
    """Number of the message that begins another topic, as soon as the messages settle that."""
    turns = [TopicTurn(message.name or message.role, message.text) for message in messages]
    return next((messages[at].seq for at in boundaries(turns) if at + AHEAD <= len(turns)), None)


def _parts(stretch: Sequence[Message]) -> list[Sequence[Message]]:
    return parted(stretch) if stretch else []


def _read_alone(message: Message) -> None:
    """All that an episode reads in a message."""
    told([message])
    extract([SpokenPiece(message.name or message.role, redacted(message.text))], *WORDS)


def _is_learned(record: Record) -> bool:
    """Whether rules found it, or could not read it, and no person changed it."""
    other = record.kind == "unreadable" and not record.plan.startswith(("facts-", "episodes-"))
    return record.plan != MANUAL and not record.locked and not other


def _said(message: Message) -> str:
    """The text without the speaker's name, which some put before it."""
    who, colon, rest = message.text.partition(":")
    return (
        rest.lstrip() if colon and who.casefold() in ((message.name or "").casefold(), message.role) else message.text
    )


def _spoken(message: Message) -> bool:
    return message.state == "kept" and bool(message.text) and message.role in ("user", "assistant")
