"""Which facts hold, and from when until when: a pure view over what was extracted and what people decided.

Claims about the same attribute of the same subject are put in the order of the moments from which on they hold. Equal
neighbours are one fact, said more than once; another value ends the one before it. Nothing depends on the order in
which claims arrived, and without the newer claim the older one holds again.

- A claim is promoted, and counts, if it is sure enough, was said in two messages, or somebody said so. One that waits
  ends nothing: it and what it disagrees with are linked as contradicting.
- Two values from one and the same moment have no order: both hold, linked as contradicting.
- What a person decided stands beside each claim that said it then; what is said later counts anew.
- A fact that was archived still ends the one before it: out of use does not mean untrue.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Any

from onrecord.policy.trust import INDIRECT
from onrecord.records import ENDINGS, Change, Fact, FactStatus, Message, Relation, digest

__all__ = ["EDITABLE", "fact_ids", "folded", "key_of_fact", "resolve", "status_at", "suspects"]

EDITABLE = ("text", "tokens", "kind", "subject", "attribute", "value", "importance", "confidence", "category", "tags")
"""What of a fact a person can correct; its validity too."""

_SURE = 0.99  # nothing that was only said is surer

Key = tuple[str, str]


def key_of_fact(fact: Fact) -> Key:
    """What a fact is about: claims with one key bear on each other. Without an attribute, only the same words do."""
    if fact.attribute:
        return folded(fact.subject), folded(fact.attribute)
    return "", folded(fact.text)


def folded(text: str) -> str:
    """Texts that differ in case, spaces and a final stop only are the same."""
    return " ".join(text.casefold().replace("’", "'").split()).rstrip(" .!")


def fact_ids(message: Message, told: Iterable[tuple[str, str, str]]) -> list[str]:
    """Ids for what was found in a message: kind, attribute and text of each. They follow from what was said, so that
    what a person decided about a fact stays with it when rules find more, fewer, or others beside it."""
    seen: Counter[str] = Counter()
    ids = []
    for kind, attribute, text in told:
        name = "\0".join((message.session, str(message.seq), kind, folded(attribute), folded(text)))
        seen[name] += 1
        ids.append(f"fact_{message.seq:014x}_{digest(f'{name} {seen[name]}')[:10]}")
    return ids


def _says(fact: Fact) -> object:
    return folded(fact.value or fact.text) if fact.attribute else ""


_HEEDED = ("preference", "procedure", "constraint")


@dataclass(slots=True)
class _DecidedClaim:
    """One thing that was said, with what was decided about it."""

    fact: Fact
    changes: list[Change] = field(default_factory=list)

    @property
    def place(self) -> tuple[datetime, datetime, str, tuple[int, ...], str]:
        fact = self.fact
        return fact.valid_from, fact.said, fact.session, fact.sources, fact.id

    @property
    def status(self) -> str:
        """What was decided last, if anything."""
        return next((change.status for change in reversed(self.changes) if change.status), "")


@dataclass(slots=True, eq=False)
class _ClaimRun:
    """Claims that say the same while nothing else was said in between."""

    claims: list[_DecidedClaim]
    ends: datetime | None = None  # when something else was said
    by: list[_ClaimRun] = field(default_factory=list)  # what that was
    over: list[_ClaimRun] = field(default_factory=list)  # what ended when this was said
    against: list[_ClaimRun] = field(default_factory=list)  # what was said otherwise at one and the same moment
    waits: bool = False  # it does not count: only plain words end a wish that was said in plain words

    @property
    def first(self) -> Fact:
        return self.claims[0].fact

    def is_plain(self) -> bool:
        """Whether it is its sender's own word, or somebody decided that it counts."""
        return any(
            INDIRECT not in claim.fact.tags or claim.fact.method == "hand" or claim.status == "active"
            for claim in self.claims
        )

    def is_plain_wish(self) -> bool:
        """Whether it may stand in prompts unasked as what the assistant is to heed."""
        return self.is_plain() and (self.first.kind in _HEEDED or "standing" in self.first.tags)

    def holds(self, moment: datetime) -> bool:
        """Whether it was said by then, and nothing else since."""
        return self.first.valid_from <= moment and (self.ends is None or moment < self.ends)


def resolve(facts: Iterable[Fact], changes: Mapping[str, Sequence[Change]], promoted_at: float) -> list[Fact]:
    """The facts that claims with one key, or with keys that edits brought together, amount to; in order."""
    claims = [_DecidedClaim(fact) for fact in facts]
    if len(claims) == 1 and not changes.get(claims[0].fact.id):
        return [_fact(_ClaimRun(claims), promoted_at)]  # nearly all of them
    given = sorted(claims, key=lambda claim: claim.place)
    for claim in given:
        claim.changes = sorted(changes.get(claim.fact.id, ()), key=lambda change: (change.time, change.id))
    kept = [_edited(claim) for claim in given if not _forgotten(claim)]
    return [fact for _, part in _by_key(kept) for fact in _chain(part, promoted_at)]


