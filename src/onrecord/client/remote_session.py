"""RemoteSession: one conversation of a service, with the methods of `Session`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any, cast

from onrecord import records
from onrecord.client.operations import Asking, asked, like
from onrecord.client.wire import built, built_all, message_form, message_forms, part, unknown
from onrecord.errors import InvalidInput, NotFound, StoreError
from onrecord.journal.drafting import Drafter
from onrecord.journal.journal import Journal
from onrecord.memory import Memory
from onrecord.ports import Store
from onrecord.session import Session

if TYPE_CHECKING:
    from onrecord.context.prompt import Context
    from onrecord.recall.hits import Hits

__all__ = ["RemoteSession", "hits_of"]

MOST_AT_ONCE = 1_000
"""Messages that a service gives or erases at once."""


def hits_of(data: Any) -> Hits:
    """Return what a search found."""
    from onrecord.recall.hits import Hits

    hits, stages = built_all(records.Hit, part(data, "hits")), built_all(records.SearchStage, part(data, "stages"))
    return Hits(hits, stages, built(tuple[str, ...], part(data, "notes")), data.get("confidence"), data.get("weights"))


def _context_of(data: Any) -> Context:
    from onrecord.context.told import ToldContext

    manifest, sections = (
        built_all(records.Candidate, part(data, "manifest")),
        built_all(records.Section, part(data, "sections")),
    )
    try:
        return ToldContext(data, manifest, sections)
    except (AttributeError, KeyError, TypeError, ValueError):
        raise StoreError(
            "The service answered something that is no prompt.", "Check that its version is like this one."
        ) from None


class RemoteSession(Session):
    """One conversation of a service."""

    def __init__(self, memory: Memory, asking: Asking) -> None:
        self._memory = memory
        self._asking = asking
        self._id = asking.session
        # The journal pages, and checks what is asked of it; where the pages come from is all the same to it.
        self._journal = Journal(cast(Store, _RemotePages(asking)), cast(Drafter, None), asking.space, self._id)

    @property
    def id(self) -> str:
        return self._id

    @like(Session.add)
    def add(self, given: dict[str, Any]) -> records.Receipt:
        form = message_form(given)
        data = self._asking.ask("POST", "messages", form, again=True)
        return _first(built(records.Receipt, data), made=given["id"] is None, form=form)

    @like(Session.add_many)
    def add_many(self, given: dict[str, Any]) -> list[records.Receipt]:
        messages = given["messages"]
        if isinstance(messages, Iterable):
            messages = list(messages)
        forms = message_forms(messages)
        if not forms:
            return []
        data = self._asking.ask("POST", "messages/batch", {"messages": forms}, again=True, long=True)
        receipts = built_all(records.Receipt, part(data, "items"), len(forms))
        made = [not isinstance(message, Mapping) or message.get("id") is None for message in messages]
        return [_first(receipt, made=own, form=form) for receipt, own, form in zip(receipts, made, forms, strict=True)]

    @like(Session.history)
    def history(self, given: dict[str, Any]) -> Iterator[records.Message]:
        return self._journal.read(**given)

    @like(Session.info)
    def info(self, given: dict[str, Any]) -> records.SessionInfo:
        try:
            return cast(records.SessionInfo, built(records.SessionInfo, self._asking.ask("GET", "", {})))
        except NotFound:
            return records.SessionInfo(id=self._id)  # nothing was written to it yet

    update = asked(Session.update, "PATCH ", records.SessionInfo, again=True)
    context = asked(
        Session.context,
        "POST context",
        read=_context_of,
        fixed={"format": "parts", "manifest": True},
        again=True,
    )
    summarize = asked(
        Session.summarize, "POST summarize", records.Summaries, count=lambda done: len(done.made), long=True
    )
    estimate = asked(Session.estimate, "GET estimate", records.Estimate)
    due = asked(Session.due, "GET due", list[tuple[int, int]])
    summaries = asked(Session.summaries, "GET summaries", Iterator[records.Summary])
    add_summary = asked(Session.add_summary, "POST summaries", records.Summary)
    edit_summary = asked(Session.edit_summary, "PATCH summaries/{id}", records.Summary, again=True)
    lock_summary = asked(Session.lock_summary, "PATCH summaries/{id}", records.Summary, again=True)
    important = asked(Session.important, "GET important", records.ImportantData)
    compression = asked(Session.compression, "GET compression", records.Compression | None)
    conversation = asked(Session.conversation, "GET conversation", records.Conversation)
    end = asked(Session.end, "POST end", records.Summary | None, long=True)
    rescore = asked(Session.rescore, "POST score", int, field="changed", long=True)
    refresh = asked(Session.refresh, "POST refresh", again=True)
    clear = asked(Session.clear, "POST clear", int, field="removed", long=True)
    flush = asked(Session.flush, "POST flush", bool, field="clean", again=True, long=True)
    episodes = asked(Session.episodes, "GET episodes", list[records.Episode])
    add_episode = asked(Session.add_episode, "POST episodes", records.Episode)
    arc = asked(Session.arc, "GET arc", records.Arc)
    pin = asked(Session.pin, "POST pins", records.Pin)
    pins = asked(Session.pins, "GET pins", list[records.Pin])
    unpin = asked(Session.unpin, "DELETE pins/{id}")

    @like(Session.set_important)
    def set_important(self, given: dict[str, Any]) -> records.ImportantData:
        from onrecord.policy.important import check_data

        data = check_data(given["data"]).to_dict()
        return cast(
            records.ImportantData,
            built(records.ImportantData, self._asking.ask("PUT", "important", data, again=True)),
        )

    @like(Session.facts)
    def facts(self, given: dict[str, Any]) -> Any:
        return self._memory.facts(**given | {"session": self._id})

    @like(Session.search)
    def search(self, given: dict[str, Any]) -> Hits:
        return self._memory.search(**given | {"sessions": self._id})

    @like(Session.rebuild)
    def rebuild(self, given: dict[str, Any]) -> int:
        return self._memory.rebuild(session=self._id, **given)

    @like(Session.forget)
    def forget(self, given: dict[str, Any]) -> records.Erased:
        messages, done, space = given["messages"], records.Erased(), self._asking._replace(session="")
        if not messages:
            raise InvalidInput("forget needs to know which messages.", "Pass their numbers or ids.")
        for at in range(0, len(messages), MOST_AT_ONCE):
            body = {"session": self._id, "messages": messages[at : at + MOST_AT_ONCE]}
            more = built(records.Erased, space.ask("POST", "forget", body, long=True))
            sums = {
                field.name: getattr(done, field.name) + getattr(more, field.name) for field in fields(records.Erased)
            }
            done = records.Erased(**sums | {"pending": more.pending})
        return done

    def __repr__(self) -> str:
        return f"Session({self._id!r})"


class _RemotePages:
    """Of a store, what a journal reads by."""

    def __init__(self, asking: Asking) -> None:
        self._asking = asking

    def messages(self, space: str, session: str, page: records.Page) -> list[records.Message]:
        """Return a page, in as many requests as the service wants for it."""
        found: list[records.Message] = []
        before, after = page.before, page.after
        while (left := page.limit - len(found)) > 0:
            most = min(left, MOST_AT_ONCE)
            some = self._asked(page, {"last" if page.newest else "limit": most, "before": before, "after": after})
            if not all((after or 0) < message.seq < (before or message.seq + 1) for message in some):
                raise unknown("page of the messages that were asked for")
            found = some + found if page.newest else found + some
            if len(some) < most:
                break
            before, after = (some[0].seq, after) if page.newest else (before, some[-1].seq)
        return found

    def _asked(self, page: records.Page, numbers: Mapping[str, Any]) -> list[records.Message]:
        more = {"since": page.since, "until": page.until, "role": page.roles, "forgotten": page.forgotten or None}
        query = {name: value for name, value in {**numbers, **more}.items() if value is not None}
        return built_all(records.Message, part(self._asking.ask("GET", "messages", query), "items"))


def _first(receipt: records.Receipt, *, made: bool, form: Mapping[str, Any]) -> records.Receipt:
    """What was there already under an id that was made for this call came with this call: its first answer was lost."""
    ours = made and receipt.repeated and receipt.id == form["id"]
    return replace(receipt, repeated=False) if ours else receipt
