"""The facts of a space: by kind, status, subject and conversation, now or as of a day."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, Query
from pydantic import AfterValidator, BaseModel, BeforeValidator
from starlette.responses import Response

from onrecord.journal.clean import clean_time
from onrecord.memory import Memory
from onrecord.records import FACT_KINDS, FACT_STATUSES, Fact, FactKind, FactStatus
from onrecord.service.paging import facts_page
from onrecord.service.routing import Threaded
from onrecord.ui.drawing.lifelines import tide
from onrecord.ui.view import Look, LookWrite, PageQuery, every_fact, plain_lines

__all__ = ["FactForm", "router"]

router = APIRouter(include_in_schema=False, route_class=Threaded)

PAGE = 50
SUBJECTS = 60  # that are offered


class FactQuery(PageQuery):
    """Which facts to list; empty: any, and of the statuses active."""

    kind: FactKind | Literal[""] = ""
    status: FactStatus | Literal["", "all"] = ""
    q: str = ""  # words in the fact
    subject: str = ""
    session: str = ""
    as_of: str = ""
    cursor: str = ""  # id of the last fact of the page before

    def matches(self, fact: Fact) -> bool:
        """Return whether a fact matches, apart from its kind and status."""
        text = f"{fact.text} {fact.subject} {fact.attribute} {fact.value}".casefold()
        return (
            self.subject.casefold() in ("", fact.subject.casefold())
            and self.session in ("", fact.session)
            and all(word in text for word in self.q.casefold().split())
        )


@router.get("/ui/facts")
def facts(look: Look, query: Annotated[FactQuery, Query()]) -> Response:
    """List facts, the newest first."""
    every = every_fact(look.memory, query.as_of)
    matching = [fact for fact in every if query.matches(fact)]
    status = query.status or "active"
    found = [fact for fact in matching if query.kind in ("", fact.kind) and status in ("all", fact.status)]
    start = next((place for place, fact in enumerate(found, 1) if fact.id == query.cursor), 0)
    page = found[start : start + PAGE]
    subjects = Counter(fact.subject for fact in every if fact.subject).most_common(SUBJECTS)
    values = {
        "query": query,
        "blank": FactForm(confidence=1.0),
        "moment": clean_time(query.as_of, "as_of") if query.as_of else None,
        "facts": page,
        "total": len(found),
        "next": page[-1].id if len(found) > start + PAGE else "",
        "by_id": {fact.id: fact for fact in every},
        "kinds": Counter(fact.kind for fact in matching if status in ("all", fact.status)),
        "statuses": Counter(fact.status for fact in matching if query.kind in ("", fact.kind)),
        "subjects": sorted(subject for subject, _ in subjects),
        "all_kinds": FACT_KINDS,
        "all_statuses": sorted(FACT_STATUSES, key=lambda name: name != "active"),
        **_slider([fact.said.date() for fact in every]),
    }
    return look.page("facts.html", values, lambda: _twin(look.memory, query, status))


def _twin(memory: Memory, query: FactQuery, status: str) -> Any:
    facts = memory.facts(kind=query.kind or None, status=status, as_of=query.as_of or None)
    return facts_page([fact for fact in facts if query.matches(fact)])


def _slider(days: list[date]) -> dict[str, Any]:
    """Return the days of the slider, from the first fact to the day after the last, and the columns above it."""
    if not days:
        return {"first": None, "last": None, "columns": []}
    first, last = min(days), max(days)
    after = min(last, date.max - timedelta(days=1)) + timedelta(days=1)
    return {"first": first, "last": after, "columns": tide(days, first, last)}


# The form

Word = Annotated[str, AfterValidator(str.strip)]
Number = Annotated[float | None, BeforeValidator(lambda text: None if text == "" else text)]
Moment = Annotated[str, AfterValidator(lambda text: f"{text}:00" if len(text) == 16 else text)]
"""Browsers leave out seconds that are zero."""


class FactForm(BaseModel):
    """A fact as a form sends it; empty: the default."""

    text: Annotated[str, AfterValidator(plain_lines)] = ""
    kind: str = "fact"
    subject: Word = ""
    attribute: Word = ""
    value: Word = ""
    category: Word = ""
    tags: str = ""  # with commas
    confidence: Number = None
    importance: Number = None
    valid_from: Moment = ""
    valid_until: Moment = ""

    @classmethod
    def of(cls, fact: Fact) -> FactForm:
        """Return the form filled in with a fact, as exactly as its fields show it."""
        names = ("text", "kind", "subject", "attribute", "value", "category")
        values: dict[str, Any] = {name: getattr(fact, name) for name in names}
        values |= {name: float(f"{getattr(fact, name):g}") for name in ("confidence", "importance")}
        for name in ("valid_from", "valid_until"):
            time = getattr(fact, name)
            values[name] = f"{time:%Y-%m-%dT%H:%M:%S}" if time else ""
        return cls(**values, tags=", ".join(fact.tags))

    def given(self) -> dict[str, Any]:
        """Return the fields as the library takes them."""
        times = {"valid_from": self.valid_from or None, "valid_until": self.valid_until or None}
        return self.model_dump() | times | {"tags": [tag.strip() for tag in self.tags.split(",") if tag.strip()]}

    def changes(self, fact: Fact) -> dict[str, Any]:
        """Return what differs from a fact; a number or a beginning that was left out does not."""
        shown, needed = self.of(fact), ("confidence", "importance", "valid_from")
        return {
            name: value
            for name, value in self.given().items()
            if getattr(self, name) != getattr(shown, name) and not (name in needed and value is None)
        }


@router.post("/ui/facts")
def add(look: LookWrite, form: Annotated[FactForm, Form()]) -> Response:
    """Add a fact by hand."""
    given = form.given()
    given["confidence"] = 1.0 if form.confidence is None else form.confidence
    return look.go("facts", look.memory.add_fact(**given).id)
