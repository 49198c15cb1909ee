"""`wrap`: OpenAI's client, with a memory.

The wrapped client is used as before. Each chat completion keeps what is new, is asked with the prompt that the memory
builds, and has its answer kept. Memory never stands in the way: what goes wrong there is logged (`onrecord`, by its
kind alone), and the call goes through as it was made. What goes wrong at the server is raised as ever.
"""

from __future__ import annotations

import asyncio
import copy
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar, cast

from openai import AsyncOpenAI, AsyncStream, OpenAI, Stream
from openai.resources.chat import AsyncChat, Chat
from openai.resources.chat.completions import AsyncCompletions, Completions

from onrecord.aio import AsyncMemory
from onrecord.errors import InvalidInput
from onrecord.memory import Memory
from onrecord.turns import Gathered, Turn, begin_turn, space_of

__all__ = ["wrap"]

Client = TypeVar("Client", bound="OpenAI | AsyncOpenAI")

_RAW = "x-stainless-raw-response"  # the client's own mark of a call whose bare response is wanted


def wrap(
    client: Client,
    memory: Memory | AsyncMemory | str | Path = "memory.db",
    *,
    session: str | None = None,
    space: str | None = None,
    budget: int | None = None,
) -> Client:
    """A client like the one given, which stays as it is, whose chat completions remember in a memory, or in the one at
    a place.

    `session` and `space` name the conversation and the space; otherwise a call's `metadata={"session": …, "space": …}`
    and `user` do (they are sent on, too), or the memory's own space and how the conversation begins. `budget`: tokens
    of the prompt; otherwise the profile's own, or as many as were sent and some more, within the model's window."""
    if not isinstance(client, (OpenAI, AsyncOpenAI)):
        raise InvalidInput(f"{type(client).__name__} is not a client of OpenAI's.", "Pass OpenAI() or AsyncOpenAI().")
    if isinstance(memory, (str, Path)):
        memory = Memory(memory)
    inner = memory.sync if isinstance(memory, AsyncMemory) else memory
    if not isinstance(inner, Memory):
        raise InvalidInput(
            f"{type(memory).__name__} is no memory.", "Pass a Memory, an AsyncMemory, or a place for one."
        )
    wrapped: Any = copy.copy(client)  # connections are shared
    held = vars(wrapped)
    for name in ("chat", "with_raw_response", "with_streaming_response"):
        held.pop(name, None)  # made of the other client, if it was used before
    remembering = _Remembering(inner, session, space, budget)
    if isinstance(client, OpenAI):
        held["chat"] = _WrappedChat(client, wrapped, remembering)
    else:
        held["chat"] = _AsyncChat(client, wrapped, remembering)

    def changed(**options: Any) -> OpenAI | AsyncOpenAI:
        return wrap(client.copy(**options), memory, session=session, space=space, budget=budget)

    held["copy"] = held["with_options"] = changed
    return cast(Client, wrapped)


class _Remembering:
    """Turns of one wrapped client; nothing that goes wrong in here comes out."""

    def __init__(self, memory: Memory, session: str | None, space: str | None, budget: int | None) -> None:
        self._memory = memory
        self._session = session
        self._space = space
        self._budget = budget

    def begin(self, given: dict[str, Any]) -> Turn | None:
        """The turn that a call begins; its messages then become the prompt."""
        try:
            body = {name: value for name, value in given.items() if type(value).__name__ not in ("NotGiven", "Omit")}
            given["messages"] = list(body["messages"])  # it may be readable only once
            body["messages"] = [_plain(message) for message in given["messages"]]
            space = space_of(body, self._space)
            memory = self._memory if space is None else self._memory.space(space)
            turn = begin_turn(memory, body, session=self._session, budget=self._budget)
        except Exception as error:  # noqa: BLE001 - a conversation goes on without its memory
            _warn("A chat is not remembered", error)
            return None
        given["messages"] = turn.body["messages"]
        return turn

    @staticmethod
    def answered(turn: Turn, answer: Any, given: Mapping[str, Any]) -> None:
        """Keep the answer of a call that was not streamed."""
        try:
            headers = {name.lower(): value for name, value in (given.get("extra_headers") or {}).items()}
            completion = answer.parse() if headers.get(_RAW) == "true" else answer
            if choices := getattr(completion, "choices", None):
                turn.finish(_plain(choices[0].message), model=completion.model)
        except Exception as error:  # noqa: BLE001 - the same
            _warn("An answer is not remembered", error)

    @staticmethod
    def heard(turn: Turn, gathered: Gathered) -> None:
        """Keep the answer of a call that was streamed, or what came of it."""
        try:
            turn.finish(gathered.message(), model=gathered.model, cut=not gathered.finished)
        except Exception as error:  # noqa: BLE001 - the same
            _warn("An answer is not remembered", error)


