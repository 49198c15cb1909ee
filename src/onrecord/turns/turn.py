"""One turn: a chat request comes, its new messages are added, the prompt is built, and the answer is added.

Requests may race on one conversation, and a client that got no answer asks again. Each message is kept under a key that
follows from its content and from how far the conversation was when the request came, so what two equal requests
bring is kept once. Of two answers to the same state of a conversation the later replaces the earlier. An answer to what
was forgotten meanwhile is not kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from onrecord.context.prompt import Context
from onrecord.context.text import spoken
from onrecord.errors import Conflict, Forgotten, InvalidInput
from onrecord.memory import Memory
from onrecord.models.tokenizers import counter_for
from onrecord.records import Message, Receipt, digest
from onrecord.session import Session
from onrecord.turns.budget import LEAST, bare_name, usual_budget
from onrecord.turns.finding import Place, find, session_of
from onrecord.turns.saying import ChatRequest, TurnMessage, is_other, read_answer, read_request

__all__ = ["Turn", "answer_key", "begin_turn", "is_kept"]

TRIES = 8  # answers to the same question at once


@dataclass(slots=True, kw_only=True)
class Turn:
    """A chat request that was begun: its messages are kept, and its prompt is built."""

    body: dict[str, Any]  # what to send on: the request, its messages replaced by the prompt
    session: str  # the conversation that it belongs to
    context: Context  # the prompt, and why
    added: int  # how many messages of the request were new
    warnings: list[str]  # what could not be done as it should, in words; no word of a message
    place: Place
    request: ChatRequest
    asked: Message | Receipt  # what is to be answered

    def finish(self, message: Mapping[str, Any], *, model: str | None = None, cut: bool = False) -> None:
        """Add the assistant's answer; `cut`: it broke off. An answer that says nothing is not added."""
        answer = read_answer(message)
        text = self.request.begun_text + answer.text
        calls = () if cut else answer.tool_calls
        if not text.strip() and not calls:
            return
        name = bare_name(model) if model else None
        parts = {"role": "assistant", "text": text, "tool_calls": calls, "model": name or None}
        span = self.place.aligned.replaces if self.place.aligned.kind == "again" else None
        self._add(parts, {"cut": True} if cut else {}, span)

    def _add(self, parts: Mapping[str, Any], meta: dict[str, Any], span: tuple[int, int] | None) -> None:
        session = self.place.session
        if not is_kept(session, self.asked.seq, self.asked.id):
            return  # it was forgotten meanwhile
        last = self.asked.seq if self.added else self.place.view[-1].seq
        for _ in range(TRIES):
            notes = meta if span is None else meta | {"replaces": list(span)}
            try:
                session.add(**parts, key=answer_key(last), meta=notes)
                return
            except Forgotten:
                return  # the same
            except Conflict:
                since = list(session.history(after=last, limit=TRIES))
            if not since or any(message.role != "assistant" for message in since):
                break
            last = since[-1].seq
            span = (since[0].seq if span is None else span[0]), last
        self.warnings.append("The conversation went on with another answer; this one is not kept.")


def begin_turn(
    memory: Memory, body: Mapping[str, Any], *, session: str | None = None, budget: int | None = None
) -> Turn:
    """Add what is new in a request (OpenAI's `chat.completions` body), and build its prompt. No model is asked.

    Args:
        memory: The memory, seen through the right space already.
        session: The conversation, if a header or a setting names it; otherwise the request's metadata does, or it is
            known by how it begins.
        budget: The prompt's tokens; otherwise the profile's own, or as many as the client sent and some more, within
            the model's window.
    """
    request = read_request(body.get("messages"))
    place = find(memory, request, session_of(body, session))
    warnings: list[str] = []
    if budget is None:
        budget, warnings = usual_budget(body, memory.chat_tokens)
    _check_asked(place, request)
    model = bare_name(str(body.get("model") or ""))
    _update_session(place, request, model[:512])
    asked, added = _add_new(place, request)
    if request.begun_text:
        budget -= counter_for(model).text(request.begun_text)
    context = _context(place, request, max(LEAST, budget))
    prompt = _with_parts(context.messages(), context, request.said)
    return Turn(
        body={**body, "messages": [*prompt, *request.begun]},
        session=place.session.id,
        context=context,
        added=added,
        warnings=[*warnings, *context.warnings],
        place=place,
        request=request,
        asked=asked,
    )


