"""What routes answer: the shapes for the API's description. The values themselves are made by `forms`."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from onrecord.records import Candidate, Hit, Section, Summary

__all__ = [
    "Built",
    "Changed",
    "Clean",
    "CountResponse",
    "Explained",
    "JobsChanged",
    "JobsResponse",
    "Listed",
    "Paused",
    "Ready",
    "Removed",
    "SearchResponse",
    "SummariesResponse",
    "answers",
]

Item = TypeVar("Item")


class Listed(BaseModel, Generic[Item]):
    """A page of a list."""

    items: list[Item]
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


def answers(model: Any, description: str = "Done.") -> dict[int | str, dict[str, Any]]:
    """How a route that goes well answers, for the API's description."""
    return {200: {"model": model, "description": description}}
