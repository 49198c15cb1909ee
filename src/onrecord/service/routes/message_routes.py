"""Routes of messages: add, read, score, forget, move."""

from __future__ import annotations

from collections.abc import Iterator
from io import TextIOWrapper
from itertools import islice
from typing import IO, Annotated, Any

from fastapi import Query, Request
from starlette.responses import Response, StreamingResponse

from onrecord.errors import InvalidInput, NotFound
from onrecord.journal.transfer import export_lines
from onrecord.parts import kept_whatever_happens
from onrecord.records import Erased, ImportReport, Message, Receipt, Role
from onrecord.service import bodies, responses
from onrecord.service.routing import api_router, in_turn
from onrecord.service.space_access import Erase, Read, ServiceCall, Write
from onrecord.session import Session

__all__ = ["router"]

router = api_router("Messages")

Number = Annotated[int | None, Query(ge=0)]


@router.post("/v1/sessions/{session}/messages")
async def add(
    call: Write,
    session: bodies.SessionId,
    body: bodies.NewMessage,
    wait: bodies.Wait = False,
    key: bodies.IdempotencyKey = None,
) -> Receipt:
    """Append a message; when this answers, it is on disk."""
    chat = call.memory.session(session)
    receipt = await call.run(lambda: chat.add(**_keyed(body.given(), key)))
    call.desk.metrics.added(1)
    await _awaited(call, chat, wait)
    return receipt


async def _awaited(call: ServiceCall, chat: Session, wait: bool) -> None:
    """Finish what is derived, if that is wanted. The messages are kept: nothing here may look as if they were not."""

    def finish() -> None:
        with kept_whatever_happens():
            chat.flush()

    if wait:
        await call.run(finish, "long")


def _keyed(given: dict[str, Any], key: str | None) -> dict[str, Any]:
    if key is None:
        return given
    if given.get("key") not in (None, key):
        raise InvalidInput("The header and the body give two keys.", "Give one.")
    return given | {"key": key}


@router.post("/v1/sessions/{session}/messages/batch")
async def add_many(
    call: Write,
    session: bodies.SessionId,
    body: bodies.AddMany,
    wait: bodies.Wait = False,
    key: bodies.IdempotencyKey = None,
) -> list[Receipt]:
    """Append many messages at once, all or none. A key for all of them makes one for each that has none."""
    chat = call.memory.session(session)
    given = [message.given() for message in body.messages]
    if key is not None:
        given = [parts if parts.get("key") else parts | {"key": f"{key}:{at}"} for at, parts in enumerate(given)]
    receipts = await call.run(lambda: chat.add_many(given))
    call.desk.metrics.added(len(receipts))
    await _awaited(call, chat, wait)
    return receipts


@router.get("/v1/sessions/{session}/messages")
def history(
    call: Read,
    session: bodies.SessionId,
    limit: Annotated[int, Query(ge=0, le=bodies.MOST_LISTED, description="So many from the oldest.")] = 100,
    last: Annotated[
        int | None, Query(ge=0, le=bodies.MOST_LISTED, description="So many from the newest instead.")
    ] = None,
    after: Number = None,
    before: Number = None,
    since: str | None = None,
    until: str | None = None,
    role: Annotated[list[Role] | None, Query()] = None,
    forgotten: bool = False,
    cursor: bodies.Cursor = None,
) -> list[Message]:
    """The messages, oldest first."""
    found = call.memory.session(session).history(
        limit=limit + 1 if last is None else None,
        last=last,
        after=after if cursor is None else _number(cursor, "cursor"),
        before=before,
        since=since,
        until=until,
        role=role,
        forgotten=forgotten,
    )
    read = list(found)
    page = read[:limit] if last is None else read
    return responses.PageOfList(page, str(page[-1].seq) if page and len(read) > len(page) else None)


def _number(given: str, what: str) -> int:
    if not (given.isascii() and given.isdecimal() and len(given) < 17):
        raise InvalidInput(f"The {what} is none of ours.", "Pass it as it was answered.")
    return int(given)


@router.post("/v1/sessions/{session}/score")
def score(call: Write, session: bodies.SessionId, body: bodies.Scores) -> responses.Changed:
    """Give messages their importance by number, or score all of them again by the profile's rules."""
    given = body.importance
    scores = None if given is None else {_number(number, "number"): value for number, value in given.items()}
    return responses.Changed(changed=call.memory.session(session).rescore(scores))


@router.post("/v1/forget")
@in_turn
def forget(call: Erase, body: bodies.Forget) -> Erased:
    """Erase messages of a session, a whole session, a fact, or a whole space, down to the bytes on disk."""
    space = None if body.space is None else call.caller.stored(body.space)
    return call.memory.forget(**body.given() | {"space": space})


@router.get(
    "/v1/export",
    response_class=StreamingResponse,
    responses={200: {"content": {"application/jsonl": {}}, "description": "JSON Lines."}},
)
def export(
    call: Read,
    session: Annotated[str | None, Query(description="Only this conversation.")] = None,
    mask_secrets: Annotated[bool, Query(description="Mask passwords, keys, card and account numbers.")] = False,
) -> Response:
    """The space, or one session of it, as JSON Lines. Nothing is lost on the way, unless secrets are masked."""
    store, space = call.desk.store, call.memory.name
    if session is not None and store.session(space, session) is None:
        raise NotFound(f"There is no session {session!r} in this space.", "See /v1/sessions.")
    lines = export_lines(store, space, session, lambda done: None, mask_secrets)
    first = list(islice(lines, 1))  # what fails at once is said with its own status
    return StreamingResponse(_bytes(first, lines), media_type="application/jsonl")


def _bytes(first: list[str], lines: Iterator[str]) -> Iterator[bytes]:
    yield "".join(first).encode()
    while some := "".join(islice(lines, 200)):
        yield some.encode()


@router.post(
    "/v1/import",
    operation_id="import",
    openapi_extra={"requestBody": {"required": True, "content": {"application/jsonl": {"schema": {"type": "string"}}}}},
)
async def import_(call: Write, request: Request, vectors: bodies.Vectors = True) -> ImportReport:
    """Bring an export into the space, and make the vectors that it lacks then. What is there already stays; doing it
    twice changes nothing."""
    async with call.desk.uploads.received(call.caller.tenant_or_key, request.stream()) as file:
        return await call.run(lambda: _import(call, file, vectors), "long")


def _import(call: ServiceCall, file: IO[bytes], vectors: bool) -> ImportReport:
    file.seek(0)
    lines = TextIOWrapper(file, encoding="utf-8", newline="\n")
    try:
        return call.memory.import_(lines, vectors=vectors)
    except UnicodeDecodeError:
        raise InvalidInput("The body is not UTF-8.", "Send the lines that export gave.") from None
    finally:
        lines.detach()  # the file is closed by who opened it
