"""The chat page: a conversation with a model, or with none, and beside it what the memory makes of it.

A turn is that of `turns/talking.py`. Without a script a form takes it whole; with one it is streamed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from secrets import token_hex
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form, Query, Request
from fastapi.exceptions import RequestValidationError
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError
from starlette.responses import RedirectResponse, Response, StreamingResponse

from onrecord.context.prompt import Context
from onrecord.errors import NotFound, OnrecordError
from onrecord.memory import engine_of
from onrecord.profiles import PROFILES
from onrecord.records import digest
from onrecord.service.bodies import SessionId
from onrecord.service.calling import Threaded
from onrecord.service.contexts import ErasureState
from onrecord.service.forms import listed
from onrecord.session import Session
from onrecord.turns.talking import Exchange, Talk, TurnEvent
from onrecord.ui.pages.chat_beside import SHOWN, last_prompt, learned, newest, prompt_id
from onrecord.ui.pages.chat_models import NOBODY, listed_models, offers, opened, voice_of
from onrecord.ui.pages.chat_streaming import in_words, streamed
from onrecord.ui.view import HEADERS, Look, LookWrite, View

__all__ = ["router"]

router = APIRouter(include_in_schema=False, route_class=Threaded)

MOST_TOKENS = 200_000  # of a prompt on a page; the API builds longer ones


def _not_too_many(tokens: int) -> int:
    if tokens > MOST_TOKENS:
        raise PydanticCustomError("too_many", f"is more than a page shows; ask for {MOST_TOKENS:,} at most")
    return tokens


Tokens = Annotated[
    Annotated[int, Field(ge=1), AfterValidator(_not_too_many)] | None,
    BeforeValidator(lambda given: given or None),  # a field that was left empty
]


class Wanted(BaseModel):
    """How somebody wants to talk; it stands in the address of the page."""

    model_config = ConfigDict(extra="ignore")

    model: str = ""  # none, own, session or upstream; empty: whoever is there
    name: str = ""  # of a model of the upstream
    tokens: Tokens = None  # the most a prompt may have
    profile: str = ""  # whose rules prompts follow; empty: the memory's own

    @property
    def rules(self) -> str | None:
        """The profile, where another than the memory's own is wanted."""
        return self.profile if self.profile in PROFILES else None

    def query(self) -> dict[str, Any]:
        """The same in an address."""
        return {
            name: value for name, value in Wanted.model_dump(self, include=set(Wanted.model_fields)).items() if value
        }


class ChatView(Wanted):
    """What the page is to show."""

    turn: int = Field(0, ge=0, lt=2**53)  # number of the message that began the turn; 0: the newest of the user


class ShownMessage(Wanted):
    """What somebody says."""

    text: str = ""
    key: str = Field("", max_length=64)  # sent once more, it is kept once


async def _typed(look: LookWrite, request: Request) -> ShownMessage:
    """What a form says; as long as a message may be, where the framework's own limit is less."""
    form = await request.form(max_part_size=look.call.desk.serving.body_bytes)
    try:
        return ShownMessage.model_validate(dict(form))
    except ValidationError as error:
        raise RequestValidationError(error.errors()) from None


Typed = Annotated[ShownMessage, Depends(_typed)]


@router.get("/ui/chat/{session}")
def page(look: Look, session: SessionId, seen: Annotated[ChatView, Query()]) -> Response:
    """The newest of a conversation, and where to say something."""
    chat = look.memory.session(session)
    return look.page("chat.html", _values(look, chat, seen), lambda: _twin(chat))


@router.get("/ui/chat/{session}/news")
def news(look: Look, session: SessionId, seen: Annotated[ChatView, Query()]) -> Response:
    """The same without the frame, for the page's script."""
    return look.part("chat_news.html", _values(look, look.memory.session(session), seen))


@router.get("/ui/chat/{session}/models")
def models(look: LookWrite, session: SessionId) -> Response:
    """The names of models that the operator's server has."""
    return look.part("chat_models.html", {"names": listed_models(look)})


def _twin(chat: Session) -> dict[str, Any]:
    return listed([one.to_dict() for one in chat.history(last=SHOWN)])


def _values(look: View, chat: Session, seen: ChatView, problems: list[str] | None = None) -> dict[str, Any]:
    """All that the page shows."""
    said, info, pins = newest(chat), chat.info(), chat.pins()
    told, prompt = list(problems or []), None
    try:
        prompt = last_prompt(look.call.desk.contexts, look.memory, chat, said, _budget(look, seen), seen.rules)
    except OnrecordError as error:
        told.append(in_words(error))
    voice = voice_of(look, info, seen.model, seen.name)
    users = [one.seq for one in said if one.role == "user"]
    return {
        "session": chat.id,
        "tab": "chat",
        "said": said,
        "info": info,
        "pins": pins,
        "pinned": {pin.source: pin for pin in reversed(pins) if pin.source is not None and pin.type != "auto"},
        "prompt": prompt,
        "unsent": prompt is not None and voice.kind == NOBODY and said[-1].role == "user",
        "answered": min((one.seq for one in said if users and one.seq > users[-1]), default=None),
        "learned": learned(look.memory, chat, seen.turn or max(users, default=0), pins),
        "offers": offers(look, info),
        "voice": voice,
        "seen": seen,
        "kept": seen.query(),
        "profiles": list(PROFILES),
        "own_profile": engine_of(look.memory).profile,
        "problems": told,
        "key": token_hex(8),
    }


