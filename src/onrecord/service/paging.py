"""Long lists, a page at a time. A cursor names a place in the order of the list, not an item: nothing is
skipped or comes twice when items are forgotten or changed between two pages."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any

from onrecord.errors import InvalidInput
from onrecord.records import MANUAL, Fact, Summary, to_micros
from onrecord.service.responses import PageOfList

__all__ = ["PAGE", "facts_page", "summaries_page"]

PAGE = 1_000  # items of one answer

Place = list[int | str]

FACT, SUMMARY = (int, str, str), (int, str, int, int, str)
"""Of what their places are made."""


def facts_page(facts: Sequence[Fact], cursor: str | None = None) -> PageOfList[Fact]:
    """A page of facts, in the order in which they were said."""
    return _page(facts, lambda fact: [to_micros(fact.said), fact.session, fact.id], FACT, cursor)


def summaries_page(summaries: Sequence[Summary], plan: str | None, cursor: str | None = None) -> PageOfList[Summary]:
    """A page of summaries, in the order in which the library gives them: unless a plan is named, those that were asked
    for come after the profile's own."""

    def place(summary: Summary) -> Place:
        return [int(plan is None and summary.plan == MANUAL), summary.plan, summary.level, summary.last, summary.id]

    return _page(summaries, place, SUMMARY, cursor)


def _page(
    items: Sequence[Any], place: Callable[[Any], Place], shape: tuple[type, ...], cursor: str | None
) -> PageOfList[Any]:
    start = 0 if cursor is None else bisect_right(items, _read(cursor, shape), key=place)
    page = items[start : start + PAGE]
    more = len(items) > start + PAGE
    return PageOfList(page, _written(place(page[-1])) if more else None)


def _written(place: Place) -> str:
    return urlsafe_b64encode(json.dumps(place, ensure_ascii=False).encode("utf-8", "surrogatepass")).decode()


def _read(cursor: str, shape: tuple[type, ...]) -> Place:
    """The place that a cursor names. Raises if there is none of this shape."""
    try:
        place = json.loads(urlsafe_b64decode(cursor.encode("ascii")).decode("utf-8", "surrogatepass"))
    except (ValueError, RecursionError):  # also where it is no text, or not encoded so
        place = None
    if not isinstance(place, list) or tuple(map(type, place)) != shape:
        raise InvalidInput("The cursor is none of ours.", "Pass it as it was answered.")
    return place
