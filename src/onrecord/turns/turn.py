"""One turn: a chat request comes, what is new in it is kept, the prompt is built, and the answer is kept.

Requests may race on one conversation, and a client that got no answer asks again. Each message is kept under a key that
follows from its content and from how far the conversation was when the request came, so what two equal requests
bring is kept once. Of two answers to the same state of a conversation the later replaces the earlier. An answer to what
was forgotten meanwhile is not kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from onrecord.context.prompt import Context
from onrecord.context.text import spoken
from onrecord.errors import Conflict, Forgotten, InvalidInput
from onrecord.memory import Memory
from onrecord.models.tokenizers import counter_for
from onrecord.records import Message, Receipt, digest
from onrecord.turns.answering import answer_key, is_kept
from onrecord.turns.budget import LEAST, usual_budget
from onrecord.turns.families import bare_name
from onrecord.turns.finding import Place, find
from onrecord.turns.naming import session_of
from onrecord.turns.saying import ChatRequest, TurnMessage, is_other, read_answer, read_request

__all__ = ["Turn"]

TRIES = 8  # answers to the same question at once


class Turn:
    """One request on its way. `begin` reads and writes the memory and computes; it waits for no model."""

    body: dict[str, Any]
    """What to send on: the request, its messages replaced by the prompt."""
    session: str
    """The conversation that it belongs to."""
    context: Context
    """The prompt, and why."""
    added: int
    """How many messages of the request were new."""
    warnings: list[str]
    """What could not be done as it should, in words; no word of a message."""

    def __init__(
        self, body: Mapping[str, Any], place: Place, request: ChatRequest, budget: int | None, own: int | None
    ) -> None:
        self.session = place.session.id
        self._place = place
        self._request = request
        model = str(body.get("model") or "")
        self.warnings = []
        if budget is None:
            budget, self.warnings = usual_budget(body, own)
        _check_asked(place, request)
        self._tell(model)
        self._asked, self._last = self._keep()
        started = request.begun_text
        tokens = budget - counter_for(bare_name(model)).text(started) if started else budget
        build = partial(place.session.context, tokens=max(LEAST, tokens), before=place.aligned.before)
        self.context = build()
        asked = request.said[-1] if request.said else None
        if self.context.question is None and asked is not None and asked.role == "user" and asked.text.strip():
            self.context = build(asked.text)  # meanwhile an answer to another request was kept
        self.warnings += self.context.warnings
        prompt = _with_parts(self.context.messages(), self.context, request.said)
        self.body = {**body, "messages": [*prompt, *request.begun]}

    @classmethod
    def begin(
        cls, memory: Memory, body: Mapping[str, Any], *, session: str | None = None, budget: int | None = None
    ) -> Turn:
        """Keep what is new in a request (OpenAI's `chat.completions` body), and build its prompt.

        `memory` is seen through the right space already. `session`: the conversation, if a header or a setting names
        it; otherwise the request's metadata does, or it is known by how it begins. `budget`: the prompt's tokens;
        otherwise the profile's own, or as many as
        the client sent and some more, within the model's window."""
        request = read_request(body.get("messages"))
        place = find(memory, request, session_of(body, session))
        return cls(body, place, request, budget, memory.chat_tokens)

    def finish(self, message: Mapping[str, Any], *, model: str | None = None, cut: bool = False) -> None:
        """Keep the assistant's answer; `cut`: it broke off. An answer that says nothing is not kept."""
        said = read_answer(message)
        text = self._request.begun_text + said.text
        calls = () if cut else said.tool_calls
        if not text.strip() and not calls:
            return
        name = bare_name(model) if model else None
        answer = {"role": "assistant", "text": text, "tool_calls": calls, "model": name or None}
        span = self._place.aligned.replaces if self._place.aligned.kind == "again" else None
        self._answer(answer, {"cut": True} if cut else {}, span)

    # Keeping

    def _tell(self, model: str) -> None:
        """What is known of the session: its instructions, and the model by which tokens are counted."""
        info, changes = self._place.info, {}
        if self._request.system and self._request.system != info.system:
            changes["system"] = self._request.system
        name = bare_name(model)[:512]
        by_hand = info.model is not None and "/" in info.model  # it may write summaries, and goes on doing so
        if name and not by_hand and counter_for(info.model).encoding != counter_for(name).encoding:
            changes["model"] = name
        if changes:
            self._place.session.update(**changes)

    def _keep(self) -> tuple[Message | Receipt, int]:
        """Keep what is new; answers what is to be answered, and the number of the newest message of the turn."""
        aligned, info, view = self._place.aligned, self._place.info, self._place.view
        new = self._request.said[aligned.new :]
        self.added = len(new)
        if not new:
            asked = (one for one in reversed(view) if aligned.before is None or one.seq < aligned.before)
            return next(asked, view[-1]), view[-1].seq
        drafts = [one.draft() | {"key": _key(info.last_seq, at, one)} for at, one in enumerate(new)]
        if aligned.kind == "edited" and aligned.replaces is not None:
            drafts[0]["meta"] = {"replaces": list(aligned.replaces)}
        newest = self._place.session.add_many(drafts)[-1]
        return newest, newest.seq

    def _answer(self, answer: Mapping[str, Any], meta: dict[str, Any], span: tuple[int, int] | None) -> None:
        session, last = self._place.session, self._last
        if not is_kept(session, self._asked.seq, self._asked.id):
            return  # somebody wanted it gone
        for _ in range(TRIES):
            notes = meta if span is None else meta | {"replaces": list(span)}
            try:
                session.add(**answer, key=answer_key(last), meta=notes)
                return
            except Forgotten:
                return  # the same
            except Conflict:
                since = list(session.history(after=last, limit=TRIES))
            if not since or any(one.role != "assistant" for one in since):
                break
            last = since[-1].seq
            span = (since[0].seq if span is None else span[0]), last
        self.warnings.append("The conversation went on with another answer; this one is not kept.")


def _check_asked(place: Place, request: ChatRequest) -> None:
    """Refuse a request in which nobody asks anything, before any of it is kept."""
    if any(one.role == "user" for one in request.said) or any(one.role == "user" for one in place.view):
        return
    if not any(True for _ in place.session.history(last=1, role="user")):
        raise InvalidInput("The request has no message of a user.", "Send one: a prompt answers it.")


def _key(last: int, at: int, said: TurnMessage) -> str:
    """What a message is kept under: the same only for the same message at the same place of a conversation."""
    calls = [(call.id, call.name, call.arguments) for call in said.tool_calls]
    return digest(repr((last, at, said.role, said.text, said.name, said.tool_call_id, calls)))


def _with_parts(prompt: list[dict[str, Any]], context: Context, said: Sequence[TurnMessage]) -> list[dict[str, Any]]:
    """The prompt, the newest user message with its images and whatever else is no text."""
    asked = next((one for one in reversed(said) if one.role == "user"), None)
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
