"""What is known: all facts, by kind, status, subject and conversation, now or as it was true at a moment."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from datetime import date, datetime, timedelta
from heapq import nlargest
from typing import Annotated, Any

from fastapi import APIRouter, Depends
from starlette.responses import Response

from onrecord.journal.clean import clean_choice, clean_time
from onrecord.records import FACT_KINDS, FACT_STATUSES, Fact, FactStatus
from onrecord.service.calling import Threaded
from onrecord.service.paging import facts_page
from onrecord.ui.drawing.lifelines import DayColumn, tide
from onrecord.ui.pages.fact_form import Told
from onrecord.ui.pages.knowledge_view import KnowledgeView, opened
from onrecord.ui.view import Look, LookWrite, View

__all__ = ["FactsAsked", "router"]

router = APIRouter(include_in_schema=False, route_class=Threaded)

MOST = 50  # facts on one page
ORDER = ("active", *(status for status in FACT_STATUSES if status != "active"))
MOST_NAMES = 60  # subjects that are offered


@dataclass(frozen=True, slots=True)
class FactsAsked:
    """Which facts are asked for; empty: any, and of the status those that are active."""

    kind: str = ""
    status: str = ""  # "all": of any
    q: str = ""  # words that are in it
    subject: str = ""
    session: str = ""
    as_of: str = ""  # as it was true at this moment

    @property
    def moment(self) -> datetime | None:
        return clean_time(self.as_of, "as_of") if self.as_of else None

    def checked(self) -> FactsAsked:
        """Itself; raises what the API raises where it means nothing."""
        for given, known, what in ((self.kind, FACT_KINDS, "kind"), (self.status, (*FACT_STATUSES, "all"), "status")):
            if given:
                clean_choice(given, known, what)
        return self

    def but(self, **other: str) -> dict[str, str]:
        """The same question with other values, as a query."""
        return asdict(self) | other

    def wants(self, fact: Fact) -> bool:
        """Whether it is asked for, whatever its kind and status."""
        return (
            (not self.subject or fact.subject.casefold() == self.subject.casefold())
            and (not self.session or fact.session == self.session)
            and (not self.q or _says(fact, self.q.casefold().split()))
        )


def _says(fact: Fact, words: list[str]) -> bool:
    text = f"{fact.text} {fact.subject} {fact.attribute} {fact.value}".casefold()
    return all(word in text for word in words)


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A fact on the list."""

    fact: Fact
    status: FactStatus
    instead: Fact | None  # what replaced it


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundFacts:
    """A page of facts, and how many there are."""

    items: list[Item]
    next: str  # id of the last one, where there are more
    kinds: Counter[str]  # of what is asked for but for the kind
    statuses: Counter[str]  # of what is asked for but for the status
    total: int
    subjects: list[str]  # the commonest, by name
    days: list[date]  # on which something was said, of all facts


@router.get("/ui/facts")
def facts(
    look: Look, asked: Annotated[FactsAsked, Depends()], cursor: str = "", gone: int = 0, lingers: str = ""
) -> Response:
    """The facts of the space, the newest first."""
    moment = asked.checked().moment
    with opened(look.memory, moment) as known:
        found = _found(known, asked, cursor)
    values = {
        "asked": asked,
        "moment": moment,
        "found": found,
        "cursor": cursor,
        "gone": gone,
        "lingers": lingers,
        "all_kinds": FACT_KINDS,
        "all_statuses": ORDER,
        **_time(found.days, moment),
    }
    return look.page("facts.html", values, lambda: _twin(look, asked))


def _found(known: KnowledgeView, asked: FactsAsked, cursor: str) -> FoundFacts:
    status = asked.status or "active"
    kinds: Counter[str] = Counter()
    statuses: Counter[str] = Counter()
    subjects: Counter[str] = Counter()
    days: list[date] = []
    chosen: list[Fact] = []
    for fact, stands in known.facts():
        days.append(fact.said.date())
        subjects[fact.subject] += 1
        if not asked.wants(fact):
            continue
        right_kind, right_status = asked.kind in ("", fact.kind), status in ("all", stands)
        kinds[fact.kind] += right_status
        statuses[stands] += right_kind
        if right_kind and right_status:
            chosen.append(fact)
    page, after = _page(chosen, known.fact(cursor) if cursor else None)
    return FoundFacts(
        items=[Item(fact=one, status=known.status(one), instead=known.fact(one.superseded_by)) for one in page],
        next=after,
        kinds=kinds,
        statuses=statuses,
        total=len(chosen),
        subjects=sorted(name for name, _ in subjects.most_common(MOST_NAMES) if name),
        days=days,
    )


def _order(fact: Fact) -> tuple[datetime, str, str]:
    return fact.said, fact.session, fact.id


def _page(facts: list[Fact], after: Fact | None) -> tuple[list[Fact], str]:
    """The newest facts after one, and the last of them if there are more."""
    left = facts if after is None else [fact for fact in facts if _order(fact) < _order(after)]
    page = nlargest(MOST + 1, left, key=_order)
    return page[:MOST], page[MOST - 1].id if len(page) > MOST else ""


def _time(days: list[date], moment: datetime | None) -> dict[str, Any]:
    """The days of the slider: from that of the first fact to the one after the last."""
    columns: tuple[DayColumn, ...] = ()
    first = last = None
    if days:
        first, last = min(days), max(days)
        columns = tide(days, first, last)
        last = min(last, date.max - timedelta(days=1)) + timedelta(days=1)
    return {"first": first, "last": last, "columns": columns, "day_asked": None if moment is None else moment.date()}


def _twin(look: View, asked: FactsAsked) -> dict[str, Any]:
    """What /v1/facts answers; of that, what has the words, which the API leaves to searches."""
    found = look.memory.facts(
        kind=asked.kind or None,  # type: ignore[arg-type]
        status=asked.status or "active",
        as_of=asked.as_of or None,
        subject=asked.subject or None,
        session=asked.session or None,
    )
    words = asked.q.casefold().split()
    return facts_page([one for one in found if _says(one, words)])


@router.post("/ui/facts")
def add(look: LookWrite, told: Told) -> Response:
    """Tell the memory a fact."""
    return look.go("facts", look.memory.add_fact(**told.given()).id)
