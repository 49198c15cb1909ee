"""The long memory, awaited: what `AsyncMemory` and `AsyncSession` have of `longterm`. No logic lives here."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from onrecord.longterm import FACTS
from onrecord.memory import Memory
from onrecord.ports import Progress
from onrecord.records import (
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
from onrecord.session import Session

__all__ = ["AsyncLongTerm", "AsyncSessionLongTerm"]


class AsyncLongTerm:
    """`LongTerm`, awaited."""

    _memory: Memory

    async def facts(
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
        return await asyncio.to_thread(
            self._memory.facts,
            kind=kind,
            status=status,
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
            limit=limit,
        )

    async def fact(self, id: str) -> Fact:
        return await asyncio.to_thread(self._memory.fact, id)

    async def add_fact(
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
        return await asyncio.to_thread(
            self._memory.add_fact,
            text,
            kind=kind,
            subject=subject,
            attribute=attribute,
            value=value,
            confidence=confidence,
            importance=importance,
            category=category,
            tags=tags,
            valid_from=valid_from,
            valid_until=valid_until,
            session=session,
        )

    async def edit_fact(self, id: str, text: str | None = None, **values: Any) -> Fact:
        return await asyncio.to_thread(self._memory.edit_fact, id, text, **values)

    async def promote_fact(self, id: str) -> Fact:
        return await asyncio.to_thread(self._memory.promote_fact, id)

    async def reject_fact(self, id: str) -> Fact:
        return await asyncio.to_thread(self._memory.reject_fact, id)

    async def archive(self, id: str) -> Fact | Episode:
        return await asyncio.to_thread(self._memory.archive, id)

    async def restore(self, id: str) -> Fact | Episode:
        return await asyncio.to_thread(self._memory.restore, id)

    async def relate(self, source: str, type: RelationType, target: str, *, strength: float = 1.0) -> Relation:
        return await asyncio.to_thread(self._memory.relate, source, type, target, strength=strength)

    async def unrelate(self, id: str) -> None:
        await asyncio.to_thread(self._memory.unrelate, id)

    async def relations(
        self, id: str | None = None, *, type: RelationType | None = None, as_of: datetime | str | None = None
    ) -> list[Relation]:
        return await asyncio.to_thread(self._memory.relations, id, type=type, as_of=as_of)

    async def episodes(
        self,
        *,
        session: str | None = None,
        kind: EpisodeKind | Iterable[EpisodeKind] | None = None,
        status: str | None = "active",
        significance: float = 0.0,
        as_of: datetime | str | None = None,
    ) -> list[Episode]:
        return await asyncio.to_thread(
            self._memory.episodes, session=session, kind=kind, status=status, significance=significance, as_of=as_of
        )

    async def consolidate(self, *, dry_run: bool = False, progress: Progress | None = None) -> Consolidation:
        return await asyncio.to_thread(self._memory.consolidate, dry_run=dry_run, progress=progress)


class AsyncSessionLongTerm:
    """`SessionLongTerm`, awaited."""

    _session: Session

    async def facts(self, **wanted: Any) -> list[Fact]:
        return await asyncio.to_thread(self._session.facts, **wanted)

    async def episodes(self) -> list[Episode]:
        return await asyncio.to_thread(self._session.episodes)

    async def add_episode(
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
        return await asyncio.to_thread(
            self._session.add_episode,
            title,
            kind=kind,
            first=first,
            last=last,
            summary=summary,
            context=context,
            outcome=outcome,
            participants=participants,
            links=links,
            valence=valence,
            significance=significance,
        )

    async def pin(
        self, text: str, *, source: int | str | None = None, importance: float = 0.8, type: PinType = "manual"
    ) -> Pin:
        return await asyncio.to_thread(self._session.pin, text, source=source, importance=importance, type=type)

    async def pins(self, *, as_of: datetime | str | None = None, known_at: datetime | str | None = None) -> list[Pin]:
        return await asyncio.to_thread(self._session.pins, as_of=as_of, known_at=known_at)

    async def unpin(self, id: str) -> None:
        await asyncio.to_thread(self._session.unpin, id)

    async def arc(self) -> Arc:
        return await asyncio.to_thread(self._session.arc)
