"""What is remembered for long: typed facts, how they stand to each other, and episodes.

What a message said is kept as it was extracted and never changes. Whether it still holds is a view over all of it
(`policy.validity`): a `Fact` here is what the view answers.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, make_dataclass
from datetime import datetime
from typing import Any, Literal, Self, cast, get_args

from onrecord.records.derived import MANUAL, Record
from onrecord.records.messages import EPOCH, Jsonable
from onrecord.records.search_records import NOW, Past

__all__ = [
    "ENDINGS",
    "EPISODE_KINDS",
    "FACT_IMPORTANCE",
    "FACT_KINDS",
    "FACT_STATUSES",
    "RELATION_TYPES",
    "Arc",
    "Change",
    "Consolidated",
    "Consolidation",
    "Episode",
    "EpisodeKind",
    "Fact",
    "FactFilter",
    "FactKind",
    "FactStatus",
    "Relation",
    "RelationType",
]

FactKind = Literal["fact", "decision", "preference", "entity", "procedure", "constraint", "goal"]
FACT_KINDS: tuple[FactKind, ...] = get_args(FactKind)

FACT_IMPORTANCE: Mapping[FactKind, float] = {
    "fact": 0.5,
    "decision": 0.7,
    "preference": 0.6,
    "entity": 0.5,
    "procedure": 0.5,
    "constraint": 0.6,
    "goal": 0.8,
}
"""By kind, where nothing else was given."""

FactStatus = Literal["pending", "active", "suspect", "superseded", "archived", "rejected"]
FACT_STATUSES: tuple[FactStatus, ...] = get_args(FactStatus)

RelationType = Literal["related_to", "depends_on", "contradicts", "supersedes", "part_of", "caused_by"]
RELATION_TYPES: tuple[RelationType, ...] = get_args(RelationType)

EpisodeKind = Literal["decision", "problem_solved", "breakthrough", "issue_found", "task_completed", "pivot"]
EPISODE_KINDS: tuple[EpisodeKind, ...] = get_args(EpisodeKind)

ENDINGS: tuple[str, ...] = ("archived", "rejected", "forgotten")
"""What a change can say that takes something out of use."""


def _moment(value: Any) -> datetime | None:
    return datetime.fromisoformat(value) if isinstance(value, str) else value


@dataclass(frozen=True, slots=True, kw_only=True)
class Change(Jsonable):
    """Something that was decided about a fact or an episode after it was extracted. Changes are only ever added."""

    id: str  # sorts by time
    of: str  # id of the fact or episode
    session: str  # where that is kept
    status: str = ""  # active (promoted, restored), pending, rejected, archived or forgotten; empty: as it was
    values: Mapping[str, Any] = field(default_factory=dict, hash=False)  # fields that were corrected
    why: str = ""  # in words
    by: str = "hand"  # hand, or consolidation
    time: datetime = EPOCH  # when it was decided

    @classmethod
    def of_record(cls, record: Record) -> Self:
        body = dict(record.body or {})
        return cls(
            id=record.key,
            of=str(body.get("of", "")),
            session=record.session,
            status=str(body.get("status", "")),
            values=dict(body.get("values", {})),
            why=str(body.get("why", "")),
            by=str(body.get("by", "hand")),
            time=record.time,
        )

    def record(self, first: int, last: int) -> Record:
        """The record of it; the messages are those of the fact, so that it goes with them."""
        body: dict[str, Any] = {"of": self.of, "status": self.status, "why": self.why, "by": self.by}
        body |= {"values": dict(self.values), "text": str(self.values.get("text", ""))}
        return Record(
            session=self.session,
            kind="change",
            plan=MANUAL,
            key=self.id,
            first=first,
            last=last,
            until=last,
            locked=True,
            recipe=self.by,
            time=self.time,
            body={name: value for name, value in body.items() if value},
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact(Jsonable):
    """One thing that is known, as it stands: what was extracted, and what the view says of it."""

    id: str  # says its kind and sorts by the message it comes from
    session: str  # the conversation it comes from
    kind: FactKind  # fact, decision, preference, entity, procedure, constraint or goal
    text: str  # as it was said, or corrected
    subject: str = ""  # whom or what it is about; "user" where the user speaks of themselves
    attribute: str = ""  # what of it; empty where that is not known
    value: str = ""  # what it is; empty with the attribute
    confidence: float = 0.7  # how sure it is that this was said and meant, from 0 to 1
    importance: float = 0.5  # from 0 to 1; by its kind, if nothing else was given
    category: str = ""  # a coarse topic, such as health or work
    tags: tuple[str, ...] = ()  # such as "standing" for an instruction that lasts
    status: FactStatus = "active"  # pending, active, suspect, superseded, archived or rejected
    valid_from: datetime = EPOCH  # since when it holds
    valid_until: datetime | None = None  # until when it held
    sources: tuple[int, ...] = ()  # numbers of the messages that say it
    confirmed: tuple[str, ...] = ()  # ids of later facts that say the same
    supersedes: tuple[str, ...] = ()  # ids of facts that it replaced
    superseded_by: str = ""  # id of the fact that replaced it
    contradicts: tuple[str, ...] = ()  # ids of facts that say otherwise, where no order tells which holds
    history: tuple[Mapping[str, Any], ...] = field(default=(), hash=False)  # its changes: status, time, why, by
    speaker: str = "user"  # who said it
    origin: str = "user"  # where its text came from
    trust: float = 0.9  # that of its origin
    method: str = "rules"  # what found it: rules, model or hand
    recipe: str = ""  # version of the rules, or model and prompt
    tokens: int = 0  # of its text
    said: datetime = EPOCH  # when it was said
    extracted: datetime = EPOCH  # when it was found
    promoted: bool = False  # it is taken for true: sure enough, said again, or by hand
    access_count: int = 0  # how often a search or a prompt took it
    last_access: datetime | None = None  # when that was
    decay: float = 1.0  # how present it is: halves every thirty days without an access

    @classmethod
    def of(cls, record: Record) -> Fact:
        """The fact that a record holds, as it was extracted."""
        body = record.body or {}
        said = _moment(body.get("said")) or record.time
        values = dict(_DEFAULTS)
        values.update({name: body[name] for name in _EXTRACTED if name in body})
        values["id"], values["session"], values["extracted"] = record.key, record.session, record.time
        values["tags"], values["sources"] = tuple(values["tags"]), tuple(values["sources"])
        values["said"], values["valid_until"] = said, _moment(values["valid_until"])
        values["valid_from"] = _moment(body.get("valid_from")) or said
        return _built(values)

    def __str__(self) -> str:
        return f"{self.said:%Y-%m-%d} {self.kind}, {self.status}: {self.text}"

    def but(self, **values: Any) -> Fact:
        """The same with other values. `dataclasses.replace` does this too, in four times the time, and a view of many
        facts does it often."""
        given = {name: getattr(self, name) for name in _DEFAULTS}
        given.update(values)
        return _built(given)

    def record(self, plan: str) -> Record:
        """The record of it as it is extracted: nothing of the view."""
        told = self.to_dict()
        return Record(
            session=self.session,
            kind="fact",
            plan=plan,
            key=self.id,
            first=min(self.sources, default=0),
            last=max(self.sources, default=0),
            until=max(self.sources, default=0),
            locked=plan == MANUAL,
            recipe=self.recipe or self.method,
            time=self.extracted,
            body={name: told[name] for name in _EXTRACTED if name in told},
        )


_EXTRACTED = (
    "kind text subject attribute value confidence importance category tags valid_from valid_until sources "
    "speaker origin trust method recipe tokens said"
).split()
_DEFAULTS: dict[str, Any] = {part.name: "" if part.default is MISSING else part.default for part in fields(Fact)} | {
    "kind": "fact"
}
_OpenFact = make_dataclass(
    "_OpenFact", [(part.name, Any) for part in fields(Fact)], bases=(Jsonable,), slots=True, eq=False
)


def _built(values: Mapping[str, Any]) -> Fact:
    """A Fact from all its fields, in their order; see `build_message`."""
    fact: Any = _OpenFact(*values.values())
    fact.__class__ = Fact
    return cast(Fact, fact)


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation(Jsonable):
    """How one fact or episode stands to another."""

    source: str  # id of the one
    type: RelationType  # related_to, depends_on, contradicts, supersedes, part_of or caused_by
    target: str  # id of the other
    strength: float = 1.0  # from 0 to 1
    since: datetime = EPOCH  # since when
    derived: bool = False  # it follows from the facts; otherwise it was made by hand
    id: str = ""  # of one that was made by hand


@dataclass(frozen=True, slots=True, kw_only=True)
class Episode(Jsonable):
    """Something that happened in a conversation."""

    id: str  # says its kind and sorts by the messages it comes from
    session: str  # the conversation
    kind: EpisodeKind  # decision, problem_solved, breakthrough, issue_found, task_completed or pivot
    title: str  # in a few words
    summary: str = ""  # in a few sentences
    context: str = ""  # what it was about
    outcome: str = ""  # how it ended
    participants: tuple[str, ...] = ()  # who took part, or was named
    valence: float = 0.0  # from -1, bad, to 1, good
    significance: float = 0.5  # from 0 to 1
    first: int = 0  # first message
    last: int = 0  # last message
    links: tuple[str, ...] = ()  # ids of the facts that come from its messages, and of what it was linked with
    merged: tuple[str, ...] = ()  # ids of the episodes that became part of it
    status: str = "active"  # active, or archived
    history: tuple[Mapping[str, Any], ...] = field(default=(), hash=False)  # its changes: status, time, why, by
    began: datetime = EPOCH  # when its first message was said
    ended: datetime = EPOCH  # when its last message was said
    method: str = "rules"  # what found it: rules, or hand
    tokens: int = 0  # of title and summary
    access_count: int = 0  # how often a search or a prompt took it
    last_access: datetime | None = None  # when that was
    time: datetime = EPOCH  # when it was made

    def __str__(self) -> str:
        return f"{self.began:%Y-%m-%d} {self.kind.replace('_', ' ')}, {self.significance:.2f}: {self.title}"

    @classmethod
    def of(cls, record: Record) -> Self:
        """The episode that a record holds."""
        body = dict(record.body or {})
        values = {part.name: body[part.name] for part in fields(cls) if part.name in body}
        values |= {name: tuple(values.get(name, ())) for name in ("participants", "links")}
        for name in ("began", "ended"):
            values[name] = _moment(values.get(name)) or record.time
        given = {"id": record.key, "session": record.session, "first": record.first, "last": record.last}
        return cls(**{"kind": "decision", "title": ""} | values | given | {"time": record.time})

    def record(self, plan: str, until: int = 0) -> Record:
        """The record of it; `text` is what a search finds."""
        kept = (
            "kind title summary context outcome participants links valence significance began ended method tokens"
        ).split()
        told = self.to_dict() | {"kind": self.kind, "text": "\n".join(filter(None, (self.title, self.summary)))}
        return Record(
            session=self.session,
            kind="episode",
            plan=plan,
            key=self.id,
            first=self.first,
            last=self.last,
            until=max(until, self.last),
            fixed=plan != MANUAL,
            locked=plan == MANUAL,
            recipe=self.method,
            time=self.time,
            body={name: told[name] for name in (*kept, "text") if name in told},
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Arc(Jsonable):
    """How a conversation went: its beginning, middle and end, and what mattered most."""

    session: str  # the conversation
    beginning: str = ""  # the first third, in short
    middle: str = ""  # the second
    end: str = ""  # the last
    ranges: tuple[tuple[int, int], ...] = ()  # first and last message of each third
    moments: tuple[Episode, ...] = ()  # episodes of a significance of at least 0.7, in order

    def __str__(self) -> str:
        thirds = (f"Beginning: {self.beginning}", f"Middle: {self.middle}", f"End: {self.end}")
        return "\n".join((*thirds, *(f"- {moment}" for moment in self.moments)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidated(Jsonable):
    """One thing that consolidation did, or would do."""

    id: str  # of the fact or episode
    action: str  # archived or merged
    why: str  # in words
    tokens: int = 0  # that it took
    text: str = ""  # what it says
    into: str = ""  # of a merged episode: the one that stays


@dataclass(frozen=True, slots=True, kw_only=True)
class Consolidation(Jsonable):
    """What `consolidate` answers."""

    archived: int = 0  # facts and episodes that are out of use now; `restore` brings them back
    merged: int = 0  # episodes that became part of another
    tokens_reclaimed: int = 0  # of both
    kept: int = 0  # facts and episodes that stay in use
    refreshed: int = 0  # facts whose decay was worked out anew
    dry_run: bool = False  # nothing was changed
    steps: tuple[Consolidated, ...] = ()  # each of them, and why

    def __str__(self) -> str:
        would = "would be " if self.dry_run else ""
        done = f"{self.archived} {would}archived, {self.merged} {would}merged, {self.tokens_reclaimed} tokens reclaimed"
        return "\n".join(
            (f"{done}, {self.kept} kept", *(f"- {one.action}: {one.text} ({one.why})" for one in self.steps))
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class FactFilter:
    """Which facts to list."""

    kinds: frozenset[str] = frozenset()  # only these; empty: all
    statuses: frozenset[str] = frozenset({"active"})  # only these; empty: all
    past: Past = NOW  # as it is at another moment
    session: str = ""  # only of this conversation
    subject: str = ""  # only about this
    attribute: str = ""  # only about this of it
    categories: frozenset[str] = frozenset()  # only of one of these; empty: all
    tags: frozenset[str] = frozenset()  # only with one of these; empty: all
    importance: float = 0.0  # at least
    confidence: float = 0.0  # at least
    since: datetime | None = None  # only said at or after this moment
    until: datetime | None = None  # only said before this moment

    def wants(self, fact: Fact) -> bool:
        """Whether a fact, with its status, belongs on the list."""
        return (
            (not self.kinds or fact.kind in self.kinds)
            and (not self.statuses or fact.status in self.statuses)
            and (not self.session or fact.session == self.session)
            and (not self.subject or fact.subject.casefold() == self.subject.casefold())
            and (not self.attribute or fact.attribute.casefold() == self.attribute.casefold())
            and self._is_labelled(fact)
            and fact.importance >= self.importance
            and fact.confidence >= self.confidence
            and (self.since is None or fact.said >= self.since)
            and (self.until is None or fact.said < self.until)
        )

    def _is_labelled(self, fact: Fact) -> bool:
        labelled = not self.categories or fact.category in self.categories
        return labelled and (not self.tags or not self.tags.isdisjoint(fact.tags))