def _warn(what: str, error: Exception) -> None:
    logging.getLogger("onrecord").warning("%s: %s.", what, type(error).__name__)


def _plain(message: Any) -> Any:
    """A message as an object of JSON: programs also put answers there as they got them."""
    return message.model_dump(exclude_none=True, warnings=False) if hasattr(message, "model_dump") else message


class _WrappedChat(Chat):
    def __init__(self, client: OpenAI, wrapped: OpenAI, remembering: _Remembering) -> None:
        super().__init__(wrapped)
        vars(self)["completions"] = _Completions(client.chat.completions, wrapped, remembering)


class _AsyncChat(AsyncChat):
    def __init__(self, client: AsyncOpenAI, wrapped: AsyncOpenAI, remembering: _Remembering) -> None:
        super().__init__(wrapped)
        vars(self)["completions"] = _AsyncCompletions(client.chat.completions, wrapped, remembering)


class _Completions(Completions):
    def __init__(self, inner: Completions, wrapped: OpenAI, remembering: _Remembering) -> None:
        super().__init__(wrapped)
        self._inner = inner
        self._remembering = remembering

    def create(self, **given: Any) -> Any:
        return self._ask(self._inner.create, given)

    def parse(self, **given: Any) -> Any:
        return self._ask(self._inner.parse, given)

    def _ask(self, ask: Callable[..., Any], given: dict[str, Any]) -> Any:
        turn = self._remembering.begin(given)
        answer = ask(**given)
        if turn is None:
            return answer
        if isinstance(answer, Stream):
            return _StreamedAnswer(answer, turn)
        self._remembering.answered(turn, answer, given)
        return answer


class _AsyncCompletions(AsyncCompletions):
    def __init__(self, inner: AsyncCompletions, wrapped: AsyncOpenAI, remembering: _Remembering) -> None:
        super().__init__(wrapped)
        self._inner = inner
        self._remembering = remembering

    async def create(self, **given: Any) -> Any:
        return await self._ask(self._inner.create, given)

    async def parse(self, **given: Any) -> Any:
        return await self._ask(self._inner.parse, given)

    async def _ask(self, ask: Callable[..., Any], given: dict[str, Any]) -> Any:
        turn = await asyncio.to_thread(self._remembering.begin, given)
        answer = await ask(**given)
        if turn is None:
            return answer
        if isinstance(answer, AsyncStream):
            return _AsyncHeard(answer, turn)
        await asyncio.to_thread(self._remembering.answered, turn, answer, given)
        return answer


def _listen(stream: Stream[Any], turn: Turn) -> Iterator[Any]:
    gathered = Gathered()
    try:
        for chunk in stream:
            gathered.feed(chunk.model_dump())
            yield chunk
    finally:  # also when it broke off, or nobody reads on
        _Remembering.heard(turn, gathered)


async def _listen_async(stream: AsyncStream[Any], turn: Turn) -> AsyncIterator[Any]:
    gathered = Gathered()
    try:
        async for chunk in stream:
            gathered.feed(chunk.model_dump())
            yield chunk
    finally:
        await asyncio.shield(asyncio.to_thread(_Remembering.heard, turn, gathered))


class _StreamedAnswer(Stream[Any]):
    """A stream whose answer is kept when it ends."""

    def __init__(self, stream: Stream[Any], turn: Turn) -> None:
        self.response = stream.response
        self._stream = stream
        self._heard: Any = _listen(stream, turn)

    def __next__(self) -> Any:
        return next(self._heard)

    def __iter__(self) -> Iterator[Any]:
        return self

    def close(self) -> None:
        self._heard.close()
        self._stream.close()


class _AsyncHeard(AsyncStream[Any]):
    """The same, awaited."""

    def __init__(self, stream: AsyncStream[Any], turn: Turn) -> None:
        self.response = stream.response
        self._stream = stream
        self._heard: Any = _listen_async(stream, turn)

    async def __anext__(self) -> Any:
        return await anext(self._heard)

    def __aiter__(self) -> AsyncIterator[Any]:
        return self

    async def close(self) -> None:
        await self._heard.aclose()
        await self._stream.close()
