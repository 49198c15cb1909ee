"""The door for chat programs: OpenAI's protocol, with memory. A request goes on to the operator's upstream with the
prompt that the memory built for it; what was said on both sides is kept.

Memory never stands in the way: if it fails, the request goes on as it came, and a header says so.
"""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from secrets import token_hex
from time import monotonic, perf_counter
from typing import Any
from urllib.parse import quote

import anyio
import httpx
from fastapi import APIRouter, Request
from starlette.responses import Response, StreamingResponse

from onrecord.errors import InvalidInput, ModelError, OnrecordError, StoreBusy, StoreError
from onrecord.service.error_responses import FAILURES, failed
from onrecord.service.forms import failure
from onrecord.service.metrics import Outcome
from onrecord.service.space_access import ServiceCall, Write, plain_header
from onrecord.service.upstream import Upstream, as_bytes, authorization_of, returned
from onrecord.turns.budget import LEAST
from onrecord.turns.finding import space_of
from onrecord.turns.streaming import Events, Gathered
from onrecord.turns.turn import Turn, begin_turn

__all__ = ["router"]

PATIENCE = 5.0
"""Seconds that a chat request waits for its memory; then it goes on without."""

REST = 5.0
"""Seconds for which chat requests go on without it after that."""

DONE = "[DONE]"  # what a stream ends with

router = APIRouter(tags=["Chat programs"], responses=FAILURES)


@dataclass(slots=True)
class Passing:
    """One chat request on its way."""

    call: ServiceCall
    raw: bytes  # as it came
    space: str
    turn: Turn | None = None
    id: str = field(default_factory=lambda: f"ctx_{token_hex(8)}")  # of the prompt
    trouble: str = ""  # why memory stood aside

    @property
    def sent(self) -> bytes:
        """What goes on: with memory, or as it came."""
        return self.raw if self.turn is None else as_bytes(self.turn.body)

    def headers(self) -> dict[str, str]:
        """Headers that report the memory's part."""
        headers = {"X-Onrecord-Space": self.space}
        if self.turn is None:
            return _plain(headers | {"X-Onrecord-Memory": f"bypassed ({self.trouble})"})
        context = self.turn.context
        headers |= {
            "X-Onrecord-Memory": "used",
            "X-Onrecord-Session": self.turn.session,
            "X-Onrecord-Context": self.id,
            "X-Onrecord-Tokens": str(context.tokens),
            "X-Onrecord-Budget": str(context.budget),
        }
        if context.stable is not None:
            headers["X-Onrecord-Stable"] = f"{context.stable:.4f}"
        if self.turn.warnings:
            headers["X-Onrecord-Warnings"] = " ".join(self.turn.warnings)
        return _plain(headers)

    async def keep(self, gathered: Gathered) -> None:
        """Keep the answer. The caller has it already, so a failure is only logged."""
        if self.turn is not None:
            with anyio.move_on_after(PATIENCE, shield=True):  # also when the caller has just gone away
                await self.call.run(partial(self._finish, self.turn, gathered), "talking", abandon=True)

    def _finish(self, turn: Turn, gathered: Gathered) -> None:
        """Runs in a thread, which goes on after its caller stopped waiting."""
        try:
            turn.finish(gathered.message(), model=gathered.model, cut=not gathered.finished)
            self.call.desk.metrics.added(1)
        except Exception as error:  # noqa: BLE001 - the answer is on its way; only the kind: texts are no log's business
            logging.getLogger("onrecord").warning("An answer was not kept: %s.", type(error).__name__)


def _plain(headers: Mapping[str, str]) -> dict[str, str]:
    """Headers hold ASCII: everything else is percent-encoded."""
    safe = " !#$&'()*+,/:;=?@[]~{}|^`<>\"\\"
    found = {name: quote(value, safe=safe, errors="replace") for name, value in headers.items()}
    return {name: value for name, value in found.items() if len(value) <= 4_000}


@router.post(
    "/v1/chat/completions",
    operation_id="chat_completions",
    response_class=Response,
    responses={
        200: {
            "description": "The upstream's answer, as it came: JSON, or a stream of events.",
            "content": {"application/json": {}, "text/event-stream": {}},
        },
        "default": {"description": "The upstream's own error, as it came."},
    },
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": {"type": "object", "required": ["model", "messages"]}}},
        }
    },
)
async def chat_completions(call: Write, request: Request) -> Response:
    """A chat request in OpenAI's shape, streaming or not: answered by the upstream, with memory."""
    upstream: Upstream = request.app.state.upstream
    upstream.check()
    authorization_of(call, request)  # what cannot be sent on is said before anything is kept
    passing = await _begun(call, request)
    begun = perf_counter()
    try:
        answer = await upstream.ask("POST", "/chat/completions", call, request, passing.sent)
    except OnrecordError as error:
        call.desk.metrics.proxied("upstream_error", perf_counter() - begun)
        return failed(error, headers=passing.headers())
    outcome = _outcome(answer, passing)
    call.desk.metrics.proxied(outcome, perf_counter() - begun)
    headers = returned(answer) | passing.headers()
    if answer.headers.get("content-type", "").startswith("text/event-stream") and answer.status_code < 400:
        return StreamingResponse(_streamed(answer, passing), answer.status_code, headers)
    return await _answered(answer, passing, headers)


def _outcome(answer: httpx.Response, passing: Passing) -> Outcome:
    if answer.status_code >= 400:
        return "upstream_error"
    return "bypassed" if passing.turn is None else "ok"


