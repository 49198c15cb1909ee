"""The page of a prompt: what the model sees for a question, what each line comes from, and why the rest is not there.

Whatever decides about the prompt stands in the address: question, moment, profile, budget, and what to compare it with.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from math import inf
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Form
from starlette.responses import Response

from onrecord.context.pieces import PromptPiece, Unchanged, pieces_of, unchanged
from onrecord.context.prompt import SECTIONS, Context
from onrecord.errors import InvalidInput
from onrecord.memory import Memory, engine_of
from onrecord.policy.secrets import masked
from onrecord.profiles import PROFILES
from onrecord.records import Candidate, Message
from onrecord.service.bodies import SessionId
from onrecord.service.calling import Threaded, in_turn
from onrecord.session import Session, preview
from onrecord.ui.pages.context_turns import AT_ONCE, COUNTED, turns_of
from onrecord.ui.view import Look, LookWrite, View, plain_lines, wants_json
from onrecord.under import under

__all__ = ["router"]

router = APIRouter(include_in_schema=False, route_class=Threaded)

HERE = "/ui/context/{session}"
MOST_TOKENS = 200_000  # of a prompt on a page; the API builds longer ones
PICKED = 15  # past questions to choose from
MOST_ROWS = 100  # of the manifest on a page; its filters and the JSON show the others

MEANINGS = {
    "system": "who the model is to be",
    "facts": "what is known for long",
    "pins": "what must always be there",
    "summaries": "what was said before, in short",
    "earlier": "older messages, shortened",
    "recent": "the newest messages, as they were said",
    "recalled": "what bears on the question",
    "question": "what is asked",
    "frame": "headings, and what the chat format adds",
}


# The columns of the manifest, and what each is ordered by.
COLUMNS: dict[str, Callable[[Candidate], Any]] = {
    "section": lambda one: SECTIONS.index(one.section),
    "in": lambda one: not one.included,
    "text": lambda one: one.text.casefold(),
    "why": lambda one: one.reason,
    "tokens": lambda one: one.tokens,
    "value": lambda one: one.value,
    "from": lambda one: (one.session, one.first),
}
FIGURES = ("tokens", "value")  # columns of which the highest is looked for first


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What the page is to show, as it stands in the address."""

    question: str = ""  # none: the conversation goes on as it stands
    tokens: str = ""  # the budget; none: the profile's
    profile: str = ""  # none: the memory's own
    known_at: str = ""
    before: str = ""
    with_profile: str = ""  # what it is compared with
    with_tokens: str = ""
    section: str = ""  # which rows of the manifest
    show: str = ""  # "in" or "out"
    sort: str = ""  # the column by which those rows are ordered, with a minus from the highest down
    turns: str = ""  # "more": what the turns take is looked at however long that takes

    def but(self, **changes: Any) -> dict[str, Any]:
        """The same wish with some changes, for the address of another page."""
        return asdict(replace(self, **{name: str(value) for name, value in changes.items()}))

    @property
    def compares(self) -> bool:
        return bool(self.with_profile or self.with_tokens)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sent:
    """One message of the prompt, as it is sent."""

    role: str
    name: str | None
    pieces: list[PromptPiece]
    same: int  # so many of its pieces stand as in the last turn's prompt
    edge: bool  # whether what is unchanged ends within it, or just before the next
    calls: list[Any]  # what it asks tools


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptView:
    """A prompt, made ready to be looked at."""

    context: Context
    messages: list[Sent]
    unchanged: Unchanged | None  # None: there was no turn before
    openai: str
    anthropic: str
    lacks: bool  # whether summaries are missing that can be made
    differs: list[tuple[str, str]] = field(default_factory=list)  # section and text of what the other has not


def _wish(
    question: str = "",
    tokens: str = "",
    profile: str = "",
    known_at: str = "",
    before: str = "",
    with_profile: str = "",
    with_tokens: str = "",
    against: str = "",
    section: str = "",
    show: str = "",
    sort: str = "",
    turns: str = "",
) -> Wish:
    if against:
        with_profile, _, with_tokens = against.partition(":")
    return Wish(
        question=plain_lines(question),
        tokens=tokens.strip(),
        profile=profile,
        known_at=known_at.strip(),
        before=before.strip(),
        with_profile=with_profile,
        with_tokens=with_tokens.strip(),
        section=section if section in SECTIONS else "",
        show=show if show in ("in", "out") else "",
        sort=sort if sort.removeprefix("-") in COLUMNS else "",
        turns="more" if turns == "more" else "",
    )


