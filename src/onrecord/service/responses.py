"""What routes return: the models of the API's description, and how records are sent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from onrecord.recall.hits import Hits
from onrecord.records import Candidate, Erased, Health, Hit, ImportReport, Receipt, Section, Summaries, Summary
from onrecord.service.forms import hits_form, listed, summaries_form, whole

_Item = TypeVar("_Item")


class Listed(BaseModel, Generic[_Item]):
    """A page of a list."""

    items: list[_Item]
    next: str | None = Field(None, description="Pass it as `cursor` for the next page; null: there is none.")


class PromptFigures(BaseModel):
    """What all prompts say of themselves."""

    profile: str
    budget: int
    tokens: int
    encoding: str
    exact: bool
    stable: float | None
    confidence: float | None
    warnings: list[str]
    sections: list[Section]


class Built(PromptFigures):
    """A prompt."""

    format: str
    prompt: Any
    manifest: list[Candidate] | None = None

    model_config = ConfigDict(extra="allow")


class Explained(PromptFigures):
    """A prompt, and why everything is in it or not."""

    messages: list[dict[str, Any]]
    manifest: list[Candidate]


class StageResponse(BaseModel):
    """One step of a search."""

    name: str
    said: str


class SearchResponse(BaseModel):
    """What a search found."""

    hits: list[Hit]
    confidence: float | None = Field(
        None, description="How likely it is that the answer is among the hits, from 0 to 1; null: not known."
    )
    weights: dict[str, float] = Field({}, description="What each signal counts by default.")
    stages: list[StageResponse]
    notes: list[str]


class SummariesResponse(BaseModel):
    """Summaries that were made, and why no others."""

    made: list[Summary]
    note: str


class Removed(BaseModel):
    """What was removed."""

    removed: str | int


class Clean(BaseModel):
    """Whether nothing that was forgotten lingers on the disk."""

    clean: bool


class Changed(BaseModel):
    """How many were changed."""

    changed: int


class CountResponse(BaseModel):
    """How many were made."""

    made: int


class JobsChanged(BaseModel):
    """How many jobs it was done to."""

    done: int


class Paused(BaseModel):
    """Whether workers begin nothing."""

    paused: bool


class Ready(BaseModel):
    """Whether the service can do its work."""

    status: str
    version: str | None = None
    failing: int | None = None  # spaces asked for lately in which search, facts or context fail
    unreadable: int | None = None  # messages in them that are passed over


class JobsResponse(BaseModel):
    """What workers have to do, and what failed."""

    due: int
    due_seconds: float
    workers: int
    paused: bool
    counts: dict[str, int]
    jobs: list[dict[str, Any]]


class PageOfList(list[_Item]):
    """Items of a list, and where the next page begins."""

    def __init__(self, items: Iterable[_Item], next: str | None) -> None:
        super().__init__(items)
        self.next = next


def form_of(value: Any) -> Any:
    """Return what a route returned as it is sent: records without defaults, reports with them, a list as a page."""
    if isinstance(value, list):
        return listed(map(_form, value), getattr(value, "next", None))
    return _form(value)


def _form(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return value.model_dump(exclude_unset=True)
    if isinstance(value, (Erased, ImportReport, Receipt)):
        return whole(value)
    if isinstance(value, Health):
        return {"ok": value.ok, **whole(value)}
    if isinstance(value, Summaries):
        return summaries_form(value)
    if isinstance(value, Hits):
        return hits_form(value)
    return value.to_dict() if hasattr(value, "to_dict") else value
