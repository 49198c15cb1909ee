"""What a space of a store holds, read a page at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

from onrecord.policy.plans import is_claim
from onrecord.ports import TOMBSTONES, Store
from onrecord.records import KINDS, Message, Page, Query, Record, SessionInfo

__all__ = ["PAGE", "all_messages", "all_records", "all_sessions", "keep_secrets", "paired"]

PAGE = 500

_Item = TypeVar("_Item")


def all_sessions(store: Store, space: str) -> Iterator[SessionInfo]:
    """Yield the sessions of a space, by id."""
    after = ""
    while page := store.sessions(space, after, PAGE):
        yield from page
        if len(page) < PAGE:
            return
        after = page[-1].id


def all_messages(store: Store, space: str, session: str, after: int = 0) -> Iterator[Message]:
    """Yield the messages of a session, in order, tombstones included."""
    page = Page(after=after, limit=PAGE, forgotten=True)
    while messages := store.messages(space, session, page):
        yield from messages
        page = replace(page, after=messages[-1].seq)


def all_records(store: Store, space: str, session: str) -> Iterator[Record]:
    """Yield the derived records of a session by kind and place; leases stay where they are."""
    for kind in KINDS:
        query = Query(kind=kind, limit=PAGE)
        while page := store.records(space, session, query):
            yield from (record for record in page if not is_claim(record))
            query = replace(query, beyond=page[-1].place)


def paired(
    ours: Iterator[_Item], theirs: Iterator[_Item], key: Callable[[_Item], Any]
) -> Iterator[tuple[_Item | None, _Item | None]]:
    """Yield the items of two sorted iterators side by side; None where one of them has none with that key."""
    our, their = next(ours, None), next(theirs, None)
    while our is not None or their is not None:
        if their is None or (our is not None and key(our) < key(their)):
            yield our, None
            our = next(ours, None)
        elif our is None or key(their) < key(our):
            yield None, their
            their = next(theirs, None)
        else:
            yield our, their
            our, their = next(ours, None), next(theirs, None)


def keep_secrets(store: Store, space: str, secrets: Iterable[str]) -> None:
    """Let a store know the ids and keys again that were forgotten where the secrets come from."""
    if names := {f"{TOMBSTONES}{secret}": 1 for secret in secrets}:
        store.count(space, {}, names)