def _budget(look: View, wanted: Wanted) -> int | None:
    return wanted.tokens or look.call.desk.serving.budget


# Saying something


@router.post("/ui/chat/{session}")
async def say(look: LookWrite, session: SessionId, said: Typed) -> Response:
    """Take a turn whole, and show what came of it."""
    return await look.call.run(lambda: _taken(look, session, said), "talking")


def _taken(look: View, session: str, said: ShownMessage) -> Response:
    chat = look.memory.session(session)
    if not said.text.strip():
        return look.go("chat", chat.id, **said.query())
    turn, notes = _turn(said), _TurnNotes(look, chat)
    with _talk(look, chat, said) as talk, closing(talk.take(turn)) as events:
        for event in events:
            notes.take(turn, event)
    if turn.problems:
        seen = ChatView(**said.query(), turn=turn.seq or 0)
        return look.page("chat.html", _values(look, chat, seen, turn.problems))
    return _back(look, chat.id, said.query() | {"turn": turn.seq}, turn.answer_seq or turn.seq)


def _turn(said: ShownMessage) -> Exchange:
    text = said.text.replace("\r\n", "\n")  # as forms send them
    # With the text: a browser that goes back fills an old key in beside something new.
    return Exchange(text=text, key=f"{said.key}:{digest(text)}" if said.key else None)


@contextmanager
def _talk(look: View, chat: Session, said: ShownMessage) -> Iterator[Talk]:
    info = chat.info()
    with opened(look, info, voice_of(look, info, said.model, said.name)) as model:
        yield Talk(session=chat, model=model, tokens=_budget(look, said), profile=said.rules, words=in_words)


@dataclass(slots=True)
class _TurnNotes:
    """What the service wants to know of a turn."""

    look: View
    chat: Session
    state: ErasureState | None = None  # of the space, before the prompt was built

    def take(self, turn: Exchange, event: TurnEvent) -> None:
        """Something happened."""
        desk, space = self.look.call.desk, self.look.memory.name
        if event.kind in ("kept", "answered"):
            desk.metrics.added(1)
        elif event.kind == "prompt" and turn.prompt is not None:
            desk.metrics.built(turn.prompt.tokens)
        with suppress(OnrecordError):  # the turn goes on, and the page makes the prompt anew
            if event.kind == "kept":
                self.state = desk.contexts.state(space)
            elif event.kind == "prompt" and turn.prompt and turn.seq and self.state:
                desk.contexts.keep(space, prompt_id(self.chat.id, turn.seq), turn.prompt, self.state)


@router.post("/ui/chat/{session}/turn")
def stream(look: LookWrite, session: SessionId, said: Typed) -> Response:
    """Take a turn, and tell of it as it happens."""
    chat = look.memory.session(session)
    notes = _TurnNotes(look, chat)

    def seen(turn: Exchange, event: TurnEvent) -> dict[str, Any]:
        notes.take(turn, event)
        if event.kind == "kept":
            return {"seq": turn.seq}
        if event.kind == "prompt" and turn.prompt is not None:
            return {"part": _prompt_part(look, chat.id, turn.prompt, said)}
        return {}

    lines = streamed(look.call, _talk(look, chat, said), _turn(said), seen)
    headers = HEADERS | {"X-Accel-Buffering": "no"}  # a proxy in between is to pass pieces on as they come
    return StreamingResponse(lines, 200, headers, "application/x-ndjson")


def _prompt_part(look: View, session: str, prompt: Context, wanted: Wanted) -> str:
    values = {"session": session, "prompt": prompt, "seen": wanted, "kept": wanted.query(), "answered": None}
    return bytes(look.part("chat_prompt.html", values).body).decode()


# Pins, and what the model is told first


@router.post("/ui/chat/{session}/pin")
def pin(
    look: LookWrite, session: SessionId, wanted: Annotated[Wanted, Query()], seq: Annotated[int, Form()]
) -> Response:
    """Keep a message in every prompt."""
    chat = look.memory.session(session)
    found = next(chat.history(after=seq - 1, before=seq + 1), None) if 0 < seq < 2**53 else None
    if found is None:
        raise NotFound(f"There is no message {seq} in this conversation.", "It may have been forgotten.")
    chat.pin(found.text, source=seq)
    return _back(look, chat.id, wanted.query(), seq)


@router.post("/ui/chat/{session}/unpin")
def unpin(
    look: LookWrite,
    session: SessionId,
    wanted: Annotated[Wanted, Query()],
    id: Annotated[str, Form()],
    seq: Annotated[int, Form()] = 0,
) -> Response:
    """Keep it no longer."""
    chat = look.memory.session(session)
    chat.unpin(id)
    return _back(look, chat.id, wanted.query(), seq or None)


@router.post("/ui/chat/{session}/system")
def system(
    look: LookWrite, session: SessionId, wanted: Annotated[Wanted, Query()], text: Annotated[str, Form()] = ""
) -> Response:
    """Set what the model is told first, from now on."""
    chat = look.memory.session(session)
    chat.update(system=text.replace("\r\n", "\n") if text.strip() else None)
    return look.go("chat", chat.id, **wanted.query())


def _back(look: View, session: str, query: Mapping[str, Any], at: int | None) -> Response:
    """To the page, at a message."""
    place = "" if at is None else f"#m{at}"
    return RedirectResponse(look.link("chat", session, **query) + place, 303, HEADERS)