def _by_key(claims: Iterable[_DecidedClaim]) -> list[tuple[Key, list[_DecidedClaim]]]:
    found: defaultdict[Key, list[_DecidedClaim]] = defaultdict(list)
    for claim in sorted(claims, key=lambda claim: claim.place):
        found[key_of_fact(claim.fact)].append(claim)
    return sorted(found.items())


def _runs(claims: Iterable[_DecidedClaim]) -> list[_ClaimRun]:
    """What was said one after the other, in order; the claims are about one thing, and in their places."""
    runs: list[_ClaimRun] = []
    held: dict[object, _ClaimRun] = {}
    for (start, _), part in groupby(claims, key=lambda claim: (claim.fact.valid_from, claim.fact.said)):
        said: defaultdict[object, list[_DecidedClaim]] = defaultdict(list)
        for claim in part:
            said[_says(claim.fact)].append(claim)
        ended = [run for what, run in held.items() if what not in said]
        fresh = {what: _ClaimRun([]) for what in said if what not in held}
        held = {what: held[what] if what in held else fresh[what] for what in said}
        for what, run in held.items():
            run.claims += said[what]
            run.against += [other for other in held.values() if other is not run and other not in run.against]
        after = list((fresh or held).values())
        for run in ended:
            run.ends, run.by = start, after
        for run in after:
            run.over += ended
        runs += fresh.values()
    return runs


def _forgotten(claim: _DecidedClaim) -> bool:
    return any(change.status == "forgotten" for change in claim.changes)


def _edited(claim: _DecidedClaim) -> _DecidedClaim:
    values: dict[str, Any] = {}
    for change in claim.changes:
        values |= {name: change.values[name] for name in EDITABLE if name in change.values}
        for name in ("valid_from", "valid_until"):
            if name in change.values:
                given = change.values[name]
                values[name] = datetime.fromisoformat(given) if isinstance(given, str) else given
    if "tags" in values:
        values["tags"] = tuple(values["tags"])
    return _DecidedClaim(claim.fact.but(**values, method="hand"), claim.changes) if values else claim


# The chain of what held


def _chain(claims: list[_DecidedClaim], promoted_at: float) -> list[Fact]:
    rejected = [claim for claim in claims if claim.status == "rejected"]
    told = _runs(claim for claim in claims if claim.status != "rejected")
    wishes = [run.is_plain_wish() and _promotion(run, promoted_at) is not None for run in told]
    for run in told[wishes.index(True) :] if True in wishes else ():
        run.waits = not run.is_plain()
    counting = [claim for run in told if _promotion(run, promoted_at) for claim in run.claims]
    runs = _runs(sorted(counting, key=lambda claim: claim.place))
    waiting = [run for run in told if not _promotion(run, promoted_at) and not _joined(run, runs)]
    found = [_standing(run, promoted_at) for run in runs]
    pending = [_fact(run, promoted_at) for run in waiting]
    if pending:
        found, pending = _against(found, pending), _against(pending, found)
    return [*found, *pending, *(_fact(run, promoted_at) for run in _runs(rejected))]


def _against(facts: Sequence[Fact], others: Sequence[Fact]) -> list[Fact]:
    """Facts with those of the others that they contradict."""
    told = [(_says(other), other.id) for other in others]
    return [
        fact.but(contradicts=(*fact.contradicts, *(id for what, id in told if what != says)))
        for fact, says in ((fact, _says(fact)) for fact in facts)
    ]


def _joined(run: _ClaimRun, runs: Iterable[_ClaimRun]) -> bool:
    """Whether what waits says again what held at its moment: then it is part of that."""
    for other in runs:
        if other.holds(run.first.valid_from) and _says(other.first) == _says(run.first):
            other.claims = sorted((*other.claims, *run.claims), key=lambda claim: claim.place)
            return True
    return False


def _promotion(run: _ClaimRun, promoted_at: float) -> tuple[datetime, str] | None:
    """When a run began to count, and why. Whether it is in use says nothing of that."""
    if run.waits:
        return None
    for claim in run.claims:
        for change in reversed(claim.changes):
            if change.status == "active":
                return change.time, change.why or "by hand"
            if change.status == "pending":
                return None
        if claim.fact.confidence >= promoted_at:
            return claim.fact.said, "sure enough"
    said: dict[object, datetime] = {}  # when each message said it
    for claim in run.claims:
        said.setdefault((claim.fact.session, claim.fact.sources or claim.fact.id), claim.fact.said)
    return (sorted(said.values())[1], "said again") if len(said) > 1 else None


