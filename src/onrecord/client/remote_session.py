"""RemoteSession: one conversation of a service, with the methods of `Session`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar, cast

from onrecord.client.arguments import asked_form, message_form, message_forms, moment, named, now, past_form
from onrecord.client.queries import Asking
from onrecord.client.remote_longterm import RemoteSessionLongTerm
from onrecord.client.wire import built, built_all, part, unknown
from onrecord.errors import InvalidInput, NotFound, StoreError
from onrecord.journal.asking import clean_asked, only_known
from onrecord.journal.clean import (
    clean_choice,
    clean_count,
    clean_importance,
    clean_mapping,
    clean_name,
    clean_past,
    clean_text,
    clean_time,
)
from onrecord.journal.drafting import Drafter
from onrecord.journal.journal import Journal
from onrecord.ports import Progress, Store
from onrecord.profiles import PROFILES
from onrecord.records import (
    Candidate,
    Compression,
    Conversation,
    Erased,
    Estimate,
    Hit,
    ImportantData,
    Message,
    Page,
    Receipt,
    Role,
    Section,
    SessionInfo,
    Summaries,
    Summary,
)
from onrecord.session import MOST_TOKENS, Session

if TYPE_CHECKING:
    from onrecord.context.prompt import Context
    from onrecord.recall.hits import Hits

__all__ = ["RemoteSession", "erased", "hits_of"]

_Record = TypeVar("_Record")

MOST_AT_ONCE = 1_000
"""Messages that a service gives or erases at once."""


class RemoteSession(RemoteSessionLongTerm, Session):
    """One conversation of a service."""

    def __init__(self, asking: Asking, id: str) -> None:
        self._asking = asking
        self._space = asking.space
        self._id = id
        # The journal pages, and checks what is asked of it; where the pages come from is all the same to it.
        self._journal = Journal(cast(Store, _RemotePages(asking)), cast(Drafter, None), asking.space, id)

    @property
    def id(self) -> str:
        return self._id

    def add(
        self,
        role: Role,
        text: str | None,
        *,
        name: str | None = None,
        time: datetime | str | None = None,
        id: str | None = None,
        key: str | None = None,
        tool_calls: Iterable[Any] | None = None,
        tool_call_id: str | None = None,
        model: str | None = None,
        importance: float | None = None,
        meta: Mapping[str, Any] | None = None,
    ) -> Receipt:
        form = message_form(
            role=role,
            text=text,
            name=name,
            time=time,
            id=id,
            key=key,
            tool_calls=tool_calls,
            tool_call_id=tool_call_id,
            model=model,
            importance=importance,
            meta=meta,
        )
        receipt = built(Receipt, self._ask("POST", "messages", body=form, again=True))
        return _first(receipt, made=id is None, form=form)

    def add_many(self, messages: Iterable[Mapping[str, Any] | tuple[Role, str]]) -> list[Receipt]:
        given = list(messages) if isinstance(messages, Iterable) else messages
        forms = message_forms(given)
        if not forms:
            return []
        told = self._ask("POST", "messages", "batch", body={"messages": forms}, again=True, long=True)
        receipts = built_all(Receipt, part(told, "items"), len(forms))
        made = [not isinstance(one, Mapping) or one.get("id") is None for one in given]
        return [_first(one, made=own, form=form) for one, own, form in zip(receipts, made, forms, strict=True)]

    def history(
        self,
        *,
        limit: int | None = None,
        after: int | None = None,
        before: int | None = None,
        last: int | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        role: Role | Iterable[Role] | None = None,
        forgotten: bool = False,
    ) -> Iterator[Message]:
        return self._journal.read(
            limit=limit,
            after=after,
            before=before,
            last=last,
            since=since,
            until=until,
            role=role,
            forgotten=forgotten,
        )

    def info(self) -> SessionInfo:
        try:
            return self._one(SessionInfo)
        except NotFound:
            return SessionInfo(id=self._id)  # nothing was written to it yet

    def update(self, **changes: Any) -> SessionInfo:
        return built(SessionInfo, self._ask("PATCH", body=_known(changes), again=True))

    def context(
        self,
        question: str | None = None,
        *,
        tokens: int | None = None,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        before: int | None = None,
        profile: str | None = None,
        recalled: int | None = None,
    ) -> Context:
        from onrecord.context.told import ToldContext

        asked = None if question is None else clean_text(question)[0]
        if asked is not None and not asked.strip():
            raise InvalidInput("The question is empty.", "Leave it out to go on with the conversation.")
        body = {
            "question": asked,
            "tokens": None if tokens is None else clean_count(tokens, "tokens", least=1, most=MOST_TOKENS),
            **past_form(clean_past(as_of, known_at)),
            "before": None if before is None else clean_count(before, "before"),
            "profile": _profile(profile),
            "recalled": None if recalled is None else clean_count(recalled, "recalled"),
            "format": "parts",
            "manifest": True,
        }
        told = self._ask("POST", "context", body=body, again=True)
        manifest, sections = built_all(Candidate, part(told, "manifest")), built_all(Section, part(told, "sections"))
        try:
            return ToldContext(told, manifest, sections)
        except (AttributeError, KeyError, TypeError, ValueError):
            raise StoreError(
                "The service answered something that is no prompt.", "Check that its version is like this one."
            ) from None

    def search(self, text: str, **asked: Any) -> Hits:
        only_known(asked, clean_asked, "search")
        form = asked_form(clean_asked(text, now=now(), **asked | {"sessions": self._id}))
        del form["sessions"]
        return hits_of(self._ask("POST", "search", body=form, again=True))

    def summarize(
        self,
        first: int | None = None,
        last: int | None = None,
        *,
        profile: str | None = None,
        progress: Progress | None = None,
    ) -> Summaries:
        body = {
            "first": None if first is None else clean_count(first, "first", least=1),
            "last": None if last is None else clean_count(last, "last"),
            "profile": _profile(profile),
        }
        done = built(Summaries, self._ask("POST", "summarize", body=body, long=True))
        if progress is not None and done.made:
            progress(len(done.made))
        return done

    def estimate(self) -> Estimate:
        return self._one(Estimate, "estimate")

    def due(self) -> list[tuple[int, int]]:
        found = self._asking.get("sessions", self._id, "due")
        return list(built(tuple[tuple[int, int], ...], part(found, "items")))

    def summaries(
        self, *, plan: str | None = None, level: int | None = None, as_of: datetime | str | None = None
    ) -> Iterator[Summary]:
        past = None if as_of is None else clean_time(as_of, "as_of")
        name = None if plan is None else clean_name(plan, "plan")
        of = None if level is None else clean_count(level, "level")
        yield from self._asking.pages(
            Summary, "sessions", self._id, "summaries", plan=name, level=of, as_of=moment(past)
        )

    def add_summary(
        self,
        text: str,
        last: int,
        *,
        first: int = 1,
        important: ImportantData | Mapping[str, Any] | None = None,
    ) -> Summary:
        from onrecord.policy.important import check_data

        kept, _ = clean_text(text)
        numbers = {"first": clean_count(first, "first", least=1), "last": clean_count(last, "last")}
        body = {"text": kept, **numbers, "important": check_data(important or {}).to_dict()}
        return built(Summary, self._ask("POST", "summaries", body=body))

    def edit_summary(self, id: str, text: str) -> Summary:
        kept, _ = clean_text(text)
        if not kept.strip():
            raise InvalidInput("The summary would be empty.", "Give it a text.")
        return self._changed_summary(id, {"text": kept})

    def lock_summary(self, id: str, locked: bool = True) -> Summary:
        return self._changed_summary(id, {"locked": bool(locked)})

    def _changed_summary(self, id: str, body: Mapping[str, Any]) -> Summary:
        return built(Summary, self._ask("PATCH", "summaries", clean_name(id, "id"), body=body, again=True))

    def important(self) -> ImportantData:
        return self._one(ImportantData, "important")

    def set_important(self, data: ImportantData | Mapping[str, Any]) -> ImportantData:
        from onrecord.policy.important import check_data

        body = check_data(data).to_dict()
        return built(ImportantData, self._ask("PUT", "important", body=body, again=True))

    def compression(self) -> Compression | None:
        found = self._asking.get("sessions", self._id, "compression")
        return None if found is None else built(Compression, found)

    def conversation(self) -> Conversation:
        return self._one(Conversation, "conversation")

    def end(self, summary: str | None = None) -> Summary | None:
        made = self._ask("POST", "end", body={"summary": summary}, long=True)
        return None if made is None else built(Summary, made)

    def rescore(self, importance: Mapping[int, float] | None = None) -> int:
        if importance is None:
            return built(int, part(self._ask("POST", "score", body={}, long=True), "changed"))
        given = clean_mapping(importance, "importance").items()
        scores = {str(clean_count(seq, "number", least=1)): clean_importance(one) for seq, one in given}
        return built(int, part(self._ask("POST", "score", body={"importance": scores}, long=True), "changed"))

    def refresh(self) -> None:
        self._ask("POST", "refresh", again=True)

    def clear(self) -> int:
        return built(int, part(self._ask("POST", "clear", long=True), "removed"))

    def rebuild(self, *, progress: Progress | None = None) -> int:
        told = self._asking.ask("POST", "rebuild", body={"session": self._id, "vectors": False}, long=True)
        made = built(int, part(told, "made"))
        if progress is not None and made:
            progress(made)
        return made

    def forget(self, *messages: int | str) -> Erased:
        if not messages:
            raise InvalidInput("forget needs to know which messages.", "Pass their numbers or ids.")
        return erased(self._asking, self._id, [named(item) for item in messages])

    def flush(self) -> bool:
        return built(bool, part(self._ask("POST", "flush", again=True, long=True), "clean"))

    def _ask(self, method: str, *path: str, **how: Any) -> Any:
        return self._asking.ask(method, "sessions", self._id, *path, **how)

    def _one(self, kind: type[_Record], *path: str) -> _Record:
        return self._asking.one(kind, "sessions", self._id, *path)

    def __repr__(self) -> str:
        return f"Session({self._id!r})"


class _RemotePages:
    """Of a store, what a journal reads by."""

    def __init__(self, asking: Asking) -> None:
        self._asking = asking

    def messages(self, space: str, session: str, page: Page) -> list[Message]:
        """A page, in as many questions as the service wants for it."""
        found: list[Message] = []
        before, after = page.before, page.after
        while (left := page.limit - len(found)) > 0:
            most = min(left, MOST_AT_ONCE)
            wanted = {"last" if page.newest else "limit": most, "before": before, "after": after}
            some = self._asked(session, page, wanted)
            if not all((after or 0) < message.seq < (before or message.seq + 1) for message in some):
                raise unknown("page of the messages that were asked for")
            found = some + found if page.newest else found + some
            if len(some) < most:
                break
            before, after = (some[0].seq, after) if page.newest else (before, some[-1].seq)
        return found

    def _asked(self, session: str, page: Page, numbers: Mapping[str, Any]) -> list[Message]:
        more = {"since": page.since, "until": page.until, "role": page.roles, "forgotten": page.forgotten or None}
        told = self._asking.get("sessions", session, "messages", **numbers, **more)
        return built_all(Message, part(told, "items"))


def _first(receipt: Receipt, *, made: bool, form: Mapping[str, Any]) -> Receipt:
    """What was there already under an id that was made for this call came with this call: its first answer was lost."""
    ours = made and receipt.repeated and receipt.id == form["id"]
    return replace(receipt, repeated=False) if ours else receipt


def _known(changes: Mapping[str, Any]) -> dict[str, Any]:
    for name in changes:
        if name not in ("title", "status", "model", "system", "meta"):
            raise InvalidInput(f"A session has no {name!r}.", "Set title, status, model, system or meta.")
    return dict(changes)


def _profile(name: str | None) -> str | None:
    """A profile, if one is named."""
    return None if name is None else clean_choice(name, tuple(PROFILES), "profile")


def hits_of(told: Any) -> Hits:
    """What a search found."""
    from onrecord.recall.hits import Hits
    from onrecord.records import SearchStage

    hits, stages = built_all(Hit, part(told, "hits")), built_all(SearchStage, part(told, "stages"))
    return Hits(hits, stages, built(tuple[str, ...], part(told, "notes")), told.get("confidence"), told.get("weights"))


def erased(asking: Asking, session: str, messages: list[int | str]) -> Erased:
    """What was erased of a session, some messages after the other."""
    done = Erased()
    for at in range(0, len(messages), MOST_AT_ONCE):
        body = {"session": session, "messages": messages[at : at + MOST_AT_ONCE]}
        more = built(Erased, asking.ask("POST", "forget", body=body, long=True))
        sums = {one.name: getattr(done, one.name) + getattr(more, one.name) for one in fields(Erased)}
        done = Erased(**sums | {"pending": more.pending})
    return done
