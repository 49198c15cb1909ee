"""The door for chat programs: OpenAI's protocol, with memory. A request goes on to the operator's upstream with the
prompt that the memory built for it; what was said on both sides is kept.

Memory never stands in the way: if it fails, the request goes on as it came, and a header says so.
"""

from __future__ import annotations

import json
import logging
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from secrets import token_hex
from time import perf_counter
from typing import Any
from urllib.parse import quote

import anyio
import httpx
from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse

from recollect.errors import Denied, InvalidInput, ModelError, ModelUnreachable, RecollectError
from recollect.models.server import host_of
from recollect.service.calling import Call, Read, Write, plain_header
from recollect.service.failing import FAILURES, failed
from recollect.service.forms import failure
from recollect.service.metrics import Outcome
from recollect.turns.naming import space_of
from recollect.turns.streaming import Events, Gathered
from recollect.turns.turn import Turn

__all__ = ["Upstream", "router"]

router = APIRouter(tags=["Chat programs"], responses=FAILURES)

CONNECT, SILENCE = 10.0, 600.0  # seconds to be reached in, and between two pieces of an answer
_KEPT = ("content-type", "retry-after", "x-request-id", "openai-processing-ms")
"""Headers of the upstream that reach the caller. Its cookies, and what it says of the connection, do not."""


class Upstream:
    """The server that chat requests go on to. Its address comes from the operator alone."""

    def __init__(self, address: str | None, key: str | None) -> None:
        self.address = None if address is None else address.rstrip("/")
        self.key = key
        self._host = None if address is None else host_of(address)
        self._client: httpx.AsyncClient | None = None

    @property
    def client(self) -> httpx.AsyncClient:
        if self._client is None:
            timeout = httpx.Timeout(SILENCE, connect=CONNECT)
            self._client = httpx.AsyncClient(
                timeout=timeout, trust_env=False, limits=httpx.Limits(max_connections=None)
            )
        return self._client

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()

    async def ask(self, method: str, path: str, authorization: str | None, body: Any = None) -> httpx.Response:
        """The upstream's answer, of which only the head has come."""
        if self.address is None:
            raise ModelError("No upstream is configured.", "Set RECOLLECT_UPSTREAM, such as https://api.openai.com/v1.")
        headers = {"accept-encoding": "identity"}
        if self.key or authorization:
            headers["authorization"] = f"Bearer {self.key}" if self.key else authorization or ""
        content = None if body is None else json.dumps(body, ensure_ascii=False).encode("utf-8", "replace")
        if content is not None:
            headers["content-type"] = "application/json"
        request = self.client.build_request(method, f"{self.address}{path}", headers=headers, content=content)
        try:
            return await self.client.send(request, stream=True)
        except httpx.HTTPError as error:
            raise ModelUnreachable(
                f"The upstream {self._host} could not be asked ({type(error).__name__}).",
                "Try again; the message is kept.",
            ) from None


@dataclass(slots=True)
class Passing:
    """One chat request on its way."""

    call: Call
    body: Any
    space: str
    turn: Turn | None = None
    id: str = field(default_factory=lambda: f"ctx_{token_hex(8)}")  # of the prompt
    trouble: str = ""  # why memory stood aside

    @property
    def sent(self) -> Any:
        return self.body if self.turn is None else self.turn.body

    def headers(self) -> dict[str, str]:
        """What the caller is told of the memory's part."""
        told = {"X-Recollect-Space": self.space}
        if self.turn is None:
            return _plain(told | {"X-Recollect-Memory": f"bypassed ({self.trouble})"})
        context = self.turn.context
        told |= {
            "X-Recollect-Memory": "used",
            "X-Recollect-Session": self.turn.session,
            "X-Recollect-Context": self.id,
            "X-Recollect-Tokens": str(context.tokens),
            "X-Recollect-Budget": str(context.budget),
        }
        if context.stable is not None:
            told["X-Recollect-Stable"] = f"{context.stable:.4f}"
        if self.turn.warnings:
            told["X-Recollect-Warnings"] = " ".join(self.turn.warnings)
        return _plain(told)

    async def keep(self, message: Mapping[str, Any] | None, *, cut: bool, model: str | None) -> None:
        """Keep the answer. Whoever asked has it already, so a failure is only logged."""
        if self.turn is None or message is None:
            return
        with anyio.CancelScope(shield=True):  # also when the caller has just gone away
            try:
                await run_in_threadpool(self.turn.finish, message, model=model, cut=cut)
            except Exception as error:  # noqa: BLE001 - the answer is on its way; only the kind, texts are no log's business
                logging.getLogger("recollect").warning("An answer was not kept: %s.", type(error).__name__)


def _plain(headers: Mapping[str, str]) -> dict[str, str]:
    """Headers hold ASCII: everything else is percent-encoded."""
    safe = " !#$&'()*+,/:;=?@[]~{}|^`<>\"\\"
    return {name: quote(value, safe=safe)[:2_000] for name, value in headers.items()}


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
    authorization = _forwarded(call, request)
    passing = await _begun(call, request)
    begun = perf_counter()
    try:
        answer = await upstream.ask("POST", "/chat/completions", authorization, passing.sent)
    except RecollectError as error:
        call.desk.metrics.proxied("upstream_error", perf_counter() - begun)
        return failed(error, headers=passing.headers())
    outcome = _outcome(answer, passing)
    call.desk.metrics.proxied(outcome, perf_counter() - begun)
    headers = {name: answer.headers[name] for name in _KEPT if name in answer.headers} | passing.headers()
    if answer.headers.get("content-type", "").startswith("text/event-stream") and answer.status_code < 400:
        return StreamingResponse(_streamed(answer, passing), answer.status_code, headers)
    return await _answered(answer, passing, headers)