def _standing(run: _ClaimRun, promoted_at: float) -> Fact:
    """A fact that counts: what held ends where the next begins; what said that it would end earlier does."""
    fact = _fact(run, promoted_at)
    fact = fact.but(
        contradicts=tuple(other.first.id for other in run.against),
        supersedes=tuple(other.first.id for other in run.over if _is_ended(other)),
    )
    if run.ends is None or not _is_ended(run):
        return fact
    by = run.by[0].first.id
    event = {"status": "superseded", "time": run.ends.isoformat(), "why": f"replaced by {by}"}
    return fact.but(valid_until=run.ends, superseded_by=by, history=(*fact.history, event))


def _is_ended(run: _ClaimRun) -> bool:
    """Whether the next ended it, and not it itself before."""
    end = _end(run)
    return run.ends is not None and (end is None or end > run.ends)


def _end(run: _ClaimRun) -> datetime | None:
    """The moment until which it was said to hold."""
    ends = [claim.fact.valid_until for claim in run.claims]
    return None if None in ends else max(end for end in ends if end is not None)


def _fact(run: _ClaimRun, promoted_at: float) -> Fact:
    """What claims that say the same amount to: the first of them, the surer the more there are."""
    if len(run.claims) == 1 and not run.claims[0].changes:
        return _only(run, promoted_at)
    doubt = 1.0
    for claim in run.claims:
        doubt *= 1 - claim.fact.confidence
    first, sure = run.first, max(run.first.confidence, min(_SURE, 1 - doubt))
    plain = next((one.fact for one in run.claims if INDIRECT not in one.fact.tags or one.fact.method == "hand"), first)
    promotion = _promotion(run, promoted_at)
    decided = max(run.claims, key=lambda claim: claim.fact.said).status
    ended: FactStatus = "rejected" if decided == "rejected" else "archived"
    status: FactStatus = ended if decided in ENDINGS else "pending" if promotion is None else "active"
    return first.but(
        text=plain.text,
        tokens=plain.tokens,
        tags=plain.tags,
        confidence=round(sure, 4) if len(run.claims) > 1 else first.confidence,
        importance=max(claim.fact.importance for claim in run.claims),
        status=status,
        promoted=promotion is not None,
        valid_until=_end(run),
        sources=tuple(
            sorted({seq for one in run.claims if one.fact.session == first.session for seq in one.fact.sources})
        ),
        confirmed=tuple(claim.fact.id for claim in run.claims[1:]),
        history=_history(run, promotion),
    )


def _only(run: _ClaimRun, promoted_at: float) -> Fact:
    """What was said once, and nothing decided about it."""
    promotion = _promotion(run, promoted_at)
    counts = promotion is not None
    return run.first.but(status="active" if counts else "pending", promoted=counts, history=_history(run, promotion))


def _history(run: _ClaimRun, promotion: tuple[datetime, str] | None) -> tuple[dict[str, Any], ...]:
    events: dict[str, dict[str, Any]] = {}
    first = run.first
    events["said"] = {"status": "pending", "time": first.said.isoformat(), "why": "said"}
    if promotion is not None and not any(change.status == "active" for one in run.claims for change in one.changes):
        events["promoted"] = {"status": "active", "time": promotion[0].isoformat(), "why": promotion[1]}
    for claim in run.claims:
        for change in claim.changes:
            what = change.status or "edited"
            told = {"status": what, "time": change.time.isoformat(), "why": change.why, "by": change.by}
            events[f"{what} {change.time}"] = {name: value for name, value in told.items() if value}
    return tuple(sorted(events.values(), key=lambda event: datetime.fromisoformat(event["time"])))


# At a moment


def status_at(fact: Fact, moment: datetime) -> FactStatus:
    """What a fact is at a moment, as far as the order of facts tells: `suspects` knows more."""
    if fact.status in ("rejected", "pending"):
        return fact.status
    if moment < fact.valid_from:
        return "pending"
    if fact.status == "archived" and moment >= _archived(fact):
        return "archived"
    if fact.valid_until is not None and moment >= fact.valid_until:
        return "superseded" if fact.superseded_by else "archived"
    return "active"


def _archived(fact: Fact) -> datetime:
    times = [event["time"] for event in fact.history if event["status"] == "archived"]
    return datetime.fromisoformat(times[-1]) if times else fact.valid_from


def suspects(statuses: Mapping[str, FactStatus], relations: Iterable[Relation]) -> set[str]:
    """Ids of facts in force that depend, directly or not, on one that is not any more."""
    rests_on: defaultdict[str, set[str]] = defaultdict(set)
    for relation in relations:
        if relation.type == "depends_on":
            rests_on[relation.target].add(relation.source)
    shaken = [id for id in rests_on if statuses.get(id) in ("superseded", "rejected")]
    found: set[str] = set()
    while shaken:
        for id in rests_on.get(shaken.pop(), ()):
            if id not in found and statuses.get(id) == "active":
                found.add(id)
                shaken.append(id)
    return found
