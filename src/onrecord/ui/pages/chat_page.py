"""The chat page: a conversation with a model, or with none, and what the memory derives from it.

A form takes a turn whole; the page's script streams it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from secrets import token_hex
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Query, Request
from fastapi.exceptions import RequestValidationError
from pydantic import Field, ValidationError
from starlette.responses import Response, StreamingResponse

from onrecord.errors import NotFound, OnrecordError
from onrecord.memory import engine_of
from onrecord.models.language import bare_name
from onrecord.profiles import PROFILES
from onrecord.records import SessionInfo, digest
from onrecord.service.bodies import SessionId
from onrecord.service.contexts import ErasureState
from onrecord.service.forms import listed
from onrecord.service.routing import Threaded
from onrecord.session import Session
from onrecord.turns.talking import Exchange, Talk, TurnEvent
from onrecord.ui.pages.chat_beside import last_prompt, learned, prompt_id
from onrecord.ui.pages.chat_models import offers, opened
from onrecord.ui.pages.chat_streaming import in_words, streamed
from onrecord.ui.view import HEADERS, Look, LookWrite, PageQuery, Tokens, View, plain_lines

__all__ = ["router"]

router = APIRouter(include_in_schema=False, route_class=Threaded)

HERE = "/ui/chat/{session}"
MESSAGES = 40
CHARACTERS = 20_000  # of one message
NAME = 200  # characters of a model's name


class ChatSettings(PageQuery):
    """How turns are taken; it stands in the address of the page."""

    model: str = ""  # own, session, none or upstream; empty: the default
    name: str = ""  # of a model of the upstream
    tokens: Tokens = None  # None: the profile's budget
    profile: str = ""  # empty: the memory's own

    def kept(self) -> dict[str, Any]:
        """Return the settings alone."""
        return self.model_dump(include=set(ChatSettings.model_fields))

    def rules(self) -> str | None:
        """Return the profile, if there is one of this name."""
        return self.profile if self.profile in PROFILES else None

    def choice(self, look: View, info: SessionInfo) -> tuple[str, str]:
        """Return which model is asked, and the name of one of the upstream."""
        found = offers(look, info)
        name = (self.name.strip() or bare_name(info.model) or "")[:NAME] if "upstream" in found else ""
        return self.model if self.model in found else next(iter(found)), name


class ChatQuery(ChatSettings):
    """What the page shows."""

    turn: int = Field(0, ge=0, lt=2**53)  # number of the message that began the turn; 0: the newest of the user


class TypedMessage(ChatSettings):
    """A message from the form."""

    text: str = ""
    key: str = Field("", max_length=64)  # makes sending it again safe


async def _typed(look: LookWrite, request: Request) -> TypedMessage:
    """Read the form, where a text may be longer than the framework's own limit."""
    form = await request.form(max_part_size=look.call.desk.serving.body_bytes)
    try:
        return TypedMessage.model_validate(dict(form))
    except ValidationError as error:
        raise RequestValidationError(error.errors()) from None


Asked = Annotated[ChatQuery, Query()]
Settings = Annotated[ChatSettings, Query()]
Typed = Annotated[TypedMessage, Depends(_typed)]


@router.get(HERE)
def page(look: Look, session: SessionId, query: Asked) -> Response:
    """Show the newest messages, and a form to write one."""
    chat = look.memory.session(session)
    twin = listed([message.to_dict() for message in chat.history(last=MESSAGES)])
    return look.page("chat.html", _values(look, chat, query), lambda: twin)


@router.get(HERE + "/news")
def news(look: Look, session: SessionId, query: Asked) -> Response:
    """Return the parts that change with a turn, for the page's script."""
    return look.part("chat_news.html", _values(look, look.memory.session(session), query))


def _values(look: View, chat: Session, query: ChatQuery, problems: tuple[str, ...] = ()) -> dict[str, Any]:
    messages, info, pins, prompt = list(chat.history(last=MESSAGES)), chat.info(), chat.pins(), None
    try:
        budget = _budget(look, query)
        prompt = last_prompt(look.call.desk.contexts, look.memory, chat, messages, budget, query.rules())
    except OnrecordError as error:
        problems = (*problems, in_words(error))
    choice, name = query.choice(look, info)
    users = [message.seq for message in messages if message.role == "user"]
    return {
        "session": chat.id,
        "tab": "chat",
        "messages": [
            message if len(message.text) <= CHARACTERS else replace(message, text=f"{message.text[:CHARACTERS]} …")
            for message in messages
        ],
        "info": info,
        "pins": pins,
        "pinned": {pin.source: pin for pin in reversed(pins) if pin.source is not None and pin.type != "auto"},
        "prompt": prompt,
        "unsent": prompt is not None and choice == "none" and messages[-1].role == "user",
        "answered": min((message.seq for message in messages if users and message.seq > users[-1]), default=None),
        "learned": learned(look.memory, chat, query.turn or max(users, default=0), pins),
        "offers": offers(look, info),
        "choice": choice,
        "name": name,
        "query": query,
        "kept": query.kept(),
        "profiles": list(PROFILES),
        "own_profile": engine_of(look.memory).profile,
        "problems": problems,
        "key": token_hex(8),
    }