def _outcome(answer: httpx.Response, passing: Passing) -> Outcome:
    if answer.status_code >= 400:
        return "upstream_error"
    return "bypassed" if passing.turn is None else "ok"


async def _begun(call: Call, request: Request) -> Passing:
    """The request with memory, or, where that fails, as it came."""
    raw = await request.body()
    try:
        body = json.loads(raw)
    except (ValueError, RecursionError):
        raise InvalidInput("The body is not JSON.", "Send a chat request in OpenAI's shape.") from None
    if not isinstance(body, dict):
        raise InvalidInput("The body is not a JSON object.", "Send a chat request in OpenAI's shape.")
    named = None if "x-recollect-space" in request.headers or "space" in request.query_params else space_of(body)
    space = call.space if named is None or call.caller.space is not None else named
    passing = Passing(call, body, space)
    try:
        memory = call.desk.memory.space(call.caller.stored(space))
        session = plain_header(request.headers.get("x-recollect-session"))
        budget = _budget(request) or call.desk.serving.budget
        passing.turn = await run_in_threadpool(Turn.begin, memory, body, session=session, budget=budget)
        call.desk.contexts.keep(memory.name, passing.id, passing.turn.context)
        call.desk.metrics.built(passing.turn.context.tokens)
    except Denied:
        raise
    except Exception as error:  # noqa: BLE001 - memory must not stand in the way; only the kind, texts are nobody's business
        passing.trouble = type(error).__name__
        logging.getLogger("recollect").warning("A chat request went on without memory: %s.", passing.trouble)
    return passing


def _budget(request: Request) -> int | None:
    given = request.headers.get("x-recollect-tokens", "")
    return int(given) if given.isascii() and given.isdecimal() and 0 < len(given) < 10 else None


def _forwarded(call: Call, request: Request) -> str | None:
    """The caller's own authorization for the upstream: never a key of ours."""
    given = request.headers.get("authorization")
    if not given or not given.strip() or (call.desk.needs_keys and "x-recollect-key" not in request.headers):
        return None
    if not (given.isascii() and given.isprintable()):
        raise InvalidInput("The header Authorization holds characters that no key has.", "See whether it is whole.")
    return given.strip()


async def _answered(answer: httpx.Response, passing: Passing, headers: dict[str, str]) -> Response:
    try:
        content = await answer.aread()
    except httpx.HTTPError as error:
        broken = ModelError(f"The upstream broke off its answer ({type(error).__name__}).", "Try again.")
        return failed(broken, headers=passing.headers())
    finally:
        await answer.aclose()
    if answer.status_code < 400:
        message, model = _spoken(content)
        await passing.keep(message, cut=False, model=model)
    return Response(content, answer.status_code, headers)


def _spoken(content: bytes) -> tuple[Mapping[str, Any] | None, str | None]:
    """The assistant's message in an answer, and which model wrote it."""
    try:
        found = json.loads(content)
        message, model = found["choices"][0]["message"], found.get("model")
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
        return None, None
    return (message if isinstance(message, dict) else None), (model if isinstance(model, str) else None)


async def _streamed(answer: httpx.Response, passing: Passing) -> AsyncIterator[bytes]:
    """The stream as it comes; what was said is kept before its end is passed on, or when it breaks off."""
    gathered, parser, kept = Gathered(), Events(), False
    try:
        async for piece in answer.aiter_raw():
            for event in parser.feed(piece):
                gathered.feed(event)
            if gathered.finished and not kept:
                kept = True
                await passing.keep(gathered.message(), cut=False, model=gathered.model)
            yield piece
    except httpx.HTTPError as error:
        told = failure("ModelError", f"The upstream broke off ({type(error).__name__}).", "Try again.")
        yield b"data: " + json.dumps(told).encode() + b"\n\n"
    finally:
        with anyio.CancelScope(shield=True):
            await answer.aclose()
            if not kept:
                await passing.keep(gathered.message(), cut=True, model=gathered.model)


@router.get(
    "/v1/models",
    operation_id="models",
    response_class=Response,
    responses={
        200: {"description": "The upstream's models.", "content": {"application/json": {}}},
        "default": {"description": "The upstream's own error, as it came."},
    },
)
async def models(call: Read, request: Request) -> Response:
    """The models that the upstream has."""
    upstream: Upstream = request.app.state.upstream
    answer = await upstream.ask("GET", "/models", _forwarded(call, request))
    headers = {name: answer.headers[name] for name in _KEPT if name in answer.headers}
    try:
        return Response(await answer.aread(), answer.status_code, headers)
    except httpx.HTTPError as error:
        return failed(ModelError(f"The upstream broke off its answer ({type(error).__name__}).", "Try again."))
    finally:
        await answer.aclose()
