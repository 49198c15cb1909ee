"""The page of a prompt: what the model sees, where each part comes from, and why the rest was left out."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, Query
from pydantic import AfterValidator, Field
from starlette.responses import Response

from onrecord.context.pieces import pieces_of, unchanged
from onrecord.context.prompt import Context
from onrecord.memory import engine_of
from onrecord.policy.secrets import masked
from onrecord.profiles import PROFILES
from onrecord.records import Message
from onrecord.service.bodies import SessionId
from onrecord.service.routing import Threaded, in_turn
from onrecord.session import Session, preview
from onrecord.ui.view import EMPTY, Look, LookWrite, PageQuery, Tokens, View, plain_lines, wants_json

__all__ = ["router"]

router = APIRouter(include_in_schema=False, route_class=Threaded)

HERE = "/ui/context/{session}"
QUESTIONS = 15  # past ones to choose from
ROWS = 100  # of the manifest


class ContextQuery(PageQuery):
    """Which prompt to show, next to which other, and which rows of its manifest."""

    question: Annotated[str, AfterValidator(plain_lines)] = ""  # empty: the newest message
    tokens: Tokens = None  # None: the profile's budget
    profile: str = ""  # empty: the memory's own
    known_at: str = ""
    before: Annotated[int | None, Field(ge=0, lt=10**11), EMPTY] = None
    with_profile: str = ""  # compared with this profile
    with_tokens: Tokens = None  # and this budget
    section: str = ""
    show: Literal["", "in", "out"] = ""


@router.get(HERE)
@in_turn
def context(look: Look, session: SessionId, query: Annotated[ContextQuery, Query()]) -> Response:
    """Show the prompt for a question."""
    chat = look.memory.session(session)
    built = _built(chat, query)
    values = {} if wants_json(look.request) else _values(look, chat, query, built)
    return look.page("context.html", values, built.to_dict)


@router.post(f"{HERE}/summarize")
async def summarize(look: LookWrite, session: SessionId, profile: Annotated[str, Form()] = "") -> Response:
    """Make the summaries of a profile, then go back to its prompt."""
    query = {name: value for name, value in look.request.query_params.items() if name != "space"}
    work = partial(look.memory.session(session).summarize, profile=profile or None)
    await look.call.run(work, "long")
    return look.go("context", session, **query)


def _built(chat: Session, query: ContextQuery, **changes: Any) -> Context:
    options: dict[str, Any] = {
        "question": query.question or None,
        "tokens": query.tokens,
        "known_at": query.known_at or None,
        "before": query.before,
        "profile": query.profile or None,
    }
    return preview(chat, **options | changes)


def _values(look: View, chat: Session, query: ContextQuery, built: Context) -> dict[str, Any]:
    asked = next((candidate.first for candidate in built.manifest if candidate.kind == "question"), 0)
    earlier = _user(chat, before=asked or query.before, last=1)
    sides = [_side(chat, query, built, earlier)]
    if query.with_profile or query.with_tokens:
        changes = {"profile": query.with_profile or query.profile, "tokens": query.with_tokens or built.budget}
        other = query.model_copy(update=changes)
        sides.append(_side(chat, other, _built(chat, other), earlier))
        for side, against in (sides, sides[::-1]):
            lines = side["context"].diff(against["context"])
            side["differs"] = [line[2:].partition(": ")[::2] for line in lines if line.startswith("+ ")]
    rows = [
        candidate
        for candidate in built.manifest
        if query.section in ("", candidate.section) and query.show in ("", "in" if candidate.included else "out")
    ]
    moment = next((message.time.isoformat() for message in chat.history(after=asked - 1, limit=1)), "") if asked else ""
    return {
        "session": chat.id,
        "tab": "context",
        "query": query,
        "sides": sides,
        "asked": asked,
        "question": _short(built.question or "", 110),
        "moment": moment,
        "earlier": earlier,
        "later": _user(chat, after=asked, limit=1) if asked else None,
        "questions": _questions(chat, query),
        "known_at": query.known_at.replace("Z", "").partition("+")[0][:19],  # as a browser's field takes it
        "profiles": list(PROFILES),
        "own": engine_of(look.memory).profile.name,
        "rows": rows[:ROWS],
        "more": len(rows) - ROWS,
        "counts": Counter("in" if candidate.included else "out" for candidate in built.manifest),
        "sections": Counter(candidate.section for candidate in built.manifest),
        "begun": built.recent or asked,
        "source": lambda other, seq: look.link("sessions", other or chat.id, at=seq),
    }


def _user(chat: Session, **options: Any) -> Message | None:
    """Return a message of the user, if there is one."""
    return next(iter(chat.history(role="user", **options)), None)


def _questions(chat: Session, query: ContextQuery) -> list[tuple[int, str]]:
    """Return past questions, the newest first: `before` for their prompts, and their words."""
    found = [(message.seq + 1, _label(message)) for message in chat.history(role="user", last=QUESTIONS)][::-1]
    if query.before and query.before not in dict(found):
        message = _user(chat, before=query.before, last=1)
        known = message is not None and message.seq + 1 == query.before
        found.append((query.before, _label(message) if message and known else f"before message {query.before}"))
    return found


def _label(message: Message) -> str:
    return f"message {message.seq}: {_short(message.text, 70)}"


def _short(text: str, limit: int) -> str:
    line = " ".join(masked(text).split())
    return line if len(line) <= limit else f"{line[: limit - 1]}…"


def _side(chat: Session, query: ContextQuery, built: Context, earlier: Message | None) -> dict[str, Any]:
    """Return one prompt, made ready to be shown; `earlier`: the question before it."""
    last = None
    if earlier is not None:
        last = unchanged(built, _built(chat, query, question=None, before=earlier.seq + 1))
    past = query.before or query.known_at
    return {
        "context": built,
        "messages": _messages(built, last.pieces if last else 0),
        "unchanged": last,
        "openai": _json(built.messages()),
        "anthropic": _json(built.anthropic()),
        "lacks": not past and any("summarize()" in warning for warning in built.warnings),
        "differs": [],
    }


def _messages(built: Context, same: int) -> list[dict[str, Any]]:
    """Return the messages with their pieces, and how many of these are as in the prompt before."""
    found = []
    for message, pieces in zip(built.messages(), pieces_of(built), strict=True):
        here = min(same, len(pieces))
        edge = 0 < here < len(pieces) or (here > 0 and here == same)  # what is unchanged ends here
        same -= here
        calls = [call["function"] for call in message.get("tool_calls", ())]
        found.append({**message, "pieces": pieces, "same": here, "edge": edge, "calls": calls})
    return found


def _json(value: Any) -> str:
    return masked(json.dumps(value, ensure_ascii=False, indent=2))