def _budget(look: View, settings: ChatSettings) -> int | None:
    return settings.tokens or look.call.desk.serving.budget


# Turns


@router.post(HERE)
async def say(look: LookWrite, session: SessionId, message: Typed) -> Response:
    """Take a turn whole, and show what came of it."""
    return await look.call.run(lambda: _taken(look, session, message), "talking")


def _taken(look: View, session: str, message: TypedMessage) -> Response:
    chat, kept = look.memory.session(session), message.kept()
    if not message.text.strip():
        return look.go("chat", chat.id, **kept)
    turn, notes = _exchange(message), _TurnNotes(look, chat)
    with _talk(look, chat, message) as talk, closing(talk.take(turn)) as events:
        for event in events:
            notes.take(turn, event)
    if turn.problems:
        query = ChatQuery(**kept, turn=turn.seq or 0)
        return look.page("chat.html", _values(look, chat, query, tuple(turn.problems)))
    return _back(look, chat.id, kept | {"turn": turn.seq}, turn.answer_seq or turn.seq)


def _exchange(message: TypedMessage) -> Exchange:
    text = plain_lines(message.text)
    # The key goes with the text: a browser that goes back fills an old key in next to something new.
    return Exchange(text=text, key=f"{message.key}:{digest(text)}" if message.key else None)


@contextmanager
def _talk(look: View, chat: Session, settings: ChatSettings) -> Iterator[Talk]:
    info = chat.info()
    with opened(look, info, *settings.choice(look, info)) as model:
        tokens = _budget(look, settings)
        yield Talk(session=chat, model=model, tokens=tokens, profile=settings.rules(), words=in_words)


@dataclass(slots=True)
class _TurnNotes:
    """Counts a turn for the service, and caches its prompt."""

    look: View
    chat: Session
    state: ErasureState | None = None  # of the space, before the prompt was built

    def take(self, turn: Exchange, event: TurnEvent) -> None:
        desk, space = self.look.call.desk, self.look.memory.name
        if event.kind in ("kept", "answered"):
            desk.metrics.added(1)
        elif event.kind == "prompt" and turn.prompt is not None:
            desk.metrics.built(turn.prompt.tokens)
        with suppress(OnrecordError):  # the turn goes on, and the page builds the prompt again
            if event.kind == "kept":
                self.state = desk.contexts.state(space)
            elif event.kind == "prompt" and turn.prompt and turn.seq and self.state:
                desk.contexts.keep(space, prompt_id(self.chat.id, turn.seq), turn.prompt, self.state)


@router.post(HERE + "/turn")
def stream(look: LookWrite, session: SessionId, message: Typed) -> Response:
    """Take a turn, and stream what happens."""
    chat = look.memory.session(session)
    notes = _TurnNotes(look, chat)

    def seen(turn: Exchange, event: TurnEvent) -> dict[str, Any]:
        notes.take(turn, event)
        if event.kind == "kept":
            return {"seq": turn.seq}
        if event.kind != "prompt" or turn.prompt is None:
            return {}
        values = {"session": chat.id, "prompt": turn.prompt, "query": message, "answered": None}
        return {"part": bytes(look.part("chat_prompt.html", values).body).decode()}

    lines = streamed(look.call, _talk(look, chat, message), _exchange(message), seen)
    headers = HEADERS | {"X-Accel-Buffering": "no"}  # so that a proxy passes pieces on as they come
    return StreamingResponse(lines, 200, headers, "application/x-ndjson")


# Pins, and the system prompt


@router.post(HERE + "/pin")
def pin(look: LookWrite, session: SessionId, settings: Settings, seq: Annotated[int, Form()]) -> Response:
    """Pin a message."""
    chat = look.memory.session(session)
    found = next(chat.history(after=seq - 1, before=seq + 1), None) if 0 < seq < 2**53 else None
    if found is None:
        raise NotFound(f"There is no message {seq} in this conversation.", "It may have been forgotten.")
    chat.pin(found.text, source=seq)
    return _back(look, chat.id, settings.kept(), seq)


@router.post(HERE + "/unpin")
def unpin(
    look: LookWrite,
    session: SessionId,
    settings: Settings,
    id: Annotated[str, Form()],
    seq: Annotated[int, Form()] = 0,
) -> Response:
    """Remove a pin."""
    look.memory.session(session).unpin(id)
    return _back(look, session, settings.kept(), seq or None)


@router.post(HERE + "/system")
def system(look: LookWrite, session: SessionId, settings: Settings, text: Annotated[str, Form()] = "") -> Response:
    """Set the system prompt."""
    look.memory.session(session).update(system=plain_lines(text) if text.strip() else None)
    return look.go("chat", session, **settings.kept())


def _back(look: View, session: str, query: Mapping[str, Any], at: int | None) -> Response:
    answer = look.go("chat", session, **query)
    if at is not None:
        answer.headers["location"] += f"#m{at}"
    return answer
