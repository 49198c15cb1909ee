"""One message must never stop a space: what rules, readers, summarisers and checks raise on it is caught here.

A message on which a recipe raises, or which takes it too long, is passed over and marked: a record of the kind
"unreadable" says which recipe could not read which messages. A later run of the same recipe passes it over at once;
another version of the recipe has another name and tries again, and so does a rebuild. The mark holds no word of the
message and goes when that is forgotten.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from time import thread_time
from typing import Generic, NamedTuple, TypeVar

from onrecord.errors import OnrecordError, StoreError
from onrecord.ports import Batch, Store
from onrecord.records import Finding, Message, Query, Record

__all__ = ["SLOW", "Attempt", "Guard", "attempt", "save_mark", "skipped"]

SLOW = "too slow"
"""Why a message is marked that took too long."""

SECONDS, SECONDS_PER_MILLION = 10.0, 20.0
"""Time of the processor that a recipe has for a text, and more for a million characters: ten times what is usual."""

PAGE = 500

_T = TypeVar("_T")


class Attempt(NamedTuple, Generic[_T]):
    """What came of reading a text: the result, or the name of the error; or both, if it took too long."""

    result: _T | None
    why: str = ""


def attempt(characters: int, work: Callable[[], _T]) -> Attempt[_T]:
    """Run what reads a text of so many characters. Errors of the store or a model are not the text's, and are raised.

    The time is measured afterwards, as that of this thread on the processor: Python cannot interrupt a thread within
    a pattern, and a machine that is busy or asleep must not count."""
    began = thread_time()
    try:
        result = work()
    except OnrecordError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever it is, the other messages are to be read
        return Attempt(None, type(error).__name__)
    slow = thread_time() - began > SECONDS + SECONDS_PER_MILLION * characters / 1_000_000
    return Attempt(result, SLOW if slow else "")


class Guard:
    """Reads messages of one session, and collects the marks of those that cannot be read."""

    def __init__(self, store: Store, space: str, session: str) -> None:
        self.marks: list[Record] = []  # to be written with what was derived
        self._store = store
        self._space = space
        self._session = session
        self._marked: dict[str, set[int]] = {}  # by recipe

    def read(
        self,
        recipe: str,
        messages: Sequence[Message],
        work: Callable[[list[Message]], _T],
        otherwise: Callable[[], _T],
        alone: Callable[[Message], object] | None = None,
    ) -> _T:
        """What `work` makes of the messages, without those that it cannot read; `otherwise`: if it cannot do without
        any either, so that it is not for the messages. `alone`: all that `work` may do with one message, if that is
        more than it does with one."""
        marked = self._marks_of(recipe) if messages else set()
        left = [message for message in messages if message.seq not in marked]
        while True:
            result, why = _attempted(work, left)
            if not why:
                return result  # type: ignore[return-value]
            failing = _failing(work, alone, left, why)
            if not failing and why == SLOW:
                return result  # type: ignore[return-value]  # it is long, and no message is to blame
            if not failing:
                self.mark(recipe, messages, why)
                return otherwise()
            for message, reason in failing:
                self.mark(recipe, [message], reason)
                marked.add(message.seq)
            left = [message for message in left if message.seq not in marked]

    def mark(self, recipe: str, messages: Sequence[Message], why: str) -> None:
        """Say that a recipe could not read messages."""
        if messages:
            self.marks.append(_mark(self._session, recipe, messages[0].seq, messages[-1].seq, messages[-1].time, why))

    def _marks_of(self, recipe: str) -> set[int]:
        if recipe not in self._marked:
            query = Query(kind="unreadable", plan=recipe, limit=PAGE)
            found = self._marked[recipe] = set()
            while page := self._store.records(self._space, self._session, query):
                found |= {record.first for record in page if record.first == record.last}
                query = Query(kind="unreadable", plan=recipe, limit=PAGE, beyond=page[-1].place)
        return self._marked[recipe]


def _attempted(work: Callable[[list[Message]], _T], messages: list[Message]) -> Attempt[_T]:
    return attempt(sum(len(message.text) for message in messages), lambda: work(messages))


def _failing(
    work: Callable[[list[Message]], object],
    alone: Callable[[Message], object] | None,
    messages: list[Message],
    why: str,
) -> list[tuple[Message, str]]:
    """The messages that cannot be read by themselves, with the reason; if all can, the one with which reading them one
    after the other fails. None if it fails without any."""
    if why != SLOW and _attempted(work, []).why not in ("", SLOW):
        return []
    found = []
    for message in messages:
        by_itself = partial(alone, message) if alone else partial(work, [message])
        if reason := attempt(len(message.text), by_itself).why:
            found.append((message, reason))
    if found or why == SLOW or not messages:
        return found
    read, failed = 0, len(messages)
    while failed - read > 1:
        middle = (read + failed) // 2
        fails = _attempted(work, messages[:middle]).why not in ("", SLOW)
        read, failed = (read, middle) if fails else (middle, failed)
    return [(messages[failed - 1], why)]


def _mark(session: str, recipe: str, first: int, last: int, time: datetime, why: str) -> Record:
    """The mark of messages that a recipe could not read. Logs it, by number."""
    logging.getLogger("onrecord").warning("%s could not read message %d (%s): it is passed over.", recipe, last, why)
    return Record(
        session=session,
        kind="unreadable",
        plan=recipe,
        key=f"{recipe} {first}-{last}",
        first=first,
        last=last,
        until=last,
        recipe=recipe,
        time=time,
        body={"why": why},
    )


def save_mark(store: Store, space: str, recipe: str, item: Message | Record) -> None:
    """Mark what a recipe could not read, as far as that can be written now: who reads goes on without it."""
    first, last = (item.seq, item.seq) if isinstance(item, Message) else (item.first, item.last)
    with suppress(OnrecordError):
        info = store.session(space, item.session)
        query = Query(kind="unreadable", plan=recipe, after=last - 1, before=last + 1)
        if info is None or any(mark.first == first for mark in store.records(space, item.session, query)):
            return
        mark = _mark(item.session, recipe, first, last, item.time, "an error, or too slow")
        store.commit(
            Batch(
                space=space,
                session=item.session,
                records=[mark],
                unless_changed=info.changes,
                born=info.created,
                time=item.time,
            )
        )


def skipped(store: Store, spaces: Sequence[str] | None = None) -> Iterator[Finding]:
    """What recipes could not read, in some spaces or in all, as far as the store can be read."""
    with suppress(StoreError):
        for space in store.spaces() if spaces is None else spaces:
            after = 0
            while page := store.feed(space, after, PAGE, ("unreadable",)):
                yield from (_finding(space, arrival.item) for arrival in page if isinstance(arrival.item, Record))
                after = page[-1].number


def _finding(space: str, mark: Record) -> Finding:
    why = (mark.body or {}).get("why", "")
    what = f"{mark.plan} cannot read it ({why}); everything else goes on without it."
    return Finding(kind="skipped", what=what, space=space, session=mark.session, seq=mark.last)
