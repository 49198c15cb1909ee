"""AsyncMemory and AsyncSession: the methods of `Memory` and `Session`, awaited.

Each runs the synchronous method of the same name in a thread; iterators become asynchronous ones that fetch some items
at a time. Opening a memory is quick and happens at once: there is nothing to await in a constructor.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from functools import wraps
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

from onrecord.memory import Memory
from onrecord.session import Session

__all__ = ["AsyncMemory", "AsyncSession"]

CHUNK = 200
"""Items fetched per trip to a thread."""

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")
_Item = TypeVar("_Item")


def awaited(
    method: Callable[Concatenate[Any, _Parameters], _Result],
) -> Callable[Concatenate[Any, _Parameters], Coroutine[Any, Any, _Result]]:
    """Return the method that runs `method` of the synchronous object in a thread."""

    @wraps(method)
    async def run(self: Any, /, *args: _Parameters.args, **options: _Parameters.kwargs) -> _Result:
        result: _Result = await asyncio.to_thread(getattr(self.sync, method.__name__), *args, **options)
        return result

    return run


def iterated(
    method: Callable[Concatenate[Any, _Parameters], Iterator[_Item]],
) -> Callable[Concatenate[Any, _Parameters], AsyncIterator[_Item]]:
    """Return the method that iterates asynchronously over what `method` of the synchronous object yields."""

    @wraps(method)
    def run(self: Any, /, *args: _Parameters.args, **options: _Parameters.kwargs) -> AsyncIterator[_Item]:
        return _fetch(getattr(self.sync, method.__name__)(*args, **options))

    return run


async def _fetch(items: Iterator[_Item]) -> AsyncIterator[_Item]:
    while chunk := await asyncio.to_thread(lambda: list(islice(items, CHUNK))):
        for item in chunk:
            yield item


class AsyncMemory:
    """`Memory` for asynchronous programs: `async with AsyncMemory("memory.db") as memory: …`. `sync` is the memory
    itself, which may also be given in place of a path."""

    def __init__(self, path: str | Path | Memory | None = None, **settings: Any) -> None:
        self.sync = Memory(path, **settings) if isinstance(path, (str, Path, type(None))) else path

    @property
    def name(self) -> str:
        return self.sync.name

    @property
    def chat_tokens(self) -> int | None:
        return self.sync.chat_tokens

    def space(self, name: str) -> AsyncMemory:
        return AsyncMemory(self.sync.space(name))

    def session(self, id: str) -> AsyncSession:
        return AsyncSession(self.sync.session(id))

    spaces = awaited(Memory.spaces)
    sessions = iterated(Memory.sessions)
    search = awaited(Memory.search)
    forget = awaited(Memory.forget)
    rebuild = awaited(Memory.rebuild)
    export = awaited(Memory.export)
    import_ = awaited(Memory.import_)
    backup = awaited(Memory.backup)
    check = awaited(Memory.check)
    spent = awaited(Memory.spent)
    estimate = awaited(Memory.estimate)
    pause = awaited(Memory.pause)
    resume = awaited(Memory.resume)
    flush = awaited(Memory.flush)
    close = awaited(Memory.close)

    facts = awaited(Memory.facts)
    fact = awaited(Memory.fact)
    add_fact = awaited(Memory.add_fact)
    edit_fact = awaited(Memory.edit_fact)  # type: ignore[arg-type]  # `self` may not be among the options
    promote_fact = awaited(Memory.promote_fact)
    reject_fact = awaited(Memory.reject_fact)
    archive = awaited(Memory.archive)
    restore = awaited(Memory.restore)
    relate = awaited(Memory.relate)
    unrelate = awaited(Memory.unrelate)
    relations = awaited(Memory.relations)
    episodes = awaited(Memory.episodes)
    consolidate = awaited(Memory.consolidate)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"Async{self.sync!r}"


class AsyncSession:
    """`Session` for asynchronous programs."""

    def __init__(self, session: Session) -> None:
        self.sync = session

    @property
    def id(self) -> str:
        return self.sync.id

    add = awaited(Session.add)
    add_many = awaited(Session.add_many)
    history = iterated(Session.history)
    info = awaited(Session.info)
    update = awaited(Session.update)  # type: ignore[arg-type]  # `self` may not be among the options
    context = awaited(Session.context)
    search = awaited(Session.search)  # type: ignore[arg-type]  # `self` may not be among the options
    forget = awaited(Session.forget)
    flush = awaited(Session.flush)
    end = awaited(Session.end)

    summarize = awaited(Session.summarize)
    estimate = awaited(Session.estimate)
    due = awaited(Session.due)
    summaries = iterated(Session.summaries)
    add_summary = awaited(Session.add_summary)
    edit_summary = awaited(Session.edit_summary)
    lock_summary = awaited(Session.lock_summary)
    important = awaited(Session.important)
    set_important = awaited(Session.set_important)
    compression = awaited(Session.compression)
    conversation = awaited(Session.conversation)
    rescore = awaited(Session.rescore)
    refresh = awaited(Session.refresh)
    clear = awaited(Session.clear)
    rebuild = awaited(Session.rebuild)

    facts = awaited(Session.facts)  # type: ignore[arg-type]  # `self` may not be among the options
    episodes = awaited(Session.episodes)
    add_episode = awaited(Session.add_episode)
    arc = awaited(Session.arc)
    pin = awaited(Session.pin)
    pins = awaited(Session.pins)
    unpin = awaited(Session.unpin)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.flush()

    def __repr__(self) -> str:
        return f"Async{self.sync!r}"
