"""The long memory as a user sees it: facts, relations, episodes, arc and consolidation, of a space or of a session.

`Memory` and `Session` have these methods. What comes in is checked here; all else happens in `derive`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from onrecord.errors import InvalidInput, NotFound
from onrecord.journal.asking import clean_correction, clean_filter, clean_label, clean_words, listed, only_known
from onrecord.journal.clean import (
    clean_choice,
    clean_count,
    clean_importance,
    clean_name,
    clean_past,
    clean_plain,
    clean_score,
    clean_text,
    clean_time,
)
from onrecord.parts import Parts
from onrecord.ports import Progress
from onrecord.records import (
    EPISODE_KINDS,
    FACT_IMPORTANCE,
    FACT_KINDS,
    PIN_TYPES,
    RELATION_TYPES,
    Arc,
    Consolidation,
    Episode,
    EpisodeKind,
    Fact,
    FactKind,
    Page,
    Pin,
    PinType,
    Relation,
    RelationType,
)

__all__ = ["LongTerm", "SessionLongTerm"]

FACTS = "facts"
"""The session of facts that are told to the memory and not said in any conversation."""

MOST = 1_000_000


class LongTerm:
    """What a space knows."""

    _parts: Parts
    _space: str

    def facts(
        self,
        *,
        kind: FactKind | Iterable[FactKind] | None = None,
        status: str | Iterable[str] | None = "active",
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        session: str | None = None,
        subject: str | None = None,
        attribute: str | None = None,
        categories: str | Iterable[str] | None = None,
        tags: str | Iterable[str] | None = None,
        importance: float = 0.0,
        confidence: float = 0.0,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        limit: int | None = None,
    ) -> list[Fact]:
        """The facts of the space, in the order in which they were said.

        `kind`: fact, decision, preference, entity, procedure, constraint or goal; `status`: pending, active, suspect,
        superseded, archived or rejected, None or "all" for all; `as_of`: those that were true at that moment, for all
        that is known today; `known_at`: as it was known at that moment; `since`, `until`: when they were said; `limit`:
        the newest so many.
        """
        found = self._parts.learned(self._space).facts.listed(
            self._space,
            clean_filter(
                kinds=kind,
                statuses=status,
                as_of=as_of,
                known_at=known_at,
                session=session,
                subject=subject,
                attribute=attribute,
                categories=categories,
                tags=tags,
                importance=importance,
                confidence=confidence,
                since=since,
                until=until,
            ),
        )
        return found if limit is None else found[max(0, len(found) - clean_count(limit, "limit", most=MOST)) :]

    def fact(self, id: str) -> Fact:
        """One fact, as it stands now."""
        return self._parts.learned(self._space).facts.one(self._space, clean_name(id, "id"))

    def add_fact(
        self,
        text: str,
        *,
        kind: FactKind = "fact",
        subject: str = "",
        attribute: str = "",
        value: str = "",
        confidence: float = 1.0,
        importance: float | None = None,
        category: str = "",
        tags: Iterable[str] = (),
        valid_from: datetime | str | None = None,
        valid_until: datetime | str | None = None,
        session: str = FACTS,
    ) -> Fact:
        """Tell the memory a fact. With a subject and an attribute, it replaces what was known of the same before.

        `session`: the conversation it belongs to; left out, it is in one named "facts".
        """
        now = self._parts.drafter.now()
        sort = clean_choice(kind, FACT_KINDS, "kind")
        since = now if valid_from is None else clean_time(valid_from, "valid_from")
        end = None if valid_until is None else clean_time(valid_until, "valid_until")
        if end is not None and end <= since:
            raise InvalidInput("The fact would end before it begins.", "Give a valid_until after valid_from.")
        fact = Fact(
            id="",
            session="",
            kind=sort,
            text=clean_words(text, "text"),
            subject=clean_label(subject, "subject"),
            attribute=clean_label(attribute, "attribute"),
            value=clean_label(value, "value"),
            confidence=clean_importance(confidence, "confidence"),
            importance=FACT_IMPORTANCE[sort] if importance is None else clean_importance(importance),
            category=clean_label(category, "category"),
            tags=tuple(clean_name(tag, "tag") for tag in listed(tags, "tags")),
            valid_from=since,
            valid_until=end,
            speaker="hand",
            origin="hand",
            trust=1.0,
            method="hand",
            recipe="hand",
            said=now,
        )
        return self._parts.learned(self._space).facts.add(self._space, clean_name(session, "session id"), fact)

    def edit_fact(self, id: str, text: str | None = None, **values: Any) -> Fact:
        """Correct a fact: its text, or kind, subject, attribute, value, importance, confidence, category, tags,
        valid_from, valid_until. What was extracted is kept; your correction stands in its place."""
        given = {name: clean_correction(name, value) for name, value in values.items()}
        if text is not None:
            given["text"] = clean_words(text, "text")
        if not given:
            raise InvalidInput("Nothing is to be changed.", 'Pass a text, or a field such as value="Lisbon".')
        return self._change(id, values=given)

    def promote_fact(self, id: str) -> Fact:
        """Take a fact for true that was not sure enough."""
        return self._change(id, "active", why="promoted")

    def reject_fact(self, id: str) -> Fact:
        """Say that a fact is not true: what was known before holds again."""
        return self._change(id, "rejected", why="rejected")

    def archive(self, id: str) -> Fact | Episode:
        """Take a fact or an episode out of use; `restore` brings it back."""
        if _is_episode(id):
            return self._parts.learned(self._space).episodes.change(self._space, clean_name(id, "id"), "archived")
        return self._change(id, "archived")

    def restore(self, id: str) -> Fact | Episode:
        """Bring a fact or an episode back into use that was archived or rejected."""
        if _is_episode(id):
            return self._parts.learned(self._space).episodes.change(self._space, clean_name(id, "id"), "active")
        return self._change(id, "active", why="restored")

    def _change(self, id: str, status: str = "", values: Mapping[str, Any] | None = None, why: str = "") -> Fact:
        facts = self._parts.learned(self._space).facts
        return facts.change(self._space, clean_name(id, "id"), status, values, why)

    # Relations

    def relate(self, source: str, type: RelationType, target: str, *, strength: float = 1.0) -> Relation:
        """Say how one fact or episode stands to another: related_to, depends_on, contradicts, supersedes, part_of or
        caused_by. A fact that depends on one that no longer holds is suspect."""
        if source == target:
            raise InvalidInput("source and target must differ.", "Give two different ids.")
        return self._parts.learned(self._space).facts.relate(
            self._space,
            clean_name(source, "source"),
            clean_choice(type, RELATION_TYPES, "type"),
            clean_name(target, "target"),
            clean_importance(strength, "strength"),
        )

    def unrelate(self, id: str) -> None:
        """Remove a relation that was made by hand."""
        self._parts.learned(self._space).facts.unrelate(self._space, clean_name(id, "id"))

    def relations(
        self, id: str | None = None, *, type: RelationType | None = None, as_of: datetime | str | None = None
    ) -> list[Relation]:
        """Relations between facts and episodes, in both directions; of one of them, or all. Those that follow from the
        facts themselves (supersedes, contradicts) are among them."""
        return self._parts.learned(self._space).facts.relations(
            self._space,
            None if id is None else clean_name(id, "id"),
            None if type is None else clean_choice(type, RELATION_TYPES, "type"),
            None if as_of is None else clean_time(as_of, "as_of"),
        )

    # Episodes

    def episodes(
        self,
        *,
        session: str | None = None,
        kind: EpisodeKind | Iterable[EpisodeKind] | None = None,
        status: str | None = "active",
        significance: float = 0.0,
        as_of: datetime | str | None = None,
    ) -> list[Episode]:
        """What happened, in order: decisions, problems solved, breakthroughs, issues found, tasks completed, pivots.

        `status`: active or archived, None for both; `significance`: at least; `as_of`: as it
        was at that moment.
        """
        return self._parts.learned(self._space).episodes.listed(
            self._space,
            session=None if session is None else clean_name(session, "session id"),
            kinds=frozenset(clean_choice(one, EPISODE_KINDS, "kind") for one in listed(kind, "kind")),
            status=None if status is None else clean_choice(status, ("active", "archived"), "status"),
            significance=clean_score(significance, "significance"),
            as_of=None if as_of is None else clean_time(as_of, "as_of"),
        )

    def consolidate(self, *, dry_run: bool = False, progress: Progress | None = None) -> Consolidation:
        """Take out of use what faded, merge episodes that overlap, and say what was done and why. Nothing is deleted:
        `restore` brings it back. `dry_run`: only say what would be done."""
        consolidator = self._parts.learned(self._space).consolidator
        return consolidator.run(self._space, dry_run=bool(dry_run), progress=progress or (lambda done: None))


class SessionLongTerm:
    """What is known from one conversation."""

    _parts: Parts
    _space: str
    _id: str

    def facts(self, **wanted: Any) -> list[Fact]:
        """The facts of this conversation: `Memory.facts` within it."""
        given = {"statuses": wanted.pop("status", "active"), "kinds": wanted.pop("kind", None)}
        most = clean_count(wanted.pop("limit", MOST), "limit", most=MOST)
        only_known(wanted, clean_filter, "facts")
        filter_ = clean_filter(**given | wanted | {"session": self._id})
        found = self._parts.learned(self._space).facts.listed(self._space, filter_)
        return found[max(0, len(found) - most) :]

    def episodes(self) -> list[Episode]:
        """What happened in this conversation, in order."""
        return self._parts.learned(self._space).episodes.listed(
            self._space, session=self._id, kinds=frozenset(), status="active", significance=0.0, as_of=None
        )

    def add_episode(
        self,
        title: str,
        *,
        kind: EpisodeKind = "decision",
        first: int | None = None,
        last: int | None = None,
        summary: str = "",
        context: str = "",
        outcome: str = "",
        participants: Iterable[str] = (),
        links: str | Iterable[str] = (),
        valence: float = 0.0,
        significance: float = 0.5,
    ) -> Episode:
        """Tell the memory of an episode; `first` and `last` say in which messages it happened, `links` which facts and
        episodes it has to do with, by their ids."""
        start = 0 if first is None else clean_count(first, "first", least=1)
        end = start if last is None else clean_count(last, "last", least=max(1, start))
        episode = Episode(
            id="",
            session=self._id,
            kind=clean_choice(kind, EPISODE_KINDS, "kind"),
            title=clean_words(title, "title"),
            summary=clean_plain(summary, "summary"),
            context=clean_plain(context, "context"),
            outcome=clean_plain(outcome, "outcome"),
            participants=tuple(clean_name(one, "participant") for one in listed(participants, "participants")),
            links=tuple(dict.fromkeys(clean_name(one, "link") for one in listed(links, "links"))),
            valence=clean_score(valence, "valence", -1),
            significance=clean_score(significance, "significance"),
            first=start,
            last=end,
        )
        return self._parts.learned(self._space).episodes.add(self._space, self._id, episode)

    # Pins

    def pin(
        self, text: str, *, source: int | str | None = None, importance: float = 0.8, type: PinType = "manual"
    ) -> Pin:
        """Pin a text, so that it is in every prompt that has room for it; `source`: the message it comes from."""
        kept, _ = clean_text(text)
        if not kept.strip():
            raise InvalidInput("The pin is empty.", "Give it a text.")
        found = None if source is None else self._source(source)
        kind = clean_choice(type, PIN_TYPES, "type")
        return self._parts.notes.pin(self._space, self._id, kept, found, clean_importance(importance), kind)

    def pins(self, *, as_of: datetime | str | None = None, known_at: datetime | str | None = None) -> list[Pin]:
        """The pins, the most important first, then the newest; those of type "auto" are facts that pinned themselves.
        `as_of`: those that were true at that moment, for all that is known today; `known_at`: as they were then."""
        past = clean_past(as_of, known_at)
        pins = [
            pin for pin in self._parts.notes.pins(self._space, self._id) if past.said is None or pin.time <= past.said
        ]
        known = self._parts.learned(self._space).known(self._space, self._id, past)
        from onrecord.policy.unasked_facts import beside

        auto = beside(pins, known.pins)[: self._parts.profile.auto_pins]
        return sorted([*pins, *auto], key=lambda pin: (pin.importance, pin.time, pin.id), reverse=True)

    def unpin(self, id: str) -> None:
        """Remove a pin. A fact that pinned itself stays a fact for searches, and stands in no prompt unasked again."""
        name = clean_name(id, "id")
        if name.startswith("pin_fact_"):
            facts = self._parts.learned(self._space).facts
            facts.change(self._space, name.removeprefix("pin_"), values={"unpinned": True}, why="unpinned")
        else:
            self._parts.notes.unpin(self._space, self._id, name)

    def _source(self, item: int | str) -> int:
        """The number of a message that is there."""
        if isinstance(item, str):
            found = self._parts.store.find(self._space, self._id, clean_name(item, "id"))
        else:
            seq = clean_count(item, "number", least=1)
            page = Page(after=seq - 1, before=seq + 1, limit=1)
            found = next(iter(self._parts.store.messages(self._space, self._id, page)), None)
        if found is None or found.state == "forgotten":
            raise NotFound(f"There is no message {item!r} in session {self._id!r}.", "Give its number or its id.")
        return found.seq

    def arc(self) -> Arc:
        """How the conversation went: its beginning, middle and end in short, and what mattered most."""
        return self._parts.learned(self._space).episodes.arc(self._space, self._id)


def _is_episode(id: object) -> bool:
    return isinstance(id, str) and id.startswith("episode_")