@router.get(HERE)
@in_turn
def context(look: Look, session: SessionId, wish: Annotated[Wish, Depends(_wish)]) -> Response:
    """The prompt for a question, beside another if that is wished."""
    chat = look.memory.session(session)
    built = _built(chat, wish)
    values = {} if wants_json(look.request) else _values(look, chat, wish, built)
    return look.page("context.html", values, built.to_dict)


@router.post(f"{HERE}/summarize")
async def summarize(look: LookWrite, session: SessionId, profile: Annotated[str, Form()] = "") -> Response:
    """Have the summaries made that a profile has; then back to the prompt, which shows them."""
    asked = {name: value for name, value in look.request.query_params.items() if name != "space"}
    work = partial(look.memory.session(session).summarize, profile=profile or None)
    await look.call.run(work, "long")
    return look.go("context", session, **asked)


def _built(chat: Session, wish: Wish, **changes: Any) -> Context:
    given: dict[str, Any] = {
        "tokens": _tokens(wish.tokens),
        "known_at": wish.known_at or None,
        "before": _whole(wish.before, "before"),
        "profile": wish.profile or None,
    }
    return preview(chat, changes.pop("question", wish.question or None), **given | changes)


def _whole(text: str, what: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 12):
        raise InvalidInput(f"{what}={text[:32]!r} is no whole number.", "Give one, or leave it out.")
    return int(text)


def _tokens(text: str) -> int | None:
    tokens = _whole(text, "tokens")
    if tokens is not None and tokens > MOST_TOKENS:
        raise InvalidInput(f"tokens={tokens:,} is more than a page shows.", f"Ask for {MOST_TOKENS:,} at most.")
    return tokens


def _values(look: View, chat: Session, wish: Wish, built: Context) -> dict[str, Any]:
    asked = next((one.first for one in built.manifest if one.kind == "question"), 0)
    earlier = _user(chat, before=asked or _whole(wish.before, "before"), last=1)
    later = _user(chat, after=asked, limit=1) if asked else None
    left, right = _seen(look.memory, chat, wish, built, earlier), None
    if wish.compares:
        other = replace(wish, profile=wish.with_profile or wish.profile, tokens=wish.with_tokens or str(built.budget))
        right = _seen(look.memory, chat, other, _built(chat, other), earlier)
        left, right = _compared(left, right), _compared(right, left)
    rows = _rows(built, wish)
    messages = chat.info().last_seq
    counted = messages <= COUNTED or wish.turns
    seconds = inf if wish.turns else AT_ONCE
    return {
        "session": chat.id,
        "tab": "context",
        "wish": wish,
        "sides": [left, right] if right else [left],
        "left": left,
        "asked": asked,
        "quoted": _short(built.question or "", 110),
        "then": _said_at(chat, asked) if wish.before and asked else "",
        "earlier": earlier,
        "later": later,
        "picks": _picks(chat, wish),
        "moment": _moment(wish.known_at),
        "profiles": list(PROFILES),
        "own": engine_of(look.memory).profile.name,
        "meanings": MEANINGS,
        "headings": [_heading(name, wish.sort) for name in COLUMNS],
        "rows": rows[:MOST_ROWS],
        "more": len(rows) - MOST_ROWS,
        "counts": _counts(built),
        "begun": built.recent or asked,
        "turns": turns_of(chat, asked, built.budget, wish.profile or None, seconds) if counted else None,
        "uncounted": 0 if counted else messages,
        "source": lambda other, seq: look.link("sessions", other or chat.id, at=seq),
    }


def _said_at(chat: Session, seq: int) -> str:
    """When a message was said."""
    found = next(iter(chat.history(after=seq - 1, before=seq + 1)), None)
    return "" if found is None else found.time.isoformat()