async def _begun(call: ServiceCall, request: Request) -> Passing:
    """The request with memory, or, where that fails, as it came."""
    raw = await request.body()
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError):
        raise InvalidInput("The body is not JSON.", "Send a chat request in OpenAI's shape.") from None
    if not isinstance(body, dict):
        raise InvalidInput("The body is not a JSON object.", "Send a chat request in OpenAI's shape.")
    named = None if "x-onrecord-space" in request.headers or "space" in request.query_params else space_of(body)
    space = call.space if named is None or call.caller.space is not None else named
    if space is named and call.caller.prefix is not None and call.caller.tenant is None:
        space = space.replace("/", "%2F")  # a program's `user` may be any text
    passing = Passing(call, raw, space)
    budget = _budget(request) or call.desk.serving.budget
    session = plain_header(request.headers.get("x-onrecord-session"))
    begin, who = partial(_begin, passing, body, session, budget), call.caller.tenant_or_key
    try:
        if monotonic() < call.desk.rests.get(who, 0.0):
            raise StoreBusy(f"The memory timed out less than {REST:.0f} s ago; skipping it.", "Wait a moment.")
        with anyio.fail_after(PATIENCE):
            passing.turn = await call.run(begin, "talking", abandon=True)
    except Exception as error:  # noqa: BLE001 - memory must not stand in the way; only the kind, texts stay private
        passing.trouble = type(error).__name__
        if isinstance(error, (StoreError, TimeoutError)) and monotonic() >= call.desk.rests.get(who, 0.0):
            call.desk.rests[who] = monotonic() + REST
        logging.getLogger("onrecord").warning("A chat request went on without memory: %s.", passing.trouble)
    tokens = None if passing.turn is None else passing.turn.context.tokens
    request.scope["onrecord"].update(memory=passing.trouble or "used", tokens=tokens)  # for the log
    return passing


def _begin(passing: Passing, body: Mapping[str, Any], session: str | None, budget: int | None) -> Turn:
    """In a thread: what is new is kept, and the prompt is built."""
    call, desk = passing.call, passing.call.desk
    memory = desk.memory.space(call.caller.stored(passing.space))
    state = desk.contexts.state(memory.name)
    turn = begin_turn(memory, body, session=session, budget=budget)
    desk.contexts.keep(memory.name, passing.id, turn.context, state)
    desk.metrics.built(turn.context.tokens)
    desk.metrics.added(turn.added)
    return turn


def _budget(request: Request) -> int | None:
    given = request.headers.get("x-onrecord-tokens")
    if given is None:
        return None
    if not (given.isascii() and given.isdecimal() and len(given) < 10 and int(given) >= LEAST):
        raise InvalidInput("X-Onrecord-Tokens is no budget.", f"Send a whole number from {LEAST}.")
    return int(given)


async def _answered(answer: httpx.Response, passing: Passing, headers: dict[str, str]) -> Response:
    try:
        content = await answer.aread()
    except httpx.HTTPError as error:
        broken = ModelError(f"The upstream broke off its answer ({type(error).__name__}).", "Try again.")
        return failed(broken, headers=passing.headers())
    finally:
        await answer.aclose()
    if answer.status_code < 400:
        gathered = Gathered()
        gathered.feed(content)
        gathered.finished = True
        await passing.keep(gathered)
    return Response(content, answer.status_code, headers)


async def _streamed(answer: httpx.Response, passing: Passing) -> AsyncIterator[bytes]:
    """The stream as it comes; what was said is kept before its end is passed on, or when it breaks off."""
    gathered, parser, kept = Gathered(), Events(), False
    try:
        async for piece in answer.aiter_bytes():
            found = parser.feed(piece)
            for event in found:
                gathered.feed(event)
            if DONE in found and not kept:
                kept = True
                await passing.keep(gathered)
            yield piece
    except httpx.HTTPError as error:
        headers = failure("ModelError", f"The upstream broke off ({type(error).__name__}).", "Try again.")
        yield b"\n\ndata: " + json.dumps(headers).encode() + b"\n\n"
    finally:
        with anyio.CancelScope(shield=True):
            await answer.aclose()
            if not kept:
                await passing.keep(gathered)


@router.get(
    "/v1/models",
    operation_id="models",
    response_class=Response,
    responses={
        200: {"description": "The upstream's models.", "content": {"application/json": {}}},
        "default": {"description": "The upstream's own error, as it came."},
    },
)
async def models(call: Write, request: Request) -> Response:
    """The models that the upstream has."""
    return await _passed(call, request, None)


@router.post("/v1/embeddings", include_in_schema=False)
@router.post("/v1/completions", include_in_schema=False)
@router.post("/v1/moderations", include_in_schema=False)
@router.post("/v1/responses", include_in_schema=False)
async def passed_on(call: Write, request: Request) -> Response:
    """What chat programs ask beside: it goes to the upstream as it came, and memory has no part in it."""
    return await _passed(call, request, await request.body())


async def _passed(call: ServiceCall, request: Request, content: bytes | None) -> Response:
    upstream: Upstream = request.app.state.upstream
    answer = await upstream.ask(request.method, request.url.path.removeprefix("/v1"), call, request, content)
    return StreamingResponse(_unread(answer), answer.status_code, returned(answer))


async def _unread(answer: httpx.Response) -> AsyncIterator[bytes]:
    try:
        async for piece in answer.aiter_bytes():
            yield piece
    finally:
        with anyio.CancelScope(shield=True):
            await answer.aclose()
