"""AsyncMemory: the same methods, awaited. Every call runs the synchronous one in a thread; no logic lives here.
Only opening happens at once: it is quick, and there is nothing to await in a constructor.

Iterators become asynchronous ones that fetch some items at a time. A test checks that nothing is missing.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from datetime import datetime
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TextIO, TypeVar

from onrecord.aio_longterm import AsyncLongTerm, AsyncSessionLongTerm
from onrecord.context.prompt import Context
from onrecord.memory import Memory
from onrecord.ports import Progress
from onrecord.records import (
    Compression,
    Conversation,
    Erased,
    Estimate,
    Health,
    ImportantData,
    ImportReport,
    Message,
    Receipt,
    Role,
    SessionInfo,
    Spent,
    Summaries,
    Summary,
)
from onrecord.session import Session

if TYPE_CHECKING:
    from onrecord.recall.hits import Hits

__all__ = ["AsyncMemory", "AsyncSession"]

CHUNK = 200
"""Items fetched per trip to a thread."""

_Item = TypeVar("_Item")


async def _each(items: Iterator[_Item]) -> AsyncIterator[_Item]:
    while chunk := await asyncio.to_thread(lambda: list(islice(items, CHUNK))):
        for item in chunk:
            yield item


class AsyncMemory(AsyncLongTerm):
    """`Memory` for asynchronous programs: `async with AsyncMemory("memory.db") as memory: …`."""

    def __init__(self, path: str | Path, **settings: Any) -> None:
        self._memory = Memory(path, **settings)

    @classmethod
    def _view(cls, memory: Memory) -> AsyncMemory:
        view = object.__new__(cls)
        view._memory = memory
        return view

    @property
    def name(self) -> str:
        return self._memory.name

    @property
    def chat_tokens(self) -> int | None:
        return self._memory.chat_tokens

    def space(self, name: str) -> AsyncMemory:
        return self._view(self._memory.space(name))

    async def spaces(self) -> list[str]:
        return await asyncio.to_thread(self._memory.spaces)

    def session(self, id: str) -> AsyncSession:
        return AsyncSession(self._memory.session(id))

    def sessions(self) -> AsyncIterator[SessionInfo]:
        return _each(self._memory.sessions())

    async def search(
        self,
        text: str,
        *,
        kinds: str | Iterable[str] | None = None,
        sessions: str | Iterable[str] | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        importance: float = 0.0,
        categories: str | Iterable[str] | None = None,
        tags: str | Iterable[str] | None = None,
        limit: int | None = None,
        tokens: int | None = None,
        context: str = "",
        weights: Mapping[str, float] | None = None,
    ) -> Hits:
        return await asyncio.to_thread(
            self._memory.search,
            text,
            kinds=kinds,
            sessions=sessions,
            since=since,
            until=until,
            as_of=as_of,
            known_at=known_at,
            importance=importance,
            categories=categories,
            tags=tags,
            limit=limit,
            tokens=tokens,
            context=context,
            weights=weights,
        )

    async def forget(
        self,
        *,
        session: str | None = None,
        messages: int | str | Iterable[int | str] | None = None,
        space: str | None = None,
        fact: str | None = None,
    ) -> Erased:
        return await asyncio.to_thread(self._memory.forget, session=session, messages=messages, space=space, fact=fact)

    async def rebuild(
        self, *, session: str | None = None, vectors: bool = False, progress: Progress | None = None
    ) -> int:
        return await asyncio.to_thread(self._memory.rebuild, session=session, vectors=vectors, progress=progress)

    async def export(
        self,
        target: str | Path | TextIO,
        *,
        session: str | None = None,
        mask_secrets: bool = False,
        progress: Progress | None = None,
    ) -> int:
        return await asyncio.to_thread(
            self._memory.export, target, session=session, mask_secrets=mask_secrets, progress=progress
        )

    async def import_(
        self, source: str | Path | Iterable[str], *, vectors: bool = True, progress: Progress | None = None
    ) -> ImportReport:
        return await asyncio.to_thread(self._memory.import_, source, vectors=vectors, progress=progress)

    async def backup(self, target: str | Path) -> None:
        await asyncio.to_thread(self._memory.backup, target)

    async def check(self, *, progress: Progress | None = None) -> Health:
        return await asyncio.to_thread(self._memory.check, progress=progress)

    async def spent(self) -> Spent:
        return await asyncio.to_thread(self._memory.spent)

    async def estimate(self) -> Estimate:
        return await asyncio.to_thread(self._memory.estimate)

    async def pause(self) -> None:
        await asyncio.to_thread(self._memory.pause)

    async def resume(self) -> None:
        await asyncio.to_thread(self._memory.resume)

    async def flush(self) -> bool:
        return await asyncio.to_thread(self._memory.flush)

    async def close(self) -> None:
        await asyncio.to_thread(self._memory.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"Async{self._memory!r}"


class AsyncSession(AsyncSessionLongTerm):
    """`Session` for asynchronous programs."""

    def __init__(self, session: Session) -> None:
        self._session = session

    @property
    def id(self) -> str:
        return self._session.id

    async def add(
        self,
        role: Role,
        text: str | None,
        *,
        name: str | None = None,
        time: datetime | str | None = None,
        id: str | None = None,
        key: str | None = None,
        tool_calls: Iterable[Any] | None = None,
        tool_call_id: str | None = None,
        model: str | None = None,
        importance: float | None = None,
        meta: Mapping[str, Any] | None = None,
    ) -> Receipt:
        return await asyncio.to_thread(
            self._session.add,
            role,
            text,
            name=name,
            time=time,
            id=id,
            key=key,
            tool_calls=tool_calls,
            tool_call_id=tool_call_id,
            model=model,
            importance=importance,
            meta=meta,
        )

    async def add_many(self, messages: Iterable[Mapping[str, Any] | tuple[Role, str]]) -> list[Receipt]:
        return await asyncio.to_thread(self._session.add_many, messages)

    def history(
        self,
        *,
        limit: int | None = None,
        after: int | None = None,
        before: int | None = None,
        last: int | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        role: Role | Iterable[Role] | None = None,
        forgotten: bool = False,
    ) -> AsyncIterator[Message]:
        return _each(
            self._session.history(
                limit=limit,
                after=after,
                before=before,
                last=last,
                since=since,
                until=until,
                role=role,
                forgotten=forgotten,
            )
        )

    async def info(self) -> SessionInfo:
        return await asyncio.to_thread(self._session.info)

    async def update(self, **changes: Any) -> SessionInfo:
        return await asyncio.to_thread(self._session.update, **changes)

    async def context(
        self,
        question: str | None = None,
        *,
        tokens: int | None = None,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        before: int | None = None,
        profile: str | None = None,
        recalled: int | None = None,
    ) -> Context:
        return await asyncio.to_thread(
            self._session.context,
            question,
            tokens=tokens,
            as_of=as_of,
            known_at=known_at,
            before=before,
            profile=profile,
            recalled=recalled,
        )

    async def search(self, text: str, **asked: Any) -> Hits:
        return await asyncio.to_thread(self._session.search, text, **asked)

    async def summarize(
        self,
        first: int | None = None,
        last: int | None = None,
        *,
        profile: str | None = None,
        progress: Progress | None = None,
    ) -> Summaries:
        return await asyncio.to_thread(self._session.summarize, first, last, profile=profile, progress=progress)

    async def estimate(self) -> Estimate:
        return await asyncio.to_thread(self._session.estimate)

    async def due(self) -> list[tuple[int, int]]:
        return await asyncio.to_thread(self._session.due)

    def summaries(
        self, *, plan: str | None = None, level: int | None = None, as_of: datetime | str | None = None
    ) -> AsyncIterator[Summary]:
        return _each(self._session.summaries(plan=plan, level=level, as_of=as_of))

    async def add_summary(
        self,
        text: str,
        last: int,
        *,
        first: int = 1,
        important: ImportantData | Mapping[str, Any] | None = None,
    ) -> Summary:
        return await asyncio.to_thread(self._session.add_summary, text, last, first=first, important=important)

    async def edit_summary(self, id: str, text: str) -> Summary:
        return await asyncio.to_thread(self._session.edit_summary, id, text)

    async def lock_summary(self, id: str, locked: bool = True) -> Summary:
        return await asyncio.to_thread(self._session.lock_summary, id, locked)

    async def important(self) -> ImportantData:
        return await asyncio.to_thread(self._session.important)

    async def set_important(self, data: ImportantData | Mapping[str, Any]) -> ImportantData:
        return await asyncio.to_thread(self._session.set_important, data)

    async def compression(self) -> Compression | None:
        return await asyncio.to_thread(self._session.compression)

    async def conversation(self) -> Conversation:
        return await asyncio.to_thread(self._session.conversation)

    async def end(self, summary: str | None = None) -> Summary | None:
        return await asyncio.to_thread(self._session.end, summary)

    async def rescore(self, importance: Mapping[int, float] | None = None) -> int:
        return await asyncio.to_thread(self._session.rescore, importance)

    async def refresh(self) -> None:
        await asyncio.to_thread(self._session.refresh)

    async def clear(self) -> int:
        return await asyncio.to_thread(self._session.clear)

    async def rebuild(self, *, progress: Progress | None = None) -> int:
        return await asyncio.to_thread(self._session.rebuild, progress=progress)

    async def forget(self, *messages: int | str) -> Erased:
        return await asyncio.to_thread(self._session.forget, *messages)

    async def flush(self) -> bool:
        return await asyncio.to_thread(self._session.flush)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.flush()

    def __repr__(self) -> str:
        return f"Async{self._session!r}"
