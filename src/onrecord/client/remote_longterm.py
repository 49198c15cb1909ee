"""The long memory of a service: the methods of `onrecord.longterm`, asked over HTTP."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from onrecord.client.arguments import filter_form, named, past_form
from onrecord.client.queries import Asking
from onrecord.client.wire import built
from onrecord.errors import InvalidInput
from onrecord.journal.asking import listed, only_known
from onrecord.journal.clean import (
    clean_choice,
    clean_count,
    clean_importance,
    clean_name,
    clean_past,
    clean_score,
    clean_time,
)
from onrecord.journal.telling import clean_correction, clean_filter, clean_words
from onrecord.longterm import FACTS, MOST, LongTerm, SessionLongTerm
from onrecord.ports import Progress
from onrecord.records import (
    EPISODE_KINDS,
    PIN_TYPES,
    RELATION_TYPES,
    Arc,
    Consolidation,
    Episode,
    EpisodeKind,
    Fact,
    FactKind,
    Pin,
    PinType,
    Relation,
    RelationType,
)

__all__ = ["RemoteLongTerm", "RemoteSessionLongTerm"]


class RemoteLongTerm(LongTerm):
    """What a space of a service knows."""

    _asking: Asking

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
        wanted = clean_filter(
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
        )
        most = None if limit is None else clean_count(limit, "limit", most=MOST)
        return list(self._asking.pages(Fact, "facts", **filter_form(wanted), limit=most))

    def fact(self, id: str) -> Fact:
        return self._asking.one(Fact, "facts", clean_name(id, "id"))

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
        body = {
            "text": clean_words(text, "text"),
            "kind": clean_correction("kind", kind),
            "subject": clean_correction("subject", subject),
            "attribute": clean_correction("attribute", attribute),
            "value": clean_correction("value", value),
            "confidence": clean_importance(confidence, "confidence"),
            "importance": None if importance is None else clean_importance(importance),
            "category": clean_correction("category", category),
            "tags": clean_correction("tags", tags),
            "valid_from": None if valid_from is None else clean_correction("valid_from", valid_from),
            "valid_until": clean_correction("valid_until", valid_until),
            "session": clean_name(session, "session id"),
        }
        return built(Fact, self._asking.ask("POST", "facts", body=body))

    def edit_fact(self, id: str, text: str | None = None, **values: Any) -> Fact:
        given = {name: clean_correction(name, value) for name, value in values.items()}
        if text is not None:
            given["text"] = clean_words(text, "text")
        if not given:
            raise InvalidInput("Nothing is to be changed.", 'Pass a text, or a field such as value="Lisbon".')
        return built(Fact, self._asking.ask("PATCH", "facts", clean_name(id, "id"), body=given))

    def promote_fact(self, id: str) -> Fact:
        return built(Fact, self._asking.ask("POST", "facts", clean_name(id, "id"), "promote"))

    def reject_fact(self, id: str) -> Fact:
        return built(Fact, self._asking.ask("POST", "facts", clean_name(id, "id"), "reject"))

    def archive(self, id: str) -> Fact | Episode:
        return self._moved("archive", id)

    def restore(self, id: str) -> Fact | Episode:
        return self._moved("restore", id)

    def _moved(self, how: str, id: str) -> Fact | Episode:
        name = clean_name(id, "id")
        told = self._asking.ask("POST", how, body={"id": name})
        return built(Episode, told) if name.startswith("episode_") else built(Fact, told)

    # Relations

    def relate(self, source: str, type: RelationType, target: str, *, strength: float = 1.0) -> Relation:
        if source == target:
            raise InvalidInput("Nothing stands in a relation to itself.", "Give two different ids.")
        body = {
            "source": clean_name(source, "source"),
            "type": clean_choice(type, RELATION_TYPES, "type"),
            "target": clean_name(target, "target"),
            "strength": clean_importance(strength, "strength"),
        }
        return built(Relation, self._asking.ask("POST", "relations", body=body))

    def unrelate(self, id: str) -> None:
        self._asking.ask("DELETE", "relations", clean_name(id, "id"))

    def relations(
        self, id: str | None = None, *, type: RelationType | None = None, as_of: datetime | str | None = None
    ) -> list[Relation]:
        found = self._asking.pages(
            Relation,
            "relations",
            id=None if id is None else clean_name(id, "id"),
            type=None if type is None else clean_choice(type, RELATION_TYPES, "type"),
            as_of=None if as_of is None else clean_time(as_of, "as_of"),
        )
        return list(found)

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
        found = self._asking.pages(
            Episode,
            "episodes",
            session=None if session is None else clean_name(session, "session id"),
            kind=[clean_choice(one, EPISODE_KINDS, "kind") for one in listed(kind, "kind")],
            status="all" if status is None else clean_choice(status, ("active", "archived"), "status"),
            significance=clean_score(significance, "significance"),
            as_of=None if as_of is None else clean_time(as_of, "as_of"),
        )
        return list(found)

    def consolidate(self, *, dry_run: bool = False, progress: Progress | None = None) -> Consolidation:
        told = self._asking.ask("POST", "consolidate", body={"dry_run": bool(dry_run)}, again=bool(dry_run), long=True)
        done = built(Consolidation, told)
        if progress is not None:
            progress(done.kept + done.archived + done.merged)
        return done


class RemoteSessionLongTerm(SessionLongTerm):
    """What is known from one conversation of a service."""

    _asking: Asking

    def facts(self, **wanted: Any) -> list[Fact]:
        given = {"statuses": wanted.pop("status", "active"), "kinds": wanted.pop("kind", None)}
        most = clean_count(wanted.pop("limit", MOST), "limit", most=MOST)
        only_known(wanted, clean_filter, "facts")
        filter_ = clean_filter(**given | wanted | {"session": self._id})
        return list(self._asking.pages(Fact, "facts", **filter_form(filter_), limit=most))

    def episodes(self) -> list[Episode]:
        return list(self._asking.pages(Episode, "sessions", self._id, "episodes"))

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
        body = {
            "title": clean_words(title, "title"),
            "kind": clean_choice(kind, EPISODE_KINDS, "kind"),
            "first": first,
            "last": last,
            "summary": summary,
            "context": context,
            "outcome": outcome,
            "participants": [clean_name(one, "participant") for one in listed(participants, "participants")],
            "links": [clean_name(one, "link") for one in listed(links, "links")],
            "valence": clean_score(valence, "valence", -1),
            "significance": clean_score(significance, "significance"),
        }
        return built(Episode, self._asking.ask("POST", "sessions", self._id, "episodes", body=body))

    # Pins

    def pin(
        self, text: str, *, source: int | str | None = None, importance: float = 0.8, type: PinType = "manual"
    ) -> Pin:
        body = {
            "text": text,
            "source": None if source is None else named(source),
            "importance": clean_importance(importance),
            "type": clean_choice(type, PIN_TYPES, "type"),
        }
        return built(Pin, self._asking.ask("POST", "sessions", self._id, "pins", body=body))

    def pins(self, *, as_of: datetime | str | None = None, known_at: datetime | str | None = None) -> list[Pin]:
        past = clean_past(as_of, known_at)
        return list(self._asking.pages(Pin, "sessions", self._id, "pins", **past_form(past)))

    def unpin(self, id: str) -> None:
        self._asking.ask("DELETE", "sessions", self._id, "pins", clean_name(id, "id"))

    def arc(self) -> Arc:
        return self._asking.one(Arc, "sessions", self._id, "arc")
