"""The journal: appends messages to a session and reads them back. Numbers come from the store, nothing is buffered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any

from onrecord.errors import InvalidInput
from onrecord.journal.clean import clean_choice, clean_count, clean_time
from onrecord.journal.drafting import Drafter
from onrecord.ports import Batch, Placed, Store
from onrecord.records import ROLES, Draft, Message, Page, Receipt, Role

__all__ = ["Journal", "message_parts"]

PAGE = 200
"""Messages read at once while iterating: small enough to hold, large enough that a page costs little."""

ENDLESS = 2**62
"""Beyond every number of a message, and still a number to every store."""

_PARTS = frozenset(
    ("role", "text", "name", "time", "id", "key", "tool_calls", "tool_call_id", "model", "importance", "meta")
)


class Journal:
    """One session's journal in one store."""

    __slots__ = ("_drafter", "_session", "_space", "_store")

    def __init__(self, store: Store, drafter: Drafter, space: str, session: str) -> None:
        self._store = store
        self._drafter = drafter
        self._space = space
        self._session = session

    def add(self, role: str, text: str | None, **parts: Any) -> Receipt:
        said: Any = "" if text is None and parts.get("tool_calls") else text  # a call alone has no text
        draft = self._drafter.draft(role, said, **parts)
        return _receipt(draft, self._commit([draft])[0])

    def add_many(self, messages: Iterable[Mapping[str, Any] | tuple[str, str]]) -> list[Receipt]:
        if not isinstance(messages, Iterable):
            raise InvalidInput(f"messages is of type {type(messages).__name__}.", "Pass a list of messages.")
        drafts = [self._draft_of(message, number) for number, message in enumerate(messages, 1)]
        if not drafts:
            return []
        return [_receipt(draft, placed) for draft, placed in zip(drafts, self._commit(drafts), strict=True)]

    def update(self, changes: Mapping[str, Any]) -> None:
        """Set what is known of the session: title, status, model, system, meta."""
        info, now = self._drafter.known(changes), self._drafter.now()
        if "status" in info:
            info["ended"] = now if info["status"] == "ended" else None
        self._store.commit(Batch(space=self._space, session=self._session, info=info, time=now))

    def read(
        self,
        *,
        limit: int | None,
        after: int | None,
        before: int | None,
        last: int | None,
        since: datetime | str | None,
        until: datetime | str | None,
        role: Role | Iterable[Role] | None,
        forgotten: bool,
    ) -> Iterator[Message]:
        """Yield the messages that fit, oldest first, a page at a time; what is added meanwhile may come too."""
        limit, last = _number(limit, "limit"), _number(last, "last")
        if last is not None and limit is not None:
            raise InvalidInput("limit and last were both given.", "Give one: limit counts from the oldest.")
        page = Page(
            after=_number(after, "after") or 0,
            before=_number(before, "before"),
            limit=last if last is not None else PAGE if limit is None else min(PAGE, limit),
            newest=last is not None,
            since=None if since is None else clean_time(since, "since"),
            until=None if until is None else clean_time(until, "until"),
            roles=_roles(role),
            forgotten=forgotten,
        )
        return self._pages(page, limit)

    def _pages(self, page: Page, limit: int | None) -> Iterator[Message]:
        """Page after page until there is no more, or `limit` messages were given."""
        while page.limit > 0:
            found = self._store.messages(self._space, self._session, page)
            yield from found
            if page.newest or len(found) < page.limit:
                return
            if limit is not None:
                limit -= len(found)
            page = replace(page, after=found[-1].seq, limit=PAGE if limit is None else min(PAGE, limit))

    def _commit(self, drafts: list[Draft]) -> list[Placed]:
        return self._store.commit(
            Batch(space=self._space, session=self._session, drafts=drafts, time=self._drafter.now())
        )

    def _draft_of(self, message: object, number: int) -> Draft:
        try:
            return self._drafter.draft(**message_parts(message))
        except InvalidInput as error:
            raise type(error)(f"Message {number}: {error.what}", error.hint) from None


def message_parts(message: object) -> dict[str, Any]:
    """Return one item of `add_many` as the keywords of `add`."""
    if isinstance(message, tuple) and len(message) == 2:
        return {"role": message[0], "text": message[1]}
    if not isinstance(message, Mapping):
        raise InvalidInput(f"It is of type {type(message).__name__}.", "Pass dicts or (role, text) pairs.")
    parts = dict(message)
    if ("text" in parts) == ("content" in parts):
        raise InvalidInput("It needs either text or content.", "Give one of the two; an empty text is fine.")
    if "content" in parts:
        content = parts.pop("content")
        parts["text"] = "" if content is None and parts.get("tool_calls") else content
    if "role" not in parts:
        raise InvalidInput("It has no role.", f"Give one of {', '.join(ROLES)}.")
    if unknown := parts.keys() - _PARTS:
        raise InvalidInput(f"It has {', '.join(sorted(map(repr, unknown)))}.", "Use the keywords of Session.add.")
    return parts


def _receipt(draft: Draft, placed: Placed) -> Receipt:
    kept = placed.earlier or draft
    return Receipt(
        id=kept.id,
        seq=placed.seq,
        tokens=kept.tokens,
        importance=kept.importance,
        repeated=placed.earlier is not None,
        repaired=kept.original is not None,
    )


def _number(value: int | None, what: str) -> int | None:
    return None if value is None else clean_count(value, what, most=ENDLESS)


def _roles(role: Role | Iterable[Role] | None) -> tuple[Role, ...]:
    if role is None:
        return ()
    if not isinstance(role, Iterable):
        raise InvalidInput(f"role is of type {type(role).__name__}.", f"Use one or several of {', '.join(ROLES)}.")
    roles = tuple(clean_choice(item, ROLES, "role") for item in ([role] if isinstance(role, str) else role))
    if not roles:
        raise InvalidInput("role names no role.", "Leave it out to get all of them.")
    return roles