def _moment(known_at: str) -> str:
    """A moment as a browser's field for it wants it: without a zone, which is UTC."""
    return known_at.replace("Z", "").partition("+")[0][:19]


def _user(chat: Session, **asked: Any) -> Message | None:
    """A message of the user, if there is one."""
    return next(iter(chat.history(role="user", **asked)), None)


def _picks(chat: Session, wish: Wish) -> list[tuple[str, str]]:
    """Past questions to choose from, the newest first: what `before` is then, and what the question was."""
    found = [(str(one.seq + 1), _label(one)) for one in chat.history(role="user", last=PICKED)]
    found.reverse()
    if wish.before and all(before != wish.before for before, _ in found):
        one = _user(chat, before=_whole(wish.before, "before"), last=1)
        asked = one is not None and str(one.seq + 1) == wish.before
        found.append((wish.before, _label(one) if one and asked else f"before message {wish.before}"))
    return found


def _label(message: Message) -> str:
    return f"message {message.seq}: {_short(message.text)}"


def _short(text: str, most: int = 70) -> str:
    line = " ".join(masked(text).split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def _seen(memory: Memory, chat: Session, wish: Wish, built: Context, earlier: Message | None) -> PromptView:
    last = None
    if earlier is not None:  # as it was when the question before this one was asked
        last = unchanged(built, _built(chat, wish, question=None, before=earlier.seq + 1))
    return PromptView(
        context=built,
        messages=_messages(built, last.pieces if last else 0),
        unchanged=last,
        openai=_json(built.messages()),
        anthropic=_json(built.anthropic()),
        lacks=any("summarize()" in warning for warning in built.warnings) and _helps(memory, chat, wish, built.profile),
    )


def _helps(memory: Memory, chat: Session, wish: Wish, profile: str) -> bool:
    """Whether making summaries may change the prompt: of the past there are all, once a profile has any."""
    past = wish.before or wish.known_at
    return not past or not under(engine_of(memory), profile).deriver.covered(memory.name, chat.id)


def _messages(built: Context, same: int) -> list[Sent]:
    found = []
    for message, pieces in zip(built.messages(), pieces_of(built), strict=True):
        here = min(same, len(pieces))
        ends = 0 < here < len(pieces) or (here > 0 and here == same)
        same -= here
        sent = Sent(
            role=message["role"],
            name=message.get("name"),
            pieces=pieces,
            same=here,
            edge=ends,
            calls=[call["function"] for call in message.get("tool_calls", ())],
        )
        found.append(sent)
    return found


def _json(value: Any) -> str:
    return masked(json.dumps(value, ensure_ascii=False, indent=2))


def _compared(one: PromptView, other: PromptView) -> PromptView:
    """What one has that the other has not: the lines of its diff that begin with a plus."""
    lines = (line[2:].partition(": ") for line in one.context.diff(other.context) if line.startswith("+ "))
    return replace(one, differs=[(section, masked(text)) for section, _, text in lines])


def _rows(built: Context, wish: Wish) -> list[Candidate]:
    """The rows of the manifest that are wished, in the order of the prompt, or in that of a column."""
    rows = [one for one in built.manifest if _wanted(one, wish)]
    if not wish.sort:
        return rows
    return sorted(rows, key=COLUMNS[wish.sort.removeprefix("-")], reverse=wish.sort.startswith("-"))


def _wanted(one: Candidate, wish: Wish) -> bool:
    return wish.section in ("", one.section) and wish.show in ("", "in" if one.included else "out")


def _heading(name: str, sort: str) -> dict[str, str]:
    """A heading of the manifest: how its column is ordered now, and how it is after a click."""
    falling = f"-{name}"
    first, then = (falling, name) if name in FIGURES else (name, falling)
    order = {name: "ascending", falling: "descending"}.get(sort, "")
    return {"name": name, "order": order, "next": then if sort == first else first}


def _counts(built: Context) -> dict[str, Any]:
    """How many candidates there are: in all, in the prompt, out of it, and of each section."""
    inside = sum(one.included for one in built.manifest)
    sections = {one.name: one.items + one.left_out for one in built.sections if one.items or one.left_out}
    return {"all": len(built.manifest), "in": inside, "out": len(built.manifest) - inside, "sections": sections}