def answer_key(seq: int) -> str:
    """Return the key of the answer to the message of this number: there is one."""
    return digest(f"answer:{seq}")


def is_kept(session: Session, seq: int, id: str) -> bool:
    """Whether a message is still there. A conversation that was forgotten begins with the same numbers again, so the id
    counts as well."""
    found = next(session.history(after=seq - 1, before=seq + 1, limit=1), None)
    return found is not None and found.id == id


def _update_session(place: Place, request: ChatRequest, model: str) -> None:
    """Set the session's instructions, and the model by which its tokens are counted."""
    info, changes = place.info, {}
    if request.system and request.system != info.system:
        changes["system"] = request.system
    by_hand = info.model is not None and "/" in info.model  # it may write summaries, and goes on doing so
    if model and not by_hand and counter_for(info.model).encoding != counter_for(model).encoding:
        changes["model"] = model
    if changes:
        place.session.update(**changes)


def _add_new(place: Place, request: ChatRequest) -> tuple[Message | Receipt, int]:
    """Add the new messages; return what is to be answered, and how many were new."""
    aligned, view = place.aligned, place.view
    new = request.said[aligned.new :]
    if not new:
        earlier = (message for message in reversed(view) if aligned.before is None or message.seq < aligned.before)
        return next(earlier, view[-1]), 0
    drafts = [message.draft() | {"key": _key(place.info.last_seq, at, message)} for at, message in enumerate(new)]
    if aligned.kind == "edited" and aligned.replaces is not None:
        drafts[0]["meta"] = {"replaces": list(aligned.replaces)}
    return place.session.add_many(drafts)[-1], len(new)


def _context(place: Place, request: ChatRequest, tokens: int) -> Context:
    build = partial(place.session.context, tokens=tokens, before=place.aligned.before)
    context = build()
    asked = request.said[-1] if request.said else None
    if context.question is None and asked is not None and asked.role == "user" and asked.text.strip():
        return build(asked.text)  # meanwhile an answer to another request was kept
    return context


def _check_asked(place: Place, request: ChatRequest) -> None:
    """Refuse a request without a user message, before any of it is kept."""
    if "user" in {message.role for message in request.said} | {message.role for message in place.view}:
        return
    if not any(True for _ in place.session.history(last=1, role="user")):
        raise InvalidInput("The request has no message of a user.", "Send one: a prompt answers it.")


def _key(last: int, at: int, said: TurnMessage) -> str:
    """What a message is kept under: the same only for the same message at the same place of a conversation."""
    calls = [(call.id, call.name, call.arguments) for call in said.tool_calls]
    return digest(repr((last, at, said.role, said.text, said.name, said.tool_call_id, calls)))


def _with_parts(prompt: list[dict[str, Any]], context: Context, said: Sequence[TurnMessage]) -> list[dict[str, Any]]:
    """The prompt, the newest user message with its images and whatever else is no text."""
    asked = next((message for message in reversed(said) if message.role == "user"), None)
    at = max((at for at, message in enumerate(prompt) if message["role"] == "user"), default=None)
    if asked is None or not asked.content or at is None or context.question is None:
        return prompt
    content = str(prompt[at]["content"])
    parts: list[Any] = list(asked.content)
    shown = next((text for text in (asked.text, spoken(asked.text)) if content.endswith(text)), "")
    before = content.removesuffix(shown)
    if not shown:  # it was shortened
        parts = [part for part in parts if is_other(part)]
    prompt[at]["content"] = [*([{"type": "text", "text": before}] if before.strip() else []), *parts]
    return prompt
