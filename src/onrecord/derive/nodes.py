"""Makes one summary node: its text, what it is about, and what must not be lost, from messages or from other nodes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from onrecord.derive.extractive import Central, SpokenPiece, extract, topics
from onrecord.derive.keyword import keyword_summary, offline_summary
from onrecord.derive.sources import RECIPE, Sources
from onrecord.derive.spending import LIMIT, PAUSED
from onrecord.derive.spoken import Sentence, read
from onrecord.derive.writer import ModelText, Task
from onrecord.policy import important
from onrecord.policy.automatic import automatic_data
from onrecord.policy.plans import DueNode, key_of
from onrecord.policy.secrets import redacted
from onrecord.policy.sentences import beginning
from onrecord.policy.trust import origins_of, sorted_origins, speaker_of, trust_of
from onrecord.ports import Counter
from onrecord.profiles import Profile
from onrecord.records import ImportantData, Message, Record, Role, Summary

__all__ = ["NodeMaker", "turns_of"]

KEPT = 60  # entries of important data that a node carries on from others; what its own messages say is kept whole
EARLIER, THEN = "Earlier:", "Then:"
TOPICS = 8

Turns = list[tuple[str, str, str]]
"""Role, speaker and text."""

Written = tuple[str, str, dict[str, float]]
"""A text, what wrote it, and figures about it."""

LEFT_OUT = ("system",)  # what a program told the model is in the prompt anyway, and nobody's memory


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeMaker:
    """Makes nodes by a profile's rules."""

    profile: Profile
    counter: Counter
    central: Central | None = None  # how near sentences are to what all are about, where meaning counts

    def task(self, due: DueNode, sources: Sources) -> Task:
        """What a model would be asked for."""
        least, most = self._band(due)
        turns = [] if due.of_nodes and not due.fixed else turns_of(sources.messages)
        base = _base(sources)
        earlier = [] if sources.nodes and turns else [_rest(text, base) for text in _texts(sources)]
        room = max(10, most - len(base.split()))
        return Task(turns=turns, earlier=[text for text in earlier if text], least=min(least, room), most=room)

    def node(
        self,
        session: str,
        due: DueNode,
        sources: Sources,
        time: datetime,
        key: str | None = None,
        told: ModelText | None = None,
    ) -> Record:
        """The record of a node that is due; under `key` if it stands for one that was there; `told`: what came of
        asking a model for it."""
        plan = self.profile.strategy.plan
        turns = turns_of(sources.messages)
        spoken = [SpokenPiece(*turn[1:]) for turn in turns]
        sentences = read(spoken)
        text, method, quality = self._told(sources, turns, told) or self._text(due, sources, turns, sentences)
        delta = _delta(sources) if told is None else important.merge_all([_delta(sources), told.data])
        data = _carried(sources, delta)
        origins = _origins(sources)
        summary = Summary(
            id=key or key_of(session, plan, due),
            session=session,
            plan=plan,
            first=due.first,
            last=due.last,
            level=due.level,
            version=due.version,
            count=sources.count,
            began=sources.days[0],
            ended=sources.days[1],
            text=text,
            topics=_topics(sources, spoken, sentences),
            tokens=self.counter.text(text),
            method=method,
            model=None if told is None else told.model,
            refused=() if told is None else told.refused,
            quality=quality,
            origins=origins,
            trust=trust_of(origins),
            data=data,
            time=time,
        )
        extra = self._extra(due, sources, delta)
        if named := sorted(who for who in _named(sources).union(who for _, who, _ in turns) if f"{who}: " in text):
            extra["speakers"] = named
        return record_of(summary, due.until, due.fixed, extra, told)

    def range_task(self, messages: Sequence[Message]) -> Task:
        """What a model would be asked for, of a range that was named."""
        turns = turns_of(messages)
        most = min(300, 40 + 4 * len(turns))
        return Task(turns=turns, least=most // 2, most=most)

    def of_range(
        self,
        id: str,
        session: str,
        messages: Sequence[Message],
        time: datetime,
        told: ModelText | None = None,
        readable: Sequence[Message] | None = None,
    ) -> Record:
        """A summary of a range that was asked for; `readable`: those of its messages that can be read, if not all."""
        spoken = messages if readable is None else readable
        turns = turns_of(spoken)
        task = self.range_task(spoken)
        text, method, quality = self._told(Sources(messages=messages), turns, told) or self._written(
            [SpokenPiece(*turn[1:]) for turn in turns], turns, task.least, task.most
        )
        origins = origins_of(messages)
        summary = Summary(
            id=id,
            session=session,
            plan="manual",
            first=messages[0].seq,
            last=messages[-1].seq,
            count=len(turns),
            began=Sources(messages=messages).days[0],
            ended=Sources(messages=messages).days[1],
            text=text,
            topics=topics([SpokenPiece(*turn[1:]) for turn in turns]),
            tokens=self.counter.text(text),
            method=method,
            model=None if told is None else told.model,
            refused=() if told is None else told.refused,
            quality=quality,
            origins=origins,
            trust=trust_of(origins),
            data=important.extract(_spoken(spoken)),
            time=time,
        )
        return record_of(summary, summary.last, False, {}, told)

    def memory_tokens(self, record: Record) -> int:
        """What a node brings to a prompt: its text, and the important data that a prompt would show."""
        body = record.body or {}
        data = important.cap(automatic_data(ImportantData.from_dict(body.get("data", {}))), self.profile.facts)
        lines = [f"{label}: {text}" for label, text, _ in important.lines(data)] if self.profile.facts else []
        most = int(self.profile.memory_share * self.profile.tokens)  # a prompt shows no more of them
        return int(body.get("tokens", 0)) + min(most, sum(self.counter.text(line) + 3 for line in lines))

    def _told(self, sources: Sources, turns: Turns, told: ModelText | None) -> Written | None:
        """What a model wrote; or what the profile has in its place, if that is not what would be made without one."""
        if told is None:
            return None
        if told.text:
            return self._cut(f"{_base(sources)} {told.text}".strip()), "model", told.quality
        if self.profile.otherwise != "keyword" or {LIMIT, PAUSED} & {*told.refused} or not turns:
            return None
        said = [(role, text) for role, _, text in turns]
        return (offline_summary(said), "offline", {}) if told.unreachable else (keyword_summary(said), "keyword", {})

    def _text(self, due: DueNode, sources: Sources, turns: Turns, sentences: Sequence[Sentence]) -> Written:
        least, most = self._band(due)
        if due.of_nodes and not due.fixed:
            text, quality = _merged(sources, most)
            return self._cut(text), "extractive", quality
        base = _base(sources)
        room = max(10, most - len(base.split()))
        earlier = (
            []
            if sources.nodes and turns
            else [SpokenPiece("", _rest(text, base), _named(sources)) for text in _texts(sources)]
        )
        pieces = earlier + [SpokenPiece(*turn[1:]) for turn in turns]
        text, method, quality = self._written(pieces, turns, min(least, room), room, None if earlier else sentences)
        return self._cut(f"{base} {text}".strip()), method, quality

    def _written(
        self,
        pieces: Sequence[SpokenPiece],
        turns: Turns,
        least: int,
        most: int,
        sentences: Sequence[Sentence] | None = None,
    ) -> Written:
        found = extract(pieces, least, most, sentences, self.central)
        if found.text:
            return found.text, "extractive", found.quality
        if turns:
            return keyword_summary([(role, text) for role, _, text in turns]), "keyword", {}
        return "", "none", {}

    def _band(self, due: DueNode) -> tuple[int, int]:
        step = due.version if self.profile.strategy.extends else due.level
        return self.profile.bands[min(step, len(self.profile.bands)) - 1]

    def _cut(self, text: str) -> str:
        """At most so many characters of a summary: its first sentences."""
        most = self.profile.characters
        return beginning(text, lambda part: len(part) <= most) if most else text

    def _extra(self, due: DueNode, sources: Sources, delta: ImportantData) -> dict[str, Any]:
        extra: dict[str, Any] = {}
        if due.number:
            extra["number"] = due.number
        if sources.before is not None or self.profile.strategy.extends:
            extra["delta"] = delta.to_dict()
        if base := _base(sources):
            extra["base"] = base
        return extra


def record_of(
    summary: Summary, until: int, fixed: bool, extra: dict[str, Any], told: ModelText | None = None
) -> Record:
    """A summary as a store keeps it."""
    return Record(
        session=summary.session,
        kind="summary",
        plan=summary.plan,
        key=summary.id,
        level=summary.level,
        first=summary.first,
        last=summary.last,
        until=until,
        fixed=fixed,
        locked=summary.locked,
        recipe=told.recipe if told is not None and told.text else RECIPE,
        time=summary.time,
        body=summary.body() | extra,
    )


def turns_of(messages: Sequence[Message]) -> Turns:
    """Who said what, for a summary: no system prompts, no secrets, nothing empty."""
    return [
        (message.role, message.name or message.role, redacted(message.text))
        for message in messages
        if message.role not in LEFT_OUT and message.text.strip() and not _is_data(message)
    ]


def _is_data(message: Message) -> bool:
    """Whether a tool answered in a notation of its own: what matters of that, the assistant says in words."""
    return message.role == "tool" and message.text.lstrip()[:1] in ("{", "[", "<")


def _texts(sources: Sources) -> list[str]:
    return [str(body.get("text", "")) for body in sources.bodies]


def _named(sources: Sources) -> frozenset[str]:
    """Who is named as a speaker in the nodes that this one goes on from or stands for."""
    return frozenset(who for body in sources.bodies for who in body.get("speakers", ()) if isinstance(who, str))


def _base(sources: Sources) -> str:
    """What a person wrote into an earlier version: it is carried on word for word."""
    if sources.before is None or sources.before.body is None:
        return ""
    body = sources.before.body
    return str(body.get("text", "") if sources.before.locked else body.get("base", ""))


def _rest(text: str, base: str) -> str:
    return text[len(base) :].strip() if base and text.startswith(base) else text


def _merged(sources: Sources, most: int) -> tuple[str, dict[str, float]]:
    """Two nodes in one: what the earlier says, then what the later says, each in its share of the words."""
    earlier, *later = [text.replace(EARLIER, "").replace(THEN, "") for text in _texts(sources)]
    half = (most - 2) // 2
    named = _named(sources)
    first = extract([SpokenPiece("", earlier, named)], half // 2, half)
    then = extract([SpokenPiece("", " ".join(later), named)], half // 2, half)
    return f"{EARLIER} {first.text} {THEN} {then.text}", first.quality


def _delta(sources: Sources) -> ImportantData:
    """What the messages say; where there are nodes over them, these have said it."""
    if sources.nodes:
        return ImportantData()
    return important.extract(_spoken(message for message in sources.messages if message.text))


def _spoken(messages: Iterable[Message]) -> list[tuple[Role, str]]:
    """Who said what. A speaker with a name is not the user: their word binds no more than the assistant's."""
    return [
        ("assistant" if message.role == "user" and speaker_of(message) else message.role, message.text)
        for message in messages
    ]


def _carried(sources: Sources, delta: ImportantData) -> ImportantData:
    """What is known to matter in the whole range: all of it in a node over messages, the best of it above."""
    parts = [ImportantData.from_dict(data) for data in sources.data]
    return important.cap(important.merge_all([*parts, delta]), KEPT) if parts else delta


def _origins(sources: Sources) -> tuple[str, ...]:
    found = {origin for body in sources.bodies for origin in body.get("origins", ())}
    return sorted_origins(found | (set() if sources.nodes else set(origins_of(sources.messages))))


def _topics(sources: Sources, spoken: Sequence[SpokenPiece], sentences: Sequence[Sentence]) -> tuple[str, ...]:
    """Without duplicates, those of the newest messages first, then those of the nodes in order."""
    own = () if sources.nodes else topics(spoken, sentences=sentences)
    below = [topic for body in sources.bodies for topic in body.get("topics", ())]
    return tuple(dict.fromkeys([*own, *below]))[:TOPICS]
