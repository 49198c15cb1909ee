"""How a memory on a service asks: a question of its space, and lists a page at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

from onrecord.client.service import Service, encoded
from onrecord.client.wire import built, built_all, part, unknown

__all__ = ["Asking"]

_Record = TypeVar("_Record")


class Asking:
    """One space of a service."""

    __slots__ = ("service", "space")

    def __init__(self, service: Service, space: str) -> None:
        self.service = service
        self.space = space

    def get(self, *path: str, **query: Any) -> Any:
        return self.service.ask("GET", encoded(*path), self.space, query=query)

    def ask(
        self, method: str, *path: str, body: Mapping[str, Any] | None = None, again: bool = False, long: bool = False
    ) -> Any:
        """`again`: the question may be put twice; `long`: it may take its time."""
        return self.service.ask(method, encoded(*path), self.space, body=body, again=again, long=long)

    def pages(self, kind: type[_Record], /, *path: str, **query: Any) -> Iterator[_Record]:
        """The items of a list, as they are wanted: a page is asked for when the one before is used up."""
        cursor = None
        while True:
            page = self.get(*path, **query, cursor=cursor)
            items, before, cursor = built_all(kind, part(page, "items")), cursor, part(page, "next")
            yield from items
            if cursor is None:
                return
            if not items or cursor == before:
                raise unknown("page that goes on")

    def one(self, kind: type[_Record], /, *path: str, **query: Any) -> _Record:
        """A record."""
        return built(kind, self.get(*path, **query))
